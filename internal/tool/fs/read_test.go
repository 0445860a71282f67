package fs_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/tool/fs"
)

func TestReadParts(t *testing.T) {
	t.Parallel()
	b := setUp(t, &fs.Options{MaxText: 1000})
	var all strings.Builder
	for i := range 300 {
		fmt.Fprintf(&all, "line %d\n", i+1)
	}
	put(t, filepath.Join(b.work, "long.txt"), all.String())
	var got strings.Builder
	for offset, calls := 1, 0; ; calls++ {
		r := b.ok(t, "fs_read", args{"path": "long.txt", "offset": offset})
		d := data[fs.ReadData](t, r)
		got.WriteString(d.Text)
		if d.Lines != 300 || len(d.Text) > 1000 || (r.Cut == "") != (d.Last == 300) || calls > 10 {
			t.Fatalf("%+v cut %q", d, r.Cut)
		}
		if offset = d.Last + 1; r.Cut == "" {
			break
		}
	}
	if got.String() != all.String() {
		t.Error("the parts are not the whole")
	}
	if d := data[fs.ReadData](t, b.ok(t, "fs_read", args{"path": "long.txt", "offset": 5, "limit": 2})); d.Text != "line 5\nline 6\n" {
		t.Errorf("%q", d.Text)
	}
	b.fails(t, "fs_read", args{"path": "long.txt", "offset": 301}, "only 300 lines")
	put(t, filepath.Join(b.work, "wide"), strings.Repeat("ä", 700))
	r := b.ok(t, "fs_read", args{"path": "wide"})
	if !strings.Contains(r.Cut, "column 501") {
		t.Errorf("cut %q", r.Cut)
	}
	if d := data[fs.ReadData](t, b.ok(t, "fs_read", args{"path": "wide", "column": 501})); d.Text != strings.Repeat("ä", 200) {
		t.Errorf("%d bytes", len(d.Text))
	}
}

func TestReadEncodings(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	for name, c := range map[string]struct {
		bytes, text string
		enc         fs.Encoding
	}{
		"utf8": {"grüß\n", "grüß\n", fs.UTF8}, "bom": {"\xef\xbb\xbfx", "x", fs.UTF8BOM},
		"le": {"\xff\xfeg\x00\xfc\x00", "gü", fs.UTF16LE}, "be": {"\xfe\xff\x00g\x00\xfc", "gü", fs.UTF16BE},
		"latin": {"gr\xfc\xdf \x93q\x94", "grüß “q”", fs.Windows},
	} {
		put(t, filepath.Join(b.work, name), c.bytes)
		if d := data[fs.ReadData](t, b.ok(t, "fs_read", args{"path": name})); d.Text != c.text || d.Encoding != c.enc {
			t.Errorf("%s: %q %s", name, d.Text, d.Encoding)
		}
	}
	for name, c := range map[string][2]string{
		"a.png": {"\x89PNG\r\n\x1a\n\x00\x00", "a PNG image of 10 bytes"}, "a.pdf": {"%PDF-1.7 text", "a PDF document"},
		"a.bin": {"a\x00b", "binary data"}, "a.zip": {"PK\x03\x04\x14\x00", "a ZIP archive"}, "odd": {"\x81\x8d\x8f text", "unknown kind"},
	} {
		put(t, filepath.Join(b.work, name), c[0])
		b.fails(t, "fs_read", args{"path": name}, c[1])
	}
	put(t, filepath.Join(b.work, "empty"), "")
	b.ok(t, "fs_read", args{"path": "empty"})
	b.fails(t, "fs_read", args{"path": "none"}, "does not exist")
	b.fails(t, "fs_read", args{"path": "."}, "is a folder")
}

func TestLabels(t *testing.T) {
	t.Parallel()
	b := setUp(t, &fs.Options{Own: []string{}})
	put(t, filepath.Join(b.work, "f"), "x")
	if r := b.ok(t, "fs_read", args{"path": "f"}); r.Labels != moothall.Private|moothall.Untrusted {
		t.Errorf("%s", r.Labels)
	}
	own := filepath.Join(b.work, "own")
	put(t, filepath.Join(own, "mine"), "x")
	if err := os.Symlink("../f", filepath.Join(own, "link")); err != nil {
		t.Fatal(err)
	}
	tools := fs.New(b.roots, &fs.Options{Own: []string{own}}).All()
	for path, want := range map[string]moothall.Label{"own/mine": moothall.Private, "own/link": moothall.Private | moothall.Untrusted, "f": moothall.Private | moothall.Untrusted} {
		raw, err := json.Marshal(args{"path": path})
		if err != nil {
			t.Fatal(err)
		}
		r, err := tools[0].Run(t.Context(), moothall.ToolRun{Call: moothall.ToolCall{Arguments: raw}, Reads: []string{b.work}})
		if err != nil || r.Status != moothall.CallOK || r.Labels != want {
			t.Errorf("%s: %s %s, %v", path, r.Labels, r.Text, err)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	for _, f := range []string{"b/x.txt", "b/c/y.txt", ".hidden", "a.txt"} {
		put(t, filepath.Join(b.work, f), "123")
	}
	if err := os.Symlink("a.txt", filepath.Join(b.work, "l")); err != nil {
		t.Fatal(err)
	}
	paths := func(a args) (out []string) {
		for _, e := range data[fs.ListData](t, b.ok(t, "fs_list", a)).Entries {
			out = append(out, e.Path)
		}
		return out
	}
	for _, c := range []struct {
		args args
		want string
	}{
		{args{}, "[a.txt b l]"}, {args{"hidden": true}, "[.hidden a.txt b l]"}, {args{"depth": 3}, "[a.txt b b/c b/c/y.txt b/x.txt l]"},
		{args{"path": "b"}, "[c x.txt]"}, {args{"offset": 2, "limit": 1}, "[b]"}, {args{"path": b.work + "/b/c"}, "[y.txt]"},
	} {
		if got := fmt.Sprint(paths(c.args)); got != c.want {
			t.Errorf("%v: %s, want %s", c.args, got, c.want)
		}
	}
	if r := b.ok(t, "fs_list", args{"limit": 1}); !strings.Contains(r.Cut, "offset 2") {
		t.Errorf("cut %q", r.Cut)
	}
	b.fails(t, "fs_list", args{"path": "a.txt"}, "not a folder")
}

func TestSearch(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	for name, text := range map[string]string{
		".gitignore": "*.log\n/build/\nsub/*.tmp\n!keep.log\n", "a.md": "Needle one\nnothing\nneedle two\n", "b.log": "needle", "keep.log": "needle kept",
		"build/x.md": "needle", "sub/build/y.md": "needle deep", "sub/z.tmp": "needle", "sub/.ignore": "secret.*\n", "sub/secret.md": "needle", ".hidden/x": "needle",
		"bin": "needle\x00", "win.txt": "n\xe9edle needle", "regex.md": "a.c abc", "crlf.txt": "walls\r\nfloor\r\none",
		"lines": "an\nin\nno\non\nun\n",
	} {
		put(t, filepath.Join(b.work, name), text)
	}
	found := func(a args) (out []string) {
		for _, m := range data[fs.SearchData](t, b.ok(t, "fs_search", a)).Matches {
			out = append(out, fmt.Sprint(m.Path, ":", m.Line))
		}
		return out
	}
	for _, c := range []struct {
		args args
		want string
	}{
		{args{"pattern": "needle"}, "[a.md:1 a.md:3 keep.log:1 sub/build/y.md:1 win.txt:1]"},
		{args{"pattern": "needle", "match_case": true, "glob": "*.md"}, "[a.md:3 sub/build/y.md:1]"},
		{args{"pattern": "needle", "glob": "sub/**/*.md"}, "[sub/build/y.md:1]"},
		{args{"pattern": "needle", "ignored": true, "glob": "*.{log,tmp}"}, "[b.log:1 keep.log:1 sub/z.tmp:1]"},
		{args{"pattern": "needle", "path": "sub"}, "[build/y.md:1]"},
		{args{"pattern": "needle", "path": "build"}, "[x.md:1]"},
		{args{"pattern": "needle", "path": "a.md", "offset": 2}, "[a.md:3]"},
		{args{"pattern": "needle", "limit": 1}, "[a.md:1]"},
		{args{"pattern": "^needle (one|two)$", "regex": true}, "[a.md:1 a.md:3]"},
		{args{"pattern": "a.c"}, "[regex.md:1]"},
		{args{"pattern": "(a+)+$", "regex": true, "glob": "*.log"}, "[]"},
		{args{"pattern": "needle", "hidden": true, "glob": "x"}, "[.hidden/x:1]"},
		{args{"pattern": "ONE\nnothing"}, "[a.md:1]"},
		{args{"pattern": "\nnothing\nneedle"}, "[a.md:2]"},
		{args{"pattern": "walls\r\nfloor", "match_case": true}, "[crlf.txt:1]"},
		{args{"pattern": "lls\nfl"}, "[crlf.txt:1]"},
		{args{"pattern": `^needle.*\nnothing$`, "regex": true}, "[a.md:1]"},
		{args{"pattern": "(?s)one.*two", "regex": true}, "[a.md:1]"},
		{args{"pattern": "[^x]one", "regex": true, "glob": "crlf.txt"}, "[]"},
		{args{"pattern": "n\n", "path": "lines", "limit": 2, "offset": 2}, "[lines:2 lines:4]"},
	} {
		if got := fmt.Sprint(found(c.args)); got != c.want {
			t.Errorf("%v: %s, want %s", c.args, got, c.want)
		}
	}
	b.fails(t, "fs_search", args{"pattern": "(", "regex": true}, "not a regular expression")
	if r := b.ok(t, "fs_search", args{"pattern": "needle", "limit": 1}); !strings.Contains(r.Cut, "offset 2") {
		t.Errorf("cut %q", r.Cut)
	}
}

func TestSearchNamesBeyondASCII(t *testing.T) {
	t.Parallel()
	b := setUp(t, nil)
	for _, name := range []string{"Übung1.md", "ß.müll", "日本.txt", "geheim-ä.txt", "öffentlich.txt"} {
		put(t, filepath.Join(b.work, name), "needle")
	}
	put(t, filepath.Join(b.work, ".gitignore"), "geheim-ä.*\n")
	for glob, want := range map[string]string{
		"Übung*.md": "[Übung1.md]", "*.{müll,md}": "[Übung1.md ß.müll]", "??.txt": "[日本.txt]", "[öß]*": "[ß.müll öffentlich.txt]", `\Ü*`: "[Übung1.md]",
		"*.txt": "[öffentlich.txt 日本.txt]", "Ã*": "[]",
	} {
		found := []string{}
		for _, m := range data[fs.SearchData](t, b.ok(t, "fs_search", args{"pattern": "needle", "glob": glob})).Matches {
			found = append(found, m.Path)
		}
		if slices.Sort(found); fmt.Sprint(found) != want {
			t.Errorf("%s: %s, want %s", glob, found, want)
		}
	}
}

func TestSearchBounds(t *testing.T) {
	t.Parallel()
	b := setUp(t, &fs.Options{MaxFiles: 5, MaxBytes: 100})
	for i := range 9 {
		put(t, filepath.Join(b.work, fmt.Sprint(i)), "needle")
	}
	if r := b.ok(t, "fs_search", args{"pattern": "needle"}); !strings.Contains(r.Cut, "more files") {
		t.Errorf("cut %q", r.Cut)
	}
	put(t, filepath.Join(b.work, "d", "x"), strings.Repeat("y", 101))
	if r := b.ok(t, "fs_search", args{"pattern": "needle", "path": "d"}); !strings.Contains(r.Cut, "larger") {
		t.Errorf("cut %q", r.Cut)
	}
	// A film is passed over, and takes nothing from what may be read.
	put(t, filepath.Join(b.work, "e", "notes"), "needle")
	put(t, filepath.Join(b.work, "e", "film"), "")
	if err := os.Truncate(filepath.Join(b.work, "e", "film"), 300<<20); err != nil {
		t.Fatal(err)
	}
	r := b.ok(t, "fs_search", args{"pattern": "needle", "path": "e"})
	if d := data[fs.SearchData](t, r); r.Cut != "" || len(d.Matches) != 1 || d.Skipped != 1 {
		t.Errorf("cut %q, %+v", r.Cut, d)
	}
}

func TestSpecs(t *testing.T) {
	t.Parallel()
	for name, tool := range setUp(t, nil).tools {
		s := tool.Spec()
		var schema struct {
			Additional *bool                     `json:"additionalProperties"`
			Properties map[string]map[string]any `json:"properties"`
		}
		if err := json.Unmarshal(s.Parameters, &schema); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if schema.Additional == nil || *schema.Additional || s.Timeout == 0 || s.MaxResult == 0 || s.Origin != "built-in" || s.Taints.Has(moothall.Private) == (name == "fs_write") || len(s.Aliases) == 0 {
			t.Errorf("%s: %+v", name, s)
		}
		for p, v := range schema.Properties {
			if v["description"] == nil {
				t.Errorf("%s.%s has no description", name, p)
			}
		}
		for _, p := range s.Paths {
			if schema.Properties[p.Name] == nil {
				t.Errorf("%s: no argument %s", name, p.Name)
			}
		}
	}
}
