#!/usr/bin/env python3
"""moved.py on two runs written here; the numbers of its table are computed by hand."""
import gzip
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).with_name("moved.py")
HEAD = ("algorithm,variant,backend,threads,input,size,answer,tuning,mode,status,launches,"
        "kernel_ms_median,kernel_ms_ci_low,kernel_ms_ci_high,"
        "end_to_end_ms,end_to_end_ms_ci_low,end_to_end_ms_ci_high")
# Algorithm, variant, backend, threads, launches; old median and interval; new median and interval.
CELLS = [
    ("lbp", "seq", "cpu", 1, 6, (10, 9, 12), (8, 7, 9.5)),       # by 25%, outside, overlap
    ("lbp", "omp", "cpu", 16, 6, (1, 0.9, 1.1), (1.05, 1, 1.2)),  # by 5%, inside
    ("lbp", "cuda_fast", "cuda", 1, 6, (2, 1.9, 2.1), (2.2, 2.15, 2.3)),  # by 10%, apart
    ("lbp", "cuda_naive", "cuda", 1, 6, (4, 3.9, 4.2), (4, 3.9, 4.1)),    # not at all
    ("lbp", "cuda_tiled", "cuda", 1, 2, (4, 3.9, 4.2), (8, 7.9, 8.1)),    # two launches
    ("copy", "cuda_fast", "cuda", 1, 6, (4, 3.9, 4.2), (8, 7.9, 8.1)),    # the roof's
]
EXPECTED = """\
| CPU, one thread | 1 | 25.0% | 25.0% | 0% | 100% |
| CPU, all threads | 1 | 5.0% | 5.0% | 100% | 100% |
| GPU, kernel | 2 | 5.0% | 10.0% | 50% | 50% |
| GPU, end to end | 2 | 5.0% | 10.0% | 50% | 50% |
"""


def text_of(new):
    lines = ["# a run", HEAD]
    for algorithm, variant, backend, threads, launches, *days in CELLS:
        times = ",".join(map(str, days[new]))
        lines.append(f"{algorithm},{variant},{backend},{threads},texture,512,,,hot,ok,{launches},"
                     f"{times},{times}")
    return "\n".join(lines) + "\n"


def main():
    with tempfile.TemporaryDirectory() as scratch:
        old, new = pathlib.Path(scratch, "old"), pathlib.Path(scratch, "new")
        old.mkdir()
        new.mkdir()
        (old / "results.csv").write_text(text_of(False), encoding="utf-8")
        with gzip.open(new / "results.csv.gz", "wt", encoding="utf-8") as file:
            file.write(text_of(True))
        done = subprocess.run([sys.executable, "-B", SCRIPT, old, new], capture_output=True,
                              text=True, check=False)
    print(done.stdout, done.stderr)
    return done.returncode != 0 or done.stdout.split("---:|\n")[-1] != EXPECTED


if __name__ == "__main__":
    sys.exit(main())
