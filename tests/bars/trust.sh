#!/bin/sh
# How far are default runs and comparisons to be trusted on this machine? One command with a time limit:
# how often intervals of default runs hold the other runs' medians, how often a comparison of a program
# with itself is an alarm, and how often 5, 10 and 20% more time on the CPU and on the GPU are found.
#
#   tests/bars/trust.sh OUT [SECONDS]    measures for so long (480), then judges what OUT has
#   tests/bars/trust.sh OUT 0            judges only; another machine may do that
#
# Three eighths of the time are runs of eight launches, the rest default runs. What OUT has already is
# kept, and counts. $BENCH is the program, build/bin/bench if it is not set; $CELLS are the options that
# say what is measured, $BUDGET is that of the default runs (60s).
set -eu
unset CDPATH # else cd may go elsewhere, and print where

[ $# -eq 1 ] || [ $# -eq 2 ] || {
    sed -n '6,7s/^# *//p' "$0" >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
bench=$(realpath "${BENCH:-build/bin/bench}")
seconds=${2:-480}
budget=${BUDGET:-60s}
mkdir -p "$1/eight" "$1/default"
out=$(cd "$1" && pwd)
variants=seq,simd,omp
if python3 -B -c 'import sys; sys.path.insert(0, sys.argv[1]); import bars; sys.exit(not bars.has_device(sys.argv[2]))' \
    "$here" "$bench"; then
    variants=$variants,cuda_tiled,cuda_fast
fi
began=$(date +%s)

# --- Measuring ------------------------------------------------------------------------------------

# Runs of a folder until so many seconds have passed since the beginning. A run that would not end in
# time, if it takes as long as the one before, is not begun.
measure_until() { # seconds folder options...
    until=$((began + $1))
    folder=$2
    shift 2
    number=1
    took=0
    while :; do
        while [ -e "$out/$folder/$number" ]; do
            number=$((number + 1))
        done
        from=$(date +%s)
        [ $((from + took)) -lt $until ] || return 0
        # shellcheck disable=SC2086 # the options are words
        "$bench" run ${CELLS:---algo lbp --sizes 1080p,8K --variants $variants --threads max} "$@" --no-plot --quiet \
            --out "$out/part" >"$out/$folder-$number.txt"
        mv "$out/part" "$out/$folder/$number" # whole ones alone have a number
        took=$(($(date +%s) - from))
    done
}

rm -rf "$out/part"
measure_until $((seconds * 3 / 8)) eight --launches 8 --spread 0 --no-roof
measure_until "$seconds" default --budget "$budget"

# --- Judging --------------------------------------------------------------------------------------

runs_in() { # folder
    find "$out/$1" -mindepth 1 -maxdepth 1 -type d | wc -l
}

# The fastest variant of a backend in the first run of eight launches; "" where there is none.
fastest() { # cpu|cuda
    python3 - "$out/eight" "$1" <<'PYTHON'
import csv, pathlib, sys
run = min(pathlib.Path(sys.argv[1]).iterdir(), default=None)
lines = open(run / "results.csv", encoding="utf-8") if run else []
rows = [row for row in csv.DictReader(line for line in lines if not line.startswith("#"))
        if row["backend"] == sys.argv[2] and row["status"] == "ok" and row["algorithm"] != "copy"]
print(min(rows, key=lambda row: float(row["kernel_ms_median"]))["variant"] if rows else "")
PYTHON
}

say() { # words command...
    printf '%s: ' "$1"
    shift
    "$@" | tr '\n' ';' | sed 's/;$//; s/;/; /g' || true
    printf '\n'
}

compare_runs() {
    python3 "$here/compare_runs.py" "$bench" "$@"
}

echo "runs of eight launches: $(runs_in eight); default runs: $(runs_in default)"
if [ "$(runs_in default)" -gt 2 ]; then
    echo "Intervals of default runs that hold the median of the others:"
    (cd "$out/default" && python3 "$here/coverage.py" --few [0-9]*) || true
fi
[ "$(runs_in default)" -lt 2 ] || say "default runs, the same program" compare_runs aa "$out/default"
[ "$(runs_in eight)" -ge 2 ] || exit 0
say "eight launches, the same program" compare_runs aa "$out/eight"
for backend in cpu cuda; do
    variant=$(fastest $backend)
    for factor in 1.05 1.1 1.2; do
        [ -z "$variant" ] || say "$variant takes $factor times as long" \
            compare_runs plant "$out/eight" "$variant" $factor
    done
done
