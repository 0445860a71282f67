package constrain

// node is a place for a value: the forms that it may have.
type node struct {
	forms []*form
}

// kind is what a form writes.
type kind uint8

const (
	literal kind = iota
	text
	number
	array
	object
	call // the object of a tool call
)

// none is the upper bound of what has none.
const none = -1

// form is one way to write a value.
type form struct {
	id       int
	kind     kind
	min, max int  // characters or items
	free     bool // no schema: its depth is bounded
	copy     Copy // text, number: what it is taken from

	words []string // literal: sorted JSON texts; call: how each begins
	after []*node  // call: the arguments that follow each beginning

	pattern *pattern // text
	limits  limits   // number

	first []*node // array
	items *node   // nil: no more than first

	fields []field // object
	extra  *node   // nil: no other keys
}

// field is a property of an object.
type field struct {
	name     string
	lead     string // its key in JSON, with what follows it
	required bool
	value    *node
}

// open is how many of the fields from at on may come next: up to the first that
// must not be left out.
func (f *form) open(at int) int {
	for i := at; i < len(f.fields); i++ {
		if f.fields[i].required {
			return i + 1
		}
	}
	return len(f.fields)
}

// owes reports whether a field from at on must still come.
func (f *form) owes(at int) bool {
	for i := at; i < len(f.fields); i++ {
		if f.fields[i].required {
			return true
		}
	}
	return false
}

// tight reports whether a text begins with no space: a name does not. Words may,
// since some networks write them so; who reads them takes it off.
func (f *form) tight() bool { return f.copy.Named() && f.pattern == nil }

// item is the place for an array's value at an index, nil when there is none.
func (f *form) item(at int) *node {
	switch {
	case f.max != none && at >= f.max:
		return nil
	case at < len(f.first):
		return f.first[at]
	}
	return f.items
}
