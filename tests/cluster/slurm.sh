#!/bin/sh
# usage: slurm.sh BENCH SOURCE
# Runs reports/cluster/slurm.sh against a Slurm of one machine, started for this test: an array, a
# task that is requeued in the middle, and tasks of srun. The programs of Slurm are those in PATH, or
# in the unpacked packages in the folder $SLURM_ROOT. Exit code 77 where there are none.
set -eu
unset CDPATH # else cd may go elsewhere, and print where
bench=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(cd "$2" && pwd)
root=${SLURM_ROOT:-}
if [ -n "$root" ]; then
    PATH=$root/usr/bin:$root/usr/sbin:$PATH
    libraries=$(dirname "$(find "$root/usr/lib" -name slurm-wlm -type d | head -n 1)")
    LD_LIBRARY_PATH=$libraries:$libraries/slurm-wlm
    export LD_LIBRARY_PATH
fi
for program in slurmctld-wlm slurmd-wlm slurmstepd-wlm sbatch srun scontrol; do
    command -v $program >/dev/null || {
        echo "skipped: needs Slurm: no $program in PATH or in unpacked packages in \$SLURM_ROOT"
        exit 77
    }
done
plugins=$(find "$(dirname "$(dirname "$(command -v slurmd-wlm)")")/lib" -name slurm-wlm -type d | head -n 1)

work=$(mktemp -d)
# The daemons end after the jobs, or the jobs' own processes would wait for them for ever.
cleanup() {
    scancel --state=PENDING,RUNNING --quiet 2>/dev/null || true
    tries=0
    while [ -n "$(squeue -h 2>/dev/null)" ] && [ $tries -lt 50 ]; do
        tries=$((tries + 1))
        sleep 0.2
    done
    daemons=$(cat "$work"/*.pid 2>/dev/null || true)
    # They write their state after they have removed their pid files.
    for daemon in $daemons; do
        kill "$daemon" 2>/dev/null || true
        tries=0
        while kill -0 "$daemon" 2>/dev/null && [ $tries -lt 150 ]; do
            tries=$((tries + 1))
            sleep 0.1
        done
    done
    rm -rf "$work"
}
trap cleanup EXIT
fail() {
    echo "FAILED: $*"
    tail -n 20 "$work"/*.log "$work"/*/*.log 2>/dev/null || true
    exit 1
}

# Ports that nobody listens on now, by the number of this process.
port=$((20000 + $$ % 20000))
export SLURM_CONF="$work/slurm.conf"
mkdir "$work/state" "$work/spool"
cat >"$SLURM_CONF" <<CONF
ClusterName=bench
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
ReturnToService=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
PluginDir=$plugins
SlurmdParameters=config_overrides
KillWait=2
NodeName=node NodeHostname=$(hostname) NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=main Nodes=node Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld-wlm -c || fail "slurmctld did not start"
slurmd-wlm -N node -d "$(command -v slurmstepd-wlm)" || fail "slurmd did not start"
tries=0
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] || fail "no node came up"
    sleep 0.2
done
export SBATCH_WAIT=1 BENCH="$bench" BENCH_LOCK_FOLDER="$work"
cd "$work"

# The first 13 columns: those before the times.
rows() {
    grep -v '^#' "$1/results.csv" | cut -d , -f 1-13
}
samples() { # RUN CELL: the kernel samples of a cell
    python3 -c '
import json, sys
for entry in json.load(open(sys.argv[1] + "/results.json"))["benchmarks"]:
    if entry["name"] == sys.argv[2] and "kernel_samples_s" in entry:
        print(entry["kernel_samples_s"])' "$1" "$2"
}

echo "an array of three shares"
set -- --algo lbp,lacunarity --sizes 64x64,96x96,128x96 --box 4 --variants seq,simd --reps 3
"$bench" run "$@" --out whole --no-plot --quiet >/dev/null
"$source/reports/cluster/slurm.sh" 3 array "$@" || fail "the array"
rows whole >wanted
rows array/whole >got || fail "nothing was merged"
cmp wanted got || fail "the merged run is another than the one without shares"
ls array/whole/*.svg >/dev/null || fail "no chart was drawn"

samples array/whole lbp/seq/texture/64x64 >before
"$source/reports/cluster/slurm.sh" 3 array "$@" >/dev/null || fail "the array again"
samples array/whole lbp/seq/texture/64x64 >after
[ -s before ] || fail "the merged run has no samples"
cmp before after || fail "the same call measured again what was there"

echo "tasks of srun"
# shellcheck disable=SC2016 # expanded in the task
srun -n 3 --oversubscribe sh -c '"$BENCH" run "$@" --shard auto --out "srun-$SLURM_PROCID" --no-plot --quiet' \
    sh "$@" >/dev/null || fail "srun"
"$bench" merge srun-2 srun-0 srun-1 --out srun >/dev/null
rows srun >got
cmp wanted got || fail "the tasks of srun are not the shares"

echo "a share that is requeued in the middle"
set -- --algo lbp --sizes 64x64,80x80,96x96,128x96 --variants seq,simd --ci-width 0.000000001 \
    --max-time 2 --no-roof
unset SBATCH_WAIT
job=$("$source/reports/cluster/slurm.sh" 2 requeued "$@" | sed -n 's/^shares: job \([0-9]*\),.*/\1/p')
tries=0
until grep -q kernel_samples_s requeued/share-1/results.json 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || fail "share 1 did not begin"
    sleep 0.1
done
cell=$(python3 -c '
import json
print(next(e["name"] for e in json.load(open("requeued/share-1/results.json"))["benchmarks"] if "kernel_samples_s" in e))')
samples requeued/share-1 "$cell" >before
scontrol requeue "${job}_1" || fail "requeue"
tries=0
until grep -q '^8 cells: 8 ok' requeued/merge.log 2>/dev/null; do
    tries=$((tries + 1))
    [ $tries -lt 1200 ] || fail "the requeued run was not merged"
    [ "$tries" -ne 60 ] || scontrol update JobId="${job}_1" StartTime=now 2>/dev/null || true
    sleep 0.1
done
samples requeued/whole "$cell" >after
cmp before after || fail "what was measured before the requeue was measured again"
grep -q 'REQUEUE' requeued/share-1.log || fail "share 1 was not requeued"
[ "$(grep -c '^lbp,' requeued/whole/results.csv)" -eq 8 ] || fail "a cell is lost or doubled"
echo "passed"
