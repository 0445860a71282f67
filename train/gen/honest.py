"""The honest word: thoughts that say why no tool helps, and the sentence that it is not known."""
from .conv import thinks
from .slots import fill
from .wording import upper_first

UNKNOWN_THINK = thinks("""I do not know {s}, and nothing here says it.
This is general knowledge that I do not have; I say so.
No tool and no material helps with {s}, so I must not guess.
I know nothing by heart about {s}; the honest answer is that I don't know.""")


def dont_know(s):
    s = s.rstrip("?.")
    about = "" if s.startswith(("the ", "how ", "why ", "what ", "who ", "when ", "where ", "which ", "whether ")) else "about "
    return "I don't know %s%s offline. A larger model, or a web search, would help." % (about, s)


CANNOT = thinks("""Nobody can look that up; I say so.
No tool and no text can tell that, so I do not guess.
This cannot be known from here; the honest answer is that I can't.""")


WHY_NOT = [("only ", "That is in somebody's head, and no list of facts holds it: %s."), ("nobody knows", "That lies ahead, and no tool knows what comes: %s."),
           ("I cannot", "That would take eyes or ears, and my tools only read: %s."), ("nobody has counted", "No tool holds such a count: %s."),
           ("that is ", "That stands in no tool, and it is theirs to tell: %s.")]


def cannot(r, why):
    """A thought before the honest word; most of them say why no tool helps."""
    x = r.random()
    if x < 0.5:
        return next((t for w, t in WHY_NOT if why.startswith(w)), "No tool tells that: %s.") % why
    return "No tool tells that: %s." % why if x < 0.8 else r.pick(CANNOT)


def unknown_think(c, s):
    """The same about the world; where tools look into the person's own things, that these do not hold it."""
    r = c.r
    own = [w for n, w in (("memory_read", "the memory"), ("graph_search", "the graph"), ("notes_search", "the notes")) if c.has(n)]
    if own and r.chance(0.6):
        return "%s is about the world; %s only ha%s what is theirs, and no web search is on offer." % (
            upper_first(s), " and ".join(own[:2]), "s" if len(own) == 1 else "ve")
    return fill(r.pick(UNKNOWN_THINK), {"s": s})
