package rpc_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/rpc"
)

// tally is a service that does next to nothing, so that what is measured is
// the way to it.
type tally struct{ n atomic.Uint64 }

func (t *tally) Append(_ context.Context, entries ...moothall.AuditEntry) (uint64, error) {
	for _, e := range entries {
		if err := e.Validate(); err != nil {
			return 0, err
		}
	}
	return t.n.Add(1), nil
}

// BenchmarkUnary appends one entry of the audit record.
func BenchmarkUnary(b *testing.B) {
	for _, over := range transports() {
		b.Run(string(over), func(b *testing.B) {
			n := uint64(0)
			a := got[moothall.Audit](b)(start(b, over, rpc.Offers{Audit: func(moothall.Identity) moothall.Audit { return &tally{} }}, nil).peer(b, moothall.Hall).Audit())
			e := entry()
			e.Params = []byte(`{"path":"notes/today.md"}`)
			b.ReportAllocs()
			for b.Loop() {
				index, err := a.Append(b.Context(), e)
				if err != nil || index < n {
					b.Fatal(index, err)
				}
				n = index
			}
		})
	}
}

// BenchmarkStream reads an answer of 256 chunks; the figure is for all.
func BenchmarkStream(b *testing.B) {
	text := strings.Repeat("sixteen bytes ok", 256)
	for _, over := range transports() {
		b.Run(string(over), func(b *testing.B) {
			g := moottest.NewGateway()
			g.ChunkSize = 16
			gateway := got[moothall.Gateway](b)(start(b, over, rpc.Offers{Gateway: g.For}, nil).peer(b, moothall.Hall).Gateway())
			b.ReportAllocs()
			for b.Loop() {
				g.Script(moottest.Reply{Text: text})
				chunks := 0
				for _, err := range gateway.Generate(b.Context(), moothall.GenerateRequest{}) {
					if err != nil {
						b.Fatal(err)
					}
					chunks++
				}
				if chunks != 257 {
					b.Fatal(chunks)
				}
			}
		})
	}
}
