#!/bin/sh
# usage: test_new_algorithm.sh CMAKE BUILD [NVCC]
# From an installed bench and outside the tree: `bench new-algorithm` writes a project that builds
# without a warning with gcc and with clang (where there is one), verifies, and is swept; BENCH_PATH
# finds its module; and the command line of pkg-config builds one too. With NVCC its kernel is
# compiled as well.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
cmake=$1
build=$2
nvcc=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

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
        $column["algorithm"] == "threshold" && $column["variant"] == variant {
            cells++
            good += $column["status"] == "ok" && $column["verified"] == "yes"
        }
        END { exit !(cells > 0 && good == cells) }' run/results.csv || {
        echo "no verified cell of threshold/$1:"
        cat run/results.csv
        exit 1
    }
}

quietly "$cmake" --install "$build" --prefix "$work/usr"
bench=$work/usr/bin/bench
quietly "$bench" new-algorithm threshold project
if grep -ri invert project; then
    echo "the project still speaks of the example"
    exit 1
fi

for compiler in gcc clang; do
    if ! echo '#include <omp.h>' | $compiler -fopenmp -x c -fsyntax-only - 2>log; then
        echo "without $compiler: $(tail -n 1 log)"
        continue
    fi
    cuda=OFF
    [ -z "$nvcc" ] || [ $compiler = clang ] || cuda=ON
    CC=$compiler CUDACXX=$nvcc quietly "$cmake" -S project -B "$compiler" "-DCMAKE_PREFIX_PATH=$work/usr" \
        "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror" -DBENCH_CUDA=$cuda -DCMAKE_CUDA_ARCHITECTURES=90
    quietly "$cmake" --build "$compiler"
    exported=$(nm -D --defined-only "$compiler/threshold.so" | grep -vc '__\|_init$\|_fini$' || true)
    [ "$exported" = 1 ] || { echo "$exported symbols are exported, not one:"; nm -D "$compiler/threshold.so"; exit 1; }
    quietly "$bench" verify --plugin "$compiler/threshold.so" --algo threshold --quick
    rm -rf run
    quietly "$bench" --plugin "$compiler/threshold.so" --algo threshold --sizes 33x17 --reps 3 --no-plot --no-roof \
        --out run
    expect_verified seq
    expect_verified omp
    rm -rf run
    BENCH_PATH=$work/$compiler quietly "$bench" --algo threshold --sizes 33x17 --reps 3 --launches 2 --no-plot \
        --no-roof --out run
    expect_verified omp
done

if command -v pkg-config >/dev/null && command -v gcc >/dev/null; then
    PKG_CONFIG_PATH=$(dirname "$(find "$work/usr" -name bench.pc)")
    export PKG_CONFIG_PATH
    # shellcheck disable=SC2046 # a list of options
    quietly gcc -O1 -shared -fPIC -fvisibility=hidden -fopenmp -DBENCH_ALGORITHM=threshold -DBENCH_CUDA_ROWS \
        $(pkg-config --cflags bench) project/*.c "$(pkg-config --variable=module_sources bench)"/*.c -o plain.so
    quietly "$bench" verify --plugin plain.so --algo threshold --quick
fi
