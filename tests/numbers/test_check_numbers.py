#!/usr/bin/env python3
"""check_numbers.py finds what is wrong with a chapter, and mends what can be mended.

    test_check_numbers.py ROOT BENCH

First on a page, a run and a program made for it; then every number that the chapters of ROOT hold is
changed in one digit.
"""
import csv
import json
import os
import sys
import tempfile

import chapters
import check_numbers
from stored import Store

LAUNCHES = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5)
# variant, size, tuning, kernel time, low, high, end to end, over the best CPU, low, high, stages
ROWS = (
    ("seq", "4K", "", 1009.4, "", "", 1009.4, 0.01, 0.009, 0.011, ""),
    ("omp", "4K", "threads:8", 12, "", "", 12, 0.83, 0.8, 0.9, "sums:2,sort:9.5"),
    ("omp", "4K", "threads:16", 10, 9.4, 11, 10, 1, 1, 1, "sums:1,sort:8.25"),
    ("cuda_fast", "4K", "", 0.4355, 0.43, 0.45, 9.6, 23.4, 21, 25, ""),
    ("cuda_tiled", "4K", "", 0.91, "", "", 9.9, 1.02, 0.97, 1.1, ""),
    ("cuda_fast", "8K", "", 1.25, "", "", 40, 30.4, 29, 31, ""),
)
COLUMNS = ("variant", "size", "tuning", "kernel_ms_median", "kernel_ms_ci_low", "kernel_ms_ci_high",
           "end_to_end_ms", "speedup_vs_best_cpu", "speedup_vs_best_cpu_ci_low",
           "speedup_vs_best_cpu_ci_high", "stages_ms")
# algorithm, variant, backend, tuning, library, another definition, kernel time, over the best other code, low, high,
# threads, launches, launches that were disturbed, by, least kernel time
PEERS = (
    ("lbp", "seq", "cpu", "", "", "", 9, 0.33, 0.3, 0.4),
    ("lbp", "omp", "cpu", "threads:8", "", "", 2, 1.5, 1.2, 1.8),
    ("lbp", "opencv", "cpu", "", "OpenCV 5", "", 3, "", "", ""),
    ("lbp", "numpy", "cpu", "", "NumPy 2", "", 30, "", "", ""),
    ("lbp", "cuda_fast", "cuda", "", "", "", 0.02, 0.5, 0.4, 0.6),
    ("lbp", "cub", "cuda", "", "CUB 3", "", 0.01, "", "", ""),
    ("fast", "omp", "cpu", "threads:8", "", "", 1.04, 0.98, 0.9, 1.1),
    ("fast", "opencv", "cpu", "threads:2", "OpenCV 5", "levels", 1.02, "", "", ""),
    ("fast", "cuda_fast", "cuda", "", "", "", 0.5, "", "", ""),
    ("bad", "omp", "cpu", "threads:8", "", "", 1, 4, 3, 5),
    ("bad", "opencv", "cpu", "threads:2", "OpenCV 5", "", 4, "", "", "", 2, 6, 3, "a slow phase"),
    ("sum", "omp", "cpu", "threads:8", "", "", 1, 4, 3, 5),
    ("sum", "opencv", "cpu", "threads:2", "OpenCV 5", "", 4, "", "", "", 2, 6, 6, "other programs", 2),
    ("far", "omp", "cpu", "threads:8", "", "", 1, 4, 3, 5),
    ("far", "opencv", "cpu", "threads:2", "OpenCV 5", "", 4, "", "", "", 2, 6, 6, "other programs", 1),
)
PEER_COLUMNS = ("algorithm", "variant", "backend", "tuning", "library", "another_definition", "kernel_ms_median",
                "speedup_vs_best_peer", "speedup_vs_best_peer_ci_low", "speedup_vs_best_peer_ci_high", "threads",
                "launches", "launches_disturbed", "disturbed_by", "kernel_ms_min")
REPORT = """# A paper

### Table 1

**Threads**

|  | Time (ms): measured | Time (ms): published |
| --- | --: | --: |
| 2 threads | **0.8663** | 12.60 |
| 4 threads | 0.6134 | 7.53 |
| 8 threads | 0.3658 | 6.73 |
"""
PROGRAM = """#!/bin/sh
case $1 in
show) printf '\\none\\n\\ntwo, 2\\n\\nthree\\n' ;;
report)
    mkdir "$6/tables"
    printf 'variant,by kernel time\\n' >"$6/tables/crossover.csv"
    printf 'cuda_fast,until 4.14 Mpixel (3.43 to 5.00)\\n' >>"$6/tables/crossover.csv"
    ;;
*) echo "no $1" >&2; exit 2 ;;
esac
"""
PAGE = """# A page

<!-- numbers
from box/run size=4K
rows variant
columns - | kernel_ms_median | decided(speedup_vs_best_cpu[by=kernel_ms_median]) | end_to_end_ms
row cuda_tiled | - | kernel_ms_median | decided(speedup_vs_best_cpu) | end_to_end_ms
also box/none box/more -->
<!-- bench list -->
| variant, 4K | kernel | over the CPU | end to end |
|---|---|---|---|
| `seq` | 1009 ms | 0.010× | 1009 ms |
| `omp`, 16 threads | 10.0 ms | 1× | 10.0 ms |
| `cuda_fast` | **436 µs** | 23× | 9.60 ms |
| `cuda_tiled` | 0.910 ms | undecided | 9.90 ms |
| `cuda_slow` | | | |
| `cuda_other` | 2.50 ms | 0.40× | 11.0 ms |
| `cuda_graph` | skipped | | |

<!-- numbers
from box/run size=4K
text 16, kernel_ms_median[variant=omp], ci(kernel_ms_median[variant=omp]), 2,
  within(kernel_ms_median[variant=omp tuning=threads:16] / kernel_ms_median[variant=cuda_fast]),
  stages_ms:sort[variant=omp by=kernel_ms_median],
  us(kernel_ms_median[variant=cuda_fast]), range(speedup_vs_best_cpu[variant=cuda_fast size=4K,8K]),
  max(speedup_vs_best_cpu[variant=cuda_fast size=4K,8K] over size), count, fact("cpu_count")
holds kernel_ms_median[variant=cuda_fast] < kernel_ms_median[variant=omp]
from box/studies/paper
text table("Table 1", "2 threads", "Time"), range(table("Threads", "2 threads..8 threads", "Time (ms): published"))
from box/notes.txt
text line("rate of all"), max(lines("took")) -->
On 16 threads, 3840×2160, `omp` takes 10.0 ms (9.4 to 11.0), 2 of them copies: the kernel is 23.04× faster
within launches. The sort takes 8.25 ms, the kernel 436 µs; the GPU is 23 to 30× faster, at most 30×.
There are 5 rows from 32 processors. [Two threads](page-7.md) take 0.866 ms; the paper's 6.73 to 12.60.
All move 155 of 200, and take up to 7 s on 2026-11-23 in lbp-2020.

- An item of a list that says nothing: 17%.
- Another: 1009 ms, or 11,400 in all, or 98 to 102.
  <!-- numbers from box/run size=4K; text kernel_ms_median[variant=seq], 11362 * count[variant=seq], 98, 102 -->

<!-- numbers output 2 bench show box/run -->
```
one

two, 2
```

<!-- numbers
from box/run
columns - | words("crossover", "cuda_fast", "by kernel time")
row cuda_fast -->
| variant | crossover |
|---|---|
| `cuda_fast` | until 4.14 Mpixel (3.43 to 5.00) |

<!-- numbers from box/run size=4K; text count[tuning=], count[tuning!=] -->
3 rows have no tuning, 2 have one.

<!-- numbers
from box/run size=4K
columns - | decided(speedup_vs_best_cpu), ci(speedup_vs_best_cpu)
row cuda_fast variant=cuda_fast -->
| variant | over the CPU |
|---|---|
| `cuda_fast` | 23× (21 to 25) |

<!-- numbers
peers
row "lbp, 4K" from=box/peers algorithm=lbp
row fast from=box/peers algorithm=fast
row orb from=box/later algorithm=orb -->
| algorithm | CPU (A processor, 32 processors), ms | best other code, CPU | its, ms | this program | GPU (A device), ms | best other code, GPU | its, ms | this program |
|---|--:|---|--:|--:|--:|---|--:|--:|
| **CUB 3 is 2.0× faster on the GPU**: `lbp`, 4K | 2.00 (`omp`) | OpenCV 5 (opencv) | 3.00 | 1.5× (1.2 to 1.8) | 0.0200 (`cuda_fast`) | **CUB 3 (cub)** | 0.0100 | **0.50× (0.40 to 0.60)** |
| `fast` | 1.04 (`omp`) | OpenCV 5 (opencv/threads:2), another definition | 1.02 | undecided (0.90 to 1.1) | 0.500 (`cuda_fast`) | none | – | – |

<!-- numbers
peers
row orb from=box/later algorithm=orb -->
It is measured later.

A disturbed time decides nothing; that threads of a library pause is no disturbance, if no sample is much shorter.

<!-- numbers
peers cpu
row bad from=box/peers algorithm=bad
row sum from=box/peers algorithm=sum
row far from=box/peers algorithm=far -->
| algorithm | CPU (A processor, 32 processors), ms | best other code, CPU | its, ms | this program |
|---|--:|---|--:|--:|
| `bad` | 1.00 (`omp`) | OpenCV 5 (opencv/threads:2) | 4.00 | undecided (3.0 to 5.0) |
| `sum` | 1.00 (`omp`) | OpenCV 5 (opencv/threads:2) | 4.00 | 4.0× (3.0 to 5.0) |
| `far` | 1.00 (`omp`) | OpenCV 5 (opencv/threads:2) | 4.00 | undecided (3.0 to 5.0) |

<!-- numbers
peers gpu
row "lbp, 4K" from=box/peers algorithm=lbp
row fast from=box/peers algorithm=fast -->
| algorithm | GPU (A device), ms | best other code, GPU | its, ms | this program |
|---|--:|---|--:|--:|
| **CUB 3 is 2.0× faster on the GPU**: `lbp`, 4K | 0.0200 (`cuda_fast`) | **CUB 3 (cub)** | 0.0100 | **0.50× (0.40 to 0.60)** |
| `fast` | 0.500 (`cuda_fast`) | none | – | – |

<!-- numbers
peers brief
row "lbp, 4K" from=box/peers algorithm=lbp
row fast from=box/peers algorithm=fast
row orb from=box/later algorithm=orb -->
| algorithm | what it computes | CPU: A processor, 32 processors | GPU: A device |
|---|---|---|---|
| `lbp`, 4K | patterns | 2.00 ms, **1.5×** (1.2 to 1.8) faster than OpenCV 5: 3.00 ms | **CUB 3: 0.0100 ms, 2.0× (1.7 to 2.5) faster** than 0.0200 ms |
| `fast` | corners | 1.04 ms, undecided (0.90 to 1.1) against OpenCV 5, another definition: 1.02 ms | 0.500 ms |
| `orb` | descriptors | | |

<!-- numbers none sizes are no measurements -->
| size | 4 |
|---|---|
| 5 | 6 |

| not held | 8 ms |
|---|---|
| 5 | 6 |

The syntax: `<!-- numbers from … -->`, or

```
<!-- numbers from nowhere -->
```
"""

# What is wrong: text of the page, what to put in its place, a piece of the error; then whether
# --update leaves the page as it was.
MISTAKES = (
    ("10.0 ms | 1×", "10.1 ms | 1×", "10.1 is 10", True),
    ("| 9.90 ms |", "| 9.91 ms |", "9.91 is 9.9", True),
    ("**436 µs**", "**434 µs**", "434 is 435.5", True),
    ("| 23× |", "| 24× |", "24 is 23.4", True),
    ("| 23× |", "| undecided |", "'undecided' is 23.4", True),
    ("| undecided |", "| 1.0× |", "1.0 is undecided", True),
    ("3 rows have no tuning", "4 rows have no tuning", "4 is 3", True),
    ("2 have one", "5 have one", "5 is 2", True),
    ("| 23× (21 to 25) |", "| |", "'' is 23.4; 21; 25", True),
    ("| 9.60 ms |", "| |", "'' is 9.6", True),
    ("| 2.50 ms |", "| 2.60 ms |", "2.60 is 2.5", True),
    ("| 2.50 ms |", "| |", "'' is 2.5", True),
    ("| `cuda_slow` | | | |", "| `cuda_slow` | 3 ms | | |", "has no kernel_ms_median where", False),
    ("| skipped | |", "| skipped | 3× |", "has no speedup_vs_best_cpu where", False),
    ("takes 10.0 ms (9.4", "takes 10.0 ms (9.5", "9.5 is 9.4", True),
    ("is 23.04× faster", "is 22.96× faster", "22.96 is 23.0357", True),
    ("takes 8.25 ms", "takes 9.50 ms", "9.50 is 8.25", True),
    ("the kernel 436 µs", "the kernel 437 µs", "437 is 435.5", True),
    ("23 to 30× faster", "23 to 31× faster", "31 is 30.4", True),
    ("There are 5 rows", "There are 6 rows", "6 is 5", True),
    ("from 32 proc", "from 33 proc", "33 is 32", True),
    ("take 0.866 ms", "take 0.867 ms", "0.867 is 0.8663", True),
    ("6.73 to 12.60", "6.73 to 12.61", "12.61 is 12.6", True),
    ("155 of 200", "155 of 201", "201 is 200", True),
    ("up to 7 s", "up to 6 s", "6 is 7", True),
    ("1009 ms", "1010 ms", "1010 is 1009.4", True),
    ("or 11,400 in", "or 11,500 in", "11,500 is 11362", True),
    ("98 to 102", "98 to 101", "the marker has 102 where the text has 101", False),
    ("On 16 threads", "On 15 threads", "the marker has 16 where the text has 15", False),
    ("two, 2\n", "two, 3\n", "'two, 3' is 'two, 2'", True),
    ("until 4.14", "until 4.15", "is 'until 4.14 Mpixel (3.43 to 5.00)'", True),
    ("| 3.00 | 1.5×", "| 3.01 | 1.5×", "| 3.00 |", True),
    ("**CUB 3 (cub)**", "CUB 3 (cub)", "**CUB 3", True),
    ("| none | – | – |", "| none | | |", "| none | – | – |", True),
    ("| **CUB 3 is 2.0× faster on the GPU**: `lbp`, 4K | 2.00", "| `lbp`, 4K | 2.00", "'| `lbp`, 4K | 2.00", True),
    ("| **CUB 3 is 2.0× faster on the GPU**: `lbp`, 4K | 0.02", "| `lbp`, 4K | 0.02", "'| `lbp`, 4K | 0.02", True),
    ("**1.5×** (1.2", "**1.6×** (1.2", "**1.5×** (1.2", True),
    ("**CUB 3: 0.0100 ms, 2.0× (1.7 to 2.5) faster** than", "CUB 3: 0.0100 ms, 2.0× (1.7 to 2.5) faster than", "**CUB 3: 0.0100", True),
    ("| `orb` | descriptors | | |\n", "", "the table has no row 'orb'", False),
    ("peers gpu", "peers tpu", "not 'tpu'", False),
    ("It is measured later.", "It takes 3 ms.", "no run of them is stored", False),
    ("algorithm=fast\n", "algorithm=fast | -\n", "no cells of its own", False),
    ("2 of them copies", "some of them copies", "the text has 18 numbers, its marker 19", False),
    ("[variant=cuda_fast] < kernel_ms_median[variant=omp]", "[variant=omp] < kernel_ms_median[variant=cuda_fast]",
     "does not hold", False),
    ("from box/run size=4K\nrows", "from box/ran size=4K\nrows",
     "reports/results has no box/ran", False),
    ("from box/run size=4K\ntext", "from box/run size=2K\ntext",
     "has no kernel_ms_median where size=2K", False),
    ("from box/studies/paper", "from box/studies/papers", "box/studies/papers", False),
    ("from box/notes.txt", "from box/note.txt", "reports/results has no box/note.txt", False),
    ("rows variant", "rows varient", "has no column or axis varient", False),
    ("| end_to_end_ms\n", "| end_to_end\n", "has no column or axis end_to_end", False),
    ("- | kernel_ms_median | decided", "- | kernel_ms_median | - | decided",
     "4 columns, its marker 5", False),
    ("row cuda_fast -->", "row cuda_fats -->", "the table has no row 'cuda_fats'", False),
    ("row cuda_fast -->", "row cuda_fast | - -->", "has 2 cells, its marker 1", False),
    ('"2 threads", "Time"', '"3 threads", "Time"', "has 0 rows 3 threads", False),
    ('"2 threads", "Time"', '"2 threads", "Times"', "has 0 columns Times", False),
    ('table("Table 1"', 'table("Table 2"', "has no table Table 2", False),
    ('line("rate of all")', 'line("rate of none")', "has 0 lines with rate of none", False),
    ('lines("took")', 'lines("takes")', "has no takes", False),
    ('fact("cpu_count")', 'fact("cpus")', "has no cpus", False),
    ("within(kernel_ms_median[variant=omp tuning=threads:16] / kernel_ms_median[variant=cuda_fast])",
     "kernel_ms_median[variant=omp] / kernel_ms_median[variant=cuda_fast]", "divided within launches", False),
    ("within(kernel_ms_median[variant=omp tuning=threads:16]", "within(upload_ms[variant=omp]",
     "not upload_ms", False),
    ("[variant=omp by=kernel_ms_median]", "[variant=omp by=speedup]", "has no speedup where", False),
    ("us(kernel_ms_median[variant=cuda_fast])", "us(speedup_vs_best_cpu)",
     "5 rows where size=4K: which one", False),
    ("us(kernel_ms_median[variant=cuda_fast])", "us(kernel_ms_median[variant=cuda_fast size=4K,8K])",
     "2 rows where size=4K,8K variant=cuda_fast: which one", False),
    ("us(kernel", "usec(kernel", "no function usec", False),
    ("us(kernel_ms_median[variant=cuda_fast])", "us(kernel_ms_median[variant=cuda_fast]",
     "ends too soon", False),
    ("count, fact", "count count, fact", "'count,fact(", False),
    ("us(kernel_ms_median[variant=cuda_fast])", "us(kernel_ms_median[variant])",
     "'variant' is no key=value", False),
    ("max(lines", "max(line", "has 2 lines with took", False),
    ('max(lines("took"))', 'max(lines(took))', "lines takes t", False),
    ("columns - | kernel", "colums - | kernel", "4 columns, its marker", False),
    ("row cuda_tiled | -", "row cuda_timed | -", "the table has no row 'cuda_timed'", False),
    ("row cuda_tiled | -", 'row "" | -', "a name is missing", False),
    ("from box/run size=4K\nrows variant", "size=4K", "a marker begins with", False),
    ("<!-- numbers none sizes are no measurements -->", "<!-- numbers none -->",
     "with the reason", False),
    ("<!-- numbers none sizes are no measurements -->", "<!-- numbers -->", "says nothing", False),
    ("output 2 bench show", "output 2 bench showw", "no showw", False),
    ("output 2 bench show", "output bench show", "output N bench COMMAND", False),
    ("- Another: 1009 ms, or 11,400 in all, or 98 to 102.\n  <!--", "  <!--",
     "the text has 1 numbers", False),
    ("All move 155", "<!-- numbers none it is within a line --> All move 155",
     "lines of their own", False),
    ("`<!-- numbers from … -->`, or", "<!-- numbers from … -->, or", "lines of their own", False),
)
FITS = (("12,000", 11963, True), ("12,000", 12600, False), ("11,400", 11449, True), ("11,400", 11451, False),
        ("100", 99.6, True), ("100", 99.4, False), ("1009", 1009.4, True), ("1000", 1009, False),
        ("0.0988", 0.09876, True), ("0.43", 0.4355, False), ("2.10", 2.104, True), ("38", 37.948, True))
WRITTEN = ((0.098765, 3, "0.0988"), (9.9996, 3, "10.0"), (11368.2, 3, "11,400"), (1009.4, 4, "1009"),
           (99.95, 2, "100"), (5.96, 2, "6.0"), (1.0, 1, "1.0"), (1.04, 1, "1.0"),
           (49000.3, 2, "49,000"), (0, 3, "0"),
           (102.4, 3, "102"), (998.7, 2, "999"), (10449.0, 2, "10,000"), (123456.0, 9, "123,456"))
REWRITTEN = (("9.72", 10.31, "10.3"), ("98", 102.4, "102"), ("5.9", 6.0, "6.0"), ("21", 3.0, "3"), ("1", 1.2, "1.2"),
             ("11,400", 9871.3, "9871"), ("12,000", 104321.0, "100,000"), ("0.43", 0.4355, "0.44"))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def json_entries(row):
    """A launch each: kernel times that rise and fall apart, so that ratios within launches differ
    from that of medians."""
    variant, size, tuning, kernel = row[:4]
    times = LAUNCHES if variant == "omp" else LAUNCHES[::-1]
    for launch, factor in enumerate(times):
        entry = {"name": "/".join(row[:3]), "real_time": 1e6 * kernel * factor, "launch": launch}
        if launch == 0:
            entry.update({"algorithm": "lbp", "variant": variant, "input": "texture", "size": size,
                          "answer": {}, "tuning": dict([tuning.split(":")]) if tuning else {}})
        yield entry


def make_root(root):
    results = os.path.join(root, "reports", "results", "box")
    os.makedirs(os.path.join(results, "run"))
    with open(os.path.join(results, "run", "results.csv"), "w", encoding="utf-8", newline="") as file:
        file.write("# cpu_count: 32\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("algorithm", "input", "answer", "status", "launches", *COLUMNS))
        writer.writerows(("lbp", "texture", "", "ok", 6, *row) for row in ROWS)
    entries = [entry for row in ROWS for entry in json_entries(row)]
    write(os.path.join(results, "run", "results.json"), json.dumps({"context": {}, "benchmarks": entries}))
    os.makedirs(os.path.join(results, "more"))
    with open(os.path.join(results, "more", "results.csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("algorithm", "input", "answer", "status", "launches", *COLUMNS))
        writer.writerow(("lbp", "texture", "", "ok", 6, "cuda_other", "4K", "", 2.5, "", "", 11, 0.4, 0.35, 0.45, ""))
    os.makedirs(os.path.join(results, "peers"))
    with open(os.path.join(results, "peers", "results.csv"), "w", encoding="utf-8", newline="") as file:
        file.write("# cpu_model: A(R) processor(TM) CPU\n# cpu_count: 32\n# gpu_model: A device\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("input", "size", "answer", "status", *PEER_COLUMNS))
        writer.writerows(("texture", "4K", "", "ok", *row) for row in PEERS)
    write(os.path.join(results, "studies", "paper", "report.md"), REPORT)
    write(os.path.join(results, "notes.txt"), "rate of all   155 200 MB\ntook 5.5 s\nit took\t7 s\n")
    program = os.path.join(root, "bench")
    write(program, PROGRAM)
    os.chmod(program, 0o755)
    return program


def updated(root, program):
    """The page after --update, without what that prints."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        kept, sys.stdout = sys.stdout, nowhere
        try:
            check_numbers.update(root, program)
        finally:
            sys.stdout = kept
    return check_numbers.text_of(root, "README.md")


def try_mistake(root, program, right, wrong, error, mended):
    """What was missed, or None."""
    text = PAGE.replace(right, wrong, 1)
    if text == PAGE:
        return "the page has no such text"
    write(os.path.join(root, "README.md"), text)
    errors, _ = check_numbers.check(root, program)
    if not any(error in line for line in errors):
        return f"not found: {errors}"
    after = updated(root, program)
    if mended and after != PAGE or not mended and after != text:
        return "--update " + ("does not mend it" if mended else "changes the page")
    return None


def try_mistakes(root, program):
    write(os.path.join(root, "README.md"), PAGE)
    errors, held = check_numbers.check(root, program)
    missed = [f"the right page: {error}" for error in errors]
    if held != 46:
        missed.append(f"the right page holds {held} numbers, not 46")
    for right, wrong, error, mended in MISTAKES:
        problem = try_mistake(root, program, right, wrong, error, mended)
        if problem is not None:
            missed.append(f"{wrong!r} in place of {right!r}: {problem}")
    write(os.path.join(root, "README.md"), PAGE)
    listed = check_numbers.unheld(root)
    if [line.split(": ")[1] for line in listed] != ["text, 1 numbers", "table, 3 numbers"]:
        missed.append(f"--list: {listed}")
    for old, new, words in (("1,000", "1,051", " (+5%)"), ("1000", "1050", ""), ("2.0", "1.8", " (-10%)"), ("0", "3", ""),
                            ("undecided", "1.2", "")):
        if check_numbers.moved_by(old, new) != words:
            missed.append(f"moved: {old} to {new}: '{check_numbers.moved_by(old, new)}'")
    return missed + try_alone(root)


def try_alone(root):
    """The page has two such blocks: one more than listed is an error, one less too, and a line of another form."""
    os.makedirs(os.path.join(root, "tests", "numbers"))
    missed = [] if check_numbers.errors_of_alone(root) == [] else ["alone: errors without a list"]
    for line, error in (("README.md 2: words", None), ("README.md 1: words", "README.md: 2 blocks have numbers"),
                        ("# nothing", "README.md: 2 blocks have numbers"), ("README.md 3: words", "still has 3"),
                        ("README.md 2: words\nOTHER.md 1: words", "OTHER.md: 0 blocks")):
        write(os.path.join(root, check_numbers.ALONE), line + "\n")
        errors = check_numbers.errors_of_alone(root)
        if (error is None) != (errors == []) or error is not None and error not in errors[0]:
            missed.append(f"alone, {line!r}: {errors}")
    write(os.path.join(root, check_numbers.ALONE), "README.md two: words\n")
    try:
        check_numbers.errors_of_alone(root)
        missed.append("alone: a line of another form is taken")
    except ValueError:
        pass
    return missed


def try_rounding():
    missed = []
    for text, number, new in REWRITTEN:
        found = chapters.rewritten(number, chapters.items_in(text)[0])
        if found != new:
            missed.append(f"{number} in place of {text} is {found}, not {new}")
    for text, number, right in FITS:
        if chapters.fits(number, chapters.items_in(text)[0]) != right:
            missed.append(f"{text} for {number}: not {right}")
    for number, digits, text in WRITTEN:
        if chapters.written(number, digits) != text:
            missed.append(f"{number} of {digits} digits is {chapters.written(number, digits)}, not {text}")
    return missed


def other_digit(text):
    """The number with its last digit that counts two higher, or eight lower."""
    places = [place for place, character in enumerate(text) if character.isdigit()]
    if "." not in text and len(places) > 4:
        while len(places) > 1 and text[places[-1]] == "0":
            places.pop()
    at = places[-1]
    return text[:at] + str((int(text[at]) + 2) % 10) + text[at + 1:]


def try_chapters(root, bench):
    """Every number that a chapter holds is changed: which were not found, and how many there are."""
    store, missed, count = Store(root, bench), [], 0
    for name in check_numbers.chapter_names(root):
        text = wrong = check_numbers.text_of(root, name)
        held = check_numbers.check_chapter(name, text, store).held
        for start, end in held:
            if text[start:end].replace(",", "").replace(".", "").isdigit():
                wrong = wrong[:start] + other_digit(text[start:end]) + wrong[end:]
        found = {start for start, _, _ in check_numbers.check_chapter(name, wrong, store).changes}
        for start, end in held:
            if wrong[start:end] != text[start:end]:
                count += 1
                if start not in found:
                    line = text.count("\n", 0, start) + 1
                    missed.append(f"{name}:{line}: {wrong[start:end]} for {text[start:end]}")
    return missed, count


def main():
    root, bench = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        missed = try_mistakes(folder, make_root(folder)) + try_rounding()
    unfound, count = try_chapters(root, os.path.abspath(bench))
    missed += unfound
    print("\n".join(missed) if missed else
          f"{len(MISTAKES)} mistakes found, and {count} changed numbers of the chapters")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
