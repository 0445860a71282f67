package builtin

import (
	"encoding/json"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/lazyregexp"
)

// vouching is a sentence that the library itself gives as the answer: a dash
// parts it from the rest of its entry. Whether a thought quotes an entry at all
// is left to the network; which of its sentences, the library knows better.
// With a long dash it is the answer to the very question that was asked, and
// nothing is left to decide: the network often overlooks it.
type vouching struct {
	about, sentence string
	asked           bool // the dash is long
	encode          func([]int32, string) []int32
	lead            string // how a thought begins that has nothing to decide
	said            bool   // the thought quotes it, and so it is the answer
}

// A question for the lines of a file and for nothing else, and how a file that was read
// begins.
var (
	howManyLines = lazyregexp.New(begins + `how many lines (?:(?:are )?(?:there )?in|of|does|has|did) (?:the |my )?(?:file |document )?["'` + "`" + `]?([^\s"'` + "`" + `]+?)["'` + "`" + `]?(?: (?:have|has|contain|hold|there))?` + politely)
	linesRead    = lazyregexp.New(`^[^\n]* \([^()\n]*, (\d+) lines\)`)
)

// countLines makes the sentence of how many lines the file has that was just read,
// where that is what was asked: counting is not what a small network can do.
func (v *vouching) countLines(messages []moothall.Message) {
	asked, found := howManyLines.FindStringSubmatch(question(messages)), results(messages)
	if asked == nil || len(found) == 0 || messages[len(messages)-1].Role != moothall.RoleTool {
		return
	}
	last := found[len(found)-1]
	m := linesRead.FindStringSubmatch(last.text)
	var args struct{ Path string }
	if m == nil || last.call.Name != fsRead || json.Unmarshal(last.call.Arguments, &args) != nil {
		return
	}
	name := args.Path[strings.LastIndex(args.Path, "/")+1:]
	if !slices.Contains([]string{"it", "that", "this", "file", strings.ToLower(name), strings.ToLower(args.Path)}, strings.ToLower(asked[1])) {
		return
	}
	lines := " lines."
	if m[1] == "1" {
		lines = " line."
	}
	v.lead, v.sentence, v.asked = "The tool has counted them:", args.Path+" has "+m[1]+lines, true
}

// longDash parts the answer to the very question from the rest.
const longDash = "——"

// vouched is an entry that begins with the answer.
var vouched = lazyregexp.New(`(?m)^- ([^:\n]{1,80}): ([^\n]{1,400}?[.!"]) (——?) (.+)$`)

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
		if first := list[0]; i == len(messages)-1 && (len(list) == 1 || first[3] == longDash) { // only one can be what they ask for
			v.about, v.sentence, v.asked = first[1], first[2], first[3] == longDash
			v.lead = "The entry on " + v.about + quotes
		}
	}
	return v, out
}

// plainly is such an entry without its dash, and without the answer where the
// text begins with it.
func plainly(entry string) string {
	m := vouched.FindStringSubmatch(entry)
	if strings.HasPrefix(m[4], m[2]) {
		return "- " + m[1] + ": " + m[4]
	}
	return "- " + m[1] + ": " + m[2] + " " + m[4]
}

// dictate returns the tokens that a thought goes on with: those of the sentence,
// where it is about to quote the entry, and before its first word where that is
// not left to it.
func (v *vouching) dictate(thought string) []int32 {
	switch on := "the entry on " + v.about + quotes; {
	case v.said || v.sentence == "":
		return nil
	case strings.TrimSpace(thought) == "" && v.asked:
		v.said = true
		return v.encode(nil, v.lead+" "+v.sentence)
	case strings.HasSuffix(thought, on), strings.HasSuffix(thought, "its entry"+quotes):
		v.said = true
		return v.encode(nil, " "+v.sentence)
	}
	return nil
}
