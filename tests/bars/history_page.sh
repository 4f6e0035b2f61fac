#!/bin/sh
# The history of this program's own times: builds and measures the newest commits that changed sources in
# kernels or cpu, and writes a page with a chart for each cell.
#
#   tests/bars/history_page.sh OUT [SECONDS [COMMITS]]    20 commits, in 480 seconds
#
# Commits are those of the first parents. All are built in one folder, each from what the one before it
# left, so most take a few seconds; one that does not build is left out. They are then measured in rounds
# of one launch each, forwards and backwards, until the time is over, eight rounds at most: what the machine
# does meanwhile affects neighbours alike. What OUT has already is neither built nor measured again. The page has the
# rounds that all commits have, and needs at least two.
#
# $REPO is the repository, this tree's if it is not set. On a machine without it one can be taken along:
#   git clone -q --bare --single-branch --depth 200 "file://$PWD" build/history.git
# $BENCH is the program that writes the page (build/bin/bench), $CMAKE arguments of cmake (kernels for the
# one device that is here), $CELLS the options that say what is measured.
set -eu
unset CDPATH # else cd may go elsewhere, and print where

if [ $# -lt 1 ] || [ $# -gt 3 ]; then
    sed -n '5s/^# *//p' "$0" >&2
    exit 2
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
repo=$(realpath "${REPO:-$root}")
bench=$(realpath "${BENCH:-build/bin/bench}")
seconds=${2:-480}
commits=${3:-20}
mkdir -p "$1/source" "$1/bin" "$1/launch"
out=$(cd "$1" && pwd)
began=$(date +%s)
cells=${CELLS:---algo lbp,lbp_riu,lacunarity,fast,hashsift,bad,orb,matching,haar,adaboost,integral
    --variants omp,cuda_fast --sizes 1080p --synthetic texture --images 5000 --keypoints 10000 --candidates 500
    --pr 8:1 --box 64 --threads max --max-cell 1 --max-time 0.1 --min-reps 5}

passed() {
    echo $(($(date +%s) - began))
}

# --- Programs -------------------------------------------------------------------------------------

build() { # commit
    GIT_INDEX_FILE=$out/index git --git-dir="$gitdir" --work-tree="$out/source" read-tree --reset -u "$1"
    # shellcheck disable=SC2086 # the arguments are words
    BENCH_COMMIT=$1 cmake -S "$out/source" -B "$out/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        ${CMAKE:--DCMAKE_CUDA_ARCHITECTURES=native} >"$out/build.log" 2>&1 &&
        BENCH_COMMIT=$1 cmake --build "$out/build" --target bench >>"$out/build.log" 2>&1 &&
        cp "$out/build/bin/bench" "$out/bin/$1"
}

gitdir=$(git -C "$repo" rev-parse --absolute-git-dir)
chosen=$(git -C "$repo" rev-list --first-parent --reverse -n "$commits" HEAD -- \
    ':(top,glob)kernels/**/*.c*' ':(top,glob)kernels/**/*.h' ':(top,glob)cpu/**/*.c' ':(top,glob)cpu/**/*.h')
built=
for commit in $chosen; do
    if [ -e "$out/bin/$commit" ] || build "$commit"; then
        built="$built $commit"
    else
        echo "history_page.sh: $commit does not build: $(tail -1 "$out/build.log")" >&2
    fi
done
echo "$(echo "$built" | wc -w) programs after $(passed) s"

# --- Launches -------------------------------------------------------------------------------------

reversed() { # words
    words=
    for word in "$@"; do
        words="$word $words"
    done
    echo "$words"
}

launch() { # commit round
    folder=$out/launch/$1/$2
    [ ! -e "$folder" ] || return 0
    [ $(($(passed) + took)) -lt "$seconds" ] || return 1
    from=$(date +%s)
    rm -rf "$out/part"
    # shellcheck disable=SC2086 # the options are words
    "$out/bin/$1" run $cells --launches 1 --no-plot --no-roof --quiet --out "$out/part" >"$out/launch.log" || {
        [ $? -ne 130 ] || exit 130
    }
    mkdir -p "$out/launch/$1"
    mv "$out/part" "$folder" # whole ones alone have a number
    took=$(($(date +%s) - from))
}

took=0
round=0
whole=0
enough=yes
order=$built
while [ $enough = yes ] && [ $round -lt 8 ]; do
    round=$((round + 1))
    for commit in $order; do
        launch "$commit" $round || {
            enough=no
            break
        }
    done
    [ $enough = no ] || whole=$round
    # shellcheck disable=SC2086 # one word a commit
    order=$(reversed $order)
done
echo "$whole rounds after $(passed) s"
[ $whole -ge 2 ] || {
    echo "history_page.sh: fewer than two rounds; run it again, with more time" >&2
    exit 1
}

# --- The page -------------------------------------------------------------------------------------

rm -rf "$out/history" "$out/run"
mkdir "$out/run"
for commit in $built; do
    set --
    for number in $(seq $whole); do
        set -- "$@" "$out/launch/$commit/$number"
    done
    "$bench" runs merge "$@" --out "$out/run/$commit" >"$out/merge.log"
    "$bench" ci history add "$out/run/$commit" --folder "$out/history" --repo "$repo" --commit "$commit" >"$out/add.log"
done
"$bench" ci history --folder "$out/history" --html "$out/history.html" | tee "$out/history.txt"
