"""The same thing looked for in one place and then in another: web, notes, memory and files are told apart."""
from .chat_call import about_topic, make_call
from .chat_memory import memory_result
from .chat_talk import talk
from .chat_web import first_sentence, hit, news, search_text, title
from .conv import speak
from .messages import NOTHING, check_text
from .phrases import bars, phrasings
from .refer_words import LATE, REFER
from .sections import more

# how each place is called
PLACE = {"web_search": phrasings("the web|the internet|the web|the net|the world wide web|Google"), "notes_search": phrasings("my notes|my notes|the notes|my own notes|my notebook|the notes I took"),
         "memory_read": phrasings("your memory|your memory|what you remember|the memory|what I told you|your memories"), "fs_search": phrasings("my files|the files|my files|all files|the files here|my documents")}
PLACE = {k: more(v, bars(n)) for (k, v), n in zip(PLACE.items(), (
    "the internet pages|an online search|the search engine|the internet|a web search|the websites out there|web pages|the open web", "my written notes|my note collection|what I noted|the notes of mine|my own notebook|the notebook|my jottings|my notes",
    "the things you remember|your own memory|our earlier talks|your recollections|what you have in memory|your memory|the stored memories|what you keep in mind",
    "my own files|the documents here|my text files|the files on disk|every file here|the files of mine|the documents on disk|my files"))}
FIRST = more(phrasings("""search {s} for {t}|look in {s} for {t}|check {s} for {t}|is there anything in {s} about {t}?|find {t} in {s}|see what {s} says about {t}|look for {t} in {s}|go through {s} for {t}|I'm looking for {t}, try {s}|{t}: is it in {s}?|can you look through {s} for {t}|
search for {t} in {s}|does {s} have anything on {t}?|try to find {t} in {s}|scan {s} for {t}"""), REFER["FIRST_PLACE"], *LATE["FIRST_PLACE"])
THEN = more(phrasings("""and in {s}?|then try {s}|now look in {s}|what about {s}?|and {s}?|look in {s} instead|check {s} too|try {s} then|no, I meant {s}|not there, in {s}|is it in {s}, then?|search {s} as well|same thing in {s}|ok, then {s}|maybe in {s}?|
how about {s}|now the same with {s}|sorry, {s} I mean|could it be in {s}?|have a look in {s} also"""), REFER["THEN_PLACE"], *LATE["THEN_PLACE"])
PLACE = {k: more(v, *LATE["PLACE_" + x]) for (k, v), x in zip(PLACE.items(), ("WEB", "NOTES", "MEMORY", "FILES"))}
KEY = {"fs_search": "pattern"}


def found(c, name, topic, nothing):
    """What a search brings, and what is said of it."""
    r = c.r
    s = about_topic(r, topic)
    if name == "web_search":
        text = news(r, topic)
        best = hit(r, title(r, topic), text)
        if nothing:
            c.result(name, NOTHING[name], failed=True)
            return "The search found no results for %s." % topic, [topic]
        c.result(name, search_text(c, [best]))
        return "%s (%s)" % (first_sentence(text), best["url"]), [first_sentence(text)[:-1]]
    if name == "notes_search":
        n = r.int(3, 90)
        c.result(name, "0 of %d notes fit.\n" % n if nothing
                 else "1 of %d notes fit.\n\n%s (%s/notes/%s.md, line %d)\n%s\n"
                 % (n, topic.capitalize(), c.home, r.slug(), r.int(1, 9), s))
        return ("There is nothing in your notes about %s." % topic, ["nothing", topic]) if nothing else ("Your note says: " + s, [s[:-1]])
    if name == "memory_read":
        c.result(name, memory_result(r, [] if nothing else [(topic, s)], 0))
        return ("I don't remember anything about %s." % topic, [topic]) if nothing else ("I remember this: " + s, [s[:-1]])
    path, k = r.path(["txt", "md", "csv", "log"]).lstrip("~/."), r.int(1, 90)
    c.result(name, "Nothing found in %d files of %s." % (r.int(1, 200), c.work) if nothing
             else "1 matches in %s:\n%s:%d: %s\n" % (c.work, path, k, s))
    return (("%s was not found in the files." % topic, [topic, "not found"]) if nothing
            else ("%s stands in %s, line %d: %s" % (topic, path, k, s), [path, k]))


def other_place(c):
    r = c.r
    have = [n for n in PLACE if c.has(n)]
    if len(have) < 2:
        return talk(c)
    topic = r.topic() if r.chance(0.7) else r.name() if r.chance(0.5) else r.word()
    names = r.some(have, 3 if len(have) > 2 and r.chance(0.3) else 2)
    for i, name in enumerate(names):
        place = r.phrase(PLACE[name])
        c.say(speak(r, r.phrase(THEN if i else FIRST), {"s": place, "t": topic}, typos=False)[0])
        if i:
            think = "Still about %s, now in another place: %s, so I call %s." % (topic, place, name)
        else:
            think = "They want %s searched for %s; %s does that." % (place, topic, name)
        c.call(think, [make_call(name, {KEY.get(name, "query"): topic})], "pronouns" if i else "builtin_tools")
        text, keys = found(c, name, topic, i < len(names) - 1 and r.chance(0.7))
        c.answer("I say what came of it.", text, check_text("extraction", keys))
        if i < len(names) - 1:
            c.done()
    c.about = None
    c.done()
