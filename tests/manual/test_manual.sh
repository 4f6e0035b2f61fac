#!/bin/sh
# usage: test_manual.sh FOLDER BENCH PAGES
# Manual pages say what --help says: rendered by mandoc, the options of each command are word for word
# those of its help. mandoc, groff and man, where they are installed, find nothing to complain of in
# PAGES, the folder that is installed. Every variable that the program in FOLDER reads is explained.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
root=$1
bench=$2
pages=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$1"
    exit 1
}

"$bench" help commands | sed -n 's/^\([a-z][a-z -]*[a-z]\)  .*/\1/p' | sort -u >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 20 ] || fail "bench help commands names few"

# The page of a command: bench-app-match.1 is of "app match".
page_of() {
    echo "$pages/bench-$(echo "$1" | tr ' ' -).1"
}

# PAGES are those of these commands.
{ echo bench.1; sed 's/ /-/g; s/.*/bench-&.1/' "$work/commands"; } | LC_ALL=C sort >"$work/wanted"
(cd "$pages" && find . -type f) | sed 's|^\./||' | LC_ALL=C sort >"$work/there"
diff -u "$work/wanted" "$work/there" || fail "the pages in $pages are not those of the commands"

for section in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS' ENVIRONMENT FILES 'SEE ALSO'; do
    for page in "$pages"/*.1; do
        [ "$section" = EXAMPLES ] || grep -q "^\.SH \"*$section\"*$" "$page" || fail "$page has no section $section"
    done
done
# shellcheck disable=SC2086 # one word or two
while read -r command; do
    if "$bench" help $command | grep -q '^Examples$'; then
        grep -q '^\.SH "EXAMPLES"' "$(page_of "$command")" || fail "the page of $command lacks the examples of --help"
    fi
done <"$work/commands"

# Names in getenv and in DataFolder; those of internal messages to itself are constants elsewhere.
"$bench" help environment >"$work/environment"
grep -rhoE '(getenv\(|\.variable = )"[A-Z_]+"' "$root/bench" "$root/cpu" "$root/kernels" "$root/datasets" --include='*.c' --include='*.cu' |
    sed 's/.*"\(.*\)"/\1/' | sort -u >"$work/variables"
[ -s "$work/variables" ] || fail "no variables found in the sources"
while read -r variable; do
    [ "$variable" = HOME ] || grep -q "\<$variable\>" "$work/environment" || fail "bench help environment does not explain $variable"
done <"$work/variables"

# Whatever is installed judges the pages.
judged=no
for page in "$pages"/*.1; do
    if command -v mandoc >/dev/null; then
        judged=yes
        mandoc -T lint "$page" || fail "mandoc complains"
    fi
    if command -v groff >/dev/null; then
        judged=yes
        groff -man -ww -z -Tutf8 "$page" 2>"$work/complaints" || fail "groff fails"
        [ ! -s "$work/complaints" ] || fail "groff complains of $page: $(cat "$work/complaints")"
    fi
    if command -v man >/dev/null && man --version 2>/dev/null | grep -q man-db; then
        judged=yes
        man --warnings -l "$page" >"$work/shown" 2>"$work/complaints" || fail "man fails: $(cat "$work/complaints")"
        [ ! -s "$work/complaints" ] || fail "man complains of $page: $(cat "$work/complaints")"
        grep -q '^EXIT STATUS' "$work/shown" || fail "man does not show $page"
    fi
done
[ $judged = yes ] || { echo "skipped: needs mandoc, groff or man"; exit 77; }
command -v mandoc >/dev/null || { echo "skipped: needs mandoc"; exit 77; }

# The text of a page from OPTIONS to the next section, and that of help from the first group on, without
# white space, bold and headings of groups.
# shellcheck disable=SC2086 # one word or two
while read -r command; do
    "$bench" help --man $command >"$work/page.1"
    cmp "$work/page.1" "$(page_of "$command")" || fail "bench help --man $command is not the page that was built"
    mandoc -T utf8 "$work/page.1" | sed 's/.\x08//g' | LC_ALL=C awk '/^[A-Z]/ { inside = $0 == "OPTIONS"; next } inside' |
        sed '/^   [^ ]/d' | tr -d ' \n' >"$work/page"
    "$bench" help $command | LC_ALL=C awk '/^  --/ { begun = 1 } begun && /^  /' |
        tr -d ' \n' >"$work/help"
    [ -s "$work/help" ] || fail "bench help $command has no options"
    if ! cmp -s "$work/help" "$work/page"; then
        fold -w 100 "$work/help" >"$work/a"; echo >>"$work/a"
        fold -w 100 "$work/page" >"$work/b"; echo >>"$work/b"
        diff -u "$work/a" "$work/b" | head -20
        fail "the page of $command and its help differ"
    fi
done <"$work/commands"
