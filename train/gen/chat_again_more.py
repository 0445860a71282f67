"""More wishes that repeat the last one with one part changed: a number of a sum, the file of a text, a word that is looked for, a place."""
import re

from . import files
from .chat_calc import answer_number, either_way, evaluate
from .chat_call import make_call, searched
from .chat_files import matches
from .chat_sources import KEY, PLACE, THEN, found
from .chat_write import write_done
from .conv import speak
from .messages import check_text
from .phrases import Phrases, bars
from .refer_words import LATE

SUM_SWAP, SAME_INTO, WORD_TOO = (Phrases(*LATE[k]) for k in ("SUM_SWAP", "SAME_INTO", "WORD_TOO"))
NUMBER = re.compile(r"(?<![\d.])\d+(?:\.\d+)?(?![\d.]|%)")
SHARE = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)% of (\d+(?:\.\d+)?)(?![\d.])")
OTHER_SHARE = Phrases(bars("""and {x}%?|what about {x}%?|and {x} percent?|and with {x}%?|{x}% then?|and if it were {x}%?|now the same with {x}%|make it {x}%|with {x}% instead?|ok, and {x} per cent|at {x}%?|for {x}% as well please|and what would {x}% be?|how about {x} percent|and {x} % of it, the first amount?|let's say {x}%"""))
OTHER_WHOLE = Phrases(bars("""and of {x}?|what about {x}?|the same of {x}|and if it's {x}?|the same share of {x} please|now of {x}|and for {x}?|of {x} instead?|and with {x} as the amount?|how much would it be of {x}?|same percentage, {x}|and out of {x}?"""))


def sum_swap(c):
    """The last sum with another number in one place."""
    r = c.r
    name, args = c.last_call()
    e = args.get("expression", "")
    found_ = [m for m in NUMBER.finditer(e)]
    once = [m for m in found_ if [x.group() for x in found_].count(m.group()) == 1]
    if name != "calculate" or not 2 <= len(found_) <= 4 or not once or len(e) > 40:
        return None
    m = r.pick(once)
    old = m.group()
    new = str(r.int(2, 99) if len(old) < 3 else r.int(100, 9999))
    if new in [x.group() for x in found_]:
        return None
    return other_sum(c, SUM_SWAP, old, new, e, e[:m.start()] + new + e[m.end():])


def other_sum(c, phrases, old, new, e, e2):
    """The sum e once more as e2, with new in place of old."""
    r, got = c.r, evaluate(e2)
    if not got:
        return None
    c.say(speak(r, r.phrase(phrases), {"x": new, "old": old}, typos=False, frame=False)[0])
    c.call("The sum was %s; with %s in place of %s it is %s." % (e, new, old, e2), [make_call("calculate", {"expression": e2})], "pronouns",
           check=either_way(e2, "pronouns"))
    c.result("calculate", got[0])
    answer_number(c, got[0], e2, got[1])
    c.about = ("number", got[1], e2)
    return c.done()


def share_swap(c):
    """The last share with another percentage, or of another amount: what came out is not gone on from."""
    r = c.r
    name, args = c.last_call()
    e = args.get("expression", "")
    m = SHARE.search(e)
    if name != "calculate" or not m or len(e) > 40:
        return None
    share = r.chance(0.65)
    old, phrases = (m[1], OTHER_SHARE) if share else (m[2], OTHER_WHOLE)
    new = str(r.int(2, 95) if share else r.int(10, 9000))
    if new in (m[1], m[2]):
        return None
    part = "%s%% of %s" % ((new, m[2]) if share else (m[1], new))
    e2 = e.replace(m[0], part)
    if not share:  # 80 - 15% of 80
        e2 = re.sub(r"(?<![\d.])%s(?![\d.%%])" % re.escape(old), new, e2)
    return other_sum(c, phrases, old, new, e, e2)


def same_into(c):
    """The text that was just written goes into one more file."""
    r = c.r
    name, args = c.last_call()
    if name != "fs_write" or args.get("mode") not in (None, "overwrite", "create") or len(args.get("content", "")) > 160 or c.msgs[-2]["role"] != "tool":
        return None
    path = r.path(["txt", "md", "log"])
    if path == args["path"]:
        return None
    c.say(speak(r, r.phrase(SAME_INTO), {"path": path}, typos=False, frame=False)[0])
    text = write_done(c, {"path": path, "content": args["content"]}, "pronouns",
                      "The same text as in %s, now for %s, so I write it there too." % (args["path"], path))
    c.about = ("file", path, files.File(text, "txt", []))
    return c.done()


def word_too(c):
    """The same search for another word."""
    r = c.r
    name, args = c.last_call()
    if name != "fs_search" or set(args) - {"pattern", "path"}:
        return None
    w = searched(r)
    if w == args["pattern"]:
        return None
    c.say(speak(r, r.phrase(WORD_TOO), {"x": w}, typos=False, frame=False)[0])
    c.call("The same search as for %s, now for %s." % (args["pattern"], w), [make_call("fs_search", dict(args, pattern=w))], "pronouns")
    where = args.get("path", "the files")
    if r.chance(0.3):
        c.result("fs_search", "Nothing found in %d files of %s." % (r.int(1, 200), c.path(args.get("path", "."))))
        c.answer("Nothing was found, and I say so.", "%s was not found in %s." % (w, where), check_text("extraction", [w, "not found"]))
        c.about = None
    else:
        hit = matches(r, w, 1)[0]
        c.result("fs_search", "1 matches in %s:\n%s:%d: %s\n" % ((c.path(args.get("path", ".")),) + hit))
        c.answer("The match is there; I name file and line.", "%s stands in %s, line %d: %s" % ((w,) + hit), check_text("extraction", [hit[0], hit[1]]))
        c.about = ("found", args.get("path", ""), [hit[0]])
    return c.done()


def elsewhere(c):
    """What was searched on the web, in another place."""
    r, topic = c.r, c.about[2]
    name, args = c.last_call()
    have = [n for n in PLACE if n != "web_search" and c.has(n)]
    if name != "web_search" or args.get("query") != topic or not have:
        return None
    other = r.pick(have)
    place = r.phrase(PLACE[other])
    c.say(speak(r, r.phrase(THEN), {"s": place}, typos=False)[0])
    c.call("Still about %s, now in another place: %s, so I call %s." % (topic, place, other), [make_call(other, {KEY.get(other, "query"): topic})], "pronouns")
    text, keys = found(c, other, topic, r.chance(0.4))
    c.answer("I say what came of it.", text, check_text("extraction", keys))
    c.about = None
    return c.done()
