#!/bin/sh
# usage: test_install.sh CMAKE BUILD
# `cmake --install` puts a program into a prefix that runs from there, with its charts' scripts, its
# README with its chapters and its licence, manual pages, completion scripts and datasets/fetch. Its
# runs go to bench-runs.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
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
grep -o '](\([a-z]*/\)*[A-Z]*\.md' "$doc/README.md" | sed 's/^](//' | sort -u >chapters.txt
[ -s chapters.txt ] || { echo "the installed README.md links to no chapter"; exit 1; }
while read -r chapter; do
    [ -e "$doc/$chapter" ] || { echo "$chapter, to which README.md links, is not installed"; exit 1; }
done <chapters.txt

# Runs without --out, and the last one of them, also where BENCH_RUNS says.
link() { # FOLDER
    if [ ! -L "$1/latest" ] || [ ! -s "$1/latest/results.csv" ]; then
        echo "$1/latest is no link to a run"
        ls -l "$1"
        exit 1
    fi
}
run="--algo lbp --sizes 64x48 --variants seq --reps 3 --quiet --no-plot --no-roof"
# shellcheck disable=SC2086 # words
"$bench" $run >table
link bench-runs
"$bench" show | grep -q "/bench-runs/2" || { echo "show does not find the last run"; exit 1; }
# shellcheck disable=SC2086
BENCH_RUNS=my-runs "$bench" $run >table
link my-runs
[ "$(find bench-runs -mindepth 1 -maxdepth 1 | wc -l)" -eq 2 ] || { echo "BENCH_RUNS is not heeded"; exit 1; }
[ ! -e reports ] || { echo "an installed program writes to reports"; exit 1; }

# Pages of all commands, and a script for each shell, as the program prints them.
"$bench" help --man | cmp - "$prefix/usr/share/man/man1/bench.1"
"$bench" help --man run | cmp - "$prefix/usr/share/man/man1/bench-run.1"
[ "$(find "$prefix/usr/share/man/man1" -name 'bench-*.1' | wc -l)" -ge 20 ] || { echo "few manual pages installed"; exit 1; }
for script in bash:bash-completion/completions/bench zsh:zsh/site-functions/_bench fish:fish/vendor_completions.d/bench.fish; do
    "$bench" help --completion "${script%%:*}" | cmp - "$prefix/usr/share/${script#*:}"
done

# What a study lacks is fetched by the script that the program names, to where the study looks.
export XDG_CACHE_HOME="$prefix/cache"
mkdir -p study data
printf 'some open data\n' >data/a.png
printf 'a.png %s 15 none file://%s/data/a.png a text\n' "$(sha256sum data/a.png | cut -d ' ' -f 1)" "$prefix" >manifest
cat >study/study.txt <<'STUDY'
study small
title "A small study"
citation "Nobody: Small. 2024"
about "Matching."
difference "None."
convention "one run"
step absent match
  argument {data}/a.png
  argument {data}/a.png
table table-1 "Matches"
  from absent
  row R method=sift
  column Inliers - inliers
STUDY
echo 'table,row,column,value,unit,machine,source' >study/published.csv
unset DATASETS_CACHE
"$bench" study study --out o >study.out 2>&1 || true
fetch=$(sed -n 's|.* get it with \(/.*/datasets/fetch\) a.png.*|\1|p' study.out | head -n 1)
[ "$fetch" = "$prefix/usr/share/bench/datasets/fetch" ] || { echo "the study does not name the installed script:"; cat study.out; exit 1; }
"$fetch" --list | grep -q meadow.jpg || { echo "the installed script has no manifest"; exit 1; }
command -v curl >/dev/null || exit 0
DATASETS_MANIFEST=$prefix/manifest "$fetch" a.png >fetched || { cat fetched; exit 1; }
[ -s "$prefix/cache/bench/datasets/a.png" ] || { echo "the data are not in the user's cache"; exit 1; }
"$bench" study study --out o2 --dry-run >study.out 2>&1 || true
grep -q "$prefix/cache/bench/datasets/a.png" study.out || { echo "the study does not look where the script writes:"; cat study.out; exit 1; }
