package committee_test

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
	"unicode"

	"moothall"
	"moothall/internal/committee"
)

// FuzzFile: whatever passes the check makes a committee in which every persona
// can be asked for by name and answers.
func FuzzFile(f *testing.F) {
	whole, err := json.Marshal(committee.DefaultFile())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(whole))
	f.Add(`{"Personas":[{"Name":"Anna","Voice":"v","Color":"#aabbcc","Tools":[],"Rounds":1}],"Self":{"Name":"I","Voice":"v"}}`)
	f.Add(`{"Personas":[{"Name":"the the","Voice":"v"},{"Name":"THE","Voice":"v"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var file committee.File
		if json.Unmarshal([]byte(text), &file) != nil || len(file.Check()) > 0 {
			return
		}
		c := committee.New(committee.Options{Model: newCast(nil), Voices: &file})
		for _, p := range file.Personas {
			o, err := c.Deliberate(t.Context(), committee.Question{Text: "?", Rounds: 1, Personas: []string{" " + p.Name}}, nil)
			if err != nil || len(o.Deliberations) != 1 || o.Deliberations[0].Persona != p.Name || o.Err != nil {
				t.Fatalf("%q: %v, %+v", p.Name, err, o)
			}
		}
	})
}

// FuzzWords: whatever a model says stays in its frame, can be read for a
// position, and is shown without commanding the terminal.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"", "Position: for\nCaution: none", "a\r\nb\u2028c", "**Caution:** \x1b[2J", "né \xff", strings.Repeat("word ", 200)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for l := range strings.SplitSeq(committee.Quote(text, 300), "\n") {
			if !strings.HasPrefix(l, "| ") || strings.ContainsAny(l, "\r\v\f\u0085\u2028\u2029") {
				t.Fatalf("a line leaves the frame: %q", l)
			}
		}
		_, caution := committee.Position(text)
		if strings.ContainsAny(caution, "\n") {
			t.Fatalf("a caution of two lines: %q", caution)
		}
		committee.LeftOut([]moothall.Deliberation{{Persona: "Anna", Response: text}, {Persona: "Ben", Response: "No."}}, text)
		var b strings.Builder
		d := moothall.Deliberation{Persona: text, Response: text, Tools: []moothall.CalledTool{{Args: json.RawMessage(text)}}}
		if err := committee.Render(io.Writer(&b), d, false); err != nil {
			t.Fatal(err)
		}
		for _, r := range b.String() {
			if unicode.IsControl(r) && r != '\n' {
				t.Fatalf("%q is shown", r)
			}
		}
	})
}
