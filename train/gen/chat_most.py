"""Questions about all of several things: which is the most, and how many are so."""
from . import crowd, facts, layouts_many
from .chat_many import given, one, said
from .duel import duel
from .messages import check_text
from .phrases import Phrases
from .sections import sections
from .slots import fill

FORMS = {k: Phrases(v) for k, v in sections("reading_more.txt").items()}

# what can be compared, and words for the one with the most and the least of it; empty: only "the highest" can be said
_ROWS = """height, metres, 2, 900, tallest|highest, lowest|shortest
price, euros, 3, 990, most expensive|dearest, cheapest|least expensive
weight, kg, 2, 950, heaviest, lightest
length, km, 3, 950, longest, shortest
age, years, 3, 98, oldest, youngest
depth, metres, 2, 400, deepest, shallowest
top speed, km/h, 20, 420, fastest|quickest, slowest
distance, km, 2, 800, furthest away|farthest off, nearest|closest
running time, minutes, 15, 400, longest, shortest
capacity, litres, 2, 900, biggest|largest|roomiest, smallest
temperature, degrees, 1, 98, warmest|hottest, coldest|coolest
width, cm, 4, 900, widest|broadest, narrowest
score, points, 3, 990, ,
population, people, 400, 9900, most populous|biggest, smallest|least populous
noise level, dB, 11, 120, loudest|noisiest, quietest
thickness, mm, 2, 96, thickest, thinnest
brightness, lumens, 90, 990, brightest, dimmest|darkest
membership, members, 5, 940, largest|biggest, smallest
rent, pounds, 200, 2900, dearest|costliest, cheapest
power, watts, 20, 990, strongest|most powerful, weakest
stock, pieces, 2, 990, ,
salary, euros, 900, 9900, ,
founding year, year, 0, 0, youngest|newest, oldest
year of construction, year, 0, 0, newest|most recent, oldest
departure time, clock, 0, 0, last to leave|latest, first to leave|earliest
starting time, clock, 0, 0, last to start|latest, first to start|earliest
closing time, clock, 0, 0, last to close, first to close
due date, date, 0, 0, last to be due, first to be due
release date, date, 0, 0, newest|latest|most recent, oldest|earliest
last change, date, 0, 0, most recent|newest|latest, oldest"""
MEASURES = [[x.strip() for x in line.split(",")] for line in _ROWS.split("\n")]


def several(r, low, high, a):
    """Things that have a value of a each, and at most one other."""
    first = facts.Sheet(r, r.int(1, 2))
    first.attrs = [x for x in first.attrs if x.short != a.short and x.key != a.key][:1 if r.chance(0.6) else 0]
    return crowd.Crowd(r, r.int(low, high), first, [a])


def measured(c, low, high):
    """Several things with a value each that can be compared: (what is measured, its row of MEASURES, the things, rank of a value)."""
    r = c.r
    row = r.pick(MEASURES)
    a, rank = crowd.comparable(*row[:4])
    w = several(r, low, high, a)
    used = set()
    for s in w.sheets:
        s.values[a.key] = next(v for v in iter(lambda: a.make(r), None) if v not in used)
        used.add(s.values[a.key])
        s.alone = ("{m}", "{w}")  # no other value may stand beside it
    return a, row, w, rank


def in_order(c, w):
    """The things in the order in which the text names them."""
    m = c.msgs[-1]
    text = " ".join(str(m.get(k) or "") for k in ("content", "_plain", "_material")).lower()
    return sorted(w.sheets, key=lambda s: text.find(s.bare().lower()))


BY_KEY = Phrases([", by {k}", ", going by the {k}", ", as to the {k}", ", I mean by {k}", " in terms of {k}", ", judging by the {k}", " when it comes to the {k}"])


def most(c):
    """The one with the most or the least of something."""
    r = c.r
    a, row, w, rank = measured(c, 3, 6)
    if len(w.sheets) < 3:
        return one(c)
    up = r.chance(0.5)
    late = row[1] in crowd.LATER
    words = row[4 if up else 5]
    if not words or not late and row[1] != "year" and r.chance(0.25):
        word = "highest" if up else "lowest"
        q = fill(r.phrase(FORMS["most_value" if up else "least_value"]), {"k": a.short})
    else:
        word = r.pick(words.split("|"))
        t = r.phrase(FORMS["most_of"])
        if "{k}" not in t and any(x.isdigit() for y in w.attrs if y is not a for x in w.sheets[0].values[y.key]):
            t = t.rstrip("?") + r.phrase(BY_KEY) + "?"  # another number stands beside it
        q = said(r, t, {"x": word, "k": a.short})
    goal = ("latest" if up else "earliest") if late else ("highest" if up else "lowest")
    needs = given(c, q, w)
    best = (max if up else min)(w.sheets, key=lambda s: rank(s.values[a.key]))
    v = best.values[a.key]
    think = duel([(s.bare(), s.values[a.key], rank(s.values[a.key])) for s in in_order(c, w)], up, word, "%s %s" % (goal, a.short))
    c.answer(think + ".", facts.begin("%s is the %s, with %s." % (best.name, word, v)) if words and word not in ("highest", "lowest")
             else facts.begin("%s has the %s %s: %s." % (best.name, word, a.short, v)),
             check_text("extraction", [best.bare()], [s.bare() for s in w.sheets if s is not best]), needs_material=needs)
    c.about = None
    return c.done()


def tally(n, what):
    """How many of them are so, as a sentence."""
    return ("None of them has %s." if n == 0 else "Only 1 of them has %s." if n == 1 else "%d of them have %%s." % n) % what


def counted(n):
    """The check of such an answer: the number is said, and no other one of them."""
    said = [["none", "no ", "0 of"]] if n == 0 else [["%d of" % n, "%d have" % n, "%d has" % n, "is %d" % n, "are %d" % n, ["", "only one", "two", "three", "four", "five", "six"][n]]]
    return check_text("extraction", said, ["%d of them" % i for i in range(1, 7) if i != n])


def count_same(c):
    """How many have a value."""
    r = c.r
    a, found = crowd.sort_of(r)
    w = several(r, 3, 6, a)
    for s in w.sheets:
        s.values[a.key], s.alone = r.pick(found), ("{m}", "{w}")
    v = r.pick(w.sheets).values[a.key]
    form = r.weighted([f for f in layouts_many.FORMS if f[1] not in (layouts_many.talked, layouts_many.log)])
    needs = given(c, said(r, r.phrase(FORMS["how_many_with"]), {"k": a.short, "v": v}), w, form)
    numbered(c, [(s.bare(), s.values[a.key], s.values[a.key] == v) for s in in_order(c, w)], "the %s %s" % (a.short, v), needs)


def numbered(c, rows, what, needs):
    """The thought that counts as it goes, and the answer."""
    n, out = 0, []
    for name, v, yes in rows:
        n += yes
        out.append("%s %s: %s" % (name, v, "%d" % n if yes else "no"))
    c.answer("I count those with %s. %s. That makes %d." % (what, "; ".join(out), n), tally(n, what), counted(n), needs_material=needs)
    c.about = None
    c.done()


def count_over(c):
    """How many are above or below something."""
    r = c.r
    a, row, w, rank = measured(c, 3, 6)
    if len(w.sheets) < 3 or row[1] in crowd.LATER or row[1] == "year":
        return count_same(c)
    ranks = sorted(rank(s.values[a.key]) for s in w.sheets)
    i = r.int(0, len(ranks) - 2)
    if ranks[i + 1] - ranks[i] < 2:
        return count_same(c)
    edge, over = r.int(ranks[i] + 1, ranks[i + 1] - 1), r.chance(0.5)
    v = "%d %s" % (edge, row[1])
    needs = given(c, said(r, r.phrase(FORMS["how_many_over" if over else "how_many_under"]), {"k": a.short, "v": v}), w)
    numbered(c, [(s.bare(), s.values[a.key], (rank(s.values[a.key]) > edge) == over) for s in in_order(c, w)],
             "a %s %s %s" % (a.short, "over" if over else "under", v), needs)
    return None


def count(c):
    (count_same if c.r.chance(0.6) else count_over)(c)
