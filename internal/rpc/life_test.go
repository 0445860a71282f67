package rpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/rpc"
	pb "moothall/proto/moothall/v1"
)

func audit(t testing.TB, h *hall, as moothall.Identity) moothall.Audit {
	t.Helper()
	return got[moothall.Audit](t)(h.peer(t, as).Audit())
}

func TestErrorsCross(t *testing.T) {
	t.Parallel()
	each(t, remote(), func(t *testing.T, over rpc.Transport) {
		var give error
		h := start(t, over, audited(func(context.Context, moothall.AuditEntry) (uint64, error) { return 0, give }), nil)
		a := audit(t, h, moothall.Hall)
		for _, code := range moothall.Codes() {
			want := &moothall.Error{Code: code, Op: "some step", Message: "some message", Remedy: "some remedy"}
			withCause := *want
			withCause.Err = errors.New("the cause")
			give = fmt.Errorf("wrapped: %w", &withCause)
			_, err := a.Append(t.Context(), entry())
			var e *moothall.Error
			if !errors.As(err, &e) || e.Code != code || e.Op != want.Op || e.Message != want.Message || e.Remedy != want.Remedy {
				t.Errorf("%s arrives as %#v", code, err)
			}
			if strings.Contains(err.Error(), "the cause") {
				t.Errorf("%s: the cause crossed", code)
			}
		}
	})
}

func TestForeignErrorsStay(t *testing.T) {
	t.Parallel()
	var give error
	var log syncBuffer
	h := start(t, rpc.Unix, audited(func(context.Context, moothall.AuditEntry) (uint64, error) {
		if give == nil {
			panic("all is lost")
		}
		return 0, give
	}), &rpc.HostOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	a := audit(t, h, moothall.Hall)
	for err, want := range map[error]moothall.Code{
		errors.New("the password is hunter2"): moothall.CodeInternal,
		context.Canceled:                      moothall.CodeCanceled,
		context.DeadlineExceeded:              moothall.CodeTimeout,
		&moothall.Error{Code: "from_the_future", Message: "hunter2 in a message of ours"}: moothall.CodeInternal,
		nil: moothall.CodeInternal, // panics
	} {
		give = err
		_, gotErr := a.Append(t.Context(), entry())
		wantCode(t, gotErr, want)
		if err != nil && strings.Contains(gotErr.Error(), "password") || strings.Contains(gotErr.Error(), "lost") {
			t.Errorf("%v crossed as %v", err, gotErr)
		}
	}
	for _, want := range []string{"the password is hunter2", "all is lost"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
}

func TestCodesOfNewerPeers(t *testing.T) {
	t.Parallel()
	s, err := status.New(codes.NotFound, "x").WithDetails(&pb.Error{Code: "from_the_future", Message: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	e := rpc.FromStatus(s.Err())
	wantCode(t, e, moothall.CodeInternal)
	if !strings.Contains(e.Error(), "kept") {
		t.Errorf("the message is lost: %v", e)
	}
	for _, code := range moothall.Codes() {
		wantCode(t, rpc.FromStatus(rpc.ToStatus(moothall.Fail(code, "", "")).Err()), code)
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// waiting is an offer whose calls wait until they are cancelled.
func waiting(entered chan<- struct{}) rpc.Offers {
	return audited(func(ctx context.Context, _ moothall.AuditEntry) (uint64, error) {
		entered <- struct{}{}
		<-ctx.Done()
		return 0, ctx.Err()
	})
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	each(t, remote(), func(t *testing.T, over rpc.Transport) {
		entered := make(chan struct{}, 8)
		h := start(t, over, waiting(entered), &rpc.HostOptions{Deadline: 30 * time.Millisecond, MaxDeadline: 60 * time.Millisecond})
		c := h.peer(t, moothall.Hall).(*rpc.Conn)

		// The host's default, for a client that sets none.
		_, err := pb.NewAuditServiceClient(c.GRPC()).Append(context.WithoutCancel(t.Context()), &pb.AppendRequest{})
		if status.Code(err) != codes.DeadlineExceeded {
			t.Errorf("without deadline: %v", err)
		}
		// The host's limit, for the client's own default.
		_, err = got[moothall.Audit](t)(c.Audit()).Append(context.WithoutCancel(t.Context()), entry())
		wantCode(t, err, moothall.CodeTimeout)

		// The caller's own.
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer cancel()
		_, err = got[moothall.Audit](t)(c.Audit()).Append(ctx, entry())
		wantCode(t, err, moothall.CodeTimeout)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v is no context error", err)
		}
	})
}

func TestClientDeadline(t *testing.T) {
	t.Parallel()
	h := start(t, rpc.Unix, waiting(make(chan struct{}, 1)), nil)
	c := h.dial(t, moothall.Hall, rpc.DialOptions{Deadline: 20 * time.Millisecond})
	_, err := got[moothall.Audit](t)(c.Audit()).Append(context.WithoutCancel(t.Context()), entry())
	wantCode(t, err, moothall.CodeTimeout)
}

// TestLateReplyHasARemedy says what to do about a service that is silent.
func TestLateReplyHasARemedy(t *testing.T) {
	t.Parallel()
	silent := make(chan struct{})
	h := start(t, rpc.Unix, audited(func(context.Context, moothall.AuditEntry) (uint64, error) { <-silent; return 0, nil }), nil)
	defer close(silent)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err := audit(t, h, moothall.Hall).Append(ctx, entry())
	wantCode(t, err, moothall.CodeTimeout)
	if moothall.ErrorRemedy(err) == "" {
		t.Errorf("%v says nothing of what to do", err)
	}
}

// timed notes how long each call may take.
type timed struct {
	moothall.Gateway
	moothall.Front
	got chan<- time.Duration
}

func (s timed) note(ctx context.Context) {
	deadline, _ := ctx.Deadline()
	s.got <- time.Until(deadline)
}

func (s timed) Embed(ctx context.Context, _ moothall.EmbedRequest) (moothall.Embeddings, error) {
	s.note(ctx)
	return moothall.Embeddings{}, nil
}

func (s timed) ProbeModel(ctx context.Context, _ moothall.ModelRequest) (moothall.ModelCard, error) {
	s.note(ctx)
	return moothall.ModelCard{}, nil
}

func (s timed) ShowModel(ctx context.Context, _ moothall.ModelRequest) (moothall.ModelCard, error) {
	s.note(ctx)
	return moothall.ModelCard{}, nil
}

func (s timed) Replay(ctx context.Context, _ moothall.ReplayRequest) (moothall.Replayed, error) {
	s.note(ctx)
	return moothall.Replayed{}, nil
}

func (s timed) ChangeSession(ctx context.Context, _ moothall.SessionChange) error {
	s.note(ctx)
	return nil
}

func (s timed) Configure(ctx context.Context, _ string, _ json.RawMessage) (moothall.Participant, error) {
	s.note(ctx)
	return moothall.Participant{}, nil
}

// TestModelsHaveTime gives calls that wait for a model more time than others,
// and no more than their caller does.
func TestModelsHaveTime(t *testing.T) {
	t.Parallel()
	got := make(chan time.Duration, 1)
	h := start(t, rpc.Unix, rpc.Offers{
		Gateway: func(moothall.Identity) moothall.Gateway { return timed{got: got} },
		Front:   func(moothall.Identity) moothall.Front { return timed{got: got} },
	}, nil)
	c := rpc.NewClient(h.peer(t, moothall.Person))
	for _, call := range []struct {
		name string
		long bool
		make func(context.Context) error
	}{
		{"probe", true, func(ctx context.Context) error {
			_, err := c.Gateway().ProbeModel(ctx, moothall.ModelRequest{})
			return err
		}},
		{"embed", true, func(ctx context.Context) error { _, err := c.Gateway().Embed(ctx, moothall.EmbedRequest{}); return err }},
		{"replay", true, func(ctx context.Context) error { _, err := c.Replay(ctx, moothall.ReplayRequest{}); return err }},
		{"compact", true, func(ctx context.Context) error { return c.ChangeSession(ctx, moothall.SessionChange{Compact: true}) }},
		{"reindex", true, func(ctx context.Context) error {
			_, err := c.Configure(ctx, "memory", json.RawMessage(`{"reindex":true}`))
			return err
		}},
		{"delete", false, func(ctx context.Context) error { return c.ChangeSession(ctx, moothall.SessionChange{Delete: true}) }},
		{"show", false, func(ctx context.Context) error {
			_, err := c.Gateway().ShowModel(ctx, moothall.ModelRequest{})
			return err
		}},
	} {
		if err := call.make(context.WithoutCancel(t.Context())); err != nil {
			t.Fatalf("%s: %v", call.name, err)
		}
		if d := <-got; d > rpc.DefaultDeadline != call.long || d > rpc.DefaultMaxDeadline {
			t.Errorf("%s has %v", call.name, d)
		}
		ctx, cancel := context.WithTimeout(t.Context(), rpc.DefaultDeadline)
		if err := call.make(ctx); err != nil {
			t.Fatalf("%s: %v", call.name, err)
		}
		cancel()
		if d := <-got; d > rpc.DefaultDeadline {
			t.Errorf("%s has %v, its caller gave it less", call.name, d)
		}
	}
}

func TestCancellationReachesTheService(t *testing.T) {
	t.Parallel()
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		entered, left := make(chan struct{}), make(chan error, 1)
		h := start(t, over, audited(func(ctx context.Context, _ moothall.AuditEntry) (uint64, error) {
			close(entered)
			<-ctx.Done()
			left <- ctx.Err()
			return 0, ctx.Err()
		}), nil)
		a := audit(t, h, moothall.Hall)
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() {
			<-entered
			cancel()
		})
		_, err := a.Append(ctx, entry())
		wantCode(t, err, moothall.CodeCanceled)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v is no context error", err)
		}
		if err := <-left; !errors.Is(err, context.Canceled) {
			t.Errorf("the service saw %v", err)
		}
		wg.Wait()
	})
}

// endless streams until it is stopped, and says so.
type endless struct {
	moothall.Gateway
	stopped chan struct{}
}

func (e endless) Generate(ctx context.Context, _ moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		defer close(e.stopped)
		for ctx.Err() == nil && yield(moothall.Chunk{Text: "more "}, nil) {
		}
	}
}

func TestBreakStopsTheService(t *testing.T) {
	t.Parallel()
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		e := endless{stopped: make(chan struct{})}
		h := start(t, over, rpc.Offers{Gateway: func(moothall.Identity) moothall.Gateway { return e }}, nil)
		n := 0
		for _, err := range got[moothall.Gateway](t)(h.peer(t, moothall.Hall).Gateway()).Generate(t.Context(), moothall.GenerateRequest{}) {
			wantCode(t, err, "")
			if n++; n == 3 {
				break
			}
		}
		<-e.stopped
	})
}

func TestGracefulStop(t *testing.T) {
	t.Parallel()
	each(t, remote(), func(t *testing.T, over rpc.Transport) {
		entered, release := make(chan struct{}, 1), make(chan struct{})
		var held atomic.Bool // no sync.Once: calls after the first must not wait for it
		h := start(t, over, audited(func(context.Context, moothall.AuditEntry) (uint64, error) {
			if !held.CompareAndSwap(false, true) {
				return 0, nil
			}
			entered <- struct{}{}
			<-release
			return 42, nil
		}), nil)
		a, other := audit(t, h, moothall.Hall), audit(t, h, moothall.Critic)
		var wg sync.WaitGroup
		wg.Go(func() {
			if n, err := a.Append(t.Context(), entry()); n != 42 || err != nil {
				t.Errorf("the call in flight got %d and %v", n, err)
			}
		})
		<-entered
		wg.Go(func() { h.stop(t) })
		for { // until the host has begun to stop
			if _, err := other.Append(t.Context(), entry()); err != nil {
				wantCode(t, err, moothall.CodeUnavailable)
				break
			}
		}
		close(release)
		wg.Wait()
	})
}

func TestHardStop(t *testing.T) {
	t.Parallel()
	each(t, remote(), func(t *testing.T, over rpc.Transport) {
		g := moottest.NewGateway(moottest.Reply{Text: "some words before the wait", Hang: true})
		entered := make(chan struct{}, 1)
		o := waiting(entered)
		o.Gateway = g.For
		h := start(t, over, o, nil)
		p := h.peer(t, moothall.Hall)
		var wg sync.WaitGroup
		wg.Go(func() {
			_, err := got[moothall.Audit](t)(p.Audit()).Append(t.Context(), entry())
			if moothall.ErrorCode(err) != moothall.CodeUnavailable {
				t.Errorf("the call in flight got %v, want code unavailable", err)
			}
		})
		<-entered
		none, cancel := context.WithCancel(t.Context()) // no time at all
		cancel()
		n, failed := 0, error(nil)
		for _, err := range got[moothall.Gateway](t)(p.Gateway()).Generate(t.Context(), moothall.GenerateRequest{}) {
			if failed = err; err != nil {
				continue
			}
			if n++; n == 1 {
				if err := h.host.Close(none); err != nil {
					t.Error(err)
				}
			}
		}
		if n == 0 || moothall.ErrorCode(failed) != moothall.CodeInterrupted {
			t.Errorf("%d chunks and then %v, want code interrupted", n, failed)
		}
		wg.Wait()
		wantCode(t, h.host.Listen(h.address), moothall.CodeUnavailable)
	})
}

// TestStopAtTheEnd has a host's time run out about when it is done anyway.
func TestStopAtTheEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for n := range 4000 {
		h := rpc.NewHost(rpc.Offers{}, nil)
		for _, name := range []string{"a", "b"} {
			if err := h.Listen(rpc.Address{Transport: rpc.Unix, Where: filepath.Join(dir, name)}); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for range n % 20 {
				runtime.Gosched()
			}
			cancel()
		}()
		if err := h.Close(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReconnect(t *testing.T) {
	t.Parallel()
	fake := moottest.NewAudit()
	h := start(t, rpc.Unix, rpc.Offers{Audit: fake.For}, nil)
	c := h.peer(t, moothall.Hall).(*rpc.Conn)
	a := got[moothall.Audit](t)(c.Audit())
	_, err := a.Append(t.Context(), entry())
	wantCode(t, err, "")
	h.stop(t)
	_, err = a.Append(t.Context(), entry())
	wantCode(t, err, moothall.CodeUnavailable)
	if !strings.Contains(err.Error(), "audit") || !strings.Contains(err.Error(), h.address.String()) || moothall.ErrorRemedy(err) == "" {
		t.Errorf("%v names no service, address or remedy", err)
	}
	again := &hall{host: rpc.NewHost(rpc.Offers{Audit: fake.For}, nil)}
	if err := again.host.Listen(h.address); err != nil {
		t.Fatal(err)
	}
	defer again.stop(t)
	if err := c.AwaitReady(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = a.Append(t.Context(), entry())
	wantCode(t, err, "")
	c.Close()
	_, err = a.Append(t.Context(), entry())
	wantCode(t, err, moothall.CodeUnavailable)
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	each(t, remote(), func(t *testing.T, over rpc.Transport) {
		g := moottest.NewGateway(moottest.Reply{Text: strings.Repeat("x", 5000)}, moottest.Reply{Text: strings.Repeat("x", 5000)})
		g.ChunkSize = 5000
		h := start(t, over, rpc.Offers{Audit: moottest.NewAudit().For, Gateway: g.For}, &rpc.HostOptions{MaxMessage: 2000})
		big := entry()
		big.Params = make([]byte, 5000)
		wide, narrow := options(t, moothall.Hall), options(t, moothall.Hall)
		narrow.MaxMessage = 1000
		for name, o := range map[string]rpc.DialOptions{"the host's limit": wide, "the client's limit": narrow} {
			c := h.dial(t, moothall.Hall, o)
			_, err := got[moothall.Audit](t)(c.Audit()).Append(t.Context(), big)
			if moothall.ErrorCode(err) != moothall.CodeTooLarge {
				t.Errorf("%s: %v, want code too_large", name, err)
			}
			for _, err := range got[moothall.Gateway](t)(c.Gateway()).Generate(t.Context(), moothall.GenerateRequest{}) {
				if moothall.ErrorCode(err) != moothall.CodeTooLarge {
					t.Errorf("%s, streaming: %v, want code too_large", name, err)
				}
			}
			if _, err := got[moothall.Audit](t)(c.Audit()).Append(t.Context(), entry()); err != nil {
				t.Errorf("%s: afterwards: %v", name, err)
			}
		}
	})
}

func TestNotOffered(t *testing.T) {
	t.Parallel()
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		h := start(t, over, rpc.Offers{}, nil)
		c := rpc.NewClient(h.peer(t, moothall.Person))
		defer c.Close()
		_, err := c.Health(t.Context())
		wantCode(t, err, moothall.CodeNotConfigured)
		for _, err := range c.Gateway().Generate(t.Context(), moothall.GenerateRequest{}) {
			wantCode(t, err, moothall.CodeNotConfigured)
		}
		_, err = c.Broker().Tools(t.Context(), moothall.Scope{})
		wantCode(t, err, moothall.CodeNotConfigured)
		wantCode(t, c.Memory().Annotate(t.Context(), moothall.Annotation{}), moothall.CodeNotConfigured)
	})
}

func TestPing(t *testing.T) {
	t.Parallel()
	each(t, remote(), func(t *testing.T, over rpc.Transport) {
		h := start(t, over, rpc.Offers{Audit: moottest.NewAudit().For}, nil)
		c := h.peer(t, moothall.Person).(*rpc.Conn)
		wantCode(t, c.Ping(t.Context(), rpc.Audit), "")
		wantCode(t, c.Ping(t.Context(), rpc.Memory), moothall.CodeNotConfigured)
		h.host.SetServing(rpc.Audit, false)
		wantCode(t, c.Ping(t.Context(), rpc.Audit), moothall.CodeUnavailable)
		h.stop(t)
		wantCode(t, c.Ping(t.Context(), rpc.Audit), moothall.CodeUnavailable)
	})
}

// TestBoundToCaller checks that a service learns who calls, once a caller.
func TestBoundToCaller(t *testing.T) {
	t.Parallel()
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		fake := moottest.NewAudit()
		h := start(t, over, rpc.Offers{Audit: fake.For}, nil)
		want := []moothall.Identity{moothall.Critic, moothall.Reward, moothall.Critic}
		for _, id := range want {
			if _, err := audit(t, h, id).Append(t.Context(), entry()); err != nil {
				t.Fatal(err)
			}
		}
		for i, r := range fake.Records() {
			if r.Caller != want[i] {
				t.Errorf("entry %d is by %s, want %s", i, r.Caller, want[i])
			}
		}
	})
}
