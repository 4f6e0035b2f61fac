#!/bin/sh
# usage: forms.sh BENCH [BUILD]
# Algorithms in one file of CUDA, one of each form and type, by the program BENCH: compiled, verified,
# measured. Without a device their kernels are compiled and skipped. What is compiled and measured goes
# to a temporary folder, or to BUILD, which stays.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
bench=$1
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -gt 1 ]; then
    work=$2
    mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || [ -n "${NVCC:-}" ] || {
    echo "skipped: needs nvcc, which compiles files of CUDA"
    exit 77
}
for file in "$here"/../../bench/module/short/blur.cu "$here"/*.cu; do
    name=$(basename "$file" .cu)
    XDG_CACHE_HOME=$work/cache "$bench" verify "$file" --quick
    rm -rf "${work:?}/$name"
    XDG_CACHE_HOME=$work/cache "$bench" run "$file" --peers --sizes 360p,1080p --launches 1 --reps 5 --no-plot --no-roof --quiet --out "$work/$name"
done
