"""Made tools in more than one turn: a value that is missing is asked for, and what one tool finds goes into another."""
import json

from . import tools_foreign
from .chat_call import make_call
from .conv import speak
from .messages import check_calls
from .phrases import phrasings
from .tools_forms import more
from .tools_value import ident, one, title
from .tools_wish import GET, SET, article, further, in_frame, noun_for, plural_of, thing, wish

REPLY = more("{v}|{v} please|it's {v}|I mean {v}|{v}, sorry|oh, {v}|take {v}|{v} of course|that would be {v}|the answer is {v}|{v}, I think|ah yes: {v}|sorry, I forgot: {v}|let it be {v}|{v} it is", "reply")
ASK = more("Which {p} is it?|Which {p} do you mean?|What {p} shall I take?|I need one more thing: which {p}?|Which {p} shall it be?|Please tell me the {p}: which one is it?|What is the {p}?", "ask")
FIND = more("find the {o} about {q} and {v} it|look for the {o} with {q} in it, then {v} it|{v} the {o} that mentions {q}|search for the {o} on {q} and {v} it|there is a {o} about {q}, find it and {v} it|{v} the {o} about {q}, you have to look for it first|I don't know the id, but {v} the {o} on {q}|find the {o} for {q}; after that {v} it|get the {o} with the word {q} and {v} it|please {v} whatever {o} there is on {q}", "find")


def made_ones(c):
    return [b for b in c.foreign if b.sort == "made"]


def some_thing(r, b):
    """A thing of which nobody says which one it is."""
    o = noun_for(r, b)[0]
    return article(r.phrase(SOME_THING).replace("{os}", plural_of(b, o)).replace("{o}", o))


def lacking(r, b):
    """(a wish without one required value, its words, its arguments, the parameter) or None"""
    f = b.action.family
    need = [p for p in b.params if p.required]
    roles = [p for p in need if p.role and p.type != "boolean"]
    if f != "list" and roles and r.chance(0.5):  # something that is said beside
        p = r.pick(roles)
        return wish(r, b, without=p) + (p,)
    if f == "act" and b.by("x").type != "array":
        core, p = in_frame(r, b.action.verb + " " + some_thing(r, b), ends=True), b.by("x")
    elif f == "new" and b.by("x"):
        core, p = in_frame(r, b.action.verb + " " + article(r.pick(("a {o}", "a new {o}", "another {o}", "one more {o}")).replace("{o}", b.obj.noun)), ends=True), b.by("x")
    elif f == "set" and b.by("v").type != "boolean":
        if r.chance(0.3):
            core, p = r.phrase(SET).replace("{np}", some_thing(r, b)).replace("{a}", b.attr.name), b.by("x")
        else:
            core, p = in_frame(r, r.phrase(CHANGE).replace("{a}", b.attr.name).replace("{np}", thing(r, b)), ends=True), b.by("v")
    elif f == "get":
        core, p = r.phrase(GET).replace("{np}", some_thing(r, b)).replace("{a}", b.attr.name), b.by("x")
    elif f == "to" and b.action.means.train[0] in WHAT:
        core, p = in_frame(r, b.action.verb + " " + thing(r, b), ends=True), b.by("t")
    else:
        return None
    return wish(r, b, core, p) + (p,)


SOME_THING = phrasings("the {o}|a {o}|that {o} of mine|one of the {os}|our {o}|my {o}|some {o}|the right {o}|one {o}|this {o}|a certain {o}|one of our {os}|the other {o}|a {o} of ours|your {o}")
CHANGE = phrasings("change the {a} of {np}|set the {a} of {np}|update the {a} of {np}|give {np} another {a}|alter the {a} of {np}|correct the {a} of {np}|pick a new {a} for {np}|set a different {a} for {np}|adjust the {a} on {np}|change what {np} has as {a}|find another {a} for {np}|put in the {a} of {np}|do something about the {a} of {np}")
WHAT = {"person": "person", "place": "place", "date": "day", "version": "version", "name": "new name", "count": "number", "stars": "rating", "text": "text", "tag": "tag"}


def asked_for(b, p):
    """What a missing parameter is called in a question."""
    if p.key == "x":
        return "name" if b.action.family == "new" else b.obj.noun
    if p.key == "t":
        return WHAT[b.action.means.train[0]]
    return b.attr.name if p.key == "v" else noun_of(p)


SMALL = ("in", "on", "at", "for", "by", "to", "of", "with", "from", "as")


def noun_of(p):
    """A parameter's name as one can ask for it: "in_city" is a city."""
    words = p.name.split("_")
    if p.role and (words[0] in SMALL or words[-1] in SMALL):
        words = p.role.key.split("_")
        words = words[1:] if words[0] in SMALL and len(words) > 1 else words
    return {"due": "due date"}.get(words[0], " ".join(words))


def missing(c):
    """Something that the tool needs was not said: it asks, and acts on the answer."""
    r = c.r
    for _ in range(4):
        ones = made_ones(c)
        b = r.pick(ones) if ones else None
        found = b and lacking(r, b)
        if found:
            break
    else:
        return tools_foreign.use(c)
    text, words, args, p = found
    said = speak(r, text, words, typos=False, frame=not tools_foreign.hurried(b))[0]
    c.say(said)
    what = asked_for(b, p)
    # the thing itself is missing, or something that is said of it: what is asked for must be the one and not the other
    lacks = "Which %s (%s) was not said, so I ask for the %s." if p.key in ("x", "t", "v") else "The %s (%s) was not said, so I ask for the %s."
    think = "%s. %s" % (tools_foreign.meaning(b, said, words, args), lacks % (what, p.name, what))
    c.answer(r.pick(tools_foreign.CALL_THINK).replace("{m}", think), r.phrase(ASK).replace("{p}", what), asked(what, p, b, said))
    if p.role and r.chance(0.3):  # in the words for just that
        reply = further(r, b, p, False, words, args)
    else:
        reply = r.phrase(REPLY).replace("{v}", "{" + p.key + "}")
    if p.name not in args:
        words[p.key], args[p.name] = p.value(r)
    said = speak(r, reply, words, typos=False, frame=False)[0]
    c.say(said)
    tools_foreign.call_it(c, b, args, words, said, "Now I have the %s: {m}" % p.name)
    tools_foreign.finish(c, b, words)
    c.done()


ALSO = {"person": ["who"], "place": ["where"], "day": ["when", "date"], "new name": ["name", "called"], "name": ["called", "title"], "number": ["how many"], "rating": ["stars", "points", "score"], "text": ["what"], "tag": ["label", "word"]}


def asked(what, p, b, said):
    """A question for what is missing, by whatever word: the thing may be called as the person called it."""
    own = [n for n in b.obj.others if n in said] if p.key == "x" else []
    return {"type": "contains", "all": ["?"], "any": [what, p.name.replace("_", " ")] + ALSO.get(what, []) + own, "none": [], "group": "chat"}


def find_form(r, finder):
    o, os = noun_for(r, finder)
    return r.phrase(FIND).replace("{os}", os).replace("{o}", o)


def chain(c):
    """What one tool finds is what another one needs."""
    r = c.r
    ones = made_ones(c)
    pairs = [(f, a) for f in ones if f.action.verb in ("find", "search") for a in ones if a.action.family == "act"
             and a.obj.noun == f.obj.noun and [p.key for p in a.params if p.required] == ["x"] and a.by("x").type == "string"]
    if not pairs:
        return tools_foreign.use(c)
    finder, act = r.pick(pairs)
    word, name = one(r), ident(r)
    said = speak(r, article(find_form(r, finder).replace("{v}", act.action.verb)), {"q": word}, typos=False)[0]
    c.say(said)
    first = {p.name: word for p in finder.params if p.key == "x"}
    c.call("First I must find it: " + tools_foreign.meaning(finder, said, {"x": word}, first), [make_call(finder.spec["name"], first, finder.spec)], "two_tools")
    c.result(finder.spec["name"], found(r, finder, name, word), plain=r.chance(0.2))
    args = {act.by("x").name: name}
    calls = [make_call(act.spec["name"], args, act.spec)]
    c.call("It is %s. Now: %s" % (name, tools_foreign.meaning(act, said, {"x": name}, args)), calls, check=check_calls(calls, "two_tools"))
    tools_foreign.finish(c, act, {"x": name})
    c.done()


IT = {"act": more("now {v} it|{v} it too|and then {v} it please|can you {v} it as well?|ok, {v} it|good, then {v} it|next, {v} it|now I want you to {v} it|please {v} it now|and {v} it|could you also {v} it?|{v} that one too|right, and {v} it as well", "it_act"),
      "get": more("and its {a}?|what is its {a}?|tell me its {a} too|what {a} does it have?|I also need its {a}|and the {a} of it?|which {a} has it?|its {a} please|do you know its {a} as well?|now its {a}", "it_get"),
      "set": more("set its {a} to {x}|change its {a} to {x}|its {a} should be {x}|and make its {a} {x}|give it the {a} {x}|now its {a} has to be {x}|it needs {a} {x}|put its {a} at {x}|and {x} as its {a}|update its {a}, {x}", "it_set")}


def same_thing(c):
    """Something is done with a thing, then something else with it."""
    r = c.r
    ones = [b for b in made_ones(c) if b.action.family in IT and b.by("x") and b.by("x").type == "string" and " " not in b.action.verb]
    pairs = [(a, b) for a in ones for b in ones if a is not b and a.obj.noun == b.obj.noun
             and {p.key for p in b.params if p.required} <= {"x", "v"}]
    if not pairs:
        return tools_foreign.use(c)
    first, then = r.pick(pairs)
    t, words, args = first.wish(r)
    said = speak(r, t, words, typos=False)[0]
    c.say(said)
    tools_foreign.call_it(c, first, args, words, said)
    tools_foreign.finish(c, first, words)
    c.done()
    x = words["x"]
    words, args = {"x": x}, {then.by("x").name: x}
    text = r.phrase(IT[then.action.family]).replace("{v}", then.action.verb)
    if then.attr:
        text = text.replace("{a}", then.attr.name)
    if then.by("v"):
        words["v"], args[then.by("v").name] = then.by("v").value(r)
    said = speak(r, text, {"x": words.get("v", "")}, typos=False)[0]
    c.say(said)
    c.call("It is %s. What fits: %s" % (x, tools_foreign.meaning(then, said, words, args)), [make_call(then.spec["name"], args, then.spec)], "pronouns")
    tools_foreign.finish(c, then, words)
    c.done()


def found(r, b, name, word):
    """A result with one hit: its id and some text."""
    about = title(r) + " " + word
    key = r.pick(("id", b.obj.noun.replace(" ", "_") + "_id", "ref", "number", "key"))
    return r.pick((lambda: json.dumps([{key: name, "title": about}], ensure_ascii=False),
                   lambda: "1 found\n%s: %s (%s)" % (key, name, about),
                   lambda: json.dumps({"hits": 1, key: name, "text": about}, ensure_ascii=False), lambda: "%s | %s" % (name, about),
                   lambda: "1. %s - %s" % (name, about)))()
