#!/usr/bin/env bash
# Drives the page in a real browser against a real hall: all tests, or the files
# that are named (under ui/). Needs Node, Chromium (Debian's package chromium, or
# CHROMIUM=/path) and what the hall needs. With SHOTS=1 the screenshots in
# docs/screenshots are made anew as well. Nothing is skipped: what is missing is
# an error.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v node >/dev/null || { echo "ui-test: node is missing"; exit 1; }
scripts/ui-check.sh
if [ -z "${MOOTHALL_BIN:-}" ]; then
  go build -o bin/moothall ./cmd/moothall
  export MOOTHALL_BIN=$PWD/bin/moothall
fi
cd ui
[ node_modules/.package-lock.json -nt package-lock.json ] || npm ci --no-audit --no-fund
(($#)) || set -- tests/*.test.mjs
node --test --test-timeout=900000 --test-concurrency=1 "$@" # a test that hangs has failed
[ -z "${SHOTS:-}" ] || node tests/shots.mjs
