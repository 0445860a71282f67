"""The calendar, and what is known of people and places."""
import datetime

from . import asks, frames, lex, values
from .chat_call import ago, arguments, event, make_call, slots_for
from .chat_memory import RECALLED_THINK, engram, memory_result
from .conv import speak, thinks
from .facts_values import JOBS, LANGUAGES
from .hall import read_sections
from .messages import NOTHING, check_honest, check_text
from .personal import PETS
from .phrases import Phrases
from .sections import sections
from .slots import fill
from .spans import query_of
from .wording import upper_first

# --- calendar ---


def calendar_entry(r):
    h = r.int(7, 20)
    m = r.pick(("00", "30", "15", "45"))
    when = "%02d:%s-%02d:%s" % (h, m, h + 1, m) if r.chance(0.85) else "all day"
    place = r.pick(["", "", " @ " + r.city(), " @ room %d" % r.int(1, 300), " @ " + r.entity(lex.LAST) + " Street %d" % r.int(1, 90),
                    " @ online"])
    return when, event(r), place, " [" + r.pick(["work", "home", "family", "private", "calendar", r.noun()]) + "]"


def spoken_place(place):
    return " online" if place == " @ online" else place.replace(" @ ", " at ")


def calendar_read(c):
    r = c.r
    t, arg = frames.ask(r, "calendar_read", asks.CALENDAR)
    d = r.date()
    short = r.chance(0.12)  # without the year, which the line about the time tells
    if short:
        d = d.replace(year=c.at.year, month=r.int(1, 11))
    e = d + datetime.timedelta(days=r.int(1, 9))
    given = {"day": d.isoformat(), "day2": e.isoformat()}
    if "{thing}" in t:
        given["thing"] = event(r)
    s = slots_for(r, t, given)
    args = arguments("calendar_read", arg, s, "query") if arg is not None else ({"from": s["day"], "to": s["day"]} if "{day}" in t else {})
    if "{day}" in t and isinstance(arg, dict) and (short or r.chance(0.45)):
        s["day"], s["day2"] = spoken_days(r, short, d, e)  # in words; the argument is a date
    c.say(speak(r, t, s, typos=False)[0])
    c.msgs[-1]["_clock"] = short and "{day}" in t
    c.call(r.pick(["The calendar knows that, so I read it.", "They ask about appointments; calendar_read has them.",
                   "I look into their calendar."]), [make_call("calendar_read", args)])
    today = c.at.date()
    word = {"today": today, "tomorrow": today + datetime.timedelta(days=1), "yesterday": today - datetime.timedelta(days=1)}
    a = word.get(args.get("from")) or _day(args.get("from")) or today
    b = word.get(args.get("to")) or _day(args.get("to")) or a + datetime.timedelta(days=6)
    if b < a:
        b = a
    calendar_answer(c, a, b, args.get("query"))
    c.about = None
    c.done()


def spoken_days(r, short, *days):
    """Days as people write them."""
    form = (r.pick(("{d} {m}", "{m} {d}", "the {n} of {m}", "{w}, {d} {m}", "{m} {n}", "{d} {s}")) if short
            else r.pick(("{d} {m} {y}", "{m} {d}, {y}", "{d} {m} {y}", "{w}, {d} {m} {y}", "{w} {d} {m} {y}", "the {n} of {m} {y}",
                         "{m} {n}, {y}", "{d} {s} {y}", "{y}/{k:02d}/{d:02d}")))
    out = []
    for x in days:
        end = "th" if 4 <= x.day <= 20 or 24 <= x.day <= 30 else ("st", "nd", "rd")[x.day % 10 - 1]
        m = lex.MONTHS[x.month - 1]
        out.append(form.format(d=x.day, m=m, s=m[:3], y=x.year, w=lex.WEEKDAYS[x.weekday()], n=str(x.day) + end, k=x.month))
    return out


def _day(text):
    try:
        return datetime.date.fromisoformat(text)
    except (TypeError, ValueError):
        return None


def calendar_answer(c, a, b, query=None, group="extraction"):
    r = c.r
    n = r.weighted([(2, 0), (4, 1), (4, 2), (2, 3), (1, 4)]) if not query else r.weighted([(1, 0), (5, 1)])
    span = max((b - a).days, 0)
    if n == 0:
        c.result("calendar_read", "Nothing from %s to %s.\n" % (a, b))
        if query:
            ans = "There is no %s in your calendar from %s to %s." % (query, a, b)
        elif a == b:
            ans = "There is nothing in your calendar on %s." % a
        else:
            ans = "There is nothing in your calendar from %s to %s." % (a, b)
        c.answer("The calendar has nothing; I say so.", ans, check_text(group, [a]))
        return
    days = sorted(a + datetime.timedelta(days=r.int(0, span)) for _ in range(n))
    out, said, head = [], [], None
    items = sorted(((d, calendar_entry(r)) for d in days), key=lambda x: (x[0], x[1][0].replace("all day", "")))
    for d, (when, what, place, cal) in items:
        name = "%s %s" % (lex.WEEKDAYS[d.weekday()], d)
        if query:
            what = query
        if name != head:
            out.append(name)
            head = name
        out.append("%s %s%s%s" % (when, upper_first(what), place, cal))
        said.append((name, when, upper_first(what), spoken_place(place)))
    c.result("calendar_read", "%d entries from %s to %s (%s):\n%s\n"
             % (n, a, b, r.pick(["Europe/Berlin", "Local", "UTC", "Europe/London", "America/New_York"]), "\n".join(out)))
    line = lambda x: "%s, %s%s" % x[1:]
    if n == 1:
        ans = "You have one entry on %s: %s." % (said[0][0], line(said[0]))
    elif len({x[0] for x in said}) == 1:
        ans = "You have %d entries on %s: %s." % (n, said[0][0], "; ".join(line(x) for x in said))
    else:
        ans = "You have %d entries: %s." % (n, "; ".join("%s, %s" % (x[0], line(x)) for x in said))
    c.answer(r.pick(["The calendar lists them; I say what is there.", "I read the entries and name them."]), ans,
             check_text(group, [said[0][2], said[-1][2]]))


# --- graph ---

RELATIONS = [("lives in", "city"), ("works at", "org"), ("is married to", "name"), ("is the sister of", "name"), ("is the brother of", "name"), ("studies in", "city"), ("likes", "food"), ("plays", "instrument"), ("speaks", "language"),
             ("owns", "thing"), ("was born in", "city"), ("is a friend of", "name"), ("works as", "job"), ("has moved to", "city"), ("is the mother of", "name"), ("is allergic to", "food"), ("drives", "thing"),
             ("keeps", "pet"), ("collects", "things"), ("can be reached at", "phone"), ("is the boss of", "name"), ("shares a flat with", "name")]
REL_ASK = {"lives in": ["where does {p} live?", "in which city does {p} live", "where is {p} living?", "{p} lives where?", "do you know where {p} lives?"],
           "works at": ["where does {p} work?", "who does {p} work for?", "what company is {p} with?", "at which place does {p} work", "{p} works where?"],
           "is married to": ["who is {p} married to?", "is {p} married?", "who's {p}'s partner?", "whom did {p} marry?", "{p} is married to whom?"],
           "studies in": ["where does {p} study?", "in which city does {p} study?", "{p} is studying where?", "where is {p} at university", "what city does {p} study in?"],
           "plays": ["what does {p} play?", "which instrument does {p} play?", "does {p} play anything?", "{p} plays what", "what instrument is {p} playing?"],
           "speaks": ["what language does {p} speak?", "which language does {p} speak?", "{p} speaks what?", "what does {p} speak", "in which language can I talk to {p}?"],
           "likes": ["what does {p} like?", "which food does {p} like?", "what can I cook for {p}?", "{p} likes what?", "what food is {p} fond of"],
           "works as": ["what does {p} do?", "what is {p}'s job?", "what does {p} work as?", "what's {p} by profession", "{p} works as what?"],
           "is allergic to": ["what is {p} allergic to?", "does {p} have an allergy?", "which allergy does {p} have?", "{p} can't eat what?", "is {p} allergic to something"],
           "was born in": ["where was {p} born?", "what's {p}'s birthplace?", "in which city was {p} born?", "{p} was born where", "where does {p} come from?"],
           "drives": ["what does {p} drive?", "which car does {p} drive?", "what is {p} driving?", "{p} drives what?", "do you know what {p} drives?"]}
MORE = read_sections("people.txt")
ASKED = sections("people_asked.txt")
REL_ASK = {k: Phrases(v, MORE[k], ASKED[k]) for k, v in REL_ASK.items()}
REL_ASK["lives in"].mended({"where do I go to see {p}?": "where do I go to see {p} at home?"})  # one goes to see a place as well
# asked for by name only, not with "she" or "he" afterwards
REL_NAMED = {k: Phrases(ASKED[k]) for k in ("keeps", "collects", "can be reached at", "is the boss of", "shares a flat with")}
REL_NAMED.update(REL_ASK)
ALL_ASK = Phrases(["who is {p}?", "what do you know about {p}?", "tell me about {p}", "what facts do we have on {p}?", "look {p} up in the graph", "who's {p} again?", "what do we know of {p}", "anything known about {p}?", "give me what you have on {p}", "{p}, who is that?"], MORE["all"], ASKED["all"])
IN_PLACE = Phrases(["who lives in {c}?", "whom do I know in {c}?", "do I know anyone in {c}?", "which of my people live in {c}?", "who of them is in {c}", "is there someone I know in {c}?", "who do we know in {c}?"], MORE["in place"], ASKED["in place"])


def rel_object(r, kind):
    return {"city": r.city, "org": r.org, "name": r.first, "food": lambda: r.entity(lex.FOODS),
            "instrument": lambda: r.pick(["violin", "piano", "flute", "cello", "drums", "guitar", "trumpet"]),
            "pet": lambda: "a %s called %s" % (r.pick(PETS), r.first()), "things": lambda: r.entity(lex.ADJ) + " " + r.noun() + "s", "phone": lambda: values.phone(r),
            "language": lambda: r.entity(LANGUAGES), "thing": lambda: "a " + r.entity(lex.ADJ) + " "
            + r.pick(["car", "van", "boat", "bike", "house", "truck"]),
            "job": lambda: (lambda j: ("an " if j[0] in "aeiou" else "a ") + j)(r.entity(JOBS))}[kind]()


def fact_line(r, i, subject, rel, obj, past=False):
    first, last = sorted((r.day(), r.day()))
    since = ", since " + first if r.chance(0.4) else ""
    until = ", until " + last if past else ""
    source, seen, sure = r.pick(("person", "model", "model")), ago(r), r.pick((0.6, 0.6, 0.9, 1.0, 0.75))
    said = "%s %s: %s %s%s%s" % ("WAS" if past else "IS", subject, rel, obj, since, until)
    return "%d. [source: %s; seen %s; confidence %.2f] %s\n" % (i, source, seen, sure, said)


def facts_text(lines):
    return ("1 fact:\n" if len(lines) == 1 else "%d facts:\n" % len(lines)) + "".join(lines)


GRAPH_THINK = thinks("""{p} is a person; the graph knows facts about people.
{p} is somebody of theirs and no matter of the web: graph_search.
Home, work, family, food or car of {p} are facts about a person, so the graph.
They ask about {p}, so I look {p} up with graph_search.
graph_search has facts about {p}.
For {p} I ask the knowledge graph.""")


def graph_search(c):
    r = c.r
    x = r.random()
    if x < 0.25:
        return graph_phrase(c)
    if x < 0.37:
        return graph_place(c)
    rels = r.some(RELATIONS, r.int(1, 4))
    asked = [q for q in rels if q[0] in REL_NAMED]
    held = [(rel, rel_object(r, k)) for rel, k in rels]
    one = r.pick(asked) if asked and r.chance(0.75) else None
    # a full name with such a question could be somebody in a book
    p = r.first() if one and one[0] in ("was born in", "works as") or r.chance(0.75) else r.name()
    t = r.phrase(REL_NAMED[one[0]] if one else ALL_ASK)
    c.say(speak(r, t, {"p": p})[0])
    c.call(fill(r.pick(GRAPH_THINK), {"p": p}), [make_call("graph_search", {"people": [p]})])
    graph_answer(c, p, held, one and one[0])
    c.done()


def graph_answer(c, p, held, rel):
    r = c.r
    if r.chance(0.08):
        c.result("graph_search", NOTHING["graph_search"])
        c.answer("The graph knows nothing of them.", "I know nothing about %s." % p, check_honest("recall"))
        c.about = None
        return
    kinds = dict(RELATIONS)
    held[:] = [(a, b if b != p else rel_object(r, kinds[a])) for a, b in held]  # nobody is their own friend
    lines = [fact_line(r, i + 1, p, a, b) for i, (a, b) in enumerate(held)]
    was = None
    if r.chance(0.3):
        a, b = held[0]
        k = dict(RELATIONS)[a]
        was = (a, rel_object(r, k))
        if was[1] == b:
            was = None
        else:
            lines.append(fact_line(r, len(lines) + 1, p, a, was[1], True))
    c.result("graph_search", facts_text(lines))
    if rel:
        obj = dict(held)[rel]
        c.answer("The fact that IS so now: %s %s." % (rel, obj), "%s %s %s." % (p, rel, obj),
                 check_text("extraction", [obj], [was[1]] if was and was[0] == rel and was[1] not in p + " " + rel + " " + obj else []))
    else:
        ans = "%s %s." % (p, " and ".join("%s %s" % h for h in held))
        c.answer("I give all the facts that are so now.", ans, check_text("extraction", [h[1] for h in held]))
    c.about = ("person", p, held)


def graph_place(c):
    r = c.r
    city, n = r.city(), r.int(1, 3)
    c.say(speak(r, r.phrase(IN_PLACE), {"c": city})[0])
    c.call("%s is a place; the graph knows who is connected with it." % city, [make_call("graph_search", {"locations": [city]})])
    people = list(dict.fromkeys(r.first() for _ in range(n)))
    c.result("graph_search", facts_text([fact_line(r, i + 1, p, "lives in", city) for i, p in enumerate(people)]))
    names = people[0] if len(people) == 1 else ", ".join(people[:-1]) + " and " + people[-1]
    c.answer("The facts name who lives there.", "%s live%s in %s." % (names, "s" if len(people) == 1 else "", city),
             check_text("extraction", people))
    c.about = None
    c.done()


# what a word of a phrasing asks for
ASKED_FOR = [("works as", "for a living"), ("lives in", "living"), ("lives in", "is {person} based"), ("lives in", "what town is"), ("lives in", "in what town"), ("works as", "'s job"), ("works as", "what {person} does"),
             ("works at", "company is"), ("works at", "firm is"), ("was born in", "where is {person} from"), ("is married to", "maried"), ("is married to", "spouse"), ("has moved to", "where did {person} move"),
             ("lives in", "live"), ("works at", "work"), ("is married to", "married"), ("works as", " do?"), ("is married to", "wife"), ("is married to", "husband"), ("is married to", "the partner"),
             ("is married to", "better half"), ("studies in", " study"), ("plays", "instrument"), ("speaks", "language"), ("was born in", " born"), ("is allergic to", "allerg"), ("drives", " drive"),
             ("likes", "what food"), ("is a friend of", "friends with"), ("works at", "employer"), ("works at", "firm would"), ("works as", "trade is"), ("lives in", "which town"), ("lives in", "whereabouts"), ("collects", "collect"), ("keeps", " pet"), ("can be reached at", "a number known")]


def graph_phrase(c):
    """The written phrasings, whose arguments they give."""
    r = c.r
    t, arg = frames.ask(r, "graph_search", asks.GRAPH)
    s = slots_for(r, t)
    if not isinstance(arg, dict):
        arg = ({"locations": ["{place}"]} if "{place}" in t and "{person}" not in t else {"people": ["{person}"]} if "{person}" in t
               else None)
        if arg is None:
            return graph_place(c)
    args = arguments("graph_search", arg, s, "people")
    c.say(speak(r, t, s)[0])
    who = (args.get("people") or args.get("locations") or [""])[0]
    c.call(fill(r.pick(GRAPH_THINK), {"p": who}), [make_call("graph_search", args)])
    if args.get("people"):
        # the relation that the words ask for, where they name one
        low = t.lower()
        rel = next((k for k, w in ASKED_FOR if w in low), None)
        kinds = dict(RELATIONS)
        held = [(rel, rel_object(r, kinds[rel]))] if rel else []
        for q, k in r.some(RELATIONS, 2):
            if q != rel:
                held.append((q, rel_object(r, k)))
        if args.get("locations") and rel == "lives in":
            held[0] = (rel, args["locations"][0])
        graph_answer(c, who, held, rel)
    else:
        p = r.first()
        c.result("graph_search", facts_text([fact_line(r, 1, p, "lives in", who)]))
        c.answer("One fact is known of it.", "%s lives in %s." % (p, who), check_text("extraction", [p]))
        c.about = None
    c.done()


NEXT_ASK = {"lives in": "and where does {s} live?", "works at": "where does {s} work?", "is married to": "and who is {s} married to?",
            "studies in": "where does {s} study?", "plays": "what does {s} play?",
            "speaks": "and which language does {s} speak?", "likes": "what does {s} like?", "works as": "what does {s} work as?",
            "is allergic to": "is {s} allergic to something?", "was born in": "where was {s} born?", "drives": "what does {s} drive?"}
LATER_ASK = sections("people_more.txt")
NEXT_ASK = {k: Phrases([v] + MORE["next " + k], LATER_ASK[k]) for k, v in NEXT_ASK.items()}


def person_next(c):
    """More about the person before."""
    r, (_, p, held) = c.r, c.about
    rels = [(a, b) for a, b in held if a in REL_ASK]
    if not rels:
        return graph_search(c)
    rel, obj = r.pick(rels)
    she = r.pick(("she", "he", "they"))
    said = fill(r.phrase(NEXT_ASK[rel]), {"s": she, "h": {"she": "her", "he": "his", "they": "their"}[she]})
    if she == "they":
        said = said.replace("does they", "do they").replace("is they", "are they").replace("was they", "were they")
    c.say(speak(r, said)[0])
    c.answer("They mean %s, of whom I have the facts here: %s %s." % (p, rel, obj), "%s %s %s." % (p, rel, obj), check_text("pronouns", [obj]))
    c.done()


def person_memory(c):
    """A question about somebody, where only the memory can be asked."""
    r = c.r
    if c.has("graph_search"):
        return graph_search(c)
    rel = r.pick(list(REL_ASK))
    p, obj = r.first(), rel_object(r, dict(RELATIONS)[rel])
    said, core = speak(r, r.phrase(REL_ASK[rel]), {"p": p}, typos=False)
    c.say(said)
    c.call("They ask about %s; the memory may know." % p, [make_call("memory_read", {"query": query_of(core)})])
    s = "%s %s %s." % (p, rel, obj)
    c.result("memory_read", memory_result(r, [(p, s) if r.chance(0.5) else engram(s, "Noted.")]))
    c.answer(r.pick(RECALLED_THINK), s, check_text("recall", [obj]))
    c.about = ("person", p, [(rel, obj)])
    c.done()
