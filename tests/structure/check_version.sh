#!/bin/sh
# usage: check_version.sh FOLDER
# The version of CMakeLists.txt is that of CITATION.cff and the newest of CHANGELOG.md, with one date.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
cd "$1"
version=$(sed -n 's/^project(bench VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
cited=$(sed -n 's/^version: //p' CITATION.cff)
cited_date=$(sed -n 's/^date-released: //p' CITATION.cff)
changed=$(sed -n 's/^## \([0-9.]*\) (.*/\1/p' CHANGELOG.md | head -n 1)
changed_date=$(sed -n 's/^## [0-9.]* (\(.*\))$/\1/p' CHANGELOG.md | head -n 1)
[ -n "$version" ] || { echo "CMakeLists.txt has no version"; exit 1; }
[ "$cited" = "$version" ] || { echo "CITATION.cff is of $cited, CMakeLists.txt of $version"; exit 1; }
[ "$changed" = "$version" ] || { echo "CHANGELOG.md ends at $changed, CMakeLists.txt is at $version"; exit 1; }
[ "$cited_date" = "$changed_date" ] || { echo "CITATION.cff is of $cited_date, CHANGELOG.md of $changed_date"; exit 1; }
