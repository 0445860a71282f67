// Package lazyregexp has regular expressions that are compiled when they are
// first used. Hundreds of them would cost every start of the program, also of
// a command that is over in a moment, 25 ms and 8 MB, and most halls never use
// most of them.
//
// They are for variables of packages: each that is made is kept.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression. It may be used by several goroutines.
type Regexp struct{ compiled func() *regexp.Regexp }

// New returns the expression of a source as [regexp.MustCompile] reads it; the
// panic about one that cannot be read comes with its first use.
func New(source string) *Regexp {
	return lazily(func() *regexp.Regexp { return regexp.MustCompile(source) })
}

// Longest is [New] of an expression that prefers the longest match.
func Longest(source string) *Regexp {
	return lazily(func() *regexp.Regexp {
		re := regexp.MustCompile(source)
		re.Longest()
		return re
	})
}

var (
	mu   sync.Mutex
	made []*Regexp
)

func lazily(compile func() *regexp.Regexp) *Regexp {
	r := &Regexp{sync.OnceValue(compile)}
	mu.Lock()
	defer mu.Unlock()
	made = append(made, r)
	return r
}

// CompileAll compiles every expression that was made, and panics if one cannot
// be read. It returns how many there are.
func CompileAll() int {
	mu.Lock()
	defer mu.Unlock()
	for _, r := range made {
		r.compiled()
	}
	return len(made)
}

// The methods are those of [regexp.Regexp].

func (r *Regexp) MatchString(s string) bool            { return r.compiled().MatchString(s) }
func (r *Regexp) FindString(s string) string           { return r.compiled().FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int       { return r.compiled().FindStringIndex(s) }
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}
func (r *Regexp) ReplaceAllString(s, with string) string {
	return r.compiled().ReplaceAllString(s, with)
}
func (r *Regexp) ReplaceAllStringFunc(s string, f func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, f)
}
func (r *Regexp) Split(s string, n int) []string { return r.compiled().Split(s, n) }
func (r *Regexp) SubexpNames() []string          { return r.compiled().SubexpNames() }
