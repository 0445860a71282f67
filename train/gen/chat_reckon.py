"""Sums that a person has in everyday life (train/data/reckon-*.jsonl): they tell of the numbers, and ask one thing after another of them, or change a number."""
import re

from . import sums
from .chat_calc import CALC_ANSWER, evaluate
from .chat_call import make_call
from .chat_memory import second
from .chat_read import STATED
from .conv import lower_first, speak
from .hall import read_objects
from .messages import check_text
from .phrases import Phrases, bucket
from .scene_slots import drawn
from .slots import fill
from .wording import upper_first

BEHIND = (", ", ", ", ". ", ". ", " - ", "; ", " and ")
EVEN = re.compile(r"-?\d+(?:\.\d\d?)?")


def own(x):
    """Forms whose slots have names of their own: {f} is a file elsewhere, and wishes about files have other words put for theirs."""
    return [own(y) for y in x] if isinstance(x, list) else re.sub(r"\{(\w+)\}", r"{n_\1}", x)


class Result:
    def __init__(self, o):
        self.key, self.expr, self.what, self.base, self.needs = "n_" + o["key"], own(o["expr"]), own(o["what"]), "n_" + o["from"] if "from" in o else None, {"n_" + k for k in o.get("needs", ())}
        self.asks, self.few, self.answer = Phrases(own(o["asks"])), Phrases(own(o["few"])), own(o["answer"])


class Story:
    def __init__(self, o):
        self.story, self.kinds, self.tell = o["story"], {"n_" + k: v for k, v in o["vars"].items()}, Phrases(own(o["tell"]))
        self.results = [Result(x) for x in o["results"]]
        self.changes = {"n_" + x["var"]: Phrases(own(x["say"])) for x in o["changes"]}
        self.held = bucket(self.story)

    def drawn(self, c):
        """Numbers of which most results come out even."""
        best, most = None, -1
        for _ in range(25):
            s, seen = {}, {}
            for k, kind in self.kinds.items():
                s[k] = seen[k] = value(c, kind, seen)
            even = self.even(s)
            if even > most:
                best, most = s, even
            if even == len(self.results):
                break
        return best

    def even(self, s):
        s, n = dict(s), 0
        for x in self.results:
            got = evaluate(fill(x.expr, s))
            if got and not got[1].startswith("-"):
                s[x.key] = got[1]
                n += bool(EVEN.fullmatch(got[1]))
            else:
                s[x.key] = "1"
                n -= 5
        return n


def value(c, kind, seen):
    word, *a = kind.split(" ")
    if word == "price":
        low, high = int(float(a[0])), int(float(a[1])) + 1
        return "%d.%s" % (c.r.int(low, high - 1), c.r.pick(("50", "50", "20", "40", "80", "95", "99", "25", "75", "10"))) if c.r.chance(0.6) else str(c.r.int(low, high))
    if word == "int":
        return str(c.r.int(int(a[0]), int(a[1])))
    return c.r.pick(kind.split("|")) if "|" in kind else drawn(c, kind, seen)


def read():
    """(trained, held out)"""
    found = [Story(o) for o in read_objects("reckon-*.jsonl")]
    return [x for x in found if not x.held], [x for x in found if x.held]


TRAINED, HELD = read()


class Walk:
    """A story while it is told and asked of."""

    def __init__(self, c, story):
        self.c, self.r, self.story, self.s = c, c.r, story, story.drawn(c)
        self.last = None

    def open(self):
        """Results that need no other one."""
        return [x for x in self.story.results if not x.base and x is not self.last]

    def asked(self, x, short):
        return self.r.phrase(x.few if short else x.asks)

    def begin(self):
        c, r = self.c, self.r
        tell = r.phrase(self.story.tell)
        x = r.pick(self.open())
        if r.chance(0.4):
            said = fill(tell, self.s)
            c.say((upper_first(said) if r.chance(0.3) else said) + r.pick((".", "", "")))
            answer = "Noted: %s." % second(said).rstrip(".!?")
            c.answer(r.pick(STATED), answer, check_text("chat", [v for k, v in self.s.items() if "{%s}" % k in tell and v in answer]))
            c.done()
            c.say(speak(r, self.asked(x, False), self.s)[0])
        else:
            end, q = r.pick(BEHIND), self.asked(x, False)
            c.say(speak(r, tell + end + (upper_first(q) if end == ". " and r.chance(0.5) else lower_first(q)), self.s, frame=r.chance(0.5))[0])
        self.work(x, "%s: {e}." % upper_first(fill(x.what, self.s)), c.group("builtin_tools"))

    def further(self):
        c, r, last = self.c, self.r, self.last
        ways = [(3, x) for x in self.open()] + [(6, x) for x in self.story.results if x.base == last.key]
        base = next((x.expr for x in self.story.results if x.key == last.base), "")
        ways += [(4, k) for k in self.story.changes if "{%s}" % k in last.expr and "{%s}" % k not in base]
        if not ways:
            return False
        x = r.weighted(ways)
        if isinstance(x, str):
            old = self.s[x]
            for _ in range(12):
                self.s[x] = value(c, self.story.kinds[x], {})
                got = evaluate(fill(last.expr, self.s))
                if self.s[x] != old and got and not got[1].startswith("-") and EVEN.fullmatch(got[1]):
                    break
            c.say(speak(r, r.phrase(self.story.changes[x]), self.s)[0])
            self.work(last, "It is %s now and no longer %s; %s: {e}." % (self.s[x], old, fill(last.what, self.s)), "pronouns")
            return True
        for k in x.needs:
            self.s[k] = value(c, self.story.kinds[k], {})
        c.say(speak(r, self.asked(x, r.chance(0.5)), self.s)[0])
        self.work(x, "%s: {e}." % upper_first(fill(x.what, self.s)), "pronouns")
        return True

    def work(self, x, think, group):
        """The sum and its result."""
        c, e = self.c, fill(x.expr, self.s)
        text, v = evaluate(e)
        c.call(think.replace("{e}", e), [make_call("calculate", {"expression": e})], check={"type": "call", "name": "calculate", "any": {"expression": sums.same(e)}, "group": group})
        c.result("calculate", text)
        c.sums.append(v)
        c.answer(fill(self.r.pick(CALC_ANSWER), {"v": v}), fill(self.r.pick(x.answer), dict(self.s, n_v="about " + v if "≈" in text else v)), check_text("extraction", [v]))
        self.s[x.key], self.last = v, x
        c.done()


def reckon(c):
    r = c.r
    walk = Walk(c, r.pick((HELD or TRAINED) if r.held and r.chance(0.5) else TRAINED))
    walk.begin()
    for _ in range(r.weighted([(2, 1), (3, 2), (3, 3), (1, 4)])):
        if not walk.further():
            break
    c.about = None
