#!/usr/bin/env python3
"""The libraries that are installed, called for awkward inputs: right, or as far as their definition goes. Those on a GPU
are called where the program has one.

    real_peers.py BENCH [PYTHON]

Those of BENCH_PYTHON, else of PYTHON, which is this one where it is not given. Ends with 77 where none is there.
"""
import os
import re
import subprocess
import sys

BENCH = sys.argv[1]
PYTHON = os.environ.get("BENCH_PYTHON") or (sys.argv[2] if len(sys.argv) > 2 else sys.executable)

CANNOT_RUN = 6  # the exit code of bench


def bench(*words):
    return subprocess.run([BENCH, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "BENCH_PYTHON": PYTHON})


def main():
    lines = bench("peers").stdout.splitlines()
    for side in ("CPU", "GPU"):
        if not any(f" {side} " in line for line in lines):
            sys.exit(f"wrong: bench peers lists none on the {side}")
    # A version begins with a digit; where it is absent, the words "not installed" or "not built" stand there.
    there = [line.split()[:3] for line in lines
             if (" CPU " in line or " GPU " in line) and not re.search("not (installed|built)", line)]
    if not there:
        print(f"skipped: needs a library of peers: none is in {PYTHON}")
        sys.exit(77)
    wrong, right = [], 0
    for algorithm, variant, side in there:
        done = bench("verify", "--algo", algorithm, "--variants", variant, "--quick")
        print(done.stdout, done.stderr)
        if side == "GPU" and done.returncode == CANNOT_RUN:
            continue
        right += 1
        if done.returncode != 0 or "1 of 1 variants right" not in done.stdout:
            wrong.append(f"{algorithm}/{variant}")
    if wrong:
        sys.exit("wrong: " + ", ".join(wrong))
    print(f"{right} peers are right, {len(there) - right} cannot run here")


if __name__ == "__main__":
    main()
