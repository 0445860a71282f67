"""Written kinds whose parameters have other names and another order than in the list.

Which words are which argument can then not be known by the place or the usual name
of an argument: its name in the tool's line must be read. For training alone."""
from .hall import read_lines
from .tools_kind import CAMEL, Bound

ALIKE = {}  # the first two names of a line: the others; what follows them may mean something else in another tool
for _line in read_lines("param_names.txt"):
    _names = _line.split("|")
    for _n in _names[:2]:
        ALIKE[_n] = (_names[0], tuple(x for x in _names if x != _n))
NUMBERS = set("count minutes hours days weeks weight length height depth temperature".split())  # first names of lines for numbers
EITHER = set("size level year price amount".split())  # and of those for numbers or words
# Words that are no nouns: "slot_from" would say nothing.
SMALL = set("in on at for by to of with from as who whom whose what which where when why how is was has goes gets new old the until into back".split())


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(w.capitalize() for w in rest)


def alike(name, type_):
    """Other names for a parameter of a type: the "time" that is a number is no time of day."""
    first, others = ALIKE.get(name, ("", ()))
    return others if first in EITHER or (first in NUMBERS) == (type_ in ("integer", "number")) else ()


def another(r, name, type_, tool, taken):
    """A name that means the same."""
    x, out = r.random(), name
    others = alike(name, type_) if x < 0.5 else ()
    if others:
        out = r.pick(others)
    elif x < 0.7 and "_" not in name and name not in SMALL:  # "date" of book_visit: "visit_date"
        about = CAMEL.sub(" ", tool).lower().split()[-1:]
        if about and 3 < len(about[0]) < 10 and about[0] != name:
            out = about[0] + "_" + name
    elif x < 0.8 and "_" in name:
        out = camel(name)
    return name if out in taken else out


def rename(r, b):
    """The same tool with some parameters called otherwise, in an order of chance."""
    names, taken = {}, set(b.names.values())
    for p in b.kind.params:
        old = b.names[p.key]
        names[p.key] = new = another(r, old, p.type, b.spec["name"], taken) if r.chance(0.7) else old
        taken.add(new)
    order = r.shuffled(b.kind.params) if r.chance(0.6) else b.kind.params
    return Bound(b.kind, b.spec["name"], b.spec["description"], names, order)
