package passage_test

import (
	"testing"

	"moothall/internal/memory/passage"

	"github.com/google/go-cmp/cmp"
)

func TestEntities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want []passage.Entity
	}{
		{"", nil},
		{"nothing is named here", nil},
		{"Today is nice. The weather holds.", nil},
		{"My sister Ana lives in Porto.", []passage.Entity{{"Ana", "person"}, {"Porto", "place"}}},
		{"We met Dr. Ilse van Dorn at Leiden University on 7 May 2023.", []passage.Entity{{"7 May 2023", "date"}, {"Ilse van Dorn", "person"}, {"Leiden University", "organisation"}}},
		{"Bram said that NASA called.", []passage.Entity{{"Bram", "person"}, {"NASA", "thing"}}},
		{"I walked down Baker Street with Tom.", []passage.Entity{{"Baker Street", "place"}, {"Tom", "person"}}},
		{"A book about Zorba. Zorba lives on Crete.", []passage.Entity{{"Zorba", "person"}, {"Crete", "thing"}}},
	} {
		if d := cmp.Diff(c.want, passage.Entities(c.text)); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
}

func FuzzEntities(f *testing.F) {
	f.Add("My sister Ana's dog, Rex of York, on 7 May 2023.")
	f.Add("Ü’s É. 'S ’S A' 's")
	f.Fuzz(func(t *testing.T, text string) {
		seen := map[string]bool{}
		for _, e := range passage.Entities(text) {
			if e.Name == "" || e.Kind == "" || seen[e.Name] {
				t.Fatalf("bad or repeated %+v", e)
			}
			seen[e.Name] = true
		}
	})
}
