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
    if ! "$program" run "$@" --launches 6 --dry-run >plan.txt 2>&1; then
        echo "$name: $(cat plan.txt)"
        wrong=1
    fi
}

program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
reports/measure.sh --list >"$scratch/list"
root=$PWD
cd "$scratch"
while read -r name options; do
    if [ "$name" = study ]; then
        [ -d "$root/reports/studies/$options" ] || { echo "no study $options"; wrong=1; }
    else
        # shellcheck disable=SC2046 # the options are wanted apart
        check "$name" $(echo "$options" | sed 's|--input CACHE/[^ ]*||')
    fi
done <list
# With no time left nothing begins; without a limit the run that is asked for does.
printf '#!/bin/sh\necho "$@" >>%s/asked\n' "$scratch" >"$scratch/bench"
chmod +x "$scratch/bench"
LIMIT=0 BENCH=$scratch/bench "$root/reports/measure.sh" "$scratch/out" lbp lbp-2020
[ ! -e "$scratch/asked" ] || { echo "measured after its limit: $(cat "$scratch/asked")"; wrong=1; }
LIMIT=60 BENCH=$scratch/bench "$root/reports/measure.sh" "$scratch/out" lbp lbp-2020
[ "$(cut -d ' ' -f 1,2 "$scratch/asked" | tr '\n' ' ')" = 'run --algo study lbp-2020 ' ] ||
    { echo "asked for $(cat "$scratch/asked")"; wrong=1; }
[ "$count" -gt 10 ] || { echo "only $count runs are listed"; wrong=1; }
echo "$count runs"
exit $wrong
