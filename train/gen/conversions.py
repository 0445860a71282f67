"""Units as calculate knows them (internal/tool/basic/units.go), as many as people speak of: what it says of "5 miles in km"."""
import re
from fractions import Fraction

# what they measure: what one is in the base, for temperatures where it begins, and the names
MEASURES = {
    "length": """1 metres|meters|m
1000 kilometres|kilometers|km
0.01 centimetres|centimeters|cm
0.001 millimetres|millimeters|mm
0.0254 inches|inch
0.3048 feet|ft
0.9144 yards
1609.344 miles
1852 nautical miles""",
    "area": """1 square metres|square meters|m2
10000 hectares
4046.8564224 acres
0.09290304 square feet
1000000 square kilometres|km2
2589988.110336 square miles""",
    "volume": """1 litres|liters|l
0.01 centilitres|cl
0.001 millilitres|milliliters|ml
3.785411784 US gallons
0.2365882365 US cups
0.56826125 imperial pints
4.54609 imperial gallons""",
    "mass": """1 kilograms|kilos|kg
0.001 grams|g
1000 tonnes
0.45359237 pounds|lbs|lb
0.028349523125 ounces|oz
6.35029318 stone""",
    "time": """1 seconds
60 minutes
3600 hours
86400 days
604800 weeks""",
    "temperature": """1+273.15 degrees Celsius|Celsius|celsius|C
5/9+45967/180 degrees Fahrenheit|Fahrenheit|fahrenheit|F""",
    "speed": """5/18 km/h|kilometres per hour|kilometres an hour
0.44704 mph|miles per hour
1 metres per second|m/s
463/900 knots""",
    "energy": """4184 kcal
1000 kJ
3600000 kWh
1000000 MJ""",
    "data": """1000000 megabytes|MB
1000000000 gigabytes|GB
1000000000000 terabytes|TB
1000 kilobytes|kB""",
}
UNITS = {}  # by name: what it measures, what one is, where it begins
for _of, _lines in MEASURES.items():
    for _line in _lines.split("\n"):
        _f, _, _names = _line.partition(" ")
        _one, _, _zero = _f.partition("+")
        for _name in _names.split("|"):
            UNITS[_name] = (_of, Fraction(_one), Fraction(_zero or 0))
BY = {}
for _name, _unit in UNITS.items():
    BY.setdefault(_unit[0], []).append(_name)
COMMON = [(6, "length"), (2, "area"), (3, "volume"), (5, "mass"), (3, "time"), (3, "temperature"), (2, "speed"), (1, "energy"), (1.5, "data")]
_BARE = r"-?\d[\d.]*"
EXPRESSION = re.compile(r"(%s) (%s)(?: (%s) (%s))? in (%s)" % ((_BARE, "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))) * 2 + ("|".join(sorted(map(re.escape, UNITS), key=len, reverse=True)),)))


def rounded(v):
    """An amount as people write it, and whether that is all of it."""
    d, n = v.denominator, 0
    while n <= 4 and 10 ** n % d:
        n += 1
    if n <= 4:
        return digits(v, n), True
    places, limit = 2, Fraction(1000)
    while places < 30 and abs(v) < limit:
        places, limit = places + 1, limit / 10
    s = digits(v, places)
    return (s.rstrip("0").rstrip(".") if "." in s else s), False


def digits(v, n):
    """A fraction with n digits after the point, halves away from zero."""
    scaled = (abs(v) * 10 ** n * 2 + 1) // 2
    s = str(scaled).rjust(n + 1, "0")
    return ("-" if v < 0 and scaled else "") + (s[:-n] + "." + s[-n:] if n else s)


def evaluate(e):
    """What calculate says of a conversion, and the value; None for anything else."""
    m = EXPRESSION.fullmatch(e)
    if not m:
        return None
    n, u, more, v, to = m.groups()
    of, one, zero = UNITS[u]
    amount = Fraction(n) * one + zero
    if more:
        if UNITS[v][0] != of or of == "temperature":
            return None
        amount += Fraction(more) * UNITS[v][1]
    if UNITS[to][0] != of:
        return None
    text, exact = rounded((amount - UNITS[to][2]) / UNITS[to][1])
    return "%s %s %s %s" % (e, "=" if exact else "≈", text, to), text


def other(r, unit):
    """Another unit for the same, that is not the same under another name."""
    of, one, _ = UNITS[unit]
    return r.pick([x for x in BY[of] if UNITS[x][1] != one])


def some(r, of=None):
    """An amount, its unit, and another one to give it in."""
    v = r.pick(BY[of or r.weighted(COMMON)])
    n = str(r.int(2, 99)) if r.chance(0.55) else str(r.int(100, 9000)) if r.chance(0.6) else "%d.%d" % (r.int(1, 40), r.int(1, 9))
    return n, v, other(r, v)
