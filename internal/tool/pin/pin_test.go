package pin_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"moothall"
	"moothall/internal/tool/pin"
)

func TestEveryPartIsInTheHash(t *testing.T) {
	t.Parallel()
	base := pin.Definition{Owner: "mcp:a", Identity: "run a", Name: "read", Description: "Reads.", Schema: json.RawMessage(`{}`)}
	same := base
	if base.Hash() != same.Hash() {
		t.Fatal("the same definition has two hashes")
	}
	for what, change := range map[string]func(*pin.Definition){
		"owner":       func(d *pin.Definition) { d.Owner = "mcp:b" },
		"identity":    func(d *pin.Definition) { d.Identity = "run b" },
		"name":        func(d *pin.Definition) { d.Name = "write" },
		"description": func(d *pin.Definition) { d.Description += " " },
		"schema":      func(d *pin.Definition) { d.Schema = json.RawMessage(`{"a":1}`) },
		"a border":    func(d *pin.Definition) { d.Name, d.Description = "readR", "eads." },
	} {
		d := base
		change(&d)
		if d.Hash() == base.Hash() {
			t.Errorf("%s is not in the hash", what)
		}
	}
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in, want string
		code           moothall.Code
	}{
		{"keys sorted", `{"type":"object","a":1}`, `{"a":1,"type":"object"}`, ""},
		{"type added", `{}`, `{"type":"object"}`, ""},
		{"large number kept", `{"x":12345678901234567890}`, `{"type":"object","x":12345678901234567890}`, ""},
		{"not an object", `[1]`, "", moothall.CodeInvalid},
		{"null", `null`, "", moothall.CodeInvalid},
		{"of a string", `{"type":"string"}`, "", moothall.CodeInvalid},
		{"two values", `{} {}`, "", moothall.CodeInvalid},
		{"too large", `{"x":"` + strings.Repeat("a", pin.MaxSchema) + `"}`, "", moothall.CodeTooLarge},
	} {
		got, err := pin.Canonical([]byte(test.in))
		if moothall.ErrorCode(err) != test.code || string(got) != test.want {
			t.Errorf("%s: %s, %v", test.name, got, err)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		in    string
		limit int
		want  string
		cut   int
	}{
		{"a\x1b[31mb\x00c\u202ed\ne\tf", 100, "a[31mbcd\ne f", 0},
		{"tag\U000E0041s", 100, "tags", 0},
		{"\xffok", 100, "\uFFFDok", 0},
		{"äöü", 3, "ä", 4},
		{"abc", 3, "abc", 0},
	} {
		got, cut := pin.Clean(test.in, test.limit)
		if got != test.want || cut != test.cut {
			t.Errorf("Clean(%q) = %q, %d", test.in, got, cut)
		}
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pins.json")
	f, err := pin.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if h, err := f.Get("mcp:a", "read"); h != "" || err != nil {
		t.Fatalf("an empty list has %q, %v", h, err)
	}
	for _, p := range [][3]string{{"mcp:a", "read", "1"}, {"mcp:a", "write", "2"}, {"mcp:b", "read", "3"}, {"mcp:a", "read", "4"}} {
		if err := f.Put(p[0], p[1], p[2]); err != nil {
			t.Fatal(err)
		}
	}
	again, err := pin.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range [][3]string{{"mcp:a", "read", "4"}, {"mcp:a", "write", "2"}, {"mcp:b", "read", "3"}, {"mcp:b", "write", ""}} {
		if h, _ := again.Get(p[0], p[1]); h != p[2] {
			t.Errorf("%s %s is %q, want %q", p[0], p[1], h, p[2])
		}
	}
	if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "gone")
	f, err := pin.Open(filepath.Join(dir, "pins.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Put("mcp:a", "read", "1"); moothall.ErrorCode(err) != moothall.CodeInternal {
		t.Fatalf("got %v", err)
	}
	if h, _ := f.Get("mcp:a", "read"); h != "" {
		t.Error("an approval that was not kept counts")
	}
}

func TestDamagedFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"empty": "", "cut": `{"version":1,"pins":{"mcp:a"`, "version": `{"version":2}`, "field": `{"version":1,"pin":{}}`, "more": `{"version":1,"pins":{}} {"version":1}`} {
		path := filepath.Join(t.TempDir(), "pins.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := pin.Open(path); moothall.ErrorCode(err) != moothall.CodeCorrupt {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := t.TempDir()
	if _, err := pin.Open(dir); !strings.Contains(fmt.Sprint(err), dir) || moothall.ErrorRemedy(err) == "" {
		t.Errorf("a folder: %v", err)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("plain", 3)
	f.Add("\xff\x00\u202eü", 2)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit = max(0, min(limit, 1<<12))
		got, _ := pin.Clean(text, limit)
		if len(got) > limit || !utf8.ValidString(got) {
			t.Fatalf("%q is too long or not UTF-8", got)
		}
		for _, r := range got {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Fatalf("%q has %U", got, r)
			}
		}
	})
}

func FuzzCanonical(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"string"}}}`))
	f.Add([]byte(`{"a":1e400}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		got, err := pin.Canonical(schema)
		if err != nil {
			return
		}
		again, err := pin.Canonical(got)
		if err != nil || string(again) != string(got) {
			t.Fatalf("%s became %s, %v", got, again, err)
		}
	})
}
