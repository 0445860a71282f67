"""Reading, listing and searching files."""
import re

from . import asks_files, duel, files, frames, lex, values
from .chat_call import about_topic, arguments, file_name, make_call, quote, slots_for, spoken
from .conv import speak, thinks
from .messages import check_text
from .phrases import Phrases, bars
from .refer_words import LATE, MORE_AGAIN, MORE_NEXT, REFER, ROW_NEXT
from .slots import fill, slots_of
from .wording import upper_first

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
    key = next((x for x in lines if sum(map(str.isalnum, x)) > 3), lines[0]).strip().rstrip(",")
    key = key.lstrip("-*#[]. ").strip() or key  # not the mark before an entry
    if len(text) <= 320:
        return "%s says:\n%s" % (path, text), key
    return "%s has %d lines. It begins:\n%s" % (path, whole or len(lines), "\n".join(lines[:3])), key


def quoted(r, path):
    """A path as it is typed: now and then in quotes."""
    return quote(r, path) if " " in path or r.chance(0.06) else path


def read_think(r, s, before="The file says"):
    """A thought with the words of the file that answer."""
    return "%s: %s" % (before, s["read"]) if s.get("read") else r.pick(FOUND_THINK)


def fs_read(c):
    r = c.r
    f = files.any_file(r)
    if not f.qa and r.chance(0.12):  # a long result, after which other tasks come
        f = files.File("\n".join(r.sentence() for _ in range(r.int(25, 70))), f.ext, [])
    path = file_name(r, [f.ext]) if r.chance(0.9) else file_name(r)
    if f.qa and r.chance(0.6):
        t, s, ans, keys = r.pick(f.qa)
        tpl = r.phrase(t)
        said = speak(r, tpl, dict(s, path=quoted(r, path)))[0]
        c.say(said)
        c.call(fill(r.pick(KEY_THINK), {"path": path}), [make_call("fs_read", {"path": path})])
        text, cut = files.read_result(c, path, f.text)
        c.result("fs_read", text, cut=cut)
        c.answer(read_think(r, s) if "does not say" not in ans else "The file does not say it, so I say that.",
                 fill(ans, {"path": path}), check_text("extraction", keys))
    else:
        t, _ = frames.ask(r, "fs_read", asks_files.FS_READ)
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
    c.say(speak(r, t, spoken(r, t, s))[0])
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
        c.answer("The file says nothing about it.", "%s says nothing about %s." % (path, about),
                 check_text("extraction", ["nothing", about]))
    c.about = ("file", path, files.File(text, "txt", []))
    c.done()


def fs_read_lines(c):
    r = c.r
    path, (t, arg) = file_name(r), frames.ask(r, "fs_read_lines", asks_files.FS_READ_LINES)
    total = r.int(6, 30) if r.chance(0.75) else r.int(60, 900)
    s = {"path": path, "n": r.int(1, 5) if r.chance(0.7) else r.int(6, 25), "k": r.int(2, total - 1)}
    args, words = arguments("fs_read", arg, s, "path"), spoken(r, t, s)
    if s["n"] <= 20 and r.chance(0.12):
        words["n"] = lex.NUMBER_WORDS[s["n"]]
    c.say(speak(r, t, words)[0])
    c.call("Only a part of %s is asked for, so I read just those lines." % path, [make_call("fs_read", args)])
    first = args.get("offset", 1)
    lines = [r.sentence()] * total  # only what is shown needs to differ
    for i in range(first - 1, min(total, first - 1 + args.get("limit", 6))):
        lines[i] = r.sentence()
    n = args.get("limit", 0)
    text = "\n".join(lines[:first + 5 + n] if total > 30 else lines)
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
    c.about = ("file", path, files.File(text, "txt", [])) if total <= 30 else None
    c.done()


FILE_AGAIN = Phrases(bars("""read it again|show it once more|what did it say again?|open that file again|once more please, the same file|can you read that file again?|
read that again|let me see it again|show me that file one more time|again, what's in it?|print it again|reread it"""), MORE_AGAIN, REFER["FILE_AGAIN"], *LATE["FILE_AGAIN"])


READING = re.compile(r"read|open|show|print|see|display|what|look|text|load|fetch")


def last_read(c):
    """Whether the last call was to read a file."""
    return c.last_call()[0] == "fs_read"


def file_again(c):
    """The file before once more."""
    r, (_, path, f) = c.r, c.about
    form = r.phrase(FILE_AGAIN)
    while not last_read(c) and not READING.search(form):  # after a change "once more" could mean the change
        form = r.phrase(FILE_AGAIN)
    c.say(speak(r, form)[0])
    c.call("They mean %s, so I read it again." % path, [make_call("fs_read", {"path": path})], "pronouns")
    text, cut = files.read_result(c, path, f.text)
    c.result("fs_read", text, cut=cut)
    ans, key = show_text(path, f.text)
    c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
    c.done()


FILE_NEXT = Phrases(bars("""and the {key}?|what about the {key}?|and {key}?|now the {key}|which {key} does it have?|what is its {key}?|also the {key} please|
and what's the {key} there?|how about {key}|does it say the {key} too?|the {key} as well|ok, and the {key}?"""), MORE_NEXT, REFER["FILE_NEXT"], *LATE["FILE_NEXT"])


def file_next(c):
    """Another key of the file that was read: it stands in the conversation."""
    r, (_, path, f) = c.r, c.about
    rest = [q for q in f.qa if "key" in q[1] or "row" in q[1] or "more" in q[1]] if path in c.texts else []
    if not rest:
        return file_again(c) if c.has("fs_read") else None
    _, s, ans, keys = r.pick(rest)
    if "more" in s:
        c.say(speak(r, "{more}", s)[0])
        c.answer(read_think(r, s, "I have read %s already; it says" % path), fill(ans, {"path": path}), check_text("pronouns", keys))
        return c.done()
    c.say(speak(r, r.phrase(FILE_NEXT if "key" in s else ROW_NEXT), s)[0])
    c.answer("They mean the %s in %s, which I have read already; it %s" % (s.get("key") or s["col"] + " of " + s["row"], path, "says: " + s["read"] if "read" in s else "does not say that."),
             fill(ans, {"path": path}), check_text("pronouns", keys))
    c.done()


LIST_THINK = thinks("""They want to know what is in {f}, so I list it.
A listing of {f} is asked for; fs_list gives it.
I look into {f} with fs_list.
Which files are there fs_list can tell.""")


def entries(r, n=None):
    out = []
    for _ in range(n or (r.int(1, 7) if r.chance(0.94) else r.int(12, 40))):
        if r.chance(0.2):
            out.append((r.entity(lex.FOLDERS) if r.chance(0.5) else r.word().replace(" ", "-")) + "/")
        else:
            out.append(r.stem() + "." + r.pick(lex.EXT_TEXT) if r.chance(0.4) else values.odd_name(r))
    return sorted(dict.fromkeys(out))


def list_rows(r, names):
    """Names with their size and day."""
    return [(n, r.int(12, 90000), r.day()) for n in names]


def list_text(r, shown, names, rows=None):
    if not names:
        return shown + " is empty."
    body = "".join(n + "\n" if n.endswith("/") else "%s (%s, %s)\n" % (n, files.size_words(k), d) for n, k,
                   d in rows or list_rows(r, names))
    return "%s has %d entries:\n%s" % (shown, len(names), body)


def list_special(t, where, names, rows):
    """The answer to a question about a listing that is more than its entries; None for a plain one."""
    low, plain = t.lower(), [x for x in rows if not x[0].endswith("/")]
    if ("folder" in low and any(w in low for w in ("which folders", "what folders", "list the folders", "show the folders",
                                                   "only the folders", "subfolders"))):
        found = [n for n in names if n.endswith("/")]
        return (("%s holds these folders: %s." % (where, ", ".join(found)), found[:2]) if found
                else ("There are no folders in %s." % where, ["no folders"]))
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
    if len(names) > 10:
        return "%s holds %d entries, among them %s." % (where, len(names), ", ".join(names[:4]))
    return "%s holds %d entries: %s and %s." % (where, len(names), ", ".join(names[:-1]), names[-1])


def fs_list(c, group="builtin_tools"):
    r = c.r
    t, arg = frames.ask(r, "fs_list", asks_files.FS_LIST)
    s = slots_for(r, t, {"n": r.int(2, 5)})
    args = arguments("fs_list", arg, s, "path") if arg is not None else ({"path": s["folder"]} if "folder" in s else {})
    c.say(speak(r, t, spoken(r, t, s))[0])
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
    rows = c.rows = list_rows(r, names)
    c.result("fs_list", list_text(r, c.path(args.get("path", ".")), names, rows))
    special = list_special(t, where, names, rows) if names else None
    if about and hit:
        special = "Yes, %s holds %s." % (where, hit), [hit]
    elif about:
        special = "No, I see nothing about %s there. %s" % (about, say_list(where, names)), ["No"]
    if special:
        kind, think = special[0].split(" ")[1], "The listing shows it."
        if kind in ("newest", "oldest", "largest") and len(rows) < 9:
            think = duel.files(rows, 1 if kind == "largest" else 2, kind != "oldest", kind, files.size_words) + "."
        c.answer(think, upper_first(special[0]) if special[0].startswith("the ") else special[0],
                 check_text("extraction", special[1]))
        c.about = ("list", where, args.get("path", ""), names)
        return c.done()
    c.answer(r.pick(["The listing is there; I say what it holds.", "I see the entries and name them.",
                     "The folder's contents are in the result."]),
             say_list("The working folder" if where == "the working folder" else where, names),
             check_text("extraction", [n.rstrip("/") for n in (names if len(names) <= 10 else names[:3])] or ["empty"]))
    c.about = ("list", where, args.get("path", ""), names)
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
        out.append((path or r.path(lex.EXT_TEXT).lstrip("~/."), r.int(1, 200), " ".join(w)))
    return out


def fs_search(c):
    r = c.r
    t, arg = frames.ask(r, "fs_search", asks_files.FS_SEARCH)
    s = slots_for(r, t)
    args = arguments("fs_search", arg, s, "pattern") if arg is not None else {"pattern": s.get("word", "")}
    word = args.get("pattern") or s.get("word", "")
    args["pattern"] = word
    c.say(speak(r, t, spoken(r, t, s), typos=False)[0])
    c.call(fill(r.pick(SEARCH_THINK), {"w": word}), [make_call("fs_search", args)])
    n = r.weighted([(2, 0), (5, 1), (3, 2), (2, 3), (1, 5), (0.6, r.int(8, 25))])
    shown = c.path(args.get("path", "."))
    if n == 0:
        c.result("fs_search", "Nothing found in %d files of %s." % (r.int(1, 200), shown))
        c.answer("Nothing was found, and I say so.",
                 "%s was not found in the files." % word if not args.get("path") else "%s was not found in %s." % (word, args["path"]),
                 check_text("extraction", [word, "not found"]))
        c.about = None
    else:
        found = matches(r, word, n, args["path"].rsplit("/", 1)[-1] if "{path}" in t else None)
        if "glob" in args:
            found = [(p.rsplit(".", 1)[0] + args["glob"].lstrip("*"), k, line) for p, k, line in found]
        c.result("fs_search", "%d matches in %s:\n" % (n, shown) + "".join("%s:%d: %s\n" % m for m in found))
        if n == 1:
            ans = "%s stands in %s, line %d: %s" % ((word,) + found[0])
        else:
            ans = "%s was found in %d places%s: %s." % (word, n, ", first" if n > 6 else "",
                                                        "; ".join("%s line %d" % m[:2] for m in found[:6]))
        c.answer(r.pick(["The matches are there; I name file and line.", "I say where it was found.",
                         "The search found it, so I give the places."]), ans,
                 check_text("extraction", [x for m in (found if n <= 6 else found[:1]) for x in m[:2]]))
        paths = list(dict.fromkeys(m[0] for m in found))
        c.about = ("list", "the matches", "", [m[0] for m in found]) if not args.get("path") else None
        if n <= 3 and "{path}" not in t and (c.about is None or r.chance(0.6)):
            c.about = ("found", args.get("path", ""), paths)
    c.done()
