package broker_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/policy"
)

// unlimited lifts the counters that would end a benchmark.
func unlimited(o *broker.Options) {
	o.Manifest.Limits = policy.Limits{Repeats: 1 << 40, Calls: 1 << 40, Spawns: 1 << 40}
}

// flushed is a record that is on the disk when Append returns, one line at a
// time: the least that a real one does.
type flushed struct {
	mu   sync.Mutex
	file *os.File
}

func (f *flushed) Append(_ context.Context, entries ...moothall.AuditEntry) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range entries {
		if _, err := fmt.Fprintln(f.file, e.Time, e.Agent, e.Action, e.Tool, e.Status, e.Call, e.Rule); err != nil {
			return 0, err
		}
	}
	return 0, f.file.Sync()
}

// durable puts the record on the disk.
func durable(b *testing.B) change {
	file, err := os.Create(filepath.Join(b.TempDir(), "record"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { file.Close() })
	return func(o *broker.Options) { o.Audit = &flushed{file: file} }
}

// BenchmarkNoOpTool is the broker around a tool that does nothing, at the end
// of a chain of five agents: decision, journal and record on the disk, events.
func BenchmarkNoOpTool(b *testing.B) {
	for _, kind := range []moothall.Risk{moothall.RiskNone, moothall.RiskRead, moothall.RiskWrite} {
		b.Run(string(kind), func(b *testing.B) {
			h := open(b, []moothall.Tool{echo("noop", kind)}, unlimited, durable(b))
			a := h.spawn(moothall.SpawnRequest{Query: "q"})
			for range 4 {
				a = h.spawn(moothall.SpawnRequest{Parent: a.Handle})
			}
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				if res := h.call(request(a, "noop", `{"say":"hello"}`)); res.Status != moothall.CallOK {
					b.Fatalf("%+v", res)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "µs/median")
		})
	}
}

// BenchmarkFiftyAgents is many agents calling at once; nothing may be lost.
func BenchmarkFiftyAgents(b *testing.B) {
	h := open(b, []moothall.Tool{echo("noop", moothall.RiskWrite)}, unlimited)
	var agents []moothall.Agent
	for i := range 50 {
		agents = append(agents, h.spawn(moothall.SpawnRequest{Query: moothall.QueryID(fmt.Sprint(i)), Scope: moothall.Scope{Session: moothall.SessionID(fmt.Sprint(i))}}))
	}
	var done atomic.Int64
	began := time.Now()
	rounds := 0
	for b.Loop() {
		var wg sync.WaitGroup
		for _, a := range agents {
			wg.Go(func() {
				if res, err := h.try(request(a, "noop", `{"say":"hello"}`)); err == nil && res.Status == moothall.CallOK {
					done.Add(1)
				}
			})
		}
		wg.Wait()
		rounds++
	}
	if want := int64(rounds * len(agents)); done.Load() != want {
		b.Fatalf("%d of %d calls came back", done.Load(), want)
	}
	b.ReportMetric(float64(done.Load())/time.Since(began).Seconds(), "calls/s")
}

// BenchmarkValidate is the dry run alone.
func BenchmarkValidate(b *testing.B) {
	h := open(b, []moothall.Tool{echo("noop", moothall.RiskNone)}, unlimited)
	a := h.spawn(moothall.SpawnRequest{Query: "q"})
	r := request(a, "noop", `{"say":"hello"}`)
	for b.Loop() {
		if d, err := h.chat.Validate(b.Context(), r); err != nil || d.Verdict != moothall.Allow {
			b.Fatal(d, err)
		}
	}
}
