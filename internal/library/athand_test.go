package library_test

import (
	"testing"

	"moothall/internal/library"
)

// TestAtHand asks about texts that the library has words of as well.
func TestAtHand(t *testing.T) {
	t.Parallel()
	const mail = "Dear Lena, the invoice of 3 November over 1,280 EUR lacks the tax number. Please put Mr Okafor in cc. Tom does not eat fish any more."
	l := library.Open()
	for question, found := range map[string]bool{
		"how much was the invoice":          false,
		"is tom ok with salmon for dinner":  false,
		"what is an invoice":                true, // its very own question
		"What is the capital of France?":    true,
		"how long does salmon live in oven": true,
	} {
		if len(l.Recall(question, "", "", 2)) == 0 {
			t.Errorf("%s: nothing is found without a text", question)
		}
		if got := l.Recall(question, "", mail, 2); len(got) > 0 != found {
			t.Errorf("%s: %d found", question, len(got))
		}
	}
}

// TestPointing asks on about a text, or about somebody of the library, beside it.
func TestPointing(t *testing.T) {
	t.Parallel()
	const lamp = "Product: desk lamp\nPrice: 34.50\nColour: black\nWarranty: 2 years"
	l := library.Open()
	for _, c := range []struct {
		question, before string
		found            bool
	}{
		{"does it come in white", "how long is the warranty\nIt has a warranty of 2 years.", false},
		{"when was she born", "Who was Ada Lovelace?\nAda Lovelace was an English mathematician.", true},
		{"where does it lie", "What is the capital of Peru?\nThe capital of Peru is Lima.", true},
	} {
		if got := l.Recall(c.question, c.before, lamp, 2); len(got) > 0 != c.found {
			t.Errorf("%s: %+v", c.question, got)
		}
	}
	const refused = "who won the cup of 1998\nI don't know that offline. I am the very small model inside Moothall, and I would only be guessing. A larger model would help: install Ollama (https://ollama.com) and run: ollama pull qwen3:4b"
	for _, r := range l.Recall("where was it held", refused, "", 2) {
		if r.Entry.Name == "Ollama" || len(r.Entry.Tags) > 0 && r.Entry.Tags[0] == "moothall" {
			t.Errorf("found %s", r.Entry.Name)
		}
	}
}

// TestThere asks for something of a place that was named before, in the words of
// a question about the whole world.
func TestThere(t *testing.T) {
	t.Parallel()
	l := library.Open()
	for question, c := range map[string]struct {
		before, want string
	}{
		"how high is the highest mountain":       {"", "Mount Everest"},
		"how high is the highest mountain there": {"what is the capital of slovenia\nThe capital of Slovenia is Ljubljana.", ""},
		"how many continents are there":          {"what is the capital of slovenia\nThe capital of Slovenia is Ljubljana.", "Continent"},
	} {
		got := ""
		for _, e := range l.FindAfter(question, c.before, 1) {
			got = e.Name
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", question, got, c.want)
		}
	}
}
