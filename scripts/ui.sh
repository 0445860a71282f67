#!/usr/bin/env bash
# Builds the page from ui/ into internal/web/page, which is committed. Needs
# Node 20.19 or newer and the npm registry.
set -euo pipefail
cd "$(dirname "$0")/../ui"
npm ci --no-audit --no-fund
npm run --silent types
npm run --silent check
npm run --silent build
../scripts/ui-check.sh
