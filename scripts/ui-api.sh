#!/usr/bin/env bash
# Writes ui/openapi.json anew from a hall of this checkout. The types of the
# page are made from it.
set -euo pipefail
cd "$(dirname "$0")/.."
home=$(mktemp -d)
go build -o bin/moothall ./cmd/moothall
bin/moothall up --home "$home" --port 0 >"$home/said" 2>&1 &
hall=$!
trap 'kill $hall; wait $hall || true; rm -rf "$home"' EXIT
for _ in $(seq 100); do
  url=$(sed -n 's/.*\(http:\/\/[0-9.:]*\).*/\1/p' "$home/said" | head -n 1)
  [ -n "$url" ] && break
  sleep 0.1
done
[ -n "$url" ] || { cat "$home/said"; exit 1; }
node -e '
  const sort = (v) => Array.isArray(v) ? v.map(sort) : v && typeof v === "object" ? Object.fromEntries(Object.keys(v).sort().map((k) => [k, sort(v[k])])) : v;
  fetch(process.argv[1] + "/openapi.json").then((r) => r.json()).then((d) => process.stdout.write(JSON.stringify(sort(d), null, 1) + "\n"));
' "$url" >"$home/openapi.json"
mv "$home/openapi.json" ui/openapi.json
echo "ui-api: ui/openapi.json is what the hall says now; run: make ui"
