#!/usr/bin/env python3
"""check_steps.py finds what is wrong with a study.

    test_check_steps.py STUDIES BENCH
"""
import os
import shutil
import sys
import tempfile

import check_steps

# A study, a piece of its text, what to put in its place, and a piece of the error.
MISTAKES = (
    ("haar-2015", "--candidates", "--candidate", "unknown option"),
    ("haar-2015", "quick --images", "quick --image", "bench run has no --image"),
    ("haar-2015", "otherwise --synthetic digits", "otherwise --synthetic lines", "exit code 2"),
    ("lacunarity-2012", "kernel_ms_min", "kernel_min_ms", "has no column kernel_min_ms"),
    ("lacunarity-2012", "--box paper", "--boxes paper", "bench curve has no --boxes"),
    ("lbp-2020", "variant=cuda_tiled tile=32", "variant=cuda_tiled tile=64", "no cell"),
    ("lbp-2020", "where size=480p", "where size=480", "no cell"),
    ("lbp-riu-2018", "where pr=16:2", "where pr=16:3", "no cell"),
    ("integral", "height=480", "height=481", "no cell"),
    ("integral", "--peers", "--sum 32", "no cell"),
    ("hashsift-2024", "bits=512", "bits=1024", "no cell"),
)


def main():
    studies, bench = sys.argv[1:3]
    missed = []
    for study, right, wrong, error in MISTAKES:
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(os.path.join(studies, study), os.path.join(folder, study))
            path = os.path.join(copy, "study.txt")
            with open(path, encoding="utf-8") as file:
                text = file.read()
            with open(path, "w", encoding="utf-8") as file:
                file.write(text.replace(right, wrong))
            errors, _ = check_steps.check(folder, bench)
            if right not in text or not any(error in line for line in errors):
                missed.append(f"{study}: {wrong} in place of {right}: {errors}")
    print("\n".join(missed) if missed else f"{len(MISTAKES)} mistakes found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
