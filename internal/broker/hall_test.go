package broker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/moottest"
	"moothall/internal/policy"
	"moothall/internal/store"
)

// hall is a broker with everything around it.
type hall struct {
	*broker.Broker
	t       testing.TB
	path    string
	db      *store.DB
	audit   *moottest.FakeAudit
	secrets *moottest.FakeSecrets
	events  *recorder
	chat    moothall.Broker
	person  moothall.Broker
}

// recorder keeps what is published.
type recorder struct {
	mu   sync.Mutex
	list []moothall.Event
}

func (r *recorder) publish(_ context.Context, e moothall.Event) error {
	if err := e.Validate(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, e)
	return nil
}

func (r *recorder) subjects() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, e := range r.list {
		out = append(out, string(e.Subject))
	}
	return out
}

// of returns the events of a subject; the broker must be closed before.
func (r *recorder) of(s moothall.Subject) []moothall.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []moothall.Event
	for _, e := range r.list {
		if e.Subject == s {
			out = append(out, e)
		}
	}
	return out
}

// manifest lets "boss" do all and spawn "worker", and "reader" little.
func manifest(tools ...moothall.ToolName) policy.Manifest {
	return policy.Manifest{Types: map[moothall.AgentType]policy.Type{
		"boss":   {Allowed: tools, Spawns: []moothall.AgentType{"worker", "boss"}, Paths: map[moothall.ToolName][]string{"fs_read": {"/home/me"}, "fs_write": {"/home/me/out"}}},
		"worker": {Allowed: tools, Paths: map[moothall.ToolName][]string{"fs_read": {"/home/me"}}},
		"reader": {Allowed: tools[:min(1, len(tools))]},
	}}
}

// inside is a plain check of names, enough for tests: the real one asks the
// file system.
func inside(access moothall.PathAccess, reads, writes []string, path string) (string, bool) {
	roots := writes
	if access == moothall.PathRead {
		roots = reads
	}
	return path, slices.ContainsFunc(roots, func(r string) bool {
		rel, err := filepath.Rel(r, path)
		return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
	})
}

type change func(*broker.Options)

// open opens a broker on a store of its own.
func open(t testing.TB, tools []moothall.Tool, changes ...change) *hall {
	t.Helper()
	return reopen(t, &hall{
		t: t, path: filepath.Join(t.TempDir(), "hall.db"), audit: moottest.NewAudit(), secrets: moottest.NewSecrets(), events: &recorder{},
	}, tools, changes...)
}

// reopen opens a broker on the store of another, which is closed.
func reopen(t testing.TB, old *hall, tools []moothall.Tool, changes ...change) *hall {
	t.Helper()
	ctx := context.Background()
	h := &hall{t: t, path: old.path, audit: old.audit, secrets: old.secrets, events: old.events}
	var err error
	if h.db, err = store.Open(ctx, h.path, &store.Options{Migrations: []store.Set{broker.Migrations()}}); err != nil {
		t.Fatal(err)
	}
	var names []moothall.ToolName
	for _, tool := range tools {
		names = append(names, tool.Spec().Name)
	}
	o := broker.Options{
		DB: h.db, Audit: h.audit.For(moothall.ToolBroker), Secrets: h.secrets.For(moothall.ToolBroker), Manifest: manifest(names...), Tools: tools,
		Inside: inside, Publish: h.events.publish,
	}
	for _, c := range changes {
		c(&o)
	}
	if h.Broker, err = broker.Open(ctx, o); err != nil {
		t.Fatal(err)
	}
	h.chat, h.person = h.For(moothall.ChatHall), h.For(moothall.Person)
	t.Cleanup(h.shut)
	return h
}

// shut closes all; it may be called early and again.
func (h *hall) shut() {
	h.t.Helper()
	if err := h.Close(); err != nil {
		h.t.Error(err)
	}
	if err := h.db.Close(); err != nil {
		h.t.Error(err)
	}
}

func (h *hall) spawn(r moothall.SpawnRequest) moothall.Agent {
	h.t.Helper()
	fill := func(v *moothall.AgentType) {
		if *v == "" {
			*v = "boss"
		}
	}
	fill(&r.Type)
	if r.Session == "" {
		r.Session = "s"
	}
	a, err := h.chat.Spawn(context.Background(), r)
	if err != nil {
		h.t.Fatal(err)
	}
	return a
}

func request(a moothall.Agent, tool moothall.ToolName, args string) moothall.CallRequest {
	return moothall.CallRequest{
		Agent: a.Handle, Run: "run",
		Call: moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: tool, Arguments: json.RawMessage(args)},
	}
}

// call makes a call and returns its result.
func (h *hall) call(r moothall.CallRequest) moothall.ToolResult {
	h.t.Helper()
	res, err := h.try(r)
	if err != nil {
		h.t.Fatal(err)
	}
	return res
}

func (h *hall) try(r moothall.CallRequest) (moothall.ToolResult, error) {
	for p, err := range h.chat.Execute(context.Background(), r) {
		if err != nil {
			return moothall.ToolResult{}, err
		}
		if p.Result != nil {
			return *p.Result, nil
		}
	}
	return moothall.ToolResult{}, moothall.Fail(moothall.CodeInternal, "test", "no result")
}

// asked makes a call in the background and returns the question that it
// leads to, and where its result will come.
func (h *hall) asked(ctx context.Context, r moothall.CallRequest) (moothall.Approval, <-chan outcome) {
	h.t.Helper()
	noted := make(chan struct{}, 16)
	out := h.executed(ctx, r, func() { noted <- struct{}{} })
	select {
	case <-noted:
	case o := <-out:
		h.t.Fatalf("nobody was asked: %+v", o)
	}
	list, err := h.person.Approvals(context.Background(), moothall.Scope{}, false)
	if err != nil {
		h.t.Fatal(err)
	}
	i := slices.IndexFunc(list, func(a moothall.Approval) bool { return a.Tool == r.Call.Name })
	if i < 0 {
		h.t.Fatal("the question is not listed")
	}
	return list[i], out
}

// executed makes a call beside the test; noted is told of its progress.
func (h *hall) executed(ctx context.Context, r moothall.CallRequest, noted func()) <-chan outcome {
	out := make(chan outcome, 1)
	go func() {
		var o outcome
		for p, err := range h.chat.Execute(ctx, r) {
			if p.Note != "" && noted != nil {
				noted()
			}
			if p.Result != nil {
				o.res = *p.Result
			}
			o.err = err
		}
		out <- o
	}()
	return out
}

type outcome struct {
	res moothall.ToolResult
	err error
}

// statuses are the record's lines about a call.
func (h *hall) statuses(id moothall.CallID) []string {
	var out []string
	for _, r := range h.audit.Records() {
		if r.Entry.Call == id {
			out = append(out, string(r.Entry.Action)+" "+string(r.Entry.Status)+" "+r.Entry.Rule)
		}
	}
	return out
}

// tool makes a tool of a function.
func tool(spec moothall.ToolSpec, do func(context.Context, moothall.ToolRun) (moothall.ToolResult, error)) moothall.Tool {
	if spec.Origin == "" {
		spec.Origin = "built-in"
	}
	if do == nil {
		do = func(_ context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
			return moothall.ToolResult{Status: moothall.CallOK, Text: "done " + string(r.Call.Arguments)}, nil
		}
	}
	return &moottest.FakeTool{About: spec, Do: do}
}

func echo(name moothall.ToolName, risk moothall.Risk) moothall.Tool {
	return moottest.EchoTool(name, risk)
}

func wantCode(t testing.TB, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Fatalf("error code %q, want %q (%v)", got, want, err)
	}
}

const soon = 10 * time.Second

// dump writes a table out, bytes as they are.
func (h *hall) dump(table string) string {
	h.t.Helper()
	var out strings.Builder
	err := h.db.Read(context.Background(), func(tx *store.Tx) error {
		rows, err := tx.Query(context.Background(), "SELECT * FROM "+table)
		if err != nil {
			return err
		}
		names, err := rows.Columns()
		if err != nil {
			return err
		}
		for rows.Next() {
			values := make([]any, len(names))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				return err
			}
			for i, v := range values {
				fmt.Fprintf(&out, "%s=%s ", names[i], *v.(*any))
			}
			out.WriteByte('\n')
		}
		return rows.Err()
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return out.String()
}
