package toolcall

import "bytes"

// thinkEnds are the closing markers by the id of the thinking, for telling a
// closing marker that the end of the reply cut.
var thinkEnds = map[string]string{
	"": "</think>", "think": "</think>", "thinking": "</thinking>", "thought": "</thought>",
	"reasoning": "</reasoning>", "cohere": "<|END_THINKING|>", "channel": "<channel|>",
	"bracket": "[/THINK]", "triangle": "◁/think▷", "inner": "<|inner_suffix|>",
}

// messageID is the thinking of a harmony message.
const messageID = "message"

// openThinking enters the thinking that marker t at pos opens.
func (r *Reader) openThinking(t token) {
	r.drop(t.n)
	r.enterThinking(t.id)
}

// thinkOpen decides on an opening marker in the content. Within a line it
// must not look like a word of the sentence.
func (r *Reader) thinkOpen(t token) bool {
	if !r.quoted() && (r.fresh() || r.afterCall || r.blankBefore()) {
		r.openThinking(t)
		return true
	}
	after := r.pos + t.n
	if after == len(r.buf) && !r.final {
		return false
	}
	if r.quoted() || after == len(r.buf) || r.buf[after] != '\n' && !isNameByte(r.buf[after]) {
		return r.text(t.n)
	}
	r.openThinking(t)
	return true
}

func (r *Reader) enterThinking(id string) {
	r.mode, r.thinkID, r.thought, r.fenceLen = inThinking, id, true, 0
	r.thinkFrom = r.thinking.b.Len()
	if id == "channel" {
		r.thinkFrom = -1 // a label may follow
	}
}

// leaveThinking goes on with content, n bytes further.
func (r *Reader) leaveThinking(n int) bool {
	r.mode, r.thought, r.fenceLen, r.bol = inContent, true, 0, true
	return r.drop(n)
}

func (r *Reader) thinkStep() bool {
	if r.thinkFrom < 0 {
		return r.thinkLabel()
	}
	b := r.buf
	end := r.pos
	for end < len(b) && b[end] != '<' && b[end] != '[' && b[end] != '`' && b[end] != "◁"[0] {
		end++
	}
	if end > r.pos {
		end = r.whole(end)
		return end > r.pos && r.thoughts(end-r.pos)
	}
	if b[end] == '`' {
		return r.thinkCode()
	}
	t, st := lex(b[r.pos:], r.final)
	switch {
	case st == short:
		return false
	case st == bad:
		if r.cutEnd() {
			return r.drop(len(b) - r.pos)
		}
		return r.thoughts(1)
	}
	return r.thinkMarked(t)
}

// thinkLabel drops the name of Gemma's thinking channel.
func (r *Reader) thinkLabel() bool {
	c := cursor{b: r.buf, i: r.pos, final: r.final}
	switch c.skip("thought\n") {
	case short:
		return false
	case ok:
		r.drop(c.i - r.pos)
	}
	r.thinkFrom = r.thinking.b.Len()
	return true
}

// cutEnd reports whether the reply ends within the closing marker.
func (r *Reader) cutEnd() bool {
	rest := r.buf[r.pos:]
	return r.final && len(rest) > 2 && bytes.HasPrefix([]byte(thinkEnds[r.thinkID]), rest)
}

func (r *Reader) thinkMarked(t token) bool {
	harmony := r.thinkID == messageID
	switch {
	case t.role == roleThinkEnd && (r.thinkID == "" || r.thinkID == t.id):
		return r.thinkEnd(t)
	case harmony && t.role == roleControl && t.id == messageID:
		return r.leaveThinking(t.n)
	case harmony && t.role == roleHarmony:
		switch r.headerAhead(t) {
		case ok:
			return r.leaveThinking(0)
		case short:
			return false
		}
	case t.role == roleThink && r.thinking.b.Len() == r.thinkFrom:
		r.openThinking(t) // said twice
		return true
	case !harmony && r.fenceLen == 0 && (t.role == roleCall || t.role == roleFunc && t.valued && !t.closing()):
		return r.thinkCall(t)
	}
	return r.thoughts(t.n)
}

// thinkEnd closes the thinking, unless the marker stands in a code fence that
// closes before the thinking does.
func (r *Reader) thinkEnd(t token) bool {
	if r.fenceLen == 0 {
		return r.leaveThinking(t.n)
	}
	rest := r.buf[r.pos+t.n:]
	r.work += len(rest)
	shut := bytes.Index(rest, []byte("\n"+string(bytes.Repeat([]byte("`"), r.fenceLen))))
	if shut >= 0 && r.endAfter(r.pos+t.n+shut) >= 0 {
		return r.thoughts(t.n + shut + 1)
	}
	if !r.final {
		return false
	}
	return r.leaveThinking(t.n)
}

// endAfter finds a marker that closes the thinking, at or after i; -1 when
// there is none.
func (r *Reader) endAfter(i int) int {
	if r.noEnd[r.thinkID] {
		return -1
	}
	p := r.newBlock(i, "")
	at, _, st := p.find(func(t token, _ int) bool {
		return t.role == roleThinkEnd && (r.thinkID == "" || r.thinkID == t.id)
	})
	r.work += p.far - i
	if k := bytes.Index(r.buf[i:], []byte("[/THINK]")); k >= 0 && (r.thinkID == "" || r.thinkID == "bracket") {
		return i + k
	}
	if k := bytes.Index(r.buf[i:], []byte("◁/think▷")); k >= 0 && (r.thinkID == "" || r.thinkID == "triangle") {
		return i + k
	}
	if st == ok {
		return at
	}
	if r.final { // nor after any later place
		if r.noEnd == nil {
			r.noEnd = map[string]bool{}
		}
		r.noEnd[r.thinkID] = true
	}
	return -1
}

// thinkCall decides on a call inside the thinking. Models that forget to
// close their thinking mean it; models that do close it later only thought
// about it. So the call waits for the closing marker or the reply's end.
func (r *Reader) thinkCall(t token) bool {
	at := r.pos + t.n
	if t.role == roleFunc {
		at = r.pos
	}
	p := r.newBlock(at, t.id)
	st := p.read()
	r.work += p.far - r.pos
	switch {
	case st == short && !r.final:
		return false
	case st == ok && len(p.calls) > 0:
		if end := r.endAfter(p.last); end >= 0 {
			return r.thoughts(end - r.pos)
		}
		return r.final && r.leaveThinking(0)
	case st == short && p.name != "":
		return r.leaveThinking(0)
	}
	return r.thoughts(max(p.far-r.pos, t.n))
}

// loneEnd decides on a closing marker in the content. The first one, when no
// thinking was opened before, says that all of it was thinking.
func (r *Reader) loneEnd(t token) bool {
	if t.token && r.thought {
		return r.drop(t.n)
	}
	if r.thought || r.strayEnds || len(r.res.Calls)+len(r.res.Problems) > 0 || r.quoted() {
		return r.text(t.n)
	}
	if r.before() == ' ' { // a sentence about the tag has blanks on both sides
		after := r.pos + t.n
		if after == len(r.buf) && !r.final {
			return false
		}
		if after < len(r.buf) && r.buf[after] == ' ' {
			return r.text(t.n)
		}
	}
	r.rethink()
	r.bol = true
	return r.drop(t.n)
}
