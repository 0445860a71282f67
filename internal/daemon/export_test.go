package daemon

import (
	"context"

	"moothall"
	"moothall/internal/store"
)

// Peer lets tests act as a participant.
func (h *Hall) Audit(as moothall.Identity) (moothall.Audit, error) { return h.peer(as).Audit() }

// Publish lets tests publish as a participant.
func (h *Hall) Publish(ctx context.Context, as moothall.Identity, e moothall.Event) (uint64, error) {
	p, err := h.bus.As(as)
	if err != nil {
		return 0, err
	}
	return p.Publish(ctx, e)
}

// At lets tests read the bus's record.
func (h *Hall) At(ctx context.Context, seq uint64) (moothall.Event, error) {
	p, err := h.bus.As(moothall.Hall)
	if err != nil {
		return moothall.Event{}, err
	}
	return p.At(ctx, seq)
}

// DB lets tests use the database.
func (h *Hall) DB() *store.DB { return h.db }

// OllamaURL is exported for its table test.
var OllamaURL = ollamaURL
