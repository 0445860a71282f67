"""What to do when a tool fails, finds nothing or may not be used."""
from . import asks, asks_files, files, frames
from .chat_call import file_name, make_call, number, searched_piece, slots_for, spoken, written
from .chat_files import entries, list_text, say_list, show_text
from .chat_talk import impossible, web_failure
from .chat_write import OVER
from .chat_write import wish as write_wish
from .conv import speak
from .frames import PIECES
from .messages import check_text
from .phrases import phrasings
from .sections import more
from .slots import fill, slots_of

# --- failures ---

ASK_FILE = more(phrasings("read {p}|what's in {p}?|open {p} please|show me {p}|what does {p} say?|I need the text of {p}|cat {p}|can you look at {p}?|print {p}|the contents of {p}"), PIECES["ASK_FILE"])


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
        c.answer("It is not there; I say so.", "%s does not exist. Tell me another name, or where it is." % path,
                 check_text("errors", [path, "not exist"]))
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
        c.answer("I read the file that is there and say that it has another name.",
                 "%s does not exist, but %s does. %s" % (path, full, ans), check_text("errors", [full, key]))
        c.about = ("file", full, f)
    else:
        c.answer("It is not there; I say what is.", "%s does not exist. %s" % (path, say_list(folder, names)),
                 check_text("errors", [path] + names[:1]))
        c.about = ("list", folder, folder, names)
    c.done()


def denial(r, name, arg):
    """A decision of the policy, in the broker's words."""
    return r.pick(([] if not name.startswith("fs_") else [
        'Denied by the layer paths (outside). "%s" (path) lies outside what this agent may read. What would allow it: a folder that holds it in agent_types.chat.allowed_paths.read, within those of the agents above.' % arg]) + [
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
    if name in PLAIN_WISH:
        return plain_wish(r, name)
    if name == "fs_write":
        path, text = file_name(r), written(r)
        t, slots = write_wish(r, OVER, text, path)
        return speak(r, t, slots, typos=False, frame=False)[0], make_call(name, {"path": path, "content": text}), path
    if name == "web_search":
        t, piece = frames.web_search(r)
        q = searched_piece(r, piece, slots_for(r, piece))
        return speak(r, t, {"q": q}, typos=False)[0], make_call(name, {"query": q}), q
    if name == "run_code":
        x = r.word()
        return (speak(r, r.phrase(PRINT_WISH), {"x": x}, typos=False)[0],
                make_call(name, {"language": "python", "code": 'print("%s")' % x}), "the program")
    return speak(r, r.phrase(TODAY_WISH))[0], make_call(name, {"from": "today", "to": "today"}), "your calendar"


# tool: its phrasings, its argument and the only slot they may have
PLAIN_WISH = {"fs_read": (asks_files.FS_READ, "path", "path"), "web_fetch": (asks.WEB_FETCH, "url", "url"),
              "fs_list": (asks_files.FS_LIST, "path", "folder"), "notes_search": (asks.NOTES, "query", "topic"),
              "memory_read": (asks.MEMORY_READ, "query", "topic")}
PRINT_WISH = phrasings("print {x} with python|run code: print {x}|execute code to print {x}|run a python program that prints {x}|use python to print {x}|write and run code that prints {x}|let python print {x}|run a small program that prints {x}")
TODAY_WISH = phrasings("what's on today?|do I have any appointments today?|am I busy today?|what's in my calendar today?|show me today's appointments|any meetings today?|what do I have today?|read my calendar for today|is there anything in my calendar today?|what appointments are there today?")


def plain_wish(r, name):
    """A phrasing with one slot: what is said, the call and the slot's value."""
    phrases, key, only = PLAIN_WISH[name]
    for _ in range(20):
        t, arg = frames.ask(r, name, phrases)
        if slots_of(t) == [only] and (arg is None or arg == "{%s}" % only):
            break
    else:
        t = {"fs_read": "read {path}", "web_fetch": "open {url}", "fs_list": "list {folder}",
             "notes_search": "search my notes for {topic}"}.get(name, "what do you remember about {topic}?")
    s = slots_for(r, t)
    return speak(r, t, spoken(r, t, s), typos=False)[0], make_call(name, {key: s[only]}), s[only]


def asked(c, *of):
    """A wish, and the call of it with what it names. None where no tool on offer fits: then what cannot be done was asked."""
    w = wish(c, *of)
    if w is None:
        impossible(c)
        return None
    said, call, what = w
    c.say(said)
    c.call("They want this done; %s does it." % call["name"], [call])
    return call, what


def denied(c):
    """The policy says no: it is said, and not tried again."""
    w = asked(c)
    if w is None:
        return
    r, (call, what) = c.r, w
    text = denial(r, call["name"], what)
    c.denied(call["name"], text)
    reason = text.split("). ", 1)[1].split(" What would allow it")[0]
    allows = text.split("What would allow it: ", 1)[1] if "What would allow it" in text else ""
    ans = "I was not allowed to do that: %s" % reason + (" What would allow it: %s" % allows if allows and len(allows) < 140 else "")
    c.answer("It was denied; I say so and do not try again.", ans, check_text("errors", [reason.rstrip(".")]))
    c.about = None
    c.done()


FS_FAIL = ["{p} is a folder", "{p} may not be used by this account", "{p} is binary data of 2.1 MB, not text", "a part of {p} is not a folder", "{p} cannot be used: it leads out of the allowed folder, or the system refuses it", "{p} is read-only. What helps: make it writable first"]


def failed(c):
    """A tool that fails: the error is quoted, and what would help."""
    w = asked(c)
    if w is None:
        return
    r, (call, what) = c.r, w
    name, help_ = call["name"], ""
    if name.startswith("web"):
        text, why, help_ = web_failure(r, name)
    elif name.startswith("fs"):
        text = why = fill(r.pick(FS_FAIL if name == "fs_write" else FS_FAIL[:-1]), {"p": c.path(what)})
    elif name == "notes_search":
        text = why = "no folder of notes is set up. What helps: name the folder of your notes in the configuration."
    elif name == "calendar_read":
        text = why = "no calendar is set up. What helps: name .ics files or folders of them in the configuration."
    elif name == "memory_read":
        why = r.pick(["it is not configured", "the store is locked", "the disk is full"])
        text = "The memory says: %s." % why
    else:
        text = why = r.pick(["the time limit was reached", 'There is no "python" in the sandbox. There is: shell.',
                             "the sandbox does not hold on this machine"])
    un = r.chance(0.3)
    c.result(name, text, failed=not un, unavailable=un)
    first, _, more = why.partition(". What helps: ")
    help_ = (help_ or more).rstrip(".")
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
    c.answer("It has no value; I say so.", "%s / 0 cannot be calculated: a division by zero has no value." % a,
             check_text("errors", ["division by zero"]))
    c.about = None
    c.done()
