"""The gate before memory: does a new note contradict what is kept?

It does when a kept note gives another value for the same matter of the same thing. Beside that stand its near
neighbours, which do not: another matter of the same thing, the same matter of another thing, the same in other
words, what was so before, and what can be so several times. The thought says which of them it is.
"""
import re

from . import personal
from .facts import Sheet
from .job_base import SCHEMA, SCHEMA_TAIL, SYSTEM, as_json, go, injection, sample, system, user
from .job_case import alter
from .job_chance import coined, first, iso, person, place, rng
from .job_person import around, life
from .job_world import readable, thing
from .wording import low, stop, upper_first

G = "memory"
GATE_SCHEMA = '{"type":"object","properties":{"contradicts":{"type":"boolean"},"reason":{"type":"string"}},"required":["contradicts"]}'


class Case:
    """A new note, and kept ones for each relation to it: what contradicts, and neighbours that do not, with what the note is about."""

    def __init__(self, new, about, clash=(), same=(), other=(), before=(), several=()):
        self.new, self.about = new, about
        self.lists = {"clash": list(clash), "same": list(same), "other": list(other), "before": list(before), "several": list(several)}


# What a person has one of; of other things (brothers, tastes, collections) two notes can both be right.
_SINGLE = re.compile(r"number|code|PIN|password|combination|price|birthday|\bage\b|address|email|size|weight|colour|name\b|favourite|blood type|hometown|birthplace|alarm|employer|\bbank\b|\bboss$|\bdentist$"
                     r"|\bdoctor$|debt|lease|contract|guarantee|insurance|subscription|deadline|label|model|star sign|budget")
# Attributes of which a thing may have several values at once.
_MANY = set("""files|dependency|systems|food|treat|donor|neighbour|paper|bus|tonight's act|grape|hobby|language|languages|members|crew|contents|colours|toppings|topping|topics|cast|ingredients list|spare parts|guest list|stops|use|flowers|
main product|specialty|side dish|sponsor|supplier|client|friend|witness|speaker|worker|user|best known work|sister city|weakness|remark|maintainer|storage|cause|remedy|source|prize|tool|gift|cargo""".replace("\n", "").split("|"))


def personal_case(j):
    """Something that a person says of themselves."""
    r = rng(j)
    while True:
        t = personal.told(r)
        o = t.changed(r)
        if o and o.fact() != t.fact():
            break
    other = personal.told(r)
    others = [other.sentence(r)] if other.title() != t.title() else []
    was = ["Before that it was otherwise: " + low(o.sentence(r)), "That is over now: " + o.sentence(r)]
    if not _SINGLE.search(t.title()):
        return Case(t.sentence(r), "the person's " + t.title(), same=[t.sentence(r)], other=others, before=was)
    return Case(t.sentence(r), "the person's " + t.title(), [o.sentence(r)], [t.sentence(r)], others, was)


# What one person has only one of: the sentence, the same in other words, what was so before.
ONE = [("{N} lives in {P}.", "{P} is where {N} lives.", "{N} lived in {P} until {y}.", "home of {N}"), ("{N} was born in {y}.", "The year of {N}'s birth is {y}.", None, "birth of {N}"),
       ("{N} is married to {M}.", "{M} and {N} are married.", "{N} was married to {M} until {y}.", "marriage of {N}"), ("The dentist of {N} is {M}.", "{N} goes to the dentist {M}.", "Until {y} the dentist of {N} was {M}.", "dentist of {N}"),
       ("{N} is {k} years old.", "{N} has reached the age of {k}.", None, "age of {N}"), ("{N}'s train leaves at {h}.", "The train of {N} goes at {h}.", "Last year {N}'s train left at {h}.", "train of {N}"),
       ("The boss of {N} is {M}.", "{N} works under {M}.", "Up to {y} the boss of {N} was {M}.", "boss of {N}"), ("{N} was born in {P}.", "{P} is the birthplace of {N}.", None, "birthplace of {N}"),
       ("The {t} of {N} is {c}.", "{N} has a {c} {t}.", "The {t} of {N} was {c} before it was painted.", "{t} of {N}"), ("The key for the {t} lies with {N}.", "{N} keeps the key for the {t}.", "Until {y} {N} had the key for the {t}.", "key for the {t}"),
       ("The {t} closes at {h}.", "At {h} the {t} shuts its doors.", "Until {y} the {t} closed at {h}.", "closing of the {t}"), ("The next meeting of {N} is on {d}.", "{N} meets next on {d}.", None, "next meeting of {N}"),
       ("The password hint for the {t} is {w}.", "For the {t} the password hint reads {w}.", "The old password hint for the {t} was {w}.", "password hint for the {t}"), ("Entry to the {t} costs {k} euros.", "One pays {k} euros to enter the {t}.", "In {y} entry to the {t} cost {k} euros.", "entry to the {t}")]
# What somebody may have several of: two such notes can both be right.
SEVERAL = [("{N} knows {M}.", "{N} knows {M2}."), ("{N} speaks {L}.", "{N} speaks {L2}."), ("{N} likes {w}.", "{N} likes {w2}."), ("{N} has a sister called {M}.", "{N} has a sister called {M2}."), ("{N} has been to {P}.", "{N} has been to {P2}."),
           ("The {t} has a {w} room.", "The {t} has a {w2} room."), ("{N} bought a {w} on {d}.", "{N} bought a {w2} on {d}."), ("{N} wrote to {M}.", "{N} wrote to {M2}."), ("A window of the {t} looks to the {w}.", "A window of the {t} looks to the {w2}.")]
LANGUAGES = "German French Spanish Dutch Greek Welsh Finnish Turkish Korean Portuguese Czech Danish".split()
COLOURS = "red green blue white black grey yellow brown orange".split()


def slots(j):
    a, b = j.some(LANGUAGES, 2)
    return {"N": first(j), "M": person(j), "M2": person(j), "P": place(j), "P2": place(j), "y": j.n(1940, 2025), "k": j.n(3, 96), "h": "%d:%02d" % (j.n(5, 22), j.pick([0, 10, 15, 30, 45])),
            "t": thing(j), "c": j.pick(COLOURS), "d": iso(j), "w": coined(j), "w2": coined(j), "L": a, "L2": b}


def one_case(j):
    say, words, was, about = j.phrase(ONE)
    f, g = slots(j), slots(j)
    keep = "N" if "{N}" in about else "t"
    g[keep] = f[keep]
    if "{t}" in about:
        g["t"] = f["t"]
    new, clash = say.format(**f), say.format(**g)
    h = dict(f, N=first(j), t=thing(j))  # the same of another
    elsewhere = j.pick([x for x in ONE if x[3] != about and keep in x[3]])  # another matter of the same
    other = [elsewhere[0].format(**dict(g, w=coined(j)))]
    if h[keep] != f[keep]:
        other.append(say.format(**{**g, keep: h[keep]}))
    return Case(new, "the " + about.format(**f), [clash] if clash != new else [], [words.format(**f)], other, [was.format(**g)] if was and g != f else [])


def several_case(j):
    a, b = j.phrase(SEVERAL)
    f = slots(j)
    return Case(upper_first(a.format(**f)), f["N"] if "{N}" in a else "the " + f["t"], several=[upper_first(b.format(**f))])


def thing_case(j):
    """A fact about a thing that can be read."""
    while True:
        t = readable(j)
        q, sentence, v, attr = t["facts"][0]
        if v in sentence:
            break
    plain = upper_first("the %s of %s is %s." % (attr, t["the"], v))
    other = [f[1] for f in t["facts"][1:]]
    if t["name"] in sentence:
        other.append(sentence.replace(t["name"], thing(j) if t["the"].startswith("the ") else coined(j).capitalize()).replace(v, alter(j, v)))
    changed = sentence.replace(v, alter(j, v))
    one = attr not in _MANY and "," not in v and changed != sentence
    return Case(sentence, "the %s of %s" % (attr, t["the"]), [changed] if one else [], [plain] if plain != sentence else [], other)


def sheet_case(j):
    """Open attributes: two sentences for one value, or for two."""
    r = rng(j)
    s = Sheet(r, j.n(1, 3))
    s.alone = ("{m}", "{w}")
    o = s.sibling(r)
    o.alone = s.alone
    a = s.attrs[0]
    new, same = s.sentence(r, a, True), s.sentence(r, a, True)
    other = [o.sentence(r, a, True)] + [s.sentence(r, b, True) for b in s.attrs[1:]]
    v, s.values[a.key] = s.values[a.key], o.values[a.key]
    one = a.short not in _MANY and "," not in v and s.values[a.key] != v
    clash = [stop(s.sentence(r, a, True))] if one else []
    return Case(stop(new), "the %s of %s" % (a.short, s.name), clash, [stop(same)] if same != new else [], [stop(x) for x in other])


def life_case(j):
    while True:
        m = life(j)
        if m["rel"]:
            break
    same = m["you"]
    for you, they in (("Your", "The person's"), ("You are", "The person is"), ("You ", "The person "), ("your", "the person's")):
        same = same.replace(you, they)
    return Case(m["fact"], low(m["fact"]).rstrip("."), same=[same])


CASES = [(personal_case, 24), (one_case, 30), (several_case, 8), (thing_case, 22), (sheet_case, 20), (life_case, 4)]
_CW = [w for _, w in CASES]
SHARES = {"clash": 75, "same": 15, "other": 22, "before": 8, "none": 8, "several": 40}
WHY = {"several": "Both can be right at the same time.", "same": "It says the same in other words.", "other": "Both can be right at the same time.", "before": "The kept note is about what was before.",
       "none": "The kept notes are about other things."}
THINK = {"clash": ["Of {a} a kept note says something else: “{k}”", "The new note and “{k}” both speak of {a}, and they differ.", "Another value for {a} is kept: “{k}”", "“{k}” is about {a} too, and does not go with the new note.", "Both are about {a}; the values differ: “{k}”"],
         "same": ["“{k}” says the same of {a}.", "Of {a} the same is kept, in other words.", "The kept note on {a} has the same value.", "No difference: “{k}” means the same.", "{A} is kept already, with the same value."],
         "other": ["“{k}” is another matter than {a}.", "The kept note “{k}” does not speak of {a}.", "Near, but not {a}: “{k}”", "{A} is not what “{k}” is about.", "“{k}” can be right beside {a}."],
         "before": ["“{k}” tells what was before.", "The kept note is about an earlier time: “{k}”", "That was once so; the new note says what is now.", "“{k}” is past.", "Of {a} the kept note tells the past."],
         "several": ["There can be more than one of these for {a}.", "“{k}” can be so beside it: one does not rule out the other.", "{A} can have several, so both can be right.", "The new note adds one more to “{k}”", "One more of the same kind does not contradict."],
         "none": ["No kept note speaks of {a}.", "Nothing is kept about {a}.", "The kept notes are about other things than {a}.", "{A} does not come up in what is kept.", "I see nothing on {a} in the kept notes."]}


def gate(j):
    c = j.r.choices(CASES, _CW)[0][0](j)
    kinds = [k for k in SHARES if k == "none" or c.lists[k]]
    kind = j.r.choices(kinds, [SHARES[k] for k in kinds])[0]
    key = j.pick(c.lists[kind]) if kind != "none" else ""
    kept = [key] if key else []
    if kind == "clash":
        for more in ("other", "before"):  # its neighbours stand beside it
            if c.lists[more] and j.chance(0.3):
                kept.append(j.pick(c.lists[more]))
    kept += around(j, j.n(0 if kept else 1, 3))
    kept = j.shuffled(dict.fromkeys(kept))
    if j.chance(0.06):
        kept.append(injection(j))
    yes = kind == "clash"
    why = "The kept note says otherwise: " + key if yes else WHY[kind]
    text = go({"kept": kept, "new": c.new}) + "\n\n" + SCHEMA_TAIL + GATE_SCHEMA
    th = upper_first(j.phrase(THINK[kind]).format(a=c.about, A=upper_first(c.about), k=key))
    return sample("gate", [system(SYSTEM["gate"]), user(text),
                           as_json({"contradicts": yes, "reason": why}, th, group=G, fields={"contradicts": yes})],
                  schema=SCHEMA["orchestrator.gate"])


KINDS = [(gate, 10)]
