#!/usr/bin/env python3
"""The libraries that are installed, called for awkward inputs: right, or as far as their definition goes.

    real_peers.py BENCH [PYTHON]

Those of BENCH_PYTHON, else of PYTHON, which is this one where it is not given. Ends with 77 where none is there.
"""
import os
import subprocess
import sys

BENCH = sys.argv[1]
PYTHON = os.environ.get("BENCH_PYTHON") or (sys.argv[2] if len(sys.argv) > 2 else sys.executable)


def bench(*words):
    return subprocess.run([BENCH, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "BENCH_PYTHON": PYTHON})


def main():
    rows = [line.split() for line in bench("peers").stdout.splitlines() if " CPU " in line]
    if not rows:
        sys.exit("wrong: bench peers lists none on the CPU")
    # A version begins with a digit; where it is absent, the words "not installed" stand there.
    there = [row[:2] for row in rows if "not installed" not in " ".join(row)]
    if not there:
        print(f"skipped: needs a library of peers: none is in {PYTHON}")
        sys.exit(77)
    wrong = []
    for algorithm, variant in there:
        done = bench("verify", "--algo", algorithm, "--variants", variant, "--quick")
        print(done.stdout, done.stderr)
        if done.returncode != 0 or "1 of 1 variants right" not in done.stdout:
            wrong.append(f"{algorithm}/{variant}")
    if wrong:
        sys.exit("wrong: " + ", ".join(wrong))
    print(f"{len(there)} peers are right")


if __name__ == "__main__":
    main()
