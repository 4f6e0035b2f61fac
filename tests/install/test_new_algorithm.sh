#!/bin/sh
# usage: test_new_algorithm.sh CMAKE BUILD [NVCC]
# From an installed bench and outside the tree: `bench new-algorithm` writes a project that builds
# without a warning with gcc and with clang (where there is one), verifies, and is swept; BENCH_PATH
# finds its module; and the command line of pkg-config builds one too. With NVCC its kernel is
# compiled as well. So is an algorithm in one file, by bench itself and by CMake, and the one beside a
# call of OpenCV, for which a stand-in is found. A file of C++ among the sources is compiled too.
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
quietly "$bench" new-algorithm threshold project --full
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

# --- A source of C++, and one whose language is not known -------------------------------------------

cp -R project renamed
mv renamed/threshold_omp.c renamed/threshold_omp.cpp
sed -i 's/= malloc(/= (OmpState *)malloc(/; s/const OmpState \*omp = state;/const OmpState *omp = (const OmpState *)state;/
    s/\*omp = (OmpState){/const OmpState filled = {/; s/^    };$/    }; *omp = filled;/' renamed/threshold_omp.cpp
sed -i 's/threshold_omp\.c /threshold_omp.cpp /' renamed/CMakeLists.txt
quietly "$cmake" -S renamed -B renamed/build "-DCMAKE_PREFIX_PATH=$work/usr" -DBENCH_CUDA=OFF
quietly "$cmake" --build renamed/build
quietly "$bench" verify --plugin renamed/build/threshold.so --algo threshold --quick
sed -i 's/threshold_omp\.cpp /threshold_omp.c++ /' renamed/CMakeLists.txt
if "$cmake" -S renamed -B other "-DCMAKE_PREFIX_PATH=$work/usr" -DBENCH_CUDA=OFF >log 2>&1 ||
    ! grep -q 'threshold_omp.c++ is no file of C' log; then
    echo "a source of no known language is not refused"
    exit 1
fi

# --- One file ---------------------------------------------------------------------------------------

export XDG_CACHE_HOME="$work/cache"
quietly "$bench" new-algorithm mean one --language c++
quietly "$bench" verify one/mean.cpp --quick
cat >one/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(mean LANGUAGES NONE)
find_package(bench REQUIRED)
bench_add_algorithm(mean FILE mean.cpp)
END
quietly "$cmake" -S one -B one/build "-DCMAKE_PREFIX_PATH=$work/usr" -DCMAKE_BUILD_TYPE=Release
quietly "$cmake" --build one/build
quietly "$bench" verify --plugin one/build/mean.so --algo mean --quick

# A stand-in for OpenCV: what the example calls of it, done by hand.
mkdir -p opencv/opencv2
cat >opencv/OpenCVConfig.cmake <<'END'
set(OpenCV_INCLUDE_DIRS "${CMAKE_CURRENT_LIST_DIR}")
set(OpenCV_LIBS "")
END
cat >opencv/opencv2/imgproc.hpp <<'END'
#include <cstdint>
enum { CV_8U, BORDER_REPLICATE };
namespace cv {
struct Mat { int rows, columns; uint8_t *data; Mat(int h, int w, int, void *p) : rows(h), columns(w), data((uint8_t *)p) {} };
struct Size { int side; Size(int s, int) : side(s) {} };
struct Point { Point(int, int) {} };
enum { BORDER_REPLICATE = ::BORDER_REPLICATE };
inline void setNumThreads(int) {}
inline void blur(const Mat &from, Mat &to, Size size, Point, int) {
    for (int y = 0; y < from.rows; y++) {
        for (int x = 0; x < from.columns; x++) {
            double sum = 0;
            for (int v = y - size.side / 2; v <= y + size.side / 2; v++) {
                for (int u = x - size.side / 2; u <= x + size.side / 2; u++) {
                    const int r = v < 0 ? 0 : v >= from.rows ? from.rows - 1 : v;
                    const int c = u < 0 ? 0 : u >= from.columns ? from.columns - 1 : u;
                    sum += from.data[(size_t)r * from.columns + c];
                }
            }
            to.data[(size_t)y * from.columns + x] = (uint8_t)(sum / (size.side * size.side));
        }
    }
}
}
END
quietly "$bench" new-algorithm mean with_opencv --opencv
quietly "$cmake" -S with_opencv -B with_opencv/build "-DCMAKE_PREFIX_PATH=$work/usr" "-DOpenCV_DIR=$work/opencv"
quietly "$cmake" --build with_opencv/build
quietly "$bench" verify --plugin with_opencv/build/mean.so --algo mean --quick
"$bench" list --plugin with_opencv/build/mean.so mean >log
grep -q '^    opencv ' log || { echo "no variant opencv:"; cat log; exit 1; }

[ -n "$nvcc" ] || nvcc=$(command -v nvcc || true)
if [ -n "$nvcc" ]; then
    quietly "$bench" new-algorithm mean cuda --language cuda
    NVCC=$nvcc quietly "$bench" verify cuda/mean.cu --quick
    sed 's/mean.cpp/mean.cu/' one/CMakeLists.txt >cuda/CMakeLists.txt
    CUDACXX=$nvcc quietly "$cmake" -S cuda -B cuda/build "-DCMAKE_PREFIX_PATH=$work/usr" -DCMAKE_CUDA_ARCHITECTURES=90
    quietly "$cmake" --build cuda/build
    "$bench" list --plugin cuda/build/mean.so mean >log
    grep -q '^    cuda_naive ' log || { echo "no variant cuda_naive:"; cat log; exit 1; }
fi
