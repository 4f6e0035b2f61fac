#!/bin/sh
# usage: test_worked_example.sh FOLDER [NVCC]
# Does what "Adding an algorithm" and "Adding a variant" in cpu/README.md say, in a copy of the source
# tree in FOLDER: adds the files of tests/example and the one row, builds without CUDA, runs, and
# looks for verified cells. With NVCC the example's kernel is compiled as well.
set -eu
root=$1
nvcc=${2:-}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
(cd "$root" && tar -cf - CMakeLists.txt bench cpu datasets kernels plot tests) |
    tar -C "$copy" -xf -
cd "$copy"

# quietly COMMAND…: output only when it fails.
quietly() {
    if ! "$@" >log 2>&1; then
        echo "failed: $*"
        tail -n 60 log
        exit 1
    fi
}

# expect_verified VARIANT: at least one cell of it, each ok and verified, in run/results.csv.
expect_verified() {
    awk -F, -v variant="$1" '
        /^#/ { next }
        !heading { heading = 1; for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["algorithm"] == "invert" && $column["variant"] == variant {
            cells++
            good += $column["status"] == "ok" && $column["verified"] == "yes"
        }
        END { exit !(cells > 0 && good == cells) }' run/results.csv || {
        echo "no verified cell of invert/$1:"
        cat run/results.csv
        exit 1
    }
}

build_and_run() {
    quietly cmake --build build --target bench
    rm -rf run
    quietly build/bin/bench --algo invert --sizes 33x17 --variants all --reps 3 --no-plot --out run
}

cp -R tests/example/algorithm/cpu tests/example/algorithm/kernels .
echo 'ALGORITHM(invert)' >>bench/algorithms.def
# Debug compiles fastest; with a compiler cache what other builds of bench.sh and test.sh left there is
# faster still.
type=Debug
[ -z "${CMAKE_C_COMPILER_LAUNCHER:-}" ] || type=Release
export CCACHE_BASEDIR="$copy"
# shellcheck disable=SC2086 # a list of options
quietly cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=$type ${BENCH_CMAKE_OPTIONS:-} -DWITH_CUDA=OFF
build_and_run
expect_verified seq

cp -R tests/example/variant/cpu .
quietly patch -p1 -i tests/example/variant/table.diff
build_and_run
expect_verified seq
expect_verified omp
if tests/structure/check_sources.sh . | grep invert; then
    exit 1
fi

if [ -n "$nvcc" ]; then
    includes='-Ibench/api -Ikernels/common -Ikernels/invert -Icpu/common -Icpu/invert'
    # shellcheck disable=SC2086 # a list of options
    quietly "$nvcc" -std=c++17 -DBENCH_WITH_CUDA -Werror=all-warnings -arch=sm_80 $includes \
        -c -odir . kernels/invert/*.cu
    # shellcheck disable=SC2086
    quietly cc -std=gnu11 -DBENCH_WITH_CUDA -Wall -Wextra -Werror $includes -c kernels/invert/*.c
fi
