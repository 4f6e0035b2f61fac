#!/usr/bin/env python3
"""usage: test_tables.py BENCH

pandas and R find in each CSV file of a run, whatever its image is called, what a reader of RFC 4180 finds, and so does
a spreadsheet that also takes semicolons and tabs for separators.
"""
import csv
import glob
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile

try:
    import pandas
except ImportError:
    pandas = None

bench = os.path.abspath(sys.argv[1])
names = ["a#1.pgm", "#1.pgm", "a,b.pgm", "a;b.pgm", "a\tb.pgm", "it's.pgm", "'a'.pgm", 'q"q.pgm', '"a".pgm', "=1+2.pgm",
         "+1.pgm", "-1.pgm", "@x.pgm", " a .pgm", "a\\b.pgm", "a\n#b.pgm", "50%.pgm", "{a}.pgm"]
failed = False


def fail(*words):
    global failed
    failed = True
    print(*words)


def run(*arguments):
    done = subprocess.run([bench, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{arguments}: exit code {done.returncode}\n{done.stderr}")


def read(path):
    """The heading and the rows, as RFC 4180 has them, behind the comments of the head."""
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    while text.startswith("#"):
        text = text.split("\n", 1)[1]
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def read_pandas(path):
    frame = pandas.read_csv(path, comment="#", dtype=str, keep_default_na=False, header=None, skip_blank_lines=True)
    return frame.values.tolist()


R = """
for (f in commandArgs(TRUE)) {
    readers <- list(read.csv(f, comment.char = "#", header = FALSE, colClasses = "character", na.strings = character()),
                    read.table(f, sep = ",", header = FALSE, colClasses = "character", na.strings = character()))
    for (d in readers) {
        cat(f, nrow(d), ncol(d), gsub("\n", "\\\\n", unlist(t(d))), sep = "\n")
    }
}
"""


def read_r(paths):
    """The path and the rows of each table, by read.csv and by read.table with its own quotes and comments."""
    done = subprocess.run(["Rscript", "--vanilla", "-e", R, *paths], capture_output=True, text=True)
    if done.returncode != 0:
        fail(f"R: {done.stderr}")
        return
    lines = done.stdout.split("\n")
    while len(lines) > 1:
        path, rows, columns = lines[0], int(lines[1]), int(lines[2])
        values = lines[3:3 + rows * columns]
        yield path, [values[i * columns:(i + 1) * columns] for i in range(rows)]
        lines = lines[3 + rows * columns:]


def read_spreadsheet(path):
    """Fields end at a comma, a semicolon or a tab, unless they begin with a quote."""
    rows, row, field, quoted = [], [], "", False
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    while text.startswith("#"):
        text = text.split("\n", 1)[1]
    i = 0
    while i < len(text):
        c = text[i]
        if quoted:
            if c == '"' and text[i + 1:i + 2] == '"':
                field, i = field + c, i + 1
            elif c == '"':
                quoted = False
            else:
                field += c
        elif c == '"' and field == "":
            quoted = True
        elif c in ",;\t\n":
            row.append(field)
            field = ""
            if c == "\n":
                rows.append(row)
                row = []
        else:
            field += c
        i += 1
    return rows


def check(path, reader, rows):
    want = read(path)
    if [[text.replace("\n", "\\n") for text in row] for row in rows] != [
            [text.replace("\n", "\\n") for text in row] for row in want]:
        fail(f"{path}: {reader} reads something else")
        for got, line in zip(rows, want):
            if got != line:
                fail("  got ", got[:8], "\n  want", line[:8])
                break


def check_results(path):
    """The names and the times are those of results.json."""
    rows = read(path)
    with open(os.path.join(os.path.dirname(path), "results.json"), encoding="utf-8") as file:
        cells = json.load(file)["benchmarks"]
    found = {row[rows[0].index("input")]: float(row[rows[0].index("kernel_ms_median")]) for row in rows[1:]}
    if len(found) != len(cells):
        fail(f"{len(found)} rows for {len(cells)} cells")
    for cell in cells:
        if abs(found.get(cell["input"], 0) / (cell["kernel_median_s"] * 1e3) - 1) > 1e-6:
            fail(f"{cell['input']!r} is {found.get(cell['input'])} ms")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    os.mkdir("images")
    for name in names:
        with open(os.path.join("images", name), "wb") as file:
            file.write(b"P5\n16 16\n255\n" + bytes(range(256)))
    run("--algo", "lbp", "--variants", "seq", "--reps", "1", "--no-roof", "--no-plot", "--quiet", "--input", "images",
        "--out", "run")
    run("report", "run", "--format", "csv", "--out", "report")
    check_results("run/results.csv")
    tables = ["run/results.csv"] + sorted(glob.glob("report/**/*.csv", recursive=True))
    if len(tables) < 4:
        fail(f"only these tables were written: {tables}")
    for table in tables:
        check(table, "a spreadsheet", read_spreadsheet(table))
        if pandas is not None:
            check(table, "pandas", read_pandas(table))
    if shutil.which("Rscript"):
        found = list(read_r(tables))
        for table, rows in found:
            check(table, "R", rows)
        if len(found) != 2 * len(tables):
            fail(f"R has read {len(found)} tables of {2 * len(tables)}")
if not failed and (pandas is None or not shutil.which("Rscript")):
    print("skipped: needs " + ("python3-pandas" if pandas is None else "r-base-core"))
    sys.exit(77)
sys.exit(1 if failed else 0)
