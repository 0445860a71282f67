package main

import (
	"fmt"
	"strconv"
)

// figure is one promise: a benchmark, its unit, and the bound it must keep.
type figure struct {
	what  string
	pkg   string
	name  string
	unit  string
	bound float64
	least bool // the bound is a minimum
	scale float64
	label string // the unit after scaling
}

// figures are the promises, in the order of the table.
var figures = []figure{
	{"audit append, computation", "internal/audit", "BenchmarkAppendCompute", "ns/op", 10_000, false, 1e-3, "µs"},
	{"audit append, durable, group commit", "internal/audit", "BenchmarkAppendGroup", "entries/s", 5_000, true, 1, "entries/s"},
	{"audit verify, 100,000 entries", "internal/audit/verify", "BenchmarkVerify100k", "ns/op", 2e9, false, 1e-9, "s"},
	{"bus, publish to subscriber in process", "internal/bus", "BenchmarkPublishToSubscriber", "p50-µs", 50, false, 1, "µs"},
	{"bus, durable publish acknowledged", "internal/bus", "BenchmarkPublishDurable", "p50-µs", 1000, false, 1e-3, "ms"},
	{"bus, durable publish to the handler of an observer, median", "internal/bus", "BenchmarkDurableToObserver", "p50-µs", 1000, false, 1e-3, "ms"},
	{"unary call in process", "internal/rpc", "BenchmarkUnary/here", "ns/op", 1_000, false, 1, "ns"},
	{"unary call over a unix socket", "internal/rpc", "BenchmarkUnary/unix", "ns/op", 100_000, false, 1e-3, "µs"},
	{"engine, one round without tools", "internal/engine", "BenchmarkRoundNoTools", "ns/op", 50_000, false, 1e-3, "µs"},
	{"engine, allocations of that round", "internal/engine", "BenchmarkRoundNoTools", "allocs/op", 100, false, 1, "allocations"},
	{"extraction, plain text", "internal/engine/toolcall", "BenchmarkPlainText", "MB/s", 100, true, 1, "MB/s"},
	{"extraction, 10 KB reply with calls", "internal/engine/toolcall", "BenchmarkReplyWithCalls10KB", "ns/op", 1e6, false, 1e-6, "ms"},
	{"gateway over a direct call, sequential, median", "internal/gateway", "BenchmarkAdded/sequential", "added-p50-µs", 250, false, 1, "µs"},
	{"gateway, first token, sequential", "internal/gateway", "BenchmarkAdded/sequential", "added-first-µs", 300, false, 1, "µs"},
	{"built-in network of 22 M parameters, a prompt of 512 tokens, AVX-512 VNNI", "internal/gateway/builtin/nn", "BenchmarkPrefill/avx512-vnni/512", "tokens/s", 800, true, 1, "tokens/s"},
	{"the same with AVX2", "internal/gateway/builtin/nn", "BenchmarkPrefill/avx2/512", "tokens/s", 800, true, 1, "tokens/s"},
	{"the same in plain Go", "internal/gateway/builtin/nn", "BenchmarkPrefill/plain/512", "tokens/s", 150, true, 1, "tokens/s"},
	{"the same network, answering after 512 tokens, AVX-512 VNNI", "internal/gateway/builtin/nn", "BenchmarkDecode/avx512-vnni/512", "tokens/s", 250, true, 1, "tokens/s"},
	{"the same with AVX2", "internal/gateway/builtin/nn", "BenchmarkDecode/avx2/512", "tokens/s", 250, true, 1, "tokens/s"},
	{"the same in plain Go", "internal/gateway/builtin/nn", "BenchmarkDecode/plain/512", "tokens/s", 60, true, 1, "tokens/s"},
	{"the same network, 60 tokens after 2,000 that are kept, to the next one, AVX-512 VNNI", "internal/gateway/builtin/nn", "BenchmarkFollowUp/avx512-vnni", "ns/op", 300e6, false, 1e-6, "ms"},
	{"the same with AVX2", "internal/gateway/builtin/nn", "BenchmarkFollowUp/avx2", "ns/op", 300e6, false, 1e-6, "ms"},
	{"the same in plain Go", "internal/gateway/builtin/nn", "BenchmarkFollowUp/plain", "ns/op", 300e6, false, 1e-6, "ms"},
	{"the same network, first use, with tokenizer and one token", "internal/gateway/builtin", "BenchmarkLoad/22M", "ns/op", 60e6, false, 1e-6, "ms"},
	{"the network that ships, which is larger: a prompt of 512 tokens, AVX-512 VNNI", "internal/gateway/builtin/nn", "BenchmarkShipped/avx512-vnni/prefill", "tokens/s", 800, true, 1, "tokens/s"},
	{"the same with AVX2", "internal/gateway/builtin/nn", "BenchmarkShipped/avx2/prefill", "tokens/s", 800, true, 1, "tokens/s"},
	{"the same in plain Go", "internal/gateway/builtin/nn", "BenchmarkShipped/plain/prefill", "tokens/s", 150, true, 1, "tokens/s"},
	{"the network that ships, answering after 512 tokens, AVX-512 VNNI", "internal/gateway/builtin/nn", "BenchmarkShipped/avx512-vnni/decode", "tokens/s", 250, true, 1, "tokens/s"},
	{"the same with AVX2", "internal/gateway/builtin/nn", "BenchmarkShipped/avx2/decode", "tokens/s", 250, true, 1, "tokens/s"},
	{"the same in plain Go", "internal/gateway/builtin/nn", "BenchmarkShipped/plain/decode", "tokens/s", 60, true, 1, "tokens/s"},
	{"the network that ships, 60 tokens after 2,000 that are kept, to the next one, AVX-512 VNNI", "internal/gateway/builtin/nn", "BenchmarkShipped/avx512-vnni/follow-up", "ns/op", 300e6, false, 1e-6, "ms"},
	{"the same with AVX2", "internal/gateway/builtin/nn", "BenchmarkShipped/avx2/follow-up", "ns/op", 300e6, false, 1e-6, "ms"},
	{"the same in plain Go", "internal/gateway/builtin/nn", "BenchmarkShipped/plain/follow-up", "ns/op", 300e6, false, 1e-6, "ms"},
	{"the network that ships, first use, with tokenizer and one token", "internal/gateway/builtin", "BenchmarkLoad/shipped", "ns/op", 60e6, false, 1e-6, "ms"},
	{"`POST /query` over the same call to the model server, median", "internal/daemon", "BenchmarkQuery/paced", "added-p50-µs", 1000, false, 1e-3, "ms"},
	{"first word of an answer with all observers at work, over none", "internal/daemon", "BenchmarkObservers", "overhead-%", 5, false, 1, "%"},
	{"ten tool calls and an answer, with policy, record, journal and events", "internal/daemon", "BenchmarkTenCalls", "p50-ms", 3, false, 1, "ms"},
	{"replay of 1,000 recorded turns", "internal/daemon", "BenchmarkReplay1000", "ns/op", 10e9, false, 1e-9, "s"},
	{"committee, added to each run of a persona", "internal/committee", "BenchmarkDeliberate/parallel=1", "ns/run", 1e6, false, 1e-6, "ms"},
	{"orchestrator, added to each subtask", "internal/orchestrator", "BenchmarkSubtask/disk", "ms/subtask", 1, false, 1, "ms"},
	{"a task of 1,000 subtasks that depend on each other", "internal/orchestrator", "BenchmarkDAG1000", "ns/op", 5e9, false, 1e-9, "s"},
	{"a task of 100 subtasks, half of them done, taken up and ended after a stop", "internal/orchestrator", "BenchmarkRecover", "ns/op", 1e9, false, 1e-9, "s"},
	{"policy decision, all layers, depth 4", "internal/policy", "BenchmarkDecide/allow/types=80", "ns/op", 3_000, false, 1e-3, "µs"},
	{"policy decision, allocations", "internal/policy", "BenchmarkDecide/allow/types=80", "allocs/op", 2, false, 1, "allocations"},
	{"policy decision with 800 agent types", "internal/policy", "BenchmarkDecide/allow/types=800", "ns/op", 3_000, false, 1e-3, "µs"},
	{"broker around a no-op tool, record flushed", "internal/broker", "BenchmarkNoOpTool/write", "µs/median", 500, false, 1e-3, "ms"},
	{"broker, 50 agents at once", "internal/broker", "BenchmarkFiftyAgents", "calls/s", 500, true, 1, "calls/s"},
	{"sandboxed no-op, bubblewrap", "internal/tool/sandbox", "BenchmarkNothing/bubblewrap", "ns/op", 20e6, false, 1e-6, "ms"},
	{"sandboxed no-op, Landlock", "internal/tool/sandbox", "BenchmarkNothing/landlock", "ns/op", 20e6, false, 1e-6, "ms"},
	{"exact top 20 of 100,000 x 768, AVX-512 VNNI, median", "internal/memory/vector", "BenchmarkSearch/avx512-vnni", "p50-ms", 3, false, 1, "ms"},
	{"the same, p95", "internal/memory/vector", "BenchmarkSearch/avx512-vnni", "p95-ms", 5, false, 1, "ms"},
	{"the same with AVX2, p95", "internal/memory/vector", "BenchmarkSearch/avx2", "p95-ms", 15, false, 1, "ms"},
	{"exact top 20 of 1,000,000 x 768, median", "internal/memory/vector", "BenchmarkSearchMillion", "p50-ms", 60, false, 1, "ms"},
	{"memory of that index beside its floats", "internal/memory/vector", "BenchmarkLoad", "mem/floats", 1.4, false, 1, "times"},
	{"staged query at 100,000 entries, p95, without the embedding call", "internal/memory", "BenchmarkRecall/staged", "p95-ms", 8, false, 1, "ms"},
	{"opening a memory of 100,000 entries, median", "internal/memory", "BenchmarkOpen", "p50-ms", 1000, false, 1, "ms"},
	{"memory write, durable, median", "internal/memory", "BenchmarkWrite", "p50-ms", 3, false, 1, "ms"},
	{"memory import with embeddings made", "internal/memory", "BenchmarkImport", "entries/s", 2_000, true, 1, "entries/s"},
	{"`moothall up --headless` to a healthy answer", "", "start", "ms", 300, false, 1, "ms"},
	{"resident memory then", "", "resident", "MB", 60, false, 1, "MB"},
	{"resident memory after three answers of the built-in network", "", "answered", "MB", 180, false, 1, "MB"},
}

func (f figure) show(v float64) string {
	return strconv.FormatFloat(v*f.scale, 'f', digits(v*f.scale), 64) + " " + f.label
}

func digits(v float64) int {
	switch {
	case v >= 100:
		return 0
	case v >= 10:
		return 1
	}
	return 2
}

func (f figure) target() string {
	if f.least {
		return f.show(f.bound) + " or more"
	}
	return f.show(f.bound) + " or less"
}

func (f figure) reached(v float64) string {
	ok := v <= f.bound
	if f.least {
		ok = v >= f.bound
	}
	if ok {
		return "yes"
	}
	return fmt.Sprintf("**no** (%.2f times)", v/f.bound)
}
