package token

// The special tokens, which frame a prompt.
const (
	BOS        int32 = iota // <|bos|>, the beginning of a prompt
	Pad                     // <|pad|>, never used in a prompt
	Start                   // <|im_start|>, the beginning of a message
	End                     // <|im_end|>, the end of a message
	ThinkOpen               // <think>
	ThinkClose              // </think>
	CallOpen                // <tool_call>
	CallClose               // </tool_call>
)

// specials are the names that the file must have for the ids 0 to 7.
var specials = [...]string{
	"<|bos|>", "<|pad|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>",
}

// Special reports whether an id is one of the special tokens.
func Special(id int32) bool { return id >= 0 && int(id) < len(specials) }

// Tokenizer is an opened vocabulary.
type Tokenizer struct {
	pieces [][]byte
	bytes  [256]int32       // the token of each byte
	whole  map[string]int32 // entries that merge into themselves
	pairs  pairs
}

// Size returns how many tokens there are, the special ones included.
func (t *Tokenizer) Size() int { return len(t.pieces) }

// Piece returns the bytes of a token, the name of a special one, or nil for an
// id that does not exist. The caller must not change them.
func (t *Tokenizer) Piece(id int32) []byte {
	if id < 0 || int(id) >= len(t.pieces) {
		return nil
	}
	return t.pieces[id]
}

// Decode joins the pieces of ids. Ids that do not exist are left out.
func (t *Tokenizer) Decode(ids []int32) []byte {
	var out []byte
	for _, id := range ids {
		out = append(out, t.Piece(id)...)
	}
	return out
}

// maxPiece bounds the bytes that are merged together.
const maxPiece = 8 << 10

// Encode appends the tokens of a plain text to dst. It never yields a special
// id.
func (t *Tokenizer) Encode(dst []int32, text string) []int32 {
	var m merger
	for text != "" {
		n := next(text)
		dst = t.piece(dst, &m, text[:n])
		text = text[n:]
	}
	return dst
}

// piece appends the tokens of one piece.
func (t *Tokenizer) piece(dst []int32, m *merger, s string) []int32 {
	for len(s) > maxPiece {
		n := cut(s)
		dst = t.merge(dst, m, s[:n])
		s = s[n:]
	}
	return t.merge(dst, m, s)
}

// cut returns where a piece that is too long ends: before a byte that begins a
// character, or at the limit if there is none.
func cut(s string) int {
	for n := maxPiece; n > maxPiece-4; n-- {
		if s[n]&0xc0 != 0x80 {
			return n
		}
	}
	return maxPiece
}
