package memory_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
)

// percentiles reports the middle and the 95th of a hundred.
func percentiles(b *testing.B, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	ms := func(p float64) float64 { return float64(took[int(p*float64(len(took)-1))].Microseconds()) / 1000 }
	b.ReportMetric(ms(0.5), "p50-ms")
	b.ReportMetric(ms(0.95), "p95-ms")
}

func BenchmarkWrite(b *testing.B) {
	m := openMemory(b).For(moothall.Person)
	var took []time.Duration
	i := 0
	for b.Loop() {
		i++
		e := moothall.MemoryEntry{Name: fmt.Sprintf("note %d", i), Description: "a note", Corpus: fmt.Sprintf("Note %d says something about the %s.", i, word(i))}
		began := time.Now()
		write(b, m, e)
		took = append(took, time.Since(began))
	}
	percentiles(b, took)
}

func BenchmarkImport(b *testing.B) {
	const n = 4096
	file := lines(n).Bytes()
	var took time.Duration
	rounds := 0
	for b.Loop() {
		m := openMemory(b)
		began := time.Now()
		if got, err := m.Import(b.Context(), moothall.Person, &reader{file}, memory.ImportOptions{}); err != nil || got.Stored != n {
			b.Fatal(got, err)
		}
		took += time.Since(began)
		rounds++
	}
	b.ReportMetric(float64(n*rounds)/took.Seconds(), "entries/s")
}

// reader reads a slice, piece by piece.
type reader struct{ b []byte }

func (r *reader) Read(p []byte) (int, error) {
	n := copy(p, r.b)
	r.b = r.b[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

const (
	many    = 100_000
	benchBy = "bench-768"
)

// largeEngine holds vectors of one embedder; of the built-in one it says that
// none are missing, so that nothing is filled in while it is measured.
type largeEngine struct{ memory.Engine }

func (e largeEngine) Lacking(ctx context.Context, embedder string, after uint64, limit int) ([]uint64, error) {
	if embedder != benchBy {
		return nil, nil
	}
	return e.Engine.Lacking(ctx, embedder, after, limit)
}

func randomVector(r *rand.Rand) []float32 {
	v := make([]float32, 768)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// largeStore fills a store and returns what opens a memory on it. Its index
// files are there.
func largeStore(b *testing.B) (open func() *memory.Service) {
	b.Helper()
	db := openStore(b, b.TempDir()+"/hall.db")
	b.Cleanup(func() { db.Close() })
	e := largeEngine{sqlite.New(db)}
	r := rand.New(rand.NewPCG(1, 2))
	for from := 0; from < many; from += 1000 {
		c := &memory.Change{State: map[string][]byte{"embedder": []byte(benchBy + "\n768")}}
		for i := from; i < from+1000; i++ {
			name := fmt.Sprintf("entry %d about the %s", i, word(i))
			text := fmt.Sprintf("entry %d tells of the %s and of matter%d in year %d", i, word(i), i%5000, 1900+i%120)
			c.Put = append(c.Put, &memory.Record{
				Entry: moothall.MemoryEntry{
					ID: moothall.MemoryID(fmt.Sprint("e-", i)), Kind: moothall.Fact, Name: name, Description: text, Corpus: text,
					Created: noon.Add(-time.Duration(i) * time.Minute), Trust: moothall.TrustPerson, Tags: []string{word(i)},
				},
				Text:    memory.Text{Name: name, Corpus: text},
				Vectors: []memory.Vectors{{Embedder: benchBy, Name: randomVector(r), Description: randomVector(r), Corpus: randomVector(r)}},
			})
		}
		if _, err := e.Apply(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
	began := time.Now()
	embed := func(_ context.Context, q moothall.EmbedRequest) (moothall.Embeddings, error) {
		out := moothall.Embeddings{Embedder: benchBy}
		for _, t := range q.Texts {
			out.Vectors = append(out.Vectors, randomVector(rand.New(rand.NewPCG(uint64(len(t)), uint64(t[len(t)-1])))))
		}
		return out, nil
	}
	dir := b.TempDir()
	set := func(o *memory.Options) { o.Embed, o.Cache.Entries, o.Dir = embed, -1, dir }
	m := openOver(b, e, set)
	b.Logf("opened and built from the store in %v", time.Since(began))
	if err := m.Close(); err != nil {
		b.Fatal(err)
	}
	return func() *memory.Service {
		o := memory.Options{Engine: e, Audit: quietAudit{}}
		set(&o)
		m, err := memory.Open(b.Context(), o)
		if err != nil {
			b.Fatal(err)
		}
		return m
	}
}

// BenchmarkOpen opens a memory of 100,000 entries from its index files: two
// indexes of 768 dimensions, and what is known of each entry.
func BenchmarkOpen(b *testing.B) {
	open := largeStore(b)
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		m := open()
		took = append(took, time.Since(began))
		b.StopTimer()
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
		runtime.GC() // the garbage of one is not the next one's
		b.StartTimer()
	}
	percentiles(b, took)
}

// BenchmarkRecall asks a memory of 100,000 entries, without the cost of
// embedding the query.
func BenchmarkRecall(b *testing.B) {
	large := largeStore(b)()
	defer large.Close()
	m := large.For(moothall.Person)
	for name, q := range map[string]moothall.MemoryQuery{
		"staged":          {Mode: memory.ModeStaged, Rerank: true, Weigh: true},
		"staged-filtered": {Mode: memory.ModeStaged, Tags: []string{"harbour"}},
		"fused":           {Mode: memory.ModeFused},
		"fused-common":    {Mode: memory.ModeFused, Text: "which entry tells of the year and the harbour"},
	} {
		b.Run(name, func(b *testing.B) {
			var took []time.Duration
			i := 0
			for b.Loop() {
				i++
				if name != "fused-common" {
					q.Text = fmt.Sprintf("what is known of matter%d", i%5000)
				}
				began := time.Now()
				if got := recall(b, m, q); len(got) != 5 {
					b.Fatalf("%d results", len(got))
				}
				took = append(took, time.Since(began))
			}
			percentiles(b, took)
		})
	}
}
