// Package unassigned holds services that are not there: each method of each
// contract refuses with CodeNotConfigured and says what to do about it.
//
// The daemon puts one wherever the configuration names no implementation, so
// that no caller ever meets a nil service and nothing pretends to work.
package unassigned

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"time"

	"moothall"
)

// Service refuses everything. Its fields make the refusal readable.
type Service struct {
	Name   string // "memory"
	Remedy string // what would configure it; may be empty
}

var (
	_ moothall.Gateway = Gateway{}
	_ moothall.Memory  = Memory{}
	_ moothall.Broker  = Broker{}
	_ moothall.Secrets = Secrets{}
	_ moothall.Search  = Search{}
	_ moothall.Audit   = Audit{}
	_ moothall.Front   = Front{}
)

// Err is the refusal.
func (s Service) Err() error {
	return &moothall.Error{
		Code: moothall.CodeNotConfigured, Op: s.Name,
		Message: "this hall has no " + s.Name + " service", Remedy: s.Remedy,
	}
}

// none is a stream that is nothing but the refusal.
func none[T any](s Service) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, s.Err())
	}
}

// Gateway refuses every model call.
type Gateway struct{ Service }

func (g Gateway) Generate(context.Context, moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return none[moothall.Chunk](g.Service)
}

func (g Gateway) Embed(context.Context, moothall.EmbedRequest) (moothall.Embeddings, error) {
	return moothall.Embeddings{}, g.Err()
}

func (g Gateway) Models(context.Context, moothall.Scope) ([]moothall.ModelCard, []moothall.ModelBinding, error) {
	return nil, nil, g.Err()
}

func (g Gateway) ShowModel(context.Context, moothall.ModelRequest) (moothall.ModelCard, error) {
	return moothall.ModelCard{}, g.Err()
}

func (g Gateway) BindModel(context.Context, moothall.Scope, moothall.ModelBinding) error {
	return g.Err()
}

func (g Gateway) PullModel(context.Context, moothall.ModelRequest) iter.Seq2[moothall.Progress, error] {
	return none[moothall.Progress](g.Service)
}

func (g Gateway) ProbeModel(context.Context, moothall.ModelRequest) (moothall.ModelCard, error) {
	return moothall.ModelCard{}, g.Err()
}

// Memory refuses every read and write.
type Memory struct{ Service }

func (m Memory) Write(context.Context, moothall.WriteRequest) (moothall.MemoryEntry, error) {
	return moothall.MemoryEntry{}, m.Err()
}

func (m Memory) Recall(context.Context, moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return none[moothall.Recall](m.Service)
}

func (m Memory) Correlated(context.Context, moothall.Scope, moothall.MemoryID, bool) ([]moothall.MemoryEntry, error) {
	return nil, m.Err()
}

func (m Memory) List(context.Context, moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return none[moothall.MemoryEntry](m.Service)
}

func (m Memory) Annotate(context.Context, moothall.Annotation) error { return m.Err() }

func (m Memory) Review(context.Context, moothall.Scope, moothall.MemoryID, bool) error {
	return m.Err()
}

func (m Memory) Forget(context.Context, moothall.Scope, moothall.MemoryID) ([]moothall.MemoryID, error) {
	return nil, m.Err()
}

func (m Memory) Graph(context.Context, moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return none[moothall.GraphFact](m.Service)
}

func (m Memory) Assert(context.Context, moothall.Scope, moothall.GraphFact) (moothall.GraphFact, error) {
	return moothall.GraphFact{}, m.Err()
}

func (m Memory) Merge(context.Context, moothall.GraphMerge) error { return m.Err() }

// Broker refuses every agent and every tool.
type Broker struct{ Service }

func (b Broker) Spawn(context.Context, moothall.SpawnRequest) (moothall.Agent, error) {
	return moothall.Agent{}, b.Err()
}

func (b Broker) Finish(context.Context, moothall.Scope, moothall.Handle) error { return b.Err() }

func (b Broker) Discover(context.Context, moothall.DiscoverRequest) ([]moothall.ToolSpec, error) {
	return nil, b.Err()
}

func (b Broker) Validate(context.Context, moothall.CallRequest) (moothall.Decision, error) {
	return moothall.Decision{}, b.Err()
}

func (b Broker) Execute(context.Context, moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return none[moothall.CallProgress](b.Service)
}

func (b Broker) Tools(context.Context, moothall.Scope) ([]moothall.ToolSpec, error) {
	return nil, b.Err()
}

func (b Broker) Approvals(context.Context, moothall.Scope, bool) ([]moothall.Approval, error) {
	return nil, b.Err()
}

func (b Broker) Decide(context.Context, moothall.ApprovalDecision) (moothall.Approval, error) {
	return moothall.Approval{}, b.Err()
}

func (b Broker) Override(context.Context, moothall.Scope, moothall.Overrides) (moothall.Overrides, error) {
	return moothall.Overrides{}, b.Err()
}

func (b Broker) ProviderKey(context.Context, moothall.KeyRequest) (moothall.Secret, error) {
	return moothall.Secret{}, b.Err()
}

// Secrets refuses every secret.
type Secrets struct{ Service }

func (s Secrets) GetSecret(context.Context, moothall.SecretRequest) (moothall.Secret, error) {
	return moothall.Secret{}, s.Err()
}

// Search refuses to go out.
type Search struct{ Service }

func (s Search) Search(context.Context, moothall.SearchRequest) iter.Seq2[moothall.SearchResult, error] {
	return none[moothall.SearchResult](s.Service)
}

func (s Search) Fetch(context.Context, moothall.FetchRequest) (moothall.Page, error) {
	return moothall.Page{}, s.Err()
}

// Audit refuses to record, and so forbids every effect.
type Audit struct{ Service }

func (a Audit) Append(context.Context, ...moothall.AuditEntry) (uint64, error) { return 0, a.Err() }

// Front refuses everything that faces people. Embed it to implement some of
// the contract and refuse the rest.
type Front struct{ Service }

func (f Front) Health(context.Context) (moothall.Health, error) {
	return moothall.Health{}, f.Err()
}

func (f Front) Query(context.Context, moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return none[moothall.Step](f.Service)
}

func (f Front) Stop(context.Context, moothall.QueryID) error { return f.Err() }

func (f Front) Feedback(context.Context, moothall.Feedback) error { return f.Err() }

func (f Front) Judgements(context.Context, moothall.JudgementQuery) ([]moothall.Judgement, error) {
	return nil, f.Err()
}

func (f Front) Report(context.Context, time.Time) (moothall.Report, error) {
	return moothall.Report{}, f.Err()
}

func (f Front) Replay(context.Context, moothall.ReplayRequest) (moothall.Replayed, error) {
	return moothall.Replayed{}, f.Err()
}

func (f Front) Events(context.Context, moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return none[moothall.Event](f.Service)
}

func (f Front) Sessions(context.Context) ([]moothall.Session, error) { return nil, f.Err() }

func (f Front) Session(context.Context, moothall.SessionID) (moothall.SessionDetail, error) {
	return moothall.SessionDetail{}, f.Err()
}

func (f Front) ChangeSession(context.Context, moothall.SessionChange) error { return f.Err() }

func (f Front) Tasks(context.Context, moothall.TaskID) ([]moothall.Task, error) {
	return nil, f.Err()
}

func (f Front) ControlTask(context.Context, moothall.TaskControl) (moothall.Task, error) {
	return moothall.Task{}, f.Err()
}

func (f Front) Participants(context.Context) ([]moothall.Participant, error) { return nil, f.Err() }

func (f Front) Configure(context.Context, string, json.RawMessage) (moothall.Participant, error) {
	return moothall.Participant{}, f.Err()
}

func (f Front) Examine(context.Context, moothall.Part) (moothall.Examined, error) {
	return moothall.Examined{}, f.Err()
}

func (f Front) Preview(context.Context, moothall.ApprovalID) (moothall.Preview, error) {
	return moothall.Preview{}, f.Err()
}

func (f Front) Export(context.Context, string, io.Writer) error { return f.Err() }

func (f Front) Backup(context.Context, io.Writer) error { return f.Err() }
