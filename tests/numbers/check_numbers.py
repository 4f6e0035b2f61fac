#!/usr/bin/env python3
"""Holds the numbers of the chapters against the stored runs that their markers name.

    check_numbers.py ROOT BENCH             exit code 1 if a number is not the run's
    check_numbers.py ROOT BENCH --update    writes the runs' numbers into the chapters
    check_numbers.py ROOT --list            tables and paragraphs with numbers that no marker holds

Markers and their syntax are described in tests/README.md. tests/numbers/alone.txt says of each chapter
how many of its tables and paragraphs no marker holds, and why: one more is an error, and so is one less.
"""
import argparse
import collections
import os
import re
import sys

import chapters
from holder import Findings, Holder
from stored import Store


def chapter_names(root):
    """The chapters: every page in Markdown but CHANGELOG.md and what the program writes."""
    names = []
    for folder, folders, files in os.walk(root):
        path = os.path.relpath(folder, root)
        folders[:] = sorted(name for name in folders if not name.startswith((".", "build"))
                            and os.path.normpath(os.path.join(path, name)) not in
                            ("reports/results", "reports/runs", "tests/data", "tests/golden", "datasets/cache"))
        names += [os.path.normpath(os.path.join(path, name)) for name in sorted(files)
                  if name.endswith(".md") and name != "CHANGELOG.md"]
    return names


def text_of(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def check_chapter(name, text, store):
    findings = Findings()
    markers = chapters.markers_in(text)
    for marker in markers:
        found = Holder(name, text, marker, store).hold()
        findings.errors += found.errors
        findings.changes += found.changes
        findings.held += found.held
    begun = len(re.findall(r"<!--\s*numbers\b", chapters.without_code(text)))
    if begun != len(markers):
        findings.errors.append(f"{name}: {begun - len(markers)} markers do not stand in lines of "
                               "their own")
    return findings


def check(root, bench):
    """Errors as lines, and how many numbers were held."""
    store, errors, held = Store(root, bench), [], 0
    for name in chapter_names(root):
        findings = check_chapter(name, text_of(root, name), store)
        errors += findings.errors
        held += len(findings.held)
    return errors if held else ["no chapter has a marker"], held


MOVED = 0.05


def moved_by(old, new):
    """" (+12%)" where a number moved by more than 5%; "" for words."""
    try:
        old, new = (float(text.replace(",", "")) for text in (old, new))
    except ValueError:
        return ""
    change = new / old - 1 if old > 0 else 0
    return f" ({change:+.0%})" if abs(change) > MOVED + 1e-9 else ""


def update(root, bench):
    """Writes the runs' numbers into the chapters. What is left is wrong otherwise."""
    store, changed = Store(root, bench), []
    for name in chapter_names(root):
        text = text_of(root, name)
        changes = sorted(set(check_chapter(name, text, store).changes), reverse=True)
        for start, end, new in changes:
            old, line = text[start:end].strip(), text.count("\n", 0, start) + 1
            words = "output" if "\n" in old else f"{old} → {new.strip()}{moved_by(old, new.strip())}"
            changed.append(f"{name}:{line}: {words}")
            text = text[:start] + new + text[end:]
        if changes:
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(text)
    far = sum(line.endswith("%)") for line in changed)
    print("\n".join(changed + [f"{len(changed)} numbers changed, {far} of them by more than {MOVED:.0%}"]))
    errors, _ = check(root, bench)
    return errors


MEASURED = re.compile(r"\d(?:×|[ ](?:ms|µs|s|GB/s|Gop/s|J|EUR)\b|[ ]?%)")


def blocks_of(text):
    """The tables, paragraphs and items of lists of a chapter, outside of code, and their places."""
    prose = chapters.masked(chapters.blanked(chapters.FENCE, text))
    blocks, at, start = [], 0, None
    for line in prose.splitlines(keepends=True) + ["\n"]:
        begins = re.match(r" *(?:[-*]|\d+\.) ", line)
        if start is not None and (begins or not line.strip()):
            blocks.append((prose[start:at], start))
            start = None
        if start is None and line.strip():
            start = at
        at += len(line)
    return blocks


def unheld(root):
    """Tables with numbers, and paragraphs with measured ones, that no marker holds; tables of the
    program have a comment of another kind above them."""
    lines = []
    for name in chapter_names(root):
        text = text_of(root, name)
        held = [(marker.start, marker.end) for marker in chapters.markers_in(text)]
        for block, start in blocks_of(text):
            table = block.startswith("|")
            count = len([item for item in chapters.items_in(block) if not item.is_words()])
            of_program = text[:start].endswith("-->\n")
            if count and (table or MEASURED.search(block)) and not of_program and \
               not any(first <= start < last for first, last in held):
                line, kind = text.count("\n", 0, start) + 1, "table" if table else "text"
                words = " ".join(block.split())[:70]
                lines.append(f"{name}:{line}: {kind}, {count} numbers: {words}")
    return lines


ALONE = "tests/numbers/alone.txt"


def listed_alone(root):
    """How many blocks of each chapter may have no marker; None without the list."""
    if not os.path.exists(os.path.join(root, ALONE)):
        return None
    counts = {}
    for line in text_of(root, ALONE).splitlines():
        match = re.fullmatch(r"(\S+) (\d+): (.+)", line)
        if match:
            counts[match[1]] = int(match[2])
        elif line and not line.startswith("#"):
            raise ValueError(f"{ALONE}: '{line}'")
    return counts


def errors_of_alone(root):
    """A number that nothing holds is stale one day."""
    listed, found = listed_alone(root), collections.defaultdict(list)
    for line in unheld(root):
        found[line.partition(":")[0]].append(line)
    errors = []
    for name in sorted(listed.keys() | found.keys()) if listed is not None else []:
        blocks, most = found[name], listed.get(name, 0)
        if len(blocks) > most:
            errors += [f"{name}: {len(blocks)} blocks have numbers and no marker, {ALONE} has {most}:", *blocks]
        elif len(blocks) < most:
            errors.append(f"{name}: {len(blocks)} blocks have numbers and no marker; {ALONE} still has {most}")
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("bench", nargs="?")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    if asked.list:
        print("\n".join(unheld(asked.root)))
        return 0
    bench = os.path.abspath(asked.bench) if asked.bench else None
    if asked.update:
        errors = update(asked.root, bench)
    else:
        errors, held = check(asked.root, bench)
        errors += errors_of_alone(asked.root)
        print(f"{held} numbers are held, {len(errors)} wrong")
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
