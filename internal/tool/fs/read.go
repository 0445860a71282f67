package fs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"moothall"
)

const readSchema = `{
"type":"object","additionalProperties":false,"required":["path"],
"properties":{
"path":{"type":"string","minLength":1,"maxLength":4096,"description":"The file to read, for example notes/todo.txt"},
"offset":{"type":"integer","minimum":1,"description":"The number of the first line to read. The first line of a file is 1. Leave it out to begin at the start."},
"limit":{"type":"integer","minimum":1,"maximum":5000,"description":"How many lines to read. Leave it out for 500."},
"column":{"type":"integer","minimum":1,"description":"Only for very long lines: the first character of the first line to read."}
}}`

type readArgs struct {
	Path   string `json:"path"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
	Column int    `json:"column"`
}

// ReadData is the result of fs_read for programs.
type ReadData struct {
	Path     string   `json:"path"`
	Encoding Encoding `json:"encoding"`
	Bytes    int64    `json:"bytes"`
	Lines    int      `json:"lines"` // of the whole file
	First    int      `json:"first"`
	Last     int      `json:"last"`
	Text     string   `json:"text"`
}

func readTool(t *Tools) tool {
	return tool{run: t.read, spec: t.spec(moothall.ToolSpec{
		Name: "fs_read", Aliases: []moothall.ToolName{"read_file", "open_file", "cat"},
		Description: "Read a text file. Gives the text of the file. For a long file, read a part with offset and limit.",
		Risk:        moothall.RiskRead, ReadOnly: true, Idempotent: true,
		Paths: []moothall.PathArgument{{Name: "path", Access: moothall.PathRead}},
	}, readSchema)}
}

func (t *Tools) read(_ context.Context, r moothall.ToolRun) (answer, error) {
	args, err := arguments[readArgs](r)
	if err != nil {
		return answer{}, err
	}
	h, rel, shown, err := t.reach(r, args.Path)
	if err != nil {
		return answer{}, err
	}
	defer t.roots.release(h)
	b, info, err := h.readFile(rel, shown, t.o.MaxRead)
	if err != nil {
		return answer{}, err
	}
	text, enc, err := decoded(b, shown)
	if err != nil {
		return answer{}, err
	}
	p := cutLines(text, max(args.Offset, 1), cmp.Or(args.Limit, 500), max(args.Column, 1), t.o.MaxText)
	if p.first > p.total && p.total > 0 {
		return answer{}, moothall.Fail(moothall.CodeInvalid, "read file", fmt.Sprintf("%s has only %d lines", shown, p.total))
	}
	d := ReadData{Path: shown, Encoding: enc, Bytes: info.Size(), Lines: p.total, First: p.first, Last: p.last, Text: p.text}
	return answer{text: readText(d), cut: p.cut(), data: d, labels: t.labels(r.Session, shown, info)}, nil
}

func readText(d ReadData) string {
	if d.Lines == 0 {
		return d.Path + " is empty."
	}
	head := fmt.Sprintf("%s (%s, %s, %d lines)", d.Path, d.Encoding, bytesWords(d.Bytes), d.Lines)
	if d.First > 1 || d.Last < d.Lines {
		head += fmt.Sprintf(", lines %d to %d", d.First, d.Last)
	}
	return head + ":\n" + d.Text
}

// decoded is Decode with the file's name in the refusal.
func decoded(b []byte, shown string) (string, Encoding, error) {
	text, enc, err := Decode(b)
	var e *moothall.Error
	if errors.As(err, &e) {
		return "", "", moothall.Fail(e.Code, "read file", fmt.Sprintf("%s is %s of %s, not text", shown, e.Message, bytesWords(int64(len(b)))))
	}
	return text, enc, err
}

// part is a run of lines cut out of a text.
type part struct {
	text               string
	first, last, total int
	column             int // where to go on within last; 0 when it is whole
}

// cutLines returns limit lines from the first on, and no more than room bytes.
func cutLines(text string, first, limit, column, room int) part {
	p := part{first: first, last: first - 1}
	var b strings.Builder
	full := false
	for line := range strings.Lines(text) {
		p.total++
		if p.total < first || full || p.total >= first+limit {
			continue
		}
		skipped := 0
		if p.total == first {
			line, skipped = afterColumn(line, column)
		}
		if b.Len()+len(line) <= room {
			b.WriteString(line)
			p.last = p.total
			continue
		}
		full = true
		if b.Len() == 0 { // a single line that is too long: give its beginning
			line = line[:runeStart(line, room)]
			b.WriteString(line)
			p.last = p.total
			p.column = skipped + utf8.RuneCountInString(line) + 1
		}
	}
	p.text = b.String()
	return p
}

// afterColumn drops the characters before a column, counted from 1.
func afterColumn(line string, column int) (rest string, skipped int) {
	for i := range line {
		if skipped == column-1 {
			return line[i:], skipped
		}
		skipped++
	}
	return "", skipped
}

// runeStart moves a cut back to where a character begins.
func runeStart(s string, at int) int {
	at = min(at, len(s))
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// cut says in words what was left out and how to get it.
func (p part) cut() string {
	switch {
	case p.column > 0:
		return fmt.Sprintf("line %d goes on; read on with offset %d and column %d", p.last, p.last, p.column)
	case p.last < p.total:
		return fmt.Sprintf("lines %d to %d were left out; read on with offset %d", p.last+1, p.total, p.last+1)
	}
	return ""
}
