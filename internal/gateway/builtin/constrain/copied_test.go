package constrain_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/prompt"
)

const letter = int32(prompt.Specials) // the token of byte 0 in a test's vocabulary

func tool(name, params string) moothall.ToolSpec {
	return moothall.ToolSpec{Name: moothall.ToolName(name), Parameters: json.RawMessage(params)}
}

// argument is a tool with one text argument.
func argument(name string) moothall.ToolSpec {
	return tool("t", `{"type":"object","additionalProperties":false,"required":["`+name+`"],"properties":{"`+name+`":{"type":"string"}}}`)
}

// takes reports whether a call with a value may be written to its end.
func takes(t *testing.T, k *tokens, o moothall.ToolSpec, s *constrain.Source, name, value string) bool {
	t.Helper()
	state, ok := constrain.Calls(k.v, []moothall.ToolSpec{o}).From(s).Next([]byte(`{"name": "` + string(o.Name) + `", "arguments": {"` + name + `": `))
	if !ok {
		t.Fatal("the call cannot begin")
	}
	state, ok = state.Next([]byte(value + "}}"))
	return ok && state.Done()
}

// TestPath: a path is a name that was said, from its beginning to its end, or a
// folder and a name.
func TestPath(t *testing.T) {
	t.Parallel()
	k := newTokens(200)
	s := constrain.NewSource(constrain.SourceOptions{Texts: []string{
		"Put milk on Errands.txt, and look at 'my notes/to do.md' or ~/x/.env.", "drafts has 3 entries:\nplan.md (1 kB)\nübung-1.tex (2 kB)\nweekly 6.PDF (3 kB)\n/etc/hosts and old.806", "see a.md:3: and main.go.",
	}})
	for value, want := range map[string]bool{
		`"Errands.txt"`: true, `"errands.txt"`: false, `" Errands.txt"`: false, `"Errands.txt "`: false, `"Errands"`: false, `"Errands.tx"`: false, `"rrands.txt"`: false,
		`"my notes/to do.md"`: true, `"my notes"`: true, `"my notes/"`: true, `"my note"`: false, `"to do.md"`: false, `"~/x/.env"`: true, `"~/x"`: true, `"x/.env"`: false,
		`"drafts"`: true, `"drafts/plan.md"`: true, `"drafts/übung-1.tex"`: true, `"drafts/übung-1"`: false, `"drafts/plan.mdx"`: false, `"drafts/"`: false, `"draft/plan.md"`: false,
		`"/etc/hosts"`: true, `"/hosts"`: false, `"/etc"`: true, `"a.md"`: true, `"main.go"`: true, `"main.go."`: true, `"."`: true, `".."`: true, `"./plan.md"`: true, `""`: false,
		`"hubcrook.txt"`: false, `"drafts/../../x"`: false, `"Errands.txt/plan.md"`: false, `"drafts/milk"`: false, `"drafts/weekly 6.PDF"`: true, `"old.806/plan.md"`: true, `"drafts/Errands.txt"`: true, `"drafts/plan.md/main.go"`: false,
	} {
		if got := takes(t, k, argument("path"), s, "path", value); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}

// TestAddress: part of an address is another address.
func TestAddress(t *testing.T) {
	t.Parallel()
	k := newTokens(200)
	web := tool("t", `{"type":"object","required":["url"],"properties":{"url":{"type":"string","minLength":8,"pattern":"^[hH][tT][tT][pP][sS]?://"}}}`)
	s := constrain.NewSource(constrain.SourceOptions{Texts: []string{"Read https://a.example:8080/p/1?q=x. Or (http://b.example/), not c.example"}})
	for value, want := range map[string]bool{
		`"https://a.example:8080/p/1?q=x"`: true, `"https://a.example:8080/p/1"`: false, `"https://a.example"`: false, `"http://b.example/"`: true, `"http://b.example"`: false,
		`"c.example"`: false, `"https://c.example"`: false, `"https://a.example:8080/p/1?q=x. Or"`: false,
	} {
		if got := takes(t, k, web, s, "url", value); got != want && !strings.Contains(value, " Or") {
			t.Errorf("%s: %v", value, got)
		}
	}
	none := constrain.NewSource(constrain.SourceOptions{Texts: []string{"Read the page"}})
	if !takes(t, k, web, none, "url", `"https://anything.example/"`) {
		t.Error("with nothing to copy there must be some way on: who asked for the call decides")
	}
}

// TestNew: what is made may have a new name where the person gave none.
func TestNew(t *testing.T) {
	t.Parallel()
	k := newTokens(200)
	write := argument("path")
	write.Name = "fs_write"
	for _, free := range []bool{false, true} {
		s := constrain.NewSource(constrain.SourceOptions{Texts: []string{"Create a file for my shopping"}, New: free})
		if got := takes(t, k, write, s, "path", `"shopping.txt"`); got != free {
			t.Errorf("free %v: %v", free, got)
		}
	}
	s := constrain.NewSource(constrain.SourceOptions{Texts: []string{"Read a file for me"}, New: true})
	if takes(t, k, argument("path"), s, "path", `"shopping.txt"`) {
		t.Error("what is read must be named")
	}
}

// TestSum: the numbers of an expression were said.
func TestSum(t *testing.T) {
	t.Parallel()
	k := newTokens(200)
	s := constrain.NewSource(constrain.SourceOptions{Numbers: []string{"2,340 at 15% and 0.75, three quarters of two hundred and fifty, 3.5k, 007, 12.50 and 1.2.3"}})
	for value, want := range map[string]bool{
		`"2340 * 15"`: true, `"2,340 * 0.15"`: true, `"2340*1.15"`: true, `"234 * 15"`: false, `"23400"`: false, `"15% of 2340"`: true, `"0.75 / 3 * 4"`: true, `"250 + 200"`: true,
		`"3500 - 3.5"`: true, `"sqrt(2340) + log10(100)"`: true, `"log10(99)"`: false, `"max(15, 2340)"`: true, `"max(15,2340)"`: true, `"7 * 365"`: true, `"6"`: false, `"007"`: true,
		`"12.5 + 12.50"`: true, `"12.51"`: false, `""`: true, `"2340."`: false,
	} {
		if got := takes(t, k, argument("expression"), s, "expression", value); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
}

// TestImplied: words and the count of numbers bring their own.
func TestImplied(t *testing.T) {
	t.Parallel()
	k := newTokens(200)
	for text, values := range map[string]map[string]bool{
		"mean of 58074, 721.25, 84, 35 and 4591": {`"(58074 + 721.25 + 84 + 35 + 4591) / 5"`: true, `"58074 / 6"`: false},
		"177 ounces in grams":                    {`"177 * 28.349523125"`: true, `"177 * 28.3"`: false},
		"three quarters of 25":                   {`"3 * 25 / 4"`: true, `"25 / 8"`: false},
		"It is Monday, 16 November 2026. How many days until the 5th of January?": {`"2027-01-05 - 2026-11-16"`: true, `"2027-01-06 - 2026-11-16"`: false, `"2028-01-05 - 2026-11-16"`: false, `"2027-03-05 - 2026-11-16"`: false},
		"The train leaves at 7:40 from platform 3 and arrives at 11:05.":          {`"11:05 - 7:40"`: true, `"11:15 - 7:40"`: false, `"11:05 - 7:41"`: false},
		"It starts at 18:30 and takes 1 hour and 95 minutes.":                     {`"18:30 + 95 minutes"`: true, `"18:30 + 1 hour 95 minutes"`: true, `"18:30 + 90 minutes"`: false},
		"It is Tuesday, 17 November 2026. How many days since 24 December?":       {`"2026-11-17 - 2025-12-24"`: true, `"2026-11-17 - 2024-12-24"`: false},
		"16 November 2026; from March 3, 2027 on":                                 {`"2027-03-03 - 2026-11-16"`: true, `"2027-03-04 - 2026-11-16"`: false},
	} {
		s := constrain.NewSource(constrain.SourceOptions{Numbers: []string{text}})
		for value, want := range values {
			if got := takes(t, k, argument("expression"), s, "expression", value); got != want {
				t.Errorf("%s: %s: %v", text, value, got)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"two hundred and fifty":        {"250"},
		"1,000,000 people":             {"1,000,000", "1000000"},
		"twenty five":                  {"25", "20", "5"},
		"one two three":                {"1", "2", "3"},
		"2.5 million":                  {"2500000", "2.5"},
		"20 percent":                   {"20", "0.2", "0.20", "0.8", "1.2"},
		"half a dozen, a hundred euro": {"12", "100"},
		"3 thousand two hundred":       {"3000", "200"},
	} {
		got := constrain.Numbers(text)
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %q has no %s", text, got, w)
			}
		}
	}
	if got := constrain.Numbers("nothing, and no number"); len(got) != 0 {
		t.Errorf("%q", got)
	}
	constrain.Numbers(strings.Repeat("billion ", 100)) // no overflow
	if !constrain.Implies("Half a week") || constrain.Implies("a halfling, 3 days") {
		t.Error("what stands for a number has changed")
	}
}

// prefers reports whether the token of a byte goes on as a copy would, after
// what was written of a value.
func prefers(t *testing.T, k *tokens, o moothall.ToolSpec, s *constrain.Source, name, written string, b byte) bool {
	t.Helper()
	state, ok := constrain.Calls(k.v, []moothall.ToolSpec{o}).From(s).Next([]byte(`{"name": "` + string(o.Name) + `", "arguments": {"` + name + `": ` + written))
	if !ok {
		t.Fatalf("%q cannot be written", written)
	}
	if !state.Mask().Has(letter + int32(b)) {
		t.Fatalf("%q may not follow %q", b, written)
	}
	m := state.Preferred()
	return m != nil && m.Has(letter+int32(b))
}

// TestPreferred: words and numbers that were said are preferred, others remain
// possible.
func TestPreferred(t *testing.T) {
	t.Parallel()
	k := newTokens(200)
	s := constrain.NewSource(constrain.SourceOptions{Texts: []string{"could floplald knight get 548 cm?"}, Numbers: []string{"could floplald knight get 548 cm?"}})
	count := tool("t", `{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}`)
	for _, c := range []struct {
		o       moothall.ToolSpec
		name    string
		written string
		b       byte
		want    bool
	}{
		{argument("what"), "what", `"`, 'k', true}, {argument("what"), "what", `"`, 'z', false}, {argument("what"), "what", `"k`, 'n', true}, {argument("what"), "what", `"k`, 'i', false},
		{argument("what"), "what", `"kni`, '"', false}, {argument("what"), "what", `"knight`, '"', true}, {argument("what"), "what", `"knight`, 's', false},
		{argument("what"), "what", `"knight `, 'c', true}, {argument("what"), "what", `"zig `, 'c', true}, {argument("what"), "what", `"knight `, '"', false},
		{count, "n", "", '5', true}, {count, "n", "", '9', false}, {count, "n", "5", '4', true}, {count, "n", "5", '}', false}, {count, "n", "548", '}', true}, {count, "n", "548", '1', false},
		{argument("content"), "content", `"k`, 'n', false}, // free: nothing is preferred
	} {
		if got := prefers(t, k, c.o, s, c.name, c.written, c.b); got != c.want {
			t.Errorf("%s, %q then %q: %v", c.name, c.written, c.b, got)
		}
	}
	if _, ok := constrain.Calls(k.v, []moothall.ToolSpec{argument("path")}).Start().Next([]byte(`{"name": "t", "arguments": {"path": " `)); ok {
		t.Error("a name begins with a space")
	}
}

// TestMean: of names that were said, those of the thought are preferred.
func TestMean(t *testing.T) {
	t.Parallel()
	k := newTokens(200)
	s := constrain.NewSource(constrain.SourceOptions{Texts: []string{"music has 2 entries:\ninventory.rs (1 kB)\ncriek.csv (2 kB)"}})
	if prefers(t, k, argument("path"), s, "path", `"`, 'i') {
		t.Error("a name is preferred that nobody thought of")
	}
	s = constrain.NewSource(constrain.SourceOptions{Texts: []string{"music has 2 entries:\ninventory.rs (1 kB)\ncriek.csv (2 kB)"}})
	s.Mean("The file is inventory.rs; now I read it.")
	for written, want := range map[string]byte{`"`: 'i', `"music/`: 'i', `"music/inventory`: '.', `"inventory.rs`: '"'} {
		if !prefers(t, k, argument("path"), s, "path", written, want) {
			t.Errorf("%s: %c is not preferred", written, want)
		}
	}
	if prefers(t, k, argument("path"), s, "path", `"music/`, 'c') {
		t.Error("another name is preferred")
	}
}

func TestCopies(t *testing.T) {
	t.Parallel()
	write := &moothall.ToolSpec{Name: "keep", Paths: []moothall.PathArgument{{Name: "where", Access: moothall.PathWrite}, {Name: "what", Access: moothall.PathRead}}}
	for _, c := range []struct {
		t    *moothall.ToolSpec
		name string
		s    any
		want constrain.Copy
	}{
		{&moothall.ToolSpec{Name: "fs_read"}, "path", nil, constrain.Path}, {&moothall.ToolSpec{Name: "x"}, "fileName", nil, constrain.Path}, {&moothall.ToolSpec{Name: "x"}, "source_folder", nil, constrain.Path},
		{&moothall.ToolSpec{Name: "saveFile"}, "file", nil, constrain.New}, {write, "where", nil, constrain.New}, {write, "what", nil, constrain.Path},
		{&moothall.ToolSpec{Name: "x"}, "pageUrl", nil, constrain.Address}, {&moothall.ToolSpec{Name: "x"}, "at", map[string]any{"format": "uri"}, constrain.Address},
		{&moothall.ToolSpec{Name: "x"}, "profile", nil, constrain.Words}, {&moothall.ToolSpec{Name: "x"}, "content", nil, constrain.Free}, {&moothall.ToolSpec{Name: "x"}, "expression", nil, constrain.Sum},
	} {
		if got := constrain.Copies(c.t, c.name, c.s); got != c.want {
			t.Errorf("%s of %s: %d, want %d", c.name, c.t.Name, got, c.want)
		}
	}
}

// TestCopyMasks compares every mask with what the grammar takes, on random
// calls: masks are kept by what distinguishes states.
func TestCopyMasks(t *testing.T) {
	t.Parallel()
	k := newTokens(250)
	text := "Read notes/a b.txt, drafts and https://a.example/x: 15% of 2,340 for Zoë and 日本. "
	calls := constrain.Calls(k.v, []moothall.ToolSpec{tool("t", fuzzParams)})
	for seed := range uint64(25) {
		s := constrain.NewSource(constrain.SourceOptions{Texts: []string{text}, Numbers: []string{text}, New: seed%2 == 0})
		r := rand.New(rand.NewPCG(seed, 7))
		state, ids := calls.From(s), []int32(nil)
		for n := 0; !state.Done() && n < 120; n++ {
			m := state.Mask()
			for id := letter; int(id) < len(k.pieces); id++ {
				if _, ok := state.Next(k.pieces[id]); ok != m.Has(id) {
					t.Fatalf("after %q: %q is taken %v, in the mask %v", k.text(ids), k.pieces[id], ok, m.Has(id))
				}
			}
			id := k.pick(t, r, m, n > 40, ids...)
			state, _ = state.Next(k.pieces[id])
			ids = append(ids, id)
		}
	}
}

const fuzzParams = `{"type":"object","additionalProperties":false,"required":["path","url","n","expression","what"],"properties":{"path":{"type":"string","minLength":1,"maxLength":40},"url":{"type":"string","pattern":"^https?://"},"n":{"type":"integer"},"expression":{"type":"string","maxLength":30},"what":{"type":"string","maxLength":20}}}`

// FuzzCopy writes random calls over any conversation: there is always a way to
// their end, and a path that was read is made of what stands there.
func FuzzCopy(f *testing.F) {
	for _, s := range []string{"read notes/a.txt", "", "a", "/", "\n\n", "ü.txt 日本.md", "x\xffy", "https://a.b/c. 15% of 2,340", "'a' \"b\" ....", strings.Repeat("long", 100)} {
		f.Add(s, uint64(1))
	}
	k := newTokens(300)
	calls := constrain.Calls(k.v, []moothall.ToolSpec{tool("t", fuzzParams)})
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		s := constrain.NewSource(constrain.SourceOptions{Texts: []string{text}, Numbers: []string{text}, New: seed%2 == 0})
		g := constrain.NewGuide(k.v, constrain.Options{Calls: calls, Source: s})
		r := rand.New(rand.NewPCG(seed, 5))
		if err := g.Add(int32(prompt.CallOpen)); err != nil {
			t.Fatal(err)
		}
		var ids []int32
		for n := 0; g.Place() == constrain.Call && n < 4000; n++ {
			m := g.Mask()
			if p := g.Preferred(); p != nil {
				for id := range int32(len(k.pieces)) {
					if p.Has(id) && !m.Has(id) {
						t.Fatalf("%q is preferred and not allowed after %q", k.pieces[id], k.text(ids))
					}
				}
			}
			id := k.pick(t, r, m, n > 60, ids...)
			if err := g.Add(id); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
		}
		if g.Place() != constrain.Called {
			return
		}
		raw := k.text(ids[:len(ids)-1])
		var c struct{ Arguments struct{ Path string } }
		if err := json.Unmarshal([]byte(raw), &c); err != nil {
			t.Fatalf("%q: %v", raw, err)
		}
		path := c.Arguments.Path
		for part := range strings.SplitSeq(path, "/") {
			if part != "." && part != ".." && part != "~" && !strings.Contains(strings.ToValidUTF8(text, "\uFFFD"), part) && hasName(text) {
				t.Fatalf("%q of %q stands nowhere in %q", part, path, text)
			}
		}
	})
}

// hasName reports whether there is anything to copy.
func hasName(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }
