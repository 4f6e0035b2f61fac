#!/usr/bin/env python3
"""How far times moved between two days or two machines.

    tests/bars/moved.py RUN AGAIN [RUN AGAIN...]

Each pair are folders of one command line, of six launches or more. For each kind of time: by how
much the median moved (half of the cells by less, a twentieth by more), how many of the new medians
lie in the old intervals, and how many of the new intervals overlap the old ones.
"""

import math
import statistics
import sys

from coverage import NUMBERS, rows_of

KINDS = {
    "CPU, one thread": "kernel",
    "CPU, all threads": "kernel",
    "GPU, kernel": "kernel",
    "GPU, end to end": "end to end",
}


def kind_of(row, number):
    if row["backend"] == "cpu":
        return "CPU, all threads" if int(row["threads"]) > 1 else "CPU, one thread"
    return "GPU, " + number


def moves_of(old, new, kind):
    """Of each cell: how far the median moved, whether it is in the old interval, and whether the
    intervals overlap. The roof's cells are nobody's result."""
    value, low, high = NUMBERS[KINDS[kind]]
    moves = []
    for cell in old.keys() & new.keys():
        before, now = old[cell], new[cell]
        if kind_of(before, KINDS[kind]) != kind or before["algorithm"] == "copy" or not before[low]:
            continue
        old_low, old_high, median = float(before[low]), float(before[high]), float(now[value])
        ratio = median / float(before[value])
        moves.append((max(ratio, 1 / ratio) - 1, old_low <= median <= old_high,
                      float(now[low]) <= old_high and old_low <= float(now[high])))
    return moves


def main(paths):
    if len(paths) < 2 or len(paths) % 2 != 0:
        sys.exit(__doc__)
    pairs = [(rows_of(old), rows_of(new)) for old, new in zip(paths[::2], paths[1::2])]
    print("| time | cells | half moved by less than | 95% by less than | new median in the old "
          "interval | intervals overlap |")
    print("|---|---:|---:|---:|---:|---:|")
    for kind in KINDS:
        moves = [move for old, new in pairs for move in moves_of(old, new, kind)]
        if moves:
            far = sorted(move[0] for move in moves)
            inside, overlap = (statistics.mean(move[i] for move in moves) for i in (1, 2))
            print(f"| {kind} | {len(moves)} | {statistics.median(far):.1%} | "
                  f"{far[math.ceil(0.95 * len(far)) - 1]:.1%} | {inside:.0%} | {overlap:.0%} |")


if __name__ == "__main__":
    main(sys.argv[1:])
