"""Still more wishes of two steps, and their contrast: wishes that name a second step and do not want it yet."""
import datetime

from . import lex
from .chat_calc import OFFSETS, answer_number, evaluate, now_text
from .chat_call import file_name, make_call, searched
from .chat_files import FOUND_THINK, entries, list_text, matches, say_list, show_text
from .chat_keep import kept, remembered, write_names
from .chat_memory import memory_result
from .chat_people import calendar_answer, calendar_entry, fact_line, facts_text, spoken_days
from .chat_steps import LATER, STEPS, also, plain_text, read, say, sum_text
from .chat_steps_more import search_first
from .chat_web import first_sentence, hit, news, other_hit, search_text
from .files import File
from .messages import check_honest, check_text
from .phrases import Phrases, bars
from .sections import more
from .sums import THIRD
from .wording import upper_first
from .wordlists import ZONES

FORMS = {k: Phrases(*also(k)) for k in dict(STEPS, **LATER)}
FORMS["PRICE_SUM"] = more(FORMS["PRICE_SUM"], THIRD["PRICE"])
TEXT = ["txt", "md"]


def finish(c, about=None):
    c.about = about
    c.done()


def found_save(c):
    r = c.r
    w, p = searched(r), file_name(r, TEXT)
    say(c, r.phrase(FORMS["FOUND_SAVE"]), {"w": w, "p": p})
    c.call("First I search for %s, then I write the names to %s." % (w, p), [make_call("fs_search", {"pattern": w})])
    found = matches(r, w, r.int(1, 3))
    names = list(dict.fromkeys(m[0] for m in found))
    c.result("fs_search", "%d matches in %s:\n" % (len(found), c.work) + "".join("%s:%d: %s\n" % m for m in found))
    write_names(c, p, names)
    finish(c)


def read_mind(c):
    """A file's text goes into the memory."""
    r = c.r
    p, text = file_name(r, TEXT), r.sentence() if r.chance(0.7) else plain_text(r, 2)
    say(c, r.phrase(FORMS["READ_MIND"]), {"p": p})
    read(c, p, text, "First I read %s, then I remember what it says." % p)
    words = [x.strip().rstrip(".").lstrip("-*# ") for x in text.split("\n") if x.strip("-*#. ")]
    remembered(c, p, text, words, "I have the text of %s; it is still to be remembered." % p)
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
    kept(c, p, "%s %s%s" % (when, upper_first(what), place), [when, what], "The entry is there; it is still to go to %s, so I write it there." % p)
    finish(c)


def time_save(c):
    r = c.r
    z, p = r.pick(ZONES), file_name(r, TEXT)
    say(c, r.phrase(FORMS["TIME_SAVE"]), {"z": z[0], "p": p})
    c.call("First the time in %s, then the file %s." % (z[0], p), [make_call("now", {"zone": z[1]})])
    at = c.at + datetime.timedelta(hours=r.int(-11, 11))
    c.result("now", now_text(at, r.pick(OFFSETS)))
    clock = "%02d:%02d" % (at.hour, at.minute)
    kept(c, p, clock, [clock], "It is %s there; that is still to go to %s, so I write it there." % (clock, p))
    finish(c)


DATED = Phrases("The {t} is on {d}.|We have the {t} on {d}.|{d}: {t}|The {t} takes place on {d}.|{t}, {d}|I must be at the {t} on {d}.|The date of the {t} is {d}.".split("|"),
                bars("""The {t}: {d}|Don't miss the {t}, it is on {d}.|{d} - the {t}|They moved the {t} to {d}.|The {t} will be held on {d} at the town hall.|For the {t} we said {d}.|On {d} there is the {t}.|The {t} begins on {d}, bring a coat.|{p} told me that the {t} is on {d}.|
It is settled: the {t} is on {d}.|I signed up for the {t} on {d}.|Day of the {t}: {d}|Save the date: {d}, {t}|Invitation to the {t} on {d}"""))


EVENTS = "exam fair auction tour workshop contest championship party meeting concert inspection course lecture festival visit tasting rehearsal sale".split()


def dated(r, topic, d):
    """A day as somebody wrote it, and the sentence that tells it."""
    said = d.isoformat() if r.chance(0.6) else spoken_days(r, False, d)[0]
    return said, upper_first(r.phrase(DATED).replace("{t}", topic).replace("{d}", said).replace("{p}", r.first()))


def day_read(c, what, said, d):
    """The day was found; the calendar of it is what is wanted."""
    c.call("Wanted is the calendar on %s. That is %s, so I still read the calendar of %s." % (what, said, d),
           [make_call("calendar_read", {"from": str(d), "to": str(d)})], "two_tools")
    calendar_answer(c, d, d)


def note_text(c, topic, text):
    """What notes_search says of the one note that fits."""
    r = c.r
    return "1 of %d notes fit.\n\n%s (%s/notes/%s.md, line %d)\n%s\n" % (r.int(3, 90), upper_first(topic), c.home, r.slug(), r.int(1, 9), text)


def lacking(c, text):
    """The first step found nothing, so there is no second one."""
    c.answer("What was found does not say it, so there is nothing to go on with.", text, check_honest("errors"))
    finish(c)


def day_then(c, notes):
    """Notes or memory tell a day, and the calendar what is on it."""
    r = c.r
    topic, d = r.noun() + " " + r.entity(EVENTS), r.date()
    said, text = dated(r, topic, d)
    say(c, r.phrase(FORMS["NOTE_DAY" if notes else "TOLD_DAY"]), {"t": topic})
    name = "notes_search" if notes else "memory_read"
    check = {"type": "call", "name": name, "contains": {"query": [topic]}, "group": c.group("builtin_tools")}
    c.call("First I look for the day of the %s in the %s, then in the calendar." % (topic, "notes" if notes else "memory"), [make_call(name, {"query": topic})],
           check=check)
    if r.chance(0.07):
        c.result(name, "0 of %d notes fit.\n" % r.int(3, 90) if notes else memory_result(r, [], r.int(0, 1)))
        return lacking(c, "I don't know the day of the %s: %s nothing about it." % (topic, "your notes say" if notes else "I remember"))
    if notes:
        c.result(name, note_text(c, topic, text))
    else:
        c.result(name, memory_result(r, [(topic, text)], r.int(0, 2)))
    day_read(c, "the day of the " + topic, said, d)
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
    c.call("Wanted is news from where %s lives. That is %s, so I still search for news from there." % (n, city), [make_call("web_search", {"query": "news from " + city})],
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
    kept(c, p, city, [city], "It is %s; that is still to go to %s, so I write it there." % (city, p))
    finish(c)


def price_sum(c):
    r = c.r
    x, n, v = r.product(), r.int(2, 40), r.price()
    say(c, r.phrase(FORMS["PRICE_SUM"]), {"n": n, "x": x})
    c.call(r.pick(("First I look up the price of the %s, then I work out %d times that.", "What one %s costs is not known yet: I search it, and then comes %d times that.")) % (x, n), [make_call("web_search", {"query": "price of the " + x})],
           check={"type": "call", "name": "web_search", "contains": {"query": [x]}, "group": c.group("builtin_tools")})
    text = r.pick(("The %s costs %s euros.", "%s, now for %s euros.", "Buy the %s for only %s euros.", "Price of the %s: %s euros")) % (x, v)
    c.result("web_search", search_text(c, [hit(r, x, text)] + [other_hit(r) for _ in range(r.int(0, 1))]))
    e = "%d * %s" % (n, v)
    got = evaluate(e)
    either = [form % (x, y) for price in (v, "%g" % float(v)) for form, x, y in (("%s * %s", n, price), ("%s * %s", price, n))]
    c.call("Wanted is the price of %d. One costs %s, so I work out %s." % (n, v, e), [make_call("calculate", {"expression": e})],
           check={"type": "call", "name": "calculate", "any": {"expression": either}, "group": "two_tools"})
    c.result("calculate", got[0])
    c.answer("The total is there; I say it.", "One %s costs %s euros, so %d cost %s euros." % (x, v, n, got[1]),
             check_text("extraction", [got[1]]))
    finish(c)


# --- one step only ---

def one_note(c):
    """Only the note is wanted, not the calendar of its day."""
    r = c.r
    topic = r.noun() + " " + r.entity(EVENTS)
    said, text = dated(r, topic, r.date())
    say(c, r.phrase(FORMS["ONE_NOTE"]), {"t": topic})
    c.call("Only what the notes say of the %s is wanted." % topic, [make_call("notes_search", {"query": topic})],
           check={"type": "call", "name": "notes_search", "contains": {"query": [topic]}, "group": c.group("builtin_tools")})
    c.result("notes_search", note_text(c, topic, text))
    c.answer("The note is all they want.", 'Your note "%s" says: %s' % (upper_first(topic), text), check_text("extraction", [said]))
    finish(c)


def one_step(c):
    """What is named beside the wish is not wanted now: after the result the answer comes."""
    r = c.r
    have = [n for n in ("fs_list", "fs_search", "fs_read", "calculate", "web_search", "notes_search") if c.has(n)]
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
    elif name == "notes_search":
        one_note(c)
    elif name:
        t = r.topic()
        say(c, r.phrase(FORMS["ONE_WEB"]), {"t": t})
        best, _, one = search_first(c, t, "Only a search for %s is wanted." % t)
        c.answer("The first result says it; that is enough.", "%s (%s)" % (one, best["url"]), check_text("extraction", [one[:-1]]))
        finish(c)
