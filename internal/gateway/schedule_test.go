package gateway_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/gateway"
)

// job is one call of a schedule.
type job struct {
	name     string
	at       time.Duration // when it is made
	model    string        // default m
	session  moothall.SessionID
	priority moothall.Priority // default task
	giveUp   time.Duration     // after at; 0 never
}

// play makes the calls on a server on which each takes d, and returns the
// names in the order in which the server saw them.
func play(t *testing.T, d time.Duration, o gateway.Server, jobs ...job) []string {
	t.Helper()
	p := newFake("local", "m", "n")
	var mu sync.Mutex
	var order []string
	p.generate = func(ctx context.Context, r moothall.GenerateRequest, yield func(moothall.Chunk, error) bool) {
		mu.Lock()
		order = append(order, string(r.Query))
		mu.Unlock()
		takes(d)(ctx, r, yield)
	}
	g := open(t, gateway.Options{Providers: []gateway.Provider{p}, Servers: map[string]gateway.Server{"local": o}})
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			time.Sleep(j.at)
			ctx := t.Context()
			if j.giveUp > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, j.giveUp)
				defer cancel()
			}
			r := hello()
			r.Provider, r.Model, r.Query, r.Session, r.Priority = "local", j.model, moothall.QueryID(j.name), j.session, j.priority
			if r.Model == "" {
				r.Model = "m"
			}
			_, _, err := collect(ctx, g.For(moothall.Orchestrator), r)
			if (err != nil) != (j.giveUp > 0) {
				t.Errorf("%s ended with %v", j.name, err)
			}
		})
	}
	wg.Wait()
	if s := g.Stats().Generating["local"]; s.Running+s.Person+s.Task+s.Back != 0 {
		t.Errorf("after all the queue is %+v", s)
	}
	return order
}

func TestOrder(t *testing.T) {
	t.Parallel()
	const ms, person, background = time.Millisecond, moothall.PriorityPerson, moothall.PriorityBackground
	tests := map[string]struct {
		server gateway.Server
		jobs   []job
		want   string
	}{
		"arrival": {gateway.Server{}, []job{{name: "a"}, {name: "b", at: 1 * ms}, {name: "c", at: 2 * ms}}, "a b c"},
		"a person goes first": {gateway.Server{}, []job{
			{name: "running", priority: background}, {name: "b", at: 1 * ms, priority: background}, {name: "t", at: 2 * ms}, {name: "p", at: 3 * ms, priority: person},
		}, "running p t b"},
		"a person goes first with another model": {gateway.Server{Parallel: 4}, []job{
			{name: "running", priority: background}, {name: "p", at: 1 * ms, model: "n", priority: person}, {name: "b", at: 2 * ms, priority: background},
		}, "running p b"},
		"the model in memory goes on": {gateway.Server{}, []job{
			{name: "m1"}, {name: "n1", at: 1 * ms, model: "n"}, {name: "m2", at: 2 * ms}, {name: "n2", at: 3 * ms, model: "n"}, {name: "m3", at: 4 * ms},
		}, "m1 m2 m3 n1 n2"},
		"but not for ever": {gateway.Server{Aging: 250 * ms}, []job{
			{name: "m1"}, {name: "n1", at: 1 * ms, model: "n"}, {name: "m2", at: 2 * ms}, {name: "m3", at: 3 * ms}, {name: "m4", at: 4 * ms}, {name: "m5", at: 5 * ms},
		}, "m1 m2 m3 n1 m4 m5"},
		"nor with room beside": {gateway.Server{Parallel: 2, Aging: 130 * ms}, []job{
			{name: "m1"}, {name: "m2", at: 50 * ms}, {name: "n1", at: 60 * ms, model: "n"}, {name: "m3", at: 70 * ms}, {name: "m4", at: 80 * ms},
			{name: "m5", at: 90 * ms},
		}, "m1 m2 m3 m4 n1 m5"},
		"sessions take turns": {gateway.Server{}, []job{
			{name: "a1", session: "a"}, {name: "a2", at: 1 * ms, session: "a"}, {name: "a3", at: 2 * ms, session: "a"}, {name: "a4", at: 3 * ms, session: "a"},
			{name: "b1", at: 4 * ms, session: "b"}, {name: "b2", at: 5 * ms, session: "b"},
		}, "a1 b1 a2 b2 a3 a4"},
		"new sessions do not push in": {gateway.Server{}, []job{
			{name: "a1", session: "a"}, {name: "b1", at: 1 * ms, session: "b"}, {name: "a2", at: 2 * ms, session: "a"},
			{name: "c1", at: 110 * ms, session: "c"}, {name: "d1", at: 210 * ms, session: "d"}, {name: "e1", at: 310 * ms, session: "e"},
		}, "a1 b1 a2 c1 d1 e1"},
		"old background work becomes a task": {gateway.Server{Aging: 20 * ms}, []job{
			{name: "t1"}, {name: "b", at: 1 * ms, priority: background},
			{name: "t2", at: 2 * ms}, {name: "t3", at: 3 * ms}, {name: "t4", at: 4 * ms}, {name: "p", at: 250 * ms, priority: person},
		}, "t1 t2 t3 p b t4"},
		"giving up frees the place": {gateway.Server{}, []job{
			{name: "a", giveUp: 10 * ms}, {name: "b", at: 1 * ms, giveUp: 5 * ms}, {name: "c", at: 2 * ms},
		}, "a c"},
		"two models side by side": {gateway.Server{Models: 2}, []job{
			{name: "m1"}, {name: "m2", at: 1 * ms}, {name: "n1", at: 2 * ms, model: "n"},
		}, "m1 n1 m2"},
		"a person takes the place": {gateway.Server{Preempt: true}, []job{
			{name: "b", priority: background}, {name: "p", at: 10 * ms, priority: person},
		}, "b p b"},
		"and not a task's": {gateway.Server{Preempt: true}, []job{
			{name: "t"}, {name: "p", at: 10 * ms, priority: person},
		}, "t p"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				if got := strings.Join(play(t, 100*ms, tt.server, tt.jobs...), " "); got != tt.want {
					t.Errorf("the order is %s, want %s", got, tt.want)
				}
			})
		})
	}
}

// TestFairness has one greedy session and many modest ones.
func TestFairness(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var jobs []job
		for i := range 300 {
			jobs = append(jobs, job{name: "greedy", session: "greedy", at: time.Duration(i) * time.Microsecond})
		}
		for i := range 100 {
			name := fmt.Sprint("modest", i)
			jobs = append(jobs, job{name: name, session: moothall.SessionID(name), at: time.Second + time.Duration(i)*time.Microsecond})
		}
		order := play(t, 100*time.Millisecond, gateway.Server{}, jobs...)
		if len(order) != 400 {
			t.Fatalf("%d calls ran, want 400", len(order))
		}
		first := slices.IndexFunc(order, func(s string) bool { return s != "greedy" })
		last := 0
		for i, s := range order {
			if s != "greedy" {
				last = i
			}
		}
		// About ten calls of the greedy one were done before the others came,
		// and it has one turn among a hundred from then on.
		if first > 12 || last > first+103 {
			t.Errorf("the modest ran from place %d to %d", first, last)
		}
	})
}

// TestPersonNeverWaits loads a server with background work and measures what
// a person waits for.
func TestPersonNeverWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newFake("local", "m")
		p.generate = takes(time.Second)
		var mu sync.Mutex
		waits := map[moothall.Priority]time.Duration{}
		g := open(t, gateway.Options{Providers: []gateway.Provider{p}, Sink: func(c gateway.Call) {
			mu.Lock()
			defer mu.Unlock()
			waits[c.Priority] = max(waits[c.Priority], c.Wait)
		}})
		var wg sync.WaitGroup
		for range 50 {
			// The critic asks as a person and is not one.
			wg.Go(func() {
				r := hello()
				r.Priority = moothall.PriorityPerson
				must(t, g.For(moothall.Critic), r)
			})
		}
		for i := range 5 {
			wg.Go(func() {
				time.Sleep(time.Duration(i)*5*time.Second + 500*time.Millisecond)
				must(t, g.For(moothall.ChatHall), hello())
			})
		}
		wg.Wait()
		if waits[moothall.PriorityPerson] > time.Second || waits[moothall.PriorityBackground] < 50*time.Second {
			t.Errorf("the longest waits are %v", waits)
		}
	})
}

// TestPreemptedInMidAnswer checks that a call which has given something is
// not begun again.
func TestPreemptedInMidAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newFake("local", "m")
		p.generate = func(ctx context.Context, r moothall.GenerateRequest, yield func(moothall.Chunk, error) bool) {
			if yield(moothall.Chunk{Text: "some "}, nil) {
				takes(time.Second)(ctx, r, yield)
			}
		}
		g := open(t, gateway.Options{Providers: []gateway.Provider{p}, Servers: map[string]gateway.Server{"local": {Preempt: true}}})
		var wg sync.WaitGroup
		wg.Go(func() {
			text, _, err := collect(t.Context(), g.For(moothall.Critic), hello())
			wantCode(t, err, moothall.CodeInterrupted)
			if text != "some " {
				t.Errorf("the text is %q", text)
			}
		})
		synctest.Wait()
		text, _ := must(t, g.For(moothall.Person), hello())
		wg.Wait()
		if text != "some yes" || g.Stats().Generating["local"].Preempted != 1 {
			t.Errorf("the person got %q", text)
		}
	})
}

// TestCancelFreesPlaceOfBusyCaller checks that a place comes back even when
// the caller's loop does not.
func TestCancelFreesPlaceOfBusyCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newFake("local", "m")
		g := open(t, providers(p))
		ctx, cancel := context.WithCancel(t.Context())
		busy := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for range g.For(moothall.Person).Generate(ctx, hello()) {
				<-busy
			}
		})
		synctest.Wait()
		cancel()
		must(t, g.For(moothall.Person), hello()) // would deadlock
		close(busy)
		wg.Wait()
	})
}

// TestEmbeddingBesideAnswer checks that a recall does not wait for a long
// answer.
func TestEmbeddingBesideAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := newFake("local", "m")
		p.generate = takes(time.Minute)
		p.cards = append(p.cards, moothall.ModelCard{Provider: "local", Model: "e", Notes: []string{gateway.NoteEmbeds}})
		g := open(t, providers(p))
		var wg sync.WaitGroup
		wg.Go(func() { must(t, g.For(moothall.Person), hello()) })
		synctest.Wait()
		start := time.Now()
		if _, err := g.For(moothall.MemoryKeeper).Embed(t.Context(), moothall.EmbedRequest{Texts: []string{"x"}}); err != nil {
			t.Error(err)
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("the embedding waited %v", d)
		}
		wg.Wait()
	})
}

// TestWaitIsTold: whoever waits for longer than a moment is told, and told when
// that is over; whoever leaves meanwhile leaves nothing behind.
func TestWaitIsTold(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		takes time.Duration
		leave bool // at the first note
		want  string
	}{
		"a moment":          {takes: 500 * time.Millisecond, want: "done"},
		"longer":            {takes: 5 * time.Second, want: "waiting for the model, which is busy with something else; thinking; done"},
		"nobody waits more": {takes: 5 * time.Second, leave: true, want: "waiting for the model, which is busy with something else"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := newFake("local", "m")
				p.generate = takes(tt.takes)
				g := open(t, gateway.Options{Providers: []gateway.Provider{p}})
				hall, r := g.For(moothall.ChatHall), hello()
				r.Provider, r.Model = "local", "m"
				var first sync.WaitGroup
				first.Go(func() { must(t, hall, r) })
				synctest.Wait()
				var told []string
				for c, err := range hall.Generate(t.Context(), r) {
					if err != nil {
						t.Fatal(err)
					}
					if c.Note != "" {
						told = append(told, c.Note)
						if c.Text != "" || c.Stop != "" {
							t.Errorf("a note has a part in the reply: %+v", c)
						}
					}
					if c.Stop != "" {
						told = append(told, string(c.Stop))
					}
					if tt.leave {
						break
					}
				}
				if got := strings.Join(told, "; "); got != tt.want {
					t.Errorf("it was told %q, want %q", got, tt.want)
				}
				first.Wait()
				if s := g.Stats().Generating["local"]; s.Running+s.Person+s.Task+s.Back != 0 {
					t.Errorf("after all the queue is %+v", s)
				}
			})
		})
	}
}
