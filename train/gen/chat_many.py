"""Questions about one of many: which value, whose value, which is more, which of them all, and what is not there."""
from . import attrs, crowd, facts, files, layouts_many, quote
from .attrs import READING
from .chat_call import make_call
from .chat_read import PASTE, TWO_ASK, asked, material, noise_entry
from .chat_web import FETCH_THINK, PAGE_Q, hit, page_text
from .chat_asked import IS_SO, WHOSE, agrees, join
from .conv import speak
from .messages import check_honest, check_text
from .phrases import Phrases
from .slots import fill
from .wording import upper_first


def given(c, q, who, form=None, looked_up=True):
    """A question and the document on all of them: pasted, in a file, on a page, or, if it may be, looked up. True where it is material."""
    r = c.r
    x = r.random()
    if x < 0.2 and looked_up:
        text = who.text(r, layouts_many.prose)  # in one line, a table could not be read
        entries = [(upper_first(r.noun()) + r.pick([" list", " notes", "", " overview"]), text)] + [noise_entry(r) for _ in range(r.int(0, 1))]
        c.say(q, material(r, r.shuffled(entries)), before=r.chance(0.12))
        return True
    text = who.text(r, form)
    if x < 0.45 and c.has("fs_read"):
        p = r.path(["txt", "md", "csv", "log", "json"])
        c.say(fill(r.phrase(files.ASK_ABOUT), {"q": q, "path": p}))
        c.call("The answer stands in %s, so I read that file." % p, [make_call("fs_read", {"path": p})])
        c.result("fs_read", files.read_result(c, p, text)[0])
    elif x < 0.6 and c.has("web_fetch"):
        u = r.url()
        c.say(fill(r.phrase(PAGE_Q), {"q": q, "u": u}))
        c.call(fill(r.pick(FETCH_THINK), {"u": u}), [make_call("web_fetch", {"url": u})])
        c.result("web_fetch", page_text(r, hit(r, upper_first(r.topic()), "", u), text.split("\n")))
    elif r.chance(0.4):
        c.say(q + "\n\n<context>\n" + text + "\n</context>")
    else:
        c.say(fill(r.phrase(PASTE), {"q": q, "t": text}))
    return False


def said(r, t, slots):
    return speak(r, t, slots, typos=False)[0]


def one(c):
    """A value of one of them."""
    r = c.r
    w = crowd.crowd(r)
    s, a = r.pick(w.sheets), r.pick(w.attrs)
    needs = given(c, said(r, *s.asking(r, a, True)), w)
    c.answer(asked(r, s, a, "the text"), s.answer(r, a), check_text("extraction", [s.values[a.key]]), needs_material=needs)
    c.about, c.pair = ("sheet", s, a), next(x for x in w.sheets + [None] if x is not s)
    c.done()


def pair(c):
    """The same of two of them."""
    r = c.r
    w = crowd.crowd(r, r.int(3, 6))
    if len(w.sheets) < 2:
        return one(c)
    s, o = r.some(w.sheets, 2)
    a = r.pick(w.attrs)
    needs = given(c, said(r, r.phrase(TWO_ASK), {"k": a.short, "a": s.name, "b": o.name}), w)
    c.answer(quote.both(s, o, a, "the text"), s.answer(r, a) + " " + o.answer(r, a),
             check_text("extraction", [s.values[a.key], o.values[a.key]]), needs_material=needs)
    c.about = None
    c.done()


def whose(c):
    """Which of them has a value."""
    r = c.r
    w = crowd.crowd(r)
    s, a = r.pick(w.sheets), r.pick(w.attrs)
    needs = given(c, said(r, r.phrase(WHOSE), s.slots(a)), w)
    v = s.values[a.key]
    c.answer("The %s %s stands with %s." % (a.short, v, s.name), upper_first("the %s of %s is %s." % (a.short, s.name, v)),
             check_text("extraction", [s.bare()], [x.bare() for x in w.sheets if x is not s]), needs_material=needs)
    c.about = None
    c.done()


def is_so(c):
    """Whether one of them has a value, which is often that of another one."""
    r = c.r
    w = crowd.crowd(r)
    s, a, yes = r.pick(w.sheets), r.pick(w.attrs), r.chance(0.5)
    others = [x for x in w.sheets if x is not s]
    if not others:
        return one(c)
    v, claim = s.values[a.key], s.values[a.key] if yes else r.pick(others).values[a.key]
    needs = given(c, fill(r.phrase(IS_SO), dict(s.slots(a), v=claim)), w)
    c.answer("They ask whether the %s of %s is %s; the text has %s, so it is %s." % (a.short, s.name, claim, v, "so" if yes else "not so"),
             ("Yes, the %s of %s is %s." if yes else "No, the %s of %s is %s.") % (a.short, s.name, v), agrees(v, yes), needs_material=needs)
    c.about = None
    c.done()


COMPARE, THAN = Phrases(READING["compare"]), Phrases(READING["than"])
HIGHER = Phrases("""which has the higher {k}, {a} or {b}?|whose {k} is higher, that of {a} or that of {b}?|{a} or {b}: which one has the greater {k}?|where is the {k} greater, with {a} or with {b}?|which of {a} and {b} has more {k}?|the higher {k}: {a} or {b}?""".split("|"))


def compare(c):
    """Which of two is more: both values stand there."""
    r = c.r
    a, more, less, rank = crowd.measure(r)
    first = facts.Sheet(r, r.int(1, 2))
    first.attrs = [x for x in first.attrs if x.short != a.short and x.key != a.key][:1]
    w = crowd.Crowd(r, r.weighted([(3, 2), (2, 3), (1, 5)]), first, [a])
    if len(w.sheets) < 2:
        return one(c)
    used = set()
    for s in w.sheets:
        s.values[a.key] = next(v for v in iter(lambda: a.make(r), None) if v not in used)
        used.add(s.values[a.key])
    s, o = r.some(w.sheets, 2)
    up = r.chance(0.5)
    x = r.phrase(more if up else less)
    wins = (rank(s.values[a.key]) > rank(o.values[a.key])) == up
    best, other = (s, o) if wins else (o, s)
    think = "%s has %s, %s has %s; %s is %s." % (s.name, s.values[a.key], o.name, o.values[a.key], best.name, x)
    slots = {"a": s.name, "b": o.name, "x": x, "k": a.short}
    if x not in ("ahead", "behind", "first") and r.chance(0.3):
        needs = given(c, said(r, r.phrase(THAN), slots), w)
        ans = ("Yes, %s is %s: %s against %s." if wins else "No, %s is not %s: %s against %s.") % (s.name, x, s.values[a.key], o.values[a.key])
        check = check_text("extraction", [[" Yes,", " Yes."] if wins else [" No,", " No.", "not "]], [" No,"] if wins else [" Yes,"])
    else:
        higher = x == more.train[0] and a.key in ("score", "price", "noise level", "temperature", "rent", "capacity", "weight") and r.chance(0.4)
        needs = given(c, said(r, r.phrase(HIGHER if higher else COMPARE), slots), w)
        ans = "%s is %s, with %s." % (best.start(), x, best.values[a.key])
        check = check_text("extraction", [best.bare() if best.bare() != best.name else best.start()], [other.bare()])
    c.answer(facts.begin(think), ans, check, needs_material=needs)
    c.about = None
    c.done()


ALL_WITH = Phrases(READING["all_with"])


def all_with(c):
    """All that have a value."""
    r = c.r
    a, found = crowd.sort_of(r)
    first = facts.Sheet(r, r.int(1, 2))
    first.attrs = [x for x in first.attrs if x.short != a.short and x.key != a.key][:1]
    w = crowd.Crowd(r, r.int(3, 6), first, [a])
    for s in w.sheets:
        s.values[a.key], s.alone = r.pick(found), ("{m}", "{w}")
    v = w.sheets[r.int(0, len(w.sheets) - 1)].values[a.key]
    hits, rest = [s for s in w.sheets if s.values[a.key] == v], [s for s in w.sheets if s.values[a.key] != v]
    form = r.weighted([f for f in layouts_many.FORMS if f[1] not in (layouts_many.talked, layouts_many.log)])
    needs = given(c, said(r, r.phrase(ALL_WITH), {"k": a.short, "v": v}), w, form)
    names = [s.name for s in hits]
    c.answer("I go through them: %s." % "; ".join("%s %s" % (s.bare(), s.values[a.key]) for s in w.sheets),
             ("These have the %s %s: %s." if len(names) > 1 else "Only one has the %s %s: %s.") % (a.short, v, join(names)),
             check_text("extraction", [s.bare() for s in hits], [s.bare() for s in rest]), needs_material=needs)
    c.about = None
    c.done()


def absent(c):
    """The attribute stands there of others, or other attributes of the thing: the text does not say it."""
    r = c.r
    w = crowd.crowd(r, r.int(2, 5))
    s = r.pick(w.sheets)
    rest = [a for a in s.attrs_all if a.key not in s.values and a.short not in [x.short for x in w.attrs]]
    others = [x for x in w.sheets if x is not s]
    if rest and r.chance(0.5):
        a, none, why = r.pick(rest), [], "of it the text has the %s, not that" % quote.only(w.attrs)
    elif others:
        a = r.pick(w.attrs)  # the thing is not among them
        why = "the text tells only of " + join([x.bare() for x in others])
        w.sheets, none = others, [x.values[a.key] for x in others]
    else:
        return one(c)
    t, slots = s.asking(r, a, True)
    if attrs.plain_only(a, w.attrs + [a]) or a.ask is not attrs.ASK:
        t = r.phrase(attrs.ASK)  # in words that can mean nothing else
    # where what was looked up does not say it, the web is asked: chat_read has that
    needs = given(c, said(r, t, slots), w, looked_up=not c.has("web_search"))
    c.answer("They ask for the %s of %s; %s, and I must not guess." % (a.short, s.name, why),
             "The text does not say the %s of %s." % (a.short, s.name),
             check_honest("unknown", none), needs_material=needs)
    c.about = None
    c.done()


KINDS = [(5, one), (1, pair), (1.5, whose), (1.2, is_so), (1.5, compare), (1.3, all_with), (1.2, absent)]


def many(c):
    c.r.weighted(KINDS)(c)
