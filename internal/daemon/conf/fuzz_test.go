package conf_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"moothall"
	"moothall/internal/daemon/conf"
)

// Any bytes are either refused as invalid or loaded; what is loaded can be
// shown, and what is shown loads to the same values.
func FuzzLoad(f *testing.F) {
	files, err := filepath.Glob("testdata/bad/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			f.Add(sourcesOf(string(file.Data)).Data)
		}
	}
	shown, err := os.ReadFile("testdata/show.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(shown)
	f.Add([]byte("x-a: &a {at: 127.0.0.1:1}\nservices: {b: {<<: *a}, c: *a}\nlabels: {? a : b, 'c''d': \"\\u00e9\\n\"}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg := defaults()
		_, err := conf.Load(&cfg, conf.Sources{Data: data})
		if err != nil {
			if moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Fatalf("code %s: %v", moothall.ErrorCode(err), err)
			}
			return
		}
		var out bytes.Buffer
		if err := conf.Show(&out, cfg, nil, false); err != nil {
			t.Fatal(err)
		}
		if out.Len() > 1<<20 {
			return // shown with its comments it is longer than may be read
		}
		again := defaults()
		if _, err := conf.Load(&again, conf.Sources{Data: out.Bytes()}); err != nil {
			t.Fatalf("shown but not loaded: %v\n%s", err, out.Bytes())
		}
		if d := diff(cfg, again); d != "" {
			t.Fatalf("(-first +again):\n%s\n%s", d, out.Bytes())
		}
	})
}

func FuzzEnvironment(f *testing.F) {
	for _, seed := range []string{
		"MOOTHALL_FRONT_PORT=1", "MOOTHALL_SERVICES_A_B_LIMITS_AT=x", "MOOTHALL_LABELS_=", "MOOTHALL_=", "MOOTHALL___=1",
		"MOOTHALL_LOG_TAGS=chat,,web", "MOOTHALL_SERVICES_\xff_AT=1", "MOOTHALL_LABELS_A=\xff",
	} {
		f.Add(seed, "front.port", "1")
	}
	f.Add("", `labels."a.b"`, "\"")
	f.Add("", `labels."a`, "")
	f.Add("", `.[0].."`, "")
	f.Fuzz(func(t *testing.T, variable, path, text string) {
		cfg := defaults()
		_, err := conf.Load(&cfg, conf.Sources{Env: []string{variable}, Set: map[string]string{path: text}})
		if err != nil {
			if moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Fatal(err)
			}
			return
		}
		var out bytes.Buffer
		if err := conf.Show(&out, cfg, nil, false); err != nil {
			t.Fatal(err)
		}
		again := defaults()
		if _, err := conf.Load(&again, conf.Sources{Data: out.Bytes()}); err != nil {
			t.Fatalf("shown but not loaded: %v\n%s", err, out.Bytes())
		}
		if d := diff(cfg, again); d != "" {
			t.Fatalf("(-first +again):\n%s\n%s", d, out.Bytes())
		}
	})
}
