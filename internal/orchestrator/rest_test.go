package orchestrator_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/plan"
)

// full is a journal on a disk that may be full.
type full struct {
	orchestrator.Keeper
	now atomic.Bool
}

func (f *full) Apply(ctx context.Context, c journal.Change) error {
	if f.now.Load() {
		return &moothall.Error{Code: moothall.CodeExhausted, Op: "write store", Err: errors.New("no space left")}
	}
	return f.Keeper.Apply(ctx, c)
}

// resting is a hall with a task that rests: the disk was full for a while.
type resting struct {
	*orchestrator.Orchestrator
	opt  orchestrator.Options
	disk *full
	asks atomic.Int32
	task moothall.TaskID
}

func newResting(t *testing.T) *resting {
	t.Helper()
	r := &resting{disk: &full{Keeper: journal.New(openStore(t, t.TempDir()))}}
	r.opt = orchestrator.Options{
		Broker: newLedger(), Audit: moottest.NewAudit().For(moothall.Orchestrator),
		Model: newBrain(func(context.Context, moothall.GenerateRequest) (moottest.Reply, error) {
			if r.asks.Add(1) == 1 {
				r.disk.now.Store(true)
			}
			return say(good("Done."))
		}),
	}
	r.open(t)
	g := orchestrator.Goal{Session: "s", Text: "x", Plan: &plan.Plan{Subtasks: []plan.Subtask{sub("a", "coder", "x"), sub("b", "coder", "y", "a")}}}
	if _, err := r.Do(t.Context(), g, nil); moothall.ErrorCode(err) != moothall.CodeExhausted {
		t.Fatalf("the task ended with %v", err)
	}
	r.disk.now.Store(false)
	list, err := r.Tasks(t.Context(), "")
	if err != nil || len(list) != 1 || list[0].State != "running" {
		t.Fatalf("%v, %v", list, err)
	}
	r.task = list[0].ID
	return r
}

func (r *resting) open(t *testing.T) {
	t.Helper()
	var err error
	if r.Orchestrator, err = orchestrator.OpenOn(r.opt, r.disk); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
}

// restart takes up what is left, and returns how often a model is asked.
func (r *resting) restart(t *testing.T) int32 {
	t.Helper()
	before := r.asks.Load()
	r.Close()
	r.open(t)
	if err := r.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, err := range r.Watch(t.Context(), r.task) {
		if err != nil && moothall.ErrorCode(err) != moothall.CodeNotFound {
			t.Error(err)
		}
	}
	return r.asks.Load() - before
}

func TestATaskThatRestsCanBeStopped(t *testing.T) {
	t.Parallel()
	r := newResting(t)
	stop := moothall.TaskControl{ID: r.task, Action: orchestrator.Stop}
	_, err := r.Control(t.Context(), moothall.TaskControl{ID: r.task, Action: orchestrator.Pause})
	if moothall.ErrorCode(err) != moothall.CodeConflict || !strings.Contains(err.Error(), "rests") {
		t.Errorf("pause: %v", err)
	}
	r.disk.now.Store(true)
	if _, err := r.Control(t.Context(), stop); moothall.ErrorCode(err) != moothall.CodeExhausted {
		t.Errorf("stop without room: %v", err)
	}
	r.disk.now.Store(false)
	if _, err := r.Control(t.Context(), stop); err != nil {
		t.Fatalf("stop: %v", err)
	}
	for _, err := range r.Watch(t.Context(), r.task) {
		if err != nil {
			t.Error(err)
		}
	}
	if list, err := r.Tasks(t.Context(), r.task); err != nil || list[0].State != "stopped" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := r.Control(t.Context(), stop); moothall.ErrorCode(err) != moothall.CodeConflict || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("stop again: %v", err)
	}
	if n := r.restart(t); n != 0 {
		t.Errorf("%d model calls after a restart", n)
	}
}

func TestATaskThatRestsIsForgotten(t *testing.T) {
	t.Parallel()
	r := newResting(t)
	if err := r.Forget(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Tasks(t.Context(), r.task); moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.Errorf("it is still kept: %v", err)
	}
	if n := r.restart(t); n != 0 {
		t.Errorf("%d model calls after a restart", n)
	}
}

// What rests goes on after a restart, when nobody minds.
func TestATaskThatRestsGoesOn(t *testing.T) {
	t.Parallel()
	r := newResting(t)
	if n := r.restart(t); n == 0 {
		t.Error("nothing went on")
	}
	if list, err := r.Tasks(t.Context(), r.task); err != nil || list[0].State != "done" {
		t.Errorf("%+v, %v", list, err)
	}
}
