package history

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"moothall"
)

// lineBytes is the length up to which a result counts as one line already.
const lineBytes = 160

// Shrink turns the tool results of all but the last keep groups into one line
// each, and says how many it changed. What is in the last groups stays word
// for word, as does everything that was said.
func Shrink(msgs []moothall.Message, keep int) ([]moothall.Message, int) {
	limit := groupsBack(msgs, keep)
	var out []moothall.Message
	changed := 0
	for i := range limit {
		m := &msgs[i]
		if m.Role != moothall.RoleTool || len(m.Content) <= lineBytes {
			continue
		}
		if out == nil {
			out = slices.Clone(msgs)
		}
		out[i].Content = oneLine(m.Content)
		changed++
	}
	if out == nil {
		return msgs, 0
	}
	return out, changed
}

// groupsBack returns where the last keep groups begin.
func groupsBack(msgs []moothall.Message, keep int) int {
	at := len(msgs)
	for i := len(msgs) - 1; i >= 0 && keep > 0; i-- {
		if len(msgs[i].ToolCalls) > 0 {
			at = i
			keep--
		}
	}
	if keep > 0 {
		return 0
	}
	return at
}

// oneLine says how long a text was and how it began.
func oneLine(s string) string {
	begin := strings.Join(strings.Fields(Clip(s, 400)), " ")
	return fmt.Sprintf("[shortened from %d characters] %s…", utf8.RuneCountInString(s), Clip(begin, 100))
}

// Clip returns at most n bytes of s without tearing a character.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Trim leaves out the oldest parts until the rest takes at most limit bytes:
// first whole turns, then whole groups of the last turn. Leading system
// messages, the user's last words and the newest group always stay, so the
// result may still be too large. It also says how many messages it left out.
func Trim(msgs []moothall.Message, limit int) ([]moothall.Message, int) {
	out, _, dropped := TrimAround(msgs, lastUser(msgs, leading(msgs)), limit)
	return out, dropped
}

// TrimAround is Trim where the last turn begins at asked, whatever is said as
// the user's after it. It also says where that is in what is left.
func TrimAround(msgs []moothall.Message, asked, limit int) (out []moothall.Message, at, dropped int) {
	total := Size(msgs...)
	if total <= limit {
		return msgs, asked, 0
	}
	start := leading(msgs)
	first := start
	for first < asked && total > limit {
		end := nextUser(msgs, first+1, asked)
		total -= Size(msgs[first:end]...)
		first = end
	}
	out = append(msgs[:start:start], msgs[first:]...)
	at, dropped = start+asked-first, first-start
	if total > limit {
		var more int
		out, more = trimGroups(out, at, limit)
		dropped += more
	}
	return out, at, dropped
}

// leading is how many system messages stand at the beginning.
func leading(msgs []moothall.Message) int {
	n := 0
	for n < len(msgs) && msgs[n].Role == moothall.RoleSystem {
		n++
	}
	return n
}

// trimGroups leaves out groups of the turn that begins at from, oldest first,
// but never the newest.
func trimGroups(msgs []moothall.Message, from, limit int) ([]moothall.Message, int) {
	newest := len(msgs)
	for i := len(msgs) - 1; i > from; i-- {
		if len(msgs[i].ToolCalls) > 0 {
			newest = i
			break
		}
	}
	total, cut := Size(msgs...), from+1
	for cut < newest && total > limit {
		end := cut + 1
		for end < newest && msgs[end].Role != moothall.RoleAssistant {
			end++
		}
		total -= Size(msgs[cut:end]...)
		cut = end
	}
	if cut <= from+1 {
		return msgs, 0
	}
	return append(msgs[:from+1:from+1], msgs[cut:]...), cut - from - 1
}

// lastUser returns the index of the last message of the user, or from.
func lastUser(msgs []moothall.Message, from int) int {
	for i := len(msgs) - 1; i > from; i-- {
		if msgs[i].Role == moothall.RoleUser {
			return i
		}
	}
	return from
}

// nextUser returns the index of the next message of the user, or end.
func nextUser(msgs []moothall.Message, from, end int) int {
	for i := from; i < end; i++ {
		if msgs[i].Role == moothall.RoleUser {
			return i
		}
	}
	return end
}
