#!/bin/sh
# usage: ablation.sh LEARN OTHERS OUT [STEPS [BATCH [SEEDS]]]
# What each part of the training of hashsift is worth: trains on the images of the folder LEARN with
# all parts and without each of them, for several seeds, and evaluates the weights on those of OTHERS.
# OUT gets a line for each training. BENCH names the program; build/bin/bench unless given.
set -eu
[ $# -ge 3 ] || { sed -n 2p "$0" | cut -c 3- >&2; exit 2; }
bench=${BENCH:-$(dirname "$0")/../../build/bin/bench}
steps=${4:-500}
batch=${5:-256}
seeds=${6:-3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo 'without,seed,steps,batch,verification_ap,false_at_95,matching_map,retrieval_map' >"$work/table"
for without in none negatives swap augmentation negatives,swap,augmentation; do
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        options="--without $without"
        [ "$without" != none ] || options=
        # shellcheck disable=SC2086 # two words or none
        "$bench" train-hashsift "$1" --bits 256 --steps "$steps" --batch "$batch" --seed "$seed" \
            $options --quiet --out "$work/weights.csv" >"$work/log"
        "$bench" evaluate-descriptors "$2" --methods hashsift --bits 256 --points 300 \
            --weights "$work/weights.csv" --csv "$work/evaluation.csv" >"$work/log"
        row=$(sed -n 2p "$work/evaluation.csv" | cut -d , -f 6-9)
        echo "$(echo "$without" | tr , +),$seed,$steps,$batch,$row" >>"$work/table"
        seed=$((seed + 1))
    done
done
mv "$work/table" "$3"
