#!/usr/bin/env python3
"""Writes the recorded runs that the tests of comparison read, beside this script.

Runs of this program's schema with three cells of eight launches of three samples, and runs of
Google Benchmark's with 10 repetitions. The noise is seeded: running the script again writes the
same bytes.
"""
import json
import os
import random

FOLDER = os.path.dirname(os.path.abspath(__file__))
SEQ = "lbp/seq/texture/1080p"
SIMD = "lbp/simd/texture/1080p"
OMP = "lbp/omp/texture/1080p/threads:2"
COPY = "copy/seq/texture/1080p"
MEDIANS = {SEQ: 8.0e-3, SIMD: 4.0e-4, OMP: 2.2e-4}
MACHINE = {
    "cpu_model": "Example CPU",
    "cpu_count": 4,
    "commit": "0123456789ab",
    "dirty": "no",
    "c_compiler": "GNU 12.2.0",
    "c_flags": "-O3",
}
IDENTITY = ["cpu_model", "cpu_count", "commit", "dirty", "c_compiler", "c_flags"]


def samples(median, noise, count, seed):
    """Times around the median, with the longer tail upwards that times have."""
    source = random.Random(seed)
    return [median * (1 + noise * (source.gauss(0, 0.7) + source.expovariate(2) - 0.35))
            for _ in range(count)]


def write(name, document):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


def launch_samples(median, spread, launches, count, seed):
    """The samples of all launches; the level of each launch is its own."""
    source = random.Random(f"{seed} levels")
    levels = [median * source.gauss(1, spread) for _ in range(launches)]
    return [time for launch, level in enumerate(levels)
            for time in samples(level, 0.002, count, f"{seed} {launch}")]


def row(cell, verified):
    """The keys of a cell that identify its row: algorithm/variant/input/size/axis:value,…"""
    algorithm, variant, *source, size, tuning = (cell if ":" in cell.split("/")[-1] else cell + "/").split("/")
    values = dict(pair.split(":") for pair in tuning.split(",") if pair)
    return {"algorithm": algorithm, "variant": variant, "backend": "cpu", "input": "/".join(source),
            "size": size, "answer": {}, "tuning": {axis: int(value) for axis, value in values.items()},
            "input_hash": "0", "mode": "hot", "verified": verified, "converged": True,
            "best_tuning": True, "kernel_samples_s": [], "end_to_end_samples_s": [],
            "with_alloc_samples_s": []}


def own(name, seed, factors=None, spread=None, launches=8, count=3, leave_out=(), add=None,
        machine=None, input_hash="00000000deadbeef", mode="hot", floor=None, failed=None, skipped=None):
    """A results file of this program; factors and spreads from launch to launch are by cell, and so
    are the reasons of those that failed or were skipped."""
    untimed = {**(failed or {}), **(skipped or {})}
    medians = {cell: median for cell, median in MEDIANS.items()
               if cell not in leave_out and cell not in untimed}
    medians.update(add or {})
    entries = []
    for index, (cell, median) in enumerate(medians.items()):
        times = launch_samples(median * (factors or {}).get(cell, 1), (spread or {}).get(cell, 0.01),
                               launches, count, f"{seed} {index}")
        entries.append({
            **row(cell, True), "name": cell, "run_name": cell, "run_type": "iteration", "repetitions": launches,
            "repetition_index": 0, "threads": 1, "iterations": count,
            "real_time": sorted(times)[len(times) // 2] * 1e9, "cpu_time": 1.0, "time_unit": "ns",
            "cell": index, "input_hash": input_hash, "mode": mode, "kernel_samples_s": times,
        })
        if launches > 1:
            entries[-1]["kernel_turns"] = [[launch, 0, count] for launch in range(launches)]
    context = {"num_cpus": 4, "json_schema_version": 1, "machine": {**MACHINE, **(machine or {})},
               "machine_identity": IDENTITY}
    if floor is not None:
        context["noise_floor"] = floor
    write(name, {"context": context, "benchmarks": entries,
                 "failures": [{**row(cell, False), "name": cell, "error_message": why}
                              for cell, why in (failed or {}).items()],
                 "skipped": [{**row(cell, False), "name": cell, "skip_message": why}
                             for cell, why in (skipped or {}).items()]})


def google(name, seed, factor, unit, scale, failed=(), repetitions=True, counters=()):
    """A file of Google Benchmark with --benchmark_repetitions=10: `failed` are (cell, repetition) that
    give an error; without repetitions it has aggregates alone."""
    entries = []
    for family, (cell, median) in enumerate([("BM_copy/64", 3e-6), ("BM_sort/1024", 5e-5)]):
        times = samples(median * (factor if cell == "BM_sort/1024" else 1), 0.02, 10,
                        f"{seed} {family}")
        common = {"family_index": family, "run_name": cell, "repetitions": 10, "threads": 1,
                  "iterations": 1000, "time_unit": unit}
        for index, time in enumerate(times if repetitions else ()):
            entries.append({"name": cell, "run_type": "iteration", "repetition_index": index,
                            "real_time": time / scale, "cpu_time": time / scale, **common,
                            **dict(counters)})
            if (cell, index) in failed:
                entries[-1].update(error_occurred=True, error_message="wrong answer", real_time=0.0)
        aggregates = {"mean": 1e9}
        if not repetitions:
            aggregates.update(median=sorted(times)[5] / scale, stddev=0.0, BigO=2.0, RMS=1e-3)
        for kind, time in aggregates.items():
            entries.append({"name": f"{cell}_{kind}", "run_type": "aggregate", "aggregate_name": kind,
                            "real_time": time, "cpu_time": time, **common})
    if failed:
        entries.append({"name": "BM_broken", "run_name": "BM_broken", "run_type": "iteration",
                        "error_occurred": True, "error_message": "no such file", "real_time": 0.0,
                        "cpu_time": 0.0, "time_unit": unit})
    entries.append({"name": "BM_left_out", "run_name": "BM_left_out", "run_type": "iteration",
                    "skipped": True, "skip_message": "not here", "real_time": 0.0,
                    "cpu_time": 0.0, "time_unit": unit})
    write(name, {"context": {"date": "2026-01-01T00:00:00+00:00", "host_name": seed,
                             "num_cpus": 4, "mhz_per_cpu": 3000, "library_build_type": "release",
                             "caches": [{"type": "Data", "level": 1, "size": 32768,
                                         "num_sharing": 1}]},
                 "benchmarks": entries})


own("base.json", "base")
own("again.json", "again", machine={"commit": "ba9876543210", "dirty": "yes"})
own("slower10.json", "slower10", factors={SIMD: 1.10})
own("faster10.json", "faster10", factors={SIMD: 1 / 1.10})
own("slower3.json", "slower3", factors={SIMD: 1.03})
own("noisy.json", "noisy8", factors={SIMD: 1.08}, spread={SIMD: 0.15})
own("few.json", "few", factors={SIMD: 1.30}, launches=3)
own("one_old.json", "one old", launches=1, count=15)
own("one_new.json", "one new", factors={SIMD: 1.30}, launches=1, count=15, floor=0.15)
own("roof_old.json", "roof old", add={COPY: 1e-4})
own("roof_new.json", "roof new", add={COPY: 1e-4}, factors={COPY: 1.5})
own("missing.json", "missing", leave_out=[OMP], add={"lbp/omp/texture/1080p/threads:4": 1.2e-4})
own("failed.json", "failed", failed={SIMD: "its answer differs from seq"})
own("failed_slower.json", "slower10", factors={SIMD: 1.10}, failed={OMP: "its answer differs from seq"})
own("skipped.json", "skipped", skipped={SIMD: "no memory left"})
own("other_cells.json", "other", leave_out=list(MEDIANS), add={"lbp/seq/texture/720p": 1e-4})
own("other_machine.json", "machine", machine={"cpu_model": "Another CPU"})
own("other_flags.json", "flags", machine={"c_flags": "-O2"})
own("other_input.json", "input", input_hash="00000000feedface")
own("cold.json", "cold", mode="cold")
MARKED = "lbp/seq/<a & \"b\">|*c*: 100%, it's\n\u00e9/1080p"
own("marked_old.json", "marked old", add={MARKED: 1e-3})
own("marked_new.json", "marked new", add={MARKED: 1e-3}, factors={MARKED: 1.3}, leave_out=[OMP])
google("google_old.json", "runner-1", 1.0, "us", 1e-6)
google("google_new.json", "runner-2", 1.10, "ns", 1e-9)
google("google_failed.json", "runner-2", 1.10, "ns", 1e-9, failed=[("BM_copy/64", 3)])
google("google_aggregates.json", "runner-2", 1.10, "ns", 1e-9, repetitions=False)
google("google_nan.json", "runner-2", 1.10, "ns", 1e-9,
       counters=[("rate", float("nan")), ("most", float("inf")), ("least", float("-inf")),
                 ("label", 'NaN "Infinity" \\')])
