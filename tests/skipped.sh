#!/bin/sh
# usage: skipped.sh LOG
# One line from what ctest keeps of a run (Testing/Temporary/LastTest.log): how many tests were
# skipped, and what they need. Every skipped test says "skipped: needs WHAT" or "skipped: needs WHAT:
# WHY" (tests/needs.h, and scripts that exit with 77).
set -eu
sed -n 's/^skipped: needs \([^:]*\).*/\1/p' "$1" | LC_ALL=C sort | uniq -c | LC_ALL=C sort -k1,1nr -k2 |
    awk '{
        count = $1
        total += count
        sub(/^ *[0-9]+ /, "")
        needs = needs (NR > 1 ? ", " : "") $0 " (" count ")"
    }
    END {
        if (total == 0) print "no test was skipped"
        else print total (total == 1 ? " test was" : " tests were") " skipped, for want of: " needs
    }'
