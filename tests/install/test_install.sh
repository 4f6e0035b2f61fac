#!/bin/sh
# usage: test_install.sh CMAKE BUILD
# `cmake --install` puts a program into a prefix that runs from there, with its charts' scripts, its
# README with its chapters and its licence.
set -eu
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
"$1" --install "$2" --prefix "$prefix/usr" >"$prefix/log" || { cat "$prefix/log"; exit 1; }

bench=$prefix/usr/bin/bench
cd "$prefix"
"$bench" list >listed.txt
grep -q lbp listed.txt || { echo "the installed program does not list lbp:"; cat listed.txt; exit 1; }
"$bench" --algo lbp --sizes 64x48,128x96 --variants seq --reps 3 --quiet --out run >table
for file in run/results.csv run/results.json; do
    [ -s "$file" ] || { echo "no $file"; ls run; exit 1; }
done
ls "$prefix"/usr/share/bench/plot/*.gp >/dev/null || { echo "no chart scripts installed"; exit 1; }
if command -v gnuplot >/dev/null; then
    ls run/*.svg >/dev/null || { echo "the installed program drew no chart"; ls run; exit 1; }
fi
[ -s "$prefix/usr/share/bench/studies/lbp-2020/study.txt" ] || { echo "no studies installed"; exit 1; }
[ -s "$prefix/usr/share/bench/results/h200/lbp/results.json.gz" ] || { echo "no run of the demo installed"; exit 1; }
"$bench" study --list >listed.txt
grep -q lbp-2020 listed.txt || { echo "the installed program lists no study:"; cat listed.txt; exit 1; }
grep -q kernel_median_s "$prefix/usr/share/bench/results.schema.json" || { echo "no schema installed"; exit 1; }
for file in README.md LICENSE; do
    [ -n "$(find "$prefix/usr/share/doc" -name "$file")" ] || { echo "$file is not installed"; exit 1; }
done
doc=$(dirname "$(find "$prefix/usr/share/doc" -name LICENSE)")
grep -o '](\([a-z]*/\)*README\.md' "$doc/README.md" | sed 's/^](//' | sort -u >chapters.txt
[ -s chapters.txt ] || { echo "the installed README.md links to no chapter"; exit 1; }
while read -r chapter; do
    [ -e "$doc/$chapter" ] || { echo "$chapter, to which README.md links, is not installed"; exit 1; }
done <chapters.txt
