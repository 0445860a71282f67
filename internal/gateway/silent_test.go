package gateway_test

import (
	"context"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/gateway"
)

// silent is a server that takes questions about its models and answers none.
type silent struct{ *fake }

func (silent) List(ctx context.Context) ([]moothall.ModelCard, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (silent) Show(ctx context.Context, _ string) (moothall.ModelCard, error) {
	<-ctx.Done()
	return moothall.ModelCard{}, ctx.Err()
}

func (silent) Outside(ctx context.Context, _ string) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

// TestSilentServer checks that a server which does not even say what it has
// is passed over like one that is gone, and holds nobody up for ever.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := providers(silent{newFake("stuck", "m")}, newFake("local", "small"))
		g := open(t, o)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, last, err := collect(ctx, g.For(moothall.Person), hello())
		if err != nil || last.Model != "small" {
			t.Errorf("%q answers, %v", last.Model, err)
		}
		list, _, err := g.For(moothall.Person).Models(ctx, moothall.Scope{})
		if err != nil || len(list) != 1 || list[0].Model != "small" {
			t.Errorf("listed are %v, %v", list, err)
		}
		r := hello()
		r.Provider, r.Model = "stuck", "m"
		_, _, err = collect(ctx, g.For(moothall.Person), r)
		wantCode(t, err, moothall.CodeTimeout)
		_, err = g.For(moothall.Person).Embed(ctx, moothall.EmbedRequest{Provider: "stuck", Model: "m", Texts: []string{"a"}})
		wantCode(t, err, moothall.CodeTimeout)
		if moothall.ErrorRemedy(err) == "" {
			t.Errorf("there is no remedy: %v", err)
		}
		if ctx.Err() != nil {
			t.Error("it took more than an hour")
		}
	})
}

// faulty panics when it is asked what it has.
type faulty struct{ *fake }

func (faulty) List(context.Context) ([]moothall.ModelCard, error)          { panic("list") }
func (faulty) Show(context.Context, string) (moothall.ModelCard, error)    { panic("show") }
func (faulty) Outside(context.Context, string) (outside string, err error) { panic("outside") }

// TestFaultOnTheWay checks that a provider's panic is an error before the
// model is found, too.
func TestFaultOnTheWay(t *testing.T) {
	t.Parallel()
	var calls []gateway.Call
	o := providers(faulty{newFake("broken", "m")})
	o.Sink = func(c gateway.Call) { calls = append(calls, c) }
	g := open(t, o)
	named, bound := hello(), hello()
	named.Model = "m"
	bound.Provider, bound.Model = "broken", "m"
	for _, r := range []moothall.GenerateRequest{hello(), named, bound} {
		_, _, err := collect(t.Context(), g.For(moothall.Person), r)
		if code := moothall.ErrorCode(err); !slices.Contains([]moothall.Code{moothall.CodeInternal, moothall.CodeUnavailable}, code) {
			t.Errorf("the error is %v", err)
		}
	}
	if len(calls) != 3 {
		t.Errorf("%d calls are on the record", len(calls))
	}
}

// stalling fetches a model up to where it says nothing more.
type stalling struct{ *fake }

func (stalling) Pull(ctx context.Context, _ string) iter.Seq2[moothall.Progress, error] {
	return func(yield func(moothall.Progress, error) bool) {
		for done := range 3 {
			time.Sleep(20 * time.Minute)
			if !yield(moothall.Progress{Step: "pulling", Done: int64(done), Total: 9}, nil) {
				return
			}
		}
		<-ctx.Done()
		yield(moothall.Progress{}, ctx.Err())
	}
}

// TestSilentPull checks that fetching a model may take its time, as long as the
// server says something now and then.
func TestSilentPull(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := open(t, providers(stalling{newFake("local")}))
		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		told := 0
		var err error
		for _, e := range g.For(moothall.Person).PullModel(ctx, moothall.ModelRequest{Model: "m"}) {
			if err = e; e == nil {
				told++
				time.Sleep(time.Hour) // a slow reader is not the server's fault
			}
		}
		wantCode(t, err, moothall.CodeTimeout)
		if told != 3 || ctx.Err() != nil {
			t.Errorf("told %d times before it ended with %v", told, err)
		}
	})
}

// TestWholeReplyTakesItsTime checks that a reply which comes in one piece may
// take as long as one with tools: until it is written nothing can be heard.
func TestWholeReplyTakesItsTime(t *testing.T) {
	t.Parallel()
	for took, want := range map[time.Duration]moothall.Code{9 * time.Minute: "", 11 * time.Minute: moothall.CodeTimeout} {
		t.Run(took.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newFake("local", "m")
				p.generate = takes(took)
				r := hello()
				r.Whole = true
				_, _, err := collect(t.Context(), open(t, providers(p)).For(moothall.ChatHall), r)
				wantCode(t, err, want)
			})
		})
	}
}
