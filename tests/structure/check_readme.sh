#!/bin/sh
# usage: check_readme.sh FOLDER
# README.md in FOLDER is a tour of at most 150 lines, without comments; cpu/README.md shows files of the example that
# `bench new-algorithm` copies: a code block under the comment "<!-- bench/module/invert/… -->" must
# equal that file byte for byte. So must one of bench/module/short.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
cd "$1"
chapter=cpu/README.md
block=$(mktemp)
trap 'rm -f "$block"' EXIT
failed=no

lines=$(awk '/^<!--/ { comment = 1 } !comment { n++ } /-->$/ { comment = 0 } END { print n }' README.md)
if [ "$lines" -gt 150 ]; then
    echo "README.md has $lines lines, more than 150: what is no tour belongs in a chapter"
    failed=yes
fi

shown=$(sed -n 's/^<!-- \(bench\/module\/[a-z]*\/[^ ]*\) -->$/\1/p' $chapter)
[ -n "$shown" ] || { echo "$chapter shows nothing of bench/module"; failed=yes; }
for path in $shown; do
    if [ ! -f "$path" ]; then
        echo "$chapter shows $path, which does not exist"
        failed=yes
        continue
    fi
    awk -v marker="<!-- $path -->" '
        $0 == marker { wanted = 1; next }
        wanted == 1 && /^```/ { wanted = 2; next }
        wanted == 2 && /^```$/ { exit }
        wanted == 2 { print }' $chapter >"$block"
    if ! diff -u "$path" "$block"; then
        echo "$chapter and $path differ: copy the one that is right over the other"
        failed=yes
    fi
done
[ $failed = no ]
