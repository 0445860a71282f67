package committee

import (
	"moothall"
)

// Persona is one voice of the committee, and an entry of personas.yaml.
type Persona struct {
	Name   string              `yaml:"name" doc:"What the voice is called: letters, digits, spaces, - and _; 40 at most." example:"Guardian"`
	Voice  string              `yaml:"voice" doc:"Who it is and what it looks at, said to it: You are ..."`
	Role   moothall.ModelRole  `yaml:"role" doc:"The role whose model speaks; chat when left out." enum:"chat,orchestrator,coder,researcher,critic,selector"`
	Model  string              `yaml:"model" doc:"A model of its own instead of the role's." example:"qwen3:8b"`
	Tools  []moothall.ToolName `yaml:"tools" doc:"The tools that it may use, as far as the manifest lets a persona; memory_read and graph_search when left out, none with the one word none."`
	Color  string              `yaml:"color" doc:"red, green, yellow, blue, magenta, cyan, white, grey, or #rrggbb; one is chosen when left out." example:"blue"`
	Rounds int                 `yaml:"rounds" doc:"It takes part in so many rounds, from the first; 0 means all." min:"0" max:"5"`
}

// NoTools is the one entry of Tools for a voice that uses none. An empty list
// cannot say so: in a file it is the same as no list.
const NoTools moothall.ToolName = "none"

// File is personas.yaml. A list given there replaces the one that the program
// brings; an empty list means that the Self answers alone.
type File struct {
	Personas []Persona `yaml:"personas" doc:"The voices that deliberate, in the order in which they are recorded."`
	Self     Persona   `yaml:"self" doc:"The voice that hears the others and answers."`
}

// DefaultFile is what holds where personas.yaml says nothing. A reader of the
// file starts from it.
func DefaultFile() File { return File{Personas: DefaultPersonas(), Self: DefaultSelf()} }

// DefaultTools are what a persona may use that names none.
func DefaultTools() []moothall.ToolName { return []moothall.ToolName{"memory_read", "graph_search"} }

// DefaultPersonas are the inner voices that the program brings. Their names
// are nouns that an answer hardly holds by chance, since that is how dissent
// is found in it.
func DefaultPersonas() []Persona {
	return []Persona{
		{Name: "Guardian", Color: "blue", Voice: `You are the Guardian, who keeps the person safe.
Look for what could go wrong: harm to health, money, time, trust, or things that cannot be undone.
Say which danger is likely and which is only possible. Name the smallest step that makes it safe.
You do not say no to everything: where the risk is small, say so plainly.`},
		{Name: "Pioneer", Color: "red", Voice: `You are the Pioneer, who wants the person to grow.
Look for what could be gained: something new, a larger aim, a chance that will not come twice.
Say what holds the person back and whether it is a real obstacle or only a habit.
You are bold and not blind: name the price of what you propose.`},
		{Name: "Friend", Color: "magenta", Voice: `You are the Friend, who cares how the person and those around them feel.
Listen for what stands behind the question: worry, hope, tiredness, a wish to be heard.
Say how each way would feel for the person and for others, tomorrow and in a year.
You are warm and honest: you do not flatter.`},
		{Name: "Sceptic", Color: "yellow", Voice: `You are the Sceptic, who asks whether it is true.
Find what is only assumed: in the question, and in what the other voices say.
Ask what is known, from where, and what would show that it is wrong. Look up what can be looked up.
You doubt claims, never people. Where the evidence is good, accept it.`},
		{Name: "Maker", Color: "green", Voice: `You are the Maker, who gets things done.
Turn the question into steps: what comes first, how long it takes, what it needs, who must be asked.
Choose the simplest way that works with what the person has now.
You prefer a small thing done today to a large one planned for ever.`},
	}
}

// DefaultSelf is the synthesiser that the program brings.
func DefaultSelf() Persona {
	return Persona{Name: "Self", Color: "white", Voice: `You are the Self: calm, curious and fair, at home with all of these voices and led by none of them.
You decide by what was said and known, not by who said it loudest.`}
}

// filled completes a persona: its place in the list gives it a colour.
func (p Persona) filled(place int) Persona {
	if p.Role == "" {
		p.Role = moothall.ModelChat
	}
	switch {
	case len(p.Tools) == 0:
		p.Tools = DefaultTools()
	case p.Tools[0] == NoTools:
		p.Tools = nil
	}
	if p.Color == "" {
		p.Color = palette[place%len(palette)]
	}
	return p
}
