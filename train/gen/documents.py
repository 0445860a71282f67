"""Texts such as people have, with questions in other words than their own: mails, lists, logs, reports. Other numbers and
names stand in them each time, so that they cannot be learnt by heart."""
import re

from . import lines, meaning_lists, notes, quote, values
from .hall import read_objects
from .library import key, renumbered, sentences, swapped
from .lex import MONTHS
from .messages import check_text
from .phrases import bucket

_number = re.compile(r"(?<![\w.,/:#-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/:-]|[.,]\d)")
_capital = re.compile(r"(?<=[a-z,;(] )[A-Z][a-zé]{3,}(?![\w-])")
_order = re.compile(r"\b(?:more|most|less|least|fewer|fewest|\w+er than|older|oldest|younger|youngest|cheaper|cheapest|longer|longest|shorter|shortest|earlier|earliest|later|latest|first|last|next|bigger|biggest|larger|largest|smaller|smallest|"
                    r"higher|highest|lower|lowest|faster|fastest|best|worst|enough|left|total|together|sum|both|half|twice|double|before|after|since|until|over|under|above|below|at least|at most|order|sooner|rise|rose|fall|fell|drop\w*|grow\w*|grew|up|down)\b", re.I)
_word = re.compile(r"[a-zé]{4,}|\d+")
_date = re.compile(r"(?<!\d)(\d\d?)(?:st|nd|rd|th)? (?:%s)|(?:%s) (\d\d?)\b" % ("|".join(m[:3] for m in MONTHS), "|".join(MONTHS)))
KEPT = set(MONTHS) | set("Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays Christmas Easter Whitsun Halloween Advent".split()) | set("Monday Tuesday Wednesday Thursday Friday Saturday Sunday English French German Spanish Italian Latin Dear Best Yours Mrs Miss".split())

SHORTENED = 0.35  # the share of texts and notes from which something is taken


class Document:
    """A text with its names, its questions and what it does not say."""

    __slots__ = ("short", "files", "text", "asks", "not_said", "parts", "names", "more", "told")

    def __init__(self, short, files, text, asks, not_said, more=None, told=None):
        """more: questions in a few words, for after another one; told: the sentence that says it and what an answer must hold, where that is known."""
        self.short, self.files, self.text, self.asks, self.not_said = short, files, text, asks, not_said
        self.more, self.told = more or {}, told or {}
        self.parts = [s for line in text.split("\n") for s in sentences(line)]  # what a thought can quote
        said = " ".join([text, short] + [x for pair in asks + not_said for x in pair])
        small = set(re.findall(r"\b[a-z]{4,}\b", said))
        self.names = [w for w in dict.fromkeys(_capital.findall(text)) if w not in KEPT and w.lower() not in small]

    def other(self, r):
        """A copy in which other numbers and names stand. What asks for their order is left out of it then."""
        table, asks = {}, self.asks
        if r.chance(0.6):
            days = {d for m in _date.finditer(self.text) for d in m.groups() if d}
            table = renumbered(r, _number.findall(self.text), days.__contains__)
            asks = [(q, a) for q, a in asks if not (_order.search(q) or _order.search(a)) or not re.search(r"\d", self.text)]
        if r.chance(0.6):
            for w in self.names:
                table[w] = r.first() if r.chance(0.5) else values.cap(r)
        if not table or not asks:
            return self
        fix = lambda t: swapped(t, table, [])
        return Document(fix(self.short), self.files, fix(self.text), [(fix(q), fix(a)) for q, a in asks], [(fix(q), fix(n)) for q, n in self.not_said],
                        {fix(q): fix(s) for q, s in self.more.items()})

    def tellers(self, q, a):
        """The sentences from which an answer may be taken: those that have something of it that neither question nor name has."""
        if q in self.told:
            line, must = self.told[q]
            return [p for p in self.parts if must and all(m in p for m in must) or p in line or line in p]
        asked = {w[:5] for w in _word.findall((q + " " + self.short).lower())}
        new = {w[:5] for w in _word.findall(a.lower())} - asked - {"yes", "no"}
        return [p for p in self.parts if new.intersection(w[:5] for w in _word.findall(p.lower()))]

    def without(self, r):
        """A copy that lacks a sentence or two, and so what only they tell: whether there is an answer is seen in the text, not in the question."""
        tells = {q: self.tellers(q, a) for q, a in self.asks}
        only = [t[0] for t in tells.values() if len(t) == 1 and self.parts.count(t[0]) == 1]
        text, gone = self.text, []
        for p in r.some(dict.fromkeys(only), r.int(1, 2)):
            shorter = removed(text, p)
            if shorter:
                text, gone = shorter, gone + [p]
        lost = [(q, "that") for q, a in self.asks if len(tells[q]) == 1 and tells[q][0] in gone and a.split(",")[0] not in ("Yes", "No")]
        left = [(q, a) for q, a in self.asks if tells[q] and not set(gone).intersection(tells[q])]
        if not lost or not left:
            return self
        return Document(self.short, self.files, text, left, lost + r.some(self.not_said, 1), self.more, self.told)


def removed(text, part):
    """A text without one of its sentences; None where that does not stand in one line."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        own = sentences(line)
        if own == [part]:
            return "\n".join(lines[:i] + lines[i + 1:])
        for x in (part, part[:-1]):
            if part in own and x in line:
                rest = " ".join(line.replace(x, " ", 1).split())
                return "\n".join(lines[:i] + [rest] + lines[i + 1:]) if re.search(r"[A-Za-z]{3}", rest) else None
    return None


def read():
    """(trained, held out), by their texts."""
    out = [], []
    for o in read_objects("documents-*.jsonl"):
        d = Document(o["short"], o["files"], o["text"], [tuple(p) for p in o["asks"]], [tuple(p) for p in o["not"]], o.get("more"))
        out[bucket(d.text)].append(d)
    return out


TRAINED, HELD = read()


def pick(c):
    """A text, a note in one of its layouts, single sentences, or a list of which something is asked for by its meaning."""
    r = c.r
    if r.chance(0.12):
        return Document(*meaning_lists.written(r))
    if r.chance(0.35):
        return Document(*lines.written(r))
    d = Document(*notes.pick(r).written(c)) if r.chance(0.35) else r.pick(HELD if r.held else TRAINED).other(r)
    return d.without(r) if r.chance(SHORTENED) else d


def quoted(d, q, a):
    """The sentence of a text that answers a question."""
    if q in d.told:
        line, must = d.told[q]
        return quote.cut(line, must[0] if must else "")
    return quote.near(d.parts, a, d.short)


def wanted(d, q, a, group):
    """What must come of an answer; a yes or a no counts."""
    check = check_text(group, list(d.told[q][1])) if q in d.told else key(a, q, group)
    word = a.split(",")[0]
    if word in ("Yes", "No"):
        check["all"] = [word] + check["all"]
    return check
