#!/usr/bin/env bash
# Fails when the committed build of the page was not made from the committed
# sources. Needs no Node: ui/stamp.mjs hashes the same files in the same way.
set -euo pipefail
cd "$(dirname "$0")/../ui"
export LC_ALL=C
hash() { if command -v sha256sum >/dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi; }
single='index.html openapi.json package.json package-lock.json stamp.mjs svelte.config.js tsconfig.json vite.config.js'
now=$({
  printf '%s\n' $single
  find src public -type f ! -path src/api/schema.d.ts
} | sort | while IFS= read -r file; do hash "$file"; done | hash | cut -d ' ' -f 1)
page=../internal/web/page
built=$(sed -n 's/.*"sources":"\([0-9a-f]*\)".*/\1/p' "$page/build.json")
if [ "$now" != "$built" ]; then
  echo "internal/web/page is stale: it was not built from what is in ui/ now; run: make ui"
  exit 1
fi
for file in $(grep -o '/page/[A-Za-z0-9._/-]*' "$page/index.html"); do
  [ -f "$page/${file#/page/}" ] || { echo "index.html names $file, which is not there; run: make ui"; exit 1; }
done
echo "ui-check: the page is built from its sources"
