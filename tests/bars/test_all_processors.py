#!/usr/bin/env python3
"""all_processors.py on a tiny image: all ways and numbers of threads take turns, with the times that
their programs have; each way sets its variable for the program and no other. Its table, on numbers
made by hand: slow programs are told from others, and those that had time stolen are counted.

    test_all_processors.py BENCH
"""
import csv
import math
import os
import pathlib
import sys
import tempfile

sys.dont_write_bytecode = True
import all_processors  # beside this file; pylint: disable=wrong-import-position

# A program that notes two variables and then is bench.
WRAPPER = """#!/bin/sh
echo "${{OMP_PROC_BIND-}} ${{CUDA_VISIBLE_DEVICES-none}} ${{OMP_WAIT_POLICY-}}" >>'{notes}'
exec '{bench}' "$@"
"""
WAYS = ["as it is", "not pinned", "no CUDA device", "passive waiting"]
NOTED = [" none ", "false none ", "  ", " none passive"]


def times_of(folder):
    """What results.csv says of omp: kernel time in ms, stolen time in percent."""
    with open(folder / "results.csv", newline="", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        row = next(row for row in rows if row["variant"] == "omp")
        return float(row["kernel_ms_median"]), float(row["stolen_pct"] or 0)


def check_runs(bench, scratch):
    wrapper, notes, out = scratch / "bench", scratch / "notes", scratch / "out"
    wrapper.write_text(WRAPPER.format(notes=notes, bench=bench), encoding="utf-8")
    wrapper.chmod(0o700)
    bare = {name: value for name, value in os.environ.items()
            if name not in ("OMP_PROC_BIND", "CUDA_VISIBLE_DEVICES", "OMP_WAIT_POLICY")}
    os.environ.clear()
    os.environ.update(bare)
    all_processors.ROUNDS = 2
    all_processors.main([wrapper, out, "1,2", "lbp", "64x64"])
    with open(out / "launches.csv", newline="", encoding="utf-8") as file:
        launches = list(csv.DictReader(file))
    expected = [(turn, way, n) for turn in (1, 2) for way in WAYS for n in (1, 2)]
    assert [(int(x["round"]), x["way"], int(x["threads"])) for x in launches] == expected
    for launch in launches:
        folder = f"{launch['way'].replace(' ', '-')}-{launch['threads']}-{launch['round']}"
        time, stolen = times_of(out / folder)
        assert math.isclose(float(launch["ms"]), time, rel_tol=1e-5), launch
        assert math.isclose(float(launch["stolen_pct"]), stolen, rel_tol=1e-2), launch
    lines = (out / "table.md").read_text(encoding="utf-8").splitlines()
    assert [line.split(" | ")[0].strip("| ") for line in lines[2:10]] == [w for w in WAYS for _ in "12"]
    assert notes.read_text(encoding="utf-8").splitlines() == [n for n in NOTED for _ in "12"] * 2


def check_table():
    lines = all_processors.table({
        ("a", "2"): [(2, 0, 5), (2.9, 0.6, 5), (9, 0.7, 8)],
        ("b", "2"): [(2.5, 0.1, 1), (3.1, 0.4, 1), (3.2, 0.0, 1)],
        ("b", "4"): [(9, 0, 1), (9, 0, 1), (9, 0, 1)]}).splitlines()
    assert lines[2] == "| a | 2 | 2.9 | 2 | 9 | 0.7% | 5.0 |", lines
    assert lines[3] == "| b | 2 | 3.1 | 2.5 | 3.2 | 0.4% | 1.0 |", lines
    assert lines[-1].startswith("1 of 3 programs slower than 1.5 times") and \
        lines[-1].endswith(" 1 of 6 others."), lines


if __name__ == "__main__":
    check_table()
    with tempfile.TemporaryDirectory() as folder:
        check_runs(sys.argv[1], pathlib.Path(folder))
