#!/usr/bin/env python3
"""How often the intervals that a run prints hold what the other runs found.

    tests/bars/coverage.py [--few] RUN RUN RUN...

Each RUN is a folder with a results.csv or results.csv.gz: separate runs of one command line with six launches or
more. Rows of fewer launches do not count: older versions measured `copy` once, for the roof. For every
cell and every number with an interval (times, and speedups over seq and over the best CPU), the
interval of each run is held against the median of the other runs. A speedup that is 1 by definition
does not count. Exit code 1 when less than 90% hold. --few: runs of two launches or more, by the
results.json, which has the least and the greatest of launches that are too few for an interval.
"""

import csv
import gzip
import json
import os
import statistics
import sys

NUMBERS = {
    "kernel": ("kernel_ms_median", "kernel_ms_ci_low", "kernel_ms_ci_high"),
    "end to end": ("end_to_end_ms", "end_to_end_ms_ci_low", "end_to_end_ms_ci_high"),
    "speedup": ("speedup", "speedup_ci_low", "speedup_ci_high"),
    "speedup, end to end": (
        "speedup_end_to_end", "speedup_end_to_end_ci_low", "speedup_end_to_end_ci_high"),
    "over best CPU": (
        "speedup_vs_best_cpu", "speedup_vs_best_cpu_ci_low", "speedup_vs_best_cpu_ci_high"),
    "over best CPU, end to end": (
        "speedup_end_to_end_vs_best_cpu", "speedup_end_to_end_vs_best_cpu_ci_low",
        "speedup_end_to_end_vs_best_cpu_ci_high"),
}
CELL = ("algorithm", "variant", "input", "size", "answer", "tuning", "mode")
BAR = 0.9
LAUNCHES = 6


# Where the JSON has a number of the CSV, and its least and greatest.
FEW = {
    "kernel_ms_median": ("kernel_median_s", "kernel", "_s"),
    "end_to_end_ms": ("end_to_end_median_s", "end_to_end", "_s"),
    "speedup": ("speedup", "speedup", ""),
    "speedup_end_to_end": ("speedup_end_to_end", "speedup_end_to_end", ""),
    "speedup_vs_best_cpu": ("speedup_vs_best_cpu", "speedup_vs_best_cpu", ""),
    "speedup_end_to_end_vs_best_cpu": (
        "speedup_end_to_end_vs_best_cpu", "speedup_end_to_end_vs_best_cpu", ""),
}


def few_rows_of(run):
    """The same of launches that may be too few, from results.json."""
    rows = {}
    with open(f"{run}/results.json", encoding="utf-8") as file:
        entries = json.load(file)["benchmarks"]
    for entry in entries:
        if "launch" in entry or entry.get("launches", 1) < 2:
            continue
        row = rows[entry["name"], entry["mode"]] = {}
        for value, low, high in NUMBERS.values():
            key, stem, unit = FEW[value]
            row[value] = entry.get(key, "")
            for column, end in ((low, "low"), (high, "high")):
                row[column] = entry.get(f"{stem}_launch_{end}{unit}",
                                        entry.get(f"{stem}_ci_{end}{unit}", ""))
    return rows


def rows_of(run):
    """The rows of a run that have an interval, by cell."""
    path = f"{run}/results.csv"
    opened = open if os.path.exists(path) else gzip.open
    with opened(path if opened is open else path + ".gz", "rt", newline="",
                encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("#")]
    rows = csv.DictReader(lines)
    return {tuple(row[name] for name in CELL): row for row in rows if row["status"] == "ok"
            and int(row["launches"]) >= LAUNCHES}


def is_fixed(row, low, high):
    """A baseline over itself has no interval to be judged."""
    return float(row[low]) == float(row[high]) == 1


def judge(runs, columns):
    """Two counts: intervals, and those that hold the median of the other runs. And the misses."""
    value, low, high = columns
    judged, held, misses = 0, 0, []
    for cell in set.intersection(*(set(run) for run in runs)):
        for run in runs:
            row = run[cell]
            others = [float(r[cell][value]) for r in runs if r is not run and r[cell][value]]
            if not row[low] or is_fixed(row, low, high) or not others:
                continue
            others = statistics.median(others)
            judged += 1
            if float(row[low]) <= others <= float(row[high]):
                held += 1
            else:
                misses.append(" ".join(part for part in cell if part))
    return judged, held, misses


def main(arguments):
    few = arguments[:1] == ["--few"]
    paths = arguments[few:]
    if len(paths) < 3:
        sys.exit(__doc__)
    runs = [few_rows_of(path) if few else rows_of(path) for path in paths]
    judged = held = 0
    missed = []
    print(f"{'number':<28}{'intervals':>10}{'hold':>8}")
    for name, columns in NUMBERS.items():
        n, h, misses = judge(runs, columns)
        if n > 0:
            print(f"{name:<28}{n:>10}{h / n:>8.1%}")
        judged, held, missed = judged + n, held + h, missed + misses
    if judged == 0:
        sys.exit("no interval in these runs: six launches or more are needed")
    print(f"{'all':<28}{judged:>10}{held / judged:>8.1%}")
    for cell in sorted(set(missed), key=missed.count, reverse=True)[:10]:
        print(f"  {missed.count(cell):>3} misses: {cell}")
    return held < BAR * judged


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
