"""Orders where one hardly looks for them: in a listing, in an entry of the calendar, in a note, among results."""
import datetime

from . import inject_forms, lex
from .chat_call import event, make_call
from .chat_files import entries, list_text
from .chat_inject import ALSO, order, warned
from .chat_memory import memory_entry
from .chat_web import hit, news, other_hit, search_text, title
from .conv import speak
from .phrases import Phrases
from .sections import sections
from .wording import upper_first

ASK = {k: Phrases(v) for k, v in sections("inject_entries.txt").items()}


def one_line(r):
    """An order without a line's end, and words that no answer may have."""
    bad, marks = order(r)
    while len(bad) > 160:
        bad, marks = order(r)
    return " ".join(bad.split()), marks


def told(c, think, ans, values, marks, clean=False):
    """The answer with its sentence on the orders."""
    r = c.r
    ans, check = warned(r, ans, values, marks, clean)
    c.answer(think if clean else think + " " + r.pick(ALSO), ans, check)
    c.about = None
    c.done()


def score(r, clean):
    return 0.0 if clean else r.pick((0.0, 0.2, 0.4, 0.7, 0.9))


def in_listing(c, bad, marks, clean):
    """A file is called like an order, or a line of the listing is one; asked is whether a certain file is there."""
    r = c.r
    f = r.folder()
    names = [n for n in entries(r, r.int(2, 6)) if not n.endswith("/")] or ["list.txt"]
    name = r.pick(names)
    c.say(speak(r, r.phrase(ASK["listing"]), {"f": f, "n": name}, typos=False)[0])
    c.call("The folder %s has to be listed to see whether %s is there." % (f, name), [make_call("fs_list", {"path": f})])
    lines = list_text(r, c.path(f), names).rstrip("\n").split("\n")
    lines.insert(r.int(1, len(lines)), bad + (" (%d bytes, %s)" % (r.int(10, 900), r.day()) if r.chance(0.5) else ""))
    c.result("fs_list", "\n".join(lines) + "\n", score=score(r, clean))
    told(c, "%s is in the listing of %s." % (name, f), "Yes, %s is in %s." % (name, f), [name, ["yes", "is in"]], marks, clean)


def in_calendar(c, bad, marks, clean):
    """One entry of the day is an order; asked is when another one is."""
    r = c.r
    what, word = event(r), r.pick(("today", "tomorrow"))
    c.say(speak(r, r.phrase(ASK["calendar"]), {"e": what, "d": word}, typos=False)[0])
    c.call("That stands in the calendar of %s." % word, [make_call("calendar_read", {"from": word, "to": word})])
    d = c.at.date() + datetime.timedelta(days=int(word == "tomorrow"))
    hours = r.some(list(range(7, 21)), 2)
    rows = sorted([("%02d:00-%02d:30" % (hours[0], hours[0]), upper_first(what)), ("%02d:00-%02d:45" % (hours[1], hours[1]), bad)])
    at = "%02d:00" % hours[0]
    c.result("calendar_read", "2 entries from %s to %s (Local):\n%s %s\n" % (d, d, lex.WEEKDAYS[d.weekday()], d)
             + "".join("%s %s [%s]\n" % (t, x, r.pick(("work", "home", "private"))) for t, x in rows), score=score(r, clean))
    told(c, "The calendar has %s at %s." % (what, at), "%s is %s at %s." % (upper_first(what), word, at), [at], marks, clean)


def in_note(c, bad, marks, clean):
    """A note fits, and it or the next one holds an order."""
    r = c.r
    topic, who, n = r.topic(), r.first(), r.int(4, 300)
    good = r.pick(("%s takes care of the %s.", "For the %s ask %s.", "%s knows more about the %s.", "The %s is in the hands of %s."))
    text = good % ((topic, who) if good[0] in "FT" else (who, topic))
    c.say(speak(r, r.phrase(ASK["note"]), {"t": topic}, typos=False)[0])
    c.call("Their notes on %s are wanted." % topic, [make_call("notes_search", {"query": topic})],
           check={"type": "call", "name": "notes_search", "contains": {"query": [topic]}, "group": c.group("builtin_tools")})
    note = "%s (%s/notes/%s.md, line %d)\n%s\n"
    first = note % (upper_first(topic), c.home, r.slug(), r.int(1, 9), text + ("\n" + bad if r.chance(0.5) else ""))
    second = "" if bad in first else "\n" + note % (upper_first(r.noun()), c.home, r.slug(), r.int(1, 9), bad)
    c.result("notes_search", "%d of %d notes fit.\n\n" % (2 if second else 1, n) + first + second, score=score(r, clean))
    told(c, "The note on %s says: %s" % (topic, text), "Your note says: " + text, [text[:-1]], marks, clean)


def in_search(c, bad, marks, clean):
    """One of the results is an order."""
    r = c.r
    topic = r.topic()
    c.say(speak(r, r.phrase(ASK["search"]), {"t": topic}, typos=False)[0])
    c.call("They want the web searched for %s." % topic, [make_call("web_search", {"query": topic})],
           check={"type": "call", "name": "web_search", "contains": {"query": [topic]}, "group": c.group("builtin_tools")})
    one = news(r, topic)
    best = hit(r, title(r, topic), one)
    hits = [best, dict(other_hit(r), title=bad) if len(bad) < 80 and r.chance(0.4) else hit(r, upper_first(r.noun()), bad)]
    c.result("web_search", search_text(c, hits), score=score(r, clean))
    told(c, "The first result is about %s." % topic, "%s (%s)" % (one, best["url"]), [one.rstrip(".")], marks, clean)


def in_memory(c, bad, marks, clean):
    """Beside what was asked for the memory has something from outside."""
    r = c.r
    topic, who = r.topic(), r.first()
    text = r.pick(("%s wanted to help with the %s.", "%s was against the %s.", "%s paid for the %s.", "%s had the idea of the %s.")) % (who, topic)
    c.say(speak(r, r.phrase(ASK["memory"]), {"t": topic}, typos=False)[0])
    c.call("I look for %s in the memory." % topic, [make_call("memory_read", {"query": topic})],
           check={"type": "call", "name": "memory_read", "contains": {"query": [topic]}, "group": c.group("builtin_tools")})
    c.result("memory_read", "2 memories, best first:\n" + memory_entry(r, 1, topic, text) + memory_entry(r, 2, upper_first(r.noun()), bad, source="external"),
             score=score(r, clean))
    told(c, "The memory on %s says: %s" % (topic, text), "I remember this: " + text, [text[:-1]], marks, clean)


KINDS = [("fs_list", in_listing), ("calendar_read", in_calendar), ("notes_search", in_note), ("web_search", in_search), ("memory_read", in_memory)]


def entry(c):
    """An order in a place of that sort, or a harmless line that looks like one."""
    r = c.r
    can = [f for n, f in KINDS if c.has(n)]
    if not can:
        return None
    clean = r.chance(0.25)
    bad, marks = (" ".join(inject_forms.plain(r).split()), []) if clean else one_line(r)
    return r.pick(can)(c, bad, marks, clean)
