package graph

import (
	"slices"
	"strings"
)

// Rule says what a relation means.
type Rule struct {
	// Relation is its name in words joined by underscores: "lives_in".
	Relation string
	// Aliases are other ways to say it.
	Aliases []string
	// Functional: a subject has at most one object at a time.
	Functional bool
	// Subject and Object are what the two ends are, where that follows.
	Subject, Object Kind
	// Phrase goes after IS or WAS: "living in". Without one a line quotes
	// the relation.
	Phrase string
}

// DefaultRules is the table that every graph starts with. A relation that is
// not in it is not functional, unless it is a favourite of some kind, and its
// ends may be anything.
func DefaultRules() []Rule {
	return []Rule{
		{"lives_in", []string{"is_living_in", "living_in", "lives_at", "resides_in", "moved_to", "home"}, true, Person, Place, "living in"},
		{"works_at", []string{"is_working_at", "works_for", "is_employed_by", "employed_at", "employer"}, true, Person, Organisation, "working at"},
		{"works_as", []string{"job", "profession", "occupation"}, true, Person, Thing, "working as"},
		{"studies_at", []string{"is_studying_at"}, true, Person, Organisation, "studying at"},
		{"is_married_to", []string{"married_to", "married", "spouse", "husband", "wife"}, true, Person, Person, "married to"},
		{"is_partner_of", []string{"partner", "is_dating", "dates"}, true, Person, Person, "partner of"},
		{"age", []string{"is_aged", "aged", "has_age"}, true, Person, Value, "aged"},
		{"birthday", []string{"born_on", "birth_date", "date_of_birth"}, true, Person, Value, "born on"},
		{"born_in", []string{"birthplace", "place_of_birth"}, true, Person, Place, "born in"},
		{"likes_best", []string{"favourite", "favorite"}, true, "", "", "fondest of"},
		{"prefers", nil, false, "", "", ""}, // tea to coffee, and trains to planes
		{"email", []string{"mail", "email_address"}, true, "", Value, "reached by mail at"},
		{"phone", []string{"phone_number", "telephone"}, true, "", Value, "reached by phone at"},
		{"located_in", []string{"is_located_in", "is_in", "lies_in"}, true, "", Place, "located in"},
		{"led_by", []string{"is_led_by", "ceo", "head"}, true, Organisation, Person, "led by"},
		{"status", []string{"state"}, true, "", Value, "in the state"},
		{"owns", []string{"has"}, false, "", "", "owner of"},
		{"likes", []string{"is_fond_of", "loves", "enjoys"}, false, "", "", "fond of"},
		{"dislikes", []string{"hates"}, false, "", "", "not fond of"},
		{"knows", nil, false, Person, Person, "known to know"},
		{"speaks", nil, false, Person, Thing, "a speaker of"},
		{"is_friend_of", []string{"friend_of", "friend"}, false, Person, Person, "friend of"},
		{"is_parent_of", []string{"parent_of", "mother_of", "father_of"}, false, Person, Person, "parent of"},
		{"is_child_of", []string{"child_of", "son_of", "daughter_of"}, false, Person, Person, "child of"},
		{"is_sibling_of", []string{"sibling_of", "sister_of", "brother_of"}, false, Person, Person, "sibling of"},
		{"visited", []string{"has_visited", "travelled_to"}, false, Person, Place, "a visitor of"},
		{"member_of", []string{"is_member_of", "belongs_to"}, false, "", Organisation, "member of"},
		{"allergic_to", []string{"is_allergic_to"}, false, Person, Thing, "allergic to"},
	}
}

// rules finds a relation's rule by any of its names.
type rules map[string]Rule

// newRules takes tables in order; a later rule replaces an earlier one of the
// same name, and its aliases win.
func newRules(tables ...[]Rule) rules {
	byName := rules{}
	for _, r := range slices.Concat(tables...) {
		r.Relation = relationKey(r.Relation)
		for _, name := range append([]string{r.Relation}, r.Aliases...) {
			byName[relationKey(name)] = r
		}
	}
	return byName
}

// of returns the rule of a relation as somebody wrote it.
func (rs rules) of(relation string) Rule {
	key := relationKey(relation)
	r, ok := rs[key]
	if !ok {
		return unlisted(key)
	}
	// A rule that was replaced may still be reached by its aliases.
	if now, ok := rs[r.Relation]; ok {
		return now
	}
	return r
}

// unlisted is the rule of a relation without one. Of favourites there is one of
// each kind at a time: a colour, a film.
func unlisted(key string) Rule {
	for _, favourite := range []string{"favourite_", "favorite_"} {
		if kind, ok := strings.CutPrefix(key, favourite); ok && kind != "" {
			return Rule{Relation: "favourite_" + kind, Functional: true}
		}
	}
	return Rule{Relation: key}
}

func (r Rule) group(subject, object EntityID) Group {
	if r.Functional {
		object = ""
	}
	return Group{Subject: subject, Relation: r.Relation, Object: object}
}

// phrase is what a line says between IS and the object; false when the
// relation has to be quoted.
func (r Rule) phrase() (string, bool) {
	if r.Phrase != "" {
		return r.Phrase, true
	}
	if rest, ok := strings.CutPrefix(r.Relation, "is_"); ok {
		return strings.ReplaceAll(rest, "_", " "), true
	}
	return strings.ReplaceAll(r.Relation, "_", " "), false
}

// relationKey is a relation's one spelling.
func relationKey(relation string) string {
	return strings.ReplaceAll(Key(strings.ReplaceAll(relation, "_", " ")), " ", "_")
}
