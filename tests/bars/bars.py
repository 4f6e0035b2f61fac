#!/usr/bin/env python3
"""Measures what the default run is asked to keep, and prints a table: asked, reached.

    tests/bars/bars.py BENCH OUT [--rows ROW,ROW] [--runs N] [--sides N]
                       [--budget TIME] [--reference RUN] [-- OPTION…]

BENCH is the program, OUT a folder for all that is measured. What is there already is not measured
again, so a machine that is lent for half an hour can do some rows now and others later. OPTIONs
replace `--algo lbp --sizes all`.

  clone       from `./bench.sh list` in a fresh clone until the program starts, without ccache
  ccache      the same in another clone, with a cache that the first one filled
  first       from the start of a default run to its first whole summary, least and greatest
  run         a whole default run, and how many launches it had
  overhead    its wall time that is neither kernel nor end-to-end samples, for six launches
  seq         seconds of seq's samples, for six launches; the width of its ratio's interval
  widths      widths of the other kernel times' intervals, median over cells
  coverage    intervals of N (12) default runs that contain the others' medians (coverage.py)
  aa          comparisons of these runs that end with exit code 1 (compare_runs.py)
  planted     10% planted in `omp` that N (2) runs of eight launches find
  left        default runs in which nine of ten times left, from the tenth second on, are within 30%

Widths are held against those of --reference, a run of an earlier version. Rows of one run are
medians over the first three runs in OUT. Exit code 1 if a row misses what is asked.
"""

import argparse
import json
import math
import os
import pathlib
import pty
import re
import statistics
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import coverage  # beside this file; pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SAMPLES = ("samples", "end_to_end")
UNITS = {"s": 1, "min": 60, "h": 3600}
LAUNCHES = 6
FEW_SECONDS = 5
# What is asked on a machine without a GPU, and on one with.
ASKED = {
    "clone": (45, 25), "ccache": (45, 25), "first": (15, 20), "run": (60, 60),
    "overhead": (20, 30), "seq": (10, 12), "widths": (1, 1), "coverage": (0.93, 0.93),
    "aa": (0.02, 0.02), "planted": (0.95, 0.95), "left": (0.9, 0.9),
}
SEQ_WIDTH = 1.3  # times that of the reference


# --- Runs on a terminal, and what they said ------------------------------------------------------


def watched(command, log):
    """Runs a command on a terminal of its own. `log` gets what it wrote, with the seconds."""
    started = time.monotonic()
    pieces = []
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="xterm", COLUMNS="200")
        os.execv(command[0], command)
    while True:
        try:
            text = os.read(terminal, 65536)
        except OSError:  # the terminal's other end is closed
            break
        if not text:
            break
        pieces.append((time.monotonic() - started, text.decode(errors="replace")))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != 0:
        sys.exit(f"{' '.join(command)}: exit code {code}\n{''.join(t for _, t in pieces)[-2000:]}")
    record = {"seconds": time.monotonic() - started, "pieces": pieces}
    log.write_text(json.dumps(record), encoding="utf-8")


def measured(given, name, count, options):
    """The folders of so many runs, with logs beside them; those that are missing are measured."""
    folders = [given.out / name / str(i + 1) for i in range(count)]
    for folder in folders:
        log = folder.with_suffix(".log")
        if not log.exists():
            folder.parent.mkdir(parents=True, exist_ok=True)
            watched([given.bench, "run", *given.options, "--no-plot", "--force", "--out", str(folder),
                     *options], log)
    return folders


def log_of(folder):
    return json.loads(folder.with_suffix(".log").read_text(encoding="utf-8"))


def first_summary(log):
    """Seconds until it stood there; those of the whole run where that was the first."""
    text = ""
    for at, piece in log["pieces"]: # a line may come in two
        text = text[-80:] + piece
        if re.search(r"\bso\s+far\b", text):
            return at
    return log["seconds"]


def times_left(log):
    """(seconds since the start, seconds left) of each line. "A few seconds" are less than five."""
    for at, text in log["pieces"]:
        lines = [line for line in re.split(r"[\r\n]|\x1b\[K", text) if line.startswith("[")]
        for line in lines[-1:]:
            ends = re.search(r"(?:(\d+)–|about )(\d+) (s|min|h) left", line)
            if ends:
                low, high = int(ends[1] or ends[2]), int(ends[2])
                yield at, math.sqrt(low * high) * UNITS[ends[3]]
            elif "a few seconds left" in line:
                yield at, FEW_SECONDS / 2


def is_right(log):
    """Whether nine of ten of its times left were; None for a run that was too short."""
    told = [(log["seconds"] - at, left) for at, left in times_left(log) if at >= 10]
    right = sum(abs(left - truth) <= max(0.3 * truth, 3) for truth, left in told)
    return 10 * right >= 9 * len(told) if told else None


# --- Stored runs ----------------------------------------------------------------------------------


def read(folder):
    with open(folder / "results.json", encoding="utf-8") as file:
        return json.load(file)


def cells_of(run):
    return [entry for entry in run["benchmarks"] if "kernel_samples_s" in entry]


def launches_of(run):
    return max(cell["launches"] for cell in cells_of(run))


def overhead(run):
    """Seconds beside samples, as if it had had six launches: the last ones are like each other."""
    wall = run["context"]["wall_time_s"]
    beside = sum(seconds for part, seconds in wall.items() if part not in SAMPLES)
    only_first = wall["ceilings"] + wall["oracle"] + wall["transfers"] + wall["input"]
    return only_first + (beside - only_first) * LAUNCHES / launches_of(run)


def seq_seconds(run):
    """Seconds of seq's samples, as if the run had had six launches."""
    seconds = sum(sum(cell["kernel_samples_s"]) * cell["batch"]
                  for cell in cells_of(run) if cell["variant"] == "seq")
    return seconds * LAUNCHES / launches_of(run)


def width(cell, stem, unit):
    """Of an interval, or of the range of launches that are too few; as a logarithm."""
    ends = [cell.get(f"{stem}_{kind}_{end}{unit}") for kind in ("ci", "launch")
            for end in ("low", "high")]
    low, high = ends[:2] if None not in ends[:2] else ends[2:]
    return math.log(high / low) if low and high else math.nan


def widths(run, seq):
    """The median width: of seq's ratio to the best CPU, or of the other cells' times."""
    found = [width(cell, "speedup_vs_best_cpu", "") if seq else width(cell, "kernel", "_s")
             for cell in cells_of(run) if (cell["variant"] == "seq") == seq]
    found = [number for number in found if not math.isnan(number)]
    return statistics.median(found) if found else math.nan


# --- Rows: each returns what was reached, and whether that is what is asked --------------------------


def build(given, limit, cached):
    log = given.out / ("ccache.log" if cached else "clone.log")
    if not log.exists():
        clone = given.out / log.stem
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        os.environ.update(CCACHE_BASEDIR=str(clone), CCACHE_NOHASHDIR="1",
                          CCACHE_DIR=str(given.out / "cache"), CMAKE_C_COMPILER_LAUNCHER="ccache",
                          CMAKE_CUDA_COMPILER_LAUNCHER="ccache", CMAKE_CXX_COMPILER_LAUNCHER="ccache")
        # Recached: everything is compiled, and kept for the other clone.
        os.environ.update({} if cached else {"CCACHE_RECACHE": "1"})
        watched([str(clone / "bench.sh"), "list"], log)
        os.environ.pop("CCACHE_RECACHE", None)
    seconds = json.loads(log.read_text(encoding="utf-8"))["seconds"]
    return f"{seconds:.0f} s", seconds <= limit


def default_runs(given, count):
    return measured(given, "default", count, ["--budget", given.budget] if given.budget else [])


def of_runs(given, number):
    return [number(folder) for folder in default_runs(given, min(given.runs, 3))]


def row_first(given, limit):
    seconds = of_runs(given, lambda folder: first_summary(log_of(folder)))
    return f"{min(seconds):.0f} to {max(seconds):.0f} s", statistics.median(seconds) <= limit


def row_run(given, limit):
    seconds = statistics.median(of_runs(given, lambda folder: log_of(folder)["seconds"]))
    launches = of_runs(given, lambda folder: launches_of(read(folder)))
    return (f"{seconds:.0f} s, {min(launches)} to {max(launches)} launches",
            seconds <= limit and min(launches) >= 3)


def row_overhead(given, limit):
    seconds = statistics.median(of_runs(given, lambda folder: overhead(read(folder))))
    return f"{seconds:.1f} s", seconds <= limit


def against(given, runs, seq, limit):
    """Words and verdict of a width; without a reference there is no verdict."""
    here = statistics.median(runs)
    if given.reference is None:
        return f"width {math.expm1(here):.1%}", True
    ratio = here / widths(read(given.reference), seq)
    return f"width {math.expm1(here):.1%}, {ratio:.2f} times the reference", ratio <= limit


def row_seq(given, limit):
    seconds = statistics.median(of_runs(given, lambda folder: seq_seconds(read(folder))))
    words, good = against(given, of_runs(given, lambda folder: widths(read(folder), True)), True,
                          SEQ_WIDTH)
    return f"{seconds:.1f} s, {words}", good and seconds <= limit


def row_widths(given, limit):
    return against(given, of_runs(given, lambda folder: widths(read(folder), False)), False, limit)


def row_coverage(given, limit):
    folders = default_runs(given, given.runs)
    if len(folders) < 3:
        return "three runs at least", None
    runs = [coverage.few_rows_of(str(folder)) for folder in folders]
    counts = [coverage.judge(runs, columns)[:2] for columns in coverage.NUMBERS.values()]
    judged, held = (sum(column) for column in zip(*counts))
    return f"{held / max(judged, 1):.1%} of {judged}", judged > 0 and held >= limit * judged


def compared(given, words):
    done = subprocess.run([sys.executable, str(HERE / "compare_runs.py"), given.bench, *words],
                          capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(done.stderr)
    return done.stdout.splitlines()[0], done.returncode == 0


def row_aa(given, limit):
    folders = default_runs(given, given.runs)
    if len(folders) < 2:
        return "two runs at least", None
    return compared(given, ["aa", str(folders[0].parent), "--at-most", str(limit)])


def row_planted(given, limit):
    folders = measured(given, "eight", given.sides, ["--launches", "8", "--spread", "0"])
    return compared(given, ["plant", str(folders[0].parent), "omp", "1.1", "--at-least", str(limit)])


def row_left(given, limit):
    verdicts = [is_right(log_of(folder)) for folder in default_runs(given, given.runs)]
    told = [verdict for verdict in verdicts if verdict is not None]
    if not told:
        return "no run took ten seconds", None
    return f"{sum(told)} of {len(told)} runs", sum(told) >= limit * len(told)


ROWS = {
    "clone": lambda given, limit: build(given, limit, False),
    "ccache": lambda given, limit: build(given, limit, True),
    "first": row_first, "run": row_run, "overhead": row_overhead, "seq": row_seq,
    "widths": row_widths, "coverage": row_coverage, "aa": row_aa, "planted": row_planted,
    "left": row_left,
}


def has_device(bench):
    listed = subprocess.run([bench, "list", "--all", "--json"], capture_output=True, text=True,
                            check=True).stdout
    return any(device["name"] != "cpu" and device["available"]
               for device in json.loads(listed)["devices"])


def asked_words(row, limit):
    return f"{'≤' if row not in ('coverage', 'planted', 'left') else '≥'} " + (
        f"{limit:.0%}" if row in ("coverage", "aa", "planted", "left") else
        f"{limit} × the reference" if row == "widths" else f"{limit} s")


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("out", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--rows", default=",".join(ROWS), help="some of them")
    parser.add_argument("--runs", type=int, default=12, help="default runs (12)")
    parser.add_argument("--sides", type=int, default=2, help="runs of eight launches (2)")
    parser.add_argument("--budget", help="of the default runs, in place of 60s")
    parser.add_argument("--reference", type=pathlib.Path, help="an earlier version's run")
    end = arguments.index("--") if "--" in arguments else len(arguments)
    given = parser.parse_args(arguments[:end])
    given.options = arguments[end + 1:] or ["--algo", "lbp", "--sizes", "all"]
    rows = given.rows.split(",")
    if not set(rows) <= set(ROWS):
        parser.error(f"rows are {', '.join(ROWS)}")
    given.out.mkdir(parents=True, exist_ok=True)
    device = has_device(given.bench)
    print("| row | asked | reached | |\n|---|---|---|---|", flush=True)
    missed = 0
    for row in rows:
        limit = ASKED[row][device]
        words, good = ROWS[row](given, limit)
        missed += good is False
        verdict = {True: "yes", False: "**no**", None: ""}[good]
        print(f"| {row} | {asked_words(row, limit)} | {words} | {verdict} |", flush=True)
    return missed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
