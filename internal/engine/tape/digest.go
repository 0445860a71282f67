package tape

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"slices"

	"moothall"
)

// Prompt stands for what a model call was sent.
type Prompt struct {
	Same     int      `json:"same,omitempty"`     // messages that are those of the call before, from the first on
	Messages []string `json:"messages,omitempty"` // digests of the rest
	Tools    string   `json:"tools,omitempty"`
	Settings string   `json:"settings"`
}

// sent is a prompt while a run goes on: what is new in it. Its digest is
// made when the run is over, since nobody should wait for it.
type sent struct {
	same     int
	fresh    []moothall.Message
	tools    []moothall.ToolSpec
	settings moothall.GenerateRequest // without messages and tools
}

// follow tells what is new in a request after the one whose messages were
// before. It returns the messages for the next time, in before's memory.
func follow(before []moothall.Message, g *moothall.GenerateRequest) (sent, []moothall.Message) {
	n := 0
	for n < min(len(before), len(g.Messages)) && sameMessage(&before[n], &g.Messages[n]) {
		n++
	}
	s := sent{same: n, fresh: slices.Clone(g.Messages[n:]), tools: g.Tools, settings: *g}
	s.settings.Messages, s.settings.Tools = nil, nil
	return s, append(before[:n], g.Messages[n:]...)
}

// sameMessage compares all of two messages. Texts that are the same memory,
// as they are from round to round, cost nothing.
func sameMessage(a, b *moothall.Message) bool {
	return a.Role == b.Role && a.Content == b.Content && a.Thinking == b.Thinking && a.ToolName == b.ToolName && a.CallID == b.CallID &&
		slices.EqualFunc(a.ToolCalls, b.ToolCalls, sameCall) && slices.EqualFunc(a.Images, b.Images, bytes.Equal)
}

func sameCall(a, b moothall.ToolCall) bool {
	return a.ID == b.ID && a.Name == b.Name && bytes.Equal(a.Arguments, b.Arguments)
}

func (s *sent) prompt() Prompt {
	p := Prompt{Same: s.same, Settings: digestSettings(&s.settings)}
	for i := range s.fresh {
		p.Messages = append(p.Messages, digest(appendMessage(nil, &s.fresh[i])))
	}
	if len(s.tools) > 0 {
		p.Tools = digestTools(s.tools)
	}
	return p
}

// digest is short: it is there to notice changes, not to withstand anybody.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

func digestMessages(list []moothall.Message) string {
	var b []byte
	for i := range list {
		b = appendMessage(b, &list[i])
	}
	return digest(b)
}

// digestTools goes through all tools of the house at each call of a model, so
// it does not put their texts together first.
func digestTools(list []moothall.ToolSpec) string {
	h := sha256.New()
	var size [binary.MaxVarintLen64]byte
	for i := range list {
		s := list[i]
		h.Write(binary.AppendUvarint(size[:0], uint64(len(s.Parameters))))
		h.Write(s.Parameters)
		s.Parameters = nil // its bytes count, and they need not be JSON
		j, _ := json.Marshal(s)
		h.Write(j)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func digestSettings(g *moothall.GenerateRequest) string {
	s := *g
	b := appendText(nil, s.Schema)
	s.Schema = nil
	j, _ := json.Marshal(s) // plain data always marshals
	return digest(append(b, j...))
}

// appendMessage writes a message so that no two different ones are alike.
func appendMessage(b []byte, m *moothall.Message) []byte {
	for _, s := range []string{string(m.Role), m.Content, m.Thinking, string(m.ToolName), string(m.CallID)} {
		b = appendText(b, s)
	}
	b = binary.AppendUvarint(b, uint64(len(m.ToolCalls)))
	for _, c := range m.ToolCalls {
		b = appendText(appendText(appendText(b, string(c.ID)), string(c.Name)), c.Arguments)
	}
	b = binary.AppendUvarint(b, uint64(len(m.Images)))
	for _, i := range m.Images {
		b = appendText(b, i)
	}
	return b
}

func appendText[T ~string | ~[]byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
