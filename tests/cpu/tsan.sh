#!/bin/sh
# ThreadSanitizer over the OpenMP variants. gcc's OpenMP runtime synchronises in ways that the
# sanitizer cannot see; clang's tells it through the tool Archer, which comes with the runtime.
# usage: tsan.sh SOURCE_DIR SCRATCH_DIR CLANG; exit code 77: cannot be run here.
# shellcheck disable=SC2086,SC2046 # lists of options
set -eu
unset CDPATH # else cd may go elsewhere, and print where
source=$1 scratch=$2 clang=$3

skip() {
    echo "skipped: needs $1"
    exit 77
}

command -v "$clang" >/dev/null 2>&1 || skip clang
mkdir -p "$scratch"
flags="-std=gnu11 -O1 -g -fopenmp -fsanitize=thread"

# A program with a race and one without: what shows no difference here proves nothing below.
cat >"$scratch/control.c" <<'END'
#include <stdio.h>
int main(int argc, char **argv) {
    (void)argv;
    int sum = 0;
    int parts[64] = {0};
#pragma omp parallel for num_threads(4) schedule(static)
    for (int i = 0; i < 64; ++i) {
        parts[i] = i;
        if (argc > 1) {
            sum += i;
        }
    }
    for (int i = 0; i < 64; ++i) {
        sum += parts[i];
    }
    printf("%d\n", sum);
    return 0;
}
END
"$clang" $flags "$scratch/control.c" -o "$scratch/control" 2>"$scratch/control.log" ||
    skip "clang's OpenMP and ThreadSanitizer: $(head -n 1 "$scratch/control.log")"
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
ARCHER_OPTIONS=verbose=1 "$scratch/control" >"$scratch/control.log" 2>&1 ||
    skip "libarcher: ThreadSanitizer sees races in a program without one"
grep -q Archer "$scratch/control.log" || skip "libarcher: the OpenMP runtime did not load it"
if "$scratch/control" race >/dev/null 2>&1; then
    echo "ThreadSanitizer did not see the race in the control program"
    exit 1
fi

libraries="cmocka hwloc libpng libjpeg zlib"
algorithms="lbp lbp_riu lacunarity copy haar adaboost fast9 hashsift bad orb matching integral"
folders="bench/api cpu/common datasets"
for algorithm in $algorithms; do
    folders="$folders cpu/$algorithm"
done
includes="" sources=""
for folder in $folders; do
    includes="$includes -I$folder"
    sources="$sources $folder/*.c"
done

rooms=$(sed -n "s|^\([a-z_/]*\):.*|-Ibench/\1|p" "$source/bench/rooms.txt" | tr '\n' ' ')

# Each file on its own, through the compiler cache where the build has one. As in CMakeLists.txt,
# coordinates are computed without contraction.
rm -f "$scratch"/*.o
cd "$source"
for file in $sources bench/base/clock.c bench/base/element_names.c bench/base/files.c bench/base/list.c bench/base/mapped_file.c \
    bench/machine/topology.c bench/run/backend_cpu.c tests/test.c tests/cpu/variant_runs.c tests/cpu/tsan_variants.c; do
    echo "${CMAKE_C_COMPILER_LAUNCHER:-} $clang $flags -ffp-contract=off $includes $rooms -Itests" \
        "-DBENCH_SHARED_DATA='\"\"' $(pkg-config --cflags $libraries)" \
        "-c $file -o '$scratch/$(echo "$file" | tr / -).o'"
done | xargs -d '\n' -P "$(getconf _NPROCESSORS_ONLN)" -n 1 sh -c
"$clang" $flags "$scratch"/*.o $(pkg-config --libs $libraries) -lm -ldl -o "$scratch/tsan_variants"
"$scratch/tsan_variants"
