package toolcall_test

import (
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"moothall"
	"moothall/internal/engine/toolcall"
)

var update = flag.Bool("update", false, "write what is read now as what is wanted")

// golden is a result as testdata holds it.
type golden struct {
	Calls    []goldenCall `json:"calls,omitempty"`
	Content  string       `json:"content,omitempty"`
	Thinking string       `json:"thinking,omitempty"`
	Layer    string       `json:"layer,omitempty"`
	Problems []string     `json:"problems,omitempty"`
	Mends    []string     `json:"mends,omitempty"`
}

type goldenCall struct {
	ID   moothall.CallID   `json:"id,omitempty"`
	Name moothall.ToolName `json:"name"`
	Args json.RawMessage   `json:"args"`
}

func goldenOf(r toolcall.Result) golden {
	g := golden{Content: r.Content, Thinking: r.Thinking, Layer: r.Layer, Mends: r.Mends}
	for _, c := range r.Calls {
		g.Calls = append(g.Calls, goldenCall{c.ID, c.Name, c.Arguments})
	}
	for _, p := range r.Problems {
		g.Problems = append(g.Problems, p.Text)
	}
	return g
}

// caseOptions reads a case's options off its name and file.
func caseOptions(file, name string) *toolcall.Options {
	return &toolcall.Options{
		Tools:             officeTools(),
		Family:            strings.TrimSuffix(filepath.Base(file), ".txtar"),
		ThinkingPrefilled: strings.HasPrefix(name, "prefilled."),
	}
}

func TestCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runCases(t, file)
		})
	}
}

func runCases(t *testing.T, file string) {
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{}
	for _, f := range a.Files {
		if name, good := strings.CutSuffix(f.Name, ".want"); good {
			wants[name] = string(f.Data)
		}
	}
	out := &txtar.Archive{Comment: a.Comment}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, f := range a.Files {
		name, good := strings.CutSuffix(f.Name, ".in")
		if !good {
			continue
		}
		text, o := strings.TrimSuffix(string(f.Data), "\n"), caseOptions(file, name)
		got, err := json.MarshalIndent(goldenOf(toolcall.Parse(text, o)), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '\n')
		out.Files = append(out.Files, f, txtar.File{Name: name + ".want", Data: got})
		if diff := cmp.Diff(wants[name], string(got)); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for range 12 {
			checkChunked(t, name, text, o, rng)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCasesWithoutFamily reads the same cases with the family hidden. Only
// the families that break a tie read differently.
func TestCasesWithoutFamily(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.Contains(file, "cogito") || strings.Contains(file, "functionary") {
			continue
		}
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			name, good := strings.CutSuffix(f.Name, ".in")
			if !good {
				continue
			}
			text, o := strings.TrimSuffix(string(f.Data), "\n"), caseOptions(file, name)
			want := toolcall.Parse(text, o)
			o.Family = ""
			if diff := cmp.Diff(goldenOf(want), goldenOf(toolcall.Parse(text, o))); diff != "" {
				t.Errorf("%s %s:\n%s", file, name, diff)
			}
		}
	}
}

func TestNegativeCasesCallNothing(t *testing.T) {
	t.Parallel()
	a, err := txtar.ParseFile(filepath.Join("testdata", "cases", "negative.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		name, good := strings.CutSuffix(f.Name, ".in")
		if !good {
			continue
		}
		text := strings.TrimSuffix(string(f.Data), "\n")
		got := toolcall.Parse(text, caseOptions("", ""))
		if len(got.Calls) > 0 || got.Content != text || got.Thinking != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
