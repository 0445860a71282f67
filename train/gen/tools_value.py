"""Values for the parameters of tools: random, so that they must be read and copied."""
from . import lex
from .sums import in_words

SMALL = ("the", "a", "of", "and", "in", "to", "for", "my", "no", "on", "with", "at", "by")


def bare(words):
    """Words of a value without the article before them: the article belongs to the sentence."""
    first, _, rest = words.partition(" ")
    return rest if rest and first in ("the", "a", "an", "my", "our") else words


def coined(r):
    return r.made(lambda: r.syllables(r.pick((1, 2, 2, 2, 3))))


def one(r):
    """A word, real or invented."""
    return r.noun() if r.chance(0.6) else coined(r)


def title(r):
    """A name that somebody gave to something: one to five words."""
    x = r.random()
    if x < 0.3:
        out = [one(r) for _ in range(r.pick((1, 2, 2, 3)))]
    elif x < 0.45:
        out = [r.entity(lex.ADJ), one(r)]
    elif x < 0.6:
        out = [one(r), r.pick(("of", "for", "and", "with", "in")), one(r)] + ([one(r)] if r.chance(0.3) else [])
    elif x < 0.75:
        out = [one(r), str(r.int(2, 2099))]
    elif x < 0.82:
        out = [r.city() if r.chance(0.5) else r.first(), one(r)]
    elif x < 0.91:
        out = phrase(r).split(" ")
    else:
        return r.topic()
    y = r.random()
    if y < 0.3:
        return " ".join(w if w in SMALL else w[:1].upper() + w[1:] for w in out)
    if y < 0.4:
        return " ".join(out)[:1].upper() + " ".join(out)[1:]
    if y < 0.5:
        return r.pick("-_").join(out).lower().replace(" ", "-")
    return " ".join(out)


def phrase(r):
    """A noun phrase of two to six words, as people name things that have no name."""
    t = r.pick(PHRASE)
    for slot, f in (("{n}", one), ("{m}", one), ("{k}", lambda r: r.noun()), ("{a}", lambda r: r.entity(lex.ADJ)), ("{p}", lambda r: r.first()),
                    ("{c}", lambda r: r.city())):
        if slot in t:
            t = t.replace(slot, f(r))
    return t


PHRASE = """{a} {n}|{a} {n}|{n} {m}|{n} {m}|{a} {n} {m}|{n} {m} {k}|{n} of {m}|{n} for {m}|{n} with {m}|{n} and {m}|{n} in {m}|{n} under the {m}|{n} behind the {m}|{n} at the {m}|{a} {n} from {c}|{n} for {p}|{p}'s {n}|{a} {n} in the {m}|
{n} with {a} {m}|{n} near the {a} {m}|{n} without {m}|{n} of the {a} {m}|{n} and {a} {m}|{n} on the {m} of {k}|{a} {n} for the {m}|{n} next to the {m} {k}|{c} {n}|{c} {n} {m}|{n} from {c}|half a {n}|second {n}""".replace("\n", "").split("|")


WHERE = (" in ", " at ", " near ", " from ", " under ", " behind ", " next to ", " on ", " for ", "'s ")


def object_words(r):
    """Some words for a thing, none of which says where it is or for whom: that is another parameter."""
    v = one(r) if r.chance(0.5) else phrase(r)
    while any(w in v for w in WHERE):  # nor whose it is
        v = phrase(r)
    return v


def ident(r):
    """An identifier or short name of one thing."""
    d = lambda a, b: str(r.int(a, b))
    up = lambda n: "".join(r.pick("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(n))
    return r.weighted(IDENT)(r, d, up)


IDENT = [
    (3, lambda r, d, up: d(1, 99)), (3, lambda r, d, up: d(100, 99999)), (3, lambda r, d, up: up(1) + d(1, 90)),
    (3, lambda r, d, up: up(r.int(2, 3)) + "-" + d(1, 9999)), (2, lambda r, d, up: d(1, 40) + up(1).lower()),
    (4, lambda r, d, up: coined(r)), (3, lambda r, d, up: coined(r).capitalize()), (4, lambda r, d, up: r.noun()),
    (2, lambda r, d, up: r.code()), (3, lambda r, d, up: r.first()), (2, lambda r, d, up: r.product()),
    (2, lambda r, d, up: one(r) + "-" + one(r)), (2, lambda r, d, up: one(r) + "-" + d(1, 99)),
    (1, lambda r, d, up: one(r) + "_" + d(1, 99)), (2, lambda r, d, up: r.entity(lex.ADJ) + " " + one(r)), (1, lambda r, d, up: r.city()),
    (2, lambda r, d, up: one(r).capitalize() + " " + d(1, 60)), (1, lambda r, d, up: object_words(r)),
    (2, lambda r, d, up: " ".join(w.capitalize() for w in (r.entity(lex.ADJ), one(r), one(r))[r.int(0, 1):])),
    (1, lambda r, d, up: "%s/%s" % (d(1, 40), d(2, 99))), (1, lambda r, d, up: "#" + d(10, 9999)), (2, lambda r, d, up: title(r)),
]


def mark(r):
    """An identifier that can stand beside another one: it has no "and" of its own."""
    v = ident(r)
    while " and " in v or " with " in v:
        v = ident(r)
    return v


def person(r):
    return r.first() if r.chance(0.6) else r.name() if r.chance(0.85) else r.pick(("Dr ", "Mrs ", "Mr ", "Ms ")) + r.name().split(" ")[-1]


def day(r):
    """A day as it is said; a tool of others gets the very words."""
    d = r.date()
    return r.weighted(((4, d.isoformat()), (4, r.pick(lex.WEEKDAYS)), (2, r.pick(("tomorrow", "today", "next week"))),
                       (2, "next " + r.pick(lex.WEEKDAYS)),
                       (3, "%d %s" % (d.day, lex.MONTHS[d.month - 1])), (2, "%s %d" % (lex.MONTHS[d.month - 1], d.day)),
                       (1, "%d.%d.%d" % (d.day, d.month, d.year)), (1, "%02d/%02d/%d" % (d.day, d.month, d.year))))


def past(r):
    """A day that is over, as it is said."""
    d = r.date()
    return r.weighted(((3, d.isoformat()), (3, "last " + r.pick(lex.WEEKDAYS)), (3, r.pick(("yesterday", "today", "this morning", "last night"))), (2, r.pick(lex.WEEKDAYS)),
                       (3, "%d %s" % (d.day, lex.MONTHS[d.month - 1])), (2, "%s %d" % (lex.MONTHS[d.month - 1], d.day))))


def time(r):
    return r.time() if r.chance(0.7) else "%d%s%s" % (r.int(1, 12), r.pick(("", "", ":30", ":15")), r.pick((" am", " pm", "pm", "am")))


def note(r):
    """A short free text."""
    x = r.random()
    if x < 0.4:
        s = r.sentence().rstrip(".")
        return (s[:1].lower() + s[1:] if r.chance(0.5)
                and s.split(" ")[0] in ("The", "We", "It", "There", "Please", "Nothing", "Everyone", "Use", "Bring", "Remember") else s)
    if x < 0.6:
        return "the %s %s %s" % (one(r), r.pick(("is", "was", "looks", "seems")), r.entity(lex.ADJ))
    if x < 0.8:
        return "%s %s the %s" % (r.first(), r.pick(("wants", "lost", "needs", "broke", "forgot", "found", "likes", "asked for")), one(r))
    return "%s %s" % (r.pick(("bring", "no", "more", "without", "leave at the", "mind the", "ask for the")), one(r))


def short(r):
    return one(r) if r.chance(0.6) else phrase(r)


def room(r):
    return r.pick(("room %d" % r.int(1, 400), "hall %s" % r.pick("ABCDEFG"), one(r) + " room", "floor %d" % r.int(1, 30),
                   "bay %d" % r.int(1, 60), "wing %s" % r.pick("ABCDE")))


def place(r):
    return r.weighted(((4, r.city()), (2, one(r) + " " + r.pick(("hill", "yard", "street", "park", "hall", "point", "site", "bridge"))),
                       (2, coined(r).capitalize()), (1, room(r))))


def number(r, how):
    a, _, b = how.partition("-")
    try:
        a, b = float(a or 1), float(b or 100)
    except ValueError:
        a, b = 1.0, 100.0
    if a != int(a) or b != int(b):
        return round(a + r.random() * (b - a), 1)
    return r.int(int(a), int(b))


def listed(words):
    return ", ".join(words[:-1]) + " and " + words[-1] if len(words) > 1 else words[0]


def many(r, f):
    out = []
    for _ in range(r.pick((1, 2, 2, 3, 3, 4))):
        w = f(r)
        if w not in out:
            out.append(w)
    return out


def said_number(r, v):
    """A number in words now and then."""
    if not isinstance(v, int) or v < 2 or not r.chance(0.2):
        return str(v)
    if v in (6, 12) and r.chance(0.15):
        return "half a dozen" if v == 6 else "a dozen"
    return in_words(v) if v <= 100 or v % 100 == 0 and v < 1000 else str(v)


def money(r):
    return r.int(2, 2000) if r.chance(0.6) else r.pick((0.5, 0.25, 0.99, 0.9, 0.75)) + r.int(1, 400)


MAKERS = {
    "person": person, "team": lambda r: r.weighted(((2, one(r)), (1, r.entity(lex.ADJ) + " " + one(r)), (1, coined(r).capitalize()))),
    "day": day, "past": past, "time": time, "place": place, "city": lambda r: r.city(),
    "street": lambda r: "%s Street %d" % (r.entity(lex.LAST), r.int(1, 90)) if r.chance(0.6)
    else "%d %s Road" % (r.int(1, 200), coined(r).capitalize()),
    "room": room, "email": lambda r: r.email(), "phone": lambda r: "0%d %d" % (r.int(20, 999), r.int(10000, 9999999)),
    "url": lambda r: r.url(), "path": lambda r: r.path(), "code": lambda r: r.code(), "title": title, "short": short, "note": note,
    "colour": lambda r: r.entity(lex.COLOURS) if r.chance(0.7) else r.pick(("dark ", "light ", "pale ", "bright ")) + r.entity(lex.COLOURS),
    "version": lambda r: "%d.%d.%d" % (r.int(0, 20), r.int(0, 30), r.int(0, 30)) if r.chance(0.7) else "v%d" % r.int(1, 40), "ident": ident, "mark": mark, "object": object_words,
    "word": one, "coined": coined,
}


def value(r, how):
    """(words, value) by the name of a maker."""
    kind, _, rest = how.partition(":")
    if kind == "int":
        v = number(r, rest)
        return said_number(r, v), v
    if kind in ("money", "kilo"):
        v = money(r) if kind == "money" else r.int(1, 400) if r.chance(0.6) else round(r.random() * 90 + 0.5, 1)
        v = int(v) if v == int(v) else v
        return ("%.2f" % v if kind == "money" and v != int(v) else str(v)), v
    if kind in ("words", "people"):
        v = many(r, one if kind == "words" else lambda r: r.first())
        return listed(v), v
    v = MAKERS[kind](r)
    if kind == "place" and v[:1].islower() and " " in v and v[-1].islower() and r.chance(0.5):
        return "the " + v, v  # the article belongs to the sentence
    return v, v


def schema(type_, enum=None, description=""):
    """The JSON schema of a parameter."""
    s = {"type": type_}
    if enum:
        s["enum"] = enum
    if type_ == "array":
        s["items"] = {"type": "string"}
    if description:
        s["description"] = description
    return s
