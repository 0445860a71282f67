package bus

import (
	"context"
	"testing"

	"moothall"
)

// TestReviveAfterAFailedWrite lets the server say what it says when a write
// fails: the next event starts JetStream again, nothing stored is gone, and
// who listens goes on.
func TestReviveAfterAFailedWrite(t *testing.T) {
	t.Parallel()
	b, err := Open(t.Context(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	p, err := b.As(moothall.Hall)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	heard := p.Subscribe(ctx, SubscribeOptions{})
	var ids []moothall.EventID
	for range 3 {
		e, err := moothall.NewEvent(moothall.SubjectHallState, nil)
		if err != nil {
			t.Fatal(err)
		}
		seq, err := p.Publish(ctx, e)
		if err != nil || int(seq) != len(ids)+1 {
			t.Fatalf("event %d: place %d, %v", len(ids), seq, err)
		}
		ids = append(ids, e.ID)
		b.emb.log.Errorf("JetStream stream '%s' %s: %s", streamName, writeFailure, "no space left on device")
	}
	n := 0
	for e, err := range heard {
		if err != nil || e.ID != ids[n] {
			t.Fatalf("event %d: heard %s, %v", n, e.ID, err)
		}
		if n++; n == len(ids) {
			break
		}
	}
	if first, err := p.At(ctx, 1); err != nil || first.ID != ids[0] {
		t.Errorf("the first event is %s, %v", first.ID, err)
	}
}
