"""The very words of a text that say something, for thoughts: what is quoted first is read before it is answered."""
import re

MOST = 120  # longer words are cut around what matters
_clause = re.compile(r"(?<=[,;:]) ")
_long = re.compile(r"[^\W_]{4,}|\d(?:[\d.,:]*\d)?")
_any = re.compile(r"[^\W_]+")


def cut(said, value):
    """A sentence, or what of it stands around a value where it is long; it ends in a mark."""
    said = " ".join(said.split())
    if len(said) > MOST:
        at = said.lower().find(value.lower())
        start = max(0, at - 60)
        end = min(len(said), max(at, 0) + len(value) + 30)
        start = said.find(" ", start) + 1 if start else 0
        if end < len(said):
            end = said.rfind(" ", 0, end) if said.rfind(" ", 0, end) >= at + len(value) else end
        said = said[start:end]
    return said if said[-1:] in ".!?" else said + "."


def pairs(s, a):
    """A row of a table up to the attribute, each with the head of its column: counted so, the right one is found."""
    upto = s.listed[:s.listed.index(a) + 1] if s.rowed else [a]
    return "%s: %s." % (s.bare(), ", ".join("%s %s" % (x.short, s.values[x.key]) for x in upto))


def words(s, a):
    """What the last text on a thing says of an attribute, in its own words; empty where that is not known."""
    if s.listed and a in s.listed:
        return pairs(s, a)
    said = s.said.get(a.key, "")
    return cut(said, s.values[a.key]) if said else ""


def says(s, a, where):
    """The same with its place, as the end of a thought."""
    said = words(s, a)
    return "%s says: %s" % (where, said) if said else "%s says it." % where


def having(s, a, where):
    """First all that a text tells of a thing, and only then the words that answer: whether it says what is wanted is seen on the way."""
    said = words(s, a)
    if not said or s.listed and s.rowed or a not in s.attrs or len(s.attrs) > 5:  # a row says it itself
        return says(s, a, where)
    return "of it %s has the %s; it says: %s" % (where, only(s.attrs), said)


def asked(s, a, where):
    """A thought that says what is asked for, and then the words of a text that say it."""
    return "They ask for the %s of %s; %s" % (a.short, s.name, having(s, a, where))


def both(s, o, a, where):
    """A thought that says the same of two things, each with the words of the text."""
    return "They ask for the %s of %s and of %s; %s of the first: %s And of the second: %s" % (
        a.short, s.name, o.name, where + " says", words(s, a) or s.values[a.key] + ".", words(o, a) or o.values[a.key] + ".")


def only(found):
    """The names of what a text has, for a thought."""
    names = [a.short for a in found]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def lacks(s, where):
    """What a text has of a thing where it does not have what is wanted."""
    return "%s has the %s, not that" % (where, only(s.attrs)) if s.attrs else "%s does not have it" % where


def near(sentences, answer, name=""):
    """The sentence of an entry, or the part of a long one, from which an answer is taken; the entry's name stands everywhere."""
    want = set(_long.findall(answer.lower()))
    want = want.difference(_long.findall(name.lower())) or want
    every = set(_any.findall(answer.lower()))  # short words decide where the long ones do not
    best = max(sentences, key=lambda s: (len(want.intersection(_long.findall(s.lower()))), len(every.intersection(_any.findall(s.lower())))))
    if len(best) <= 110 or not want:
        return best
    out = best
    parts = _clause.split(best)
    found = [len(want.intersection(_long.findall(p.lower()))) for p in parts]
    for least in (1, 2, 3):  # the members of a list have one word each; a clause has several, and elsewhere stands only the name
        hits = [i for i, n in enumerate(found) if n >= least]
        if not hits:
            break
        out = " ".join(parts[hits[0]:hits[-1] + 1]).rstrip(",;: ")
        if len(out) < MOST:
            break
    return out if out[-1] in ".!?" else out + "."
