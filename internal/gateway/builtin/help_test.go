package builtin_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin"
	"moothall/internal/gateway/builtin/prompt"
)

// letters is the plainest tokenizer: a byte is a token.
type letters struct{}

func (letters) Encode(dst []int32, text string) []int32 {
	for _, b := range []byte(text) {
		dst = append(dst, int32(b)+int32(prompt.Specials))
	}
	return dst
}

func (letters) Piece(id int32) []byte {
	if id < int32(prompt.Specials) {
		return nil
	}
	return []byte{byte(id - int32(prompt.Specials))}
}

func (letters) Size() int { return 256 + int(prompt.Specials) }

// ids are the tokens of a text with specials by their names.
func ids(text string) []int32 {
	var out []int32
next:
	for len(text) > 0 {
		for s := range prompt.Specials {
			if rest, ok := strings.CutPrefix(text, s.String()); ok {
				out, text = append(out, int32(s)), rest
				continue next
			}
		}
		out, text = letters{}.Encode(out, text[:1]), text[1:]
	}
	return out
}

// scripted is a provider whose network is sure to say this.
func scripted(t *testing.T, o builtin.Options, said string) *builtin.Provider {
	t.Helper()
	return saying(t, o, func([]int32) builtin.Reply { return builtin.Reply{IDs: ids(said), Sure: 30} })
}

func saying(t *testing.T, o builtin.Options, next func([]int32) builtin.Reply) *builtin.Provider {
	t.Helper()
	p := builtin.NewScripted(o, 1<<16, letters{}, next)
	t.Cleanup(func() { p.Close() })
	return p
}

// answer is a stream, read to its end.
type answer struct {
	thinking, text string
	calls          []moothall.ToolCall
	chunks         []moothall.Chunk
	last           moothall.Chunk
	err            error
}

// ask reads a stream and checks what holds for all of them.
func ask(ctx context.Context, t *testing.T, p *builtin.Provider, r moothall.GenerateRequest) answer {
	t.Helper()
	var a answer
	for c, err := range p.Generate(ctx, r) {
		if a.err != nil || a.last.Stop != "" {
			t.Fatalf("something follows after the end: %+v, %v", c, err)
		}
		if a.err = err; err != nil {
			continue
		}
		if c.Provider != builtin.Name || c.Model != builtin.Model {
			t.Errorf("a chunk is of %q %q", c.Provider, c.Model)
		}
		a.thinking, a.text, a.calls = a.thinking+c.Thinking, a.text+c.Text, append(a.calls, c.ToolCalls...)
		a.chunks, a.last = append(a.chunks, c), c
	}
	var ours *moothall.Error
	if a.err != nil && !asError(a.err, &ours) {
		t.Errorf("the error is a %T", a.err)
	}
	if a.err == nil && a.last.Stop == "" {
		t.Error("the stream has no end")
	}
	return a
}

func must(t *testing.T, p *builtin.Provider, r moothall.GenerateRequest) answer {
	t.Helper()
	a := ask(t.Context(), t, p, r)
	if a.err != nil {
		t.Fatal(a.err)
	}
	return a
}

func user(text string) []moothall.Message {
	return []moothall.Message{{Role: moothall.RoleUser, Content: text}}
}

func weather() []moothall.ToolSpec {
	return []moothall.ToolSpec{{
		Name: "weather", Description: "Tells the weather.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}`),
	}}
}
