package committee_test

import (
	"strings"
	"testing"

	"moothall"
	"moothall/internal/committee"
)

func TestPosition(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"I like it.\nPosition: for\nCaution: none":                             {"for", ""},
		"Hm.\n**Position:** Against\n**Caution:** the deposit is lost":         {"against", "the deposit is lost"},
		"- position: mixed.\n- caution: None.":                                 {"mixed", ""},
		"Position: for, against, mixed or none\nPosition: against":             {"against", ""},
		"Position: none\nCaution: no":                                          {"", ""},
		"Yes, go.":                                                             {"for", ""},
		"No. It is too dear.":                                                  {"against", ""},
		"Nobody knows.":                                                        {"", ""},
		"No doubt it is nice.\r\nPosition: for\r\nCaution: No refund is given": {"for", "No refund is given"},
		"Nein, lieber nicht.":                                                  {"against", ""},
		"> Position: `for`":                                                    {"for", ""},
		"":                                                                     {"", ""},
		"Caution: first\nCaution: second":                                      {"", "second"},
		"Note: there is a position: it is far\nPosition: depends on the season": {"mixed", ""},
	} {
		stance, caution := committee.Position(text)
		if stance != want[0] || caution != want[1] {
			t.Errorf("%q: %q, %q", text, stance, caution)
		}
	}
}

func deliberations(pairs ...string) []moothall.Deliberation {
	var out []moothall.Deliberation
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, moothall.Deliberation{Persona: pairs[i], Response: pairs[i+1]})
	}
	return out
}

func TestLeftOut(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		voices []moothall.Deliberation
		answer string
		want   []string // parts, one for each that is left out
	}{
		{"agreed", deliberations("Anna", "Position: for", "Ben", "Yes."), "Go.", nil},
		{"one against two", deliberations("Anna", "Position: for", "Ben", "Position: against", "Cleo", "Position: for"), "Go.", []string{"Ben is against it"}},
		{"and named", deliberations("Anna", "Position: for", "Ben", "Position: against", "Cleo", "Position: for"), "Go, though Ben would not.", nil},
		{"the majority need not be", deliberations("Anna", "Position: for", "Ben", "Position: against", "Cleo", "Position: for"), "Go, says Anna.", []string{"Ben is against it"}},
		{"even", deliberations("Anna", "Position: for", "Ben", "Position: against"), "Stay.", []string{"Anna is for it", "Ben is against it"}},
		{"one of a side is enough", deliberations("Anna", "No.", "Ben", "No.", "Cleo", "Yes.", "Dora", "Yes.", "Emil", "Yes."), "Go; Ben would not.", nil},
		{"mixed is no side", deliberations("Anna", "Position: mixed", "Ben", "Position: against"), "Stay.", nil},
		{"caution", deliberations("Anna", "Position: for\nCaution: the deposit is lost if plans change", "Ben", "Position: for"), "Go.", []string{"Anna alone warns of this, and the answer leaves it out: the deposit is lost"}},
		{"caution in other words", deliberations("Anna", "Position: for\nCaution: the deposit is lost if plans change", "Ben", "Position: for"), "Go, but your deposit is gone when a plan changes.", nil},
		{"caution of two", deliberations("Anna", "Caution: the deposit is lost", "Ben", "The deposit would be lost."), "Go.", nil},
		{"caution of the only one", deliberations("Anna", "Caution: the deposit is lost"), "Go.", nil},
		{"a name in a word", deliberations("Anna", "Yes.", "Ben", "No.", "Cleo", "Yes."), "Benefits abound.", []string{"Ben is against"}},
		{"a name in small letters", deliberations("Friend", "No.", "Ben", "Yes.", "Cleo", "Yes."), "Take a friend along.", []string{"Friend is against"}},
		{"side by its caution", deliberations("Anna", "Yes.", "Ben", "Position: against\nCaution: winters are lonely", "Cleo", "Yes."), "Go; the winters may be lonely.", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := committee.LeftOut(tt.voices, tt.answer)
			if len(got) != len(tt.want) {
				t.Fatalf("left out %q", got)
			}
			for i, part := range tt.want {
				contain(t, got[i], part)
			}
		})
	}
}

// Dissent that is left out goes back once.
func TestDissentIsAskedFor(t *testing.T) {
	t.Parallel()
	scripts := func(answers ...string) *cast {
		c := newCast(map[string][]line{
			"Anna": {{text: "Do it.\nPosition: for\nCaution: none"}}, "Ben": {{text: "Never.\nPosition: against\nCaution: winters are lonely"}}, "Cleo": {{text: "Yes."}},
		})
		for _, a := range answers {
			c.scripts[theSelf] = append(c.scripts[theSelf], line{text: a})
		}
		return c
	}
	for _, tt := range []struct {
		answers []string
		answer  string
		flag    string
	}{
		{[]string{"Go. Ben is against it: winters are lonely."}, "Go. Ben is against it: winters are lonely.", ""},
		{[]string{"Go.", "Go, though Ben fears lonely winters."}, "Go, though Ben fears lonely winters.", ""},
		{[]string{"Go.", "Go now.", "never asked for"}, "Go now.", "dissent left out: Ben is against it"},
	} {
		c := scripts(tt.answers...)
		o, steps := open(c, newDesk(false), committee.Settings{}, "Anna", "Ben", "Cleo").ask(t, t.Context(), committee.Question{Rounds: 1})
		if flags := strings.Join(o.Flags, "|"); o.Answer != tt.answer || !strings.HasPrefix(flags, tt.flag) || tt.flag == "" && flags != "" {
			t.Errorf("%q: %q, flags %q", tt.answers, o.Answer, flags)
		}
		if n := len(c.requests[theSelf]); n != min(2, len(tt.answers)) {
			t.Errorf("%q: asked %d times", tt.answers, n)
		}
		voids := 0
		for _, s := range steps {
			if s.Kind == "void" {
				voids++
			}
		}
		if voids != len(c.requests[theSelf])-1 {
			t.Errorf("%d answers were taken back", voids)
		}
		if o.Messages[1].Content != tt.answer {
			t.Errorf("kept: %q", o.Messages[1].Content)
		}
	}
}

// What a voice said last is its position.
func TestLastPositionCounts(t *testing.T) {
	t.Parallel()
	c := newCast(map[string][]line{"Anna": {{text: "Yes."}, {text: "Yes."}}, "Ben": {{text: "No."}, {text: "Yes, after all."}}})
	o, _ := open(c, newDesk(false), committee.Settings{}, "Anna", "Ben").ask(t, t.Context(), committee.Question{})
	if len(o.Flags) != 0 || len(c.requests[theSelf]) != 1 {
		t.Errorf("%q", o.Flags)
	}
}
