package chroma

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"

	"moothall"
)

// step is one part of a change. It can be repeated.
type step struct {
	Do string `json:"do"` // upsert, update, delete, drop
	At string `json:"at"` // the collection
	batch
}

// run carries a step out.
func (c *client) run(ctx context.Context, s step) error {
	switch s.Do {
	case "drop":
		return c.drop(ctx, s.At)
	case "upsert", "update", "delete":
		return c.to(ctx, s.At, s.Do, s.batch, nil)
	}
	return moothall.Fail(moothall.CodeCorrupt, "carry out change", "a change that was begun cannot be read")
}

const (
	maxBatch  = 200     // records in a step
	maxIntent = 4 << 20 // bytes in one record of an intent
	headID    = "head"
)

// split parts a step so that no request is too large.
func (s step) split() []step {
	var out []step
	for lo := 0; lo < len(s.IDs); lo += maxBatch {
		hi := min(lo+maxBatch, len(s.IDs))
		part := step{Do: s.Do, At: s.At, batch: batch{IDs: s.IDs[lo:hi]}}
		if s.Embeddings != nil {
			part.Embeddings = s.Embeddings[lo:hi]
		}
		if s.Metadatas != nil {
			part.Metadatas = s.Metadatas[lo:hi]
		}
		if s.Documents != nil {
			part.Documents = s.Documents[lo:hi]
		}
		out = append(out, part)
	}
	return out
}

// one reports whether the steps are a single record of one collection, which
// Chroma writes as a whole.
func one(steps []step) bool {
	return len(steps) == 1 && len(steps[0].IDs) == 1
}

// pack writes steps in pieces that are small enough for a record each.
func pack(steps []step) ([]string, error) {
	var out []string
	var piece []step
	size := 0
	flush := func() error {
		text, err := json.Marshal(piece)
		if err != nil {
			return &moothall.Error{Code: moothall.CodeInvalid, Op: "write intent", Message: "the change cannot be written", Err: err}
		}
		out, piece, size = append(out, string(text)), nil, 0
		return nil
	}
	for _, s := range steps {
		piece = append(piece, s)
		if size += s.weight(); size > maxIntent {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if len(piece) > 0 {
		if err := flush(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s step) weight() (n int) {
	for _, list := range [][]string{s.IDs, s.Embeddings, s.Documents} {
		for _, text := range list {
			n += len(text)
		}
	}
	for _, m := range s.Metadatas {
		for _, v := range m {
			text, _ := v.(string)
			n += len(text) + 16
		}
	}
	return n
}

// commit writes the pieces down; the last request is what makes the change.
// It returns the ids of what is to be deleted afterwards, the head first.
func (e *Engine) commit(ctx context.Context, pieces []string) ([]string, error) {
	ids := []string{headID}
	token := rand.Text()
	for i, piece := range pieces[1:] {
		id := fmt.Sprint(token, ".", i)
		ids = append(ids, id)
		if err := e.c.to(ctx, e.intents, "upsert", single(id, map[string]any{"steps": piece}), nil); err != nil {
			return nil, err
		}
	}
	more, err := json.Marshal(ids[1:])
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "write intent", Err: err}
	}
	return ids, e.c.to(ctx, e.intents, "upsert", single(headID, map[string]any{"steps": pieces[0], "more": string(more)}), nil)
}

// single is a batch of one record without an embedding of its own.
func single(id string, meta map[string]any) batch {
	return batch{IDs: []string{id}, Embeddings: []string{nowhere(0)}, Metadatas: []map[string]any{meta}}
}

// finish deletes an intent that was carried out: the head first, since pieces
// without one mean nothing.
func (e *Engine) finish(ctx context.Context, ids []string) error {
	if err := e.c.to(ctx, e.intents, "delete", batch{IDs: ids[:1]}, nil); err != nil || len(ids) == 1 {
		return err
	}
	return e.c.to(ctx, e.intents, "delete", batch{IDs: ids[1:]}, nil)
}

// recover carries out an intent that is there, and sweeps pieces of one that
// was never completed.
func (e *Engine) recover(ctx context.Context) (found bool, err error) {
	all, err := e.page(ctx, e.intents, "metadatas")
	if err != nil {
		return false, err
	}
	pieces := map[string]map[string]string{}
	for i, id := range all.IDs {
		pieces[id] = all.Metadatas[i]
	}
	head, found := pieces[headID]
	ids := []string{headID}
	if found {
		var more []string
		if err := json.Unmarshal([]byte(head["more"]), &more); err != nil {
			return true, damagedIntent(err)
		}
		for _, id := range append(ids, more...) {
			if err := e.replay(ctx, pieces[id]["steps"]); err != nil {
				return true, err
			}
		}
	}
	for _, id := range all.IDs {
		if id != headID {
			ids = append(ids, id)
		}
	}
	if len(all.IDs) == 0 {
		return false, nil
	}
	return found, e.finish(ctx, ids)
}

func (e *Engine) replay(ctx context.Context, text string) error {
	var steps []step
	if err := json.Unmarshal([]byte(text), &steps); err != nil {
		return damagedIntent(err)
	}
	for _, s := range steps {
		if err := e.c.run(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func damagedIntent(err error) error {
	return &moothall.Error{Code: moothall.CodeCorrupt, Op: "carry out change", Message: "a change that was begun cannot be read", Err: err}
}

// page reads a whole collection.
func (e *Engine) page(ctx context.Context, name string, include ...string) (*answer, error) {
	const size = 500
	var out answer
	seen := map[string]bool{}
	for {
		a, err := e.c.get(ctx, name, question{Limit: size, Offset: len(out.IDs), Include: include})
		if err != nil {
			return nil, err
		}
		for _, id := range a.IDs {
			if seen[id] {
				return nil, damaged(nil) // or it would never end
			}
			seen[id] = true
		}
		out.IDs = append(out.IDs, a.IDs...)
		out.Metadatas = append(out.Metadatas, a.Metadatas...)
		if len(a.IDs) < size {
			return &out, nil
		}
	}
}
