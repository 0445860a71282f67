package nn

import (
	"context"
	"slices"

	"moothall"
)

// Context is one sequence: its tokens, and what the network made of them. It
// is not safe for concurrent use.
type Context struct {
	model  *Model
	tokens []int32
	pages  []*page
	logits []float32
}

// NewContext returns an empty sequence.
func (m *Model) NewContext() *Context { return &Context{model: m} }

// Len returns how many tokens there are.
func (c *Context) Len() int { return len(c.tokens) }

// Tokens returns the tokens fed so far, valid until the next change. The
// caller must not change them.
func (c *Context) Tokens() []int32 { return c.tokens }

// Bytes returns how much memory the keys and values take, those that are
// shared with others included.
func (c *Context) Bytes() int64 { return int64(len(c.pages)) * c.model.pageBytes() }

func (m *Model) pageBytes() int64 { return 2 * int64(m.config.pageSize()) }

// Truncate forgets all tokens but the first n. It does nothing when there are
// no more than n.
func (c *Context) Truncate(n int) {
	n = max(n, 0)
	if n >= len(c.tokens) {
		return
	}
	c.tokens = c.tokens[:n]
	keep := (n + pageLen - 1) / pageLen
	clear(c.pages[keep:])
	c.pages = c.pages[:keep]
}

// Fork returns a sequence of the same tokens that goes its own way from here.
// The two share memory for what they have in common.
func (c *Context) Fork() *Context { return c.fork(len(c.tokens)) }

// fork is Fork with the first n tokens alone.
func (c *Context) fork(n int) *Context {
	pages := c.pages[:(n+pageLen-1)/pageLen]
	for _, p := range pages {
		p.shared.Store(true)
	}
	return &Context{model: c.model, tokens: slices.Clone(c.tokens[:n]), pages: slices.Clone(pages)}
}

// Feed appends tokens and returns the logits for what follows the last of
// them: one for each entry of the vocabulary, valid until the next call.
//
// When ctx ends it returns within a fraction of a small batch, with its error;
// the tokens that were done by then are kept, Len says how many. Tokens that
// are not in the vocabulary, or none at all, are refused with
// [moothall.CodeInvalid], more than the window holds with
// [moothall.CodeTooLarge]; both leave the sequence as it was.
func (c *Context) Feed(ctx context.Context, ids []int32) ([]float32, error) {
	if err := c.check(ids); err != nil {
		return nil, err
	}
	t := c.model.newTeam(len(ids))
	defer t.close()
	for len(ids) > 0 {
		n := min(len(ids), t.batch())
		if err := t.feed(ctx, c, ids[:n], n == len(ids)); err != nil {
			return nil, err
		}
		ids = ids[n:]
	}
	return c.logits, nil
}

func (c *Context) check(ids []int32) error {
	const op = "feed model"
	if len(ids) == 0 {
		return moothall.Fail(moothall.CodeInvalid, op, "there are no tokens to feed")
	}
	for _, id := range ids {
		if id < 0 || int(id) >= c.model.config.Vocab {
			return moothall.Fail(moothall.CodeInvalid, op, "a token is not in the vocabulary")
		}
	}
	if len(ids) > c.model.config.Window-len(c.tokens) {
		return &moothall.Error{
			Code: moothall.CodeTooLarge, Op: op, Message: "the text is longer than the model's window",
			Remedy: "shorten the conversation, or use a larger model",
		}
	}
	return nil
}

// reserve makes room for n more positions that nobody else sees.
func (c *Context) reserve(n int) {
	last := len(c.tokens) / pageLen // where the first of them goes
	if last < len(c.pages) && c.pages[last].shared.Load() {
		c.pages[last] = c.pages[last].copyOf()
	}
	for len(c.pages)*pageLen < len(c.tokens)+n {
		c.pages = append(c.pages, &page{data: make([]uint16, c.model.config.pageSize())})
	}
}
