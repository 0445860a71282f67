"""More wishes of two and three steps: folders, the web, the memory."""
from . import duel, files, lex
from .chat_call import about_topic, file_name, make_call, quote, searched
from .chat_code import code_wish, code_words
from .chat_files import entries, list_rows, list_text, matches, show_text
from .chat_keep import kept, remembered, write_names
from .chat_memory import memory_result
from .chat_steps import also, joined, read, say
from .chat_web import first_sentence, hit, news, other_hit, page_answer, page_text, search_text, title
from .chat_write import write_done
from .messages import check_text
from .phrases import Phrases, phrasings
from .sections import more

# --- a folder, then a file of it ---

LOOK_F = more(phrasings("list {f}|look into {f}|look at the folder {f}|go to {f}|check what is in {f}|see which files are in {f}|list the folder {f}|show me what is in {f}|open the folder {f}|have a look in {f}|find out what {f} holds|list the files in {f}"), *also("LOOK_F"))
OPEN_O = more(phrasings("read the {o} file|open the {o} file|show me the {o} one|read the {o} one|open the {o} one|tell me what the {o} file says|give me the text of the {o} file|read me the {o}|let me see the {o} file|show the text of the {o} one"), *also("OPEN_O"))
OPEN_IN = more(phrasings("""read the {o} file in {f}|open the {o} file in {f}|what does the {o} file in {f} say?|show me the {o} file of {f}|what is in the {o} file in {f}?|I want to read the {o} file in {f}|the {o} file in {f}, what does it say?|give me the text of the {o} file in {f}|
let me see the {o} file in the folder {f}|read me the {o} file from {f}|print the {o} file in {f}|display the {o} file of the folder {f}"""), *also("OPEN_IN"))
PLACES = ["first", "second", "third", "last"]
BY = {"newest": (2, max), "oldest": (2, min), "largest": (1, max), "smallest": (1, min), "most recent": (2, max), "biggest": (1, max),
      "latest": (2, max), "only": (0, max)}


def choose(r, rows):
    """A word for one of the files, and which it is."""
    plain = [x for x in rows if not x[0].endswith("/")]
    if len(plain) == 1 and r.chance(0.6):
        return "only", plain[0][0]
    if len(plain) == len(rows) and r.chance(0.5):
        i = r.int(0, min(2, len(rows) - 1))
        return ("last", rows[-1][0]) if i == len(rows) - 1 and i and r.chance(0.5) else (PLACES[i], rows[i][0])
    word = r.pick([k for k in BY if k != "only"])
    at, how = BY[word]
    return word, how(plain, key=lambda x: x[at])[0]


def choosing(rows, word):
    """The thought that chooses a file of a listing by its date or size."""
    at, how = BY[word]
    return duel.files(rows, at, how is max, word, files.size_words)


def sized(r):
    return r.int(12, 900) if r.chance(0.5) else 100 * r.int(10, 900)


def listed(r, names):
    """Names with sizes and days, no two alike, so that there is one that is the largest or the newest."""
    while True:
        rows = [(n, sized(r), r.day()) for n in names]
        if all(len({x[i] for x in rows}) == len(rows) for i in (1, 2)):
            return rows


def list_open(c):
    r = c.r
    folder = r.folder()
    names = [n for n in entries(r, 1 if r.chance(0.12) else r.int(2, 6)) if n.endswith("/") or n.rsplit(".", 1)[-1] in lex.EXT_TEXT]
    if not any(not n.endswith("/") for n in names):
        names = sorted(names + [r.stem() + ".txt"])
    rows = listed(r, names)
    word, name = choose(r, rows)
    t = joined(r, LOOK_F, OPEN_O) if r.chance(0.5) else r.phrase(OPEN_IN)
    say(c, t, {"f": folder, "o": word})
    c.call("First I list %s to see which file is the %s one." % (folder, word), [make_call("fs_list", {"path": folder})])
    if r.chance(0.04):
        c.result("fs_list", list_text(r, c.path(folder), []))
        c.answer("The folder is empty, so there is nothing to read.", "%s is empty, so there is no file to read." % folder,
                 check_text("errors", ["empty"]))
        c.about = None
        return c.done()
    c.result("fs_list", list_text(r, c.path(folder), names, rows))
    path = folder.rstrip("/") + "/" + name
    f = files.any_file(r)
    think = choosing(rows, word) if word in BY and word != "only" else "The %s file is %s" % (word, name)
    read(c, path, f.text, think + "; it is still to be read.", "two_tools")
    ans, key = show_text(path, f.text)
    c.answer("I have the file's text.", ans, check_text("extraction", [key]))
    c.about = ("file", path, f)
    c.done()


LIST_SAVE = more(phrasings("""list {f} and save the names in {b}|write the names of the files in {f} to {b}|save a listing of {f} as {b}|list the files in {f}, then write their names to {b}|put the file names of {f} into {b}|make {b} a list of the files in {f}|
which files are in {f}? write them to {b}|store the names of everything in {f} in {b}|look into {f} and note the file names in {b}|I want the list of files in {f} in {b}"""), *also("LIST_SAVE"))


def list_save(c):
    r = c.r
    folder, b = r.folder(), file_name(r, ["txt", "md", "csv"])
    names = [n for n in entries(r, r.int(1, 5)) if not n.endswith("/")] or [r.stem() + ".txt"]
    say(c, r.phrase(LIST_SAVE), {"f": folder, "b": b})
    c.call("First I list %s, then I write the names to %s." % (folder, b), [make_call("fs_list", {"path": folder})])
    c.result("fs_list", list_text(r, c.path(folder), names, list_rows(r, names)))
    write_names(c, b, names)
    c.about = None
    c.done()


# --- a word, then the file where it stands ---

SEEK = more(phrasings("find the file that mentions {w}|find the file with {w} in it|search my files for {w}|look for {w} in my files|which file contains {w}?|in which file is {w}?|find {w} in my files|find out which file says {w}|look which of my files has {w}|grep my files for {w}"), *also("SEEK"))
SEEK_IN = more(phrasings("find the file in {f} that mentions {w}|search {f} for {w}|look for {w} in {f}|which file in {f} contains {w}?|in which file of {f} is {w}?|look through {f} for {w}|find {w} in {f}|find out which file in {f} says {w}|grep {w} in {f}|search the folder {f} for {w}"), *also("SEEK_IN"))
SHOW = more(phrasings("read it|open it|show it to me|read that file|show me the file|open that file|tell me what the file says|read me the file|show its text|let me see that file|print the file|give me its text"), *also("SHOW"))
CHANGE = more(phrasings("change {w} to {n} there|replace {w} with {n} in it|put {n} instead of {w} there|change it to {n}|make it {n}|replace it with {n}|write {n} in its place|correct it to {n} there"), *also("CHANGE"))


SEEK_WHOLE = Phrases(*also("SEEK_WHOLE"))


def seek_file(c):
    """Searched by a word, then read or changed."""
    r = c.r
    w, n = searched(r), r.word()
    change, f = c.has("fs_write") and r.chance(0.35), r.folder() if r.chance(0.4) else ""
    whole = not change and not f and r.chance(0.6)
    t = r.phrase(SEEK_WHOLE) if whole else joined(r, SEEK_IN if f else SEEK, CHANGE if change else SHOW)
    say(c, t, {"w": quote(r, w) if r.chance(0.15) else w, "n": n, "f": f})
    c.call("First I search for %s to find the file." % w, [make_call("fs_search", {"pattern": w, "path": f} if f else {"pattern": w})])
    (path, k, line), = matches(r, w, 1)
    if "/" in path and r.chance(0.12):  # a folder in one of its own name
        path = path.split("/", 1)[0] + "/" + path
    elif f and r.chance(0.08):
        path = f.rstrip("/").rsplit("/", 1)[-1].strip("~.") + "/" + path
        path = path.lstrip("/")
    c.result("fs_search", "1 matches in %s:\n%s:%d: %s\n" % (c.path(f or "."), path, k, line))
    found = path
    if f:  # what is found is named as it lies in the folder
        path = f.rstrip("/") + "/" + path
    where = "%s of %s, that is %s" % (found, f, path) if f else path
    if change:
        c.call("It stands in %s; there it is still to be changed." % where,
               [make_call("fs_write", {"path": path, "mode": "replace-text", "new_text": n, "old_text": w})], "two_tools")
        c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -%d +%d @@\n-%s\n+%s\n"
                 % (c.path(path), 300, 300 + len(n) - len(w), k + 3, k, k, line, line.replace(w, n)))
        c.answer("The change is made; I say so.", 'Done: in %s, "%s" is now "%s".' % (path, w, n), check_text("extraction", [path, n]))
        c.about = None
        return c.done()
    lines = [line] + [r.sentence() for _ in range(r.int(0, 3))]
    text = "\n".join(lines)
    read(c, path, text, "They want the file itself, not only its place. It is %s, which is still to be read." % where, "two_tools")
    ans, key = show_text(path, text)
    c.answer("I have the file's text.", ans, check_text("extraction", [key]))
    c.about = ("file", path, files.File(text, "txt", []))
    c.done()


# --- the web ---

WEB = more(phrasings("search the web for {t}|look up {t} online|google {t}|find {t} on the web|do a web search for {t}|search online for {t}|look on the internet for {t}|check the web for {t}|search the internet for {t}|find something about {t} online|run a web search on {t}"), *also("WEB"))
PAGE = more(phrasings("read the first page|open the best result|read the full page|open the page|read the top result|fetch the first hit|open the first link|tell me what the page says|show me the whole page|read me the article|read the page you find|open the first result"), *also("PAGE"))
KEEP = more(phrasings("save what you find in {p}|write the result to {p}|put the first result into {p}|save it in {p}|write what it says to {p}|note the answer in {p}|store what you find in {p}|put it into {p}|save the gist in {p}|write it down in {p}"), *also("KEEP"))
MIND = more(phrasings("remember what you find|keep it in your memory|remember the result|save it to your memory|remember that for me|memorise what you find|store it in your memory|keep in mind what it says|put it into your memory|remember what it says"), *also("MIND"))


def search_first(c, topic, think):
    """The search; gives its best hit and the first sentence."""
    r = c.r
    c.call(think, [make_call("web_search", {"query": topic})])
    text = news(r, topic)
    more = news(r, topic)
    if more != text and r.chance(0.5) and len(text + more) < 199:  # a longer one would be cut
        text += " " + more
    best = hit(r, title(r, topic), text)
    c.result("web_search", search_text(c, [best] + [other_hit(r) for _ in range(r.int(0, 2))]))
    return best, text, first_sentence(text)


WEB_PAGE_WHOLE, WEB_SAVE_WHOLE = Phrases(*also("WEB_PAGE_WHOLE")), Phrases(*also("WEB_SAVE_WHOLE"))


def web_page(c):
    r = c.r
    topic = r.topic()
    path = file_name(r, ["txt", "md"])
    save = c.has("fs_write") and r.chance(0.3)
    t = r.phrase(WEB_PAGE_WHOLE) if not save and r.chance(0.4) else joined(r, WEB, PAGE)
    if save:
        t += r.pick((" and save it in {p}", ", then write it to {p}", " and put its text into {p}", " and write what it says to {p}"))
    say(c, t, {"t": topic, "p": path})
    best, text, one = search_first(c, topic, "First I search for %s, then I read the page." % topic)
    c.call("The best result is %s; that page is still to be read." % best["url"], [make_call("web_fetch", {"url": best["url"]})], "two_tools")
    lines = [x.rstrip(".") + "." for x in text.split(". ")] + ([r.sentence()] if r.chance(0.4) and not save else [])
    if not save:
        page_answer(c, best, lines)
    else:
        c.result("web_fetch", page_text(r, best, lines))
        write_done(c, {"path": path, "content": "\n".join(lines)}, "two_tools", "I have the page; its text is still to go to %s, so I write it there." % path)
    c.about = None
    c.done()


def web_keep(c):
    """What the web says goes into a file or the memory."""
    r = c.r
    topic = r.topic()
    ways = [w for w in ("fs_write", "memory_write") if c.has(w)]
    way = r.pick(ways)
    path = file_name(r, ["txt", "md"])
    t = joined(r, WEB, KEEP if way == "fs_write" else MIND) if way != "fs_write" or r.chance(0.6) else r.phrase(WEB_SAVE_WHOLE)
    say(c, t, {"t": topic, "p": path})
    _, text, _ = search_first(c, topic, "First I search for %s, then I keep what is found." % topic)
    parts = [x.rstrip(".") for x in text.split(". ")]
    if way == "fs_write":
        kept(c, path, text, parts, "The first result says it; it is still to go to %s, so I write it there." % path)
    else:
        remembered(c, topic, text, parts, "The first result says it; it is still to be remembered.")
    c.about = None
    c.done()


FETCH_SAVE = more(phrasings("""save the text of {u} in {p}|read {u} and write it to {p}|fetch {u} and save it as {p}|put what {u} says into {p}|open {u}, then save its text in {p}|store the page {u} in {p}|write the contents of {u} to {p}|get {u} and put it in {p}|
copy the text of {u} to {p}|I want the page {u} saved in {p}|load {u} and keep its text in {p}|download the text of {u} into {p}"""), *also("FETCH_SAVE"))


def fetch_save(c):
    r = c.r
    u, path, topic = r.url(), file_name(r, ["txt", "md", "html"]), r.topic()
    say(c, r.phrase(FETCH_SAVE), {"u": u, "p": path})
    c.call("First I read the page, then I write it to %s." % path, [make_call("web_fetch", {"url": u})])
    lines = [news(r, topic)] + ([r.sentence()] if r.chance(0.4) else [])
    c.result("web_fetch", page_text(r, hit(r, title(r, topic), "", u), lines))
    write_done(c, {"path": path, "content": "\n".join(lines)}, "two_tools", "I have the page's text; it is still to go to %s, so I write it there." % path)
    c.about = None
    c.done()


CODE_SAVE = more(phrasings(" and save the output in {p}|, then write the output to {p}| and put what it prints into {p}|, and store the result in {p}| and write the output to {p}|; save its output as {p}| and keep the output in {p}|, then save what it prints in {p}"), *also("CODE_SAVE"))


def code_save(c):
    """A program's output goes into a file."""
    r = c.r
    while True:
        t, s, code, out = code_wish(r)
        if "open(" not in code and len(out) < 90:
            break
    path = file_name(r, ["txt", "md", "log", "csv"])
    say(c, code_words(r, t).rstrip("?") + r.phrase(CODE_SAVE), dict({k: str(v) for k, v in s.items()}, p=path))
    c.call("First I run the code, then its output goes to %s." % path, [make_call("run_code", {"language": "python", "code": code})])
    c.result("run_code", "Exit status 0 after %dms.\n--- stdout\n%s\n" % (r.int(9, 900), out))
    write_done(c, {"path": path, "content": out}, "two_tools", "The output is there; it is still to go to %s, so I write it there." % path)
    c.about = None
    c.done()


FILE_TOPIC = more(phrasings("""read {p} and search the web for what it says|open {p} and google the topic in it|search the web for the topic in {p}|the topic stands in {p}, look it up online|look up on the web what is written in {p}|take the subject from {p} and search for it online|
read the topic in {p}, then search the web for it|{p} names a topic, find out about it on the web|google what {p} says|see what {p} says and do a web search for that"""), *also("FILE_TOPIC"))
FILE_LINK = more(phrasings("""open the link in {p}|read {p} and open the address in it|there is a link in {p}, what does the page say?|fetch the page that {p} names|read the page whose address is in {p}|get the url from {p} and read that page|{p} has an address in it, open it|
follow the link in {p}|look into {p} and read the page it points to|what does the page say that is linked in {p}?"""), *also("FILE_LINK"))


def file_web(c):
    """A file says what is to be looked up or opened."""
    r = c.r
    path, topic = file_name(r, ["txt", "md"]), r.topic()
    link = c.has("web_fetch") and r.chance(0.5) or not c.has("web_search")
    say(c, r.phrase(FILE_LINK if link else FILE_TOPIC), {"p": path})
    if link:
        u = r.url()
        text = r.pick(("%s", "Link: %s", "see %s", "%s")) % u + ("\n" + r.sentence() if r.chance(0.3) else "")
        read(c, path, text, "I read %s first; the address stands there." % path)
        c.call("The address is %s; that page is still to be read." % u, [make_call("web_fetch", {"url": u})], "two_tools")
        page_answer(c, hit(r, title(r, topic), "", u), [news(r, topic)] + [r.sentence() for _ in range(r.int(0, 2))])
    else:
        read(c, path, topic, "I read %s first; the topic stands there." % path)
        c.call("It says %s; that is still to be looked up, so I search the web for it." % topic, [make_call("web_search", {"query": topic})], "two_tools")
        text = news(r, topic)
        best = hit(r, title(r, topic), text)
        c.result("web_search", search_text(c, [best]))
        c.answer("The search found it.", "%s (%s)" % (first_sentence(text), best["url"]),
                 check_text("extraction", [first_sentence(text)[:-1]]))
    c.about = None
    c.done()


# --- memory and notes into a file ---

RECALL_SAVE = more(phrasings("""write what you remember about {t} to {p}|save what I told you about {t} in {p}|put what you know from our talks about {t} into {p}|look in your memory for {t} and write it to {p}|search your memory for {t}, then save it in {p}|what did I tell you about {t}? write it into {p}|
recall {t} and put it in {p}|save your memory of {t} as {p}|note in {p} what I said about {t}|what you remember about {t} should go into {p}"""), *also("RECALL_SAVE"))
NOTES_SAVE = more(phrasings("""put my notes on {t} into {p}|search my notes for {t} and save what you find in {p}|copy what my notes say about {t} to {p}|find my note about {t} and write it to {p}|look in my notes for {t}, then put it in {p}|save my note on {t} as {p}|
what do my notes say about {t}? write it to {p}|write the note on {t} into {p}|get my notes about {t} and store them in {p}|my notes on {t} should go into {p}"""), *also("NOTES_SAVE"))


def recall_save(c):
    r = c.r
    topic, path = r.topic(), file_name(r, ["txt", "md"])
    notes = c.has("notes_search") and (r.chance(0.5) or not c.has("memory_read"))
    say(c, r.phrase(NOTES_SAVE if notes else RECALL_SAVE), {"t": topic, "p": path})
    s = about_topic(r, topic)
    if notes:
        c.call("First I look in their notes, then I write it to %s." % path, [make_call("notes_search", {"query": topic})])
        c.result("notes_search", "1 of %d notes fit.\n\n%s (%s/notes/%s.md, line %d)\n%s\n"
                 % (r.int(3, 90), topic.capitalize(), c.home, r.slug(), r.int(1, 9), s))
    else:
        c.call("First I look in the memory, then I write it to %s." % path, [make_call("memory_read", {"query": topic})])
        c.result("memory_read", memory_result(r, [(topic, s)], r.int(0, 2)))
    write_done(c, {"path": path, "content": s}, "two_tools", "I have it; it is still to go to %s, so I write it there." % path)
    c.about = None
    c.done()
