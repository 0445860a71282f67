//go:build duckdb

package duckdb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/duckdb"
	"moothall/internal/memory/enginetest"
	"moothall/internal/memory/sqlite"
	"moothall/internal/store"
)

// options names the vss extension where the one who runs the tests has it.
func options() *duckdb.Options { return &duckdb.Options{VSS: os.Getenv("MOOTHALL_TEST_VSS")} }

func open(t testing.TB, path string) *duckdb.Engine {
	t.Helper()
	e, err := duckdb.Open(context.Background(), path, options())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func fresh(t testing.TB) *duckdb.Engine {
	t.Helper()
	e := open(t, filepath.Join(t.TempDir(), "hall.duckdb"))
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func TestContract(t *testing.T) {
	t.Parallel()
	enginetest.Test(t, func(t *testing.T) memory.Engine { return fresh(t) })
}

func record(id string, base float32) *memory.Record {
	return &memory.Record{
		Entry:   moothall.MemoryEntry{ID: moothall.MemoryID(id), Kind: moothall.Fact, Trust: moothall.TrustPerson, Name: id},
		Text:    memory.Text{Name: id, Corpus: "harbour"},
		Vectors: []memory.Vectors{{Embedder: "m", Name: []float32{base, 1, 0}, Description: []float32{1, base, 0}, Corpus: []float32{base, base, 1}}},
	}
}

func TestReopen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "it's a hall.duckdb")
	e := open(t, path)
	if _, err := e.Apply(t.Context(), &memory.Change{Once: "x", Put: []*memory.Record{record("a", 1), record("b", 2)}, Delete: []moothall.MemoryID{"a"}}); err != nil {
		t.Fatal(err)
	}
	before, err := e.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open(t, path)
	defer e.Close()
	after, err := e.Version(t.Context())
	if err != nil || after != before {
		t.Errorf("version %d, %v; want %d", after, err, before)
	}
	got, err := e.Get(t.Context(), []moothall.MemoryID{"a", "b"})
	if err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if again, err := e.Apply(t.Context(), &memory.Change{Once: "x"}); again || err != nil {
		t.Errorf("done again: %v, %v", again, err)
	}
	c := record("c", 3)
	if _, err := e.Apply(t.Context(), &memory.Change{Put: []*memory.Record{c}}); err != nil || c.N != 3 {
		t.Errorf("place %d, %v", c.N, err)
	}
}

// TestCrash kills a process that writes, and looks for what it had been told
// is written.
func TestCrash(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.duckdb")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWriter$")
	cmd.Env = append(os.Environ(), "MOOTHALL_TEST_WRITER="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged := -1
	for acknowledged < 40 {
		if _, err := fmt.Fscanf(out, "wrote %d\n", &acknowledged); err != nil {
			t.Fatal(err)
		}
	}
	if other, err := duckdb.Open(t.Context(), path, nil); moothall.ErrorCode(err) != moothall.CodeConflict || moothall.ErrorRemedy(err) == "" {
		t.Errorf("a second process: %v, %v", other, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	e := open(t, path)
	defer e.Close()
	records, _, err := e.Count(t.Context())
	if err != nil || records < 2*int64(acknowledged+1) || records%2 != 0 {
		t.Errorf("%d records, %v; %d pairs were acknowledged", records, err, acknowledged+1)
	}
	found, err := e.Search(t.Context(), memory.TextQuery{Words: []string{"harbour"}, Limit: 10000})
	if err != nil || int64(len(found)) != records {
		t.Errorf("%d are found, %v", len(found), err)
	}
}

// TestWriter is the process of TestCrash.
func TestWriter(t *testing.T) {
	path := os.Getenv("MOOTHALL_TEST_WRITER")
	if path == "" {
		return // run as a test of its own there is nothing to write
	}
	e := open(t, path)
	for i := range 100000 {
		c := memory.Change{Put: []*memory.Record{record(fmt.Sprint("a", i), 1), record(fmt.Sprint("b", i), 2)}}
		if _, err := e.Apply(t.Context(), &c); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("wrote %d\n", i)
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	damaged := filepath.Join(t.TempDir(), "damaged.duckdb")
	if err := os.WriteFile(damaged, slices.Repeat([]byte("not a database "), 2000), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]moothall.Code{damaged: moothall.CodeCorrupt, "": moothall.CodeInvalid, "a?b": moothall.CodeInvalid} {
		e, err := duckdb.Open(t.Context(), path, nil)
		if moothall.ErrorCode(err) != want || moothall.ErrorRemedy(err) == "" {
			t.Errorf("%s: %v, %v", path, e, err)
		}
	}
}

// Entries move here and back to the default engine without a change.
func TestMove(t *testing.T) {
	t.Parallel()
	local := func() memory.Engine {
		db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hall.db"), &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return sqlite.New(db)
	}
	first, there, last := local(), fresh(t), local()
	var list []*memory.Record
	for i := range 300 {
		r := record(fmt.Sprint("r", i), float32(i))
		r.Proposed, r.Entry.Corpus = i%10 == 0, fmt.Sprint("words ", i)
		list = append(list, r)
	}
	if _, err := first.Apply(t.Context(), &memory.Change{Put: list}); err != nil {
		t.Fatal(err)
	}
	for _, way := range [][2]memory.Engine{{first, there}, {there, last}} {
		if _, err := memory.Move(t.Context(), way[0], way[1], nil); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := content(t, last), content(t, first); got != want {
		t.Errorf("got\n%.600s\nwant\n%.600s", got, want)
	}
}

// content says what an engine holds, as a text to compare.
func content(t *testing.T, e memory.Engine) string {
	t.Helper()
	var b strings.Builder
	for r, err := range e.Scan(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, r)
	}
	for v, err := range e.Vectors(t.Context(), "m") {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, v)
	}
	return b.String()
}

func TestNearest(t *testing.T) {
	t.Parallel()
	e := fresh(t)
	if want := options().VSS != ""; (e.Nearness() == "hnsw") != want && want {
		t.Fatalf("the extension was given, but vectors are compared %s", e.Nearness())
	}
	random := rand.New(rand.NewPCG(1, 2))
	dice := func() []float32 {
		v := make([]float32, 24)
		for i := range v {
			v[i] = float32(random.NormFloat64())
		}
		return v
	}
	var list []*memory.Record
	for i := range 300 {
		r := record(fmt.Sprint("r", i), 0)
		r.Vectors = []memory.Vectors{{Embedder: "m", Name: dice(), Description: dice(), Corpus: dice()}}
		list = append(list, r)
	}
	if _, err := e.Apply(t.Context(), &memory.Change{Put: list}); err != nil {
		t.Fatal(err)
	}
	first := func(v []float32) uint64 {
		t.Helper()
		got, err := e.Nearest(t.Context(), "m", duckdb.ByDescription, v, 3)
		if err != nil || len(got) != 3 || got[0].Score < got[2].Score {
			t.Fatalf("%v, %v", got, err)
		}
		return got[0].N
	}
	for _, r := range list[:20] {
		if got := first(r.Vectors[0].Description); got != r.N {
			t.Errorf("got %d, want %d", got, r.N)
		}
	}
	// Changes are followed.
	gone, moved := list[0], list[1]
	to := dice()
	if _, err := e.Apply(t.Context(), &memory.Change{Delete: []moothall.MemoryID{gone.Entry.ID}, Vectors: []memory.Vectors{{N: moved.N, Embedder: "m", Name: to, Description: to, Corpus: to}}}); err != nil {
		t.Fatal(err)
	}
	if got := first(gone.Vectors[0].Description); got == gone.N {
		t.Error("a deleted entry is found")
	}
	if got := first(to); got != moved.N {
		t.Errorf("got %d, want %d", got, moved.N)
	}
	if _, err := e.Nearest(t.Context(), "m", "corpus; DROP TABLE x", to, 3); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("an unknown field: %v", err)
	}
	if got, err := e.Nearest(t.Context(), "m", duckdb.ByName, []float32{1, 2}, 3); len(got) != 0 || err != nil {
		t.Errorf("another length: %v, %v", got, err)
	}
}
