package notes_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/tool/fs"
	"moothall/internal/tool/notes"
)

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func search(t testing.TB, tool *notes.Tool, dir, args string) (moothall.ToolResult, notes.Data) {
	t.Helper()
	r, err := tool.Run(t.Context(), moothall.ToolRun{Call: moothall.ToolCall{Arguments: json.RawMessage(args)}, Reads: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	var d notes.Data
	if r.Status == moothall.CallOK {
		if err := json.Unmarshal(r.Data, &d); err != nil {
			t.Fatal(err)
		}
	}
	return r, d
}

func TestSearch(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{
		"bread.md":         "# Baking bread\n\nFlour and water.\n\n## Oven\n\nThe oven must be hot: 250 degrees. Sourdough rises slowly.\n",
		"trip/lisbon.md":   "---\ntitle: \"Trip to Lisbon\"\n---\nWe ate bread once. " + strings.Repeat("Trams and hills. ", 80),
		"code.md":          "# Code\n```\n# oven is no heading\n```\n",
		".hidden/bread.md": "bread", "image.png": "bread", "data.md": "bread\x00", ".ignore": "drafts/\n", "drafts/bread.md": "bread bread",
	})
	roots := fs.NewRoots(nil)
	defer roots.Close()
	tool := notes.New(roots, &notes.Options{Folders: []string{dir}})
	r, d := search(t, tool, dir, `{"query":"bread"}`)
	if d.Total != 2 || d.Notes[0].Title != "Baking bread" || d.Notes[1].Title != "Trip to Lisbon" || d.Skipped != 1 || d.Files != 3 || r.Labels != moothall.Private {
		t.Errorf("%+v %s", d, r.Text)
	}
	_, d = search(t, tool, dir, `{"query":"OVEN hot"}`)
	if len(d.Notes) != 2 || d.Notes[0].Heading != "Oven" || d.Notes[0].Line != 5 || !strings.Contains(d.Notes[0].Text, "250 degrees") || d.Notes[1].Heading != "Code" {
		t.Errorf("%+v", d)
	}
	if _, d = search(t, tool, dir, `{"query":"tram"}`); d.Total != 1 || len(d.Notes[0].Text) > 600 {
		t.Errorf("the beginning of a word: %+v", d)
	}
	if r, d = search(t, tool, dir, `{"query":"bread","limit":1}`); len(d.Notes) != 1 || !strings.Contains(r.Cut, "offset 2") {
		t.Errorf("cut %q", r.Cut)
	}
	if _, d = search(t, tool, dir, `{"query":"zebra"}`); d.Total != 0 {
		t.Errorf("%+v", d)
	}
	for args, want := range map[string]string{`{"query":"?!"}`: "no word", `{"q":1}`: "do not fit"} {
		if r, _ := search(t, tool, dir, args); r.Status != moothall.CallFailed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %q", args, r.Text)
		}
	}
	if r, _ := search(t, tool, t.TempDir(), `{"query":"bread"}`); r.Status != moothall.CallFailed || !strings.Contains(r.Text, "outside") {
		t.Errorf("notes outside of the folders: %q", r.Text)
	}
	bread := moothall.ToolRun{Call: moothall.ToolCall{Arguments: json.RawMessage(`{"query":"bread"}`)}}
	if r, err := notes.New(roots, nil).Run(t.Context(), bread); moothall.ErrorCode(err) != moothall.CodeNotConfigured || moothall.ErrorRemedy(err) == "" {
		t.Errorf("no folder of notes: %+v, %v", r, err)
	}
}

func FuzzNotes(f *testing.F) {
	f.Add("# a\ntext\n```\n# b\n```\n## c\n", "text")
	f.Add("---\ntitle: x\n---\n", "x é")
	f.Fuzz(func(t *testing.T, text, query string) {
		args, err := json.Marshal(map[string]string{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		dir := folder(t, map[string]string{"n.md": text})
		roots := fs.NewRoots(nil)
		defer roots.Close()
		search(t, notes.New(roots, &notes.Options{Folders: []string{dir}}), dir, string(args))
	})
}
