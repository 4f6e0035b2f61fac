#!/usr/bin/env python3
"""Writes the sample-*.csv files beside this script: synthetic numbers for tests of the charts.

The times follow a simple model (fixed cost + pixels / rate, with seeded noise); they are not
measurements of anything. Columns are those of bench/csv_columns.c.
"""
import csv
import os
import random

COLUMNS = """algorithm variant backend input size width height answer tuning threads status why verified
agreement samples converged kernel_ms_min kernel_ms_p25 kernel_ms_median kernel_ms_p75 kernel_ms_p99
kernel_ms_ci_low kernel_ms_ci_high upload_ms download_ms end_to_end_ms with_alloc_ms mpixel_s gb_s roof
roof_pct base base_ms speedup speedup_ci_low speedup_ci_high speedup_end_to_end best_cpu
speedup_vs_best_cpu joule mode device verified_by batch kernel_ms_mean kernel_ms_stddev
end_to_end_ms_ci_low end_to_end_ms_ci_high cpu_ms roof_ms speedup_end_to_end_ci_low
speedup_end_to_end_ci_high speedup_vs_best_cpu_ci_low speedup_vs_best_cpu_ci_high
speedup_end_to_end_vs_best_cpu speedup_end_to_end_vs_best_cpu_ci_low
speedup_end_to_end_vs_best_cpu_ci_high best_tuning improves_on item items_per_second device_mib
host_mib input_hash bound ceiling_gb_s ceiling_gop_s operations bytes over_roof""".split()
SIZES = [("360p", 480, 360), ("480p", 640, 480), ("720p", 1280, 720), ("1080p", 1920, 1080),
         ("4K", 3840, 2160), ("8K", 7680, 4320), ("16K", 15360, 8640)]
THREADS = [1, 2, 4, 8, 16]
CPU_ROOF, GPU_ROOF, BUS = 46e6, 2e9, 7e6  # bytes per millisecond
CPU_OPERATIONS, GPU_OPERATIONS = 100.0, 15000.0  # Gop/s, of one thread and of the device
# variant: fixed milliseconds, pixels per millisecond, improves on
CUDA = {"cuda_naive": (0.006, 0.09e9, ""), "cuda_tiled": (0.006, 0.2e9, "cuda_naive"),
        "cuda_texture": (0.007, 0.25e9, "cuda_naive"), "cuda_shared": (0.006, 0.33e9, "cuda_tiled"),
        "cuda_rolling": (0.006, 0.5e9, "cuda_shared"), "cuda_packed": (0.006, 0.7e9, "cuda_rolling"),
        "cuda_fast": (0.005, 0.95e9, "cuda_packed"), "cuda_streamed": (0.03, 0.9e9, "cuda_fast")}


def cpu_cells(pixels):
    yield "seq", "", "", 1, 0.001 + pixels / 0.12e6
    yield "scalar", "seq", "", 1, 0.001 + pixels / 0.5e6
    yield "simd", "scalar", "", 1, 0.001 + pixels / 3.6e6
    for threads in THREADS:
        yield ("omp", "simd", f"threads:{threads}", threads,
               0.003 * threads + pixels / (3.6e6 * threads / (1 + 0.03 * threads)))


def cuda_cells(pixels):
    for name, (fixed, rate, below) in CUDA.items():
        points = ([("tile:4", 4.5), ("tile:8", 1.9), ("tile:16", 1.0), ("tile:32", 1.1)]
                  if name == "cuda_tiled" else [("", 1.0)])
        for point, factor in points:
            yield name, below, point, 0, fixed + pixels * factor / rate


def interval(value, rng, low=0.004, high=0.04):
    return value * (1 - rng.uniform(low, high)), value * (1 + rng.uniform(low, high))


def measured_row(size, cell, backend, rng):
    name, width, height = size
    variant, below, tuning, threads, ms = cell
    pixels = width * height
    ms *= rng.uniform(0.95, 1.05)
    copies = pixels / BUS if backend == "cuda" else 0.0
    total = max(ms, copies / 7) * 1.05 if variant == "cuda_streamed" else ms + 2 * copies
    roof = 2 * pixels / (GPU_ROOF * 2 if backend == "cuda" else CPU_ROOF * 2)
    bandwidth = 2 * GPU_ROOF / 1e6 if backend == "cuda" else min(26.0 * threads, 2 * CPU_ROOF / 1e6)
    operations = GPU_OPERATIONS if backend == "cuda" else CPU_OPERATIONS * threads
    row = dict.fromkeys(COLUMNS, "")
    low, high = interval(ms, rng, 0.1, 0.3) if variant == "cuda_streamed" else interval(ms, rng)
    total_low, total_high = interval(total, rng)
    row.update(
        algorithm="lbp", variant=variant, backend=backend, input="meadow.jpg", size=name, width=width,
        height=height, tuning=tuning, threads=threads, status="ok", verified="yes", agreement=1,
        samples=40, converged="yes", kernel_ms_min=ms * 0.97, kernel_ms_p25=ms * 0.99,
        kernel_ms_median=ms, kernel_ms_p75=ms * 1.01, kernel_ms_p99=ms * 1.08, kernel_ms_ci_low=low,
        kernel_ms_ci_high=high, end_to_end_ms=total, with_alloc_ms=total * 1.2,
        mpixel_s=pixels / ms / 1e3, gb_s=2 * pixels / ms / 1e6,
        roof="copy/cuda" if backend == "cuda" else "copy/omp/threads:16", roof_pct=100 * roof / ms,
        roof_ms=roof, mode="hot", device="synthetic", verified_by="seq", batch=1, kernel_ms_mean=ms,
        kernel_ms_stddev=ms * 0.02, end_to_end_ms_ci_low=total_low, end_to_end_ms_ci_high=total_high,
        cpu_ms=total, improves_on=below, item="pixel", items_per_second=pixels / ms * 1e3,
        best_tuning=0, bound="dram", ceiling_gb_s=bandwidth, ceiling_gop_s=operations,
        operations=2 * pixels, bytes=2 * pixels, over_roof="no")
    if backend == "cuda":
        row.update(upload_ms=copies, download_ms=copies)
    return row


def ratio_columns(row, column, base, base_low, base_high, ms, low, high):
    row[column] = base / ms
    row[column + "_ci_low"] = base_low / high
    row[column + "_ci_high"] = base_high / low


def derive(rows):
    """Bases, ratios and best tuning points of the rows of one size."""
    by_kernel = lambda row: row["kernel_ms_median"]
    seq = next(row for row in rows if row["variant"] == "seq")
    best = min((row for row in rows if row["backend"] == "cpu"), key=by_kernel)
    label = best["variant"] + ("/" + best["tuning"] if best["tuning"] else "")
    kernel = ("kernel_ms_median", "kernel_ms_ci_low", "kernel_ms_ci_high")
    total = ("end_to_end_ms", "end_to_end_ms_ci_low", "end_to_end_ms_ci_high")
    for row in rows:
        row.update(base="seq (1 thread)", base_ms=seq["kernel_ms_median"], best_cpu=label)
        for column, base, keys in (("speedup", seq, kernel), ("speedup_end_to_end", seq, total),
                                   ("speedup_vs_best_cpu", best, kernel),
                                   ("speedup_end_to_end_vs_best_cpu", best, total)):
            ratio_columns(row, column, *(base[key] for key in keys), *(row[key] for key in keys))
    for variant in {row["variant"] for row in rows}:
        min((row for row in rows if row["variant"] == variant), key=by_kernel)["best_tuning"] = 1


def skipped_row(size, variant, why):
    row = dict.fromkeys(COLUMNS, "")
    row.update(algorithm="lbp", variant=variant, backend="cuda", input="meadow.jpg", size=size[0],
               width=size[1], height=size[2], threads=0, status="skip", why=why, verified="no",
               samples=0, mode="hot", best_tuning=0)
    return row


# --- Sets of images, whose runs have stages ---------------------------------------------------------
SET_COLUMNS = COLUMNS + ["images", "stages_ms"]
FEATURES = 450000  # of an image
# algorithm: variant: backend, threads, tuning, milliseconds of each part of a run over 60,000 images
SET_RUNS = {
    "haar": {"seq": ("cpu", 1, "", {"integral": 95.0, "features": 8300.0}),
             "simd": ("cpu", 1, "", {"integral": 41.0, "features": 1710.0}),
             "omp": ("cpu", 16, "threads:16", {"integral": 3.1, "features": 119.0}),
             "cuda_naive": ("cuda", 0, "", {"": 88.0}),
             "cuda_tiled": ("cuda", 0, "", {"": 26.0}),
             "cuda_texture": ("cuda", 0, "", {"integral": 2.4, "features": 31.0}),
             "cuda_fast": ("cuda", 0, "", {"": 11.5}),
             "cuda_streamed": ("cuda", 0, "", {"": 12.5})},
    "adaboost": {"omp": ("cpu", 16, "threads:16", {"values": 410.0, "sort": 2900.0, "boosting": 9800.0}),
                 "cuda_tiled": ("cuda", 0, "", {"values": 21.0, "sort": 610.0, "boosting": 3900.0}),
                 "cuda_fast": ("cuda", 0, "", {"values": 14.0, "sort": 480.0, "boosting": 1150.0})}}
UP, DOWN = 0.85, 7.5  # milliseconds of the transfers of 60,000 images


def set_row(algorithm, variant, images, rng):
    backend, threads, tuning, parts = SET_RUNS[algorithm][variant]
    share = images / 60000
    parts = {name: 0.004 + ms * share * rng.uniform(0.97, 1.03) for name, ms in parts.items()}
    ms = sum(parts.values())
    up, down = (UP * share, DOWN * share) if backend == "cuda" else (0.0, 0.0)
    whole = max(ms, down) * 1.05 if variant == "cuda_streamed" else ms + up + down
    row = dict.fromkeys(SET_COLUMNS, "")
    low, high = interval(ms, rng)
    whole_low, whole_high = interval(whole, rng)
    row.update(
        algorithm=algorithm, variant=variant, backend=backend, input="digits", size=str(images),
        width=28, height=28, answer="min-side:5,threshold:18400", tuning=tuning, threads=threads,
        status="ok", verified="yes", agreement=1, samples=40, converged="yes", kernel_ms_median=ms,
        kernel_ms_ci_low=low, kernel_ms_ci_high=high, end_to_end_ms=whole,
        end_to_end_ms_ci_low=whole_low, end_to_end_ms_ci_high=whole_high, mode="hot", batch=1,
        item="feature", items_per_second=FEATURES * images / ms * 1e3, best_tuning=1, images=images,
        stages_ms=",".join(f"{name}:{value:.6g}" for name, value in parts.items() if name))
    if backend == "cuda":
        row.update(upload_ms=up, download_ms=down)
    return row


def derive_set(rows):
    by_kernel = lambda row: row["kernel_ms_median"]
    seq = next((row for row in rows if row["variant"] == "seq"), None)
    best = min((row for row in rows if row["backend"] == "cpu"), key=by_kernel)
    kernel = ("kernel_ms_median", "kernel_ms_ci_low", "kernel_ms_ci_high")
    whole = ("end_to_end_ms", "end_to_end_ms_ci_low", "end_to_end_ms_ci_high")
    bases = [("speedup", seq, kernel), ("speedup_end_to_end", seq, whole)] if seq else []
    bases += [("speedup_vs_best_cpu", best, kernel), ("speedup_end_to_end_vs_best_cpu", best, whole)]
    for row in rows:
        row.update(base="seq (1 thread)" if seq else "", best_cpu=best["variant"])
        for column, base, keys in bases:
            ratio_columns(row, column, *(base[key] for key in keys), *(row[key] for key in keys))


def sample_sets(seed):
    rng = random.Random(seed)
    rows = []
    for algorithm, runs in SET_RUNS.items():
        for images in (1000, 10000, 60000):
            cells = [set_row(algorithm, variant, images, rng) for variant in runs]
            derive_set(cells)
            rows += cells
    return rows


def write(name, rows, columns=COLUMNS):
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, name), "w", newline="") as file:
        file.write("# synthetic numbers for tests of the charts, not measurements\n")
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: f"{value:.9g}" if isinstance(value, float) else value
                             for key, value in row.items()})


def sample(with_cuda, seed):
    rng = random.Random(seed)
    rows = []
    for size in SIZES:
        pixels = size[1] * size[2]
        cells = [measured_row(size, cell, "cpu", rng) for cell in cpu_cells(pixels)]
        if with_cuda:
            cells += [measured_row(size, cell, "cuda", rng) for cell in cuda_cells(pixels)]
        derive(cells)
        rows += cells
        if not with_cuda:
            rows += [skipped_row(size, variant, 'no CUDA device, "driver not loaded"')
                     for variant in CUDA]
    return rows


if __name__ == "__main__":
    write("sample-cpu-cuda.csv", sample(True, 1))
    write("sample-cpu-only.csv", sample(False, 2))
    write("sample-sets.csv", sample_sets(3), SET_COLUMNS)
