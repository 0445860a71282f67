"""Two things wanted at once: both calls are made together."""
import datetime

from . import files, sums
from .chat_calc import OFFSETS, both_fit, calculate, evaluate, now_text
from .chat_call import file_name, make_call
from .chat_files import entries, list_text, say_list
from .chat_steps import also, plain_text, say
from .chat_talk import talk
from .conv import speak
from .hall import QUESTIONS
from .messages import check_text
from .phrases import Phrases, bars, phrasings
from .sections import more
from .slots import fill
from .wordlists import ZONES


def one_wish(c, but=None):
    """A short wish: (words, call, result text, said of it, what must be said)."""
    r = c.r
    have = [n for n in ("fs_read", "fs_list", "calculate", "now", "fs_read", "calculate") if c.has(n) and n != but]
    if not have:
        return None
    name = r.pick(have)
    if name == "fs_read":
        p, text = r.path(["txt", "md"]), r.sentence()
        return (fill(r.phrase(ONE_READ), {"p": p}), make_call(name, {"path": p}), files.read_result(c, p, text)[0],
                "%s says: %s" % (p, text), text)
    if name == "fs_list":
        f, names = r.folder(), entries(r, r.int(1, 4))
        return (fill(r.phrase(ONE_LIST), {"f": f}), make_call(name, {"path": f}), list_text(r, c.path(f), names), say_list(f, names),
                names[0])
    if name == "calculate":
        for _ in range(9):
            said, e = sums.chain(r)
            got = evaluate(e)
            if got and " and " not in said:
                break
        else:
            said, e, got = "7 * 8", "7 * 8", ("7 * 8 = 56", "56")
        return (fill(r.phrase(ONE_SUM), {"e": said}), make_call(name, {"expression": e}), got[0],
                "%s is %s%s." % (e, "about " if "≈" in got[0] else "", got[1]), got[1])
    z = r.pick(ZONES)
    at = c.at + datetime.timedelta(hours=r.int(-11, 11))
    clock = "%02d:%02d" % (at.hour, at.minute)
    return (fill(r.phrase(ONE_TIME), {"z": z[0]}), make_call(name, {"zone": z[1]}), now_text(at, r.pick(OFFSETS)),
            "It is %s in %s." % (clock, z[0]), clock)


ONE_READ = Phrases(bars("read {p}|show me {p}|what's in {p}|open {p}|tell me what {p} says|what does {p} say|print {p}|let me see {p}|give me the text of {p}|read out {p}"), QUESTIONS["one_read"])
ONE_LIST = Phrases(bars("list {f}|what files are in {f}|show me the files in {f}|list the folder {f}|ls {f}|which files are in {f}|list what is in {f}|tell me which files {f} has"), QUESTIONS["one_list"])
ONE_SUM = Phrases(bars("what is {e}|calculate {e}|work out {e}|how much is {e}|compute {e}|what's {e}|tell me {e}|give me {e}|figure out {e}"), QUESTIONS["one_sum"])
ONE_TIME = Phrases(bars("what time is it in {z}|tell me the time in {z}|how late is it in {z}|what's the time in {z}|the time in {z}|give me the current time in {z}|which time is it in {z}"), QUESTIONS["one_time"])
BOTH = Phrases(bars("{a} and {b}|{a}, and {b}|{a} and also {b}|{a}. Also {b}|{a}, and then {b}|{a}; and {b}|first {a}, then {b}|two things: {a} and {b}|{a} as well as {b}|{a}. And {b}?|{a}? And {b}?|please {a}, and {b} too|both: {a} and {b}|{a} - and {b}|1. {a} 2. {b}"), QUESTIONS["both"])
BOTH.only(lambda x: "together with" not in x and "as well as" not in x)  # a thing goes together with another one, a wish does not


def named(call):
    """A call in the words of a thought: what it is asked."""
    a = call["arguments"]
    return {"fs_read": lambda: "the text of " + a["path"], "fs_list": lambda: "the files in " + a["path"], "calculate": lambda: a["expression"],
            "now": lambda: "the time in " + a["zone"] if "zone" in a else "the time",
            "calendar_read": lambda: "the calendar of " + a["from"], "notes_search": lambda: "the notes on " + a["query"],
            "web_search": lambda: "the web on " + a["query"], "graph_search": lambda: "where %s lives" % a["people"][0]}[call["name"]]()


def two_at_once(c):
    """Two wishes that do not need each other: both calls at once."""
    r = c.r
    a = one_wish(c)
    b = one_wish(c)
    if not a or not b or a[1] == b[1]:
        return read_write_back(c)
    t = r.phrase(BOTH)
    c.say(speak(r, t.replace("{a}", "{x}").replace("{b}", "{x2}"), {"x": a[0], "x2": b[0]}, typos=False)[0])
    c.call("Two things are wanted: %s, and %s. I make both calls." % (named(a[1]), named(b[1])), [a[1], b[1]], check=both_fit([a[1], b[1]]))
    c.result(a[1]["name"], a[2])
    c.result(b[1]["name"], b[2])
    c.answer("Both results are there; I say both.", a[3] + "\n" + b[3], check_text("extraction", [a[4], b[4]]))
    c.about = None
    c.done()


def read_write_back(c):
    return calculate(c) if c.has("calculate") else talk(c)


SAME = {"fs_read": phrasings("""read {a} and {b}|show me {a} and {b}|open both {a} and {b}|compare {a} with {b}|what do {a} and {b} say?|what is the difference between {a} and {b}?|read {a} as well as {b}|I need the text of {a} and of {b}|have a look at {a} and {b}|
are {a} and {b} the same?|let me see both {a} and {b}|print {a}, then {b}|what's in {a}, and what's in {b}?|put {a} and {b} side by side"""),
        "fs_list": phrasings("""list {a} and {b}|what's in {a} and in {b}?|show me the files in {a} and in {b}|which files are in {a}, and which in {b}?|list both {a} and {b}|compare the folders {a} and {b}|look into {a} and {b}|the contents of {a} and of {b}|list {a} as well as {b}|what do the folders {a} and {b} hold?"""),
        "now": phrasings("""what time is it in {a} and in {b}?|the time in {a} and {b}, please|how late is it in {a}, and in {b}?|tell me the time in {a} and in {b}|what's the time in both {a} and {b}?|compare the time in {a} and {b}|time in {a} and time in {b}|which time do they have in {a} and {b}?""")}

SAME = {name: more(SAME[name], *also(k)) for name, k in (("fs_read", "SAME_READ"), ("fs_list", "SAME_LIST"), ("now", "SAME_TIME"))}


def two_alike(c):
    """The same tool twice."""
    r = c.r
    have = [n for n in SAME if c.has(n)]
    name = r.pick(have or ["fs_read"])
    t, think, none = r.phrase(SAME[name]), "Both results are there; I say both.", []
    if name == "fs_read":
        a, b = file_name(r), file_name(r)
        if a == b:
            return two_at_once(c)
        say(c, t, {"a": a, "b": b})
        x, y = plain_text(r, 2), plain_text(r, 2)
        if r.chance(0.15):
            y = x
        calls, results = [make_call(name, {"path": p}) for p in (a, b)], [files.read_result(c, p, v)[0] for p, v in ((a, x), (b, y))]
        ans, keys = "%s says: %s\n%s says: %s" % (a, x, b, y), [x.split("\n")[0], y.split("\n")[0]]
        if any(w in t for w in ("same", "differ", "compare")):
            ans = ("%s and %s say the same: %s" % (a, b, x)) if x == y else "They differ. " + ans
            think, none = ("Both say the same, and I say that.", ["They differ"]) if x == y else ("They do not say the same; I say both.", ["say the same"])
    elif name == "fs_list":
        a, b = r.folder(), r.folder()
        if a == b:
            return two_at_once(c)
        say(c, t, {"a": a, "b": b})
        n1, n2 = entries(r, r.int(1, 4)), entries(r, r.int(1, 4))
        calls, results = [make_call(name, {"path": p}) for p in (a, b)], [list_text(r, c.path(p), n) for p, n in ((a, n1), (b, n2))]
        ans, keys = say_list(a, n1) + "\n" + say_list(b, n2), [n1[0], n2[0]]
    else:
        z1, z2 = r.some(ZONES, 2)
        c.say(speak(r, t, {"a": z1[0], "b": z2[0]}, typos=False)[0])
        at = [c.at + datetime.timedelta(hours=r.int(-11, 11)) for _ in "ab"]
        calls, results = [make_call(name, {"zone": z[1]}) for z in (z1, z2)], [now_text(m, r.pick(OFFSETS)) for m in at]
        keys = ["%02d:%02d" % (m.hour, m.minute) for m in at]
        ans = "It is %s in %s and %s in %s." % (keys[0], z1[0], keys[1], z2[0])
    c.call("Two things are wanted: %s, and %s. I make two calls." % (named(calls[0]), named(calls[1])), calls, "two_tools")
    for text in results:
        c.result(name, text)
    c.answer(think, ans, check_text("extraction", keys, none))
    c.about = None
    c.done()
