#!/bin/sh
# usage: test_deb.sh CPACK BUILD VERSION SOURCE
# cpack makes a Debian package, twice the same bytes: its control fields, its files and their content,
# the program run from it, and what lintian says where there is one.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
for tool in dpkg-deb dpkg-shlibdeps file; do
    command -v $tool >/dev/null || { echo "skipped: needs $tool"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*"
    exit 1
}

# cpack's own settings are of the folder that it runs in.
cd "$2"
for time in first second; do
    "$1" -G DEB -B "$work/$time" >"$work/log" 2>&1 || { cat "$work/log"; fail "cpack failed"; }
    rm -r "$work/$time/_CPack_Packages"
done
cd "$work"
deb=$(echo first/*.deb)
[ "$deb" = "first/gpu-bench_$3_$(dpkg --print-architecture).deb" ] || fail "the package is called $deb"
cmp "$deb" "second/${deb#first/}" || fail "the same build was packed differently"

# expect_field NAME REGEX
expect_field() {
    dpkg-deb -f "$deb" "$1" >field
    grep -qxE "$2" field || fail "$1 is '$(cat field)', expected $2"
}
expect_field Package gpu-bench
expect_field Version "$(echo "$3" | sed 's/\./\\./g')"
expect_field Architecture "$(dpkg --print-architecture)"
expect_field Maintainer '[^<>]+ <[^<>@ ]+@[^<>@ ]+>'
expect_field Section utils
expect_field Priority optional
expect_field Recommends '(.*, )?gnuplot-nox \| gnuplot(,.*)?'
for library in 'libc6' 'libpng16-16[a-z0-9]*' 'libjpeg[^,]*' 'zlib1g' 'libhwloc15' 'libcjson1' 'lib(g?omp[0-9-]+)'; do
    expect_field Depends "(.*, )?$library( \([^)]*\))?(,.*)?"
done

dpkg-deb -x "$deb" root
doc=root/usr/share/doc/gpu-bench
for file in usr/bin/bench usr/share/doc/gpu-bench/copyright usr/share/doc/gpu-bench/changelog.gz \
    usr/share/doc/gpu-bench/README.md usr/share/doc/gpu-bench/bench/README.md \
    usr/share/doc/gpu-bench/bench/METHOD.md usr/share/bench/plot/in_folder.gp \
    usr/share/bench/studies/lbp-2020/study.txt usr/share/bench/studies/lbp-2020/published.csv \
    usr/share/bench/results/h200/lbp/results.json.gz usr/share/bench/new-algorithm/invert/CMakeLists.txt \
    usr/share/bench/module/module.c usr/share/bench/module/cuda/module_cuda.c usr/include/bench/algorithm.h \
    usr/include/bench/module.h usr/include/bench/cuda_device.h usr/share/pkgconfig/bench.pc; do
    [ -s "root/$file" ] || fail "$file is not in the package"
done
[ -n "$(find root/usr/lib -path '*/cmake/bench/bench-config.cmake')" ] || fail "no CMake package is in the package"
[ "$(find root/usr/share/doc -mindepth 1 -maxdepth 1)" = $doc ] || fail "documentation outside $doc: $(ls root/usr/share/doc)"
outside=$(find root -mindepth 1 -maxdepth 1 ! -name usr)
[ -z "$outside" ] || fail "files outside usr: $outside"
dpkg-deb -c "$deb" | awk '$2 != "root/root" || $1 !~ /^(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x)$/ { print; bad = 1 } END { exit bad }' ||
    fail "owners or rights are unusual"

# Every line of the licence is in copyright, in the same order, and the form is the machine-readable one.
head -n 1 $doc/copyright | grep -q '^Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/$' ||
    fail "copyright is not in the machine-readable form"
grep -qx 'License: Expat' $doc/copyright || fail "copyright does not name the licence Expat"
grep -qx 'Copyright: 2026 The bench authors' $doc/copyright || fail "copyright names no holder"
sed -n '/^Permission/,$p' "$4/LICENSE" | sed 's/^$/./; s/^/ /' >text
sed -n '/^ Permission/,$p' $doc/copyright | cmp - text || fail "copyright does not have the licence's text"
gzip -dc $doc/changelog.gz >changelog
head -n 1 changelog | grep -qxF "gpu-bench ($3) UNRELEASED; urgency=medium" || { cat changelog; fail "changelog names another version"; }
[ ! -e "$4/CHANGELOG.md" ] || cmp "$4/CHANGELOG.md" $doc/CHANGELOG.md || fail "CHANGELOG.md is not in the package"

root/usr/bin/bench --algo lbp --sizes 64x64 --variants seq --reps 3 --no-roof --no-plot --out run >out 2>&1 ||
    { cat out; fail "the packed program failed"; }
grep -q '^lbp,' run/results.csv || { cat run/results.csv; fail "the packed program measured nothing"; }
root/usr/bin/bench study --list | grep -q lbp-2020 || fail "the packed program lists no study"

if command -v lintian >/dev/null; then
    accepted=""
    [ -d root/usr/share/man ] || accepted="--suppress-tags no-manual-page"
    # shellcheck disable=SC2086 # an option and its value, or nothing
    lintian --allow-root --fail-on error,warning $accepted "$deb" || fail "lintian finds faults"
else
    echo "without lintian"
fi
