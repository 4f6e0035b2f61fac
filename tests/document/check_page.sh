#!/bin/sh
# usage: check_page.sh [--screenshots FOLDER] PAGE.html…
# Checks reports as HTML and as a browser shows them, at the width of a phone and of a desktop, light
# and dark: page_checks.js says what is looked at. One start of the browser shows all of it. Prints each
# failure with the page's name and exits 1 when there is one; 77 when a tool is missing. Writes what the
# pages look like into FOLDER.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
here=$(cd "$(dirname "$0")" && pwd)
screenshots=
if [ "$1" = --screenshots ]; then
    screenshots=$2
    shift 2
fi
for page in "$@"; do
    [ -f "$page" ] || { echo "there is no page $page" >&2; exit 1; }
done

missing() {
    echo "skipped: needs $1"
    exit 77
}
browser=
for name in chromium chromium-browser google-chrome; do
    [ -z "$browser" ] && command -v "$name" >/dev/null && browser=$name
done
[ -n "$browser" ] || missing chromium
command -v tidy >/dev/null || missing tidy
python=
for name in python3 /usr/bin/python3; do
    [ -z "$python" ] && "$name" -c 'import html5lib' 2>/dev/null && python=$name
done
[ -n "$python" ] || missing python3-html5lib

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# --- The markup -----------------------------------------------------------------------------------
"$python" - "$@" <<'END' || failed=1
import os
import sys
import html5lib
failed = False
for path in sys.argv[1:]:
    parser = html5lib.HTMLParser()
    parser.parse(open(path, "rb").read())
    for (line, column), name, values in parser.errors[:20]:
        print("FAIL %s, html5lib: line %d: %s %s" % (os.path.basename(path), line, name, values))
        failed = True
sys.exit(failed)
END
# It warns of things that HTML allows; 2 is an error.
for page in "$@"; do
    status=0
    tidy -e -q -utf8 "$page" 2>"$work/tidy" || status=$?
    if [ "$status" -ge 2 ]; then
        grep -i error "$work/tidy" | sed "s/^/FAIL ${page##*/}, tidy: /"
        failed=1
    fi
done

# --- The browser ----------------------------------------------------------------------------------
{
    echo '<!doctype html><meta charset="utf-8"><title>check</title><pre id="results"></pre>'
    for page in "$@"; do
        cp "$page" "$work/${page##*/}"
        for scheme in dark light; do
            for size in 'width="360" height="800"' 'width="1300" height="900"'; do
                echo "<iframe src=\"${page##*/}\" $size style=\"color-scheme: $scheme\"></iframe>"
            done
        done
    done
    echo '<script>'
    cat "$here/page_checks.js"
    echo '</script>'
} >"$work/check frames.html"

# browse SCHEME ARGUMENT…: SCHEME is 0 for dark, 1 for light.
browse() {
    scheme=$1
    shift
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --disable-dev-shm-usage --allow-file-access-from-files --user-data-dir="$work/profile" \
        --blink-settings="preferredColorScheme=$scheme" --enable-logging=stderr "$@"
}

browse 1 --window-size=1500,1200 --dump-dom "file://$work/check%20frames.html" \
    >"$work/dom" 2>"$work/log" || { echo "FAIL $browser ended with an error"; failed=1; }
grep '^FAIL ' "$work/dom" && failed=1
grep '^done ' "$work/dom" || { echo "FAIL the checks did not end"; failed=1; }
grep ':CONSOLE' "$work/log" | sed 's/^/FAIL console: /' >"$work/console"
[ ! -s "$work/console" ] || { cat "$work/console"; failed=1; }

if [ -n "$screenshots" ]; then
    mkdir -p "$screenshots"
    for page in "$@"; do
        name=${page##*/}
        for size in 390,3000 1300,2400; do
            browse 1 --window-size="$size" --screenshot="$work/shot.png" "file://$work/$name" 2>"$work/log"
            mv "$work/shot.png" "$screenshots/${name%.html}-light-${size%,*}.png"
            browse 0 --window-size="$size" --screenshot="$work/shot.png" "file://$work/$name" 2>"$work/log"
            mv "$work/shot.png" "$screenshots/${name%.html}-dark-${size%,*}.png"
        done
    done
fi
exit "$failed"
