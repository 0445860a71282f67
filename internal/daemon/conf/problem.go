package conf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moothall"
)

// maxProblems is how many mistakes are listed; a person mends a few and looks
// again, and a file of another kind altogether should not fill the screen.
const maxProblems = 20

// Problem is one mistake in the configuration.
type Problem struct {
	File       string // the file, the variable or the flag; may be empty
	Line       int    // from 1; 0 where there is no line
	Column     int    // from 1, in characters; 0 where there is none
	Path       Path   // the value concerned; may be empty
	Message    string // what is wrong
	Suggestion string // what was probably meant; may be empty
}

// String gives the problem as one line:
//
//	moothall.yaml:12:3: front.prot: unknown key; did you mean "port"?
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		b.WriteString(":" + strconv.Itoa(p.Line))
		if p.Column > 0 {
			b.WriteString(":" + strconv.Itoa(p.Column))
		}
	}
	if b.Len() > 0 {
		b.WriteString(": ")
	}
	if p.Path != "" {
		b.WriteString(string(p.Path) + ": ")
	}
	b.WriteString(p.Message)
	if p.Suggestion != "" {
		fmt.Fprintf(&b, "; did you mean %q?", p.Suggestion)
	}
	return b.String()
}

// Problems is every mistake found in one Load: first those with a line, in
// the order of the file, then the environment, the flags and the rest.
type Problems struct {
	List    []Problem // at most 20
	Omitted int       // how many more were found
}

// Error gives one line for each problem.
func (p *Problems) Error() string {
	lines := make([]string, 0, len(p.List)+1)
	for _, one := range p.List {
		lines = append(lines, one.String())
	}
	if p.Omitted > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", p.Omitted))
	}
	return strings.Join(lines, "\n")
}

// problemError returns the error for a list of problems, nil for none.
func problemError(list []Problem) error {
	n := len(list)
	if n == 0 {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(-cmp.Compare(min(a.Line, 1), min(b.Line, 1)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	p := &Problems{List: list[:min(n, maxProblems)], Omitted: max(0, n-maxProblems)}
	message := "there is a mistake in the configuration"
	if n > 1 {
		message = fmt.Sprintf("there are %d mistakes in the configuration", n)
	}
	return &moothall.Error{
		Code:    moothall.CodeInvalid,
		Op:      "load configuration",
		Message: message,
		Remedy:  "mend what is named and start again",
		Err:     fmt.Errorf("\n%w", p), // a list begins on a line of its own
	}
}

// fault is a problem that does not know yet where it is.
type fault struct {
	message, suggestion string
}

func (f *fault) at(place Problem) Problem {
	place.Message, place.Suggestion = f.message, f.suggestion
	return place
}
