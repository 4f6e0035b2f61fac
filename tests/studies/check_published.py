#!/usr/bin/env python3
"""Holds published.csv of every study against the text of its paper.

    check_published.py STUDIES PAPERS

The tables of lbp-2020 are read from the text and must be the same numbers, none missing and none
besides. Elsewhere the papers have numbers only in sentences and on slides: each must stand there,
printed alike, near the word it belongs to. Exit code 77 when the papers are not there.
"""
import csv
import os
import re
import sys

NUMBER = r"\d+(?:\.\d+)?"


def read_published(studies, study):
    """{(table, row, column): (value as printed, unit, machine, source)}"""
    path = os.path.join(studies, study, "published.csv")
    with open(path, encoding="utf-8", newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    numbers = {}
    for record in csv.DictReader(lines):
        place = (record["table"], record["row"], record["column"])
        if place in numbers:
            sys.exit(f"{path}: {place} is there twice")
        if not record["source"]:
            sys.exit(f"{path}: {place} has no source")
        if not record["machine"] and record["unit"] != "-":
            sys.exit(f"{path}: {place} has no machine")
        numbers[place] = (record["value"], record["unit"], record["machine"], record["source"])
    return numbers


# --- lbp-2020 ------------------------------------------------------------------------------------

# Row labels of the paper's tables by number of threads ("-": the sequential version).
THREAD_TABLES = (1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14)
FIGURE_6 = "figure-6-in-words"
SIZES = ("360p", "NTSC", "HD", "FullHD", "4K", "8K", "16K")


def blocks_before_captions(text):
    """{table number: the lines above its caption, back to the caption before}"""
    blocks, lines = {}, []
    for line in text.splitlines():
        caption = re.match(r"(Table|Figure) (\d+)\. ", line)
        if caption and caption.group(1) == "Table":
            blocks[int(caption.group(2))] = lines
        lines = [] if caption else lines + [line]
    return blocks


def thread_rows(lines):
    """{"-" or a number of threads: (time, speedup)} of lines "…<TAB>threads<TAB>time<TAB>speedup"."""
    rows = {}
    for line in lines:
        cells = line.rstrip().split("\t")
        # In one table the text has the sequential row's threads lost: "<TAB>time<TAB>-".
        if len(cells) == 3 and cells[0] in ("", "-") and cells[2] == "-":
            cells[0] = "-"
        cells = cells[-3:]
        if len(cells) == 3 and re.fullmatch(r"-|[2-8]", cells[0]) and re.fullmatch(NUMBER, cells[1]):
            if cells[0] in rows:
                sys.exit(f"the text has {cells[0]} threads twice: {line}")
            rows[cells[0]] = (cells[1], cells[2])
    return rows


def expected_thread_table(number, lines):
    rows = thread_rows(lines)
    if sorted(rows) != sorted("-2345678"):
        sys.exit(f"table {number} of the text: rows {sorted(rows)}")
    machine = "Core i7-860" if number < 9 else "Apple M1"
    expected = {}
    for threads, (time, speedup) in rows.items():
        row = "Sequential" if threads == "-" else f"{threads} threads"
        expected[(f"table-{number}", row, "Time")] = (time, "ms", machine)
        if threads != "-":
            expected[(f"table-{number}", row, "Speedup")] = (speedup, "x", machine)
    return expected


def expected_size_table(number, lines, columns):
    """Tables 7 and 8: a row for each size, three numbers in each."""
    expected, seen = {}, []
    for line in lines:
        cells = line.split("\t")
        if cells[0] not in SIZES or len(cells) != 4:
            continue
        seen.append(cells[0])
        for cell, (title, unit, machine) in zip(cells[1:], columns):
            value = re.search(NUMBER, cell).group(0)
            expected[(f"table-{number}", cells[0], title)] = (value, unit, machine)
    if seen != list(SIZES[:len(seen)]) or len(seen) < 6:
        sys.exit(f"table {number} of the text: sizes {seen}")
    return expected


def expected_lbp(text):
    blocks = blocks_before_captions(text)
    if sorted(blocks) != list(range(1, 15)):
        sys.exit(f"the text has tables {sorted(blocks)}")
    expected = {}
    for number in THREAD_TABLES:
        expected.update(expected_thread_table(number, blocks[number]))
    expected.update(expected_size_table(7, blocks[7], (
        ("Sequential", "ms", "Core i7-860"), ("CUDA tiling", "ms", "GTX 980"),
        ("Speedup", "x", "GTX 980"))))
    expected.update(expected_size_table(8, blocks[8], (
        ("CUDA naive", "us", "GTX 980"), ("CUDA tiling", "us", "GTX 980"),
        ("Speedup", "x", "GTX 980"))))
    # The points of the figures that Table 7 has as numbers stand in tables of their own as well.
    names = {"360p": "360p", "NTSC": "480p", "HD": "720p", "FullHD": "1080p", "4K": "4K", "8K": "8K"}
    places = {"Sequential": ("Sequential", "Time"), "CUDA tiling": ("Tile 32", "Time"),
              "Speedup": ("Tile 32", "Speedup")}
    for (table, size, column), value in list(expected.items()):
        if table == "table-7":
            expected[(f"tiles-{names[size]}",) + places[column]] = value
    words = re.search(rf"decreases from just under ({NUMBER})ms to little more than ({NUMBER})ms", text)
    expected.update({(FIGURE_6, "Narrowest tile", "Time"): (words.group(1), "ms", "GTX 980"),
                     (FIGURE_6, "Tile 32", "Time"): (words.group(2), "ms", "GTX 980")})
    return expected


def check_lbp(studies, text):
    published = read_published(studies, "lbp-2020")
    expected = expected_lbp(text)
    errors = [f"lbp-2020: {place} is in the paper only" for place in expected if place not in published]
    errors += [f"lbp-2020: {place} is not in the paper" for place in published if place not in expected]
    for place in expected.keys() & published.keys():
        value, unit, machine = expected[place]
        got = published[place]
        if got[0] != value or got[1] != unit or machine not in got[2]:
            errors.append(f"lbp-2020: {place} is {got[:3]}, in the paper {value} {unit}, {machine}")
        source = "Section 6.3" if place[0] == FIGURE_6 else (
            f"Table {re.sub(r'^(table-)|tiles-.*', '', place[0]) or 7}")
        if got[3].split(":")[0] != source:
            errors.append(f"lbp-2020: {place} is said to be from {got[3]}, is from {source}")
    return errors, len(expected)


# --- Numbers in sentences ------------------------------------------------------------------------

# Where a number stands in the text: near a word, at most so many characters before or after it. With
# its unit and machine.
GTX = "GTX 970"
SENTENCES = {
    "haar-2015": {
        ("all-pictures", "GPU, like the paper's final version", "Time"): (GTX, 0, 80, "s", GTX),
        ("all-pictures", "GPU, like the paper's final version", "Over OpenMP"):
            ("OpenMP", 30, 0, "x", "GTX 970 over Intel Core i5-4460"),
        ("one-thread", "GPU, like the paper's final version", "Over one thread"):
            ("single-threaded", 30, 0, "x", "GTX 970 over Intel Core i5-4460"),
        ("features", "Above the threshold", "Kept"): ("features above threshold", 12, 0, "-", ""),
        ("features", "Above the threshold", "Kept of an image"): ("useful features", 8, 0, "-", ""),
        ("profile", "GPU, like the paper's final version", "Control-flow efficiency"):
            ("control flow efficiency of just", 0, 8, "%", GTX),
        ("profile", "GPU, like the paper's final version", "Registers"):
            ("registers per thread", 5, 0, "-", GTX),
        ("profile", "GPU, like the paper's final version", "Launches"):
            ("kernel launches", 3, 0, "-", GTX),
        ("profile-first", "GPU, the paper's first version", "Launches"):
            ("originally needed", 10, 0, "-", GTX),
    },
    "lacunarity-2012": {
        ("large-boxes", "side 256", "Gain on the GPU"): ("faster", 0, 15, "x", "8600 GTS"),
    },
    "hashsift-2024": {
        ("inliers", "ORB", "Inliers"): ("ORB インライア数", 0, 5, "-", ""),
        ("inliers", "BAD", "Inliers"): ("BAD インライア数", 0, 5, "-", ""),
        ("inliers", "SIFT", "Inliers"): (" SIFT インライア数", 0, 5, "-", ""),
        ("inliers", "HashSIFT", "Inliers"): ("HashSIFT インライア数", 0, 5, "-", ""),
    },
    "lbp-riu-2018": {},
}


def stands_near(text, value, word, before, after):
    """Whether the number stands by itself near one of the places of the word."""
    for at in re.finditer(re.escape(word), text):
        near = text[max(0, at.start() - before):at.end() + after]
        if re.search(rf"(?<![\d.]){re.escape(value)}(?!\d|\.\d)", near):
            return True
    return False


def slide_times(text):
    """The table of times on its slide: four rows of two numbers, in this order."""
    found = re.search(r"HashSIFT256 \[msec\] HashSIFT512 \[msec\](.*?)Copyright", text, re.S)
    # What is named besides has numbers of its own.
    cells = re.sub(r"RTX 3060|HashSIFT\d+", "", found.group(1))
    numbers = re.findall(NUMBER, cells)
    rows = (("CPU, one thread", "i9-10900"), ("CPU, all threads", "i9-10900"),
            ("GPU, beside the GeForce RTX 3060 Ti", "RTX 3060 Ti"),
            ("GPU, beside the Jetson Xavier", "Jetson Xavier"))
    if len(numbers) != 8:
        sys.exit(f"hashsift-2024: the slide has the numbers {numbers}")
    expected = {}
    for i, (row, machine) in enumerate(rows):
        expected[("times", row, "HashSIFT256")] = (numbers[2 * i], machine)
        expected[("times", row, "HashSIFT512")] = (numbers[2 * i + 1], machine)
    return expected


def check_sentences(studies, study, text):
    published = read_published(studies, study)
    words = SENTENCES[study]
    times = slide_times(text) if study == "hashsift-2024" else {}
    errors = []
    for place in (words.keys() | times.keys()) - published.keys():
        errors.append(f"{study}: {place} is missing")
    for place, (value, unit, machine, _) in published.items():
        if place in times:
            if value != times[place][0] or unit != "ms" or times[place][1] not in machine:
                errors.append(f"{study}: {place} is {value} {unit} of {machine}, in the paper "
                              f"{times[place]}")
        elif place not in words:
            errors.append(f"{study}: {place} is not known to be in the paper")
        elif not stands_near(text, value, *words[place][:3]):
            errors.append(f"{study}: {place}: {value} does not stand near '{words[place][0]}'")
        elif unit != words[place][3] or words[place][4] not in machine:
            errors.append(f"{study}: {place} is in {unit} of {machine}, not {words[place][3:]}")
    return errors, len(published)


PAPERS = {
    "lbp-2020": "lbp-del-lungo-petrone-2020.txt",
    "lbp-riu-2018": "lbp-riu-bianda-2018.txt",
    "lacunarity-2012": "lacunarity-mazurek.txt",
    "haar-2015": "haar-adaboost-training.txt",
    "hashsift-2024": "hashsift-fixstars-2024.txt",
}


def check(studies, papers):
    """Errors as lines; how many numbers were compared."""
    errors, count = [], 0
    for study, name in PAPERS.items():
        with open(os.path.join(papers, name), encoding="utf-8") as file:
            text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", file.read())  # 70,000,000
        text = text.replace("just three kernel", "just 3 kernel")
        found = check_lbp(studies, text) if study == "lbp-2020" else check_sentences(
            studies, study, text)
        errors += found[0]
        count += found[1]
    return errors, count


def main():
    studies, papers = sys.argv[1:3]
    missing = [name for name in PAPERS.values() if not os.path.exists(os.path.join(papers, name))]
    if missing:
        print(f"skipped: needs ../shared/papers: {papers} has no {missing[0]}")
        return 77
    errors, count = check(studies, papers)
    print("\n".join(errors) if errors else f"{count} numbers are those of the papers")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
