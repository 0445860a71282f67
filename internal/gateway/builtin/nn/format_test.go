package nn_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/nn"
)

// tiny is about the smallest shape there is.
var tiny = nn.Config{
	Dim: 64, Layers: 1, Heads: 2, KVHeads: 1, HeadDim: 32, FFN: 64, Vocab: 9,
	Window: 8, RopeTheta: 10000, NormEps: 1e-6,
}

func TestConfig(t *testing.T) {
	t.Parallel()
	m, err := nn.Open(build(tiny, 1))
	if err != nil {
		t.Fatal(err)
	}
	if m.Config() != tiny {
		t.Errorf("the shape comes back as %+v", m.Config())
	}
}

// TestUnaligned opens a file that lies at an odd address.
func TestUnaligned(t *testing.T) {
	t.Parallel()
	file := build(small, 1)
	ids := prompt(small, 9, 1)
	each(t, func(t *testing.T, kernel string) {
		want := feed(t, open(t, kernel, file).NewContext(), ids)
		odd := append(make([]byte, 1, len(file)+1), file...)[1:]
		if got := feed(t, open(t, kernel, odd).NewContext(), ids); !slices.Equal(got, want) {
			t.Error("other logits")
		}
	})
}

// damage is a way to spoil a file, by its shape, its tensors or its data.
type damage struct {
	name string
	do   func(c *nn.Config, w *writer)
}

func shape(name string, f func(c *nn.Config)) damage {
	return damage{name, func(c *nn.Config, _ *writer) { f(c) }}
}

func tensors(name string, f func(e []entry) []entry) damage {
	return damage{name, func(_ *nn.Config, w *writer) { w.tensors = f(w.tensors) }}
}

var damages = []damage{
	shape("no dim", func(c *nn.Config) { c.Dim = 0 }),
	shape("dim no multiple of 64", func(c *nn.Config) { c.Dim = 96 }),
	shape("negative layers", func(c *nn.Config) { c.Layers = -1 }),
	shape("too many layers", func(c *nn.Config) { c.Layers = 1 << 40 }),
	shape("one layer more", func(c *nn.Config) { c.Layers++ }),
	shape("no heads", func(c *nn.Config) { c.Heads = 0 }),
	shape("heads that do not divide", func(c *nn.Config) { c.Heads, c.KVHeads = 4, 3 }),
	shape("no key heads", func(c *nn.Config) { c.KVHeads = 0 }),
	shape("odd head", func(c *nn.Config) { c.HeadDim = 33 }),
	shape("huge head", func(c *nn.Config) { c.HeadDim = 1 << 20 }),
	shape("ffn no multiple of 64", func(c *nn.Config) { c.FFN = 32 }),
	shape("another vocabulary", func(c *nn.Config) { c.Vocab = 8 }),
	shape("huge vocabulary", func(c *nn.Config) { c.Vocab = math.MaxInt64 }),
	shape("no window", func(c *nn.Config) { c.Window = 0 }),
	shape("no theta", func(c *nn.Config) { c.RopeTheta = 0 }),
	shape("negative eps", func(c *nn.Config) { c.NormEps = -1 }),
	tensors("one is missing", func(e []entry) []entry { return e[1:] }),
	tensors("one is unknown", func(e []entry) []entry { return append(e, entry{"more", []int{1}, "f32", 0}) }),
	tensors("one is there twice", func(e []entry) []entry { return append(e, e[0]) }),
	tensors("offset beyond the data", func(e []entry) []entry { e[0].Offset = 1 << 40; return e }),
	tensors("offset at the end", func(e []entry) []entry { e[0].Offset = e[len(e)-1].Offset; return e }),
	tensors("vector at the end", func(e []entry) []entry { e[1].Offset = e[len(e)-1].Offset + 64; return e }),
	tensors("all at one place", func(e []entry) []entry {
		for i := range e {
			e[i].Offset = 0
		}
		return e
	}),
	tensors("negative offset", func(e []entry) []entry { e[0].Offset = -64; return e }),
	tensors("odd offset", func(e []entry) []entry { e[1].Offset++; return e }),
	tensors("another type", func(e []entry) []entry { e[0].Type = "f32"; return e }),
	tensors("another shape", func(e []entry) []entry { slices.Reverse(e[0].Shape); return e }),
	tensors("fewer dimensions", func(e []entry) []entry { e[0].Shape = e[0].Shape[:1]; return e }),
	{"scale is no number", func(_ *nn.Config, w *writer) { copy(w.data[9*64:], "\x00\x7c") }},
	{"norm is no number", func(_ *nn.Config, w *writer) { copy(w.data[w.tensors[1].Offset:], "\x00\x00\xc0\x7f") }},
	{"data cut short", func(_ *nn.Config, w *writer) { w.data = w.data[:len(w.data)-1] }},
	{"no data", func(_ *nn.Config, w *writer) { w.data = nil }},
}

func TestDamaged(t *testing.T) {
	t.Parallel()
	for _, d := range damages {
		c, w := tiny, write(tiny, 1)
		d.do(&c, w)
		wantCorrupt(t, d.name, assemble(c, w.tensors, w.data))
	}
	file := build(tiny, 1)
	wantCorrupt(t, "empty", nil)
	wantCorrupt(t, "magic alone", file[:8])
	wantCorrupt(t, "another magic", append([]byte("MOOTNN02"), file[8:]...))
	wantCorrupt(t, "header cut short", file[:100])
	wantCorrupt(t, "huge header", slices.Concat(file[:8], []byte{255, 255, 255, 255}, file[12:]))
	wantCorrupt(t, "no JSON", bytes.Replace(file, []byte(`{"config"`), []byte(`["config"`), 1))
	w := write(tiny, 1)
	wantCorrupt(t, "more after the header", join(append(header(tiny, w.tensors), 'x'), w.data))
	wantCorrupt(t, "unknown field", bytes.Replace(file, []byte(`"dim"`), []byte(`"dlm"`), 1))
}

func wantCorrupt(t *testing.T, name string, file []byte) {
	t.Helper()
	if _, err := nn.Open(file); moothall.ErrorCode(err) != moothall.CodeCorrupt {
		t.Errorf("%s: %v", name, err)
	}
}

// FuzzOpen checks that no file makes Open or Feed panic or touch what is not
// theirs. What varies is the header, and where the data end.
func FuzzOpen(f *testing.F) {
	data := write(tiny, 1).data
	f.Add(header(tiny, write(tiny, 1).tensors), len(data))
	f.Add([]byte("{}"), 0)
	for _, d := range damages {
		c, w := tiny, write(tiny, 1)
		d.do(&c, w)
		f.Add(header(c, w.tensors), len(w.data))
	}
	f.Fuzz(func(t *testing.T, head []byte, n int) {
		m, err := nn.Open(join(head, data[:min(max(n, 0), len(data))]))
		if err != nil {
			return
		}
		ids := make([]int32, min(m.Config().Window, 3))
		logits, err := m.NewContext().Feed(t.Context(), ids)
		if err != nil || len(logits) != m.Config().Vocab {
			t.Fatalf("%d logits, %v", len(logits), err)
		}
	})
}
