package daemon_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/broker"
	"moothall/internal/bus"
	"moothall/internal/engine"
	"moothall/internal/engine/history"
	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/policy"
	"moothall/internal/store"
)

const loopCalls = 10

// lookup is a tool that reads, and finds the same at once.
type lookup struct{}

func (lookup) Spec() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: "lookup", Description: "Look a word up.", Risk: moothall.RiskRead, ReadOnly: true, Idempotent: true, Taints: moothall.Untrusted, Origin: "built-in",
		Parameters: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["word"],"properties":{"word":{"type":"string"}}}`),
	}
}

func (lookup) Run(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
	return moothall.ToolResult{Status: moothall.CallOK, Text: "a word as any other"}, nil
}

// unguarded executes at once and asks nobody.
type unguarded struct{ moothall.Broker }

func (unguarded) Execute(_ context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		yield(moothall.CallProgress{Result: &moothall.ToolResult{Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallOK, Text: "a word as any other"}}, nil)
	}
}

// loop is the engine before a gateway and a model server that calls the tool
// ten times and answers.
func loop(b *testing.B) engine.Request {
	b.Helper()
	s := ollamatest.New(b, ollamatest.Options{Forget: true, Respond: func(c ollamatest.Chat) ollamatest.Reply {
		if n := strings.Count(roles(c), "tool "); n < loopCalls {
			return calls("lookup", fmt.Sprintf(`{"word":"word%d"}`, n))
		}
		return ollamatest.Reply{Text: "Ten words, as any other."}
	}})
	provider, err := ollama.New(ollama.Options{URL: s.URL})
	if err != nil {
		b.Fatal(err)
	}
	g, err := gateway.Open(gateway.Options{
		Providers: []gateway.Provider{provider},
		Roles:     []moothall.ModelBinding{{Role: moothall.ModelChat, Provider: provider.Name(), Model: ollamatest.ChatModel}},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { g.Close(); provider.Close() })
	return engine.Request{
		Model: g.For(moothall.ChatHall), Role: moothall.ModelChat, Priority: moothall.PriorityPerson, Window: 32000,
		System: "You look words up.", Input: []moothall.Message{{Role: moothall.RoleUser, Content: "Which words are there?"}},
		Tools: []moothall.ToolSpec{lookup{}.Spec()}, Abilities: engine.Abilities{Tools: engine.ToolsNative},
		Limits: engine.Limits{Rounds: loopCalls + 2}, Meter: new(history.Meter), Now: time.Now,
	}
}

func roles(c ollamatest.Chat) string {
	var b strings.Builder
	for _, m := range c.Messages {
		b.WriteString(m.Role + " ")
	}
	return b.String()
}

// spent adds up what calls to a neighbour took. Some are beside the run.
type spent struct{ nanos, calls atomic.Int64 }

func (s *spent) since(began time.Time) {
	s.nanos.Add(time.Since(began).Nanoseconds())
	s.calls.Add(1)
}

// report says what one call took, and how many there were in a run.
func (s *spent) report(b *testing.B, runs int, of string) {
	b.ReportMetric(float64(s.nanos.Load())/float64(s.calls.Load())/1000, "µs/"+of)
	b.ReportMetric(float64(s.calls.Load())/float64(runs), of+"/run")
}

// timedAudit is a record that notes how long it was waited for.
type timedAudit struct {
	moothall.Audit
	spent *spent
}

func (a timedAudit) Append(ctx context.Context, entries ...moothall.AuditEntry) (uint64, error) {
	defer a.spent.since(time.Now())
	return a.Audit.Append(ctx, entries...)
}

// guarded is the real broker with record, journal and events on disk. What
// the record and the bus take is added to recorded and told.
func guarded(b *testing.B, recorded, told *spent) *broker.Broker {
	b.Helper()
	dir := b.TempDir()
	record, err := audit.Open(filepath.Join(dir, "audit"), nil)
	if err != nil {
		b.Fatal(err)
	}
	db, err := store.Open(b.Context(), filepath.Join(dir, "hall.db"), &store.Options{Migrations: []store.Set{broker.Migrations()}})
	if err != nil {
		b.Fatal(err)
	}
	events, err := bus.Open(b.Context(), bus.Options{Dir: filepath.Join(dir, "bus")})
	if err != nil {
		b.Fatal(err)
	}
	face, err := events.As(moothall.ToolBroker)
	if err != nil {
		b.Fatal(err)
	}
	desk, err := broker.Open(b.Context(), broker.Options{
		DB: db, Audit: timedAudit{record.For(moothall.ToolBroker), recorded}, Tools: []moothall.Tool{lookup{}},
		Manifest: policy.Manifest{Types: map[moothall.AgentType]policy.Type{"bench": {Allowed: []moothall.ToolName{"lookup"}}}},
		Publish: func(ctx context.Context, e moothall.Event) error {
			defer told.since(time.Now())
			_, err := face.Publish(ctx, e)
			return err
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { desk.Close(); events.Close(); db.Close(); record.Close() })
	return desk
}

// finished runs to the end and checks that all calls were made.
func finished(b *testing.B, r engine.Request) time.Duration {
	b.Helper()
	began := time.Now()
	for e, err := range engine.Run(b.Context(), r) {
		if err != nil {
			b.Fatal(err)
		}
		if e.Final != nil && (e.Final.Stop != moothall.StopDone || len(e.Final.Calls) != loopCalls) {
			b.Fatalf("%+v", *e.Final)
		}
	}
	return time.Since(began)
}

// BenchmarkTenCalls is a run of ten tool calls and an answer, without and with
// the broker that decides, records, journals and tells of each, by turns.
func BenchmarkTenCalls(b *testing.B) {
	r := loop(b)
	var recorded, told spent
	desk := guarded(b, &recorded, &told).For(moothall.ChatHall)
	with := func() time.Duration {
		began, own := time.Now(), r
		a, err := desk.Spawn(b.Context(), moothall.SpawnRequest{Scope: moothall.Scope{Session: "bench"}, Type: "bench", Query: moothall.QueryID(moothall.NewID())})
		if err != nil {
			b.Fatal(err)
		}
		own.Broker, own.Handle, own.Scope = desk, a.Handle, moothall.Scope{Session: "bench", Lineage: a.Lineage}
		finished(b, own)
		if err := desk.Finish(b.Context(), own.Scope, a.Handle); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	without := func() time.Duration {
		own := r
		own.Broker, own.Handle = unguarded{}, "bench"
		return finished(b, own)
	}
	for range 10 {
		with()
		without()
	}
	for _, s := range []*spent{&recorded, &told} {
		s.nanos.Store(0)
		s.calls.Store(0)
	}
	var guarded, bare []time.Duration
	for b.Loop() {
		bare = append(bare, without())
		guarded = append(guarded, with())
	}
	b.ReportMetric(percentile(bare, 0.5), "unguarded-p50-ms")
	b.ReportMetric(percentile(guarded, 0.5), "p50-ms")
	b.ReportMetric(percentile(guarded, 0.95), "p95-ms")
	recorded.report(b, len(guarded), "entry")
	told.report(b, len(guarded), "event")
}
