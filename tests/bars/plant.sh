#!/bin/sh
# Is a planted slowdown of 10% found? Needs an NVIDIA GPU, nvcc and ninja; measures for two minutes.
#
#   tests/bars/plant.sh OUT
#
# Builds this source tree twice, the second time with a kernel that waits in front of lbp's cuda_tiled
# (about 10% of its time on an H200 at 1080p and 8K; PLANT="SHORT LONG" sets the clock cycles for
# another GPU). Measures both in turns in runs of eight launches, five of the first and four of the
# second, and compares each with each: the exit code is 1 if fewer than 19 of 20 find it.
set -eu
unset CDPATH # else cd may go elsewhere, and print where

[ $# -eq 1 ] || {
    sed -n '2,5s/^# *//p' "$0" >&2
    exit 2
}
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1/old" "$1/new"
out=$(cd "$1" && pwd)
short=${PLANT:-1390 38200}
long=${short#* }
short=${short% *}

build() { # folder source
    cmake -S "$2" -B "$1" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWITH_CUDA=ON >"$1.log"
    cmake --build "$1" --target bench >>"$1.log"
}

build "$out/build-old" "$root"
rm -rf "$out/source"
mkdir "$out/source"
(cd "$root" && git ls-files -z | xargs -0 tar cf -) | tar xf - -C "$out/source"
awk -v wait="device->height < 2000 ? $short : $long" '
/^Status lbp_cuda_tiled_run/ {
    print "static __global__ void plant(long long cycles) {"
    print "    const long long start = clock64();"
    print "    while (clock64() - start < cycles) {"
    print "    }"
    print "}"
    inside = 1
}
{ print }
inside && /LbpDevice \*device/ {
    print "    plant<<<1, 1, 0, cuda_stream()>>>(" wait ");"
    inside = 0
    planted = 1
}
END { exit !planted }' "$root/kernels/lbp/lbp_tiled.cu" >"$out/source/kernels/lbp/lbp_tiled.cu"
build "$out/build-new" "$out/source"

measure() { # old|new number
    "$out/build-$1/bin/bench" run --algo lbp --sizes 1080p,8K --variants cuda_tiled,cuda_fast \
        --tile 16 --launches 8 --spread 0 --no-plot --no-roof --quiet --out "$out/$1/$2" >"$out/$1-$2.txt"
}

for number in 1 2 3 4 5; do
    measure old "$number"
    [ "$number" -eq 5 ] || measure new "$number"
done
python3 "$root/tests/bars/compare_runs.py" "$out/build-old/bin/bench" across "$out/old" "$out/new" \
    cuda_tiled --at-least 0.95
