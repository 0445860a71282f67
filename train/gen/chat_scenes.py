"""Scenes: a person works on one thing over several messages, with the hall's own tools.

A scene of train/data/scenes-*.jsonl says what is said, thought, called and answered, with slots that are filled anew each
time. What the files hold is kept while a scene is played, so that a file which was written is read as it is by then.
"""
import datetime

from . import files, lex, sums
from .chat_calc import OFFSETS, evaluate, now_text
from .chat_call import make_call, quote
from .chat_code import output
from .chat_files import FOUND_THINK, list_rows, list_text, say_list, show_text
from .chat_memory import memory_result, second, telling
from .chat_people import fact_line, facts_text
from .chat_read import STATED, read_sheet
from .chat_talk import TALK
from .chat_web import hit, other_hit, page_text, search_text
from .chat_write import DONE_THINK, done_words, new_or_not
from .conv import speak
from .hall import read_objects
from .messages import NOTHING, check_text
from .phrases import Phrases, bucket
from .scene_compare import compared
from .scene_slots import filled, members, relative
from .slots import fill
from .talk_list import THINK

SEARCHED = {"web_search": "query", "notes_search": "query", "memory_read": "query"}
SPOKEN = ("file", "folder", "in")  # slots that are paths: in quotes where they have a space


def divided(ways):
    """The ways to say something, of which the last is held out, or the last fifth where there are many."""
    out = Phrases(ways)
    if len(ways) < 10:
        out.train, out.held = tuple(ways[:-1]), tuple(ways[-1:])
    return out


TEXTS = ("new_text", "old_text", "content", "text", "pattern")  # arguments whose very words are said


def kept(t):
    """The texts that a message says word for word become slots of it, so that no other words are put for theirs."""
    found = [x["args"][k] for s in t.get("steps", ()) for x in s["calls"] for k in TEXTS if k in x["args"]]
    t["texts"] = {"text%d" % (i + 1): x for i, x in enumerate(sorted(found, key=len, reverse=True))}
    for k, x in t["texts"].items():
        t["say"] = [w.replace(x, "{%s}" % k) for w in t["say"]]


def prepared(o):
    """A scene with the tools that it needs and its wordings divided."""
    o["tools"] = frozenset(x["name"] for t in o["turns"] for s in t.get("steps", ()) for x in s["calls"])
    o["held"] = bucket(o["id"])
    o["slots"] = members(o["slots"])
    for t in o["turns"]:
        kept(t)
        t["say"] = divided(t["say"])
    return o


SCENES = [prepared(o) for o in read_objects("scenes-*.jsonl")]
PASTED = 240  # what is longer has a text in it
MOST = 6500  # a conversation that is longer has no room left for a whole scene
_fitting = {}


def fitting(names, held):
    """The scenes for which the tools are there, those that training sees or those that it does not; what is said in many ways counts more."""
    key = frozenset(names), held
    known = _fitting.get(key)
    if known is None:
        known = [(len(o["turns"][0]["say"]) ** 0.5, o) for o in SCENES if o["held"] == held and o["tools"] <= key[0]]
        if len(_fitting) < 3000:
            _fitting[key] = known
    return known


def scene(c):
    """One scene. Held out are whole scenes, and in those of the training the last way to say each thing."""
    r = c.r
    new = r.held and r.chance(0.5)
    fit = fitting(c.names, new) if c.size < MOST else None
    if not fit:
        return read_sheet(c)
    o = r.weighted(fit)
    stage = Stage(c, o)
    for i, t in enumerate(o["turns"]):
        play(stage, t, i == 0, new)
        c.done()
    c.about = None


class Stage:
    """A scene while it is played: its conversation, the slots, and what the files hold."""

    def __init__(self, c, o):
        self.c, self.slots = c, filled(c, o["slots"])
        paths = {k for k, v in o["slots"].items() if isinstance(v, str) and v.split(" ")[0] in SPOKEN}
        self.said = {k: quote(c.r, v) if k in paths and " " in v else v for k, v in self.slots.items()}
        self.files = {self.fill(k): self.fill(v) for k, v in o.get("files", {}).items()}
        self.rows = []  # of the last listing: name, size and day

    def fill(self, x):
        """A text, or the texts of a list or table, with the slots filled in."""
        if isinstance(x, str):
            return fill(x, self.slots)
        if isinstance(x, dict):
            return {k: self.fill(v) for k, v in x.items()}
        return [self.fill(v) for v in x] if isinstance(x, list) else x

    def think(self, text):
        """A thought, with each value against the others where it compares some."""
        read = [m["content"] for m in self.c.msgs if m["role"] == "tool" and m.get("content")]
        return compared(self.fill(text), self.rows, read[-1] if read else "")


# --- what tools say ---

def shown_read(stage, args, out):
    text = stage.files.get(args["path"])
    if text is None:
        return "%s does not exist. What helps: use fs_list to see which files there are" % stage.c.path(args["path"]), {"failed": True}
    body, cut = files.read_result(stage.c, args["path"], text)
    return body, {"cut": cut}


def difference(old, new):
    """The lines that changed, with two before and after them, as the tool shows them."""
    a, b, pre, post = old.split("\n"), new.split("\n"), 0, 0
    while pre < min(len(a), len(b)) and a[pre] == b[pre]:
        pre += 1
    while post < min(len(a), len(b)) - pre and a[-1 - post] == b[-1 - post]:
        post += 1
    lead = max(0, pre - 2)
    rows = [" " + x for x in a[lead:pre]] + ["-" + x for x in a[pre:len(a) - post]] + ["+" + x for x in b[pre:len(b) - post]] + [" " + x for x in a[len(a) - post:][:2]]
    return "@@ -%d +%d @@\n%s\n" % (lead + 1, lead + 1, "\n".join(rows))


def changed(c, path, old, new):
    """What the tool says when a file was changed."""
    return "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n%s" % (c.path(path), len(old.encode()) + 1, len(new.encode()) + 1, new.count("\n") + 1, difference(old, new))


def shown_write(stage, args, out):
    path, mode = args["path"], args.get("mode")
    old = stage.files.get(path)
    if mode == "replace-text":
        new = old.replace(args["old_text"], args["new_text"], 1)
    else:
        new = old + "\n" + args["content"] if mode == "append" and old else args["content"]
    stage.files[path] = new
    if old is None:
        return "Created %s: %d bytes, %d lines.\n" % (stage.c.path(path), len(new.encode()), new.count("\n") + 1), {}
    return changed(stage.c, path, old, new), {}


def shown_list(stage, args, out):
    """Rows of a name, or of name, size and day; a file of the scene has the size of its text."""
    r, rows = stage.c.r, []
    for x in sorted(out):
        name, size, day = x if len(x) > 2 else list_rows(r, x)[0]
        text = stage.files.get(args.get("path", "") + "/" + name)
        rows.append((name, int(size) if text is None else len(text.encode()) + 1, day))
    stage.rows = rows
    return list_text(r, stage.c.path(args.get("path", ".")), [x[0] for x in rows], rows), {}


def shown_search(stage, args, out):
    """Where the pattern stands in the files of the scene."""
    top, word = args.get("path", ""), args["pattern"].lower()
    found = [(p[len(top):].lstrip("/") or p.rpartition("/")[2], i + 1, line) for p, text in sorted(stage.files.items()) if p.startswith(top)
             for i, line in enumerate(text.split("\n")) if word in line.lower()]
    where = stage.c.path(args.get("path", "."))
    if not found:
        return "Nothing found in %d files of %s." % (stage.c.r.int(2, 60), where), {}
    return "%d matches in %s:\n%s" % (len(found), where, "".join("%s:%d: %s\n" % x for x in found)), {}


def shown_calendar(stage, args, out):
    """Rows of a day and an entry."""
    c = stage.c
    word = {"today": relative(c, 0), "tomorrow": relative(c, 1), None: relative(c, 0)}
    first = word.get(args.get("from"), args.get("from"))
    last = word.get(args.get("to"), args.get("to")) if args.get("to") else (datetime.date.fromisoformat(first) + datetime.timedelta(days=6)).isoformat()
    if not out:
        return "Nothing from %s to %s.\n" % (first, last), {}
    lines, head = [], None
    for day, entry in out:
        if day != head:
            lines.append("%s %s" % (lex.WEEKDAYS[datetime.date.fromisoformat(day).weekday()], day))
            head = day
        lines.append(entry)
    return "%d entries from %s to %s (%s):\n%s\n" % (len(out), first, last, c.r.pick(["Europe/Berlin", "Local", "UTC", "Europe/London"]), "\n".join(lines)), {}


def shown_notes(stage, args, out):
    """Rows of a title and a text."""
    r = stage.c.r
    found = "".join("\n%s (%s/notes/%s.md, line %d)\n%s\n" % (name, stage.c.home, r.slug(), r.int(1, 60), text) for name, text in out)
    return "%d of %d notes fit.\n%s" % (len(out), r.int(4, 300), found), {}


def shown_web(stage, args, out):
    """Rows of title, text and address."""
    if not out:
        return NOTHING["web_search"], {"failed": True}
    r = stage.c.r
    return search_text(stage.c, [hit(r, *x) for x in out] + [other_hit(r) for _ in range(r.int(0, 1))]), {}


def shown_page(stage, args, out):
    """One row: a title and lines."""
    return page_text(stage.c.r, hit(stage.c.r, out[0][0], "", args["url"]), out[0][1:]), {}


def shown_graph(stage, args, out):
    """Rows of somebody, a relation and what it is to; a fourth word means that it was so once."""
    if not out:
        return NOTHING["graph_search"], {}
    return facts_text([fact_line(stage.c.r, i + 1, *x[:3], len(x) > 3) for i, x in enumerate(out)]), {}


def shown_code(stage, args, out):
    text = out[0][0] if out else output(stage.c.r, args["language"], args["code"])
    return "Exit status 0 after %dms.\n--- stdout\n%s\n" % (stage.c.r.int(9, 900), text), {}


def shown_now(stage, args, out):
    c = stage.c
    at = next((stage.slots[k[:-4] + "at"] for k, v in stage.slots.items() if k.endswith("_zone") and v == args.get("zone")), c.at.replace(second=c.r.int(0, 59)))
    return now_text(at, c.r.pick(OFFSETS)), {}


SHOWN = {"fs_read": shown_read, "fs_write": shown_write, "fs_list": shown_list, "fs_search": shown_search, "calendar_read": shown_calendar, "notes_search": shown_notes,
         "memory_read": lambda stage, args, out: (memory_result(stage.c.r, out, stage.c.r.int(0, 1)), {}),
         "memory_write": lambda stage, args, out: ("Remembered: %s." % args["name"], {}), "web_search": shown_web, "web_fetch": shown_page,
         "graph_search": shown_graph, "run_code": shown_code, "now": shown_now, "calculate": lambda stage, args, out: (evaluate(args["expression"])[0], {})}


# --- what is checked ---

def wanted(call, need):
    """What must be right about a call; need are the words that a search, or what is remembered, must have."""
    name, args = call["name"], call["arguments"]
    if name == "memory_write":
        return {"name": name, "contains": {"text": need or telling(args["text"])}}
    if need and name in SEARCHED:
        return {"name": name, "contains": {SEARCHED[name]: need}}
    if name == "calculate":
        return {"name": name, "any": {"expression": sums.same(args["expression"])}}
    if name == "run_code":
        return {"name": name, "contains": {"code": need}}
    if name == "fs_write" and args.get("mode") in (None, "create"):  # the words leave open whether the file is there already
        return {"name": name, "any": new_or_not(args["path"], args["content"])}
    return {"name": name, "arguments": args}


# --- one message and what follows from it ---

def play(stage, t, first, new):
    """A message of the person, the calls and the answer."""
    c, r = stage.c, stage.c.r
    ways = t["say"].train + t["say"].held if new else t["say"].held if r.held else t["say"].train
    way, slots = r.pick(ways), dict(stage.said, **stage.fill(t["texts"]))
    pasted = len(way) > PASTED or way.count("\n") > 1  # a thought quotes it, so its words stay
    said = fill(way, slots) if pasted else speak(r, way, slots, typos=False, frame=first and not t.get("answer", "").startswith(NOTED))[0]
    message = c.say(said)
    if t.get("clock"):
        message["_clock"] = True
    if t.get("talk"):
        _, replies, any_ = TALK[t["talk"]]
        return c.answer(THINK[t["talk"]], r.pick(replies), {"type": "contains", "all": [], "any": list(any_), "none": [], "group": "chat"})
    last, steps = None, t.get("steps", ())
    if not steps and t.get("answer", "").startswith(NOTED):  # their own words: put in others, they are learnt by heart and said of anything
        return c.answer(r.pick(STATED), "%s%s." % (NOTED, second(said).rstrip(".!?").replace("\n", " ")), check_text(answer_group(t, None), noted(stage, t, said)))
    for i, s in enumerate(steps):
        beside = named_file(stage, steps[i + 1], said) if i + 1 < len(steps) and named_file(stage, s, said) else None
        last = call(stage, s, "two_tools" if i else "pronouns" if t.get("ref") else c.group("builtin_tools"), beside)
    think, text, keys = answer(stage, t, last)
    c.answer(think, text, check_text(t.get("group") or answer_group(t, last), keys))


NOTED = "Noted: "


def noted(stage, t, said):
    """What must come again of something that was told: the values that the scene names, as they were said."""
    again = second(said)
    return [k for k in stage.fill(t["must"]) if isinstance(k, str) and k in again] or again.rstrip(".!?").split()[-1:]


def answer_group(t, last):
    """The line of the table in which an answer counts."""
    if last:
        return "recall" if last["name"] == "memory_read" else "extraction"
    return "pronouns" if t.get("ref") else "chat"


def named_file(stage, s, said):
    """The reading of a file that the person names, which needs nothing that comes before it; None for any other step."""
    x = s["calls"][0]
    args = stage.fill(x["args"])
    return {"name": x["name"], "arguments": args} if len(s["calls"]) == 1 and x["name"] == "fs_read" and args["path"] in said else None


def call(stage, s, group, beside=None):
    """The calls of one step and their results; gives the last of them. Beside is a call that might as well be made at once."""
    c = stage.c
    calls = [make_call(x["name"], stage.fill(x["args"])) for x in s["calls"]]
    wants = [wanted(x, stage.fill(o.get("need", []))) for x, o in zip(calls, s["calls"])]
    check = dict(wants[0], type="call", group=group) if len(wants) == 1 else {"type": "call", "calls": wants, "group": "two_tools"}
    if beside:
        check["beside"] = beside
    c.call(stage.think(s["think"]), calls, check=check)
    for x, o in zip(calls, s["calls"]):
        text, how = SHOWN[x["name"]](stage, x["arguments"], stage.fill(o.get("out", [])))
        c.result(x["name"], text, **how)
    return calls[-1]


def answer(stage, t, last):
    """Thought, text and the words that must come: the scene's own, or what is said after any such call."""
    r, name, args = stage.c.r, last and last["name"], last and last["arguments"]
    if "answer" in t:
        return stage.think(t["think"]), stage.fill(t["answer"]), stage.fill(t["must"])
    if name == "fs_write":
        path, mode = args["path"], args.get("mode")
        if mode == "replace-text":
            return "The change is made; I say so.", 'Done: in %s, "%s" is now "%s".' % (path, args["old_text"], args["new_text"]), [path, args["new_text"]]
        return r.pick(DONE_THINK), done_words(path, args["content"], mode or "overwrite"), [path]
    if name == "memory_write":
        return "It is stored; I confirm it.", "I will remember that %s." % second(args["text"]), telling(second(args["text"]))[:3]
    if name == "fs_read":
        text, key = show_text(args["path"], stage.files[args["path"]])
        return r.pick(FOUND_THINK), text, [key]
    names = sorted(x[0] for x in stage.fill(t["steps"][-1]["calls"][-1]["out"]))
    return "The listing is there; I say what it holds.", say_list(args.get("path") or "The working folder", names), [x.rstrip("/") for x in names[:4]]
