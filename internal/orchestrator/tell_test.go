package orchestrator_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
)

// A bus that does not answer holds neither a task up nor its end.
func TestCloseGivesTheBusUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		o, err := orchestrator.OpenOn(orchestrator.Options{
			Model:  newBrain(func(context.Context, moothall.GenerateRequest) (moottest.Reply, error) { return say(good("Done.")) }),
			Broker: newLedger(), Audit: moottest.NewAudit().For(moothall.Orchestrator), Logger: slog.New(slog.NewTextHandler(&log, nil)),
			Tell: func(ctx context.Context, _ moothall.Event) error { <-ctx.Done(); return ctx.Err() },
		}, newSlate())
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		list := []plan.Subtask{sub("a", "coder", "x"), sub("b", "coder", "y"), sub("c", "coder", "z")}
		if _, err := o.Do(t.Context(), orchestrator.Goal{Text: "go", Plan: &plan.Plan{Subtasks: list}}, nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("the task took %s", took)
		}
		o.Close()
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("closing took %s", took)
		}
		if !strings.Contains(log.String(), "events were dropped") {
			t.Errorf("nobody is told: %s", &log)
		}
	})
}

// What a slow bus takes in time is published, in order, before Close returns.
func TestCloseWaitsForASlowBus(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told []moothall.Subject
		o, err := orchestrator.OpenOn(orchestrator.Options{
			Model:  newBrain(func(context.Context, moothall.GenerateRequest) (moottest.Reply, error) { return say(good("Done.")) }),
			Broker: newLedger(), Audit: moottest.NewAudit().For(moothall.Orchestrator),
			Tell: func(_ context.Context, e moothall.Event) error {
				time.Sleep(100 * time.Millisecond) // of the bubble's clock
				told = append(told, e.Subject)
				return nil
			},
		}, newSlate())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.Do(t.Context(), orchestrator.Goal{Text: "go", Plan: &plan.Plan{Subtasks: []plan.Subtask{sub("a", "coder", "x")}}}, nil); err != nil {
			t.Fatal(err)
		}
		o.Close()
		if n := len(told); n < 3 || told[0] != moothall.SubjectTaskPlanned || told[n-1] != moothall.SubjectTaskFinished {
			t.Errorf("told %v", told)
		}
	})
}
