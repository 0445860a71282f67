package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// source is what is read from Go files.
type source struct {
	texts   map[string]string
	schemas map[string]json.RawMessage
}

// wanted are the constants and variables to read: file, then names.
var wanted = map[string][]string{
	"internal/chat/chat.go":              {"systemPrompt"},
	"internal/engine/prompt.go":          {"noTools", "noToolsSchema"},
	"internal/engine/answer.go":          {"sayNudge", "sayEmpty", "sayTools"},
	"internal/engine/compact/compact.go": {"instruction"},
	"internal/engine/compact/notes.go":   {"heading", "noted", "decisions", "artifacts", "questions", "notesSchema"},
	"internal/judge/prompt.go":           {"gradeSystem", "pairSystem", "gradeTask", "pairTask", "withBefore", "withReference"},
	"internal/committee/prompt.go":       {"personaRules", "selfRules", "aloneRules"},
	"internal/memory/name.go":            {"nameTask", "nameSchema"},
	"internal/memory/extract.go":         {"extractTask", "extractSchema"},
	"internal/memory/ingest.go":          {"readTask", "readSchema"},
	"internal/search/summary.go":         {"instructions", "summarySchema"},
	"internal/reward/saidby.go":          {"saidTask", "saidSchema"},
	"internal/orchestrator/gate.go":      {"gateSchema"},
	"internal/orchestrator/output.go":    {"outputSchema"},
}

// inside are texts within functions: file, name of the file's entry, and how
// the text begins.
var inside = [][3]string{
	{"internal/broker/discover.go", "broker.selector", "Choose the tools"},
	{"internal/engine/retrieve.go", "engine.material", "What was looked up"},
	{"internal/orchestrator/delegate.go", "orchestrator.delegate", "Hands a piece"},
}

func read(root string) (*source, error) {
	s := &source{texts: map[string]string{}, schemas: map[string]json.RawMessage{}}
	for file, names := range wanted {
		f, err := parse(root, file)
		if err != nil {
			return nil, err
		}
		values := declared(f)
		for _, name := range names {
			text, ok := values[name]
			if !ok {
				return nil, fmt.Errorf("%s has no text %s any more", file, name)
			}
			s.keep(f.Name.Name+"."+name, text)
		}
	}
	for _, w := range inside {
		f, err := parse(root, w[0])
		if err != nil {
			return nil, err
		}
		text, ok := beginning(f, w[2])
		if !ok {
			return nil, fmt.Errorf("%s has no text that begins with %q any more", w[0], w[2])
		}
		s.texts[w[1]] = text
	}
	return s, nil
}

// keep puts schemas apart from texts.
func (s *source) keep(name, text string) {
	if strings.HasSuffix(name, "Schema") && json.Valid([]byte(text)) {
		s.schemas[strings.TrimSuffix(name, "Schema")] = json.RawMessage(text)
		return
	}
	s.texts[name] = text
}

func parse(root, file string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(file)), nil, 0)
}

// declared are the texts that a file gives names to.
func declared(f *ast.File) map[string]string {
	out := map[string]string{}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			for i, name := range v.Names {
				if i >= len(v.Values) {
					break
				}
				if text, ok := value(v.Values[i]); ok {
					out[name.Name] = text
				}
			}
		}
	}
	return out
}

// beginning finds a text by its first words.
func beginning(f *ast.File, words string) (text string, found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || found {
			return !found
		}
		if s, ok := value(lit); ok && strings.HasPrefix(s, words) {
			text, found = s, true
		}
		return !found
	})
	return text, found
}

// value is the text of an expression: a literal, some of them joined, or one
// inside a conversion.
func value(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		s, err := strconv.Unquote(e.Value)
		return s, err == nil
	case *ast.BinaryExpr:
		a, okA := value(e.X)
		b, okB := value(e.Y)
		return a + b, okA && okB && e.Op == token.ADD
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return value(e.Args[0])
		}
	case *ast.ParenExpr:
		return value(e.X)
	}
	return "", false
}
