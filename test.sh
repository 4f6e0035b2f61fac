#!/bin/sh
# Installs what is missing, builds in build/ with the tests and runs them all, and says at the end
# how many were skipped and what they need; arguments go to ctest:
#   ./test.sh --quick         while at work: units, structure and golden without those that take long
#   ./test.sh --cuda          with all CUDA kernels compiled, not only those for the devices here; the
#                             first argument
#   ./test.sh -L gpu          only the tests that need a device
#   ./test.sh -R structure    only the tests whose name matches
set -eu
unset CDPATH # else cd may go elsewhere, and print where
root=$(cd "$(dirname "$0")" && pwd)

kernels=devices
if [ "${1:-}" = --cuda ]; then
    kernels=all
    shift
fi
. "$root/.ci/setup.sh"
install_build_packages library:cmocka=libcmocka-dev
prepare_cuda
choose_kernels "$kernels"
if [ "${1:-}" = --quick ]; then
    shift
    # Those of these folders that take less than two seconds of a processor, and golden.
    long=$(awk '$1 !~ /^golden/ && $3 >= 2 { printf "%s%s", (n++ ? "|" : ""), $1 }' "$root/tests/costs.txt")
    set -- -L '^(api|bench|cpu|datasets|structure|golden)$' -E "^($long)\$" "$@"
    build_target=quick_tests
fi
configure_and_build -DWITH_TESTS=ON
log="$build/Testing/Temporary/LastTest.log"
rm -f "$log"
status=0
# A fifth of the time tests wait, for other processes and for files.
processors=$(getconf _NPROCESSORS_ONLN)
ctest --test-dir "$build" --output-on-failure --parallel $((processors + processors / 2)) "$@" || status=$?
[ ! -e "$log" ] || "$root/tests/skipped.sh" "$log"
exit "$status"
