package bus_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/bus"
)

// child is the other process of the tests in this file.
func child(mode string) int {
	ctx := context.Background()
	d := grades
	d.AckWait = time.Hour // the next process is not to wait for it
	b, err := bus.Open(ctx, bus.Options{Dir: os.Getenv("BUS_TEST_DIR"), Observers: []bus.Durable{d}})
	if err != nil {
		fmt.Println("error", err)
		return 1
	}
	defer b.Close()
	if mode == "publish" {
		err = childPublish(ctx, b)
	} else {
		err = childObserve(ctx, b)
	}
	fmt.Println("error", err)
	return 1
}

// childPublish repeats the last event that its predecessor said was stored,
// then publishes for ever and says what is stored.
func childPublish(ctx context.Context, b *bus.Bus) error {
	front, err := b.As(moothall.FrontDoor)
	if err != nil {
		return err
	}
	for id := moothall.EventID(os.Getenv("BUS_TEST_AGAIN")); ; id = "" {
		e, err := moothall.NewEvent(moothall.SubjectQueryReceived, strings.Repeat("x", 200))
		if err != nil {
			return err
		}
		if id != "" {
			e.ID = id
		}
		seq, err := front.Publish(ctx, e)
		if err != nil {
			return err
		}
		fmt.Println("stored", e.ID, seq)
	}
}

// childObserve dies in its handler.
func childObserve(ctx context.Context, b *bus.Bus) error {
	critic, err := b.As(moothall.Critic)
	if err != nil {
		return err
	}
	return critic.Observe(ctx, bus.Observer{Name: "grades", MaxTries: 2, Handle: func(_ context.Context, e moothall.Event) error {
		fmt.Println("handling", e.ID, e.Seq)
		os.Exit(3)
		return nil
	}})
}

// process is a running child.
type process struct {
	*exec.Cmd
	lines *bufio.Scanner
}

func start(t *testing.T, mode, dir string, env ...string) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "BUS_TEST_CHILD="+mode, "BUS_TEST_DIR="+dir)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &process{cmd, bufio.NewScanner(out)}
}

// line reads "word id seq"; false when the child ended.
func (p *process) line(t *testing.T, word string) (moothall.EventID, uint64, bool) {
	t.Helper()
	if !p.lines.Scan() {
		return "", 0, false
	}
	var got string
	var id moothall.EventID
	var seq uint64
	if _, err := fmt.Sscan(p.lines.Text(), &got, &id, &seq); err != nil || got != word {
		// A line may be torn by the kill; anything else is a failure.
		if err != nil && (err == io.EOF || err == io.ErrUnexpectedEOF) && strings.HasPrefix(word, got) {
			return "", 0, false
		}
		t.Fatalf("child said %q", p.lines.Text())
	}
	return id, seq, true
}

// Whatever was said to be stored is there after kill -9, at its place, once.
func TestKilledWhilePublishing(t *testing.T) {
	t.Parallel()
	const rounds = 25
	dir := t.TempDir()
	acked := map[uint64]moothall.EventID{}
	var last moothall.EventID
	var lastSeq uint64
	for round := range rounds {
		c := start(t, "publish", dir, "BUS_TEST_AGAIN="+string(last))
		// The kill comes at a random moment after a random line, while the
		// child goes on.
		for range 1 + rand.IntN(40) {
			id, seq, ok := c.line(t, "stored")
			if !ok {
				t.Fatalf("round %d: the child ended by itself", round)
			}
			if id == last && seq != lastSeq {
				t.Errorf("round %d: %s repeated is at %d, was at %d", round, id, seq, lastSeq)
			}
			acked[seq], last, lastSeq = id, id, seq
		}
		for spin := rand.IntN(3_000_000); spin > 0; spin-- {
		}
		c.Process.Kill()
		for { // what it still said before it died
			id, seq, ok := c.line(t, "stored")
			if !ok {
				break
			}
			acked[seq], last, lastSeq = id, id, seq
		}
		c.Wait()
	}
	b := open(t, bus.Options{Dir: dir})
	stats, err := b.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[moothall.EventID]uint64{}
	s := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{FromStart: true})
	for range stats.Messages {
		e := s.must()
		if at, twice := seen[e.ID]; twice {
			t.Errorf("%s is at %d and %d", e.ID, at, e.Seq)
		}
		seen[e.ID] = e.Seq
		if want := acked[e.Seq]; want != "" && want != e.ID {
			t.Errorf("at %d: %s, was acknowledged as %s", e.Seq, e.ID, want)
		}
	}
	for seq, id := range acked {
		if seen[id] != seq {
			t.Errorf("%s was acknowledged at %d and is at %d", id, seq, seen[id])
		}
	}
	t.Logf("%d rounds, %d acknowledged, %d in the record", rounds, len(acked), stats.Messages)
}

// An event that ends its process each time becomes a dead letter.
func TestKilledInTheHandler(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := grades
	d.AckWait = time.Hour
	o := bus.Options{Dir: dir, Observers: []bus.Durable{d}}
	b := open(t, o)
	bad := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, nil)
	closeBus(t, b)
	for i := range 2 {
		c := start(t, "observe", dir)
		if id, _, ok := c.line(t, "handling"); !ok || id != bad.ID {
			t.Fatalf("try %d: %v, %v", i, id, ok)
		}
		c.Wait()
	}
	b = open(t, o)
	letters := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{
		Subjects: []moothall.Subject{moothall.SubjectDeadLetter}, FromStart: true,
	})
	observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", MaxTries: 2, Handle: func(context.Context, moothall.Event) error {
		t.Error("handled once more")
		return nil
	}})
	if l := letter(t, letters); l.Seq != bad.Seq || l.Tries != 2 || !strings.Contains(l.Reason, "given out too often") {
		t.Errorf("letter %+v", l)
	}
}
