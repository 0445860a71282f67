package fs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall"
)

// Options are the settings of [Tools].
type Options struct {
	// Own are the person's own folders; what lies elsewhere is untrusted.
	// None means that everything is.
	Own []string
	// MaxRead is the largest file that is read or replaced; 0 means 32 MiB.
	MaxRead int64
	// MaxWrite is the largest file that is written; 0 means 8 MiB.
	MaxWrite int64
	// MaxText is how many bytes of text one result gives a model; 0 means 32 KiB.
	MaxText int
	// MaxFiles and MaxBytes bound one search; 0 means 20,000 and 256 MiB.
	MaxFiles int
	MaxBytes int64
	// Undo, when set, gets what a file was before it is replaced. It is called
	// before the change, and what it returns when that could not be made. What
	// cannot be kept is not changed.
	Undo func(Before) (forget func(), err error)
}

// Before is what a file was before a change.
type Before struct {
	Path   string
	Folder string // the real one that it lies in, whatever links Path has; "" when that is not known
	Data   []byte // nil: there was no file
	Mode   os.FileMode
}

// Tools are the four tools; they share roots and limits.
type Tools struct {
	roots *Roots
	o     Options
	write sync.Mutex // one change at a time: two appends must both arrive
}

// New returns the tools. They do not close the roots.
func New(roots *Roots, o *Options) *Tools {
	t := &Tools{roots: roots}
	if o != nil {
		t.o = *o
	}
	t.o.MaxRead = cmp.Or(t.o.MaxRead, 32<<20)
	t.o.MaxWrite = cmp.Or(t.o.MaxWrite, 8<<20)
	t.o.MaxText = cmp.Or(t.o.MaxText, 32<<10)
	t.o.MaxFiles = cmp.Or(t.o.MaxFiles, 20_000)
	t.o.MaxBytes = cmp.Or(t.o.MaxBytes, 256<<20)
	return t
}

// All lists the tools for registration.
func (t *Tools) All() []moothall.Tool {
	return []moothall.Tool{readTool(t), previewing{writeTool(t), t.previewWrite}, listTool(t), searchTool(t)}
}

// tool joins a spec and what runs it.
type tool struct {
	spec moothall.ToolSpec
	run  func(context.Context, moothall.ToolRun) (answer, error)
}

var _ moothall.Tool = tool{}

// Spec describes the tool.
func (t tool) Spec() moothall.ToolSpec { return t.spec }

// Run does one call. What goes wrong with a file is a failed result.
func (t tool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	begin := time.Now()
	out := moothall.ToolResult{Call: r.Call.ID, Name: t.spec.Name, Status: moothall.CallOK, Labels: t.spec.Taints}
	a, err := t.run(ctx, r)
	if err == nil {
		out.Text, out.Cut = a.text, a.cut
		out.Labels |= a.labels
		out.Data, err = json.Marshal(a.data)
	}
	if cause := ctx.Err(); cause != nil && err != nil {
		return moothall.ToolResult{}, cause
	}
	if err != nil {
		out.Status, out.Text = moothall.CallFailed, words(err)
		out.Labels |= moothall.Private // why it failed may tell of the person's files
	}
	out.Took = time.Since(begin)
	return out, nil
}

// answer is what a tool has to say.
type answer struct {
	text   string
	cut    string
	data   any
	labels moothall.Label
}

// words are what a model may read of an error: never its cause.
func words(err error) string {
	var e *moothall.Error
	if !errors.As(err, &e) {
		return "the tool failed for a reason of its own"
	}
	s := cmp.Or(e.Message, string(e.Code))
	if remedy := moothall.ErrorRemedy(err); remedy != "" {
		s += ". What helps: " + remedy
	}
	return s
}

// arguments reads the arguments of a call; the broker has checked them
// against the schema already.
func arguments[T any](r moothall.ToolRun) (T, error) {
	var args T
	d := json.NewDecoder(bytes.NewReader(r.Call.Arguments))
	d.DisallowUnknownFields()
	if err := d.Decode(&args); err != nil {
		return args, &moothall.Error{Code: moothall.CodeInvalid, Op: "arguments", Message: "the arguments do not fit the tool", Err: err}
	}
	return args, nil
}

// readable are the folders that a call may read.
func readable(r moothall.ToolRun) []string { return slices.Concat(r.Writes, r.Reads) }

// reach finds the root for a path that is to be read.
func (t *Tools) reach(r moothall.ToolRun, path string) (h *root, rel, shown string, err error) {
	shown, err = t.roots.Path(r.Reads, r.Writes, path)
	if err != nil {
		return nil, "", "", err
	}
	h, rel, err = t.roots.pick(r.Session, readable(r), shown)
	return h, rel, shown, err
}

// labels says whether a file is the person's own: it must be the same file
// when it is reached through the root of one of their folders.
func (t *Tools) labels(s moothall.SessionID, shown string, info os.FileInfo) moothall.Label {
	h, _, err := t.roots.find(s, t.o.Own, shown, func(h *root, rel string) error {
		own, err := h.Stat(rel)
		if err == nil && !os.SameFile(own, info) {
			err = os.ErrNotExist
		}
		return err
	})
	if err != nil {
		return moothall.Private | moothall.Untrusted
	}
	t.roots.release(h)
	return moothall.Private
}

// spec fills in what the four have in common.
func (t *Tools) spec(s moothall.ToolSpec, schema string) moothall.ToolSpec {
	s.Parameters = json.RawMessage(strings.TrimSpace(schema))
	s.Taints = moothall.Private
	s.MaxResult = t.o.MaxText + 4<<10 // the head and the note about what was cut
	s.Origin = "built-in"
	s.Timeout = cmp.Or(s.Timeout, 30*time.Second)
	return s
}
