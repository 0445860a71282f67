"""Two things in one short sentence, each named in a few words: both calls are made together."""
import datetime

from . import lex, sums
from .chat_both import named
from .chat_calc import OFFSETS, evaluate, fits, now, now_text
from .chat_call import about_topic, make_call
from .chat_chain import finish, note_text
from .chat_files import entries, list_text, say_list
from .chat_hops import FORMS, holding, lives
from .chat_people import calendar_entry, spoken_place
from .chat_steps import say
from .chat_web import first_sentence, hit, news, search_text, title
from .files import read_result
from .messages import check_text
from .wording import upper_first
from .wordlists import ZONES


class Part:
    """One of the two: its words, its call, what comes back, what is said of it, what must be said, and its check if that is not the call."""

    def __init__(self, form, slots, call, result, said, key, check=None):
        self.form, self.slots, self.call, self.result, self.said, self.key = form, slots, call, result, said, key
        self.check = check or fits(call)


def a_time(c):
    r = c.r
    zone = r.pick(ZONES) if r.chance(0.5) else None
    at = c.at + datetime.timedelta(hours=r.int(-11, 11)) if zone else c.at
    clock = "%02d:%02d" % (at.hour, at.minute)
    return Part("NP_ZONE" if zone else "NP_NOW", {"z": zone and zone[0]}, make_call("now", {"zone": zone[1]} if zone else {}),
                now_text(at, r.pick(OFFSETS)), "It is %s%s." % (clock, " in " + zone[0] if zone else ""), clock)


def a_calendar(c):
    r = c.r
    word = r.pick(("today", "tomorrow"))
    d = c.at.date() + datetime.timedelta(days=word == "tomorrow")
    call = make_call("calendar_read", {"from": word, "to": word})
    if r.chance(0.3):
        return Part("NP_CAL", {"d": word}, call, "Nothing from %s to %s.\n" % (d, d), "There is nothing in your calendar %s." % word, ["nothing", "no "])
    when, what, place, cal = calendar_entry(r)
    return Part("NP_CAL", {"d": word}, call, "1 entries from %s to %s (Local):\n%s %s\n%s %s%s%s\n"
                % (d, d, lex.WEEKDAYS[d.weekday()], d, when, upper_first(what), place, cal),
                "%s you have: %s, %s%s." % (upper_first(word), when, upper_first(what), spoken_place(place)), upper_first(what))


def a_file(c):
    r = c.r
    p, text = r.path(["txt", "md"]), r.sentence()
    return Part("NP_READ", {"p": p}, make_call("fs_read", {"path": p}), read_result(c, p, text)[0], "%s says: %s" % (p, text), text)


def a_listing(c):
    r = c.r
    f, names = r.folder(), entries(r, r.int(1, 4))
    return Part("NP_LIST", {"f": f}, make_call("fs_list", {"path": f}), list_text(r, c.path(f), names), say_list(f, names), names[0].rstrip("/"))


def a_sum(c):
    for _ in range(9):
        said, e = sums.chain(c.r)
        got = evaluate(e)
        if got and " and " not in said and "then" not in said:
            break
    else:
        said, e, got = "7 * 8", "7 * 8", ("7 * 8 = 56", "56")
    return Part("NP_SUM", {"e": said}, make_call("calculate", {"expression": e}), got[0],
                "%s is %s%s." % (e, "about " if "≈" in got[0] else "", got[1]), got[1])


def a_note(c):
    r = c.r
    t = r.topic()
    text = about_topic(r, t)
    return Part("NP_NOTES", {"t": t}, make_call("notes_search", {"query": t}), note_text(c, t, text),
                "Your note says: %s" % text, text.rstrip("."), holding("notes_search", "query", [t], ""))


def a_search(c):
    r = c.r
    t = r.topic()
    text = news(r, t)
    best, one = hit(r, title(r, t), text), first_sentence(text)
    return Part("NP_WEB", {"t": t}, make_call("web_search", {"query": t}), search_text(c, [best]), "%s (%s)" % (one, best["url"]), one[:-1],
                holding("web_search", "query", [t], ""))


def a_person(c):
    r = c.r
    n, city = r.first(), r.city()
    return Part("NP_WHERE", {"n": n}, make_call("graph_search", {"people": [n]}), lives(r, n, city), "%s lives in %s." % (n, city), city)


MAKERS = {"now": a_time, "calendar_read": a_calendar, "fs_read": a_file, "fs_list": a_listing, "calculate": a_sum,
          "notes_search": a_note, "web_search": a_search, "graph_search": a_person}


def pair(c):
    """Two short things of different tools."""
    r = c.r
    have = [n for n in MAKERS if c.has(n)]
    if len(have) < 2:
        return now(c)  # the only one that is sure to be on offer
    a, b = (MAKERS[n](c) for n in r.some(have, 2))
    # what the second one fills gets names of its own
    first, second = (r.phrase(FORMS[x.form]) for x in (a, b))
    for k in b.slots:
        second = second.replace("{%s}" % k, "{%s2}" % k)
    form = r.phrase(FORMS["PAIR"])
    while "calculate" in (a.call["name"], b.call["name"]) and ("plus" in form or "+" in form):  # could be part of the sum
        form = r.phrase(FORMS["PAIR"])
    t = form.replace("{a}", first).replace("{b}", second)
    say(c, t, dict(a.slots, **{k + "2": v for k, v in b.slots.items()}))
    c.call("Two things are wanted: %s, and %s. I make both calls." % (named(a.call), named(b.call)), [a.call, b.call],
           check={"type": "call", "calls": [a.check, b.check], "group": "two_tools"})
    for x in (a, b):
        c.result(x.call["name"], x.result)
    c.answer("Both results are there; I say both.", a.said + "\n" + b.said, check_text("extraction", [a.key, b.key]))
    finish(c)
