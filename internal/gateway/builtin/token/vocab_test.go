package token_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"moothall/internal/gateway/builtin/token"
)

var names = []string{
	"<|bos|>", "<|pad|>", "<|im_start|>", "<|im_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>",
}

// vocab is a vocabulary under construction.
type vocab struct {
	entries []string
	merges  [][2]uint32
}

// sample is what the vocabulary of the tests is learnt from.
const sample = `the reader of the file reads there, then rereads it; they're in the hall's
hallway, and it's 2026: {"name": "fs_read", "arguments": {"path": "notes/there.txt"}}

	if err != nil { return err }   // überall, naïve, Straße, 東京都 東京 — “quoted” …
aaaaaaaaaaaaaaaa ==== ==== ---- ---- the the the The THE hall's hall's reader's`

// learn makes a vocabulary with at most n merges, the most frequent pair first.
func learn(n int) *vocab {
	v := &vocab{entries: append([]string(nil), names...)}
	for b := range 256 {
		// Some other order than that of the bytes.
		v.entries = append(v.entries, string([]byte{byte(b*37 + 11)}))
	}
	ids := map[string]uint32{}
	for i, e := range v.entries {
		ids[e] = uint32(i)
	}
	var pieces [][]uint32
	for _, s := range token.Split(strings.Repeat(sample, 2)) {
		var p []uint32
		for i := range len(s) {
			p = append(p, ids[s[i:i+1]])
		}
		pieces = append(pieces, p)
	}
	for range n {
		best := frequent(pieces)
		if best[0] == best[1] && best[0] == 0 {
			break // every piece is one token
		}
		text := v.entries[best[0]] + v.entries[best[1]]
		id, known := ids[text]
		if !known {
			id = uint32(len(v.entries))
			ids[text], v.entries = id, append(v.entries, text)
		}
		v.merges = append(v.merges, best)
		for i, p := range pieces {
			pieces[i] = joined(p, best, id)
		}
	}
	return v
}

// frequent returns the most frequent pair, the first of them.
func frequent(pieces [][]uint32) [2]uint32 {
	count := map[[2]uint32]int{}
	var best [2]uint32
	for _, p := range pieces {
		for i := range len(p) - 1 {
			count[[2]uint32(p[i:i+2])]++
		}
	}
	for _, p := range pieces {
		for i := range len(p) - 1 {
			if k := [2]uint32(p[i : i+2]); count[k] > count[best] {
				best = k
			}
		}
	}
	return best
}

// joined replaces a pair by an id, from left to right.
func joined(p []uint32, pair [2]uint32, id uint32) []uint32 {
	var out []uint32
	for i := 0; i < len(p); i++ {
		if i+1 < len(p) && [2]uint32(p[i:i+2]) == pair {
			out = append(out, id)
			i++
			continue
		}
		out = append(out, p[i])
	}
	return out
}

// file writes a vocabulary.
func (v *vocab) file() []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("MOOTBPE1"), uint32(len(v.entries)))
	for _, e := range v.entries {
		b = append(le.AppendUint16(b, uint16(len(e))), e...)
	}
	b = le.AppendUint32(b, uint32(len(v.merges)))
	for _, m := range v.merges {
		b = le.AppendUint32(le.AppendUint32(b, m[0]), m[1])
	}
	return b
}

// encode is BPE by its definition: of all pairs that merge, the one of lowest
// rank, and of those the leftmost, until there is none.
func (v *vocab) encode(text string) []int32 {
	ids, ranks := map[string]int32{}, map[[2]int32]int{}
	for i, e := range v.entries {
		ids[e] = int32(i)
	}
	for i, m := range v.merges {
		ranks[[2]int32{int32(m[0]), int32(m[1])}] = i
	}
	var out []int32
	for _, s := range token.Split(text) {
		var p []int32
		for i := range len(s) {
			p = append(p, ids[s[i:i+1]])
		}
		for {
			at, best := -1, len(ranks)
			for i := range len(p) - 1 {
				if r, ok := ranks[[2]int32(p[i:i+2])]; ok && r < best {
					at, best = i, r
				}
			}
			if at < 0 {
				break
			}
			p[at] = ids[v.entries[p[at]]+v.entries[p[at+1]]]
			p = slices.Delete(p, at+1, at+2)
		}
		out = append(out, p...)
	}
	return out
}

func open(t testing.TB, v *vocab) *token.Tokenizer {
	t.Helper()
	k, err := token.Open(v.file())
	if err != nil {
		t.Fatal(err)
	}
	return k
}
