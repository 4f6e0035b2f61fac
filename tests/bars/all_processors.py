#!/usr/bin/env python3
"""What slows a variant of the CPU down when it has a thread on every processor.

    tests/bars/all_processors.py BENCH FOLDER THREADS [ALGORITHM [SIZE]]

Runs `omp` of the algorithm (lbp at 16K) on each of the THREADS (such as 32,48,63,64) in four ways:
as bench does it, with threads that the system may move, without a CUDA device, and with threads
that sleep while they wait. Each is a program of its own, and all take turns, six times over, so that
a bad minute of the machine meets them all. FOLDER/launches.csv has a line for each program: its
time, the share of time that the host gave to other guests meanwhile, and how often a second the
system took the processor from one of its threads. The first share speaks for a program outside this
machine, the second number for one inside it, and neither for the hardware: threads that share a
core, or memory. FOLDER/table.md has a line for each way and number of threads, and then how many
slow programs had time stolen, and how many others; it is written after each round.
"""

import csv
import os
import pathlib
import resource
import statistics
import subprocess
import sys

WAYS = {
    "as it is": {},
    "not pinned": {"OMP_PROC_BIND": "false"},
    "no CUDA device": {"CUDA_VISIBLE_DEVICES": ""},
    "passive waiting": {"OMP_WAIT_POLICY": "passive"},
}
ROUNDS = 6
SLOW = 1.5  # times the fastest program with as many threads
STOLEN = 0.5  # percent
HEAD = """\
| way | threads | ms, median | fastest | slowest | stolen, most | processor taken, times a second |
|---|---:|---:|---:|---:|---:|---:|
"""


def measured(bench, folder, options, changes):
    """Time in ms, stolen time in percent and processors taken a second of one program's omp."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([bench, "run", *options, "--variants", "omp", "--launches", "1",
                           "--no-roof", "--no-plot", "--quiet", "--out", folder],
                          env=os.environ | changes, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    with open(folder / "results.csv", newline="", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        row = next(row for row in rows if row["variant"] == "omp")
    return (float(row["kernel_ms_median"]), float(row["stolen_pct"] or 0),
            (after.ru_nivcsw - before.ru_nivcsw) / max(used, 1e-9))


def table(programs):
    """The lines of FOLDER/table.md; programs: {(way, threads): [(ms, stolen, taken), ...]}."""
    lines = HEAD
    fastest = {}
    for (_, threads), of_way in programs.items():
        fastest[threads] = min(fastest.get(threads, float("inf")), min(of_way)[0])
    slow, others = [], []
    for (way, threads), of_way in programs.items():
        times, stolen, taken = zip(*of_way)
        lines += (f"| {way} | {threads} | {statistics.median(times):.3g} | {min(times):.3g} | "
                  f"{max(times):.3g} | {max(stolen):.1f}% | {statistics.median(taken):.1f} |\n")
        for time, share in zip(times, stolen):
            (slow if time > SLOW * fastest[threads] else others).append(share > STOLEN)
    return lines + (f"\n{sum(slow)} of {len(slow)} programs slower than {SLOW} times the fastest with "
                    f"as many threads had over {STOLEN}% of their time stolen, {sum(others)} of "
                    f"{len(others)} others.\n")


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__)
    bench, folder, threads, *rest = arguments
    algorithm = rest[0] if rest else "lbp"
    size = rest[1] if len(rest) > 1 else "16K"
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    programs = {(way, count): [] for way in WAYS for count in threads.split(",")}
    with open(folder / "launches.csv", "w", encoding="utf-8") as launches:
        launches.write("round,way,threads,ms,stolen_pct,taken_per_second\n")
        for turn in range(ROUNDS):
            for (way, count), of_way in programs.items():
                program = measured(bench, folder / f"{way.replace(' ', '-')}-{count}-{turn + 1}",
                                   ["--algo", algorithm, "--sizes", size, "--threads", count],
                                   WAYS[way])
                of_way.append(program)
                launches.write(f"{turn + 1},{way},{count},{program[0]:.6g},{program[1]:.3g},"
                               f"{program[2]:.3g}\n")
                launches.flush()
            (folder / "table.md").write_text(table(programs), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
