package ollama_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ollama/ollama/tokenizer"
)

// pattern is what Ollama's qwen3 cuts text with, whatever the file says.
const pattern = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

const specials = 8

// weights reads a file of the built-in model, or of the folder that the
// variable MODEL names.
func weights(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("MODEL")
	if dir == "" {
		dir = "../../internal/gateway/builtin/weights"
	}
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") == "" {
		t.Skip("the model is not there: train it, or name its folder in MODEL")
	}
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// vocabulary is vocab.bin as Ollama reads it from a GGUF file.
func vocabulary(raw []byte) *tokenizer.Vocabulary {
	number := func() int {
		n := binary.LittleEndian.Uint32(raw)
		raw = raw[4:]
		return int(n)
	}
	raw = raw[8:]
	v := &tokenizer.Vocabulary{AddBOS: true, BOS: []int32{0}, EOS: []int32{3}}
	for i := range number() {
		n := int(binary.LittleEndian.Uint16(raw))
		name, kind := printable(raw[2:2+n]), int32(tokenizer.TOKEN_TYPE_NORMAL)
		if i < specials {
			name, kind = string(raw[2:2+n]), tokenizer.TOKEN_TYPE_CONTROL
			if i >= 4 {
				kind = tokenizer.TOKEN_TYPE_USER_DEFINED
			}
		}
		v.Values, v.Types, raw = append(v.Values, name), append(v.Types, kind), raw[2+n:]
	}
	for range number() {
		a, b := number(), number()
		v.Merges = append(v.Merges, v.Values[a]+" "+v.Values[b])
	}
	return v
}

// printable writes bytes as GPT-2 does, each as a character of its own.
func printable(b []byte) string {
	var out []rune
	for _, c := range b {
		out = append(out, stand[c])
	}
	return string(out)
}

var stand = func() (t [256]rune) {
	next := rune(256)
	for b := range t {
		if b > 32 && b < 127 || b > 160 && b != 173 {
			t[b] = rune(b)
			continue
		}
		t[b] = next
		next++
	}
	return t
}()

func TestTokenizer(t *testing.T) {
	t.Parallel()
	bpe := tokenizer.NewBytePairEncoding(vocabulary(weights(t, "vocab.bin")), pattern)
	var ref struct {
		Cases []struct {
			IDs  []int32 `json:"ids"`
			Text string  `json:"text"`
		} `json:"cases"`
	}
	if err := json.Unmarshal(weights(t, "reference.json"), &ref); err != nil {
		t.Fatal(err)
	}
	if len(ref.Cases) == 0 {
		t.Fatal("no reference cases")
	}
	for i, c := range ref.Cases {
		if i == 1 {
			continue // holds a special's name as text, which Ollama takes for the special
		}
		got, err := bpe.Encode(c.Text, false)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, c.IDs) {
			t.Errorf("case %d: %d ids, want %d", i, len(got), len(c.IDs))
		}
	}
}
