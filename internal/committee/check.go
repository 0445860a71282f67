package committee

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
)

// The bounds of a file.
const (
	maxPersonas = 12
	maxRounds   = 5
	maxName     = 40
	maxVoice    = 4000
	maxTools    = 16
)

// Problem is one mistake in a [File]. Path names the value in the form that
// the configuration uses: personas[0].color.
type Problem struct {
	Path       string
	Message    string
	Suggestion string // what was probably meant; may be empty
}

// roles are the roles of models that can speak.
func roles() []moothall.ModelRole {
	return []moothall.ModelRole{
		moothall.ModelChat, moothall.ModelOrchestrator, moothall.ModelCoder, moothall.ModelResearcher, moothall.ModelCritic, moothall.ModelSelector,
	}
}

// Check lists every mistake in the file that its form alone does not show.
func (f File) Check() []Problem {
	var out []Problem
	if len(f.Personas) > maxPersonas {
		out = append(out, Problem{"personas", fmt.Sprintf("%d personas; %d at most can be heard", len(f.Personas), maxPersonas), ""})
	}
	seen := map[string]string{}
	for i, p := range f.Personas {
		out = append(out, p.check(fmt.Sprintf("personas[%d]", i), seen)...)
	}
	out = append(out, f.Self.check("self", seen)...)
	if f.Self.Rounds != 0 {
		out = append(out, Problem{"self.rounds", "the Self speaks once, after the last round", ""})
	}
	return out
}

func (p Persona) check(at string, seen map[string]string) []Problem {
	var out []Problem
	report := func(key, message, suggestion string) {
		out = append(out, Problem{at + "." + key, message, suggestion})
	}
	if why := badName(p.Name); why != "" {
		report("name", why, "")
	} else if before := seen[key(p.Name)]; before != "" {
		report("name", fmt.Sprintf("%q is the name of %s too", p.Name, before), "")
	} else {
		seen[key(p.Name)] = at
	}
	switch {
	case strings.TrimSpace(p.Voice) == "":
		report("voice", "it has no voice: say who it is and what it looks at", "")
	case len(p.Voice) > maxVoice:
		report("voice", fmt.Sprintf("longer than %d bytes; a small model loses itself in it", maxVoice), "")
	case !utf8.ValidString(p.Voice):
		report("voice", "not valid UTF-8", "")
	}
	if p.Role != "" && !slices.Contains(roles(), p.Role) {
		report("role", fmt.Sprintf("there is no role %q that speaks", p.Role), nearest(string(p.Role), words(roles())))
	}
	if !validColor(p.Color) {
		report("color", fmt.Sprintf("%q is no colour: a name or #rrggbb", p.Color), nearest(p.Color, palette))
	}
	if p.Rounds < 0 || p.Rounds > maxRounds {
		report("rounds", fmt.Sprintf("between 0 and %d", maxRounds), "")
	}
	return append(out, p.checkTools(at)...)
}

func (p Persona) checkTools(at string) []Problem {
	var out []Problem
	if len(p.Tools) > maxTools {
		out = append(out, Problem{at + ".tools", fmt.Sprintf("more than %d tools", maxTools), ""})
	}
	for i, t := range p.Tools {
		if t == NoTools && len(p.Tools) > 1 {
			out = append(out, Problem{fmt.Sprintf("%s.tools[%d]", at, i), "none stands alone", ""})
		}
		if !moothall.ValidToken(strings.ReplaceAll(string(t), ".", "_")) {
			out = append(out, Problem{fmt.Sprintf("%s.tools[%d]", at, i), fmt.Sprintf("%q is no name of a tool", t), ""})
		}
	}
	return out
}

// badName says why a name cannot be used, or "". Names stand in lists that
// commas divide, in prompts and on terminals.
func badName(s string) string {
	switch {
	case s == "":
		return "it has no name"
	case !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxName:
		return fmt.Sprintf("a name has %d characters at most", maxName)
	case strings.Join(strings.Fields(s), " ") != s:
		return "a name neither begins nor ends with a space, and has single ones inside"
	}
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" -_'’", r) {
			return fmt.Sprintf("%q cannot stand in a name: letters, digits, spaces, - and _ can", r)
		}
	}
	if key(s) == "" {
		return "a name is more than an article"
	}
	return ""
}

// key is what a name is compared by: "the guardian" is Guardian.
func key(s string) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s))+" ", "the ")
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return out
}
