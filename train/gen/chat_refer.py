"""Words that lean on what was said before: it, that, there, the same again."""
from . import facts, files, quote
from .chat_call import make_call, written
from .chat_files import FOUND_THINK, file_again, last_read, show_text
from .chat_read import SWITCH, around, follow, material, noise_entry, read_sheet
from .chat_web import PRIVATE, first_sentence, hit, other_hit, public, search_text, sheet_results
from .chat_write import write_done
from .conv import speak
from .messages import check_honest, check_text
from .phrases import Phrases, bars, phrasings
from .refer_words import LATE, MORE_ADD, MORE_CHANGE, MORE_LOOK, MORE_REMEMBER, REFER
from .sections import more
from .spans import query_of

AGAIN_Q = more(phrasings("{q}|sorry, {q}|once more: {q}|I forgot, {q}|again, {q}|wait, {q}|remind me, {q}|so, {q}|hm, {q}|I did not write it down: {q}|one more time, {q}|tell me again, {q}"), REFER["AGAIN_Q"], *LATE["AGAIN_Q"])


def stays(c, s):
    """The results and pasted texts of this conversation that name a thing; they stay, unlike what was looked up."""
    name, text = s.name.lower(), ""
    for m in c.msgs:
        if (m["role"] == "tool" or m["role"] == "user" and len(m["content"]) > 60) and name in m["content"].lower():
            text += m["content"] + "\n"
    return text.lower()


def seen(c, s=None):
    """The attributes of a thing that stand there."""
    s = s or c.about[1]
    text = stays(c, s)
    return [a for a in s.attrs if a.key in s.values and s.values[a.key].lower() in text] if text else []


def read_above(c, s, a):
    """The end of a thought: the words above that say it."""
    text = " ".join(stays(c, s).split())
    if s.listed and a in s.listed and all(s.values[x.key].lower() in text for x in s.listed):
        return "the text above says: " + quote.pairs(s, a)
    for k, said in tuple(s.said.items()) + s.ever:
        if k == a.key and said.lower() in text:
            return "the text above says: " + quote.cut(said, s.values[k])
    return "the text above says it: %s." % s.values[a.key]


def holding(c, s):
    """What is known here of a thing; whoever names it first sees whether what is wanted is among it."""
    known = seen(c, s)
    return "above stand %s %s" % (s.its, quote.only(known)) if known else ""


def lacking(c, s):
    """The end of a thought: what stands above, and that this does not."""
    had = holding(c, s)
    return had + " and not that" if had else "nothing above tells it"


def repeat(c):
    """The same question once more: the answer stands above."""
    r, (_, s, a) = c.r, c.about
    c.say(speak(r, r.phrase(AGAIN_Q), {"q": s.question(r, a)}, typos=False, frame=False)[0])
    if a.key not in s.values:  # a text was given that does not say it
        c.answer("They ask once more for the %s of %s, which the text does not say." % (a.short, s.name),
                 "The text does not say the %s of %s." % (a.short, s.name), check_honest("unknown"))
        return c.done()
    c.answer("I answered that already; the %s of %s stands above: %s." % (a.short, s.name, s.values[a.key]), s.answer(r, a),
             check_text("pronouns", [s.values[a.key]]))
    c.done()


def maybe_beside(r):
    """What was looked up for so few words may well be about something else."""
    return material(r, [noise_entry(r) for _ in range(r.int(1, 3))]) if r.chance(0.3) else None


def follow_seen(c):
    """Another attribute that stands in a text of this conversation."""
    r, (_, s, before) = c.r, c.about
    rest = [a for a in seen(c) if a is not before]
    if not rest or r.chance(0.25):  # what stands there and what does not, after the same words
        return follow_web(c)
    a = r.pick(rest)
    c.say(speak(r, s.follow(r, a))[0], maybe_beside(r))
    c.answer("They mean %s and want the %s; %s; %s" % (s.name, a.short, holding(c, s), read_above(c, s, a)), s.answer(r, a),
             check_text("pronouns", [s.values[a.key]]))
    c.about = ("sheet", s, a)
    c.done()


OTHER_ONE = more(phrasings("""and the other one?|what about the other one?|and the other?|how about the other one|the other one too please|the same for the other one|what is it for the other one?|and that of the other?|now the other one|
and for the other one in the text?|what about the other one there?|the other one as well"""), REFER["OTHER_ONE"], *LATE["OTHER_ONE"])


def switch_seen(c):
    """The same of the other thing that the text above tells of; where it tells of none, of a thing that must be looked for."""
    r, (_, s, a), o = c.r, c.about, c.pair
    if o is None or o.name == s.name or a not in seen(c, o):
        return switch_web(c) if r.chance(0.35) else follow_seen(c)
    c.say(speak(r, r.phrase(OTHER_ONE if r.chance(0.35) else SWITCH), {"n": o.name}, typos=False)[0], maybe_beside(r))
    c.answer("Now the %s of %s; %s" % (a.short, o.name, read_above(c, o, a)), o.answer(r, a),
             check_text("pronouns", [o.values[a.key]]))
    c.about, c.pair = ("sheet", o, a), s
    c.done()


def searched(c, s, a, think):
    """A search for an attribute, and what it finds; without the tool it does not know."""
    r = c.r
    if s.kind in PRIVATE and c.has("web_search"):
        c.answer("%s; the web cannot know it." % think, "I don't know the %s of %s: nothing here says it." % (a.short, s.name), check_honest("unknown"))
        c.about = None
        return c.done()
    if not c.has("web_search"):
        c.answer("%s; I must not guess." % think, "I don't know the %s of %s offline. A larger model, or a web search, would help."
                 % (a.short, s.name), check_honest("unknown"))
        c.about = None
        return c.done()
    c.call("%s; I search for it." % think, [make_call("web_search", {"query": "%s of %s" % (a.short, s.name)})],
           # in words of its own where they used others
           check={"type": "call", "name": "web_search",
                  "contains": {"query": [s.bare()] + [a.short] * (a.short in c.msgs[-1]["content"].lower())}, "group": "pronouns"})
    s.values[a.key] = a.make(r)
    had = [x for x in s.attrs if x is not a]
    s.attrs = [a] + had[:1]
    sheet_results(c, s, a)
    s.attrs = had + [a]  # what was told before still stands above
    c.done()


def switch_web(c):
    """The same of a thing that stands nowhere here."""
    r, (_, s, a) = c.r, c.about
    o = s.sibling(r, [a])
    c.say(speak(r, r.phrase(SWITCH), {"n": o.name}, typos=False)[0], maybe_beside(r))
    searched(c, o, a, "The same question for %s, and nothing here says the %s" % (o.name, a.short))


def follow_web(c):
    """Another attribute that stands nowhere here: the web is asked, with the name, or it does not know."""
    r, (_, s, before) = c.r, c.about
    rest = [a for a in s.attrs_all if a not in s.attrs]
    if not rest or s.kind in ("person", "open") and c.has("graph_search", "web_search"):  # the graph might know it
        return repeat(c)
    a = r.pick(rest)
    c.say(speak(r, s.follow(r, a), typos=False)[0], maybe_beside(r))
    searched(c, s, a, "They mean %s and want the %s; %s" % (s.name, a.short, lacking(c, s)))


def follow_lacking(c):
    """What is looked up for a follow-up tells of the thing, but not that."""
    r, (_, s, before) = c.r, c.about
    rest = [a for a in s.attrs_all if a not in s.attrs]
    if not rest or not public(c, s) or any(a.key not in s.values for a in s.attrs):
        return follow(c)
    a, keep = r.pick(rest), s.attrs
    s.attrs = r.some(keep, r.int(1, 3))
    c.say(speak(r, s.follow(r, a), typos=False)[0], material(r, around(r, (s.start(), s.text(r, 0.2)), 2)))
    think = "They mean %s and want the %s; of it %s" % (s.name, a.short, quote.lacks(s, "the material"))
    s.attrs, at = keep, len(c.msgs)
    searched(c, s, a, think)
    c.msgs[at]["_needs"] = True


BACK = more(phrasings("{q}|back to {n}: {q}|earlier we had {n}. {q}|one more about {n}: {q}|coming back to {n}, {q}|again about {n}: {q}|for {n}, as before: {q}|let me return to {n}. {q}|about {n} from before: {q}|we talked about {n}: {q}"), REFER["BACK"], *LATE["BACK"])


def back(c):
    """A question about something further up: what stands there is read, what does not is searched."""
    r = c.r
    _, s, before = r.pick(c.past[-4:])
    known = seen(c, s)
    if not known:
        return read_sheet(c)
    rest = [x for x in s.attrs_all if x not in s.attrs]
    if rest and r.chance(0.25):
        a = r.pick(rest)
        said, core = speak(r, s.question(r, a), typos=False)
        c.say(said, maybe_beside(r))
        return searched(c, s, a, "They ask for the %s of %s; %s" % (a.short, s.name, lacking(c, s)))
    a = r.pick([x for x in known if x is not before] or known)
    q = s.question(r, a)
    c.say(speak(r, r.phrase(BACK), {"q": q, "n": s.name}, typos=False, frame=False)[0] if r.chance(0.6) else speak(r, q, typos=False)[0],
          maybe_beside(r))
    c.answer("They ask for the %s of %s; %s; %s" % (a.short, s.name, holding(c, s), read_above(c, s, a)), s.answer(r, a),
             check_text("pronouns", [s.values[a.key]]))
    c.about = ("sheet", s, a)
    c.done()


OTHER_FILE = more(phrasings("""and the other one?|read the other file again|the one before that, please|what about the first one again?|go back to the file before|show me the previous file once more|no, the other file|I meant the other one|open the earlier one again|
read the one before it|not this one, the one before|the previous one again|no, the one from before|back to the other file"""), REFER["OTHER_FILE"], *LATE["OTHER_FILE"])


def paths_of(c):
    """The files that were read or written, in order, each once, by its last place."""
    out = []
    for m in c.msgs:
        for x in m.get("calls") or []:
            p = x["arguments"].get("path") if x["name"] in ("fs_read", "fs_write") else None
            if p:
                out = [q for q in out if q != p] + [p]
    return out


def other_file(c):
    """Not the last file but the one before it."""
    r, paths = c.r, paths_of(c)
    if len(paths) != 2 or paths[-1] != c.about[1] or not last_read(c):
        return file_again(c)
    path = paths[0]
    c.say(speak(r, r.phrase(OTHER_FILE))[0])
    c.call("They mean the file before, %s, so I read that." % path, [make_call("fs_read", {"path": path})], "pronouns")
    f = files.File(c.texts[path], "txt", []) if path in c.texts else files.any_file(r)
    text, cut = files.read_result(c, path, f.text)
    c.result("fs_read", text, cut=cut)
    ans, key = show_text(path, f.text)
    c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
    c.about = ("file", path, f)
    c.done()


LOOK_IT = Phrases(bars("search the web for it|look it up online|google it|can you look that up on the web?|find more about it on the web|search for it online|what does the web say about it?|look for it on the internet|web search it please|and what does the internet say?"), MORE_LOOK, REFER["LOOK_IT"], *LATE["LOOK_IT"])


def search_it(c):
    """What is talked about is to be looked up."""
    r, (_, s, a) = c.r, c.about
    if not c.has("web_search"):
        return repeat(c)
    c.say(speak(r, r.phrase(LOOK_IT))[0])
    c.call("They mean %s, so I search for that." % s.name, [make_call("web_search", {"query": query_of(s.name)})], "pronouns")
    s2 = facts.Sheet(r, 1)
    s2.name, s2.kind = s.name, s.kind
    s2.attrs = [s.attrs[0]]
    s2.values = s.values
    text = s2.text(r, 0)
    best = hit(r, s.start(), text)
    c.result("web_search", search_text(c, [best] + [other_hit(r) for _ in range(r.int(0, 2))]))
    c.answer("The first result is about it.", "%s (%s)" % (first_sentence(text), best["url"]),
             check_text("extraction", [first_sentence(text)[:-1]]))
    c.done()


REMEMBER_IT = Phrases(bars("remember that|please remember this|keep that in mind|can you remember that for later?|don't forget that|store that in your memory|memorise it|save that to memory|make sure you remember this|remember it for next time"), MORE_REMEMBER, REFER["REMEMBER_IT"], REFER["REMEMBER_2"], *LATE["REMEMBER_IT"])


def remember_it(c):
    """What the person just said goes into the memory."""
    r, t = c.r, c.about[1]
    if not c.has("memory_write") or c.msgs[-1]["role"] != "assistant" or not c.msgs[-1]["content"].startswith("Noted: "):
        return read_sheet(c)
    text = c.msgs[-1]["content"][len("Noted: "):].rstrip(".")
    said = t.last.rstrip(".")
    c.say(speak(r, r.phrase(REMEMBER_IT))[0])
    c.call("They mean what they just told me: %s. I write it to the memory." % said,
           [make_call("memory_write", {"name": t.title(), "text": said})], "pronouns")
    c.result("memory_write", "Remembered: %s." % t.title())
    c.answer("It is stored; I confirm it.", "I will remember that %s." % text, check_text("extraction", t.key_words(text)))
    c.done()


ADD_IT = Phrases(bars("add {text} to it|append {text} to it|put {text} in there too|also add {text}|add {text} there as well|and add {text} to that file|write {text} at the end of it|now add {text}|put {text} at the end of it|one more line for it: {text}"), MORE_ADD, REFER["ADD_IT"], *LATE["ADD_IT"])
CHANGE_IT = Phrases(bars("replace {old} with {new} in it|change {old} to {new} in there|in that file, change {old} to {new}|now replace {old} by {new} there|turn {old} into {new} in it|in there, make {old} into {new}"), MORE_CHANGE, REFER["CHANGE_IT"], *LATE["CHANGE_IT"])


TAKE_OUT = Phrases(bars("""remove {text} from it|take {text} out of it|delete {text} there|cross out {text}|strike {text}|{text} can go|take {text} off|remove {text}|please delete the line {text}|get rid of {text} in there|drop {text} from that file|I don't need {text} any more, take it out|{text} is done, remove it from there|erase {text}|
now without {text}|{text} has to go|throw {text} out of it|could you remove {text} from that|delete {text} again|no, take {text} out again"""))


def take_from_it(c, path, f, line):
    """A line of the file before is taken out."""
    r = c.r
    c.say(speak(r, r.phrase(TAKE_OUT), {"text": line}, typos=False, frame=False)[0])
    c.call('They mean %s, from which "%s" is to be taken out.' % (path, line),
           [make_call("fs_write", {"path": path, "mode": "replace-text", "old_text": line, "new_text": ""})], "pronouns")
    n = len(f.text.encode()) + 1
    c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -1 +1 @@\n-%s\n+\n" % (c.path(path), n, n - len(line.encode()), f.text.count("\n") + 1, line))
    c.answer("It is taken out; I say so.", 'Done: "%s" is gone from %s.' % (line, path), check_text("extraction", [path, line]))
    c.about = None
    c.done()


def add_to_it(c):
    """The file before gets another line, or a change."""
    r, (_, path, f) = c.r, c.about
    if not c.has("fs_write"):
        return read_sheet(c)
    lines = [x for x in f.text.split("\n") if 2 < len(x) < 60 and f.text.count(x) == 1]
    if lines and r.chance(0.2):
        return take_from_it(c, path, f, r.pick(lines))
    if r.chance(0.7):
        text = written(r)
        c.say(speak(r, r.phrase(ADD_IT), {"text": text}, typos=False, frame=False)[0])
        write_done(c, {"path": path, "content": text, "mode": "append"}, "pronouns", "They mean %s, so I add it there." % path)
        c.about = ("file", path, files.File((f.text + "\n" + text)[:600], f.ext, []))
    else:
        old, new = r.word(), r.word()
        c.say(speak(r, r.phrase(CHANGE_IT), {"old": old, "new": new}, typos=False)[0])
        c.call("They mean %s, so I change it there." % path,
               [make_call("fs_write", {"path": path, "mode": "replace-text", "old_text": old, "new_text": new})], "pronouns")
        n = r.int(40, 900)
        c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -1 +1 @@\n-%s\n+%s\n"
                 % (c.path(path), n, n + len(new) - len(old), r.int(1, 30), old, new))
        c.answer("The change is made; I say so.", 'Done: in %s, "%s" is now "%s".' % (path, old, new),
                 check_text("extraction", [path, new]))
        c.about = None
    c.done()
