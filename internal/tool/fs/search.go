package fs

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"moothall"
)

const searchSchema = `{
"type":"object","additionalProperties":false,"required":["pattern"],
"properties":{
"pattern":{"type":"string","minLength":1,"maxLength":1000,"description":"The words to look for in the files."},
"path":{"type":"string","minLength":1,"maxLength":4096,"description":"The folder or file to search. Leave it out for the working folder."},
"glob":{"type":"string","maxLength":500,"description":"Only search files with such names, for example *.md"},
"regex":{"type":"boolean","description":"The pattern is a regular expression. Leave it out for plain words."},
"match_case":{"type":"boolean","description":"Capital letters must be the same. Leave it out for no."},
"hidden":{"type":"boolean","description":"Also search names that begin with a dot. Leave it out for no."},
"ignored":{"type":"boolean","description":"Also search what .gitignore and .ignore files leave out. Leave it out for no."},
"offset":{"type":"integer","minimum":1,"description":"The number of the first match to show, from 1."},
"limit":{"type":"integer","minimum":1,"maximum":500,"description":"How many matches to show. Leave it out for 50."}
}}`

const (
	maxMatched = 16 << 20 // a file larger than this is skipped
	maxLine    = 300      // bytes of a matching line that are shown
)

type searchArgs struct {
	Pattern   string `json:"pattern"`
	Path      string `json:"path"`
	Glob      string `json:"glob"`
	Regex     bool   `json:"regex"`
	MatchCase bool   `json:"match_case"`
	Hidden    bool   `json:"hidden"`
	Ignored   bool   `json:"ignored"`
	Offset    int    `json:"offset"`
	Limit     int    `json:"limit"`
}

// Match is one line found by fs_search.
type Match struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// SearchData is the result of fs_search for programs.
type SearchData struct {
	Path    string  `json:"path"`
	Files   int     `json:"files"` // searched
	Skipped int     `json:"skipped,omitempty"`
	Matches []Match `json:"matches"`
	More    bool    `json:"more"` // there are matches after these
}

func searchTool(t *Tools) tool {
	return tool{run: t.search, spec: t.spec(moothall.ToolSpec{
		Name: "fs_search", Aliases: []moothall.ToolName{"grep", "search_files", "find_in_files"},
		Description: "Search the text of files for words. Gives the file, the line number and the line of each match.",
		Risk:        moothall.RiskRead, ReadOnly: true, Idempotent: true, Timeout: time.Minute,
		Paths: []moothall.PathArgument{{Name: "path", Access: moothall.PathRead}},
	}, searchSchema)}
}

// hunt is one search.
type hunt struct {
	re    *regexp.Regexp
	spans bool // a match may go over lines
	glob  *glob
	root  *root
	rel   string
	bytes int64 // that may still be read
	first int
	limit int
	room  int
	seen  int // matches so far
	out   SearchData
	full  string // why it stopped early
}

func (t *Tools) search(ctx context.Context, r moothall.ToolRun) (answer, error) {
	args, err := arguments[searchArgs](r)
	if err != nil {
		return answer{}, err
	}
	re, err := compilePattern(args)
	if err != nil {
		return answer{}, err
	}
	g, err := compileGlob(args.Glob)
	if err != nil {
		return answer{}, err
	}
	h, rel, shown, err := t.reach(r, cmp.Or(args.Path, "."))
	if err != nil {
		return answer{}, err
	}
	defer t.roots.release(h)
	info, err := h.Stat(rel)
	if err != nil {
		return answer{}, pathError("search", shown, err)
	}
	s := &hunt{
		re: re, spans: spans(args), glob: g, root: h, rel: rel, bytes: t.o.MaxBytes, room: t.o.MaxText,
		first: max(args.Offset, 1), limit: cmp.Or(args.Limit, 50),
		out: SearchData{Path: shown, Matches: []Match{}},
	}
	if info.IsDir() {
		w := walk{root: h, rel: rel, hidden: args.Hidden, ignore: !args.Ignored, left: t.o.MaxFiles, visit: s.visit}
		err = w.run(ctx, shown)
		if w.cut {
			s.full = cmp.Or(s.full, "there are more files than one search looks at; search a folder inside this one")
		}
	} else {
		s.rel = filepath.Dir(rel)
		err = s.file(Entry{Path: filepath.Base(rel), Info: info})
	}
	if err != nil && err != errStop {
		return answer{}, err
	}
	return answer{text: s.text(), cut: s.cut(), data: s.out, labels: t.labels(r.Session, shown, info)}, nil
}

func compilePattern(args searchArgs) (*regexp.Regexp, error) {
	p := args.Pattern
	if !args.Regex {
		p = regexp.QuoteMeta(p)
	}
	if spans(args) {
		p = strings.ReplaceAll(p, "\r\n", "\n")
		p = "(?m)" + p
	}
	if !args.MatchCase {
		p = "(?i)" + p
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "search", Message: "the pattern is not a regular expression",
			Remedy: "leave out regex to search for plain words", Err: err}
	}
	return re, nil
}

// spans reports whether a pattern names the end of a line, so that no single
// line can hold a match.
func spans(args searchArgs) bool {
	return strings.Contains(args.Pattern, "\n") || args.Regex && (strings.Contains(args.Pattern, `\n`) || strings.Contains(args.Pattern, "(?s"))
}

func (s *hunt) visit(e Entry) error {
	if !e.Info.Mode().IsRegular() || !s.glob.match(e.Path) {
		return nil
	}
	return s.file(e)
}

// file searches one file. What cannot be read as text is skipped and counted.
func (s *hunt) file(e Entry) error {
	switch size := e.Info.Size(); {
	case size > maxMatched:
		s.out.Skipped++
		return nil
	case size > s.bytes:
		s.full = "the files are larger than one search reads; search a folder inside this one"
		return errStop
	}
	b, _, err := s.root.readFile(filepath.Join(s.rel, filepath.FromSlash(e.Path)), e.Path, min(maxMatched, s.bytes))
	if err != nil {
		if err := regular(e.Info, e.Path); err != nil {
			return err
		}
		s.out.Skipped++
		return nil
	}
	s.bytes -= int64(len(b))
	text, _, err := Decode(b)
	if err != nil {
		s.out.Skipped++
		return nil
	}
	s.out.Files++
	if s.spans {
		return s.across(e.Path, strings.ReplaceAll(text, "\r\n", "\n"))
	}
	if !s.re.MatchString(text) && !strings.ContainsAny(s.re.String(), `^$\`) {
		return nil // the common case, without looking at lines
	}
	return s.lines(e.Path, text)
}

func (s *hunt) lines(path, text string) error {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if at := s.re.FindStringIndex(line); at != nil {
			if err := s.found(path, n, line, at[0]); err != nil {
				return err
			}
		}
	}
	return nil
}

// across finds what goes over lines; a match is shown by the line where its
// words begin.
func (s *hunt) across(path, text string) error {
	n, counted := 1, 0
	for _, at := range s.re.FindAllStringIndex(text, s.first+s.limit-s.seen) {
		begin := at[0] + len(text[at[0]:at[1]]) - len(strings.TrimLeft(text[at[0]:at[1]], "\n"))
		if begin == at[1] {
			begin = at[0]
		}
		n, counted = n+strings.Count(text[counted:begin], "\n"), begin
		first := strings.LastIndexByte(text[:begin], '\n') + 1
		line, _, _ := strings.Cut(text[first:], "\n")
		if err := s.found(path, n, line, begin-first); err != nil {
			return err
		}
	}
	return nil
}

// found takes a match in, or stops when there is no room for it.
func (s *hunt) found(path string, n int, line string, at int) error {
	s.seen++
	if s.seen < s.first {
		return nil
	}
	m := Match{Path: path, Line: n, Text: around(line, at)}
	s.room -= len(m.Path) + len(m.Text) + 10
	if len(s.out.Matches) >= s.limit || s.room < 0 {
		s.out.More = true
		return errStop
	}
	s.out.Matches = append(s.out.Matches, m)
	return nil
}

// around cuts a long line so that the match can be seen.
func around(line string, at int) string {
	if len(line) <= maxLine {
		return line
	}
	begin := runeStart(line, max(0, at-maxLine/3))
	end := runeStart(line, min(len(line), begin+maxLine))
	out := line[begin:end]
	if begin > 0 {
		out = "…" + out
	}
	if end < len(line) {
		out += "…"
	}
	if !utf8.ValidString(out) {
		out = strings.ToValidUTF8(out, "�")
	}
	return out
}

func (s *hunt) text() string {
	var b strings.Builder
	if len(s.out.Matches) == 0 {
		fmt.Fprintf(&b, "Nothing found in %d files of %s.", s.out.Files, s.out.Path)
	} else {
		fmt.Fprintf(&b, "%d matches in %s:\n", len(s.out.Matches), path.Clean(s.out.Path))
	}
	for _, m := range s.out.Matches {
		fmt.Fprintf(&b, "%s:%d: %s\n", m.Path, m.Line, m.Text)
	}
	if s.out.Skipped > 0 {
		fmt.Fprintf(&b, "\n%d files were skipped: not text, too large or not readable.", s.out.Skipped)
	}
	return b.String()
}

func (s *hunt) cut() string {
	if s.out.More {
		return fmt.Sprintf("there are more matches; search on with offset %d", s.first+len(s.out.Matches))
	}
	return s.full
}
