package conf

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The limits on a file. They are far beyond what a person writes and keep the
// time to refuse a hostile file well under a second: the YAML parser takes
// time that grows with the square of the tokens and of the depth.
const (
	maxBytes  = 1 << 20
	maxTokens = 20_000
	maxDepth  = 64
	maxValues = 50_000 // visited once aliases and merges are unfolded
)

// parseYAML turns a file into a tree. The root is nil for an empty file and
// for one that cannot be read, which then has problems.
func parseYAML(data []byte) (*node, []Problem) {
	text, problem := cleanText(data)
	if problem != nil {
		return nil, []Problem{*problem}
	}
	file, problem := parseText(text)
	if problem != nil {
		return nil, []Problem{*problem}
	}
	body, problem := onlyDocument(file)
	if problem != nil {
		return nil, []Problem{*problem}
	}
	if body == nil {
		return nil, nil
	}
	g := &grower{anchors: map[string]*node{}, budget: maxValues}
	root := g.grow(body, "")
	return root, g.problems
}

// cleanText checks the encoding and makes all line ends alike, so that
// positions do not depend on the editor.
func cleanText(data []byte) (string, *Problem) {
	if len(data) > maxBytes {
		return "", &Problem{Message: "the file is larger than 1 MiB"}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	line, column := 1, 1
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			return "", &Problem{Line: line, Column: column, Message: "not valid UTF-8; save the file in that encoding"}
		case r < ' ' && r != '\n' && r != '\t', r == 0x7f, r == 0xfeff:
			return "", &Problem{Line: line, Column: column, Message: fmt.Sprintf("the invisible character %U is not allowed", r)}
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	return text, nil
}

// parseText runs the YAML parser. A panic in it on some odd file is a refusal
// of that file and must not stop the program.
func parseText(text string) (file *ast.File, problem *Problem) {
	defer func() {
		if recover() != nil {
			file, problem = nil, &Problem{Message: "not valid YAML"}
		}
	}()
	tokens := lexer.Tokenize(text)
	if problem := checkTokens(tokens); problem != nil {
		return nil, problem
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxProblem(err)
	}
	return file, nil
}

// checkTokens holds tokens against the limits, before anything recursive or
// quadratic is done with them. Columns that grow from line to line are levels
// of blocks, as are dashes and question marks on one line.
func checkTokens(tokens token.Tokens) *Problem {
	var columns []int
	count, flow, line := 0, 0, 0
	for _, t := range tokens {
		if t.Type == token.CommentType {
			continue
		}
		count++
		if count > maxTokens {
			return tokenProblem(t, "the file is too long: more than 20,000 keys, values and signs")
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow = max(0, flow-1)
		}
		if t.Position.Line != line || t.Type == token.SequenceEntryType || t.Type == token.MappingKeyType {
			line = t.Position.Line
			for len(columns) > 0 && columns[len(columns)-1] >= t.Position.Column {
				columns = columns[:len(columns)-1]
			}
			columns = append(columns, t.Position.Column)
		}
		if len(columns)+flow > maxDepth {
			return tokenProblem(t, "more than 64 levels inside each other")
		}
	}
	return nil
}

// onlyDocument returns the body of the one document, nil where it is empty.
func onlyDocument(file *ast.File) (ast.Node, *Problem) {
	var body ast.Node
	seen := false
	for _, doc := range file.Docs {
		if _, directive := doc.Body.(*ast.DirectiveNode); directive {
			continue
		}
		if seen {
			p := &Problem{Message: "a second document begins here; a file holds one"}
			if doc.Start != nil {
				p.Line, p.Column = doc.Start.Position.Line, doc.Start.Position.Column
			}
			return nil, p
		}
		body, seen = doc.Body, true
	}
	return body, nil
}

// syntaxProblem gives the parser's error its place and plain words.
func syntaxProblem(err error) *Problem {
	var syntax yaml.Error
	if !errors.As(err, &syntax) || syntax.GetToken() == nil {
		return &Problem{Message: "not valid YAML"}
	}
	message, t := syntax.GetMessage(), syntax.GetToken()
	p := tokenProblem(t, plainWords(message))
	if strings.HasPrefix(message, "mapping value is not allowed") {
		// The token is a text of several lines whose last one was meant as a
		// key; that line is the one to mend.
		lines := strings.Split(strings.TrimRight(t.Origin, " \n"), "\n")
		last := lines[len(lines)-1]
		if len(lines) > 1 {
			p.Line += len(strings.Split(strings.TrimSpace(t.Origin), "\n")) - 1
			p.Column = 1 + len(last) - len(strings.TrimLeft(last, " "))
		}
	}
	return p
}

func tokenProblem(t *token.Token, message string) *Problem {
	return &Problem{Line: t.Position.Line, Column: t.Position.Column, Message: message}
}

// plainWords translates what the parser says about the usual slips.
func plainWords(message string) string {
	switch {
	case strings.Contains(message, "found character '\t'"), strings.Contains(message, "found a tab character"):
		return "a tab indents this line; YAML wants spaces"
	case strings.HasPrefix(message, "mapping value is not allowed"):
		return `a key cannot stand here: check the indentation, and quote a value that holds ": "`
	case message == "unexpected key name", message == "non-map value is specified":
		return `expected "key: value"`
	case message == "value is not allowed in this context":
		return "the indentation fits no line above"
	case strings.HasPrefix(message, "value is not allowed in this context."):
		return "something follows a value that is complete"
	case strings.HasPrefix(message, "could not find end character of double"):
		return "the opening double quote has no closing one"
	case strings.HasPrefix(message, "could not find end character of single"):
		return "the opening single quote has no closing one"
	case strings.HasPrefix(message, "could not find flow mapping end"):
		return "the opening { has no closing }"
	case strings.HasPrefix(message, "sequence end token"):
		return "the opening [ has no closing ]"
	case message == "',' or ']' must be specified":
		return `expected "," or "]"`
	case message == "',' or '}' must be specified":
		return `expected "," or "}"`
	case strings.HasPrefix(message, "block sequence entries are not allowed"):
		return `a list item "-" needs a line of its own`
	case strings.HasSuffix(message, "is a reserved character"):
		return message[:3] + " cannot begin a value; put the value in quotes"
	}
	return "not valid YAML: " + message
}
