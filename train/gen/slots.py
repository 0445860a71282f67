"""Templates: texts with {slots}."""
import re

_parsed = {}
_SLOT = re.compile(r"\{([A-Za-z0-9_]+)\}")


def parts(template):
    """A template as texts and slots in turn: text, slot, text, …"""
    known = _parsed.get(template)
    if known is None:
        known = _SLOT.split(template)  # JSON has braces of its own
        if len(_parsed) > 40000:  # made phrasings come and go
            _parsed.clear()
        _parsed[template] = known
    return known


def fill(template, slots):
    """The template with its slots filled in; a slot without a value stays as it stands."""
    p = parts(template)
    if len(p) == 1:
        return p[0]
    out = []
    for i, x in enumerate(p):
        out.append(x if i % 2 == 0 else str(slots[x]) if x in slots else "{" + x + "}")
    return "".join(out)


def slots_of(template):
    return parts(template)[1::2]
