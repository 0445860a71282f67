"""Several things of one kind with the same attributes: what is asked must be told from many values that look alike."""
from . import attrs as attributes
from . import facts, layouts_many, lex, values
from .attrs import Attr
from .phrases import Phrases


def apart(names):
    """Whether no name stands in another one."""
    low = [n.lower() for n in names]
    return all(a not in b for i, a in enumerate(low) for j, b in enumerate(low) if i != j)


class Crowd:
    """Two to eight things that differ in their values."""

    def __init__(self, r, n, first, extra=()):
        """first: the thing that the others are like; extra: attributes whose values the caller gives to each."""
        first.attrs = unlike(first.attrs) + list(extra)
        self.sheets = [first]
        for _ in range(n * 3):
            o = first.sibling(r, [a for a in first.attrs if a not in extra])
            o.attrs = list(first.attrs)
            bare = [x.bare() for x in self.sheets] + [o.bare()]
            if apart(bare) and all(differ(a, o, x) for a in o.attrs if a not in extra for x in self.sheets):
                self.sheets.append(o)
            if len(self.sheets) == n:
                break
        self.attrs = first.attrs
        self.sheets = r.shuffled(self.sheets)
        for s in self.sheets:  # "its" in the next sentence must be clear
            s.alone = ("{m}",)

    def text(self, r, form=None):
        """A document on all of them. form: a layout of layouts_many."""
        cut = r.chance(0.7)
        names = [s.bare() if cut else s.name for s in self.sheets]
        keys, cells = [a.short for a in self.attrs], [[s.values[a.key] for a in self.attrs] for s in self.sheets]

        def telling(i, j, named):
            return self.sheets[i].sentence(r, self.attrs[j], named)
        for s in self.sheets:
            s.said = {}
        f = form or r.weighted(layouts_many.FORMS)
        text = f(r, names, keys, [list(c) for c in cells], telling)
        for s in self.sheets:
            s.listed, s.rowed = None if s.said else list(self.attrs), f not in layouts_many.APART
        return text if form else layouts_many.among(r, names, text)


def unlike(found):
    """Attributes whose labels differ."""
    return list({a.short: a for a in found}.values())


def differ(a, s, o):
    v, w = s.values[a.key].lower(), o.values[a.key].lower()
    return v not in w and w not in v


def crowd(r, n=None, attrs=None):
    """Things with any attributes."""
    n = n or r.weighted([(2, 2), (3, 3), (3, 4), (2, 5), (1, 6), (0.5, 8)])
    return Crowd(r, n, facts.Sheet(r, attrs or r.weighted([(1, 1), (3, 2), (3, 3), (2, 4)] if n < 5 else [(1, 1), (2, 2), (0.5, 3)])))


# --- what can be compared: name, unit, from, to, more, less ---

_ROWS = """height, metres, 2, 900, taller|higher, lower|shorter
price, euros, 3, 990, more expensive|dearer, cheaper|less expensive
weight, kg, 2, 950, heavier, lighter
length, km, 3, 950, longer, shorter
age, years, 3, 98, older, younger
depth, metres, 2, 400, deeper, shallower|less deep
top speed, km/h, 20, 420, faster|quicker, slower
distance, km, 2, 800, further away|farther off, nearer|closer
running time, minutes, 15, 400, longer, shorter
capacity, litres, 2, 900, bigger|larger|roomier, smaller
temperature, degrees, 1, 98, warmer|hotter, colder|cooler
width, cm, 4, 900, wider|broader, narrower|less wide
score, points, 3, 990, better placed|ahead, behind|worse placed
population, people, 400, 9900, more populous|bigger, smaller|less populous
noise level, dB, 11, 120, louder|noisier, quieter|less loud
thickness, mm, 2, 96, thicker, thinner
brightness, lumens, 90, 990, brighter, dimmer|darker
membership, members, 5, 940, larger|bigger, smaller
rent, pounds, 200, 2900, dearer|costlier, cheaper|less costly
power, watts, 20, 990, stronger|more powerful, weaker|less powerful
founding year, year, 0, 0, younger|newer, older
year of construction, year, 0, 0, newer|more recent, older
departure time, clock, 0, 0, later, earlier
closing time, clock, 0, 0, open longer|open later, closed earlier|closed sooner
starting time, clock, 0, 0, later, earlier|first
due date, date, 0, 0, due later, due sooner|due earlier
release date, date, 0, 0, newer|more recent, older"""
MEASURES = [[x.strip() for x in line.split(", ")] for line in _ROWS.split("\n")]
LATER = ("clock", "date")  # of these one says later, not higher


def plain_attr(key, make):
    """An attribute that is told and asked for in the words that fit any."""
    return Attr(key, make, attributes.SAY, attributes.ASK, attributes.ANSWER, key, None, 1.0)


def comparable(key, unit, low, high):
    """An attribute whose values can be compared, and what ranks a value."""
    if unit == "year":
        make = lambda r: str(r.int(1702, 2026))
    elif unit == "clock":
        make = lambda r: "%02d:%02d" % (r.int(6, 23), r.pick((0, 5, 10, 15, 20, 25, 30, 40, 45, 50)))
    elif unit == "date":
        make = lambda r: r.day()
    else:
        make = lambda r: "%d %s" % (r.int(int(low), int(high)), unit)
    return plain_attr(key, make), (lambda v: v) if unit in LATER else lambda v: int(v.split(" ")[0])


def measure(r):
    """An attribute whose values can be compared: (Attr, more, less, ranks a value)."""
    *what, more, less = r.pick(MEASURES)
    a, rank = comparable(*what)
    return a, Phrases(more.split("|")), Phrases(less.split("|")), rank


# --- what several have in common ---

SORTS = [("status", "open|closed|waiting|done|on hold|cancelled|ready|late|paid|unpaid|sold|free|taken|draft|final"), ("colour", "red|blue|green|yellow|grey|white|black|brown|orange|purple|silver|pink"),
         ("size", "small|medium|large|tiny|huge|extra large"), ("day", "|".join(lex.WEEKDAYS)), ("month", "|".join(lex.MONTHS)), ("team", ""), ("place", ""), ("type", ""), ("group", ""), ("owner", ""), ("category", ""), ("shelf", ""),
         ("region", ""), ("tag", ""), ("material", "wood|steel|glass|copper|wool|clay|paper|leather|plastic|stone"), ("level", "beginner|advanced|expert|basic|middle"), ("supplier", ""), ("priority", "high|low|normal|urgent"), ("fuel", "diesel|petrol|gas|electricity|wood")]
SORTS = [(k, v.split("|") if v else None) for k, v in SORTS]
OF = {"place": lambda r: r.city(), "owner": lambda r: r.first(), "region": lambda r: r.city(), "supplier": lambda r: r.org(),
      "shelf": lambda r: values.code(r)}


def sort_of(r):
    """An attribute of which several things have the same value: (Attr, two or three values)."""
    key, words = r.pick(SORTS)
    make = OF.get(key) or ((lambda r: r.pick(words)) if words else lambda r: values.made(r, 2))
    found = []
    for _ in range(20):
        v = make(r)
        if all(v not in x and x not in v for x in found):
            found.append(v)
        if len(found) == 3:
            break
    return Attr(key, make, attributes.SAY, attributes.ASK, attributes.ANSWER, key, None, 1.0), found
