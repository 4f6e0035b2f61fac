#!/bin/sh
# usage: test_headers.sh CMAKE BUILD SOURCE
# The example is built with the headers of each release that is kept, and is loaded and verified, or
# refused in one line that names the release. Built with this release's headers it is loaded, as it
# is if they have fewer or more members. Every release of CHANGELOG.md is kept.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
cmake=$1
build=$2
source=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench=$build/bin/bench
compiler=$(command -v gcc || command -v cc) || { echo "skipped: needs a C compiler"; exit 77; }
cd "$work"

# build_module FOLDER: FOLDER.so of the headers, module sources and example in FOLDER.
build_module() {
    "$compiler" -O1 -shared -fPIC -fvisibility=hidden -fopenmp -DBENCH_ALGORITHM=invert -DBENCH_CUDA_ROWS \
        "-I$1/include" "$1"/invert/*.c "$1"/module/*.c -o "$1.so" || { echo "$1 is not built"; exit 1; }
}

# is_refused MODULE TEXT: with exit code 5, in one line that has the text.
is_refused() {
    code=0
    "$bench" list --plugin "$1" >out 2>err || code=$?
    [ $code = 5 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -qF "$2" err
}

is_right() {
    "$bench" verify --plugin "$1" --algo invert --shapes 1x1,33x17 --contents noise >out 2>err && grep -q '2 of 2 variants right' out
}

expect() {
    "$@" || { echo "not so: $*"; cat out err; exit 1; }
}

# --- Releases -------------------------------------------------------------------------------------

sed -n 's/^## \([0-9.]*\) (.*/\1/p' "$source/CHANGELOG.md" >releases
while read -r release; do
    [ -s "$source/tests/modules/$release.tar.gz" ] || {
        echo "the headers of $release are not kept; tests/modules/keep.sh keeps them"
        exit 1
    }
    mkdir "$release"
    tar -C "$release" -xzf "$source/tests/modules/$release.tar.gz"
    build_module "$release"
    is_right "./$release.so" || expect is_refused "./$release.so" "built with the headers of bench $release: "
done <releases

# --- This release, and what may be made of it -----------------------------------------------------

"$cmake" --install "$build" --prefix "$work/usr" >log || { cat log; exit 1; }
mkdir -p today/module
cp -R usr/include/bench today/include
cp usr/share/bench/module/*.c today/module
cp -R usr/share/bench/new-algorithm/invert today/invert
build_module today
expect is_right ./today.so

# An earlier release: without the last members, which the example does not need.
cp -R today earlier
drop() { # HEADER TEXT: the member that begins with it
    awk -v text="    $2" '
        index($0, text) == 1 { found = gone = 1 }
        !gone { print }
        gone && /;/ { gone = 0 }
        END { exit !found }' "earlier/include/$1" >changed || { echo "$1 has no '$2'"; exit 1; }
    mv changed "earlier/include/$1"
}
drop algorithm.h 'const WeightsKind *weights'
drop algorithm.h 'Status (*write_table)('
drop cost.h 'double oracle_work'
drop variant.h 'void (*compare)('
drop variant.h 'const Steps *steps'
build_module earlier
expect is_right ./earlier.so

# A later release: a member more behind each structure that may grow.
cp -R today later
for header in later/include/*.h; do
    awk '
        /^typedef struct [A-Za-z]+ \{$/ { grows = 0; fresh = 1; print; next }
        fresh { grows = /uint32_t struct_bytes;/; fresh = 0 }
        /^\} [A-Za-z]+;$/ && grows && $2 != "Output;" { print "    uint64_t later;"; grows = 0 }
        { print }' "$header" >changed
    mv changed "$header"
done
grown=$(cat later/include/*.h | grep -c '^    uint64_t later;$')
[ "$grown" -ge 15 ] || { echo "only $grown structures may grow"; exit 1; }
sed -i 's/^#define BENCH_HEADERS .*/#define BENCH_HEADERS "9.9.0"/' later/include/module.h
build_module later
expect is_right ./later.so

# Which is refused when it is used.
use() { # NAME FILE TABLE TEXT: the member of a table of the example, and what the line says
    cp -R later "$1"
    sed -i "s/$3/& .later = 1,/" "$1/$2"
    build_module "$1"
    expect is_refused "./$1.so" "built with the headers of bench 9.9.0: $4"
}
use algorithm invert/invert_algorithm.c 'const Algorithm invert_algorithm = {' 'its algorithm has members'
use variant include/cpu_variant.h 'struct_bytes = sizeof(Variant),' 'row 1 of its variants has members'
use axis module/cpu_variant.c 'const Axis threads_axis = {' 'an axis has members'
use symbol module/module.c 'struct_bytes = sizeof(BenchModule),' 'it has members'
