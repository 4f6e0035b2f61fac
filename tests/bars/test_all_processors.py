#!/usr/bin/env python3
"""all_processors.py on a tiny image: a line for each way and number of threads, with the times that
its runs have; each way sets its variable for the program and no other.

    test_all_processors.py BENCH
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("all_processors.py")
# A program that notes two variables and then is bench.
WRAPPER = """#!/bin/sh
echo "${{OMP_PROC_BIND-}} ${{CUDA_VISIBLE_DEVICES-none}} ${{OMP_WAIT_POLICY-}}" >>'{notes}'
exec '{bench}' "$@"
"""
WAYS = ["as it is", "not pinned", "no CUDA device", "passive waiting"]
NOTED = [" none ", "false none ", "  ", " none passive"]


def median_of(folder):
    with open(folder / "results.csv", newline="", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return next(row["kernel_ms_median"] for row in rows if row["variant"] == "omp")


def check(bench, scratch):
    wrapper, notes, out = scratch / "bench", scratch / "notes", scratch / "out"
    wrapper.write_text(WRAPPER.format(notes=notes, bench=bench), encoding="utf-8")
    wrapper.chmod(0o700)
    bare = {name: value for name, value in os.environ.items()
            if name not in ("OMP_PROC_BIND", "CUDA_VISIBLE_DEVICES", "OMP_WAIT_POLICY")}
    subprocess.run([sys.executable, "-B", SCRIPT, wrapper, out, "1,2", "lbp", "64x64"], env=bare,
                   check=True)
    lines = (out / "table.md").read_text(encoding="utf-8").splitlines()[2:]
    assert len(lines) == 8, lines
    for line, (way, threads) in zip(lines, ((way, n) for way in WAYS for n in (1, 2))):
        fields = [field.strip() for field in line.strip("|").split("|")]
        time = float(median_of(out / f"{way.replace(' ', '-')}-{threads}"))
        assert fields[:3] == [way, str(threads), f"{time:.3g}"], (fields, time)
        assert threads > 1 or fields[4] == "1.00", fields
    assert notes.read_text(encoding="utf-8").splitlines() == [n for n in NOTED for _ in (1, 2)]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        check(sys.argv[1], pathlib.Path(folder))
