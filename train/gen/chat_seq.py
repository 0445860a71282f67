"""Several tools for one wish, two at once, and what to do when one fails."""

from . import facts, files, lex, personal
from .base import HALL, Phrases, check_text, fill, tool
from .chat_talk import WEB_FAIL
from .chat_calc import evaluate, now_text
from .chat_call import make_call, number, written
from .chat_files import entries, list_text, say_list, show_text, write_done
from .chat_memory import memory_result
from .chat_people import calendar_entry, spoken_place
from .chat_web import first_sentence, hit, news, search_text, title
from .conv import speak, upper_first


def P(text):
    return Phrases(text.replace("\n", "").split("|"))


LIST_READ = P("""list {f} and read the first file|look into {f} and open the first file you find|what's in {f}? read me the first one|show me {f} and then the {o} file in it|list the folder {f}, then read the {o} file|
open the {o} file in {f}|read the {o} file of the folder {f}|go to {f} and read the {o} file there|check what is in {f} and show me the {o} one|find out which files are in {f} and read the {o}""")


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
    c.call("The file is %s; now I read it." % names[i], [make_call("fs_read", {"path": path})], "two_tools")
    f = files.any_file(r)
    text, cut = files.read_result(c, path, f.text)
    c.result("fs_read", text, cut=cut)
    ans, key = show_text(path, f.text)
    c.answer("I have the file's text.", ans, check_text("extraction", [key]))
    c.about = ("file", path, f)
    c.done()


SEARCH_READ = P("""find the file that mentions {w} and read it|which file contains {w}? open it|search for {w} and read the file|look for {w} in my files and show me the file|where is {w}? read that file to me|
find {w} and open the file where it stands|search my files for {w}, then read the one you find|the file with {w} in it, please read it|open whichever file has {w} in it""")


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
    c.call("It stands in %s, so I read that." % path, [make_call("fs_read", {"path": path})], "two_tools")
    body, cut = files.read_result(c, path, "\n".join(lines))
    c.result("fs_read", body, cut=cut)
    ans, key = show_text(path, "\n".join(lines))
    c.answer("I have the file's text.", ans, check_text("extraction", [key]))
    c.about = ("file", path, files.File("\n".join(lines), "txt", []))
    c.done()


READ_WRITE = P("""copy the text of {a} to {b}|read {a} and save its text in {b}|put what {a} says into {b}|take the contents of {a} and write them to {b}|copy {a} to {b}|make {b} the same as {a}|
duplicate {a} as {b}|write the content of {a} into {b}|save a copy of {a} as {b}|transfer the text from {a} to {b}""")


def read_write(c):
    r = c.r
    a, b = r.path(["txt", "md"]), r.path(["txt", "md"])
    c.say(speak(r, r.phrase(READ_WRITE), {"a": a, "b": b}, typos=False)[0])
    c.call("First I read %s, then I write its text to %s." % (a, b), [make_call("fs_read", {"path": a})])
    text = "\n".join(r.sentence() for _ in range(r.int(1, 2)))
    body, cut = files.read_result(c, a, text)
    c.result("fs_read", body, cut=cut)
    write_done(c, {"path": b, "content": text}, "two_tools", "I have the text of %s; now I write it to %s." % (a, b))
    c.about = ("file", b, files.File(text, "txt", []))
    c.done()


CALC_WRITE = P("""calculate {e} and save the result in {p}|work out {e} and write it to {p}|what is {e}? put the answer into {p}|compute {e}, then save it to {p}|write the result of {e} to {p}|save {e} worked out in {p}|
{e}, store the result in {p}|put the value of {e} in {p}""")


def calc_write(c):
    r = c.r
    e = number(r) + r.pick([" + ", " * ", " - "]) + number(r)
    got = evaluate(e)
    path, add = r.path(["txt", "md", "csv"]), r.chance(0.25)
    t = "calculate {e} and add the result to {p}" if add else r.phrase(CALC_WRITE)
    c.say(speak(r, t, {"e": e, "p": path}, typos=False)[0])
    c.call("First the sum %s, then the file." % e, [make_call("calculate", {"expression": e})])
    c.result("calculate", got[0])
    args = {"path": path, "content": got[1]}
    if add:
        args["mode"] = "append"
    write_done(c, args, "two_tools", "The result is %s; now I write it to %s." % (got[1], path))
    c.about = None
    c.done()


NOW_CAL = P("""what time is it and what do I have today?|tell me the time and my appointments for today|check the clock and my calendar for today|what's the time, and is there anything on today?|the time please, and then what is on today""")


def now_calendar(c):
    r = c.r
    c.say(speak(r, r.phrase(NOW_CAL))[0])
    calls = [make_call("now", {}), make_call("calendar_read", {"from": "today", "to": "today"})]
    c.call("Time and calendar are asked for, so I make both calls.", calls, "two_tools")
    c.result("now", now_text(c.at))
    d = c.at.date()
    n = r.int(0, 1)
    clock = "It is %02d:%02d." % (c.at.hour, c.at.minute)
    if n:
        when, what, place, cal = calendar_entry(r)
        c.result("calendar_read", "1 entries from %s to %s (UTC):\n%s %s\n%s %s%s%s\n" % (d, d, lex.WEEKDAYS[d.weekday()], d, when, upper_first(what), place, cal))
        ans = clock + " You have one entry today: %s, %s%s." % (when, upper_first(what), spoken_place(place))
    else:
        c.result("calendar_read", "Nothing from %s to %s.\n" % (d, d))
        ans = clock + " There is nothing in your calendar today."
    c.answer("I have both; I say both.", ans, check_text("extraction", ["%02d:%02d" % (c.at.hour, c.at.minute)]))
    c.about = None
    c.done()


TWO_READ = P("""read {a} and {b}|show me {a} and {b}|open both {a} and {b}|what's in {a} and in {b}?|compare {a} and {b}|read the files {a} and {b}|{a} and {b}, please read both|what do {a} and {b} say?|let me see {a} as well as {b}|print {a} and {b}""")


def two_reads(c):
    r = c.r
    a, b = r.path(["txt", "md"]), r.path(["txt", "md"])
    c.say(speak(r, r.phrase(TWO_READ), {"a": a, "b": b}, typos=False)[0])
    c.call("Two files are asked for, so I read both.", [make_call("fs_read", {"path": a}), make_call("fs_read", {"path": b})], "two_tools")
    ta, tb = r.sentence(), r.sentence()
    c.result("fs_read", files.read_result(c, a, ta)[0])
    c.result("fs_read", files.read_result(c, b, tb)[0])
    c.answer("I have both texts.", "%s says: %s\n%s says: %s" % (a, ta, b, tb), check_text("extraction", [ta, tb]))
    c.about = None
    c.done()


TWO_CALC = P("what is {a} and what is {b}?|calculate {a} and {b}|{a}, and {b}?|work out both {a} and {b}|how much is {a}, and how much is {b}?|{a} and also {b} please|give me {a} as well as {b}")


def two_sums(c):
    r = c.r
    e1, e2 = (number(r) + r.pick([" + ", " * ", " - ", " / "]) + str(r.int(2, 90)) for _ in range(2))
    g1, g2 = evaluate(e1), evaluate(e2)
    c.say(speak(r, r.phrase(TWO_CALC), {"a": e1, "b": e2}, typos=False)[0])
    c.call("Two sums are asked for, so I make two calls.", [make_call("calculate", {"expression": e1}), make_call("calculate", {"expression": e2})], "two_tools")
    c.result("calculate", g1[0])
    c.result("calculate", g2[0])
    say = lambda e, g: "%s is %s%s" % (e, "about " if "≈" in g[0] else "", g[1])
    c.answer("Both results are there.", say(e1, g1) + ", and " + say(e2, g2) + ".", check_text("extraction", [g1[1], g2[1]]))
    c.about = None
    c.done()


SEARCH_SAVE = P("""search the web for {t} and save what you find in {p}|look up {t} online and write it to {p}|find news about {t} and put it into {p}|google {t} and save the result to {p}|search for {t} on the web, then write the gist to {p}""")


def search_save(c):
    r = c.r
    topic, path = r.topic(), r.path(["txt", "md"])
    c.say(speak(r, r.phrase(SEARCH_SAVE), {"t": topic, "p": path}, typos=False)[0])
    t = "news " + topic if "find news about" in c.msgs[-1]["content"].lower() else topic
    c.call("First I search for %s, then I write it to %s." % (topic, path), [make_call("web_search", {"query": t})])
    text = news(r, topic)
    c.result("web_search", search_text(c, [hit(r, title(r, topic), text)]))
    write_done(c, {"path": path, "content": text}, "two_tools", "The search found it; now I write it to %s." % path)
    c.about = None
    c.done()


RECALL_WEB = P("""look up my {k}'s city and search the web for news there|where does my {k} live? and what's new there?|search for news from the place where my {k} lives|find news about the town of my {k}""")


def recall_web(c):
    """The memory first, then the web with what it said."""
    r = c.r
    kin, city = r.entity(personal.KIN), r.city()
    c.say(speak(r, r.phrase(RECALL_WEB), {"k": kin}, typos=False)[0])
    c.call("I need to know where their %s lives; the memory may say." % kin, [make_call("memory_read", {"query": kin})])
    c.result("memory_read", memory_result(r, [(kin, "My %s lives in %s." % (kin, city))]))
    c.call("It is %s; now I search for news from there." % city, [make_call("web_search", {"query": "news " + city})], "two_tools")
    topic = r.entity(lex.TOPICS)
    text = news(r, topic)
    best = hit(r, "News from " + city, text)
    c.result("web_search", search_text(c, [best]))
    c.answer("I have the place and the news.", "Your %s lives in %s. %s (%s)" % (kin, city, first_sentence(text), best["url"]), check_text("extraction", [city]))
    c.about = None
    c.done()


# --- failures ---

ASK_FILE = P("read {p}|what's in {p}?|open {p} please|show me {p}|what does {p} say?|I need the text of {p}|cat {p}|can you look at {p}?|print {p}|the contents of {p}")


def not_found(c):
    """A file that is not there: list the folder, and try again where one is near."""
    r = c.r
    folder = r.folder(0.2)
    stem, ext = r.stem(), r.pick(["txt", "md", "yaml", "json", "log"])
    path = folder + "/" + stem + "." + ext
    c.say(speak(r, r.phrase(ASK_FILE), {"p": path}, typos=False)[0])
    c.call("They want to see %s, so I read it." % path, [make_call("fs_read", {"path": path})])
    c.result("fs_read", "%s does not exist. What helps: use fs_list to see which files there are" % c.path(path), failed=True)
    if not c.has("fs_list"):
        c.answer("It is not there; I say so.", "%s does not exist. Tell me another name, or where it is." % path, check_text("errors", [path, "not exist"]))
        c.about = None
        return c.done()
    c.call("%s is not there, so I list %s." % (path, folder), [make_call("fs_list", {"path": folder})], "errors")
    names = [n for n in entries(r, r.int(2, 4)) if not n.endswith("/")]
    near = r.chance(0.5)
    if near:
        other = stem + "." + r.pick([e for e in ("txt", "md", "yaml", "json", "log", "csv") if e != ext])
        names = sorted(set(names + [other]))
    c.result("fs_list", list_text(r, c.path(folder), names))
    if near:
        full = folder + "/" + other
        c.call("%s is near what they asked for; I read that." % other, [make_call("fs_read", {"path": full})], "errors")
        f = files.any_file(r)
        text, cut = files.read_result(c, full, f.text)
        c.result("fs_read", text, cut=cut)
        ans, key = show_text(full, f.text)
        c.answer("I read the file that is there and say that it has another name.", "%s does not exist, but %s does. %s" % (path, full, ans), check_text("errors", [full, key]))
        c.about = ("file", full, f)
    else:
        c.answer("It is not there; I say what is.", "%s does not exist. %s" % (path, say_list(folder, names)), check_text("errors", [path] + names[:1]))
        c.about = ("list", folder, folder, names)
    c.done()


def denial(r, name, arg):
    """A decision of the policy, in the broker's words."""
    return r.pick([
        'Denied by the layer paths (outside). "%s" (path) lies outside what this agent may read. What would allow it: a folder that holds it in agent_types.chat.allowed_paths.read, within those of the agents above.' % arg,
        "Denied by the layer manifest (not_allowed). An agent of type chat may not use %s. What would allow it: --grant chat:%s, or %s in agent_types.chat.allowed_tools." % (name, name, name),
        "Denied by the layer approval (high_risk). The person said no. What would allow it: a person's approval.",
        "Denied by the layer override (disabled). The person has switched %s off. What would allow it: take %s off the disabled tools of the session." % (name, name),
        "Denied by the layer labels (sends). This run has seen outside content and private data: what %s sends out was neither typed by the person nor found by a search. What would allow it: a person's approval, or only what the person typed." % name,
        "Denied by the layer approval (unattended). %s runs code or changes the system. Nobody is there to be asked. What would allow it: running it with a person present, who approves it." % name,
        "Denied by the layer limits (calls). This task has used up its %d tool calls. What would allow it: a higher limits.calls in the manifest." % r.int(5, 90),
    ])


READERS = ("fs_read", "web_search", "web_fetch", "memory_read", "notes_search")


def wish(c, names=READERS + ("fs_write", "run_code", "fs_list", "calendar_read")):
    """A wish for one of the tools on offer: (words, call, what it is about)."""
    r = c.r
    have = [n for n in names if c.has(n)]
    if not have:
        return None
    name = r.pick(have)
    path, topic = r.path(), r.topic()
    if name == "fs_read":
        return speak(r, r.phrase(ASK_FILE), {"p": path})[0], make_call(name, {"path": path}), path
    if name == "fs_write":
        text = written(r)
        return fill(r.pick(["write {t} to {p}", "save {t} in {p}", "put {t} into {p}"]), {"t": text, "p": path}), make_call(name, {"path": path, "content": text}), path
    if name == "web_search":
        return fill(r.pick(["search the web for {t}", "google {t}", "look up {t} online", "web search: {t}"]), {"t": topic}), make_call(name, {"query": topic}), topic
    if name == "web_fetch":
        u = r.url()
        return fill(r.pick(["open {u}", "read {u}", "fetch {u}", "what does {u} say?"]), {"u": u}), make_call(name, {"url": u}), u
    if name == "run_code":
        x = r.word()
        return fill(r.pick(["print {x} with python", "run code: print {x}", "execute code to print {x}"]), {"x": x}), make_call(name, {"language": "python", "code": 'print("%s")' % x}), "the program"
    if name == "fs_list":
        f = r.folder()
        return fill(r.pick(["list {f}", "what's in {f}?", "ls {f}", "show me the files in {f}"]), {"f": f}), make_call(name, {"path": f}), f
    if name == "calendar_read":
        return r.pick(["what's on today?", "do I have any appointments today?", "am I busy today?"]), make_call(name, {"from": "today", "to": "today"}), "your calendar"
    if name == "notes_search":
        return fill(r.pick(["search my notes for {t}", "what do my notes say about {t}?", "find {t} in my notes"]), {"t": topic}), make_call(name, {"query": topic}), topic
    return fill(r.pick(["what do you remember about {t}?", "search your memory for {t}", "what did I tell you about {t}?"]), {"t": topic}), make_call(name, {"query": topic}), topic


def denied(c):
    """The policy says no: it is said, and not tried again."""
    w = wish(c)
    if w is None:
        return not_allowed_here(c)
    r, (said, call, what) = c.r, w
    c.say(said)
    c.call("They want this done; %s does it." % call["name"], [call])
    text = denial(r, call["name"], what)
    c.denied(call["name"], text)
    reason = text.split("). ", 1)[1].split(" What would allow it")[0]
    allows = text.split("What would allow it: ", 1)[1] if "What would allow it" in text else ""
    ans = "I was not allowed to do that: %s" % reason + (" What would allow it: %s" % allows if allows and len(allows) < 140 else "")
    c.answer("It was denied; I say so and do not try again.", ans, check_text("errors", [reason.rstrip(".")]))
    c.about = None
    c.done()


def not_allowed_here(c):
    from .chat_talk import impossible
    return impossible(c)


UNAVAILABLE = ["the work failed", "it did not answer in time", "the hall is stopping", "the disk is full", "no folder may be used here. What helps: allow a folder for this agent type and tool in the manifest"]
FS_FAIL = ["{p} is a folder", "{p} may not be used by this account", "{p} is binary data of 2.1 MB, not text", "a part of {p} is not a folder", "{p} cannot be used: it leads out of the allowed folder, or the system refuses it", "{p} is read-only. What helps: make it writable first"]


def failed(c):
    """A tool that fails: the error is quoted, and what would help."""
    w = wish(c)
    if w is None:
        return not_allowed_here(c)
    r, (said, call, what) = c.r, w
    name = call["name"]
    c.say(said)
    c.call("They want this done; %s does it." % name, [call])
    if name.startswith("web"):
        why = r.pick(WEB_FAIL)
        text = name + " failed: " + why
    elif name.startswith("fs"):
        text = why = fill(r.pick(FS_FAIL if name == "fs_write" else FS_FAIL[:-1]), {"p": c.path(what)})
    elif name == "notes_search":
        text = why = "no folder of notes is set up. What helps: name the folder of your notes in the configuration"
    elif name == "calendar_read":
        text = why = "no calendar is set up. What helps: name .ics files or folders of them in the configuration"
    elif name == "memory_read":
        why = r.pick(["it is not configured", "the store is locked", "the disk is full"])
        text = "The memory says: %s." % why
    else:
        text = why = r.pick(["the time limit was reached", 'There is no "python" in the sandbox. There is: shell.', "the sandbox does not hold on this machine"])
    un = r.chance(0.3)
    c.result(name, text, failed=not un, unavailable=un)
    first, _, help_ = why.partition(". What helps: ")
    first, _, more = first.partition("; ")
    help_ = help_ or more
    ans = "That did not work: %s." % first.rstrip(".") + (" What helps: %s." % help_ if help_ else "")
    c.answer("The tool failed; I quote why.", ans, check_text("errors", [first.rstrip(".")]))
    c.about = None
    c.done()


def calc_failed(c):
    r = c.r
    a = number(r)
    c.say(speak(r, r.pick(["what is {a} divided by 0?", "{a} / 0", "divide {a} by zero"]), {"a": a})[0])
    c.call("A sum: I let calculate work it out.", [make_call("calculate", {"expression": a + " / 0"})])
    c.result("calculate", "a division by zero has no value", failed=True)
    c.answer("It has no value; I say so.", "%s / 0 cannot be calculated: a division by zero has no value." % a, check_text("errors", ["division by zero"]))
    c.about = None
    c.done()


# --- the hall's notes ---

NO_TOOLS = HALL["text"]["engine.noTools"]
NUDGE = HALL["text"]["engine.sayNudge"]
EMPTY = HALL["text"]["engine.sayEmpty"]


def last_round(c):
    """After a call the hall says that no tool can be called any more."""
    w = wish(c, READERS)
    if w is None:
        return not_allowed_here(c)
    r, (said, call, what) = c.r, w
    name = call["name"]
    c.say(said)
    c.call("They want this done; %s does it." % name, [call])
    s = facts.Sheet(r)
    a = r.pick(s.attrs)
    got = r.chance(0.5)
    if got:
        text = s.text(r, 0.2)
        c.result(name, text)
    else:
        c.result(name, "the work failed", failed=True)
    c.msgs.append({"role": "user", "content": NO_TOOLS, "_note": True})
    c.no_tools = True
    if got:
        c.answer("No tool may be called now; I answer with what I have.", "I found this: %s" % first_sentence(text), check_text("extraction", [first_sentence(text).rstrip(".")]))
    else:
        c.answer("No tool may be called now; I say what is missing.", "I could not finish this: %s failed, and what is missing is its result." % name, check_text("errors", [name]))
    c.about = None
    c.done()


REFUSED = ["[not run] The same call was made 3 times. Use the results that are there.", "[not run] The budget of tool calls is used up.", "[interrupted] No result of this call was recorded. It may have taken effect: verify side effects before calling again.",
           "[not run] The run was stopped before this call began.", "[no output]", "[outcome unknown, verify side effects]"]


def refused(c):
    """The hall did not run a call."""
    w = wish(c)
    if w is None:
        return not_allowed_here(c)
    r, (said, call, what) = c.r, w
    c.say(said)
    c.call("They want this done; %s does it." % call["name"], [call])
    text = r.pick(REFUSED)
    c.msgs.append(tool(call["name"], text))
    say = {"[not run] The same": "The same call was made too often, so it was not run again.", "[not run] The budget": "The budget of tool calls is used up, so %s was not run." % call["name"], "[interrupted]": "The call was interrupted; it may have taken effect, so please check before you ask again.",
           "[not run] The run": "The run was stopped before the call began, so nothing was done.", "[no output]": "%s gave no output." % call["name"], "[outcome unknown": "It is unknown whether that worked; please check it."}
    ans = next(v for k, v in say.items() if text.startswith(k))
    c.answer("The call brought no result; I say so.", ans, check_text("errors", [ans.split(",")[0].split(";")[0].rstrip(".")]))
    c.about = None
    c.done()
