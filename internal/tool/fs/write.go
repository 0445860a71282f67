package fs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"moothall"
)

const writeSchema = `{
"type":"object","additionalProperties":false,"required":["path"],
"properties":{
"path":{"type":"string","minLength":1,"maxLength":4096,"description":"The file to write, for example notes/todo.txt"},
"mode":{"type":"string","enum":["overwrite","append","create","replace-text"],"description":"overwrite: write the whole file. append: add text at the end, on a new line. create: write a new file, fail if it exists. replace-text: change old_text to new_text. Leave it out for overwrite."},
"content":{"type":"string","description":"The text to write. For overwrite, append and create."},
"old_text":{"type":"string","description":"Only for replace-text: the text to change, copied exactly. It must stand in the file once."},
"new_text":{"type":"string","description":"Only for replace-text: the text to put in its place."},
"create_folders":{"type":"boolean","description":"Make the folders of the path when they are missing. Leave it out for no."}
}}`

type writeArgs struct {
	Path    string  `json:"path"`
	Mode    string  `json:"mode"`
	Content *string `json:"content"`
	OldText *string `json:"old_text"`
	NewText *string `json:"new_text"`
	Folders bool    `json:"create_folders"`
}

// WriteData is the result of fs_write for programs.
type WriteData struct {
	Path     string   `json:"path"`
	Change   string   `json:"change"` // created, replaced, unchanged
	Encoding Encoding `json:"encoding"`
	Bytes    int      `json:"bytes"`
	Before   int      `json:"bytes_before"`
	Lines    int      `json:"lines"`
	Folders  []string `json:"folders,omitempty"` // that were made
	Diff     string   `json:"diff,omitempty"`
}

func writeTool(t *Tools) tool {
	w := tool{run: t.put, spec: t.spec(moothall.ToolSpec{
		Name: "fs_write", Aliases: []moothall.ToolName{"write_file", "edit_file", "create_file"},
		Description: "Write a text file, add to it, or change a piece of its text. Says what changed.",
		Risk:        moothall.RiskWrite,
		Paths:       []moothall.PathArgument{{Name: "path", Access: moothall.PathWrite}},
	}, writeSchema)}
	w.spec.Taints = 0 // a new file shows the model nothing that it did not write
	return w
}

func (t *Tools) put(ctx context.Context, r moothall.ToolRun) (answer, error) {
	args, err := arguments[writeArgs](r)
	if err != nil {
		return answer{}, err
	}
	if err := args.check(); err != nil {
		return answer{}, err
	}
	shown, err := t.roots.Path(r.Reads, r.Writes, args.Path)
	if err != nil {
		return answer{}, err
	}
	h, rel, err := t.roots.pick(r.Session, r.Writes, shown)
	if err != nil {
		return answer{}, err
	}
	defer t.roots.release(h)
	if rel == "." {
		return answer{}, moothall.Fail(moothall.CodeInvalid, "write file", shown+" is a folder")
	}
	t.write.Lock()
	defer t.write.Unlock()
	d, err := t.change(ctx, h, rel, shown, args)
	if err != nil {
		return answer{}, err
	}
	if d.Change == "created" {
		return answer{text: writeText(d), data: d}, nil
	}
	labels := moothall.Private | moothall.Untrusted
	if info, err := h.Stat(rel); err == nil {
		labels = t.labels(r.Session, shown, info)
	}
	return answer{text: writeText(d), data: d, labels: labels}, nil
}

// check says which arguments a mode needs.
func (a *writeArgs) check() error {
	a.Mode = cmp.Or(a.Mode, "overwrite")
	edit := a.Mode == "replace-text"
	switch {
	case edit && (a.OldText == nil || a.NewText == nil):
		return moothall.Fail(moothall.CodeInvalid, "arguments", "replace-text needs old_text and new_text")
	case edit && a.Content != nil:
		return moothall.Fail(moothall.CodeInvalid, "arguments", "replace-text takes old_text and new_text, not content")
	case !edit && a.Content == nil:
		return moothall.Fail(moothall.CodeInvalid, "arguments", a.Mode+" needs content")
	case !edit && (a.OldText != nil || a.NewText != nil):
		return moothall.Fail(moothall.CodeInvalid, "arguments", `old_text and new_text are for mode "replace-text"`)
	}
	return nil
}

// change does the work in the file's own folder, which stays the same one
// whatever happens to its name meanwhile.
func (t *Tools) change(ctx context.Context, h *root, rel, shown string, args writeArgs) (WriteData, error) {
	d := WriteData{Path: shown}
	var err error
	if d.Folders, err = makeFolders(h, filepath.Dir(rel), shown, args.Folders); err != nil {
		return d, err
	}
	dir, err := h.within(filepath.Dir(rel), shown)
	if err != nil {
		return d, err
	}
	defer dir.Close()
	name := filepath.Base(rel)
	if err := dir.offers(name, shown); err != nil {
		return d, err
	}
	old, was, err := t.previous(dir, name, shown)
	if err != nil {
		return d, err
	}
	next, enc, err := compose(args, old, was != nil, shown)
	if err != nil {
		return d, err
	}
	if int64(len(next)) > t.o.MaxWrite {
		return d, moothall.Fail(moothall.CodeTooLarge, "write file",
			fmt.Sprintf("the file would have %s, and at most %s can be written", bytesWords(int64(len(next))), bytesWords(t.o.MaxWrite)))
	}
	d.report(old, next, enc, was != nil)
	if d.Change == "unchanged" {
		return d, nil
	}
	if err := ctx.Err(); err != nil {
		return d, err
	}
	forget := func() {}
	if t.o.Undo != nil {
		before := Before{Path: shown, Data: old}
		before.Folder, _ = RealName(dir.Root) // without it the change can be taken back where no link leads
		if was != nil {
			before.Mode = was.Mode().Perm()
		}
		if forget, err = t.o.Undo(before); err != nil {
			return d, err
		}
	}
	if err := replace(dir.Root, name, shown, next, was); err != nil {
		forget()
		return d, err
	}
	return d, syncDir(dir.Root, shown)
}

// previous reads what is to be replaced, and refuses what must not be. Its
// bytes are nil only when there is no file.
func (t *Tools) previous(dir *root, name, shown string) ([]byte, os.FileInfo, error) {
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, pathError("write file", shown, err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, nil, &moothall.Error{Code: moothall.CodeDenied, Op: "write file", Message: shown + " is a symbolic link",
			Remedy: "write to the file that it leads to"}
	}
	b, info, err := dir.readFile(name, shown, t.o.MaxRead)
	if err != nil {
		return nil, nil, err
	}
	if links(info) > 1 {
		return nil, nil, moothall.Fail(moothall.CodeDenied, "write file", shown+" has a second name (hard link) that may lie elsewhere")
	}
	if uid, known := owner(info); known && uid != os.Geteuid() {
		return nil, nil, moothall.Fail(moothall.CodeDenied, "write file", shown+" belongs to another account")
	}
	if info.Mode().Perm()&0o200 == 0 {
		return nil, nil, &moothall.Error{Code: moothall.CodeDenied, Op: "write file", Message: shown + " is read-only", Remedy: "make it writable first"}
	}
	if b == nil {
		b = []byte{}
	}
	return b, info, nil
}

// compose makes the new bytes.
func compose(args writeArgs, old []byte, exists bool, shown string) ([]byte, Encoding, error) {
	switch {
	case args.Mode == "create" && exists:
		return nil, "", &moothall.Error{Code: moothall.CodeConflict, Op: "write file", Message: shown + " exists already",
			Remedy: "use another name, or mode overwrite to replace it"}
	case args.Mode == "replace-text" && !exists:
		return nil, "", pathError("write file", shown, fs.ErrNotExist)
	case args.Mode == "replace-text":
		return edited(old, shown, func(s string) (string, error) { return ReplaceOnce(s, *args.OldText, *args.NewText) })
	case args.Mode == "append" && len(old) > 0:
		return edited(old, shown, func(s string) (string, error) { return s + lineBreak(s, *args.Content) + *args.Content, nil })
	}
	return []byte(*args.Content), UTF8, nil
}

// lineBreak is what a text lacks to be added to on a new line. Whoever adds a
// line seldom knows whether the last one was ended.
func lineBreak(text, added string) string {
	switch {
	case strings.HasSuffix(text, "\n"), strings.HasPrefix(added, "\n"), strings.HasPrefix(added, "\r\n"), added == "":
		return ""
	case strings.Contains(text, "\r\n"):
		return "\r\n"
	}
	return "\n"
}

// report fills in what changed.
func (d *WriteData) report(old, next []byte, enc Encoding, exists bool) {
	d.Encoding, d.Bytes, d.Before = enc, len(next), len(old)
	after, _, errNew := Decode(next)
	before, _, errOld := Decode(old)
	d.Lines = len(lines(after))
	switch {
	case !exists:
		d.Change = "created"
	case bytes.Equal(old, next):
		d.Change = "unchanged"
		return
	default:
		d.Change = "replaced"
	}
	if errNew != nil || errOld != nil {
		d.Diff = "(binary data is not compared)"
		return
	}
	d.Diff = Diff(before, after)
}

func writeText(d WriteData) string {
	var b strings.Builder
	switch d.Change {
	case "unchanged":
		return d.Path + " holds exactly that already; nothing was changed."
	case "created":
		fmt.Fprintf(&b, "Created %s: %d bytes, %d lines.\n", d.Path, d.Bytes, d.Lines)
	default:
		fmt.Fprintf(&b, "Changed %s: %d bytes before, %d bytes now, %d lines (%s).\n", d.Path, d.Before, d.Bytes, d.Lines, d.Encoding)
	}
	for _, f := range d.Folders {
		fmt.Fprintf(&b, "Made the folder %s.\n", f)
	}
	if d.Change == "replaced" {
		b.WriteString(d.Diff) // of a new file the model has the text already
	}
	return b.String()
}
