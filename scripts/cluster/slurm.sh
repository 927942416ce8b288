#!/bin/sh
# A job array of Slurm: `mkdir -p parts && sbatch --export=ALL,SPEC=cup.toml scripts/cluster/slurm.sh`, then, when all
# tasks are done, `fracas merge parts/*.db --out all.db`. A task that is requeued goes on where it
# was stopped. The number of tasks is the number of shards.
#SBATCH --job-name=fracas
#SBATCH --array=1-7
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --requeue
#SBATCH --output=parts/%a.log
set -eu
mkdir -p parts
exec "${FRACAS:-fracas}" tournament "$SPEC" --plain --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --out "parts/$SLURM_ARRAY_TASK_ID.db"
