package constrain_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/prompt"
)

// vocabulary is all bytes and pieces such as a trained tokenizer has: words,
// marks of JSON that run together, characters and halves of them.
func vocabulary(words int) [][]byte {
	out := make([][]byte, prompt.Specials, int(prompt.Specials)+256+words)
	for b := range 256 {
		out = append(out, []byte{byte(b)})
	}
	seen := map[string]bool{}
	add := func(s string) {
		if len(s) > 1 && !seen[s] && len(out) < cap(out) {
			seen[s] = true
			out = append(out, []byte(s))
		}
	}
	for _, s := range []string{`{"`, `": `, `": "`, `, "`, `", "`, `"}`, `"}}`, `}}`, `[]`, `{}`, `["`, `"]`, `], "`, `\"`, `\\`, `\n`, "  ", "    ", "\n\n", `"name`, ` "`, "ü", "é", "日", "日本", "😀", "\xf0\x9f", "\x98\x80", "\xe6\x97", ".5", "-1", "00", "true", "false", "null", "http", "://", ": ", ", ", "ab", "abc", "2026-"} {
		add(s)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for len(out) < cap(out) {
		n := 2 + r.IntN(7)
		var b strings.Builder
		if r.IntN(2) == 0 {
			b.WriteByte(' ')
		}
		for range n {
			b.WriteByte("etaoinshrdlucmfwypvbgkjqxz_-"[min(r.IntN(28), r.IntN(28))])
		}
		add(b.String())
	}
	return out
}

// tokens is a vocabulary and its layout.
type tokens struct {
	pieces [][]byte
	v      *constrain.Vocab
}

func newTokens(words int) *tokens {
	pieces := vocabulary(words)
	return &tokens{pieces, constrain.NewVocab(len(pieces), func(id int32) []byte { return pieces[id] })}
}

// pick takes a random token of a mask; with short it prefers what closes, so
// that random values end some time.
func (k *tokens) pick(t *testing.T, r *rand.Rand, m constrain.Mask, short bool, sofar ...int32) int32 {
	t.Helper()
	var can []int32
	for id := range int32(len(k.pieces)) {
		if m.Has(id) {
			can = append(can, id)
		}
	}
	if len(can) == 0 {
		t.Fatalf("nothing may follow %q", k.text(sofar))
	}
	if short {
		for _, id := range can {
			if id == int32(prompt.End) || id == int32(prompt.CallClose) || id == int32(prompt.ThinkClose) {
				return id
			}
		}
		for _, id := range can {
			if p := string(k.pieces[id]); p == `"` || p == "}" || p == "]" {
				return id
			}
		}
	}
	return can[r.IntN(len(can))]
}

// write generates at random until the guide is done, in a hurry after so many
// tokens.
func (k *tokens) write(t *testing.T, r *rand.Rand, g *constrain.Guide, hurry int) []int32 {
	t.Helper()
	var ids []int32
	for !g.Ended() {
		if len(ids) > 20000 {
			t.Fatalf("no end: %q", k.text(ids[:500]))
		}
		short := len(ids) > hurry
		id, shut := int32(0), false
		if short {
			id, shut = g.Shut()
		}
		if !shut {
			id = k.pick(t, r, g.Mask(), short && r.IntN(4) > 0, ids...)
		}
		if err := g.Add(id); err != nil {
			t.Fatalf("%v after %q: %q", err, k.text(ids), k.pieces[id])
		}
		ids = append(ids, id)
	}
	return ids
}

// text joins tokens, specials by their names.
func (k *tokens) text(ids []int32) string {
	var b strings.Builder
	for _, id := range ids {
		if id < int32(prompt.Specials) {
			b.WriteString(prompt.Special(id).String())
			continue
		}
		b.Write(k.pieces[id])
	}
	return b.String()
}

func answer(t *testing.T, k *tokens, schema string) *constrain.Grammar {
	t.Helper()
	g, err := constrain.Answer(k.v, json.RawMessage(schema))
	if err != nil {
		t.Fatal(err)
	}
	return g
}
