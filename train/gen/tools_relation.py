"""Relations: tools of which several arguments look alike (train/data/relations-*.jsonl).

Who left and who came, from and to, old and new: nothing but the sentence tells which
is which. A relation is written once, with {o} for the thing that it is about, and
becomes a kind of tool for each of its things."""
from functools import cache

from .hall import read_objects
from .tools_kind import Kind
from .tools_line import snake
from .tools_words import plural


class Relation:
    def __init__(self, o):
        self.o, self.subject, self.things, self.held = o, o["subject"], o["things"], bool(o.get("held"))

    @cache
    def kind(self, thing, named=False):
        """The kind of tool for a thing; named: only wishes that say the thing, for where the relation is on offer for another thing too."""
        def put(text):
            if isinstance(text, str):
                return text.replace("{os}", plural(thing)).replace("{o}", thing)
            return {k: put(t) for k, t in text.items()} if isinstance(text, dict) else [put(t) for t in text]

        def name(text):
            return text.replace("{o}", snake(thing)).replace("{O}", "".join(w.capitalize() for w in thing.replace("-", " ").split()))

        o = self.o
        out = Kind(dict(o, kind="%s_%s" % (o["relation"], snake(thing)), names=[name(n) for n in o["names"]], descriptions=put(o["descriptions"]),
                        params=[dict(p, names=[name(n) for n in p["names"]]) for p in o["params"]], asks=put(o["asks"]),
                        asks_without=put(o.get("asks_without") or {}), result=put(o["result"]), answers=put(o["answers"])))
        out.sort = "related"
        if named:
            out.only(lambda t: thing in t or plural(thing) in t)
        return out


RELATIONS = [Relation(o) for o in read_objects("relations-*.jsonl")]
TRAIN, HELD = [x for x in RELATIONS if not x.held], [x for x in RELATIONS if x.held]


def some(r, n):
    """Kinds of at most n tools of relations: one, two of different subjects, or one relation for two things."""
    pool = HELD if r.held and r.chance(0.7) else TRAIN
    one, x = r.pick(pool), r.random()
    if n > 1 and x < 0.2:
        return [one.kind(thing, True) for thing in r.some(one.things, 2)]
    out = [one.kind(r.pick(one.things))]
    other = r.pick(pool)
    if n > 1 and x < 0.6 and other.subject != one.subject:
        out.append(other.kind(r.pick(other.things)))
    return out
