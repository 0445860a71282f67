"""The Self: the answer that the committee gives together, and the Self alone."""
from .job_base import SYSTEM, TEXT, learn, listed, said, sample, system, user
from .job_matter import matter, quoted, standing
from .job_person import around, choice, life, preference, second
from .job_voice import FIVE, SPEAK_NONE, SPEAK_SELF, VOICE_TOOLS, heard, minutes, opening, panel, second_words
from .wording import upper_first

G = "committee"

LEAD_CHOICE = ["I would take {w} for your {c}: you said {f}", "Take {w} for your {c}. You said {f}", "{W}, I would say, for your {c}: you said {f}", "For your {c} I would choose {w}, since you said {f}",
               "I say {w}: you said {f}"]
LEAD = {"against": ["I would not {d}: you said {f}", "I would leave it: you said {f}", "No, not now: you said {f}", "I am against it, because you said {f}"],
        "for": ["I would {d}: you said {f}", "Yes, I would: you said {f}", "I am for it, because you said {f}", "Yes, {d}: you said {f}"]}
LEAD_GRAPH = {"for": ["Yes, I would: it is known that {f}.", "Yes: {f}."], "against": ["I would not: it is known that {f}.", "No: {f}."]}
LEAD_NONE = ["I do not know it: none of the voices found anything about it.", "I cannot say, because no voice knows anything about it.", "I do not know. Nothing about it is remembered, and no voice has a fact.",
             "I have no answer to that: {n} found nothing."]


def self_words(j, m, known, names, absent):
    """The Self: the answer, who agrees, who does not, every caution."""
    finders = [n for n in names if known[n]]
    if not finders or m["kind"] in ("none", "general"):
        text = j.phrase(LEAD_NONE).format(n=listed(names))
        if absent:
            text += " %s was not heard." % absent
        return text, {"type": "honest", "none": [], "all": []}
    f = quoted(m["fact"])
    if m["kind"] == "choice":
        lead, main = j.phrase(LEAD_CHOICE), "for"
    elif m["kind"] == "graph":
        lead, main = j.phrase(LEAD_GRAPH[m["side"]]), m["side"]
    elif m["kind"] == "open":
        lead, main = j.phrase(["I would keep to what you said: {f}", "You said {f} I would keep to that.", "Keep to your own words: {f}",
                               "I go by what you said: {f}"]), "none"
    else:
        lead, main = j.phrase(LEAD[m["side"]]), m["side"]
    parts = [upper_first(lead.format(w=m.get("want", ""), W=upper_first(m.get("want", "")), c=m.get("about", ""), d=second(m.get("do", "")), f=f))]
    agree = [n for n in finders if standing(n, m)[0] == main]
    if agree:
        parts.append("%s %s." % (listed(agree), j.pick(["say so too", "agree"]) if len(agree) > 1 else j.pick(["says so too", "agrees"])))
    for n in finders:
        if n not in agree:
            parts.append("%s is %s." % (n, standing(n, m)[0]))
    warned = {}
    for n in finders:
        warned.setdefault(standing(n, m)[1], []).append(n)
    for c, who in warned.items():
        if c != "none":
            parts.append("%s %s: %s." % (listed(who), "warns" if len(who) == 1 else "warn", c))
    lost = [n for n in names if not known[n]]
    if lost:
        parts.append("%s had no fact to go by." % listed(lost))
    if absent:
        parts.append("%s was not heard." % absent)
    want = [m["fact"]] + names
    return " ".join(parts), {"type": "contains", "all": want, "none": ["Position:", "Caution:"]}


def the_self(j):
    names = panel(j)
    m = matter(j)
    known, spoken = heard(j, m, names)
    absent = ""
    if j.chance(0.1):
        absent = j.pick([n for n in FIVE if n not in names] or ["Elder"])
    if j.chance(0.6):  # two rounds
        late = [(n, 2, second_words(j, n, m, known, names)[0]) for n in names]
        spoken = spoken + late
        if any(known.values()) and m["kind"] not in ("none", "general"):
            known = {n: True for n in names}  # who relied on others has it now
    more = minutes(j, spoken, "") + ("\n\nNot heard: %s in round 1." % absent if absent else "")
    msgs = [system(SYSTEM["self"]), user(opening(j, m, more))]
    text, check = self_words(j, m, known, names, absent)
    if j.chance(0.08) and len(names) > 1 and any(known.values()) and m["kind"] == "yesno":
        n = names[-1]
        first_try = text.split(". ")[0] + "."
        msgs += [said(first_try),
                 user("A check of this found:\n- %s is %s it, and the answer does not say so: name %s and give the reason\nPut it right and give the whole answer again."
                                       % (n, standing(n, m)[0], n))]
    msgs.append(learn(text, check, j.phrase(SPEAK_SELF), group=G))
    return sample("self", msgs, VOICE_TOOLS if j.chance(0.92) else [])


def material(entries):
    return TEXT["engine.material"] + "".join("\n- " + " ".join((n + ": " + t if n else t).split()) for n, t in entries)


def alone(j):
    """The Self without voices: what was looked up stands before the question."""
    x = j.random()
    if x < 0.45:
        m = life(j)
        good, text = (m["fact"], m["fact"]), m["you"]
    elif x < 0.75:
        m = choice(j)
        good = (m["ask"] if j.chance(0.3) else m["fact"], "Asked: %s Answered: Noted." % m["fact"] if j.chance(0.4) else m["fact"])
        text = upper_first(j.phrase(LEAD_CHOICE).format(w=m["want"], W=upper_first(m["want"]), c=m["about"], f=quoted(m["fact"])))
    else:
        m = preference(j) if j.chance(0.5) else life(j)
        good, text = None, ""
    entries = [(s.rstrip("."), s) for s in around(j, j.n(0 if good else 1, 3))]
    if good:
        entries.insert(j.n(0, len(entries)), good)
    # The engine puts what it looked up behind the question.
    words = opening(j, m, material(entries)) if j.chance(0.15) else opening(j, m) + "\n\n" + material(entries)
    msgs = [system(SYSTEM["alone"]), user(words)]
    if good:
        check = {"type": "contains", "all": [m["fact"] if "want" in m else m["you"].rstrip(".").split(" ")[-1]], "none": []}
        msgs.append(learn(text, check, j.phrase(["It stands in what was looked up.", "The material has it.",
                                                 "What was looked up answers it.", "I read it off the material."]), group=G))
    else:
        msgs.append(learn(j.phrase(NOT_KNOWN), {"type": "honest", "none": []}, j.phrase(SPEAK_NONE), group=G))
    return sample("alone", msgs)


NOT_KNOWN = ["I do not know that: nothing that was looked up says it.", "I don't know. What was looked up does not say it.", "That is not among what I could look up, so I do not know it.",
             "I do not know it; you have not told me, as far as I can see.", "Nothing is known about that, so I cannot say."]


KINDS = [(the_self, 24), (alone, 8)]
