#!/bin/sh
# usage: golden.sh FOLDER PROGRAM REWRITE [--update]
# Compares what the program prints and writes with the files in expected/: help, lists, reports and
# comparisons of stored runs, studies rendered from stored steps, files written again from a stored
# run, trained models, and the messages and exit codes of bad command lines. What is committed in
# reports/ is compared with that: a study's report, and the files of a run. FOLDER is the project's,
# REWRITE the program of rewrite.c. --update takes what comes out as right: read the difference.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
unset BENCH_RUNS # else commands without a run find the last one of whoever tests
command -v gnuplot >/dev/null 2>&1 || { echo "gnuplot is not installed"; exit 77; }
root=$(cd "$1" && pwd)
bench=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
rewrite=$(cd "$(dirname "$3")" && pwd)/$(basename "$3")
expected=$root/tests/golden/expected
update=${4:-}
wrong=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/out
mkdir -p "$out" "$work/run"
cd "$work/run"
ln -s "$root/tests/data" data
ln -s "$root/reports/results/h200" h200
ln -s "$root/reports/results/h200-again" h200-again
export XDG_CACHE_HOME="$work/cache" OMP_NUM_THREADS=2 COLUMNS=100 OMP_PROC_BIND=false

# Runs the program: standard output, standard error and exit code in one file under its name.
keep() {
    name=$1
    shift
    code=0
    "$bench" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null || code=$?
    {
        printf '$ bench'
        printf ' %s' "$@"
        printf '\n'
        cat "$work/stdout"
        sed 's/^/err: /' "$work/stderr"
        echo "exit code $code"
    } >"$out/$name.txt"
}

# A file that has to be the committed one.
committed() {
    cmp -s "$1" "$2" && return
    if [ "$update" = --update ]; then
        cp "$2" "$1"
    else
        diff -u "$1" "$2" | cut -c-300
        wrong=1
    fi
}

# Large files are kept as sums, one line each, sorted by name; not pictures, which gnuplot draws.
sums() {
    (cd "$2" && find . -type f -not -name '*.svg' -not -name '*.png' -not -name '*.pdf' |
        LC_ALL=C sort | xargs -r sha256sum) >"$out/$1.sha256"
}

keep alone
keep help --help
keep help-commands help commands
"$bench" help commands | sed -n 's/^\([a-z][a-z -]*[a-z]\)  .*/\1/p' >"$work/commands"
while read -r command; do
    # shellcheck disable=SC2086 # one word or two
    keep "help-$(echo "$command" | tr ' ' -)" help $command
done <"$work/commands"
keep help-run-brief run -h
keep help-columns help columns
keep study-list study --list

for format in table markdown json junit github; do
    keep "compare-$format" compare data/compare/base.json data/compare/slower10.json --format $format
done
keep compare-same compare data/compare/base.json data/compare/again.json
keep compare-machine compare data/compare/base.json data/compare/other_machine.json
keep compare-missing compare data/compare/base.json data/compare/missing.json
keep compare-few compare data/compare/base.json data/compare/few.json
keep compare-one compare data/compare/one_old.json data/compare/one_new.json
keep compare-roof compare data/compare/roof_old.json data/compare/roof_new.json

keep reproduce-from reproduce h200/lacunarity --from h200-again/lacunarity --sizes 8K

for run in lacunarity hashsift lbp_riu; do
    keep "show-$run" show "h200/$run"
done
keep show-all show h200/matching --all
keep show-sorted show h200/matching --variant simd,cuda_fast --sort kernel

for run in fast lacunarity-box-512 matching haar; do
    keep "report-$run" report "h200/$run" --format md,csv,latex,html --out "report-$run"
    [ -d "report-$run" ] || continue
    find "report-$run" -name '*.md' -exec cp {} "$out/report-$run.md" \;
    sums "report-$run" "report-$run"
done
for pair in matching:matching-l2 haar-60000:haar-60000-pinned; do
    name=report-diff-${pair%:*}
    keep "$name" report --diff "h200/${pair%:*}" "h200/${pair#*:}" --format md,csv --out "$name"
    [ ! -d "$name" ] || { cp "$name/report.md" "$out/$name.md" && sums "$name" "$name"; }
done

for stored in "$root"/reports/results/*/studies/*/; do
    study=$(basename "$stored")
    definition=$study # or as it was when it was run, where that lies beside
    [ ! -f "${stored}study.txt" ] || definition=./study-$study
    cp -r "$stored" "study-$study"
    find "study-$study" -maxdepth 1 -type f -name 'report.*' -exec rm {} +
    keep "study-$study" study "$definition" --render --out "study-$study" --quiet
    for file in report.md report.html study.json; do
        committed "$stored$file" "study-$study/$file"
    done
    find "study-$study" \( -name '*.svg' -o -name '*.pdf' -o -name '*.png' \) -exec rm {} +
    (cd "study-$study" && find . -type f -not -path './runs/*' | LC_ALL=C sort) >"$out/study-$study.files"
done

keep study-check study lbp-2020 --render --check --out study-lbp-2020 --quiet

"$rewrite" h200/matching "$work/rewritten.csv" "$work/rewritten.json"
for kind in csv json; do
    gzip -dc "h200/matching/results.$kind.gz" | diff - "$work/rewritten.$kind" >"$out/rewritten-$kind.diff" || true
done
"$rewrite" h200/lacunarity-box-512 "$work/large.csv" "$work/large.json"
(cd "$work" && sha256sum large.csv large.json) >"$out/rewritten-large.sha256"

# The charts of a CSV without its JSON.
mkdir plot
cp data/results/sample-cpu-cuda.csv plot/results.csv
keep plot plot plot
(cd plot && find . -type f | LC_ALL=C sort) >"$out/plot.files"

keep train train --synthetic digits --images 120 --digits 1,7 --rounds 4 --candidates 40 --quiet --model model.json
keep recognise recognise model.json --synthetic digits --images 40 --csv recognised.csv
sha256sum model.json recognised.csv >"$out/train.sha256"

# What is asked for wrongly: one line each in bad_commands.txt.
number=0
while IFS= read -r line; do
    case $line in '' | '#'*) continue ;; esac
    number=$((number + 1))
    # shellcheck disable=SC2086 # a list of arguments
    keep "bad-$(printf %02d $number)" $line
    cat "$out/bad-$(printf %02d $number).txt" >>"$out/bad.txt"
    rm "$out/bad-$(printf %02d $number).txt"
done <"$root/tests/golden/bad_commands.txt"

if [ "$update" = --update ]; then
    rm -rf "$expected"
    cp -r "$out" "$expected"
    exit 0
fi
diff -ru "$expected" "$out" || wrong=1
exit "$wrong"
