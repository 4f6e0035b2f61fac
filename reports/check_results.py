#!/usr/bin/env python3
"""Is every committed result of the reference commit, or marked as not? See reports/measure.sh --check.

    check_results.py RESULTS    prints a table; exit code 1 if a result is neither, or a mark is wrong

RESULTS is a folder such as reports/results. Its reference.txt has lines of three kinds:

    commit HASH
    machine FOLDER: GPU MODEL, GPUS GPUs, PROCESSORS processors
    elsewhere PATH: REASON[, or : and more words]

A result is a folder with a results.json, a step of a study without one, or a file that belongs to
neither. It is of the reference if it was measured by that commit without changes, on the machine of
its folder. A step without a run is, if the runs of its study are. REASON is one of those below;
"older" is for what waits to be measured again. A mark is wrong if it names nothing, or if all that it
names is of the reference; a mark "older", if any of it is.

"launches" are the fewest of a cell. The last column counts the commits since the result's own that
changed the folders of its algorithms in cpu and kernels.
"""
import collections
import dataclasses
import functools
import gzip
import json
import pathlib
import re
import subprocess
import sys

REASONS = ("another day", "another machine", "four GPUs", "no GPU", "older")
RECORD = "reference.txt"
FOLDERS = {"fast": "fast9"}  # where an algorithm's folder has another name: see bench/algorithms.def
SHORT = 7


class Wrong(Exception):
    """A line of the record that says nothing."""


@dataclasses.dataclass(frozen=True)
class Machine:
    model: str
    gpus: int
    processors: int

    def text(self):
        gpus = f"{self.gpus} × {self.model}" if self.gpus > 1 else self.model or "no GPU"
        return f"{gpus}, {self.processors} processors"


@dataclasses.dataclass
class Reference:
    commit: str = ""
    machines: dict = dataclasses.field(default_factory=dict)
    marks: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Result:
    path: str
    commit: str = ""            # "": not known
    machine: Machine = None
    is_dirty: bool = False
    algorithms: tuple = ()
    launches: int = 0           # the fewest of a cell; 0: no run


# --- The record -----------------------------------------------------------------------------------

def add_line(reference, line):
    kind, _, rest = line.partition(" ")
    name, colon, words = rest.partition(": ")
    machine = re.fullmatch(r"(.+), (\d+) GPUs?, (\d+) processors", words)
    if kind == "commit" and re.fullmatch(r"[0-9a-f]{7,40}", rest) and not reference.commit:
        reference.commit = rest
    elif kind == "machine" and machine and name not in reference.machines:
        reference.machines[name] = Machine(machine[1], int(machine[2]), int(machine[3]))
    elif kind == "elsewhere" and colon and name not in reference.marks and \
            re.match(rf"({'|'.join(REASONS)})($|[,:] )", words):
        reference.marks[name] = words
    else:
        raise Wrong(f"{RECORD}: '{line}' is no line of it, or the second of its kind")


def reference_of(results):
    reference = Reference()
    for line in (results / RECORD).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            add_line(reference, line)
    if not reference.commit or not reference.machines:
        raise Wrong(f"{RECORD} names no commit, or no machine")
    return reference


def mark_of(path, reference):
    """The longest of the marks that name the path or a folder above it."""
    above = [mark for mark in reference.marks if path == mark or path.startswith(mark + "/")]
    return max(above, key=len, default=None)


# --- Results --------------------------------------------------------------------------------------

def committed_files(results):
    """What git knows of; without a repository all files."""
    done = subprocess.run(["git", "-C", results, "ls-files", "-z"], capture_output=True, check=False)
    names = done.stdout.decode().split("\0")[:-1] if done.returncode == 0 else []
    if not names:
        names = [path.relative_to(results).as_posix() for path in results.rglob("*") if path.is_file()]
    return sorted(name for name in names if name != RECORD and (results / name).is_file())


def run_at(results, folder):
    path = results / folder / "results.json"
    opened = path.open(encoding="utf-8") if path.exists() else gzip.open(f"{path}.gz", "rt")
    with opened as file:
        run = json.load(file)
    facts = run["context"]["machine"]
    model = facts.get("gpu_model", "")
    gpus = int(facts.get("gpu_count", 1 if model else 0))
    algorithms = {entry.get("algorithm", "copy") for entry in run["benchmarks"]} - {"copy"}
    launches = min((entry["launches"] for entry in run["benchmarks"] if "launches" in entry), default=0)
    return Result(folder, facts.get("commit", ""), Machine(model, gpus, int(facts["cpu_count"])),
                  facts.get("dirty", "no") != "no", tuple(sorted(algorithms)), launches)


def text_at(results, name):
    """A file by itself: its first lines may name a commit."""
    head = (results / name).read_text(encoding="utf-8", errors="replace").split("\n")[:10]
    named = re.search(r"\bcommit ([0-9a-f]{7,40})\b", "\n".join(head))
    return Result(name, named[1] if named else "")


def study_above(folder, studies):
    return next((study for study in studies if folder == study or folder.startswith(study + "/")), None)


def step_of(folder, study):
    """The folder of a step, of a folder in it."""
    return "/".join(folder.split("/")[:study.count("/") + 3])


def step_without_run(folder, study, runs):
    """It was measured with the runs of its study."""
    found = [run for run in runs.values() if run.path.startswith(study + "/")]
    if len({(run.commit, run.machine, run.is_dirty) for run in found}) != 1:
        return Result(folder)
    return dataclasses.replace(found[0], path=folder, algorithms=(), launches=0)


def results_in(results):
    names = committed_files(results)
    folders = sorted({name.rpartition("/")[0] for name in names})
    studies = [name.rpartition("/")[0] for name in names if name.rpartition("/")[2] == "study.json"]
    runs = {folder: run_at(results, folder) for folder in folders
            if any(f"{folder}/results.json{end}" in names for end in ("", ".gz"))}
    found = dict(runs)
    for name in names:
        folder = name.rpartition("/")[0]
        study = study_above(folder, studies)
        if any(folder == run or folder.startswith(run + "/") for run in runs):
            continue
        if study is None:
            found[name] = text_at(results, name)
        elif folder.startswith(study + "/runs/"):
            step = step_of(folder, study)
            found[step] = step_without_run(step, study, runs)
    return [found[path] for path in sorted(found)]


# --- The check ------------------------------------------------------------------------------------

def is_of_reference(result, reference):
    folder = result.path.partition("/")[0]
    shorter = min(len(result.commit), len(reference.commit))
    known = result.machine is None or result.machine == reference.machines.get(folder)
    return folder in reference.machines and known and not result.is_dirty and shorter >= SHORT and \
        result.commit[:shorter] == reference.commit[:shorter]


def errors_of(found, reference):
    of_mark, errors = collections.defaultdict(list), []
    for result in found:
        mark, right = mark_of(result.path, reference), is_of_reference(result, reference)
        if mark is not None:
            of_mark[mark].append((result, right))
        elif not right:
            errors.append(f"{result.path} is not of the reference, and no line of {RECORD} says why")
    for mark, words in reference.marks.items():
        right = [result.path for result, is_right in of_mark[mark] if is_right]
        if not of_mark[mark]:
            errors.append(f"{RECORD} marks {mark}, which has no result")
        elif right and (words.startswith("older") or len(right) == len(of_mark[mark])):
            errors.append(f"{RECORD} marks {mark} as '{words}', but {right[0]} is of the reference")
    return errors


@functools.lru_cache(maxsize=None)
def changes_since(results, commit, algorithms):
    """How many commits changed the sources of the algorithms; None where git cannot tell."""
    places = [f":(top){room}/{FOLDERS.get(name, name)}" for name in algorithms for room in ("cpu", "kernels")]
    done = subprocess.run(["git", "-C", results, "rev-list", "--count", f"{commit}..HEAD", "--", *places],
                          capture_output=True, text=True, check=False)
    return int(done.stdout) if done.returncode == 0 and commit and algorithms else None


def changes_text(results, result):
    words = []
    for name in result.algorithms:
        count = changes_since(results, result.commit, (name,))
        if count:
            words.append(f"{name} {count}")
        elif count is None:
            return "?"
    return ", ".join(words) or "–"


def table_of(results, found, reference):
    rows = [("result", "commit", "machine", "launches", "is", "commits to its sources since")]
    for result in found:
        mark, right = mark_of(result.path, reference), is_of_reference(result, reference)
        words = "reference" if right else reference.marks[mark] if mark else "NOT MARKED"
        rows.append((result.path, (result.commit[:SHORT] or "?") + ("+" if result.is_dirty else ""),
                     result.machine.text() if result.machine else "?",
                     str(result.launches or "–"), words, changes_text(results, result)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    results = pathlib.Path(sys.argv[1])
    try:
        reference = reference_of(results)
    except (Wrong, OSError) as error:
        print(f"check_results.py: {error}", file=sys.stderr)
        return 1
    found = results_in(results)
    print("\n".join(table_of(results, found, reference)))
    errors = errors_of(found, reference)
    right = sum(is_of_reference(result, reference) for result in found)
    print(f"\n{right} of {len(found)} results are of commit {reference.commit[:SHORT]}; {len(errors)} errors")
    for error in errors:
        print(f"check_results.py: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
