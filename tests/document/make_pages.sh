#!/bin/sh
# usage: make_pages.sh FOLDER PROGRAM OUT
# Writes a page of each kind into OUT: the report of a run, of an image set, of box sides, of numbers
# of keypoints and of a run without a GPU (which is the demo's), two runs side by side with charts and
# without, the studies, and the demo.
# FOLDER is the project's.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
root=$(cd "$1" && pwd)
bench=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
rm -rf "$3"
mkdir -p "$3"
out=$(cd "$3" && pwd)
runs=$root/reports/results/h200
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

quietly() {
    "$bench" "$@" >"$work/out" 2>"$work/err" || {
        echo "bench $* ended with $?"
        cat "$work/out" "$work/err"
        exit 1
    }
}
quietly demo --quiet --out "$work/demo"
cp "$work/demo/report.html" "$out/demo.html"
grep -q 'lbp on this machine and on an H200' "$out/demo.html" || { echo "no H200 in the demo's page"; exit 1; }
for line in 'lbp at 16K: the GPU is 39.0× faster than 15 CPU threads (kernel only); with copies 1.24× slower' \
    'NVIDIA H200 against Intel Xeon, 16 processors, 2026-11-30' \
    "Next, where bench is $bench"; do
    grep -qxF -e "$line" "$work/out" || {
        echo "what the demo says of the H200 should have: $line"
        cat "$work/out"
        exit 1
    }
done
quietly report "$work/demo" --out "$out/run-cpu.html"
quietly report "$runs/lbp" --out "$out/run.html"
quietly report "$runs/haar" --out "$out/run-set.html"
quietly report "$runs/lacunarity-box-512" --out "$out/run-boxes.html"
quietly report "$runs/hashsift" --out "$out/run-keypoints.html"
cp -r "$runs/lbp" "$work/another-machine-with-a-long-name"
quietly report --diff "$runs/lbp" "$work/another-machine-with-a-long-name" --out "$out/two-runs.html"
quietly report --diff "$runs/haar-60000" "$runs/haar-60000-pinned" --out "$out/two-runs-one-size.html"
for stored in "$root"/reports/results/*/studies/*/; do
    study=$(basename "$stored")
    definition=$study # or as it was when it was run, where that lies beside
    [ ! -f "${stored}study.txt" ] || definition=$work/$study
    cp -r "$stored" "$work/$study"
    quietly study "$definition" --render --out "$work/$study" --quiet
    cp "$work/$study/report.html" "$out/study-$study.html"
done
