#!/usr/bin/env bash
# Everything about the source that can be checked without running it. Each step
# says what it is; the first that fails ends the run.
set -euo pipefail
cd "$(dirname "$0")/.."
tools=$PWD/bin/tools
export PATH="$tools:$PATH"
step() { printf '== %s\n' "$1"; }

step gofmt
bad=$(git ls-files --cached --others --exclude-standard '*.go' | xargs gofmt -l)
[ -z "$bad" ] || { printf 'not formatted:\n%s\n' "$bad"; exit 1; }

step 'go vet'
go vet ./...
(cd tools && go vet ./...)

step 'types on other systems, tests included, and a build without weights'
typecheck linux/arm64 darwin/arm64
go build -tags noweights ./...

# Switched off: ST1000 (arch_test.go checks package comments, generated code
# apart); ST1003 (generated names); ST1020-ST1022 (the form of comments is a
# matter of taste, that they exist is reviewed).
step staticcheck
staticcheck -checks 'all,-ST1000,-ST1003,-ST1020,-ST1021,-ST1022' ./...

# The modules below bench/ hold other people's libraries for comparison; they
# are tidied by whoever changes them, so that this check does not fetch them.
step 'go mod tidy'
for dir in . tools bench; do
  (cd "$dir" && go mod tidy -diff) || { echo "$dir/go.mod is not tidy"; exit 1; }
done

step 'contracts: lint, format, breaking'
(cd proto && buf lint && buf format -d --exit-code && buf breaking --against baseline.binpb)

step 'generated code is up to date'
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
(cd proto && buf generate -o "$fresh")
for f in $(cd "$fresh" && find . -name '*.go'); do
  cmp -s "$fresh/$f" "proto/$f" || { echo "proto/$f is stale: make gen"; exit 1; }
done

step govulncheck
if out=$(govulncheck ./... 2>&1); then
  echo "$out" | tail -n 1
elif echo "$out" | grep -qE 'fetching vulnerabilities|dial tcp|no such host|connection refused|Forbidden|proxyconnect|i/o timeout'; then
  echo "NOT CHECKED: the vulnerability database cannot be reached from here"
else
  echo "$out"
  exit 1
fi
echo "check: all right"
