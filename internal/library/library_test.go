package library_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"moothall"
	"moothall/internal/library"
)

// five is a library of five entries.
func five() *library.Library { return library.New(os.DirFS("testdata/small")) }

func names(list []library.Entry) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.Name)
	}
	return out
}

func TestFind(t *testing.T) {
	t.Parallel()
	l := five()
	if err := l.Err(); err != nil || l.Len() != 5 {
		t.Fatalf("%d entries, %v", l.Len(), err)
	}
	for question, want := range map[string][]string{
		"What is the capital of France?":        {"France"},
		"FRANCE":                                {"France"},
		"who wrote the first program":           {"Ada Lovelace"},
		"Which planet is nearest to the sun?":   {"Mercury (planet)"},
		"what is the symbol of mercury":         {"Mercury (element)"},
		"What is the capital of Bhutan?":        nil,
		"why do cats purr":                      nil,
		"What is my favourite place in France?": nil,
		"read france.txt":                       nil,
		"":                                      nil,
		"+ # ++ ?":                              nil,
		"\xff\xfe":                              nil,
		strings.Repeat("who is that ", 100_000): nil,
	} {
		got := names(l.Find(question, 2))
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) || len(want) == 0 && len(got) > 0 {
			t.Errorf("%.60q: %q, want %q", question, got, want)
		}
	}
	if got := l.Find("What is the capital of France?", 1); len(got) != 1 || got[0].Score <= 0 || got[0].Score >= 1 {
		t.Errorf("one entry at most, with a score: %+v", got)
	}
	if got := l.Find("France", 0); got != nil {
		t.Errorf("none at most: %q", names(got))
	}
}

// TestFollowUps are questions that make no sense alone.
func TestFollowUps(t *testing.T) {
	t.Parallel()
	const france = "What is the capital of France?\nThe capital of France is Paris."
	for _, c := range []struct{ question, before, want string }{
		{"What is its currency?", france, "France"},
		{"And its neighbours?", france, "France Paris"}, // the text has another word for it
		{"and which countries does it border", france, "France"},
		{"How many people live there?", france, "France Paris"},
		{"What about Mercury?", france, "Mercury (planet) Mercury (element)"},
		{"When was she born?", "Who wrote the first program?\nAda Lovelace did, for the Analytical Engine.", "Ada Lovelace"},
		{"I am writing about cities. How many people live in Paris?", "", "Paris"},
		{"My sister moved to France. What is its currency?", "", ""}, // hers, not the library's
		{"Paris is in France. How many people live there?", "", "Paris France"},
		{"What is its currency?", "What is the capital of France?\nMy library says that I know it: Paris.", "France"},
		{"tell me more about it", france, "France Paris"},
		{"thanks", france, ""},
		{"are you sure?", france, ""},
		{"What is its currency?", "", ""},
		{"What is its currency?", "Which file is largest?\nThe largest is notes.txt.", ""},
		{"How do I like my coffee?", france, ""},
		{"Who was Ada Lovelace and when was she born?", france, "Ada Lovelace"},
		{"which France?", "", ""}, // of what was said before, whatever has the name
		{"What Paris", "Which file is largest?\nThe largest is notes.txt.", ""},
		{"which currency?", france, "France"},
	} {
		got := names(five().FindAfter(c.question, c.before, 2))
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.Contains(c.want, got[0])) {
			t.Errorf("%q after %.30q: %q, want %q", c.question, c.before, got, c.want)
		}
	}
}

func TestRecall(t *testing.T) {
	t.Parallel()
	l := five()
	got := l.Recall("What is its currency?", "What is the capital of France?", "", 2)
	if len(got) == 0 || got[0].Entry == nil {
		t.Fatalf("%+v", got)
	}
	e := got[0].Entry
	if e.Kind != moothall.Document || e.Source != library.Source || e.Trust != moothall.TrustModel || e.Name != "France" || e.ID != "library-france" || e.Created.IsZero() {
		t.Errorf("%+v", e)
	}
	if got[0].Segment != "The currency of France is the euro. — "+e.Corpus || !strings.HasPrefix(e.Corpus, e.Description) || !moothall.ValidToken(string(e.ID)) {
		t.Errorf("segment %q, description %q, id %q", got[0].Segment, e.Description, e.ID)
	}
	again, ok := l.Entry(e.ID)
	if !ok || again.Corpus != e.Corpus {
		t.Errorf("by its id: %+v", again)
	}
	if _, ok := l.Entry("library-nowhere"); ok {
		t.Error("an id that nothing has")
	}
	e.Tags[0] = "changed"
	if again, _ := l.Entry(e.ID); again.Tags[0] != "place" {
		t.Error("what was handed out is shared")
	}
}

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name":"x","text":"y"}` + "\n{": "line 2",
		`{"name":"x"}`:                    "without name or text",
		`{"name":7,"text":"y"}`:           "line 1",
	} {
		l := library.New(fstest.MapFS{"a.jsonl": {Data: []byte(text)}})
		if err := l.Err(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a.jsonl") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if got := l.Find("x", 2); got != nil || l.Len() != 0 {
			t.Errorf("%s: %v", text, got)
		}
	}
	same := library.New(fstest.MapFS{"a.jsonl": {Data: []byte(`{"name":"C++","text":"y"}` + "\n" + `{"name":"c++","text":"z"}`)}})
	var ids []string
	for _, e := range same.All() {
		ids = append(ids, e.ID)
	}
	if want := []string{"library-cplusplus", "library-cplusplus-2"}; !slices.Equal(ids, want) {
		t.Errorf("ids %q, want %q", ids, want)
	}
}

// TestBareNames are names that only their capital tells from other words.
func TestBareNames(t *testing.T) {
	t.Parallel()
	l := library.New(fstest.MapFS{"a.jsonl": {Data: []byte(
		`{"name":"Go (programming language)","text":"Go is a language that compiles fast."}` + "\n" + `{"name":"Wind","text":"Wind is air that moves."}` + "\n" + `{"name":"Rain","text":"Rain is water."}`)}})
	for question, want := range map[string]bool{
		"What is Go?": true, "explain Go please": true, "Is Go fast?": true, "where did it go?": false, "Go away": false, "Then Go to bed": false, "is Goa far": false,
	} {
		if got := l.Find(question, 1); len(got) > 0 != want {
			t.Errorf("%s: %q", question, names(got))
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("What is its currency?", "What is the capital of France?", `{"name":"France","text":"Its currency is the euro."}`)
	f.Add("how do I get my", "U.S.", `{"name":"(x)","text":"y","asks":[["a","b"]]}`)
	f.Fuzz(func(t *testing.T, question, before, line string) {
		l := library.New(fstest.MapFS{"a.jsonl": {Data: []byte(line)}})
		if got := l.FindAfter(question, before, 1); len(got) > 1 {
			t.Errorf("%d entries", len(got))
		}
		five().FindAfter(question, before, 2)
	})
}

// plain are files that can only be read from their beginning.
type plain struct{ fs.FS }

func (p plain) Open(name string) (fs.File, error) {
	f, err := p.FS.Open(name)
	if name == "." {
		return f, err
	}
	return struct{ fs.File }{f}, err
}

// TestReadFromTheBeginning takes entries out of files that know no other way.
func TestReadFromTheBeginning(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"a.jsonl": {Data: []byte("{\"name\":\"Ant\",\"text\":\"Ants are small.\"}\n\n{\"name\":\"Bee\",\"text\":\"Bees fly.\"}")}}
	for _, l := range []*library.Library{library.New(files), library.New(plain{files})} {
		all := l.All()
		if l.Err() != nil || len(all) != 2 || all[0].Text != "Ants are small." || all[1].Text != "Bees fly." {
			t.Errorf("%+v, %v", all, l.Err())
		}
	}
}

// TestSignsForAName finds an entry whose name has no letter in it.
func TestSignsForAName(t *testing.T) {
	t.Parallel()
	l := library.New(fstest.MapFS{"a.jsonl": {Data: []byte(`{"name":"???","text":"A painter of walls whom nobody saw.","tags":["person"],"asks":[["Who painted walls?","Somebody."]]}`)}})
	if got := l.Find("Who painted walls?", 1); len(got) != 1 || !got[0].Asked {
		t.Errorf("%+v, %v", got, l.Err())
	}
}

// TestOpening tells what something is with one sentence of its entry, and finds
// where that ends.
func TestOpening(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"A till is a box for money. It rings.": "A till is a box for money.", "A till wants a PIN. It rings.": "A till wants a PIN.", "A till opens in May. It rings.": "A till opens in May.",
		"A till is a novel by J. K. Rowling of 1997. It rings.": "A till is a novel by J. K. Rowling of 1997.", "A till is of John F. Kennedy. It rings.": "A till is of John F. Kennedy.",
		"A till stands in St. Ives by the sea. It rings.": "A till stands in St. Ives by the sea.", "A till is of King James I. It rings.": "A till is of King James I.", "A till rings.": "A till rings.",
	} {
		data, err := json.Marshal(map[string]string{"name": "Till", "text": text})
		if err != nil {
			t.Fatal(err)
		}
		l := library.New(fstest.MapFS{"a.jsonl": {Data: data}})
		if got := l.Find("what is a till", 1); len(got) != 1 || got[0].Answer != want {
			t.Errorf("%s: %+v", text, got)
		}
		if e, ok := l.Entry("library-till"); !ok || e.Description != want {
			t.Errorf("%s: %q", text, e.Description)
		}
	}
}

// TestLeft has questions that look like an entry's and are not for the library: what
// goes on after a tool's, distances between places, and a part of a word.
func TestLeft(t *testing.T) {
	t.Parallel()
	l := library.Open()
	sydney := "what time is it in Sydney\nIt is 07:28 in Sydney."
	for _, c := range []struct {
		question, before string
		found            bool
	}{
		{"and in New York?", sydney, false},
		{"what about Berlin", sydney, false},
		{"and Friday?", "What is in my calendar on Thursday?\nNothing.", false},
		{"and what is the capital of Peru", sydney, true},
		{"and Spain?", "What is the currency of Italy?\nItaly uses the euro.", true},
		{"how far is it from London", "what is the population of Iceland\nAbout 390,000 people live in Iceland.", false},
		{"how far is Rome from Paris", "", false},
		{"How far is the Moon from the Earth?", "", true},
		{"what's the meaning of life", "", false},
		{"what is a half-life", "", true},
		{"what is the half life of carbon", "", true},
		{"how do x-rays work", "", true},
	} {
		if got := l.FindAfter(c.question, c.before, 2); (len(got) > 0) != c.found {
			t.Errorf("%q after %q: %+v", c.question, c.before, got)
		}
	}
}
