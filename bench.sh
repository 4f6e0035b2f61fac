#!/bin/sh
# Installs what is missing, builds in build/ and runs the program with the arguments given. CUDA
# variants are compiled for the devices that are here; --cuda, the first argument, compiles all.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
root=$(cd "$(dirname "$0")" && pwd)

kernels=devices
if [ "${1:-}" = --cuda ]; then
    kernels=all
    shift
fi
if [ $# -eq 0 ]; then
    cat >&2 <<'USAGE'
usage: ./bench.sh [--cuda] ARGUMENT…   build the program, then run build/bin/bench ARGUMENT…

  --cuda                                       compile the CUDA variants for compute capabilities 7.5
                                               to 9.0, not only for the devices that are here
  ./bench.sh --algo lbp --sizes all            sweep, verify, time, draw charts
  ./bench.sh --algo lbp --input image.jpg      one image at its own size
  ./bench.sh list                              algorithms, variants, devices
  ./bench.sh help                              every command and option
USAGE
    exit 2
fi

. "$root/.ci/setup.sh"
# shellcheck disable=SC2119 # the arguments are the program's
install_build_packages
prepare_cuda
choose_kernels "$kernels"
build_target="bench manual schema" # and no tests
configure_and_build
exec "$build/bin/bench" "$@"
