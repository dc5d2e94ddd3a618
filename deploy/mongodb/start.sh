#!/bin/sh
# Starts mongod with MONGODB_KEY as its key file, which has to be a file that only its owner can read.
set -eu
umask 077
key_file="${TMPDIR:-/tmp}/key-file"
printf '%s' "${MONGODB_KEY:?}" >"$key_file"

# Whether a name has the address of this machine.
leads_here() {
  for address in $(getent ahosts "$1" | cut -d ' ' -f 1); do
    case " $(hostname -I) " in *" $address "*) return 0 ;; esac
  done
  return 1
}

# A mongod that does not find itself under its name takes itself for removed, until another member tells it otherwise: the only
# one, or all of them at once, until the next start. On Kubernetes the name of a new pod takes some seconds to lead to it.
trap 'exit 143' TERM
own=$(printf '%s' "${MONGODB_MEMBERS:-}" | tr , '\n' | grep "^${POD_NAME:-/}\." | cut -d : -f 1)
until [ -z "$own" ] || leads_here "$own"; do sleep 1; done

# Changed pages wait for the checkpoint of each minute instead of being written again and again before it.
eviction=eviction_dirty_target=60,eviction_dirty_trigger=80,eviction_updates_target=50,eviction_updates_trigger=70

# What a service that stands still has begun keeps another one, which takes its work over, from its rows. By default for a minute;
# ours take a second or two.
transactions=transactionLifetimeLimitSeconds=20

# No samples of slow operations: they hold texts of users, and erasing does not reach the log.
exec mongod --replSet mneme --bind_ip_all --auth --keyFile "$key_file" --wiredTigerEngineConfigString "$eviction" \
  --setParameter "$transactions" --profile 0 --slowms 2147483647 --slowOpSampleRate 0 --oplogSize 1024 --wiredTigerCacheSizeGB "${MONGODB_CACHE_GB:-1}" "$@"
