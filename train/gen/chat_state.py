"""Plain statements: a person tells something and wants nothing done, beside near twins that are questions, sums or wishes."""
import re

from . import chat_calc as calc
from . import personal, personal_more, tools_foreign
from .chat_call import make_call
from .chat_memory import memory_result, memory_write, second
from .chat_read import STATED, beside
from .chat_talk import dont_know
from .conv import lower_first, speak, thinks
from .messages import check_honest, check_text
from .phrases import Phrases
from .sections import sections, with_values
from .slots import fill, slots_of
from .spans import query_of
from .tools_wish import noun_for, plural_of
from .tools_words import plural
from .wording import upper_first
from .wordlists import NOUNS

_all, _later = sections("statements.txt"), sections("statements.more.txt")
FREE, NEAR, LATE, AMEND = (Phrases(_all[k], _later.get(k, ())) for k in ("free", "near", "late", "amend"))
SUM, WORLD = (Phrases(with_values(_all[k])) for k in ("sum", "world"))
ONLY = thinks("""They tell me how it is: no question, no wish. I take note.
A statement about themselves; nothing is asked and nothing is to be done, so I note it.
They only tell me this; there is nothing to look up and nothing to call.""")
_nouns, _seen = set(NOUNS), {}
_a = re.compile(r"\ba (?=[aeiou])")


def say(c, form, slots, think=None):
    """A statement, perhaps with a few words before it, and the answer that takes note of it."""
    r = c.r
    s = _a.sub("an ", fill(form, slots))
    said = s
    if r.chance(0.3):
        said = personal.Told.before(None, r, said)
    elif r.chance(0.3):
        said = upper_first(said) + r.pick((".", ".", "", "!"))
    c.say(said, beside(r) if r.chance(0.12) else None)
    answer = "Noted: %s." % second(s).rstrip(".!")
    keys = [_a.sub("an ", second(str(slots[k]))) for k in slots_of(form) if k in slots] or personal.keywords(second(s), "")
    keys = list(dict.fromkeys(k for k in keys if k in answer)) or [answer.split()[-1].strip(".")]
    c.answer(think or (r.pick(ONLY) if r.chance(0.6) else r.pick(STATED)), answer, check_text("chat", keys))
    c.about = None
    c.done()


def values(r, *forms):
    names = list(dict.fromkeys(k for f in forms for k in slots_of(f)))
    s = personal_more.values(r, [k.rstrip("2") if k in ("c2", "C2") else k for k in names])
    for k in ("c2", "C2"):
        if k in names:
            s[k] = str(personal_more.MAKE[k[0]](r))
    return s


def free(c):
    """Something of their own that has no title in the memory."""
    form = c.r.phrase(FREE)
    say(c, form, values(c.r, form))


def things(r, b):
    """What a foreign tool works with, one and several of them; None where its line has no such word."""
    if b.sort == "made":
        o = noun_for(r, b)[0]
        return o, plural_of(b, o)
    known = _seen.get(b.spec["description"])
    if known is None:
        words = re.findall(r"[a-z]+", b.spec["description"].lower())
        known = [w if w in _nouns else w[:-1] for w in words if w in _nouns or w.endswith("s") and w[:-1] in _nouns]
        _seen[b.spec["description"]] = known
    o = r.pick(known) if known else ""
    return (o, plural(o)) if o else None


def near(c):
    """They speak of what a tool on offer works with, and want nothing done with it; a wish for the tool may come next."""
    r = c.r
    b = r.pick(c.foreign) if c.foreign else None
    named = b and things(r, b)
    if not named or set(" ".join(named).split()) & personal_more.OWN:  # a word that changes when it is said back
        return free(c)
    form = r.phrase(NEAR)
    s = values(r, *[f for f in [re.sub(r"\{os?1?\}", "", form)]])
    s.update(o1=r.org(), o=named[0], os=named[1])
    think = "They tell me about %s; that is no wish for a tool, so I take note." % (named[1] if "{os}" in form else "a " + named[0])
    say(c, form, s, _a.sub("an ", think))
    if r.chance(0.4):
        tools_foreign.use(c, b)


def with_sum(c):
    """Numbers that are told, and numbers with which something is to be worked out."""
    r = c.r
    if not c.has("calculate"):
        return free(c)
    form, ask, e = r.phrase(SUM)
    s = values(r, form, ask, e)
    if r.chance(0.75):
        say(c, form, s, "They tell me a number; nothing is to be worked out, so I take note." if r.chance(0.6) else None)
        if r.chance(0.3):
            return
    e = fill(e, s)
    got = calc.evaluate(e)
    c.say(speak(r, ask, s, typos=False)[0])
    c.call(calc.sum_think(r, e), [make_call("calculate", {"expression": e})], check=calc.either_way(e, c.group("builtin_tools")))
    c.result("calculate", got[0])
    calc.answer_number(c, got[0], e, got[1])
    c.about = ("number", got[1], e)
    c.done()


def with_world(c):
    """A place, a book or a firm of which they tell something, and a question about it that nobody told."""
    r = c.r
    form, ask, about = r.phrase(WORLD)
    s = values(r, form, ask, about)
    if r.chance(0.8):
        say(c, form, s)
        if r.chance(0.45) or c.has("web_search"):  # what a search brings is taught elsewhere
            return
    elif c.has("web_search"):
        return say(c, form, s)
    about = fill(about, s)
    c.say(speak(r, ask, s, typos=False)[0])
    c.answer("They ask about the world now: I do not know %s, and nothing here says it." % about, dont_know(about), check_honest("unknown"))
    c.about = None
    c.done()


def told_late(c):
    """First it is asked in vain, then it is told, then it is asked again: what is asked and what is told stand side by side."""
    r = c.r
    t = personal.told(r)
    if any(x.title() == t.title() for x in c.told) or t.title().startswith(("trip in", "debt of")):
        return free(c)
    if r.chance(0.6):
        said, core = speak(r, t.question(r), typos=False)
        c.say(said)
        if c.has("memory_read"):
            query = t.clause if t.clause and t.clause in said else query_of(core)
            c.call("A question about them; I do not see it here, so I look in the memory.", [make_call("memory_read", {"query": query})])
            c.result("memory_read", memory_result(r, [], r.int(0, 2), t.title()))
            c.answer("Nothing that was found answers it; I say so.", "I don't remember anything about that. Tell me, and I will keep it in mind.", check_honest("recall"))
        else:
            c.answer(t.about() + "; they ask for it, and they never told me that here.", "I don't know that about you: you have not told me yet.", check_honest("unknown"))
        c.done()
    s = t.statement(r).replace("{", "(").replace("}", ")")
    c.say(fill(r.phrase(LATE), {"s": lower_first(s)}))
    c.answer("Now they tell me; it is no question, so I take note.", "Noted: %s." % second(s).rstrip(".!?"), check_text("chat", t.key_words(second(s))))
    c.told.append(t)
    c.done()
    if r.chance(0.6):
        c.say(speak(r, t.question(r))[0])
        said = upper_first(t.fact())
        c.answer(t.thought(), said + ".", check_text("recall", t.key_words(said)))
        c.done()
    c.about = ("told", t)


def pair(r):
    """A fact, the same with another value, and both values; None where they are too much alike."""
    t = personal.told(r)
    new = None if t.free else t.changed(r)
    if not new or len(t.keys) != 1 or len(slots_of(t.keys[0])) != 1 or t.keys[0][0] != "{":
        return None
    old, v = t.key_words()[0], new.key_words()[0]
    known = [str(x) for k, x in t.slots.items() if "{%s}" % k != t.keys[0]]
    if old.lower() in v.lower() or v.lower() in old.lower() or any(x in (old, v) for x in known):
        return None
    return t, new, old, v


def amend(c):
    """They say something and then only the part of it that was wrong."""
    r = c.r
    found = next(filter(None, (pair(r) for _ in range(8))), None)
    if not found:
        return free(c)
    t, new, old, v = found
    s = t.statement(r)
    c.say(s)
    c.answer(r.pick(STATED), "Noted: %s." % second(s).rstrip(".!?"), check_text("chat", t.key_words(second(s))))
    c.done()
    c.say(fill(r.phrase(AMEND), {"v": v if v[:5] != "your " else "my " + v[5:], "o": old if old[:5] != "your " else "my " + old[5:]}))
    answer = "Thank you, I had that wrong: %s." % new.fact()
    wrong = [old] if len(old) > 3 and old not in answer else []
    c.answer("They correct one part: %s in place of %s." % (v, old), answer, check_text("chat", new.key_words(answer), wrong))
    c.done()
    if r.chance(0.5):
        c.say(speak(r, new.question(r))[0])
        said = upper_first(new.fact())
        c.answer("They changed it later; the newest counts: %s." % v, said + ".", check_text("recall", new.key_words(said), [] if old in said else wrong))
        c.done()
    new.last = new.fact()
    c.told.append(new)
    c.about = None


def keep(c):
    """The same in both forms: told, and told with the wish to have it remembered."""
    if not c.has("memory_write"):
        return free(c)
    free(c)
    memory_write(c)


def plain(c):
    c.r.weighted([(5, free), (3, near), (2, with_sum), (1.5, with_world), (2.5, told_late), (1.2, amend), (1, keep)])(c)
