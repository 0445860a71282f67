package basic

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"moothall"
)

const (
	maxExpression = 4096
	maxDepth      = 100
	maxBits       = 1 << 16 // of a numerator or denominator: about 20,000 digits
)

// infix are words that stand between two values.
var infix = map[string]string{"mod": "%", "of": "*", "times": "*", "plus": "+", "minus": "-"}

// levels are the strengths of the operators between two values. The power
// binds tighter and is read by its own function.
var levels = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2}

// parser reads tokens and calculates as it goes.
type parser struct {
	tokens []token
	next   int
	depth  int
}

// Evaluate calculates an expression. Errors are CodeInvalid and say where the
// expression is wrong or what has no value, CodeTooLarge over the limits.
func Evaluate(expression string) (Number, error) {
	if len(expression) > maxExpression {
		return Number{}, moothall.Fail(moothall.CodeTooLarge, "expression", "the expression is too long")
	}
	s, err := counted(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(expression), "=")))
	if err != nil {
		return Number{}, err
	}
	tokens, err := lex(s)
	if err != nil {
		return Number{}, err
	}
	p := &parser{tokens: tokens}
	if p.peek().kind == "end" {
		return Number{}, undefined("the expression is empty")
	}
	n, err := p.binary(1)
	if err != nil {
		return Number{}, err
	}
	if t := p.peek(); t.kind != "end" {
		return Number{}, unexpected(t)
	}
	return n, nil
}

func (p *parser) peek() token { return p.tokens[p.next] }

func (p *parser) take() token {
	t := p.tokens[p.next]
	if t.kind != "end" {
		p.next++
	}
	return t
}

func unexpected(t token) error {
	switch t.kind {
	case "end":
		return wrong(t.at, "the expression ends too early")
	case "number", "name":
		return wrong(t.at, fmt.Sprintf("an operator is missing before %q; write * for a product", t.text))
	case "(":
		return wrong(t.at, "an operator is missing before the parenthesis; write * for a product")
	case ",":
		return wrong(t.at, "a comma only groups thousands, as in 1,234,567; write a point for decimals")
	}
	return wrong(t.at, fmt.Sprintf("%q does not fit here", t.kind))
}

// operator returns the operator at hand, if one stands there.
func (p *parser) operator() string {
	t := p.peek()
	if t.kind == "name" {
		return infix[strings.ToLower(t.text)]
	}
	return t.kind
}

// binary reads operators of at least the given strength, left to right.
func (p *parser) binary(level int) (Number, error) {
	left, err := p.unary()
	for err == nil {
		op := p.operator()
		strength := levels[op]
		if strength < level || strength == 0 {
			return left, nil
		}
		p.take()
		var right Number
		if right, err = p.binary(strength + 1); err == nil {
			left, err = apply(op, left, right)
		}
	}
	return Number{}, err
}

// unary reads signs, which bind weaker than the power: -2^2 is -4.
func (p *parser) unary() (Number, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		return Number{}, moothall.Fail(moothall.CodeTooLarge, "expression", "the expression is nested too deeply")
	}
	switch p.peek().kind {
	case "-":
		p.take()
		n, err := p.unary()
		if err != nil {
			return n, err
		}
		return Number{new(big.Rat).Neg(n.rat), n.Exact}, nil
	case "+":
		p.take()
		return p.unary()
	case "√":
		p.take()
		n, err := p.unary()
		if err != nil {
			return n, err
		}
		return root(n)
	}
	return p.power()
}

// power reads a^b^c from the right.
func (p *parser) power() (Number, error) {
	base, err := p.postfix()
	if err != nil || p.peek().kind != "^" {
		return base, err
	}
	p.take()
	exp, err := p.unary()
	if err != nil {
		return exp, err
	}
	return power(base, exp)
}

// postfix reads what stands behind a value: 5!, 20%, 3², 90°.
func (p *parser) postfix() (Number, error) {
	n, err := p.value()
	for err == nil {
		if why := p.unclear(); why != "" {
			return n, wrong(p.peek().at, why)
		}
		switch p.peek().kind {
		case "!":
			p.take()
			n, err = factorial(n)
		case "²":
			p.take()
			n, err = power(n, integer(2))
		case "³":
			p.take()
			n, err = power(n, integer(3))
		case "°":
			p.take()
			n, err = apply("*", n, degree())
		case "%":
			if !p.percent() {
				return n, nil
			}
			p.take()
			n, err = apply("/", n, integer(100))
		default:
			return n, nil
		}
	}
	return n, err
}

// unclear says what to write in the place of signs that people read in two ways.
func (p *parser) unclear() string {
	t := p.peek()
	if t.kind == "end" {
		return ""
	}
	next := p.tokens[p.next+1]
	switch {
	case t.kind == "%" && t.apart && (next.kind == "-" || next.kind == "+") && !p.tokens[p.next+2].apart:
		return "is it a remainder or per cent? write mod(7, -3) or 7% - 3"
	case t.kind == "!" && next.kind == "!":
		return "is it the factorial of a factorial? write (3!)!"
	case (t.kind == "²" || t.kind == "³") && (next.kind == "²" || next.kind == "³"):
		return "which power is it? write 2^32 or (2^3)^2"
	}
	return ""
}

// percent tells 20% from 20 % 3: a value after it makes it a remainder.
func (p *parser) percent() bool {
	t := p.tokens[p.next+1]
	switch t.kind {
	case "number", "(", "√":
		return false
	case "name":
		return infix[strings.ToLower(t.text)] != ""
	}
	return true
}

// value reads a number, a constant, a call or a parenthesis.
func (p *parser) value() (Number, error) {
	switch t := p.take(); t.kind {
	case "number":
		return parseNumber(t)
	case "(":
		n, err := p.binary(1)
		if err != nil {
			return n, err
		}
		return n, p.close()
	case "name":
		word := strings.TrimPrefix(strings.ToLower(t.text), "math.")
		if p.peek().kind == "(" {
			return p.call(word, t)
		}
		if c, ok := constants[word]; ok {
			return Number{new(big.Rat).SetFloat64(c), false}, nil
		}
		return Number{}, wrong(t.at, fmt.Sprintf("%q is not a number that is known here", t.text))
	case "end":
		return Number{}, unexpected(t)
	default:
		return Number{}, wrong(t.at, fmt.Sprintf("a number is missing before %q", t.kind))
	}
}

func (p *parser) close() error {
	switch t := p.take(); t.kind {
	case ")":
		return nil
	case ",":
		return unexpected(t)
	default:
		return wrong(t.at, "a closing parenthesis is missing")
	}
}

// call reads the arguments of a function and applies it.
func (p *parser) call(word string, t token) (Number, error) {
	f, ok := functions[word]
	if !ok {
		return Number{}, wrong(t.at, fmt.Sprintf("there is no function %q", t.text))
	}
	p.take()
	var args []Number
	for p.peek().kind != ")" {
		n, err := p.binary(1)
		if err != nil {
			return n, err
		}
		args = append(args, n)
		if p.peek().kind != "," {
			break
		}
		p.take()
	}
	if err := p.close(); err != nil {
		return Number{}, err
	}
	if len(args) < f.min || len(args) > f.max {
		return Number{}, wrong(t.at, fmt.Sprintf("%s takes %s, not %d", word, f.takes(), len(args)))
	}
	return f.do(args)
}

// parseNumber reads a literal. An exponent is bounded before it is expanded.
func parseNumber(t token) (Number, error) {
	s := strings.NewReplacer(",", "", "_", "").Replace(t.text)
	bad := wrong(t.at, fmt.Sprintf("%q is not a number", t.text))
	if len(s) > 1 && s[0] == '0' && strings.IndexByte("xXbBoO", s[1]) >= 0 {
		n, ok := new(big.Int).SetString(s, 0)
		if !ok {
			return Number{}, bad
		}
		return Number{new(big.Rat).SetInt(n), true}, nil
	}
	if _, exp, ok := strings.Cut(strings.ToLower(s), "e"); ok {
		if e, err := strconv.Atoi(exp); err != nil || e > 9999 || e < -9999 {
			return Number{}, moothall.Fail(moothall.CodeTooLarge, "expression", fmt.Sprintf("%s is too large or too small", t.text))
		}
	}
	n, ok := new(big.Rat).SetString(s)
	if !ok {
		return Number{}, bad
	}
	return Number{n, true}, nil
}
