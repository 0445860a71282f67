"""Searching the web, reading pages, running code, comparing answers."""
import re

from . import asks, facts, frames, lex, quote, spans
from .attrs import READING
from .chat_call import arguments, make_call, searched_piece, slots_for
from .conv import speak, thinks
from .hall import read_sections
from .messages import check_honest, check_text
from .phrases import Phrases, bars
from .refer_words import MORE_OPEN
from .slots import fill, slots_of
from .spans import query_of
from .wording import upper_first

MORE = read_sections("web_news.txt")
NEWS = Phrases(bars("""The {t} in {c} begins on {d} and lasts {k} days.|{p}, who leads the {t}, expects {k} thousand visitors.|The {t} at {c} opened this week, two months earlier than planned.|
Work on the {t} will cost {k} million euros.|The {t} was put off until {d} because of the weather.|The council of {c} voted for the {t} on {d}.|
{o} takes over the {t} from next year.|Police closed the {t} in {c} for {k} hours.|The {t} has won a prize in {c}.|After the storm the {t} stays closed until {d}.|
{k} people took part in the {t} in {c}.|The {t} gets a new roof, said {p} on {d}.|Prices around the {t} have risen by {k} percent.|A report calls the {t} the safest in the country."""), MORE["news"], MORE["news2"])


def news(r, t):
    return fill(r.phrase(NEWS), {"t": t, "c": r.city(),
                                 "d": r.pick(lex.WEEKDAYS) if r.chance(0.4) else "%d %s" % (r.int(1, 28), r.pick(lex.MONTHS)),
                                 "k": r.int(2, 95), "p": r.name(), "o": r.org()})


_places = bars("""In {t} it will be {k} degrees with {w} on {d}.|{t} has {k} thousand inhabitants.|{p} has been mayor of {t} since {d}.|The trains to {t} leave every {k} minutes.|A night in {t} costs about {k} euros.|
The market of {t} opens on {d} at {h}.|Most shops in {t} close at {h}.|Visitors of {t} like the {n} near the station.|In {t} the {n} is open from {h}.|Roads around {t} are closed until {d}.|{t} lies {k} km from {c}.|The best known shop of {t} belongs to {o}.""")
_things = bars("""A new {t} costs about {k} euros.|The best {t} of the year comes from {o}.|{o} sells the {t} for {k} euros.|A {t} weighs about {k} kilos.|A {t} should be cleaned every {k} weeks.|The first {t} was made in {c}.|
Testers liked the {t} of {o} best.|You can rent a {t} in {c} for {k} euros a day.|A used {t} is sold in {c} from {d} on.|{p} repairs every kind of {t} in {c}.""")
PLACE_NEWS, THING_NEWS = Phrases(_places, MORE["place"]), Phrases(_things, MORE["thing"])
PERSON_NEWS = Phrases(bars("""{t} works for {o} in {c}.|{t} won a prize in {c}.|{t} has written {k} books.|{t} comes from {c}.|{t} will speak in {c} on {d}.|{t} left {o} after {k} years."""), MORE["person"])


def place_news(r, t, forms=PLACE_NEWS):
    return fill(r.phrase(forms), {"t": t, "c": r.city(), "d": r.pick(lex.WEEKDAYS), "k": r.int(2, 95), "p": r.name(), "o": r.org(),
                                  "h": r.time(), "n": r.noun(), "w": r.pick(["rain", "sun", "snow", "wind", "fog", "clouds", "storms"])})


def thing_news(r, t):
    return place_news(r, t, THING_NEWS)


def person_news(r, t):
    return place_news(r, t, PERSON_NEWS)


TITLES = Phrases("New {t}|{T} opens|All about the {t}|{T}: what we know|The {t} explained|{T} in the news|Trouble with the {t}|{T} today|Facts on the {t}|{T} - overview".split("|"), MORE["titles"], MORE["titles2"])


def title(r, t):
    return fill(r.phrase(TITLES), {"t": t, "T": upper_first(t)})


def hit(r, name, text, url=None, date=True):
    return {"title": name, "text": text, "url": url or r.url(), "date": r.day() if date and r.chance(0.75) else ""}


def other_hit(r):
    x = r.random()
    if x < 0.5:
        t = r.topic()
        return hit(r, title(r, t), news(r, t))
    s = facts.Sheet(r, r.int(1, 2))
    return hit(r, s.start(), s.text(r, 0.2))


def search_text(c, hits):
    r = c.r
    out = ["Today's date: %s\n" % c.at.date()]
    long = r.chance(0.15)
    for i, h in enumerate(hits):
        out.append("\n[%d] Title: %s\n" % (i + 1, h["title"]))
        if long:
            out.append("    Claim: %s\n    Summary: Extract, low confidence (no model has read the page): %s\n    Confidence: 0.30\n"
                       % (h["text"].split(". ")[0].rstrip(".") + ".", h["text"]))
        else:
            text = h["text"]
            if len(text) > 200:
                text = text[:200]
            out.append("    Snippet: %s\n" % text)
        if h["date"]:
            out.append("    Date: %s\n" % h["date"])
        out.append("    URL: %s\n" % h["url"])
    return "".join(out).rstrip("\n")


def first_sentence(text):
    i = text.find(". ")
    while i >= 2 and text[i - 2:i] == "St":  # a town's name
        i = text.find(". ", i + 1)
    return text if i < 0 else text[:i + 1]


WEB_THINK = thinks("""They want news or facts from outside, so I search the web.
This may have changed, so I look it up with web_search.
I search the web for {q}.
web_search can find {q}.
I do not know that myself; the web may.""")
FACT_THINK = thinks("""I do not know {n} by heart, so I search the web.
This is a question about the world; web_search may answer it.
I have no material on {n}, so I look it up.
The web should know that about {n}.""")
READ_THINK = thinks("""The first result answers it.
A result says it; I give it with its source.
I read the answer from the results.
The search found it.""")


def web_news(c):
    r = c.r
    if r.chance(0.4):
        t, piece = frames.web_search(r)
        s = slots_for(r, piece)
        s["q"], arg = searched_piece(r, piece, s), "{q}"
    else:
        t, arg = r.phrase(asks.WEB_SEARCH)
        s = slots_for(r, t)
    args = arguments("web_search", arg, s, "query") if arg is not None else {"query": s[slots_of(t)[0]] if slots_of(t) else query_of(t)}
    c.say(speak(r, t, s, typos=False, frame=r.chance(0.5))[0])
    c.call(fill(r.pick(WEB_THINK), {"q": args["query"]}), [make_call("web_search", args)])
    kind = next((k for k in ("topic", "thing", "place", "person") if k in s), "topic")
    search_answer(c, s.get(kind) or args["query"], {"place": place_news, "thing": thing_news, "person": person_news}.get(kind, news),
                  args["query"])
    c.done()


# what a question asks for, and which sentences answer it: the first list's, and those of a list of their own
ANSWERED = [("weather|rain|snow|warm|hot|temperature|forecast|umbrella|storm", _places[0], "weather"),
            ("population|how many people", _places[1], "people"), ("mayor", _places[2], "mayor"), ("hotel|bed for", _places[4], "hotel"),
            ("how far|quickest|drive from", _places[10], "far"),
            ("cost|how much|price", _things[0], "cost"), ("best", _things[1], "best"), ("weigh", _things[3], "weigh"),
            ("clean", _things[4], "clean"), ("invented", _things[5], "invented"), ("rent", _things[7], "rent")]
ANSWERED = [(re.compile(r"\b(?:%s)" % words, re.I), Phrases([form] + MORE["for " + more])) for words, form, more in ANSWERED]


def search_answer(c, topic, make_news=news, query=""):
    """A search with its hits, and what the best of them says."""
    r = c.r
    form = next((f for words, f in ANSWERED if words.search(query)), None) if make_news is not news else None
    text = place_news(r, topic, form) if form else make_news(r, topic)
    if r.chance(0.6):
        text += " " + (make_news(r, topic) if r.chance(0.6) else r.sentence())
    best = hit(r, title(r, topic), text)
    hits = [other_hit(r) for _ in range(r.weighted([(4, 0), (3, 1), (2, 2), (1, 3)]))]
    hits = [h for h in hits if topic.lower() not in (h["title"] + h["text"]).lower()]  # else it would answer as well
    at = 0 if r.chance(0.7) else r.int(0, len(hits))
    hits.insert(at, best)
    c.result("web_search", search_text(c, hits))
    one = first_sentence(text)
    if query.split(" ")[0].lower() in spans.QUESTION and not form:  # a question that the result need not answer
        c.answer("The first result is about it; I give what it says.",
                 "%s says: %s (%s)" % ("The first result" if at == 0 else "A result", one, best["url"]),
                 check_text("extraction", [one[:-1]]))
    else:
        c.answer(r.pick(READ_THINK), "%s (%s)" % (one, best["url"]), check_text("extraction", [one[:-1]]))
    c.about = ("page", best, topic, hits)


# What only the person's own papers can tell, and people, whom the graph knows: not for the web.
PRIVATE = {"apartment", "bicycle", "colleague", "contract", "database", "dog", "flight", "insurance", "invoice", "laptop", "loan", "meeting", "parcel", "project", "router", "server", "service", "team", "web site", "wedding"}


def public(c, s):
    """Whether the web is the place to ask about a thing."""
    return s.kind not in PRIVATE and not (s.kind in ("person", "open") and c.has("graph_search"))


def world_sheet(c):
    """A thing that the web may know."""
    while True:
        s = facts.Sheet(c.r)
        if public(c, s):
            return s


def web_fact(c):
    """A question about the world, without material: the web is asked."""
    r = c.r
    s = world_sheet(c)
    a = r.pick(s.attrs)
    asked = s.asking(r, a)
    while asked[0].startswith(("how about", "what about", "and ")):  # nothing was spoken of before
        asked = s.asking(r, a)
    said, core = speak(r, *asked, typos=False)
    c.say(said)
    q = query_of(core)
    c.call(fill(r.pick(FACT_THINK), {"n": s.name}), [make_call("web_search", {"query": q})])
    sheet_results(c, s, a)
    c.done()


def sheet_results(c, s, a):
    r = c.r
    best = hit(r, s.start() if r.chance(0.6) else title(r, s.bare()), s.text(r, 0.25))
    hits = [other_hit(r) for _ in range(r.weighted([(4, 0), (3, 1), (2, 2), (1, 3)]))]
    at = 0 if r.chance(0.6) else r.int(0, len(hits))
    hits.insert(at, best)
    if r.chance(0.3):  # another thing of its kind, which may be asked for next
        c.pair = s.sibling(r, [a] + [x for x in s.attrs if x is not a][:1])
        hits.insert(r.int(0, len(hits)), hit(r, c.pair.start(), c.pair.text(r, 0.1)))
    text = search_text(c, hits)
    c.result("web_search", text)
    if s.values[a.key].lower() in text.lower():
        where = "result %d" % (hits.index(best) + 1)
        whole = s.listed or s.said.get(a.key, "") in text  # a long text is cut
        c.answer(quote.asked(s, a, where) if whole else "They ask for the %s of %s; %s says it." % (a.short, s.name, where), s.answer(r, a)[:-1] + " (%s)." % best["url"],
                 check_text("extraction", [s.values[a.key]]))
        c.about = ("sheet", s, a)
    else:
        c.answer("They ask for the %s of %s; no result says it, and I say what would help." % (a.short, s.name),
                 "The search results do not say the %s of %s. The page %s may." % (a.short, s.name, best["url"]), check_honest("unknown"))
        c.about = ("page", best, s.name, hits)


def page_text(r, h, lines):
    return "URL: %s\nTitle: %s\n%s%sExtracted text:\n%s" % (h["url"], h["title"], "Date: %s\n" % h["date"] if h["date"] else "",
                                                            "Language: en\n" if r.chance(0.7) else "", "\n".join(lines))


def page_answer(c, h, lines, group="extraction"):
    r = c.r
    c.result("web_fetch", page_text(r, h, lines))
    text = " ".join(lines)
    keep, out = [], 0
    for line in lines:
        if out and out + len(line) > 420:
            break
        keep.append(line)
        out += len(line)
    c.answer(r.pick(["I have the page and say what it says.", "The page's text is here; I give it.",
                     "I read the page; this is what it says."]), 'The page "%s" says: %s' % (h["title"], " ".join(keep)),
             check_text(group, [keep[0].rstrip(".")]))


FETCH_THINK = thinks("""They give an address, so I read that page.
The page {u} is asked for; web_fetch reads it.
I fetch {u}.
To know what {u} says I read it.""")


def web_fetch(c):
    r = c.r
    t, arg = frames.ask(r, "web_fetch", asks.WEB_FETCH)
    u = r.url()
    s = slots_for(r, t, {"url": u})
    c.say(speak(r, t, s, typos=False)[0])
    c.call(fill(r.pick(FETCH_THINK), {"u": u}), [make_call("web_fetch", {"url": u})])
    t = s.get("topic") or s.get("thing") or r.topic()  # the page is about what they ask
    h = hit(r, title(r, t), "", u)
    lines = [news(r, t)] + [news(r, t) if r.chance(0.5) else r.sentence() for _ in range(r.int(0, 4) if r.chance(0.9) else r.int(6, 30))]
    page_answer(c, h, lines)
    c.about = None
    c.done()


PAGE_Q = Phrases(["{q} See {u}", "{u} - {q}", "read {u} and tell me: {q}", "according to {u}, {q}", "look at {u}. {q}", "{q} it's on {u}", "check {u}: {q}", "use this page: {u}. {q}", "open {u}, {q}", "{q} the answer is on {u}"], READING["on_page"])


def fetch_question(c):
    r = c.r
    s = facts.Sheet(r)
    a = r.pick(s.attrs)
    u = r.url()
    c.say(speak(r, r.phrase(PAGE_Q), {"q": s.question(r, a), "u": u}, typos=False)[0])
    c.call(fill(r.pick(FETCH_THINK), {"u": u}), [make_call("web_fetch", {"url": u})])
    c.result("web_fetch", page_text(r, hit(r, s.start(), "", u), s.text(r, 0.5).split("\n")))
    c.answer(quote.asked(s, a, "the page"), s.answer(r, a), check_text("extraction", [s.values[a.key]]))
    c.about = ("sheet", s, a)
    c.done()


OPEN_RESULT = Phrases(bars("""read the full page|open it|open that page|read the {o} result|open the {o} result|show me the page|read that article|what does the whole page say?|
give me the full text|open the {o} link|read more about that|what else does the page say?|go to that page|can you open the article?|open the {o} one"""), MORE_OPEN, MORE["open"])


def open_result(c):
    """A page of the results before."""
    r, (_, best, topic, hits) = c.r, c.about
    t = r.phrase(OPEN_RESULT)
    h = best
    if "{o}" in t or "{n}" in t:
        i = r.int(0, min(len(hits), 4) - 1)
        h = hits[i]
        t = fill(t, {"o": ["first", "second", "third", "fourth"][i], "n": i + 1})
    c.say(speak(r, t)[0])
    c.call("They mean %s, so I read that page." % h["url"], [make_call("web_fetch", {"url": h["url"]})], "pronouns")
    lines = h["text"].split("\n") + [r.sentence() for _ in range(r.int(0, 3))]
    page_answer(c, h, lines)
    c.about = None
    c.done()


SEARCH_READ = Phrases(bars("""Search the web for {t} and read the full page.|look up {t} online and open the best page|find a page about {t} and tell me what it says in full|
search for {t} and read the first result|google {t}, then open the page|find {t} on the web and read the article|look for {t} on the internet and fetch the page|
search the web for the {t} and read me the page|find out about {t}: search, then open the page you find|web search {t} and read the top hit|
search {t} and give me the whole article|I want the full page about {t}, search for it"""), MORE["read_it"])


def search_then_fetch(c):
    r = c.r
    topic = r.topic()
    c.say(speak(r, r.phrase(SEARCH_READ), {"t": topic}, typos=False)[0])
    c.call("First I search for %s, then I read the page." % topic, [make_call("web_search", {"query": topic})])
    text = news(r, topic) + " " + news(r, topic)
    best = hit(r, title(r, topic), text)
    hits = [best] + [other_hit(r) for _ in range(r.int(0, 2))]
    c.result("web_search", search_text(c, hits))
    c.call("The search found %s; now I read it." % best["url"], [make_call("web_fetch", {"url": best["url"]})], "two_tools")
    lines = [x.rstrip(".") + "." for x in text.split(". ")] + [r.sentence() for _ in range(r.int(0, 2))]
    page_answer(c, best, lines)
    c.about = None
    c.done()
