#!/bin/sh
# Plays a spec in shards and joins them.
#
#   shards.sh SPEC.toml N OUT.db          N processes on this machine
#   shards.sh SPEC.toml N OUT.db HOSTS    over ssh, shard by shard, on the hosts of a file, one a line
#
# The hosts see the current folder under the same path, as they do on a shared file system. A shard
# that fails leaves its part; the same command resumes it. FRACAS names the program.
set -eu

if [ $# -lt 3 ]; then
    sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
spec=$1
count=$2
out=$3
hosts=${4:-}
fracas=${FRACAS:-fracas}

part() { printf '%s.part%s' "$out" "$1"; }

# A word as the shell of another host reads it.
quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

play() {
    if [ -z "$hosts" ]; then
        "$fracas" tournament "$spec" --quiet --threads 1 --shard "$1/$count" --out "$(part "$1")"
    else
        number=$(grep -c . "$hosts")
        host=$(grep . "$hosts" | sed -n "$((($1 - 1) % number + 1))p")
        ssh -n "$host" "cd $(quoted "$PWD") && $(quoted "$fracas") tournament $(quoted "$spec") \
            --quiet --shard $1/$count --out $(quoted "$(part "$1")")"
    fi > /dev/null
}

running=
index=1
while [ "$index" -le "$count" ]; do
    play "$index" &
    running="$running $!"
    index=$((index + 1))
done

failed=0
for process in $running; do
    wait "$process" || failed=1
done
if [ "$failed" -ne 0 ]; then
    echo "a shard failed: the same command resumes it" >&2
    exit 1
fi

# The parts, by number; their names may have any characters but those of a line's end.
set --
index=1
while [ "$index" -le "$count" ]; do
    set -- "$@" "$(part "$index")"
    index=$((index + 1))
done
"$fracas" merge "$@" --out "$out"
rm -f -- "$@"
