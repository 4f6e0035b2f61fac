#!/usr/bin/env python3
"""bars.py on tiny runs: each row is measured once, what is there is not measured again, and the table
has a line for each row. Its numbers, on logs and runs made by hand.

    test_bars.py BENCH
"""
import io
import math
import pathlib
import sys
import tempfile
from contextlib import redirect_stdout

sys.dont_write_bytecode = True
import bars  # beside this file; pylint: disable=wrong-import-position

ROWS = ["first", "run", "overhead", "seq", "widths", "coverage", "aa", "planted", "left"]


def line(at, left):
    return at, f"\r\x1b[K[1/84] launch 1: lbp/omp (0:10, 9%, first numbers in 5–9 s, {left} left)"


def check_times_left():
    log = {"seconds": 100, "pieces": [line(1, "2–3 h"), line(20, "60–110 s"), line(50, "about 50 s"),
                                      (59, "summary, 1 launch s"), (60, "o\r\n  far"), line(98, "a few seconds")]}
    told = list(bars.times_left(log))
    assert [at for at, _ in told] == [1, 20, 50, 98], told
    assert math.isclose(told[0][1], math.sqrt(6) * 3600) and told[2][1] == 50 and told[3][1] == 2.5
    assert bars.is_right(log) and bars.first_summary(log) == 60
    log["pieces"][1] = line(20, "2–3 min")  # 147 s of 80
    assert bars.is_right(log) is False
    assert bars.is_right({"seconds": 9, "pieces": [line(1, "2–3 h")]}) is None


def check_numbers():
    parts = {"ceilings": 4, "oracle": 2, "transfers": 1, "input": 1, "samples": 50, "end_to_end": 5,
             "warming": 6}
    cells = [{"variant": "seq", "launches": 3, "kernel_samples_s": [0.5, 0.25], "batch": 2,
              "speedup_vs_best_cpu_launch_low": 0.1, "speedup_vs_best_cpu_launch_high": 0.2},
             {"variant": "omp", "launches": 3, "kernel_samples_s": [0.5], "batch": 1,
              "kernel_ci_low_s": 1, "kernel_ci_high_s": 1.1, "kernel_launch_low_s": 1,
              "kernel_launch_high_s": 9}]
    run = {"context": {"wall_time_s": parts}, "benchmarks": cells + [{"variant": "omp"}]}
    assert bars.overhead(run) == 8 + 2 * 6
    assert bars.seq_seconds(run) == 1.5 * 2
    assert math.isclose(bars.widths(run, True), math.log(2))
    assert math.isclose(bars.widths(run, False), math.log(1.1))


def table_of(bench, out, rows):
    text = io.StringIO()
    with redirect_stdout(text):
        bars.main([bench, out, "--rows", ",".join(rows), "--runs", "3", "--sides", "2", "--budget",
                   "1s", "--", "--algo", "lbp", "--sizes", "16x16", "--variants", "seq,omp",
                   "--threads", "1", "--no-roof"])
    return text.getvalue()


def main(bench):
    check_times_left()
    check_numbers()
    with tempfile.TemporaryDirectory() as scratch:
        table = table_of(bench, scratch, ROWS)
        for row in ROWS:
            assert f"\n| {row} | " in table, table
        logs = {path: path.stat().st_mtime_ns for path in pathlib.Path(scratch).rglob("*.log")}
        assert len(logs) == 3 + 2, logs
        assert table_of(bench, scratch, ["run", "planted"]).count("\n") == 4
        assert logs == {path: path.stat().st_mtime_ns for path in pathlib.Path(scratch).rglob("*.log")}


if __name__ == "__main__":
    main(sys.argv[1])
