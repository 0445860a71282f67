package bus_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/bus"
)

func TestSubscribeBothClassesInOrder(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	chat := as(t, b, moothall.ChatHall)
	s := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{})
	var want []moothall.Event
	for i := range 5 {
		want = append(want, publish(t, chat, moothall.SubjectResponseDelta, payload(i)))
		want = append(want, publish(t, chat, moothall.SubjectResponseThinking, payload(i)))
		want = append(want, publish(t, chat, moothall.SubjectAnswerDialog, payload(i)))
	}
	var got []moothall.Event
	for range want {
		got = append(got, s.must())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestSubscribeBySubject(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	broker, person := as(t, b, moothall.ToolBroker), as(t, b, moothall.Person)
	for name, tc := range map[string]struct {
		subjects []moothall.Subject
		want     []int
	}{
		"a family":    {[]moothall.Subject{moothall.SubjectToolRequest}, []int{0, 1, 4}},
		"a member":    {[]moothall.Subject{moothall.SubjectToolRequest.Of("a")}, []int{0, 4}},
		"two":         {[]moothall.Subject{moothall.SubjectToolResult.Of("a"), moothall.SubjectApprovalRequested}, []int{2, 3}},
		"all of them": {nil, []int{0, 1, 2, 3, 4}},
	} {
		live := listen(t, person, bus.SubscribeOptions{Subjects: tc.subjects})
		before, err := b.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var sent []moothall.EventID
		for i, s := range []moothall.Subject{
			moothall.SubjectToolRequest.Of("a"), moothall.SubjectToolRequest.Of("b"), moothall.SubjectToolResult.Of("a"),
			moothall.SubjectApprovalRequested, moothall.SubjectToolRequest.Of("a"),
		} {
			sent = append(sent, publish(t, broker, s, payload(i)).ID)
		}
		var want []moothall.EventID
		for _, i := range tc.want {
			want = append(want, sent[i])
		}
		o := bus.SubscribeOptions{Subjects: tc.subjects, AfterSeq: before.Last, FromStart: before.Last == 0}
		if diff := cmp.Diff(want, live.ids(len(want))); diff != "" {
			t.Errorf("%s, live: want -, got +:\n%s", name, diff)
		}
		if diff := cmp.Diff(want, listen(t, person, o).ids(len(want))); diff != "" {
			t.Errorf("%s, replayed: want -, got +:\n%s", name, diff)
		}
	}
}

// A listener that does not pull holds nobody up, loses what may be dropped,
// and nothing else.
func TestSlowListener(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	chat := as(t, b, moothall.ChatHall)
	slow := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{Buffer: 16})
	var want []moothall.EventID
	const durable, deltas = 300, 20
	for i := range durable {
		for range deltas {
			publish(t, chat, moothall.SubjectResponseDelta, payload(i))
		}
		want = append(want, publish(t, chat, moothall.SubjectAnswerDialog, payload(i)).ID)
	}
	var got []moothall.EventID
	heard := 0
	for len(got) < durable {
		e := slow.must()
		if e.Subject == moothall.SubjectAnswerDialog {
			got = append(got, e.ID)
		} else {
			heard++
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	s, err := b.Stats(t.Context())
	if err != nil || s.Dropped == 0 || heard > 32 {
		t.Errorf("%d deltas heard, %+v, %v", heard, s, err)
	}
	// It is live again afterwards.
	last := publish(t, chat, moothall.SubjectAnswerDialog, nil)
	if e := slow.must(); e.ID != last.ID {
		t.Errorf("got %v, want %s", e, last.ID)
	}
}

// Listeners that start in the middle of a stream of events, at every place,
// see each of the rest once.
func TestNoGapBetweenReplayAndLive(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	front, person := as(t, b, moothall.FrontDoor), as(t, b, moothall.Person)
	const n = 200
	done := make(chan error, 1)
	go func() {
		for i := range n {
			e, err := moothall.NewEvent(moothall.SubjectQueryReceived, payload(i))
			if err == nil {
				_, err = front.Publish(context.WithoutCancel(t.Context()), e)
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for from := uint64(0); from < n; from += 20 {
		s := listen(t, person, bus.SubscribeOptions{AfterSeq: from, FromStart: from == 0, Buffer: 4})
		for seq := from + 1; seq <= min(from+60, n); seq++ {
			if e := s.must(); e.Seq != seq {
				// A place that is not there yet when the listener starts
				// is brought back to the record's end.
				if seq == from+1 && e.Seq < seq {
					break
				}
				t.Fatalf("from %d: got %d, want %d", from, e.Seq, seq)
			}
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestReplayAfterAnEvent(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	front, person := as(t, b, moothall.FrontDoor), as(t, b, moothall.Person)
	unsent := moothall.EventID(moothall.NewID()) // older than all
	late, follows := event(t, moothall.SubjectQueryReceived, nil), event(t, moothall.SubjectQueryReceived, nil)
	follows.ID = "received-" + follows.ID
	var sent []moothall.Event
	for i := range 5 {
		sent = append(sent, publish(t, front, moothall.SubjectQueryReceived, payload(i)))
	}
	nextMillisecond()
	between := moothall.EventID(moothall.NewID())
	nextMillisecond()
	for _, e := range []moothall.Event{late, follows} {
		if _, err := front.Publish(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		sent = append(sent, e)
	}
	for _, tc := range []struct {
		name  string
		after moothall.EventID
		from  int // the first of sent that is due
	}{
		{"the first", sent[0].ID, 1},
		{"one in the middle", sent[3].ID, 4},
		{"one stored long after its id", late.ID, 6},
		{"one whose id follows from another", follows.ID, 7},
		{"one that never was, older", unsent, 0},
		{"one that never was, between", between, 5},
		{"one that never was, whose id follows from one between", "answer-" + between + "-A", 5},
		{"one of the future", "0fffffff-ffff-7000-8000-000000000000", -1},
		{"one of the last day", "ffffffff-ffff-7fff-bfff-ffffffffffff", -1},
		{"one of the first day", "00000000-0000-7000-8000-000000000000", 0},
	} {
		s := listen(t, person, bus.SubscribeOptions{After: tc.after})
		if tc.from < 0 {
			tc.from = len(sent)
		}
		sent = append(sent, publish(t, front, moothall.SubjectQueryReceived, nil))
		want := sent[tc.from:]
		if diff := cmp.Diff(ids(want), s.ids(len(want))); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", tc.name, diff)
		}
	}
}

// nextMillisecond waits for it: the time inside an id counts no finer.
func nextMillisecond() {
	for start := time.Now().UnixMilli(); time.Now().UnixMilli() == start; {
	}
}

func TestAfterSeqBeyondTheEnd(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, payload(1))
	s := listen(t, as(t, b, moothall.Person), bus.SubscribeOptions{AfterSeq: 1000})
	want := publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, payload(2))
	if e := s.must(); e.ID != want.ID {
		t.Errorf("got %s, want %s", e.ID, want.ID)
	}
}

// The mark stands between what was in the record and what is new.
func TestMarkAtTheEndOfTheReplay(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	front, person := as(t, b, moothall.FrontDoor), as(t, b, moothall.Person)
	for round, o := range []bus.SubscribeOptions{
		{Mark: true, FromStart: true},
		{Mark: true, AfterSeq: 1},
		{Mark: true},
		{Mark: true, Subjects: []moothall.Subject{moothall.SubjectResponseDelta}},
	} {
		old := publish(t, front, moothall.SubjectQueryReceived, payload(round))
		s := listen(t, person, o)
		if o.FromStart || o.AfterSeq > 0 {
			for e := s.must(); e.Seq != old.Seq; e = s.must() {
				if e.Subject == "" {
					t.Fatalf("round %d: the mark comes before %d", round, old.Seq)
				}
			}
		}
		if e := s.must(); e.Subject != "" || e.ID != "" || e.Seq != old.Seq {
			t.Errorf("round %d: no mark at %d but %+v", round, old.Seq, e)
		}
		if len(o.Subjects) > 0 {
			continue
		}
		if fresh := publish(t, front, moothall.SubjectQueryReceived, nil); s.must().ID != fresh.ID {
			t.Errorf("round %d: what is new does not follow", round)
		}
	}
}

func TestSubscribeRefuses(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	for name, o := range map[string]bus.SubscribeOptions{
		"nonsense":      {Subjects: []moothall.Subject{"x.y"}},
		"a wildcard":    {Subjects: []moothall.Subject{">"}},
		"two places":    {FromStart: true, AfterSeq: 1},
		"no id of ours": {After: "last-tuesday"},
		"below zero":    {Buffer: -1},
	} {
		_, err, _ := listen(t, as(t, b, moothall.Person), o).next()
		if moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestSubscribeEndsWithItsContext(t *testing.T) {
	t.Parallel()
	b := open(t, bus.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events := as(t, b, moothall.Person).Subscribe(ctx, bus.SubscribeOptions{})
	want := publish(t, as(t, b, moothall.FrontDoor), moothall.SubjectQueryReceived, nil)
	var got []string
	for e, err := range events {
		got = append(got, fmt.Sprint(e.ID, err))
		cancel()
	}
	if diff := cmp.Diff([]string{fmt.Sprint(want.ID, nil)}, got); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
	for _, err := range events {
		wantCode(t, err, moothall.CodeConflict)
	}
}
