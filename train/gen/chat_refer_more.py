"""More that leans on what was said before: a choice among what was found, a number further up, names that the person gave to things."""
import datetime

from . import duel, files, lex, personal
from .chat_calc import OFFSETS, answer_number, either_way, evaluate, now_text
from .chat_call import make_call, written
from .chat_files import FOUND_THINK, entries, fs_read, list_text, say_list, show_text
from .chat_memory import second
from .chat_people import graph_answer
from .chat_web import hit, news, page_answer, search_answer, title
from .chat_write import write_done
from .conv import speak
from .messages import check_text
from .phrases import Phrases, bars
from .refer_words import LATE, MORE_NTH, REFER
from .sections import with_values
from .slots import fill
from .wordlists import ZONES

FORMS = {k: Phrases(*[with_values(x) if k in ("NEXT_SUM", "FAR_SUM") else x for x in (REFER[k], *LATE.get(k, ()))]) for k in REFER}


def open_files(c, said, paths, think):
    """Files that are pointed at are read; two at once."""
    r = c.r
    c.say(said)
    c.call(think, [make_call("fs_read", {"path": p}) for p in paths], "pronouns")
    texts = [files.any_file(r) if len(paths) == 1 else files.File(r.sentence(), "txt", []) for _ in paths]
    for p, f in zip(paths, texts):
        text, cut = files.read_result(c, p, f.text)
        c.result("fs_read", text, cut=cut)
    if len(paths) > 1:
        c.answer("I have both texts.", "\n".join("%s says: %s" % (p, f.text) for p, f in zip(paths, texts)),
                 check_text("extraction", [f.text for f in texts]))
        c.about = None
    else:
        ans, key = show_text(paths[0], texts[0].text)
        c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
        c.about = ("file", paths[0], texts[0])
    c.done()


def plain(r, form, slots=None):
    return speak(r, form, slots or {}, typos=False)[0]


ORDINALS = ["first", "second", "third", "fourth", "last"]
OPEN_NTH = Phrases(bars("""read the {o} one|open the {o} one|show me the {o} one|what's in the {o} one?|what does the {o} one say?|the {o} one please, open it|
open the {o} file|read the {o} file in it|and what's in the {o} file?|let me see the {o} one|take the {o} and read it|now open the {o} of them"""), MORE_NTH, REFER["OPEN_NTH"], *LATE["OPEN_NTH"])
OPEN_NAMED = Phrases(REFER["OPEN_NAMED"][:4], REFER["OPEN_NAMED"][4:], *LATE["OPEN_NAMED"])


def open_listed(c):
    """A file of the listing before, by its place or name."""
    r, (_, where, folder, names) = c.r, c.about
    if not names or any(n.endswith("/") for n in names):
        return fs_read(c)
    if r.chance(0.6):
        i = r.int(0, min(3, len(names) - 1))
        last = i == len(names) - 1 and i > 0 and r.chance(0.5)
        said = speak(r, r.phrase(OPEN_NTH), {"o": "last" if last else ORDINALS[i]})[0]
    else:
        i = r.int(0, len(names) - 1)
        said = speak(r, r.phrase(OPEN_NAMED), {"n": names[i]})[0]
    path = folder.rstrip("/") + "/" + names[i] if folder else names[i]
    return open_files(c, said, [path], "They mean %s from the listing, so I read %s." % (names[i], path))


ORDER = ("first", "second", "third")


def open_found(c):
    """A file in which something was found: the only one, one by its place or sort, or both."""
    r, (_, folder, paths) = c.r, c.about
    full = [folder.rstrip("/") + "/" + p if folder else p for p in paths]
    if len(paths) == 1:
        return open_files(c, plain(r, r.phrase(FORMS["OPEN_FOUND"])), full, "They mean %s, where it was found, so I read that." % full[0])
    if len(paths) == 2 and r.chance(0.3):
        return open_files(c, plain(r, r.phrase(FORMS["OPEN_BOTH"])), full, "Both files are wanted, so I read both.")
    i = r.int(0, min(2, len(paths) - 1))
    ext = paths[i].rsplit(".", 1)[-1]
    if "." in paths[i] and [p.rsplit(".", 1)[-1] for p in paths].count(ext) == 1 and r.chance(0.4):
        said = plain(r, r.phrase(FORMS["OPEN_SORT"]), {"x": ext})
    else:
        last = i == len(paths) - 1 and r.chance(0.4)
        said = plain(r, r.phrase(OPEN_NTH), {"o": "last" if last else ORDER[i]})
    open_files(c, said, full[i:i + 1], "They mean %s among what was found, so I read it." % full[i])


SIZES = {"newest": (2, max), "oldest": (2, min), "largest": (1, max), "smallest": (1, min), "biggest": (1, max), "latest": (2, max),
         "most recent": (2, max)}


def open_chosen(c):
    """A file of the listing before by its sort, its age or its size, or both of two."""
    r, (_, where, folder, names) = c.r, c.about
    rows = [x for x in c.rows or () if not x[0].endswith("/")]
    if not rows or any(x[0] not in names for x in rows):
        return None
    path = lambda n: folder.rstrip("/") + "/" + n if folder else n
    if len(rows) == len(names) == 2 and r.chance(0.4):
        return open_files(c, plain(r, r.phrase(FORMS["OPEN_BOTH"])), [path(x[0]) for x in rows], "Both files are wanted, so I read both.")
    if r.chance(0.5) and len(rows) > 1:
        word = r.pick(list(SIZES))
        at, how = SIZES[word]
        best = how(rows, key=lambda x: x[at])
        if sum(files.size_words(x[1]) == files.size_words(best[1]) if at == 1 else x[2] == best[2] for x in rows) > 1:
            return None
        said, name = plain(r, r.phrase(FORMS["OPEN_BY"]), {"o": word}), best[0]
        if len(rows) < 9:
            return open_files(c, said, [path(name)], duel.files(rows, at, how is max, word, files.size_words) + ", so I read that.")
    else:
        exts = [x[0].rsplit(".", 1)[-1] for x in rows]
        fit = [x[0] for x, e in zip(rows, exts) if exts.count(e) == 1 and e in lex.EXT_TEXT and "." in x[0]]
        if not fit:
            return None
        name = r.pick(fit)
        said = plain(r, r.phrase(FORMS["OPEN_SORT"]), {"x": name.rsplit(".", 1)[-1]})
    return open_files(c, said, [path(name)], "They mean %s from the listing, so I read it." % name)


def far(c):
    """Whether just one number was worked out in this conversation, and not just now."""
    ran = [x["name"] for m in c.msgs for x in m.get("calls") or () if x["name"] in ("calculate", "run_code")]
    return ran == ["calculate"] and len(c.sums) == 1 and len(c.sums[0]) <= 10 and c.sums[0][0] != "-" and (not c.about or c.about[0] != "number")


def far_sum(c):
    """Goes on with the only number that was worked out, further up."""
    r = c.r
    v = c.sums[0]
    form, e = r.phrase(FORMS["FAR_SUM"])
    s = {"b": str(r.int(2, 60)), "v": v}
    e = fill(e, s)
    got = evaluate(e)
    c.say(plain(r, form, s))
    c.call("They mean %s from further up, so I calculate %s." % (v, e), [make_call("calculate", {"expression": e})],
           "pronouns", check=either_way(e, "pronouns"))
    c.result("calculate", got[0])
    answer_number(c, got[0], e, got[1])
    c.about = ("number", got[1], e)
    c.done()


# --- what the person gave a name to ---

FILES = "todo list|shopping list|diary|budget|travel plan|address list|reading list|packing list|wish list|price list|logbook|guest list|recipe collection|training plan|idea list|bug list|work plan|menu".split("|")
FOLDERS = "invoices|letters|photos|recipes|reports|drafts|contracts|receipts|scripts|songs|essays|exercises|minutes|offers|backups|manuals|poems|slides".split("|")
PAGES = "home page|intranet|shop|blog|wiki|status page|booking page|forum|news page|club page|handbook|price page".split("|")
NAMES = "boss|dentist|landlord|accountant|tutor|coach|lawyer|plumber|mechanic|choir leader|piano teacher|team leader".split("|")
WORKS = "thesis|essay|report|talk|article|school project|book|lecture|blog post|term paper".split("|")
KINDS = {"FILE": (FILES, "fs_read", lambda r: r.path(["txt", "md", "csv"])), "FOLDER": (FOLDERS, "fs_list", lambda r: r.folder()),
         "PAGE": (PAGES, "web_fetch", lambda r: r.url()), "ZONE": (personal.KIN, "now", lambda r: r.pick(ZONES)),
         "NAME": (NAMES, "graph_search", lambda r: r.first()), "TOPIC": (WORKS, "web_search", lambda r: r.topic())}


def call_it(c):
    """The person says how they call a thing; it is used now or some tasks later."""
    r = c.r
    fit = [k for k, (_, tool, _) in KINDS.items() if c.has(tool) and k not in [x[0] for x in c.called]]
    if not fit:
        return use_called(c)
    kind = r.pick(fit)
    words, _, make = KINDS[kind]
    k, x = r.entity(words), make(r)
    name = x[0] if kind == "ZONE" else x
    said = speak(r, r.phrase(FORMS["TELL_" + kind]), {"k": k, "x": name}, typos=False, frame=False)[0]
    c.say(said)
    told = second(said).rstrip(".!? ")
    c.answer("They tell me what they mean by it; I take note.", "Noted: %s." % told, check_text("chat", [name]))
    c.called.append((kind, k, x))
    c.about = None
    c.done()
    if r.chance(0.35):
        use_called(c)
    return None


def use_called(c):
    """A thing by the name that the person gave to it further up."""
    r = c.r
    if not c.called:
        return None
    kind, k, x = r.pick(c.called)
    tool = KINDS[kind][1]
    if kind == "FILE" and c.has("fs_write") and r.chance(0.3):
        t = written(r)
        c.say(speak(r, r.phrase(FORMS["ADD_FILE"]), {"t": t, "k": k}, typos=False, frame=False)[0])
        text = write_done(c, {"path": x, "content": t, "mode": "append"}, "pronouns", "Their %s is %s, so I add it there." % (k, x))
        c.about = ("file", x, files.File(text, "txt", []))
        return c.done()
    c.say(plain(r, r.phrase(FORMS["USE_" + kind]), {"k": k}))
    key = {"FILE": "path", "FOLDER": "path", "PAGE": "url", "TOPIC": "query"}.get(kind)
    args = {key: x} if key else {"zone": x[1]} if kind == "ZONE" else {"people": [x]}
    c.call("They told me: %s is %s." % (k, x[0] if kind == "ZONE" else x), [make_call(tool, args)], "pronouns")
    used(c, kind, k, x)
    return c.done()


def used(c, kind, k, x):
    """The result of such a call and what is said of it."""
    r = c.r
    c.about = None
    if kind == "FILE":
        f = files.listing(r) if r.chance(0.5) else files.any_file(r)
        text, cut = files.read_result(c, x, f.text)
        c.result("fs_read", text, cut=cut)
        ans, key = show_text(x, f.text)
        c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
        c.about = ("file", x, f)
    elif kind == "FOLDER":
        names = entries(r, r.int(1, 6))
        c.result("fs_list", list_text(r, c.path(x), names))
        c.answer("The listing is there; I say what it holds.", say_list(x, names), check_text("extraction", names[:2]))
        c.about = ("list", x, x, names)
    elif kind == "PAGE":
        t = r.topic()
        page_answer(c, hit(r, title(r, t), "", x), [news(r, t)])
        c.about = None
    elif kind == "ZONE":
        at = c.at + datetime.timedelta(hours=r.int(-11, 11))
        c.result("now", now_text(at, r.pick(OFFSETS)))
        clock = "%02d:%02d" % (at.hour, at.minute)
        c.answer("The clock says it; I answer.", "It is %s in %s." % (clock, x[0]), check_text("extraction", [clock]))
    elif kind == "NAME":
        graph_answer(c, x, [("lives in", r.city()), ("works for", r.org())][:r.int(1, 2)], None)
    else:
        search_answer(c, x)
