"""Runs of bench as tests of ReFrame (reframe-hpc): times and speedups that it logs and judges.

    BENCH=build/bin/bench reframe -c reports/cluster/reframe_bench.py -r --performance-report

A cell's kernel time and, where there is one, the fastest GPU's speedup over the best CPU become
performance variables; a wrong answer fails the test. Copy a class to measure something else, and
give `reference` the numbers of your system to be told of regressions.
"""

import json
import os

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ


class BenchRun(rfm.RunOnlyRegressionTest):
    """`bench run` with `arguments`; a subclass names them."""

    arguments = variable(typ.List[str])
    valid_systems = ["*"]
    valid_prog_environs = ["*"]

    @run_before("run")
    def set_command(self):
        self.executable = os.path.abspath(os.environ.get("BENCH", "bench"))
        self.executable_opts = ["run", *self.arguments, "--out", "run", "--no-plot", "--quiet"]

    @sanity_function
    def every_answer_is_right(self):
        return sn.assert_found(r"\d+ cells: \d+ ok, \d+ skipped, 0 failed", self.stdout)

    @run_before("performance")
    def read_times(self):
        with open(os.path.join(self.stagedir, "run", "results.json")) as file:
            cells = json.load(file)["benchmarks"]
        self.perf_variables = {}
        for cell in cells:
            if "kernel_median_s" not in cell or cell["algorithm"] == "copy":
                continue  # a further launch of a cell; the roof
            self.add(cell, "", cell["kernel_median_s"] * 1e3, "ms")
            if cell["backend"] != "cpu" and cell["best_tuning"] and "speedup_vs_best_cpu" in cell:
                self.add(cell, " over the best CPU", cell["speedup_vs_best_cpu"], "x")

    def add(self, cell, suffix, value, unit):
        name = cell["name"].replace(":", "=") + suffix  # ReFrame parts names at colons
        self.perf_variables[name] = sn.make_performance_function(sn.defer(value), unit)


@rfm.simple_test
class LbpSizes(BenchRun):
    arguments = ["--algo", "lbp", "--sizes", "360p,1080p", "--max-time", "1"]
