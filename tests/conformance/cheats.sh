#!/bin/sh
# usage: cheats.sh BENCH MODULE
# Kernels that cheat (cheats.cu) are named by `bench verify` and `bench run` of the program BENCH. MODULE is
# that file, which the program compiles, or what was built of it.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
bench=$(readlink -f "$1")
module=$(readlink -f "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_CACHE_HOME="$work/cache"
case $module in
*.cu)
    command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || [ -n "${NVCC:-}" ] || {
        echo "skipped: needs nvcc, which compiles files of CUDA"
        exit 77
    }
    set -- "$module"
    ;;
*) set -- --plugin "$module" --algo cheats ;;
esac

# The default stream of the emulation waits for all others.
all=cuda_honest,cuda_forked,cuda_joined,cuda_kept,cuda_left,cuda_reserving,cuda_outside
case $module in
*.cu) all=$all,cuda_default ;;
esac

failures=0
# names FILE VARIANT PATTERN: a line of the variant, or its row, has the pattern
names() {
    if ! grep -E "cheats[/,]$2[/:,]" "$1" | grep -qE "$3"; then
        echo "$(basename "$1"): no line of $2 has '$3'"
        failures=$((failures + 1))
    fi
}

# names_reserving FILE: devices round what is to be reserved
names_reserving() {
    grep -q 'cuda_reserving: nothing can be reserved' ./*.err ||
        names "$1" cuda_reserving "it left [0-9.]+ MiB of the device's L2 cache reserved for lines that persist"
}

# check FILE
check() {
    # A kernel that does not wait for the upload may also have a wrong answer, which is no less seen.
    beside='it works beside the stream that it is given, where no clock sees it|wrong answer'
    names "$1" cuda_joined "$beside"
    case $all in
    *cuda_default*) names "$1" cuda_default "$beside" ;;
    esac
    names "$1" cuda_kept 'it keeps answers: its input was changed, and the answer is still that of the input before'
    names "$1" cuda_left 'its answer was damaged after a run, and the next run left it so: wrong answer'
    names_reserving "$1"
    names "$1" cuda_outside 'wrote outside a device buffer of 307200 bytes, after its end'
}

code=0
"$bench" verify "$@" --variants "$all" --shapes 640x480 --contents noise --quiet >verify.out 2>verify.err || code=$?
if [ "$code" = 6 ]; then
    echo "skipped: needs a CUDA device"
    exit 77
fi
cat verify.err verify.out
[ "$code" = 4 ]
check "$work/verify.err"
grep -qE 'cuda_honest .* right$' verify.out
grep -qE 'cuda_forked .* right$' verify.out

code=0
"$bench" run "$@" --variants "seq,$all" --sizes 640x480 --launches 1 --reps 4 --no-plot --no-roof --quiet --all --out run \
    >run.out 2>run.err || code=$?
cat run.err run.out
[ "$code" = 4 ]
check "$work/run/results.csv"
grep -q '^cheats,cuda_honest,cuda,texture,640x480,640,480,,,0,ok,' run/results.csv
grep -q '^cheats,cuda_forked,cuda,texture,640x480,640,480,,,0,ok,' run/results.csv

# reserves FOLDER OPTION…
reserves() {
    folder=$1
    shift
    code=0
    "$bench" run "$@" --variants seq,cuda_reserving --sizes 640x480 --launches 1 --reps 64 --no-plot --no-roof \
        --quiet --out "$folder" >"$folder.out" 2>"$folder.err" || code=$?
    [ "$code" = 4 ] || grep -q 'nothing can be reserved' "$folder.err" || {
        echo "$folder: exit code $code"
        failures=$((failures + 1))
    }
    names_reserving "$folder/results.csv"
}
reserves cold "$@" --cold
export RESERVES_AFTER=40
reserves late "$@"
[ "$failures" = 0 ]
