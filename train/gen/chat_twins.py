"""Questions that cannot be answered beside near twins that can: what tells them apart is what there is to read or
to call, not the topic.

train/data/twins.txt has three lists: FACTS with a question, what it is about and a sentence that answers it, the value in
brackets ("*" before one that is nobody's business on the web); NEVER with a question and why nobody can look it up; PAIRS
with such a question, why, and a twin with its tool, what that is called with, and what it brings.
"""
import re

from . import files, lex, unknown_open, values
from .chat_calc import evaluate
from .chat_call import make_call
from .chat_files import show_text
from .chat_memory import memory_result, second
from .chat_people import fact_line, facts_text
from .chat_read import material, noise_entry
from .chat_web import hit, other_hit, search_text
from .conv import speak, thinks
from .hall import read_sections
from .honest import UNKNOWN_THINK, cannot, dont_know, unknown_think
from .messages import check_honest, check_text
from .phrases import Phrases
from .sections import more
from .slots import fill, slots_of
from .spans import query_of
from .wording import upper_first

_lists = {k: Phrases([tuple(line.split("\t")) for line in v]) for k, v in read_sections("twins.txt").items()}
FACTS, NEVER, PAIRS = _lists["FACTS"], _lists["NEVER"], _lists["PAIRS"]
PAIRS = more(PAIRS, [tuple(line.split("\t")) for line in read_sections("twins_more.txt")["PAIRS"]])
JOBS = "nurse baker plumber teacher clerk driver painter gardener lawyer tailor cook singer carpenter".split()
COLOURS = "red blue green brown black white yellow grey orange purple".split()
MUSIC = "piano violin flute drums guitar cello trumpet organ harp clarinet".split()
MAKE = dict(unknown_open.MAKE, i=lambda r: r.int(2, 980), x=lambda r: "%d.%02d euros" % (r.int(2, 900), r.int(0, 99)), h=lambda r: r.time(),
            D=lambda r: "%d %s" % (r.int(1, 28), r.pick(lex.MONTHS)), u=values.phone, j=lambda r: "%s Street %d" % (r.last(), r.int(1, 90)),
            e=lambda r: r.email(), job=lambda r: "a " + r.pick(JOBS), colour=lambda r: r.pick(COLOURS), instr=lambda r: r.pick(MUSIC),
            a1=lambda r: str(r.int(31, 90)), b1=lambda r: str(r.int(2, 30)), path=lambda r: r.path(["txt", "md", "csv"]))
_value = re.compile(r"\[(.+?)\]")
PLACES = ("web_search", "memory_read", "notes_search", "graph_search")  # where somebody's affairs may stand


NAMED = "NoPcWFSj"  # slots by which a thing is called


class Fact:
    """A question with its answer, given slots of another fact if there are any."""

    def __init__(self, r, item=None, given=None):
        self.item = item or r.phrase(FACTS)
        q, about, said = self.item
        s = self.slots = {k: (given or {}).get(k) or MAKE[k](r) for k in dict.fromkeys(slots_of(q + about + said))}
        self.own = "{N}" in q or q.startswith("*")  # a person or a secret: no question for the web
        self.question, self.about, said = fill(q.lstrip("*"), s), fill(about, s), fill(said, s)
        m = _value.search(said)
        self.value, self.said = m.group(1), upper_first(said.replace("[", "").replace("]", ""))

    def near(self, r):
        """One of the same sort about something else, or another about the same thing; None where it would say the answer."""
        same = [k for k in NAMED if k in self.slots]
        out = None
        if same and r.chance(0.45):
            for _ in range(6):
                item = r.phrase(FACTS)
                if item is not self.item and "{%s}" % same[0] in item[0]:
                    out = Fact(r, item, {same[0]: self.slots[same[0]]})
                    break
        out = out or Fact(r, self.item)
        return None if self.value in out.said or out.value in self.said else out

    def title(self):
        return upper_first(re.sub(r"^(?:the|a|how many|how long|how far|how high|how cold|when|who|what|where|which) ", "", self.about))


FOUND = thinks("""They ask for {a}; {w} says "{s}"
{A} is wanted, and {w} says "{s}"
{w} has {a}: "{s}\"""")
LACKS = thinks("""They ask for {a}; {w} tells of other things, and I must not guess.
{A} is wanted, and {w} does not say it.""")
NEAR = thinks("""They ask for {a}; {w} only says "{s}"
{A} is wanted; "{s}" is something else, and I must not guess.""")


def thought(r, forms, f, where, said=""):
    about = f.about if f.about.startswith("the ") else "this: " + f.about
    return upper_first(fill(r.pick(forms), {"a": about, "A": upper_first(f.about), "w": where, "s": said or f.said}))


def entries(r, f, tells):
    """(what was looked up, something near the answer among it): the answer among other things, or only others."""
    out = [noise_entry(r) for _ in range(r.weighted([(4, 0), (3, 1), (1, 2)]))]
    o = f.near(r) if r.chance(0.5) or not tells and not out else None
    if o:
        out.append((o.title(), o.said))
    if tells:
        out.append((f.title(), f.said if r.chance(0.6) else f.said + " " + r.sentence()))
    return r.shuffled(out) or [noise_entry(r)], o


def fact(c):
    """One question with material that says it, with material that does not, or without any."""
    r = c.r
    f = Fact(r)
    said, core = speak(r, f.question + r.pick(("?", "?", "")), typos=False, frame=r.chance(0.6))
    x = r.random()
    # where the web, the memory or the graph could be asked, somebody's own matters are only read
    if x < 0.35 or f.own and any(c.has(n) for n in PLACES):
        c.say(said, material(r, entries(r, f, True)[0]))
        c.answer(thought(r, FOUND, f, "the material"), f.said, check_text("extraction", [f.value]), needs_material=True)
    else:
        looked, o = entries(r, f, False) if x < 0.65 else (None, None)
        c.say(said, material(r, looked) if looked else None)
        if c.has("web_search"):
            web(c, f, core, looked)
        elif looked:
            c.answer(thought(r, NEAR, f, "the material", o.said) if o else thought(r, LACKS, f, "the material"), "I don't know %s: what I have here does not say it. A larger model or a web search would help."
                     % f.about, check_honest("unknown", [f.value]), needs_material=True)
        else:
            c.answer(fill(r.pick(UNKNOWN_THINK), {"s": f.about}), dont_know(f.about), check_honest("unknown", [f.value]))
    c.about = None
    c.done()


def web(c, f, core, looked):
    """The web is asked; what it brings says it or only something like it."""
    r = c.r
    c.call("The material does not say %s, so I search the web." % f.about if looked else "I don't know %s, so I search the web." % f.about,
           [make_call("web_search", {"query": query_of(core)})])
    o, hits = f.near(r) if r.chance(0.5) else None, [other_hit(r) for _ in range(r.int(0, 2))]
    if o:
        hits.append(hit(r, o.title(), o.said))
    if r.chance(0.55):
        best = hit(r, f.title(), f.said)
        c.result("web_search", search_text(c, r.shuffled(hits + [best])))
        c.answer(thought(r, FOUND, f, "a result"), "%s (%s)" % (f.said, best["url"]), check_text("extraction", [f.value]))
    else:
        c.result("web_search", search_text(c, r.shuffled(hits or [other_hit(r)])))
        c.answer(thought(r, NEAR, f, "a result", o.said) if o else thought(r, LACKS, f, "the search"), "The search found nothing about %s." % f.about, check_honest("unknown", [f.value]))


def never(c):
    """What cannot be looked up anywhere, with whatever tools there are."""
    r = c.r
    unanswered(c, *unknown_open.filled(r, r.phrase(NEVER)))


def unanswered(c, q, why):
    r = c.r
    if why.startswith("="):
        return asked_of_world(c, q, why[1:])
    c.say(speak(r, q + r.pick(("?", "")), typos=False, frame=r.chance(0.5))[0])
    c.answer(cannot(r, why), "I can't know that: %s." % why, check_honest("unknown"))
    c.about = None
    c.done()


def asked_of_world(c, q, s):
    """Advice: the web is asked where it can be; what the person told before does not hold it."""
    r = c.r
    said, core = speak(r, q + r.pick(("?", "")), typos=False, frame=r.chance(0.5))
    c.say(said)
    if c.has("web_search"):
        c.call("They ask for advice and not for what they told me: I search the web for %s." % s, [make_call("web_search", {"query": query_of(core)})])
        c.result("web_search", search_text(c, [other_hit(r) for _ in range(r.int(1, 2))]))
        c.answer("The results are about other things.", "The search found nothing about %s." % s, check_honest("unknown"))
    else:
        c.answer("They ask for advice, which nobody told me: %s. I say that I don't know." % s if r.chance(0.5) else unknown_think(c, s), dont_know(s), check_honest("unknown"))
    c.about = None
    c.done()


def pair(c):
    """A question that no tool answers, and one with much the same words that a tool does, in either order or alone."""
    r = c.r
    fits = [p for p in (PAIRS.held if r.held else PAIRS.train) if c.has(p[3])]
    if not fits:
        return never(c)
    item = r.pick(fits)
    s = {k: MAKE[k](r) for k in dict.fromkeys(slots_of("".join(item)))}
    parts = r.weighted([(3, ("no",)), (3, ("yes",)), (2, ("no", "yes")), (2, ("yes", "no"))])
    for part in parts:
        if part == "no":
            unanswered(c, fill(item[0], s), fill(item[1], s))
        else:
            answered(c, item, s)


def answered(c, item, s):
    r = c.r
    q, name, arg, brings = fill(item[2], s), item[3], fill(item[4], s), fill(item[5], s) if len(item) > 5 else ""
    c.say(speak(r, q + ("" if name == "fs_read" else r.pick(("?", ""))), typos=False, frame=r.chance(0.4))[0])
    if name == "graph_search":
        p, rel, obj = brings.split("|")
        c.call("%s is a person; the graph may have that fact." % p, [make_call(name, {"people": [arg]})])
        c.result(name, facts_text([fact_line(r, 1, p, rel, obj)]))
        c.answer("The fact that IS so now answers it.", "%s %s %s." % (p, rel, obj), check_text("extraction", [obj]))
    elif name == "memory_read":
        c.call("They ask for their own words on it, so I search the memory.", [make_call(name, {"query": arg})])
        value, said = _value.search(brings).group(1), brings.replace("[", "").replace("]", "")
        c.result(name, memory_result(r, [("my " + s["n"], said)]))
        c.answer("An entry says it.", upper_first(second(said)), check_text("recall", [value]))
    elif name == "calculate":
        got = evaluate(arg)
        c.call("The numbers are all there: %s." % arg, [make_call(name, {"expression": arg})])
        c.result(name, got[0])
        c.answer("The result is there, so I give it.", "%s is %s." % (arg, got[1]), check_text("extraction", [got[1]]))
    else:
        text = r.sentence()
        c.call("%s is a file, so I can read it." % arg, [make_call(name, {"path": arg})])
        c.result(name, files.read_result(c, arg, text)[0])
        c.answer("I show what it says.", show_text(arg, text)[0], check_text("extraction", [text.rstrip(".")]))
    c.about = None
    c.done()


def twin(c):
    """One of these by chance."""
    return c.r.weighted([(5, fact), (2, never), (3, pair)])(c)
