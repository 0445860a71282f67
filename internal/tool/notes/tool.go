package notes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/tool/answer"
	"moothall/internal/tool/fs"
)

const schema = `{"type":"object","additionalProperties":false,"required":["query"],"properties":{
"query":{"type":"string","minLength":1,"maxLength":500,"description":"Words to look for in the notes."},
"offset":{"type":"integer","minimum":1,"description":"The number of the first note to show, from 1."},
"limit":{"type":"integer","minimum":1,"maximum":50,"description":"How many notes to show. Leave it out for 8."}}}`

// Options are the settings of [Tool].
type Options struct {
	// Folders hold the notes. None means that the tool refuses.
	Folders []string
	// MaxFile is the largest note that is read; 0 means 2 MiB.
	MaxFile int64
	// MaxFiles is how many entries of a folder are looked at; 0 means 20,000.
	MaxFiles int
}

// Tool is notes_search.
type Tool struct {
	roots *fs.Roots
	o     Options
}

var _ moothall.Tool = (*Tool)(nil)

// New returns the tool. It does not close the roots.
func New(roots *fs.Roots, o *Options) *Tool {
	t := &Tool{roots: roots}
	if o != nil {
		t.o = *o
	}
	t.o.MaxFile = cmp.Or(t.o.MaxFile, 2<<20)
	t.o.MaxFiles = cmp.Or(t.o.MaxFiles, 20_000)
	return t
}

// Spec describes the tool.
func (t *Tool) Spec() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: "notes_search", Aliases: []moothall.ToolName{"search_notes", "find_notes"},
		Description: "Search the person's own notes. Gives the notes that fit best, each with the part that fits.",
		Parameters:  json.RawMessage(schema),
		Risk:        moothall.RiskRead, ReadOnly: true, Idempotent: true, Taints: moothall.Private,
		Timeout: 30 * time.Second, MaxResult: 32 << 10, Origin: "built-in",
	}
}

// Note is one note that was found.
type Note struct {
	Path    string  `json:"path"`
	Title   string  `json:"title"`
	Heading string  `json:"heading,omitempty"` // of the section that fits
	Line    int     `json:"line"`              // where that begins
	Text    string  `json:"text"`
	Score   float64 `json:"score"`
}

// Data is the result for programs.
type Data struct {
	Query   string `json:"query"`
	Files   int    `json:"files"` // read
	Skipped int    `json:"skipped,omitempty"`
	Total   int    `json:"total"` // notes that fit
	Notes   []Note `json:"notes"`
	More    bool   `json:"more_files,omitempty"` // there are files that were not looked at
}

type arguments struct {
	Query  string `json:"query"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

// Run searches the notes. What is wrong with them is a failed result.
func (t *Tool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	return answer.Run(ctx, r, t.Spec(), func(ctx context.Context, r moothall.ToolRun) (answer.Answer, error) {
		args, err := answer.Arguments[arguments](r)
		if err != nil {
			return answer.Answer{}, err
		}
		d, err := t.search(ctx, r, args)
		if err != nil {
			return answer.Answer{}, err
		}
		cut := d.page(args)
		return answer.Answer{Text: d.text(), Data: d, Cut: cut}, nil
	})
}

func (t *Tool) search(ctx context.Context, r moothall.ToolRun, args arguments) (*Data, error) {
	terms := tokens(args.Query)
	switch {
	case len(terms) == 0:
		return nil, moothall.Fail(moothall.CodeInvalid, "search notes", "the query holds no word")
	case len(t.o.Folders) == 0:
		return nil, &moothall.Error{Code: moothall.CodeNotConfigured, Op: "search notes", Message: "no folder of notes is set up",
			Remedy: "name the folder of your notes in the configuration"}
	}
	d := &Data{Query: args.Query}
	x := newIndex(terms)
	o := fs.FilesOptions{Glob: "*.{md,markdown,MD,txt}", MaxFile: t.o.MaxFile, MaxFiles: t.o.MaxFiles,
		Skip: func(string, error) { d.Skipped++ }}
	for _, folder := range t.o.Folders {
		more, err := t.roots.Files(ctx, r.Session, slices.Concat(r.Reads, r.Writes), folder, o, func(e fs.Entry, b []byte) error {
			text, _, err := fs.Decode(b)
			if err != nil {
				d.Skipped++
				return nil
			}
			x.add(filepath.Join(folder, filepath.FromSlash(e.Path)), text)
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		d.More = d.More || more
	}
	d.Files, d.Notes = x.files, x.ranked()
	d.Total = len(d.Notes)
	return d, nil
}

// page keeps what was asked for and says what was left out.
func (d *Data) page(args arguments) string {
	begin := min(max(args.Offset, 1)-1, len(d.Notes))
	end := min(begin+cmp.Or(args.Limit, 8), len(d.Notes))
	d.Notes = d.Notes[begin:end]
	var notes []string
	if end < d.Total {
		notes = append(notes, fmt.Sprintf("%d more notes fit less well; search on with offset %d", d.Total-end, end+1))
	}
	if d.More {
		notes = append(notes, "there are more files than one search looks at")
	}
	return strings.Join(notes, "; ")
}

func (d *Data) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d notes fit.\n", d.Total, d.Files)
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "\n%s (%s, line %d)\n", n.Title, n.Path, n.Line)
		if n.Heading != "" && n.Heading != n.Title {
			b.WriteString(n.Heading + "\n")
		}
		b.WriteString(n.Text + "\n")
	}
	if d.Skipped > 0 {
		fmt.Fprintf(&b, "\n%d files were skipped: not text, too large or not readable.", d.Skipped)
	}
	return b.String()
}
