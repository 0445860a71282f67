"""Figures that somebody tells in one sentence, without any marks around them: who has the most and the least, what they add up to.

Most people put things so, and in the texts of the other generators the question always stands apart from what it is about.
"""
from . import chat_calc as calc
from .chat_call import make_call
from .chat_memory import second
from .chat_read import STATED
from .conv import speak
from .duel import duel
from .messages import check_text
from .phrases import Phrases
from .sections import sections
from .slots import fill
from .wording import upper_first

_all = sections("figures.txt")
FORMS = {k: Phrases(v) for k, v in _all.items()}
THEMES = [k.removesuffix(" lead") for k in _all if k.endswith(" lead")]
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
KINDS = ("most", "least", "total", "mean", "gap", "one", "pair")
WEIGHTS = (5, 5, 5, 3, 3, 3, 2)
SUMS = ("total", "mean", "gap", "pair")
TOP = {"most": ("most", "highest"), "least": ("least", "lowest")}


class Figures:
    """Names with a number each."""

    def __init__(self, r):
        self.theme = r.pick(THEMES)
        kind = self.theme.split()[0]
        n = r.int(3, 6)
        if kind == "day":
            at = r.int(0, 7 - n)
            names = list(DAYS[at:at + n])
        else:
            make = {"person": r.first, "thing": r.noun, "city": r.city}[kind]
            names = []
            while len(names) < n:
                x = make()
                if not any(x.lower() in y.lower() or y.lower() in x.lower() for y in names):
                    names.append(x)
        high = r.pick((20, 99, 99, 400, 2000))
        values = []
        while len(values) < n:
            v = r.int(2, high)
            if v not in values:
                values.append(v)
        self.rows = list(zip(names, values))
        form = r.phrase(FORMS["rows"])
        self.text = r.pick((", ", ", ", "; ", ", ")).join(fill(form, {"n": a, "v": v}) for a, v in self.rows)
        if r.chance(0.2):
            first, _, last = self.text.rpartition(", ")
            self.text = "%s and %s" % (first, last) if first else self.text
        self.asked = set()

    def lead(self, r):
        return r.phrase(FORMS[self.theme + " lead"])

    def pick(self, r, can):
        """A question that was not asked yet: (its sort, its words, the two rows that it names)."""
        kinds = [(w, k) for w, k in zip(WEIGHTS, KINDS) if k not in self.asked and (can or k not in SUMS)]
        kind = r.weighted(kinds)
        self.asked.add(kind)
        a, b = sorted(r.some(self.rows, 2), key=lambda x: -x[1])
        form = FORMS[self.theme + " " + kind] if kind in TOP else FORMS[kind]
        return kind, speak(r, r.phrase(form), {"a": a[0], "b": b[0]}, typos=False, frame=False)[0], a, b

    def sum(self, kind, a, b):
        """The sum that answers a question."""
        if kind in ("gap", "pair"):
            return "%d %s %d" % (a[1], "-" if kind == "gap" else "+", b[1])
        all_ = " + ".join(str(v) for _, v in self.rows)
        return all_ if kind == "total" else "(%s) / %d" % (all_, len(self.rows))


def reply(c, f, kind, a, b, group):
    """What is said to a question, with the calculator where something is to be worked out."""
    r = c.r
    if kind in TOP:
        up = kind == "most"
        best = (max if up else min)(f.rows, key=lambda x: x[1])
        think = duel([(n, str(v), v) for n, v in f.rows], up, TOP[kind][0], TOP[kind][1] + " number")
        others = [n for n, _ in f.rows if n != best[0]]
        c.answer(think + ".", upper_first("%s has the %s: %d." % (best[0], TOP[kind][0], best[1])), check_text(group, [best[0]], others))
    elif kind == "one":
        c.answer("They ask for %s; they said: %s %d." % (a[0], a[0], a[1]), upper_first("%s has %d." % a), check_text(group, [str(a[1])]))
    else:
        e = f.sum(kind, a, b)
        got = calc.evaluate(e)
        said = {"total": "all of them added up", "mean": "all of them added up, by how many they are", "gap": "%s less %s" % (a[0], b[0]), "pair": "%s and %s" % (a[0], b[0])}[kind]
        c.call("They want %s: %s." % (said, e), [make_call("calculate", {"expression": e})], check=calc.either_way(e, group) or {"type": "call", "name": "calculate", "arguments": {"expression": e}, "group": group})
        c.result("calculate", got[0])
        calc.answer_number(c, got[0], e, got[1])
    c.done()


def figures(c):
    """The figures with a question in one breath, or told first; then more questions about them."""
    r, can = c.r, c.has("calculate")
    f = Figures(r)
    lead = f.lead(r)
    if r.chance(0.25):
        text = fill(r.phrase(FORMS["frame told"]), {"l": lead, "t": f.text}).replace("\\n", "\n")
        c.say(text)
        c.answer(r.pick(STATED), "Noted: %s." % second(text).rstrip(".!?").replace("\n", " "), check_text("chat", [str(v) for _, v in f.rows]))
        c.done()
        more = 1
    else:
        kind, q, a, b = f.pick(r, can)
        c.say(fill(r.phrase(FORMS["frame"]), {"l": lead, "t": f.text, "q": q}).replace("\\n", "\n"))
        reply(c, f, kind, a, b, c.group("builtin_tools") if kind in SUMS else "extraction")
        more = 0
    for _ in range(r.int(more, 3 if can else 2)):
        kind, q, a, b = f.pick(r, can)
        c.say(r.pick(("", "", "", "and ", "ok, ", "and now: ")) + q)
        reply(c, f, kind, a, b, "pronouns")
    c.about = None
