"""Requests that people make of pieces of work: one clause with two objects, questions in a row, wishes that are joined."""
from . import job_wishes as wishes
from .job_base import listed
from .job_chance import first, place
from .job_piece import ending, ident, path, piece, unique
from .job_world import readable, software, topic, weather
from .wording import low, upper_first

# One clause with two objects: a subtask for each.
TWO = ["look up {a} and {b}", "search the web for {a} and {b}", "find out about {a} and {b}", "research both {a} and {b}", "find news about {a} and about {b}", "google {a} and {b}",
       "look up both {a} and {b}", "check the web for {a} and {b}"]
CMP = ["compare the {k} of {a} and {b}", "compare {a} and {b} by their {k}", "compare {a} with {b}: which {k} has each?", "look at the {k} of {a} and of {b}", "set the {k} of {a} against that of {b}",
       "compare the {k} of {a} with that of {b}"]
CMP_WRITE = [" and write the result to {f}", " and put it into {f}", ", and save the comparison in {f}", "; write it to {f}", " and store the result in {f}", ", then write the result to {f}"]


def pair(j):
    """A request about two things at once, and its pieces."""
    made = topic if j.chance(0.4) else software if j.chance(0.6) else weather
    x, y = made(j), made(j)
    while y["name"] == x["name"]:
        y = made(j)
    if made is weather or j.chance(0.35):
        v = j.phrase(TWO)
        ask = v.format(a=x["the"], b=y["the"])
        verb = v.split(" {a}")[0].replace(" both", "")
        pieces = [dict(task="%s %s." % (upper_first(verb), s["the"]), name=s["the"], id=ident(s["name"]), about=s) for s in (x, y)]
        more, ends = [], False
    else:
        k = j.pick(["licence", "price", "age", "size", "speed", "history", "opening times", "cost", "height", "licences", "weight", "rules",
                    "reviews", "users"]
                   + [f[3] for f in x["facts"]])
        ask = j.phrase(CMP).format(k=k, a=x["the"], b=y["the"])
        pieces = [dict(task="Find out the %s of %s." % (k, s["the"]), name=s["the"], id=ident(s["name"]), about=s) for s in (x, y)]
        names = "%s and %s" % (x["the"], y["the"])
        f = path(j, ("md", "txt", "csv"))
        if j.chance(0.6):
            ask += j.phrase(CMP_WRITE).format(f=f)
            more = [dict(task="Write a comparison of the %s of %s to the file %s." % (k, names, f), type="coder", id="write", inputs=[f],
                         name=f)]
        else:
            more = [dict(task="Compare the %s of %s." % (k, names), type="assistant", id="compare", inputs=[], name="the comparison")]
    for p in pieces:
        p.update(type="researcher", inputs=[], needs=[])
    unique(pieces)
    for p in more:
        p["needs"] = [q["id"] for q in pieces]
    if not more and j.chance(0.6):
        e = ending(j, pieces)
        ask += j.phrase(FINISH, wishes.FINISH).format(e=e["ask"])
        more = [e]
    lead = j.pick(POLITE)
    text = lead + ask if lead else upper_first(ask) if j.chance(0.8) else ask
    return text if text.endswith("?") else text + j.pick([".", ".", ""]), pieces + more


# Questions in a row, and two questions about one thing.
ASKQ = [("What is the {k} of {x}?", "Find out the {k} of {x}."), ("What is new about {x}?", "Find out what is new about {x}."), ("What happened to {x}?", "Find out what happened to {x}."), ("Which {k} does {x} have?", "Find out which {k} {x} has."),
        ("What do people say about {x}?", "Find out what people say about {x}."), ("Is there any news about {x}?", "Find out whether there is any news about {x}."), ("Who knows something about {x}?", "Find out who knows something about {x}.")]


def questions(j):
    pieces, asks = [], []
    for _ in range(j.n(2, 3)):
        s = readable(j)
        q, t = j.phrase(ASKQ)
        f = dict(k=s["facts"][0][3], x=s["the"])
        asks.append(q.format(**f))
        pieces.append(dict(task=t.format(**f), name=s["the"], id=ident(s["name"]), about=s, type="researcher", inputs=[], needs=[]))
    unique(pieces)
    text = asks[0]
    for a in asks[1:]:
        text += j.pick([" And ", " ", " Also, ", "\n"]) + a
        if text.endswith(" And " + a) or text.endswith(" Also, " + a):
            text = text[:-len(a)] + low(a)
    if j.chance(0.4):
        e = ending(j, pieces)
        text += j.pick([" Then ", " After that, ", " Finally, ", " When you have it, "]) + e["ask"] + "."
        pieces.append(e)
    return text, pieces


def shared(j):
    """Several questions about one thing are one piece of work: its task has the name."""
    s = topic(j, k=j.n(2, 3))
    facts = [f for f in s["facts"] if s["the"] in f[0]][:j.n(2, 3)]
    if len(facts) < 2:
        return shared(j)
    its = [facts[0][0]] + [f[0].replace(s["the"], "it") for f in facts[1:]]
    text = "find out " + its[0] + "".join(j.pick([" and ", ", and ", " and also ", "; and "]) + q for q in its[1:])
    pieces = [dict(task="Find out %s." % listed(its), name=s["the"], id=ident(s["name"]), about=s, type="researcher", inputs=[], needs=[])]
    if j.chance(0.4):
        e = ending(j, pieces)
        text += j.phrase(FINISH, wishes.FINISH).format(e=e["ask"])
        pieces.append(e)
    lead = j.pick(POLITE)
    return (lead + text if lead else upper_first(text)) + j.pick([".", ".", ""]), pieces


PREFACE = ["I am going to {p} on Friday. ", "My boss wants this today. ", "I have a meeting with {n} tomorrow. ", "We are planning a trip to {p}. ", "I am writing a report for {n}. ", "It is raining and I have time. ", "I promised {n} an answer. ",
           "I am new here. ", "For my blog: ", "Quick one: ", "ok so ", "Right. ", "Listen, ", "I need some help. "]
AFTER = [" Thanks!", " Thank you.", " It is urgent.", " Take your time.", " I am in a hurry.", " thx", " Cheers.", " That would be great.", " No rush."]


def framed(j, goal, pieces):
    """What people say around a request, and how they type."""
    if j.chance(0.07) and "\n" not in goal:
        goal = j.phrase(PREFACE).format(p=place(j), n=first(j)) + goal
    if j.chance(0.07) and goal[-1:] in ".!?":
        goal += j.phrase(AFTER)
    if j.chance(0.05):
        goal = goal.lower()
        for p in pieces:
            p["task"], p["inputs"], p["name"] = upper_first(p["task"].lower()), [i.lower() for i in p["inputs"]], p["name"].lower()
    return goal, pieces


def request(j):
    """The person's words, and the pieces with what they depend on."""
    return framed(j, *plain_request(j))


def plain_request(j):
    x = j.random()
    if x < 0.14:
        return pair(j)
    if x < 0.19:
        return questions(j)
    if x < 0.24:
        return shared(j)
    n = j.r.choices([1, 2, 3, 4, 5], [24, 34, 24, 11, 7])[0]
    end = n > 1 and j.chance(0.6)
    pieces = [piece(j) for _ in range(n - 1 if end else n)]
    unique(pieces)
    for p in pieces:
        p["needs"] = []
    if end:
        e = ending(j, pieces)
        pieces.append(e)
        names = [p["id"] for p in pieces[:-1]]
        k, base = 2, e["id"]
        while e["id"] in names:
            e["id"] = "%s-%d" % (base, k)
            k += 1
    return joined(j, pieces, end), pieces


POLITE = ["", "", "", "", "", "Please ", "Could you ", "Can you ", "I need you to ", "Would you ", "Hi, ", "Hello! Please ", "hey, can you ", "I'd like you to ", "Kindly ", "I want you to "]
FINISH = ["; then {e}", ", then {e}", " and then {e}", " and {e}", ". Then {e}", "; finally {e}", ". Finally, {e}", ", and finally {e}", ". After that, {e}", "; after that {e}", ". When that is done, {e}",
          ". Once you have that, {e}", ", and afterwards {e}", ". At the end {e}", "; and then {e}"]
MIDDLE = ["; ", ", ", " and ", " and also ", ". Also ", "; also ", ". And ", ", and ", " as well as ", ". Besides, ", " plus "]
ORDER = ["; then ", ", then ", " and then ", ". Then ", ". After that, ", ". Next, ", "; after that ", ", and after that ", ". Once that is done, ", ". Afterwards "]


def joined(j, pieces, end):
    """The request in one of the ways in which people join wishes."""
    asks = [p["ask"] for p in pieces]
    if len(asks) == 1:
        lead = j.pick(POLITE)
        text = lead + asks[0] if lead else upper_first(asks[0]) if j.chance(0.75) else asks[0]
        return text + ("?" if lead.startswith(("Could", "Can", "Would", "hey")) and j.chance(0.8) else j.pick([".", ".", "", ".", "!"]))
    style = j.random()
    body, last = (asks[:-1], asks[-1]) if end else (asks, None)
    if style < 0.16:  # numbered
        mark = j.pick(["%d. ", "%d) ", "(%d) "])
        head = j.pick(["", "", "Please do the following:\n", "Tasks:\n", "To do:\n", "I need this:\n", "Here is what I need:\n"])
        return head + "\n".join(mark % (i + 1) + upper_first(a) for i, a in enumerate(asks))
    if style < 0.22:
        return j.pick(["", "Please:\n", "Todo\n"]) + "\n".join("- " + a for a in asks)
    if style < 0.34:  # first ... then ...: each waits for the one before
        first_ = j.pick(["First ", "First, ", "Start by this: ", "To begin with, ", "first "])
        text = first_ + body[0]
        for i, a in enumerate(body[1:], 1):
            text += j.phrase(ORDER, wishes.ORDER) + a
            pieces[i]["needs"] = [pieces[i - 1]["id"]]
            pieces[i]["soft"] = True  # ordered behind it, though it needs nothing of it
        if last:
            text += j.phrase(FINISH, wishes.FINISH).format(e=last)
        return text + j.pick([".", ".", ""])
    if style < 0.42 and len(body) == 2:
        text = j.pick(["Both ", "Do both: ", "Two things: ", "Please do two things, "]) + body[0] + " and " + body[1]
    else:
        sep = j.phrase(MIDDLE, wishes.MIDDLE)
        text = body[0]
        for i, a in enumerate(body[1:], 1):
            s = sep if j.chance(0.6) else j.phrase(MIDDLE, wishes.MIDDLE)
            text += s + (upper_first(a) if s == ". " else a)
        lead = j.pick(POLITE)
        text = lead + text if lead else upper_first(text) if j.chance(0.8) else text
    if last:
        text += j.phrase(FINISH, wishes.FINISH).format(e=last)
    return text + j.pick([".", ".", ".", "", "!"])
