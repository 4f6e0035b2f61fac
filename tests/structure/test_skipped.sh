#!/bin/sh
# usage: test_skipped.sh SKIPPED.SH CTEST EXPRESSION
# What a program of cmocka says makes ctest, with its SKIP_REGULAR_EXPRESSION, show it as skipped only
# when every test was and none failed; and SKIPPED.SH counts in ctest's log.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
skipped=$1 ctest=$2 expression=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# program NAME CODE: a program that says what is on standard input and exits with CODE.
program() {
    cat >"$1.said"
    printf '#!/bin/sh\ncat "%s/%s.said" >&2\nexit %s\n' "$work" "$1" "$2" >"$1"
    chmod +x "$1"
    printf 'add_test(%s "%s/%s")\n' "$1" "$work" "$1" >>CTestTestfile.cmake
    printf 'set_tests_properties(%s PROPERTIES SKIP_REGULAR_EXPRESSION [==[%s]==])\n' "$1" "$expression" \
        >>CTestTestfile.cmake
}
program all 0 <<'END'
[==========] tests: Running 2 test(s).
[ RUN      ] one
skipped: needs ../shared/data: /nowhere/picture.png
[  SKIPPED ] one
[ RUN      ] two
skipped: needs a CUDA device: built without CUDA: no nvcc was found
[  SKIPPED ] two
[==========] tests: 2 test(s) run.
[  PASSED  ] 0 test(s).
[  SKIPPED ] tests: 2 test(s), listed below:
[  SKIPPED ] one
[  SKIPPED ] two

 2 SKIPPED TEST(S)
END
program some 0 <<'END'
skipped: needs ../shared/data
[==========] 2 test(s) run.
[  PASSED  ] 1 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] one

 1 SKIPPED TEST(S)
END
program failed 1 <<'END'
[==========] 2 test(s) run.
[  PASSED  ] 0 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] one

 1 SKIPPED TEST(S)
[  FAILED  ] 1 test(s), listed below:
[  FAILED  ] two

 1 FAILED TEST(S)
END
program leaked 1 <<'END'
[==========] 1 test(s) run.
[  PASSED  ] 0 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] one

 1 SKIPPED TEST(S)

==1==ERROR: LeakSanitizer: detected memory leaks
END
program ten 0 <<'END'
[==========] 11 test(s) run.
[  PASSED  ] 10 test(s).
[  SKIPPED ] 1 test(s), listed below:
[  SKIPPED ] one

 1 SKIPPED TEST(S)
END

"$ctest" >said 2>&1 || true
bad=0
# shows NAME WORD: how ctest shows a program.
shows() {
    grep -Eq "Test +#[0-9]+: $1 [ .*]*$2" said && return 0
    echo "ctest should show '$1' as '$2'"
    bad=1
}
shows all Skipped
shows some Passed
shows failed Failed
shows leaked Failed
shows ten Passed
# counts TEXT: what skipped.sh says of the log.
counts() {
    found=$("$skipped" "$2")
    [ "$found" = "$1" ] && return 0
    echo "expected: $1"
    echo "found: $found"
    bad=1
}
counts '3 tests were skipped, for want of: ../shared/data (2), a CUDA device (1)' \
    Testing/Temporary/LastTest.log
printf 'skipped: needs gnuplot\n' >one.log
counts '1 test was skipped, for want of: gnuplot (1)' one.log
counts 'no test was skipped' /dev/null
[ "$bad" -eq 0 ] || cat said
exit "$bad"
