package daemon

import (
	"context"
	"sync"
	"time"

	"moothall"
	"moothall/internal/library"
	"moothall/internal/memory"
)

// How memory.library may be set.
const (
	libraryAuto = "auto"
	libraryOn   = "on"
	libraryOff  = "off"
)

// shelf is the program's library as the memory looks into it: always, or when
// the model that answers wants things looked up for it.
type shelf struct {
	books *library.Library
	mode  string
	chat  *chatModel
}

// chatModel knows whether the model of chat is one that wants things looked up
// for it, which only a very small one does.
type chatModel struct {
	model moothall.Gateway

	mu    sync.Mutex
	asked time.Time // when the model's card was read last
	wants bool
}

var _ memory.Library = (*shelf)(nil)

// shelfAge is for how long a model's card is taken as it was: its server may
// have to be asked, and a memory has to answer in a moment.
const shelfAge = 10 * time.Second

// shelfPatience is how long is waited for it.
const shelfPatience = time.Second

// Recall returns what fits a question.
func (s *shelf) Recall(ctx context.Context, question string, most int) []moothall.Recall {
	if s.mode != libraryOn && !s.chat.wantsRecall(ctx) {
		return nil
	}
	return s.books.Recall(question, "", "", most)
}

// Entry returns one text, whoever answers: it was shown once.
func (s *shelf) Entry(id moothall.MemoryID) (moothall.MemoryEntry, bool) { return s.books.Entry(id) }

// wantsRecall is false for a model whose card cannot be had: nothing is known
// of it, and nothing is added.
func (s *chatModel) wantsRecall(ctx context.Context) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.asked) < shelfAge {
		return s.wants
	}
	ctx, cancel := context.WithTimeout(ctx, shelfPatience)
	defer cancel()
	card, err := s.model.ShowModel(ctx, moothall.ModelRequest{})
	s.asked, s.wants = time.Now(), err == nil && card.Recall
	return s.wants
}

// libraryFor is the library behind the memories; nil when it is off.
func (h *Hall) libraryFor(chat *chatModel) memory.Library {
	if h.conf.Memory.Library == libraryOff {
		return nil
	}
	return &shelf{books: h.books, mode: h.conf.Memory.Library, chat: chat}
}

// readUp is how much of the library goes with a question.
const readUp = 2

// readLibrary is the library before a question; nil when it is off.
func (h *Hall) readLibrary() func(context.Context, string, string, string) []moothall.Recall {
	if h.conf.Memory.Library == libraryOff {
		return nil
	}
	return func(_ context.Context, question, before, text string) []moothall.Recall {
		return h.books.Recall(question, before, text, readUp)
	}
}
