"""Listings and searches with options, put together from a wish and what is added to it."""
from . import lex
from .chat_call import make_call, quote, searched
from .chat_files import entries, list_rows, list_text, matches, say_list
from .conv import speak
from .messages import check_text
from .phrases import phrasings
from .sections import more, sections

LIST = phrasings("""list {f}|show me {f}|what is in {f}|list the files in {f}|show me the files in {f}|what's in the folder {f}|ls {f}|give me the contents of {f}|which files are in {f}|let me see the folder {f}|everything in {f}|look into the folder {f}|
what does the folder {f} hold|I need a listing of {f}|name the files in {f}|what files are there in {f}""")
LIST_HERE = phrasings("list the files|list my files|what files are here|show me all files|what's in this folder|list everything here|show the working folder|which files do we have|give me the files|list the current folder|show my files|what do we have here")
HIDDEN = phrasings(""", including hidden files|, also the hidden ones|, hidden files too| with hidden files|, and show hidden ones as well| including dotfiles|, with the ones that begin with a dot|, hidden ones included| and do not leave out hidden files|, even the hidden ones|
 and the dotfiles too|, I also want to see hidden files|, not just the visible ones|, with all hidden entries| - hidden files as well""")
DEPTH = phrasings(""", {n} levels deep| down to {n} levels|, {n} levels of folders|, with {n} levels| to a depth of {n}|, depth {n}| and its subfolders, {n} levels in all|, going {n} levels down| as a tree of {n} levels|, {n} folders deep|, at most {n} levels deep| with a depth of {n}""")
LIMIT = phrasings(""", only the first {n} entries|, at most {n} entries|, no more than {n} of them|, just {n} entries|, the first {n} are enough|, but show only {n} entries|, limit {n}|, max {n} entries|, stop after {n} entries|, {n} entries will do""")

_late = sections("options.txt")
LIST, LIST_HERE, HIDDEN, DEPTH, LIMIT = (more(old, _late[k]) for old, k in (
    (LIST, "LIST"), (LIST_HERE, "LIST_HERE"), (HIDDEN, "HIDDEN"), (DEPTH, "DEPTH"), (LIMIT, "LIMIT")))


def list_options(c):
    r = c.r
    here = r.chance(0.3)
    args, t, s = {}, r.phrase(LIST_HERE if here else LIST), {}
    if not here:
        args["path"] = r.folder()
        s["f"] = quote(r, args["path"]) if r.chance(0.06) else args["path"]
    kinds = r.some(("hidden", "depth", "limit"), 1 if r.chance(0.8) else 2)
    for k in kinds:
        if k == "hidden":
            t += r.phrase(HIDDEN)
            args["hidden"] = True
        else:
            n = r.int(2, 6) if k == "depth" else r.int(2, 60)
            t += r.phrase(DEPTH if k == "depth" else LIMIT).replace("{n}", "{%s}" % k)
            s[k] = args[k] = n
    s = {k: lex.NUMBER_WORDS[v] if isinstance(v, int) and v <= 20 and r.chance(0.15) else v for k, v in s.items()}
    c.say(speak(r, t, s, typos=False)[0])
    where = args.get("path", "the working folder")
    think = {"hidden": "hidden entries too", "depth": "several levels", "limit": "only so many entries"}
    c.call("They want %s listed, %s." % (where, " and ".join(think[k] for k in kinds)), [make_call("fs_list", args)])
    names = entries(r)
    if "hidden" in args:
        names = sorted(names + [r.pick((".env", ".git/", ".cache/", ".profile", "." + r.noun()))])
    if "depth" in args:
        names = sorted(names + [r.noun() + "/" + r.stem() + ".txt"])
    names = names[:args.get("limit", 99)]
    rows = c.rows = list_rows(r, names)
    c.result("fs_list", list_text(r, c.path(args.get("path", ".")), names, rows))
    c.answer("The listing is there; I say what it holds.", say_list("The working folder" if here else where, names),
             check_text("extraction", [n.rstrip("/") for n in (names if len(names) <= 10 else names[:3])]))
    c.about = ("list", where, args.get("path", ""), names)
    c.done()


FIND = phrasings("""search my files for {w}|find {w} in my files|look for {w} in my files|grep {w}|which files contain {w}|in which files is {w}|find all files with {w} in them|where in my files is {w}|search all files for {w}|show me every file that mentions {w}|
check my files for {w}|which of my files mention {w}|find the files that say {w}|list the files with {w} in them|search the text of my files for {w}""")
FIND_IN = phrasings("""search {f} for {w}|find {w} in {f}|look for {w} in {f}|grep {w} in {f}|which files in {f} contain {w}|in which file of {f} is {w}|look through {f} for {w}|where in {f} is {w}|search the folder {f} for {w}|find the files in {f} that mention {w}|
search the files in {f} for {w}|does any file in {f} say {w}|check the files of {f} for {w}|go through {f} and find {w}""")
GLOB = phrasings(""", only in .{x} files|, only *.{x}|, just the {x} files|, in .{x} files only|, but only in {x} files|, only files ending in .{x}|, restricted to *.{x}|, nothing but .{x} files|, in the {x} files|, among the .{x} files|, {x} files only""")
CASE = phrasings(", with exactly this spelling, capitals included|, case sensitive|, capital letters must match|, match the case|, respecting upper and lower case|, case-sensitively|, and mind the capitals|, with the same capitals")
HITS = phrasings(", at most {n} matches|, only the first {n} matches|, no more than {n} hits|, {n} matches are enough|, limit {n}|, just {n} results|, stop after {n} matches|, max {n} hits")
FIND_HIDDEN = phrasings(", hidden files too|, including hidden files|, also in hidden files|, in the hidden ones as well|, and look into dotfiles too|, don't skip hidden files|, even in hidden files")

FIND, FIND_IN, GLOB, CASE, HITS, FIND_HIDDEN = (more(old, _late[k]) for old, k in (
    (FIND, "FIND"), (FIND_IN, "FIND_IN"), (GLOB, "GLOB"), (CASE, "CASE"), (HITS, "HITS"), (FIND_HIDDEN, "FIND_HIDDEN")))


_say = {"path": "in one folder", "glob": "by their names", "match_case": "with its capitals", "limit": "only so many", "hidden": "hidden ones too"}


def search_options(c):
    r = c.r
    word, args, s = searched(r), {}, {}
    args["pattern"] = word
    t = r.phrase(FIND if r.chance(0.5) else FIND_IN)
    if "{f}" in t:
        args["path"] = r.folder()
        s["f"] = quote(r, args["path"]) if r.chance(0.05) else args["path"]
    s["w"] = quote(r, word) if " " in word and r.chance(0.6) or r.chance(0.2) else word
    for k in r.some(("glob", "case", "limit", "hidden", "none", "glob"), 1 if r.chance(0.85) else 2):
        if k == "glob" and "glob" not in args:
            ext = r.pick(lex.EXT_TEXT)
            t += r.phrase(GLOB)
            s["x"], args["glob"] = ext, "*." + ext
        elif k == "case":
            t += r.phrase(CASE)
            args["match_case"] = True
        elif k == "limit":
            t += r.phrase(HITS)
            s["n"] = args["limit"] = r.int(1, 40)
        elif k == "hidden":
            t += r.phrase(FIND_HIDDEN)
            args["hidden"] = True
    c.say(speak(r, t, s, typos=False)[0])
    c.call("%s is looked for in files%s; fs_search does that." % (word, "".join(", " + _say[k] for k in args if k in _say)),
           [make_call("fs_search", args)])
    n = min(r.weighted([(2, 0), (5, 1), (3, 2), (2, 3)]), args.get("limit", 9))
    shown = c.path(args.get("path", "."))
    if n == 0:
        c.result("fs_search", "Nothing found in %d files of %s." % (r.int(1, 200), shown))
        c.answer("Nothing was found, and I say so.", "%s was not found in %s." % (word, args.get("path", "the files")),
                 check_text("extraction", [word, "not found"]))
    else:
        found = matches(r, word, n)
        if "glob" in args:
            found = [(p.rsplit(".", 1)[0] + args["glob"][1:], k, line) for p, k, line in found]
        c.result("fs_search", "%d matches in %s:\n" % (n, shown) + "".join("%s:%d: %s\n" % m for m in found))
        if n == 1:
            ans = "%s stands in %s, line %d: %s" % ((word,) + found[0])
        else:
            ans = "%s was found in %d places: %s." % (word, n, "; ".join("%s line %d" % m[:2] for m in found))
        c.answer("The matches are there; I name file and line.", ans, check_text("extraction", [found[0][0], found[0][1]]))
    c.about = ("found", args.get("path", ""), list(dict.fromkeys(m[0] for m in found))) if n else None
    c.done()
