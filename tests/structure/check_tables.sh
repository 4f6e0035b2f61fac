#!/bin/sh
# usage: check_tables.sh FOLDER BENCH
# Tables in README.md say what the program says, in the same order: the CSV columns, the exit codes
# and the names of the variants. Each table stands under a comment with the command it is held to.
set -eu
readme=$1/README.md
bench=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The rows of the table under "<!-- COMMAND -->", without their heading, cells apart by "|".
table() {
    awk -v marker="<!-- $1 -->" '
        $0 == marker { inside = 1; next }
        inside && /^\|/ { if (++row > 2) print; next }
        inside && row { exit }' "$readme" | tr -d '`' | sed 's/^| *//; s/ *|$//'
}

# same COMMAND: $work/program and $work/readme, blanks squeezed, are equal and not empty.
same() {
    for side in program readme; do
        tr '|' ' ' <"$work/$side" | sed 's/  */ /g; s/^ //; s/ $//' >"$work/$side.words"
    done
    if [ ! -s "$work/program.words" ]; then
        echo "$1 prints no table"
        exit 1
    fi
    diff -u "$work/program.words" "$work/readme.words" || {
        echo "README.md and $1 differ"
        exit 1
    }
}

"$bench" help columns | sed 1d >"$work/program"
table 'bench help columns' >"$work/readme"
same 'bench help columns'

"$bench" help | awk '/^Exit codes/ { inside = 1; next } inside' >"$work/program"
table 'bench help' >"$work/readme"
same 'bench help'

algorithms=$("$bench" list | awk '/^Devices/ { exit } /^[a-z]/ { print $1 }')
[ -n "$algorithms" ] || { echo 'bench list names no algorithm'; exit 1; }
for algorithm in $algorithms; do
    "$bench" list --algo "$algorithm" |
        awk '/^Devices/ { exit } /^    [a-z]/ { print $1 }' >"$work/program"
    table "bench list --algo $algorithm" | sed 's/ *|.*//' >"$work/readme"
    same "bench list --algo $algorithm"
done
