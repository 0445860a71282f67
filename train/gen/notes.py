"""Notes such as people keep, each in several layouts and with many ways to ask for what it says (train/data/notes-*.jsonl).

The layouts tell the same in other words and another order, and the values are drawn anew, so that neither the place of
a line nor its words tell what is asked for."""
from .hall import read_objects
from .library import sentences
from .phrases import Phrases, bucket
from .scene_slots import filled, members
from .slots import fill


class Note:
    def __init__(self, o):
        self.held = bucket(o["note"])
        self.short, self.files, self.slots, self.forms = o["short"], o["files"], members(o["slots"]), o["forms"]
        self.facts = [(Phrases(f["asks"]), Phrases(f["more"]), f["answer"], f["must"]) for f in o["facts"]]
        self.missing = [(Phrases(f["asks"]), Phrases(f["more"]), f["what"]) for f in o["not"]]

    def written(self, c):
        """What a Document is made of."""
        r, s, form = c.r, filled(c, self.slots), c.r.pick(self.forms)
        parts = [x for line in form.split("\n") for x in sentences(line)]
        asks, missing, more, told = [], [], {}, {}

        def said(phrases):
            return fill(r.pick(phrases.train + phrases.held) if self.held else r.phrase(phrases), s)

        for full, few, answers, must in self.facts:
            q = said(full)
            asks.append((q, fill(r.pick(answers), s)))
            line = next((x for x in parts if all(m in x for m in must)), None) or next(x for x in form.split("\n") if all(m in x for m in must))
            more[q], told[q] = said(few), (fill(line, s), [fill(m, s) for m in must])
        for full, few, what in self.missing:
            q = said(full)
            missing.append((q, fill(what, s)))
            more[q] = said(few)
        return r.pick(self.short), self.files, fill(form, s), asks, missing, more, told


NOTES = [Note(o) for o in read_objects("notes-*.jsonl")]
TRAINED, HELD = [n for n in NOTES if not n.held], [n for n in NOTES if n.held]


def pick(r):
    """One that training sees, or, where that is held out, one that it does not or one in other words."""
    return r.pick(HELD if r.held and r.chance(0.5) else TRAINED)
