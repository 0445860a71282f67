#!/usr/bin/env bash
# Runs every fuzz target for the given time each, and says at the end which have failed.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-30s}
failed=()
while read -r file; do
  for target in $(sed -nE 's/^func (Fuzz[A-Za-z0-9_]*)\(.*/\1/p' "$file"); do
    echo "== $target in $(dirname "$file")"
    go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$(dirname "$file")" || failed+=("$target in $(dirname "$file")")
  done
done < <(grep -rlE '^func Fuzz' --include='*_test.go' . | grep -v '^./bench' | sort)
if [ ${#failed[@]} -gt 0 ]; then
  printf 'failed: %s\n' "${failed[@]}" >&2
  exit 1
fi
