#!/usr/bin/env python3
"""compare_runs.py on simulated runs: usage test_compare_runs.py PROGRAM

The launches of a cell differ by 3%, log-normal, as on a machine that is used by others; samples of a
launch by 0.5%. Of the ratios of a hundred and more pairs some are beyond the threshold, and a rule
that goes by samples calls most of the pairs different.
"""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

RUNS, LAUNCHES, SAMPLES = 12, 8, 5
CELLS = {"lbp/seq/texture/512": 2e-3, "lbp/simd/texture/512": 1e-4, "copy/seq/texture/512": 1e-5}
SCRIPT = pathlib.Path(__file__).with_name("compare_runs.py")


def simulate(folder, random_source, factors):
    entries = []
    for name, median in CELLS.items():
        samples = []
        for _ in range(LAUNCHES):
            level = median * factors.get(name, 1) * math.exp(random_source.gauss(0, 0.03))
            samples += [level * math.exp(random_source.gauss(0, 0.005)) for _ in range(SAMPLES)]
        keys = dict(zip(("algorithm", "variant", "input", "size"), name.split("/")))
        entries.append({"name": name, "run_name": name, **keys, "answer": {}, "tuning": {},
                        "input_hash": "0", "mode": "hot", "verified": True, "converged": True,
                        "best_tuning": True, "kernel_samples_s": samples,
                        "kernel_turns": [[launch, 0, SAMPLES] for launch in range(LAUNCHES)],
                        "end_to_end_samples_s": []})
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(
        {"context": {"json_schema_version": 1}, "benchmarks": entries, "failures": [], "skipped": []}), encoding="utf-8")


def bar(program, *words):
    done = subprocess.run([sys.executable, SCRIPT, program, *map(str, words)], capture_output=True,
                          text=True, check=False)
    print(*words[:1], done.stdout.replace("\n", "; "), done.stderr)
    return done


def main():
    program = sys.argv[1]
    source = random.Random(20261123)
    with tempfile.TemporaryDirectory() as scratch:
        old, new = pathlib.Path(scratch) / "old", pathlib.Path(scratch) / "new"
        for run in range(RUNS):
            simulate(old / f"{run:02}", source, {})
            # The roof is half as long again, which no comparison may call slower.
            simulate(new / f"{run:02}", source,
                     {"lbp/simd/texture/512": 1.10, "copy/seq/texture/512": 1.5})
        checks = [
            (bar(program, "aa", old, "--at-most", 0.02), 0, "132 comparisons: "),
            (bar(program, "plant", old, "simd", 1.10, "--at-least", 0.95), 0, "find simd slower"),
            (bar(program, "plant", old, "simd", 1.00, "--at-least", 0.95), 1, "find simd slower"),
            (bar(program, "across", old, new, "simd", "--at-least", 0.95), 0, "144 comparisons: "),
            (bar(program, "across", old, new, "seq", "--at-most", 0.02), 0, "find seq slower"),
            (bar(program, "aa", scratch), 1, ""),
        ]
        for done, code, fragment in checks:
            if done.returncode != code or fragment not in done.stdout:
                sys.exit(f"exit code {done.returncode} instead of {code}: {done.stdout}")


main()
