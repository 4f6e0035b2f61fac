#!/bin/sh
# Do `bench history` and `bench bisect` find a planted slowdown among commits of this repository?
# Takes ten minutes, most of them builds.
#
#   tests/bars/history.sh OUT BENCH [COMMITS]
#
# Makes a repository of the last COMMITS first parents (12) of this one, in which lbp's seq waits for
# a tenth of its time from the seventh commit on. Builds and measures each commit in eight launches,
# adds the runs to a history, and lets BENCH, the program, look for the change in both ways. The exit
# code is 1 if either does not name the seventh commit.
set -eu
unset CDPATH # else cd may go elsewhere, and print where

[ $# -ge 2 ] || {
    sed -n '2,5s/^# *//p' "$0" >&2
    exit 2
}
root=$(cd "$(dirname "$0")/../.." && pwd)
bench=$(realpath "$2")
commits=${3:-12}
planted_at=7
mkdir -p "$1"
out=$(cd "$1" && pwd)
repo=$out/repo
cell='--algo lbp --variants seq --sizes 720p --synthetic texture'

# --- A commit -------------------------------------------------------------------------------------

# Builds and measures a commit into run-NAME.
measure() { # commit name
    rm -rf "$out/source" "$out/build" "$out/run-$2"
    mkdir "$out/source"
    git archive "$1" | tar x -C "$out/source"
    cmake -S "$out/source" -B "$out/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWITH_CUDA=OFF \
        "-DBENCH_COMMIT=$1" >"$out/build.log"
    cmake --build "$out/build" --target bench >>"$out/build.log"
    # shellcheck disable=SC2086 # the options are words
    "$out/build/bin/bench" run $cell --launches 8 --spread 0 --no-plot --no-roof --quiet --out "$out/run-$2" \
        >"$out/run-$2.txt"
}

median_ns() { # folder
    awk -F, '
        /^#/ { next }
        !column { for (i = 1; i <= NF; i++) if ($i == "kernel_ms_median") column = i; next }
        { printf "%d", $column * 1e6 }' "$1/results.csv"
}

# The tree of a commit, with the slowdown in it.
planted_tree() { # commit nanoseconds
    export GIT_INDEX_FILE="$out/index"
    git read-tree "$1"
    git show "$1:cpu/lbp/lbp_seq.c" | awk -v wait="$2" '
        /^Status lbp_seq_run/ {
            print "#include <time.h>"
            print "static void plant(void) {"
            print "    struct timespec from, now;"
            print "    timespec_get(&from, TIME_UTC);"
            print "    do {"
            print "        timespec_get(&now, TIME_UTC);"
            print "    } while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < " wait ");"
            print "}"
            inside = 1
        }
        { print }
        inside && / = state;$/ { print "    plant();"; inside = 0; planted = 1 }
        END { exit !planted }' >"$out/lbp_seq.c"
    blob=$(git hash-object -w "$out/lbp_seq.c")
    git update-index --cacheinfo "100644,$blob,cpu/lbp/lbp_seq.c"
    git write-tree
}

# --- The repository -------------------------------------------------------------------------------

export GIT_AUTHOR_NAME=bars GIT_AUTHOR_EMAIL=bars@localhost
export GIT_COMMITTER_NAME=bars GIT_COMMITTER_EMAIL=bars@localhost
rm -rf "$repo" "$out/history"
git clone -q --no-checkout "$root" "$repo"
cd "$repo"
chosen=$(git rev-list --first-parent --reverse -n "$commits" HEAD)
measure "${chosen%%[!0-9a-f]*}" first
wait=$(($(median_ns "$out/run-first") / 10))
echo "planted: $wait ns"

number=0
parent=
planted=
for commit in $chosen; do
    number=$((number + 1))
    tree=$(git rev-parse "$commit^{tree}")
    [ $number -lt $planted_at ] || tree=$(planted_tree "$commit" $wait)
    date="$((1700000000 + number * 3600)) +0000"
    parent=$(git log -1 --format=%s "$commit" |
        GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git commit-tree "$tree" ${parent:+-p "$parent"})
    git tag "c$number" "$parent"
    [ $number -ne $planted_at ] || planted=$parent
done

# --- The history ----------------------------------------------------------------------------------

for i in $(seq "$number"); do
    measure "$(git rev-parse "c$i")" "$i"
    "$bench" history add "$out/run-$i" --folder "$out/history" --repo "$repo"
done
"$bench" history --folder "$out/history" --html "$out/history.html" | tee "$out/history.txt"
short=$(echo "$planted" | cut -c1-7)
failed=0
grep -q "$short" "$out/history.txt" || {
    echo "history.sh: bench history does not name $short, the seventh commit"
    failed=1
}

# --- The search -----------------------------------------------------------------------------------

# shellcheck disable=SC2086 # the options are words
"$bench" bisect c1 "c$number" --repo "$repo" --cmake -DWITH_CUDA=OFF --quiet -- $cell |
    tee "$out/bisect.txt" || true
grep -q "$short" "$out/bisect.txt" || {
    echo "history.sh: bench bisect does not name $short, the seventh commit"
    failed=1
}
exit $failed
