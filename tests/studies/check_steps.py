#!/usr/bin/env python3
"""Runs the steps of every study dry, and looks for what their tables ask for.

    check_steps.py STUDIES BENCH

It reads study.txt by itself, apart from the program. Each step's options must be those of its
command. `bench run --dry-run` must plan cells, with the full options and with the quick ones, with
stand-ins for data. Every row of a table must select at least one cell of the full plan in every
column, and every column must be one of results.csv.
"""
import os
import re
import subprocess
import sys

WORD = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))')
SCOPES = ("study", "title", "citation", "about", "difference", "step", "table", "figure")


def words_of(line):
    """The words of a line; comments are from a # at the start of a word."""
    words, at = [], 0
    while (match := WORD.match(line, at)) is not None:
        quoted, plain = match.groups()
        if plain is not None and plain.startswith("#"):
            break
        words.append(plain if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
        at = match.end()
    return words


def conditions_of(words):
    return dict(word.split("=", 1) for word in words)


class Step:
    def __init__(self, words):
        self.name, self.command = words[1:3]
        self.options, self.arguments, self.quick, self.otherwise = {}, [], {}, {}

    def read(self, words):
        where = {"quick": self.quick, "otherwise": self.otherwise}.get(words[0], self.options)
        rest = words[1:] if words[0] in ("quick", "otherwise") else words
        if rest[0].startswith("--"):
            where[rest[0]] = "".join(rest[1:])
        elif words[0] == "argument":
            self.arguments.append(words[1])

    def chosen(self, quick, data):
        """The options where {data} is that folder, or without it where it is None."""
        options = dict(self.options)
        if quick:
            options.update(self.quick)
        if data is None and self.otherwise:
            options = {name: value for name, value in options.items() if "{data}" not in value}
            options.update(self.otherwise)
        return options


class Table:
    def __init__(self, words, line):
        self.name, self.line = words[1], line
        self.step, self.where, self.rows, self.columns = None, {}, [], []

    def read(self, words, tables):
        if words[0] == "from":
            self.step = words[1]
        elif words[0] == "where":
            self.where.update(conditions_of(words[1:]))
        elif words[0] == "same-as":
            model = tables[words[1]]
            self.step = self.step or model.step
            self.rows, self.columns = list(model.rows), list(model.columns)
        elif words[0] == "row":
            self.rows += expanded(words[1], conditions_of(words[2:]))
        elif words[0] == "column" and words[3] not in ("ratio", "base", "cost", "linear"):
            named, conditions, rest = {"from": None, "by": None}, [], iter(words[4:])
            for word in rest:
                if word in named:
                    named[word] = next(rest)
                else:
                    conditions.append(word)
            columns = [words[3].split(":")[0]] + ([named["by"]] if named["by"] else [])
            self.columns.append((words[1], columns, conditions_of(conditions), named["from"]))


def expanded(label, conditions):
    """A row for each value of the condition that has several."""
    for key, value in conditions.items():
        if "," in value:
            return [row for part in value.split(",")
                    for row in expanded(label, {**conditions, key: part})]
    for key, value in conditions.items():
        label = label.replace("{%s}" % key, value)
    return [(label, conditions)]


def read_study(path):
    steps, tables, current = {}, {}, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = words_of(line)
            if not words:
                continue
            if words[0] == "step":
                current = steps[words[1]] = Step(words)
            elif words[0] == "table":
                current = tables[words[1]] = Table(words, number)
            elif words[0] in SCOPES:
                current = None
            elif isinstance(current, Step):
                current.read(words)
            elif isinstance(current, Table):
                current.read(words, tables)
    return steps, tables


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def heights(bench):
    """Of the named sizes."""
    return dict(re.findall(r"^ +(\w+) +\d+x(\d+)", run(bench, "list", "lbp").stdout, re.M))


def planned_cells(bench, step, options):
    """The cells of a dry run as {key: value}; an error as text."""
    arguments = [part for pair in options.items() for part in pair if part]
    done = run(bench, "run", *arguments, "--dry-run", "--all", "--quiet")
    if done.returncode != 0:
        return f"step {step.name}: exit code {done.returncode}: {done.stderr.strip()}"
    cells, named = [], heights(bench)
    for line in done.stdout.splitlines():
        parts = line.split(" ")[0].split("/")
        if len(parts) < 4 or parts[0] not in options["--algo"].split(","):
            continue
        cell = {"algorithm": parts[0], "variant": parts[1], "size": parts[3], "images": parts[3],
                "backend": "cuda" if parts[1].startswith("cuda") else "cpu", "threads": "1"}
        cell["height"] = named.get(parts[3], parts[3].split("x")[-1])
        for group in parts[4:]:
            cell.update(item.split(":", 1) for item in group.split(","))
        cells.append(cell)
    return cells if cells else f"step {step.name}: nothing is planned: {done.stdout}"


def check_options(bench, step):
    """Options that the command's help does not know."""
    help_text = run(bench, "help", step.command).stdout
    given = set(step.options) | set(step.quick) | set(step.otherwise)
    return [f"step {step.name}: bench {step.command} has no {option}" for option in sorted(given)
            if not re.search(rf"^  {option}\b", help_text, re.M)]


def more_threads_than_here(conditions, step):
    """Rows of thread counts that this machine has not, in a step that takes as many as there are."""
    explicit = any(part.strip().isdigit() or ".." in part
                   for part in step.options.get("--threads", "").split(","))
    return not explicit and int(conditions.get("threads", "1")) > len(os.sched_getaffinity(0))


def check_table(table, steps, plans, csv_columns):
    errors = []
    for title, columns, of_column, from_step in table.columns:
        step = steps[from_step or table.step]
        if step.name not in plans:
            continue
        errors += [f"table {table.name}: '{title}': results.csv has no column {column}"
                   for column in columns if column not in csv_columns]
        for label, of_row in table.rows:
            wanted = {**table.where, **of_row, **of_column}
            if more_threads_than_here(wanted, step):
                continue
            if not any(wanted.items() <= cell.items() for cell in plans[step.name]):
                errors.append(f"table {table.name}: row '{label}', column '{title}': no cell of step "
                              f"{step.name} has {wanted}")
    return errors


def check_study(path, bench, csv_columns):
    steps, tables = read_study(path)
    errors, plans = [], {}
    for step in steps.values():
        errors += check_options(bench, step)
        if step.command != "run":
            continue
        for quick in (True, False):
            plan = planned_cells(bench, step, step.chosen(quick, None))
            if isinstance(plan, str):
                errors.append(plan + (" (quick)" if quick else ""))
            elif not quick:
                plans[step.name] = plan
    for table in tables.values():
        errors += check_table(table, steps, plans, csv_columns)
    if not steps or not tables:
        errors.append("no steps or no tables were read")
    return errors, sum(len(table.rows) * len(table.columns) for table in tables.values())


def check(studies, bench):
    """Errors as lines; {study: how many numbers of its tables were looked for}."""
    csv_columns = set(re.findall(r"^ *(\w+)", run(bench, "help", "columns").stdout, re.M))
    errors, counts = [], {}
    for name in sorted(os.listdir(studies)):
        path = os.path.join(studies, name, "study.txt")
        if os.path.exists(path):
            found, counts[name] = check_study(path, bench, csv_columns)
            errors += [f"{name}: {error}" for error in found]
    return errors if counts else [f"{studies} has no studies"], counts


def main():
    errors, counts = check(*sys.argv[1:3])
    print("\n".join(errors) if errors else
          "\n".join(f"{name}: {count} numbers have a cell" for name, count in counts.items()))
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
