"""Several tools for one wish, one after another or two at once."""
from . import files, lex, personal, sums
from .chat_calc import both_fit, evaluate, now_text
from .chat_call import make_call, number
from .chat_files import entries, list_text, show_text
from .chat_keep import kept
from .chat_memory import memory_result
from .chat_people import calendar_entry, spoken_place
from .chat_steps import also
from .chat_web import first_sentence, hit, news, search_text, title
from .chat_write import work_out_and_write, write_done
from .conv import speak
from .messages import check_text
from .phrases import Phrases, bars, phrasings
from .sections import more, sections
from .slots import fill
from .wording import upper_first

LIST_READ = more(phrasings("""list {f} and read the first file|look into {f} and open the first file you find|what's in {f}? read me the first one|show me {f} and then the {o} file in it|list the folder {f}, then read the {o} file|
open the {o} file in {f}|read the {o} file of the folder {f}|go to {f} and read the {o} file there|check what is in {f} and show me the {o} one|find out which files are in {f} and read the {o}"""), *also("OPEN_IN"))


def list_read(c):
    r = c.r
    folder, i = r.folder(), r.int(0, 2)
    t = r.phrase(LIST_READ)
    if "{o}" not in t:
        i = 0
    names = [n for n in entries(r, r.int(3, 5)) if not n.endswith("/")] or ["a.txt"]
    i = min(i, len(names) - 1)
    c.say(speak(r, t, {"f": folder, "o": ["first", "second", "third"][i]}, typos=False)[0])
    c.call("First I list %s to see which files there are." % folder, [make_call("fs_list", {"path": folder})])
    c.result("fs_list", list_text(r, c.path(folder), names))
    path = folder.rstrip("/") + "/" + names[i]
    c.call("The file wanted is %s; it is still to be read." % names[i], [make_call("fs_read", {"path": path})], "two_tools")
    f = files.any_file(r)
    text, cut = files.read_result(c, path, f.text)
    c.result("fs_read", text, cut=cut)
    ans, key = show_text(path, f.text)
    c.answer("I have the file's text.", ans, check_text("extraction", [key]))
    c.about = ("file", path, f)
    c.done()


SEARCH_READ = more(phrasings("""find the file that mentions {w} and read it|which file contains {w}? open it|search for {w} and read the file|look for {w} in my files and show me the file|where is {w}? read that file to me|
find {w} and open the file where it stands|search my files for {w}, then read the one you find|the file with {w} in it, please read it|open whichever file has {w} in it"""), *also("SEEK_WHOLE"))


def search_read(c):
    r = c.r
    w = r.word()
    c.say(speak(r, r.phrase(SEARCH_READ), {"w": w}, typos=False)[0])
    c.call("First I search for %s, then I read the file." % w, [make_call("fs_search", {"pattern": w})])
    path = r.path().lstrip("~/.")
    lines = [r.sentence() for _ in range(r.int(1, 4))]
    at = r.int(0, len(lines) - 1)
    lines[at] = lines[at].rstrip(".") + " " + w + "."
    c.result("fs_search", "1 matches in %s:\n%s:%d: %s\n" % (c.work, path, at + 1, lines[at]))
    c.call("It stands in %s; that file is still to be read." % path, [make_call("fs_read", {"path": path})], "two_tools")
    body, cut = files.read_result(c, path, "\n".join(lines))
    c.result("fs_read", body, cut=cut)
    ans, key = show_text(path, "\n".join(lines))
    c.answer("I have the file's text.", ans, check_text("extraction", [key]))
    c.about = ("file", path, files.File("\n".join(lines), "txt", []))
    c.done()


READ_WRITE = more(phrasings("""copy the text of {a} to {b}|read {a} and save its text in {b}|put what {a} says into {b}|take the contents of {a} and write them to {b}|copy {a} to {b}|make {b} the same as {a}|
duplicate {a} as {b}|write the content of {a} into {b}|save a copy of {a} as {b}|transfer the text from {a} to {b}"""), *also("COPY"))


def read_write(c):
    r = c.r
    a, b = r.path(["txt", "md"]), r.path(["txt", "md"])
    if a == b:
        b = "copy-of-" + a.rpartition("/")[2]
    c.say(speak(r, r.phrase(READ_WRITE), {"a": a, "b": b}, typos=False)[0])
    c.call("First I read %s, then I write its text to %s." % (a, b), [make_call("fs_read", {"path": a})])
    text = "\n".join(r.sentence() for _ in range(r.int(1, 2)))
    body, cut = files.read_result(c, a, text)
    c.result("fs_read", body, cut=cut)
    write_done(c, {"path": b, "content": text}, "two_tools", "I have the text of %s; it is still to go to %s, so I write it there." % (a, b))
    c.about = ("file", b, files.File(text, "txt", []))
    c.done()


CALC_WRITE = more(phrasings("""calculate {e} and save the result in {p}|work out {e} and write it to {p}|what is {e}? put the answer into {p}|compute {e}, then save it to {p}|write the result of {e} to {p}|save {e} worked out in {p}|
{e}, store the result in {p}|put the value of {e} in {p}"""), *also("CALC_SAVE"))


def calc_write(c):
    r = c.r
    e = number(r) + r.pick([" + ", " * ", " - "]) + number(r)
    got = evaluate(e)
    path, add = r.path(["txt", "md", "csv"]), r.chance(0.25)
    t = "calculate {e} and add the result to {p}" if add else r.phrase(CALC_WRITE)
    c.say(speak(r, t, {"e": e, "p": path}, typos=False)[0])
    work_out_and_write(c, "First the sum %s, then the file." % e, e, got, path, add)


NOW_CAL = Phrases("""what time is it and what do I have today?|tell me the time and my appointments for today|check the clock and my calendar for today|what's the time, and is there anything on today?|the time please, and then what is on today""".split("|"),
                  bars("""how late is it, and do I have anything else today?|give me the time and today's calendar|what's the time, and what appointments do I have today?|I need the time and my schedule for today|tell me how late it is and what is on today|
the current time and today's meetings, please|look at the clock, then at my calendar for today|what time is it? And am I busy today?|time and today's appointments|check the time and see what I have on today|do you have the time, and is anything planned today?|
what's on today, and what time is it now?|my appointments today and the time, please|is there a meeting today, and how late is it?|what hour is it and what does my calendar say for today?"""), *also("NOW_CAL"))


def now_calendar(c):
    r = c.r
    c.say(speak(r, r.phrase(NOW_CAL))[0])
    calls = [make_call("now", {}), make_call("calendar_read", {"from": "today", "to": "today"})]
    c.call("Two things are wanted: the time, and the calendar of today. I make both calls.", calls, "two_tools")
    c.result("now", now_text(c.at))
    d = c.at.date()
    n = r.chance(0.65)
    clock = "It is %02d:%02d." % (c.at.hour, c.at.minute)
    if n:
        when, what, place, cal = calendar_entry(r)
        c.result("calendar_read", "1 entries from %s to %s (UTC):\n%s %s\n%s %s%s%s\n"
                 % (d, d, lex.WEEKDAYS[d.weekday()], d, when, upper_first(what), place, cal))
        ans = clock + " You have one entry today: %s, %s%s." % (when, upper_first(what), spoken_place(place))
    else:
        c.result("calendar_read", "Nothing from %s to %s.\n" % (d, d))
        ans = clock + " There is nothing in your calendar today."
    c.answer("I have both; I say both.", ans,
             check_text("extraction", ["%02d:%02d" % (c.at.hour, c.at.minute), upper_first(what) if n else ["nothing", "no "]]))
    c.about = None
    c.done()


TWO_READ = more(phrasings("""read {a} and {b}|show me {a} and {b}|open both {a} and {b}|what's in {a} and in {b}?|compare {a} and {b}|read the files {a} and {b}|{a} and {b}, please read both|what do {a} and {b} say?|let me see {a} as well as {b}|print {a} and {b}"""), *also("TWO_READ"))


def two_reads(c):
    r = c.r
    a, b = r.path(["txt", "md"]), r.path(["txt", "md"])
    c.say(speak(r, r.phrase(TWO_READ), {"a": a, "b": b}, typos=False)[0])
    c.call("Two files are wanted: %s and %s. I read both." % (a, b), [make_call("fs_read", {"path": a}), make_call("fs_read", {"path": b})], "two_tools")
    ta, tb = r.sentence(), r.sentence()
    c.result("fs_read", files.read_result(c, a, ta)[0])
    c.result("fs_read", files.read_result(c, b, tb)[0])
    c.answer("I have both texts.", "%s says: %s\n%s says: %s" % (a, ta, b, tb), check_text("extraction", [ta, tb]))
    c.about = None
    c.done()


TWO_CALC = Phrases("what is {a} and what is {b}?|calculate {a} and {b}|{a}, and {b}?|work out both {a} and {b}|how much is {a}, and how much is {b}?|{a} and also {b} please|give me {a} as well as {b}".split("|"),
                   bars("""two sums: {a} and {b}|I need {a} and I need {b}|what's {a}? And {b}?|first {a}, then {b}|can you do {a} and then {b}|{a}; {b}|compute {a} and, separately, {b}|what do {a} and {b} give?|please calculate {a}, then {b}|both {a} and {b}, please|
1) {a} 2) {b}|what is {a}, and what do I get for {b}?|work out {a}. Then {b}.|tell me {a} and tell me {b}|I'd like to know {a} and {b}|how much are {a} and {b}?|{a} = ? and {b} = ?|solve {a} and solve {b}|the results of {a} and of {b}|do these two: {a} and {b}|
figure out {a}, also {b}|evaluate {a} and {b} for me|let me know {a} and {b}|{a} is what, and {b}?|next two: {a}, {b}"""), *also("TWO_CALC"))


def two_sums(c):
    r = c.r
    (s1, e1), (s2, e2) = ((lambda e: (e, e))(number(r) + r.pick([" + ", " * ", " - ", " / "]) + str(r.int(2, 90))) if r.chance(0.5)
                          else r.pick((sums.chain, sums.chain, sums.percent, sums.one))(r) for _ in range(2))
    g1, g2 = evaluate(e1), evaluate(e2)
    verbal = [s.split(" ")[0] in sums.VERBS for s in (s1, s2)]  # a wish of its own, which does not go into every form
    if not g1 or not g2 or any(verbal) or " and " in s1 + s2:
        (s1, e1, g1), (s2, e2, g2) = ((e, e, evaluate(e)) for e in ("%d + %d" % (r.int(2, 999), r.int(2, 99)) for _ in range(2)))
    c.say(speak(r, r.phrase(TWO_CALC), {"a": s1, "b": s2}, typos=False)[0])
    calls = [make_call("calculate", {"expression": e}) for e in (e1, e2)]
    c.call("Two sums are wanted: %s, and %s. I make two calls." % (e1, e2),
           calls, check=both_fit(calls))
    c.result("calculate", g1[0])
    c.result("calculate", g2[0])
    say = lambda e, g: "%s is %s%s" % (e, "about " if "≈" in g[0] else "", g[1])
    c.answer("Both results are there.", say(e1, g1) + ", and " + say(e2, g2) + ".", check_text("extraction", [g1[1], g2[1]]))
    c.about = None
    c.done()


SEARCH_SAVE = more(phrasings("""search the web for {t} and save what you find in {p}|look up {t} online and write it to {p}|find something about {t} on the web and put it into {p}|google {t} and save the result to {p}|search for {t} on the web, then write the gist to {p}"""), *also("WEB_SAVE_WHOLE"))


def search_save(c):
    r = c.r
    topic, path = r.topic(), r.path(["txt", "md"])
    c.say(speak(r, r.phrase(SEARCH_SAVE), {"t": topic, "p": path}, typos=False)[0])
    t = topic
    c.call("First I search for %s, then I write it to %s." % (topic, path), [make_call("web_search", {"query": t})])
    text = news(r, topic)
    c.result("web_search", search_text(c, [hit(r, title(r, topic), text)]))
    kept(c, path, text, [text.rstrip(".")], "The search found it; it is still to go to %s, so I write it there." % path)
    c.about = None
    c.done()


RECALL_WEB = Phrases([("look up my {k}'s city and search the web for news there", "my {k}'s city"), ("where does my {k} live? and what's new there?", "where does my {k} live"), ("search for news from the place where my {k} lives", "where my {k} lives"),
                      ("find news about the town of my {k}", "the town of my {k}"), ("what's going on in the city where my {k} lives? search the web", "the city where my {k} lives"), ("any news from where my {k} lives?", "where my {k} lives"),
                      ("in which city does my {k} live, and what's the news there?", "in which city does my {k} live"), ("check where my {k} lives and look up news from there", "where my {k} lives"), ("see where my {k} lives, then search the web for news from there", "where my {k} lives")],
                     [(x, "where my {k} lives") for x in sections("hops.txt")["KIN_NEWS"]])


def recall_web(c):
    """The memory first, then the web with what it said."""
    r = c.r
    kin, city = r.entity(personal.KIN), r.city()
    t, q = r.phrase(RECALL_WEB)
    c.say(speak(r, t.replace(q, "{q}"), {"q": fill(q, {"k": kin}), "k": kin}, typos=False)[0])
    c.call("I need to know where their %s lives; the memory may say." % kin, [make_call("memory_read", {"query": fill(q, {"k": kin})})],
           check={"type": "call", "name": "memory_read", "contains": {"query": [kin]}, "group": c.group("builtin_tools")})
    c.result("memory_read", memory_result(r, [(kin, "My %s lives in %s." % (kin, city))]))
    c.call("Wanted is news from where their %s lives. That is %s, so I still search for news from there." % (kin, city),
           [make_call("web_search", {"query": "news from " + city})],
           check={"type": "call", "name": "web_search", "contains": {"query": [city]}, "group": "two_tools"})
    topic = r.entity(lex.TOPICS)
    text = news(r, topic)
    best = hit(r, "News from " + city, text)
    c.result("web_search", search_text(c, [best]))
    c.answer("I have the place and the news.", "Your %s lives in %s. %s (%s)" % (kin, city, first_sentence(text), best["url"]),
             check_text("extraction", [city]))
    c.about = None
    c.done()
