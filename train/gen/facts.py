"""Fact sheets: things with attributes, in sentences and in questions.

What is in them is made up, with values by chance, so that reading is learnt and
not the facts: things of known kinds, and things of which only the text knows anything.
"""
import re

from . import layouts
from . import attrs as attributes
from .facts_kinds import WEIGHTS
from .slots import fill

OURS = re.compile(r"\b(?:we|us|our|did I)\b")  # asks for what only the person's own texts know
# statements that are an answer as they stand
BACK = re.compile(r"(?:The (?:current |right )?\{k\} (?:of|for|given for|recorded for) \{n\} (?:is|remains|reads|equals|was set to|stays) \{v\}|\{n\}'s \{k\} is \{v\}"
                  r"|\{n\} (?:has|keeps|carries|lists|uses|has had) \{v\} as (?:the|\{p\}) \{k\}|\{n\} (?:has|comes with|shows|holds) the \{k\} \{v\}"
                  r"|\{v\} (?:is|serves as|was chosen as|counts as) (?:the \{k\} of \{n\}|\{n\}'s \{k\})|For \{n\} the \{k\} is \{v\})\.$", re.I)
OPEN = 0.4  # how many sheets are about things of which only the text knows anything


def an(t, v):
    """The article before a value that begins with a vowel."""
    return t.replace(" a {v}", " an {v}") if v[:1] in "aeiou" else t


def begin(text):
    """A capital at the beginning, unless a name stands there that is written small."""
    first = text.split(" ", 1)[0].rstrip(".,:;!?")
    return text if any(not c.isalpha() and c != "'" for c in first) else text[0].upper() + text[1:]


class Sheet:
    """A thing with some attributes and their values."""

    alone = ()  # of what its sentences do not speak: {m} another thing, {w} another value
    listed = None  # its attributes in their order where it was last told as rows or settings
    rowed = False  # whether it is a row among others
    ever = ()      # what was said of it in earlier texts: (key, sentence)

    def __init__(self, r, attrs=None, kind=None):
        self.said = {}  # the sentence in which each attribute was last told
        self.own = {}   # the same, where it can be said back as it stands
        if kind is None and r.chance(OPEN):
            self._open(r, attrs or r.int(1, 6))
            return
        k = kind or r.weighted(WEIGHTS)
        self.kind, self.attrs_all, self.its, self.it = k[1], k[3], k[4], k[5]
        self._name = k[2]
        self.name = k[2](r)
        n = attrs or r.int(1, min(5, len(k[3])))
        self.attrs = r.some(k[3], n)
        if not attrs and r.chance(0.2):  # something that is not of its kind
            self.attrs_all = list(k[3]) + attributes.open_attrs(r, r.int(1, 2))
            self.attrs = r.shuffled(self.attrs + self.attrs_all[len(k[3]):])
        self.values = {a.key: a.make(r) for a in self.attrs}

    def _open(self, r, n):
        self.kind, self._name = "open", None
        self.name, self.its, self.it = attributes.subject(r)
        self.attrs_all = attributes.open_attrs(r, n + r.int(1, 3))
        self.attrs = self.attrs_all[:n]
        self.values = {a.key: a.make(r) for a in self.attrs}

    def sibling(self, r, attrs=None):
        """Another thing of the same kind with the same attributes and other values."""
        o = Sheet.__new__(Sheet)
        o.said, o.own = {}, {}
        o.kind, o.attrs_all, o.its, o.it, o._name = self.kind, self.attrs_all, self.its, self.it, self._name
        for _ in range(5):
            if self._name:
                o.name = self._name(r)
            else:
                o.name, o.its, o.it = attributes.subject(r)
            if o.name.lower() != self.name.lower():
                break
        o.attrs = list(attrs or self.attrs)
        o.values = {}
        for a in o.attrs:
            for _ in range(4):
                o.values[a.key] = a.make(r)
                if o.values[a.key] != self.values.get(a.key):
                    break
        return o

    def slots(self, a):
        return {"n": self.name, "v": self.values.get(a.key, ""), "k": a.short, "p": self.its, "P": self.its.capitalize()}

    def start(self):
        """The name at the beginning of a sentence."""
        return begin(self.name)

    def sentence(self, r, a, named=False):
        v = self.values[a.key]
        common = a.say is attributes.SAY or a.common and r.chance(a.common) or a.open and attributes.plain_only(a, self.attrs)
        for _ in range(8):
            t = attributes.say_form(r) if common else r.phrase(a.say)
            if (not named or "{n}" in t) and not any(x in t for x in self.alone):
                break
        s = self.said[a.key] = begin(fill(an(t, v), self.beside(r, a, t)))
        if common and BACK.match(t):
            self.own[a.key] = s
        return self.start() + ": " + s if named and "{n}" not in t else s

    def beside(self, r, a, t):
        """The slots of a sentence; where it speaks of another value or another thing, those as well."""
        s = self.slots(a)
        if "{w}" in t:
            for _ in range(6):
                s["w"] = a.make(r)
                if s["w"] not in s["v"] and s["v"] not in s["w"]:
                    break
            else:
                s["w"] = "something else"
        if "{m}" in t:
            s["m"] = self.another(r)
        return s

    def another(self, r):
        """The name of another thing of its kind."""
        for _ in range(5):
            m = self._name(r) if self._name else attributes.subject(r)[0]
            if m.lower() not in self.name.lower() and self.name.lower() not in m.lower():
                break
        return m

    def text(self, r, noise=0.3):
        """All of it, mostly in prose."""
        if self.said:
            self.ever += tuple(self.said.items())
        self.said, self.own, self.listed, self.rowed = {}, {}, None, False
        if len(self.attrs) > 1 and r.chance(0.22):
            self.listed = list(self.attrs)
            return layouts.layout(r, self.name, [(a.short, self.values[a.key]) for a in self.attrs])
        return self.prose(r, noise)

    def prose(self, r, noise=0.3):
        """All of it in sentences; the first names the thing."""
        self.listed = None
        out = [self.sentence(r, a, i == 0) for i, a in enumerate(self.attrs)]
        i, most = 1, 5
        if noise and r.chance(0.04):  # now and then a long text
            noise, most = 0.95, r.int(6, 22)
        while r.chance(noise) and i < most:
            out.insert(r.int(1, len(out)), r.sentence())
            i += 1
        return " ".join(out)

    def asking(self, r, a, reading=False):
        """A question for an attribute as template and slots; reading: a text is at hand, and the question may speak of it."""
        ask = attributes.ASK_READ if reading and r.chance(0.25) else attributes.ASK if a.common and r.chance(a.common) else a.ask
        t = r.phrase(attributes.ASK_HERE if reading and ask is attributes.ASK and r.chance(0.4) else ask)
        if a.open and ask is a.ask and (not reading and OURS.search(t) or attributes.plain_only(a, self.attrs)):
            t = r.phrase(attributes.ASK)
        return t, self.slots(a)

    def question(self, r, a, reading=False):
        return fill(*self.asking(r, a, reading))

    def follow(self, r, a):
        """A question for another attribute that does not name the thing again."""
        if a.follow and r.chance(0.6):
            return r.phrase(a.follow)
        return fill(r.phrase(attributes.FOLLOW), {"its": self.its, "k": a.short})

    def answer(self, r, a):
        v = self.values[a.key]
        if a.key in self.own and v in self.own[a.key] and r.chance(0.4):
            return self.own[a.key]
        return begin(fill(an(r.phrase(a.answer), v), self.slots(a)))

    def bare(self):
        """The name without its article."""
        for art in ("the ", "a ", "The "):
            if self.name.startswith(art):
                return self.name[len(art):]
        return self.name


def two(r, kind=None):
    """Two things of one kind that differ in every value, and a text about both."""
    s = Sheet(r, r.int(1, 3) if kind is None else None, kind)
    o = s.sibling(r)
    keys = [a.short for a in s.attrs]
    if r.chance(0.3) and len(set(keys)) == len(keys):
        text = layouts.table(r, [s.name, o.name], keys, [[x.values[a.key] for a in s.attrs] for x in (s, o)])
        for x in (s, o):
            x.listed, x.rowed = list(s.attrs), True
    elif r.chance(0.3):
        text = s.text(r, 0.2) + r.pick(["\n", "\n\n", " "]) + o.text(r, 0.2)
    else:
        rows = [x.sentence(r, a, True) for a in s.attrs for x in (s, o)]
        text = " ".join(r.shuffled(rows) if r.chance(0.6) else rows)
    return s, o, text
