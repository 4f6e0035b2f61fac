#!/bin/sh
# usage: test_fresh_clone.sh FOLDER
# A clone of the repository in FOLDER (what is committed, nothing else) builds and runs by bench.sh
# alone, and the second call finds nothing to do. Exits 77 (skipped) where FOLDER is no repository.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
skip() {
    echo "skipped: needs $1"
    exit 77
}
command -v git >/dev/null || skip git
git -C "$1" rev-parse -q --verify 'HEAD^{commit}' >/dev/null 2>&1 ||
    skip "a git repository with a commit: $1 is none"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q --no-hardlinks "$1" "$work/clone" 2>"$work/log" || skip "a git repository that can be cloned: $(head -n 1 "$work/log")"
cd "$work"
# An option that is given twice, the second time otherwise, would be configured anew each time.
options=-DWITH_CUDA=OFF
for option in ${BENCH_CMAKE_OPTIONS:-}; do
    case $option in -DWITH_CUDA=* | -DCMAKE_CUDA_*) ;; *) options="$options $option" ;; esac
done
export BENCH_CMAKE_OPTIONS="$options"
run() {
    clone/bench.sh --algo lbp --sizes 33x17 --variants all --reps 3 --no-roof --no-plot --quiet --out "$1" \
        >"$1.out" 2>"$1.err" || { cat "$1.err"; echo "bench.sh failed"; exit 1; }
    [ -s "$1/results.csv" ] || { ls "$1"; echo "no results.csv"; exit 1; }
}
run first
grep -q '^Configuring' first.err || { cat first.err; echo "the first call did not configure"; exit 1; }
run second
if grep -qE '^(Configuring|Installing)' second.err; then
    cat second.err
    echo "the second call was not idle"
    exit 1
fi
changes=$(git -C clone status --porcelain)
[ -z "$changes" ] || { echo "a run leaves files that git does not ignore: $changes"; exit 1; }
