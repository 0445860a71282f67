package memory

import (
	"context"
	"slices"
	"strings"

	"moothall"
)

// beside is how many texts of the library stand behind the memories.
const beside = 2

// consult returns what the library has on a query, within its filters. It is
// no memory: it takes no place of one, is not counted, and nobody is told.
func (s *Service) consult(ctx context.Context, q moothall.MemoryQuery) []moothall.Recall {
	if s.o.Library == nil || q.Thread != "" || q.MinTrust == moothall.TrustPerson || !q.Since.IsZero() || !q.Until.IsZero() ||
		len(q.Kinds) > 0 && !slices.Contains(q.Kinds, moothall.Document) {
		return nil
	}
	var out []moothall.Recall
	for _, r := range s.o.Library.Recall(ctx, short(q.Text, 8000), min(beside, or(max(q.Results, 0), beside))) {
		if !admits(q, r.Entry) {
			continue
		}
		// What a model repeats of it is not remembered as its own words.
		s.recent.add(q.Session, 0, r.Segment)
		if !q.Whole {
			r.Entry.Corpus = ""
		}
		out = append(out, r)
	}
	return out
}

// admits reports whether an entry has what a query asks of it.
func admits(q moothall.MemoryQuery, e *moothall.MemoryEntry) bool {
	for _, t := range q.Tags {
		if !slices.Contains(e.Tags, t) {
			return false
		}
	}
	return strings.Contains(strings.ToLower(e.Source), strings.ToLower(strings.TrimSpace(q.Source)))
}

// shelved returns those of some ids that are the library's.
func (s *Service) shelved(l moothall.MemoryList) []moothall.MemoryEntry {
	var out []moothall.MemoryEntry
	if s.o.Library == nil || l.Proposed || l.Session != "" || len(l.Kinds) > 0 && !slices.Contains(l.Kinds, moothall.Document) {
		return nil
	}
	for _, id := range l.IDs {
		if e, ok := s.o.Library.Entry(id); ok && admits(moothall.MemoryQuery{Tags: l.Tags}, &e) {
			out = append(out, e)
		}
	}
	return out
}

// bound reports whether an id is the library's.
func (s *Service) bound(id moothall.MemoryID) bool {
	if s.o.Library == nil || id == "" {
		return false
	}
	_, ok := s.o.Library.Entry(id)
	return ok
}

// unbound refuses to change what is the library's.
func (s *Service) unbound(op string, id moothall.MemoryID) error {
	if !s.bound(id) {
		return nil
	}
	return &moothall.Error{
		Code: moothall.CodeDenied, Op: op, Message: "this text is part of the program and cannot be changed or forgotten",
		Remedy: "set memory.library to off to have none of them",
	}
}
