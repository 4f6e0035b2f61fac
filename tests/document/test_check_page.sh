#!/bin/sh
# usage: test_check_page.sh PAGE.html
# check_page.sh finds what is wrong: PAGE, which is right, is broken in one way after the other.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
here=$(cd "$(dirname "$0")" && pwd)
page=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# breaks WORDS SED-SCRIPT: what is made by the script, broken-N.html, is to be refused with a message
# that has its name and the words. A script has the name as @.
count=0
breaks() {
    count=$((count + 1))
    script=$(printf '%s' "$2" | sed "s/@/broken-$count.html/")
    sed "$script" "$page" >"$work/broken-$count.html"
    if cmp -s "$page" "$work/broken-$count.html"; then
        echo "'$script' changes nothing"
        failed=1
    fi
    printf '%s\t%s\n' "$1" "$script" >>"$work/breaks"
}

breaks 'html5lib' '0,/<\/figcaption>/s///'
breaks 'console' "s/'use strict';/'use strict'; nothing();/"
breaks 'console' '0,/<h1>/s//<img src="http:\/\/localhost\/@.png" alt=""><h1>/'
breaks 'scrolls sideways' '0,/<h1>/s//<h1 style="width: 900px">/'
breaks 'missing values are not last' 's/if (a.rank === 2) return 0;/return sign * (b.rank - a.rank);/;s/if (a.rank !== b.rank) return.*//'
breaks 'numbers out of order' 's/a.value - b.value/b.value - a.value/'
breaks 'no interval in' 's/if (interval) parts/if (false) parts/'
breaks 'is not hidden' 's/^\.s\.off {.*//'
breaks 'is not to be seen' '0,/translate([0-9.]* /s//translate(900 /'
breaks 'dark and light' 's/prefers-color-scheme: dark/prefers-color-scheme: no-preference/'

status=0
"$here/check_page.sh" "$page" "$work"/broken-*.html >"$work/said" || status=$?
[ "$status" -ne 77 ] || { cat "$work/said"; exit 77; }
number=0
while IFS="$(printf '\t')" read -r words script; do
    number=$((number + 1))
    grep "^FAIL .*broken-$number\.html" "$work/said" >"$work/of-it" || true
    if [ "$status" -ne 1 ] || ! grep -q "$words" "$work/of-it"; then
        echo "'$script' should be refused with '$words'; check_page.sh ended with $status and said of it:"
        head -n 5 "$work/of-it"
        failed=1
    fi
done <"$work/breaks"
# A failure is told of the page that has it.
if grep "^FAIL .*${page##*/}" "$work/said"; then
    echo "${page##*/}, which is right, should not be refused"
    failed=1
fi
exit "$failed"
