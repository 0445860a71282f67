"""Cases for the critic: a question, its subject in words, a right short answer, a part of it, a wrong one."""
import re

from .chat import conversation
from .job_base import TEXT
from .job_chance import coined, place
from .job_person import life, preference, second
from .job_piece import path
from .job_world import LIBRARY, SMALLTALK, UNKNOWN, book, readable, software, subject, thing, topic
from .phrases import bars
from .rng import Rng
from .wording import low, stop, upper_first

ASKED = ["{q}?", "{q}", "Can you tell me {q}?", "Do you know {q}?", "Tell me {q}.", "I would like to know {q}.", "Please find out {q}.", "{q}, please?", "Could you look up {q}?", "Say {q}."]


_TIME = re.compile(r"\d{1,2}:\d\d(?!\d)")


def alter(j, value):
    """Another value of the same kind; often only a little of it is other."""
    if _TIME.search(value):
        return _TIME.sub(lambda m: "%d:%02d" % ((int(m.group(0).split(":")[0]) + j.n(1, 9)) % 24, j.n(0, 59)), value, count=1)
    digits = [c for c in value if c.isdigit()]
    if digits:
        while True:
            other = "".join(j.pick("123456789") if c.isdigit() else c for c in value)
            if other != value:
                return other
    w = value.split(" ")
    w[-1] = coined(j).capitalize() if w[-1][:1].isupper() else coined(j)
    return " ".join(w)


def fact_case(j):
    s = readable(j)
    q, sentence, value, attr = s["facts"][0]
    other = alter(j, value)
    near = [f[1] for f in s["facts"][1:2]]
    if s["name"] in sentence:
        near.append(sentence.replace(s["name"], thing(j) if s["the"].startswith("the ") else coined(j).capitalize()))
    return dict(near=near, q=upper_first(j.phrase(ASKED).format(q=q)), about="the %s of %s" % (attr, s["the"]),
                good=sentence if j.chance(0.7) else upper_first(value) + ".", value=value,
                wrong=sentence.replace(value, other) if value in sentence else "It is %s." % other, the=s["the"], sentence=sentence,
                more=s["more"])


ATTRS = bars("""capital|currency|population|language|president|largest city|area|highest mountain|flag|founder|author|title|height|length|weight|colour|price|address|opening time|meaning|opposite|plural|
symbol|atomic number|boiling point|inventor|birthday|age|nickname|owner|port|version|licence|password hint|phone number|director|capacity|speed|temperature|distance|cause|use|purpose|origin|
name|size|number of pages|main character|composer|climate|national dish|area code|time zone|mayor|head|chairman|budget|deadline""")
OWNERS = "France Kenya Peru Norway Japan Chad Chile Egypt gold neon iron Mars Venus Dune Hamlet Rome Texas Alaska Bolivia Nepal Fiji Ghana Cuba Laos Malta Oman Togo Yemen Iceland Sweden".split()
WHAT = ["What is the {k} of {x}?", "what is the {k} of {x}", "What's the {k} of {x}?", "Tell me the {k} of {x}.", "Do you know the {k} of {x}?", "Which {k} does {x} have?", "{x}: {k}?", "I need the {k} of {x}",
        "Can you give me the {k} of {x}?", "Name the {k} of {x}."]
ITS = ["What is its {k}?", "And its {k}?", "and the {k}?", "What about its {k}?", "Which {k} does it have?"]


def attr_case(j):
    """Questions of the plainest form, also where the name was said before."""
    k = j.entity(ATTRS)
    x = j.entity(OWNERS) if j.chance(0.4) else place(j) if j.chance(0.5) else "the " + thing(j)
    v = coined(j).capitalize() if j.chance(0.6) else str(j.n(2, 90000))
    good = j.pick(["The {k} of {x} is {v}.", "The {k} of {x} is {v}.", "{x} has the {k} {v}.", "It is {v}.", "{v}."]).format(k=k, x=x, v=v)
    q = j.phrase(ITS).format(k=k) if j.chance(0.2) else upper_first(j.phrase(WHAT).format(k=k, x=x))
    its = q in [i.format(k=k) for i in ITS]
    about = "the %s" % k if its else "the %s of %s" % (k, x)
    near = ["The %s of %s is %s." % (j.pick([a for a in ATTRS if a != k]), x, v)]
    if not its:
        near.append("The %s of %s is %s." % (k, place(j), v))
    before = {"before": ""} if its else {}  # what "it" is was said, and nothing else may stand there
    return dict(before, near=near, q=q, about=about, good=upper_first(good), value=v, wrong=upper_first(good.replace(v, alter(j, v))), the=about,
                sentence=upper_first(good), more=[])


NEWS = ["What is the latest news about {x}?", "What is new about {x}?", "Any news of {x}?", "what's going on with {x}", "Search the web for {x}.", "Search the web for {x} and read the full page.", "Tell me about {x}.",
        "What happened to {x}?", "look up {x}", "What do you know about {x}?"]


AND = ["and of {x}?", "And of {x}?", "And {x}?", "and {x}?", "What about {x}?", "what about {x}", "how about {x}?", "and of {x}", "{x}?", "And for {x}?", "same for {x}", "and what about {x}?", "ok, and {x}?", "and {x}", "now of {x}", "Thanks. And of {x}?",
       "{x} too, please", "the same of {x}, please", "and that of {x}?", "And how is it with {x}?"]
THEN = ITS + ["its {k}?", "and its {k}", "and what is its {k}?", "{k}?", "the {k} too, please", "And the {k}?", "what's its {k}", "and the {k}", "Its {k} as well, please.", "ok, its {k}?", "now the {k}", "tell me its {k} too"]


def follow_case(j):
    """A question that means something only after the one before it: the same of another thing, or something else of the same."""
    k, other = j.entity(ATTRS), j.entity(ATTRS)
    x, y = (j.entity(OWNERS) if j.chance(0.6) else place(j) for _ in range(2))
    if k == other or x == y:
        return follow_case(j)
    v, w, z = (coined(j).capitalize() if j.chance(0.6) else str(j.n(2, 90000)) for _ in range(3))
    form = j.pick(["The {k} of {x} is {v}.", "{x} has the {k} {v}.", "It is {v}.", "{v}."])
    before = (upper_first(j.phrase(WHAT).format(k=k, x=x)), "The %s of %s is %s." % (k, x, v) if j.chance(0.8) else v + ".")
    if j.chance(0.5):
        q, about, good = j.phrase(AND).format(x=y), "the %s of %s" % (k, y), form.format(k=k, x=y, v=w)
        near = ["The %s of %s is %s." % (k, x, v), "The %s of %s is %s." % (other, y, z)]
    else:
        q, about, good = j.phrase(THEN).format(k=other), "the %s of %s" % (other, x), form.format(k=other, x=x, v=w)
        near = ["The %s of %s is %s." % (k, x, v), "The %s of %s is %s." % (other, y, z)]
    return dict(near=near, q=q, about=about, good=upper_first(good), value=w, wrong=upper_first(good.replace(w, alter(j, w))), the=about,
                sentence=upper_first(good), more=[], before=exchange(*before))


def exchange(q, a):
    """What was said before, as the critic is told it."""
    return "Question: %s\nAnswer: %s" % (q, a)


def news_case(j):
    s = subject(j)
    return dict(q=j.phrase(NEWS).format(x=s["the"]), about=s["the"], good=s["claim"], value=s["name"], wrong=None, the=s["the"],
                sentence=s["claim"], more=s["more"])


def open_case(j):
    """A question of any kind, whose answer cannot be known here: only what is seen without knowing counts."""
    q, about = j.phrase(UNKNOWN)
    return dict(q=q, about=about, good="", value="", wrong=None, the=about, sentence="", more=[], blind=True)


def life_case(j):
    m = life(j)
    return dict(q=m["ask"], about="“%s”" % m["ask"].rstrip("?"), good=m["you"], value=m["you"].rstrip(".").split(" ")[-1],
                wrong=None, the=m["ask"].rstrip("?"), sentence=m["you"], more=[])


def calc_case(j):
    a, b = j.n(2, 99), j.n(2, 99)
    op, w, v = j.pick([("+", "plus", a + b), ("*", "times", a * b), ("-", "minus", a - b)])
    t = j.pick(["%d %s %d" % (a, op, b), "%d %s %d" % (a, w, b)])
    return dict(q=j.phrase(["What is %s?", "Calculate %s.", "%s", "How much is %s?", "what's %s"]) % t, about=t, good="%s is %d." % (t, v),
                value=str(v), wrong="%s is %d." % (t, v + j.n(1, 9)), the=t,
                sentence="%s is %d." % (t, v), more=[])


def order_case(j):
    f, w = path(j), " ".join(coined(j) for _ in range(j.n(1, 3)))
    return dict(q=j.phrase(["Write {w} to {f}.", "Save {w} in {f}", "Put {w} into {f}, please.", "Add {w} to {f}.",
                            "Store {w} in the file {f}."]).format(w=w, f=f), about="writing to " + f, plain=True,
                good=j.pick(["I wrote {w} to {f}.", "{f} now has the text {w}.", "Done: {w} is in {f}."]).format(w=w, f=f), value=f,
                wrong="I wrote %s to %s." % (w, path(j)), the=f, sentence="", more=[])


def told_case(j):
    m = preference(j) if j.chance(0.5) else life(j)
    s = m["fact"]
    return dict(q=s, about="what the person said", plain=True,
                good=j.pick(["Noted: {y}", "I will remember it: {y}", "Understood: {y}"]).format(y=second(s)),
                value=s.rstrip(".").split(" ")[-1], wrong=None, the="what you said",
                sentence="", more=[])


GREETS = [("Hello", "Hello! How can I help?"), ("Good morning", "Good morning! What can I do for you?"), ("Thanks a lot", "You are welcome."), ("How are you?", "I am well, thank you. How can I help?"),
          ("Hi there", "Hi! What can I do for you?"), ("Bye", "Goodbye!"), ("Who are you?", "I am the assistant of Moothall, a program on your own machine."), ("Are you there?", "Yes, I am here. How can I help?")]


def talk_case(j):
    q, a = j.pick(GREETS)
    if SMALLTALK and j.chance(0.7):
        e = j.phrase(SMALLTALK)
        q, a = e["ask"], j.pick(e["answers"])
    return dict(q=q, about="what the person said", plain=True, good=a, value=a.split()[0].strip("!,."), wrong=None, the="that", sentence="", more=[])


def two_case(j):
    s = topic(j, k=2) if j.chance(0.6) else software(j)
    while len(s["facts"]) < 2:
        s = software(j)
    f, g = s["facts"][:2]
    return dict(q=upper_first("%s and %s?" % (f[0], g[0])) if j.chance(0.6) else "Find out %s, and %s." % (f[0], g[0]),
                about="the %s and the %s of %s" % (f[3], g[3], s["the"]), good=f[1] + " " + g[1], half=f[1],
                missing="the " + g[3], value=f[2], wrong=None, the=s["the"], sentence="", more=[])


def book_case(j):
    """A question with its answer out of the library."""
    name, sents, ask = book(j)
    if not ask or not ask[0] or not ask[1]:
        ask = (j.phrase(["What is {n}?", "Tell me about {n}.", "Explain {n}.", "what is {n}", "{n}?"]).format(n=name), sents[0])
    return dict(q=ask[0], about="“%s”" % ask[0].rstrip("?."), good=upper_first(stop(str(ask[1]))), value=str(ask[1]), wrong=None, the=name, sentence=sents[0],
                more=sents[1:3])


CASES = [(fact_case, 26), (attr_case, 22), (news_case, 8), (life_case, 12), (calc_case, 10), (order_case, 9), (told_case, 9),
         (talk_case, 5), (two_case, 15), (follow_case, 18)]
if LIBRARY:
    CASES.append((book_case, 20))
_CW = [w for _, w in CASES]


def case(j):
    return j.r.choices(CASES, _CW)[0][0](j)


def person_words(text):
    """What the person typed of a message: without the date and what was looked up."""
    if text.startswith("It is ") and ".\n\n" in text[:60]:
        text = text.split(".\n\n", 1)[1]
    at = text.find(TEXT["engine.material"])
    if at > 0:
        text = text[:at]
    elif at == 0:
        text = text.rsplit("\n\n", 1)[-1]
    return text.strip()


_WORD = re.compile(r"[\w'-]{4,}|\d+")


def shares(q, a):
    """Whether somebody who sees only the two can tell that the answer belongs to the question."""
    return not set(_WORD.findall(q.lower())).isdisjoint(_WORD.findall(a.lower()))


def turns(j):
    """Questions and answers of one conversation of the chat part: (question, answer, whether it answers, what was said before).

    What was said before is there where the answer does not show by itself that it belongs to the question.
    """
    out, asked, before = [], None, ""
    for m in conversation(Rng(j.r.getrandbits(40), j.held))["messages"]:
        if m["role"] == "user":
            asked = person_words(m["content"])
        elif m["role"] == "assistant" and m.get("train") and m["content"] and not m.get("calls") and asked and len(asked) < 400:
            c = m["check"]
            answers = c["type"] == "contains" and c["group"] != "errors"
            alone = not answers or shares(asked, m["content"])
            if not asked.startswith("No tool can be called") and (alone or before):
                out.append((asked, m["content"], answers, before if before and (not alone or j.chance(0.7)) else ""))
            before, asked = exchange(asked, m["content"]), None
        elif m["role"] == "assistant" and not m.get("calls"):
            before = exchange(asked, m["content"]) if asked and m["content"] and len(asked) < 400 else ""
    return out


def chat_case(j):
    """A turn as it comes in chat, with the answer that this model itself would give."""
    while True:
        list_ = turns(j)
        if list_:
            break
    q, a, answers, before = j.pick(list_)
    w = q.replace("\n", " ").split()
    about = "“%s”" % (" ".join(w[:9]) + (" …" if len(w) > 9 else "")).rstrip("?.!")
    if answers:
        return dict(q=q, about=about, good=a, value="", wrong=None, the="that", sentence=a.split("\n")[0], more=[], only=None, before=before)
    return dict(q=q, about=about, good="", value="", wrong=None, the="that", sentence="", more=[], blind=True, evasion=a, before=before)


def any_case(j):
    x = j.random()
    c = chat_case(j) if x < 0.32 else open_case(j) if UNKNOWN and x < 0.4 else case(j)
    if "before" not in c and j.chance(0.4):  # mostly it was about something else
        b = case(j)
        if b["good"] and b["q"] != c["q"] and "before" not in b:
            c["before"] = exchange(b["q"], b["good"])
    return c
