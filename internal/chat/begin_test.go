package chat_test

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	"moothall"
	"moothall/internal/chat"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// slowRecord takes entries at once and has them durable when let.
type slowRecord struct {
	moothall.Audit
	durable func(moothall.AuditEntry) error // of the last entry; may block

	mu   sync.Mutex
	next uint64
}

func (r *slowRecord) Enqueue(_ context.Context, entries ...moothall.AuditEntry) (uint64, func() error, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next += uint64(len(entries))
	last := entries[len(entries)-1]
	return r.next, func() error { return r.durable(last) }, nil
}

// asked plays a turn beside the test and returns what was seen of it so far,
// in the order of seeing.
func (h *hall) asked(t *testing.T, r moothall.QueryRequest) (seen func() []string, end <-chan error) {
	var mu sync.Mutex
	var kinds []string
	done := make(chan error, 1)
	go func() {
		var last error
		for s, err := range h.Query(t.Context(), r) {
			mu.Lock()
			kinds, last = append(kinds, s.Kind), err
			mu.Unlock()
		}
		done <- last
	}()
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(kinds)
	}, done
}

// TestIntentComesFirst asks no model before the intent is durable.
func TestIntentComesFirst(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db")
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		h := open(t, file, func(o *chat.Options) {
			o.Audit = &slowRecord{durable: func(moothall.AuditEntry) error { <-let; return nil }}
		})
		h.model.Script(moottest.Reply{Text: "Paris."})
		_, end := h.asked(t, moothall.QueryRequest{Query: "What is the capital of France?"})
		synctest.Wait()
		if n := len(h.model.Requests()); n != 0 {
			t.Errorf("the model was asked %d times before the intent was durable", n)
		}
		close(let)
		if err := <-end; err != nil || len(h.model.Requests()) != 1 {
			t.Errorf("%v, %d requests", err, len(h.model.Requests()))
		}
		h.Close()
	})
}

// TestNothingIsShownBeforeTheQuestionIsKept lets the model answer, and holds
// the answer back while the database is busy.
func TestNothingIsShownBeforeTheQuestionIsKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "db")
	synctest.Test(t, func(t *testing.T) {
		var db *store.DB
		h := open(t, file, func(o *chat.Options) { db = o.DB })
		h.model.Script(moottest.Reply{Text: "Paris."})
		let, busy := make(chan struct{}), make(chan error, 1)
		go func() { busy <- db.Write(t.Context(), func(*store.Tx) error { <-let; return nil }) }()
		synctest.Wait()
		seen, end := h.asked(t, moothall.QueryRequest{Query: "What is the capital of France?", Session: "s"})
		synctest.Wait()
		if len(h.model.Requests()) != 1 {
			t.Error("the model waited for the database")
		}
		if kinds := seen(); slices.ContainsFunc(kinds, func(k string) bool { return k != "status" }) {
			t.Errorf("shown of a turn that a crash would forget: %v", kinds)
		}
		close(let)
		if err := <-end; err != nil || <-busy != nil {
			t.Error(err)
		}
		if kinds := seen(); kinds[len(kinds)-1] != "final" {
			t.Errorf("seen %v", kinds)
		}
		h.Close()
	})
}

// TestEndThatIsNotOnRecord keeps an answer whose end could not be recorded,
// with a receipt that names no range, and tells the person.
func TestEndThatIsNotOnRecord(t *testing.T) {
	t.Parallel()
	full := moothall.Fail(moothall.CodeExhausted, "append", "the disk is full")
	h := fresh(t, func(o *chat.Options) {
		o.Audit = &slowRecord{durable: func(e moothall.AuditEntry) error {
			if e.Action == moothall.ActionRunEnd {
				return full
			}
			return nil
		}}
	})
	h.model.Script(moottest.Reply{Text: "Paris."})
	_, end := h.asked(t, moothall.QueryRequest{Query: "What is the capital of France?", Session: "s"})
	if err := <-end; moothall.ErrorCode(err) != moothall.CodeExhausted {
		t.Errorf("the person was told %v", err)
	}
	d, err := h.Session(t.Context(), "s")
	if err != nil || len(d.Asked) != 1 || len(d.Asked[0].Answers) != 1 || d.Asked[0].Answers[0].Text != "Paris." {
		t.Fatalf("%+v, %v", d.Asked, err)
	}
	if r := d.Asked[0].Answers[0].Receipt; r.AuditLast != 0 {
		t.Errorf("the receipt names entry %d, which is not there", r.AuditLast)
	}
}
