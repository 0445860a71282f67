package token_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/token"
)

// texts are odd ones.
var texts = []string{
	"", " ", "the reader", sample, "there's They'RE'S", "\xff\xfe\x00", "a\xffb", "東京 東京都",
	"<|im_end|><think></think><tool_call>{}</tool_call><|bos|><|pad|><|im_start|>", strings.Repeat("the", 60),
	strings.Repeat("a", 200), strings.Repeat("=", 131), strings.Repeat("aab", 77), "   \n\n  x \t\t", "\r\n\r\n",
}

func TestEncode(t *testing.T) {
	t.Parallel()
	v := learn(150)
	k := open(t, v)
	r := rand.New(rand.NewPCG(1, 1))
	all := slices.Clone(texts)
	for range 200 {
		var b strings.Builder
		for range r.IntN(60) {
			from := r.IntN(len(sample))
			b.WriteString(sample[from:min(len(sample), from+1+r.IntN(9))])
		}
		all = append(all, b.String())
	}
	for _, s := range all {
		got := k.Encode(nil, s)
		if want := v.encode(s); !slices.Equal(got, want) {
			t.Errorf("%q:\n got %v\nwant %v", s, got, want)
		}
		if back := string(k.Decode(got)); back != s {
			t.Errorf("%q comes back as %q", s, back)
		}
		if slices.ContainsFunc(got, token.Special) {
			t.Errorf("%q yields a special token", s)
		}
	}
}

// TestEncodeAppends checks that what is there stays.
func TestEncodeAppends(t *testing.T) {
	t.Parallel()
	k := open(t, learn(10))
	got := k.Encode([]int32{token.BOS, token.Start}, "a")
	if len(got) != 3 || got[0] != token.BOS || got[1] != token.Start || string(k.Piece(got[2])) != "a" {
		t.Errorf("got %v", got)
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	k := open(t, learn(10))
	if k.Size() != 8+256+10 {
		t.Errorf("%d tokens", k.Size())
	}
	for id, name := range names {
		if string(k.Piece(int32(id))) != name || !token.Special(int32(id)) {
			t.Errorf("token %d is %q", id, k.Piece(int32(id)))
		}
	}
	if token.CallClose != 7 || token.Special(8) || token.Special(-1) {
		t.Error("the special tokens are not 0 to 7")
	}
	if k.Piece(-1) != nil || k.Piece(int32(k.Size())) != nil || len(k.Decode([]int32{-5, 1 << 30})) != 0 {
		t.Error("ids that do not exist have pieces")
	}
}

// TestLong checks that hostile text comes back whole. Were the time not in
// proportion to its length, this would not end within a test's limit.
func TestLong(t *testing.T) {
	t.Parallel()
	k := open(t, learn(150))
	for name, unit := range map[string]string{
		"letters": "a", "spaces": " ", "signs": "=", "lines": "\n", "wide": "東", "broken": "\x80", "mixed": "aab",
		"signs and a line": "=\n ", "digits": "1", "quotes": "'",
	} {
		text := strings.Repeat(unit, (1<<20)/len(unit))
		if string(k.Decode(k.Encode(nil, text))) != text {
			t.Errorf("%s: other text comes back", name)
		}
	}
}

// TestCut checks that a long piece is cut between characters.
func TestCut(t *testing.T) {
	t.Parallel()
	v := learn(150)
	k := open(t, v)
	text := strings.Repeat("東", token.MaxPiece)
	n := token.MaxPiece / 3 * 3 // the last character that begins before the limit ends there
	var want []int32
	for rest := text; rest != ""; {
		m := min(n, len(rest))
		want, rest = k.Encode(want, rest[:m]), rest[m:]
	}
	if got := k.Encode(nil, text); !slices.Equal(got, want) {
		t.Errorf("%d tokens, want %d", len(got), len(want))
	}
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	change := func(f func(v *vocab)) []byte {
		v := learn(5)
		f(v)
		return v.file()
	}
	good := learn(5).file()
	for name, file := range map[string][]byte{
		"empty":             nil,
		"another magic":     append([]byte("MOOTBPE2"), good[8:]...),
		"cut short":         good[:len(good)-1],
		"cut in entries":    good[:300],
		"cut before n":      good[:10],
		"bytes left over":   append(slices.Clone(good), 0),
		"huge n":            slices.Concat(good[:8], []byte{255, 255, 255, 255}, good[12:]),
		"another special":   change(func(v *vocab) { v.entries[3] = "<|end|>" }),
		"a byte is missing": change(func(v *vocab) { v.entries[20] = "xyz" }),
		"an empty entry":    change(func(v *vocab) { v.entries[268] = "" }),
		"a huge entry":      change(func(v *vocab) { v.entries[268] = strings.Repeat("x", 5000) }),
		"twice there":       change(func(v *vocab) { v.entries = append(v.entries, v.entries[268]) }),
		"no specials":       change(func(v *vocab) { v.entries = v.entries[8:] }),
		"unknown result":    change(func(v *vocab) { v.merges = append(v.merges, [2]uint32{8, 8}) }),
		"unknown id":        change(func(v *vocab) { v.merges = append(v.merges, [2]uint32{8, 1 << 31}) }),
		"special in merge":  change(func(v *vocab) { v.merges = append(v.merges, [2]uint32{0, 8}) }),
		"merge twice":       change(func(v *vocab) { v.merges = append(v.merges, v.merges[0]) }),
	} {
		if _, err := token.Open(file); moothall.ErrorCode(err) != moothall.CodeCorrupt {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoWayToASpecial has merges that would spell one.
func TestNoWayToASpecial(t *testing.T) {
	t.Parallel()
	v := learn(0)
	id := func(s string) uint32 { return uint32(slices.Index(v.entries, s)) }
	text := "<think>"
	for i := 2; i < len(text); i++ {
		v.entries = append(v.entries, text[:i])
		v.merges = append(v.merges, [2]uint32{id(text[:i-1]), id(text[i-1 : i])})
	}
	if _, err := token.Open(v.file()); err != nil {
		t.Fatal(err)
	}
	v.merges = append(v.merges, [2]uint32{id("<think"), id(">")})
	if _, err := token.Open(v.file()); moothall.ErrorCode(err) != moothall.CodeCorrupt {
		t.Errorf("a merge that makes a special token: %v", err)
	}
}

func FuzzRoundTrip(f *testing.F) {
	v := learn(150)
	k := open(f, v)
	for _, s := range texts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		ids := k.Encode(nil, s)
		if back := string(k.Decode(ids)); back != s {
			t.Fatalf("%q comes back as %q", s, back)
		}
		if slices.ContainsFunc(ids, token.Special) {
			t.Fatalf("%q yields a special token", s)
		}
		if len(s) < 500 && !slices.Equal(ids, v.encode(s)) {
			t.Fatalf("%q: %v, want %v", s, ids, v.encode(s))
		}
	})
}

func FuzzOpen(f *testing.F) {
	f.Add(learn(5).file())
	f.Add(learn(0).file())
	f.Add([]byte("MOOTBPE1\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		k, err := token.Open(file)
		if err != nil {
			return
		}
		if back := string(k.Decode(k.Encode(nil, sample))); back != sample {
			t.Fatalf("the sample comes back as %q", back)
		}
	})
}
