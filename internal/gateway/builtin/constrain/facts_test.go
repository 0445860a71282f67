package constrain_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/prompt"
)

const moon = `- Moon landing: Neil Armstrong was the first person to walk on the Moon, on 20 July 1969, followed by Buzz Aldrin. It cost $25.4 billion, or 2,340 a head.
The log is in logs/apollo_11.txt, order INV695220 and 9b23889e. She said "one small step" to d'Artagnan in Jean-Luc's café Zoë, which is shut on Sundays.

Who was the second person to walk on the moon?`

func TestUnsaid(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"Buzz Aldrin was the second person to walk on the Moon.": "",
		"Geil Armstrong was the secondine of the Moon landing.":  "Geil",
		"It was in 3969 by Apollo 11.":                           "3969",
		"It was in 1969, on 20 July.":                            "",
		"It was in 196.":                                         "196.",
		"It was in 19690.":                                       "19690.",
		"The second was Buzz Lightyear.":                         "Lightyear.",
		"The second was Buz.":                                    "Buz.",
		"The person was Neil. The cost was 25.4 billion.":        "",
		"It cost 2340 or 2,340 a head.":                          "",
		"It cost 25.5 billion.":                                  "25.5",
		"The log is in logs/apollo_11.txt.":                      "",
		"The log is in logs/apollo_12.txt.":                      "logs/apollo_12.txt.",
		"The log is in mostlywahands.txt.":                       "mostlywahands.txt.",
		"See apollo_11.txt and order INV695220, or 9b23889e.":    "See",
		"I saw apollo_11.txt and order INV695220, or 9b23889e.":  "",
		"The order is INV695221.":                                "INV695221.",
		`She said "one small step", then.`:                       "",
		`She said "one giant step".`:                             "giant",
		`She said "one small st".`:                               `st".`,
		`She said "one small step`:                               "step",
		"It belongs to Jean-Luc, to Luc's café and to Zoë.":      "",
		"I don't know that. A larger model would help: install Ollama (https://ollama.com) and run: ollama pull qwen3:4b": "",
		"It cost 2,340 dollars or a dollar a head.":    "",
		"It cost 2,340 pounds a head.":                 "pounds",
		"It cost 2,340 euros.":                         "euros.",
		"It is 20 kilos, a kilobyte and 20 compounds.": "kilos,",
		"The Pounds are 20.":                           "Pounds",
		"It was on a Sunday.":                          "",
		"It was on a Monday.":                          "Monday.",
		"":                                             "",
		"She said “one small step.” So it’s Zoë… Really":      "Really",
		"the moon, the unheard-of whatever, 20kg of the 20th": "",
	} {
		if got := constrain.NewFacts(moon).Unsaid(answer); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}

// TestFactsGuide keeps a model from saying what stands nowhere, whatever it
// prefers, and lets it end only with a whole word.
func TestFactsGuide(t *testing.T) {
	t.Parallel()
	k := newTokens(300)
	g := constrain.NewGuide(k.v, constrain.Options{Facts: constrain.NewFacts(moon)})
	for _, b := range []byte("It was Buz") {
		if !g.Mask().Has(letter + int32(b)) {
			t.Fatalf("%q is refused", b)
		}
		if err := g.Add(letter + int32(b)); err != nil {
			t.Fatal(err)
		}
	}
	m := g.Mask()
	if m.Has(int32(prompt.End)) || m.Has(letter+'a') || m.Has(letter+' ') || !m.Has(letter+'z') {
		t.Error("what follows Buz is not z")
	}
	if g.Add(letter+'a') == nil {
		t.Error("Buza was taken")
	}
}

// FuzzFacts lets a model that knows nothing speak: whatever it says stands in
// the text, and there is always a way on.
func FuzzFacts(f *testing.F) {
	for _, s := range []string{moon, "", "a", "\"", "1", "1,2.3", "\xff\xfe", "Ü日本", "“a” \xe2", "a.b/c_d@e", strings.Repeat("x", 300)} {
		f.Add(s, "It is A1 \"x\" 12.", uint64(1))
	}
	k := newTokens(300)
	f.Fuzz(func(t *testing.T, text, answer string, seed uint64) {
		constrain.NewFacts(text).Unsaid(answer)
		facts := constrain.NewFacts(text)
		g := constrain.NewGuide(k.v, constrain.Options{Facts: facts})
		r := rand.New(rand.NewPCG(seed, 6))
		var ids []int32
		for n := 0; !g.Ended() && n < 400; n++ {
			id := k.pick(t, r, g.Mask(), n > 30, ids...)
			if err := g.Add(id); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		if !g.Ended() {
			return
		}
		said := strings.TrimSuffix(k.text(ids), prompt.End.String())
		if u := facts.Unsaid(said); u != "" {
			t.Fatalf("%q of %q", u, said)
		}
	})
}
