package orchestrator_test

import (
	"context"
	"fmt"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
)

// quick answers at once.
func quick(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
	if isWriter(r) || r.Role == moothall.ModelOrchestrator {
		return say("Done.")
	}
	return say(good("Done."))
}

// layered is a plan of n subtasks, each of which depends on up to three of
// the ten before it.
func layered(n int) *plan.Plan {
	p := &plan.Plan{}
	for i := range n {
		s := sub(fmt.Sprint("n", i), "assistant", fmt.Sprint("number ", i))
		for _, back := range []int{3, 7, 10} {
			if i >= back {
				s.DependsOn = append(s.DependsOn, fmt.Sprint("n", i-back))
			}
		}
		p.Subtasks = append(p.Subtasks, s)
	}
	return p
}

// BenchmarkSubtask is what the orchestrator adds to one subtask: two durable
// changes of state, an agent, a run of one round, and its report.
func BenchmarkSubtask(b *testing.B) {
	const n = 50
	bench := func(b *testing.B, o *orchestrator.Orchestrator) {
		for b.Loop() {
			if out, err := o.Do(b.Context(), orchestrator.Goal{Text: "x", Plan: layered(n)}, nil); err != nil || out.Task.State != "done" {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n)/1000, "ms/subtask")
	}
	b.Run("disk", func(b *testing.B) { bench(b, newHall(b, quick).Orchestrator) })
	b.Run("memory", func(b *testing.B) { // what is not the disk's
		o, err := orchestrator.OpenOn(orchestrator.Options{
			Model: newBrain(quick), Broker: newLedger(), Audit: moottest.NewAudit().For(moothall.Orchestrator),
		}, newSlate())
		if err != nil {
			b.Fatal(err)
		}
		defer o.Close()
		bench(b, o)
	})
}

// BenchmarkDAG1000 plans nothing and runs a thousand subtasks.
func BenchmarkDAG1000(b *testing.B) {
	h := newHall(b, quick, func(o *orchestrator.Options) { o.Settings.Parallel = 4 })
	p := layered(1000)
	for b.Loop() {
		out := h.do(b, orchestrator.Goal{Text: "x", Plan: p})
		if out.Task.State != "done" {
			b.Fatal(out.Task.State)
		}
	}
}

// BenchmarkRecover takes a task of a hundred subtasks up, of which half are
// done, and brings it to its end.
func BenchmarkRecover(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		half := make(chan struct{})
		n := 0
		var opt orchestrator.Options
		h := newHall(b, func(ctx context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
			if n++; n == 50 {
				close(half)
				<-ctx.Done()
				return moottest.Reply{}, ctx.Err()
			}
			return quick(ctx, r)
		}, func(o *orchestrator.Options) { opt = *o })
		task, err := h.Start(b.Context(), orchestrator.Goal{Text: "x", Plan: layered(100)})
		if err != nil {
			b.Fatal(err)
		}
		<-half
		h.Close()
		h.broker.recover()
		b.StartTimer()
		o, err := orchestrator.Open(opt)
		if err != nil {
			b.Fatal(err)
		}
		if err := o.Recover(b.Context()); err != nil {
			b.Fatal(err)
		}
		for _, err := range o.Watch(b.Context(), task.ID) {
			if err != nil {
				b.Fatal(err)
			}
		}
		o.Close()
	}
}
