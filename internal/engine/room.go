package engine

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/engine/history"
)

const (
	// keepGroups is how many groups of calls stay word for word.
	keepGroups = 3
	// resultShare is the part of the window that one result may take, and
	// groupShare what those of one reply may take together: the newest are
	// never left out.
	resultShare, groupShare = 0.4, 0.6
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
	size := history.Size(r.conv...) + r.offered()
	if r.measure.tokens == 0 {
		return r.req.Meter.Tokens(r.modelKey(), size)
	}
	delta := size - r.measure.size
	if delta < 0 {
		return r.measure.tokens - r.req.Meter.Tokens(r.modelKey(), -delta)
	}
	return r.measure.tokens + r.req.Meter.Tokens(r.modelKey(), delta)
}

// offered is about how many bytes the tools take beside the messages.
func (r *run) offered() int {
	if r.mode == ToolsNative && r.offering() {
		return r.offer.size
	}
	return 0
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
	r.trim(r.req.Meter.Bytes(r.modelKey(), w*7/10) - r.offered())
	if r.estimate() < w {
		return nil
	}
	return r.tooLarge(nil)
}

// squeeze makes all the room there is after a server refused a prompt for its
// size. It reports whether anything was gained; it works once until a prompt
// was taken.
func (r *run) squeeze() bool {
	if r.squeezed {
		return false
	}
	r.squeezed = true
	before := history.Size(r.conv...)
	r.shrink(1)
	r.trim(before / 2)
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

// trim leaves out the oldest turns of what is sent until it takes at most
// limit bytes; they are kept.
func (r *run) trim(limit int) {
	conv, at, n := history.TrimAround(r.conv, r.asked, limit)
	if n == 0 {
		return
	}
	r.conv, r.asked = slices.Clone(conv), at
	for i := range r.conv {
		if m := &r.conv[i]; m.Role == moothall.RoleUser {
			if !strings.HasPrefix(m.Content, leftOut) {
				m.Content = leftOut + "\n\n" + m.Content
			}
			break
		}
	}
	r.emit(Event{Kind: KindCompacted, Text: fmt.Sprintf("the oldest %d messages were left out of the prompt", n)})
}

// resultLimit is how many bytes a result may have so that those of one reply
// do not take too much of the window.
func (r *run) resultLimit(plan []planned) int {
	if r.req.Window <= 0 {
		return math.MaxInt
	}
	part := func(share float64) int { return r.req.Meter.Bytes(r.modelKey(), int(share*float64(r.req.Window))) }
	sizes := make([]int, len(plan))
	for i := range plan {
		sizes[i] = len(plan[i].text)
	}
	return max(min(part(resultShare), fair(sizes, part(groupShare))), 200)
}

// clip cuts a result that is longer than limit, and says so.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return fmt.Sprintf("%s\n[cut: the first %d of %d bytes]", history.Clip(text, limit), limit, len(text))
}

// fair is the most that each may have so that all together have at most room:
// what small ones leave is for the large.
func fair(sizes []int, room int) int {
	slices.Sort(sizes)
	for i, s := range sizes {
		share := room / (len(sizes) - i)
		if s > share {
			return share
		}
		room -= s
	}
	return math.MaxInt
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
