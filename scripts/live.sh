#!/usr/bin/env bash
# Runs the provider tests and the stories against a real Ollama server, at
# OLLAMA_HOST or its usual place. MODEL chooses a model. Without a server it
# fails: it never passes by skipping.
set -euo pipefail
cd "$(dirname "$0")/.."
export OLLAMA_HOST=${OLLAMA_HOST:-127.0.0.1:11434}
url=http://${OLLAMA_HOST#http://}
version=$(curl -fsS --max-time 5 "$url/api/version") || {
  echo "live: no Ollama server answers at $url; CONTRIBUTING.md says how to get one"
  exit 1
}
echo "live: Ollama $version at $url"
go test -tags live -count=1 -v -run Live ./internal/gateway/ollama
go build -o bin/moothall ./cmd/moothall
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
bin/moothall --home "$home" model list
[ -z "${MODEL:-}" ] || bin/moothall --home "$home" model use "ollama/$MODEL"
bin/moothall --home "$home" model show | grep -q '"provider": "ollama"' || { echo "live: the hall did not choose the server's model"; exit 1; }
bin/moothall --home "$home" story run stories/s1-*.yaml stories/s2-*.yaml stories/s3-*.yaml stories/s4-*.yaml stories/s5-*.yaml
echo "live: all right"
