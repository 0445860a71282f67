"""Writing files: wishes from the lists, and wishes put together from verb, text and place in every order.

One rule for the modes: create where the words say that the file is new,
append where they say that something is added, replace-text where one text
becomes another, and otherwise overwrite (no mode).
"""
import re

from . import asks_files, files, lex
from .chat_calc import either_way
from .chat_call import arguments, changed, file_name, make_call, quote, slots_for, spoken, written
from .chat_files import fs_read
from .conv import speak, thinks
from .frames import PIECES
from .messages import check_text
from .phrases import Phrases, bars, phrasings
from .refer_words import LATE, MORE_SAVE, REFER
from .sections import more
from .slots import fill

TEXT = more(phrasings("{x}|{x}|the text {x}|the words {x}|the line {x}|{x}|the note {x}|the sentence {x}|just {x}|the following text, {x},|only {x}"), PIECES["TEXT"])
FILE = more(phrasings("{p}|{p}|{p}|the file {p}|my file {p}|{p}|the text file {p}|our {p}|the document {p}|the file named {p}"), PIECES["FILE"])
OVER = phrasings("""write {T} to {F}|write {T} into {F}|put {T} in {F}|put {T} into {F}|save {T} to {F}|save {T} in {F}|store {T} in {F}|in {F} write {T}|to {F} write {T}|into {F} put {T}|{F} should say {T}|make {F} say {T}|
replace everything in {F} with {T}|overwrite {F} with {T}|let {F} contain {T}|I want {T} in {F}|I want {F} to say {T}|{F} has to contain {T} and nothing else|the whole content of {F} should be {T}|set the text of {F} to {T}|
write into {F} {T}|save to {F} {T}|can {T} be written to {F}|fill {F} with {T}|the contents of {F} become {T}|{T} has to be in {F}|place {T} in {F}|keep {T} in {F}|use {F} to store {T}|empty {F} and write {T} there""")
APPEND = phrasings("""add {T} to {F}|append {T} to {F}|add to {F} {T}|append to {F} {T}|put {T} at the end of {F}|at the end of {F} add {T}|write {T} at the bottom of {F}|add another line to {F}, {T}|add {T} as the last line of {F}|
{F} gets one more line, {T}|extend {F} by {T}|also add {T} to {F}|below the rest of {F} write {T}|I want {T} added to {F}|{T} has to be added to {F}|leave {F} as it is and add {T}|to the end of {F} append {T}|keep what {F} says and add {T}|
{F} needs another line with {T}|attach {T} at the end of {F}|one more line for {F}, namely {T}|please also put {T} at the end of {F}|add {T} below what is in {F}|continue {F} with {T}""")
CREATE = phrasings("""create {F} with {T}|create {F} containing {T}|create a new file {p} with {T}|make a new file {p} saying {T}|make a file called {p} with {T} in it|start a new file {p} with {T}|a new file {p} with {T}, please|create a file named {p} that says {T}|
I need a new file {p} with {T}|put {T} into a new file {p}|put {T} in a new file called {p}|write {T} to a new file {p}|{p} does not exist yet, create it with {T}|set up a new file {p} and write {T} in it|open a new file {p} with {T}|
create {p}, a new file, and put {T} in it|new file {p} with {T}|create a file called {p} and write {T}|generate a new file {p} with {T}|save {T} as a new file {p}""")
REPLACE = phrasings("""replace {o} with {n} in {F}|replace {o} by {n} in {F}|in {F} replace {o} with {n}|change {o} to {n} in {F}|change {o} into {n} in {F}|in {F} change {o} to {n}|put {n} instead of {o} in {F}|{n} instead of {o} in {F}|in {F} write {n} instead of {o}|
use {n} in place of {o} in {F}|substitute {n} for {o} in {F}|swap {o} for {n} in {F}|where {F} says {o} write {n}|{F} says {o} but should say {n}|it is {n}, not {o}, correct that in {F}|not {o} but {n}, please change {F}|in {F} it must be {n} instead of {o}|
edit {F} so that {o} becomes {n}|make {o} read {n} in {F}|turn {o} into {n} in {F}|correct {o} to {n} in {F}|update {F}, {o} is now {n}|the {o} in {F} has to become {n}|exchange {o} for {n} in {F}|rename {o} to {n} in {F}|
write {n} over {o} in {F}|{o} in {F} should be {n}|fix {F} by changing {o} to {n}|take {n} rather than {o} in {F}|in {F}, {o} must become {n}|let {F} say {n} where it says {o}|swap {o} out for {n} in {F}""")
BLOCK_OVER = phrasings("""write this to {p}:|save this in {p}:|put the following into {p}:|save the text below as {p}:|{p} should contain:|make {p} this:|write to {p}:|here is the text for {p}:|save as {p}:|overwrite {p} with this:|new contents of {p}:|store this in {p}:|
replace the contents of {p} with:|this goes into {p}:|into {p}, please:""")
BLOCK_APPEND = phrasings("add this to {p}:|append this to {p}:|add these lines to {p}:|put this at the end of {p}:|append the following to {p}:|these lines go at the end of {p}:|add to {p}:|at the bottom of {p} add:|more lines for {p}:|append to {p}:")
BLOCK_CREATE = phrasings("create {p} with this:|make a new file {p}:|new file {p}:|create the file {p} with the following text:|start a new file {p} with:|create a file {p} containing:|make a file called {p} with this in it:|a new file {p}, please, with:|create {p}:|set up a new file {p} with this text:")
MODES = {"overwrite": (OVER, BLOCK_OVER), "append": (APPEND, BLOCK_APPEND), "create": (CREATE, BLOCK_CREATE)}


def said_path(r, path):
    return quote(r, path) if " " in path or r.chance(0.08) else path


def wish(r, forms, text, path):
    """(template, slots) of a wish to write a text of one line."""
    t = r.phrase(forms)
    piece = r.phrase(TEXT)
    marked = piece.startswith(("just", "only", "the following", "this", "these")) or ":" in piece  # could be words of the text
    if (marked or piece == "{x}" and r.chance(0.4) or any(w in text for w in (" to ", " in ", " into ", ", ", " with ", ": "))
        and r.chance(0.8)):
        x = quote(r, text)
    else:
        x = text
    # a colon before it does where the text comes last
    if t.endswith("{T}") and r.chance(0.3):
        t, piece = t[:-4].rstrip(" ,") + ": {T}", "{x}"
    t = t.replace("{T}", piece).replace("{F}", r.phrase(FILE))
    return t, {"x": x, "p": said_path(r, path)}


def write_piece(c):
    r = c.r
    mode = r.pick(("overwrite", "append", "create", "replace", "overwrite", "append"))
    if mode == "replace":
        return replace_piece(c)
    if r.chance(0.15):
        return write_block(c, mode)
    path = file_name(r)
    text = written(r, r.chance(0.5))
    t, s = wish(r, MODES[mode][0], text, path)
    if s["x"] == text:  # without quotes a mark at the end would be the sentence's
        text = s["x"] = text.rstrip(".!? ")
    c.say(speak(r, t, s, typos=False, frame=False)[0])
    done(c, path, text, mode)


def done(c, path, text, mode):
    args = {"path": path, "content": text}
    if mode != "overwrite":
        args["mode"] = mode
    c.about = ("file", path, files.File(write_done(c, args), "txt", []))
    c.done()


def write_block(c, mode):
    """A text of several lines, below the words or in a fence."""
    r = c.r
    if r.chance(0.35):
        f = files.code(r)
        path, text = r.path([f.ext]), f.text
    elif r.chance(0.3):
        f = files.config(r)
        path, text = r.path([f.ext]), f.text
    else:
        path = file_name(r, ["txt", "md", "txt", "md", "log", "csv"])
        text = "\n".join(r.pick(("", "- ", "")) + written(r, True) for _ in range(r.int(2, 4)))
    t = r.phrase(MODES[mode][1])
    lead = speak(r, t, {"p": said_path(r, path)}, typos=False, frame=False)[0]
    x = r.random()
    body = ("\n" + text if x < 0.4 else "\n\n" + text if x < 0.6 else "\n```\n%s\n```" % text if x < 0.85
            else "\n```%s\n%s\n```" % (path.rsplit(".", 1)[-1], text))
    c.say(lead + body)
    done(c, path, text, mode)


def replace_piece(c):
    r = c.r
    path, old, new = file_name(r), changed(r), changed(r)
    if r.chance(0.12):
        old, new = written(r), written(r)
    if old == new:
        new += "s"
    t = r.phrase(REPLACE).replace("{F}", r.phrase(FILE))
    both = r.chance(0.35) or " " in old + new and r.chance(0.7)
    s = {"o": quote(r, old) if both else old, "n": quote(r, new) if both else new, "p": said_path(r, path)}
    c.say(speak(r, t, s, typos=False)[0])
    replace_done(c, {"path": path, "mode": "replace-text", "old_text": old, "new_text": new})


WRITE_THINK = thinks("""They want it written to {path}, so I call fs_write.
The text goes into {path}; fs_write does that.
I write it to {path} as they say.
{path} is to be written, so I use fs_write.""")


def fs_write(c):
    r = c.r
    mode = r.pick(("overwrite", "append", "create", "replace", "overwrite", "append"))
    if mode == "replace":
        return fs_replace(c)
    t, arg = r.phrase({"overwrite": asks_files.FS_OVERWRITE, "append": asks_files.FS_APPEND, "create": asks_files.FS_CREATE}[mode])
    s = slots_for(r, t)
    if isinstance(arg, dict):
        args = arguments("fs_write", arg, s, "content")
    else:
        args = {"path": s.get("path", ""), "content": fill(arg, s) if arg else s.get("text", "")}
        if mode != "overwrite":
            args["mode"] = mode
    if not args.get("path") or "content" not in args:
        return fs_read(c)
    c.say(speak(r, t, spoken(r, t, s), typos=False, frame=False)[0])
    c.about = ("file", args["path"], files.File(write_done(c, args), "txt", []))
    c.done()


DONE_THINK = thinks("""The file is written; I say so.
It worked, which I report.
The tool says that it changed the file.""")


def done_words(path, text, mode):
    """What is said when a file was written."""
    if len(text) > 160:
        return "Done: I wrote it to %s." % path
    form = {"append": 'Done: I added "%s" to %s.', "create": 'Done: I created %s with "%s".', "overwrite": 'Done: %s now says "%s".'}[mode]
    return form % ((text, path) if mode == "append" else (path, text))


def new_or_not(path, text):
    """The arguments of a call where nobody said whether the file is there already."""
    return {"path": [path], "content": [text], "mode": [None, "overwrite", "create"]}


def write_done(c, args, group="builtin_tools", think=None):
    """The call, its result and the answer of a file that is written."""
    r, path, text = c.r, args["path"], args["content"]
    check = None
    if group != "builtin_tools" and "mode" not in args:  # nobody said whether the file is there already
        check = {"type": "call", "name": "fs_write", "any": new_or_not(path, text), "group": group}
    c.call(think or fill(r.pick(WRITE_THINK), {"path": path}), [make_call("fs_write", args)], group, check=check)
    n, mode, whole = len(text.encode()), args.get("mode", "overwrite"), text
    if mode == "append" or mode == "overwrite" and r.chance(0.25):
        old = r.entity(lex.TASKS)
        was = len(old) + 1
        if mode == "append":
            whole = old + "\n" + text
            c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, 2 lines (UTF-8).\n@@ -1 +1 @@\n %s\n+%s\n"
                     % (c.path(path), was, was + n, old, text))
        else:
            c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -1 +1 @@\n-%s\n+%s\n"
                     % (c.path(path), was, n, text.count("\n") + 1, old, text))
    else:
        c.result("fs_write", "Created %s: %d bytes, %d lines.\n" % (c.path(path), n, text.count("\n") + 1))
    c.answer(r.pick(DONE_THINK), done_words(path, text, mode), check_text("extraction", [path]))
    return whole


def work_out_and_write(c, think, e, got, path, add):
    """A sum first, then its result in a file; got is what the calculation says and its number."""
    c.call(think, [make_call("calculate", {"expression": e})], check=either_way(e, c.group("builtin_tools")))
    c.result("calculate", got[0])
    args = {"path": path, "content": got[1]}
    if add:
        args["mode"] = "append"
    write_done(c, args, "two_tools", ("The result is %s; it is still to be added to %s, so I append it." if add
                                      else "The result is %s; it is still to go to %s, so I write it there.") % (got[1], path))
    c.about = None
    c.done()


def fs_replace(c):
    r = c.r
    t, arg = r.phrase(asks_files.FS_REPLACE)
    s = slots_for(r, t)
    if isinstance(arg, dict):
        args = arguments("fs_write", arg, s, "path")
    else:
        args = {"path": s["path"], "mode": "replace-text", "old_text": s["old"], "new_text": s["new"]}
    args["mode"] = "replace-text"
    c.say(speak(r, t, spoken(r, t, s), typos=False)[0])
    replace_done(c, args)


def replace_done(c, args):
    """The call that changes a piece of a file, its result and the answer."""
    r, path = c.r, args["path"]
    c.call("In %s one text is to become another, so I use fs_write with replace-text." % path, [make_call("fs_write", args)])
    if r.chance(0.85):
        n = r.int(40, 900)
        c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -1 +1 @@\n-%s\n+%s\n" % (
            c.path(path), n, n + len(args["new_text"]) - len(args["old_text"]), r.int(1, 30), args["old_text"], args["new_text"]))
        c.answer("The change is made; I say so.", 'Done: in %s, "%s" is now "%s".' % (path, args["old_text"], args["new_text"]),
                 check_text("extraction", [path, args["new_text"]]))
    else:
        why = r.pick(["old_text does not stand in the file. What helps: read the file and copy the text exactly, with its spaces and line ends",
                      "old_text stands in the file 2 times (counted up to 100). What helps: give more of the text around it, so that it is found once"])
        c.result("fs_write", why, failed=True)
        first = why.split(". What helps")[0]
        c.answer("It failed; I say why and what would help.",
                 "%s was not changed: %s. Tell me the exact text as it stands in the file."
                 % (path, first.replace("old_text", '"%s"' % args["old_text"])), check_text("errors", [path]))
    c.about = None
    c.done()


SAVE_THAT = Phrases(bars("""save that to {path}|write that to {path}|put that into {path}|store this in {path}|save it as {path}|write it down in {path}|
keep that in {path}|note that in {path}|save the answer to {path}|put it in {path} please|write your answer into {path}|can you save that in {path}?"""), MORE_SAVE, REFER["SAVE_THAT"], *LATE["SAVE_THAT"])
ADD_THAT = Phrases("add that to {path}|append that to {path}|add it to {path}|put that at the end of {path}|append your answer to {path}|add this at the end of {path}".split("|"), REFER["ADD_THAT"], *LATE["ADD_THAT"])


EMPTY = re.compile(r"Done\b|Noted|All right|I (?:don't|can't|will|am|have)\b|You're|That did not|Good|Hello|Hi\b|Thank|There is nothing")  # tells nothing that anyone would save


def save_that(c):
    """What was answered goes into a file."""
    r = c.r
    last = next((m for m in reversed(c.msgs) if m["role"] == "assistant" and m["content"]), None)
    if not last or len(last["content"]) > 200 or "\n" in last["content"] or EMPTY.match(last["content"]) or last["content"].endswith("?"):
        return fs_write(c)
    path, add = r.path(["txt", "md", "txt", "md", "log"]), r.chance(0.35)
    # a mistyped "this" could be the text itself
    c.say(speak(r, r.phrase(ADD_THAT if add else SAVE_THAT), {"path": path}, typos=False)[0])
    args = {"path": path, "content": last["content"]}
    if add:
        args["mode"] = "append"
    text = write_done(c, args, "pronouns", ("They want my last answer added to %s, so I append it." if add else "They want my last answer in %s, so I write it there.") % path)
    c.about = ("file", path, files.File(text, "txt", []))
    c.done()
