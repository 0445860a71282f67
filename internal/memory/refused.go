package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"moothall"
)

// errRefused says that an entry goes without vectors until its text changes or
// the memory is opened anew.
var errRefused = errors.New("the embedder refuses a text, however short")

// refusedMost is how many texts of a batch an embedder may refuse: from then
// on it is not for the texts.
const refusedMost = 8

// refused reports whether an embedder answered that it does not take a text.
func refused(err error) bool {
	code := moothall.ErrorCode(err)
	return code == moothall.CodeTooLarge || code == moothall.CodeInvalid || code == moothall.CodeUnsupported
}

// fillEach gives entries their vectors one by one, so that a text which is
// refused keeps no other from them.
func (s *Service) fillEach(ctx context.Context, sp *space, list []*Record, before [][]string) error {
	var refusals []error
	for i, r := range list {
		vectors, err := s.embedShorter(ctx, sp, r, before[i])
		switch {
		case refused(err):
			if _, err := s.probe(ctx); err != nil {
				return err // whatever the text
			}
			s.o.Logger.Warn("an embedder refuses an entry", "id", r.Entry.ID, "err", err)
			s.giveUp(sp, r)
			refusals = append(refusals, fmt.Errorf("%w: entry %s: %w", errRefused, r.Entry.ID, err))
		case err != nil:
			return err
		default:
			if err := s.keepVectors(ctx, sp, list[i:i+1], before[i:i+1], vectors); err != nil {
				return err
			}
		}
		if len(refusals) == refusedMost {
			return &moothall.Error{Code: moothall.CodeUnavailable, Op: "embed", Message: "the embedder refuses one text after the other", Err: err}
		}
	}
	return cmp.Or(refusals...)
}

// shortest is the least of a text that is worth a vector.
const shortest = 150

// embedShorter embeds of one entry as much as the embedder takes.
func (s *Service) embedShorter(ctx context.Context, sp *space, r *Record, before []string) (vectors []Vectors, err error) {
	var tried [3]string
	for most := embedded; most > shortest; most /= 2 {
		texts := remoteTexts(r, before, most)
		if texts == tried {
			continue
		}
		if vectors, err = s.embedTexts(ctx, sp, []*Record{r}, texts[:]); !refused(err) {
			break
		}
		tried = texts
	}
	return vectors, err
}

// giveUp notes that an embedder refuses an entry, if it has not been written
// since.
func (s *Service) giveUp(sp *space, r *Record) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if h, ok := s.catalog.head(r.N); ok && h.Print == r.Print {
		sp.refused.Store(r.N, true)
	}
}
