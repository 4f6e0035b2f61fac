#!/bin/sh
# usage: check_tables.sh FOLDER BENCH
# Tables in the chapters say what the program says, in the same order: the CSV columns, the exit codes,
# the commands and the environment (bench/README.md), and the variants of each algorithm (those of the
# CPU in cpu/README.md, those of CUDA in the one table of kernels/README.md). Each table stands under
# a comment with the command it is held to. The table of rooms has those of bench/rooms.txt, the
# table of algorithms those of bench/algorithms.def.
set -eu
root=$1
bench=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# table PAGE COMMAND: the rows of the table under "<!-- COMMAND -->", without their heading, cells
# apart by "|".
table() {
    awk -v marker="<!-- $2 -->" '
        $0 == marker { inside = 1; next }
        inside && /^\|/ { if (++row > 2) print; next }
        inside && row { exit }' "$root/$1" | tr -d '`' | sed 's/^| *//; s/ *|$//'
}

# same PAGE COMMAND: $work/program and $work/page, blanks squeezed, are equal and not empty.
same() {
    for side in program page; do
        tr '|' ' ' <"$work/$side" | sed 's/  */ /g; s/^ //; s/ $//' >"$work/$side.words"
    done
    if [ ! -s "$work/program.words" ]; then
        echo "$2 prints no table"
        exit 1
    fi
    diff -u "$work/program.words" "$work/page.words" || {
        echo "$1 and $2 differ"
        exit 1
    }
}

"$bench" help columns | sed 1d >"$work/program"
table bench/README.md 'bench help columns' >"$work/page"
same bench/README.md 'bench help columns'

# A name begins a line; what follows may be wrapped.
"$bench" help environment | awk '/^[^ ]/ && NR > 1 { printf "\n" } { printf "%s ", $0 } END { print "" }' >"$work/program"
table bench/README.md 'bench help environment' >"$work/page"
same bench/README.md 'bench help environment'

"$bench" help | awk '/^Exit codes/ { inside = 1; next } inside' >"$work/program"
table bench/README.md 'bench help' >"$work/page"
same bench/README.md 'bench help'

"$bench" help commands | sed -n 's/^\([a-z][a-z -]*[a-z]\)  .*/\1/p' >"$work/program"
table bench/README.md 'bench help commands' | sed 's/ *|.*//' >"$work/page"
same bench/README.md 'bench help commands'

{ echo api; sed -n 's/^\([a-z_]*\)[/:].*/\1/p' "$root/bench/rooms.txt" | uniq; } >"$work/program"
table bench/README.md bench/rooms.txt | sed 's/ *|.*//' >"$work/page"
same bench/README.md bench/rooms.txt

algorithms=$("$bench" list --all | awk '/^Devices/ { exit } /^[a-z]/ { print $1 }')
[ -n "$algorithms" ] || { echo 'bench list names no algorithm'; exit 1; }
for algorithm in $algorithms; do
    "$bench" list --algo "$algorithm" |
        awk '/^Devices/ { exit } /^    [a-z]/ { print $1 }' >"$work/program"
    {
        table cpu/README.md "bench list --algo $algorithm" | sed 's/ *|.*//'
        table kernels/README.md 'bench list' | sed -n "s/^$algorithm | *\([^ |]*\).*/\1/p"
    } >"$work/page"
    same 'cpu/README.md with kernels/README.md' "bench list --algo $algorithm"
done

echo "$algorithms" >"$work/program"
table README.md bench/algorithms.def | sed 's/[ ,]*|.*//; s/,.*//' | LC_ALL=C sort >"$work/page"
LC_ALL=C sort -o "$work/program" "$work/program"
same README.md bench/algorithms.def
