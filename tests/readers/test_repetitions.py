#!/usr/bin/env python3
"""usage: test_repetitions.py BENCH

Google Benchmark's compare.py finds no difference between two runs whose launches lie between each other, neither in
the times nor in the CPU times, and finds one that is planted in the CPU times alone.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

compare = "/usr/share/benchmark/compare.py"
for missing, package in ((not os.path.exists(compare), "libbenchmark-tools"),
                         (subprocess.run([sys.executable, "-c", "import scipy.stats"], capture_output=True).returncode,
                          "python3-scipy")):
    if missing:
        print("skipped: needs " + package)
        sys.exit(77)

bench = os.path.abspath(sys.argv[1])
# By how many thousandths each of 18 launches is slower: even ones are of one run, odd ones of the other.
TIMES = [3, 4, 9, 8, 1, 2, 17, 16, 12, 13, 6, 5, 11, 10, 14, 15, 7, 18]
CPU = [5, 4, 1, 2, 11, 12, 8, 7, 17, 18, 13, 14, 9, 10, 3, 6, 16, 15]
failed = False


def run(*arguments):
    done = subprocess.run([bench, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{arguments}: exit code {done.returncode}\n{done.stderr}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def launch(base, number, factor):
    """A run of one launch with times of its own."""
    for cell in base["benchmarks"]:
        for key in [key for key in cell if key.startswith(("kernel_", "end_to_end_")) and "samples_s" not in key]:
            del cell[key]
        for key in ("kernel_samples_s", "end_to_end_samples_s"):
            cell[key] = [1e-3 * (1 + TIMES[number] / 1000)] * len(cell[key])
        cell["cpu_s"] = 0.9e-3 * factor * (1 + CPU[number] / 1000)
    os.makedirs(f"launch-{number}", exist_ok=True)
    with open(f"launch-{number}/results.json", "w", encoding="utf-8") as file:
        json.dump(base, file)
    return f"launch-{number}"


def merge(name, numbers, factor=1.0):
    run("merge", *(launch(read("base/results.json"), number, factor) for number in numbers), "--out", name)


def p_values(before, after):
    """Of the U tests of time and of CPU time."""
    done = subprocess.run([sys.executable, compare, "--no-color", "--display_aggregates_only", "benchmarks",
                           before + "/results.json", after + "/results.json"], capture_output=True, text=True)
    found = re.search(r"_pvalue +([0-9.]+) +([0-9.]+) +U Test, Repetitions: 9 vs 9", done.stdout)
    if found is None:
        sys.exit(f"compare.py: {done.stdout}{done.stderr}")
    return float(found[1]), float(found[2])


def expect(what, holds):
    global failed
    if not holds:
        failed = True
        print(what)


def cpu_times(name):
    return [entry["cpu_time"] for entry in read(name + "/results.json")["benchmarks"]]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    run("--algo", "lbp", "--variants", "seq", "--sizes", "16x16", "--reps", "8", "--no-roof", "--no-plot", "--quiet",
        "--out", "base")
    merge("old", range(0, 18, 2))
    merge("new", range(1, 18, 2))
    merge("more", range(1, 18, 2), 1.1)
    same = p_values("old", "new")
    expect(f"two runs of one program differ: p is {same}", min(same) > 0.3)
    more = p_values("old", "more")
    expect(f"a tenth more CPU time is not found: p is {more}", more[0] > 0.3 and more[1] < 0.001)
    for number, time in zip(range(0, 18, 2), cpu_times("old")):
        expect(f"launch {number}: {time} ns", abs(time / (0.9e6 * (1 + CPU[number] / 1000)) - 1) < 1e-9)
    run("merge", "old", "--out", "again")
    expect("written again, the CPU times are others", cpu_times("again") == cpu_times("old"))
    run("merge", "old", "new", "--out", "both")
    expect("joined, the CPU times are others", cpu_times("both") == cpu_times("old") + cpu_times("new"))
sys.exit(1 if failed else 0)
