"""Follow-ups that repeat a call with another value, corrections, questions back, and the hall's reminders."""
import datetime

from . import facts, files, lex, personal, tools_foreign
from .base import HALL, ZONES, check_honest, check_text, fill
from .chat_seq import NUDGE, READERS, P, wish
from .chat_calc import OFFSETS, now_text
from .chat_call import make_call
from .chat_files import FOUND_THINK, entries, list_text, say_list, show_text
from .chat_people import RELATIONS, REL_ASK, calendar_answer, graph_answer, rel_object
from .chat_web import search_answer
from .conv import speak

AND = P("and {x}?|what about {x}?|how about {x}?|now {x}|same for {x}|{x} too please|and {x} please|then {x}|the same with {x}|and for {x}?|also {x}|ok and {x}|next, {x}|what about {x} then|do {x} as well")
MEANT = P("no, I meant {x}|sorry, I meant {x}|not that, {x}|I meant {x}|oops, {x} is what I wanted|wrong one, take {x}|no, {x}|actually {x}|make that {x}|I should have said {x}")


def another(c):
    """The last call once more, with another value: files, folders, topics, zones, days, people."""
    r = c.r
    kind = c.about[1]
    wrong = r.chance(0.25)
    ask = lambda x: c.say(speak(r, r.phrase(MEANT if wrong else AND), {"x": x}, typos=False, frame=False)[0])
    think = "They want the same for %s, so I make the call again." if not wrong else "They meant %s; I make the call with that."
    if kind == "fs_read":
        f = files.any_file(r)
        x = r.path([f.ext])
        ask(x)
        c.call(think % x, [make_call("fs_read", {"path": x})], "pronouns")
        text, cut = files.read_result(c, x, f.text)
        c.result("fs_read", text, cut=cut)
        ans, key = show_text(x, f.text)
        c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
        c.about = ("file", x, f)
    elif kind == "fs_list":
        x = r.folder()
        ask(x)
        c.call(think % x, [make_call("fs_list", {"path": x})], "pronouns")
        names = entries(r)
        c.result("fs_list", list_text(r, c.path(x), names))
        c.answer("The listing is there; I say what it holds.", say_list(x, names), check_text("extraction", names[:2]))
        c.about = ("list", x, x, names)
    elif kind == "web_search":
        x = r.topic()
        ask(x)
        c.call(think % x, [make_call("web_search", {"query": x})], "pronouns")
        search_answer(c, x)
    elif kind == "now":
        z = r.entity(ZONES)
        ask("in " + z[0] if r.chance(0.7) else z[0])
        c.call("Now the time in %s, so I call now with %s." % z, [make_call("now", {"zone": z[1]})], "pronouns")
        at = c.at + datetime.timedelta(hours=r.int(-11, 11))
        c.result("now", now_text(at, r.pick(OFFSETS)))
        c.answer("The clock says it; I answer.", "It is %02d:%02d in %s." % (at.hour, at.minute, z[0]), check_text("extraction", ["%02d:%02d" % (at.hour, at.minute)]))
        c.about = ("again", "now")
    elif kind == "calendar_read":
        x = r.pick(["tomorrow", "today", "yesterday"])
        ask(x)
        c.call(think % x, [make_call("calendar_read", {"from": x, "to": x})], "pronouns")
        d = c.at.date() + datetime.timedelta(days={"today": 0, "tomorrow": 1, "yesterday": -1}[x])
        calendar_answer(c, d, d)
        c.about = ("again", "calendar_read")
    elif kind == "graph_search":
        x, rel = r.first(), c.about[2]
        ask(x)
        c.call("The same question about %s, so I look them up." % x, [make_call("graph_search", {"people": [x]})], "pronouns")
        kinds = dict(RELATIONS)
        graph_answer(c, x, [(rel, rel_object(r, kinds[rel]))], rel)
    c.done()


def ask_again(c, kind, *more):
    """First a plain call, so that another can follow."""
    r = c.r
    if kind == "now":
        z = r.entity(ZONES)
        c.say(speak(r, r.pick(["what time is it in {z}?", "time in {z}?", "how late is it in {z}"]), {"z": z[0]})[0])
        c.call("They want the time in %s, so I call now with %s." % z, [make_call("now", {"zone": z[1]})])
        at = c.at + datetime.timedelta(hours=r.int(-11, 11))
        c.result("now", now_text(at, r.pick(OFFSETS)))
        c.answer("The clock says it; I answer.", "It is %02d:%02d in %s." % (at.hour, at.minute, z[0]), check_text("extraction", ["%02d:%02d" % (at.hour, at.minute)]))
    elif kind == "calendar_read":
        x = r.pick(["today", "tomorrow"])
        c.say(speak(r, r.pick(["what's on {x}?", "do I have anything {x}?", "my appointments {x}?", "am I busy {x}"]), {"x": x})[0])
        c.call("The calendar knows that, so I read it.", [make_call("calendar_read", {"from": x, "to": x})])
        d = c.at.date() + datetime.timedelta(days=int(x == "tomorrow"))
        calendar_answer(c, d, d)
    else:
        p, rel = r.first(), more[0]
        c.say(speak(r, r.phrase(REL_ASK[rel]), {"p": p})[0])
        c.call("They ask about %s, so I look %s up with graph_search." % (p, p), [make_call("graph_search", {"people": [p]})])
        graph_answer(c, p, [(rel, rel_object(r, dict(RELATIONS)[rel]))], rel)
    c.about = ("again", kind) + more
    c.done()


def now_then(c):
    ask_again(c, "now")
    another(c)


def calendar_then(c):
    ask_again(c, "calendar_read")
    another(c)


def person_then(c):
    rel = c.r.pick(list(REL_ASK))
    ask_again(c, "graph_search", rel)
    another(c)


def file_other(c):
    """Another file after one that was read."""
    c.about = ("again", "fs_read")
    another(c)


def folder_other(c):
    c.about = ("again", "fs_list")
    another(c)


def topic_other(c):
    c.about = ("again", "web_search")
    another(c)


def foreign_then(c):
    """A foreign tool twice: the second time only one value is said."""
    r = c.r
    for _ in range(8):
        b = r.pick(c.foreign)
        t, words, args = b.wish(r)
        change = [p for p in b.kind.params if p.key in words and p.type in ("string", "integer") and not p.enum and not (p.values and isinstance(p.values[0], list))]
        if change:
            break
    else:
        return tools_foreign.use(c)
    name = b.spec["name"]
    c.say(speak(r, t, words, typos=False)[0])
    c.call(fill(r.pick(tools_foreign.CALL_THINK), {"n": name, "d": tools_foreign.short(b.spec["description"])}), [make_call(name, args, b.spec)], "unseen_tools" if b.kind.held or not r.held else "foreign_tools")
    tools_foreign.finish(c, b, words)
    c.done()
    p = r.pick(change[:1] if r.chance(0.7) else change)
    if p.type == "integer" and len(change) > 1:
        p = change[0]
    w, v = p.value(r)
    wrong = r.chance(0.3)
    c.say(speak(r, r.phrase(MEANT if wrong else AND), {"x": w}, typos=False, frame=False)[0])
    words, args = dict(words, **{p.key: w}), dict(args, **{b.names[p.key]: v})
    c.call("The same with %s, so I call %s again." % (w, name), [make_call(name, args, b.spec)], "pronouns")
    tools_foreign.finish(c, b, words)
    c.done()


ASK_BACK = P("{v} please|{v}|it's {v}|I mean {v}|{v}, sorry|oh, {v}|take {v}|for {v}|{v} of course|that would be {v}")
VAGUE = {"fs_read": (P("read a file for me|open the file|can you read a file?|show me the file|read it to me, the file|please open a document"), "Which file shall I read?", "path"),
         "web_fetch": (P("open a web page|read a page for me|can you fetch a website?|open the website|load the page please"), "Which address shall I read?", "url"),
         "fs_list": (P("list a folder for me|show me another folder|can you look into a folder?|list that other folder"), "Which folder shall I list?", "folder"),
         "web_search": (P("search the web|google something for me|do a web search|look something up online|can you search the internet?"), "What shall I search for?", "topic"),
         "notes_search": (P("search my notes|look in my notes|can you check my notes?|find something in my notes"), "What shall I look for in your notes?", "topic"),
         "calculate": (P("calculate something|can you do a sum?|I need a calculation|do some maths for me|work something out for me"), "What shall I calculate?", "sum")}


def ask_back(c):
    """Something is missing: it asks, and acts on the answer."""
    r = c.r
    have = [n for n in VAGUE if c.has(n)]
    if not have:
        return c.done() if c.msgs else facts_only(c)
    name = r.pick(have)
    t, q, kind = VAGUE[name]
    c.say(speak(r, r.phrase(t))[0])
    c.answer("They do not say which one, so I ask.", q, check_text("chat", [q]))
    c.done()
    if kind == "sum":
        a, b = r.int(2, 900), r.int(2, 90)
        x = e = "%d %s %d" % (a, r.pick("+*-"), b)
        c.say(x)
        from .chat_calc import answer_number, evaluate
        c.call("Now I have the sum: %s." % e, [make_call(name, {"expression": e})], "pronouns")
        got = evaluate(e)
        c.result(name, got[0])
        answer_number(c, got[0], e, got[1])
        c.about = ("number", got[1], e)
        return c.done()
    x = {"path": r.path, "url": r.url, "folder": r.folder, "topic": r.topic}[kind]()
    c.say(speak(r, r.phrase(ASK_BACK), {"v": x}, typos=False, frame=False)[0])
    key = {"fs_read": "path", "fs_list": "path", "web_fetch": "url"}.get(name, "query")
    c.call("Now they say which: %s." % x, [make_call(name, {key: x})], "pronouns")
    if name == "fs_read":
        f = files.any_file(r)
        text, cut = files.read_result(c, x, f.text)
        c.result(name, text, cut=cut)
        ans, k = show_text(x, f.text)
        c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [k]))
        c.about = ("file", x, f)
    elif name == "fs_list":
        names = entries(r)
        c.result(name, list_text(r, c.path(x), names))
        c.answer("The listing is there; I say what it holds.", say_list(x, names), check_text("extraction", names[:2]))
        c.about = ("list", x, x, names)
    elif name == "web_search":
        search_answer(c, x)
    elif name == "web_fetch":
        from .chat_web import hit, news, page_answer, title
        t = r.topic()
        page_answer(c, hit(r, title(r, t), "", x), [news(r, t)])
        c.about = None
    else:
        c.result(name, "0 of %d notes fit.\n" % r.int(3, 200))
        c.answer("No note fits, and I say so.", "There is nothing in your notes about %s." % x, check_text("extraction", [x]))
        c.about = None
    c.done()


def facts_only(c):
    from .chat_read import read_sheet
    return read_sheet(c)


def nudged(c):
    """It announced work and did none: the hall reminds it, and it calls."""
    w = wish(c, READERS)
    if w is None:
        return facts_only(c)
    r, (said, call, what) = c.r, w
    c.say(said)
    say = r.pick(["Let me do that.", "I will check %s now." % what, "Let me look at %s." % what, "I'll search for it.", "I am going to read it first."])
    c.msgs.append({"role": "assistant", "think": "", "content": say, "calls": [], "train": False})
    c.msgs.append({"role": "user", "content": NUDGE, "_note": True})
    c.call("I only announced it; now I call %s." % call["name"], [call])
    if r.chance(0.5):
        s = facts.Sheet(r)
        text = s.text(r, 0.2)
        c.result(call["name"], text)
        c.answer("The result is there; I say what it holds.", "I found this: " + text.split(". ")[0].rstrip(".") + ".", check_text("extraction", [text.split(". ")[0].rstrip(".")]))
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
    from .chat_read import around, material
    t = HALL["text"]
    note = t["engine.sayEmpty"]
    if c.specs:
        note += t["engine.sayTools"] + ", ".join(x["name"] for x in c.specs) + "."
    c.say(speak(r, s.question(r, a))[0], material(r, around(r, (s.start(), s.text(r, 0.2)), 1)), after=note)
    c.answer("The material says it; I answer in words.", s.answer(r, a), check_text("extraction", [s.values[a.key]]), needs_material=True)
    c.about = None
    c.done()


def not_told(c):
    """About the person, not said here, and no memory at hand."""
    r = c.r
    t = personal.told(r)
    if c.has("memory_read") or any(x.title() == t.title() for x in c.told):
        from .chat_memory import recall
        return recall(c) if c.has("memory_read") else facts_only(c)
    c.say(speak(r, t.question(r))[0])
    c.answer("They never told me that here, and I have no memory to look in.", "I don't know that about you: you have not told me yet.", check_honest("unknown"))
    c.about = None
    c.done()


CLOCK = P("what day is it today?|what's the date today?|what time is it?|which year is it?|today's date?|what's the time|what day of the week is it?|what is the date|tell me the time|which month is it?|do you know what day it is?|time?|what's today")


def clock_line(c):
    """No tool tells the time, but the line before the person's words does."""
    r = c.r
    if c.has("now"):
        from .chat_calc import now
        return now(c)
    t = r.phrase(CLOCK)
    m = c.say(speak(r, t)[0])
    m["_clock"] = True
    at = c.at
    day, date = lex.WEEKDAYS[at.weekday()], "%d %s %d" % (at.day, lex.MONTHS[at.month - 1], at.year)
    if "time" in t:
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


FEED = P("that's right, thanks|correct!|yes, exactly|right answer|that was helpful|good answer|wow, that was fast|no, that's wrong|that's not true|hm, I doubt that|are you sure?|really?|is that correct?|I think that's wrong")


def sure(c):
    """The person doubts or praises the last answer."""
    r = c.r
    last = next((m for m in reversed(c.msgs) if m["role"] == "assistant" and m["content"]), None)
    t = r.phrase(FEED)
    if not last or last is not c.msgs[-1]:
        return facts_only(c)
    c.say(speak(r, t, frame=False)[0])
    if t.startswith(("that's right", "correct", "yes", "right", "that was", "good", "wow")):
        c.answer("They are content; no tool is needed.", "I am glad that it helped.", check_text("chat", ["glad"]))
    elif "sure" in t or "really" in t or "is that correct" in t:
        c.answer("They ask whether it is so; I say what it rests on.", "I only repeat what I found or was told: %s" % last["content"].split("\n")[0][:200], check_text("chat", ["found"]))
    else:
        c.answer("They say that it is wrong; I do not insist.", "I may be wrong: I am a very small model and only repeat what I read. Please check it.", check_text("chat", ["may be wrong"]))
    c.done()
