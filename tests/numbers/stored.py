"""What is stored under reports/results, as markers name it: rows of a run, values of its launches,
tables of its report, lines of a file."""
import csv
import glob
import gzip
import io
import json
import math
import os
import re
import statistics
import subprocess
import tempfile

NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


class Missing(Exception):
    """Something that a marker names is not stored."""


class NotMeasured(Missing):
    """It is a run, or a row of one."""


def numbers_in(text):
    return [float(word.replace(",", "")) for word in NUMBER.findall(text)]


def opened(path):
    """The text of a file, which may be stored compressed; None where it is not there."""
    if os.path.isfile(path):
        with open(path, encoding="utf-8") as file:
            return file.read()
    if os.path.isfile(path + ".gz"):
        with gzip.open(path + ".gz", "rt", encoding="utf-8") as file:
            return file.read()
    return None


class Row:
    """A line of a CSV. A key is one of its columns, an axis in `answer` or `tuning`
    (tile:16,block:32), or one value of such a list (stages_ms:sort)."""

    def __init__(self, fields):
        self.fields = fields
        self.axes = {}
        for column in ("answer", "tuning"):
            self.axes.update(pairs_of(fields.get(column)))

    def get(self, key):
        """The text of a key; None where the row has no such key, or nothing there."""
        text = self.fields.get(key, self.axes.get(key))
        if text is None and ":" in key:
            column, name = key.split(":", 1)
            text = pairs_of(self.fields.get(column)).get(name)
        return text or None

    def number(self, key):
        try:
            return float(self.get(key))
        except (TypeError, ValueError):
            return None

    def is_disturbed(self):
        """Whether half of its launches or more were, so that its ratios decide nothing (bench/METHOD.md). That the
        threads of a library pause says nothing, unless the median is far from the least sample."""
        far = (self.number("kernel_ms_median") or 0) > 3 * (self.number("kernel_ms_min") or math.inf)
        pauses = (self.get("disturbed_by") == "other programs" and self.get("library")
                  and (self.number("threads") or 1) > 1 and not far)
        disturbed = self.number("launches_disturbed") or 0
        return disturbed > 0 and 2 * disturbed >= (self.number("launches") or 1) and not pauses

    def cell(self):
        """What tells this row from the others of its run."""
        return tuple(self.fields.get(key, "") for key in
                     ("algorithm", "variant", "input", "size", "answer", "tuning"))


def pairs_of(text):
    return dict(item.split(":", 1) for item in (text or "").split(",") if ":" in item)


def table_of(lines):
    """The cells of a Markdown table, without emphasis, heading first."""
    table = []
    for line in lines:
        cells = [cell.strip().strip("*") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            table.append(cells)
    return table


class Store:
    def __init__(self, root, bench=None):
        self.root, self.bench = root, bench
        self.folder = os.path.join(root, "reports", "results")
        self.kept = {}

    def once(self, read, *arguments):
        """What a method reads, which is read once."""
        key = (read.__name__, *arguments)
        if key not in self.kept:
            self.kept[key] = read(*arguments)
        return self.kept[key]

    def text(self, name):
        """A file, or what a command prints: "bench reproduce …"."""
        if name.startswith("bench "):
            return self.once(self.program, *name.split()[1:])
        text = opened(os.path.join(self.folder, name))
        if text is None:
            raise NotMeasured(f"reports/results has no {name}")
        return text

    def csv_text(self, run):
        return self.text(run if run.endswith(".csv") else run + "/results.csv")

    def rows(self, run):
        """The rows of a run, or of a CSV file; of "runs", one for each stored run, of which apart_s is
        how far its launches begin from one another, at most."""
        return self.once(self.all_runs) if run == "runs" else self.once(self.read_rows, run)

    def read_rows(self, run):
        lines = [line for line in self.csv_text(run).splitlines(keepends=True)
                 if not line.startswith("#")]
        rows = [Row(fields) for fields in csv.DictReader(io.StringIO("".join(lines)))]
        return [row for row in rows if row.fields.get("status", "ok") == "ok"]

    def all_runs(self):
        rows = []
        for path in sorted(glob.glob(os.path.join(self.folder, "**", "results.json*"), recursive=True)):
            run = os.path.relpath(os.path.dirname(path), self.folder)
            context = self.once(self.read_json, run)["context"]
            launches = max(int(row.get("launches") or 1) for row in self.rows(run))
            apart = str(context["elapsed_s"] / (launches - 1)) if launches > 1 else ""
            rows.append(Row({"run": run, "launches": str(launches), "date": context["date"],
                             "apart_s": apart,
                             "cpu_count": str(context["machine"].get("cpu_count", "")),
                             "gpu_model": context["machine"].get("gpu_model", ""),
                             "commit": context["machine"].get("commit", "")}))
        return rows

    def fact(self, run, key):
        """A number at the head of a results.csv."""
        for line in self.csv_text(run).splitlines():
            if line.startswith(f"# {key}: "):
                return numbers_in(line[len(f"# {key}: "):])[0]
        raise Missing(f"the head of {run} has no {key}")

    def read_json(self, run):
        return json.loads(self.text(run + "/results.json"))

    def launches(self, run, row, column):
        """One value for each launch of a row, in ms: its median."""
        entries = [entry for entry in self.once(self.entries, run).get(row.cell(), [])]
        if not entries:
            raise Missing(f"results.json of {run} has no cell {'/'.join(row.cell())}")
        if column == "kernel_ms_median" or column == "end_to_end_ms" and row.get("backend") == "cpu":
            return [entry["real_time"] / 1e6 for entry in entries]
        if column == "end_to_end_ms":
            return launch_medians(entries[0])
        raise Missing(f"launches have kernel_ms_median and end_to_end_ms, no {column}")

    def entries(self, run):
        """The entries of each cell, one for each launch; the first has everything else."""
        cells, key = {}, None
        for entry in self.once(self.read_json, run)["benchmarks"]:
            if "algorithm" in entry:
                key = (entry["algorithm"], entry["variant"], entry["input"], entry["size"],
                       points(entry["answer"]), points(entry["tuning"]))
            cells.setdefault(key, []).append(entry)
        return cells

    def table(self, run, name):
        """A table of a study's report.md, by the words above it; of another run one of the CSV
        files that `bench report` writes. Heading first."""
        if os.path.isfile(os.path.join(self.folder, run, "report.md")):
            tables = self.once(self.study_tables, run)
        else:
            tables = self.once(self.report_tables, run)
        if name not in tables:
            raise Missing(f"{run} has no table {name}")
        return tables[name]

    def study_tables(self, run):
        tables, heading, caption, lines = {}, None, None, []
        for line in self.text(run + "/report.md").splitlines() + [""]:
            if line.startswith("|"):
                lines.append(line)
                continue
            if lines:
                tables.update({name: table_of(lines) for name in (heading, caption) if name})
                lines, heading = [], None
            if line.startswith("#"):
                heading = line.strip("# ")
            elif line.startswith("**") and line.endswith("**"):
                caption = line.strip("*")
        return tables

    def report_tables(self, run):
        if not os.path.isdir(os.path.join(self.folder, run)):
            raise NotMeasured(f"reports/results has no {run}")
        with tempfile.TemporaryDirectory() as folder:
            self.program("report", os.path.join("reports", "results", run), "--format", "csv",
                         "--out", folder)
            tables = {}
            for path in glob.glob(os.path.join(folder, "tables", "*.csv")):
                with open(path, encoding="utf-8", newline="") as file:
                    tables[os.path.basename(path)[:-4]] = list(csv.reader(file))
            return tables

    def program(self, *arguments):
        """What `bench` prints."""
        if self.bench is None:
            raise Missing(f"bench {arguments[0]}: no program was named")
        environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
        done = subprocess.run([self.bench, *arguments], cwd=self.root, capture_output=True, text=True,
                              check=False, env=environment)
        if done.returncode not in (0, 1):    # 1: a claim does not hold
            raise Missing(f"bench {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout


def points(axes):
    return ",".join(f"{key}:{value}" for key, value in axes.items())


def launch_medians(entry):
    samples, launches, at = entry["end_to_end_samples_s"], {}, 0
    for launch, _, count in entry["end_to_end_turns"]:
        launches.setdefault(launch, []).extend(samples[at:at + count])
        at += count
    return [1000 * statistics.median(values) for _, values in sorted(launches.items())]
