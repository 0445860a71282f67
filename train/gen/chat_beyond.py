"""Questions beside tools that seem near and cannot know the answer: nobody's thoughts stand in a list of facts, and a tool
that works on things of a kind knows nothing of that kind in general."""
from . import unknown_open
from .chat_call import make_call
from .chat_talk import UNKNOWN_THINK, cannot, dont_know
from .chat_web import other_hit, search_text
from .conv import speak
from .messages import check_honest
from .phrases import Phrases
from .sections import sections, with_values
from .slots import fill, slots_of
from .spans import query_of
from .tools_foreign import use

_person = Phrases()
_person.train, _person.held = (tuple(x for x in part if "{p}" in x[0] or "{k}" in x[0])
                               for part in (unknown_open.NOBODY.train, unknown_open.NOBODY.held))
OBJECT = Phrases(with_values(sections("beyond.txt")["OBJECT"]))
OBJECT.mended({("is {p} good with {ns}?", "what {p} can do with {ns}"): None})  # a matter for the graph


def beyond_person(c):
    """What a person thinks, feels or will do: no fact about them says it."""
    r = c.r
    q, why = unknown_open.filled(r, r.phrase(_person))
    c.say(speak(r, q, typos=False)[0])
    c.answer(cannot(r, why), "I can't know that: %s." % why, check_honest("unknown"))
    c.about = None
    c.done()


def beyond_tool(c):
    """A question about a kind of thing in general, beside tools for single ones."""
    r = c.r
    made = [b for b in c.foreign if getattr(b, "obj", None)]
    if not made:
        return use(c)
    q, s = r.phrase(OBJECT)
    obj = r.pick(made).obj
    slots = {k: unknown_open.MAKE[k](r) for k in dict.fromkeys(slots_of(q)) if k not in ("n", "ns")}
    slots.update(n=obj.noun, ns=obj.many)
    said, core = speak(r, q, slots, typos=False)
    s = fill(s, slots)
    c.say(said)
    if c.has("web_search"):
        c.call("That is about the world, not a job for the other tools: I search the web.", [make_call("web_search", {"query": query_of(core)})])
        c.result("web_search", search_text(c, [other_hit(r) for _ in range(r.int(1, 2))]))
        c.answer("The results are about other things.", "The search found nothing about %s." % s, check_honest("unknown"))
    else:
        c.answer(fill(r.pick(UNKNOWN_THINK), {"s": s}), dont_know(s), check_honest("unknown"))
    c.about = None
    return c.done()
