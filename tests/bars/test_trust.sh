#!/bin/sh
# trust.sh on tiny runs: it ends in its time, keeps what is there, and judges without measuring.
# Usage: test_trust.sh BENCH
set -eu
unset CDPATH # else cd may go elsewhere, and print where
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
BENCH=$1
CELLS='--algo lbp --variants seq,simd --sizes 64x64,96x96'
BUDGET=1s
export BENCH CELLS BUDGET

fail() {
    echo "test_trust.sh: $*"
    cat "$scratch/said.txt"
    exit 1
}

runs() { # folder
    find "$scratch/out/$1" -mindepth 1 -maxdepth 1 -type d | wc -l
}

mkdir -p "$scratch/out/part" # what a run left that was cut off
"$here/trust.sh" "$scratch/out" 1 >"$scratch/said.txt"
[ ! -e "$scratch/out/part" ] || fail "part of a run is left"
eight=$(runs eight)
default=$(runs default)
{ [ "$eight" -le 1 ] && [ "$default" -le 2 ]; } || fail "$eight and $default runs in a second"
# Copies stand for further runs: of these no one differs, and each is found that is made slower.
# shellcheck disable=SC2086 # the options are words
[ "$eight" -eq 1 ] ||
    "$BENCH" run $CELLS --launches 8 --spread 0 --no-roof --no-plot --quiet --out "$scratch/out/eight/1" >/dev/null
for number in 1 2 3; do
    [ -e "$scratch/out/eight/$number" ] || cp -r "$scratch/out/eight/1" "$scratch/out/eight/$number"
    [ -e "$scratch/out/default/$number" ] || cp -r "$scratch/out/eight/1" "$scratch/out/default/$number"
done
"$here/trust.sh" "$scratch/out" 0 >"$scratch/said.txt"
{ [ "$(runs eight)" -eq 3 ] && [ "$(runs default)" -eq 3 ]; } || fail "it measured"
grep -q '^runs of eight launches: 3; default runs: 3$' "$scratch/said.txt" || fail "counts are missing"
grep -q '^eight launches, the same program: 6 comparisons: 0 ' "$scratch/said.txt" || fail "no A/A"
grep -q '^default runs, the same program: 6 comparisons: 0 ' "$scratch/said.txt" || fail "no A/A of default runs"
for factor in 1.05 1.1 1.2; do
    grep -q "^simd takes $factor times as long: 6 comparisons: " "$scratch/said.txt" || fail "no $factor"
done
grep -q '| all |\|^all ' "$scratch/said.txt" || fail "no coverage"
! grep -q cuda "$scratch/said.txt" || fail "there is no GPU"
