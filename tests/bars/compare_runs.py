#!/usr/bin/env python3
"""How often `bench compare` calls a cell slower, on stored runs.

  compare_runs.py PROGRAM aa FOLDER                     runs of one program: every pair, both ways
  compare_runs.py PROGRAM plant FOLDER VARIANT FACTOR   the same pairs, with the times of VARIANT
                                                        in the new run multiplied by FACTOR
  compare_runs.py PROGRAM across OLD NEW VARIANT        each run in OLD with each in NEW: those are
                                                        of a program whose VARIANT is slower

Runs are the folders in FOLDER that hold results.json or results.json.gz. `aa` prints in what share
of the comparisons the exit code is 1; the others print in what share a cell of VARIANT is slower,
and in what share a cell of another variant is. --at-most or --at-least SHARE make a bar of the first
number: exit code 1 if it is missed. Further options go to `bench compare` (--threshold 5%).
"""
import argparse
import gzip
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile


def read_run(folder):
    plain, packed = folder / "results.json", folder / "results.json.gz"
    if plain.exists():
        return json.loads(plain.read_text(encoding="utf-8"))
    with gzip.open(packed, "rt", encoding="utf-8") as file:
        return json.load(file)


def runs_in(folder):
    runs = sorted(path for path in pathlib.Path(folder).iterdir()
                  if (path / "results.json").exists() or (path / "results.json.gz").exists())
    if not runs:
        sys.exit(f"{folder} holds no run")
    return runs


def plant(folder, variant, factor, target):
    """Writes the run with the kernel samples of the variant multiplied."""
    run = read_run(folder)
    slowed = 0
    for entry in run["benchmarks"]:
        name = entry.get("run_name", entry["name"]).split("/")
        if len(name) > 1 and name[1] == variant and "kernel_samples_s" in entry:
            entry["kernel_samples_s"] = [time * factor for time in entry["kernel_samples_s"]]
            for key in [key for key in entry if key.startswith("kernel_") and key.endswith("_s")]:
                if key != "kernel_samples_s":
                    del entry[key] # what the samples said before
            slowed += 1
    if slowed == 0:
        sys.exit(f"{folder} has no cell of {variant}")
    target.mkdir(parents=True)
    (target / "results.json").write_text(json.dumps(run), encoding="utf-8")


class Tally:
    """Of all comparisons: how many call a cell slower, and the cells of which variant."""

    def __init__(self):
        self.count = self.alarms = self.found = self.others = self.few = 0

    def add(self, program, old, new, options, variant=None):
        done = subprocess.run([program, "compare", str(old), str(new), "--format", "json", *options],
                              capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 7):
            sys.exit(f"{old} and {new}: {done.stderr.strip()}")
        cells = json.loads(done.stdout)["cells"]
        slower = [cell["name"].split("/")[1] for cell in cells if cell["change"] == "slower"]
        self.count += 1
        self.alarms += done.returncode == 1
        self.found += variant in slower
        self.others += any(name != variant for name in slower)
        self.few += any("cannot give" in cell.get("why", "") for cell in cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("command", choices=["aa", "plant", "across"])
    parser.add_argument("words", nargs="+")
    parser.add_argument("--at-most", type=float)
    parser.add_argument("--at-least", type=float)
    given, options = parser.parse_known_args()
    wanted = {"aa": 1, "plant": 3, "across": 3}[given.command]
    if len(given.words) != wanted:
        parser.error(f"{given.command} takes {wanted} words")
    tally = Tally()
    if given.command == "across":
        for old, new in itertools.product(runs_in(given.words[0]), runs_in(given.words[1])):
            tally.add(given.program, old, new, options, given.words[2])
    else:
        runs = runs_in(given.words[0])
        variant = given.words[1] if given.command == "plant" else None
        with tempfile.TemporaryDirectory() as scratch:
            changed = {run: run for run in runs}
            if variant is not None:
                for run in runs:
                    changed[run] = pathlib.Path(scratch) / run.name
                    plant(run, variant, float(given.words[2]), changed[run])
            for old, new in itertools.permutations(runs, 2):
                tally.add(given.program, old, changed[new], options, variant)
    if tally.count == 0:
        sys.exit("one run alone makes no pair")
    if given.command == "aa":
        hits, what = tally.alarms, "end with exit code 1"
    else:
        hits, what = tally.found, f"find {given.words[-1 if given.command == 'across' else 1]} slower"
    share = hits / tally.count
    print(f"{tally.count} comparisons: {hits} ({100 * share:.1f}%) {what}")
    if given.command != "aa":
        print(f"{tally.others} ({100 * tally.others / tally.count:.1f}%) find another variant slower")
    if tally.few > 0:
        print(f"{tally.few} have a cell that differs and too few launches to tell")
    missed = (given.at_most is not None and share > given.at_most) or \
             (given.at_least is not None and share < given.at_least)
    sys.exit(1 if missed else 0)


main()
