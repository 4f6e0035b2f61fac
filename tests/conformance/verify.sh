#!/bin/sh
# usage: verify.sh BENCH ARGUMENT…
# `bench verify`; a test without anything to run on is skipped.
program=$1
shift
code=0
"$program" verify --quiet "$@" || code=$?
if [ "$code" = 6 ]; then
    echo "skipped: needs a CUDA device"
    exit 77
fi
exit "$code"
