"""Tools that are not the hall's own: which are on offer, and tasks with them."""
from . import tools_made
from .chat_call import make_call
from .conv import lower_first, speak, thinks
from .messages import check_calls, check_honest, check_text
from .slots import fill
from .tools_kind import HELD, SETS_HELD, SETS_TRAIN, TRAIN, content
from .tools_swap import swap, swap_all

# --- offers ---

def from_set(r, n, own):
    """Some tools of one set."""
    pool = SETS_HELD if r.held and SETS_HELD and r.chance(0.7) else SETS_TRAIN
    pool = [s for s in pool if not s.clash & own]
    if not pool:
        return tools_made.offer(r, n, own)
    s = r.pick(pool)
    kinds = r.some(s.kinds, n)
    out = swap_all(r, [k.bind(r) for k in kinds]) if not r.held and r.chance(0.25) else bind_all(r, kinds)
    prefix = r.pick(("", "", "", s.name.split(" ")[0] + "_", s.name.split(" ")[0] + "__"))
    if prefix and not any(b.spec["name"].startswith(prefix) for b in out):
        for b in out:
            b.spec["name"] = prefix + b.spec["name"]
    return out


def from_lists(r, n, own=None):
    return bind_all(r, r.some(HELD if r.held and r.chance(0.7) else TRAIN, n))


def bind_all(r, kinds):
    out = [k.bind(r) for k in kinds]
    return out if r.held else [swap(r, b) if r.chance(0.3) else b for b in out]


def offer(r, n, own=()):
    """n foreign tools, about, under names that differ; own are the names of the hall's tools beside them."""
    own = set(own)
    if n > 4 and not own and r.chance(0.3):
        n += r.int(1, 4)
    source = r.weighted(((5, tools_made.offer), (3, from_set), (4, from_lists)))
    chosen = source(r, n, own)
    if n > 2 and r.chance(0.3):  # two sources
        other = r.weighted(((5, tools_made.offer), (3, from_set), (4, from_lists)))
        chosen = chosen[:n - n // 3] + other(r, n // 3, own)
        tools_made.settle([b for b in chosen if isinstance(b, tools_made.Made)])
    out, names, kinds = [], set(own), set()
    for b in chosen:
        if b.spec["name"] not in names and id(b.kind) not in kinds:
            names.add(b.spec["name"])
            kinds.add(id(b.kind))
            out.append(b)
    return out


# What the tool says that it does comes first, then its name, in the order of the tool's line: the wish is
# matched with the words, and the name is what follows them.
CALL_THINK = thinks("""They want this: {d} -> {n}
What fits: {d} -> {n}
This is a wish for: {d} -> {n}
One does it: {d} -> {n}""")
SAID_THINK = thinks("""The tool answered; I pass it on.
It worked, and I say what came back.
The result is there; I report it.
I tell them what the tool says.""")


def short(text):
    """The first sentence of a description."""
    text = text.split(". ")[0].rstrip(".")
    return (text if len(text) < 90 else text[:90].rsplit(" ", 1)[0]) + "."


def group_of(r, b):
    """Which line of the table a call counts in: unseen are kinds, sets, and objects with actions that training never sees."""
    return "unseen_tools" if b.kind.held or not r.held else "foreign_tools"


def call_it(c, b, args, think="", group=None):
    """The call of a foreign tool; the check says of which sort the tool is, a line of its own in the table."""
    r, name = c.r, b.spec["name"]
    calls = [make_call(name, args, b.spec)]
    check = check_calls(calls, group or group_of(r, b))
    check["kind"] = b.sort
    c.call(think or fill(r.pick(CALL_THINK), {"n": name, "d": short(b.spec["description"])}), calls, check=check)


def use(c, bound=None, group=None):
    """A wish for a foreign tool on offer."""
    r = c.r
    b = bound or r.pick(c.foreign)
    t, words, args = b.wish(r)
    c.say(speak(r, t, words, typos=False)[0])
    call_it(c, b, args, group=group)
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
        words = line_words(b.spec) | content(b.obj.noun if b.sort == "made" else b.kind.kind.replace("_", " "))
        if not words & have:
            return b
    return None


def none_fits(c):
    """A wish for a tool that is not on offer, among others that are."""
    r = c.r
    b = absent(c)
    if b is None:
        return use(c) if c.foreign else c.done()
    t, words, _ = b.wish(r)
    said, core = speak(r, t, words)
    c.say(said)
    c.answer("No tool on offer does that; I must not use another one for it.",
             "I can't do that: none of my tools fits. Another tool or a larger model would be needed.", check_honest("unknown"))
    c.about = None
    c.done()


def two_wishes(c):
    """Two calls at once."""
    r = c.r
    b = r.pick(c.foreign)
    t1, w1, a1 = b.wish(r)
    other = r.pick(c.foreign) if r.chance(0.6) else b
    t2, w2, a2 = other.wish(r)
    if a1 == a2 and b is other:
        return use(c)
    first, second = speak(r, t1, w1, frame=False)[0].rstrip("?.!"), speak(r, t2, w2, frame=False)[0].rstrip("?.!")
    c.say(first + r.pick([", and ", "; also ", " and then ", ", plus ", ". And ", " - and also "]) + lower_first(second)
          if not t2.startswith("{") else first + ", and " + second)
    calls = [make_call(b.spec["name"], a1, b.spec), make_call(other.spec["name"], a2, other.spec)]
    d1, d2 = short(b.spec["description"]), short(other.spec["description"])
    c.call("Two things are wanted. First: %s -> %s. Then: %s -> %s" % (d1, b.spec["name"], d2, other.spec["name"]), calls, "two_tools")
    r1, s1, k1 = b.outcome(r, w1)
    r2, s2, k2 = other.outcome(r, w2)
    c.result(b.spec["name"], r1, plain=False)
    c.result(other.spec["name"], r2, plain=False)
    c.answer("Both are done; I report both.", s1 + " " + s2, check_text("extraction", k1[:2] + k2[:2]))
    c.about = None
    c.done()
