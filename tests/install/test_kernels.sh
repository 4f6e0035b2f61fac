#!/bin/sh
# usage: test_kernels.sh FOLDER
# For which devices bench.sh and test.sh of FOLDER have CUDA variants compiled: those that are here,
# none without a device, all with --cuda; and when they configure anew. Made-up programs play the machine.
# shellcheck disable=SC2016 # the made-up programs' own variables
set -eu
unset CDPATH # else cd may go elsewhere, and print where
unset BENCH_CMAKE_OPTIONS BENCH_BUILD CUDACXX
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/project" "$work/project/.ci" "$work/project/tests"
cp "$1/bench.sh" "$1/test.sh" "$1/CMakeLists.txt" "$work/project"
sed "s|/dev/nvidia0|$work/device|; s|/usr/local/cuda|$work/no-cuda|g" "$1/.ci/setup.sh" >"$work/project/.ci/setup.sh"
for tool in sh basename dirname cat cut sort tr sed head tail grep mktemp rm mkdir env getconf awk wc; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done
fake() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
for tool in pkg-config cc c++ ninja gnuplot ctest; do fake $tool 'exit 0'; done
# Remembers what it is given, as CMake does, and counts; a broken nvcc stops it.
fake cmake '
case $1 in
    --version) echo "cmake version 3.25.1" ;;
    --build) shift 2; echo "$*" >'"$work"'/targets ;;
    *)
        echo "$*" >>'"$work"'/configured
        [ ! -e '"$work"'/broken ] || case "$*" in *WITH_CUDA=ON*EMULATED*) ;; *WITH_CUDA=ON*) exit 1 ;; esac
        mkdir -p '"$work"'/project/build/bin
        cd '"$work"'/project/build
        cp '"$work"'/bench bin/bench
        touch build.ninja
        [ -e CMakeCache.txt ] || { echo CMAKE_HOME_DIRECTORY:INTERNAL='"$work"'/project; echo CMAKE_GENERATOR:INTERNAL=Ninja; } >>CMakeCache.txt
        ! grep -q NOTFOUND CMakeCache.txt || { grep -v NOTFOUND CMakeCache.txt >kept; mv kept CMakeCache.txt; }
        command -v nvcc >found || echo CMAKE_CUDA_COMPILER:FILEPATH=NOTFOUND >>CMakeCache.txt
        for option; do
            case $option in -D*=*)
                name=${option%%=*}; name=${name#-D}
                grep -v "^$name:" CMakeCache.txt >kept || :
                mv kept CMakeCache.txt
                echo "$name:STRING=${option#*=}" >>CMakeCache.txt ;;
            esac
        done ;;
esac'
for tool in cp touch mv; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
printf '#!/bin/sh\necho "ran $*"\n' >"$work/bench"
chmod +x "$work/bench"

# run SCRIPT ARGUMENT…: must succeed; what cmake was asked is in `configured`, what was said in err.
run() {
    script=$1
    shift
    : >"$work/configured"
    PATH=$work/bin "$work/project/$script" "$@" >"$work/out" 2>"$work/err" </dev/null ||
        { echo "$script $* failed"; cat "$work/out" "$work/err"; exit 1; }
}
# expect OPTION…: the one configure step had these; without OPTIONs there was none.
expect() {
    if [ $# -eq 0 ]; then
        [ ! -s "$work/configured" ] || { echo "configured anew: $(cat "$work/configured")"; exit 1; }
        return
    fi
    [ "$(wc -l <"$work/configured")" -eq 1 ] || { echo "not configured once, with $*: $(cat "$work/configured")"; exit 1; }
    for option; do
        grep -qF -- " $option" "$work/configured" || { echo "no $option: $(cat "$work/configured")"; exit 1; }
    done
}
# says TEXT / silent TEXT
says() { grep -q -- "$1" "$work/err" || { echo "does not say: $1"; cat "$work/err"; exit 1; }; }
silent() { ! grep -q -- "$1" "$work/err" || { echo "says: $1"; cat "$work/err"; exit 1; }; }
fresh() { rm -rf "$work/project/build"; }
device() { # CAPABILITY…: the devices that are here
    touch "$work/device"
    fake nvidia-smi "printf '%s\n' $*"
}
no_device() { rm -f "$work/device" "$work/bin/nvidia-smi"; }

# No nvcc: nothing is said, and nothing asked for.
run bench.sh list
grep -q '^ran list$' "$work/out" || { echo "bench was not started"; exit 1; }
silent 'CUDA'
[ "$(cat "$work/targets")" = "--target bench manual schema" ] || { echo "built: $(cat "$work/targets")"; exit 1; }

# nvcc and no device: a line, once, and no kernels; the same folder serves the tests.
fake nvcc 'echo sm_75; echo sm_80; echo sm_90'
run bench.sh list
expect -DWITH_CUDA=EMULATED
says 'no CUDA kernels are compiled (bench.sh --cuda … compiles all of them)'
run bench.sh list
expect
silent 'CUDA'
run test.sh
expect -DWITH_TESTS=ON -DWITH_CUDA=EMULATED
silent 'CUDA'

# All on request, and they stay.
run bench.sh --cuda list
expect -DWITH_CUDA=ON '-DCMAKE_CUDA_ARCHITECTURES=75-real;80-real;90'
grep -q '^ran list$' "$work/out" || { echo "--cuda reaches the program"; exit 1; }
run bench.sh list
expect
device 9.0
run bench.sh list
expect

# Those of the device; two alike are one; of another device besides, and then nothing more.
fresh
device 9.0 9.0
run bench.sh list
expect -DWITH_CUDA=ON '-DCMAKE_CUDA_ARCHITECTURES=90-real'
run test.sh
expect -DWITH_TESTS=ON
run bench.sh list
expect
device 8.0
run bench.sh list
expect '-DCMAKE_CUDA_ARCHITECTURES=90-real;80-real'
device 9.0
run bench.sh list
expect
no_device
run bench.sh list
expect
run test.sh --cuda
expect '-DCMAKE_CUDA_ARCHITECTURES=80-real;75-real;90'

# A device that this nvcc does not know takes PTX; a driver that names nothing gets all.
for capability in 12.0 ''; do
    fresh
    device $capability
    run bench.sh list
    expect '-DCMAKE_CUDA_ARCHITECTURES=75-real;80-real;90'
done

# What somebody chose stays: by hand, or by options in the environment.
fresh
BENCH_CMAKE_OPTIONS=-DWITH_CUDA=OFF
export BENCH_CMAKE_OPTIONS
run bench.sh list
expect -DWITH_CUDA=OFF
unset BENCH_CMAKE_OPTIONS
run bench.sh list
expect

# An nvcc that does not work: without CUDA variants, but not where they were asked for.
fresh
touch "$work/broken"
run bench.sh list
says 'once more without CUDA variants'
if PATH=$work/bin "$work/project/bench.sh" --cuda list >"$work/out" 2>"$work/err" </dev/null; then
    echo "--cuda without an nvcc that works did not fail"
    exit 1
fi
rm "$work/broken"

# --cuda wants nvcc, and an argument for the program.
fresh
rm "$work/bin/nvcc"
if PATH=$work/bin "$work/project/bench.sh" --cuda list >"$work/out" 2>"$work/err" </dev/null; then
    echo "--cuda without nvcc did not fail"
    exit 1
fi
says 'no nvcc was found'
code=0
PATH=$work/bin "$work/project/bench.sh" --cuda >"$work/out" 2>"$work/err" </dev/null || code=$?
[ "$code" -eq 2 ] || { echo "bench.sh --cuda alone: exit code $code"; exit 1; }
