#!/usr/bin/env python3
"""check_published.py finds a wrong digit, a missing number and one too many, in every study.

    test_check_published.py STUDIES PAPERS
"""
import os
import shutil
import sys
import tempfile

import check_published


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines(keepends=True)


def found(studies, papers, path, lines):
    """Whether the check has errors with these lines in place of the file's."""
    kept = lines_of(path)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    errors, _ = check_published.check(studies, papers)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(kept)
    return bool(errors)


def changed_digit(line, index):
    """The line with its value's digit at `index` from the end one higher."""
    fields = line.split(",")
    at = next(i for i in range(len(fields) - 1, 0, -1) if fields[i] in ("ms", "us", "s", "x", "-", "%")) - 1
    value = list(fields[at])
    digits = [i for i, character in enumerate(value) if character.isdigit()]
    place = digits[-1 - index % len(digits)]
    value[place] = str((int(value[place]) + 1) % 10)
    fields[at] = "".join(value)
    return ",".join(fields)


def mistakes(lines):
    """Each line of numbers changed in one digit, one left out, one that is in no paper."""
    first = next(i for i, line in enumerate(lines) if line.startswith("table,row")) + 1
    for i in range(first, len(lines)):
        yield f"line {i + 1} changed", lines[:i] + [changed_digit(lines[i], i)] + lines[i + 1:]
    if first < len(lines):
        yield "last line left out", lines[:-1]
    yield "a number besides", lines + ["table-99,Sequential,Time,1.5,ms,some machine,Table 99\n"]


def main():
    studies, papers = sys.argv[1:3]
    if not all(os.path.exists(os.path.join(papers, name)) for name in check_published.PAPERS.values()):
        print(f"skipped: needs ../shared/papers: {papers} has not all of them")
        return 77
    missed, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(studies, os.path.join(folder, "studies"))
        for study in check_published.PAPERS:
            path = os.path.join(copy, study, "published.csv")
            for what, lines in mistakes(lines_of(path)):
                count += 1
                if not found(copy, papers, path, lines):
                    missed.append(f"{study}: {what}: not found")
    print("\n".join(missed) if missed else f"{count} mistakes found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
