"""Questions beside tools that seem near and cannot know the answer: nobody's thoughts stand in a list of facts, and a tool
that works on things of a kind knows nothing of that kind in general."""
from . import unknown_open
from .chat_call import make_call
from .chat_people import RELATIONS, REL_ASK, graph_answer, rel_object
from .chat_web import other_hit, search_text
from .conv import speak
from .honest import UNKNOWN_THINK, cannot, dont_know
from .messages import check_honest
from .phrases import Phrases
from .sections import sections, with_values
from .slots import fill, slots_of
from .spans import query_of
from .tools_foreign import use

_person = Phrases()
_person.train, _person.held = (tuple(x for x in part if "{p}" in x[0] or "{k}" in x[0])
                               for part in (unknown_open.NOBODY.train, unknown_open.NOBODY.held))
OBJECT = Phrases(with_values(sections("beyond.txt")["OBJECT"]), with_values(unknown_open.HONEST["OBJECT"]))
OBJECT.mended({("is {p} good with {ns}?", "what {p} can do with {ns}"): None})  # a matter for the graph


PARTS = {k: Phrases(unknown_open.HONEST[k]) for k in ("MIND_VERB", "MIND_OBJ", "MIND_FORM", "FUTURE", "FUTURE_FORM")}


def of_mind(r):
    """(question, why): what somebody feels, or what they will do, put together from pieces; the slots are still open."""
    if r.chance(0.6):
        q = fill(r.phrase(PARTS["MIND_FORM"]), {"v": r.phrase(PARTS["MIND_VERB"]), "x": r.phrase(PARTS["MIND_OBJ"]), "p": "{p}"})
        return q, "only {p} could tell you"
    return fill(r.phrase(PARTS["FUTURE_FORM"]), {"x": r.phrase(PARTS["FUTURE"]), "p": "{p}"}), "nobody knows that beforehand"


KIND_ADJ, KIND_FORM = Phrases(unknown_open.HONEST["KIND_ADJ"]), Phrases(with_values(unknown_open.HONEST["KIND_FORM"]))


def of_kind(r):
    """(question, what it is about): a kind of thing in general."""
    if r.chance(0.7):
        return r.phrase(OBJECT)
    g = {"g": r.phrase(KIND_ADJ)}
    return tuple(fill(x, g) for x in r.phrase(KIND_FORM))


def beyond_person(c):
    """What a person thinks, feels or will do: no fact about them says it. Beside it, now and then, a fact of the same person."""
    r = c.r
    q, why = of_mind(r) if r.chance(0.45) else r.phrase(_person)
    slots = {k: unknown_open.MAKE[k](r) for k in dict.fromkeys(slots_of(q + why))}
    twin = c.has("graph_search") and "p" in slots and r.chance(0.45)
    parts = r.shuffled(["no", "yes"]) if twin else ["no"]
    for part in parts:
        if part == "yes":
            person_fact(c, slots["p"])
            continue
        w = fill(why, slots)
        c.say(speak(r, fill(q, slots), typos=False)[0])
        c.answer(cannot(r, w), "I can't know that: %s." % w, check_honest("unknown"))
        c.about = None
        c.done()


def person_fact(c, p):
    """What the graph does hold about somebody."""
    r = c.r
    rel = r.pick(list(REL_ASK))
    c.say(speak(r, r.phrase(REL_ASK[rel]), {"p": p})[0])
    c.call("This is a fact and no thought or feeling of %s, so I ask the graph." % p, [make_call("graph_search", {"people": [p]})])
    graph_answer(c, p, [(rel, rel_object(r, dict(RELATIONS)[rel]))], rel)
    c.about = None
    c.done()


def beyond_tool(c):
    """A question about a kind of thing in general, beside tools for single ones; now and then one of these is used before or after it."""
    r = c.r
    made = [b for b in c.foreign if getattr(b, "obj", None)]
    if not made:
        return use(c)
    b = r.pick(made)
    before, after = r.weighted([(5, (False, False)), (2, (True, False)), (3, (False, True))])
    if before:
        use(c, b)
    general(c, b)
    if after:
        use(c, b)


def general(c, b):
    """The question about the kind of thing that the tool b is for."""
    r, obj = c.r, b.obj
    q, s = of_kind(r)
    slots = {k: unknown_open.MAKE[k](r) for k in dict.fromkeys(slots_of(q)) if k not in ("n", "ns")}
    slots.update(n=obj.noun, ns=obj.many)
    said, core = speak(r, q, slots, typos=False)
    s = fill(s, slots)
    c.say(said)
    only = "%s is for single %s and does not know %s" % (b.spec["name"], obj.many, s)
    if c.has("web_search"):
        c.call("%s: I search the web." % only if r.chance(0.6) else "That is about the world, not a job for the other tools: I search the web.",
               [make_call("web_search", {"query": query_of(core)})])
        c.result("web_search", search_text(c, [other_hit(r) for _ in range(r.int(1, 2))]))
        c.answer("The results are about other things.", "The search found nothing about %s." % s, check_honest("unknown"))
    else:
        c.answer(only + ", so I say that I don't." if r.chance(0.7) else fill(r.pick(UNKNOWN_THINK), {"s": s}), dont_know(s), check_honest("unknown"))
    c.about = None
    c.done()
