"""Still more wishes of two steps, and their contrast: wishes that name a second step and do not want it yet."""
import datetime

from . import lex
from .chat_calc import OFFSETS, answer_number, evaluate, now_text
from .chat_call import file_name, make_call, searched
from .chat_files import FOUND_THINK, entries, list_text, matches, say_list, show_text
from .chat_memory import memory_result
from .chat_people import calendar_answer, calendar_entry, fact_line, facts_text
from .chat_steps import STEPS, plain_text, read, say, sum_text
from .chat_steps_more import search_first
from .chat_web import first_sentence, hit, news, other_hit, search_text
from .chat_write import write_done
from .files import File
from .messages import check_text
from .phrases import Phrases
from .wording import upper_first
from .wordlists import ZONES

FORMS = {k: Phrases(v) for k, v in STEPS.items()}
TEXT = ["txt", "md"]


def finish(c, about=None):
    c.about = about
    c.done()


def kept(c, path, content, words, think):
    """A text of its own wording is written: only what it must hold is checked."""
    check = {"type": "call", "name": "fs_write", "any": {"path": [path], "mode": [None, "overwrite", "create"]},
             "contains": {"content": words}, "group": "two_tools"}
    c.call(think, [make_call("fs_write", {"path": path, "content": content})], check=check)
    c.result("fs_write", "Created %s: %d bytes, %d lines.\n" % (c.path(path), len(content.encode()), content.count("\n") + 1))
    c.answer("The file is written; I say so.", 'Done: %s now says "%s".' % (path, content), check_text("extraction", [path]))


def found_save(c):
    r = c.r
    w, p = searched(r), file_name(r, TEXT)
    say(c, r.phrase(FORMS["FOUND_SAVE"]), {"w": w, "p": p})
    c.call("First I search for %s, then I write the names to %s." % (w, p), [make_call("fs_search", {"pattern": w})])
    found = matches(r, w, r.int(1, 3))
    names = list(dict.fromkeys(m[0] for m in found))
    c.result("fs_search", "%d matches in %s:\n" % (len(found), c.work) + "".join("%s:%d: %s\n" % m for m in found))
    write_done(c, {"path": p, "content": "\n".join(names)}, "two_tools", "I have the names of the files; now they go to %s." % p)
    finish(c)


def read_mind(c):
    """A file's text goes into the memory."""
    r = c.r
    p, text = file_name(r, TEXT), r.sentence() if r.chance(0.7) else plain_text(r, 2)
    say(c, r.phrase(FORMS["READ_MIND"]), {"p": p})
    read(c, p, text, "First I read %s, then I remember what it says." % p)
    words = [x.strip().rstrip(".").lstrip("-*# ") for x in text.split("\n") if x.strip("-*#. ")]
    c.call("I have the text; now it goes to the memory.", [make_call("memory_write", {"name": p, "text": text})],
           check={"type": "call", "name": "memory_write", "contains": {"text": words}, "group": "two_tools"})
    c.result("memory_write", "Remembered: %s." % p)
    c.answer("It is stored; I confirm it.", "I will remember what %s says: %s" % (p, text), check_text("extraction", [p]))
    finish(c)


def calendar_save(c):
    r = c.r
    word, p = r.pick(("today", "tomorrow", "yesterday")), file_name(r, TEXT)
    d = c.at.date() + datetime.timedelta(days={"today": 0, "tomorrow": 1, "yesterday": -1}[word])
    say(c, r.phrase(FORMS["CAL_SAVE"]), {"d": word, "p": p})
    c.call("First the calendar, then the file %s." % p, [make_call("calendar_read", {"from": word, "to": word})])
    if r.chance(0.15):
        c.result("calendar_read", "Nothing from %s to %s.\n" % (d, d))
        c.answer("There is nothing to write.", "There is nothing in your calendar %s, so I wrote nothing to %s." % (word, p),
                 check_text("errors", ["nothing"]))
        return finish(c)
    when, what, place, cal = calendar_entry(r)
    c.result("calendar_read", "1 entries from %s to %s (Local):\n%s %s\n%s %s%s%s\n"
             % (d, d, lex.WEEKDAYS[d.weekday()], d, when, upper_first(what), place, cal))
    kept(c, p, "%s %s%s" % (when, upper_first(what), place), [when, what], "The entry is there; now I write it to %s." % p)
    finish(c)


def time_save(c):
    r = c.r
    z, p = r.pick(ZONES), file_name(r, TEXT)
    say(c, r.phrase(FORMS["TIME_SAVE"]), {"z": z[0], "p": p})
    c.call("First the time in %s, then the file %s." % (z[0], p), [make_call("now", {"zone": z[1]})])
    at = c.at + datetime.timedelta(hours=r.int(-11, 11))
    c.result("now", now_text(at, r.pick(OFFSETS)))
    clock = "%02d:%02d" % (at.hour, at.minute)
    kept(c, p, clock, [clock], "It is %s there; now I write that to %s." % (clock, p))
    finish(c)


DATED = Phrases("The {t} is on {d}.|We have the {t} on {d}.|{d}: {t}|The {t} takes place on {d}.|{t}, {d}|I must be at the {t} on {d}.|The date of the {t} is {d}.".split("|"))


EVENTS = "exam fair auction tour workshop contest championship party meeting concert inspection course lecture festival visit tasting rehearsal sale".split()


def day_then(c, notes):
    """Notes or memory tell a day, and the calendar what is on it."""
    r = c.r
    topic, d = r.noun() + " " + r.entity(EVENTS), r.date()
    text = r.phrase(DATED).replace("{t}", topic).replace("{d}", d.isoformat())
    say(c, r.phrase(FORMS["NOTE_DAY" if notes else "TOLD_DAY"]), {"t": topic})
    name = "notes_search" if notes else "memory_read"
    check = {"type": "call", "name": name, "contains": {"query": [topic]}, "group": c.group("builtin_tools")}
    c.call("First I look for the day of the %s in the %s." % (topic, "notes" if notes else "memory"), [make_call(name, {"query": topic})],
           check=check)
    if notes:
        c.result(name, "1 of %d notes fit.\n\n%s (%s/notes/%s.md, line %d)\n%s\n"
                 % (r.int(3, 90), upper_first(topic), c.home, r.slug(), r.int(1, 9), upper_first(text)))
    else:
        c.result(name, memory_result(r, [(topic, upper_first(text))], r.int(0, 2)))
    c.call("It is on %s; now I read the calendar of that day." % d, [make_call("calendar_read", {"from": str(d), "to": str(d)})], "two_tools")
    calendar_answer(c, d, d)
    finish(c)


def note_day(c):
    day_then(c, True)


def told_day(c):
    day_then(c, False)


def person_news(c):
    r = c.r
    n, city = r.first(), r.city()
    say(c, r.phrase(FORMS["PERSON_NEWS"]), {"n": n})
    c.call("First I look up where %s lives." % n, [make_call("graph_search", {"people": [n]})])
    c.result("graph_search", graph_text(r, n, city))
    c.call("It is %s; now I search for news from there." % city, [make_call("web_search", {"query": "news from " + city})],
           check={"type": "call", "name": "web_search", "contains": {"query": [city]}, "group": "two_tools"})
    text = news(r, r.entity(lex.TOPICS))
    best = hit(r, "News from " + city, text)
    c.result("web_search", search_text(c, [best] + [other_hit(r) for _ in range(r.int(0, 1))]))
    c.answer("I have the place and the news.", "%s lives in %s. %s (%s)" % (n, city, first_sentence(text), best["url"]),
             check_text("extraction", [city]))
    finish(c)


def graph_text(r, n, city):
    """What the graph says of a person, the city among it."""
    rows = [("lives in", city, False)]
    if r.chance(0.4):
        rows.append(("lives in", r.city(), True))
    if r.chance(0.5):
        rows.append(("works for", r.org(), False))
    return facts_text([fact_line(r, i + 1, n, rel, obj, was) for i, (rel, obj, was) in enumerate(r.shuffled(rows))])


def person_save(c):
    r = c.r
    n, city, p = r.first(), r.city(), file_name(r, TEXT)
    say(c, r.phrase(FORMS["PERSON_SAVE"]), {"n": n, "p": p})
    c.call("First I look up where %s lives, then I write it to %s." % (n, p), [make_call("graph_search", {"people": [n]})])
    c.result("graph_search", graph_text(r, n, city))
    kept(c, p, city, [city], "It is %s; now I write that to %s." % (city, p))
    finish(c)


def price_sum(c):
    r = c.r
    x, n, v = r.product(), r.int(2, 40), r.price()
    say(c, r.phrase(FORMS["PRICE_SUM"]), {"n": n, "x": x})
    c.call("First I look up the price of the %s." % x, [make_call("web_search", {"query": "price of the " + x})],
           check={"type": "call", "name": "web_search", "contains": {"query": [x]}, "group": c.group("builtin_tools")})
    text = r.pick(("The %s costs %s euros.", "%s, now for %s euros.", "Buy the %s for only %s euros.", "Price of the %s: %s euros")) % (x, v)
    c.result("web_search", search_text(c, [hit(r, x, text)] + [other_hit(r) for _ in range(r.int(0, 1))]))
    e = "%d * %s" % (n, v)
    got = evaluate(e)
    either = [form % (x, y) for price in (v, "%g" % float(v)) for form, x, y in (("%s * %s", n, price), ("%s * %s", price, n))]
    c.call("One costs %s, so I work out %s." % (v, e), [make_call("calculate", {"expression": e})],
           check={"type": "call", "name": "calculate", "any": {"expression": either}, "group": "two_tools"})
    c.result("calculate", got[0])
    answer_number(c, got[0], e, got[1])
    finish(c)


# --- one step only ---

def one_step(c):
    """What is named beside the wish is not wanted now: after the result the answer comes."""
    r = c.r
    have = [n for n in ("fs_list", "fs_search", "fs_read", "calculate", "web_search") if c.has(n)]
    name = r.pick(have) if have else None
    if name == "fs_list":
        f, names = r.folder(), entries(r, r.int(1, 6))
        say(c, r.phrase(FORMS["ONE_LIST"]), {"f": f})
        c.call("Only the listing of %s is wanted." % f, [make_call(name, {"path": f})])
        c.result(name, list_text(r, c.path(f), names))
        c.answer("That is all they want for now.", say_list(f, names), check_text("extraction", [n.rstrip("/") for n in names]))
        finish(c, ("list", f, f, names))
    elif name == "fs_search":
        w = searched(r)
        say(c, r.phrase(FORMS["ONE_SEEK"]), {"w": w})
        c.call("Only the place of %s is wanted." % w, [make_call(name, {"pattern": w})])
        (path, k, line), = matches(r, w, 1)
        c.result(name, "1 matches in %s:\n%s:%d: %s\n" % (c.work, path, k, line))
        c.answer("The place is all they want.", "%s stands in %s, line %d: %s" % (w, path, k, line), check_text("extraction", [path]))
        finish(c)
    elif name == "fs_read":
        p, text = file_name(r, TEXT), plain_text(r)
        say(c, r.phrase(FORMS["ONE_READ"]), {"p": p})
        read(c, p, text, "Only reading is wanted now.")
        ans, key = show_text(p, text)
        c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
        finish(c, ("file", p, File(text, "txt", [])))
    elif name == "calculate":
        said, e, got = sum_text(r)
        say(c, r.phrase(FORMS["ONE_SUM"]), {"e": said})
        c.call("Only the number is wanted.", [make_call(name, {"expression": e})])
        c.result(name, got[0])
        answer_number(c, got[0], e, got[1])
        finish(c, ("number", got[1], e))
    elif name:
        t = r.topic()
        say(c, r.phrase(FORMS["ONE_WEB"]), {"t": t})
        best, _, one = search_first(c, t, "Only a search for %s is wanted." % t)
        c.answer("The first result says it; that is enough.", "%s (%s)" % (one, best["url"]), check_text("extraction", [one[:-1]]))
        finish(c)
