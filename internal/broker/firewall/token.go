package firewall

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names of special tokens and of tags that open calls, thinking or turns in
// one template or another, folded, with "_" for every joiner. The value says
// how sure a name is: a loose one is taken in any case and with spaces
// around it, an exact one only as the token is written: without spaces, and
// in square brackets only in capitals.
type nameKind byte

const (
	loose nameKind = iota + 1
	exact
	turn // loose, and by itself a sign of a forged turn
)

var angleNames = names(loose,
	"think thinking thought reasoning tool_call tool_calls toolcall toolcalls function_call function_calls",
	"tool_use tool_uses tool_result tool_results tool_response tool_responses tool_output tool_outputs function_results",
	"tool_code tools tool function invoke parameter arg_key arg_value start_function_call end_function_call",
	"start_function_response end_function_response start_function_declaration end_function_declaration escape",
	"longcat_tool_call longcat_arg_key longcat_arg_value longcat_think longcat_user longcat_assistant longcat_system",
	"system_prompt system_reminder system_message assistant channel message available_tools",
	"end_of_turn im_end endoftext start_of_image end_of_image image_soft_token",
).with(exact, "s bos eos pad unk mask cls sep sop eop eod gmask system human developer").with(turn, "start_of_turn sys im_start")

var squareNames = names(loose,
	"tool_calls tool_results available_tools system_prompt tool_content call_id tool_request end_tool_request",
).with(exact, "args think prefix suffix middle img img_break img_end audio begin_audio bos eos cls sep mask pad unk gmask smask sop model_settings").with(turn, "inst")

// barNames are names between bars that are known even when spaces stand
// around them. Names that open a turn are a sign of a forged one; those that
// close it turn up in logs and in writing about models.
var barNames = names(turn,
	"im_start im_user im_assistant im_system begin_of_text start_header_id system user assistant start start_of_role",
	"start_of_turn_token system_token user_token chatbot_token begin_of_sentence",
).with(loose,
	"im_end im_sep im_middle eot_id eom_id eot eom end_of_text endoftext end_header_id end channel message end_of_role endofturn",
	"end_of_turn_token end_of_sentence python_tag tool_call tool_calls tool_call_begin tool_calls_begin",
	"tool_calls_section_begin tool_call_start",
)

type nameTable map[string]nameKind

func names(kind nameKind, lists ...string) nameTable { return nameTable{}.with(kind, lists...) }

func (t nameTable) with(kind nameKind, lists ...string) nameTable {
	for _, list := range lists {
		for name := range strings.FieldsSeq(list) {
			t[name] = kind
		}
	}
	return t
}

// maxTokenName bounds how far a name is read.
const maxTokenName = 64

// defuse replaces the brackets of special tokens by look-alikes that no
// template uses.
func defuse(text string, m *mendings) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(text); {
		t, step := tokenAt(text, i)
		if t.length == 0 {
			i += step
			continue
		}
		m.add(t.mended)
		out.WriteString(text[done:i])
		out.WriteString(t.safe(text[i : i+t.length]))
		i += t.length
		done = i
	}
	if done == 0 {
		return text
	}
	out.WriteString(text[done:])
	return out.String()
}

// special is a special token found in text.
type special struct {
	length int // bytes, from the opening bracket through the last one seen
	open   int // bytes of the opening bracket
	shut   int // bytes of the closing bracket, 0 when it is not there
	kind   bracketKind
	forged bool // the frame of a conversation turn
	mended string
}

// safe is the token with its brackets replaced.
func (t special) safe(s string) string {
	open, shut := safeAngleOpen, safeAngleClose
	if t.kind == square {
		open, shut = safeSquareOpen, safeSquareClose
	}
	if t.shut == 0 {
		shut = ""
	}
	return open + s[t.open:len(s)-t.shut] + shut
}

// tokenAt reads the special token at i. Without one the length is 0 and step
// is how far the caller may go on.
func tokenAt(text string, i int) (special, int) {
	if !mayOpen(text[i]) {
		j := i + 1
		for j < len(text) && !mayOpen(text[j]) {
			j++
		}
		return special{}, j - i
	}
	r, n := utf8.DecodeRuneInString(text[i:])
	if odd, ok := oddToken(text, i); ok {
		return odd, n
	}
	kind := openerOf(r)
	if kind == noBracket {
		return special{}, n
	}
	return readToken(text[i:], n, kind), n
}

// oddTokens are tokens that follow no rule; the first byte of each is
// replaced as if it were a bracket.
var oddTokens = []string{"]~b]", "]~!b[", "[e~["}

func oddToken(text string, i int) (special, bool) {
	t := special{open: 1, kind: square, mended: mendedToken}
	if text[i] == '[' && strings.HasSuffix(text[:i], "functools") {
		t.length = 1
		return t, true
	}
	for _, odd := range oddTokens {
		if strings.HasPrefix(text[i:], odd) {
			t.length = 1
			return t, true
		}
	}
	return special{}, false
}

// readToken reads a token after its opening bracket of n bytes.
func readToken(rest string, n int, kind bracketKind) special {
	t := special{open: n, kind: kind, mended: mendedToken}
	p := n
	if t.kind == square && isEnvelope(rest[n:]) {
		t.mended, t.length = mendedEnvelope, n
		return t
	}
	p += blanks(rest[p:])
	if k := bar(rest[p:]); k > 0 {
		return readBarred(rest, p+k, t)
	}
	if strings.HasPrefix(rest[p:], "/") || strings.HasPrefix(rest[p:], "／") {
		p += utf8.RuneLen(firstRune(rest[p:]))
		p += blanks(rest[p:])
	}
	name := readName(rest[p:])
	return finishToken(rest, p+name.n, &name, blanks(rest[n:]) > 0, t)
}

// finishToken decides about a token without bars whose name ends at p.
func finishToken(rest string, p int, name *tokenName, spaced bool, t special) special {
	kind := tableOf(t.kind)[string(name.folded[:name.size])]
	if kind == 0 && t.kind == angle {
		kind = numbered(name.folded[:name.size])
	}
	if kind == 0 || kind == exact && (spaced || t.kind == square && name.lower) {
		return special{}
	}
	t.forged = kind == turn
	q := p + blanks(rest[p:])
	if k := bar(rest[q:]); k > 0 && t.kind == angle { // <tool_call|>
		q += k
	}
	t.length = q
	if closed := t.close(rest); closed.shut > 0 {
		return closed
	}
	if kind != exact && t.kind == angle && tagGoesOn(rest[p:]) {
		t.length = p
		return t
	}
	return special{}
}

func tableOf(k bracketKind) nameTable {
	if k == square {
		return squareNames
	}
	return angleNames
}

// numbered knows the reserve tokens of some vocabularies: <unused7>,
// <extra_id_0>, <special_12>.
func numbered(name []byte) nameKind {
	head := bytes.TrimRight(name, "0123456789")
	if len(head) == len(name) {
		return 0
	}
	switch string(head) {
	case "unused", "extra_id_", "special_", "reserved_special_token_":
		return exact
	}
	return 0
}

// tagGoesOn reports that after the name come an attribute, a value or nothing
// more: <invoke name="x">, <function=x>, a cut <tool_call. It looks at no
// bracket, so that defusing what follows cannot change its answer.
func tagGoesOn(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	if rest == "" || rest[0] == '\n' || rest[0] == '=' {
		return true
	}
	k := readName(rest).n
	return k > 0 && strings.HasPrefix(strings.TrimLeft(rest[k:], " \t"), "=")
}

// isEnvelope reports that s, after a square bracket, reads like a mark of
// Wrap, however its words are joined.
func isEnvelope(s string) bool {
	var squashed [16]byte
	n := 0
	for i, r := range s {
		f := skeleton(r)
		switch {
		case 'a' <= f && f <= 'z':
			squashed[n] = byte(f)
			n++
		case i > 48 || !strings.ContainsRune(" \t_-/▁.\\", f):
			n = len(squashed)
		}
		word := string(squashed[:min(n, len(squashed))])
		if strings.HasPrefix(word, "toolresult") || strings.HasPrefix(word, "endtoolresult") {
			return true
		}
		if n == len(squashed) {
			return false
		}
	}
	return false
}

// close adds the closing bracket, doubled or not, when it comes next.
func (t special) close(rest string) special {
	p := t.length + blanks(rest[t.length:])
	if strings.HasPrefix(rest[p:], "/") {
		p++
	}
	if k := closer(rest[p:], t.kind); k > 0 {
		t.length, t.shut = p+k, k
	}
	return t
}

// readBarred reads <|name|>, <|name>, <|name|name and [|name|], where p is
// after the first bar.
func readBarred(rest string, p int, t special) special {
	start := p
	p += blanks(rest[p:])
	if strings.HasPrefix(rest[p:], "/") {
		p++
	}
	name := readName(rest[p:])
	k := name.n
	if k == 0 && strings.HasPrefix(rest[p:], `"`) { // a quotation mark that is a token
		k = 1
	}
	kind := barNames[string(name.folded[:name.size])]
	known := kind != 0 || angleNames[string(name.folded[:name.size])] != 0
	spaced := p > start || blanks(rest[p+k:]) > 0
	if k == 0 || spaced && !known {
		return special{}
	}
	p += k
	p += blanks(rest[p:])
	bars := bar(rest[p:])
	t.length = p + bars
	t.forged = kind == turn
	if closed := t.close(rest); closed.shut > 0 && (bars > 0 || known) {
		return closed
	}
	if bars > 0 {
		return t
	}
	return special{}
}

// tokenName is a name in a token, folded. A namespace before a colon is not
// part of it. It has a fixed size: most brackets of a page hold a name.
type tokenName struct {
	folded [maxTokenName]byte
	size   int
	n      int  // bytes in the text, namespace included
	lower  bool // some letter is not a capital
}

func readName(s string) tokenName {
	var t tokenName
	for i, r := range s {
		f := skeleton(r)
		if f == '▁' || f == '-' {
			f = '_'
		}
		if !isNameRune(f) && (f != ':' || t.size == 0) {
			break
		}
		if t.size == maxTokenName {
			return tokenName{}
		}
		t.n = i + utf8.RuneLen(r)
		if f == ':' {
			t.size = 0
			continue
		}
		t.folded[t.size] = byte(f)
		t.size++
		t.lower = t.lower || unicode.IsLower(r)
	}
	return t
}

func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' || r == '.'
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// blanks counts up to two spaces or tabs.
func blanks(s string) int {
	n := 0
	for n < len(s) && n < 2 && (s[n] == ' ' || s[n] == '\t') {
		n++
	}
	return n
}
