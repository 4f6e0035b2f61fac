#!/bin/sh
# usage: path.sh BENCH INSTRUCTION
# cuda_fast of matching takes its products by this instruction (wgmma or mma.sync), which its rows name, and
# its answers are right.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
bench=$(readlink -f "$1")
instruction=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# takes DISTANCE TYPE: a run by this distance multiplies numbers of this type
takes() {
    code=0
    "$bench" run --algo matching --keypoints 300 --bits 256 --distance "$1" --variants cuda_fast --reps 1 \
        --warmup 1 --no-roof --no-plot --quiet --out "$1" --csv "$1.csv" >log 2>&1 || code=$?
    if [ "$code" = 6 ]; then
        echo "skipped: needs a CUDA device"
        exit 77
    fi
    if [ "$code" != 0 ] || ! grep -q "^matching,cuda_fast,.*,ok,,yes,.*,$instruction $2," "$1.csv"; then
        cat log
        [ ! -e "$1.csv" ] || grep "^matching," "$1.csv"
        echo "$1: exit code $code, or no row of $instruction $2 with a right answer"
        exit 1
    fi
}

takes hamming b1
takes l2 s8
