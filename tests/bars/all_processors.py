#!/usr/bin/env python3
"""What slows a variant of the CPU down when it has a thread on every processor.

    tests/bars/all_processors.py BENCH FOLDER THREADS [ALGORITHM [SIZE]]

Runs `omp` of the algorithm (lbp at 16K) in six launches, on each of the THREADS (such as
32,48,63,64), in four ways: as bench does it, with threads that the system may move, without a CUDA
device, and with threads that sleep while they wait. FOLDER/WAY holds the runs, FOLDER/table.md one
line for each way and number of threads: the time, its interval, how often the system took the
processor from a thread of the run, and the share of time that the host gave to other guests. The
first of these two speaks for another program in this machine, the second for one outside it, and
none of both for the hardware: threads that share a core, or memory.
"""

import csv
import os
import pathlib
import resource
import subprocess
import sys

WAYS = {
    "as it is": {},
    "not pinned": {"OMP_PROC_BIND": "false"},
    "no CUDA device": {"CUDA_VISIBLE_DEVICES": ""},
    "passive waiting": {"OMP_WAIT_POLICY": "passive"},
}
HEAD = """\
| way | threads | ms | interval | over the fewest threads | processor taken, times a second | stolen |
|---|---:|---:|---|---:|---:|---:|
"""


def stolen_ticks():
    """Ticks of /proc/stat that the host gave to others, and all ticks."""
    with open("/proc/stat", encoding="ascii") as file:
        ticks = list(map(int, file.readline().split()[1:9]))
    return ticks[7], sum(ticks)


def measured(bench, folder, options, changes):
    """The row of omp, how often a thread lost its processor in a second of its time, the stolen share."""
    environment = os.environ | changes
    before, stolen = resource.getrusage(resource.RUSAGE_CHILDREN), stolen_ticks()
    done = subprocess.run([bench, "run", *options, "--variants", "omp", "--launches", "6", "--spread",
                           "0", "--no-roof", "--no-plot", "--quiet", "--out", folder],
                          env=environment, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    after, stolen_after = resource.getrusage(resource.RUSAGE_CHILDREN), stolen_ticks()
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    taken = (after.ru_nivcsw - before.ru_nivcsw) / max(used, 1e-9)
    share = (stolen_after[0] - stolen[0]) / max(stolen_after[1] - stolen[1], 1)
    with open(folder / "results.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return next(row for row in rows if row["variant"] == "omp"), taken, share


def main(arguments):
    if len(arguments) < 3:
        sys.exit(__doc__)
    bench, folder, threads, *rest = arguments
    algorithm = rest[0] if rest else "lbp"
    size = rest[1] if len(rest) > 1 else "16K"
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "table.md", "w", encoding="utf-8") as table:
        table.write(HEAD)
        for way, changes in WAYS.items():
            fewest = None
            for count in threads.split(","):
                row, taken, stolen = measured(
                    bench, folder / f"{way.replace(' ', '-')}-{count}",
                    ["--algo", algorithm, "--sizes", size, "--threads", count], changes)
                time = float(row["kernel_ms_median"])
                fewest = fewest or time
                table.write(f"| {way} | {count} | {time:.3g} | {float(row['kernel_ms_ci_low']):.3g} to "
                            f"{float(row['kernel_ms_ci_high']):.3g} | {time / fewest:.2f} | {taken:.1f} "
                            f"| {stolen:.2%} |\n")
                table.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
