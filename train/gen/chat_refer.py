"""Words that lean on what was said before: it, that, there, the same again."""
from . import facts, files
from .base import check_honest, check_text, query_of
from .chat_read import FOLLOW, material, noise_entry, read_sheet
from .chat_seq import P
from .chat_call import make_call, written
from .chat_files import write_done
from .chat_web import sheet_results
from .conv import speak

AGAIN_Q = P("{q}|sorry, {q}|once more: {q}|I forgot, {q}|again, {q}|wait, {q}")


def seen(c):
    """What a result or a pasted text in this conversation says of the thing that is talked about."""
    _, s, _ = c.about
    text = " ".join(m["content"] for m in c.msgs[-6:] if m["role"] == "tool" or "<context>" in m["content"])
    return [a for a in s.attrs if a.key in s.values and s.values[a.key] in text]


def repeat(c):
    """The same question once more: the answer stands above."""
    r, (_, s, a) = c.r, c.about
    c.say(speak(r, r.phrase(AGAIN_Q), {"q": s.question(r, a)}, typos=False, frame=False)[0])
    c.answer("I answered that already; it stands above.", s.answer(r, a), check_text("pronouns", [s.values[a.key]]))
    c.done()


def follow_seen(c):
    """Another attribute that stands in a text of this conversation."""
    r, (_, s, before) = c.r, c.about
    rest = [a for a in seen(c) if a is not before]
    if not rest:
        return follow_web(c)
    a = r.pick(rest)
    said = speak(r, r.phrase(FOLLOW), {"its": s.its, "k": a.short})[0]
    c.say(said if s.its == "its" else said.replace("does it have", "do they have"))
    c.answer("They mean %s; the text above says it." % s.name, s.answer(r, a), check_text("pronouns", [s.values[a.key]]))
    c.about = ("sheet", s, a)
    c.done()


def follow_web(c):
    """Another attribute that stands nowhere here: the web is asked, with the name, or it does not know."""
    r, (_, s, before) = c.r, c.about
    rest = [a for a in s.attrs_all if a not in s.attrs]
    if not rest:
        return repeat(c)
    a = r.pick(rest)
    said = speak(r, r.phrase(FOLLOW), {"its": s.its, "k": a.short}, typos=False)[0]
    # what was looked up for so few words may well be about something else
    other = material(r, [noise_entry(r) for _ in range(r.int(1, 3))]) if r.chance(0.4) else None
    c.say(said if s.its == "its" else said.replace("does it have", "do they have"), other)
    if not c.has("web_search"):
        c.answer("They mean %s, and nothing here says it; I must not guess." % s.name, "I don't know the %s of %s offline. A larger model, or a web search, would help." % (a.short, s.name), check_honest("unknown"))
        return c.done()
    c.call("They mean %s, and nothing here says its %s; I search for it." % (s.name, a.short) if s.its == "its" else "They mean %s, and nothing here says it; I search for it." % s.name,
           [make_call("web_search", {"query": a.short + " " + query_of(s.name)})], "pronouns")
    s.values[a.key] = a.make(r)
    s.attrs = [a] + s.attrs[:1]
    sheet_results(c, s, a)
    c.done()


LOOK_IT = P("search the web for it|look it up online|google it|can you look that up on the web?|find more about it on the web|search for it online|what does the web say about it?|look for it on the internet|web search it please|and what does the internet say?")


def search_it(c):
    """What is talked about is to be looked up."""
    r, (_, s, a) = c.r, c.about
    if not c.has("web_search"):
        return repeat(c)
    c.say(speak(r, r.phrase(LOOK_IT))[0])
    c.call("They mean %s, so I search for that." % s.name, [make_call("web_search", {"query": query_of(s.name)})], "pronouns")
    from .chat_web import first_sentence, hit, other_hit, search_text
    s2 = facts.Sheet(r, 1)
    s2.name, s2.kind = s.name, s.kind
    s2.attrs = [s.attrs[0]]
    s2.values = s.values
    text = s2.text(r, 0)
    best = hit(r, s.start(), text)
    c.result("web_search", search_text(c, [best] + [other_hit(r) for _ in range(r.int(0, 2))]))
    c.answer("The first result is about it.", "%s (%s)" % (first_sentence(text), best["url"]), check_text("extraction", [first_sentence(text)[:-1]]))
    c.done()


REMEMBER_IT = P("remember that|please remember this|keep that in mind|can you remember that for later?|don't forget that|store that in your memory|memorise it|save that to memory|make sure you remember this|remember it for next time")


def remember_it(c):
    """What the person just said goes into the memory."""
    r, t = c.r, c.about[1]
    if not c.has("memory_write") or c.msgs[-1]["role"] != "assistant" or not c.msgs[-1]["content"].startswith("Noted: "):
        return read_sheet(c)
    text = c.msgs[-1]["content"][len("Noted: "):].rstrip(".")
    c.say(speak(r, r.phrase(REMEMBER_IT))[0])
    c.call("They mean what they just told me, so I write it to the memory.", [make_call("memory_write", {"name": t.title(), "text": c.stated})], "pronouns")
    c.result("memory_write", "Remembered: %s." % t.title())
    c.answer("It is stored; I confirm it.", "I will remember that %s." % text, check_text("extraction", t.key_words(text)))
    c.done()


ADD_IT = P("add {text} to it|append {text} to it|put {text} in there too|also add {text}|add {text} there as well|and add {text} to that file|write {text} at the end of it|now add {text}|put {text} at the end of it|one more line for it: {text}")
CHANGE_IT = P("replace {old} with {new} in it|change {old} to {new} in there|in that file, change {old} to {new}|now replace {old} by {new} there|turn {old} into {new} in it|there, make {old} {new}")


def add_to_it(c):
    """The file before gets another line, or a change."""
    r, (_, path, f) = c.r, c.about
    if not c.has("fs_write"):
        return read_sheet(c)
    if r.chance(0.7):
        text = written(r)
        c.say(speak(r, r.phrase(ADD_IT), {"text": text}, typos=False, frame=False)[0])
        write_done(c, {"path": path, "content": text, "mode": "append"}, "pronouns", "They mean %s, so I add it there." % path)
        c.about = ("file", path, files.File((f.text + "\n" + text)[:600], f.ext, []))
    else:
        old, new = r.word(), r.word()
        c.say(speak(r, r.phrase(CHANGE_IT), {"old": old, "new": new}, typos=False)[0])
        c.call("They mean %s, so I change it there." % path, [make_call("fs_write", {"path": path, "mode": "replace-text", "old_text": old, "new_text": new})], "pronouns")
        n = r.int(40, 900)
        c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -1 +1 @@\n-%s\n+%s\n" % (c.path(path), n, n + len(new) - len(old), r.int(1, 30), old, new))
        c.answer("The change is made; I say so.", 'Done: in %s, "%s" is now "%s".' % (path, old, new), check_text("extraction", [path, new]))
        c.about = None
    c.done()
