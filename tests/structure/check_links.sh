#!/bin/sh
# usage: check_links.sh FOLDER
# What every chapter in FOLDER points to exists: files and folders of its relative links and images, the
# headings named behind "#", and source files named in `code` with a path from FOLDER (cpu/lbp/lbp.h;
# those of invert, the example, are in bench/module/invert). Chapters are all pages in Markdown but
# CHANGELOG.md, which is about earlier versions too, and what the program writes.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=no

# The text of a page outside its code blocks and comments.
prose() {
    awk '/^```/ { inside = !inside; next }
        !inside && /^ *<!--/ { comment = 1 }
        !inside && !comment
        /-->$/ { comment = 0 }' "$1"
}

# The names by which headings of a page are linked to: small letters, blanks as hyphens, no
# punctuation. In bytes, of which those of letters beyond ASCII stay.
headings() {
    prose "$1" | sed -n 's/^##* //p' | LC_ALL=C tr 'A-Z ' 'a-z-' |
        LC_ALL=C sed 's/[]!"#$%&'"'"'()*+,./:;<=>?@[\\^`{|}~]//g'
}

find . -name '*.md' -not -name CHANGELOG.md -not -path './.git/*' -not -path './build*' -not -path './reports/runs/*' \
    -not -path './reports/results/*' -not -path './tests/data/*' -not -path './tests/golden/*' |
    sed 's|^\./||' | LC_ALL=C sort >"$work/pages"
while read -r page; do
    folder=$(dirname "$page")
    prose "$page" | grep -o '](<*[^)> ]*>*)' | sed 's/^](<*//; s/>*)$//' |
        grep -v '^[a-z]*://' | LC_ALL=C sort -u >"$work/links" || true
    while read -r link; do
        path=${link%%#*}
        target=$page
        [ -z "$path" ] || target=$folder/$path
        if [ ! -e "$target" ]; then
            echo "$page links to $link, which does not exist"
            failed=yes
            continue
        fi
        case $link in
            *'#'*)
                headings "$target" | grep -qxF -e "${link#*#}" || {
                    echo "$page links to $link: no such heading"
                    failed=yes
                }
                ;;
        esac
    done <"$work/links"
    prose "$page" | tr '`' '\n' |
        grep -E '^(bench|cpu|kernels|datasets|plot|tests)/[A-Za-z0-9_/.-]+\.(c|h|cu|cuh|def|txt|sh|py|gp)$' |
        grep -v -e /invert/ | LC_ALL=C sort -u >"$work/named" || true
    while read -r path; do
        if [ ! -e "$path" ]; then
            echo "$page names $path, which does not exist"
            failed=yes
        fi
    done <"$work/named"
done <"$work/pages"
[ $failed = no ]
