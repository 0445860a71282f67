package policy

import (
	"path/filepath"
	"slices"
	"strings"
)

// folders is a list of folders, or none at all: a list that is given and
// empty allows nothing, one that is not given leaves the ancestors' in force.
type folders struct {
	given bool
	in    []string
}

// newFolders keeps the absolute ones of a list, since a relative folder would
// mean another place in every process, and of nested ones the outer.
func newFolders(list []string, given bool) folders {
	f := folders{given: given}
	for _, p := range list {
		if p = filepath.Clean(p); filepath.IsAbs(p) && !f.covers(p) {
			f.in = slices.DeleteFunc(f.in, func(had string) bool { return inside(had, p) })
			f.in = append(f.in, p)
		}
	}
	slices.Sort(f.in)
	return f
}

func (f folders) covers(p string) bool {
	return slices.ContainsFunc(f.in, func(had string) bool { return inside(p, had) })
}

// narrow returns what lies in both. No folder of a list lies in another of
// it, so none is found twice.
func (f folders) narrow(g folders) folders {
	switch {
	case !f.given:
		return g
	case !g.given:
		return f
	}
	both := folders{given: true}
	for _, a := range f.in {
		for _, b := range g.in {
			switch {
			case inside(a, b):
				both.in = append(both.in, a)
			case inside(b, a):
				both.in = append(both.in, b)
			}
		}
	}
	slices.Sort(both.in)
	return both
}

// inside reports whether a cleaned absolute folder is the other or lies below
// it. It compares names only: for narrowing lists, never for opening files.
func inside(inner, outer string) bool {
	rest, found := strings.CutPrefix(inner, outer)
	return found && (rest == "" || rest[0] == filepath.Separator || outer == string(filepath.Separator))
}
