#!/bin/sh
# Starts mongod with MONGODB_KEY as its key file, which has to be a file that only its owner can read.
set -eu
umask 077
printf '%s' "${MONGODB_KEY:?}" >/tmp/key-file
# No samples of slow operations: they hold texts of users, and erasing does not reach the log.
exec mongod --replSet mneme --bind_ip_all --auth --keyFile /tmp/key-file \
  --profile 0 --slowms 2147483647 --slowOpSampleRate 0 --oplogSize 1024 --wiredTigerCacheSizeGB "${MONGODB_CACHE_GB:-0.5}" "$@"
