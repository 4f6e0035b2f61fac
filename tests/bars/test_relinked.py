#!/usr/bin/env python3
"""relinked.py: the order of a link command; its numbers, on times of known spread; and programs of a
build of two object files, whose linker notes the order.

    test_relinked.py BENCH
"""
import math
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import relinked  # beside this file; pylint: disable=wrong-import-position

SCRIPT = pathlib.Path(__file__).with_name("relinked.py")
# The "linker" writes a program that is bench.
NINJA = """rule object
  command = touch $out
rule link
  command = : && ./ld -O3 $in -o $out -lm && :
build a.o: object
build b.o: object
build c.o: object
build bin/bench: link a.o b.o c.o
"""
LINKER = """#!/bin/sh
while [ "$1" != -o ]; do objects="$objects $1"; shift; done
printf '#!/bin/sh\\n#%s\\nexec {bench} "$@"\\n' "$objects" >"$2"
chmod +x "$2"
"""


def check_order():
    command = ": && /usr/bin/cc -O3 'a b.o' c.o d.o e.o -o bin/bench -lm && :"
    assert relinked.shuffled(command, "p", 0) == ": && /usr/bin/cc -O3 'a b.o' c.o d.o e.o -o p -lm && :"
    orders = {relinked.shuffled(command, "p", number) for number in range(30)}
    assert 10 < len(orders) <= 24, orders
    assert all(sorted(order.split()) == sorted(next(iter(orders)).split()) for order in orders)


def times(between, within, rounds=6, programs=8, seed=3):
    """Rounds differ by 10%, which is no difference of programs."""
    draw = random.Random(seed)
    of_program = [draw.gauss(0, between) for _ in range(programs)]
    return [[of_round + own + draw.gauss(0, within) for own in of_program]
            for of_round in (draw.gauss(0, 0.1) for _ in range(rounds))]


def check_numbers():
    within, between, p, farthest = relinked.judge(times(0.03, 0.005))
    assert 0.004 < within < 0.006 and 0.015 < between < 0.06 and p == 0 and 1.04 < farthest < 1.2
    within, between, p, farthest = relinked.judge(times(0, 0.01))
    assert 0.008 < within < 0.012 and between < 0.006 and p > 0.01 and farthest < 1.03
    below = sum(relinked.judge(times(0, 0.01, seed=seed))[2] < 0.05 for seed in range(40))
    assert below <= 6, below
    # By hand: two programs, 0.02 apart in both rounds; nothing within.
    within, between, p, farthest = relinked.judge([[0, 0.02], [1, 1.02]])
    assert within < 1e-9 and math.isclose(between, 0.02 / math.sqrt(2)) and math.isclose(farthest, math.exp(0.02))


def check_programs(bench):
    with tempfile.TemporaryDirectory() as scratch:
        build, out = pathlib.Path(scratch) / "build", pathlib.Path(scratch) / "out"
        (build / "bin").mkdir(parents=True)
        (build / "build.ninja").write_text(NINJA, encoding="utf-8")
        (build / "ld").write_text(LINKER.format(bench=bench), encoding="utf-8")
        (build / "ld").chmod(0o755)
        subprocess.run(["ninja", "-C", build, "-v"], check=True, capture_output=True)
        done = subprocess.run([sys.executable, SCRIPT, build, out, "--programs", "3", "--rounds", "2", "--", "--algo",
                               "lbp", "--variants", "seq,simd", "--sizes", "64x64", "--reps", "3"],
                              check=True, capture_output=True, text=True)
        lines = done.stdout.splitlines()
        assert len(lines) == 4 and lines[2].startswith("| lbp seq 64x64 |"), lines
        heads = [(out / f"bench-{number}").read_text(encoding="utf-8").splitlines()[1] for number in range(3)]
        assert heads[0] == "# -O3 a.o b.o c.o" and len(set(heads)) > 1, heads
        kept = (out / "round-0" / "0" / "results.csv").stat().st_mtime_ns
        subprocess.run([sys.executable, SCRIPT, build, out, "--programs", "3", "--rounds", "2"], check=True,
                       capture_output=True)
        assert (out / "round-0" / "0" / "results.csv").stat().st_mtime_ns == kept


def main():
    check_order()
    check_numbers()
    if shutil.which("ninja") is None:
        print("skipped: needs ninja")
        return 77
    check_programs(sys.argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
