"""A conversation that grows task by task."""
import re

from . import reword, units
from .hall import SYSTEM
from .messages import assistant, check_calls, clock, envelope, tool
from .phrases import Phrases, phrasings
from .sections import more, sections
from .slots import parts
from .spans import QUESTION
from .wording import upper_first

OPENERS = phrasings("""hi, |hey, |hello, |ok, |okay, |so, |well, |hm, |right, |now |quick question: |one more thing: |please |pls |hey there, |sorry, |
excuse me, |listen, |good morning, |also, |and |next: |another one: |thanks. |great. |fine, |good, now |alright, |by the way, |btw |
could you help? |I was wondering: |can you help me: |let's see, |just curious, |when you have a moment, |ah, |oh, |yes. |no rush, |
perfect. |thank you! |cool, |moving on, |different question: |if you don't mind, |hi there! |dear assistant, |me again: """)
CLOSERS = Phrases(" please| pls|, please| thanks|, thanks| thank you|, ok?|, would you| for me| if you can|, quickly| now| right away|, cheers| when you can| asap|, will you|, if possible| - thanks!".split("|"))
CLOSERS.train = tuple(x for x in CLOSERS.train if x != " now")  # could be a word of the question
CHATTER = phrasings("""I'm in a hurry.|Sorry to bother you.|My head is full today.|I'm back.|Coffee first, then work.|It's late and I'm tired.|I have a meeting in five minutes.|I can't find anything today.|
I'm cleaning up my desk.|My colleague asked me this.|I was just talking to a friend about it.|I promised to find out.|This has been on my mind.|I keep forgetting this.|Let's do this quickly.|I'm writing a letter right now.|
The kids are asleep at last.|I just got home.|I need this for work.|Nobody here knows.|I lost my glasses again.|We had a discussion at lunch.|I'm planning the week.|I want to get this done today.|
Here is what I need.|I have one small thing.|This should be easy.|I'm preparing something for tomorrow.|You did well so far.|It's raining here.|I'm trying to sort things out.|I forgot where I was.|OK, next thing.|
Right, where were we.|I hope this works.|I'm curious.|My boss wants to know.|I'd better check.|One last thing for today.|I'm on the phone and need this fast.""")
_around = sections("around.txt")
OPENERS = more(OPENERS, [x.strip() + " " for x in _around["OPENERS"]])
CLOSERS = more(CLOSERS, [x if x[0] in " ,.!" else " " + x for x in _around["CLOSERS"]])
CHATTER = more(CHATTER, _around["CHATTER"])
_own = ("I ", "I'", "I,")


# Words that begin phrasings; others at the beginning may be names, which keep their capital.
BEGIN = set("""a about according actually add adjust after again all also am an and any anything append apply are arrange as ask assign at back based be before begin between book bring build buy by calculate call can
cancel cat change check clean clear close code compare compute contents continue convert copy correct could count create current cut date delete dial did dig dir display divide do does don't double draft draw each edit
empty end enter every everything execute explain export extend fact facts fetch fill find first fix for force forget from full get give go good google grab great grep had has have head help here how how's i'd if in
info information insert inspect is it it's items keep kindly last latest launch let let's line lines list load local look make may me memorise memorize mention move multiply my name need new news next no not note now
number of off on once one only open or order our out over overwrite pay people pick place play please plus post print program pull put question quick read recall record refresh remember remind remove rename
repeat replace research run save say scan search see send set shall should show since size some someone something sort split start state stop store subtract sum summarise summarize swap switch take tell test
thanks that the their then there these they this those time to today today's tomorrow top total track triple try turn two under update use using view visit wait want was we web were what what's whats when when's
where where's which while who who's whole whom whose why will with word work would write year yes yesterday you your our give anyone anybody author birthplace capital cause cost currency diet director founder genre habitat
headquarters height inventor language length licence license lifespan location main material meaning mouth opening origin owner page picture population port price profession publication remedy season seat
source speaker staff use version weight parked car mine both most nothing usually always never""".split())


def lower_first(s):
    """Without a capital at the beginning, unless it is a word that keeps it."""
    first = s.split(" ", 1)[0].strip(",.:;!?").lower() if s else ""
    if first not in BEGIN or s.startswith(_own):
        return s
    return s[0].lower() + s[1:]


def typo(r, text):
    """One word of a text is written wrongly."""
    words = text.split(" ")
    at = [i for i, w in enumerate(words) if len(w) > 3 and w.isalpha() and w.islower()]  # a name that is misspelt is another name
    if not at or len(words) < 4:
        return text
    i = r.pick(at)
    w, k = words[i], r.int(1, len(words[i]) - 2)
    x = r.random()
    if x < 0.4:
        w = w[:k] + w[k + 1] + w[k] + w[k + 2:]
    elif x < 0.7:
        w = w[:k] + w[k + 1:]
    else:
        w = w[:k] + w[k] + w[k:]
    words[i] = w
    return " ".join(words)


# Slots that hold a person's free words: what follows them must be told apart from them.
FREE = {"text", "q", "t", "topic", "preference", "word", "old", "new", "x", "query", "content", "title", "message", "w", "body", "note", "name"}
APART = Phrases([", please", ", thanks", ", thank you", " - thanks!"], _around["APART"])


def speak(r, template, slots=None, typos=True, frame=True):
    """A person's words: (all of them, their core). Only the words of the
    template change with the voice; what fills the slots stays."""
    p = parts(template)
    if len(p) == 1:
        p = (template,)
    texts = list(p) if r.held else list(reword.vary(r, p))
    if typos and r.chance(0.05):
        i = 2 * r.int(0, (len(texts) - 1) // 2)
        texts[i] = typo(r, texts[i])
    if texts[0] and r.chance(0.3):
        texts[0] = lower_first(texts[0])
    elif texts[0] and r.chance(0.3):
        texts[0] = upper_first(texts[0])
    last = texts[-1]
    if last and r.chance(0.25):
        texts[-1] = last.rstrip("?.!")
    free = len(p) > 1 and not texts[-1] and p[-2].rstrip("0123456789") in FREE
    if len(p) > 1:
        slots = slots or {}
        texts = [x if i % 2 == 0 else str(slots[x]) if x in slots else "{" + x + "}" for i, x in enumerate(texts)]
    core = said = "".join(texts)
    if frame:
        said, core = framed(r, said, bool(p[0]), free)
    return said, core


def framed(r, said, begins, free):
    """With a word before or after, which is no part of the wish."""
    core = said
    if r.chance(0.12):
        core = lower_first(said) if begins else said
        said = r.phrase(OPENERS) + core
        if r.chance(0.4):
            said = upper_first(said)
    if r.chance(0.04) or not r.held and r.chance(0.05):
        aside = r.phrase(CHATTER) if r.held or r.chance(0.3) else reword.context(r)
        if free or r.chance(0.7):  # after a person's free words it could be one of them
            said = aside + " " + said
        else:
            said = said.rstrip() + (" " if said[-1:] in ".?!" else ". ") + aside
    elif r.chance(0.07) and len(said) < 160:
        end = said[-1] if said[-1] in "?.!" else ""
        said = said[:len(said) - len(end)] + closer(r, free or asking(core, end), end)
    return said, core


def asking(core, end):
    """Whether it is a question: nobody asks what something is "straight away" or "for me"."""
    first, _, rest = core.lower().partition(" ")
    return first in QUESTION and not (rest.startswith(("you ", "u ")) and first in ("can", "could", "will", "would")) or end == "?" and "you" not in core


def closer(r, free, end):
    """Words after a wish, and its mark unless they have one."""
    words = r.phrase(APART if free else CLOSERS)
    return words if words[-1] in ".!?)" else words + end


NO_ENVELOPE = {"calculate", "now", "compare_answers", "delegate"}


class Conv:
    """Messages so far, what is on offer, and what may be referred to."""

    def __init__(self, r, specs, system=None, foreign=()):
        self.r, self.specs = r, specs
        self.names = {s["name"] for s in specs}
        self.system = SYSTEM["chat"] if system is None else system
        self.foreign = list(foreign)
        self.msgs, r.recent = [], []
        self.tasks = 0        # finished
        self.size = sum(len(s["description"]) + 60 for s in specs)
        self.at = r.moment()
        self.about = None     # what "it" is: (kind, …)
        self.told = []        # what the person said about themselves
        self.pair = None      # another thing that the same text tells of
        self.past = []        # things that were talked about
        self.texts = {}       # what files say that were read
        self.kind = ""
        user = r.first().lower()
        self.home = r.pick(("/home/", "/home/", "/Users/")) + user
        self.work = r.pick((self.home + "/.local/share/moothall/workspace", self.home + "/.local/share/moothall/workspace",
                            self.home + "/work", "/srv/moothall/workspace"))
        self.beside = None    # makes material that does not fit, for some of the words
        self.rows = None      # the last listing, with sizes and days
        self.sums = []        # numbers that were worked out
        self.called = []      # what the person gave names to
        self.no_tools = False  # the last round: tools are withheld
        self.forgets = r.chance(0.6)  # what is volatile is gone from earlier messages, as in a real history

    # --- what is said ---

    def say(self, text, material=None, before=None, after=None):
        if material is None and after is None and self.beside and self.r.chance(0.05):
            material = self.beside(self.r)
        m = {"role": "user", "content": text, "_plain": text, "_material": material, "_before": before, "_after": after,
             "_task": self.tasks}
        self.msgs.append(m)
        self.size += len(text) + len(material or "")
        return m

    def group(self, base):
        """Calls of a later task count as such."""
        if base == "builtin_tools" and self.tasks:
            return "second_task" if self.tasks == 1 else "third_task"
        return base

    def said(self):
        """The words of all messages so far."""
        return units.words(" ".join(str(m.get(k) or "") for m in self.msgs for k in ("content", "_material", "_after")))

    def lost(self, text):
        """Whether a text was looked up for an earlier message and no longer stands there."""
        text = " ".join(text.split())
        return self.forgets and any(text in " ".join((m.get("_material") or "").split()) for m in self.msgs)

    def call(self, think, calls, group="builtin_tools", text="", train=True, check=None):
        if calls[0]["name"] == "calculate" and len(calls) == 1:
            asked = next((m["content"] for m in reversed(self.msgs) if m["role"] == "user"), "")
            think = units.plain(think, calls[0]["arguments"]["expression"], asked, self.said())
        m = assistant(think, text, calls, check or check_calls(calls, self.group(group)), train)
        m["_task"] = self.tasks
        self.msgs.append(m)
        self.size += 40 + sum(len(str(c)) for c in calls)

    def result(self, name, text, failed=False, unavailable=False, plain=None, cut="", score=None):
        if plain is None:
            plain = name in NO_ENVELOPE
        if plain:
            text = ("[tool failed] " if failed else "[tool unavailable] " if unavailable else "") + text
        else:
            text = ("[tool failed]\n" if failed else "[tool unavailable]\n" if unavailable else "") + envelope(self.r, name, text, score)
        if cut:
            text += "\n[cut: " + cut + "]"
        self.msgs.append(tool(name, text))
        self.size += len(text)

    def denied(self, name, text):
        self.msgs.append(tool(name, "[denied] " + text))
        self.size += len(text)

    def answer(self, think, text, check, train=True, needs_material=False):
        if self.msgs[-1].get("name") == "calculate":
            text = units.drop(text, self.said())
        m = assistant(think, text, None, check, train)
        m["_task"], m["_needs"] = self.tasks, needs_material
        self.msgs.append(m)
        self.size += len(text)

    def done(self):
        self.tasks += 1
        if self.about and self.about[0] == "sheet" and (not self.past or self.past[-1] is not self.about):
            self.past.append(self.about)

    def last_call(self):
        """Name and arguments of the call that was made last."""
        return next(((x["name"], x["arguments"]) for m in reversed(self.msgs) for x in (m.get("calls") or ())[-1:]), ("", {}))

    def has(self, *names):
        return all(n in self.names for n in names)

    def path(self, shown):
        """A path as results show it."""
        if shown.startswith("~/"):
            return self.home + shown[1:]
        if shown.startswith("/"):
            return shown
        if shown.startswith("./"):
            shown = shown[2:]
        return self.work + "/" + shown.rstrip("/") if shown not in (".", "") else self.work

    # --- the end ---

    def sample(self, kind):
        r, out = self.r, []
        if self.system:
            out.append({"role": "system", "content": self.system})
        last = max((i for i, m in enumerate(self.msgs) if m["role"] == "user" and not m.get("_note")), default=0)
        dated = r.chance(0.9)
        lost, gone, stands = set(), set(), words_of(self.system or "")
        for i, m in enumerate(self.msgs):
            if m["role"] == "user" and "_plain" in m:
                text = m["_plain"]
                fresh = i == last or not self.forgets
                if m["_material"]:
                    if fresh:
                        text = m["_material"] + "\n\n" + text if m["_before"] else text + "\n\n" + m["_material"]
                    else:
                        lost.add(m["_task"])
                        gone |= words_of(m["_material"])
                if m["_after"]:
                    text += "\n\n" + m["_after"]
                if m.get("_clock") or i == last and dated or i != last and not self.forgets and r.chance(0.4):
                    text = clock(self.at) + "\n\n" + text
                stands |= words_of(text)
                out.append({"role": "user", "content": text})
                continue
            stands |= words_of(m["content"] or "") if m["role"] == "tool" else set()
            if m["role"] == "assistant":
                m = dict(m)
                task = m.pop("_task", None)
                if m.pop("_needs", False) and task in lost or invented(m, gone - stands):
                    m["train"] = False
                stands |= words_of(m["content"] or "") | words_of(str(m.get("calls") or ""))
                out.append(m)
                continue
            out.append({k: v for k, v in m.items() if k[0] != "_"})
        if self.no_tools:  # what came before was said with tools on offer, so only the end is learnt
            for m in out[:-1]:
                if m["role"] == "assistant":
                    m["train"] = False
        return {"kind": kind, "tools": [] if self.no_tools else self.specs, "schema": None, "messages": out}


def words_of(text):
    return set(re.findall(r"\w+", text))


def invented(m, gone):
    """Whether a message says what only stood in what is gone: who learns that learns to make things up."""
    said = words_of(m["content"] or "") | words_of((m.get("think") or "").partition(" says: ")[2])
    missing = [w for w in said & gone if len(w) > 3 or w[0].isdigit()]
    return len(missing) > 1 or any(c.isdigit() for w in missing for c in w)


def thinks(text):
    """A list of thoughts, one a line."""
    return [line.strip() for line in text.strip().split("\n") if line.strip()]
