package builtin

import (
	"regexp"
	"slices"
	"strings"

	"moothall"
)

// vouching is a sentence that the library itself gives as the answer: a dash
// parts it from the rest of its entry. Whether a thought quotes an entry at all
// is left to the network; which of its sentences, the library knows better.
type vouching struct {
	about, sentence string
	encode          func([]int32, string) []int32
	said            bool // the thought quotes it, and so it is the answer
}

// vouched is an entry that begins with the answer.
var vouched = regexp.MustCompile(`(?m)^- ([^:\n]{1,80}): ([^\n]{1,400}?[.!"]) — (.+)$`)

// vouch finds the sentence that answers the person's last words, and returns
// the messages without the dashes, which the network has not learnt to read.
func vouch(messages []moothall.Message, encode func([]int32, string) []int32) (vouching, []moothall.Message) {
	v := vouching{encode: encode}
	out := slices.Clone(messages)
	for i, m := range messages {
		before, found, ok := strings.Cut(m.Content, lookedUp)
		list := vouched.FindAllStringSubmatch(found, -1)
		if m.Role != moothall.RoleUser || !ok || len(list) == 0 {
			continue
		}
		out[i].Content = before + lookedUp + vouched.ReplaceAllStringFunc(found, plainly)
		if i == len(messages)-1 && len(list) == 1 { // only one can be what they ask for
			v.about, v.sentence = list[0][1], list[0][2]
		}
	}
	return v, out
}

// plainly is such an entry without its dash, and without the answer where the
// text begins with it.
func plainly(entry string) string {
	m := vouched.FindStringSubmatch(entry)
	if strings.HasPrefix(m[3], m[2]) {
		return "- " + m[1] + ": " + m[3]
	}
	return "- " + m[1] + ": " + m[2] + " " + m[3]
}

// dictate returns the tokens that a thought goes on with: those of the sentence,
// where it is about to quote the entry.
func (v *vouching) dictate(thought string) []int32 {
	if v.said || v.sentence == "" || !strings.HasSuffix(thought, "the entry on "+v.about+quotes) && !strings.HasSuffix(thought, "its entry"+quotes) {
		return nil
	}
	v.said = true
	return v.encode(nil, " "+v.sentence)
}
