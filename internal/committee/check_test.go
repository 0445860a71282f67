package committee_test

import (
	"strings"
	"testing"

	"moothall"
	"moothall/internal/committee"
)

func TestDefaults(t *testing.T) {
	t.Parallel()
	f := committee.DefaultFile()
	if p := f.Check(); len(p) != 0 {
		t.Errorf("%+v", p)
	}
	if n := len(f.Personas); n < 4 || n > 6 {
		t.Errorf("%d personas", n)
	}
	c := committee.New(committee.Options{Model: newCast(nil)})
	for i, p := range c.Personas() {
		if p.Name != f.Personas[i].Name || p.Role != moothall.ModelChat || len(p.Tools) != 2 || p.Color == "" {
			t.Errorf("%+v", p)
		}
		if len(p.Voice) > 700 {
			t.Errorf("%s is too long for a small model: %d bytes", p.Name, len(p.Voice))
		}
	}
	if c.Self().Name != "Self" {
		t.Error(c.Self().Name)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	good := committee.Persona{Name: "Anna", Voice: "You are Anna."}
	many := make([]committee.Persona, 13)
	for i := range many {
		many[i] = committee.Persona{Name: "P" + string(rune('a'+i)), Voice: "v"}
	}
	for _, tt := range []struct {
		name string
		file committee.File
		want string // path: message; suggestion
	}{
		{"no name", with(func(p *committee.Persona) { p.Name = "" }), "personas[0].name: it has no name"},
		{"comma", with(func(p *committee.Persona) { p.Name = "a,b" }), "personas[0].name: ',' cannot stand in a name"},
		{"spaces", with(func(p *committee.Persona) { p.Name = " a" }), "personas[0].name: a name neither begins"},
		{"long name", with(func(p *committee.Persona) { p.Name = strings.Repeat("ä", 41) }), "personas[0].name: a name has 40"},
		{"article", with(func(p *committee.Persona) { p.Name = "The" }), "personas[0].name: a name is more"},
		{"no voice", with(func(p *committee.Persona) { p.Voice = " \n" }), "personas[0].voice: it has no voice"},
		{"long voice", with(func(p *committee.Persona) { p.Voice = strings.Repeat("x", 4001) }), "personas[0].voice: longer than"},
		{"role", with(func(p *committee.Persona) { p.Role = "crtic" }), `personas[0].role: there is no role "crtic" that speaks; critic`},
		{"embedder", with(func(p *committee.Persona) { p.Role = moothall.ModelEmbedder }), `personas[0].role: there is no role "embedder"`},
		{"color", with(func(p *committee.Persona) { p.Color = "blau" }), `personas[0].color: "blau" is no colour: a name or #rrggbb; blue`},
		{"hex", with(func(p *committee.Persona) { p.Color = "#12345" }), `personas[0].color: "#12345" is no colour`},
		{"rounds", with(func(p *committee.Persona) { p.Rounds = 6 }), "personas[0].rounds: between 0 and 5"},
		{"tool", with(func(p *committee.Persona) { p.Tools = []moothall.ToolName{"memory_read", "a b"} }), `personas[0].tools[1]: "a b" is no name of a tool`},
		{"none and more", with(func(p *committee.Persona) { p.Tools = []moothall.ToolName{"memory_read", "none"} }), "personas[0].tools[1]: none stands alone"},
		{"twice", committee.File{Personas: []committee.Persona{good, {Name: "the ANNA", Voice: "v"}}, Self: committee.DefaultSelf()}, `personas[1].name: "the ANNA" is the name of personas[0] too`},
		{"self", committee.File{Personas: []committee.Persona{{Name: "Self", Voice: "v"}}, Self: committee.DefaultSelf()}, `self.name: "Self" is the name of personas[0] too`},
		{"rounds of the Self", committee.File{Self: committee.Persona{Name: "I", Voice: "v", Rounds: 1}}, "self.rounds: the Self speaks once"},
		{"many", committee.File{Personas: many, Self: committee.DefaultSelf()}, "personas: 13 personas"},
	} {
		problems := tt.file.Check()
		if len(problems) != 1 {
			t.Errorf("%s: %+v", tt.name, problems)
			continue
		}
		got := problems[0].Path + ": " + problems[0].Message
		if s := problems[0].Suggestion; s != "" {
			got += "; " + s
		}
		contain(t, got, tt.want)
	}
	if p := with(func(p *committee.Persona) { p.Name, p.Color, p.Role = "L’enfant intérieur", "#a0B1c2", "critic" }).Check(); len(p) != 0 {
		t.Errorf("%+v", p)
	}
}

func with(change func(*committee.Persona)) committee.File {
	p := committee.Persona{Name: "Anna", Voice: "You are Anna."}
	change(&p)
	return committee.File{Personas: []committee.Persona{p}, Self: committee.DefaultSelf()}
}
