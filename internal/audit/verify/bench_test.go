package verify_test

import (
	"path/filepath"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/audit/verify"
)

// BenchmarkVerify100k checks a log of 100,000 entries.
func BenchmarkVerify100k(b *testing.B) {
	const workers, each = 200, 500
	dir := filepath.Join(b.TempDir(), "audit")
	l := open(b, dir)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			id := moothall.NewID()
			for i := range each {
				status := []moothall.AuditStatus{moothall.StatusIntent, moothall.StatusOK}[i%2]
				_, err := l.For(moothall.ToolBroker).Append(b.Context(), moothall.AuditEntry{
					Scope: moothall.Scope{
						Session: moothall.SessionID(id), Lineage: moothall.Lineage{moothall.AgentID(id), moothall.AgentID(id)},
					},
					Agent: moothall.AgentID(id), AgentType: "researcher", Action: moothall.ActionToolCall,
					Tool: "web.fetch", Status: status, Call: moothall.CallID(id), Query: moothall.QueryID(id),
					Run: moothall.RunID(id), Rule: "user/allow-web", Params: []byte(`{"url":"https://example.org"}`),
				})
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	l.Close()
	for b.Loop() {
		r, err := verify.Dir(b.Context(), dir, nil)
		if err != nil || !r.OK || r.Entries != 1+workers*each {
			b.Fatalf("%+v %v", r, err)
		}
	}
}
