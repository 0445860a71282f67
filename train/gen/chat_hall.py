"""What the hall itself says between turns: that no tool is left, that nothing was done, that a reply was empty."""
from . import facts, lex
from .chat_calc import now
from .chat_fail import READERS, asked, wish
from .chat_read import around, material, read_sheet
from .chat_web import first_sentence
from .conv import speak
from .hall import HALL, QUESTIONS
from .messages import check_text, tool
from .phrases import Phrases, bars

NO_TOOLS = HALL["text"]["engine.noTools"]
NUDGE = HALL["text"]["engine.sayNudge"]


def last_round(c):
    """After a call the hall says that no tool can be called any more."""
    w = asked(c, READERS)
    if w is None:
        return
    r, (call, what) = c.r, w
    name = call["name"]
    s = facts.Sheet(r)
    got = r.chance(0.5)
    if got:
        text = s.prose(r, 0.2)
        c.result(name, text)
    else:
        c.result(name, "the work failed", failed=True)
    c.msgs.append({"role": "user", "content": NO_TOOLS, "_note": True})
    c.no_tools = True
    if got:
        c.answer("No tool may be called now; I answer with what I have.", "I found this: %s" % first_sentence(text),
                 check_text("extraction", [first_sentence(text).rstrip(".")]))
    else:
        c.answer("No tool may be called now; I say what is missing.",
                 "I could not finish this: %s failed, and what is missing is its result." % name, check_text("errors", [name]))
    c.about = None
    c.done()


REFUSED = ["[not run] The same call was made 3 times. Use the results that are there.", "[not run] The budget of tool calls is used up.", "[interrupted] No result of this call was recorded. It may have taken effect: verify side effects before calling again.",
           "[not run] The run was stopped before this call began.", "[no output]", "[outcome unknown, verify side effects]"]


def refused(c):
    """The hall did not run a call."""
    w = asked(c)
    if w is None:
        return
    r, (call, what) = c.r, w
    text = r.pick(REFUSED)
    c.msgs.append(tool(call["name"], text))
    say = {"[not run] The same": "The same call was made too often, so it was not run again.",
           "[not run] The budget": "The budget of tool calls is used up, so %s was not run." % call["name"],
           "[interrupted]": "The call was interrupted; it may have taken effect, so please check before you ask again.",
           "[not run] The run": "The run was stopped before the call began, so nothing was done.",
           "[no output]": "%s gave no output." % call["name"], "[outcome unknown": "It is unknown whether that worked; please check it."}
    ans = next(v for k, v in say.items() if text.startswith(k))
    c.answer("The call brought no result; I say so.", ans, check_text("errors", [ans.split(",")[0].split(";")[0].rstrip(".")]))
    c.about = None
    c.done()


def nudged(c):
    """It announced work and did none: the hall reminds it, and it calls."""
    w = wish(c, READERS)
    if w is None:
        return read_sheet(c)
    r, (said, call, what) = c.r, w
    c.say(said)
    say = r.pick(["Let me do that.", "I will check %s now." % what, "Let me look at %s." % what, "I'll search for it.",
                  "I am going to read it first."])
    c.msgs.append({"role": "assistant", "think": "", "content": say, "calls": [], "train": False})
    c.msgs.append({"role": "user", "content": NUDGE, "_note": True})
    c.call("I only announced it; now I call %s." % call["name"], [call])
    if r.chance(0.5):
        s = facts.Sheet(r)
        text = s.prose(r, 0.2)
        c.result(call["name"], text)
        c.answer("The result is there; I say what it holds.", "I found this: " + text.split(". ")[0].rstrip(".") + ".",
                 check_text("extraction", [text.split(". ")[0].rstrip(".")]))
    else:
        c.result(call["name"], "the work failed", failed=True)
        c.answer("The tool failed; I quote why.", "That did not work: the work failed.", check_text("errors", ["the work failed"]))
    c.about = None
    c.done()


def emptied(c):
    """The hall says that the last reply was empty."""
    r = c.r
    s = facts.Sheet(r)
    a = r.pick(s.attrs)
    t = HALL["text"]
    note = t["engine.sayEmpty"]
    if c.specs:
        note += t["engine.sayTools"] + ", ".join(x["name"] for x in c.specs) + "."
    c.say(speak(r, s.question(r, a))[0], material(r, around(r, (s.start(), s.text(r, 0.2)), 1)), after=note)
    c.answer("The material says it; I answer in words.", s.answer(r, a), check_text("extraction", [s.values[a.key]]), needs_material=True)
    c.about = None
    c.done()


CLOCK = Phrases(bars("what day is it today?|what's the date today?|what time is it?|which year is it?|today's date?|what's the time|what day of the week is it?|what is the date|tell me the time|which month is it?|do you know what day it is?|time?|what's today"), QUESTIONS["clock"])


def clock_line(c):
    """No tool tells the time, but the line before the person's words does."""
    r = c.r
    if c.has("now"):
        return now(c)
    t = r.phrase(CLOCK)
    m = c.say(speak(r, t)[0])
    m["_clock"] = True
    at = c.at
    day, date = lex.WEEKDAYS[at.weekday()], "%d %s %d" % (at.day, lex.MONTHS[at.month - 1], at.year)
    if any(w in t for w in ("time", "hour", "late")):
        ans, key = "It is %02d:%02d." % (at.hour, at.minute), "%02d:%02d" % (at.hour, at.minute)
    elif "year" in t:
        ans, key = "It is %d." % at.year, str(at.year)
    elif "month" in t:
        ans, key = "It is %s." % lex.MONTHS[at.month - 1], lex.MONTHS[at.month - 1]
    else:
        ans, key = "Today is %s, %s." % (day, date), date
    c.answer("The line above says what time it is.", ans, check_text("extraction", [key]))
    c.about = None
    c.done()
