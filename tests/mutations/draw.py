#!/usr/bin/env python3
"""Draws lines of code at random, to be changed by hand for list.txt.

    draw.py ROOT [--seed N] [--count N]

First three lines of each folder or file that a draw over all of them would hardly reach, then lines of all
rooms in the order drawn. Take each line as it comes; go on to the next where it is a declaration or
a text, or where no change of it would change what the program does.
"""
import argparse
import glob
import os
import random
import re
import sys

ROOMS = ("bench/run", "bench/results", "bench/compare", "bench/history", "bench/study", "bench/apps",
         "datasets", "cpu")
SELDOM = ("bench/apps/match_images/match.c", "bench/apps/match_images/homography.c",
          "bench/apps/descriptors/*.c", "cpu/bad/*.c", "cpu/matching/*.c", "bench/run/shard.c",
          "bench/run/weak.c", "bench/results/roofline.c", "datasets/idx.c")


def sources(root, pattern):
    return sorted(glob.glob(os.path.join(root, pattern), recursive=True))


def code_lines(path):
    """Numbers and texts of the lines inside of functions that may do something."""
    lines, inside, comment = [], False, False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            text = line.strip()
            ends = comment and "*/" in text
            if comment or text.startswith("/*"):
                comment = not ends and "*/" not in text
                continue
            if line == "}":
                inside = False
            if inside and re.search(r"[-+*/%<>=&|?!(]", text) and \
               not re.match(r'["#]|STATUS_TRY\(status\);|return status_ok\(\);|\(void\)', text):
                lines.append((number, text))
            inside = inside or (line.endswith(") {") and not line.startswith(" "))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--count", type=int, default=120)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)

    def draw(paths, count):
        lines = [(path, *line) for path in paths for line in code_lines(path)]
        for path, number, text in chance.sample(lines, count):
            print(f"{os.path.relpath(path, asked.root)}:{number}: {text}")

    for pattern in SELDOM:
        draw(sources(asked.root, pattern), 3)
    print()
    draw([path for room in ROOMS for path in sources(asked.root, f"{room}/**/*.c")], asked.count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
