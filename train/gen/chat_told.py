"""What the person told: several things at once, changed later, of other people, beside general knowledge, or not at all."""
import re

from . import lex, personal, personal_open
from .chat_call import make_call
from .chat_memory import RECALL_THINK, engram, memory_result, recall, second
from .chat_read import STATED, material, noise_entry, read_sheet
from .conv import lower_first, speak
from .library import LIBRARY
from .messages import check_honest, check_text
from .phrases import Phrases, phrasings
from .sections import more, sections
from .slots import fill
from .spans import query_of
from .wording import upper_first

NEVER = ["I don't know that about you: you have not told me yet.", "I don't know that yet. Tell me, and I will keep it in mind."]


def facts_of(r, n):
    """n different things about a person."""
    out = {}
    while len(out) < n:
        t = personal.told(r)
        out.setdefault(t.title(), t)
    return list(out.values())


def whole(s):
    s = upper_first(s)
    return s if s[-1] in ".!?" else s + "."


def ask(c, t, group="recall"):
    """A question about something told above."""
    r = c.r
    c.say(speak(r, t.question(r))[0])
    said = upper_first(t.fact())
    c.answer(t.thought(), said + ".", check_text(group, t.key_words(said)))
    c.about = ("told", t)
    c.done()


JOIN = [" ", " ", " Also: ", " And ", "\n", " By the way, ", "; ", " Oh, and "]


def many(c):
    """Several things in one message; one or two of them are asked later."""
    r = c.r
    told = facts_of(r, r.weighted([(5, 2), (3, 3), (1, 4)]))
    said = [t.statement(r).replace("{", "(").replace("}", ")") for t in told]
    text = whole(said[0])
    for s in said[1:]:
        text += r.pick(JOIN) + whole(s)
    c.say(text)
    answer = "Noted: %s, and %s." % ("; ".join(second(s).rstrip(".!?") for s in said[:-1]), second(said[-1]).rstrip(".!?"))
    c.answer(r.pick(STATED), answer, check_text("chat", [k for t in told for k in t.key_words(answer)]))
    c.told += told
    c.done()
    for t in r.some(told, r.weighted([(4, 1), (3, 2), (1, 0)])):
        ask(c, t)


OTHERS = [([("I take my {d} {h}.", "how do I take my {d}?", "you like your {d} {h}"), ("I like my {d} {h}.", "how do I like my {d}?", "you like your {d} {h}"), ("I have {d} {h}.", "how do I have {d}?", "you like your {d} {h}")],
           [("My {k} takes {d} {g}.", "how does my {k} take {d}?", "your {k} likes {d} {g}"), ("My {k} likes {d} {g}.", "how does my {k} like {d}?", "your {k} likes {d} {g}"), ("{p} has {d} {g}.", "how does {p} have {d}?", "{p} likes {d} {g}")], "h", "g"),
          ([("I live in {h}.", "where do I live?", "you live in {h}"), ("My home is in {h}.", "in which city do I live?", "you live in {h}")],
           [("My {k} lives in {g}.", "where does my {k} live?", "your {k} lives in {g}"), ("{p} lives in {g}.", "in which city does {p} live?", "{p} lives in {g}")], "h", "g"),
          ([("My {o} is {h}.", "what is my {o} like?", "your {o} is {h}"), ("I have a {h} {o}.", "what kind of {o} do I have?", "your {o} is {h}")],
           [("My {k}'s {o} is {g}.", "what is my {k}'s {o} like?", "your {k}'s {o} is {g}"), ("{p} has a {g} {o}.", "what kind of {o} does {p} have?", "{p}'s {o} is {g}")], "h", "g"),
          ([("I work for {h}.", "who do I work for?", "you work for {h}"), ("My employer is {h}.", "what's my employer?", "you work for {h}")],
           [("My {k} works for {g}.", "who does my {k} work for?", "your {k} works for {g}"), ("{p} works at {g}.", "where does {p} work?", "{p} works at {g}")], "h", "g")]


_a = re.compile(r"\ba (?=[aeiou])")


def other_person(c):
    """The person's own and somebody else's, side by side."""
    r = c.r
    own, others, h, g = r.pick(OTHERS)
    i = OTHERS.index((own, others, h, g))
    v, w = ((personal_open.how, personal_open.how), (lambda r: r.city(), lambda r: r.city()),
            (lambda r: r.entity(lex.ADJ), lambda r: r.entity(lex.ADJ)), (lambda r: r.org(), lambda r: r.org()))[i]
    s = {"d": personal_open.dish(r), "k": r.entity(personal_open.KIN), "p": r.first(), "o": personal_open.thing(r), "h": v(r), "g": w(r)}
    while s["g"] in s["h"] or s["h"] in s["g"]:
        s["g"], s["h"] = w(r), v(r)
    a, b = r.pick(own), r.pick(others)
    two = [fill(a[0], s), fill(b[0], s)]
    if r.chance(0.5):
        two.reverse()
    two = [_a.sub("an ", x) for x in two]
    join = r.pick(["", "", "And ", "But "])
    c.say("%s %s" % (two[0], join + lower_first(two[1]) if join else two[1]))
    answer = "Noted: %s, and %s." % tuple(second(x).rstrip(".") for x in two)
    c.answer(r.pick(STATED), answer, check_text("chat", [s["h"], s["g"]]))
    c.done()
    mine = r.chance(0.5)
    q, said, key = (a[1], a[2], s["h"]) if mine else (b[1], b[2], s["g"])
    c.say(speak(r, q, s)[0])
    said, wrong = upper_first(fill(said, s)) + ".", s["g"] if mine else s["h"]
    c.answer("They ask about themselves, and they told me." if mine else "They ask about the other one, and they told me.", said,
             check_text("recall", [key], [] if wrong in said else [wrong]))
    c.about = None
    c.done()


CHANGE = phrasings("""no, from now on: {s}|that has changed: {s}|I changed my mind: {s}|new rule: {s}|that's no longer true, {s}|not any more. {s}|things have changed, {s}|I was wrong about that, {s}|forget what I said before: {s}|update: {s}|please correct that: {s}|
it's different now: {s}|since yesterday it's like this: {s}|I meant to say: {s}|scratch that. {s}|let me correct myself: {s}|oh, that was old: {s}|as of today: {s}|no no, {s}|hm, actually: {s}|that was last year; now {s}|I told you something wrong. {s}|
instead of what I said: {s}|in fact {s}|to be precise: {s}|change of plan: {s}|small correction, {s}|sorry, wrong: {s}|I misspoke, {s}|what I said is out of date: {s}""")
CHANGE = more(CHANGE, sections("statements.txt")["change"])


def change(c):
    """Told, changed, asked: the newest counts. Something else may come between."""
    r = c.r
    for _ in range(20):
        t = personal.told(r)
        new = t.changed(r)
        if new and all(k not in new.fact() for k in t.key_words()):
            break
    else:
        return many(c)
    s = t.statement(r)
    c.say(whole(s) if r.chance(0.5) else s)
    c.answer(r.pick(STATED), "Noted: %s." % second(s).rstrip(".!?"), check_text("chat", t.key_words(second(s))))
    c.done()
    if r.chance(0.4):
        other(c, t)
    s = new.statement(r)
    c.say(fill(r.phrase(CHANGE), {"s": lower_first(s)}))
    answer = "Thank you, I had that wrong: %s." % second(s).rstrip(".!?")
    c.answer("They correct what they said; the new version counts.", answer, check_text("chat", new.key_words(answer)))
    c.done()
    if r.chance(0.4):
        other(c, t)
    c.say(speak(r, new.question(r))[0])
    said = upper_first(new.fact())
    c.answer("They changed it later; the newest counts: %s." % new.last.rstrip(" .!"), said + ".",
             check_text("recall", new.key_words(said), [k for k in t.key_words() if len(k) > 3 and k not in said]))
    c.told.append(new)
    c.about = ("told", new)
    c.done()


def other(c, not_this):
    """A fact of another kind in between."""
    r = c.r
    t = personal.told(r)
    if t.title() == not_this.title() or t.say is not_this.say:
        return
    s = t.statement(r)
    c.say(s)
    c.answer(r.pick(STATED), "Noted: %s." % second(s).rstrip(".!?"), check_text("chat", t.key_words(second(s))))
    c.told.append(t)
    c.done()


ABOUT_ME = phrasings("""what do you know about me?|what have I told you about myself?|what did I tell you so far?|tell me what you know about me|sum up what I told you|list what you know about me|what do you remember from this talk?|what did I say about myself?|repeat what I told you about me|
what facts about me do you have?|what have you noted about me?|say back what I told you""")


def about_me(c):
    """All that was told in this conversation."""
    r = c.r
    if c.tasks:
        return many(c)
    told = facts_of(r, r.int(1, 3))
    for t in told:
        s = t.statement(r)
        c.say(s)
        c.answer(r.pick(STATED), "Noted: %s." % second(s).rstrip(".!?"), check_text("chat", t.key_words(second(s))))
        c.done()
    c.say(speak(r, r.phrase(ABOUT_ME))[0])
    answer = "You told me that %s." % " and that ".join(t.fact() for t in told)
    c.answer("I sum up what they told me here.", answer, check_text("recall", [k for t in told for k in t.key_words(answer)]))
    c.told += told
    c.done()


# --- from what was looked up ---

def remembered(r, t):
    """An entry of the memory in the material: the fact itself, or the turn in which it was said."""
    s = t.sentence(r)
    if r.chance(0.5):
        return t.title(), s
    q, text = engram(s, r.pick(["Noted: " + second(s), "Noted.", "Thank you, I will keep that in mind."]))
    return q, text


_named = {}
for _o in LIBRARY:
    for _w in _o["name"].lower().split():
        _named.setdefault(_w, []).append(_o)


def in_general(r, what):
    """What a library says about a thing: of people in general, not of this person."""
    known = _named.get(what)
    if known and r.chance(0.7):
        o = r.pick(known)
        return o["name"], o["text"]
    s = {"W": upper_first(what), "w": what, "c": r.country(), "y": r.int(1200, 1990), "h": personal_open.how(r), "g": personal_open.how(r),
         "n": r.noun(), "p": r.name()}
    return s["W"], fill(r.phrase(GENERAL), s)


GENERAL = phrasings("""{W} is known in many countries. In {c} most people have it {h}. It was first described in {y}.|{W} came to {c} in {y}. Many like it {h}, others {g}.|The word {w} is old. {p} wrote about it in {y}, and in {c} it is still served {h}.|
There are many kinds of {w}. The best known is from {c}. It is often taken {h}.|{W}: people have had it since {y}, in {c} mostly {h}, elsewhere {g}.|In {c} {w} is had {h}; the custom goes back to {y}.|Good {w} needs a {n} and time. {p} advised to have it {h}.""")
WHATIS = Phrases("what is {w}?|tell me about {w}|what do you know about {w} in general?|how do people in general have {w}?|explain {w}|{w} in general, please|some facts on {w}?".split("|"))


def own_or_general(c):
    """My tea is in what I told, never in what a library says about tea."""
    r = c.r
    k = r.pick([k for k in personal.KINDS if k[4] == "you like your {d} {h}"])
    t = personal.Told(k[0](r), *k[1:])
    d = t.slots["d"]
    general = in_general(r, d)
    x = r.random()
    entries = [general] + [noise_entry(r) for _ in range(r.weighted([(5, 0), (3, 1), (1, 2)]))]
    if x < 0.3 or x > 0.85:  # only the general entry
        said, core = speak(r, t.question(r), typos=False)
        c.say(said, material(r, r.shuffled(entries)))
        return unseen(c, t, core, True)
    if x < 0.75:
        entries.append(remembered(r, t))
        if r.chance(0.4):
            o = personal.Told(k[0](r), *k[1:])
            entries.append(("%s's %s" % (r.first(), d), "My %s takes %s %s." % (r.entity(personal_open.KIN), d, o.slots["h"])))
        c.say(speak(r, t.question(r))[0], material(r, r.shuffled(entries)))
        said = upper_first(t.fact())
        c.answer("It is about their own %s, not about %s in general; they said: %s." % (d, d, t.last.rstrip(" .!")), said + ".",
                 check_text("recall", t.key_words(said)), needs_material=True)
        c.about = None
    else:
        entries.append(remembered(r, t))
        c.say(speak(r, r.phrase(WHATIS), {"w": d})[0], material(r, r.shuffled(entries)))
        first = " ".join(general[1].split()).split(". ")[0].rstrip(".") + "."
        c.answer("They ask in general, so I take the entry on %s." % d, first, check_text("extraction", [first.rstrip(".")]),
                 needs_material=True)
        c.about = None
    c.done()


def unseen(c, t, core, shown=False):
    """It is not in what is here: the memory is asked where there is one, else it is said plainly."""
    r = c.r
    if c.has("memory_read"):
        c.call(r.pick(RECALL_THINK), [make_call("memory_read", {"query": query_of(core)})])
        if r.chance(0.7):
            c.result("memory_read", memory_result(r, [remembered(r, t)], avoid=t.title()))
            said = upper_first(t.fact())
            c.answer(t.thought(), said + ".", check_text("recall", t.key_words(said)))
            c.told.append(t)
        else:
            c.result("memory_read", memory_result(r, [], r.int(0, 2), t.title()))
            c.answer("Nothing that was found answers it; I say so.",
                     "I don't remember anything about that. Tell me, and I will keep it in mind.", check_honest("recall"))
    else:
        answer = NEVER[0] if r.chance(0.8) else NEVER[1]
        c.answer(t.about() + "; they never told me that here, and I have no memory to look in.", answer, check_honest("recall", [k for k in t.key_words() if len(k) > 3 and k not in answer]),
                 needs_material=shown)
    c.about = None
    c.done()


def found(c):
    """What was looked up holds it among other memories and entries."""
    r = c.r
    told = facts_of(r, r.weighted([(3, 1), (4, 2), (2, 3)]))
    t = told[0]
    entries = [remembered(r, x) for x in told] + [noise_entry(r) for _ in range(r.weighted([(3, 0), (3, 1), (1, 2)]))]
    said, core = speak(r, t.question(r), typos=False)
    if r.chance(0.2):  # the one that is asked for is missing
        entries = entries[1:] or [noise_entry(r)]
        c.say(said, material(r, r.shuffled(entries)))
        return unseen(c, t, core, True)
    c.say(said, material(r, r.shuffled(entries)), before=r.chance(0.12))
    answer = upper_first(t.fact())
    c.answer(t.thought(), answer + ".", check_text("recall", t.key_words(answer)), needs_material=True)
    c.about = None
    c.done()


def missing(c):
    """Something was told, something else is asked."""
    r = c.r
    told, t = facts_of(r, 2)
    s = told.statement(r)
    c.say(s)
    c.answer(r.pick(STATED), "Noted: %s." % second(s).rstrip(".!?"), check_text("chat", told.key_words(second(s))))
    c.told.append(told)
    c.done()
    if t.say is told.say and not t.changed(r) or any(x.title() == t.title() for x in c.told):
        return
    said, core = speak(r, t.question(r), typos=False)
    c.say(said)
    unseen(c, t, core)


def tell(c):
    c.r.weighted([(4, many), (3, other_person), (4, change), (0.8, about_me), (4, own_or_general), (5, found), (2, missing)])(c)


def not_told(c):
    """About the person, not said here, and no memory at hand."""
    r = c.r
    t = personal.told(r)
    if c.has("memory_read") or any(x.title() == t.title() for x in c.told):
        return recall(c) if c.has("memory_read") else read_sheet(c)
    c.say(speak(r, t.question(r))[0])
    c.answer(t.about() + "; they never told me that here, and I have no memory to look in.", "I don't know that about you: you have not told me yet.",
             check_honest("unknown"))
    c.about = None
    c.done()
