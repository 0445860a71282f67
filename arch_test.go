package moothall_test

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layer says what of ours a package may import. The most specific rule wins:
// the longest path that is the package or a folder above it.
type layer struct {
	path string
	may  []string // folders; "." is the root package; "sub" is everything below path itself
	why  string
}

var layers = []layer{
	{".", nil, "the vocabulary imports nothing of the system, so that everything can import it"},
	{"cmd/moothall", []string{".", "internal/daemon"}, "commands use the face that a remote client has; wiring is the daemon's"},
	{"internal", []string{".", "sub", "internal/schema"}, "services are siblings: they meet through contracts in the root, never by import"},
	{"internal/daemon", []string{".", "sub", "internal"}, "the one place that sees all"},
	{"internal/daemon/conf", []string{"."}, "reading configuration is separate from what it configures"},
	{"internal/rpc", []string{".", "proto", "internal/atomicfile"}, "generated types stop here; everybody else speaks the root's words"},
	{"internal/policy", []string{"."}, "the decision is pure: it sees words and returns one"},
	{"internal/broker", []string{".", "sub", "internal/policy", "internal/schema", "internal/store"}, "it enforces what policy decides, keeps rows, and knows no tool by import"},
	{"internal/graph", []string{".", "sub", "internal/store"}, "a service that keeps rows"},
	{"internal/memory", []string{".", "sub", "internal/store", "internal/schema", "internal/lazyregexp"}, "a service that keeps rows"},
	{"internal/library", []string{".", "internal/memory/terms"}, "the program's own texts are found by the terms that memories are found by"},
	{"internal/egress", []string{"."}, "what measures knows nothing of what is measured"},
	{"internal/gateway", []string{".", "sub", "internal/atomicfile", "internal/egress"}, "a service that sends, and counts what it sends"},
	{"internal/search", []string{".", "sub", "internal/egress", "internal/schema"}, "a service that sends, and counts what it sends"},
	{"internal/tool", []string{".", "sub", "internal/tool/answer", "internal/tool/pin", "internal/atomicfile"}, "a tool knows the words and its own parts, not its siblings"},
	{"internal/tool/answer", []string{"."}, "how tools answer knows no tool"},
	{"internal/tool/calendar", []string{".", "internal/tool/answer", "internal/tool/fs"}, "it reads files the way that the file tools do"},
	{"internal/tool/mcp", []string{".", "internal/egress", "internal/tool/pin"}, "it calls servers elsewhere, and counts what it sends"},
	{"internal/tool/notes", []string{".", "internal/tool/answer", "internal/tool/fs"}, "it reads files the way that the file tools do"},
	{"internal/tool/shell", []string{".", "internal/tool/sandbox"}, "its tests run in the real cage; it knows an interface"},
	{"internal/tool/basic", []string{".", "internal/judge", "internal/tool/answer"}, "comparing answers has one form, the critic's"},
	{"internal/judge", []string{"."}, "how a judge is asked and read is pure"},
	{"internal/gateway/builtin", []string{".", "sub", "internal/gateway", "internal/schema", "internal/lazyregexp"}, "a provider that holds what its model says to schemas"},
	{"internal/gateway/builtin/rules", []string{".", "internal/gateway", "internal/judge"}, "the small responder recognises the form in which a judge is asked"},
	{"train", []string{".", "internal"}, "what dumps the hall's prompts for training has to see them"},
	{"internal/critic", []string{".", "internal/judge", "internal/schema", "internal/store"}, "an observer that keeps rows and asks as a judge is asked"},
	{"internal/reward", []string{".", "internal/store", "internal/schema", "internal/lazyregexp"}, "an observer that keeps rows"},
	{"internal/committee", []string{".", "internal/engine", "internal/schema"}, "a way to answer: it runs the engine, and knows no other service"},
	{"internal/orchestrator", []string{".", "sub", "internal/engine", "internal/store", "internal/schema"}, "a way to answer: it runs the engine and keeps rows, and knows no other service"},
	{"internal/chat", []string{".", "internal/engine", "internal/store"}, "a way to answer: it runs the engine and keeps rows, and knows no other service"},
	{"internal/audit/verify", []string{"."}, "a verifier that shares code with the writer would share its mistakes"},
	{"internal/web", []string{"."}, "the page's server is a client of the hall"},
	{"proto", nil, "generated code knows only itself"},
}

// ban keeps an import, ours or foreign, out of everything but a few places.
type ban struct {
	imports string // an import path; it and everything below it
	only    []string
	tests   []string // places whose tests may use it too
	why     string
}

var bans = []ban{
	{"moothall/proto", []string{"internal/rpc", "proto"}, nil, "anyone else would tie itself to the wire format"},
	{"moothall/internal/daemon", []string{"cmd/moothall", "internal/daemon"}, nil, "nothing may reach back into the wiring"},
	{"moothall/internal/moottest", []string{"internal/moottest"}, []string{"."}, "fakes never ship"},
	{"moothall/internal/egress", []string{"internal/egress", "internal/gateway", "internal/search/wire", "internal/tool/mcp"}, nil, "who sends to other machines is a short list"},
	{"moothall/internal/egress/egresstest", nil, []string{"internal/egress", "internal/gateway", "internal/search/wire", "internal/tool/mcp"}, "the other end of a measure never ships"},
	{"moothall/internal/gateway/providertest", []string{"internal/gateway/providertest"}, []string{"internal/gateway"}, "the suites of providers never ship"},
	{"moothall/internal/graph/graphtest", nil, []string{"internal/graph"}, "the suite of engines never ships"},
	{"moothall/internal/memory/enginetest", nil, []string{"internal/memory"}, "the suite of engines never ships"},
	{"testing", []string{"internal/moottest", "internal/gateway/providertest", "internal/graph/graphtest", "internal/memory/enginetest", "internal/search/searxng/searxtest"}, []string{"."}, "no shipped code may know that it is being tested"},
	{"github.com/nats-io", []string{"internal/bus"}, []string{"internal/bus"}, "the bus can be replaced"},
	{"modernc.org/sqlite", []string{"internal/store"}, nil, "the driver can be replaced"},
	{"database/sql", []string{"internal/store", "internal/memory/duckdb"}, []string{"internal/store"}, "one place opens SQLite and sets its pragmas; DuckDB is an engine of its own"},
	{"google.golang.org/grpc", []string{"internal/rpc", "proto"}, []string{"internal/rpc"}, "transports are one package's business"},
	{"github.com/prometheus", []string{"internal/daemon"}, nil, "services count in plain structs; the daemon exports"},
	{"github.com/goccy/go-yaml", []string{"internal/daemon/conf"}, nil, "configuration is read in one place"},
	{"github.com/spf13", []string{"cmd/moothall"}, nil, "flags end at main"},
	{"golang.org/x/mod/sumdb/tlog", []string{"internal/audit"}, nil, "the verifier has its own Merkle tree"},
	{"github.com/modelcontextprotocol", []string{"internal/tool/mcp"}, nil, "one client speaks MCP"},
	{"github.com/godbus", []string{"internal/secret/secretservice"}, nil, "one store speaks D-Bus"},
	{"moothall/internal/secret", []string{"internal/daemon", "internal/secret"}, nil, "nobody but the wiring holds the keyring"},
	{"github.com/duckdb", []string{"internal/memory/duckdb"}, nil, "one engine speaks to it, behind a build tag"},
	{"github.com/neo4j", []string{"internal/graph/neo4j"}, nil, "one engine speaks to it"},
	{"os/exec", []string{"internal/daemon", "internal/tool/sandbox", "internal/moottest/killtest"}, []string{"."}, "starting programs is an effect: only the cage does it"},
	{"net/http", []string{"internal/web", "internal/daemon", "internal/moottest", "internal/egress", "internal/gateway", "internal/search", "internal/tool/mcp", "internal/otlp", "internal/memory/chroma"}, []string{"."}, "who speaks HTTP is a short list"},
}

// exactBans are single packages, whose children are fine.
var exactBans = map[string]string{
	"log":          "logging is slog, injected",
	"math/rand":    "math/rand/v2 seeds itself, and identifiers come from crypto/rand",
	"io/ioutil":    "os and io have it all",
	"encoding/gob": "nothing of ours is stored in a form that only Go can read",
	"plugin":       "what runs is what was built",
	"expvar":       "metrics have one way out",
}

// rootBans are what the vocabulary must never be able to do.
var rootBans = []string{"net", "os/exec", "database/sql", "os", "net/http"}

// exempt lists files and functions that are longer than the house allows,
// each with its reason. A reason that no longer applies fails the test.
var exempt = map[string]string{}

const (
	maxFileLines = 600
	maxFuncLines = 80
)

// source is one parsed Go file.
type source struct {
	path string // slash separated, from the repository's root
	dir  string
	test bool
	gen  bool
	file *ast.File
	fset *token.FileSet
}

func (s source) lines() int { return s.fset.File(s.file.Pos()).LineCount() }

func (s source) imports() []string {
	var out []string
	for _, i := range s.file.Imports {
		out = append(out, strings.Trim(i.Path.Value, `"`))
	}
	return out
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// sources parses every Go file of the main module.
func sources(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, modErr := os.Stat(filepath.Join(p, "go.mod"))
			if p != "." && (modErr == nil || strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "bin") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, p, text, parser.ParseComments)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(p)
		out = append(out, source{
			path: slashed, dir: path.Dir(slashed), test: strings.HasSuffix(p, "_test.go"),
			gen: generated.Match(text), file: f, fset: fset,
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("only %d Go files found: the walk is broken", len(out))
	}
	return out
}

// under reports whether dir is folder or lies below it.
func under(dir, folder string) bool {
	return folder == "." || dir == folder || strings.HasPrefix(dir, folder+"/")
}

// layerOf returns the most specific rule for a folder.
func layerOf(dir string) (layer, bool) {
	best := slices.MaxFunc(layers, func(a, b layer) int { return cmp.Compare(rank(a, dir), rank(b, dir)) })
	return best, rank(best, dir) > 0
}

func rank(l layer, dir string) int {
	switch {
	case l.path == ".":
		if dir == "." {
			return 1
		}
		return 0
	case under(dir, l.path):
		return 1 + len(l.path)
	}
	return 0
}

// allows reports which entry of the rule lets dir import target, if any.
func (l layer) allows(dir, target string) (string, bool) {
	for _, m := range l.may {
		switch m {
		case ".":
			if target == "." {
				return m, true
			}
		case "sub":
			// A service may import its own children, not its siblings.
			top := l.path
			if depth := strings.Count(l.path, "/") + 2; l.path == "internal" || l.path == "internal/tool" {
				top = strings.Join(strings.SplitN(dir, "/", depth+1)[:depth], "/")
			}
			if under(target, top) {
				return m, true
			}
		default:
			if under(target, m) {
				return m, true
			}
		}
	}
	return "", false
}

func TestLayers(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		l, ok := layerOf(s.dir)
		if !ok {
			t.Errorf("%s: no rule says what this folder may import", s.path)
			continue
		}
		used[l.path] = true
		for _, imp := range s.imports() {
			target, ours := strings.CutPrefix(imp, "moothall/")
			if imp == "moothall" {
				target, ours = ".", true
			}
			if !ours {
				continue
			}
			if by, ok := l.allows(s.dir, target); ok {
				used[l.path+" "+by] = true
				continue
			}
			if s.test && (under(s.dir, target) || under(target, s.dir) || under(target, "internal/moottest") || target == ".") {
				continue
			}
			t.Errorf("%s imports %s: %s", s.path, imp, l.why)
		}
	}
	for _, l := range layers {
		if !used[l.path] {
			t.Errorf("stale rule: no package lies in %s", l.path)
		}
		for _, m := range l.may {
			if !used[l.path+" "+m] {
				t.Errorf("stale rule: nothing in %s imports %s any more", l.path, m)
			}
		}
	}
}

func TestBans(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t) {
		for _, imp := range s.imports() {
			for _, b := range bans {
				if imp != b.imports && !strings.HasPrefix(imp, b.imports+"/") {
					continue
				}
				used[b.imports] = true
				places := b.only
				if s.test {
					places = append(slices.Clone(b.only), b.tests...)
				}
				if !slices.ContainsFunc(places, func(p string) bool { return under(s.dir, p) }) {
					t.Errorf("%s imports %s: %s", s.path, imp, b.why)
				}
			}
			if why, banned := exactBans[imp]; banned {
				t.Errorf("%s imports %s: %s", s.path, imp, why)
			}
			if s.dir == "." && !s.test && slices.Contains(rootBans, imp) {
				t.Errorf("%s imports %s: the vocabulary does no I/O", s.path, imp)
			}
			if s.dir == "." && !s.test && strings.Contains(imp, ".") {
				t.Errorf("%s imports %s: the vocabulary has no dependency", s.path, imp)
			}
		}
	}
	for _, b := range bans {
		if !used[b.imports] {
			t.Errorf("stale ban: nothing imports %s any more", b.imports)
		}
	}
}

func TestEveryPackageIsDocumented(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		if s.test || s.gen {
			continue
		}
		documented[s.dir] = documented[s.dir] || strings.TrimSpace(s.file.Doc.Text()) != ""
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

func TestLengths(t *testing.T) {
	seen := map[string]bool{}
	check := func(name string, lines, limit int) {
		if lines <= limit {
			return
		}
		seen[name] = true
		if exempt[name] == "" {
			t.Errorf("%s has %d lines, over %d: divide it, or write an exemption with its reason", name, lines, limit)
		}
	}
	for _, s := range sources(t) {
		if s.gen {
			continue
		}
		check(s.path, s.lines(), maxFileLines)
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1
				check(s.path+":"+f.Name.Name, lines, maxFuncLines)
			}
		}
	}
	for name := range exempt {
		if !seen[name] {
			t.Errorf("stale exemption: %s is within the limit or gone", name)
		}
	}
}
