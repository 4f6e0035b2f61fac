#!/bin/sh
# usage: check_page.sh PAGE.html [SCREENSHOTS]
# Checks a report as HTML and as a browser shows it, at the width of a phone and of a desktop, light
# and dark: page_checks.js says what is looked at. Prints each failure and exits 1 when there is one;
# 77 when a tool is missing. With a folder SCREENSHOTS, writes what the page looks like there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
page=$1
[ -f "$page" ] || { echo "there is no page $page" >&2; exit 1; }

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
"$python" - "$page" <<'END' || failed=1
import sys
import html5lib
parser = html5lib.HTMLParser()
parser.parse(open(sys.argv[1], "rb").read())
for (line, column), name, values in parser.errors[:20]:
    print("FAIL html5lib: line %d: %s %s" % (line, name, values))
sys.exit(len(parser.errors) > 0)
END
# It warns of things that HTML allows; 2 is an error.
status=0
tidy -e -q -utf8 "$page" 2>"$work/tidy" || status=$?
if [ "$status" -ge 2 ]; then
    grep -i error "$work/tidy" | sed 's/^/FAIL tidy: /'
    failed=1
fi

# --- The browser ----------------------------------------------------------------------------------
cp "$page" "$work/page.html"
{
    echo '<!doctype html><meta charset="utf-8"><title>check</title><pre id="results"></pre>'
    echo '<iframe src="page.html" width="360" height="800"></iframe>'
    echo '<iframe src="page.html" width="1440" height="900"></iframe><script>'
    cat "$here/page_checks.js"
    echo '</script>'
} >"$work/frames.html"

# browse SCHEME ARGUMENT…: SCHEME is 0 for dark, 1 for light.
browse() {
    scheme=$1
    shift
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --disable-dev-shm-usage --allow-file-access-from-files --user-data-dir="$work/profile" \
        --blink-settings="preferredColorScheme=$scheme" --enable-logging=stderr "$@"
}

for scheme in 0 1; do
    browse "$scheme" --window-size=1500,1200 --dump-dom "file://$work/frames.html" \
        >"$work/dom" 2>"$work/log" || { echo "FAIL $browser ended with an error"; failed=1; }
    grep -E '^(FAIL|background|done) ' "$work/dom" >"$work/results-$scheme" || true
    grep '^FAIL ' "$work/results-$scheme" && failed=1
    grep -q '^done ' "$work/results-$scheme" || { echo "FAIL the checks did not end"; failed=1; }
    grep ':CONSOLE' "$work/log" | sed 's/^/FAIL console: /' >"$work/console"
    [ ! -s "$work/console" ] || { cat "$work/console"; failed=1; }
done
dark=$(grep '^background ' "$work/results-0" || true)
light=$(grep '^background ' "$work/results-1" || true)
[ "$dark" != "$light" ] || { echo "FAIL dark and light have the same $light"; failed=1; }

if [ $# -gt 1 ]; then
    mkdir -p "$2"
    for size in 390,3000 1440,2400; do
        browse 1 --window-size="$size" --screenshot="$work/shot.png" "file://$work/page.html" 2>"$work/log"
        mv "$work/shot.png" "$2/light-${size%,*}.png"
        browse 0 --window-size="$size" --screenshot="$work/shot.png" "file://$work/page.html" 2>"$work/log"
        mv "$work/shot.png" "$2/dark-${size%,*}.png"
    done
fi
grep '^done ' "$work/results-1" || true
exit "$failed"
