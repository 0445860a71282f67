"""Questions about a text such as people have: in a file, on a page, in their own message or looked up."""
from . import documents, files
from .chat_call import make_call
from .chat_files import KEY_THINK
from .chat_read import PASTE, around, material
from .chat_web import FETCH_THINK, PAGE_Q, hit, page_text
from .conv import lower_first, speak
from .messages import check_honest, check_text
from .phrases import Phrases, bars
from .slots import fill
from .wording import upper_first

FURTHER = Phrases(bars("""{q}|and {l}|also, {l}|one more thing: {l}|{q} That should be in there too.|ok. {q}|thanks. {q}|then tell me: {l}|next question: {l}|so {l}|still on that text: {l}|another one: {l}|and what does it say to this: {l}|while you have it open: {l}|hm, {l}"""))
ON_SHORT = Phrases(bars("""{q} It's in {s}.|{s}: {l}|going by {s}, {l}|{q} I mean in {s}.|what {s} says, please: {l}|about {s}. {q}|in {s}, {l}|look at {s}: {l}|{q} ({s})|I have a question about {s}: {l}"""))


def spoken(r, q):
    """A question as it is written, or in other words."""
    return speak(r, q.replace("{", "("), typos=False, frame=False)[0] if r.chance(0.5) else q


def framed(r, phrases, q, **more):
    """A question in a frame."""
    q = spoken(r, q)
    return speak(r, r.phrase(phrases), dict(more, q=q, l=lower_first(q)), typos=False)[0]


SHORTER = Phrases(bars("""summarise this: {t}|sum this up for me: {t}|{t}{nl}short version please|tl;dr: {t}|what's the gist of this? {t}|can you shorten this? {t}|give me the main points of this: {t}|{t}{nl}in a nutshell?|I have no time to read all this: {t}|make this shorter: {t}|what is this about, in short? {t}|{t}{nl}that in two sentences, please|summary please: {t}|boil this down for me: {t}|tell me briefly what this says: {t}|{t}{nl}sum it up|a short summary of the following, please. {t}|{t}{nl}what does that say, roughly?|condense this: {t}|key points? {t}|summarize the text below{nl}{t}|please give me a quick summary of this text: {t}|{t}{nl}can you give me the short of it|too long for me, what's in it? {t}|could you cut this down: {t}"""))
SHORTER_FILE = Phrases(bars("""summarise {f}|what is {f} about, in short?|give me the gist of {f}|sum up {f} for me|{f} in two sentences, please|short version of {f}?|tl;dr of {f}|tell me briefly what {f} says|read {f} and sum it up|boil {f} down to a line or two|main points of {f}?|I have no time for all of {f}, what does it say?"""))
KEPT = 2  # sentences of a text that is made shorter


def prose(d):
    """Whether a text is made of whole sentences, so that its first ones can stand alone."""
    return len(d.parts) > KEPT and all(p in d.text and len(p) > 24 and p[0].isupper() and "|" not in p for p in d.parts)


def shorter(c):
    """A text is to be summed up. It cannot write; what a text begins with mostly tells what it is about, so that is kept."""
    r, d = c.r, documents.pick(c)
    while not prose(d):
        d = documents.pick(c)
    kept = " ".join(d.parts[:KEPT])
    if c.has("fs_read") and r.chance(0.35):
        path = r.pick(d.files)
        c.say(speak(r, r.phrase(SHORTER_FILE), {"f": path}, typos=False)[0])
        c.call("To sum up %s I read it first." % path, [make_call("fs_read", {"path": path})])
        text, cut = files.read_result(c, path, d.text)
        c.result("fs_read", text, cut=cut)
    else:
        c.say(fill(r.phrase(SHORTER), {"t": d.text, "nl": "\n\n"}))
    c.answer("They want it shorter; I keep how it begins.", "In short: %s That is how it begins; a larger model sums up better." % kept, check_text("extraction", d.parts[:KEPT]))
    c.about = ("document", d, frozenset())
    c.done()


LACKING = 0.35  # the share of questions that the text does not answer


def asked_of(q, where):
    """How a thought begins: with the question, so that whether the text answers it is decided when all of it was read."""
    return "%s: %s" % (upper_first(q.rstrip("?. ")), where)


def answered(c, d, q, a, where, needs=False, group="extraction"):
    """The sentence of the text that says it, and then the answer."""
    c.answer("%s says: %s" % (asked_of(q, where), documents.quoted(d, q, a)), a, documents.wanted(d, q, a, group), needs_material=needs)


def unsaid(c, q, what, where, needs=False):
    """The text speaks of other things."""
    c.answer("%s tells of other things, and I must not guess." % asked_of(q, where), "%s does not say %s." % (upper_first(where.replace(" above", "")), what),
             check_honest("unknown"), needs_material=needs)


def reply(c, d, q, where, needs=False, before=frozenset(), group="extraction"):
    """An answer, or that there is none; before are the questions that were answered already."""
    a = dict(d.asks).get(q)
    if a:
        answered(c, d, q, a, where, needs, group)
    else:
        unsaid(c, q, dict(d.not_said)[q], where, needs)
    c.about = ("document", d, before | {q})
    c.done()


def question(r, d):
    return r.pick(d.not_said if d.not_said and r.chance(LACKING) else d.asks)[0]


def document(c):
    """The text stands in the person's own message, or was looked up."""
    r = c.r
    d = documents.pick(c)
    q = question(r, d)
    if r.chance(0.35) and q in dict(d.asks):
        c.say(framed(r, ON_SHORT, q, s=d.short) if r.chance(0.4) else spoken(r, q), material(r, around(r, (d.short, d.text), 2)))
        return reply(c, d, q, "the material", True)
    said = spoken(r, q)
    if "\n" not in d.text and r.chance(0.4):  # in one breath, as most people put it
        c.say(d.text.rstrip(" .") + r.pick((". ", ". ", ". ", " - ", "\n")) + said)
        return reply(c, d, q, "the text")
    c.say(said + "\n\n<context>\n" + d.text + "\n</context>" if r.chance(0.3) else fill(r.phrase(PASTE), {"q": said, "t": d.text}))
    return reply(c, d, q, "the text")


def document_file(c):
    """The text is in a file that they name."""
    r = c.r
    d = documents.pick(c)
    q = question(r, d)
    path = r.pick(d.files)
    if r.chance(0.2):
        path = r.folder() + "/" + path
    c.say(framed(r, files.ASK_ABOUT, q, path=path))
    c.call(fill(r.pick(KEY_THINK), {"path": path}), [make_call("fs_read", {"path": path})])
    text, cut = files.read_result(c, path, d.text)
    c.result("fs_read", text, cut=cut)
    return reply(c, d, q, "the file")


def document_page(c):
    """The text is on a page of the web."""
    r = c.r
    d = documents.pick(c)
    q, u = question(r, d), r.url()
    c.say(framed(r, PAGE_Q, q, u=u))
    c.call(fill(r.pick(FETCH_THINK), {"u": u}), [make_call("web_fetch", {"url": u})])
    c.result("web_fetch", page_text(r, hit(r, upper_first(d.short), "", u), d.text.split("\n")))
    return reply(c, d, q, "the page")


def document_further(c):
    """Another question about the text that stands above."""
    r, (_, d, before) = c.r, c.about
    rest = [q for q, _ in d.asks if q not in before]
    if not rest:
        return document(c)
    q = r.pick(rest)
    if d.not_said and r.chance(LACKING):
        q = r.pick(d.not_said)[0]
    few = d.more.get(q) if r.chance(0.75) else None
    again = c.lost(d.text)  # what is gone from the messages above is looked up once more
    c.say(spoken(r, few) if few else framed(r, FURTHER, q), *([material(r, around(r, (d.short, d.text), 2))] if again else []))
    return reply(c, d, q, "the material" if again else "the text above", again, before, "pronouns" if few else "extraction")
