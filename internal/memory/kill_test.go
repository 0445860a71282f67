package memory_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/moottest"
	"moothall/internal/moottest/killtest"
	"moothall/internal/store"
)

const imported = 1500

// killPoints are how often a process is killed in writes, imports and changes
// of embedder, a third each, and in migrations. The race detector makes the
// processes slow and finds nothing across them.
func killPoints() (work, migrations int) {
	if testing.Short() || moottest.Race {
		return 6, 3
	}
	return 36, 14
}

// beKilled works on a home, says what is done, and never ends by itself.
func beKilled(args []string) error {
	ctx, dir, work, round := context.Background(), args[0], args[1], args[2]
	if work == "migrate" {
		return migrateSlowly(ctx, dir)
	}
	db, err := store.Open(ctx, filepath.Join(dir, "hall.db"), &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
	if err != nil {
		return err
	}
	g := &gateway{name: "embedder-" + round, dim: 64}
	o := memory.Options{Engine: sqlite.New(db), Audit: quietAudit{}, Dir: dir}
	if work == "reindex" {
		o.Embed = g.embed
	}
	m, err := memory.Open(ctx, o)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for i := 0; ; i++ {
		if err := workOnce(ctx, m, work, round, i); err != nil {
			return err
		}
	}
}

func workOnce(ctx context.Context, m *memory.Service, work, round string, i int) error {
	switch work {
	case "write":
		text := fmt.Sprintf("Round %s wrote note %d about the %s.", round, i, word(i))
		e, err := m.For(moothall.Person).Write(ctx, moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "note", Corpus: text}})
		if err == nil {
			fmt.Println("done", e.ID)
		}
		return err
	case "import":
		_, err := m.Import(ctx, moothall.Person, strings.NewReader(lines(imported).String()), memory.ImportOptions{
			Progress: func(p moothall.Progress) { fmt.Println("done", p.Done) },
		})
		return err
	default:
		return m.Reindex(ctx, func(p moothall.Progress) { fmt.Println("done", p.Done) })
	}
}

// workAndKill lets a process work and kills it after some of its lines.
func workAndKill(t *testing.T, dir, work string, round, after int) []string {
	t.Helper()
	return killtest.Child{Args: []string{dir, work, fmt.Sprint(round)}, After: after}.Run(t)
}

// TestKill kills a process in the middle of writes, imports and changes of
// embedder, again and again on one home. Everything acknowledged is there
// once, and everything can be found.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var acked []string
	kills, _ := killPoints()
	for round := range kills {
		switch round % 3 {
		case 0:
			acked = append(acked, workAndKill(t, dir, "write", round, 1+rand.IntN(12))...) // the first line is no entry
		case 1:
			workAndKill(t, dir, "import", round, rand.IntN(3))
		default:
			workAndKill(t, dir, "reindex", round, 1+rand.IntN(6))
		}
	}
	h := &home{t: t, dir: dir}
	h.open()
	defer h.close()
	if got, err := h.mem.Import(t.Context(), moothall.Person, lines(imported), memory.ImportOptions{}); err != nil || got.Stored+got.Unchanged != imported {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := h.mem.Reindex(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	checkKilled(t, h, acked)
}

func checkKilled(t *testing.T, h *home, acked []string) {
	t.Helper()
	ids, texts := map[moothall.MemoryID]bool{}, map[string]bool{}
	mine := h.mem.For(moothall.Person)
	for _, e := range list(t, mine, moothall.MemoryList{}) {
		if ids[e.ID] || texts[e.Corpus] {
			t.Errorf("%s is there twice", e.Corpus)
		}
		ids[e.ID], texts[e.Corpus] = true, true
	}
	for _, id := range acked {
		if !ids[moothall.MemoryID(id)] {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	for i := range imported {
		if id := fmt.Sprintf("m-%d", i); !ids[moothall.MemoryID(id)] {
			t.Errorf("%s was imported and is lost", id)
		}
	}
	if s := stats(t, h.mem); s.Entries != int64(len(ids)) || s.Embedders[0].Entries != len(ids) {
		t.Errorf("%d entries: %+v", len(ids), s)
	}
	if len(acked) == 0 {
		t.Error("nothing was acknowledged")
	}
	got := recall(t, mine, moothall.MemoryQuery{Text: "topic1234", Mode: memory.ModeFused, Results: 1})
	if len(got) != 1 || got[0].Entry.ID != "m-1234" {
		t.Errorf("recalled %v", results(got))
	}
}
