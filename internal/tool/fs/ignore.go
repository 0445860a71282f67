package fs

import (
	"regexp"
	"strings"
)

// ignoreFiles are read in this order; a later one wins.
var ignoreFiles = []string{".gitignore", ".ignore"}

// maxIgnore is the largest ignore file that is read.
const maxIgnore = 256 << 10

// ignoreRule is one line of an ignore file.
type ignoreRule struct {
	re     *regexp.Regexp // against the path below the file's folder
	keep   bool           // a line that begins with "!"
	folder bool           // a line that ends with "/"
}

// ignores are the rules of one folder and of those above it.
type ignores struct {
	above *ignores
	base  string // the folder, slash separated, from the root
	rules []ignoreRule
}

// parseIgnore reads the lines of an ignore file. A line that cannot be
// understood is left out, as git does.
func parseIgnore(text string) []ignoreRule {
	var out []ignoreRule
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		var r ignoreRule
		line, r.keep = strings.CutPrefix(line, "!")
		line, r.folder = strings.CutSuffix(line, "/")
		anchored := strings.Contains(line, "/")
		line = strings.TrimPrefix(line, "/")
		if line == "" {
			continue
		}
		prefix := `^(?:.*/)?`
		if anchored {
			prefix = `^`
		}
		re, err := regexp.Compile(prefix + globExpression(escapeBraces(line)) + `$`)
		if err != nil {
			continue
		}
		r.re = re
		out = append(out, r)
	}
	return out
}

// escapeBraces takes braces literally: ignore files know no alternatives.
func escapeBraces(s string) string { return strings.ReplaceAll(s, "{", `\{`) }

// match reports whether a path is ignored. The innermost file that says
// anything decides, and in it the last line that fits.
func (g *ignores) match(path string, folder bool) bool {
	for ; g != nil; g = g.above {
		rel := path
		if g.base != "." {
			rel = strings.TrimPrefix(path, g.base+"/")
		}
		for i := len(g.rules) - 1; i >= 0; i-- {
			r := g.rules[i]
			if (!r.folder || folder) && r.re.MatchString(rel) {
				return !r.keep
			}
		}
	}
	return false
}
