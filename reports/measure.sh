#!/bin/sh
# Measures what reports/results holds: each run in six launches, each study as it is.
#
#   reports/measure.sh --list             the runs and studies, with their command lines
#   reports/measure.sh OUT [NAME...]      measures these, or all, into OUT/NAME; `bench` is the one in
#                                         PATH, or $BENCH. What OUT has already is left alone.
#
# Paths are from the root of the source tree: command lines are stored with the results.
#
# Needs meadow.jpg, MNIST and, for the studies, what reports/README.md names, in $DATASETS_CACHE or
# datasets/cache. All of it takes about two hours on 16 processors with a GPU. The exit code is that
# of the last command that failed.
set -eu

cd "$(dirname "$0")/.."
bench=${BENCH:-bench}
cache=${DATASETS_CACHE:-datasets/cache}

# One line each: the name, then the options of `bench run`; CACHE stands for the folder of the data.
runs() {
    cat <<'RUNS'
lbp --algo lbp,copy --sizes all --input CACHE/meadow.jpg --energy
lbp-pinned-noise --algo lbp --sizes all --synthetic noise --variants cuda_naive,cuda_tiled,cuda_texture,cuda_fast,cuda_streamed --pinned
lbp-pinned-texture --algo lbp --sizes all --synthetic texture --variants cuda_naive,cuda_tiled,cuda_texture,cuda_fast,cuda_streamed --pinned
haar --algo haar --input CACHE/train-images-idx3-ubyte.gz --images 500,1000,2000,5000,10000,20000 --min-side 5 --threshold 25000 --threads 16 --max-time 2 --max-cell 6
haar-60000 --algo haar --input CACHE/train-images-idx3-ubyte.gz --min-side 5 --threshold 25000 --threads 16 --max-cell 5 --max-time 2 --variants simd,omp,cuda_tiled,cuda_texture,cuda_fast,cuda_streamed
haar-60000-pinned --algo haar --input CACHE/train-images-idx3-ubyte.gz --min-side 5 --threshold 18400,25000 --threads 16 --max-cell 5 --max-time 2 --pinned --variants omp,cuda_tiled,cuda_texture,cuda_fast,cuda_streamed
lacunarity --algo lacunarity --sizes all --input CACHE/meadow.jpg --box 64 --threshold otsu --max-cell 2 --max-time 2
lacunarity-box-512 --algo lacunarity --sizes 512 --synthetic texture --box each:log --reps 20
lacunarity-box-4K --algo lacunarity --sizes 4K --synthetic noise --box each:log --max-cell 1 --max-time 2 --threads 16 --tile 8,32
lacunarity-curve-512 --algo lacunarity --sizes 512 --synthetic texture --box paper --max-time 3 --max-cell 4
lacunarity-large --algo lacunarity --sizes 8192,16K --synthetic noise --box 4,1024,4000 --variants simd,omp,cuda_sat,cuda_fast --threads 16 --max-cell 1 --max-time 2
lbp_riu --algo lbp_riu --sizes 512,1024,2048,4096,8192 --synthetic texture --store none --max-time 3
lbp_riu-pinned-noise --algo lbp_riu --sizes 512,1024,2048,4096,8192 --synthetic noise --store none --pinned --variants cuda_tiled,cuda_texture,cuda_fast,cuda_streamed --tile 16 --max-cell 1 --max-time 3
fast --algo fast --sizes all --input CACHE/meadow.jpg --threads 16 --tile 8,16,32 --max-cell 4 --max-time 1
fast-scores-4K --algo fast --sizes 4K --input CACHE/meadow.jpg --score fast,harris --pinned --threads 16 --tile 16 --max-cell 1 --max-time 1 --variants omp,cuda_naive,cuda_tiled,cuda_texture,cuda_fast --no-roof
hashsift --algo hashsift --input CACHE/meadow.jpg --sizes 2832x2128 --keypoints 1000,10000,40000 --bits 256,512 --threads 16 --max-cell 4 --max-time 2
bad --algo bad --input CACHE/meadow.jpg --sizes 2832x2128 --keypoints 1000,10000,40000 --bits 256,512 --threads 16 --max-cell 4 --max-time 1.5
descriptors-threads --algo hashsift,bad --input CACHE/meadow.jpg --sizes 2832x2128 --keypoints 10000 --bits 256 --variants simd,omp --threads 1,2,4,8,16 --max-time 2
matching --algo matching --keypoints 1000,10000 --bits 256 --distance hamming --variants simd,omp,cuda_naive,cuda_tiled,cuda_fast --threads 16 --max-time 0.7
matching-l2 --algo matching --keypoints 10000 --bits 1024 --distance l2 --variants simd,omp,cuda_naive,cuda_tiled,cuda_fast --threads 16 --max-time 0.7
adaboost --algo adaboost --input CACHE/train-images-idx3-ubyte.gz --images 1000,5000,20000,60000 --candidates 2000 --threads 16 --max-time 2 --max-cell 4
adaboost-10000 --algo adaboost --input CACHE/train-images-idx3-ubyte.gz --candidates 10000 --threads 16 --max-cell 3 --max-time 4 --variants omp,cuda_naive,cuda_tiled,cuda_fast
adaboost-threads --algo adaboost --input CACHE/train-images-idx3-ubyte.gz --candidates 1000 --rounds 50 --variants simd,omp --threads 1,2,4,8,16 --max-cell 5 --max-time 1 --min-reps 3 --no-roof
RUNS
}

studies() {
    printf '%s\n' lbp-2020 lbp-riu-2018 lacunarity-2012 haar-2015 hashsift-2024
}

usage() {
    sed -n '3,6s/^#   //p' "$0"
}

failed=0

measure_run() { # name options...
    name=$1
    shift
    "$bench" run "$@" --launches 6 --no-plot --quiet --out "$out/$name" >"$out/$name.txt" ||
        failed=$?
    if [ -f "$out/$name/results.json" ]; then
        rm -rf "$out/$name"/launch-*
        gzip -9n "$out/$name/results.json" "$out/$name/results.csv"
    fi
}

measure_study() { # name
    "$bench" study "$1" --data "$cache" --out "$out/studies/$1" >"$out/studies-$1.txt" || failed=$?
}

is_chosen() { # name chosen...
    wanted=$1
    shift
    [ $# -eq 0 ] && return 0
    for chosen in "$@"; do
        [ "$chosen" = "$wanted" ] && return 0
    done
    return 1
}

case ${1:-} in
--list)
    runs
    studies | sed 's/^/study /'
    exit 0
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
while read -r name options; do
    if is_chosen "$name" "$@" && [ ! -e "$out/$name/results.json.gz" ]; then
        # shellcheck disable=SC2086 # the options are wanted apart
        measure_run "$name" $options </dev/null
    fi
done <"$out/runs.list"
rm "$out/runs.list"
for name in $(studies); do
    if is_chosen "$name" "$@" && [ ! -e "$out/studies/$name/report.md" ]; then
        measure_study "$name" </dev/null
    fi
done
exit $failed
