package rpc_test

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"reflect"
	"sync"
	"time"

	"moothall"
	"moothall/internal/rpc"
)

// echo is every service at once: it notes what it is asked and answers with
// values that have every field set, or none.
type echo struct {
	empty bool

	mu   sync.Mutex
	args []any
}

func (e *echo) offers() rpc.Offers {
	return rpc.Offers{
		Front: func(moothall.Identity) moothall.Front { return e }, Gateway: func(moothall.Identity) moothall.Gateway { return e },
		Memory: func(moothall.Identity) moothall.Memory { return e }, Broker: func(moothall.Identity) moothall.Broker { return e },
		Secrets: func(moothall.Identity) moothall.Secrets { return e }, Audit: func(moothall.Identity) moothall.Audit { return e },
		Search: func(moothall.Identity) moothall.Search { return e },
	}
}

func (e *echo) note(args []any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.args = args
}

func (e *echo) noted() []any {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.args
}

// value makes the same value of a type every time.
func value(t reflect.Type, empty bool) reflect.Value {
	v := reflect.New(t).Elem()
	if !empty {
		n := 0
		fill(v, &n)
	}
	return v
}

// fill sets everything in v to something that is not zero.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Date(2024, 1, 2, 3, 4, 5, 600+*n, time.UTC)))
		return
	case json.RawMessage:
		v.SetBytes([]byte(`{"n":` + string(rune('0'+*n%10)) + `}`))
		return
	case moothall.Secret:
		v.Set(reflect.ValueOf(moothall.NewSecret([]byte("a secret"))))
		return
	case moothall.Label:
		v.SetUint(uint64(moothall.Untrusted | moothall.Private))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text " + string(rune('a'+*n%26)) + string(rune('a'+*n/26%26)) + "ß")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(1000 + *n))
	case reflect.Uint8, reflect.Uint64:
		v.SetUint(uint64(1 + *n%200))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(elem, n)
		v.SetMapIndex(key, elem)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	default:
		panic("a field of a kind that crosses no wire: " + v.Type().String())
	}
}

func give[T any](e *echo, args ...any) (T, error) {
	e.note(args)
	return value(reflect.TypeFor[T](), e.empty).Interface().(T), nil
}

func stream[T any](e *echo, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		v, err := give[T](e, args...)
		for range 2 {
			if !yield(v, err) {
				return
			}
		}
	}
}

func (e *echo) Health(context.Context) (moothall.Health, error) { return give[moothall.Health](e) }

func (e *echo) Query(_ context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return stream[moothall.Step](e, r)
}

func (e *echo) Stop(_ context.Context, id moothall.QueryID) error { e.note([]any{id}); return nil }

func (e *echo) Feedback(_ context.Context, f moothall.Feedback) error { e.note([]any{f}); return nil }

func (e *echo) Judgements(_ context.Context, q moothall.JudgementQuery) ([]moothall.Judgement, error) {
	return give[[]moothall.Judgement](e, q)
}

func (e *echo) Report(_ context.Context, since time.Time) (moothall.Report, error) {
	return give[moothall.Report](e, since)
}

func (e *echo) Replay(_ context.Context, r moothall.ReplayRequest) (moothall.Replayed, error) {
	return give[moothall.Replayed](e, r)
}

func (e *echo) Events(_ context.Context, q moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return stream[moothall.Event](e, q)
}

func (e *echo) Sessions(context.Context) ([]moothall.Session, error) {
	return give[[]moothall.Session](e)
}

func (e *echo) Session(_ context.Context, id moothall.SessionID) (moothall.SessionDetail, error) {
	return give[moothall.SessionDetail](e, id)
}

func (e *echo) ChangeSession(_ context.Context, c moothall.SessionChange) error {
	e.note([]any{c})
	return nil
}

func (e *echo) Tasks(_ context.Context, id moothall.TaskID) ([]moothall.Task, error) {
	return give[[]moothall.Task](e, id)
}

func (e *echo) ControlTask(_ context.Context, c moothall.TaskControl) (moothall.Task, error) {
	return give[moothall.Task](e, c)
}

func (e *echo) Participants(context.Context) ([]moothall.Participant, error) {
	return give[[]moothall.Participant](e)
}

func (e *echo) Configure(_ context.Context, name string, s json.RawMessage) (moothall.Participant, error) {
	return give[moothall.Participant](e, name, s)
}

func (e *echo) Examine(_ context.Context, p moothall.Part) (moothall.Examined, error) {
	return give[moothall.Examined](e, p)
}

func (e *echo) Preview(_ context.Context, id moothall.ApprovalID) (moothall.Preview, error) {
	return give[moothall.Preview](e, id)
}

func (e *echo) Export(_ context.Context, what string, w io.Writer) error {
	e.note([]any{what, nil})
	_, err := w.Write(backupBytes())
	return err
}

func (e *echo) Backup(_ context.Context, w io.Writer) error {
	e.note([]any{nil})
	_, err := w.Write(backupBytes())
	return err
}

func (e *echo) Generate(_ context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return stream[moothall.Chunk](e, r)
}

func (e *echo) Embed(_ context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	return give[moothall.Embeddings](e, r)
}

func (e *echo) Models(_ context.Context, s moothall.Scope) ([]moothall.ModelCard, []moothall.ModelBinding, error) {
	cards, _ := give[[]moothall.ModelCard](e, s)
	bindings, err := give[[]moothall.ModelBinding](e, s)
	return cards, bindings, err
}

func (e *echo) ShowModel(_ context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	return give[moothall.ModelCard](e, r)
}

func (e *echo) BindModel(_ context.Context, s moothall.Scope, b moothall.ModelBinding) error {
	e.note([]any{s, b})
	return nil
}

func (e *echo) PullModel(_ context.Context, r moothall.ModelRequest) iter.Seq2[moothall.Progress, error] {
	return stream[moothall.Progress](e, r)
}

func (e *echo) ProbeModel(_ context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	return give[moothall.ModelCard](e, r)
}

func (e *echo) Write(_ context.Context, r moothall.WriteRequest) (moothall.MemoryEntry, error) {
	return give[moothall.MemoryEntry](e, r)
}

func (e *echo) Recall(_ context.Context, q moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return stream[moothall.Recall](e, q)
}

func (e *echo) Correlated(_ context.Context, s moothall.Scope, id moothall.MemoryID, whole bool) ([]moothall.MemoryEntry, error) {
	return give[[]moothall.MemoryEntry](e, s, id, whole)
}

func (e *echo) List(_ context.Context, l moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return stream[moothall.MemoryEntry](e, l)
}

func (e *echo) Annotate(_ context.Context, a moothall.Annotation) error { e.note([]any{a}); return nil }

func (e *echo) Review(_ context.Context, s moothall.Scope, id moothall.MemoryID, accept bool) error {
	e.note([]any{s, id, accept})
	return nil
}

func (e *echo) Forget(_ context.Context, s moothall.Scope, id moothall.MemoryID) ([]moothall.MemoryID, error) {
	return give[[]moothall.MemoryID](e, s, id)
}

func (e *echo) Graph(_ context.Context, q moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return stream[moothall.GraphFact](e, q)
}

func (e *echo) Assert(_ context.Context, s moothall.Scope, f moothall.GraphFact) (moothall.GraphFact, error) {
	return give[moothall.GraphFact](e, s, f)
}

func (e *echo) Merge(_ context.Context, m moothall.GraphMerge) error { e.note([]any{m}); return nil }

func (e *echo) Spawn(_ context.Context, r moothall.SpawnRequest) (moothall.Agent, error) {
	return give[moothall.Agent](e, r)
}

func (e *echo) Finish(_ context.Context, s moothall.Scope, h moothall.Handle) error {
	e.note([]any{s, h})
	return nil
}

func (e *echo) Discover(_ context.Context, r moothall.DiscoverRequest) ([]moothall.ToolSpec, error) {
	return give[[]moothall.ToolSpec](e, r)
}

func (e *echo) Validate(_ context.Context, r moothall.CallRequest) (moothall.Decision, error) {
	return give[moothall.Decision](e, r)
}

func (e *echo) Execute(_ context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return stream[moothall.CallProgress](e, r)
}

func (e *echo) Tools(_ context.Context, s moothall.Scope) ([]moothall.ToolSpec, error) {
	return give[[]moothall.ToolSpec](e, s)
}

func (e *echo) Approvals(_ context.Context, s moothall.Scope, all bool) ([]moothall.Approval, error) {
	return give[[]moothall.Approval](e, s, all)
}

func (e *echo) Decide(_ context.Context, d moothall.ApprovalDecision) (moothall.Approval, error) {
	return give[moothall.Approval](e, d)
}

func (e *echo) Override(_ context.Context, s moothall.Scope, o moothall.Overrides) (moothall.Overrides, error) {
	return give[moothall.Overrides](e, s, o)
}

func (e *echo) ProviderKey(_ context.Context, r moothall.KeyRequest) (moothall.Secret, error) {
	return give[moothall.Secret](e, r)
}

func (e *echo) GetSecret(_ context.Context, r moothall.SecretRequest) (moothall.Secret, error) {
	return give[moothall.Secret](e, r)
}

func (e *echo) Append(_ context.Context, entries ...moothall.AuditEntry) (uint64, error) {
	return give[uint64](e, entries[0]) // the wire carries one at a time
}

func (e *echo) Search(_ context.Context, r moothall.SearchRequest) iter.Seq2[moothall.SearchResult, error] {
	return stream[moothall.SearchResult](e, r)
}

func (e *echo) Fetch(_ context.Context, r moothall.FetchRequest) (moothall.Page, error) {
	return give[moothall.Page](e, r)
}
