"""What people say beside a wish for a tool of others: none of it is an argument."""
from .phrases import Phrases
from .sections import sections
from .slots import parts
from .tools_kind import FREE

ASIDE = {k: Phrases(f) for k, f in sections("tool_asides.txt").items()}


def aside(r, said, t):
    """With something beside the point, before the wish or after it; only before one that ends in free words."""
    p = parts(t)
    if len(p) > 1 and not p[-1] and p[-2].rstrip("0123456789") in FREE or r.chance(0.6):
        return r.phrase(ASIDE["before"]) + " " + said
    return said.rstrip() + (" " if said.rstrip()[-1:] in ".?!" else ". ") + r.phrase(ASIDE["after"])
