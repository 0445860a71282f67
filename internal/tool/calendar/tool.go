package calendar

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

const schema = `{"type":"object","additionalProperties":false,"properties":{
"from":{"type":"string","maxLength":40,"description":"The first day, like 2026-11-15, or today or tomorrow. Leave it out for today."},
"to":{"type":"string","maxLength":40,"description":"The last day, like 2026-11-22. Leave it out for one week."},
"query":{"type":"string","maxLength":200,"description":"Only entries with this word. Leave it out for all."},
"offset":{"type":"integer","minimum":1,"description":"The number of the first entry to show, from 1."},
"limit":{"type":"integer","minimum":1,"maximum":200,"description":"How many entries to show. Leave it out for 50."}}}`

// Options are the settings of [Tool].
type Options struct {
	// Paths are .ics files, or folders of them. None means that the tool
	// refuses.
	Paths []string
	// Zone is the person's time zone; nil means the machine's.
	Zone *time.Location
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// MaxFile is the largest file that is read; 0 means 16 MiB.
	MaxFile int64
}

// Tool is calendar_read.
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
	if t.o.Zone == nil {
		t.o.Zone = time.Local
	}
	if t.o.Now == nil {
		t.o.Now = time.Now
	}
	t.o.MaxFile = cmp.Or(t.o.MaxFile, 16<<20)
	return t
}

// Spec describes the tool. Entries come from outside: anybody can send an
// invitation.
func (t *Tool) Spec() moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: "calendar_read", Aliases: []moothall.ToolName{"read_calendar", "get_calendar", "list_events", "get_events"},
		Description: "Read the person's calendar: appointments between two days, with time and place.",
		Parameters:  json.RawMessage(schema),
		Risk:        moothall.RiskRead, ReadOnly: true, Idempotent: true,
		Taints:  moothall.Private | moothall.Untrusted,
		Timeout: 30 * time.Second, MaxResult: 36 << 10, Origin: "built-in",
	}
}

// Data is the result for programs.
type Data struct {
	From    time.Time    `json:"from"`
	To      time.Time    `json:"to"`
	Zone    string       `json:"zone"`
	Total   int          `json:"total"`
	Entries []Occurrence `json:"entries"`
	Notes   []string     `json:"notes,omitempty"`
}

type arguments struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Query  string `json:"query"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

// Run reads the calendars. What is wrong with them is a failed result.
func (t *Tool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	return answer.Run(ctx, r, t.Spec(), func(ctx context.Context, r moothall.ToolRun) (answer.Answer, error) {
		args, err := answer.Arguments[arguments](r)
		if err != nil {
			return answer.Answer{}, err
		}
		d, err := t.read(ctx, r, args)
		if err != nil {
			return answer.Answer{}, err
		}
		cut := d.page(args)
		return answer.Answer{Text: d.text(), Data: d, Cut: cut}, nil
	})
}

func (t *Tool) read(ctx context.Context, r moothall.ToolRun, args arguments) (*Data, error) {
	if len(t.o.Paths) == 0 {
		return nil, &moothall.Error{Code: moothall.CodeNotConfigured, Op: "read calendar", Message: "no calendar is set up",
			Remedy: "name .ics files or folders of them in the configuration"}
	}
	from, to, err := t.span(args)
	if err != nil {
		return nil, err
	}
	f := &found{window: window{from: from, to: to, query: strings.ToLower(args.Query), limit: 10_000}, stop: ctx.Err}
	if err := t.collect(ctx, r, f); err != nil {
		return nil, err
	}
	f.sort()
	for i := range f.list {
		f.list[i].Start, f.list[i].End = f.list[i].Start.In(t.o.Zone), f.list[i].End.In(t.o.Zone)
	}
	if f.full {
		f.note("there are more entries than can be handled; ask for fewer days")
	}
	return &Data{From: from, To: to, Zone: t.o.Zone.String(), Total: len(f.list), Entries: f.list, Notes: f.notes}, nil
}

// collect reads every file of the configured paths.
func (t *Tool) collect(ctx context.Context, r moothall.ToolRun, f *found) error {
	folders := slices.Concat(r.Reads, r.Writes)
	for _, p := range t.o.Paths {
		if strings.EqualFold(filepath.Ext(p), ".ics") {
			b, _, err := t.roots.ReadFile(r.Session, folders, p, t.o.MaxFile)
			if err != nil {
				return err
			}
			t.add(f, p, b)
			continue
		}
		o := fs.FilesOptions{Glob: "*.{ics,ICS}", MaxFile: t.o.MaxFile, MaxFiles: 20_000,
			Skip: func(path string, _ error) { f.note("could not read " + path) }}
		more, err := t.roots.Files(ctx, r.Session, folders, p, o, func(e fs.Entry, b []byte) error {
			t.add(f, e.Path, b)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		if more {
			f.note("there are more files than can be read in " + p)
		}
	}
	return ctx.Err()
}

func (t *Tool) add(f *found, path string, b []byte) {
	text, _, err := fs.Decode(b)
	if err == nil {
		err = f.file(text, path, t.o.Zone)
	}
	if err != nil {
		f.note(path + " is not an iCalendar file")
	}
}

// page keeps what was asked for and says what was left out.
func (d *Data) page(args arguments) string {
	first, limit := max(args.Offset, 1), cmp.Or(args.Limit, 50)
	begin := min(first-1, len(d.Entries))
	end, room := begin, 32<<10
	for end < len(d.Entries) && end-begin < limit && room > 0 {
		room -= len(d.Entries[end].line()) + 16 // the day's head
		end++
	}
	d.Entries = d.Entries[begin:end]
	if end < d.Total {
		return fmt.Sprintf("%d more entries were left out; read on with offset %d", d.Total-end, end+1)
	}
	return ""
}
