#!/bin/sh
# Every run that reports/measure.sh lists is a command line that `bench run` takes, and every study
# exists. Inputs from files are replaced by synthetic ones. Usage: test_measure_list.sh PROGRAM
set -eu
unset CDPATH # else cd may go elsewhere, and print where
cd "$(dirname "$0")/../.."
count=0
wrong=0

check() { # name options...
    name=$1
    shift
    count=$((count + 1))
    if ! "$program" run "$@" --budget 40s --dry-run >plan.txt 2>&1; then
        echo "$name: $(cat plan.txt)"
        wrong=1
    fi
}

# How a run and a study are asked for, with these variables set.
paces() { # run's-options study's-options variable...
    of_run=$1 of_study=$2
    shift 2
    rm "$scratch/asked"
    env DATASETS_CACHE= BENCH="$scratch/bench" "$@" "$root/reports/measure.sh" "$scratch/out" lbp studies/lbp-2020
    { grep -q -e "^run .*/out/lbp $of_run--no-plot" "$scratch/asked" &&
        grep -q -e "^study .*/cache $of_study--out" "$scratch/asked"; } ||
        { echo "with $*: $(cat "$scratch/asked")"; wrong=1; }
}

program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reports/measure.sh --list >"$scratch/list"
root=$PWD
cd "$scratch"
while read -r name options; do
    case $name in
    studies/*) [ -d "$root/reports/$name" ] || { echo "no study $name"; wrong=1; } ;;
    *)
        # shellcheck disable=SC2046 # the options are wanted apart
        check "$name" $(echo "$options" | sed 's|--input CACHE/[^ ]*||')
        ;;
    esac
done <list
# With no time left nothing begins; without a limit the run that is asked for does.
printf '#!/bin/sh\necho "$@" >>%s/asked\n' "$scratch" >"$scratch/bench"
chmod +x "$scratch/bench"
LIMIT=0 BENCH=$scratch/bench "$root/reports/measure.sh" "$scratch/out" lbp studies/lbp-2020
[ ! -e "$scratch/asked" ] || { echo "measured after its limit: $(cat "$scratch/asked")"; wrong=1; }
LIMIT=60 BENCH=$scratch/bench "$root/reports/measure.sh" "$scratch/out" lbp studies/lbp-2020
[ "$(cut -d ' ' -f 1,2 "$scratch/asked" | tr '\n' ' ')" = 'run --algo study lbp-2020 ' ] ||
    { echo "asked for $(cat "$scratch/asked")"; wrong=1; }
# What would end after the limit does not begin, unless it is the first.
rm "$scratch/asked"
LIMIT=50 BUDGET=own BENCH=$scratch/bench "$root/reports/measure.sh" "$scratch/out" adaboost fast bad orb
[ "$(cut -d ' ' -f 3 "$scratch/asked" | tr '\n' ' ')" = 'adaboost bad orb ' ] ||
    { echo "asked for $(cat "$scratch/asked")"; wrong=1; }
# A run and a study of one name are two.
rm "$scratch/asked"
BENCH=$scratch/bench "$root/reports/measure.sh" "$scratch/out" integral
[ "$(cut -d ' ' -f 1,2 "$scratch/asked")" = 'run --algo' ] || { echo "asked for $(cat "$scratch/asked")"; wrong=1; }
paces '--launches 6 ' '' LIMIT=60
paces '--launches 6 --spread 0 ' '--spread 0 ' SPREAD=0
paces '--budget 40s ' '--budget 3min ' BUDGET=40s STUDY_BUDGET=3min
paces '--budget [0-9]*s ' '' BUDGET=own
[ "$count" -gt 10 ] || { echo "only $count runs are listed"; wrong=1; }
echo "$count runs"
exit $wrong
