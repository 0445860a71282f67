package prompt

import "moothall/internal/gateway/builtin/token"

// Special is a token that stands for no text. Its value is its id.
type Special int32

// The specials, in the order of their ids.
const (
	BOS        = Special(token.BOS)
	Pad        = Special(token.Pad)
	Start      = Special(token.Start)
	End        = Special(token.End)
	ThinkOpen  = Special(token.ThinkOpen)
	ThinkClose = Special(token.ThinkClose)
	CallOpen   = Special(token.CallOpen)
	CallClose  = Special(token.CallClose)

	Specials = CallClose + 1 // how many there are
	None     = Special(-1)
)

// String is the name in the vocabulary; None has none.
func (s Special) String() string {
	names := [Specials]string{"<|bos|>", "<|pad|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>"}
	if s < 0 || s >= Specials {
		return ""
	}
	return names[s]
}
