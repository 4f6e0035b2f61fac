#!/bin/sh
# Measures what reports/results holds: each run in six launches, or in as many as a budget has room for,
# each study as it is.
#
#   reports/measure.sh --list             the runs and studies, with their command lines
#   reports/measure.sh --check            is each result in reports/results of the commit and the machine that
#                                         reports/results/reference.txt names, or marked there as not?
#   reports/measure.sh OUT [NAME...]      measures these, such as lbp or studies/lbp-2020, or all but
#                                         scaling-…, weak-… and alone-…, which are for machines with several
#                                         GPUs or 64 processors, into OUT/NAME; `bench` is the one in PATH, or
#                                         $BENCH. What OUT has already is left alone, and what Ctrl-C cut off
#                                         goes on where it was.
#
# Paths are from the root of the source tree: command lines are stored with the results. Variables:
#   BUDGET        of a run, such as 40s, or `own`, that of each run in the list below: as many launches as
#                 fit, at least three (bench run --budget)
#   STUDY_BUDGET  the same of a study, such as 3min, which then has no other people's code
#   SPREAD        without a budget: seconds from one launch to the next instead of 30; with 0 much is
#                 measured soon, and more intervals miss
#   LIMIT         seconds after which no further run begins, with BUDGET=own none that would end later
#                 but the first; the next call goes on
#
# Needs meadow.jpg, MNIST and, for the studies, what reports/README.md names, in $DATASETS_CACHE or
# datasets/cache; for peers-… and the studies what `bench peers --install --gpu` installs,
# without --gpu on a machine that has none. On 16 processors with a GPU the runs take about an hour and
# a half, with SPREAD=0 half an hour; the studies take more than an hour. The exit code is that of the
# last command that failed.
set -eu
unset CDPATH # else cd may go elsewhere, and print where

cd "$(dirname "$0")/.."
bench=${BENCH:-bench}
cache=${DATASETS_CACHE:-datasets/cache}
began=$(date +%s)

# One line each: the name, a budget in which six launches fit beside an H200 (of ladder-lacunarity
# three), the options of `bench run`; CACHE stands for the folder of the data.
runs() {
    cat <<'RUNS'
lbp 60s --algo lbp,copy --sizes all --input CACHE/meadow.jpg
lbp-energy 140s --algo lbp --sizes 4K --input CACHE/meadow.jpg --variants omp,cuda_naive,cuda_tiled,cuda_fast --threads max --energy --max-cell 1 --max-time 0.5 --no-roof
lbp-pinned-noise 30s --algo lbp --sizes all --synthetic noise --variants cuda_naive,cuda_tiled,cuda_texture,cuda_fast,cuda_streamed --pinned
lbp_riu 75s --algo lbp_riu --sizes 512,1024,2048,4096,8192 --synthetic texture --store none --pr 8:1,24:3 --threads 16 --tile 16 --max-cell 5 --max-time 1
lacunarity 60s --algo lacunarity --sizes 360p,480p,720p,1080p,4K,8K --input CACHE/meadow.jpg --box 64 --threshold otsu --threads 16 --tile 8,32 --max-cell 1 --max-time 1
lacunarity-box-512 60s --algo lacunarity --sizes 512 --synthetic texture --box each:log --reps 20
lacunarity-curve-512 90s --algo lacunarity --sizes 512 --synthetic texture --box paper --threads 16 --tile 8,32 --max-time 1 --max-cell 1
haar 45s --algo haar --input CACHE/train-images-idx3-ubyte.gz --images 500,1000,2000,5000,10000 --min-side 5 --threshold 25000 --threads 16 --max-cell 1.5 --max-time 0.7 --variants seq,simd,omp,cuda_tiled,cuda_texture,cuda_fast,cuda_streamed
haar-60000 55s --algo haar --input CACHE/train-images-idx3-ubyte.gz --min-side 5 --threshold 25000 --threads 16 --max-cell 2 --max-time 1 --variants simd,omp,cuda_tiled,cuda_texture,cuda_fast,cuda_streamed
haar-60000-pinned 45s --algo haar --input CACHE/train-images-idx3-ubyte.gz --min-side 5 --threshold 25000 --threads 16 --max-cell 2 --max-time 1 --pinned --variants omp,cuda_tiled,cuda_texture,cuda_fast,cuda_streamed
adaboost 120s --algo adaboost --input CACHE/train-images-idx3-ubyte.gz --images 1000,5000,20000 --candidates 2000 --threads 16 --max-cell 1 --max-time 1
adaboost-10000 170s --algo adaboost --input CACHE/train-images-idx3-ubyte.gz --candidates 10000 --threads 16 --max-time 1 --variants omp,cuda_naive,cuda_tiled,cuda_fast
fast 60s --algo fast --sizes all --input CACHE/meadow.jpg --threads 16 --tile 16 --max-cell 1 --max-time 1
hashsift 45s --algo hashsift --input CACHE/meadow.jpg --sizes 2832x2128 --keypoints 1000,10000,40000 --bits 512 --threads 16 --max-cell 2 --max-time 1
bad 40s --algo bad --input CACHE/meadow.jpg --sizes 2832x2128 --keypoints 1000,10000,40000 --bits 256 --threads 16 --max-cell 2 --max-time 1
orb 25s --algo orb --input CACHE/meadow.jpg --sizes 2832x2128 --keypoints 1000,10000,40000 --bits 256 --threads 16 --max-cell 2 --max-time 1
integral 60s --algo integral --input CACHE/meadow.jpg --sizes all --threads 16 --max-cell 1 --max-time 1
matching 35s --algo matching --keypoints 1000,10000 --bits 256 --distance hamming --variants simd,omp,cuda_naive,cuda_tiled,cuda_fast --threads 16 --max-time 0.7
matching-l2 25s --algo matching --keypoints 10000 --bits 1024 --distance l2 --variants simd,omp,cuda_naive,cuda_tiled,cuda_fast --threads 16 --max-time 0.7
ladder-lbp_riu 30s --algo lbp_riu --sizes 8192 --synthetic texture --store none --pr 24:3 --variants cuda_tiled_atomic --max-cell 5 --max-time 1
ladder-lacunarity 100s --algo lacunarity --sizes 8K --input CACHE/meadow.jpg --box 64 --threshold otsu --variants cuda_one_block,cuda_one_block_pipeline --max-cell 1 --max-time 1
ladder-hashsift 15s --algo hashsift --input CACHE/meadow.jpg --sizes 2832x2128 --keypoints 10000 --bits 512 --variants cuda_tiled_32x32,cuda_tiled_32x1 --max-cell 2 --max-time 1
peers-images 90s --algo lbp,lbp_riu,lacunarity,fast,integral,copy --sizes 1080p --input CACHE/meadow.jpg --box 64 --threshold 128 --pr 8:1 --variants simd,omp,cuda_fast --threads 1,max --peers --max-cell 1 --max-time 0.5
peers-keypoints 60s --algo hashsift,bad,orb,matching --sizes 1080p --input CACHE/meadow.jpg --keypoints 1000 --bits 256 --distance hamming --variants simd,omp,cuda_fast --threads 1,max --peers --max-cell 2 --max-time 0.5
peers-haar 60s --algo haar --input CACHE/train-images-idx3-ubyte.gz --images 50 --variants simd,omp,cuda_fast --threads 1,max --peers --max-cell 2 --max-time 0.5
peers-adaboost 100s --algo adaboost --input CACHE/train-images-idx3-ubyte.gz --images 1000 --rounds 20 --variants simd,omp,cuda_fast --threads 1,max --peers --max-cell 2 --max-time 0.5
limits-textures 25s --algo lbp_riu,lacunarity --sizes 512,8192 --synthetic texture --store none --pr 24:3 --box each:64+256 --variants simd,omp,cuda_fast --threads 16 --max-cell 1 --max-time 0.6
limits-matching 30s --algo matching --keypoints 100000 --bits 256 --distance hamming --variants omp,cuda_fast --threads 16 --max-cell 1 --max-time 0.6
limits-small 25s --algo lbp,lbp_riu,fast,hashsift --sizes 360p,480p,720p,1080p --synthetic texture --store none --pr 8:1 --keypoints 1000 --bits 256 --variants omp,cuda_fast,cuda_streamed,cuda_graph --threads 8,16 --pinned --max-cell 1 --max-time 0.6
scaling-lbp 40s --algo lbp --sizes 30720x17280 --synthetic noise --variants omp,cuda_fast,cuda_streamed,cuda_multi --threads 16,32 --gpus all --pinned --max-cell 1 --max-time 1
scaling-images 40s --algo lbp_riu,lacunarity,integral --sizes 8192 --synthetic texture --store none --pr 24:3 --box 64 --variants omp,cuda_fast,cuda_streamed,cuda_multi --threads 16,32 --gpus all --pinned --max-cell 1 --max-time 1
scaling-haar 40s --algo haar --input CACHE/train-images-idx3-ubyte.gz --min-side 5 --threshold 25000 --variants omp,cuda_fast,cuda_streamed,cuda_multi --threads 16,32 --gpus all --pinned --max-cell 1 --max-time 1
scaling-adaboost 40s --algo adaboost --input CACHE/train-images-idx3-ubyte.gz --candidates 10000 --variants omp,cuda_fast,cuda_multi --threads 32 --gpus all --max-cell 1 --max-time 1
scaling-keypoints 40s --algo hashsift,bad,orb --sizes 2832x2128 --synthetic texture --keypoints 100000 --bits 256 --variants omp,cuda_fast,cuda_multi --threads 16,32 --gpus all --max-cell 1 --max-time 1
scaling-matching 40s --algo matching --keypoints 100000 --bits 256 --distance hamming --variants omp,cuda_fast,cuda_multi --threads 32 --gpus all --max-cell 1 --max-time 1
alone-lbp 40s --algo lbp --sizes 30720x17280 --synthetic noise --variants cuda_multi --gpus all --pinned --max-cell 1 --max-time 1
alone-lbp_riu 40s --algo lbp_riu --sizes 8192 --synthetic texture --store none --pr 24:3 --variants cuda_multi --gpus all --pinned --max-cell 1 --max-time 1
alone-haar 40s --algo haar --input CACHE/train-images-idx3-ubyte.gz --min-side 5 --threshold 25000 --variants cuda_multi --gpus all --pinned --max-cell 1 --max-time 1
scaling-threads 40s --algo lbp,lbp_riu,lacunarity,fast,integral,hashsift,bad,orb,matching,haar,adaboost --sizes 8K --synthetic texture --store none --pr 24:3 --box 64 --images 60000 --keypoints 40000 --candidates 2000 --variants omp --threads 16,32,64 --max-cell 1 --max-time 0.6
weak-images 40s --algo lbp,lbp_riu,lacunarity,integral --sizes 8192 --synthetic texture --store none --pr 24:3 --box 64 --variants cuda_multi --gpus 1,2,4 --weak --pinned --max-cell 1 --max-time 1
weak-haar 40s --algo haar --input CACHE/train-images-idx3-ubyte.gz --images 15000 --min-side 5 --threshold 25000 --variants cuda_multi --gpus 1,2,4 --weak --pinned --max-cell 1 --max-time 1
weak-adaboost 40s --algo adaboost --input CACHE/train-images-idx3-ubyte.gz --candidates 5000 --variants cuda_multi --gpus 1,2,4 --weak --max-cell 1 --max-time 1
weak-keypoints 40s --algo hashsift,bad,orb --sizes 2832x2128 --synthetic texture --keypoints 25000 --bits 256 --variants cuda_multi --gpus 1,2,4 --weak --max-cell 1 --max-time 1
weak-matching 40s --algo matching --keypoints 50000 --bits 256 --distance hamming --variants cuda_multi --gpus 1,2,4 --weak --max-cell 1 --max-time 1
RUNS
}

studies() {
    printf 'studies/%s\n' lbp-2020 lbp-riu-2018 lacunarity-2012 haar-2015 hashsift-2024 integral whole-cpu
}

usage() {
    sed -n '3,12s/^#   //p' "$0"
}

failed=0
begun=no

measure_run() { # name budget options...
    name=$1 budget=$2
    begun=yes
    shift 2
    [ "${BUDGET-}" = own ] || budget=${BUDGET-}
    if [ -f "$out/$name/results.json" ]; then
        set -- --resume "$out/$name"
    else
        set -- "$@" --out "$out/$name"
        if [ -n "$budget" ]; then
            set -- "$@" --budget "$budget"
        else
            set -- "$@" --launches 6 ${SPREAD:+--spread "$SPREAD"}
        fi
    fi
    code=0
    "$bench" run "$@" --no-plot --quiet >"$out/$name.txt" || code=$?
    [ $code -eq 0 ] || failed=$code
    [ $code -ne 130 ] || exit 130
    if [ -f "$out/$name/results.json" ]; then
        rm -rf "$out/$name"/launch-*
        gzip -9n "$out/$name/results.json" "$out/$name/results.csv"
    fi
}

measure_study() { # name
    name=$1
    set -- --data "$cache"
    if [ -f "$out/$name/study.json" ]; then
        set -- --resume
    elif [ -n "${STUDY_BUDGET-}" ]; then
        set -- "$@" --budget "$STUDY_BUDGET"
    else
        set -- "$@" ${SPREAD:+--spread "$SPREAD"}
    fi
    code=0
    "$bench" study "${name#studies/}" "$@" --out "$out/$name" --quiet >"$out/$name.txt" || code=$?
    [ $code -eq 0 ] || failed=$code
    [ $code -ne 130 ] || exit 130
}

is_chosen() { # name chosen...
    wanted=$1
    shift
    case $#$wanted in
    0scaling-* | 0weak-* | 0alone-*) return 1 ;;
    0*) return 0 ;;
    esac
    for chosen in "$@"; do
        [ "$chosen" = "$wanted" ] && return 0
    done
    return 1
}

# Whether there is time for a further run, or for one of its own budget. The first one of a call may
# take longer, else it would never begin.
is_time_left() { # budget
    needed=${1%s}
    [ "${BUDGET-}" = own ] && [ $begun = yes ] || needed=0
    [ -z "${LIMIT-}" ] || [ $(($(date +%s) - began + needed)) -lt "$LIMIT" ]
}

case ${1:-} in
--list)
    runs | sed 's/ [0-9]*s / /'
    studies
    exit 0
    ;;
--check)
    exec python3 reports/check_results.py reports/results
    ;;
'' | -*)
    usage >&2
    exit 2
    ;;
esac

out=$1
shift
for name in "$@"; do
    if ! { runs | cut -d ' ' -f 1 && studies; } | grep -Fqx -e "$name"; then
        echo "measure.sh: no run or study '$name'; see reports/measure.sh --list" >&2
        exit 2
    fi
done
mkdir -p "$out/studies"
runs | sed "s|CACHE|$cache|g" >"$out/runs.list"
while read -r name own options; do
    if is_time_left "$own" && is_chosen "$name" "$@" && [ ! -e "$out/$name/results.json.gz" ]; then
        # shellcheck disable=SC2086 # the options are wanted apart
        measure_run "$name" "$own" $options </dev/null
    fi
done <"$out/runs.list"
rm "$out/runs.list"
for name in $(studies); do
    if is_time_left 0 && is_chosen "$name" "$@"; then
        measure_study "$name" </dev/null
    fi
done
exit $failed
