#!/bin/sh
# usage: check_readme.sh FOLDER
# README.md in FOLDER shows the worked example of tests/example: a code block under the comment
# "<!-- tests/example/… -->" must equal that file byte for byte, and every file must be shown.
set -eu
cd "$1"
block=$(mktemp)
trap 'rm -f "$block"' EXIT
failed=no

shown=$(sed -n 's/^<!-- \(tests\/example\/[^ ]*\) -->$/\1/p' README.md)
for path in $shown; do
    if [ ! -f "$path" ]; then
        echo "README.md shows $path, which does not exist"
        failed=yes
    fi
done

for path in $(find tests/example -type f | LC_ALL=C sort); do
    case " $(echo "$shown" | tr '\n' ' ') " in
        *" $path "*) ;;
        *)
            echo "README.md does not show $path"
            failed=yes
            continue
            ;;
    esac
    awk -v marker="<!-- $path -->" '
        $0 == marker { wanted = 1; next }
        wanted == 1 && /^```/ { wanted = 2; next }
        wanted == 2 && /^```$/ { exit }
        wanted == 2 { print }' README.md >"$block"
    if ! diff -u "$path" "$block"; then
        echo "README.md and $path differ: copy the one that is right over the other"
        failed=yes
    fi
done
[ $failed = no ]
