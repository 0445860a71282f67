package orchestrator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
	"moothall/internal/store"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDir); dir != "" {
		os.Exit(killed(dir))
	}
	goleak.VerifyTestMain(m)
}

// brain is a model that answers by looking at what it is asked.
type brain struct {
	*moottest.FakeGateway
	think func(ctx context.Context, r moothall.GenerateRequest) (moottest.Reply, error)

	mu   sync.Mutex
	asks []moothall.GenerateRequest
}

func newBrain(think func(context.Context, moothall.GenerateRequest) (moottest.Reply, error)) *brain {
	return &brain{FakeGateway: moottest.NewGateway(), think: think}
}

func (b *brain) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		b.mu.Lock()
		b.asks = append(b.asks, r)
		b.mu.Unlock()
		reply, err := b.think(ctx, r)
		if err == nil {
			err = reply.Err
		}
		if err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		stop := moothall.StopDone
		if len(reply.ToolCalls) > 0 {
			stop = moothall.StopTools
		}
		yield(moothall.Chunk{
			Text: reply.Text, Thinking: reply.Thinking, ToolCalls: reply.ToolCalls, Stop: stop,
			Usage: moothall.Usage{Calls: 1, PromptTokens: 40, OutputTokens: 10},
		}, nil)
	}
}

// prompts returns what a role was asked, as text.
func (b *brain) prompts(role moothall.ModelRole) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, r := range b.asks {
		if r.Role == role {
			out = append(out, transcript(r))
		}
	}
	return out
}

func transcript(r moothall.GenerateRequest) string {
	var s strings.Builder
	for _, m := range r.Messages {
		fmt.Fprintf(&s, "%s: %s\n", m.Role, m.Content)
		for _, c := range m.ToolCalls {
			fmt.Fprintf(&s, "call %s %s\n", c.Name, c.Arguments)
		}
	}
	return s.String()
}

// isPlanner and isWriter tell the orchestrator's own calls apart.
func isPlanner(r moothall.GenerateRequest) bool {
	return strings.Contains(r.Messages[0].Content, "You are the planner")
}
func isWriter(r moothall.GenerateRequest) bool {
	return strings.Contains(r.Messages[0].Content, "You write the final answer")
}

// taskOf is the subtask's text in a prompt.
func taskOf(r moothall.GenerateRequest) string {
	for _, m := range r.Messages {
		if _, after, ok := strings.Cut(m.Content, "Your task:\n"); ok {
			line, _, _ := strings.Cut(after, "\n")
			return line
		}
	}
	return ""
}

// results counts the tool messages of a prompt.
func results(r moothall.GenerateRequest) int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == moothall.RoleTool {
			n++
		}
	}
	return n
}

// good is a report.
func good(summary string, change ...func(*report.Report)) string {
	r := report.Report{Status: report.Success, Summary: summary, Artifacts: []string{}, Quality: report.Inferred, Source: report.FromModel, Candidates: []string{}}
	for _, f := range change {
		f(&r)
	}
	b, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func say(text string) (moottest.Reply, error) { return moottest.Reply{Text: text}, nil }

func call(name moothall.ToolName, args string) (moottest.Reply, error) {
	return moottest.Reply{ToolCalls: []moothall.ToolCall{{Name: name, Arguments: json.RawMessage(args)}}}, nil
}

// planJSON writes a plan as a model does.
func planJSON(list ...plan.Subtask) string {
	b, err := json.Marshal(plan.Plan{Subtasks: list})
	if err != nil {
		panic(err)
	}
	return string(b)
}

func sub(id string, kind moothall.AgentType, task string, after ...string) plan.Subtask {
	if after == nil {
		after = []string{}
	}
	return plan.Subtask{ID: id, Type: kind, Task: task, DependsOn: after, Inputs: []string{}}
}

// hall is an orchestrator with everything around it.
type hall struct {
	*orchestrator.Orchestrator
	broker *ledger
	brain  *brain
	audit  *moottest.FakeAudit
	memory *moottest.FakeMemory
	events *[]moothall.Event
}

type options func(*orchestrator.Options)

// openStore opens a store with the orchestrator's tables.
func openStore(tb testing.TB, dir string) *store.DB {
	tb.Helper()
	db, err := store.Open(context.Background(), filepath.Join(dir, "moothall.db"), &store.Options{Migrations: []store.Set{orchestrator.Migrations()}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

func newHall(tb testing.TB, think func(context.Context, moothall.GenerateRequest) (moottest.Reply, error), change ...options) *hall {
	tb.Helper()
	h := &hall{broker: newLedger(), brain: newBrain(think), audit: moottest.NewAudit(), memory: moottest.NewMemory(), events: new([]moothall.Event)}
	var mu sync.Mutex
	o := orchestrator.Options{
		DB: openStore(tb, tb.TempDir()), Model: h.brain, Broker: h.broker, Audit: h.audit.For(moothall.Orchestrator), Memory: h.memory,
		Tell: func(_ context.Context, e moothall.Event) error {
			if err := e.Validate(); err != nil {
				tb.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			*h.events = append(*h.events, e)
			return nil
		},
		Files: func(path string) (int64, bool, error) {
			switch {
			case strings.HasPrefix(path, "/work/missing"):
				return 0, true, os.ErrNotExist
			case strings.HasPrefix(path, "/work/empty"):
				return 0, true, nil
			}
			return 10, strings.HasPrefix(path, "/work/"), nil
		},
	}
	for _, f := range change {
		f(&o)
	}
	var err error
	if h.Orchestrator, err = orchestrator.Open(o); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(h.Close)
	return h
}

// do runs a goal to its end.
func (h *hall) do(tb testing.TB, g orchestrator.Goal) *orchestrator.Outcome {
	tb.Helper()
	out, err := h.Do(tb.Context(), g, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func planOf(tb testing.TB, t moothall.Task) orchestrator.PlanView {
	tb.Helper()
	var p orchestrator.PlanView
	if err := json.Unmarshal(t.Plan, &p); err != nil {
		tb.Fatalf("plan %s: %v", t.Plan, err)
	}
	return p
}

func resultOf(tb testing.TB, t moothall.Task) orchestrator.ResultView {
	tb.Helper()
	var r orchestrator.ResultView
	if err := json.Unmarshal(t.Result, &r); err != nil {
		tb.Fatalf("result %s: %v", t.Result, err)
	}
	return r
}

func find(tb testing.TB, t moothall.Task, id string) orchestrator.SubtaskView {
	tb.Helper()
	for _, s := range planOf(tb, t).Subtasks {
		if s.ID == id {
			return s
		}
	}
	tb.Fatalf("there is no subtask %s in %s", id, t.Plan)
	return orchestrator.SubtaskView{}
}

// planIn is the plan of a task, if it has one that can be read.
func planIn(t *moothall.Task) []orchestrator.SubtaskView {
	var p orchestrator.PlanView
	if json.Unmarshal(t.Plan, &p) != nil {
		return nil
	}
	return p.Subtasks
}
