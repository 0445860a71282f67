# Everything a developer does. A new person needs none of it: see README.md.

GO ?= go
TOOLS := bin/tools
export CGO_ENABLED ?= 0

.PHONY: build run test race check gen tools bench bench-peers fuzz powercut live integration baseline train-check train-test ui ui-check ui-test ui-bench clean

build: ## one static binary
	$(GO) build -trimpath -o bin/moothall ./cmd/moothall

run: ## the same as: go run ./cmd/moothall
	$(GO) run ./cmd/moothall

test: ## the README's test command
	$(GO) test ./...

# Under the race detector a program waits before it ends, a second if nothing is said, and the tests run hundreds of them.
# SQLite, a C program in Go, is not watched: it takes most of the time then, and its calls are over when they return. What vet finds, make check has found.
UNWATCHED := -gcflags=modernc.org/...=-race=false
race: ## the same tests with the race detector, in random order (needs a C compiler; TESTS=-short leaves the longest out)
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=100 $(GO) test $(TESTS) -race -vet=off '$(UNWATCHED)' -shuffle=on -timeout 40m ./...

check: tools ui-check ## format, vet, staticcheck, tidy, contracts, generated code, known vulnerabilities
	scripts/check.sh

tools: $(TOOLS)/.built

$(TOOLS)/.built: tools/go.mod tools/go.sum tools/typecheck/main.go
	mkdir -p $(TOOLS)
	cd tools && $(GO) build -o ../$(TOOLS)/ tool
	touch $@

gen: tools ## regenerate the Go code of proto/
	cd proto && PATH="$(CURDIR)/$(TOOLS):$$PATH" buf generate

baseline: tools ## declare the contracts as they are now to be what later ones must not break
	cd proto && PATH="$(CURDIR)/$(TOOLS):$$PATH" buf build -o baseline.binpb

COUNT ?= 5
bench: build ## measure COUNT times each, and write docs/benchmarks.md
	cd bench && $(GO) run ./report -root .. -out ../docs/benchmarks.md -count $(COUNT)

bench-peers: ## other people's libraries beside ours, in one run each (fetches them)
	cd bench/agentloop && $(GO) run . -out RESULT.md
	cd bench/gateway && $(GO) run . -out RESULT.md
	cd bench/vector && $(GO) run . -out RESULT.md
	cd bench/policy && $(GO) test -bench . -benchmem
	cd bench/sqlite && $(GO) run .

FUZZTIME ?= 30s
fuzz: ## every fuzz target for FUZZTIME each
	scripts/fuzz.sh $(FUZZTIME)

powercut: ## acknowledged writes against a file system that loses power (needs root and ext4)
	scripts/powercut.sh

live: ## provider tests and stories against a real Ollama server (OLLAMA_HOST, MODEL)
	scripts/live.sh

integration: ## the engines' suites against DuckDB, a Chroma and a Neo4j server (fetches them)
	scripts/integration.sh

train-check: ## the generator of the built-in model's text, without PyTorch: its own checks, and the form of prompts
	python3 train/render.py --check
	cd train && python3 -m gen.check && python3 -m unittest -q test_read

train-test: ## the tests of training, evaluation and export (needs PyTorch; PYTHON), and the Modelfile against Ollama's code
	cd train && $(or $(PYTHON),python3) -m unittest discover -p 'test_*.py'
	cd train/ollama && $(GO) test ./...

ui: ## rebuild the page from ui/ into internal/web/page (needs Node)
	scripts/ui.sh

ui-check: ## is the committed build of the page that of its sources? (needs no Node)
	scripts/ui-check.sh

ui-test: ## drive the page in Chromium against a real hall (SHOTS=1 makes the screenshots)
	scripts/ui-test.sh

ui-bench: ## how fast the page is: times and frames, on a machine that does nothing else
	scripts/ui-test.sh tests/figures.mjs

clean:
	rm -rf bin
