#!/usr/bin/env bash
# Runs a working hall on an ext4 file system of its own, cuts the power, mounts
# it again, and looks for everything that was acknowledged. Needs root.
# usage: powercut.sh [CUTS]
set -euo pipefail
cd "$(dirname "$0")/.."
cuts=${1:-10}
work=$(mktemp -d)
mnt=$work/mnt
cleanup() { umount "$mnt" 2>/dev/null || true; rm -rf "$work"; }
trap cleanup EXIT
go test -c -o "$work/hall.test" ./internal/daemon
play() { MOOTHALL_TEST_PART=$(IFS=$'\n'; echo "$*") "$work/hall.test"; }
truncate -s 512M "$work/disk"
mkfs.ext4 -q -F "$work/disk"
mkdir "$mnt"
mount -o loop "$work/disk" "$mnt"
: >"$work/all"
for cut in $(seq "$cuts"); do
  play work "$mnt/home" >"$work/acked" 2>"$work/err" &
  writer=$!
  sleep "1.$((RANDOM % 90 + 10))"
  play powercut "$mnt"
  kill -9 "$writer" 2>/dev/null || true
  wait "$writer" 2>/dev/null || true
  for _ in $(seq 100); do # what the hall had started ends with it, a moment later
    umount "$mnt" 2>/dev/null && break
    sleep 0.1
  done
  mount -o loop "$work/disk" "$mnt"
  # The last line may be half written; only whole ones count.
  [ -s "$work/acked" ] && sed -n '$!p' "$work/acked" >>"$work/all" || true
  printf 'cut %d: ' "$cut"
  play recheck "$mnt/home" "$work/all"
done
echo "powercut: nothing acknowledged was lost in $cuts cuts"
