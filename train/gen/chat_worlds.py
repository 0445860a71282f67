"""Several things of a kind (worlds.py), told by the person or read in a text, and a walk through short questions about them that lean on what came before."""
import itertools

from . import documents, files, worlds
from .chat_call import make_call
from .chat_documents import framed, unsaid
from .chat_files import KEY_THINK
from .chat_memory import memory_result, second
from .chat_read import PASTE, STATED, SWITCH
from .chat_worlds_more import further, worked
from .conv import speak
from .duel import duel
from .messages import check_honest, check_text
from .phrases import Phrases, bars
from .slots import fill
from .spans import query_of
from .wording import low, upper_first

OTHER = Phrases(bars("""and the other one?|what about the other one|the other one?|and the other?|same for the other one|how about the other|and of the other one?|now the other one|the other?|and with the other one?|same question, the other one|
what is it for the other one|ok, the other one?|and what about the other?|then the other one|and how is that with the other one|the one that's left?|and its counterpart?|the remaining one?"""))
MORE = Phrases(bars("oh, and {t}|there is one more: {t}|i forgot one: {t}|one more: {t}|also {t}|wait, here is another: {t}|I left one out: {t}|plus {t}|then there's {t}|and a last one: {t}"))
STYLES = [(5, "sentences"), (4, "gaps"), (4, "by_attribute")]
AS_FILE = [(1.5, "sentences"), (3, "gaps"), (1, "by_attribute"), (5, "table")]


class Walk:
    """What has been asked so far of a world, and what may come next."""

    def __init__(self, c, w):
        self.c, self.r, self.w = c, c.r, w
        self.focus, self.last = None, None  # the thing and the attribute of the last answer
        self.asked = set()
        self.told = True                    # by the person, who may also change it
        self.alone = True                   # nothing else of this sort was told of, so that "the cheapest" can be but one
        self.where = "they said"            # what a thought says before the words that tell it
        self.place = "the text"             # where it stands, if they did not say it
        self.path, self.text = None, ""     # the file, and what it says

    # --- what can be asked ---

    def choices(self, away):
        """[(weight, question)] that are possible now; away: something else was spoken of, so that the question must name what it is about."""
        w, f, n = self.w, self.focus, len(self.w.things)
        out = [(3, self.direct), (1.5, self.yes), (1, self.lack)] + [(1.5, self.change)] * self.told
        if away:
            return out
        if f:
            out += [(4, self.pronoun)] if self.last else [(5, self.pronoun)]
            if self.last and len(w.attributes) > 1:
                out.append((4, self.few))
        if n > 1:
            out += [(3, self.which)] + [(3, self.switch)] * bool(f and self.last) + [(3, self.other)] * bool(f and self.last and n == 2) + [(4, self.extreme)] * bool((self.alone or f) and self.compared())
            if len(w.attributes) > 1:
                out.append((2, self.two_hops))
            if self.alone and self.c.has("calculate"):
                out += [(1.2, self.total)] * bool(self.added("sum")) + [(1.2, self.difference)] * (n == 2 and bool(self.added("diff")))
        return out + further(self) + [(0.8, self.another)] * (self.told and 1 < n < 4)

    def compared(self):
        return [a for a in self.w.attributes if a.ranked and (a.can("most") or a.can("least")) and len(self.w.holders(a)) > 1]

    def added(self, what):
        return [a for a in self.w.attributes if a.number and a.can(what) and len(self.w.holders(a)) == len(self.w.things)]

    def next(self, away=False):
        """A question: (its form, what fills the slots, how it is answered); None where something was told instead."""
        if away:
            self.focus = self.last = None
        return self.r.weighted(self.choices(away))()

    def question(self, t, a, phrases, by, group):
        """One value of one thing is asked for."""
        slots = t.slots(None, by)
        form = self.r.phrase(phrases)
        self.asked.add((t, a))
        asked = fill(form, slots) if "{X}" in form or "{o}" in form or "{Xs}" in form else fill(a.what, t.slots())
        return form, slots, lambda: self.value(t, a, group, asked)

    def group(self):
        return "recall" if self.told else "extraction"

    def named(self, t):
        return self.r.pick(t.also) if t.also and self.r.chance(0.35) else t.name

    def direct(self):
        pairs = [(t, a) for t in self.w.things for a in self.w.attributes]
        t, a = self.r.pick([x for x in pairs if x not in self.asked] or pairs)
        return self.question(t, a, a.said["asks"], self.named(t), self.group())

    def pronoun(self):
        a = self.r.pick([a for a in self.w.attributes if a is not self.last] or self.w.attributes)
        return self.question(self.focus, a, a.said["asks"], "they", "pronouns")

    def few(self):
        a = self.r.pick([a for a in self.w.attributes if a is not self.last])
        return self.question(self.focus, a, a.said["few"], "they", "pronouns")

    def other(self):
        t = next(t for t in self.w.things if t is not self.focus)
        return self.question(t, self.last, OTHER, "", "pronouns")

    def switch(self):
        t = self.r.pick([t for t in self.w.things if t is not self.focus])
        form, _, answer = self.question(t, self.last, SWITCH, "", "pronouns")
        return form, {"n": self.named(t)}, answer

    def which(self):
        """The value is known and the thing is asked for."""
        a = self.r.pick(self.w.attributes)
        t = self.r.pick(self.w.holders(a))

        def answer():
            self.say("They look for %s; %s: %s. That is %s." % (self.one(t, a), self.where, t.told[a], t.name), self.result(t, a), [second(t.label)], self.group())
            self.focus, self.last = t, a
        return self.r.phrase(a.said["which"]), t.slots(a), answer

    def one(self, t, a):
        return fill(self.r.phrase(a.said["one"]), {"v": t.values[a]})

    def two_hops(self):
        """A thing is named by one of its values and asked for another one."""
        b, a = self.r.some(self.w.attributes, 2)
        t = self.r.pick(self.w.holders(b))
        one = self.one(t, b)
        forms = Phrases()
        forms.train, forms.held = ([x for x in part if "{Xs}" not in x] for part in (a.said["asks"].train, a.said["asks"].held))
        if a not in t.told or not forms.train or not forms.held:
            return self.direct()

        def answer():
            again = "" if t.told[a] == t.told[b] else ": " + t.told[a]
            self.say("They look for %s; %s: %s. That is %s, and they ask %s%s." % (one, self.where, t.told[b], t.name, fill(a.what, t.slots()), again), self.result(t, a), [second(t.values[a])], self.group())
            self.focus, self.last = t, a
        return self.r.phrase(forms), {"X": one, "o": one}, answer

    def extreme(self):
        """The one with the most or the least of something."""
        a = self.r.pick(self.compared())
        way = self.r.pick([x for x in ("most", "least") if a.can(x)])
        up, rows = way == "most", [(t.name, fill(a.cell, {"v": t.values[a]}) if a.number else t.values[a], t.ranks[a], t) for t in self.w.holders(a)]
        t = (max if up else min)(rows, key=lambda row: row[2])[3]
        word = way if a.number else "latest" if up else "earliest"
        goal = ("highest " if up else "lowest ") + a.noun if a.number else word + " " + a.noun

        def answer():
            said = fill(a.results[way], self.yours(t, a))
            self.say(duel([row[:3] for row in rows], up, word, goal) + ".", upper_first(said), [second(t.label), second(t.values[a])], "pronouns" if self.focus else self.group())
            self.focus, self.last = t, a
        return self.r.phrase(a.said[way]), {}, answer

    def yes(self):
        """Whether it is so."""
        r, a = self.r, self.r.pick(self.w.attributes)
        t = r.pick(self.w.holders(a))
        v = t.values[a]
        others = [o.values[a] for o in self.w.holders(a) if o is not t]
        asked = v if r.chance(0.5) or not others else r.pick(others)
        lean = t is self.focus and r.chance(0.6)

        def answer():
            word = "Yes" if asked == v else "No"
            end = "That is so, so yes." if asked == v else "That is not %s, so no." % asked
            form = r.pick(a.answers)
            said = fill(form if form[0] == "{" else low(form), self.yours(t, a, False))
            self.say("They ask %s; %s: %s. %s" % (fill(a.what, t.slots()), self.where, t.told[a], end), "%s, %s" % (word, said), [word, second(v)], "pronouns" if lean else self.group())
            self.focus, self.last = t, a
        return r.phrase(a.said["yes"]), dict(t.slots(None, "they" if lean else self.named(t)), v=asked), answer

    def total(self):
        a = self.r.pick(self.added("sum"))
        values = [t.values[a] for t in self.w.things]
        return self.r.phrase(a.said["sum"]), {}, lambda: self.calculated(a, "sum", " + ".join(values), [" + ".join(x) for x in itertools.permutations(values)])

    def difference(self):
        a = self.r.pick(self.added("diff"))
        low, high = sorted((t.values[a] for t in self.w.things), key=float)
        return self.r.phrase(a.said["diff"]), {}, lambda: self.calculated(a, "diff", high + " - " + low, [high + " - " + low])

    def calculated(self, a, what, expression, same):
        think = "%s: %s." % ("All of them together" if what == "sum" else "The one without the other", expression)
        worked(self, think, expression, lambda v: upper_first(fill(a.results[what], {"v": v})), same)

    def lack(self):
        """Something that was told of none of them."""
        r = self.r
        t = self.focus or r.pick(self.w.things)
        what, asks, few = r.pick(self.w.kind.lacking)
        lean = t is self.focus
        form = r.phrase(few if lean and self.last and r.chance(0.4) else asks)
        slots = t.slots(None, "they" if lean and r.chance(0.7) else self.named(t))

        def answer():
            self.unknown(t, what, fill(form, slots))
            self.focus = t
        return form, slots, answer

    # --- what is told on the way ---

    def change(self):
        """A value is another one now."""
        w, r = self.w, self.r
        a = r.pick(w.attributes)
        t = r.pick(w.holders(a))
        t.values[a], t.ranks[a] = w.value(a)
        text = fill(r.phrase(a.said["change"]), t.slots(a, "they" if t is self.focus and r.chance(0.5) else self.named(t)))
        t.told[a] = text
        self.note(text, [t.values[a]])
        self.focus, self.last = t, a

    def another(self):
        """One more of them."""
        w = self.w
        t = w.thing()
        w.things.append(t)
        text = fill(self.r.phrase(MORE), {"t": worlds.gaps(w, [t])})
        self.note(text, t.values.values())
        self.focus, self.last = t, None

    def note(self, text, values):
        c = self.c
        c.say(text + self.r.pick((".", "", "")) if text[-1] not in ".!?" else text)
        answer = "Noted: %s." % " ".join(second(text).rstrip(".!?").split())
        c.answer(self.r.pick(STATED), answer, check_text("chat", [v for v in values if v in answer]))
        c.done()

    # --- answers ---

    def yours(self, t, a, first=True):
        """The slots of an answer, as it is said to the person."""
        name = second(t.name)
        own = name + ("'" if name.endswith("s") else "'s")
        return {"y": name, "ys": own, "Y": upper_first(name) if first else name, "Ys": upper_first(own) if first else own, "X": name, "o": name, "Xs": own, "v": second(t.values[a])}

    def result(self, t, a):
        return upper_first(fill(self.r.pick(a.answers), self.yours(t, a)))

    def say(self, think, text, keys, group):
        self.c.answer(think, text, check_text(group, keys))

    def value(self, t, a, group, asked):
        what = fill(a.what, t.slots())
        if a in t.told:
            self.say("They ask %s; %s: %s." % (what, self.where, t.told[a]), self.result(t, a), [second(t.values[a])], group)
        else:
            self.unknown(t, a.what, asked)
        self.focus, self.last = t, a

    def unknown(self, t, what, asked):
        """Nobody said it: the memory is asked where the person told of them, and there is one."""
        c, r, what = self.c, self.r, fill(what, t.slots())
        if not self.told:
            return unsaid(c, "They ask " + what, second(what), self.place)
        if c.has("memory_read"):
            query = query_of(asked)
            if t.label.lower() not in query.lower():
                query = t.label + " " + query
            c.call("They ask %s; that was not said here, so I look in the memory." % what, [make_call("memory_read", {"query": query})],
                   check={"type": "call", "name": "memory_read", "contains": {"query": [t.label]}, "group": c.group("builtin_tools")})
            c.result("memory_read", memory_result(r, [], r.int(0, 2), t.label))
            return c.answer("Nothing that was found answers it; I say so.", "I don't remember anything about that. Tell me, and I will keep it in mind.", check_honest("recall"))
        return c.answer("They ask %s; that was not said, and I must not guess." % what, "I don't know %s: you have not told me." % second(what), check_honest("recall"))


def headed(r, w, style, text):
    """With words before it that say what it is about."""
    if style == "sentences" and r.chance(0.5) or style == "by_attribute" and r.chance(0.7):
        return upper_first(text) if r.chance(0.6) else text
    lead = r.phrase(w.kind.lead)
    return lead + (r.pick((":\n", ":\n", "\n")) if "\n" in text or style == "table" else r.pick((": ", ": ", ". ", " - ")) if style != "sentences" else ". ") + text


def written(r, w, styles, small=False):
    """What is told of a world."""
    w.lacks()
    style = r.weighted(styles)
    text = w.tell(style)
    text = upper_first(text) if small and style == "sentences" else headed(r, w, style, text)
    w.settle(text)
    return text


def opened(c, walks):
    """The texts and the first question, in a file or in one message."""
    r, walk = c.r, walks[-1]
    small = len(walks) > 2
    parts = [written(r, x.w, STYLES[:1] if small and r.chance(0.8) else AS_FILE, small) for x in walks]
    text = r.pick((". ", ".\n", "\n", "\n\n") if small else ("\n\n", "\n\n", "\n")).join(r.shuffled(parts))
    path = r.pick(r.pick(walks).w.kind.files) if c.has("fs_read") and r.chance(0.6) else None
    if path and r.chance(0.3):
        path = r.folder() + "/" + path
    for x in walks:
        x.text, x.told, x.where, x.place = text, False, path + " says" if path else "the text says", "the file" if path else "the text"
    form, slots, answer = walk.next(len(walks) > 1)
    if path:
        c.say(framed(r, files.ASK_ABOUT, fill(form, slots), path=path))
        c.call(fill(r.pick(KEY_THINK), {"path": path}), [make_call("fs_read", {"path": path})])
        shown, cut = files.read_result(c, path, text)
        c.result("fs_read", shown, cut=cut)
    else:
        q = speak(r, form, slots, typos=False, frame=False)[0]
        if "\n" not in text and r.chance(0.6):  # in one breath, as most people put it
            c.say(text + r.pick((". ", ". ", ", ", " - ", "; ", "  ", "? ")) + q if r.chance(0.75) else q.rstrip("?. ") + r.pick(("? ", ": ", ", ", ". ")) + text)
        else:
            c.say(fill(r.phrase(PASTE), {"q": q, "t": text}))
    answer()
    for x in walks:
        x.path = path if len(walks) == 1 else None  # two that change the same text would not know of each other
        x.where, x.place = x.where.replace("text says", "text above says"), x.place.replace("the text", "the text above")
    c.done()


def told(c, walks):
    """The person tells of them, a world a message."""
    for walk in walks:
        walk.note(written(c.r, walk.w, STYLES), [v for t in walk.w.things for v in t.values.values()])


def several(c):
    r = c.r
    walks, n = [Walk(c, worlds.World(c))], r.weighted([(7, 1), (2, 2), (1.2, 4), (1, 6)])
    if n > 2:  # of this and that, a sentence or two of each
        walks = [Walk(c, worlds.World(c, small=True))]
    while len(walks) < n:
        walks.append(Walk(c, worlds.World(c, walks[-1].w, n > 2)))
    for x in walks:
        x.alone = n == 1
    now = walks[-1]
    (told if n < 3 and r.chance(0.65) else opened)(c, walks)
    pairs = sum(len(x.w.things) * len(x.w.attributes) for x in walks)
    for _ in range(min(r.weighted([(2, 2), (3, 3), (3, 4), (2, 5), (1, 6)]) + min(n, 2), pairs)):
        walk = r.pick(walks) if r.chance(0.5) else now
        found = walk.next(walk is not now)
        now = walk
        if found:
            form, slots, answer = found
            c.say(speak(r, form, slots)[0])
            answer()
            c.done()
        c.about = None
