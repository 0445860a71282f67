package basic

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

var constants = map[string]float64{
	"pi": math.Pi, "π": math.Pi, "e": math.E, "tau": 2 * math.Pi, "τ": 2 * math.Pi, "phi": math.Phi,
}

// function is a function with how many values it takes.
type function struct {
	min, max int
	do       func([]Number) (Number, error)
}

func (f function) takes() string {
	switch {
	case f.min == f.max && f.min == 1:
		return "1 value"
	case f.min == f.max:
		return fmt.Sprintf("%d values", f.min)
	case f.max == many:
		return fmt.Sprintf("%d or more values", f.min)
	}
	return fmt.Sprintf("%d to %d values", f.min, f.max)
}

const many = 1000

var functions = map[string]function{
	"sqrt": {1, 1, func(a []Number) (Number, error) { return root(a[0]) }},
	"cbrt": {1, 1, real1(math.Cbrt)},
	"abs":  {1, 1, func(a []Number) (Number, error) { return Number{new(big.Rat).Abs(a[0].rat), a[0].Exact}, nil }},
	"sign": {1, 1, func(a []Number) (Number, error) {
		return Number{big.NewRat(int64(a[0].rat.Sign()), 1), a[0].Exact}, nil
	}},
	"pow": {2, 2, func(a []Number) (Number, error) { return power(a[0], a[1]) }},
	"mod": {2, 2, func(a []Number) (Number, error) { return apply("%", a[0], a[1]) }},

	"floor": {1, 1, func(a []Number) (Number, error) { return whole(floor(a[0].rat), a[0]) }},
	"ceil":  {1, 1, func(a []Number) (Number, error) { return whole(ceil(a[0].rat), a[0]) }},
	"trunc": {1, 1, func(a []Number) (Number, error) {
		return whole(new(big.Int).Quo(a[0].rat.Num(), a[0].rat.Denom()), a[0])
	}},
	"round": {1, 2, round},

	"min":  {1, many, func(a []Number) (Number, error) { return slices.MinFunc(a, compare), nil }},
	"max":  {1, many, func(a []Number) (Number, error) { return slices.MaxFunc(a, compare), nil }},
	"sum":  {1, many, sum},
	"mean": {1, many, mean}, "avg": {1, many, mean}, "average": {1, many, mean},
	"median": {1, many, median},

	"gcd":       {2, 2, func(a []Number) (Number, error) { return divisor(a, false) }},
	"lcm":       {2, 2, func(a []Number) (Number, error) { return divisor(a, true) }},
	"factorial": {1, 1, func(a []Number) (Number, error) { return factorial(a[0]) }},

	"exp":   {1, 1, real1(math.Exp)},
	"ln":    {1, 1, func(a []Number) (Number, error) { return fromFloat(ln(a[0].rat)) }},
	"log10": {1, 1, logarithm(10, math.Log10)},
	"log2":  {1, 1, logarithm(2, math.Log2)},
	"log":   {1, 2, logBase},

	"sin":  {1, 1, angle(func(sin, _ float64) float64 { return sin })},
	"cos":  {1, 1, angle(func(_, cos float64) float64 { return cos })},
	"tan":  {1, 1, angle(func(sin, cos float64) float64 { return sin / cos })},
	"asin": {1, 1, real1(math.Asin)}, "acos": {1, 1, real1(math.Acos)}, "atan": {1, 1, real1(math.Atan)},
	"atan2": {2, 2, func(a []Number) (Number, error) { return real2(math.Atan2, a[0], a[1]) }},
	"sinh":  {1, 1, real1(math.Sinh)}, "cosh": {1, 1, real1(math.Cosh)}, "tanh": {1, 1, real1(math.Tanh)},
	"hypot":   {2, 2, func(a []Number) (Number, error) { return real2(math.Hypot, a[0], a[1]) }},
	"radians": {1, 1, func(a []Number) (Number, error) { return apply("*", a[0], degree()) }},
	"degrees": {1, 1, func(a []Number) (Number, error) { return apply("/", a[0], degree()) }},
}

// quarter is a quarter of a turn, with so many digits that a large angle keeps
// its own.
var quarter = rat("1.57079632679489661923132169163975144209858469968755291048747229615390820314310449931401741267105853399107404326")

// Angles over these bounds have lost the digits that tell where in a turn they are.
var (
	maxAngle  = rat("1e60") // of an exact one
	maxApprox = rat("1e9")
)

// angle calculates what f makes of the sine and the cosine.
func angle(f func(sin, cos float64) float64) func([]Number) (Number, error) {
	return func(a []Number) (Number, error) {
		sin, cos, err := sincos(a[0])
		if err != nil {
			return Number{}, err
		}
		return fromFloat(f(sin, cos))
	}
}

// sincos takes whole quarters of a turn away first. Where the angle is not exact,
// the rounding of pi is taken out of what should be zero; an exact one never is a
// multiple of pi.
func sincos(x Number) (sin, cos float64, err error) {
	limit := maxApprox
	if x.Exact {
		limit = maxAngle
	}
	if new(big.Rat).Abs(x.rat).Cmp(limit) > 0 {
		return 0, 0, undefined("the angle is too large to say where in a turn it is")
	}
	n := new(big.Rat).Quo(x.rat, quarter)
	quarters := floor(n.Add(n, big.NewRat(1, 2)))
	n.SetInt(quarters)
	left, err := Number{n.Sub(x.rat, n.Mul(n, quarter)), x.Exact}.real()
	if err != nil {
		return 0, 0, err
	}
	sin, cos = math.Sincos(left)
	if near := 1e-15 * math.Abs(x.Float()); !x.Exact && math.Abs(sin) < near {
		sin = 0
	}
	for range new(big.Int).And(quarters, big.NewInt(3)).Int64() {
		sin, cos = cos, -sin
	}
	return sin, cos, nil
}

func compare(a, b Number) int { return a.rat.Cmp(b.rat) }

func whole(n *big.Int, from Number) (Number, error) {
	return Number{new(big.Rat).SetInt(n), from.Exact}, nil
}

func ceil(r *big.Rat) *big.Int {
	n := floor(new(big.Rat).Neg(r))
	return n.Neg(n)
}

// round rounds half away from zero, as people are taught.
func round(a []Number) (Number, error) {
	places := integer(0)
	if len(a) == 2 {
		places = a[1]
	}
	if !places.rat.IsInt() || places.rat.Cmp(big.NewRat(1000, 1)) > 0 || places.rat.Cmp(big.NewRat(-1000, 1)) < 0 {
		return Number{}, undefined("round takes a number of places from -1000 to 1000")
	}
	scale, err := integerPower(integer(10), places.rat.Num())
	if err != nil {
		return Number{}, err
	}
	x := new(big.Rat).Mul(new(big.Rat).Abs(a[0].rat), scale.rat)
	n := new(big.Rat).SetInt(floor(x.Add(x, big.NewRat(1, 2))))
	if a[0].rat.Sign() < 0 {
		n.Neg(n)
	}
	return bounded(n.Quo(n, scale.rat), a[0].Exact)
}

func sum(a []Number) (Number, error) {
	total := integer(0)
	for _, n := range a {
		var err error
		if total, err = apply("+", total, n); err != nil {
			return total, err
		}
	}
	return total, nil
}

func mean(a []Number) (Number, error) {
	total, err := sum(a)
	if err != nil {
		return total, err
	}
	return apply("/", total, integer(int64(len(a))))
}

func median(a []Number) (Number, error) {
	sorted := slices.SortedFunc(slices.Values(a), compare)
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half], nil
	}
	return mean(sorted[half-1 : half+1])
}

func divisor(a []Number, multiple bool) (Number, error) {
	if !a[0].rat.IsInt() || !a[1].rat.IsInt() {
		return Number{}, undefined("gcd and lcm are defined for whole numbers only")
	}
	x, y := new(big.Int).Abs(a[0].rat.Num()), new(big.Int).Abs(a[1].rat.Num())
	g := new(big.Int).GCD(nil, nil, x, y)
	exact := a[0].Exact && a[1].Exact
	if !multiple {
		return Number{new(big.Rat).SetInt(g), exact}, nil
	}
	if g.Sign() == 0 {
		return integer(0), nil
	}
	return bounded(new(big.Rat).SetInt(x.Mul(x.Quo(x, g), y)), exact)
}

// ln is the natural logarithm.
func ln(r *big.Rat) float64 { return logOf(r, math.E, math.Log) }

// logOf is what f gives, the logarithm of a base, also of numbers that 64 bits do
// not hold or take for 1.
func logOf(r *big.Rat, base float64, f func(float64) float64) float64 {
	over, _ := new(big.Rat).Sub(r, big.NewRat(1, 1)).Float64()
	x, _ := r.Float64()
	switch {
	case r.Sign() <= 0:
		return math.NaN()
	case math.Abs(over) < 0.01:
		return math.Log1p(over) / math.Log(base)
	case x > math.SmallestNonzeroFloat64*(1<<52) && !math.IsInf(x, 1):
		return f(x)
	}
	var mantissa big.Float
	exp := new(big.Float).SetPrec(128).SetRat(r).MantExp(&mantissa)
	m, _ := mantissa.Float64()
	return (math.Log(m) + float64(exp)*math.Ln2) / math.Log(base)
}

// logarithm is exact where the value is a power of the base.
func logarithm(base int64, f func(float64) float64) func([]Number) (Number, error) {
	return func(a []Number) (Number, error) {
		n, err := fromFloat(logOf(a[0].rat, float64(base), f))
		if err != nil || !a[0].Exact {
			return n, err
		}
		guess := big.NewRat(int64(math.Round(n.Float())), 1)
		back, err := integerPower(integer(base), guess.Num())
		if err == nil && back.rat.Cmp(a[0].rat) == 0 {
			return Number{guess, true}, nil
		}
		return n, nil
	}
}

func logBase(a []Number) (Number, error) {
	if len(a) == 1 {
		return Number{}, undefined("log without a base means two things; write ln(x), log10(x) or log(x, base)")
	}
	if b := a[1]; b.Exact && b.rat.IsInt() && b.rat.Num().IsInt64() && b.rat.Num().Int64() > 1 {
		base := b.rat.Num().Int64()
		return logarithm(base, func(x float64) float64 { return math.Log(x) / math.Log(float64(base)) })(a[:1])
	}
	return fromFloat(ln(a[0].rat) / ln(a[1].rat))
}
