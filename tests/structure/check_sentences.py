#!/usr/bin/env python3
"""Whether the sentences of the chapters are short.

    check_sentences.py FOLDER

Names each sentence of more than 30 words, and ends with 1 when there is one. Chapters are the pages in
Markdown that people write: not the reports that the program writes, and of CHANGELOG.md only the newest
release. Code blocks, comments and the targets of links are left out. A paragraph, an item of a list and a cell
of a table end a sentence. What is read counts, so `one --option` is two words; a number is one, a sign none.
"""
import pathlib
import re
import sys

MOST_WORDS = 30
WRITTEN_BY_PROGRAMS = ("build", "bench-runs/", "datasets/cache/", "reports/results/", "reports/runs/",
                       "tests/data/", "tests/golden/")
FENCE = re.compile(r"^ *```.*?^ *```[ \t]*$", re.S | re.M)
COMMENT = re.compile(r"<!--.*?-->", re.S)
# Where a paragraph, an item of a list, a row of a table or a heading ends: the line behind it.
BLOCK = re.compile(r"\n(?=\s*\n|[ \t]*(?:(?:[-*>]|\d+\.|#+) |\|))")
CELL = re.compile(r"(?<!\\)\|")
CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
TARGET = re.compile(r"\]\([^)]*\)")
# A sign that ends a sentence, and what closes behind it: not that of an abbreviation or an initial.
END = re.compile(r"(?<!\bet al)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\b[A-Z])[.!?][)\"'”*]*\s+")


def blanked(text):
    """The text with blanks of the same lines for what is no prose."""
    for pattern in (FENCE, COMMENT):
        text = pattern.sub(lambda match: "\n" * match.group().count("\n"), text)
    return text


def words_of_code(span):
    """As many words, with nothing in them that ends a sentence or a cell."""
    return " ".join("code" for word in span.group().split() if re.search(r"\w", word)) or "code"


def words(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def long_sentences(text):
    """The line of its block, the words and the beginning of each sentence that is too long."""
    line = 1
    for block in BLOCK.split(blanked(text)):
        begins = line + block[:len(block) - len(block.lstrip())].count("\n")
        text_of = TARGET.sub("]", CODE.sub(words_of_code, block))
        for part in CELL.split(text_of) if block.lstrip().startswith("|") else [text_of]:
            for sentence in END.split(part):
                count = len(words(sentence))
                if count > MOST_WORDS:
                    yield begins, count, " ".join(sentence.split())[:60]
        line += block.count("\n") + 1


def is_measured(root, path):
    """Whether a run or a study lies there: somebody measured into the tree."""
    folders = [folder for folder in path.parents if root in folder.parents]
    return any((folder / name).exists() for folder in folders for name in ("results.json", "study.json"))


def chapters(root):
    for path in sorted(root.rglob("*.md")):
        name = path.relative_to(root).as_posix()
        hidden = name[0] == "." and not name.startswith(".github/")
        if not hidden and not name.startswith(WRITTEN_BY_PROGRAMS) and not is_measured(root, path):
            text = path.read_text(encoding="utf-8")
            yield name, "\n## ".join(text.split("\n## ")[:2]) if name == "CHANGELOG.md" else text


def main():
    found = [f"{name}:{line}: a sentence of {count} words, more than {MOST_WORDS}: {sentence}…"
             for name, text in chapters(pathlib.Path(sys.argv[1]))
             for line, count, sentence in long_sentences(text)]
    print("\n".join(found), end="\n" if found else "")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
