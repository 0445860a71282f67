#!/usr/bin/env bash
# Starts the real program as a person would, asks it how it is, stops it, and
# checks its record: whole first, then with one byte flipped.
set -euo pipefail
bin=$(realpath "$1")
home=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || true; rm -rf "$home"' EXIT
"$bin" up --home "$home" --port 0 >"$home/out" 2>"$home/err" &
pid=$!
for _ in $(seq 100); do
  url=$(sed -n 's/^  page *//p' "$home/out")
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "${url:-}" ] || { cat "$home/out" "$home/err"; echo "smoke: the hall did not come up"; exit 1; }
if command -v curl >/dev/null; then
  curl -fsS "$url/health" | grep -q '"status":"ok"' || { echo "smoke: not healthy"; exit 1; }
fi
"$bin" doctor --home "$home" >"$home/doctor" || { cat "$home/doctor"; exit 1; }
kill -TERM "$pid"
wait "$pid"
"$bin" audit verify --home "$home"
log="$home/audit/log"
size=$(stat -c %s "$log")
byte=$(od -An -tu1 -j $((size / 2)) -N 1 "$log" | tr -d ' ')
printf "\\x$(printf %x $((byte ^ 1)))" | dd of="$log" bs=1 seek=$((size / 2)) conv=notrunc status=none
if "$bin" audit verify --home "$home" >"$home/flipped"; then
  echo "smoke: a flipped byte was not noticed"
  exit 1
fi
head -n 2 "$home/flipped"
echo "smoke: all right"
