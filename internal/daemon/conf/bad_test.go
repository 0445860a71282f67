package conf_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"moothall"
	"moothall/internal/daemon/conf"
)

var update = flag.Bool("update", false, "rewrite the golden files from what the code does")

// Each archive in testdata/bad holds pairs of files: NAME is a configuration,
// or the sections "env" and "set" with one assignment on each line; NAME.want
// is every line that a person sees.
func TestBadConfigurations(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			checkArchive(t, name)
		})
	}
}

func checkArchive(t *testing.T, name string) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out txtar.Archive
	out.Comment = archive.Comment
	for i, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".want") {
			continue
		}
		got := problemsOf(t, f.Name, string(f.Data))
		out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".want", Data: []byte(got)})
		if *update {
			continue
		}
		if i+1 == len(archive.Files) || archive.Files[i+1].Name != f.Name+".want" {
			t.Fatalf("%s has no golden text; run with -update", f.Name)
		}
		if diff := cmp.Diff(string(archive.Files[i+1].Data), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(name, txtar.Format(&out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// problemsOf loads one case and returns what went wrong.
func problemsOf(t *testing.T, name, text string) string {
	t.Helper()
	cfg := defaults()
	_, err := conf.Load(&cfg, sourcesOf(text))
	if code := moothall.ErrorCode(err); code != moothall.CodeInvalid {
		t.Fatalf("%s: code %q, want invalid; error: %v", name, code, err)
	}
	var problems *conf.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("%s: the error holds no problems: %v", name, err)
	}
	if diff := cmp.Diff(conf.JSON(defaults()), conf.JSON(cfg)); diff != "" {
		t.Errorf("%s: the destination changed (-want +got):\n%s", name, diff)
	}
	return problems.Error() + "\n"
}

// sourcesOf reads a case. Lines "env NAME=text" and "set path=text" are the
// other sources; \t stands for a tab and \xFF for a broken byte, which would
// not be seen otherwise.
func sourcesOf(text string) conf.Sources {
	src := conf.Sources{File: "moothall.yaml", Set: map[string]string{}, EnvIgnore: []string{"MOOTHALL_HOME"}}
	var file strings.Builder
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "env "); ok {
			src.Env = append(src.Env, strings.TrimSuffix(rest, "\n"))
		} else if rest, ok := strings.CutPrefix(line, "set "); ok {
			path, value, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), "=")
			src.Set[path] = value
		} else {
			file.WriteString(line)
		}
	}
	data := strings.NewReplacer("→", "\t", "␀", "\x00", "✗", "\xff").Replace(file.String())
	src.Data = []byte(data)
	return src
}
