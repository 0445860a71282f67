"""Tools that are not the hall's own: those of train/data/tools-*.jsonl, and made ones."""
from . import lex
from .base import Phrases, check_honest, check_text, fill, read_objects, slots_of
from .chat_call import make_call, written
from .conv import lower_first, speak, thinks


def make_value(r, how):
    """(words, value) for the "make" of a parameter."""
    kind, _, rest = str(how).partition(":")
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
    f = {"name": r.name, "person": r.name, "first": r.first, "first_name": r.first, "city": r.city, "place": r.city, "country": r.country, "date": r.day, "day": lambda: r.pick(lex.WEEKDAYS), "weekday": lambda: r.pick(lex.WEEKDAYS),
         "time": r.time, "email": r.email, "url": r.url, "path": r.path, "file": r.path, "folder": r.folder, "code": r.code, "id": r.code, "word": r.word, "text": lambda: written(r), "org": r.org, "company": r.org,
         "product": r.product, "price": r.price, "topic": r.topic, "sentence": lambda: r.sentence().rstrip("."), "domain": r.domain, "phone": lambda: "0%d %d" % (r.int(20, 99), r.int(100000, 999999)),
         "noun": r.noun, "street": lambda: "%s Street %d" % (r.entity(lex.LAST), r.int(1, 90)), "month": lambda: r.pick(lex.MONTHS), "year": lambda: str(r.int(1990, 2030)), "colour": lambda: r.entity(lex.COLOURS), "color": lambda: r.entity(lex.COLOURS),
         "size": lambda: r.pick(ENUMS["size"]), "priority": lambda: r.pick(ENUMS["priority"]), "mode": lambda: r.pick(ENUMS["mode"]), "status": lambda: r.pick(ENUMS["status"]), "language": lambda: r.pick(ENUMS["language"]), "ip": lambda: "10.%d.%d.%d" % (r.int(0, 255), r.int(0, 255), r.int(1, 254)), "version": lambda: "%d.%d.%d" % (r.int(0, 9), r.int(0, 20), r.int(0, 9))}.get(kind, r.word)
    v = f()
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


class Param:
    def __init__(self, o):
        self.key, self.names, self.type = o["key"], o["names"], o.get("type", "string")
        self.enum, self.required = o.get("enum"), bool(o.get("required"))
        self.values, self.make = o.get("values") or [], o.get("make")
        self.description = o.get("description", "")

    def value(self, r):
        """(words, value)"""
        if not self.values:
            w, v = make_value(r, self.make or ("int:1-50" if self.type == "integer" else "word"))
        else:
            if self.type == "string" and not self.enum and len(self.values) > 5 and isinstance(self.values[0], str) and r.chance(0.25):
                w = like(r, r.pick(self.values))  # another value of the same look, so that it must be copied
                return w, w
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
        return w, v

    def schema(self):
        s = {"type": self.type}
        if self.enum:
            s["enum"] = self.enum
        if self.type == "array":
            s["items"] = {"type": "string"}
        if self.description:
            s["description"] = self.description
        return s


class Kind:
    """A kind of tool and how people ask for it."""

    def __init__(self, o):
        self.kind, self.names, self.descriptions = o["kind"], o["names"], o["descriptions"]
        self.params = [Param(p) for p in o["params"]]
        keys, need = {p.key for p in self.params}, {p.key for p in self.params if p.required}
        good = lambda t: need <= set(slots_of(t)) and set(slots_of(t)) <= keys
        self.asks = Phrases([t for t in o["asks"] if good(t)])
        without = [t for list_ in (o.get("asks_without") or {}).values() for t in list_ if good(t)]
        self.without = Phrases(without) if without else None
        self.results, self.answers = o.get("result") or ["Done."], o.get("answers") or ["Done."]
        self.held = bool(o.get("held"))
        self.extra = o.get("extra") or {}
        self.ok = len(self.asks.train) > 0

    def bind(self, r):
        name = r.pick(self.names)
        if r.chance(0.08):  # a name that says nothing: the description must be read
            name = r.pick([lambda: "tool_%d" % r.int(1, 99), lambda: r.made(lambda: r.syllables(2)), lambda: "fn_" + r.pick("abcdefgh") + str(r.int(1, 9)), lambda: r.noun() + "_" + str(r.int(1, 9))])()
        return Bound(self, name, r.pick(self.descriptions), {p.key: r.pick(p.names) for p in self.params})


class Bound:
    """A kind under one name."""

    def __init__(self, kind, name, description, names):
        self.kind, self.names = kind, names
        props, req = {}, []
        for p in kind.params:
            props[names[p.key]] = p.schema()
            if p.required:
                req.append(names[p.key])
        self.spec = {"name": name, "description": description, "parameters": {"type": "object", "properties": props, "required": req}}

    def wish(self, r):
        """(template, words by slot, arguments)"""
        k = self.kind
        t = r.phrase(k.without) if k.without and r.chance(0.3) else r.phrase(k.asks)
        used = set(slots_of(t))
        words, args = {}, {}
        for p in k.params:
            if p.key in used:
                words[p.key], args[self.names[p.key]] = p.value(r)
        return t, words, args

    def outcome(self, r, words):
        """(result, answer, words of the answer that come from the result)"""
        k = self.kind
        result = r.pick(k.results)
        known = set(slots_of(result)) | set(words)
        fits = [a for a in k.answers if set(slots_of(a)) <= known]
        missing = [p.key for p in k.params if p.key not in words]
        slots = dict(words)
        for s in sorted(known):  # in an order that a seed repeats
            if s not in slots:
                p = next((p for p in k.params if p.key == s), None)
                slots[s] = p.value(r)[0] if p else make_value(r, k.extra[s])[0] if s in k.extra else extra(r, s)
        fits = [a for a in fits if not set(slots_of(a)) & (set(missing) - set(slots_of(result)))]
        if not fits:
            text = fill(result, slots)
            return text, "The tool says: " + " ".join(text.split()), [" ".join(text.split())[:40]]
        answer = r.pick(fits)
        keys = [str(slots[s]) for s in slots_of(answer) if s in set(slots_of(result))]
        return fill(result, slots), fill(answer, slots), keys or [str(slots[s]) for s in slots_of(answer)]


def extra(r, s):
    low = s.rstrip("0123456789").lower()
    if low in ("n", "count", "num", "k", "total", "amount", "minutes", "hours", "days", "percent", "level", "temp", "qty", "size", "distance"):
        return str(r.int(1, 300))
    if low in ("date",):
        return r.day()
    return make_value(r, low)[0]


KINDS = []
for _o in read_objects("tools-*.jsonl"):
    try:
        _k = Kind(_o)
    except (KeyError, TypeError, ValueError):
        continue
    if _k.ok:
        KINDS.append(_k)
TRAIN = [k for k in KINDS if not k.held]
HELD = [k for k in KINDS if k.held]

# --- made tools ---

VERBS = """start=start,launch,begin,fire up,kick off|stop=stop,halt,end,shut down|open=open,unlock,open up|close=close,shut|book=book,reserve,get me|cancel=cancel,call off,drop|order=order,buy,get|send=send,mail,ship|
move=move,shift,bring|check=check,look at,inspect|count=count,tally|paint=paint,colour|clean=clean,wash,tidy|lock=lock,secure|scan=scan,read in|rent=rent,hire|repair=repair,fix,mend|schedule=schedule,plan,set a time for|
archive=archive,file away|publish=publish,put online,release|approve=approve,sign off,accept|reject=reject,turn down,refuse|assign=assign,give,hand over|measure=measure,gauge|print=print,put on paper|delete=delete,remove,get rid of|
rename=rename,give another name to|copy=copy,duplicate|track=track,follow,trace|rate=rate,score,judge|mute=mute,silence|restart=restart,reboot,start again|feed=feed,give food to|calibrate=calibrate,adjust|
inflate=inflate,pump up|label=label,tag,mark|weigh=weigh,put on the scales|freeze=freeze,put on hold|pause=pause,hold|resume=resume,continue,go on with|export=export,save out|import=import,bring in|test=test,try out|
charge=charge,load|empty=empty,clear out|fill=fill,top up|lend=lend,give out|return=return,give back|translate=translate|compress=compress,shrink""".replace("\n", "").split("|")
VERBS = [(v.split("=")[0], v.split("=")[1].split(",")) for v in VERBS]
OBJECTS = """pump boiler lamp oven drone robot camera door gate valve server queue job ticket invoice parcel order room desk car bike boat flight seat table greenhouse tank sensor printer scanner shelf locker crane lift ferry
tram playlist song album recipe meal plant bed field cow herd hive barrel batch shipment container pallet contract policy claim patient sample test report chart dashboard survey poll campaign mailbox folder board card task sprint
branch build release cluster node bucket table index user account group role key badge meter turbine panel battery kiln loom press mould statue exhibit ticket tour guide bus stop""".split()
ATTRS = """price|string:price status|string:status temperature|integer:int:5-40 speed|integer:int:1-120 owner|string:first colour|string:colour size|string:size level|integer:int:1-10 address|string:street weight|integer:int:1-90
volume|integer:int:0-100 brightness|integer:int:1-100 title|string:topic deadline|string:date priority|string:priority location|string:city quantity|integer:int:1-200 duration|integer:int:1-90 mode|string:mode label|string:word
humidity|integer:int:10-90 pressure|integer:int:1-9 limit|integer:int:1-999 budget|integer:int:100-9000 rating|integer:int:1-5 language|string:language timer|integer:int:1-120 capacity|integer:int:1-500 version|string:version""".split()
ATTRS = [(a.split("|")[0],) + tuple(a.split("|")[1].split(":", 1)) for a in ATTRS]
ENUMS = {"priority": ["low", "normal", "high"], "mode": ["eco", "normal", "boost"], "status": ["open", "done", "late", "blocked"], "size": ["small", "medium", "large"], "language": ["en", "de", "fr"]}
ENUMWORDS = {"language": [["English", "en"], ["German", "de"], ["French", "fr"]]}
NAMED = ["name", "id", "target", "item", "which", "ref", "key", "object", "subject", "what"]


def name_of(r, *words):
    words = [w.replace(" ", "_") for w in words]
    x = r.random()
    if x < 0.5:
        return "_".join(words)
    if x < 0.75:
        return words[0] + "".join(w.capitalize() for w in words[1:])
    if x < 0.9:
        return r.pick(["srv", "app", "my", "ext", "mcp", "svc", r.noun()]) + r.pick(["__", "_"]) + "_".join(words)
    return "_".join(reversed(words))


def unit_name(r):
    return r.weighted([(3, lambda: r.code()), (3, lambda: r.noun()), (2, lambda: r.first()), (2, lambda: r.made(lambda: r.syllables(2))), (2, lambda: r.pick("ABCDEFGH") + str(r.int(1, 40))), (1, lambda: str(r.int(1, 999)))])()


SET_ASK = """set the {attr} of {obj} {x} to {v}|change {obj} {x}'s {attr} to {v}|{obj} {x} should have {attr} {v}|make the {attr} of {obj} {x} {v}|put {obj} {x} at {attr} {v}|I want {v} as the {attr} of {obj} {x}|
{attr} of {obj} {x}: {v}|give {obj} {x} the {attr} {v}|adjust {obj} {x} to {attr} {v}|the {attr} of {obj} {x} has to be {v}|update {obj} {x}, {attr} {v}|could {obj} {x} get {attr} {v}?""".replace("\n", "").split("|")
GET_ASK = """what's the {attr} of {obj} {x}?|tell me the {attr} of {obj} {x}|which {attr} does {obj} {x} have?|{obj} {x}, what {attr}?|I need the {attr} for {obj} {x}|look up the {attr} of {obj} {x}|how is the {attr} of {obj} {x}?|
can you get me {obj} {x}'s {attr}|check the {attr} of {obj} {x}|do you know the {attr} of {obj} {x}?|{attr} of {obj} {x} please|find out the {attr} of {obj} {x}""".replace("\n", "").split("|")
DO_ASK = """{verb} {obj} {x}|{verb} the {obj} {x}|please {verb} {obj} {x}|could you {verb} {obj} {x}?|I'd like you to {verb} the {obj} called {x}|{obj} {x}: {verb} it|can you {verb} {obj} {x} for me|it's time to {verb} {obj} {x}|
go and {verb} {obj} {x}|we need to {verb} the {obj} {x}|time to {verb} {obj} {x}, please|{verb} that {obj} named {x}""".replace("\n", "").split("|")


def made_kinds(r, n):
    """n tools that are near each other: they share an object or a verb."""
    out, seen = [], set()
    obj = r.entity(OBJECTS) if r.chance(0.8) else r.made(lambda: r.syllables(2))
    share = r.chance(0.6)
    for _ in range(n * 3):
        if len(out) == n:
            break
        if not share:
            obj = r.entity(OBJECTS) if r.chance(0.8) else r.made(lambda: r.syllables(2))
        form = r.weighted([(3, "get"), (3, "set"), (4, "do")])
        attr = r.pick(ATTRS)
        verb = r.entity(VERBS)
        key = (form, obj, attr[0] if form != "do" else verb[0])
        if key in seen:
            continue
        seen.add(key)
        out.append(made_kind(r, form, obj, attr, verb))
    return out


def made_kind(r, form, obj, attr, verb):
    a, type_, how = attr
    id_names = [obj + "_id", obj, r.pick(NAMED), r.pick(NAMED), obj + "_name", r.pick(["p1", "a", "x", "arg", "input"])]
    unit = {"key": "x", "names": id_names, "type": "string", "required": True, "values": [unit_name(r) for _ in range(3)]}
    params, without = [unit], {}
    shown = a.replace("_", " ")
    if form == "get":
        names = [name_of(r, r.pick(["get", "read", "fetch", "show", "query", "lookup"]), obj, a), name_of(r, obj, a)]
        desc = r.pick(["Returns the {a} of a {o}.", "Get the {a} of one {o}.", "Look up how the {a} of a {o} stands.", "Reads the {a} from the {o} with that id.", "{A} of a {o}.", "Tells you the current {a} of the given {o}."])
        asks = [fill(t, {"attr": shown, "obj": obj}) for t in GET_ASK]
        result = ["The {a} of {o} {x} is {z}.", '{"{o}": "{x}", "{a}": "{z}"}', "{a}: {z}"]
        answers = ["The {a} of {o} {x} is {z}."]
    elif form == "set":
        v = {"key": "v", "names": [a, "value", "new_" + a, a + "_value", "to"], "type": type_, "required": True}
        if how in ENUMS:
            v["enum"] = ENUMS[how]
            v["values"] = ENUMWORDS.get(how, ENUMS[how])
        else:
            v["make"] = how
        params.append(v)
        names = [name_of(r, r.pick(["set", "change", "update", "adjust"]), obj, a), name_of(r, obj, a, "set")]
        desc = r.pick(["Sets the {a} of a {o}.", "Change the {a} of one {o} to a new value.", "Update {a} ({o}).", "Gives a {o} another {a}.", "Adjusts how the {a} of a {o} is set. Takes effect at once."])
        asks = [fill(t, {"attr": shown, "obj": obj}) for t in SET_ASK]
        result = ["{o} {x}: {a} is now {v}.", '{"ok": true, "{o}": "{x}", "{a}": "{v}"}', "Done, reference {code}."]
        answers = ["Done: the {a} of {o} {x} is now {v}."]
    else:
        names = [name_of(r, verb[0], obj), name_of(r, obj, verb[0]), name_of(r, r.pick(verb[1]).split(" ")[0], obj)]
        desc = r.pick(["{V} a {o}.", "{V}s the {o} that you name.", "Use this to {v} a {o}.", "{V} one {o} by its name. Says when it is done.", "{o} control: {v}."])
        words = verb[1]
        asks = [fill(t, {"verb": r.pick(words), "obj": obj}) for t in DO_ASK]
        result = ["{o} {x}: done ({code}).", '{"status": "ok", "{o}": "{x}", "reference": "{code}"}', "{V} of {o} {x} finished at {time}."]
        answers = ["Done: {o} {x}, reference {code}."] if r.chance(0.5) else ["Done with {o} {x}."]
        if r.chance(0.45):
            o = r.pick([{"key": "n", "names": ["count", "times", "amount", "quantity"], "type": "integer", "make": "int:2-40"}, {"key": "t", "names": ["time", "at", "when"], "type": "string", "make": "time"},
                        {"key": "d", "names": ["date", "day", "on_date"], "type": "string", "make": "date"}, {"key": "p", "names": ["person", "by", "assignee", "who"], "type": "string", "make": "first"},
                        {"key": "f", "names": ["force", "urgent", "now"], "type": "boolean", "values": [["at once", True], ["right now", True], ["urgently", True], ["without hurry", False], ["when there is time", False]]}])
            o["required"] = r.chance(0.3)
            params.append(o)
            tail = {"n": [" {n} times", ", {n} of it"], "t": [" at {t}", ", at {t}"], "d": [" on {d}"], "p": [" for {p}", ", tell {p}"], "f": [" {f}", ", {f}"]}[o["key"]]
            plain = asks
            asks = [t.rstrip("?") + r.pick(tail) + ("?" if t.endswith("?") else "") for t in asks]
            if not o["required"]:
                without = {o["key"]: plain}
    slots = {"a": shown, "A": shown.capitalize(), "o": obj, "v": verb[0], "V": verb[0].capitalize()}
    keep = {"x", "v", "z", "code", "time"}
    fix = lambda t: fill(t, {k: v for k, v in slots.items() if k not in keep or (k == "v" and form != "set")})
    kind = Kind({"kind": "made", "names": names, "descriptions": [fix(desc)], "params": params, "asks": asks, "asks_without": without,
                 "result": [fix(t) for t in result], "answers": [fix(t) for t in answers], "held": False, "extra": {"z": how}})
    return kind


def offer(r, n, kinds=None):
    """n foreign tools under names that differ."""
    out, names = [], set()
    pool = kinds or (HELD if r.held and HELD and r.chance(0.7) else TRAIN)
    chosen = r.some(pool, n) if pool and r.chance(0.7) else made_kinds(r, n)
    if pool and n > 2 and r.chance(0.3):
        chosen = chosen[:n // 2] + made_kinds(r, n - n // 2)
    for k in chosen:
        b = k.bind(r)
        if b.spec["name"] not in names:
            names.add(b.spec["name"])
            out.append(b)
    return out


# What the tool says that it does comes first: the wish is matched with that, and the name follows from it.
CALL_THINK = thinks("""They want this: {d} So I call {n}.
They want this: {d} That is {n}.
{d} That is what they want, so I call {n}.
{d} That fits, so I call {n}.
What fits is this: {d} It is called {n}.
The wish is one for: {d} So I use {n}.""")
SAID_THINK = thinks("""The tool answered; I pass it on.
It worked, and I say what came back.
The result is there; I report it.
I tell them what the tool says.""")


def short(text):
    """The first sentence of a description."""
    text = text.split(". ")[0].rstrip(".")
    return (text if len(text) < 90 else text[:90].rsplit(" ", 1)[0]) + "."


def use(c, bound=None, group=None):
    """A wish for a foreign tool on offer."""
    r = c.r
    b = bound or r.pick(c.foreign)
    t, words, args = b.wish(r)
    c.say(speak(r, t, words, typos=False)[0])
    name = b.spec["name"]
    group = group or ("unseen_tools" if b.kind.held or not c.r.held else "foreign_tools")
    c.call(fill(r.pick(CALL_THINK), {"n": name, "d": short(b.spec["description"])}), [make_call(name, args, b.spec)], group)
    finish(c, b, words)
    c.done()


def finish(c, b, words):
    r, name = c.r, b.spec["name"]
    if r.chance(0.08):
        why = r.pick(FAILS)
        c.result(name, why, failed=r.chance(0.6), unavailable=False, plain=r.chance(0.3))
        c.answer("It did not work; I quote the reason.", "That did not work. %s said: %s." % (name, why), check_text("errors", [why]))
    else:
        text, ans, keys = b.outcome(r, words)
        c.result(name, text, plain=r.chance(0.2))
        c.answer(r.pick(SAID_THINK), ans, check_text("extraction", keys[:3]))
    c.about = None


FAILS = ["the service does not answer", "not found", "permission denied", "the quota for today is used up", "timeout after 10 s", "invalid value", "the device is offline", "no entry with that name", "internal error 500", "login needed", "too many requests"]


def none_fits(c):
    """A wish for a tool that is not on offer, among others that are."""
    r = c.r
    have = {b.kind.kind for b in c.foreign}
    for _ in range(10):
        # where the web can be searched, only something to be done is out of reach
        k = r.pick(TRAIN) if TRAIN and r.chance(0.7) and not c.has("web_search") else made_kind(r, r.pick(("set", "do")), r.entity(OBJECTS), r.pick(ATTRS), r.entity(VERBS))
        if k.kind not in have or k.kind == "made":
            break
    b = k.bind(r)
    t, words, _ = b.wish(r)
    said, core = speak(r, t, words)
    c.say(said)
    c.answer("No tool on offer does that; I must not use another one for it.", "I can't do that: none of my tools fits. Another tool or a larger model would be needed.", check_honest("unknown"))
    c.about = None
    c.done()


def two_wishes(c):
    """Two calls at once."""
    r = c.r
    b = r.pick(c.foreign)
    t1, w1, a1 = b.wish(r)
    other = r.pick(c.foreign) if r.chance(0.5) else b
    t2, w2, a2 = other.wish(r)
    if a1 == a2 and b is other:
        return use(c)
    first, second = speak(r, t1, w1, frame=False)[0].rstrip("?.!"), speak(r, t2, w2, frame=False)[0].rstrip("?.!")
    c.say(first + r.pick([", and ", "; also ", " and then ", ", plus ", ". And ", " - and also "]) + lower_first(second) if not t2.startswith("{") else first + ", and " + second)
    calls = [make_call(b.spec["name"], a1, b.spec), make_call(other.spec["name"], a2, other.spec)]
    d1, d2 = short(b.spec["description"]), short(other.spec["description"])
    c.call("Two things are wanted. First: %s That is %s. Then: %s That is %s." % (d1, b.spec["name"], d2, other.spec["name"]), calls, "two_tools")
    r1, s1, k1 = b.outcome(r, w1)
    r2, s2, k2 = other.outcome(r, w2)
    c.result(b.spec["name"], r1, plain=False)
    c.result(other.spec["name"], r2, plain=False)
    c.answer("Both are done; I report both.", s1 + " " + s2, check_text("extraction", k1[:2] + k2[:2]))
    c.about = None
    c.done()
