#!/bin/sh
# usage: keep.sh PREFIX
# Keeps the headers of a release, of a bench installed in PREFIX: with the sources that each module
# has and the example, as <release>.tar.gz beside this script. To be called once, when it is released.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
release=$(sed -n 's/^#define BENCH_HEADERS "\(.*\)"$/\1/p' "$1/include/bench/module.h")
[ -n "$release" ] || { echo "$1 has no headers of a release" >&2; exit 1; }
[ ! -e "$here/$release.tar.gz" ] || { echo "those of $release are kept already" >&2; exit 1; }
mkdir "$work/module"
cp -R "$1/include/bench" "$work/include"
cp "$1"/share/bench/module/*.c "$work/module"
cp -R "$1/share/bench/new-algorithm/invert" "$work/invert"
tar -C "$work" --sort=name --mtime=2000-01-01 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -c include module invert |
    gzip -9n >"$here/$release.tar.gz"
