package passage_test

import (
	"testing"

	"moothall/internal/memory/passage"

	"github.com/google/go-cmp/cmp"
)

func TestRelations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []passage.Relation
	}{
		{"", nil},
		{"Ana lives in Porto.", []passage.Relation{{"Ana", "lives in", "Porto", ""}}},
		{"I moved from Lima to Oslo in 2019 because of work.", []passage.Relation{{"speaker", "moved to", "Oslo", "in 2019"}, {"speaker", "moved from", "Lima", "in 2019"}}},
		{"We moved to Oslo in October.", []passage.Relation{{"speaker", "moved to", "Oslo", ""}}},
		{"I live in May Street.", []passage.Relation{{"speaker", "lives in", "May Street", ""}}},
		{"My sister Ana works at the harbour, and she is happy.", []passage.Relation{{"Ana", "works at", "harbour", ""}, {"speaker", "sister", "Ana", ""}}},
		{"Tom Berg married Eva Lind last summer.", []passage.Relation{{"Tom Berg", "married to", "Eva Lind", "last summer"}}},
		{"I like my coffee black, with one spoon of sugar.", []passage.Relation{{"speaker", "likes", "coffee black", ""}}},
		{"I prefer tea to coffee.", []passage.Relation{{"speaker", "prefers", "tea to coffee", ""}}},
		{"I don't like loud music.", []passage.Relation{{"speaker", "dislikes", "loud music", ""}}},
		{"Mira was born in Bergen.", []passage.Relation{{"Mira", "born in", "Bergen", ""}}},
		{"I adopted a puppy two weeks ago!", []passage.Relation{{"speaker", "has", "puppy", "two weeks ago"}}},
		{"My favourite colour is green.", []passage.Relation{{"speaker", "favourite colour", "green", ""}}},
		{"My favourite colour is blue now!", []passage.Relation{{"speaker", "favourite colour", "blue", ""}}},
		{"Rui's brother Nuno speaks Danish.", []passage.Relation{{"Nuno", "speaks", "Danish", ""}, {"Rui", "brother", "Nuno", ""}}},
		{"Does Ana live in Porto?", nil},
		{"If Ana lives in Porto, we can visit.", nil},
		{"Ana does not live in Porto.", nil},
		{"I wish I lived in Porto.", nil},
		{"I'm allergic to nuts.", []passage.Relation{{"speaker", "allergic to", "nuts", ""}}},
	} {
		if d := cmp.Diff(c.want, passage.Relations(c.text)); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
}

func TestIntent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                   "smalltalk",
		"Hi!":                                "smalltalk",
		"Hey, how are you?":                  "smalltalk",
		"Hey, when is the meeting?":          "question",
		"where does Ana live":                "question",
		"Could you book a table?":            "request",
		"Write a letter to the landlord":     "request",
		"please be brief":                    "request",
		"I prefer short answers.":            "preference",
		"From now on, speak German with me.": "preference",
		"That's wrong, it was Tuesday.":      "feedback",
		"My sister lives in Porto.":          "statement",
		"你住在哪里？":                             "question",
	} {
		if got := passage.Intent(text); got != want {
			t.Errorf("Intent(%q) = %s, want %s", text, got, want)
		}
	}
}

func FuzzRelations(f *testing.F) {
	f.Add("My sister Ana, who lives in Porto since 2010, has a dog named Rex.")
	f.Add("I am a")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range passage.Relations(text) {
			if r.Subject == "" || r.Relation == "" || r.Object == "" {
				t.Fatalf("incomplete %+v", r)
			}
		}
		if passage.Intent(text) == "" {
			t.Fatal("no intent")
		}
	})
}
