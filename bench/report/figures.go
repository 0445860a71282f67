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
	{"unary call in process", "internal/rpc", "BenchmarkUnary/here", "ns/op", 1_000, false, 1, "ns"},
	{"unary call over a unix socket", "internal/rpc", "BenchmarkUnary/unix", "ns/op", 100_000, false, 1e-3, "µs"},
	{"engine, one round without tools", "internal/engine", "BenchmarkRoundNoTools", "ns/op", 50_000, false, 1e-3, "µs"},
	{"engine, allocations of that round", "internal/engine", "BenchmarkRoundNoTools", "allocs/op", 100, false, 1, "allocations"},
	{"extraction, plain text", "internal/engine/toolcall", "BenchmarkPlainText", "MB/s", 100, true, 1, "MB/s"},
	{"extraction, 10 KB reply with calls", "internal/engine/toolcall", "BenchmarkReplyWithCalls10KB", "ns/op", 1e6, false, 1e-6, "ms"},
	{"gateway over a direct call, sequential, median", "internal/gateway", "BenchmarkAdded/sequential", "added-p50-µs", 250, false, 1, "µs"},
	{"gateway, first token, sequential", "internal/gateway", "BenchmarkAdded/sequential", "added-first-µs", 300, false, 1, "µs"},
	{"`moothall up --headless` to a healthy answer", "", "start", "ms", 300, false, 1, "ms"},
	{"resident memory then", "", "resident", "MB", 60, false, 1, "MB"},
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
