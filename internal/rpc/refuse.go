package rpc

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"time"

	"moothall"
)

// The services of a client that its peer does not hand out: they answer every
// call with the reason.
type (
	refusedFront   struct{ err error }
	refusedGateway struct{ err error }
	refusedMemory  struct{ err error }
	refusedBroker  struct{ err error }
)

var (
	_ moothall.Front   = refusedFront{}
	_ moothall.Gateway = refusedGateway{}
	_ moothall.Memory  = refusedMemory{}
	_ moothall.Broker  = refusedBroker{}
)

// refused is a stream that holds nothing but the reason.
func refused[V any](err error) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		var none V
		yield(none, err)
	}
}

func (r refusedFront) Health(context.Context) (h moothall.Health, err error) { return h, r.err }

func (r refusedFront) Query(context.Context, moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return refused[moothall.Step](r.err)
}

func (r refusedFront) Stop(context.Context, moothall.QueryID) error { return r.err }

func (r refusedFront) Feedback(context.Context, moothall.Feedback) error { return r.err }

func (r refusedFront) Judgements(context.Context, moothall.JudgementQuery) ([]moothall.Judgement, error) {
	return nil, r.err
}

func (r refusedFront) Report(context.Context, time.Time) (p moothall.Report, err error) {
	return p, r.err
}

func (r refusedFront) Replay(context.Context, moothall.ReplayRequest) (p moothall.Replayed, err error) {
	return p, r.err
}

func (r refusedFront) Events(context.Context, moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return refused[moothall.Event](r.err)
}

func (r refusedFront) Sessions(context.Context) ([]moothall.Session, error) { return nil, r.err }

func (r refusedFront) Session(context.Context, moothall.SessionID) (d moothall.SessionDetail, err error) {
	return d, r.err
}

func (r refusedFront) ChangeSession(context.Context, moothall.SessionChange) error { return r.err }

func (r refusedFront) Tasks(context.Context, moothall.TaskID) ([]moothall.Task, error) {
	return nil, r.err
}

func (r refusedFront) ControlTask(context.Context, moothall.TaskControl) (t moothall.Task, err error) {
	return t, r.err
}

func (r refusedFront) Participants(context.Context) ([]moothall.Participant, error) {
	return nil, r.err
}

func (r refusedFront) Configure(context.Context, string, json.RawMessage) (p moothall.Participant, err error) {
	return p, r.err
}

func (r refusedFront) Examine(context.Context, moothall.Part) (x moothall.Examined, err error) {
	return x, r.err
}

func (r refusedFront) Preview(context.Context, moothall.ApprovalID) (p moothall.Preview, err error) {
	return p, r.err
}

func (r refusedFront) Export(context.Context, string, io.Writer) error { return r.err }

func (r refusedFront) Backup(context.Context, io.Writer) error { return r.err }

func (r refusedGateway) Generate(context.Context, moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return refused[moothall.Chunk](r.err)
}

func (r refusedGateway) Embed(context.Context, moothall.EmbedRequest) (e moothall.Embeddings, err error) {
	return e, r.err
}

func (r refusedGateway) Models(context.Context, moothall.Scope) ([]moothall.ModelCard, []moothall.ModelBinding, error) {
	return nil, nil, r.err
}

func (r refusedGateway) ShowModel(context.Context, moothall.ModelRequest) (c moothall.ModelCard, err error) {
	return c, r.err
}

func (r refusedGateway) BindModel(context.Context, moothall.Scope, moothall.ModelBinding) error {
	return r.err
}

func (r refusedGateway) PullModel(context.Context, moothall.ModelRequest) iter.Seq2[moothall.Progress, error] {
	return refused[moothall.Progress](r.err)
}

func (r refusedGateway) ProbeModel(context.Context, moothall.ModelRequest) (c moothall.ModelCard, err error) {
	return c, r.err
}

func (r refusedMemory) Write(context.Context, moothall.WriteRequest) (e moothall.MemoryEntry, err error) {
	return e, r.err
}

func (r refusedMemory) Recall(context.Context, moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return refused[moothall.Recall](r.err)
}

func (r refusedMemory) Correlated(context.Context, moothall.Scope, moothall.MemoryID, bool) ([]moothall.MemoryEntry, error) {
	return nil, r.err
}

func (r refusedMemory) List(context.Context, moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return refused[moothall.MemoryEntry](r.err)
}

func (r refusedMemory) Annotate(context.Context, moothall.Annotation) error { return r.err }

func (r refusedMemory) Review(context.Context, moothall.Scope, moothall.MemoryID, bool) error {
	return r.err
}

func (r refusedMemory) Forget(context.Context, moothall.Scope, moothall.MemoryID) ([]moothall.MemoryID, error) {
	return nil, r.err
}

func (r refusedMemory) Graph(context.Context, moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return refused[moothall.GraphFact](r.err)
}

func (r refusedMemory) Assert(context.Context, moothall.Scope, moothall.GraphFact) (f moothall.GraphFact, err error) {
	return f, r.err
}

func (r refusedMemory) Merge(context.Context, moothall.GraphMerge) error { return r.err }

func (r refusedBroker) Spawn(context.Context, moothall.SpawnRequest) (a moothall.Agent, err error) {
	return a, r.err
}

func (r refusedBroker) Finish(context.Context, moothall.Scope, moothall.Handle) error { return r.err }

func (r refusedBroker) Discover(context.Context, moothall.DiscoverRequest) ([]moothall.ToolSpec, error) {
	return nil, r.err
}

func (r refusedBroker) Validate(context.Context, moothall.CallRequest) (d moothall.Decision, err error) {
	return d, r.err
}

func (r refusedBroker) Execute(context.Context, moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return refused[moothall.CallProgress](r.err)
}

func (r refusedBroker) Tools(context.Context, moothall.Scope) ([]moothall.ToolSpec, error) {
	return nil, r.err
}

func (r refusedBroker) Approvals(context.Context, moothall.Scope, bool) ([]moothall.Approval, error) {
	return nil, r.err
}

func (r refusedBroker) Decide(context.Context, moothall.ApprovalDecision) (a moothall.Approval, err error) {
	return a, r.err
}

func (r refusedBroker) Override(context.Context, moothall.Scope, moothall.Overrides) (o moothall.Overrides, err error) {
	return o, r.err
}

func (r refusedBroker) ProviderKey(context.Context, moothall.KeyRequest) (s moothall.Secret, err error) {
	return s, r.err
}
