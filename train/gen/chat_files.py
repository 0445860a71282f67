"""Reading, listing, searching and writing files."""
from . import asks, files, lex
from .base import Phrases, check_text, fill, slots_of
from .chat_call import about_topic, arguments, make_call, slots_for
from .conv import speak, thinks, upper_first


READ_THINK = thinks("""They want to see {path}, so I read it.
The file {path} is asked for; fs_read gives its text.
I read {path} to know what it says.
To answer I need the text of {path}.
What stands in {path} I can read with fs_read.""")
KEY_THINK = thinks("""The answer stands in {path}, so I read that file.
They ask about something in {path}; I read it first.
I look into {path} for it.
That is written in {path}, which I read.
I need {path} to answer, so I call fs_read.""")
FOUND_THINK = thinks("""The file says it; I answer from it.
It stands in the text that I read.
I see it in the file and say it.
The result holds what they asked for.""")


def show_text(path, text, whole=None):
    """The answer to a plain wish to read: the text, or its beginning."""
    lines = text.split("\n")
    if len(text) <= 320:
        return "%s says:\n%s" % (path, text), lines[0]
    return "%s has %d lines. It begins:\n%s" % (path, whole or len(lines), "\n".join(lines[:3])), lines[0]


def quoted(r, path):
    """A path as it is typed: now and then in quotes."""
    return r.pick(('"%s"', "'%s'", "`%s`")) % path if " " in path or r.chance(0.06) else path


def fs_read(c):
    r = c.r
    f = files.any_file(r)
    path = r.path([f.ext]) if r.chance(0.9) else r.path()
    if r.chance(0.04):
        path = r.noun() + " " + path
    if f.qa and r.chance(0.6):
        t, s, ans, keys = r.pick(f.qa)
        tpl = r.phrase(t)
        said = speak(r, tpl, dict(s, path=quoted(r, path)))[0]
        c.say(said)
        c.call(fill(r.pick(KEY_THINK), {"path": path}), [make_call("fs_read", {"path": path})])
        text, cut = files.read_result(c, path, f.text)
        c.result("fs_read", text, cut=cut)
        c.answer(r.pick(FOUND_THINK), fill(ans, {"path": path}), check_text("extraction", keys))
    else:
        t, _ = r.phrase(asks.FS_READ)
        if set(slots_of(t)) - {"path", "folder"}:
            return fs_mentions(c, t, path)
        c.say(speak(r, t, slots_for(r, t, {"path": quoted(r, path)}))[0])
        c.call(fill(r.pick(READ_THINK), {"path": path}), [make_call("fs_read", {"path": path})])
        text, cut = files.read_result(c, path, f.text)
        c.result("fs_read", text, cut=cut)
        ans, key = show_text(path, f.text)
        c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
    c.about = ("file", path, f)
    c.done()


def fs_mentions(c, t, path):
    """Whether a file says something about a subject."""
    r = c.r
    s = slots_for(r, t, {"path": path})
    about = next(s[k] for k in slots_of(t) if k != "path")
    c.say(speak(r, t, s)[0])
    c.call(fill(r.pick(KEY_THINK), {"path": path}), [make_call("fs_read", {"path": path})])
    lines = [r.sentence() for _ in range(r.int(1, 4))]
    hit = about_topic(r, about) if r.chance(0.75) else ""
    if hit:
        lines.insert(r.int(0, len(lines)), hit)
    text = ("\n" if r.chance(0.5) else " ").join(lines)
    body, cut = files.read_result(c, path, text)
    c.result("fs_read", body, cut=cut)
    if hit:
        c.answer(r.pick(FOUND_THINK), "%s says about %s: %s" % (path, about, hit), check_text("extraction", [hit[:-1]]))
    else:
        c.answer("The file says nothing about it.", "%s says nothing about %s." % (path, about), check_text("extraction", ["nothing", about]))
    c.about = ("file", path, files.File(text, "txt", []))
    c.done()


def fs_read_lines(c):
    r = c.r
    path, (t, arg) = r.path(), r.phrase(asks.FS_READ_LINES)
    total = r.int(6, 30)
    s = {"path": path, "n": r.int(1, 5), "k": r.int(2, total - 1)}
    c.say(speak(r, t, s)[0])
    args = arguments("fs_read", arg, s, "path")
    c.call("Only a part of %s is asked for, so I read just those lines." % path, [make_call("fs_read", args)])
    text = "\n".join(r.sentence() for _ in range(total))
    n = args.get("limit", 0)
    body, cut = files.read_result(c, path, text, args.get("offset", 1), n or min(total, 6))
    if not n:
        body, cut = files.read_result(c, path, text, args.get("offset", 1), 0)
    c.result("fs_read", body, cut=cut)
    shown = body.split(":\n", 1)[1].rstrip("\n").split("\n")
    if len(shown) > 5:
        ans = "From line %d on %s says:\n%s" % (args.get("offset", 1), path, "\n".join(shown[:3]))
    else:
        ans = "%s says there:\n%s" % (path, "\n".join(shown))
    c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [shown[0]]))
    c.about = ("file", path, files.File(text, "txt", []))
    c.done()


FILE_AGAIN = Phrases("""read it again|show it once more|what did it say again?|open that file again|once more please, the same file|can you read that file again?|
read that again|let me see it again|show me that file one more time|again, what's in it?|print it again|reread it""".replace("\n", "").split("|"))


def file_again(c):
    """The file before once more."""
    r, (_, path, f) = c.r, c.about
    c.say(speak(r, r.phrase(FILE_AGAIN))[0])
    c.call("They mean %s, so I read it again." % path, [make_call("fs_read", {"path": path})], "pronouns")
    text, cut = files.read_result(c, path, f.text)
    c.result("fs_read", text, cut=cut)
    ans, key = show_text(path, f.text)
    c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
    c.done()


FILE_NEXT = Phrases("""and the {key}?|what about the {key}?|and {key}?|now the {key}|which {key} does it have?|what is its {key}?|also the {key} please|
and what's the {key} there?|how about {key}|does it say the {key} too?|the {key} as well|ok, and the {key}?""".replace("\n", "").split("|"))


def file_next(c):
    """Another key of the file that was read: it stands in the conversation."""
    r, (_, path, f) = c.r, c.about
    rest = [q for q in f.qa if "key" in q[1]]
    if not rest:
        return file_again(c) if c.has("fs_read") else None
    _, s, ans, keys = r.pick(rest)
    c.say(speak(r, r.phrase(FILE_NEXT), s)[0])
    c.answer("They mean the %s in %s, which I have read already." % (s["key"], path), fill(ans, {"path": path}), check_text("pronouns", keys))
    c.done()


LIST_THINK = thinks("""They want to know what is in {f}, so I list it.
A listing of {f} is asked for; fs_list gives it.
I look into {f} with fs_list.
Which files are there fs_list can tell.""")


def entries(r, n=None):
    out = []
    for _ in range(n or r.int(1, 7)):
        if r.chance(0.2):
            out.append(r.entity(lex.FOLDERS) + "/")
        else:
            out.append(r.stem() + "." + r.pick(lex.EXT_TEXT))
    return sorted(dict.fromkeys(out))


def list_rows(r, names):
    """Names with their size and day."""
    return [(n, r.int(12, 90000), r.day()) for n in names]


def list_text(r, shown, names, rows=None):
    if not names:
        return shown + " is empty."
    body = "".join(n + "\n" if n.endswith("/") else "%s (%s, %s)\n" % (n, files.size_words(k), d) for n, k, d in rows or list_rows(r, names))
    return "%s has %d entries:\n%s" % (shown, len(names), body)


def list_special(t, where, names, rows):
    """The answer to a question about a listing that is more than its entries; None for a plain one."""
    low, plain = t.lower(), [x for x in rows if not x[0].endswith("/")]
    if "folder" in low and any(w in low for w in ("which folders", "what folders", "list the folders", "show the folders", "only the folders", "subfolders")):
        found = [n for n in names if n.endswith("/")]
        return ("%s holds these folders: %s." % (where, ", ".join(found)), found[:2]) if found else ("There are no folders in %s." % where, ["no folders"])
    if not plain:
        return None
    if any(w in low for w in ("newest", "most recent", "latest", "changed last", "last changed", "youngest")):
        best = max(plain, key=lambda x: x[2])
        return "The newest file in %s is %s, from %s." % (where, best[0], best[2]), [best[0]]
    if any(w in low for w in ("oldest",)):
        best = min(plain, key=lambda x: x[2])
        return "The oldest file in %s is %s, from %s." % (where, best[0], best[2]), [best[0]]
    if any(w in low for w in ("largest", "biggest", "most space")):
        best = max(plain, key=lambda x: x[1])
        return "The largest file in %s is %s with %s." % (where, best[0], files.size_words(best[1])), [best[0]]
    return None


def say_list(where, names):
    if not names:
        return where + " is empty."
    if len(names) == 1:
        return "%s holds one entry: %s." % (where, names[0])
    return "%s holds %d entries: %s and %s." % (where, len(names), ", ".join(names[:-1]), names[-1])


def fs_list(c, group="builtin_tools"):
    r = c.r
    t, arg = r.phrase(asks.FS_LIST)
    s = slots_for(r, t, {"n": r.int(2, 5)})
    args = arguments("fs_list", arg, s, "path") if arg is not None else ({"path": s["folder"]} if "folder" in s else {})
    c.say(speak(r, t, s)[0])
    where = s.get("folder") if args.get("path") else "the working folder"
    c.call(fill(r.pick(LIST_THINK), {"f": where}), [make_call("fs_list", args)], group)
    names = entries(r) if r.chance(0.93) else []
    about = s.get("topic") or s.get("thing")
    hit = ""
    if about and r.chance(0.5):
        hit = about.replace(" ", r.pick("-_")).lower() + "." + r.pick(lex.EXT_TEXT)
        names = sorted(set(names + [hit]))
    if args.get("hidden") and names:
        names.insert(0, r.pick((".env", ".git/", ".cache/", ".profile")))
    rows = list_rows(r, names)
    c.result("fs_list", list_text(r, c.path(args.get("path", ".")), names, rows))
    special = list_special(t, where, names, rows) if names else None
    if about and hit:
        special = "Yes, %s holds %s." % (where, hit), [hit]
    elif about:
        special = "No, I see nothing about %s there. %s" % (about, say_list(where, names)), ["No"]
    if special:
        c.answer("The listing shows it.", upper_first(special[0]) if special[0].startswith("the ") else special[0], check_text("extraction", special[1]))
        c.about = ("list", where, args.get("path", ""), names)
        return c.done()
    c.answer(r.pick(["The listing is there; I say what it holds.", "I see the entries and name them.", "The folder's contents are in the result."]),
             say_list("The working folder" if where == "the working folder" else where, names), check_text("extraction", names[:3] or ["empty"]))
    c.about = ("list", where, args.get("path", ""), names)
    c.done()


ORDINALS = ["first", "second", "third", "fourth", "last"]
OPEN_NTH = Phrases("""read the {o} one|open the {o} one|show me the {o} one|what's in the {o} one?|what does the {o} one say?|the {o} one please, open it|
open the {o} file|read the {o} file in it|and what's in the {o} file?|let me see the {o} one|take the {o} and read it|now open the {o} of them""".replace("\n", "").split("|"))


def open_listed(c):
    """A file of the listing before, by its place or name."""
    r, (_, where, folder, names) = c.r, c.about
    plain = [n for n in names if not n.endswith("/")]
    if len(plain) < len(names) or not plain:
        return fs_read(c)
    if r.chance(0.6):
        i = r.int(0, min(3, len(names) - 1))
        o = ORDINALS[i]
        if i == len(names) - 1 and i > 0 and r.chance(0.5):
            o = "last"
        said = speak(r, r.phrase(OPEN_NTH), {"o": o})[0]
    else:
        i = r.int(0, len(names) - 1)
        said = speak(r, r.pick(["open {n}", "read {n}", "what's in {n}?", "and {n}?", "show me {n} then", "what does {n} say"]), {"n": names[i]})[0]
    path = folder.rstrip("/") + "/" + names[i] if folder else names[i]
    c.say(said)
    c.call("They mean %s from the listing, so I read %s." % (names[i], path), [make_call("fs_read", {"path": path})], "pronouns")
    f = files.any_file(r)
    text, cut = files.read_result(c, path, f.text)
    c.result("fs_read", text, cut=cut)
    ans, key = show_text(path, f.text)
    c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
    c.about = ("file", path, f)
    c.done()


SEARCH_THINK = thinks("""They look for {w} in files, so I search for it.
fs_search finds where {w} stands.
I search the files for {w}.
To find {w} I call fs_search.""")


def matches(r, word, n, path=None):
    out = []
    for _ in range(n):
        line = r.sentence()
        at = r.int(0, 2)
        w = line.rstrip(".").split(" ")
        w.insert(min(at + 1, len(w)), word)
        out.append((path or r.path().lstrip("~/."), r.int(1, 200), " ".join(w)))
    return out


def fs_search(c):
    r = c.r
    t, arg = r.phrase(asks.FS_SEARCH)
    s = slots_for(r, t)
    args = arguments("fs_search", arg, s, "pattern") if arg is not None else {"pattern": s.get("word", "")}
    word = args.get("pattern") or s.get("word", "")
    args["pattern"] = word
    c.say(speak(r, t, s, typos=False)[0])
    c.call(fill(r.pick(SEARCH_THINK), {"w": word}), [make_call("fs_search", args)])
    n = r.weighted([(2, 0), (5, 1), (3, 2), (2, 3), (1, 5)])
    shown = c.path(args.get("path", "."))
    if n == 0:
        c.result("fs_search", "Nothing found in %d files of %s." % (r.int(1, 200), shown))
        c.answer("Nothing was found, and I say so.", "%s was not found in the files." % word if not args.get("path") else "%s was not found in %s." % (word, args["path"]), check_text("extraction", [word, "not found"]))
        c.about = None
    else:
        found = matches(r, word, n, args.get("path") if "{path}" in t else None)
        c.result("fs_search", "%d matches in %s:\n" % (n, shown) + "".join("%s:%d: %s\n" % m for m in found))
        if n == 1:
            ans = "%s stands in %s, line %d: %s" % ((word,) + found[0])
        else:
            ans = "%s was found in %d places: %s." % (word, n, "; ".join("%s line %d" % m[:2] for m in found))
        c.answer(r.pick(["The matches are there; I name file and line.", "I say where it was found.", "The search found it, so I give the places."]), ans, check_text("extraction", [found[0][0], found[0][1]]))
        c.about = ("list", "the matches", "", [m[0] for m in found]) if not args.get("path") else None
    c.done()


WRITE_THINK = thinks("""They want it written to {path}, so I call fs_write.
The text goes into {path}; fs_write does that.
I write it to {path} as they say.
{path} is to be written, so I use fs_write.""")


def quote_safe(t, text):
    return '"{text}"' in t or "“{text}" in t


def fs_write(c):
    r = c.r
    mode = r.pick(("overwrite", "append", "create", "replace", "overwrite", "append"))
    if mode == "replace":
        return fs_replace(c)
    t, arg = r.phrase({"overwrite": asks.FS_OVERWRITE, "append": asks.FS_APPEND, "create": asks.FS_CREATE}[mode])
    s = slots_for(r, t)
    if isinstance(arg, dict):
        args = arguments("fs_write", arg, s, "content")
    else:
        args = {"path": s.get("path", ""), "content": fill(arg, s) if arg else s.get("text", "")}
        if mode != "overwrite":
            args["mode"] = mode
    if not args.get("path") or "content" not in args:
        return fs_read(c)
    c.say(speak(r, t, s, typos=False, frame=False)[0])
    c.about = ("file", args["path"], files.File(write_done(c, args), "txt", []))
    c.done()


def write_done(c, args, group="builtin_tools", think=None):
    """The call, its result and the answer of a file that is written."""
    r, path, text = c.r, args["path"], args["content"]
    c.call(think or fill(r.pick(WRITE_THINK), {"path": path}), [make_call("fs_write", args)], group)
    n, mode, whole = len(text.encode()), args.get("mode", "overwrite"), text
    if mode == "append" or mode == "overwrite" and r.chance(0.25):
        old = r.entity(lex.TASKS)
        was = len(old) + 1
        if mode == "append":
            whole = old + "\n" + text
            c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, 2 lines (UTF-8).\n@@ -1 +1 @@\n %s\n+%s\n" % (c.path(path), was, was + n, old, text))
        else:
            c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -1 +1 @@\n-%s\n+%s\n" % (c.path(path), was, n, text.count("\n") + 1, old, text))
    else:
        c.result("fs_write", "Created %s: %d bytes, %d lines.\n" % (c.path(path), n, text.count("\n") + 1))
    done = {"append": 'Done: I added "%s" to %s.', "create": 'Done: I created %s with "%s".', "overwrite": 'Done: %s now says "%s".'}[mode]
    if len(text) > 160:
        ans = "Done: I wrote it to %s." % path
    else:
        ans = done % ((text, path) if mode == "append" else (path, text))
    c.answer(r.pick(["The file is written; I say so.", "It worked, which I report.", "The tool says that it changed the file."]), ans, check_text("extraction", [path]))
    return whole


def fs_replace(c):
    r = c.r
    t, arg = r.phrase(asks.FS_REPLACE)
    s = slots_for(r, t)
    if r.chance(0.3):
        s["old"], s["new"] = str(r.int(2, 999)), str(r.int(2, 999))
    elif r.chance(0.2):
        s["old"], s["new"] = r.word() + " " + r.noun(), r.word() + " " + r.noun()
    args = arguments("fs_write", arg, s, "path") if isinstance(arg, dict) else {"path": s["path"], "mode": "replace-text", "old_text": s["old"], "new_text": s["new"]}
    args["mode"] = "replace-text"
    c.say(speak(r, t, s, typos=False)[0])
    path = args["path"]
    c.call("In %s one text is to become another, so I use fs_write with replace-text." % path, [make_call("fs_write", args)])
    if r.chance(0.85):
        n = r.int(40, 900)
        c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -1 +1 @@\n-%s\n+%s\n" % (
            c.path(path), n, n + len(args["new_text"]) - len(args["old_text"]), r.int(1, 30), args["old_text"], args["new_text"]))
        c.answer("The change is made; I say so.", 'Done: in %s, "%s" is now "%s".' % (path, args["old_text"], args["new_text"]), check_text("extraction", [path, args["new_text"]]))
    else:
        why = r.pick(["old_text does not stand in the file. What helps: read the file and copy the text exactly, with its spaces and line ends",
                      "old_text stands in the file 2 times (counted up to 100). What helps: give more of the text around it, so that it is found once"])
        c.result("fs_write", why, failed=True)
        first = why.split(". What helps")[0]
        c.answer("It failed; I say why and what would help.", "%s was not changed: %s. Tell me the exact text as it stands in the file." % (path, first.replace("old_text", '"%s"' % args["old_text"])), check_text("errors", [path]))
    c.about = None
    c.done()


SAVE_THAT = Phrases("""save that to {path}|write that to {path}|put that into {path}|store this in {path}|save it as {path}|write it down in {path}|
keep that in {path}|note that in {path}|save the answer to {path}|put it in {path} please|write your answer into {path}|can you save that in {path}?""".replace("\n", "").split("|"))
ADD_THAT = Phrases("add that to {path}|append that to {path}|add it to {path}|put that at the end of {path}|append your answer to {path}|add this at the end of {path}".split("|"))


def save_that(c):
    """What was answered goes into a file."""
    r = c.r
    last = next((m for m in reversed(c.msgs) if m["role"] == "assistant" and m["content"]), None)
    if not last or len(last["content"]) > 200 or "\n" in last["content"]:
        return fs_write(c)
    path, add = r.path(["txt", "md", "txt", "md", "log"]), r.chance(0.35)
    c.say(speak(r, r.phrase(ADD_THAT if add else SAVE_THAT), {"path": path})[0])
    args = {"path": path, "content": last["content"]}
    if add:
        args["mode"] = "append"
    write_done(c, args, "pronouns", "They want my last answer in %s, so I write it there." % path)
    c.done()
