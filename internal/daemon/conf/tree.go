package conf

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// form is what a node of the file is, before its meaning is known.
type form int

const (
	formNull form = iota
	formScalar
	formMapping
	formList
	formBroken // a problem has been reported; the value is passed over
)

// node is a value of the file with aliases and merges resolved. An aliased
// node is shared, so the tree is really a graph without cycles.
type node struct {
	form         form
	line, column int
	text         string // of a scalar, as written and without its quotes
	quoted       bool   // text by its style or tag, never a number
	pairs        []pair
	items        []*node
}

// pair is a key with its value.
type pair struct {
	key          string
	line, column int
	value        *node
}

// grower makes nodes from the parser's tree.
type grower struct {
	anchors  map[string]*node // nil while the anchored value is being made
	problems []Problem
	budget   int // pairs that merges may still copy
}

func (g *grower) report(line, column int, path Path, format string, args ...any) {
	g.problems = append(g.problems, Problem{Line: line, Column: column, Path: path, Message: fmt.Sprintf(format, args...)})
}

// grow makes a node; the path is where it is written, for messages.
func (g *grower) grow(from ast.Node, path Path) *node {
	line, column := position(from)
	n := &node{line: line, column: column}
	switch from := from.(type) {
	case *ast.MappingNode:
		g.mapping(n, from.Values, path)
	case *ast.MappingValueNode:
		g.mapping(n, []*ast.MappingValueNode{from}, path)
	case *ast.SequenceNode:
		n.form = formList
		for i, v := range from.Values {
			n.items = append(n.items, g.grow(v, path.Index(i)))
		}
	case *ast.AnchorNode:
		return g.anchor(from, path)
	case *ast.AliasNode:
		return g.alias(n, from, path)
	case *ast.TagNode:
		return g.tag(n, from, path)
	case *ast.LiteralNode:
		n.form, n.quoted, n.text = formScalar, true, from.Value.Value
	case *ast.NullNode, nil:
		n.form = formNull
	case ast.ScalarNode:
		g.scalar(n, from.GetToken())
	default:
		n.form = formBroken
		g.report(line, column, path, "not valid YAML here")
	}
	return n
}

func (g *grower) scalar(n *node, t *token.Token) {
	n.form, n.text = formScalar, t.Value
	n.quoted = t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType
}

func (g *grower) mapping(n *node, values []*ast.MappingValueNode, path Path) {
	n.form = formMapping
	lines := map[string]int{}
	var merges []ast.Node
	for _, v := range values {
		line, column := position(v.Key)
		key, ok := keyText(v.Key)
		if !ok {
			g.report(line, column, path, "a key has to be a plain word")
			continue
		}
		at := path.Key(clip(key))
		if first, again := lines[key]; again {
			g.report(line, column, at, "duplicate key; it stands first on line %d", first)
			continue
		}
		lines[key] = line
		if _, merge := v.Key.(*ast.MergeKeyNode); merge {
			merges = append(merges, v.Value)
			continue
		}
		n.pairs = append(n.pairs, pair{key: key, line: line, column: column, value: g.grow(v.Value, at)})
	}
	for _, m := range merges {
		g.merge(n, g.grow(m, path.Key("<<")), path.Key("<<"))
	}
}

// merge adds the pairs of another mapping, or of several in a list, whose
// keys are not there yet.
func (g *grower) merge(n, other *node, path Path) {
	switch other.form {
	case formMapping:
		if !g.afford(n, other, path) {
			return
		}
		have := make(map[string]bool, len(n.pairs))
		for _, p := range n.pairs {
			have[p.key] = true
		}
		for _, p := range other.pairs {
			if !have[p.key] {
				n.pairs = append(n.pairs, p)
			}
		}
	case formList:
		for _, item := range other.items {
			if item.form != formMapping {
				g.report(item.line, item.column, path, `"<<" merges mappings, got %s`, item.what())
				return
			}
			g.merge(n, item, path)
		}
	case formBroken:
	default:
		g.report(other.line, other.column, path, `"<<" merges a mapping or a list of them, got %s`, other.what())
	}
}

// afford takes the cost of a merge from the budget, and reports once that it
// is spent.
func (g *grower) afford(n, other *node, path Path) bool {
	before := g.budget
	g.budget -= len(n.pairs) + len(other.pairs)
	if before >= 0 && g.budget < 0 {
		g.report(n.line, n.column, path, "the merges in the file unfold to more than 50,000 values")
	}
	return g.budget >= 0
}

func (g *grower) anchor(from *ast.AnchorNode, path Path) *node {
	name := from.Name.GetToken().Value
	g.anchors[name] = nil
	n := g.grow(from.Value, path)
	g.anchors[name] = n
	return n
}

func (g *grower) alias(n *node, from *ast.AliasNode, path Path) *node {
	name := from.Value.GetToken().Value
	target, known := g.anchors[name]
	switch {
	case target != nil:
		return target
	case known:
		g.report(n.line, n.column, path, "the alias *%s stands inside what it refers to", clip(name))
	default:
		g.report(n.line, n.column, path, "the alias *%s has no anchor &%s before it", clip(name), clip(name))
	}
	n.form = formBroken
	return n
}

func (g *grower) tag(n *node, from *ast.TagNode, path Path) *node {
	name := from.GetToken().Value
	if from.Value == nil {
		n.form = formNull
		return n
	}
	inner := *g.grow(from.Value, path) // a copy: the node may be shared by an alias
	switch token.ReservedTagKeyword(name) {
	case token.StringTag:
		if inner.form == formNull {
			inner.form = formScalar
		}
		inner.quoted = true
	case token.IntegerTag, token.FloatTag, token.BooleanTag:
		inner.quoted = false
	case token.MappingTag, token.SequenceTag, token.NullTag:
	default:
		g.report(n.line, n.column, path, "the tag %s is not supported", clip(name))
		n.form = formBroken
		return n
	}
	return &inner
}

// keyText returns the text of a scalar key.
func keyText(key ast.Node) (string, bool) {
	switch key := key.(type) {
	case *ast.MappingKeyNode:
		return keyText(key.Value)
	case *ast.LiteralNode:
		return key.Value.Value, true
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MappingNode, *ast.SequenceNode, nil:
		return "", false
	case ast.ScalarNode, *ast.MergeKeyNode:
		return key.GetToken().Value, true
	}
	return "", false
}

// position returns where a node begins. The parser places a block mapping at
// its first colon; a person looks for the key.
func position(n ast.Node) (line, column int) {
	switch from := n.(type) {
	case nil:
		return 0, 0
	case *ast.MappingNode:
		if !from.IsFlowStyle && len(from.Values) > 0 {
			return position(from.Values[0])
		}
	case *ast.MappingValueNode:
		return position(from.Key)
	}
	t := n.GetToken()
	if t == nil || t.Position == nil {
		return 0, 0
	}
	return t.Position.Line, t.Position.Column
}

// what names the node's form in a message.
func (n *node) what() string {
	switch n.form {
	case formMapping:
		return "a mapping"
	case formList:
		return "a list"
	case formNull:
		return "nothing"
	}
	if n.quoted {
		return "the text " + fmt.Sprintf("%q", clip(n.text))
	}
	return show(strings.TrimSpace(n.text))
}
