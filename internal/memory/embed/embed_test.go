package embed_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"moothall/internal/memory/embed"
)

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// store holds texts and finds the one nearest to a question.
type store struct {
	e     *embed.Embedder
	texts []string
	vecs  [][]float32
}

func newStore(texts ...string) *store {
	s := &store{e: embed.New(embed.Options{}), texts: texts}
	for _, t := range texts {
		s.vecs = append(s.vecs, s.e.Embed(t))
		s.e.Observe(t)
	}
	return s
}

func (s *store) nearest(question string) string {
	q, best := s.e.EmbedQuery(question), 0
	for i, v := range s.vecs {
		if dot(q, v) > dot(q, s.vecs[best]) {
			best = i
		}
	}
	return s.texts[best]
}

func TestNearest(t *testing.T) {
	t.Parallel()
	s := newStore(
		"Ana adopted a grey puppy from the shelter.",
		"Tom went swimming in the lake on 14 July 2021.",
		"The invoice number is 48213 and it is due in March.",
		"Our flight to Reykjavík leaves at 6.30 in the morning.",
		"Müller repaired the heating in the cellar.",
		"我昨天在上海买了一台新电脑。",
		"東京の図書館で本を借りました。",
		"Мы купили новую квартиру в Казани.",
		"She bought two tickets for the violin concert.",
		"I prefer my coffee without sugar.",
		"Nadia's brother works as a nurse in the hospital.",
		"It rained all day and we stayed at home.",
	)
	for question, want := range map[string]string{
		"What pets does Ana have?":                "puppy",
		"who adopted a dog":                       "puppy",
		"When did Tom swim?":                      "swimming",
		"invoice 48213":                           "48213",
		"flight to Reykjavik":                     "Reykjavík",
		"flihgt to reykjavk":                      "Reykjavík",
		"mueller or Muller and the heatings":      "Müller",
		"上海 电脑":                                   "上海",
		"図書館":                                     "図書館",
		"квартира Казань":                         "Казани",
		"Who buys concert tickets?":               "violin",
		"How do I like my coffee?":                "sugar",
		"what is the job of the brother of Nadia": "nurse",
	} {
		if got := s.nearest(question); !strings.Contains(got, want) {
			t.Errorf("%q found %q, want the one with %q", question, got, want)
		}
	}
}

func TestNumbersDoNotBlur(t *testing.T) {
	t.Parallel()
	e := embed.New(embed.Options{})
	if got := dot(e.Embed("1995"), e.Embed("1996")); math.Abs(got) > 0.3 {
		t.Errorf("two years are alike by %.2f", got)
	}
	if got := dot(e.Embed("on May 7th"), e.Embed("on 7 May")); got < 0.6 {
		t.Errorf("one day written twice is alike by %.2f only", got)
	}
}

func TestVectorsAreNormalAndZeroForNothing(t *testing.T) {
	t.Parallel()
	e := embed.New(embed.Options{Dim: 384})
	if e.Dim() != 384 || e.Name() != "builtin-hash-1/384" {
		t.Errorf("%s of %d", e.Name(), e.Dim())
	}
	for _, v := range [][]float32{e.Embed("a word"), e.EmbedQuery("the of and"), e.Embed(strings.Repeat("many words ", 99999)),
		e.EmbedParts(embed.Part{Text: "one", Weight: 1}, embed.Part{Text: "two", Weight: 0.5})} {
		if n := dot(v, v); math.Abs(n-1) > 1e-4 {
			t.Errorf("squared length %f", n)
		}
	}
	for _, text := range []string{"", " \n", "?!", "\xff"} {
		if slices.ContainsFunc(e.Embed(text), func(x float32) bool { return x != 0 }) {
			t.Errorf("%q has a vector", text)
		}
	}
}

// The bits of a vector must be the same on every machine, in every release
// that keeps the version. A change here needs a new version.
func TestDeterminism(t *testing.T) {
	t.Parallel()
	e := embed.New(embed.Options{})
	h := sha256.New()
	for _, text := range []string{"Ana adopted a grey puppy on 7 May 2023.", "Straße, naïve, İstanbul", "東京 and 서울", "don't stop; can't won't"} {
		e.Observe(text)
		for _, v := range [][]float32{e.Embed(text), e.EmbedQuery(text), e.EmbedParts(embed.Part{Text: text, Weight: 1}, embed.Part{Text: "beside", Weight: 0.25})} {
			if err := binary.Write(h, binary.LittleEndian, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	const want = "4b7b062ec00e827e"
	if got := hex.EncodeToString(h.Sum(nil)[:8]); got != want {
		t.Errorf("vectors changed: %s, want %s", got, want)
	}
}

func TestStoredVectorsIgnoreTheStatistics(t *testing.T) {
	t.Parallel()
	e := embed.New(embed.Options{})
	before := e.Embed("the harbour of Ghent")
	e.Observe("the harbour of Ghent")
	asked := e.EmbedQuery("the harbour of Ghent")
	for range 200 {
		e.Observe("a harbour like any harbour")
	}
	if !slices.Equal(before, e.Embed("the harbour of Ghent")) {
		t.Error("a stored vector changed with the statistics")
	}
	again := e.EmbedQuery("the harbour of Ghent")
	ghent, harbour := e.Embed("Ghent"), e.Embed("harbour")
	if dot(again, ghent) <= dot(asked, ghent) || dot(again, harbour) >= dot(asked, harbour) {
		t.Error("the rare word does not weigh more, or the common one not less")
	}
}

func TestPartsLeanTowardsTheHeavier(t *testing.T) {
	t.Parallel()
	e := embed.New(embed.Options{})
	v := e.EmbedParts(embed.Part{Text: "violin concert", Weight: 1}, embed.Part{Text: "garden fence", Weight: 0.5})
	main, side, none := dot(v, e.Embed("violin concert")), dot(v, e.Embed("garden fence")), dot(v, e.Embed("tax office"))
	if !(main > side && side > none+0.1) {
		t.Errorf("main %.2f, side %.2f, none %.2f", main, side, none)
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	e := embed.New(embed.Options{})
	got := strings.Join(e.Terms("The children went running in Tōkyō on the 2nd; 東京都 and 水."), " ")
	if want := "child go run tokyo 2 東京 京都 水"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
