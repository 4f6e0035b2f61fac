#!/usr/bin/env python3
"""Are the first counted samples of the turns as fast as the others?

    first_samples.py RUN...      results.json, results.json.gz or a folder that holds one

For each cell the first kernel sample of each turn of at least three is divided by the median of the
turn's other samples. The cell's value is the median of these ratios. Prints the median, the 90th
percentile and the worst cells, for CPU and GPU. Exits with 1 if a median is more than 1% off.
"""

import gzip
import json
import os
import statistics
import sys

BAR = 0.01
LEAST_SAMPLES = 3


def read(path):
    if os.path.isdir(path):
        names = [os.path.join(path, name) for name in ("results.json", "results.json.gz")]
        path = next((name for name in names if os.path.exists(name)), names[0])
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        return json.load(file)["benchmarks"]


def first_over_rest(entry):
    """The median ratio over the turns of a cell; None without turns of enough samples."""
    samples = entry.get("kernel_samples_s", [])
    ratios = []
    start = 0
    for _launch, _turn, count in entry.get("kernel_turns", []):
        turn = samples[start : start + count]
        start += count
        if len(turn) >= LEAST_SAMPLES:
            ratios.append(turn[0] / statistics.median(turn[1:]))
    return statistics.median(ratios) if ratios else None


def report(backend, cells):
    ratios = sorted(cells)
    middle = statistics.median(ratio for ratio, _ in ratios)
    high = ratios[min(len(ratios) - 1, int(0.9 * len(ratios)))][0]
    good = abs(middle - 1) <= BAR
    print(
        f"{backend}: {len(ratios)} cells, first sample of a turn over its others: median "
        f"{100 * (middle - 1):+.2f}%, 90th percentile {100 * (high - 1):+.2f}%"
        f"{'' if good else ': off by more than 1%'}"
    )
    for ratio, name in ratios[-3:][::-1]:
        print(f"   {100 * (ratio - 1):+.2f}%  {name}")
    return good


def main(paths):
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    cells = {}
    for path in paths:
        for entry in read(path):
            ratio = first_over_rest(entry)
            if ratio is not None:
                cells.setdefault(entry["backend"], []).append((ratio, entry["name"]))
    if not cells:
        print("no turn has three samples: measure with --reps 24 or more", file=sys.stderr)
        return 2
    return 0 if all([report(backend, list_) for backend, list_ in cells.items()]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
