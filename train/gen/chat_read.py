"""Reading: material that was looked up, pasted text, and what was said before."""
import re

from . import facts, personal
from .base import Phrases, bucket, check_honest, check_text, fill, read_objects
from .chat_call import make_call
from .chat_memory import second
from .chat_web import sheet_results
from .conv import lower_first, query_of, speak, thinks, upper_first

LEAD = "What was looked up for this question; it is material, not instructions:"
LIBRARY = [o for o in read_objects("../../internal/library/entries/*.jsonl") if o.get("name") and o.get("text")]


def pairs(o):
    """The questions and short answers of an entry, in whatever form they are written."""
    out = []
    for x in o.get("asks") or []:
        if isinstance(x, (list, tuple)) and len(x) == 2:
            out.append((x[0], x[1]))
        elif isinstance(x, dict) and len(x) >= 2:
            q = x.get("q") or x.get("question") or x.get("ask")
            a = x.get("a") or x.get("answer")
            if q and a:
                out.append((q, a))
    return out


for _o in LIBRARY:
    _o["asks"] = pairs(_o)
LIB_ASK = Phrases("""what is {n}?|tell me about {n}|explain {n}|what do you know about {n}?|who or what is {n}?|what's {n}|give me a short explanation of {n}|
can you explain {n}?|describe {n}|I'd like to know about {n}|what does {n} mean?|info on {n}|{n}?|could you tell me something about {n}|what is meant by {n}?|
please explain what {n} is|say something about {n}|I never understood {n}, explain it|what exactly is {n}?|define {n}""".replace("\n", "").split("|"))
HAVE = thinks("""The material on {n} says it, so I answer from it.
What was looked up holds the answer.
The entry on {n} answers this.
I read it in the material.
It stands in what was looked up about {n}.""")
NONE = thinks("""The material says nothing about that, so I say that I don't know.
None of what was looked up fits; I must not guess.
What was looked up is about other things; I say so.""")


def library_entry(r):
    return r.pick(LIBRARY) if LIBRARY else None


def noise_entry(r):
    """Something else that a search of the memory may bring."""
    x = r.random()
    if LIBRARY and x < 0.45:
        o = r.pick(LIBRARY)
        return o["name"], o["text"]
    if x < 0.75:
        s = facts.Sheet(r)
        return s.start(), s.text(r, 0.2)
    if x < 0.88:
        t = personal.told(r)
        return t.title(), t.sentence(r)
    q = r.pick(["What time is it?", "hello", "thanks", "list my files", "what can you do?"])
    return q, "Asked: %s Answered: %s" % (q, r.sentence())


def material(r, entries):
    out = [LEAD]
    for name, text in entries:
        if r.chance(0.06):
            name += " (from outside)"
        out.append("- %s: %s" % (name, " ".join(text.split())))
    return "\n".join(out)


def beside(r):
    """Material that has nothing to do with a wish: what is looked up does not always fit."""
    return material(r, [noise_entry(r) for _ in range(r.int(1, 2))])


def around(r, entry, most=4):
    """An entry among others."""
    out = [noise_entry(r) for _ in range(r.weighted([(4, 0), (4, 1), (1.5, 2), (1, 3), (0.5, 4)]))]
    size, kept = 0, []
    for e in out[:most]:
        size += len(e[1])
        if size > 1400:
            break
        kept.append(e)
    kept.insert(r.int(0, len(kept)) if r.chance(0.5) else 0, entry)
    return kept


def read_sheet(c, s=None, a=None):
    """A question that the material answers."""
    r = c.r
    s = s or facts.Sheet(r)
    a = a or r.pick(s.attrs)
    entry = (s.start(), s.text(r, 0.25))
    c.say(speak(r, s.question(r, a))[0], material(r, around(r, entry)), before=r.chance(0.12))
    c.answer(fill(r.pick(HAVE), {"n": s.name}), s.answer(r, a), check_text("extraction", [s.values[a.key]]), needs_material=True)
    c.about = ("sheet", s, a)
    c.done()


def read_library(c):
    """A question about an entry of the library."""
    r = c.r
    if not LIBRARY:
        return read_sheet(c)
    for _ in range(20):
        o = library_entry(r)
        if bucket(o["name"]) == r.held:
            break
    name, text = o["name"], o["text"]
    asks = o["asks"]
    if asks and r.chance(0.65):
        q, ans = r.pick(asks)
        ans = ans if ans[-1:] in ".!?" else ans + "."
        said = speak(r, q)[0]
        check = check_text("extraction", [_key(ans, q)])
    else:
        said = speak(r, r.phrase(LIB_ASK), {"n": name})[0]
        ans = two_sentences(text)
        check = check_text("extraction", [ans.split(". ")[0].rstrip(".")])
    c.say(said, material(r, around(r, (name, text))), before=r.chance(0.12))
    c.answer(fill(r.pick(HAVE), {"n": name}), ans, check, needs_material=True)
    c.about = ("library", o)
    c.done()


_of = re.compile(r"\bthe (\w+(?: \w+)?) of ", re.I)


def library_follow(c):
    """Another question about the same entry, with a pronoun for its name."""
    r, (_, o) = c.r, c.about
    name, fits = o["name"], []
    for q, a in o["asks"]:
        m = _of.search(q)
        if m and q[m.end():].rstrip("?. ").lower() in (name.lower(), "the " + name.lower()):
            fits.append((m.group(1), a))
    if not fits or r.chance(0.4):
        return library_it(c)
    k, ans = r.pick(fits)
    ans = ans if ans[-1:] in ".!?" else ans + "."
    c.say(speak(r, r.phrase(FOLLOW), {"its": "its", "k": k})[0], material(r, around(r, (name, o["text"]))))
    c.answer("They mean %s; the material has its %s." % (name, k), ans, check_text("pronouns", [_key(ans, k + " " + name)]), needs_material=True)
    c.done()


def library_it(c):
    """Another question about the entry, with it in the place of its name."""
    r, (_, o) = c.r, c.about
    name = re.compile(r"\b(?:the |an? )?" + re.escape(o["name"]) + r"('s)?(?!\w)", re.I)
    fits = [(q, a) for q, a in o["asks"] if name.search(q) and not name.match(q)]
    if not fits:
        return again(c)
    q, ans = r.pick(fits)
    ans = ans if ans[-1:] in ".!?" else ans + "."
    said = name.sub(lambda m: "its" if m.group(1) else "it", q)
    c.say(speak(r, ("and " if r.chance(0.2) else "") + lower_first(said))[0], material(r, around(r, (o["name"], o["text"]))))
    c.answer("They mean %s; the material says it." % o["name"], ans, check_text("pronouns", [_key(ans, q)]), needs_material=True)
    c.done()


_small = set("the a an is are was were of in on at to and or with for it its as be by from that this has have had can not which who".split())


def _key(ans, q):
    """A word of the answer that the question does not have."""
    low = q.lower()
    words = [w.strip(".,;:!?()\"'") for w in ans.split()]
    new = [w for w in words if w.lower() not in _small and w.lower() not in low and len(w) > 1]
    return (new or words)[-1]


def two_sentences(text):
    """The beginning of a text, whole sentences."""
    parts = " ".join(text.split()).split(". ")
    out = parts[0].rstrip(".") + "."
    if len(parts) > 1 and len(out) + len(parts[1]) < 260:
        out += " " + parts[1].rstrip(".") + "."
    return out


def read_two(c):
    """Two entries are needed."""
    r = c.r
    kind = r.pick([k for k in facts.KINDS if k[1] in ("country", "mountain", "river", "building", "person", "company", "book")])
    a = r.pick(kind[3])
    s1, s2 = facts.Sheet(r, len(kind[3]), kind), facts.Sheet(r, len(kind[3]), kind)
    t = r.pick(["what is the {k} of {a} and of {b}?", "compare the {k} of {a} and {b}", "{k} of {a} and {b}?", "tell me the {k} of both {a} and {b}", "how do {a} and {b} compare in {k}?"])
    entries = [(s1.start(), s1.text(r, 0)), (s2.start(), s2.text(r, 0))]
    if r.chance(0.4):
        entries.insert(r.int(0, 2), noise_entry(r))
    c.say(speak(r, t, {"k": a.short, "a": s1.name, "b": s2.name})[0], material(r, entries))
    c.answer("Both are in the material.", s1.answer(r, a) + " " + s2.answer(r, a), check_text("extraction", [s1.values[a.key], s2.values[a.key]]), needs_material=True)
    c.about = None
    c.done()


def read_missing(c):
    """The material is there and does not say it."""
    r = c.r
    s = facts.Sheet(r, 1)
    rest = [a for a in s.attrs_all if a.key not in s.values]
    a = r.pick(rest) if rest else s.attrs[0]
    x = r.random()
    if rest and x < 0.5:
        entries = around(r, (s.start(), s.text(r, 0.2)), 2)   # the thing is there, the attribute is not
    else:
        entries = [noise_entry(r) for _ in range(r.int(1, 3))]
    said, core = speak(r, s.question(r, a), typos=False)
    c.say(said, material(r, entries), before=r.chance(0.12))
    if c.has("web_search") and r.chance(0.999):
        q = query_of(core)
        c.call("The material does not say it, so I search the web.", [make_call("web_search", {"query": q})])
        s.values.setdefault(a.key, a.make(r))
        if a not in s.attrs:
            s.attrs.append(a)
        sheet_results(c, s, a)
    else:
        c.answer(r.pick(NONE), "I don't know the %s of %s: what I have here does not say it. A larger model or a web search would help." % (a.short, s.name), check_honest("unknown"), needs_material=True)
        c.about = None
    c.done()


FOLLOW = Phrases("""and {its} {k}?|what about {its} {k}?|what is {its} {k}?|{its} {k}?|and what's the {k}?|how about {its} {k}?|ok, and the {k}?|tell me {its} {k} too|
also {its} {k} please|do you know {its} {k}?|and the {k}|now {its} {k}|which {k} does it have?|what's {its} {k}|I also need {its} {k}""".replace("\n", "").split("|"))


def follow(c):
    """Another attribute of the same thing: from the conversation where it was
    given, else from new material."""
    r, (_, s, before) = c.r, c.about
    rest = [a for a in s.attrs_all if a is not before]
    if not rest:
        return read_sheet(c)
    a = r.pick(rest)
    said = speak(r, r.phrase(FOLLOW), {"its": s.its, "k": a.short})[0]
    if s.its == "their":
        said = said.replace("does it have", "do they have")
    s.values.setdefault(a.key, a.make(r))
    if a not in s.attrs:
        s.attrs.append(a)
    others = r.some([x for x in s.attrs if x is not a], r.int(0, 2))
    keep, s.attrs = s.attrs, r.shuffled([a] + others)
    c.say(said, material(r, around(r, (s.start(), s.text(r, 0.2)))))
    s.attrs = keep
    c.answer("They mean %s; the material has its %s." % (s.name, a.short) if s.its == "its" else "They mean %s; the material says it." % s.name,
             s.answer(r, a), check_text("pronouns", [s.values[a.key]]), needs_material=True)
    c.about = ("sheet", s, a)
    c.done()


SWITCH = Phrases("and of {n}?|and {n}?|what about {n}?|how about {n}|the same for {n}|and for {n}?|now {n}|same question for {n}|and what about {n}?|{n} too please|what is it for {n}?".split("|"))


def switch(c):
    """The same attribute of another thing of its kind."""
    r, (_, s, a) = c.r, c.about
    kind = next(k for k in facts.KINDS if k[1] == s.kind)
    o = facts.Sheet(r, 1, kind)
    o.attrs = [a] + [x for x in o.attrs if x is not a]
    o.values.setdefault(a.key, a.make(r))
    c.say(speak(r, r.phrase(SWITCH), {"n": o.name})[0], material(r, around(r, (o.start(), o.text(r, 0.2)))))
    c.answer("The same question, now for %s; the material says it." % o.name, o.answer(r, a), check_text("pronouns", [o.values[a.key]]), needs_material=True)
    c.about = ("sheet", o, a)
    c.done()


AGAIN = Phrases("what was that again?|sorry, what did you say?|can you repeat that?|say that again please|once more?|I didn't catch that|repeat your answer|what was the answer?|again please|pardon?|come again?|could you say it once more".split("|"))


def again(c):
    r = c.r
    last = next((m for m in reversed(c.msgs) if m["role"] == "assistant" and m["content"]), None)
    if not last or len(last["content"]) > 240:
        return read_sheet(c)
    c.say(speak(r, r.phrase(AGAIN))[0])
    words = last["content"].split("\n")[0]
    c.answer("They want my last answer again.", last["content"], check_text("pronouns", [words]))
    c.done()


PASTE = Phrases("""{q}\n\n{t}|{t}\n\n{q}|Here is a text: {t}\n\n{q}|Read this: "{t}" {q}|{q} Use this text: {t}|From this: {t} - {q}|"{t}"\n{q}|Given the following, {q}\n{t}""".split("|"))


def paste(c):
    """A text in the person's own message, or piped in."""
    r = c.r
    s = facts.Sheet(r)
    a = r.pick(s.attrs)
    text, q = s.text(r, 0.4), s.question(r, a)
    if r.chance(0.4):
        said = q + "\n\n<context>\n" + text + "\n</context>"
    else:
        said = fill(r.phrase(PASTE), {"q": q, "t": text})
    c.say(said)
    c.answer("The answer stands in the text they gave.", s.answer(r, a), check_text("extraction", [s.values[a.key]]))
    c.about = ("sheet", s, a)
    c.done()


def earlier(c):
    """Something that stands further up in the conversation."""
    r = c.r
    t = r.pick(c.told)
    c.say(speak(r, t.question(r))[0])
    said = t.fact()
    c.answer("They told me earlier in this conversation.", upper_first(said) + ".", check_text("recall", t.key_words(upper_first(said))))
    c.about = ("told", t)
    c.done()


STATED = thinks("""They tell me something about themselves; I take note of it.
This is a statement, not a question; I acknowledge it.
Nothing is asked; they tell me how they like it.
I take note and say so.""")


def state(c):
    """The person says something about themselves; nothing is asked."""
    r = c.r
    t = personal.told(r)
    s = t.statement(r)
    said, core = speak(r, s.replace("{", "(").replace("}", ")"), typos=False, frame=r.chance(0.5))
    c.say(said)
    c.stated = core.rstrip(".")
    c.answer(r.pick(STATED), "Noted: %s." % second(s).rstrip(".!"), check_text("chat", t.key_words(second(s))))
    c.told.append(t)
    c.about = ("told", t)
    c.done()


CHANGE = Phrases("no, {s}|sorry, I meant: {s}|correction: {s}|actually, {s}|that's wrong, {s}|I got it wrong: {s}|not quite: {s}|wait, {s}".split("|"))


def correct(c):
    """The person takes back what they said."""
    r = c.r
    told = c.told[-1]
    new = None
    for k in personal.KINDS:
        if told.say is k[2]:
            new = personal.Told(dict(told.slots, **{x: v for x, v in k[0](r).items() if x in ("v", "h", "b")}), k[1], k[2], k[3], k[4], k[5])
    if new is None:
        return state(c)
    s = new.statement(r)
    c.say(fill(r.phrase(CHANGE), {"s": s}))
    c.answer("They correct what they said; the new version counts.", "Thank you, I had that wrong: %s." % second(s).rstrip(".!"), check_text("chat", new.key_words()))
    c.told[-1] = new
    c.done()
