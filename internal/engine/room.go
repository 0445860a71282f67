package engine

import (
	"cmp"
	"fmt"
	"slices"

	"moothall"
	"moothall/internal/engine/history"
)

const (
	// keepGroups is how many groups of calls stay word for word.
	keepGroups = 3
	// resultShare is the part of the window that one result may take.
	resultShare = 0.4
	// leftOut tells the model that the conversation has a beginning that it
	// does not see.
	leftOut = "[Earlier messages were left out to save room.]"
)

// measure is the last prompt that a server counted.
type measure struct{ size, tokens int }

func (r *run) modelKey() string { return r.req.Provider + "/" + r.req.ModelName }

// measured notes what a prompt of so many bytes took.
func (r *run) measured(size, tokens int) {
	if r.req.Meter.Observe(r.modelKey(), size, tokens) {
		r.measure = measure{size, tokens}
	}
}

// size is about how many bytes a prompt has.
func (r *run) size(g *moothall.GenerateRequest) int {
	n := history.Size(g.Messages...)
	if len(g.Tools) > 0 {
		n += r.offer.size
	}
	return n
}

// estimate is about how many tokens the next prompt takes: what the server
// counted last, and what has come or gone since.
func (r *run) estimate() int {
	size := history.Size(r.conv...)
	if r.mode == ToolsNative && r.offering() {
		size += r.offer.size
	}
	if r.measure.tokens == 0 {
		return r.req.Meter.Tokens(r.modelKey(), size)
	}
	delta := size - r.measure.size
	if delta < 0 {
		return r.measure.tokens - r.req.Meter.Tokens(r.modelKey(), -delta)
	}
	return r.measure.tokens + r.req.Meter.Tokens(r.modelKey(), delta)
}

// makeRoom keeps the prompt within the window, in steps: at three quarters
// old results become one line each; before the window is full the oldest
// turns are left out; what still does not fit is an error.
func (r *run) makeRoom() error {
	w := r.req.Window
	if w <= 0 || r.estimate() <= w*3/4 {
		return nil
	}
	r.shrink(keepGroups)
	if r.estimate() <= w*9/10 {
		return nil
	}
	r.trim(w * 7 / 10)
	if r.estimate() < w {
		return nil
	}
	return r.tooLarge(nil)
}

// squeeze makes all the room there is after a server refused a prompt for its
// size. It reports whether anything was gained; it works once.
func (r *run) squeeze() bool {
	if r.squeezed {
		return false
	}
	r.squeezed = true
	before := history.Size(r.conv...)
	r.shrink(1)
	r.trim(r.req.Meter.Tokens(r.modelKey(), before) / 2)
	return history.Size(r.conv...) < before
}

func (r *run) shrink(keep int) {
	conv, n := history.Shrink(r.conv, keep)
	if n == 0 {
		return
	}
	r.conv = conv
	r.kept, _ = history.Shrink(r.kept, keep)
	r.emit(Event{Kind: KindCompacted, Text: fmt.Sprintf("%d older tool results became one line each", n)})
}

// trim leaves out the oldest turns of what is sent; they are kept.
func (r *run) trim(tokens int) {
	conv, n := history.Trim(r.conv, r.req.Meter.Bytes(r.modelKey(), tokens))
	if n == 0 {
		return
	}
	r.conv = slices.Clone(conv)
	for i := range r.conv {
		if m := &r.conv[i]; m.Role == moothall.RoleUser {
			m.Content = leftOut + "\n\n" + m.Content
			break
		}
	}
	r.emit(Event{Kind: KindCompacted, Text: fmt.Sprintf("the oldest %d messages were left out of the prompt", n)})
}

// clip cuts a result that would take too much of the window, and says so.
func (r *run) clip(text string) string {
	if r.req.Window <= 0 {
		return text
	}
	limit := max(r.req.Meter.Bytes(r.modelKey(), int(resultShare*float64(r.req.Window))), 200)
	if len(text) <= limit {
		return text
	}
	return fmt.Sprintf("%s\n[cut: the first %d of %d bytes]", history.Clip(text, limit), limit, len(text))
}

// explain gives the size of the parts to a prompt that was too large.
func (r *run) explain(err error) error {
	if moothall.ErrorCode(err) != moothall.CodeTooLarge {
		return err
	}
	return r.tooLarge(err)
}

// tooLarge names the largest parts of the prompt.
func (r *run) tooLarge(cause error) error {
	type part struct {
		name string
		size int
	}
	parts := []part{{"system prompt", len(r.conv[0].Content)}, {"tools", 0}, {"tool results", 0}, {"conversation", 0}}
	if r.mode == ToolsNative {
		parts[1].size = r.offer.size
	}
	for _, m := range r.conv[1:] {
		if m.Role == moothall.RoleTool {
			parts[2].size += history.Size(m)
		} else {
			parts[3].size += history.Size(m)
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.size, a.size) })
	tokens := func(p part) int { return r.req.Meter.Tokens(r.modelKey(), p.size) }
	return &moothall.Error{
		Code: moothall.CodeTooLarge, Op: "prompt",
		Message: fmt.Sprintf("the prompt does not fit the window of %d tokens: the %s take about %d, the %s about %d",
			r.req.Window, parts[0].name, tokens(parts[0]), parts[1].name, tokens(parts[1])),
		Remedy: "shorten the question or its context, begin a new session, or use a model with a larger window",
		Err:    cause,
	}
}
