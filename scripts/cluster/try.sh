#!/bin/sh
# Do the scripts beside this one work? Plays a small tournament by each way that this machine has, and
# compares the result with a single run.
#
#   try.sh               tries all; FRACAS=target/debug/fracas names a program that is not on the PATH
#
# It tries `shards.sh`; the line for GNU parallel in `README.md` (Debian: `apt-get install parallel`);
# the line in the container of `kubernetes.yaml`, pod by pod, without Kubernetes; and `slurm.sh` with a
# Slurm of its own: one node on loopback, with a key, ports and folders that are nobody else's (as
# root; Debian: `apt-get install slurm-wlm munge`). Of each it kills a part and lets it resume. What
# cannot be tried is said, with what it lacks. At the end nothing is left: no daemon, no folder.
#
# The exit code is 0 where all that could be tried works, and 1 where something does not.
set -u

here=$(cd "$(dirname "$0")" && pwd)
program=$(command -v "${FRACAS:-fracas}") || {
    echo "there is no program \`${FRACAS:-fracas}\`: FRACAS names another" >&2
    exit 1
}
case $program in /*) ;; *) program=$PWD/$program ;; esac

folder=$(mktemp -d) || exit 1
chmod 755 "$folder"
daemons=

clean_up() {
    for daemon in $daemons; do kill "$daemon" 2> /dev/null; done
    for daemon in $daemons; do wait "$daemon" 2> /dev/null; done
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The scripts call for `fracas` by this name.
mkdir "$folder/bin"
ln -s "$program" "$folder/bin/fracas"
PATH=$folder/bin:$PATH
unset FRACAS

failed=0
works() { printf 'works      %s\n' "$1"; }
lacks() { printf 'not tried  %s: %s\n' "$1" "$2"; }
fails() {
    printf 'FAILS      %s: %s\n' "$1" "$2"
    [ ! -s said ] || sed 's/^/           | /' said
    failed=1
}

# A folder of its own for a trial, with a spec of which no pairing can be computed without games.
begin() {
    mkdir "$folder/$1" && cd "$folder/$1" || exit 1
    cat > cup.toml << 'SPEC'
scenarios = ["war_die/campaign"]
agents = ["cautious", "random", "first"]
format = "round_robin"
games = 90
seed = 1
SPEC
    : > said
}

# The standings in a file of results, for programs and for people, with what is missing: a merge plays
# nothing.
standings() {
    fracas merge "$1" --out again.db --quiet --json && rm again.db &&
        fracas merge "$1" --out again.db --quiet --plain
}

# Whether the joined parts have the result of a single run.
compare() {
    if ! standings all.db > joined 2>> said; then
        fails "$1" "the joined parts cannot be read"
    elif cmp -s joined "$folder/alone/standings"; then
        works "$1"
    else
        fails "$1" "its standings are not those of a single run"
        diff "$folder/alone/standings" joined | head -n 20
    fi
}

# Begins a part and kills it without a word of warning.
kill_part() {
    fracas tournament cup.toml --quiet --threads 1 --shard "$1" --out "$2" > /dev/null 2>> said &
    killed=$!
    sleep 0.2
    kill -KILL "$killed" 2> /dev/null
    wait "$killed" 2> /dev/null
}

try_shards() {
    begin shards
    kill_part 2/3 all.db.part2
    if sh "$here/shards.sh" cup.toml 3 all.db > /dev/null 2>> said; then
        compare "shards.sh"
    else
        fails "shards.sh" "it ends with an error"
    fi
}

# The lines of the README, as they are there.
try_parallel() {
    name="the line for GNU parallel"
    if ! parallel --version 2> /dev/null | grep -q '^GNU'; then
        lacks "$name" "GNU parallel is not there"
        return
    fi
    begin parallel
    kill_part 2/7 part2.db
    sed -n '/^```sh$/,/^```$/p' "$here/README.md" | sed '/^```/d' > lines
    if sh -e lines > /dev/null 2>> said; then
        compare "$name"
    else
        fails "$name" "it ends with an error"
    fi
}

# The line that a container runs, in a shell for each pod.
try_container() {
    name="the line in kubernetes.yaml"
    begin container
    sed -n '/- >-$/,/resources:/p' "$here/kubernetes.yaml" | sed '1d;$d' | tr '\n' ' ' > line
    mkdir parts
    kill_part 2/7 parts/2.db
    index=0
    while [ "$index" -lt 7 ]; do
        if ! JOB_COMPLETION_INDEX=$index sh -c "$(cat line)" > /dev/null 2>> said; then
            fails "$name" "pod $index ends with an error"
            return
        fi
        index=$((index + 1))
    done
    if fracas merge parts/*.db --out all.db > /dev/null 2>> said; then
        compare "$name"
    else
        fails "$name" "its parts cannot be joined"
    fi
    lacks "the rest of kubernetes.yaml" "it needs Kubernetes, and nobody starts one here"
}

# Starts a daemon; it stays a child of this shell, so that it can be ended.
start() {
    "$@" > "$folder/slurm/$1.log" 2>&1 &
    daemons="$! $daemons"
}

# Waits until something is so, for at most this many seconds.
wait_for() {
    seconds=$1
    shift
    for _ in $(seq $((seconds * 5))); do
        "$@" > /dev/null 2>&1 && return
        sleep 0.2
    done
    return 1
}

slurm_is_idle() { [ "$(sinfo --noheader --format=%T)" = idle ]; }
no_task_is_left() { queue=$(squeue --noheader) && [ -z "$queue" ]; }

# Submits a job and waits for its end; `sbatch --wait` would look at it seldom.
submit() {
    SPEC=cup.toml sbatch "$@" "$here/slurm.sh" > /dev/null 2>> said && wait_for 300 no_task_is_left
}

start_slurm() {
    own=$folder/slurm/own
    mkdir -p "$own/state" "$own/spool"
    (umask 077 && head -c 1024 /dev/urandom > "$own/key")
    node=$(hostname -s)
    cat > "$own/slurm.conf" << CONF
ClusterName=fracas
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$own/munge
StateSaveLocation=$own/state
SlurmdSpoolDir=$own/spool
SlurmctldPidFile=$own/slurmctld.pid
SlurmdPidFile=$own/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=here Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF="$own/slurm.conf"
    # Its own folder may be read by others, as the socket must be.
    start munged --foreground --force --socket="$own/munge" --key-file="$own/key" \
        --pid-file="$own/munged.pid" --log-file="$own/munged.log" --seed-file="$own/seed"
    wait_for 10 test -S "$own/munge" || return
    start slurmctld -D
    start slurmd -D
    wait_for 30 slurm_is_idle
}

try_slurm() {
    PATH=$PATH:/usr/sbin
    for command in munged slurmctld slurmd sbatch; do
        if ! command -v "$command" > /dev/null; then
            lacks "slurm.sh" "\`$command\` is not there"
            return
        fi
    done
    if [ "$(id -u)" -ne 0 ]; then
        lacks "slurm.sh" "a Slurm of one's own needs root"
        return
    fi
    begin slurm
    if ! start_slurm; then
        tail -n 5 ./*.log > said
        lacks "slurm.sh" "no Slurm comes up on this machine"
        sed 's/^/           | /' said
        return
    fi
    mkdir -p parts
    kill_part 2/7 parts/2.db
    submit || scancel --user=root
    # Two tasks alone, one of which has lost its part, are still of seven.
    rm -f parts/5.db
    SHARDS=7 submit --array=3,5 || scancel --user=root
    if fracas merge parts/*.db --out all.db > /dev/null 2>> said; then
        compare "slurm.sh"
    else
        cat parts/*.log >> said
        fails "slurm.sh" "its parts cannot be joined"
    fi
}

begin alone
if ! fracas tournament cup.toml --quiet --out alone.db > /dev/null 2>> said ||
    ! standings alone.db > standings 2>> said; then
    fails "a single run" "it ends with an error"
    exit 1
fi
try_shards
try_parallel
try_container
try_slurm
cd /
exit "$failed"
