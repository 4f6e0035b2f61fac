#!/bin/sh
# usage: test_check_page.sh PAGE.html
# check_page.sh finds what is wrong: PAGE, which is right, is broken in one way after the other.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
page=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# breaks WORDS SED-SCRIPT: what is made by the script is refused with a message that has the words.
breaks() {
    sed "$2" "$page" >"$work/broken.html"
    if cmp -s "$page" "$work/broken.html"; then
        echo "'$2' changes nothing"
        failed=1
        return
    fi
    status=0
    "$here/check_page.sh" "$work/broken.html" >"$work/said" || status=$?
    [ "$status" -ne 77 ] || { cat "$work/said"; exit 77; }
    if [ "$status" -eq 0 ] || ! grep -q "^FAIL .*$1" "$work/said"; then
        echo "'$2' should be refused with '$1'; check_page.sh ended with $status and said:"
        head -n 5 "$work/said"
        failed=1
    fi
}

breaks 'html5lib' '0,/<\/figcaption>/s///'
breaks 'console' "s/'use strict';/'use strict'; nothing();/"
breaks 'console' '0,/<h1>/s//<img src="http:\/\/localhost\/picture.png" alt=""><h1>/'
breaks 'scrolls sideways' '0,/<h1>/s//<h1 style="width: 900px">/'
breaks 'missing values are not last' 's/if (a.rank === 2) return 0;/return sign * (b.rank - a.rank);/;s/if (a.rank !== b.rank) return.*//'
breaks 'numbers out of order' 's/a.value - b.value/b.value - a.value/'
breaks 'no interval in' 's/if (interval) parts/if (false) parts/'
breaks 'is not hidden' 's/^\.s\.off {.*//'
breaks 'is not to be seen' '0,/translate([0-9.]* /s//translate(900 /'
breaks 'dark and light' 's/prefers-color-scheme: dark/prefers-color-scheme: no-preference/'
exit "$failed"
