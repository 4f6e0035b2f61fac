#!/bin/sh
# Measures a run on a Slurm cluster: an array of jobs, each a share of the plan, and a job that merges
# the shares when all have ended.
#
#   reports/cluster/slurm.sh N DIR [options of bench run]
#
# All nodes must see DIR, which gets share-1 … share-N and, merged and with charts, whole. `bench` is
# the one in PATH, or $BENCH. sbatch reads its own variables: SBATCH_PARTITION, SBATCH_ACCOUNT,
# SBATCH_GPUS=1, SBATCH_EXCLUSIVE, SBATCH_TIMELIMIT; with SBATCH_WAIT=1 this script waits for the end.
#
# A share that is requeued, or a script that is started again with the same DIR, goes on where it was:
# nothing that was measured is lost or measured twice.
set -eu
unset CDPATH # else cd may go elsewhere, and print where

usage() {
    sed -n '5s/^#   //p' "$0" >&2
    exit 2
}

# Inside a job of the array.
measure_share() { # DIR options...
    share=$1/share-$SLURM_ARRAY_TASK_ID
    shift
    if [ -e "$share/results.json" ]; then
        exec "$BENCH" run --resume "$share" --no-plot --quiet
    fi
    exec "$BENCH" run "$@" --shard auto --out "$share" --no-plot --quiet
}

merge_shares() { # N DIR
    count=$1
    dir=$2
    set --
    while [ $# -lt "$count" ]; do
        set -- "$@" "$dir/share-$(($# + 1))"
    done
    "$BENCH" merge "$@" --out "$dir/whole" --force
    exec "$BENCH" plot "$dir/whole"
}

case ${1:-} in
--measure)
    shift
    measure_share "$@"
    ;;
--merge)
    shift
    merge_shares "$@"
    ;;
'' | *[!0-9]* | 0*) usage ;;
esac
[ $# -ge 2 ] || usage

count=$1
dir=$2
shift 2
BENCH=$(command -v "${BENCH:-bench}") || {
    echo "slurm.sh: no '${BENCH:-bench}' in PATH; name the program in BENCH" >&2
    exit 2
}
export BENCH
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)

# With SBATCH_WAIT sbatch ends with the exit code of the jobs; the shares are merged nevertheless.
failed=0
array=$(sbatch --parsable --job-name=bench --array=1-"$count" --requeue --open-mode=append \
    --output="$dir/share-%a.log" "$0" --measure "$dir" "$@") || failed=$?
[ -n "$array" ] || exit 1
echo "shares: job $array, an array of $count; their messages are in $dir/share-*.log"
merge=$(sbatch --parsable --job-name=bench-merge --dependency=afterany:"${array%%;*}" \
    --output="$dir/merge.log" "$0" --merge "$count" "$dir") || failed=$?
[ -n "$merge" ] || exit 1
echo "merge: job $merge; its messages are in $dir/merge.log, the run in $dir/whole"
exit $failed
