"""Written kinds with one of their words exchanged, in the tool's line and in the wish alike.

What a kind is about can then not be known by heart: only the word that both share
tells which tool is wanted. For training alone."""
import re

from .tools_kind import WEAK, Bound
from .tools_value import coined
from .tools_words import an

FUNCTION = WEAK | set("about after until over under than other some more most each every between without where while person people before then also been being were will would could should must shall same like such these those here near back".split())
_long_word = re.compile(r"[a-z]{4,}")
_found, _forms = {}, {}  # what was looked for before: phrasings of a kind, patterns of a word


def forms(word):
    """Finds a word and its plural, but no slot of that name."""
    out = _forms.get(word)
    if out is None:
        out = _forms[word] = re.compile(r"(?<![{\w])(an? )?%s(s|es)?(?![\w}])" % re.escape(word), re.I)
    return out


def put(text, word, new):
    def one(m):
        w = (an(new) if m.group(1) else new) + (m.group(2) or "")
        return w[:1].upper() + w[1:] if m.group(0)[:1].isupper() else w
    return forms(word).sub(one, text)


def put_name(name, word, new):
    """The same in a name such as findPharmacy or find_pharmacy."""
    return name.replace(word, new).replace(word.capitalize(), new.capitalize())


def candidates(kind, text):
    """[(word, the phrasings that have it)] for a description."""
    key = (id(kind), text)
    out = _found.get(key)
    if out is None:
        asks = kind.asks.train + (kind.without.train if kind.without else ())
        words = {w for w in _long_word.findall(text.lower()) if w not in FUNCTION}
        words = {w[:-1] if w.endswith("s") and not w.endswith("ss") else w for w in words}
        low = [(t, t.lower()) for t in asks]
        out = [(w, [t for t, l in low if w in l and forms(w).search(t)]) for w in sorted(words)]
        out = _found[key] = [(w, a) for w, a in out if len(a) > 1]
    return out


class Swapped(Bound):
    """A tool with a word exchanged; only phrasings with that word ask for it."""

    def __init__(self, b, word, new, asks):
        self.kind, self.sort = b.kind, b.sort
        self.word, self.new, self.asks = word, new, asks
        short = new.replace(" ", "_")
        self.names = {k: put_name(n, word, short) for k, n in b.names.items()}
        self.results = [put(t, word, new) for t in b.results]
        self.answers = [put(t, word, new) for t in b.answers]
        p = b.spec["parameters"]
        again = {n: self.names[k] for k, n in b.names.items()}
        self.spec = {"name": put_name(b.spec["name"], word, short), "description": put(b.spec["description"], word, new), "parameters": {
            "type": "object", "properties": {again[n]: s for n, s in p["properties"].items()},
            "required": [again[n] for n in p["required"]]}}

    def template(self, r):
        return r.pick(self.asks)

    def wish(self, r):
        t, words, args = super().wish(r)
        return put(t, self.word, self.new), words, args


def swap(r, b):
    """A tool with a word exchanged, or as it is where no word is shared with phrasings."""
    found = candidates(b.kind, b.spec["description"])
    if not found:
        return b
    word, asks = r.pick(found)
    new = coined(r) if r.chance(0.6) else r.noun()
    return Swapped(b, word, new, asks)


def swap_all(r, tools):
    """Tools of one set with the same word exchanged in all that share it, so that the actions must be told apart."""
    count = {}
    for b in tools:
        for word, _ in candidates(b.kind, b.spec["description"]):
            count[word] = count.get(word, 0) + 1
    shared = [w for w in sorted(count) if count[w] > 1]
    if not shared:
        return tools
    word = r.pick(shared)
    new = coined(r) if r.chance(0.6) else r.noun()
    out = []
    for b in tools:
        asks = next((a for w, a in candidates(b.kind, b.spec["description"]) if w == word), None)
        out.append(Swapped(b, word, new, asks) if asks else b)
    return out


def twins(r, b):
    """Two tools that differ in one word of their lines, so that the word must be read to tell which is wanted; or one where none is shared."""
    found = candidates(b.kind, b.spec["description"])
    if not found:
        return [b]
    word, asks = r.pick(found)
    other = Bound(b.kind, r.pick([n for n in b.kind.names if n != b.spec["name"]] or b.kind.names), b.spec["description"], b.names)
    new = r.noun() if r.chance(0.6) else coined(r)
    return [Swapped(b, word, word, asks), Swapped(other, word, new, asks)]
