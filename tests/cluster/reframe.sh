#!/bin/sh
# usage: reframe.sh BENCH SOURCE
# ReFrame runs reports/cluster/reframe_bench.py: its cells are performance variables, and a wrong
# answer fails it. Exit code 77 where there is no `reframe`.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
command -v reframe >/dev/null || {
    echo "skipped: needs ReFrame"
    exit 77
}
bench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
checks=$(cd "$2" && pwd)/reports/cluster/reframe_bench.py
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "FAILED: $*"
    cat log
    exit 1
}
export RFM_PREFIX="$work" RFM_LOG_FILE_NAME="$work/reframe.log" TMPDIR="$work" PYTHONDONTWRITEBYTECODE=1
BENCH=$bench reframe -c "$checks" -r --performance-report >log 2>&1 || fail "the run"
grep -q 'PASSED' log || fail "it did not pass"
grep -q 'lbp/omp/texture/1080p/threads=1 ' log || fail "a cell is missing"
cat >wrong <<'SH'
#!/bin/sh
mkdir -p run
echo '{"benchmarks": []}' >run/results.json
echo '4 cells: 3 ok, 0 skipped, 1 failed'
exit 4
SH
chmod +x wrong
if BENCH=$work/wrong reframe -c "$checks" -r >log 2>&1; then
    fail "a wrong answer passed"
fi
echo "passed"
