package bus_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/bus"
)

// halfway is a bus with five events of which an observer has done three.
func halfway(t *testing.T) (*bus.Bus, []moothall.Event) {
	t.Helper()
	b := open(t, bus.Options{Observers: []bus.Durable{grades}})
	var sent []moothall.Event
	for i := range 3 {
		sent = append(sent, publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, strings.Repeat("x", 100_000*i)))
	}
	got := make(chan moothall.Event)
	stop := observe(t, as(t, b, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	for range sent {
		take(t, got)
	}
	for { // the server knows it too
		if n, err := b.Behind(t.Context(), grades); err != nil {
			t.Fatal(err)
		} else if n == 0 {
			break
		}
	}
	stop()
	for i := range 2 {
		sent = append(sent, publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, payload(i)))
	}
	return b, sent
}

func TestSnapshotAndRestore(t *testing.T) {
	t.Parallel()
	b, sent := halfway(t)
	var copied bytes.Buffer
	if err := b.Snapshot(t.Context(), &copied); err != nil {
		t.Fatal(err)
	}
	later := publish(t, as(t, b, moothall.ChatHall), moothall.SubjectResponseGeneration, nil) // the bus goes on

	dir := filepath.Join(t.TempDir(), "restored")
	if err := bus.Restore(t.Context(), dir, bytes.NewReader(copied.Bytes())); err != nil {
		t.Fatal(err)
	}
	wantCode(t, bus.Restore(t.Context(), dir, bytes.NewReader(copied.Bytes())), moothall.CodeConflict)

	c := open(t, bus.Options{Dir: dir, Observers: []bus.Durable{grades}})
	s := listen(t, as(t, c, moothall.Person), bus.SubscribeOptions{FromStart: true})
	for _, want := range sent {
		got := s.must()
		if !bytes.Equal(got.Payload, want.Payload) {
			t.Errorf("%s: another payload", want.ID)
		}
		got.Payload, want.Payload = nil, nil // compared byte by byte they take seconds
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	}
	got := make(chan moothall.Event)
	observe(t, as(t, c, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	for _, want := range sent[3:] {
		if e := take(t, got); e.ID != want.ID {
			t.Errorf("the observer got %s, want %s", e.ID, want.ID)
		}
	}
	if e := publish(t, as(t, c, moothall.ChatHall), moothall.SubjectResponseGeneration, nil); e.Seq != later.Seq {
		t.Errorf("the restored record goes on at %d, want %d", e.Seq, later.Seq)
	}
}

func TestDamagedSnapshots(t *testing.T) {
	t.Parallel()
	b, _ := halfway(t)
	var copied bytes.Buffer
	if err := b.Snapshot(t.Context(), &copied); err != nil {
		t.Fatal(err)
	}
	good := copied.Bytes()
	flip := func(at int) []byte {
		out := bytes.Clone(good)
		out[at] ^= 1
		return out
	}
	for name, data := range map[string][]byte{
		"empty":           nil,
		"something else":  []byte(strings.Repeat("something else ", 100)),
		"cut in the head": good[:100],
		"cut in the data": good[:len(good)/2],
		"without the sum": good[:len(good)-32],
		"head changed":    flip(40),
		"data changed":    flip(len(good) - 300),
		"sum changed":     flip(len(good) - 1),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			wantCode(t, bus.Restore(t.Context(), dir, bytes.NewReader(data)), moothall.CodeCorrupt)
			c := open(t, bus.Options{Dir: dir}) // as if nothing had been there
			if s, err := c.Stats(t.Context()); err != nil || s.Last != 0 {
				t.Errorf("%+v, %v", s, err)
			}
		})
	}
}

// full is a disk that takes no more.
type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

func TestSnapshotToAFullDisk(t *testing.T) {
	t.Parallel()
	b, _ := halfway(t)
	noSpace := errors.New("no space left")
	if err := b.Snapshot(t.Context(), full{noSpace}); !errors.Is(err, noSpace) {
		t.Errorf("got %v", err)
	}
	if err := b.Snapshot(t.Context(), &bytes.Buffer{}); err != nil {
		t.Errorf("the next one: %v", err)
	}
}
