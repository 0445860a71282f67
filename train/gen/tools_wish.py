"""How people ask for a made tool: a core, and after or before it what else they want."""
from .phrases import phrasings

# Around a core that begins with a verb.
FRAMES = phrasings("""{c}|{c}|{c}|{c}|please {c}|can you {c}?|could you {c}?|I need you to {c}|I'd like to {c}|I want to {c}|we should {c}|it's time to {c}|time to {c}|let's {c}|go ahead and {c}|help me {c}|would you {c}?|I have to {c}|we need to {c}|
you can {c} now|is it possible to {c}?|next step: {c}|my boss wants me to {c}|I forgot to {c}, do it now|I was asked to {c}|don't forget to {c}|be so kind and {c}|I'd be glad if you could {c}|kindly {c}|any chance you could {c}?|what I want is to {c}|
today I must {c}|all I need is this: {c}|could someone {c}?|I promised to {c}|the plan is to {c}|just {c}|quickly {c}|somebody has to {c}|I meant to {c}|may I ask you to {c}?|do me a favour and {c}|I am supposed to {c}|one thing to do: {c}|
now {c}|first of all, {c}|I'd rather you {c}|there is one thing left: {c}|we agreed to {c}|they told me to {c}|the customer wants us to {c}|make sure to {c}|I want you to {c}|you should {c}|let me {c}|I will have to {c}|
the idea is to {c}|we decided to {c}|see that you {c}|it would help me if you could {c}|would it be all right to {c}?|have a go and {c}|right, {c}|it remains to {c}|your next job: {c}|I'm asking you to {c}|why don't you {c}?|I wonder if you could {c}""")
# Around the thing that is there already; {d} is the participle.
DONE = phrasings("""{np} has to be {d}|{np} should be {d}|I want {np} {d}|have {np} {d}|get {np} {d}|can {np} be {d}?|{np} must be {d}|{np} is to be {d}|I need {np} {d}|{np} wants to be {d}|see that {np} gets {d}|{np} needs to be {d}|could {np} be {d}?|
{np} still has to be {d}|I'd like {np} to be {d}|make sure {np} is {d}|{np} ought to be {d}|it would be good to have {np} {d}|{np} is waiting to be {d}|why isn't {np} {d} yet?""")
FIRST = phrasings("{np}: {v} it|{np}, please {v} it|{np}? {v} it|about {np}: {v} it please|you know {np}, {v} it|there is {np}, I want you to {v} it|take {np} and {v} it|see {np}? {v} it, please|as for {np}, {v} it|{np} - {v}|{np} {v}")
WHICH = phrasings("{o} {x}|{o} {x}|the {o} {x}|the {o} called {x}|the {o} named {x}|{o} {x}|our {o} {x}|my {o} {x}|the {o} with the name {x}|{x}, the {o}|the {o} that is called {x}|that {o} {x}|the {o} we call {x}")
NUMBERED = phrasings("{o} {x}|{o} number {x}|{o} no. {x}|the {o} with number {x}|{o} {x}|the {o} {x}|{o} with the id {x}|the {o} that has the id {x}")
NEW = phrasings("a {o} called {x}|a new {o} {x}|a {o} named {x}|a {o} with the title {x}|the {o} {x}|a {o} {x}|another {o}, {x}|one more {o} called {x}|a fresh {o} by the name of {x}|{o} {x}|a {o} entitled {x}|a {o}, name {x}|a {o} (\"{x}\")|a {o}: {x}|a {o} that is called {x}")
GET = phrasings("""what's the {a} of {np}?|tell me the {a} of {np}|which {a} does {np} have?|{np}, what {a}?|I need the {a} of {np}|look up the {a} of {np}|what {a} has {np}?|can you get me the {a} of {np}|check the {a} of {np}|do you know the {a} of {np}?|
{a} of {np} please|find out the {a} of {np}|I'd like to know the {a} of {np}|{np}: {a}?|give me the {a} for {np}|how about the {a} of {np}, what is it?|show the {a} of {np}|any idea about the {a} of {np}?|what does it say for {np} under {a}?|
I forgot the {a} of {np}|somebody asked me for the {a} of {np}|read out the {a} of {np}|{a}, {np}|could you see what {a} {np} has?|let me know the {a} of {np}|the {a} of {np}, what is it now?|report the {a} of {np}""")
SET = phrasings("""set the {a} of {np} to {v}|change the {a} of {np} to {v}|{np} should have {a} {v}|make the {a} of {np} {v}|put {np} at {a} {v}|I want {v} as the {a} of {np}|{a} of {np}: {v}|give {np} the {a} {v}|adjust {np} to {a} {v}|
the {a} of {np} has to be {v}|update {np}, {a} {v}|could {np} get {a} {v}?|{v} is the new {a} of {np}|from now on the {a} of {np} is {v}|let {np} have {v} as {a}|{np} needs another {a}: {v}|correct the {a} of {np}, it is {v}|
with {np}, change the {a} to {v}|the {a} of {np} is wrong, it must be {v}|enter {v} for the {a} of {np}|I'd like the {a} of {np} to be {v}|take {v} for the {a} of {np}|{np}: {a} to {v}|use {v} as {a} for {np}|can the {a} of {np} be {v}?|
switch the {a} of {np} over to {v}|write {v} into the {a} of {np}""")
# A target that is brought in after the thing.
TO = {"person": phrasings("{c} to {t}|{c}, {t} gets it|{c}, to {t}|{c}; it goes to {t}|{c}, the one to get it is {t}|{c} and let {t} have it|{c}: {t}"), "place": phrasings("{c} to {t}|{c}, it goes to {t}|{c} over to {t}|{c}; destination {t}|{c}, it should be in {t}|{c} into {t}"),
      "name": phrasings("{c} to {t}|{c}, the new name is {t}|{c}: {t}|{c}, it should be {t} from now on|{c}; new name {t}|{c} as {t}"), "ref": phrasings("{c} with {t}|{c} and {t}|{c} and the other one, {t}|{c} with the one called {t}|{c}, the other is {t}|{c} together with {t}"),
      "version": phrasings("{c} to {t}|{c} to version {t}|{c}; version {t}|{c}, {t} is out|{c} up to {t}"), "date": phrasings("{c} to {t}|{c} for {t}|{c}, {t} is better|{c}: {t}|{c}; the new day is {t}|{c}, I want it {t}"),
      "count": phrasings("{c} to {t}|{c} at {t}|{c}; {t} is enough|{c}, make it {t}|{c}: {t}"), "stars": phrasings("{c} with {t}|{c}: {t} stars|{c}, {t} points|{c}, I give it {t}|{c}; {t} out of ten|{c} at {t}"), "format": phrasings("{c} to {t}|{c} into {t}|{c} as {t}|{c}, I need {t}|{c}; format {t}"),
      "tag": phrasings("{c} with {t}|{c} as {t}|{c}: {t}|{c}, the word is {t}|{c}; label {t}"), "text": phrasings("{c}: {t}|{c} with \"{t}\"|{c}, saying {t}|{c}, and write \"{t}\"|{c}; the text is: {t}")}
# Two of a kind, in either order.
BOTH = {"place": phrasings("from {f} to {g}|to {g} from {f}|{f} to {g}|to {g}, coming from {f}|starting in {f} and ending in {g}|{g} is where it should end, {f} where it starts|out of {f} into {g}|between {f} and {g}|{f} -> {g}"),
        "day": phrasings("from {f} to {g}|until {g}, starting {f}|between {f} and {g}|{f} till {g}|ending {g}, beginning {f}|it starts {f} and ends {g}"), "word": phrasings("{f} for {g}|I have {f} and want {g}|give {f}, get {g}|I want {g} and offer {f}|{f} against {g}"),
        "other": phrasings("from {f} to {g}|to {g} from {f}|{m} {f}, {n} {g}|{n} {g}, {m} {f}|{m}: {f}; {n}: {g}|with {f} as {m} and {g} as {n}|{g} is the {n} and {f} the {m}|the {m} is {f}, the {n} {g}|{m} {f} and {n} {g}"),
        "named": phrasings("{m} {f}, {n} {g}|{n} {g}, {m} {f}|{m}: {f}; {n}: {g}|with {f} as {m} and {g} as {n}|{g} is the {n} and {f} the {m}|the {m} is {f}, the {n} {g}|{m} {f} and {n} {g}|{n} is {g} and {m} {f}")}
# A parameter by its own name.
BY_NAME = phrasings("{p} {v}|{p}: {v}|with {p} {v}|the {p} is {v}|{p} should be {v}|{v} as {p}|{p} = {v}|and {v} for the {p}|with {v} as the {p}|the {p} would be {v}|{p} is {v}|put {v} as {p}|under {p} write {v}")
ALL = phrasings("all {os}|the {os}|my {os}|every {o}|our {os}|all the {os} there are|any {os}|{os}|the whole lot of {os}")
ABOUT = phrasings("about {x}|with {x} in it|for {x}|on {x}|that mention {x}|with the word {x}|matching {x}|to do with {x}|containing {x}|where it says {x}")
MOOD = phrasings("""I'm in a hurry.|It has been a long day.|We talked about it this morning.|Sorry, me again.|The office just called.|I don't have the list at hand.|I'm on the road.|There is a meeting in ten minutes.|Nobody else has the time.|This came up at lunch.|
I wrote it down somewhere.|The others are waiting.|I hope it's not too late.|I never did this before.|My neighbour told me about it.|It rains and I can't go out.|I've got the thing in front of me.|We nearly missed it last time.|It's the last thing for this week.|My hands are full.""")
PREP = tuple(w + " " for w in "for on by in at to with from until under as of over up not because since tagged assigned due starting beginning ending approved repeated sorted ordered weighing without even after only just together inviting containing and made lasting valid".split())


def verb_for(r, b):
    """(a word for the action, whether it is the verb of the line)"""
    a = b.action
    if not a.others or r.chance(0.45):
        return a.verb, True
    word = r.pick(a.others)
    for o in b.rivals:  # another tool for the same thing may be meant by that word
        if word == o.action.verb or word in o.action.others or o.action.near == a.near:
            return a.verb, True
    return word, False


def noun_for(r, b):
    o = b.obj
    if not o.others or r.chance(0.65):
        return o.noun, o.many
    n = r.pick(o.others)
    return n, n + ("es" if n.endswith(("s", "x", "ch", "sh")) else "s")


def thing(r, b, x="{x}"):
    """A noun phrase for the one that is meant."""
    p = b.by("x")
    o = noun_for(r, b)[0]
    if p.type == "array":
        return r.pick(("the {os} {x}", "{os} {x}", "{x}")).replace("{os}", plural_of(b, o)).replace("{x}", x)
    if b.only_verb and r.chance(0.1):
        return x
    t = r.phrase(NUMBERED if p.type == "integer" else WHICH)
    return t.replace("{o}", o).replace("{x}", x)


def plural_of(b, noun):
    return b.obj.many if noun == b.obj.noun else noun + "s"


def article(text):
    for vowel in "aeio":
        text = text.replace(" a " + vowel, " an " + vowel)
        if text.startswith("a " + vowel):
            text = "an" + text[1:]
    return text


def in_frame(r, core):
    return r.phrase(FRAMES).replace("{c}", core)


def act(r, b):
    np = thing(r, b)
    near = any(o.action.near == b.action.near or o.action.family == "to" for o in b.rivals)
    y = r.random()
    if b.action.means and y < 0.22 and not near and np != "{x}":
        return r.phrase(b.action.means).replace("{np}", np)
    if y < 0.4:
        return r.phrase(DONE).replace("{np}", np).replace("{d}", b.action.done)
    v = verb_for(r, b)[0]
    if y < 0.52:
        v = b.action.verb if " " in v else v  # "put it on hold", but never "put on hold it"
        return r.phrase(FIRST).replace("{np}", np).replace("{v}", v)
    return in_frame(r, v + " " + np)


def new(r, b):
    o = noun_for(r, b)[0]
    np = (r.phrase(NEW).replace("{o}", o) if b.by("x")
          else r.pick(("a {o}", "a new {o}", "another {o}", "one more {o}", "a {o}")).replace("{o}", o))
    np = article(np)
    if b.action.means and r.chance(0.25) and not any(k.action.family in ("new", "list", "act") for k in b.rivals):
        return r.phrase(b.action.means).replace("{np}", np)
    if r.chance(0.12):
        return np if b.alone and r.chance(0.5) else "new " + o + (": {x}" if b.by("x") else "")
    return in_frame(r, verb_for(r, b)[0] + " " + np)


def listing(r, b):
    o, os = noun_for(r, b)
    q = b.by("x")
    if b.action.means and r.chance(0.35) and not any(k.action.family in ("list", "new") for k in b.rivals):
        t = r.phrase(b.action.means).replace("{os}", os)
        t = article(t.replace("{o}", o))
        end = "?" if t.endswith("?") else ""
        return t.rstrip("?") + (" " + r.phrase(ABOUT) if q else "") + end
    np = r.phrase(ALL) if not q or r.chance(0.3) else r.pick(("{os}", "a {o}", "the {o}", "the {os}", "{os}"))
    np = article(np.replace("{os}", os).replace("{o}", o))
    return in_frame(r, verb_for(r, b)[0] + " " + np + (" " + r.phrase(ABOUT) if q else ""))


def attr_word(r, b):
    return r.pick(b.attr.others) if b.attr.others and r.chance(0.35) else b.attr.name


def getting(r, b):
    np = thing(r, b)
    if b.attr.asks and r.chance(0.3) and np != "{x}":
        return r.phrase(b.attr.asks).replace("{np}", np)
    return r.phrase(GET).replace("{np}", np).replace("{a}", attr_word(r, b))


def setting(r, b):
    np = thing(r, b)
    if b.attr.sets and r.chance(0.25) and np != "{x}" and not any(k.action.family == "to" for k in b.rivals):
        return r.phrase(b.attr.sets).replace("{np}", np)
    return r.phrase(SET).replace("{np}", np).replace("{a}", attr_word(r, b))


def to(r, b):
    np = thing(r, b)
    sort = b.action.means.train[0]
    t = r.phrase(TO[sort])
    v = verb_for(r, b)[0]
    if sort == "person" and r.chance(0.15) and " " not in v and v in ("send", "give", "hand", "lend", "mail", "pass", "show", "assign"):
        return in_frame(r, v + " {t} " + np)
    if r.chance(0.2):
        core = r.phrase(DONE).replace("{np}", np).replace("{d}", b.action.done).rstrip("?")
        return t.replace("{c}", core)
    core = v + " " + np
    if r.chance(0.6):
        return in_frame(r, t.replace("{c}", core))
    return t.replace("{c}", in_frame(r, core).rstrip("?"))


def pair(r, b):
    f, g = b.by("one"), b.by("two")
    m, n = f.name.replace("_", " "), g.name.replace("_", " ")
    if f.how in ("day", "word"):
        kind = f.how
    elif f.how in ("place", "city"):
        kind = "place"
    else:
        kind = "other" if f.name in ("source", "old", "sender", "from_account") else "named"
    if r.chance(0.3):
        kind = "named"
    both = r.phrase(BOTH[kind]).replace("{m}", m).replace("{n}", n).replace("{f}", "{one}").replace("{g}", "{two}")
    o = noun_for(r, b)[0]
    core = verb_for(r, b)[0] + " " + article(r.pick(("a {o}", "the {o}", "a {o}", "one {o}", "{o}")).replace("{o}", o))
    y = r.random()
    if y < 0.15:
        return o + r.pick((" ", ", ", ": ")) + both
    if y < 0.3 and not both.startswith("{"):
        return both + ", " + core
    return in_frame(r, core + r.pick((" ", " ", ", ", ": ")) + both)


CORE = {"act": act, "new": new, "list": listing, "get": getting, "set": setting, "to": to, "pair": pair}


def tail(r, p, quoted):
    """How a further parameter is brought in; what is quoted keeps its value."""
    if p.role is None or r.chance(0.22):
        t = r.phrase(BY_NAME).replace("{p}", p.name.replace("_", " "))
    else:
        t = r.phrase(p.role.phrases)
    return t.replace("{q}", '"{v}"').replace("{v}", '"{' + p.key + '}"' if quoted and '"{v}"' not in t else "{" + p.key + "}")


def join(r, text, t, last):
    """A text with one more phrase at its end."""
    end = text[-1] if text[-1:] == "?" else ""
    body = text[:len(text) - len(end)]
    if t.startswith(PREP) and r.chance(0.75):
        return body + " " + t + end
    y = r.random()
    if y < 0.6:
        return body + ", " + t + end
    if y < 0.8:
        return body + (end or ".") + " " + t[:1].upper() + t[1:] + ("." if last and r.chance(0.5) else "")
    return body + end + r.pick((" - ", "; ", ", and ", " (")) + t if not end else body + ", " + t + end


def wish(r, b):
    """(template, words by slot, arguments) for a made tool."""
    words, args = {}, {}
    text = CORE[b.action.family](r, b)
    if r.chance(0.1) and "{x}" in text and '"{x}"' not in text and b.by("x").type == "string":
        text = text.replace("{x}", r.pick(('"{x}"', "'{x}'", '"{x}"', "`{x}`")))
    given = [p for p in b.params if p.role or p.key.startswith("p")]
    given = r.shuffled([p for p in given if p.required or r.chance(0.55)])
    for i, p in enumerate(given):
        quoted = p.how in ("note", "title") and r.chance(0.3)
        if p.type == "boolean":
            t, v = r.phrase(p.role.phrases)
            words[p.key], args[p.name] = "", v == "true"
        elif p.role and p.role.said and r.chance(0.35):  # a value of a list in other words
            t, v = r.phrase(p.role.said)
            words[p.key], args[p.name] = v, v
        else:
            t = tail(r, p, quoted)
        if t.startswith(PREP) and i == len(given) - 1 and r.chance(0.12) and not text.startswith("{"):
            text = t + ", " + text
        else:
            text = join(r, text, t, i == len(given) - 1)
    text += (")" if text.count("(") > text.count(")") else "")
    if r.chance(0.05):  # something beside the point
        mood = r.phrase(MOOD)
        text = mood + " " + text if r.chance(0.6) else text + ("" if text[-1] in ".?!" else ".") + " " + mood
    for p in b.params:
        if "{" + p.key + "}" in text:
            words[p.key], args[p.name] = p.value(r)
    return text, words, args
