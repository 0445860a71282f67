package fs

import (
	"context"
	"path/filepath"

	"moothall"
)

// maxPreview is how much of a file is shown to who decides about a change.
const maxPreview = 512 << 10

// previewing is a tool that can say what it would change.
type previewing struct {
	tool
	preview func(context.Context, moothall.ToolRun) (moothall.Preview, error)
}

var _ moothall.Previewer = previewing{}

// Preview says what a call would change, and changes nothing.
func (p previewing) Preview(ctx context.Context, r moothall.ToolRun) (moothall.Preview, error) {
	return p.preview(ctx, r)
}

// previewWrite reads the file in the same folders and by the same rules as
// the call itself. What stands in its way is part of the preview: the person
// decides all the same.
func (t *Tools) previewWrite(ctx context.Context, r moothall.ToolRun) (moothall.Preview, error) {
	args, err := arguments[writeArgs](r)
	if err == nil {
		err = args.check()
	}
	if err != nil {
		return moothall.Preview{Path: args.Path, Problem: words(err)}, nil
	}
	shown, err := t.roots.Path(r.Reads, r.Writes, args.Path)
	if err != nil {
		return moothall.Preview{Path: args.Path, Problem: words(err)}, nil
	}
	p := moothall.Preview{Path: shown}
	old, exists, err := t.present(r, shown, args.Folders)
	if err != nil {
		p.Problem = words(err)
		return p, ctx.Err()
	}
	p.Exists = exists
	next, _, err := compose(args, old, exists, shown)
	if err != nil {
		p.Problem = words(err)
		next = nil
	}
	if len(old) > maxPreview || len(next) > maxPreview {
		p.Problem = "the texts are too long to be shown here"
		return p, ctx.Err()
	}
	before, _, errOld := Decode(old)
	after, _, errNew := Decode(next)
	if errOld != nil || errNew != nil {
		p.Problem = "it is binary data, which is not compared"
		return p, ctx.Err()
	}
	p.Before, p.After = before, after
	return p, ctx.Err()
}

// present reads the file that a call would replace.
func (t *Tools) present(r moothall.ToolRun, shown string, makes bool) (old []byte, exists bool, err error) {
	h, rel, err := t.roots.pick(r.Session, r.Writes, shown)
	if err != nil {
		return nil, false, err
	}
	defer t.roots.release(h)
	dir, err := h.within(filepath.Dir(rel), shown)
	if makes && moothall.ErrorCode(err) == moothall.CodeNotFound {
		return nil, false, nil // its folders would be made
	}
	if err != nil {
		return nil, false, err
	}
	defer dir.Close()
	name := filepath.Base(rel)
	if err := dir.offers(name, shown); err != nil {
		return nil, false, err
	}
	old, was, err := t.previous(dir, name, shown)
	return old, was != nil, err
}
