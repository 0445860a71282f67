package providertest

import (
	"context"
	"testing"
	"time"

	"moothall"
	"moothall/internal/gateway"
)

const some = "some words before the end"

func canceledInStream(t *testing.T, f Fixture) {
	f.Script(Reply{Text: some, Hang: true})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var failed error
	n := 0
	for _, err := range f.Provider.Generate(ctx, ask(f)) {
		n, failed = n+1, err
		cancel()
	}
	if n < 2 {
		t.Fatalf("%d values, want a chunk and an error", n)
	}
	wantCode(t, failed, moothall.CodeCanceled)
	waitAbandoned(t, f)
}

// canceledBeforeFirst gives up while the server thinks, streaming or not.
func canceledBeforeFirst(t *testing.T, f Fixture) {
	for _, whole := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		f.Script(Reply{Seen: cancel, Hang: true, Wait: t.Context().Done()})
		r := ask(f)
		r.Whole = whole
		wantCode(t, generate(ctx, t, f, r).err, moothall.CodeCanceled)
		cancel()
		waitAbandoned(t, f)
	}
}

func canceledBefore(t *testing.T, f Fixture) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantCode(t, generate(ctx, t, f, ask(f)).err, moothall.CodeCanceled)
	if n := len(f.Requests()); n != 0 {
		t.Errorf("the server got %d requests of a caller who had gone", n)
	}
}

func breakingOut(t *testing.T, f Fixture) {
	f.Script(Reply{Text: some, Hang: true}, Reply{Text: "still here"})
	for _, err := range f.Provider.Generate(t.Context(), ask(f)) {
		wantCode(t, err, "")
		break
	}
	waitAbandoned(t, f)
	if a := mustGenerate(t, f, ask(f)); a.text != "still here" {
		t.Errorf("after a break the next answer is %q", a.text)
	}
}

func deadline(t *testing.T, f Fixture) {
	f.Script(Reply{Hang: true, Wait: t.Context().Done()})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	wantCode(t, generate(ctx, t, f, ask(f)).err, moothall.CodeTimeout)
}

// slowFirst checks that a provider has no patience limit of its own that
// is shorter than loading a model takes; half a second stands for it.
func slowFirst(t *testing.T, f Fixture) {
	open := make(chan struct{})
	f.Script(Reply{Text: "at last", Wait: open, Seen: func() {
		time.AfterFunc(500*time.Millisecond, func() { close(open) })
	}})
	if a := mustGenerate(t, f, ask(f)); a.text != "at last" {
		t.Errorf("got %q", a.text)
	}
}

func disconnect(t *testing.T, f Fixture) {
	f.Script(Reply{Text: some, Die: true})
	a := generate(t.Context(), t, f, ask(f))
	wantCode(t, a.err, moothall.CodeInterrupted)
	if a.text != some {
		t.Errorf("the text before the end is %q", a.text)
	}
}

func disconnectFirst(t *testing.T, f Fixture) {
	for _, whole := range []bool{false, true} {
		f.Script(Reply{Die: true})
		r := ask(f)
		r.Whole = whole
		wantCode(t, generate(t.Context(), t, f, r).err, moothall.CodeUnavailable)
	}
}

func malformed(t *testing.T, f Fixture) {
	for _, junk := range []string{`{"half`, "<html>proxy</html>", "\x00\xff\xfe", `[1,2]`} {
		f.Script(Reply{Text: some, Garbage: junk})
		a := generate(t.Context(), t, f, ask(f))
		wantCode(t, a.err, moothall.CodeInterrupted)
		if a.text != some {
			t.Errorf("junk %q: the text before it is %q", junk, a.text)
		}
	}
}

func malformedFirst(t *testing.T, f Fixture) {
	for _, whole := range []bool{false, true} {
		f.Script(Reply{Garbage: "<html>proxy</html>"})
		r := ask(f)
		r.Whole = whole
		wantCode(t, generate(t.Context(), t, f, r).err, moothall.CodeUnavailable)
	}
}

func faultInStream(t *testing.T, f Fixture) {
	f.Script(Reply{Text: some, Fault: "the model runner has crashed"})
	a := generate(t.Context(), t, f, ask(f))
	wantCode(t, a.err, moothall.CodeInterrupted)
	if a.text != some {
		t.Errorf("the text before the error is %q", a.text)
	}
}

func refusals(t *testing.T, f Fixture) {
	want := map[Failure]moothall.Code{
		FailModel: moothall.CodeNotFound, FailPrompt: moothall.CodeTooLarge, FailTools: moothall.CodeUnsupported,
		FailKey: moothall.CodeDenied, FailRate: moothall.CodeExhausted, FailRequest: moothall.CodeInvalid,
		FailServer: moothall.CodeUnavailable, FailOverload: moothall.CodeUnavailable,
	}
	for failure, code := range want {
		for _, whole := range []bool{false, true} {
			f.Script(Reply{Failure: failure})
			r := ask(f)
			r.Whole, r.Tools = whole, []moothall.ToolSpec{weatherTool()}
			a := generate(t.Context(), t, f, r)
			if got := moothall.ErrorCode(a.err); got != code || len(a.chunks) != 0 {
				t.Errorf("%s, whole %v: code %q after %d chunks, want %q (error: %v)", failure, whole, got, len(a.chunks), code, a.err)
			}
		}
	}
	f.Script(Reply{Text: "still here"})
	if a := mustGenerate(t, f, ask(f)); a.text != "still here" {
		t.Errorf("after the refusals the next answer is %q", a.text)
	}
}

func retryAfter(t *testing.T, f Fixture) {
	f.Script(Reply{Failure: FailRate, RetryAfter: "7"})
	a := generate(t.Context(), t, f, ask(f))
	wantCode(t, a.err, moothall.CodeExhausted)
	if wait, ok := gateway.RetryAfter(a.err); !ok || wait != 7*time.Second {
		t.Errorf("the wait is %v, %v, want 7s (error: %v)", wait, ok, a.err)
	}
	if n := len(f.Requests()); n != 1 {
		t.Errorf("the server got %d requests: a provider does not retry", n)
	}
}
