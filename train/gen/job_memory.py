"""Small jobs with a schema: naming a note, extracting what answers, reading a turn.

These, feedback, choosing tools, pages and notes (but not the gate) are asked with thinking off. Their answers are copied out of
the text wherever that can be.
"""
import re

from .job_base import SCHEMA, TEXT, as_json, injection, sample, system, user
from .job_chance import SENTENCES, coined, first
from .job_feedback import question
from .job_person import around, life, named, preference, second
from .job_piece import path
from .job_told import ASKS, told
from .job_world import LIBRARY, book, readable, software, subject, thing, topic
from .wording import low, stop, upper_first

G = "memory"


def words_of(text):
    """The longer words of a sentence, which a summary of it has to hold."""
    return list(dict.fromkeys(w for w in (x.strip(".,;:!?()\"'“”") for x in text.split()) if len(w) > 4 or any(c.isdigit() for c in w)))[:8]


def loose(v, fields, holds, most=None):
    """An answer of which some fields are to be the same and others need only hold certain words."""
    m = as_json(v, off=True, group=G, fields=fields)
    m["check"]["holds"] = {k: w for k, w in holds.items() if w}
    if most:
        m["check"]["most"] = most
    return m


def marked(text):
    return "<text>\n" + text + "\n</text>"


# Naming: the name is what the note is about, the description its first sentences.

FILLER = ["It was a long day.", "More about it next week.", "I must not forget this.", "That is all for now.", "Ask again in spring.", "The rest is in the folder.", "Not sure about the details.", "See also the list on the fridge.",
          "We talked about it twice.", "Nobody else knows it yet.", "It took the whole morning.", "This is important.", "The weather was fine.", "I wrote this down at once.", "Somebody should look into it.", "To be continued."] + SENTENCES
HEADS = ["# {t}", "{t}", "## {t}", "{t}:", "Title: {t}", "{t}\n====="]


def note(j):
    """A note with its name and description."""
    x = j.random()
    if LIBRARY and j.chance(0.25):
        n, sents, _ = book(j)
        if n.lower() in sents[0].lower():
            return upper_first(n), sents[0], sents[:6]
    if x < 0.45:
        s = topic(j, k=j.n(1, 4))
        name = upper_first(s["name"])
        body = [s["claim"]] + s["more"]
        desc = s["claim"]
    elif x < 0.65:
        s = software(j)
        name, body = s["name"], [s["claim"]] + s["more"]
        desc = s["claim"]
    elif x < 0.85:
        m = life(j)
        body = [m["fact"]]
        title = m.get("title", "")
        name, desc = upper_first(title if title and title.lower() in m["fact"].lower() else m["fact"].rstrip(".")), m["fact"]
    else:
        m = preference(j)
        body = [m["fact"]]
        name, desc = upper_first(m["about"]), m["fact"]
    return name, desc, body


def naming(j):
    name, desc, body = note(j)
    text = " ".join(body)
    if j.chance(0.3):  # a heading names it
        head = j.pick(["Notes on %s", "%s", "About %s", "Meeting: %s", "Facts: %s", "Idea: %s"])
        name = head % (low(thing(j)) if j.chance(0.4) else coined(j).capitalize())
        text = j.pick(HEADS).format(t=name) + "\n\n" + text
    if j.chance(0.5):
        text += " " + " ".join([j.phrase(FILLER) for _ in range(j.n(1, 3))])
    if j.chance(0.3):
        text += "\n\n" + " ".join(around(j, j.n(1, 4)))
    if j.chance(0.1):
        text += " " + injection(j)
    v = {"name": " ".join(name.split()[:10]), "description": desc}
    return sample("naming", [system(TEXT["memory.nameTask"]), user(marked(text)),
                             loose(v, {"name": v["name"]}, {"description": words_of(desc)})], schema=SCHEMA["memory.name"])


def extracting(j):
    """Copy, word for word, the sentences that answer."""
    s = readable(j)
    q, sentence, _, _ = j.pick(s["facts"])
    wanted = [sentence]
    rest = [t for t in [s["claim"]] + s["more"] if t != sentence]
    ask = question(j, q)
    if j.chance(0.25):
        m = life(j)
        ask, wanted, rest = m["ask"], [m["fact"]], []
    elif j.chance(0.15) and len(s["facts"]) > 1:
        f, g = j.some(s["facts"], 2)
        ask, wanted = question(j, f[0] + " and " + g[0]), [f[1], g[1]]
        rest = [t for t in [s["claim"]] + s["more"] if t not in wanted]
    others = []
    room = j.n(300, 1600)
    if LIBRARY and j.chance(0.3):
        others += book(j)[1]
    while sum(map(len, others)) < room:
        o = subject(j)
        others += [o["claim"]] + o["more"] + around(j, 2) + [j.phrase(FILLER)]
        others = [t for t in others if t not in wanted]
    none = j.chance(0.15)
    pool = j.shuffled(others + rest)
    if not none:
        at = sorted(j.n(0, len(pool)) for _ in wanted)
        for i, w in zip(reversed(at), reversed(wanted)):
            pool.insert(i, w)
    if j.chance(0.1):
        pool.insert(j.n(0, len(pool)), injection(j))
    text, line = "", ""
    for t in pool:
        line = line + " " + t if line else t
        if j.chance(0.25):
            text, line = text + line + j.pick(["\n", "\n\n"]), ""
    v = {"quotes": [] if none else wanted}
    return sample("extracting", [system(TEXT["memory.extractTask"] + ask), user(marked((text + line).strip())),
                                 as_json(v, off=True, group=G)], schema=SCHEMA["memory.extract"])


ACKS = ["Noted.", "I will remember that.", "Thank you, I have noted it.", "Understood.", "I don't know that.", "All right.", "Noted: {y}", "Good to know."]
REQUESTS = [("Read {f}.", "{f}", "The file says: {w}."), ("Write {w} to {f}.", "{f}", "I wrote {w} to {f}."), ("Search the web for {t}.", None, "{c}"), ("Remind me to call {n}.", "{n}", "I will remember that."),
            ("Send {n} the list {f}.", "{n}", "I cannot send mail."), ("Calculate {a} * {b}.", None, "{a} * {b} = {ab}."), ("List the files in {f}.", "{f}", "There are {a} files."), ("Translate {w} into French.", None, "I don't know that offline."),
            ("Book a table at {W} for {n}.", "{W}", "I have no tool for that."), ("Please look up {t}", None, "{c}"), ("Add {w} to the shopping list", None, "Done: {w} is on the list."), ("Draft a mail to {n} about {t}.", "{n}", "Dear {n}, this is about {t}.")]
SMALL = ["Hello", "Hi, how are you?", "Good morning", "Good evening", "Nice to meet you", "See you tomorrow", "What's up?", "Have a nice day", "Goodbye", "hey", "Hi there!", "Good night"]
FEEDBACK = ["That's wrong.", "That is right.", "Good answer.", "Well done", "That's not what I asked.", "Too long.", "Perfect", "That helped", "You misunderstood me.", "Great answer, thanks", "That is not correct.", "Good job!"]


_PREFER = (" i prefer ", " i like ", " i love ", " i hate ", " i dislike ", " i don't like ", " i'd rather ", " my favourite ", " my favorite ", " i can't stand ", " i am allergic ", " i'm allergic ", " i always want ",
           " i never want ", " from now on ", " always use ", " never use ")


def prefers(text):
    """Whether somebody states a taste or a fact, as the hall's own rules see it."""
    t = " " + text.lower() + " "
    return "preference" if any(p in t for p in _PREFER) else "statement"


_GREET = set("hi hello hey ok okay so well oh hallo moin yo greetings thanks thank you".split())
_ASKW = set("what when where who whom whose which why how is are was were do does did can could will would should has have had am may might".split())
_ORDERS = set("""write make create send show tell give find search look list explain summarize summarise translate add remove delete remember remind schedule book call open run draw compare calculate compute plan draft check fix help set
turn play stop start update read convert generate describe suggest recommend forget save store note rename move copy cancel order buy""".split())


def intent_of(text):
    """What the hall's own rules (internal/memory/passage) take words for."""
    w = "".join(c if c.isalnum() or c in "'’-" else " " for c in text.lower()).split()
    while w and w[0] in _GREET:
        w = w[1:]
    s, asks = " " + " ".join(w) + " ", text.rstrip().endswith("?")
    if not w:
        return "smalltalk"
    if (s.startswith((" can you ", " could you ", " would you ", " will you ", " please "))
        or any(p in s for p in (" i want you to ", " i need you to ", " i'd like you to ", " help me "))):
        return "request"
    if not asks and (w[0] in _ORDERS or w[0] == "please"):
        return "request"
    if not asks and prefers(text) == "preference":
        return "preference"
    if asks or w[0] in _ASKW and len(w) > 1:
        return "question"
    return "statement"


def stated(j):
    """A fact of a person's life of which it is known whether it is one about people or places."""
    while True:
        m = life(j)
        if m["rel"] or not m["names"] or "title" not in m:
            return m


# Turns to be read: (what the person said, the answer, intent, entities, summary, relations).

def told_turn(j):
    m = stated(j)
    q, a, intent = m["fact"], j.pick(ACKS).format(y=second(m["fact"])), prefers(m["fact"])
    entities = m["names"]
    rels = [m["rel"]] if m["rel"] else []
    if j.chance(0.3):
        m2 = stated(j)
        q += " " + m2["fact"]
        entities = entities + [n for n in m2["names"] if n not in entities]
        rels += [m2["rel"]] if m2["rel"] else []
        intent = prefers(q)
    return q, a, intent, entities, "The person said: " + q, rels


_FIRST = re.compile(r"(\w+)(?= and I agreed| offered to| asked me| would never)")


def preference_turn(j):
    m = preference(j)
    intent = "preference" if m["kind"] == "choice" else "statement"
    head = _FIRST.match(m["fact"])
    names = ([head.group(1)] if head else []) + named(m["fact"])
    return m["fact"], j.pick(ACKS).format(y=second(m["fact"])), intent, names, "The person said: " + m["fact"], []


def question_turn(j):
    s = readable(j)
    f = s["facts"][0]
    q = (question(j, f[0]) if j.chance(0.6) else j.pick(["What is new about %s?", "What do you know about %s?", "What happened to %s?"])
         % s["the"])
    known = j.chance(0.75)
    ans = f[1] if f[0] in q or low(f[0]) in low(q) else s["claim"]
    a = ans if known else j.pick(["I don't know that.", "I don't know that offline.", "Nothing is remembered about it."])
    intent = "request" if q.startswith(("Tell me", "Please", "Could you", "Remind", "Look up", "Explain", "Find out")) else "question"
    if not q.endswith(("?", ".")) and intent == "question":
        q += "?"
    entities = [s["name"]]
    if known and f[2][:1].isupper() and f[2] in ans:
        entities.append(f[2])
    if known and ans == s["claim"] and s["place"]:
        entities.append(s["place"])
    return q, a, intent, entities, "The person asked: %s The answer was: %s" % (q, a), []


def tool_turn(j):
    q, names = told(j, j.pick(list(ASKS)))
    intent = intent_of(q)
    a = j.pick(["I don't know that.", "Done.", "I could not do that: the tool failed.", "Here it is: " + coined(j) + ".",
                subject(j)["claim"], "I don't know that offline."])
    did = "asked" if intent == "question" else "said" if intent in ("statement", "preference") else "wanted"
    return q, a, intent, list(dict.fromkeys(names)), "The person %s: %s The answer was: %s" % (did, stop(q), a), []


def request_turn(j):
    w, n, t, f, W = coined(j), first(j), subject(j), path(j), coined(j).capitalize()
    aa, bb = j.n(2, 99), j.n(2, 99)
    v, e, ans = j.phrase(REQUESTS)
    slots = dict(w=w, n=n, t=t["the"], f=f, W=W, a=aa, b=bb, ab=aa * bb, c=t["claim"])
    q, a = v.format(**slots), ans.format(**slots)
    entities = [e.format(**slots)] if e else []
    if "{W}" in v and "{n}" in v:
        entities = [W, n]
    elif "{n}" in v and "{f}" in v:
        entities = [n, f]
    elif "{t}" in v:
        entities = entities + [t["name"]]
    return q, a, "request", entities, "The person wanted: %s The answer was: %s" % (q, a), []


def small_turn(j):
    q = j.phrase(SMALL)
    a = j.pick(["Hello! How can I help?", "Hi!", "Goodbye!", "I am well, thank you."])
    return q, a, "smalltalk", [], "The person made small talk: " + q, []


def judging_turn(j):
    q = j.phrase(FEEDBACK)
    return q, j.pick(["Thank you.", "I am sorry about that.", "Noted."]), "feedback", [], "The person judged the answer before: " + q, []


TURNS = [(0.3, told_turn), (0.45, preference_turn), (0.72, question_turn), (0.8, tool_turn), (0.88, request_turn), (0.94, small_turn),
         (1, judging_turn)]


def reading(j):
    """One turn: intent, entities, summary, relations."""
    x = j.random()
    q, a, intent, entities, summary, rels = next(make for share, make in TURNS if x < share)(j)
    v = {"intent": intent, "entities": entities, "summary": summary,
         "relations": [dict(zip(("subject", "relation", "object"), r)) for r in rels]}
    learnt = loose(v, {"intent": intent}, {"entities": entities, "summary": words_of(q), "relations": [r[2] for r in rels]},
                   {"entities": len(entities) + 1, "relations": len(rels) + 1})
    return sample("reading", [system(TEXT["memory.readTask"]), user(marked("Asked: %s\nAnswered: %s" % (q, a))), learnt],
                  schema=SCHEMA["memory.read"])


KINDS = [(naming, 12), (extracting, 16), (reading, 18)]
