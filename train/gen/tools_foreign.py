"""Tools that are not the hall's own: which are on offer, and tasks with them."""
from . import tools_made, tools_meaning, tools_relation
from .chat_call import make_call
from .conv import lower_first, speak, thinks
from .messages import check_calls, check_honest, check_text
from .phrases import Phrases
from .slots import fill
from .tools_aside import aside
from .tools_forms import FORMS
from .tools_kind import CAMEL, HELD, SETS_HELD, SETS_TRAIN, TRAIN, content
from .tools_rename import rename
from .tools_swap import swap, swap_all, twins
from .tools_tell import reading
from .tools_value import listed
from .tools_words import Action

# --- offers ---

def from_set(r, n, own):
    """Some tools of one set."""
    pool = SETS_HELD if r.held and SETS_HELD and r.chance(0.7) else SETS_TRAIN
    pool = [s for s in pool if not s.clash & own]
    if not pool:
        return tools_made.offer(r, n, own)
    s = r.pick(pool)
    kinds = r.some(s.kinds, n)
    out = swap_all(r, bind_some(r, kinds)) if not r.held and r.chance(0.25) else bind_all(r, kinds)
    prefix = r.pick(("", "", "", s.name.split(" ")[0] + "_", s.name.split(" ")[0] + "__"))
    if prefix and not any(b.spec["name"].startswith(prefix) for b in out):
        for b in out:
            b.spec["name"] = prefix + b.spec["name"]
    return out


def from_lists(r, n, own=None):
    """Some written kinds, half of the time such as were written beside each other: those are of like matters."""
    pool = HELD if r.held and r.chance(0.7) else TRAIN
    if r.chance(0.5) and len(pool) > 3 * n:
        at = r.int(0, len(pool) - 2 * n)
        pool = pool[at:at + 2 * n]
    return bind_all(r, r.some(pool, n))


def from_relations(r, n, own=None):
    """One or two tools of relations, among written kinds."""
    out = bind_all(r, tools_relation.some(r, n))
    return out + (from_lists(r, n - len(out)) if n > len(out) else [])


def from_meanings(r, n, own=None):
    """Tools that are asked for without their words."""
    return bind_some(r, tools_meaning.some(r, n))


def bind_some(r, kinds):
    """Kinds under names, in training often with other names and another order of their parameters."""
    out = [k.bind(r) for k in kinds]
    return out if r.held else [rename(r, b) if r.chance(0.45) else b for b in out]


def bind_all(r, kinds):
    out = bind_some(r, kinds)
    if r.held:
        return out
    out = [swap(r, b) if r.chance(0.25) else b for b in out]
    if len(out) > 1 and r.chance(0.15):
        out[-2:] = twins(r, bind_some(r, [out[-1].kind])[0])
    return out


def offer(r, n, own=()):
    """n foreign tools, about, under names that differ; own are the names of the hall's tools beside them."""
    own = set(own)
    if n > 4 and not own and r.chance(0.3):
        n += r.int(1, 4)
    sources = ((5, tools_made.offer), (3.5, from_set), (5, from_lists), (6, from_relations), (3, from_meanings))
    source = r.weighted(sources)
    chosen = source(r, n, own)
    if n > 2 and r.chance(0.3):  # two sources
        other = r.weighted(sources)
        chosen = chosen[:n - n // 3] + other(r, n // 3, own)
        tools_made.settle([b for b in chosen if isinstance(b, tools_made.Made)])
    out, names, kinds = [], set(own), set()
    for b in chosen:
        kind = (id(b.kind), getattr(b, "new", None))  # twins are of one kind, with different words
        if b.spec["name"] not in names and kind not in kinds:
            names.add(b.spec["name"])
            kinds.add(kind)
            out.append(b)
    return out


# What the tool says that it does comes first, then its name, in the order of the tool's line: the wish is
# matched with the words, and the name is what follows them.
CALL_THINK = thinks("""They want this: {m}
What fits: {m}
This is a wish for: {m}
One does it: {m}""")
# What is new in the result is named, so that nothing of it is left out.
SAID_THINK = thinks("""The tool answered, and new is {v}; I tell all of it.
It worked, and I say all that came back: {v}.
The result is there; I report what is new: {v}.
I tell them all that the tool says: {v}.""")
PLAIN_THINK = thinks("""It worked, and nothing new came back; I say that it is done.
It is done, and there is nothing else to tell.""")


def report(r, b, keys):
    """A thought about a result."""
    new = [k for k in keys if isinstance(k, str)]
    if b.sort == "made" and b.action.family == "get":
        return "They asked for the %s, and it is %s." % (b.attr.name, new[0])
    if b.sort == "made" and b.action.family == "list" and not new:
        return "Nothing was found, and I say so."
    return fill(r.pick(SAID_THINK), {"v": listed(new)}) if new else r.pick(PLAIN_THINK)


def short(text):
    """The first sentence of a description."""
    text = text.split(". ")[0].rstrip(".")
    return (text if len(text) < 90 else text[:90].rsplit(" ", 1)[0]) + "."


def group_of(r, b):
    """Which line of the table a call counts in: unseen are kinds, sets, and objects with actions that training never sees."""
    return "unseen_tools" if b.kind.held or not r.held else "foreign_tools"


def meaning(b, said, words, args):
    """What a thought says of a call: what the tool does, its name, and which words are which value."""
    return "%s -> %s%s" % (short(b.spec["description"]), b.spec["name"], reading(b, said, words, args))


def call_it(c, b, args, words, said, think="", group=None):
    """The call of a foreign tool; the check says of which sort the tool is, a line of its own in the table."""
    r, name = c.r, b.spec["name"]
    calls = [make_call(name, args, b.spec)]
    check = check_calls(calls, group or group_of(r, b))
    check["kind"] = b.sort
    c.call(fill(think or r.pick(CALL_THINK), {"m": meaning(b, said, words, args)}), calls, check=check)


HURRY = {"urgent", "express", "rush", "priority", "urgency", "importance", "speed", "mode", "pace", "fast", "asap", "date", "day", "when"}


def hurried(b):
    """Whether the tool asks how urgent a thing is or when: "asap" at the end of a wish would then be an answer."""
    return any(HURRY & set(CAMEL.sub(" ", n).lower().split()) for n in b.spec["parameters"]["properties"])


def use(c, bound=None, group=None):
    """A wish for a foreign tool on offer."""
    r = c.r
    b = bound or r.pick(c.foreign)
    t, words, args = b.wish(r)
    said = speak(r, t, words, typos=False, frame=not hurried(b))[0]
    if b.sort != "made" and r.chance(0.05 if r.held else 0.12):
        said = aside(r, said, t)
    c.say(said)
    call_it(c, b, args, words, said, group=group)
    finish(c, b, words)
    c.done()


def finish(c, b, words):
    r, name = c.r, b.spec["name"]
    if r.chance(0.08):
        why = r.pick(FAILS).replace("%d", str(r.int(10, 999)))
        c.result(name, why, failed=r.chance(0.6), unavailable=False, plain=r.chance(0.3))
        c.answer("It did not work; I quote the reason.", "That did not work. %s said: %s." % (name, why), check_text("errors", [why]))
    else:
        text, ans, keys = b.outcome(r, words)
        c.result(name, text, plain=r.chance(0.2))
        c.answer(report(r, b, keys), ans, check_text("extraction", keys))
    c.about = None


FAILS = ["the service does not answer", "not found", "permission denied", "the quota for today is used up", "timeout after 10 s", "invalid value", "the device is offline", "no entry with that name", "internal error 500", "login needed", "too many requests",
         "the account is locked", "the token has expired", "no such entry", "it is in use by somebody else", "the database is read-only", "the value is out of range", "connection refused", "the queue is full", "already done", "already exists", "not allowed at this hour", "the licence has run out",
         "the server is being maintained", "unknown format", "a required field is empty", "the other side hung up", "disk full", "no answer within 30 s", "status 503", "error E%d", "the lock could not be taken", "the battery is too low", "sensor fault", "certificate invalid", "rate limit exceeded", "bad gateway", "the file is too large", "the day is fully booked"]

def line_words(spec):
    return content(spec["name"] + " " + spec["description"])


def absent(c):
    """A tool that is not on offer and that shares no telling word with one that is."""
    r = c.r
    have = set()
    for s in c.specs:
        have |= line_words(s)
    for _ in range(12):
        # where the web can be searched, only something to be done is out of reach
        if r.chance(0.5) and not c.has("web_search"):
            b = r.pick(HELD if r.held else TRAIN).bind(r)
        else:
            b = tools_made.make(r, tools_made.thing(r), r.pick(("set", "act", "new", "to")))
            b.only_verb = b.alone = False  # what is to be done, and with what, is always named
        words = line_words(b.spec) | content(b.obj.noun if b.sort == "made" else b.kind.kind.replace("_", " "))
        if not words & have:
            return b
    return None


# Things that may be meant by many words: no wish for another thing is told apart from them for certain.
WIDE = set("machine room item report form table record row user member contact event message post key door plant board team game character order product customer document page view frame".split())


def free_verb(a, beside):
    """Whether no tool for the same thing could be meant by an action."""
    mine = {a.verb, *a.others}
    for o in beside:
        if o.action.near == a.near or mine & {o.action.verb, *o.action.others} or o.attr and o.attr.name in ("status", "mode", "description"):
            return False
    return True


def neighbour(c):
    """Another action with a thing for which there are tools, or an action that is on offer for another thing: near, but not the same."""
    r = c.r
    ones = [b for b in c.foreign if b.sort == "made"]
    if not ones or len(ones) < len(c.foreign) or len(c.specs) > len(c.foreign) and r.chance(0.5):
        return None  # what written tools are good for is not known here
    b = r.pick(ones)
    lines = set()
    for s in c.specs:
        lines |= line_words(s)
    for _ in range(8):
        if r.chance(0.6) or b.action.family != "act":
            a, obj = tools_made.action(r, "act"), b.obj
            beside = [o for o in ones if o.obj.noun == obj.noun]
            fine = free_verb(a, beside) and not content(" ".join([a.verb] + a.others)) & lines
        else:
            a, obj = b.action, tools_made.thing(r)
            fine = (obj.domain != b.obj.domain and b.obj.noun not in WIDE and obj.noun not in WIDE
                    and not content(" ".join([obj.noun] + obj.others)) & lines and content(obj.noun))
        if fine:
            out = tools_made.make(r, obj, act=Action("act", a.verb, a.done, a.others, [], a.held))
            out.rivals, out.alone, out.only_verb = (), False, False
            return out
    return None


def none_fits(c):
    """A wish for a tool that is not on offer, among others that are."""
    r = c.r
    b = r.chance(0.45) and neighbour(c) or absent(c)
    if b is None:
        return use(c) if c.foreign else c.done()
    t, words, _ = b.wish(r)
    said, core = speak(r, t, words)
    c.say(said)
    wanted = "%s, %s" % (b.obj.noun, b.action.verb) if b.sort == "made" and r.chance(0.7) else ""
    # The host knows these thoughts by how they begin (fits.go).
    c.answer("No tool on offer does that%s; I must not use another one for it." % (wanted and ", " + wanted),
             "I can't do that: none of my tools fits. Another tool or a larger model would be needed.", check_honest("unknown"))
    c.about = None
    c.done()


TWO = Phrases(FORMS["two"], FORMS["two_more"], FORMS["two_third"]).only(lambda f: "{a}" in f and "{b}" in f)  # "{a} | {b}" is cut at its bar
SEVERAL = Phrases(FORMS["several"])


def open_end(b, t):
    """Whether a wish ends in free words, which only a full stop ends."""
    return b.sort == "made" and any(t.endswith("{%s}" % p.key) for p in b.params if p.how in ("note", "title", "short"))


def joined(r, b, t, first, second):
    """Two wishes in one message."""
    form = r.phrase(TWO)
    for _ in range(12):
        if not open_end(b, t) or "{a}. " in form or "{a}; " in form:
            break
        form = r.phrase(TWO)
    return form.replace("{a}", lower_first(first) if not form.startswith("{a}") else first).replace("{b}", second)


def two_things(c, b):
    """One action for two things: two calls of one tool."""
    r, p = c.r, b.by("x")
    (x, v), (y, w) = p.value(r), p.value(r)
    if v == w or any(" and " in str(k) for k in (x, y)):
        return None
    o, os = tools_made.wish.noun_for(r, b)
    np = r.phrase(SEVERAL).replace("{os}", os).replace("{o}", o)
    if r.chance(0.3):
        text = r.phrase(tools_made.wish.DONE).replace("{np}", np).replace("{d}", b.action.done)
    else:
        text = tools_made.wish.in_frame(r, b.action.verb + " " + np)
    said = speak(r, text, {"x": x, "y": y}, typos=False)[0]
    return said, ({"x": x}, {p.name: v}), ({"x": y}, {p.name: w})


def plain_act(b):
    return (b.sort == "made" and b.action.family == "act" and b.by("x").type in ("string", "integer")
            and [p.key for p in b.params if p.required] == ["x"])


def beginning(text, wish):
    """The first words of one of two wishes, as they stand in the message."""
    if not wish:
        return ""
    at = text.lower().find(wish.lower())
    return ' "%s"' % " ".join(text[at:at + len(wish)].split()[:5]) if at >= 0 else ""


def two_wishes(c):
    """Two calls at once."""
    r = c.r
    b = other = r.pick(c.foreign)
    same = two_things(c, b) if plain_act(b) and r.chance(0.3) else None
    first = second = ""
    if same:
        text, (w1, a1), (w2, a2) = same
    else:
        t1, w1, a1 = b.wish(r)
        if r.chance(0.8):  # mostly another tool: with the same one too often the second call copies the first
            other = r.pick([t for t in c.foreign if t is not b] or c.foreign)
        t2, w2, a2 = other.wish(r)
        if a1 == a2 and b is other:
            return use(c)
        first, second = speak(r, t1, w1, frame=False)[0].rstrip("?.!"), speak(r, t2, w2, frame=False)[0].rstrip("?.!")
        text = joined(r, b, t1, first, lower_first(second) if not t2.startswith("{") else second)
    c.say(text)
    calls = [make_call(b.spec["name"], a1, b.spec), make_call(other.spec["name"], a2, other.spec)]
    d1, d2 = meaning(b, first or text, w1, a1), meaning(other, second or text, w2, a2)
    c.call("Two things are wanted. First%s: %s. Then%s: %s" % (beginning(text, first), d1, beginning(text, second), d2), calls, "two_tools")
    r1, s1, k1 = b.outcome(r, w1)
    r2, s2, k2 = other.outcome(r, w2)
    c.result(b.spec["name"], r1, plain=False)
    c.result(other.spec["name"], r2, plain=False)
    new = [k for k in k1 + k2 if isinstance(k, str)]
    c.answer("Both are done; I report both%s." % (": " + listed(new) if new else ""), s1 + " " + s2, check_text("extraction", k1 + k2))
    c.about = None
    c.done()
