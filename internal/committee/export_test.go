package committee

import "moothall"

// Position is what a deliberation is read as.
func Position(text string) (stance, caution string) {
	p := positionOf(text)
	return [...]string{"", "for", "against", "mixed"}[p.stance], p.caution
}

// LeftOut is the dissent that an answer does not name.
func LeftOut(last []moothall.Deliberation, answer string) []string {
	return verdict(dissents(last), answer).Failed
}

// Quote marks a text as another's words.
func Quote(text string, most int) string { return quote(text, most) }

// Personas are the voices in their order, completed by defaults, and Self the
// one that answers.
func (c *Committee) Personas() []Persona { return c.personas }
func (c *Committee) Self() Persona       { return c.self }
