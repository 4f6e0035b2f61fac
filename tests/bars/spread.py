#!/usr/bin/env python3
"""What it is worth to spread launches over time, on stored runs.

    tests/bars/spread.py RUN RUN RUN...

Each RUN is a folder with a results.json: runs of one command line with as many launches each,
measured one after the other and given in that order. Their launches are dealt out anew: into runs of
consecutive launches, as they were measured, then into as many runs whose launches lie evenly over
the time of all, and two steps between. Printed is how often the interval of the launch medians,
least to greatest, holds the median of the other runs. Ratios of two cells are formed in each launch.
"""

import gzip
import itertools
import json
import pathlib
import statistics
import sys


def launch_medians(folder):
    """The launch medians of each cell, in order."""
    plain = pathlib.Path(folder) / "results.json"
    opened = open(plain, encoding="utf-8") if plain.exists() else gzip.open(f"{plain}.gz", "rt")
    with opened as file:
        entries = json.load(file)["benchmarks"]
    medians = {}
    for entry in entries:
        if entry.get("launches", 1) > 1 or "launch" in entry:
            medians.setdefault(entry["run_name"], []).append(entry["real_time"])
    return medians


def dealt(launches, runs, parts):
    """The numbers of the launches of each new run: `parts` pieces, evenly over the whole time."""
    piece = launches // parts
    return [[part * runs * piece + run * piece + i for part in range(parts) for i in range(piece)]
            for run in range(runs)]


def held(series, runs):
    hits = count = 0
    for values in series:
        groups = [[values[i] for i in run] for run in runs]
        medians = [statistics.median(group) for group in groups]
        for i, group in enumerate(groups):
            others = statistics.median(medians[:i] + medians[i + 1:])
            count += 1
            hits += min(group) <= others <= max(group)
    return hits, count


def main(folders):
    if len(folders) < 3:
        sys.exit(__doc__)
    runs = [launch_medians(folder) for folder in folders]
    cells = set.intersection(*(set(run) for run in runs))
    launches = min(len(run[cell]) for run in runs for cell in cells)
    times = {cell: [value for run in runs for value in run[cell][:launches]] for cell in cells}
    size = {cell: cell.split("/")[3] for cell in cells}
    ratios = [[a / b for a, b in zip(times[first], times[second])]
              for first, second in itertools.combinations(sorted(cells), 2)
              if size[first] == size[second]]
    print(f"{'pieces a run':<14}{'CPU times':>12}{'GPU times':>12}{'ratios':>12}{'all':>12}")
    for parts in (part for part in range(1, launches + 1) if launches % part == 0):
        deal = dealt(launches, len(runs), parts)
        counts = [held(series, deal) for series in (
            [times[cell] for cell in cells if "/cuda" not in cell],
            [times[cell] for cell in cells if "/cuda" in cell], ratios)]
        counts.append(tuple(map(sum, zip(*counts))))
        shares = (f"{hits / count:.1%}" if count else "" for hits, count in counts)
        print(f"{parts:<14}" + "".join(f"{share:>12}" for share in shares))


if __name__ == "__main__":
    main(sys.argv[1:])
