package token

// Split returns the pieces of a text.
func Split(text string) []string {
	var out []string
	for text != "" {
		n := next(text)
		out, text = append(out, text[:n]), text[n:]
	}
	return out
}

// MaxPiece is how many bytes are merged together at most.
const MaxPiece = maxPiece
