package web

import "sync/atomic"

// stats are counted where things happen and read by Stats.
type stats struct {
	requests, refused, lapped atomic.Uint64
	listeners                 atomic.Int64
}

// Stats is a snapshot of the server's counters.
type Stats struct {
	Requests  uint64 // all that arrived
	Refused   uint64 // turned away by the guard
	Lapped    uint64 // listeners that had to catch up from the bus
	Listeners int64  // open streams of events
}

// Stats returns the counters now.
func (s *Server) Stats() Stats {
	return Stats{
		Requests: s.stats.requests.Load(), Refused: s.stats.refused.Load(),
		Lapped: s.stats.lapped.Load(), Listeners: s.stats.listeners.Load(),
	}
}
