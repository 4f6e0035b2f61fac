#!/usr/bin/env python3
"""Does the order of object files in the program change its times?

    tests/bars/relinked.py BUILD OUT [--programs N] [--rounds N] [--column NAME] [-- OPTION…]

Where code and data lie in memory depends on the order in which the linker met the object files. Every
launch of one program has the same order, so no interval of launches shows what another one would give.
This links the program of a build folder (Ninja) N (8) times, its object files in an order of its own each
time, the first as it is. The programs are measured in turns, one launch each, in N (5) rounds, forwards
and backwards. OPTIONs replace `--algo lbp --sizes 360p,1080p --variants seq,simd,omp --threads max`.
What OUT has already is not measured again. --column takes another number of results.csv than
kernel_ms_median: on a machine that others use much, kernel_ms_min is disturbed the least.

For each cell the table has

  within     standard deviation of one program's times from round to round, as a ratio
  between    that of the programs beside it: what is left of their medians' variance without the rounds'
  p          share of random exchanges of the times within a round that spread the programs as much
  farthest   how far the fastest and the slowest program are apart

Without a difference a p below 5% happens in one of twenty cells.
"""
import argparse
import csv
import math
import pathlib
import random
import shlex
import statistics
import subprocess
import sys

DEFAULT = "--algo lbp --sizes 360p,1080p --variants seq,simd,omp --threads max".split()
EXCHANGES = 2000


# --- Programs -------------------------------------------------------------------------------------

def shuffled(command, program, number):
    """The command that links a program, with its object files in another order, of 0 the same."""
    words = shlex.split(command)
    objects = [place for place, word in enumerate(words) if word.endswith(".o")]
    order = [words[place] for place in objects]
    if number > 0:
        random.Random(number).shuffle(order)
    for place, word in zip(objects, order):
        words[place] = word
    out = words.index("-o") + 1
    words[out] = str(program)
    return " ".join(word if word in ("&&", ":") else shlex.quote(word) for word in words)


def linked(build, out, count):
    commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "bin/bench"], check=True,
                              capture_output=True, text=True).stdout.splitlines()
    programs = []
    for number in range(count):
        program = out / f"bench-{number}"
        if not program.exists():
            subprocess.run(shuffled(commands[-1], program, number), shell=True, check=True, cwd=build)
        programs.append(program)
    return programs


# --- Times ----------------------------------------------------------------------------------------

def measure(programs, out, rounds, options):
    for number in range(rounds):
        order = list(enumerate(programs))
        for index, program in order if number % 2 == 0 else reversed(order):
            folder = out / f"round-{number}" / str(index)
            if not (folder / "results.csv").exists():
                folder.parent.mkdir(exist_ok=True)
                subprocess.run([program, "run", *options, "--launches", "1", "--no-plot", "--no-roof",
                                "--quiet", "--force", "--out", folder], check=True, stdout=subprocess.DEVNULL)


def times_of(folder, column):
    """ln(ms) of each cell of a run."""
    with open(folder / "results.csv", newline="", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {" ".join(filter(None, (row["algorithm"], row["variant"], row["size"], row["answer"], row["tuning"]))):
                math.log(float(row[column])) for row in rows if row["status"] == "ok"}


def table_of_times(out, programs, rounds, column):
    """For each cell the times by rounds, one of each program."""
    runs = [[times_of(out / f"round-{number}" / str(index), column) for index in range(programs)]
            for number in range(rounds)]
    cells = [cell for cell in runs[0][0] if all(cell in run for of_round in runs for run in of_round)]
    return {cell: [[run[cell] for run in of_round] for of_round in runs] for cell in cells}


# --- The table ------------------------------------------------------------------------------------

def centred(times):
    """Without what the programs of a round have in common."""
    return [[time - statistics.fmean(of_round) for time in of_round] for of_round in times]


def spread_of_programs(times):
    """Variance of the programs' means over the rounds."""
    return statistics.variance(statistics.fmean(column) for column in zip(*times))


def judge(times, seed=1):
    """within, between (standard deviations of logarithms), p, farthest (a ratio)."""
    rounds = len(times)
    rest = centred(times)
    means = [statistics.fmean(column) for column in zip(*rest)]
    squares = sum((time - mean) ** 2 for of_round in rest for time, mean in zip(of_round, means))
    within = squares / ((rounds - 1) * (len(means) - 1))
    seen = spread_of_programs(rest)
    between = max(seen - within / rounds, 0)
    draw = random.Random(seed)
    as_far = sum(spread_of_programs([draw.sample(of_round, len(of_round)) for of_round in rest]) >= seen
                 for _ in range(EXCHANGES))
    medians = [statistics.median(column) for column in zip(*rest)]
    return math.sqrt(within), math.sqrt(between), as_far / EXCHANGES, math.exp(max(medians) - min(medians))


def printed(table):
    lines = ["| cell | within | between | p | farthest |", "|---|---:|---:|---:|---:|"]
    for cell, times in table.items():
        within, between, p, farthest = judge(times)
        lines.append(f"| {cell} | {within:.2%} | {between:.2%} | {p:.3f} | {farthest - 1:.2%} |")
    return lines


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("out", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--programs", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--column", default="kernel_ms_median")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    given = parser.parse_args(arguments[:end])
    if given.programs < 2 or given.rounds < 2:
        parser.error("two programs and two rounds at least")
    given.out.mkdir(parents=True, exist_ok=True)
    programs = linked(given.build, given.out, given.programs)
    measure(programs, given.out, given.rounds, arguments[end + 1:] or DEFAULT)
    print("\n".join(printed(table_of_times(given.out, given.programs, given.rounds, given.column))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
