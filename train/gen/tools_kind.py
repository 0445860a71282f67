"""Kinds of tools that were written down: train/data/tools-*.jsonl and sets-*.jsonl."""
import re

from . import lex
from .chat_call import written
from .hall import read_objects, read_rows
from .phrases import Phrases
from .slots import fill, parts, slots_of
from .tools_tell import in_own_words, tellers
from .tools_value import bare, said_number, schema, value

ENUMS = {"priority": ["low", "normal", "high"], "mode": ["eco", "normal", "boost"], "status": ["open", "done", "late", "blocked"], "size": ["small", "medium", "large"], "language": ["en", "de", "fr"]}

# How a value is made: a method of the Rng, or a function of it.
MAKE = {"name": "name", "person": "name", "first": "first", "first_name": "first", "city": "city", "place": "city", "country": "country",
        "date": "day", "day": lambda r: r.pick(lex.WEEKDAYS), "weekday": lambda r: r.pick(lex.WEEKDAYS),
        "time": "time", "email": "email", "url": "url", "path": "path", "file": "path", "folder": "folder", "code": "code", "id": "code",
        "word": "word", "text": lambda r: written(r), "org": "org", "company": "org",
        "product": "product", "price": "price", "topic": "topic", "sentence": lambda r: r.sentence().rstrip("."), "domain": "domain",
        "phone": lambda r: "0%d %d" % (r.int(20, 99), r.int(100000, 999999)),
        "noun": "noun", "street": lambda r: "%s Street %d" % (r.entity(lex.LAST), r.int(1, 90)), "month": lambda r: r.pick(lex.MONTHS),
        "year": lambda r: str(r.int(1990, 2030)), "colour": lambda r: r.entity(lex.COLOURS), "color": lambda r: r.entity(lex.COLOURS),
        "size": lambda r: r.pick(ENUMS["size"]), "priority": lambda r: r.pick(ENUMS["priority"]), "mode": lambda r: r.pick(ENUMS["mode"]),
        "status": lambda r: r.pick(ENUMS["status"]), "language": lambda r: r.pick(ENUMS["language"]),
        "ip": lambda r: "10.%d.%d.%d" % (r.int(0, 255), r.int(0, 255), r.int(1, 254)),
        "version": lambda r: "%d.%d.%d" % (r.int(0, 9), r.int(0, 20), r.int(0, 9))}


def make_value(r, how):
    """(words, value) for the "make" of a parameter."""
    kind, _, rest = str(how).partition(":")
    if kind == "v":  # a maker of tools_value
        return value(r, rest)
    if kind in ("int", "integer", "number", "float"):
        a, _, b = rest.partition("-")
        try:
            a, b = float(a or 1), float(b or 100)
        except ValueError:
            a, b = 1.0, 100.0
        if kind == "float" or a != int(a) or b != int(b):
            v = round(a + r.random() * (b - a), 1)
        else:
            v = r.int(int(a), int(b))
        return str(v), v
    f = MAKE.get(kind, "word")
    v = getattr(r, f)() if isinstance(f, str) else f(r)
    return str(v), v


def like(r, sample):
    """Another text that looks like a sample: as many words, names for names, numbers for numbers."""
    out = []
    for w in sample.split(" "):
        if w.isdigit():
            out.append(str(r.int(10 ** (len(w) - 1), 10 ** len(w) - 1)))
        elif w.lower() in ("the", "a", "of", "and", "in", "to", "for", "my", "no", "on"):
            out.append(w)
        elif w.isalpha() and w[:1].isupper() and w[1:].islower():
            out.append(r.first() if r.chance(0.5) else r.noun().capitalize())
        elif w.isalpha() and w.islower():
            out.append(r.noun() if r.chance(0.7) else r.made(lambda: r.syllables(2)))
        elif any(c.isdigit() for c in w) and not any(c in w for c in ":./@"):
            out.append("".join(r.pick("0123456789") if c.isdigit() else r.pick("ABCDEFGHKLMNPRSTUVWXYZ") if c.isupper() else c for c in w))
        else:
            out.append(w)
    return " ".join(out)


OWN_WORDS = 0.6  # the share of answers that are made of a result's own words: of a tool that it never saw the network has no others
# Parameters that take a person's very words, with the article before them.
FREE = {"text", "message", "note", "comment", "body", "content", "dream", "summary", "notice", "front", "back", "reason", "question"}


class Param:
    def __init__(self, o):
        self.key, self.names, self.type = o["key"], o["names"], o.get("type", "string")
        self.enum, self.required = o.get("enum"), bool(o.get("required"))
        self.values, self.make = o.get("values") or [], o.get("make")
        self.description = o.get("description", "")
        self.fixed = bool(o.get("fixed"))  # whether only the values of the list make sense: parts of the body

    def value(self, r, known=False):
        """(words, value); known: one of the list, where the words around it do not say what it is."""
        if not self.values:
            w, v = make_value(r, self.make or ("int:1-50" if self.type == "integer" else "word"))
        else:
            if (self.type == "string" and not self.enum and len(self.values) > 5 and isinstance(self.values[0], str) and not known
                and not self.fixed and r.chance(0.4)):
                w = like(r, r.pick(self.values))  # another value of the same look, so that it must be copied
                return w, w if self.key in FREE else bare(w)
            x = r.pick(self.values) if len(self.values) < 5 or isinstance(self.values[0], (list, dict)) else r.entity(self.values)
            if isinstance(x, list) and len(x) == 2 and self.type != "array":
                w, v = str(x[0]), x[1]
            elif isinstance(x, list) and len(x) == 2 and isinstance(x[1], list):
                w, v = str(x[0]), x[1]
            elif isinstance(x, list):
                v = x
                w = ", ".join(map(str, x[:-1])) + (" and " if len(x) > 1 else "") + str(x[-1])
            else:
                w, v = str(x), x
        if self.type == "integer":
            v = int(float(v))
        elif self.type == "number":
            v = float(v)
            v = int(v) if v == int(v) else v
        elif self.type == "boolean":
            v = v is True or str(v).lower() in ("true", "yes", "on", "1")
        elif self.type == "array" and not isinstance(v, list):
            v = [v]
        elif self.type == "string":
            v = str(v)
            if self.values and not self.enum and v == w and self.key not in FREE:  # "the winter relay" is said, winter relay is meant
                v = bare(v)
        return w, v

    def schema(self):
        return schema(self.type, self.enum, self.description)


CAMEL = re.compile(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])")
WEAK = set("with that this from they them have when what which whose there their your into only the and for use used does done one once all any its it is are can will how many much give gives given get gets tell tells returns return show shows list name named wants somebody "
           "set sets make makes new takes take needs need value number text call says".split())


def content(text):
    """The words of a text that say what it is about, without their endings."""
    return {w[:6] for w in CAMEL.sub(" ", text).lower().split() if len(w) > 3 and w not in WEAK}


# Values whose look tells where they begin and end.
PLAIN_LOOK = set("date day past weekday time email url path file folder code id price phone domain ip version month year size priority mode status".split())


LATER = {kind: asks.split("|") for name in ("set_asks.txt", "tool_asks.txt") for kind, asks in read_rows(name)}  # written later


class Kind:
    """A kind of tool and how people ask for it."""

    sort = "written"  # its line in the evaluation's table

    def __init__(self, o):
        self.kind, self.names, self.descriptions = o["kind"], o["names"], o["descriptions"]
        self.params = [Param(p) for p in o["params"]]
        keys, need = {p.key for p in self.params}, {p.key for p in self.params if p.required}
        good = lambda t: need <= set(slots_of(t)) and set(slots_of(t)) <= keys
        first = [t for t in o["asks"] if good(t)]
        self.asks = Phrases(first, [t for t in LATER.get(self.kind, ()) if good(t)])
        tail = Phrases(first).held if len(first) > 4 else ()
        self.asks.train = tuple(t for t in self.asks.train if t not in tail)  # what was written twice stays held out
        without = [t for list_ in (o.get("asks_without") or {}).values() for t in list_ if good(t)]
        self.without = Phrases(without) if without else None
        self.results, self.answers = o.get("result") or ["Done."], o.get("answers") or ["Done."]
        self.held = bool(o.get("held"))
        self.extra = o.get("extra") or {}
        self.ok = len(self.asks.train) > 0
        self.line = content(" ".join(self.names + self.descriptions + [n for p in self.params for n in p.names]))
        self.loose = {p.key for p in self.params if p.type == "string" and not p.enum and p.key not in PLAIN_LOOK and str(p.make).removeprefix("v:").partition(":")[0] not in PLAIN_LOOK}
        self._thin = {}
        self.whole()

    def whole(self):
        """Keeps all phrasings together, for kinds of which training sees none."""
        for p in (self.asks, self.without):
            if p:
                p.all = tuple(dict.fromkeys(p.train + p.held))

    def only(self, keep):
        """Leaves the phrasings that keep(phrasing) is true of, after the division: what is held out stays so."""
        self.asks.only(keep)
        if self.without and not (self.without.only(keep).train and self.without.held):
            self.without = None
        self.whole()

    def thin(self, template):
        """Whether a phrasing shares no telling word with the tool's line, so that only its values tell."""
        out = self._thin.get(template)
        if out is None:
            out = self._thin[template] = not content(" ".join(parts(template)[::2])) & self.line
        return out

    def bind(self, r):
        name, text = r.pick(self.names), r.pick(self.descriptions)
        if len(text) < 22 and r.chance(0.5):  # a few words alone leave much to guess: not too often
            text = r.pick(self.descriptions)
        if r.chance(0.08):  # a name that says nothing: the description must be read, and must say enough
            name = r.pick([lambda: "tool_%d" % r.int(1, 99), lambda: r.made(lambda: r.syllables(2)),
                           lambda: "fn_" + r.pick("abcdefgh") + str(r.int(1, 9)), lambda: r.noun() + "_" + str(r.int(1, 9))])()
            text = max(self.descriptions, key=len)
        names = {}
        for p in self.params:  # no two parameters of one name
            names[p.key] = r.pick([n for n in p.names if n not in names.values()] or [p.key])
        return Bound(self, name, text, names)


def in_line(r, template, p, w, v):
    """The words for a whole number: in letters now and then, where they stand by themselves ("for eight minutes", but "#8")."""
    at = template.index("{%s}" % p.key)
    end = at + len(p.key) + 2
    if template[:at][-1:] not in ("", " ", "(") or template[end:end + 1] not in ("", " ", ",", ".", ";", "?", "!", ")"):
        return str(v)
    return said_number(r, v) if str(p.make).startswith("int") and r.chance(0.5) else w


class Bound:
    """A kind under one name."""

    def __init__(self, kind, name, description, names, order=None):
        """order: the parameters as the tool's line has them, where that is not the list's order."""
        self.kind, self.sort, self.names, self.results, self.answers = kind, kind.sort, names, kind.results, kind.answers
        props, req = {}, []
        for p in order or kind.params:
            props[names[p.key]] = p.schema()
            if p.required:
                req.append(names[p.key])
        self.spec = {"name": name, "description": description, "parameters": {"type": "object", "properties": props, "required": req}}

    def template(self, r):
        k = self.kind
        some = k.without if k.without and r.chance(0.3) else k.asks
        return r.pick(some.all) if k.held else r.phrase(some)  # of a kind that is held out training sees no phrasing at all

    def wish(self, r):
        """(template, words by slot, arguments)"""
        k, t = self.kind, self.template(r)
        used, known = set(slots_of(t)), k.thin(t)
        words, args = {}, {}
        for p in k.params:
            if p.key in used:
                w, v = p.value(r, known)
                if p.type == "integer":
                    w = in_line(r, t, p, w, v)
                if p.type == "string" and (w in words.values() or v in args.values()):  # from A to A is no wish
                    w, v = p.value(r, known)
                words[p.key], args[self.names[p.key]] = w, v
        return self.apart(t, words), words, args

    def apart(self, t, words):
        """The second of two names beside each other in quotes, where nobody could tell where the first one ends."""
        p = parts(t)
        for i in range(2, len(p) - 1, 2):
            a, b = p[i - 1], p[i + 1]
            if p[i] == " " and {a, b} <= self.kind.loose and " " in words[a] + words[b]:
                t = t.replace("{%s} {%s}" % (a, b), '{%s} "{%s}"' % (a, b))
        return t

    def outcome(self, r, words):
        """(result, answer, what of the result the answer must hold: all that it newly says)"""
        k, result = self.kind, r.pick(self.results)
        slots = dict(words)
        for s in sorted(set(slots_of(result))):  # in an order that a seed repeats
            if s not in slots:
                p = next((p for p in k.params if p.key == s), None)
                slots[s] = p.value(r)[0] if p else make_value(r, k.extra[s])[0] if s in k.extra else extra(r, s)
        fits, new = tellers(result, self.answers, [w for w in words if w[0] not in "~#"])
        text = fill(result, slots)
        if not fits:
            return text, "The tool says: " + " ".join(text.split()), [" ".join(text.split())[:40]]
        answer = new and r.chance(OWN_WORDS) and in_own_words(r, text, words) or fill(r.pick(fits), slots)
        keys = list(dict.fromkeys(str(slots[s]) for s in new))
        if not keys:  # nothing new: what it is about, or what was done
            keys = [[str(w) for w in words.values() if w] + [w for w in answer.rstrip(".").split() if len(w) > 4]]
        return text, answer, keys


def extra(r, s):
    low = s.rstrip("0123456789").lower()
    if low in ("n", "count", "num", "k", "total", "amount", "minutes", "hours", "days", "percent", "level", "temp", "qty", "size",
               "distance"):
        return str(r.int(1, 300))
    if low in ("date",):
        return r.day()
    return make_value(r, low)[0]


def read_kinds(objects):
    out = []
    for o in objects:
        k = Kind(o)
        if k.ok:
            out.append(k)
    return out


KINDS = read_kinds(read_objects("tools-*.jsonl"))
TRAIN = [k for k in KINDS if not k.held]
HELD = [k for k in KINDS if k.held]


class Set:
    """Tools that come together, as one server has them."""

    def __init__(self, o):
        self.name, self.held, self.clash = o["set"], bool(o.get("held")), set(o.get("clash") or ())
        self.kinds = read_kinds(dict(k, held=self.held) for k in o["tools"])
        for k in self.kinds:
            k.sort = "set"


SETS = [Set(o) for o in read_objects("sets-*.jsonl")]
SETS_TRAIN, SETS_HELD = [s for s in SETS if not s.held], [s for s in SETS if s.held]
