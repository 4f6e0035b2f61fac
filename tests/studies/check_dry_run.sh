#!/bin/sh
# Every study is read by the program, and `bench study --dry-run` tells all of its steps: with data
# and without, whole and quick. Nothing is written.
#
#   check_dry_run.sh STUDIES BENCH
set -u

studies=$1
bench=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failed=0

fail() {
    echo "$1"
    failed=1
}

# Names of files in {data} that a study asks for.
data_files() {
    sed -n 's/.*{data}\/\([^ ,]*\).*/\1/p' "$1" | sort -u
}

# NAME DATA [OPTION]: the dry run, every step of which must be told.
dry_run() {
    name=$1
    shift
    if ! "$bench" study "$studies/$name" --dry-run --out "$folder/out" --data "$@" \
        > "$folder/told" 2> "$folder/errors"; then
        fail "$name --data $*: $(cat "$folder/errors")"
        return
    fi
    [ -e "$folder/out" ] && fail "$name --data $*: a dry run wrote files"
    while read -r word step command; do
        [ "$word" = step ] || continue
        grep -q -w -e "$step" "$folder/told" || fail "$name --data $*: step $step is not told"
        # A command that is left out is not told. A file is copied, no command.
        line="bench $command"
        [ "$command" = file ] && line="cp"
        if grep -w -e "$step:" "$folder/told" | grep -q -v -e "$line" -e "left out"; then
            fail "$name --data $*: step $step is not '$line'"
        fi
    done < "$studies/$name/study.txt"
}

count=0
for file in "$studies"/*/study.txt; do
    name=$(basename "$(dirname "$file")")
    count=$((count + 1))
    mkdir "$folder/data-$name"
    data_files "$file" | while read -r wanted; do
        : > "$folder/data-$name/$wanted"
    done
    dry_run "$name" "$folder/no-data"
    dry_run "$name" "$folder/no-data" --quick
    dry_run "$name" "$folder/data-$name" --quick
    dry_run "$name" "$folder/data-$name"
    if grep -q "left out" "$folder/told"; then
        fail "$name: left out although its data is there: $(grep 'left out' "$folder/told")"
    fi
    "$bench" study --list | grep -q -w -e "$name" || fail "$name is not in bench study --list"
done
[ "$count" -ge 5 ] || fail "$studies has $count studies"
[ "$failed" = 0 ] && echo "$count studies run dry"
exit "$failed"
