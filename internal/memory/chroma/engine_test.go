package chroma_test

import (
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/chroma"
	"moothall/internal/memory/enginetest"
	"moothall/internal/memory/sqlite"
	"moothall/internal/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// servers runs a test against the fake, and with the tag integration also
// against a real server.
func servers(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("fake", func(t *testing.T) { t.Parallel(); test(t, newFake(t)) })
	real(t, test)
}

func open(t testing.TB, url, hall string) *chroma.Engine {
	t.Helper()
	e, err := chroma.Open(t.Context(), chroma.Options{URL: url, Hall: hall})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestContract(t *testing.T) {
	t.Parallel()
	servers(t, func(t *testing.T, url string) {
		enginetest.Test(t, func(t *testing.T) memory.Engine { return open(t, url, rand.Text()) })
	})
}

func record(id string, base float32) *memory.Record {
	return &memory.Record{
		Entry:   moothall.MemoryEntry{ID: moothall.MemoryID(id), Kind: moothall.Fact, Trust: moothall.TrustPerson, Name: id, Corpus: "of " + id},
		Text:    memory.Text{Name: id, Corpus: "harbour"},
		Vectors: []memory.Vectors{{Embedder: "m", Name: []float32{base, 1, 0}, Description: []float32{1, base, 0}, Corpus: []float32{base, base, 1}}},
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
		fmt.Fprintln(&b, r.N, r.Entry.ID, r.Entry.Corpus, r.Entry.Tags, r.Entry.Accesses)
	}
	for v, err := range e.Vectors(t.Context(), "m") {
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&b, v)
	}
	found, err := e.Search(t.Context(), memory.TextQuery{Words: []string{"harbour", "quay"}, Limit: 99})
	if err != nil {
		t.Fatal(err)
	}
	state, err := e.State(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	version, err := e.Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(&b, "%.4v %q %d", found, state, version)
	return b.String()
}

// change does something of everything.
func change() *memory.Change {
	c := &memory.Change{
		Once: "x", Delete: []moothall.MemoryID{"b"}, State: map[string][]byte{"k": []byte("new")},
		Put: []*memory.Record{record("c", 3), record("a", 4)}, Hold: []memory.Held{{Event: "e", Query: "q"}},
	}
	c.Put[1].Entry.Corpus, c.Put[1].Text.Corpus = "changed", "quay"
	return c
}

// TestCuts cuts the connection at every request of a change, before and after
// the server has done it, for good and for a moment: what is stored is always
// the old state or the new one, and what Apply said is true.
func TestCuts(t *testing.T) {
	t.Parallel()
	servers(t, func(t *testing.T, url string) {
		for _, after := range []bool{false, true} {
			for _, forNow := range []bool{false, true} {
				t.Run(fmt.Sprintf("after %v, for now %v", after, forNow), func(t *testing.T) {
					cuts := 0
					for at := int64(1); cut(t, url, at, after, forNow); at++ {
						cuts++
					}
					if cuts < 6 {
						t.Errorf("only %d requests were cut", cuts)
					}
				})
			}
		}
	})
}

// cut tries one point; it returns false when the change has no such request.
func cut(t *testing.T, url string, at int64, after, forNow bool) bool {
	t.Helper()
	hall := rand.Text()
	p, through := newProxy(t, url)
	e := open(t, through, hall)
	if _, err := e.Apply(t.Context(), &memory.Change{Put: []*memory.Record{record("a", 1), record("b", 2)}, State: map[string][]byte{"k": []byte("old")}}); err != nil {
		t.Fatal(err)
	}
	before := content(t, e)
	p.after.Store(after)
	p.forNow.Store(forNow)
	p.count.Store(0)
	p.fail.Store(at)
	done, err := e.Apply(t.Context(), change())
	reached := p.count.Load() >= at
	if err != nil && !done && moothall.ErrorCode(err) != moothall.CodeUnavailable {
		t.Errorf("cut %d: %v", at, err)
	}
	p.fail.Store(0)
	again := open(t, url, hall)
	got := content(t, again)
	if done && got == before {
		t.Errorf("cut %d: it was said to be made, but is not", at)
	}
	// One that failed may have been made all the same. Trying again tells.
	second, err := again.Apply(t.Context(), change())
	if err != nil || second != (got == before) {
		t.Errorf("cut %d: the second time %v, %v; made the first time: %v", at, second, err, got != before)
	}
	end := content(t, again)
	if got != before && got != end {
		t.Errorf("cut %d: a part was made:\n%s\nthe whole is\n%s", at, got, end)
	}
	if !strings.Contains(end, "1 a changed") || !strings.Contains(end, `"new"`) || strings.Contains(end, " b ") {
		t.Errorf("cut %d: in the end there is\n%s", at, end)
	}
	// The first engine notices that it is not the writer any more.
	if _, err := e.Apply(t.Context(), &memory.Change{State: map[string][]byte{"k": []byte("late")}}); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("cut %d: the engine before: %v", at, err)
	}
	return reached
}

func TestReopen(t *testing.T) {
	t.Parallel()
	servers(t, func(t *testing.T, url string) {
		hall := rand.Text()
		e := open(t, url, hall)
		if _, err := e.Apply(t.Context(), &memory.Change{Put: []*memory.Record{record("a", 1)}}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Apply(t.Context(), change()); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Apply(t.Context(), &memory.Change{Touch: []memory.Touch{{N: 1, Count: 5, At: time.Now()}}}); err != nil {
			t.Fatal(err)
		}
		want := content(t, e)
		again := open(t, url, hall)
		if got := content(t, again); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if held, err := again.Held(t.Context(), "q"); err != nil || len(held) != 1 {
			t.Errorf("held %v, %v", held, err)
		}
	})
}

// A change of many records is written down in several pieces.
func TestLarge(t *testing.T) {
	t.Parallel()
	servers(t, func(t *testing.T, url string) {
		e := open(t, url, rand.Text())
		var list []*memory.Record
		for i := range 700 {
			r := record(fmt.Sprint("r", i), float32(i))
			r.Entry.Corpus = strings.Repeat("x", 12000)
			list = append(list, r)
		}
		if _, err := e.Apply(t.Context(), &memory.Change{Put: list}); err != nil {
			t.Fatal(err)
		}
		records, _, err := e.Count(t.Context())
		if err != nil || records != 700 {
			t.Errorf("%d, %v", records, err)
		}
		n := uint64(0)
		for v, err := range e.Vectors(t.Context(), "m") {
			n++
			if err != nil || v.N != n || v.Name[0] != float32(n-1) {
				t.Fatalf("%v, %v", v, err)
			}
		}
		if n != 700 {
			t.Errorf("%d vectors", n)
		}
	})
}

// Entries move here and back to the default engine without a change.
func TestMove(t *testing.T) {
	t.Parallel()
	servers(t, func(t *testing.T, url string) {
		local := func() memory.Engine {
			db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hall.db"), &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			return sqlite.New(db)
		}
		first, there, last := local(), open(t, url, rand.Text()), local()
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
		if got, want := strip(content(t, last)), strip(content(t, first)); got != want {
			t.Errorf("got\n%.600s\nwant\n%.600s", got, want)
		}
	})
}

// strip takes the words and the version off: records of this test have words
// that the service would not give them.
func strip(content string) string { return content[:strings.LastIndex(content, "\n")] }

func TestRefuses(t *testing.T) {
	t.Parallel()
	answer := func(status int, text string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			fmt.Fprint(w, text)
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	silent, err := net.Listen("tcp", "127.0.0.1:0") // answers nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for url, want := range map[string]moothall.Code{
		"":                                 moothall.CodeInvalid,
		"ftp://127.0.0.1":                  moothall.CodeInvalid,
		"http://" + silent.Addr().String(): moothall.CodeUnavailable,
		"http://" + closed.Addr().String(): moothall.CodeUnavailable,
		answer(200, "<html>"):              moothall.CodeUnavailable,
		answer(503, "{}"):                  moothall.CodeUnavailable,
		answer(401, "{}"):                  moothall.CodeDenied,
		answer(302, "{}"):                  moothall.CodeInternal,
	} {
		o := chroma.Options{URL: url}
		if strings.Contains(url, silent.Addr().String()) {
			o.Timeout = 300 * time.Millisecond
		}
		_, err := chroma.Open(t.Context(), o)
		if moothall.ErrorCode(err) != want || want != moothall.CodeInternal && moothall.ErrorRemedy(err) == "" {
			t.Errorf("%q: %v, want %s", url, err, want)
		}
	}
	if _, err := chroma.Open(t.Context(), chroma.Options{URL: "http://127.0.0.1:1", Hall: "../x"}); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("a hall with a path: %v", err)
	}
}

// FuzzAnswer lets a server answer anything: no crash, and an error with a code.
func FuzzAnswer(f *testing.F) {
	f.Add(`{"id":"x","ids":["head"],"metadatas":[{"steps":"[]","more":"[]"}]}`)
	f.Add(`{"id":"x","ids":["1"],"metadatas":[{"record":"{}","text":"{}","accesses":"1","accessed":"0"}]}`)
	f.Add(`{"id":"x","ids":["slot/1"],"metadatas":[{"value":"{\"name\":\"m\"}"}]}`)
	f.Add(`{"id":"x","ids":["1","2"],"metadatas":[null]}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := chroma.OpenAnswer(t.Context(), text)
		if err == nil {
			e.Close()
		}
	})
}
