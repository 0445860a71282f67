"""Messages of a sample, and what is checked of them."""
from . import lex


def tool(name, content):
    return {"role": "tool", "name": name, "content": content}


def assistant(think="", text="", calls=None, check=None, train=True, **more):
    m = {"role": "assistant", "think": think, "content": text, "calls": calls or [], "train": train}
    if check is not None:
        m["check"] = check
    m.update(more)
    return m


def check_calls(calls, group):
    if len(calls) == 1:
        return {"type": "call", "name": calls[0]["name"], "arguments": calls[0]["arguments"], "group": group}
    return {"type": "call", "calls": calls, "group": group}


def check_text(group, all=(), none=()):
    """What must come; a list among it means one of its members."""
    return {"type": "contains", "all": [a if isinstance(a, list) else str(a) for a in all], "none": list(none), "group": group}


def check_honest(group, none=()):
    return {"type": "honest", "none": [str(n) for n in none], "group": group}


# What the hall's look-ups give back when they find nothing.
NOTHING = {"memory_read": "Nothing is remembered that fits this query.", "graph_search": "Nothing is known of these names.",
           "web_search": "web_search failed: no results"}


def make_nonce(random):
    """The word by which the broker marks the ends of a text from outside."""
    return "".join(random.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=26))


def sealed(nonce, name, text, score):
    """Text from outside as the broker's firewall gives it to a model."""
    return '[TOOL_RESULT: UNTRUSTED nonce=%s tool="%s" score=%.2f]\n%s\n[/TOOL_RESULT nonce=%s]' % (nonce, name, score, text, nonce)


def envelope(rng, name, text, score=None):
    """The same with the score by chance: mostly 0."""
    if score is None:
        score = rng.pick((0, 0, 0, 0, 0, 0.1, 0.2, 0.35)) if rng.chance(0.15) else 0
    return sealed(make_nonce(rng.r), name, text, score)


def clock(at):
    """The line about the time that the hall puts before a person's words."""
    return "It is %s, %d %s %d, %02d:%02d." % (lex.WEEKDAYS[at.weekday()], at.day, lex.MONTHS[at.month - 1], at.year, at.hour, at.minute)
