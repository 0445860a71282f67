package lazyregexp_test

import (
	"fmt"
	"regexp"
	"sync"
	"testing"

	"moothall/internal/lazyregexp"
)

// TestAsRegexp gives what the standard library gives, for whoever comes first.
func TestAsRegexp(t *testing.T) {
	t.Parallel()
	const source, text = `(?P<word>\pL+) (\d+)`, "ab 12, cd 345; ef"
	lazy, eager := lazyregexp.New(source), regexp.MustCompile(source)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			got := fmt.Sprint(lazy.MatchString(text), lazy.FindString(text), lazy.FindStringIndex(text), lazy.FindStringSubmatch(text), lazy.FindStringSubmatchIndex(text),
				lazy.FindAllString(text, -1), lazy.FindAllStringIndex(text, -1), lazy.FindAllStringSubmatch(text, -1), lazy.FindAllStringSubmatchIndex(text, 1),
				lazy.ReplaceAllString(text, "$2"), lazy.ReplaceAllStringFunc(text, func(s string) string { return s + "!" }), lazy.Split(text, -1), lazy.SubexpNames())
			want := fmt.Sprint(eager.MatchString(text), eager.FindString(text), eager.FindStringIndex(text), eager.FindStringSubmatch(text), eager.FindStringSubmatchIndex(text),
				eager.FindAllString(text, -1), eager.FindAllStringIndex(text, -1), eager.FindAllStringSubmatch(text, -1), eager.FindAllStringSubmatchIndex(text, 1),
				eager.ReplaceAllString(text, "$2"), eager.ReplaceAllStringFunc(text, func(s string) string { return s + "!" }), eager.Split(text, -1), eager.SubexpNames())
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
	all.Wait()
	if got := lazyregexp.Longest(`a|ab`).FindString("abc"); got != "ab" {
		t.Errorf("the longest is %q", got)
	}
}

func TestCompileAllKnowsEach(t *testing.T) {
	before := lazyregexp.CompileAll()
	lazyregexp.New(`fine`)
	if n := lazyregexp.CompileAll(); n != before+1 {
		t.Errorf("%d, and then %d", before, n)
	}
}
