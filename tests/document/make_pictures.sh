#!/bin/sh
# usage: make_pictures.sh ROOT BENCH OUT: the charts of stored runs, drawn again into the folder OUT.
# Exit code 77 without gnuplot.
set -eu
root=$1
bench=$2
out=$3

command -v gnuplot >/dev/null 2>&1 || {
    echo "skipped: needs gnuplot"
    exit 77
}
rm -rf "$out"
mkdir -p "$out"
for name in lbp lbp_riu haar lacunarity lacunarity-box-512 fast hashsift bad matching \
    adaboost lbp-pinned-noise; do
    mkdir "$out/$name"
    cp "$root/reports/results/h200/$name"/results.*.gz "$out/$name"
    "$bench" plot "$out/$name" >"$out/$name.txt" 2>&1 || {
        cat "$out/$name.txt"
        exit 1
    }
done
