"""Wishes in which one tool says what the next one needs: a place for the clock, a day for the calendar, a number for a sum."""
import datetime

from . import lex, personal
from .chat_calc import OFFSETS, evaluate, now_text
from .chat_call import file_name, make_call
from .chat_chain import EVENTS, dated, day_read, finish, lacking, note_text
from .chat_files import entries, list_text, show_text
from .chat_memory import memory_result
from .chat_people import fact_line, facts_text
from .chat_steps import THIRD, numeric_key, read, say, valued_text, worked_out
from .files import any_file, size_words
from .messages import NOTHING, check_text
from .phrases import Phrases, bars
from .sections import sections, with_values
from .slots import fill
from .wordlists import ZONES

HOPS = sections("hops.txt")
FORMS = {k: Phrases(with_values(v) if "=>" in v[0] else v, THIRD.get(k, [])) for k, v in HOPS.items()}
TEXT = ["txt", "md"]


def holding(name, key, words, group):
    """A call of which only the words matter that a search needs."""
    return {"type": "call", "name": name, "contains": {key: words}, "group": group}


# --- a place, then the time there ---

def lives(r, n, city):
    """What the graph says of where somebody lives: now, and perhaps before."""
    rows = [("lives in", city, False)] + ([("lives in", r.pick(ZONES)[0], True)] if r.chance(0.35) else [])
    if r.chance(0.5):
        rows.append(("works for", r.org(), False))
    return facts_text([fact_line(r, i + 1, n, rel, obj, was) for i, (rel, obj, was) in enumerate(r.shuffled(rows))])


def clock_there(c, who, z):
    """The place is known; now the clock of it."""
    r = c.r
    c.call("Wanted is the time where %s. That is %s, so I call now with %s." % (who, z[0], z[1]), [make_call("now", {"zone": z[1]})], "two_tools")
    at = c.at + datetime.timedelta(hours=r.int(-11, 11))
    clock = "%02d:%02d" % (at.hour, at.minute)
    c.result("now", now_text(at, r.pick(OFFSETS)))
    c.answer("The clock says it; I name the place too.", "It is %s in %s." % (clock, z[0]), check_text("extraction", [clock]))
    finish(c)


def person_time(c):
    """The graph knows the city, the clock the time there."""
    r = c.r
    n, z = r.first(), r.pick(ZONES)
    say(c, r.phrase(FORMS["WHERE_TIME"]), {"n": n})
    c.call("First I look up where %s lives, then I look at the clock there." % n, [make_call("graph_search", {"people": [n]})])
    if r.chance(0.08):
        c.result("graph_search", NOTHING["graph_search"])
        return lacking(c, "I don't know where %s lives, so I can't tell the time there." % n)
    c.result("graph_search", lives(r, n, z[0]))
    clock_there(c, n + " lives", z)


def kin_time(c):
    """The same of somebody without a name: the memory knows."""
    r = c.r
    kin, z = r.entity(personal.KIN), r.pick(ZONES)
    if any(" %s " % kin in m["content"] and m["role"] != "system" for m in c.msgs):  # where they live may stand above already
        kin = r.entity(personal.KIN)
    say(c, r.phrase(FORMS["WHERE_TIME"]), {"n": "my " + kin})
    c.call("First I look in the memory where their %s lives, then I look at the clock there." % kin,
           [make_call("memory_read", {"query": "where my %s lives" % kin})],
           check=holding("memory_read", "query", [kin], c.group("builtin_tools")))
    c.result("memory_read", memory_result(r, [(kin, r.pick(("My %s lives in %s.", "My %s has moved to %s.", "My %s is in %s now.")) % (kin, z[0]))],
                                          r.int(0, 2), kin))
    clock_there(c, "their %s lives" % kin, z)


# --- a day in a file, then the calendar ---

def file_day(c):
    r = c.r
    p, d, topic = file_name(r, TEXT), r.date(), r.noun() + " " + r.entity(EVENTS)
    said, text = dated(r, topic, d)
    lines = r.shuffled([text] + [x for x in (r.sentence() for _ in range(r.int(0, 2))) if not any(w in x for w in lex.WEEKDAYS)])
    say(c, r.phrase(FORMS["FILE_DAY"]), {"p": p})
    read(c, p, "\n".join(lines), "First I read %s for the day, then the calendar." % p)
    day_read(c, "the day in " + p, said, d)
    finish(c)


# --- a number that was noted, told or written, then a sum ---

WORDS = [(" * ", "times {n}"), (" - ", "minus {n}"), (" + ", "plus {n}"), (" / ", "divided by {n}"), ("% of", "{n} percent of it")]
OWN = "rent|salary|gas bill|phone bill|car loan|gym fee|insurance|pension|water bill|electricity bill|parking fee|monthly budget|pocket money|bus pass|internet bill|garden rent|tuition|membership fee|credit rate|garage rent".split("|")
OWNED = Phrases("My {k} is {v} euros.|I pay {v} euros for my {k}.|{v} euros is what my {k} comes to.|My {k} has been {v} euros since spring.|For my {k} it is {v} euros.|My {k}: {v} euros|My {k} went to {v} euros.".split("|"),
                bars("""I have to pay {v} for my {k}.|They want {v} euros as my {k}.|{v} is my {k}, every month.|My {k} is down to {v} euros now.|The bank says my {k} is {v} euros.|From this year my {k} is {v} euros.|Every month {v} euros go for my {k}.|My {k} amounts to {v} euros.|My {k} costs me {v} a month.|
So far my {k} was {v} euros.|It's {v} euros, my {k}.|My {k} was raised to {v} euros."""))
NOTED = Phrases("The {k} is {v}.|{k}: {v}|{v} is the {k}.|We agreed on a {k} of {v}.|The {k} was fixed at {v}.|Remember, the {k} is {v}.|{k} = {v}".split("|"),
                bars("""{k} now {v}|The {k} came to {v} in the end.|They told me a {k} of {v}.|For the {k} we take {v}.|The {k} went up to {v}.|Set the {k} to {v} for now.|{v} as {k}, says the letter.|Last measured {k}: {v}|It says {v} under {k}.|
New {k} is {v}.|As {k} write {v}.|The {k} in the contract: {v}"""))


def sum_asked(r, source, what):
    """(template of the wish, expression, how the thought names it)"""
    q, e = r.phrase(FORMS["SUM_OF"])
    form = r.phrase(FORMS[source])
    if "{q}" in form[1:]:  # after a colon, or a sentence
        q = q if form.index("{q}") == 0 else q[0].lower() + q[1:] if q[0] != "I" else q
    elif not q.endswith("?"):
        q += "."
    words = next(w for sign, w in WORDS if sign in e)
    if "{n}" not in e:
        words = words.replace("{n}", e.rsplit(" ", 1)[1])
    return form.replace("{q}", q.replace("{K}", what)), e, words


def told_sum(c):
    """The memory knows the amount."""
    r = c.r
    k, v, n = r.entity(OWN), str(r.int(5, 4000)), str(r.int(2, 60))
    t, e, words = sum_asked(r, "SRC_MEMORY", "my {k}")
    s = {"k": k, "n": n, "v": v}
    say(c, t, s)
    c.call("First I look in the memory for their %s, then I calculate with it." % k, [make_call("memory_read", {"query": "my " + k})],
           check=holding("memory_read", "query", [k], c.group("builtin_tools")))
    if r.chance(0.08):
        c.result("memory_read", memory_result(r, [], r.int(0, 1), k))
        return lacking(c, "I don't remember your %s, so I can't work that out. Tell me how much it is." % k)
    c.result("memory_read", memory_result(r, [(k, fill(r.phrase(OWNED), s))], r.int(0, 2), k))
    worked_out(c, fill(e, s), "your " + k, fill(words, s), v)
    finish(c)


def note_sum(c):
    """The notes know the amount, or a file does."""
    r = c.r
    k, v, n = numeric_key(r), str(r.int(2, 9999)), str(r.int(2, 99))
    in_file = c.has("fs_read") and (r.chance(0.5) or not c.has("notes_search"))
    t, e, words = sum_asked(r, "SRC_FILE" if in_file else "SRC_NOTES", "the {k}")
    p = file_name(r, ["txt", "md", "ini", "yaml"])
    s = {"k": k, "n": n, "v": v, "p": p}
    say(c, t, s)
    if in_file:
        read(c, p, valued_text(r, k, v), "Wanted is the %s in %s, %s; first I read the file." % (k, p, fill(words, s)))
    else:
        c.call("First I look in their notes for the %s, then I calculate with it." % k, [make_call("notes_search", {"query": k})],
               check=holding("notes_search", "query", [k], c.group("builtin_tools")))
        c.result("notes_search", note_text(c, k, fill(r.phrase(NOTED), s)))
    worked_out(c, fill(e, s), "the " + k, fill(words, s), v)
    finish(c)


# --- a listing, then a file of it or a sum ---

def list_if(c):
    """A file is read only if the listing has it."""
    r = c.r
    f, names = r.folder(), [x for x in entries(r, r.int(2, 6)) if not x.endswith("/")] or ["list.txt"]
    here = r.chance(0.65)
    name = r.pick(names) if here else r.stem() + "." + r.pick(lex.EXT_TEXT)
    if not here and name in names:
        names.remove(name)
    say(c, r.phrase(FORMS["LIST_IF"]), {"f": f, "n": name})
    c.call("First I list %s; if %s is there, I read it." % (f, name), [make_call("fs_list", {"path": f})])
    c.result("fs_list", list_text(r, c.path(f), names))
    if not here:
        c.answer("%s is not in the listing, so there is nothing to read." % name, "There is no %s in %s, so I read nothing." % (name, f),
                 check_text("errors", [name, ["no ", "not ", "n't"]]))
        return finish(c)
    path, text = f.rstrip("/") + "/" + name, any_file(r)
    read(c, path, text.text, "%s is in the listing; it is still to be read, as %s." % (name, path), "two_tools")
    ans, key = show_text(path, text.text)
    c.answer("I have the file's text.", ans, check_text("extraction", [key]))
    finish(c, ("file", path, text))


def size_sum(c):
    """The sizes of a listing are added up."""
    r = c.r
    f = r.folder()
    names = [x for x in entries(r, r.int(2, 5)) if not x.endswith("/")]
    if len(names) < 2:
        names = sorted({r.stem() + ".txt", r.stem() + ".md"})
    rows = [(n, r.int(12, 990), r.day()) for n in names]
    say(c, r.phrase(FORMS["SIZE_SUM"]), {"f": f})
    c.call("First I list %s for the sizes, then I add them up." % f, [make_call("fs_list", {"path": f})])
    c.result("fs_list", list_text(r, c.path(f), names, rows))
    e = " + ".join(str(x[1]) for x in rows)
    got = evaluate(e)
    c.call("Wanted are all sizes together: %s. I add them up." % ", ".join("%s %s" % (x[0], size_words(x[1])) for x in rows),
           [make_call("calculate", {"expression": e})], "two_tools")
    c.result("calculate", got[0])
    c.answer("The sum is there.", "The files in %s have %s bytes together." % (f, got[1]), check_text("extraction", [got[1]]))
    finish(c)
