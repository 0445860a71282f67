package basic

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// unit is what something is measured in.
type unit struct {
	measures string   // what it measures: only units of the same can be exchanged
	one      *big.Rat // one of it in the base
	zero     *big.Rat // its zero in the base
	name     string   // as it is written, or which one it is where a name has several meanings
}

// measures lists units by what they measure: what one is in the base, of a
// temperature also where it begins, and its names, which are looked for as they
// are written and then in small letters.
var measures = map[string]string{
	"length": `1 m metre metres meter meters
1000 km kilometre kilometres kilometer kilometers kms
0.1 dm decimetre decimetres decimeter decimeters
0.01 cm centimetre centimetres centimeter centimeters
0.001 mm millimetre millimetres millimeter millimeters
0.000001 µm um micron microns micrometre micrometres micrometer micrometers
0.000000001 nm nanometre nanometres nanometer nanometers
0.0254 in inch inches "
0.3048 ft foot feet '
0.9144 yd yard yards
1609.344 mi mile miles
1852 nmi NM nautical_mile nautical_miles
1.8288 fathom fathoms
149597870700 au astronomical_unit astronomical_units
9460730472580800 ly light_year light_years light-year light-years`,
	"area": `1 m2 m² sqm square_metre square_metres square_meter square_meters
1000000 km2 km² square_kilometre square_kilometres square_kilometer square_kilometers
0.0001 cm2 cm² square_centimetre square_centimetres square_centimeter square_centimeters
0.000001 mm2 mm² square_millimetre square_millimetres square_millimeter square_millimeters
100 are ares
10000 ha hectare hectares
4046.8564224 acre acres
0.00064516 in2 in² square_inch square_inches
0.09290304 ft2 ft² sqft square_foot square_feet
0.83612736 yd2 yd² square_yard square_yards
2589988.110336 mi2 mi² square_mile square_miles`,
	"volume": `1 l litre litres liter liters
0.1 dl decilitre decilitres deciliter deciliters
0.01 cl centilitre centilitres centiliter centiliters
0.001 ml millilitre millilitres milliliter milliliters cc cm3 cm³ cubic_centimetre cubic_centimetres cubic_centimeter cubic_centimeters
100 hl hectolitre hectolitres hectoliter hectoliters
1000 m3 m³ cubic_metre cubic_metres cubic_meter cubic_meters
0.016387064 in3 in³ cubic_inch cubic_inches
28.316846592 ft3 ft³ cubic_foot cubic_feet
0.2365882365 us_cup us_cups
0.25 metric_cup metric_cups
0.01478676478125 us_tablespoon us_tablespoons
0.00492892159375 us_teaspoon us_teaspoons
0.0295735295625 us_fluid_ounce us_fluid_ounces
0.473176473 us_pint us_pints
0.946352946 us_quart us_quarts
3.785411784 us_gallon us_gallons
0.0284130625 imperial_fluid_ounce imperial_fluid_ounces uk_fluid_ounce uk_fluid_ounces
0.56826125 imperial_pint imperial_pints uk_pint uk_pints
1.1365225 imperial_quart imperial_quarts uk_quart uk_quarts
4.54609 imperial_gallon imperial_gallons uk_gallon uk_gallons
158.987294928 barrel_of_oil barrels_of_oil`,
	"mass": `1 kg kilogram kilograms kilogramme kilogrammes kilo kilos
0.001 g gram grams gramme grammes
0.000001 mg milligram milligrams milligramme milligrammes
0.000000001 µg mcg microgram micrograms
1000 t tonne tonnes metric_ton metric_tons
0.45359237 lb lbs pound pounds
0.028349523125 oz ounce ounces
6.35029318 st stone stones
907.18474 short_ton short_tons
1016.0469088 long_ton long_tons
0.0002 carat carats ct
0.00006479891 grain grains`,
	"time": `1 s sec secs second seconds
0.001 ms millisecond milliseconds
0.000001 µs us microsecond microseconds
0.000000001 ns nanosecond nanoseconds
60 min mins minute minutes
3600 h hr hrs hour hours
86400 d day days
604800 wk week weeks
1209600 fortnight fortnights`,
	"temperature": `1+273.15 C c °C °c celsius degrees_celsius degree_celsius degrees_C degrees_c centigrade degrees_centigrade
5/9+45967/180 F f °F °f fahrenheit degrees_fahrenheit degree_fahrenheit degrees_F degrees_f
1+0 K kelvin kelvins`,
	"speed": `1 m/s metres_per_second meters_per_second metre_per_second meter_per_second mps
5/18 km/h kmh kph kilometres_per_hour kilometers_per_hour kilometres_an_hour kilometers_an_hour
0.44704 mph miles_per_hour miles_an_hour mile_per_hour
0.3048 ft/s feet_per_second
463/900 kn kt kts knot knots`,
	"energy": `1 J joule joules
1000 kJ kilojoule kilojoules
1000000 MJ megajoule megajoules
4.184 cal calorie calories
4184 kcal Cal kilocalorie kilocalories
3600 Wh watt_hour watt_hours watt-hour watt-hours
3600000 kWh kilowatt_hour kilowatt_hours kilowatt-hour kilowatt-hours
3600000000 MWh megawatt_hour megawatt_hours
1055.05585262 btu btus`,
	"power": `1 W watt watts
1000 kW kilowatt kilowatts
1000000 MW megawatt megawatts
735.49875 PS metric_horsepower
745.69987158227022 hp horsepower`,
	"pressure": `1 Pa pascal pascals
100 hPa hectopascal hectopascals mbar millibar millibars
1000 kPa kilopascal kilopascals
100000 bar bars
101325 atm atmosphere atmospheres
6894.757293168 psi
133.322387415 mmHg`,
	"data": `1 B byte bytes
0.125 bit bits
1000 kB KB kilobyte kilobytes
1000000 MB megabyte megabytes mb
1000000000 GB gigabyte gigabytes gb
1000000000000 TB terabyte terabytes tb
1000000000000000 PB petabyte petabytes pb
1024 KiB kibibyte kibibytes
1048576 MiB mebibyte mebibytes
1073741824 GiB gibibyte gibibytes
1099511627776 TiB tebibyte tebibytes
125 kbit kilobit kilobits
125000 Mbit megabit megabits Mb
125000000 Gbit gigabit gigabits Gb`,
}

// meant says what a name with several meanings is taken for. The result names it.
var meant = map[string]string{
	"cup": "us cup", "cups": "us cups", "tablespoon": "us tablespoon", "tablespoons": "us tablespoons", "tbsp": "us tablespoons",
	"teaspoon": "us teaspoon", "teaspoons": "us teaspoons", "tsp": "us teaspoons", "fl oz": "us fluid ounces", "fluid ounce": "us fluid ounce", "fluid ounces": "us fluid ounces",
	"pint": "us pint", "pints": "us pints", "pt": "us pints", "quart": "us quart", "quarts": "us quarts", "qt": "us quarts", "gallon": "us gallon", "gallons": "us gallons", "gal": "us gallons",
}

// unclear says of a name what to say in its place.
var unclear = map[string]string{
	"ton": "a ton is a tonne, a short ton or a long ton; say which one", "tons": "tons are tonnes, short tons or long tons; say which ones",
	"month": "months are not all of one length; count days", "months": "months are not all of one length; count days",
	"degree": "say whether the degrees are celsius or fahrenheit", "degrees": "say whether the degrees are celsius or fahrenheit", "°": "say whether the degrees are celsius or fahrenheit",
	"year": "years are not all of one length; count days", "years": "years are not all of one length; count days",
}

// money is what has no fixed rate.
var money = regexp.MustCompile(`(?i)^(?:euros?|eur|dollars?|usd|us dollars?|pounds sterling|gbp|yen|jpy|swiss francs?|chf|francs?|rupees?|inr|yuan|cny|kron(?:er|or|a|e)|zlotys?|pln|€|\$|£)$`)

// units are read when somebody converts something.
var units = sync.OnceValue(readUnits)

func readUnits() map[string]unit {
	out := map[string]unit{}
	for _, of := range slices.Sorted(maps.Keys(measures)) {
		for line := range strings.Lines(measures[of]) {
			f := strings.Fields(line)
			one, zero, _ := strings.Cut(f[0], "+")
			if zero == "" {
				zero = "0"
			}
			u := unit{measures: of, one: rat(one), zero: rat(zero)}
			for _, name := range f[1:] {
				u.name = strings.ReplaceAll(name, "_", " ")
				out[u.name] = u
			}
		}
	}
	return out
}

func rat(s string) *big.Rat {
	n, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("no number in the table of units: " + s)
	}
	return n
}

// unitOf finds a unit by its name.
func unitOf(name string) (unit, bool) {
	name = strings.Join(strings.Fields(strings.TrimSuffix(name, ".")), " ")
	low := strings.ToLower(name)
	for _, n := range []string{name, low, strings.Replace(low, "degrees ", "°", 1), meant[low]} {
		if u, ok := units()[n]; ok {
			u.name = name
			if n == meant[low] {
				u.name = strings.Replace(n, "us ", "US ", 1)
			}
			return u, true
		}
	}
	return unit{}, false
}

var (
	conversion = regexp.MustCompile(`(?i)^(.+)\s+(?:in|to|into|as)\s+(?:an?\s+)?([^\d(]+[23]?)$`)
	further    = regexp.MustCompile(`(?i)^(.*?[\pL'"])(?:,|\s+and)?\s*([\d.,]+)$`) // 5 ft 11 of 5 ft 11 in
	words      = regexp.MustCompile(`\pL[\pL ]*$`)
	plain      = regexp.MustCompile(`^(?:[\d.,]+|\d+/\d+|\d+\s+\d+/\d+)$`)
	bare       = regexp.MustCompile(`(?i)^(\d+\s*(?:feet|foot|ft|'))\s*(\d|1[01])$`)             // 5 feet 11
	short      = regexp.MustCompile(`(?i)^(\d+\s*(?:h|hrs?|hours?))(?:\s*and\s+|\s*)(\d+)\s*m$`) // 3h20m
	mixed      = regexp.MustCompile(`^(\d+)\s+(\d+/\d+)$`)                                       // 1 1/2
)

// quantity is an amount of something, in the base of what its unit measures.
type quantity struct {
	amount   *big.Rat
	measures string
	exact    bool
	plain    bool   // it is written as a number and not as a sum
	several  bool   // it has more than one unit: 5 ft 11 in
	unit     string // of its last part
}

// converted answers how much an amount of one unit is in another one, or in two
// of which the first is whole: feet and inches. An empty result when the
// expression asks for nothing of that kind.
func converted(s string) (result, unit string, exact bool, err error) {
	m := conversion.FindStringSubmatch(s)
	if m == nil {
		return "", "", false, nil
	}
	name, rest, two := strings.Cut(m[2], " and ")
	m[1] = short.ReplaceAllString(bare.ReplaceAllString(m[1], "$1 $2 in"), "$1 $2 min")
	from, ok, err := measured(m[1])
	if !ok || err != nil {
		if sum, _, is, errSum := total(m[1]); is {
			if !strings.HasPrefix(sum.unit, "US ") {
				sum.unit = "" // what it is made of says it
			}
			from, ok, err = sum, true, errSum
		}
	}
	if _, known := unitOf(name); !ok && known && words.MatchString(m[1]) {
		err = unknownUnit(words.FindString(m[1]))
	}
	if !ok || err != nil {
		return "", "", false, err
	}
	to, err := fitting(from, name)
	if err != nil {
		return "", "", false, err
	}
	v := new(big.Rat).Quo(new(big.Rat).Sub(from.amount, to.zero), to.one)
	if !two {
		result, exact = rounded(v)
		return result, " " + to.name + taken(m[1], from.unit), exact && from.exact, nil
	}
	small, err := fitting(from, rest)
	if err != nil {
		return "", "", false, err
	}
	if from.measures == "temperature" || v.Sign() < 0 || small.one.Cmp(to.one) >= 0 {
		return "", "", false, undefined("that cannot be given in " + to.name + " and " + small.name)
	}
	whole := new(big.Rat).SetInt(new(big.Int).Quo(v.Num(), v.Denom()))
	left := v.Sub(v, whole)
	result, exact = rounded(left.Quo(left.Mul(left, to.one), small.one))
	if full := new(big.Rat).Mul(rat(result), small.one); full.Cmp(to.one) >= 0 { // 59.99999 minutes are an hour
		whole.Add(whole, big.NewRat(1, 1))
		result = "0"
	}
	return whole.RatString() + " " + to.name + " " + result, " " + small.name + taken(m[1], from.unit), exact && from.exact, nil
}

// taken says which unit was meant where what was written has several meanings.
func taken(written, unit string) string {
	if strings.HasSuffix(written, unit) {
		return ""
	}
	return " (" + unit + ")"
}

// fitting is the unit of that name, if an amount can be given in it.
func fitting(q quantity, name string) (unit, error) {
	u, ok := unitOf(name)
	if !ok {
		return u, unknownUnit(name)
	}
	if u.measures != q.measures {
		return u, undefined(u.name + " measures " + u.measures + ", and what is to be converted is a " + q.measures)
	}
	return u, nil
}

func unknownUnit(name string) error {
	name = strings.TrimSpace(name)
	if money.MatchString(name) {
		return undefined("calculate knows no rates of exchange")
	}
	if why := unclear[strings.ToLower(name)]; why != "" {
		return undefined(why)
	}
	return undefined(name + " is no unit that calculate knows")
}

// measured reads an amount with its unit, such as 8,849 m, 2 * 1.5 litres or 5 ft
// 11 in. ok is false when no unit ends it.
func measured(s string) (q quantity, ok bool, err error) {
	amount, u, err := unitAtEnd(s)
	if amount == "" || err != nil {
		return q, err != nil, err
	}
	n, err := Evaluate(mixed.ReplaceAllString(amount, "$1 + $2"))
	more, several := &big.Rat{}, false
	if m := further.FindStringSubmatch(amount); err != nil && m != nil {
		first, ok, errFirst := measured(m[1])
		if !ok || errFirst != nil {
			return q, ok, errFirst
		}
		if first.measures != u.measures || u.measures == "temperature" {
			return q, true, undefined("amounts of " + first.measures + " and " + u.measures + " cannot be added")
		}
		if !first.plain { // -5 ft 11 in, 2 * 5 ft 6 in
			return q, true, undefined("an amount in two units cannot be part of a sum; convert it alone, and calculate then")
		}
		more, amount, several = first.amount, m[2], true
		n, err = Evaluate(amount)
	}
	if err != nil {
		return q, true, err
	}
	v := new(big.Rat).Mul(n.rat, u.one)
	return quantity{amount: v.Add(v.Add(v, u.zero), more), measures: u.measures, exact: n.Exact, plain: plain.MatchString(amount), several: several, unit: u.name}, true, nil
}

// unitAtEnd finds the longest unit that an expression ends with, and what stands
// before it.
func unitAtEnd(s string) (before string, u unit, err error) {
	last := ' '
	for i, r := range s {
		begins := strings.ContainsRune(`°'"€$£`, r) || unicode.IsLetter(r) && !unicode.IsLetter(last)
		last = r
		before = strings.TrimSpace(s[:i])
		if !begins || before == "" {
			continue
		}
		if u, ok := unitOf(s[i:]); ok {
			return before, u, nil
		}
		if money.MatchString(s[i:]) || unclear[strings.ToLower(s[i:])] != "" {
			return "", u, unknownUnit(s[i:])
		}
	}
	return "", u, nil
}

// rounded writes an amount as people do: all of a short one, else six digits and
// two after the point at least. whole says that nothing was left out.
func rounded(v *big.Rat) (s string, whole bool) {
	if n, ok := decimals(v); ok && n <= 4 {
		return v.FloatString(n), true
	}
	places, size := 2, new(big.Rat).Abs(v)
	for limit := big.NewRat(1000, 1); places < 30 && size.Cmp(limit) < 0; places++ {
		limit.Quo(limit, big.NewRat(10, 1))
	}
	return trimZeros(v.FloatString(places)), false
}
