"""More wishes in which one tool says what the next one needs: appointments, notes, pages, lists and programs."""
import datetime

from . import lex
from .chat_call import about_topic, event, file_name, make_call
from .chat_chain import finish, note_text
from .chat_hops import FORMS, TEXT, holding
from .chat_keep import remembered
from .chat_memory import telling
from .chat_people import fact_line, facts_text, spoken_place
from .chat_steps import read, say
from .chat_web import first_sentence, hit, news, other_hit, page_text, search_text, title
from .messages import check_text
from .phrases import Phrases, bars
from .slots import fill
from .wording import upper_first

DAYS = {"today": 0, "tomorrow": 1}


def entry_of(c, word, what):
    """The calendar of today or tomorrow has one entry; gives how it is said."""
    r = c.r
    d = c.at.date() + datetime.timedelta(days=DAYS[word])
    h = r.int(7, 20)
    when, place = "%02d:00-%02d:00" % (h, h + 1), r.pick(("", "", " @ " + r.city(), " @ online"))
    c.result("calendar_read", "1 entries from %s to %s (Local):\n%s %s\n%s %s%s [%s]\n"
             % (d, d, lex.WEEKDAYS[d.weekday()], d, when, upper_first(what), place, r.pick(("work", "home", "private"))))
    return "%s you have: %s, %s%s." % (upper_first(word), when, upper_first(what), spoken_place(place))


def calendar_first(c, word, think):
    c.call(think, [make_call("calendar_read", {"from": word, "to": word})])


def meet_person(c):
    """The calendar names a person, the graph knows of them."""
    r = c.r
    form, rel = r.phrase(FORMS["MEET"])
    word, n = r.pick(list(DAYS)), r.first() if r.chance(0.7) else r.name()
    say(c, form, {"d": word})
    calendar_first(c, word, "First the calendar of %s for the name, then what is known of that person." % word)
    entry = entry_of(c, word, r.pick(("lunch with ", "call with ", "dinner with ", "meeting with ", "coffee with ", "appointment with ")) + n)
    c.call("Wanted is what is known of the person. The entry names %s, whom I still look up." % n,
           [make_call("graph_search", {"people": [n]})], "two_tools")
    held = {"lives in": r.city(), "works for": r.org()}
    rows = r.shuffled([x for x in held.items() if x[0] == rel or r.chance(0.6)])
    c.result("graph_search", facts_text([fact_line(r, i + 1, n, a, b) for i, (a, b) in enumerate(rows)]))
    c.answer("I have the entry and the fact.", "%s %s %s %s." % (entry, n, rel, held[rel]), check_text("extraction", [n, held[rel]]))
    finish(c)


def calendar_notes(c):
    """The calendar names a matter, the notes know more."""
    r = c.r
    word, what = r.pick(list(DAYS)), event(r)
    say(c, r.phrase(FORMS["CAL_NOTES"]), {"d": word})
    calendar_first(c, word, "First the calendar of %s for the entry, then the notes on it." % word)
    entry = entry_of(c, word, what)
    c.call("Wanted are the notes on the entry. It is %s, which I still look up in the notes." % what,
           [make_call("notes_search", {"query": what})], check=holding("notes_search", "query", telling(what), "two_tools"))
    if r.chance(0.2):
        c.result("notes_search", "0 of %d notes fit.\n" % r.int(4, 300))
        c.answer("No note fits; I say both.", "%s There is nothing in your notes about it." % entry,
                 check_text("extraction", [what, ["nothing", "no "]]))
    else:
        text = about_topic(r, what)
        c.result("notes_search", note_text(c, what, text))
        c.answer("I have the entry and the note.", "%s Your note says: %s" % (entry, text), check_text("extraction", [what, text.rstrip(".")]))
    finish(c)


PRODUCT = Phrases("For the {t} {p} recommends the {x}.|Product for the {t}: {x}|The {x} would be right for the {t}.|We should buy the {x} for the {t}.|{t}: get the {x}|{p} said that the {x} is best for the {t}.|The {t} needs a {x}.|Best choice for the {t} is the {x}.|I want to try the {x} for the {t}.".split("|"),
                  bars("""{x} - could be something for the {t}.|{p} uses the {x} for the {t}.|Ask the shop for the {x}, because of the {t}.|In the end I chose the {x} for the {t}.|With the {x} the {t} should be easy.|{t}, see {x}|The {x} is what we lack for the {t}.|
Order one {x} in time for the {t}.|{p}'s tip for the {t}: {x}|On the list for the {t}: the {x}"""))


def note_web(c):
    """The notes name a product, the web knows more."""
    r = c.r
    topic, x = r.topic(), r.product()
    say(c, r.phrase(FORMS["NOTE_WEB"]), {"t": topic})
    c.call("First I look in the notes on %s for the product, then I search the web for it." % topic,
           [make_call("notes_search", {"query": topic})], check=holding("notes_search", "query", [topic], c.group("builtin_tools")))
    c.result("notes_search", note_text(c, topic, upper_first(fill(r.phrase(PRODUCT), {"t": topic, "x": x, "p": r.first()}))))
    c.call("The note names the %s; that is still to be looked up, so I search the web for it." % x, [make_call("web_search", {"query": x})],
           check=holding("web_search", "query", [x], "two_tools"))
    text = news(r, x)
    best = hit(r, title(r, x), text)
    c.result("web_search", search_text(c, [best] + [other_hit(r) for _ in range(r.int(0, 1))]))
    one = first_sentence(text)
    c.answer("I have the product and what the web says.", "Your note names the %s. %s (%s)" % (x, one, best["url"]),
             check_text("extraction", [x, one[:-1]]))
    finish(c)


def page_mind(c):
    """What a page says goes into the memory."""
    r = c.r
    u, topic = r.url(), r.topic()
    say(c, r.phrase(FORMS["FETCH_MIND"]), {"u": u})
    c.call("First I read the page, then I remember what it says.", [make_call("web_fetch", {"url": u})])
    lines = [news(r, topic)] + ([r.sentence()] if r.chance(0.4) else [])
    h = hit(r, title(r, topic), "", u)
    c.result("web_fetch", page_text(r, h, lines))
    remembered(c, h["title"], " ".join(lines), [x.rstrip(".") for x in lines], "I have the page's text; it is still to be remembered.")
    finish(c)


def note_mind(c):
    """What a note says goes into the memory."""
    r = c.r
    topic = r.topic()
    say(c, r.phrase(FORMS["NOTE_MIND"]), {"t": topic})
    c.call("First I look in their notes for %s, then I remember it." % topic, [make_call("notes_search", {"query": topic})])
    text = about_topic(r, topic)
    c.result("notes_search", note_text(c, topic, text))
    remembered(c, topic, text, [text.rstrip(".")], "I have the note; it is still to be remembered.")
    finish(c)


def check_add(c):
    """A line is added to a list only where it is missing."""
    r = c.r
    p, items = file_name(r, TEXT), list(dict.fromkeys(r.some(lex.FOODS, r.int(2, 5)) if r.chance(0.4) else [thing(r) for _ in range(r.int(2, 5))]))
    here = r.chance(0.4)
    x = r.pick(items) if here else thing(r) if r.chance(0.6) else r.entity(lex.FOODS)
    here = x in items
    if not here and any(x in y or y in x for y in items):  # "oil" stands in "olive oil", and then it is not clear
        items = [y for y in items if x not in y and y not in x] or [r.noun() + " " + r.noun()]
    say(c, r.phrase(FORMS["CHECK_ADD"]), {"p": p, "x": x})
    read(c, p, "\n".join(items), "First I read %s; if %s is not there, I add it." % (p, x))
    if here:
        c.answer("The lines are %s. %s is among them, so nothing is to be added." % (", ".join(items), x),
                 "%s has %s already, so I added nothing." % (p, x), check_text("extraction", [x, ["already", "nothing", "no need"]]))
        return finish(c)
    c.call("The lines are %s. %s is not among them, so it is still to be added." % (", ".join(items), x),
           [make_call("fs_write", {"path": p, "mode": "append", "content": x})],
           check={"type": "call", "name": "fs_write", "any": {"path": [p], "mode": ["append"], "content": [x, x + "\n", "\n" + x]},
                  "group": "two_tools"})
    c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -%d +%d @@\n+%s\n"
             % (c.path(p), 90, 91 + len(x), len(items) + 1, len(items), len(items) + 1, x))
    c.answer("It is added; I say so.", 'Done: I added "%s" to %s.' % (x, p), check_text("extraction", [x, p]))
    finish(c)


def thing(r):
    return r.noun() if r.chance(0.6) else r.entity(lex.ADJ) + " " + r.noun()


def run_file(c):
    """A program is read from a file and run."""
    r = c.r
    p, f, k, n = file_name(r, ["py"]), r.entity(lex.VERBS), r.int(2, 90), r.int(1, 30)
    word = r.noun().replace(" ", "_").replace("-", "_").replace("'", "")
    code, out = r.pick((
        ("print(%d * %d)" % (k, n), k * n), ("x = %d\nprint(x + %d)" % (k, n), k + n), ("print(\"%s %d\")" % (word, k), "%s %d" % (word, k)),
        ("def %s(x):\n    return x * %d\n\nprint(%s(%d))" % (f, k, f, n), k * n), ("for i in range(3):\n    print(i + %d)" % n, "%d\n%d\n%d" % (n, n + 1, n + 2)),
        ("%s = [%d, %d]\nprint(sum(%s))" % (word, k, n, word), k + n)))
    out = str(out)
    say(c, r.phrase(FORMS["RUN_FILE"]), {"p": p})
    read(c, p, code, "First I read %s, then I run its code." % p)
    c.call("I have the code of %s; it is still to be run." % p, [make_call("run_code", {"language": "python", "code": code})],
           check={"type": "call", "name": "run_code", "any": {"language": ["python"], "code": [code, code + "\n"]}, "group": "two_tools"})
    c.result("run_code", "Exit status 0 after %dms.\n--- stdout\n%s\n" % (r.int(9, 900), out))
    c.answer("It ran; I give its output.", "The program in %s prints:\n%s" % (p, out), check_text("extraction", out.split("\n")))
    finish(c)
