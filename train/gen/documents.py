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
_date = re.compile(r"(?<!\d)(\d\d?)(?:st|nd|rd|th)? (?:%s)|(?:%s) (\d\d?)\b" % ("|".join(m[:3] for m in MONTHS), "|".join(MONTHS)))
KEPT = set(MONTHS) | set("Monday Tuesday Wednesday Thursday Friday Saturday Sunday English French German Spanish Italian Latin Dear Best Yours Mrs Miss".split())


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
        return Document(fix(self.short), self.files, fix(self.text), [(fix(q), fix(a)) for q, a in asks], [(fix(q), fix(n)) for q, n in self.not_said])


def read():
    """(trained, held out), by their texts."""
    out = [], []
    for o in read_objects("documents-*.jsonl"):
        d = Document(o["short"], o["files"], o["text"], [tuple(p) for p in o["asks"]], [tuple(p) for p in o["not"]])
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
    if r.chance(0.5):
        return Document(*notes.pick(r).written(c))
    return r.pick(HELD if r.held else TRAINED).other(r)


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
