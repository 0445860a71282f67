package providertest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"moothall"
)

// patience is how long a test waits for the server to notice something.
const patience = 2 * time.Minute

// answer is a stream, read to its end.
type answer struct {
	chunks   []moothall.Chunk
	text     string
	thinking string
	calls    []moothall.ToolCall
	last     moothall.Chunk
	err      error
}

// generate reads a stream and checks what holds for all streams.
func generate(ctx context.Context, t *testing.T, f Fixture, r moothall.GenerateRequest) answer {
	t.Helper()
	var a answer
	for c, err := range f.Provider.Generate(ctx, r) {
		if a.err != nil {
			t.Fatalf("something follows after the error %v", a.err)
		}
		if a.last.Stop != "" {
			t.Fatalf("something follows after the last chunk: %+v, %v", c, err)
		}
		if a.err = err; err != nil {
			continue
		}
		a.chunks, a.last = append(a.chunks, c), c
		a.text, a.thinking, a.calls = a.text+c.Text, a.thinking+c.Thinking, append(a.calls, c.ToolCalls...)
	}
	if _, ours := errors.AsType[*moothall.Error](a.err); a.err != nil && !ours {
		t.Errorf("the error is a %T, want *moothall.Error: %v", a.err, a.err)
	}
	return a
}

// mustGenerate wants an answer with an end.
func mustGenerate(t *testing.T, f Fixture, r moothall.GenerateRequest) answer {
	t.Helper()
	a := generate(t.Context(), t, f, r)
	if a.err != nil {
		t.Fatal(a.err)
	}
	if a.last.Stop == "" {
		t.Fatal("the stream ended without a chunk that says why")
	}
	return a
}

func wantCode(t *testing.T, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Errorf("error code is %q, want %q (error: %v)", got, want, err)
	}
}

// ask is the smallest request.
func ask(f Fixture) moothall.GenerateRequest {
	return moothall.GenerateRequest{Model: f.Model, Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "hello"}}}
}

func weatherTool() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: "weather", Description: "Tells the weather.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`),
	}
}

func waitAbandoned(t *testing.T, f Fixture) {
	t.Helper()
	select {
	case <-f.Abandoned:
	case <-time.After(patience):
		t.Error("the server did not see the end of the request")
	}
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// only returns the one request that the server got.
func only(t *testing.T, f Fixture) Request {
	t.Helper()
	rs := f.Requests()
	if len(rs) != 1 {
		t.Fatalf("the server got %d requests, want 1", len(rs))
	}
	return rs[0]
}
