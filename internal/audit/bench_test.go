package audit

import (
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"moothall"
)

// nowhere takes writes without a disk.
type nowhere struct {
	file
	size int64
}

type nowhereInfo struct {
	os.FileInfo
	size int64
}

func (i nowhereInfo) Size() int64 { return i.size }
func (i nowhereInfo) Sys() any    { return nil }

func (n *nowhere) Write(p []byte) (int, error) {
	n.size += int64(len(p))
	return len(p), nil
}
func (n *nowhere) Sync() error                { return nil }
func (n *nowhere) Stat() (os.FileInfo, error) { return nowhereInfo{size: n.size}, nil }

func benchEntry() moothall.AuditEntry {
	id := moothall.NewID()
	return moothall.AuditEntry{
		Scope: moothall.Scope{
			Session: moothall.SessionID(id), Lineage: moothall.Lineage{moothall.AgentID(id), moothall.AgentID(id)},
		},
		Agent: moothall.AgentID(id), AgentType: "researcher", Action: moothall.ActionToolCall, Tool: "web.fetch",
		Status: moothall.StatusIntent, Call: moothall.CallID(id), Query: moothall.QueryID(id),
		Run: moothall.RunID(id), Rule: "user/allow-web", Params: []byte(`{"url":"https://example.org/a/b/c"}`),
	}
}

func benchLog(b *testing.B, o *Options) (*Log, string) {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "audit")
	l, err := Open(dir, o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { l.Close() })
	return l, dir
}

// BenchmarkAppendCompute is one append without a disk: spelling, hashing,
// checksum, tree, hand-over to the committer and back, heads.
func BenchmarkAppendCompute(b *testing.B) {
	l, _ := benchLog(b, &Options{wrap: func(_ string, f file) file {
		info, err := f.Stat()
		if err != nil {
			b.Fatal(err)
		}
		return &nowhere{file: f, size: info.Size()}
	}})
	face, e := l.For(moothall.ToolBroker), benchEntry()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := face.Append(b.Context(), e); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendDurable is one append after the other, each flushed.
func BenchmarkAppendDurable(b *testing.B) {
	l, _ := benchLog(b, nil)
	face, e := l.For(moothall.ToolBroker), benchEntry()
	for b.Loop() {
		if _, err := face.Append(b.Context(), e); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAppendGroup is 64 callers at once, each append flushed.
func BenchmarkAppendGroup(b *testing.B) {
	l, _ := benchLog(b, nil)
	e := benchEntry()
	var failed atomic.Bool
	b.SetParallelism(32) // times GOMAXPROCS
	b.RunParallel(func(pb *testing.PB) {
		face := l.For(moothall.ToolBroker)
		for pb.Next() {
			if _, err := face.Append(b.Context(), e); err != nil {
				failed.Store(true)
			}
		}
	})
	if failed.Load() {
		b.Fatal("an append failed")
	}
	s := l.Stats()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	b.ReportMetric(float64(s.Entries)/float64(s.Commits+1), "entries/commit")
}

// BenchmarkOpen100k opens a log of 100,000 entries.
func BenchmarkOpen100k(b *testing.B) {
	l, dir := benchLog(b, nil)
	fillLog(b, l, 100_000)
	for b.Loop() {
		l, err := Open(dir, nil)
		if err != nil {
			b.Fatal(err)
		}
		l.Close()
	}
}

// fillLog appends entries in large batches and closes the log.
func fillLog(b *testing.B, l *Log, n int) {
	b.Helper()
	e := benchEntry()
	for range n {
		p, err := l.prepare(moothall.ToolBroker, &e)
		if err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := l.enqueue(p); err == nil {
				break
			} // the queue is full
			if err := l.Seal(b.Context()); err != nil && moothall.ErrorCode(err) != moothall.CodeUnavailable {
				b.Fatal(err)
			}
		}
	}
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
}
