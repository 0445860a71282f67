package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway"
)

type yieldFunc = func(moothall.Chunk, error) bool

func TestAccounting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newFake("local", "m")
		p.generate = func(_ context.Context, _ moothall.GenerateRequest, yield yieldFunc) {
			time.Sleep(2 * time.Second)
			yield(moothall.Chunk{Thinking: "hm"}, nil)
			time.Sleep(3 * time.Second)
			yield(end(), nil)
		}
		var calls []gateway.Call
		o := providers(p)
		o.Sink = func(c gateway.Call) { calls = append(calls, c) }
		g := open(t, o)
		r := hello()
		r.Session, r.Query, r.Role, r.Lineage = "s", "q", moothall.ModelCoder, moothall.Lineage{"root", "coder"}
		_, last := must(t, g.For(moothall.Orchestrator), r)
		usage := moothall.Usage{Calls: 1, PromptTokens: 10, OutputTokens: 3, FirstToken: 2 * time.Second, Total: 5 * time.Second}
		if d := cmp.Diff(usage, last.Usage); d != "" {
			t.Error(d)
		}
		want := []gateway.Call{{
			Time: time.Now(), Kind: gateway.KindGenerate, Caller: moothall.Orchestrator, Session: "s", Query: "q", Lineage: r.Lineage,
			Role: moothall.ModelCoder, Provider: "local", Model: "m", Priority: moothall.PriorityTask, Usage: usage, Stop: moothall.StopDone,
		}}
		if d := cmp.Diff(want, calls); d != "" {
			t.Error(d)
		}
		must(t, g.For(moothall.Orchestrator), r)
		r.Model = "gone"
		_, _, err := collect(t.Context(), g.For(moothall.Orchestrator), r)
		wantCode(t, err, moothall.CodeNotFound)
		s := g.Stats()
		double := moothall.Usage{Calls: 2, PromptTokens: 20, OutputTokens: 6, FirstToken: 4 * time.Second, Total: 10 * time.Second}
		if s.Calls != 3 || s.Failed != 1 || s.ByRole[moothall.ModelCoder] != double || s.BySession["s"] != double || s.ByModel["local/m"] != double {
			t.Errorf("the stats are %+v", s)
		}
	})
}

// TestBrokenOffAccounting checks that a call whose caller left is written
// down as such.
func TestBrokenOffAccounting(t *testing.T) {
	t.Parallel()
	var calls []gateway.Call
	o := providers(newFake("local", "m"))
	o.Sink = func(c gateway.Call) { calls = append(calls, c) }
	g := open(t, o)
	for range g.For(moothall.Person).Generate(t.Context(), hello()) {
		break
	}
	if len(calls) != 1 || calls[0].Stop != moothall.StopCanceled || calls[0].Code != moothall.CodeCanceled || calls[0].Usage.Calls != 1 {
		t.Errorf("the record is %+v", calls)
	}
}

// TestFaultsOfProviders checks what callers get from a provider that breaks
// its contract.
func TestFaultsOfProviders(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		generate func(context.Context, moothall.GenerateRequest, yieldFunc)
		want     moothall.Code
		text     string
	}{
		"panic at once": {func(context.Context, moothall.GenerateRequest, yieldFunc) { panic("oh") }, moothall.CodeInternal, ""},
		"panic later": {func(_ context.Context, _ moothall.GenerateRequest, y yieldFunc) {
			y(moothall.Chunk{Text: "some"}, nil)
			panic("oh")
		}, moothall.CodeInternal, "some"},
		"no end": {func(_ context.Context, _ moothall.GenerateRequest, y yieldFunc) {
			y(moothall.Chunk{Text: "some"}, nil)
		}, moothall.CodeInterrupted, "some"},
		"nothing at all": {func(context.Context, moothall.GenerateRequest, yieldFunc) {}, moothall.CodeInterrupted, ""},
		"foreign error": {func(_ context.Context, _ moothall.GenerateRequest, y yieldFunc) {
			y(moothall.Chunk{}, errors.New("x"))
		}, moothall.CodeInternal, ""},
		"more after the error": {func(_ context.Context, _ moothall.GenerateRequest, y yieldFunc) {
			_ = y(moothall.Chunk{}, down) || y(moothall.Chunk{Text: "more"}, nil)
		}, moothall.CodeUnavailable, ""},
		"panic after the end": {func(_ context.Context, _ moothall.GenerateRequest, y yieldFunc) {
			y(end(), nil)
			panic("oh")
		}, "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newFake("local", "m")
			p.generate = tt.generate
			g := open(t, providers(p))
			text, _, err := collect(t.Context(), g.For(moothall.Person), hello())
			wantCode(t, err, tt.want)
			if _, ours := errors.AsType[*moothall.Error](err); err != nil && !ours {
				t.Errorf("the error is a %T", err)
			}
			if text != tt.text {
				t.Errorf("the text is %q, want %q", text, tt.text)
			}
			p.set(func(f *fake) { f.generate = nil })
			must(t, g.For(moothall.Person), hello()) // the place is free
		})
	}
}

// TestCallersPanic checks that a panic of the caller's own loop stays its own.
func TestCallersPanic(t *testing.T) {
	t.Parallel()
	g := open(t, providers(newFake("local", "m")))
	func() {
		defer func() {
			if v := recover(); v != "mine" {
				t.Errorf("recovered %v", v)
			}
		}()
		for range g.For(moothall.Person).Generate(t.Context(), hello()) {
			panic("mine")
		}
	}()
	must(t, g.For(moothall.Person), hello())
}

func TestSinkMayPanic(t *testing.T) {
	t.Parallel()
	o := providers(newFake("local", "m"))
	o.Sink = func(gateway.Call) { panic("oh") }
	must(t, open(t, o).For(moothall.Person), hello())
}

// TestSilence checks the bounds on a server that says nothing.
func TestSilence(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		first, second time.Duration
		caller        time.Duration // that the loop takes for each chunk
		tools         bool          // are offered
		want          moothall.Code
	}{
		"slow but in time":      {50 * time.Second, 20 * time.Second, 0, false, ""},
		"no first chunk":        {61 * time.Second, 0, 0, false, moothall.CodeTimeout},
		"silent in mid-answer":  {time.Second, 31 * time.Second, 0, false, moothall.CodeTimeout},
		"the caller's own time": {time.Second, time.Second, time.Hour, false, ""},
		"a long call":           {time.Second, 9 * time.Minute, 0, true, ""},
		"nothing but that":      {9 * time.Minute, 0, 0, true, ""},
		"no call in sight":      {time.Second, 11 * time.Minute, 0, true, moothall.CodeTimeout},
		"not even a word":       {11 * time.Minute, 0, 0, true, moothall.CodeTimeout},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newFake("local", "m")
				p.generate = func(ctx context.Context, r moothall.GenerateRequest, yield yieldFunc) {
					takes(tt.first)(ctx, r, func(c moothall.Chunk, err error) bool {
						if c.Stop == "" {
							return yield(c, err)
						}
						takes(tt.second)(ctx, r, func(c moothall.Chunk, err error) bool { return yield(c, err) })
						return false
					})
				}
				o := providers(p)
				o.FirstToken, o.Idle = time.Minute, 30*time.Second
				r := hello()
				if tt.tools {
					r.Tools = []moothall.ToolSpec{{Name: "fs_write"}}
				}
				var failed error
				for _, err := range open(t, o).For(moothall.Person).Generate(t.Context(), r) {
					failed = err
					time.Sleep(tt.caller)
				}
				wantCode(t, failed, tt.want)
			})
		})
	}
}

// limited is a server's wish to be left alone for so many seconds.
func limited(seconds string) error {
	return gateway.Refusal{Provider: "local", Status: 429, Message: "slow down", RetryAfter: seconds}.Err("generate")
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		replies []error // nil is an answer
		want    moothall.Code
		asked   int
		took    time.Duration
	}{
		"once":       {[]error{limited("7"), nil}, "", 2, 7 * time.Second},
		"twice":      {[]error{limited("1"), limited("2"), nil}, "", 3, 3 * time.Second},
		"too often":  {[]error{limited("1"), limited("1"), limited("1"), nil}, moothall.CodeExhausted, 3, 2 * time.Second},
		"too long":   {[]error{limited("90"), nil}, moothall.CodeExhausted, 1, 0},
		"not asked":  {[]error{down, nil}, moothall.CodeUnavailable, 1, 0},
		"no seconds": {[]error{limited("soon"), nil}, moothall.CodeExhausted, 1, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p, n := newFake("local", "m"), 0
				p.generate = func(_ context.Context, _ moothall.GenerateRequest, yield yieldFunc) {
					n++
					if err := tt.replies[n-1]; err != nil {
						yield(moothall.Chunk{}, err)
						return
					}
					yield(end(), nil)
				}
				r := hello()
				r.Provider, r.Model = "local", "m"
				start := time.Now()
				_, _, err := collect(t.Context(), open(t, providers(p)).For(moothall.Person), r)
				wantCode(t, err, tt.want)
				if n != tt.asked || time.Since(start) != tt.took {
					t.Errorf("asked %d times in %v, want %d in %v", n, time.Since(start), tt.asked, tt.took)
				}
			})
		})
	}
}

// TestClose checks that calls which run or wait are ended and waited for.
func TestClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newFake("local", "m")
		var ended atomic.Bool // a call that waited may just have got its turn
		p.generate = func(ctx context.Context, r moothall.GenerateRequest, yield yieldFunc) {
			takes(time.Hour)(ctx, r, func(c moothall.Chunk, err error) bool {
				time.Sleep(time.Second) // a connection that takes its time to end
				ended.Store(true)
				return yield(c, err)
			})
		}
		g, err := gateway.Open(providers(p))
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				_, _, err := collect(context.Background(), g.For(moothall.Person), hello())
				wantCode(t, err, moothall.CodeUnavailable)
			})
		}
		synctest.Wait()
		if err := g.Close(); err != nil {
			t.Error(err)
		}
		if !ended.Load() {
			t.Error("Close did not wait for the call that ran")
		}
		wg.Wait()
		_, _, err = collect(t.Context(), g.For(moothall.Person), hello())
		wantCode(t, err, moothall.CodeUnavailable)
		if !strings.Contains(err.Error(), "shutting down") {
			t.Errorf("the error is %v", err)
		}
	})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := map[string]struct {
		status  int
		message string
		want    moothall.Code
	}{
		"window":        {400, "the input length exceeds the context length", moothall.CodeTooLarge},
		"window as 500": {500, "This model's maximum context length is 8192 tokens", moothall.CodeTooLarge},
		"tools":         {400, "x does not support tools", moothall.CodeUnsupported},
		"model":         {400, "The model `x` does not exist", moothall.CodeNotFound},
		"path":          {404, "", moothall.CodeNotFound},
		"key":           {401, "model not found", moothall.CodeDenied},
		"quota":         {429, "tokens per minute not supported", moothall.CodeExhausted},
		"body":          {413, "", moothall.CodeTooLarge},
		"not there":     {501, "", moothall.CodeUnsupported},
		"slow":          {504, "", moothall.CodeTimeout},
		"odd":           {418, "", moothall.CodeInvalid},
		"server":        {500, "<html>", moothall.CodeUnavailable},
		"in a stream":   {0, "boom", moothall.CodeUnavailable},
	}
	for name, tt := range tests {
		if got := moothall.ErrorCode(gateway.Refusal{Provider: "p", Status: tt.status, Message: tt.message}.Err("x")); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	waits := map[string]time.Duration{
		"7": 7 * time.Second, "0.5": 500 * time.Millisecond, "Fri, 02 Jan 2026 03:04:35 GMT": 30 * time.Second,
		"Fri, 02 Jan 2026 03:04:00 GMT": 0, "1e300": 24 * time.Hour,
	}
	for s, want := range waits {
		if got, ok := gateway.RetryAfter(gateway.Refusal{Status: 429, RetryAfter: s, Now: now}.Err("x")); !ok || got != want {
			t.Errorf("%q is %v, %v, want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", "-1", "NaN", "soon", "Inf"} {
		if got, ok := gateway.RetryAfter(gateway.Refusal{Status: 429, RetryAfter: s, Now: now}.Err("x")); ok {
			t.Errorf("%q is read as %v", s, got)
		}
	}
	if text := (gateway.Refusal{Provider: "p", Message: strings.Repeat("ü", 1000)}).Err("x").Error(); len(text) > 400 {
		t.Errorf("a server's page of %d bytes is passed on", len(text))
	}
}

// TestManyModels checks that names which callers make up drive no model that is
// used out of the figures, and do not stay there for ever.
func TestManyModels(t *testing.T) {
	t.Parallel()
	g := open(t, providers(newFake("local", "m")))
	ask := func(model string) {
		t.Helper()
		r := hello()
		r.Provider, r.Model = "local", model
		must(t, g.For(moothall.Person), r)
	}
	for i := range 1000 {
		ask(fmt.Sprint("made-up-", i))
		if i%100 == 0 {
			ask("m")
		}
	}
	if s := g.Stats(); len(s.ByModel) > 300 || s.ByModel["local/m"].Calls != 10 || s.ByModel["local/made-up-999"].Calls != 1 {
		t.Errorf("%d models have figures, the one that is used %+v", len(s.ByModel), s.ByModel["local/m"])
	}
}
