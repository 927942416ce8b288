#!/bin/sh
# A job array of Slurm, a shard a task:
#
#   mkdir -p parts && SPEC=cup.toml sbatch --wait scripts/cluster/slurm.sh
#   fracas merge parts/*.db --out all.db
#
# The number of tasks is the number of shards. A task that is requeued, or stopped by its time, goes on
# where it stopped. To play some shards again, say of how many they are:
# `SPEC=cup.toml SHARDS=7 sbatch --array=3,5 …`. FRACAS names the program where it is not on the PATH.
#SBATCH --job-name=fracas
#SBATCH --array=1-7
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=parts/%a.log
set -eu
exec "${FRACAS:-fracas}" tournament "$SPEC" --plain --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/${SHARDS:-$SLURM_ARRAY_TASK_COUNT}" \
    --out "parts/$SLURM_ARRAY_TASK_ID.db"
