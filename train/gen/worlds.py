"""Kinds of things of which several are told about at once (train/data/worlds-*.jsonl): two tents, three cousins, the days of a summer camp.

Each attribute has its own phrasings to be told, asked for and changed, and any of them goes with any other, so that a conversation of them
cannot be learnt by heart: what must be learnt is whose value is meant.
"""
import datetime
import re

from . import layouts_many, lex
from .chat_spoken import PRONOUNS
from .hall import read_objects
from .phrases import Phrases, bucket
from .scene_slots import drawn
from .slots import fill
from .wording import upper_first

MONEY = re.compile(r"euro|pound|dollar|franc|crown|kron|zloty")
LISTS = ("told", "asks", "few", "which", "one", "yes", "change", "most", "least", "sum", "diff")


class Attribute:
    """What several things of a kind have, each another value of it."""

    def __init__(self, o):
        self.key, self.noun, self.make, self.cell, self.what = o["key"], o["noun"], o["make"], o["cell"], o["what"]
        self.gap, self.answers = o["gap"], o["answer"]
        self.said = {k: Phrases(o.get(k, ())) for k in LISTS}
        self.results = {k: o.get("answer_" + k) for k in ("most", "least", "sum", "diff")}
        if "|" in self.make:
            self.make = tuple(self.make.split("|"))
        self.number = self.make[:4] == "int "
        self.money = self.number and MONEY.search(self.cell) is not None
        self.ranked = self.number or self.make in ("time", "date")

    def can(self, what):
        """Whether a question of this sort was written for it, with its answer."""
        return bool(self.results.get(what)) and len(self.said[what]) > 0


class Kind:
    def __init__(self, o):
        self.kind, self.pronoun, self.names, self.files = o["kind"], o["pronoun"], o["names"], o["files"]
        self.lead, self.lacking = Phrases(o["lead"]), [(x["what"], Phrases(x["asks"]), Phrases(x["few"])) for x in o["not"]]
        self.attributes = [Attribute(a) for a in o["attributes"]]
        self.held = bucket(self.kind)


def read():
    """(trained, held out)"""
    kinds = [Kind(o) for o in read_objects("worlds-*.jsonl")]
    return [k for k in kinds if not k.held], [k for k in kinds if k.held]


TRAINED, HELD = read()


class Thing:
    """One of them: its name, other ways to name it, its pronouns and its values."""

    def __init__(self, label, name, also, they):
        self.label, self.name, self.also, self.they = label, name, also, PRONOUNS[they]
        self.values, self.ranks = {}, {}
        self.told = {}  # by attribute: the words in which it was said

    def slots(self, a=None, by=""):
        """What fills the slots of a form; by: another name, or "they" for the pronouns."""
        x, o, xs = (self.they[:3] if by == "they" else [by or self.name] * 3)
        if by != "they":
            xs += "'" if xs.endswith("s") else "'s"
        return {"X": x, "o": o, "Xs": xs, "v": self.values.get(a, "")}


class World:
    """One to four things of a kind, told about in one way."""

    def __init__(self, c, beside=None, small=False):
        """beside: another one that is told of in the same conversation; small: with one thing, of which a thing or two is told."""
        r = c.r
        self.r, self.c = r, c
        taken = beside.kinds if beside else ()
        self.kind = r.pick([k for k in (HELD if r.held and r.chance(0.5) else TRAINED) if k not in taken])
        self.kinds = (*taken, self.kind)
        self.seen = dict(beside.seen) if beside else {}  # all that has been drawn, so that no two look alike
        self.naming = r.pick(self.kind.names)
        kind = self.naming["labels"]
        self.labels = tuple(kind.split("|")) if "|" in kind else kind
        self.plain_days, self.cents, self.short_days = r.chance(0.7), r.chance(0.5), r.chance(0.4)
        self.row = None  # what stands between the cells of a table to which one can add a row
        most = len(self.kind.attributes)
        self.attributes = r.some(self.kind.attributes, 1 + r.chance(0.3) if small else r.weighted([(2, 1), (5, 2), (4, 3), (1.5, 4)])) if most > 1 else list(self.kind.attributes)
        n = 1 if small else r.weighted([(2.5, 1), (6, 2), (3, 3), (1, 4)])
        self.things = [self.thing(n == 1 and r.chance(0.5)) for _ in range(n)]

    def draw(self, kind):
        """A value that looks like none before it."""
        v = drawn(self.c, "person" if kind == "first" else kind, self.seen)
        if v in self.seen.values() and isinstance(kind, tuple):  # few members, most of them held out or not
            left = [m for m in kind if m not in self.seen.values()]
            v = self.r.pick(left) if left else v
        self.seen[len(self.seen)] = v
        return v

    def value(self, a):
        """(as it is said, as it is compared)"""
        v = self.draw(a.make)
        if a.make == "date" and self.plain_days:
            at = datetime.date.fromisoformat(v)
            v = datetime.date(2030, at.month, at.day).isoformat()  # without a year all are of one
            return "%d %s" % (at.day, lex.MONTHS[at.month - 1]), v
        if a.money and self.cents and int(v) < 100:
            v = self.seen[len(self.seen) - 1] = v + self.r.pick((".50", ".50", ".20", ".40", ".80", ".95", ".10", ".25"))
        return v, float(v) if a.number else v

    def thing(self, only=False):
        """only: there is but one, so that it needs no name: my flight."""
        label = self.draw(self.labels)
        t = Thing(label, fill(self.naming["name"], {"l": label}), [fill(x, {"l": label}) for x in self.naming["also"]], self.kind.pronoun if self.kind.pronoun != "any" else self.r.pick(("she", "he")))
        if only:
            t.label, t.name, t.also = self.kind.kind, self.r.pick(("my ", "my ", "our ", "the ")) + self.kind.kind, ["the " + self.kind.kind]
        for a in self.attributes:
            t.values[a], t.ranks[a] = self.value(a)
        return t

    def holders(self, a):
        return [t for t in self.things if a in t.told]

    # --- how it is told ---

    def label(self, t, short):
        """How one of them is called in a list."""
        if self.short_days and self.labels == "weekday":
            return t.label[:3]
        return t.also[-1] if short and t.also else t.name

    def clause(self, t, a, by=""):
        return fill(self.r.phrase(a.said["told"]), t.slots(a, by))

    def tell(self, style):
        """A text in a style of STYLES, without its end."""
        return STYLES[style](self, self.things)

    def lacks(self):
        """Sometimes one of them lacks what the others have."""
        if min(len(self.attributes), len(self.things)) < 2 or self.r.chance(0.85):
            return
        t, a = self.r.pick(self.things), self.r.pick(self.attributes)
        del t.values[a]

    def settle(self, text):
        """What a thought quotes has the capitals of the text."""
        for t in self.things:
            for a, clause in t.told.items():
                if clause not in text and upper_first(clause) in text:
                    t.told[a] = upper_first(clause)

    def keep(self, t, attributes, clause):
        for a in attributes:
            t.told[a] = clause


def sentences(w, things):
    """Each thing in sentences of its own."""
    r, out = w.r, []
    link, end = r.pick((" and ", ", and ", ", ", ". ", "; ")), r.pick((". ", ". ", ". ", "; ", "\n", ", "))
    for t in things:
        parts = []
        for a in r.shuffled([a for a in w.attributes if a in t.values]):
            clause = w.clause(t, a, ("they" if r.chance(0.9) else "") if parts else "")
            if parts and link == ". ":
                clause = upper_first(clause)
            parts.append(clause)
            w.keep(t, [a], clause)
        text = link.join(parts)
        out.append(text)
    if end in (". ", "\n"):
        return capitals(out, end)
    return end.join(out)


def capitals(sentences, end):
    return end.join(map(upper_first, sentences))


def pieces(w, t):
    """What is said of one thing in a list, without verbs."""
    return [fill(w.r.pick(a.gap), {"v": t.values[a]}) for a in w.attributes if a in t.values]


def gaps(w, things):
    """A list: the name and what belongs to it."""
    r = w.r
    mid, join, end = r.pick((": ", ": ", " - ", ", ", " ")), r.pick((", ", ", ", " and ", " / ")), r.pick(("; ", "\n", "\n", ". ", " / "))
    short, out = r.chance(0.4), []
    for t in things:
        name = w.label(t, short)
        line = (upper_first(name) if end == ". " else name) + (mid if mid != " " or len(name.split()) > 1 else ": ") + join.join(pieces(w, t))
        w.keep(t, t.values, line)
        out.append(line)
    return end.join(out)


def by_attribute(w, things):
    """One sentence for each attribute: the first thing with its verb, the others without."""
    r, out = w.r, []
    for a in w.attributes:
        have = r.shuffled([t for t in things if a in t.values]) if r.chance(0.3) else [t for t in things if a in t.values]
        if not have:
            continue
        parts, gap = [], r.pick(a.gap)
        for t in have:
            name = r.pick(t.also) if t.also and r.chance(0.5) else ""
            clause = w.clause(t, a, name) if not parts else "%s %s" % (name or t.name, fill(gap, {"v": t.values[a]}))
            w.keep(t, [a], clause)
            parts.append(clause)
        out.append(", ".join(parts[:-1]) + r.pick((" and ", ", ", " and ")) + parts[-1] if len(parts) > 1 else parts[0])
    return capitals(out, r.pick((". ", ". ", "\n"))) if len(out) > 1 else out[0]


def table(w, things):
    """A table, or settings, as in a file."""
    r = w.r
    form = r.weighted(TABLES)
    have = [a for a in w.attributes]
    cells = [[fill(a.cell, {"v": t.values[a]}) if a in t.values else r.pick(("-", "?", "")) for a in have] for t in things]
    short = r.chance(0.6)
    names = [w.label(t, short) for t in things]
    if r.chance(0.35):  # rows without a head
        w.row = sep = r.pick((" | ", ";", " - ", ", ", ",", ",", "\t"))
        text = "\n".join(sep.join([n] + row) for n, row in zip(names, cells))
        rows = text.split("\n")
    else:
        text = form(r, names, [a.noun for a in have], cells, None)
        rows = text.split("\n")
    for t, n, row in zip(things, names, cells):
        at = [line for line in rows if n in line]
        if len(at) != 1:
            at = [line for line in rows if n in line and all(x in line for x in row)]
        whole = bool(at) and all(x in at[0] for x in row)
        for a, cell in zip(have, row):
            if a in t.values:
                t.told[a] = at[0].strip() if whole else next((line.strip() for line in within(rows, n) if cell in line), n)
    return text


def within(rows, name):
    """The lines that belong to a name, where each thing has some below it."""
    at = next((i for i, line in enumerate(rows) if name in line), 0)
    return rows[at:at + 9]


TABLES = [(2, layouts_many.csv), (2, layouts_many.bars), (1.5, layouts_many.columns), (1, layouts_many.yaml), (1, layouts_many.sections), (2, layouts_many.bullets), (1, layouts_many.dotted)]
STYLES = {"sentences": sentences, "gaps": gaps, "by_attribute": by_attribute, "table": table}
