package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/bus"
)

var grades = bus.Durable{
	Identity: moothall.Critic, Name: "grades",
	Subjects: []moothall.Subject{moothall.SubjectResponseGeneration, moothall.SubjectToolResult},
	AckWait:  10 * time.Second, // an event on its way to an observer that just ended comes that much later, and one whose process stands still that long comes again
}

func ignore(context.Context, moothall.Event) error { return nil }

// observe runs an observer until the test, or the returned function, ends it.
func observe(t testing.TB, p *bus.Participant, o bus.Observer) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := p.Observe(ctx, o); err != nil && ctx.Err() == nil {
			t.Errorf("observe: %v", err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); running.Wait() })
	t.Cleanup(stop)
	return stop
}

// into returns a handler that passes events on.
func into(ch chan<- moothall.Event) func(context.Context, moothall.Event) error {
	return func(ctx context.Context, e moothall.Event) error {
		select {
		case ch <- e:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func take(t testing.TB, ch <-chan moothall.Event) moothall.Event {
	t.Helper()
	select {
	case e := <-ch:
		return e
	case <-time.After(2 * time.Minute):
		t.Fatal("no event within two minutes")
		return moothall.Event{}
	}
}

// ledger is one in memory.
type ledger struct {
	mu     sync.Mutex
	done   map[string]bool
	onMark func()
	fail   int // that many calls fail first
}

func (l *ledger) Done(_ context.Context, observer string, id moothall.EventID) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail > 0 {
		l.fail--
		return false, errors.New("the ledger is away")
	}
	return l.done[observer+" "+string(id)], nil
}

func (l *ledger) Mark(_ context.Context, observer string, id moothall.EventID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done == nil {
		l.done = map[string]bool{}
	}
	l.done[observer+" "+string(id)] = true
	if l.onMark != nil {
		l.onMark()
	}
	return nil
}

func TestObserverCatchesUpAfterBeingDown(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := bus.Options{Dir: dir, Observers: []bus.Durable{grades}}
	b := open(t, o)
	chat := as(t, b, moothall.ChatHall)
	got := make(chan moothall.Event)
	stop := observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	first := publish(t, chat, moothall.SubjectResponseGeneration, payload(1))
	publish(t, chat, moothall.SubjectAnswerDialog, nil) // not observed
	if e := take(t, got); e.ID != first.ID || e.Seq != first.Seq {
		t.Errorf("got %s at %d, want %s at %d", e.ID, e.Seq, first.ID, first.Seq)
	}
	stop()
	missed := []moothall.Event{
		publish(t, chat, moothall.SubjectResponseGeneration, payload(2)),
		publish(t, as(t, b, moothall.ToolBroker), moothall.SubjectToolResult.Of("shell"), payload(3)),
	}
	closeBus(t, b)

	b = open(t, o)
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	for i, want := range missed {
		e := take(t, got)
		if i == 0 && e.ID == first.ID { // at least once: it was stopped before the server knew that this one is done
			e = take(t, got)
		}
		if e.ID != want.ID {
			t.Errorf("got %s, want %s", e.ID, want.ID)
		}
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := open(t, bus.Options{Dir: dir})
	old := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, nil)
	closeBus(t, b)
	all := grades
	all.Name, all.History = "all", true
	b = open(t, bus.Options{Dir: dir, Observers: []bus.Durable{grades, all}})
	fromAll, fromNew := make(chan moothall.Event), make(chan moothall.Event)
	critic := as(t, b, moothall.Critic)
	observe(t, critic, bus.Observer{Name: "all", Handle: into(fromAll)})
	observe(t, critic, bus.Observer{Name: "grades", Handle: into(fromNew)})
	if e := take(t, fromAll); e.ID != old.ID {
		t.Errorf("with history: got %s", e.ID)
	}
	fresh := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, nil)
	if e := take(t, fromNew); e.ID != fresh.ID {
		t.Errorf("without history: got %s, want %s", e.ID, fresh.ID)
	}
	take(t, fromAll)
}

// The acknowledgement is lost with the process, the mark is not: the event is
// given out again and not handled again.
func TestOnceAcrossRestartAndRedelivery(t *testing.T) {
	t.Parallel()
	o := bus.Options{Dir: t.TempDir(), Observers: []bus.Durable{grades}}
	o.Observers[0].AckWait = 100 * time.Millisecond
	b := open(t, o)
	book := &ledger{}
	var closing sync.WaitGroup
	book.onMark = func() { closing.Go(func() { b.Close() }); closing.Wait() }
	var mu sync.Mutex
	var handled []moothall.EventID
	handle := func(_ context.Context, e moothall.Event) error {
		mu.Lock()
		defer mu.Unlock()
		handled = append(handled, e.ID)
		return nil
	}
	first := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(1))
	wantCode(t, as(t, b, moothall.Critic).Observe(t.Context(), bus.Observer{Name: "grades", Handle: handle, Ledger: book}),
		moothall.CodeUnavailable)

	b = open(t, o)
	done := make(chan moothall.Event, 1)
	book.onMark = func() { done <- moothall.Event{} }
	second := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(2))
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: handle, Ledger: book})
	take(t, done)
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]moothall.EventID{first.ID, second.ID}, handled); diff != "" {
		t.Errorf("handled, want -, got +:\n%s", diff)
	}
}

func TestALedgerThatIsAwayCostsNoTry(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{Observers: []bus.Durable{grades}})
	got := make(chan moothall.Event)
	observe(t, as(t, b, moothall.Critic), bus.Observer{
		Name: "grades", Handle: into(got), Ledger: &ledger{fail: 4}, MaxTries: 1,
	})
	want := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, nil)
	if e := take(t, got); e.ID != want.ID {
		t.Errorf("got %s", e.ID)
	}
}

// A disk may be full for longer than all tries take; what is to be done then is
// done when there is room again.
func TestAFullDiskCostsNoTry(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{Observers: []bus.Durable{grades}})
	letters := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{Subjects: []moothall.Subject{moothall.SubjectDeadLetter}})
	done := make(chan moothall.Event, 1)
	full := 7
	observe(t, as(t, b, moothall.Critic), bus.Observer{
		Name: "grades", MaxTries: 2, Backoff: []time.Duration{time.Millisecond},
		Handle: func(_ context.Context, e moothall.Event) error {
			switch full--; {
			case e.Query == "poison":
				return moothall.Fail(moothall.CodeInvalid, "read answer", "makes no sense")
			case full >= 0:
				return fmt.Errorf("grade: %w", moothall.Fail(moothall.CodeExhausted, "write store", "the disk is full"))
			}
			done <- e
			return nil
		},
	})
	chat := as(t, b, moothall.ChatHall)
	want := publish(t, chat, moothall.SubjectResponseGeneration, payload(1))
	last := event(t, moothall.SubjectResponseGeneration, nil)
	last.Query = "poison"
	if _, err := chat.Publish(t.Context(), last); err != nil {
		t.Fatal(err)
	}
	if l := letter(t, letters); l.Seq == want.Seq {
		t.Fatalf("it was given up: %+v", l)
	}
	if e := take(t, done); e.ID != want.ID {
		t.Errorf("got %s", e.ID)
	}
}

// letter waits for the next dead letter and reads it.
func letter(t *testing.T, s *stream) bus.DeadLetter {
	t.Helper()
	e := s.must()
	var l bus.DeadLetter
	if err := json.Unmarshal(e.Payload, &l); err != nil {
		t.Fatalf("%s: %v", e.Payload, err)
	}
	return l
}

func TestDeadLetters(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		handle func(context.Context, moothall.Event) error
		tries  int
		reason string
	}{
		"errors": {func(context.Context, moothall.Event) error {
			return moothall.Fail(moothall.CodeUnavailable, "grade", "no model")
		}, 3, "no model"},
		"poison": {func(context.Context, moothall.Event) error {
			return fmt.Errorf("grade: %w", moothall.Fail(moothall.CodeInvalid, "read answer", "makes no sense"))
		}, 1, "makes no sense"},
		"panic": {func(context.Context, moothall.Event) error { panic("ouch") }, 3, "ouch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, bus.Options{Observers: []bus.Durable{grades}})
			letters := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{Subjects: []moothall.Subject{moothall.SubjectDeadLetter}})
			fine := make(chan moothall.Event, 1)
			calls := 0
			observe(t, as(t, b, moothall.Critic), bus.Observer{
				Name: "grades", MaxTries: 3, Backoff: []time.Duration{time.Millisecond},
				Handle: func(ctx context.Context, e moothall.Event) error {
					if e.Query == "fine" {
						fine <- e
						return nil
					}
					calls++
					return tc.handle(ctx, e)
				},
			})
			chat := as(t, b, moothall.ChatHall)
			bad := publish(t, chat, moothall.SubjectResponseGeneration, payload(1))
			good := event(t, moothall.SubjectResponseGeneration, nil)
			good.Query = "fine"
			if _, err := chat.Publish(t.Context(), good); err != nil {
				t.Fatal(err)
			}
			l := letter(t, letters)
			got, err := bus.Decode(l.Wire, l.Envelope)
			if err != nil || got.ID != bad.ID || l.Seq != bad.Seq || l.Tries != tc.tries ||
				l.Observer != "critic-grades" || !strings.Contains(l.Reason, tc.reason) {
				t.Errorf("letter %+v (%v)", l, err)
			}
			if e := take(t, fine); e.ID != good.ID {
				t.Errorf("the line did not move on: %s", e.ID)
			}
			if calls != tc.tries {
				t.Errorf("handled %d times, want %d", calls, tc.tries)
			}
			if s, err := b.Stats(t.Context()); err != nil || s.DeadLetters != 1 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

// A letter that cannot be handled must not beget letters without end.
func TestNoLettersAboutLetters(t *testing.T) {
	t.Parallel()
	d := bus.Durable{Identity: moothall.Hall, Name: "letters", Subjects: []moothall.Subject{moothall.SubjectDeadLetter}}
	b := open(t, bus.Options{Observers: []bus.Durable{d}})
	seen := make(chan moothall.Event, 16)
	observe(t, as(t, b, moothall.Hall), bus.Observer{Name: "letters", Handle: func(_ context.Context, e moothall.Event) error {
		seen <- e
		return moothall.Fail(moothall.CodeInvalid, "read letter", "no")
	}})
	for i := range 2 {
		want := publish(t, as(t, b, moothall.Critic), moothall.SubjectDeadLetter, payload(i))
		if e := take(t, seen); e.ID != want.ID {
			t.Errorf("got %s, want %s", e.ID, want.ID)
		}
	}
	if s, err := b.Stats(t.Context()); err != nil || s.Messages != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A handler that takes longer than AckWait is not silent.
func TestALongHandlerKeepsItsEvent(t *testing.T) {
	t.Parallel()
	d := grades
	d.AckWait = 6 * time.Second
	b := open(t, bus.Options{Observers: []bus.Durable{d}})
	var calls int
	done := make(chan moothall.Event, 4)
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: func(ctx context.Context, e moothall.Event) error {
		if calls++; calls == 1 {
			// What is tested is that real time passes; so much that a
			// busy machine does not make it look like silence.
			<-time.After(d.AckWait * 5 / 4)
		}
		done <- e
		return nil
	}})
	chat := as(t, b, moothall.ChatHall)
	first := publish(t, chat, moothall.SubjectResponseGeneration, payload(1))
	second := publish(t, chat, moothall.SubjectResponseGeneration, payload(2))
	got := []moothall.EventID{take(t, done).ID, take(t, done).ID}
	if diff := cmp.Diff([]moothall.EventID{first.ID, second.ID}, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestConcurrencyIsBounded(t *testing.T) {
	t.Parallel()
	d := grades
	d.Concurrency = 3
	b := open(t, bus.Options{Observers: []bus.Durable{d}})
	entered, leave := make(chan moothall.Event, 64), make(chan struct{})
	var inside, peak atomic.Int32
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: func(ctx context.Context, e moothall.Event) error {
		n := inside.Add(1)
		defer inside.Add(-1)
		for p := peak.Load(); n > p && !peak.CompareAndSwap(p, n); p = peak.Load() {
		}
		entered <- e
		<-leave
		return nil
	}})
	var want, got []moothall.EventID
	for i := range 30 {
		want = append(want, publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(i)).ID)
	}
	for range 3 {
		got = append(got, take(t, entered).ID)
	}
	close(leave)
	for range 27 {
		got = append(got, take(t, entered).ID)
	}
	if peak.Load() != 3 {
		t.Errorf("%d at once, want 3", peak.Load())
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestObserveRefuses(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{Observers: []bus.Durable{grades}})
	critic := as(t, b, moothall.Critic)
	wantCode(t, critic.Observe(t.Context(), bus.Observer{Name: "other", Handle: ignore}), moothall.CodeNotConfigured)
	wantCode(t, as(t, b, moothall.MemoryKeeper).Observe(t.Context(), bus.Observer{Name: "grades", Handle: ignore}), moothall.CodeNotConfigured)
	wantCode(t, critic.Observe(t.Context(), bus.Observer{Name: "grades"}), moothall.CodeInvalid)
}

// What an observer had in hand, or was on its way to it, when the hall ended is
// given out by the next one at once.
func TestWhatWasLeftComesAtOnce(t *testing.T) {
	t.Parallel()
	d := grades
	d.AckWait = time.Hour // what waits for it is not seen here
	o := bus.Options{Dir: t.TempDir(), Observers: []bus.Durable{d}}
	want, seen := map[moothall.EventID]bool{}, map[moothall.EventID]bool{}
	for round := range 12 {
		b := open(t, o)
		begun := make(chan moothall.Event, 64)
		stop := observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", MaxTries: 1000, Handle: func(ctx context.Context, e moothall.Event) error {
			begun <- e
			<-ctx.Done()
			return ctx.Err()
		}})
		want[publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(round)).ID] = true
		if round%2 == 0 {
			take(t, begun)
		}
		stop()
		closeBus(t, b)
	}
	b := open(t, o)
	got := make(chan moothall.Event, 64)
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", MaxTries: 1000, Handle: into(got)})
	for len(seen) < len(want) {
		seen[take(t, got).ID] = true
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

// That the hall ended while an event was in hand is no fault of the event: short
// commands end often.
func TestAStopCostsNoTry(t *testing.T) {
	t.Parallel()
	o := bus.Options{Dir: t.TempDir(), Observers: []bus.Durable{grades}}
	var sent moothall.Event
	for round := range 5 {
		b := open(t, o)
		begun := make(chan moothall.Event, 1)
		stop := observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", MaxTries: 2, Handle: func(ctx context.Context, e moothall.Event) error {
			begun <- e
			<-ctx.Done()
			if round%2 == 0 { // as it says where the disk is full
				return moothall.Fail(moothall.CodeExhausted, "write", "no room")
			}
			return ctx.Err()
		}})
		if round == 0 {
			sent = publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(1))
		}
		take(t, begun)
		stop()
		closeBus(t, b)
	}
	b := open(t, o)
	got := make(chan moothall.Event, 1)
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", MaxTries: 2, Handle: into(got)})
	if e := take(t, got); e.ID != sent.ID {
		t.Errorf("got %s, want %s", e.ID, sent.ID)
	}
}

// Who began in the middle of the record does not get its beginning for that.
func TestWhatWasLeftIsNotThePast(t *testing.T) {
	t.Parallel()
	d := grades
	d.AckWait = time.Hour
	o := bus.Options{Dir: t.TempDir()}
	b := open(t, o)
	for i := range 5 {
		publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(i))
	}
	closeBus(t, b)
	o.Observers = []bus.Durable{d}
	b = open(t, o)
	want := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(5))
	begun := make(chan moothall.Event, 64)
	stop := observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: func(ctx context.Context, e moothall.Event) error {
		begun <- e
		<-ctx.Done()
		return ctx.Err()
	}})
	take(t, begun)
	stop()
	closeBus(t, b)
	b = open(t, o)
	got := make(chan moothall.Event, 64)
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	if e := take(t, got); e.ID != want.ID {
		t.Errorf("event %d came, want %d", e.Seq, want.Seq)
	}
}

// lines is told of every line that is logged.
type lines func(line string)

func (f lines) Write(b []byte) (int, error) {
	f(string(b))
	return len(b), nil
}

// An event that failed goes on pausing in the next hall, and its tries count on.
func TestAPauseOutlivesTheHall(t *testing.T) {
	t.Parallel()
	o := bus.Options{Dir: t.TempDir(), Observers: []bus.Durable{grades}}
	const pause = 3 * time.Second
	var failed []time.Time
	fails := bus.Observer{Name: "grades", MaxTries: 2, Backoff: []time.Duration{pause}, Handle: func(context.Context, moothall.Event) error {
		failed = append(failed, time.Now())
		return errors.New("not now")
	}}
	// One that is stopped before its failure is noted has not failed.
	noted := make(chan struct{}, 1)
	heard := o
	heard.Logger = slog.New(slog.NewTextHandler(lines(func(line string) {
		if strings.Contains(line, "bus observer failed") {
			noted <- struct{}{}
		}
	}), nil))
	b := open(t, heard)
	stop := observe(t, as(t, b, moothall.Critic), fails)
	bad := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(1))
	<-noted
	stop()
	closeBus(t, b)
	b = open(t, o)
	letters := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{Subjects: []moothall.Subject{moothall.SubjectDeadLetter}, FromStart: true})
	observe(t, as(t, b, moothall.Critic), fails)
	if l := letter(t, letters); l.Seq != bad.Seq || l.Tries != 2 {
		t.Errorf("letter %+v", l)
	}
	// The server keeps whole seconds.
	if len(failed) != 2 || failed[1].Sub(failed[0]) < pause-time.Second {
		t.Errorf("tried at %v", failed)
	}
}

// Two processes with one observer share its events.
func TestTwoOfOneObserver(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{Observers: []bus.Durable{grades}})
	got := make(chan moothall.Event, 64)
	for range 2 {
		observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	}
	for i := range 10 {
		want := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(i))
		if e := take(t, got); e.ID != want.ID {
			t.Errorf("got %s, want %s", e.ID, want.ID)
		}
	}
}
