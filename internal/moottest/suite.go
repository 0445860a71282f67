package moottest

import (
	"context"
	"iter"
	"testing"
	"time"

	"moothall"
)

// wantCode checks the code of an error; "" means that there must be none.
func wantCode(t *testing.T, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Fatalf("error code is %q, want %q (error: %v)", got, want, err)
	}
}

// collect reads a stream to its end.
func collect[V any](seq iter.Seq2[V, error]) ([]V, error) {
	var out []V
	for v, err := range seq {
		if err != nil {
			return out, err
		}
		out = append(out, v)
	}
	return out, nil
}

// must reads a stream that has to end well.
func must[V any](t *testing.T, seq iter.Seq2[V, error]) []V {
	t.Helper()
	out, err := collect(seq)
	wantCode(t, err, "")
	return out
}

// breakAfterOne leaves a stream after its first value, which must come.
func breakAfterOne[V any](t *testing.T, seq iter.Seq2[V, error]) {
	t.Helper()
	n := 0
	for _, err := range seq {
		wantCode(t, err, "")
		n++
		break
	}
	if n != 1 {
		t.Fatalf("the stream gave %d values, want at least one", n)
	}
}

// wantQuiet checks that after its error a stream yields nothing.
func wantQuiet[V any](t *testing.T, seq iter.Seq2[V, error], want moothall.Code) {
	t.Helper()
	var failed error
	for _, err := range seq {
		if failed != nil {
			t.Fatalf("something follows after the error %v", failed)
		}
		failed = err
	}
	wantCode(t, failed, want)
}

// canceled returns a context that is over.
func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// suite runs each test on a service of its own.
func suite[F any](t *testing.T, open func(t *testing.T) F, tests map[string]func(t *testing.T, f F)) {
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

// scope is a plausible statement of on whose behalf a suite calls.
func scope() moothall.Scope {
	return moothall.Scope{Session: "suite-session", Lineage: moothall.Lineage{"suite-root", "suite-agent"}}
}

// eventually waits for what observers do in their own time.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it never came about: " + what)
		}
	}
}
