package daemon

import (
	"os"
	"runtime"
	"runtime/debug"
)

// garbage is how much of it may lie about, in percent of what is in use. The
// hall runs all day beside a model that wants the memory: half of what Go would
// leave saves 20 MB with the built-in model at work.
const garbage = 50

// Tune sets Go's runtime up for a process that is a hall. Benchmarks call it
// too, so that they measure what people run.
func Tune() {
	runtime.MemProfileRate = 0 // nothing here shows where memory went, and noting it takes time from every turn
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}
