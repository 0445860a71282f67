package fs

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"moothall"
)

const listSchema = `{
"type":"object","additionalProperties":false,
"properties":{
"path":{"type":"string","minLength":1,"maxLength":4096,"description":"The folder to list. Leave it out for the working folder."},
"depth":{"type":"integer","minimum":1,"maximum":8,"description":"How many levels of folders to show. Leave it out for 1."},
"hidden":{"type":"boolean","description":"Also show names that begin with a dot. Leave it out for no."},
"offset":{"type":"integer","minimum":1,"description":"The number of the first entry to show, from 1."},
"limit":{"type":"integer","minimum":1,"maximum":2000,"description":"How many entries to show. Leave it out for 200."}
}}`

type listArgs struct {
	Path   string `json:"path"`
	Depth  int    `json:"depth"`
	Hidden bool   `json:"hidden"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

// ListEntry is one line of fs_list.
type ListEntry struct {
	Path     string    `json:"path"`
	Kind     string    `json:"kind"` // file, folder, link, special
	Bytes    int64     `json:"bytes,omitempty"`
	Modified time.Time `json:"modified"`
	Target   string    `json:"target,omitempty"` // of a link
}

// ListData is the result of fs_list for programs.
type ListData struct {
	Path    string      `json:"path"`
	Total   int         `json:"total"`
	Entries []ListEntry `json:"entries"`
}

func listTool(t *Tools) tool {
	return tool{run: t.list, spec: t.spec(moothall.ToolSpec{
		Name: "fs_list", Aliases: []moothall.ToolName{"list_directory", "list_files", "list_dir", "ls"},
		Description: "List the files and folders in a folder, with size and date.",
		Risk:        moothall.RiskRead, ReadOnly: true, Idempotent: true,
		Paths: []moothall.PathArgument{{Name: "path", Access: moothall.PathRead}},
	}, listSchema)}
}

func (t *Tools) list(ctx context.Context, r moothall.ToolRun) (answer, error) {
	args, err := arguments[listArgs](r)
	if err != nil {
		return answer{}, err
	}
	h, rel, shown, err := t.reach(r, cmp.Or(args.Path, "."))
	if err != nil {
		return answer{}, err
	}
	defer t.roots.release(h)
	d := ListData{Path: shown, Entries: []ListEntry{}}
	first, limit, room := max(args.Offset, 1), cmp.Or(args.Limit, 200), t.o.MaxText
	w := walk{root: h, rel: rel, depth: max(args.Depth, 1), hidden: args.Hidden, left: t.o.MaxFiles}
	w.visit = func(e Entry) error {
		d.Total++
		if d.Total < first || len(d.Entries) >= limit || room <= 0 {
			return nil
		}
		entry := listEntry(h, rel, e)
		room -= len(entry.line())
		d.Entries = append(d.Entries, entry)
		return nil
	}
	if err := w.run(ctx, shown); err != nil {
		return answer{}, err
	}
	info, err := h.Stat(rel)
	if err != nil {
		return answer{}, pathError("open folder", shown, err)
	}
	return answer{text: listText(d), cut: listCut(d, first, w.cut), data: d, labels: t.labels(r.Session, shown, info)}, nil
}

func listEntry(h *root, rel string, e Entry) ListEntry {
	out := ListEntry{Path: e.Path, Kind: "special", Modified: e.Info.ModTime().UTC().Truncate(time.Second)}
	switch {
	case e.Info.IsDir():
		out.Kind = "folder"
	case e.Info.Mode().IsRegular():
		out.Kind, out.Bytes = "file", e.Info.Size()
	case isLink(e.Info):
		out.Kind = "link"
		// A link that vanished meanwhile is shown without its target.
		out.Target, _ = h.Readlink(filepath.Join(rel, filepath.FromSlash(e.Path)))
	}
	return out
}

func (e ListEntry) line() string {
	day := e.Modified.Format(time.DateOnly)
	switch e.Kind {
	case "folder":
		return e.Path + "/\n"
	case "link":
		return e.Path + " -> " + e.Target + " (link)\n"
	case "file":
		return fmt.Sprintf("%s (%s, %s)\n", e.Path, bytesWords(e.Bytes), day)
	}
	return e.Path + " (not a regular file)\n"
}

func listText(d ListData) string {
	var b strings.Builder
	if d.Total == 0 {
		return d.Path + " is empty."
	}
	fmt.Fprintf(&b, "%s has %d entries:\n", path.Clean(d.Path), d.Total)
	for _, e := range d.Entries {
		b.WriteString(e.line())
	}
	return b.String()
}

func listCut(d ListData, first int, stopped bool) string {
	var notes []string
	if last := first - 1 + len(d.Entries); last < d.Total {
		notes = append(notes, fmt.Sprintf("%d more entries were left out; list on with offset %d", d.Total-last, last+1))
	}
	if stopped {
		notes = append(notes, "the folder is too large to be listed as a whole; list a folder inside it")
	}
	return strings.Join(notes, "; ")
}
