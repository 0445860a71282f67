package fs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/tool/fs"
)

// bench is a folder that may be used, one beside it that may not, and tools.
type bench struct {
	work, out string
	roots     *fs.Roots
	tools     map[moothall.ToolName]moothall.Tool
}

const secret = "THE-SECRET-OUTSIDE"

// setUp hides the given places of the work folder.
func setUp(t testing.TB, o *fs.Options, hidden ...string) *bench {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{work: filepath.Join(top, "work"), out: filepath.Join(top, "out"), tools: map[moothall.ToolName]moothall.Tool{}}
	for _, d := range []string{b.work, b.out} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(b.out, "secret.txt"), secret)
	ro := &fs.RootsOptions{Home: b.work, Limit: 4}
	for _, p := range hidden {
		ro.Hidden = append(ro.Hidden, filepath.Join(b.work, p))
		ro.Shown = append(ro.Shown, filepath.Join(b.work, p, "shown"))
	}
	b.roots = fs.NewRoots(ro)
	t.Cleanup(func() {
		if err := b.roots.Close(); err != nil {
			t.Error(err)
		}
	})
	if o == nil {
		o = &fs.Options{Own: []string{b.work}}
	}
	for _, tool := range fs.New(b.roots, o).All() {
		b.tools[tool.Spec().Name] = tool
	}
	return b
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// call runs a tool in the work folder.
func (b *bench) call(t testing.TB, name moothall.ToolName, args map[string]any) moothall.ToolResult {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	r, err := b.tools[name].Run(t.Context(), moothall.ToolRun{
		Scope: moothall.Scope{Session: "s"}, Call: moothall.ToolCall{ID: "c", Name: name, Arguments: raw},
		Reads: []string{b.work}, Writes: []string{b.work}, Note: func(string) {},
	})
	if err != nil {
		t.Fatalf("%s %s: %v", name, raw, err)
	}
	return r
}

// ok runs a tool that must succeed.
func (b *bench) ok(t testing.TB, name moothall.ToolName, args map[string]any) moothall.ToolResult {
	t.Helper()
	r := b.call(t, name, args)
	if r.Status != moothall.CallOK {
		t.Fatalf("%s %v: %s", name, args, r.Text)
	}
	return r
}

// fails runs a tool that must fail with these words.
func (b *bench) fails(t testing.TB, name moothall.ToolName, args map[string]any, words string) {
	t.Helper()
	r := b.call(t, name, args)
	if r.Status != moothall.CallFailed || !strings.Contains(r.Text, words) {
		t.Errorf("%s %v: %s %q, want a failure with %q", name, args, r.Status, r.Text, words)
	}
}

func data[T any](t testing.TB, r moothall.ToolResult) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(r.Data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// args is a short form.
type args = map[string]any
