package memory_test

import (
	"context"
	"iter"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/moottest"
)

// interrupted is a model that somebody does something beside.
type interrupted struct {
	moothall.Model
	by func()
}

func (i interrupted) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	i.by()
	return i.Model.Generate(ctx, r)
}

// TestForgottenMeanwhile: what is made from an entry is not stored when the entry
// is forgotten before it is, while a model reads for example.
func TestForgottenMeanwhile(t *testing.T) {
	t.Parallel()
	secret := moothall.MemoryEntry{Name: "safe", Description: "the safe", Corpus: "The safe opens with 4711."}
	for _, before := range []bool{false, true} {
		var m moothall.Memory
		var source moothall.MemoryEntry
		forget := func() {
			t.Helper()
			if _, err := m.Forget(t.Context(), ctxScope, source.ID); err != nil && !before {
				t.Error(err)
			}
		}
		service := openMemory(t, func(o *memory.Options) { o.Model = interrupted{moottest.NewGateway(moottest.Reply{Text: "?"}), forget} })
		m = service.For(moothall.Person)
		source = write(t, m, secret)
		a := answer("q", "You open it with four, seven and twice one.")
		a.Recalls = recall(t, m, moothall.MemoryQuery{Scope: ctxScope, Text: "how does the safe open"})
		if len(a.Recalls) != 1 {
			t.Fatalf("recalled %v", results(a.Recalls))
		}
		if before {
			forget()
		}
		wantCode(t, service.Ingest(t.Context(), event(t, moothall.SubjectResponseGeneration, "q", a)), "")
		if got := list(t, m, moothall.MemoryList{}); len(got) != 0 {
			t.Errorf("forgotten before the answer was read %v: %q was stored", before, got[0].Corpus)
		}
		source = write(t, m, secret)
		_, err := m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Corpus: "It opens with four, seven and twice one."}, From: []moothall.MemoryID{source.ID}})
		wantCode(t, err, moothall.CodeNotFound)
		if got := list(t, m, moothall.MemoryList{}); len(got) != 0 {
			t.Errorf("%q was stored", got[0].Corpus)
		}
	}
}

// TestMadeFromAPart: what was made from a part is forgotten with the whole, also
// when the whole has been written anew since and has no such part any more.
func TestMadeFromAPart(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	log := write(t, m, moothall.MemoryEntry{
		Kind: moothall.Document, Name: "boat log", Corpus: strings.Repeat("The hull was painted in spring. ", 300) + "The spare key hangs behind the mirror.",
	})
	a := answer("q", "Look behind the mirror for it.")
	a.Recalls = recall(t, m, moothall.MemoryQuery{Scope: ctxScope, Text: "where does the spare key hang?", Mode: memory.ModeFused, Results: 1})
	part := a.Recalls[0].Entry.ID
	if part == log.ID {
		t.Fatal("the whole was recalled")
	}
	wantCode(t, service.Ingest(t.Context(), event(t, moothall.SubjectResponseGeneration, "q", a)), "")
	note := write(t, m, moothall.MemoryEntry{Name: "key", Corpus: "Behind the mirror."}, part)
	log.Corpus = "Sold."
	write(t, m, log)
	if got := list(t, m, moothall.MemoryList{}); len(got) != 3 {
		t.Fatalf("%d entries, want the log, the turn and the note", len(got))
	}
	gone, err := m.Forget(t.Context(), ctxScope, log.ID)
	wantCode(t, err, "")
	if got := list(t, m, moothall.MemoryList{}); len(got) != 0 || !contains(gone, note.ID) {
		t.Errorf("forgot %v, %+v stays", gone, got)
	}
}
