"""Attributes: what can be said of a thing, asked and answered.

An attribute with its own phrasings says what a height or a capital is. An open
one is any noun, invented ones among them, with a value of any type: there only
reading helps.
"""
from . import lex, values
from .hall import read_objects, read_rows, read_sections
from .phrases import Phrases, bars
from .refer_words import LATE as REFERRING
from .sections import more, sections
from .slots import fill, slots_of


class Attr:
    """One attribute: how to make a value, say it, ask for it and answer."""

    def __init__(self, key, make, say, ask, answer, short, follow=None, common=0.4, open_=False):
        self.key, self.make = key, make
        self.say, self.ask, self.answer = say, ask, answer
        self.short = short    # as in "and its {short}?"
        self.follow = follow  # whole follow-up questions, where there are some
        self.common = common  # how often the phrasings are used that fit any attribute
        self.open = open_     # an open attribute with questions in other words


READING = read_sections("reading.txt")


def P(*texts, more=None):
    """Phrases of several texts with bars, and of a list of reading.txt."""
    return Phrases(*[[x.strip() for x in bars(t)] for t in texts], *([READING[more]] if more else []))


# {k} the attribute, {n} the thing, {v} the value, {p} its, his, her or their; {P} with a capital
SAY = P("""The {k} of {n} is {v}.|{P} {k} is {v}.|{n} has {v} as {p} {k}.|For {n} the {k} is {v}.|{v} is the {k} of {n}.|{n}'s {k} is {v}.|The {k} is {v}.|{P} {k}: {v}.|{n}, {k}: {v}.|The {k} given for {n} is {v}.|
{k} of {n}: {v}.|We noted {v} as the {k} of {n}.|As {k} {n} has {v}.|With {n} the {k} is {v}.|The list names {v} as {p} {k}.|Under "{k}" the sheet says {v}.|{v} was chosen as the {k} of {n}.|{P} {k} has been {v} for a long time.|
When it comes to the {k}, {n} has {v}.|Everyone agrees that the {k} of {n} is {v}.|{P} {k} was changed to {v}.|If you need the {k} of {n}: it is {v}.|The {k} for {n} was set to {v}.|The label says {v} for the {k}.|{n} is listed with the {k} {v}.|
Somebody wrote {v} next to the word {k}.|On the {k} of {n} there is no doubt: {v}.|The papers give {v} as {p} {k}.|The {k}, by the way, is {v}.|The {k} of {n} turned out to be {v}.|Regarding {k}, {n} has {v}.|{k} is {v} for {n}.|
I was told that {p} {k} is {v}.|The {k} that belongs to {n} is {v}.|{n} got {v} as {p} {k}.""",
        """{v} - that is the {k} of {n}.|Its entry for {k} reads {v}.|Known facts about {n}: the {k} is {v}.|{n} goes with the {k} {v}.|The right {k} for {n} is {v}.|What we know of {n} is {p} {k}, {v}.|The {k} stays {v}.|Use {v} as the {k} of {n}.|
Note for later: {p} {k} is {v}.|Since last year the {k} of {n} has been {v}.|{v} serves as the {k} of {n}.|The current {k} of {n} is {v}.|The {k} of {n} was given as {v}.|People give {v} when asked for {p} {k}.|{n} ({k}: {v}) is mentioned often.""", more="say")
ASK = P("""what is the {k} of {n}?|what's the {k} of {n}|{k} of {n}?|what's {n}'s {k}?|{n}'s {k}?|tell me the {k} of {n}|which {k} does {n} have?|what {k} does {n} have|do you know the {k} of {n}?|I need the {k} of {n}|{n}: {k}?|the {k} of {n}, please|
give me the {k} of {n}|what is the {k} for {n}?|can you tell me {n}'s {k}|{n}, what's the {k}?|what is {n}'s {k}|could you tell me the {k} of {n}?|the {k} for {n}?|I'd like to know the {k} of {n}|{k} for {n}|please tell me the {k} of {n}|
{n} has what {k}?|what would be the {k} of {n}?|any idea what the {k} of {n} is|what {k} is it for {n}?|let me know the {k} of {n}|what about the {k} of {n}?|how about {n}'s {k}|and the {k} of {n} is what?""",
        """{n} {k}|do you happen to know {n}'s {k}?|what might the {k} of {n} be|I want to know {n}'s {k}|{k}, {n}?|of {n} I need the {k}|say, what is the {k} of {n}?|which is the {k} of {n}|about {n}: what is its {k}?|would you give me the {k} of {n}""", more="ask")
# only where a text is at hand
ASK_READ = P("""what does it say about the {k} of {n}?|what was the {k} of {n} again?|look up the {k} of {n} in there|what is given as the {k} of {n}?|which {k} is named for {n}?|what does the text give as {n}'s {k}|find the {k} of {n}|
read me the {k} of {n}|what is listed as {k} for {n}?|check the {k} of {n}|pick out the {k} of {n}|where it says {k}, what stands there for {n}?|what did they write for the {k} of {n}?|remind me of the {k} of {n}|I forgot the {k} of {n}|
what do we have as the {k} of {n}?|which value stands for the {k} of {n}|does it say the {k} of {n}?|from this, what's the {k} of {n}|I only need the {k} of {n}""", more="ask_read")
ASK_HERE = Phrases(READING["ask_here"])
ANSWER = Phrases(["The {k} of {n} is {v}."])
ANSWERS = Phrases(["The {k} of {n} are {v}."])
FOLLOW = P("""and {its} {k}?|what about {its} {k}?|what is {its} {k}?|{its} {k}?|and what's the {k}?|how about {its} {k}?|ok, and the {k}?|tell me {its} {k} too|also {its} {k} please|do you know {its} {k}?|and the {k}|now {its} {k}|
what would be {its} {k}?|what's {its} {k}|I also need {its} {k}""",
           """and {its} {k} is?|the {k} as well please|and do you have {its} {k}?|what {k} was it?|then {its} {k}|give me {its} {k} as well|and for the {k}?|the {k} too|what did it say about {its} {k}?|and what is {its} {k} then?|what's the {k}?|
can you also tell me {its} {k}?|one more: {its} {k}?|next, {its} {k}|what else: {its} {k}?|and {k}?|thanks, and {its} {k}?|right, and what about the {k}|{its} {k}, what is it?|okay, {its} {k} now|and {its} {k} too?|and what do they give as {its} {k}?|
what was {its} {k} again?|so what's {its} {k}?|hm, and {its} {k}""",
           """no, I meant {its} {k}|sorry, I wanted {its} {k}|I asked for {its} {k}|not that, {its} {k}|that's not what I asked, what is {its} {k}?|oh, I need {its} {k} instead|I should have asked for {its} {k}|actually I wanted the {k}|
no no, the {k}|wrong one, I need {its} {k}""", more="follow")
FOLLOW = more(FOLLOW, *REFERRING["FOLLOW"])
LATE = sections("reading_more.txt")
LEAD, CORE, TAIL = (Phrases(READING[x], READING[x + "2"], LATE[x + "3"]) for x in ("lead", "core", "tail"))
SRC = Phrases(READING["src"], READING["paper"])


def source(r):
    """Where a thing is written."""
    src = r.phrase(SRC)
    if not src.startswith("the "):
        src = "the " + (r.entity(lex.ADJ) + " " if r.chance(0.5) else "") + src
    return fill(src, {k: AROUND[k](r) for k in slots_of(src)})


# what stands around a statement: who says it, where, when
AROUND = {"who": lambda r: r.first(), "src": source, "d": lambda r: r.int(2, 98), "y": lambda r: r.int(1950, 2030), "t": lambda r: r.time(),
          "c": lambda r: r.city(), "day": lambda r: r.pick(lex.WEEKDAYS) if r.chance(0.5) else "%d %s" % (r.int(1, 28), r.pick(lex.MONTHS))}


def say_form(r):
    """A sentence for any attribute, as a template: a written one, or one put together of a lead, a statement and a tail."""
    if r.chance(0.6):
        return r.phrase(SAY)
    t, x = r.phrase(CORE), r.random()
    if x < 0.6:
        t = r.phrase(LEAD) + t
    if 0.45 < x < 0.85:
        t += r.phrase(TAIL)
    return fill(t, {k: AROUND[k](r) for k in slots_of(t) if k in AROUND}) + "."


# attribute nouns by the type of what they hold
NOUNS = {
    "unit": """torque|wingspan|draught|payload|thickness|voltage|range|width|depth|girth|pressure|tension|altitude|mass|clearance|span|throughput|power draw|flow rate|diameter|radius|boiling point|tank size|bandwidth|stroke|top speed|cable length|
capacity|load limit|turning circle|fuel use|noise level|slope|focal length|battery life|reach|shelf life|curing time|brewing time|stock|dose|distance|duration|waiting time|warm-up time|yield|step size|margin|circumference|volume|fill level|temperature""",
    "whole": "seat count|room count|crew size|print run|score|house number|page|floor|rank|number of parts|lap count|headcount|quota|order quantity|limit|line|chapter|jersey number|visitor count|number of doors|shoe size|track",
    "year": "founding year|year of manufacture|vintage|year of the last repair|model year|census year|first season",
    "person": """keeper|skipper|warden|curator|translator|sponsor|tenant|neighbour|designer|captain|caretaker|tutor|coach|editor|deputy|patron|handler|trainer|organiser|treasurer|producer|guide|accountant|contact person|landlord|supervisor|surgeon|
conductor|witness|heir|owner|driver|mentor|reviewer|reporter|assistant|chairperson|inspector|nurse|partner""",
    "city": "birthplace|home town|place of issue|sister city|next stop|port of call|last known city|assembly site",
    "country": "country of origin|export market|flag state|home country|country of issue",
    "place": "depot|home port|storage place|meeting point|warehouse|branch|destination|parking spot|hiding place|address|entrance|delivery point|workshop|landing site|office|lookout",
    "org": "maker|insurer|supplier|bank|publisher|employer|carrier|main sponsor|distributor|operator|dealer|laboratory|lender|installer",
    "date": "due date|expiry date|delivery date|launch date|last inspection|purchase date|renewal date|birthday|release date|start date|deadline|day of arrival|end of the lease|next visit",
    "clock": "departure time|closing time|check-in time|feeding time|alarm time|arrival time|opening time|start time|bedtime|backup time|shift change|pick-up time",
    "money": "rent|deposit|monthly fee|toll|fine|wage|budget|excess|postage|asking price|scrap value|repair bill|reserve price|grant|salary|debt|insured value|price",
    "percent": "discount|humidity|share|failure rate|fat content|battery level|tax rate|turnout|success rate|alcohol content|occupancy|interest rate",
    "words": "motto|nickname|varnish|lining|filling|flavour|pattern|glaze|theme|mood|code name|mascot|side dish|ornament|coating|finish|emblem|specialty|status|condition|weakness|favourite toy|hobby|secret ingredient|remark|slogan|title|label|method|reason|shape",
    "thing": "material|main ingredient|topping|fuel|bait|fabric|tool|key ring|prize|cargo|gift|disguise|weapon|costume|instrument|handle|spare part|lid",
    "code": "serial number|locker code|booking number|room number|gate|batch|reference|customer number|door code|licence plate|article number|ticket number|flight number|shelf mark|pin|tracking number",
    "version": "version|firmware|driver version|protocol version|revision|schema version",
    "host": "host|server|mirror|address of the server|gateway|endpoint|backup host", "port": "port|admin port|debug port", "path": "config file|log file|backup folder|source file|key file|template", "email": "e-mail address|contact address|mailbox|billing address",
    "phone": "phone number|hotline|emergency number|fax number|extension", "list": "crew|ingredients list|guest list|stops|members|colours|contents|toppings|accessories|languages|spare parts", "url": "website|download page|home page", "made": "breed|species|dialect|brand|variety|call sign",
}
NOUNS = {t: [x.strip() for x in bars(s)] for t, s in NOUNS.items()}
# questions in other words than the attribute's own, and attributes that such a question might mean as well
OWN_ASK = {k: Phrases([x.strip() for x in q.split("|")]) for k, q in read_rows("attr_asks.txt")}
OWN_SAY = {k: Phrases(q.split("|")) for k, q in read_rows("attr_says.txt")}
UNITS = dict(x.split(" = ") for x in """wingspan = metres|payload = kg|thickness = mm|width = cm|depth = metres|mass = kg|top speed = km/h|capacity = litres|battery life = hours|shelf life = days|
waiting time = minutes|duration = minutes|distance = km|temperature = degrees|noise level = dB""".replace("\n", "").split("|"))  # of those that are told in words of their own
KIND_ASK = {tuple(k.split("/")): q.split("|") for k, q in read_rows("attr_asks_kinds.txt")}
ALIKE = [set(x.split("|")) for x in """due date|deadline|expiry date|end of the lease|renewal date
delivery date|day of arrival|arrival time|launch date|start date|release date|pick-up time
founding year|year of manufacture|vintage|model year|first season|purchase date|birthday|start date|release date
range|distance|reach|span|turning circle|cable length|altitude|wingspan|depth
width|diameter|span|girth|circumference|radius|wingspan|clearance|thickness
mass|payload|load limit|cargo|capacity
capacity|volume|tank size|fill level|stock|contents|seat count|order quantity|room count|battery level
keeper|caretaker|handler|trainer|coach|owner|warden|tutor|nurse|mentor|supervisor|curator
captain|skipper|driver|organiser|chairperson|coach|conductor|guide
owner|landlord|tenant|keeper|heir|partner
maker|publisher|supplier|designer|producer|dealer|distributor|employer|carrier|installer|operator|insurer|lender|bank|sponsor
home port|port of call|depot|storage place|parking spot|hiding place|address|office|branch|warehouse|destination|meeting point|entrance|delivery point|workshop|landing site|lookout|assembly site|place of issue
birthplace|home town|country of origin|home country|last known city|sister city|address|next stop|destination|country of issue|flag state
contents|cargo|filling|lining|toppings|topping|side dish|ingredients list|main ingredient|spare parts|accessories
duration|waiting time|brewing time|curing time|warm-up time|battery life|shelf life
price|rent|postage|toll|asking price|monthly fee|deposit|reserve price|scrap value|repair bill|insured value|fine|excess|budget|grant
wage|salary|debt|grant|budget
status|condition|weakness|mood|remark|reason|method|theme|shape|pattern
material|fabric|main ingredient|coating|varnish|glaze|finish|lining|fuel|handle
breed|species|variety|brand|dialect|call sign
version|firmware|revision|driver version|protocol version|schema version
door code|pin|locker code|gate|room number|floor|entrance|page|house number|serial number|reference|ticket number|batch|article number|shelf mark|booking number|line|chapter
score|rank|points|limit|quota|jersey number|track
crew size|headcount|members|crew|visitor count|guest list|seat count
temperature|boiling point|humidity|pressure|alcohol content
departure time|start time|opening time|shift change|check-in time|alarm time|backup time|gate
closing time|bedtime|feeding time
flavour|side dish|secret ingredient|specialty
discount|share|tax rate|interest rate|turnout|occupancy|success rate|failure rate|fat content
nickname|code name|title|label|call sign|motto|slogan
phone number|hotline|emergency number|fax number|extension
e-mail address|contact address|mailbox|billing address|address
website|download page|home page
host|server|mirror|address of the server|gateway|endpoint|backup host
log file|config file|source file|key file|template|backup folder
prize|gift|instrument|tool|weapon|costume
editor|translator|reviewer|producer|designer""".split("\n")]


def plain_only(a, others):
    """Whether a question in other words might mean another attribute as well."""
    keys = [x.key for x in others if x is not a]
    return any(a.key in k or k in a.key for k in keys) or any(a.key in s and not s.isdisjoint(keys) for s in ALIKE)
_types = [(w, t) for w, t in values.TYPES if t in NOUNS]


def open_attr(r, taken=(), kind=None):
    """An attribute that nobody has heard of, or a common noun with a value of its type."""
    for _ in range(9):
        t = kind or r.weighted(_types)
        x = r.random()
        if x < 0.5:
            k = r.entity(NOUNS[t])
        elif x < 0.65:
            k = r.entity(lex.ADJ) + " " + (r.entity(NOUNS[t]) if r.chance(0.6) else r.noun())
        elif x < 0.78:
            k = r.noun()
        elif x < 0.88:
            k = (r.noun() + " " + r.noun() if r.chance(0.5)
                 else r.noun() + " " + r.pick(["code", "size", "holder", "type", "rate", "name", "level", "number", "place", "time"]))
        else:
            k = values.made(r, 2)
        if k not in taken:
            break
    own, make, say = OWN_ASK.get(k), values.MAKE[t], OWN_SAY.get(k, SAY) if k in NOUNS[t] else SAY
    if t == "unit" and say is not SAY:  # "it is 20 tonnes" tells nobody that a temperature is meant
        unit = UNITS[k] if r.chance(0.8) else None
        make, say = (lambda r: values.grouped(r, r.int(2, 990)) + " " + unit, say) if unit else (make, SAY)
    return Attr(k, make, say, own or ASK, ANSWERS if t == "list" and k.endswith("s") and not k.endswith("ss") else ANSWER, k, None,
                0.45 if own else 1.0, own is not None)


def open_attrs(r, n, same=0.35):
    """Several attributes; often two or more have values of the same type, so that the name must be read."""
    out, kind = [], None
    for _ in range(n):
        a = open_attr(r, [x.key for x in out], kind)
        if all(a.key != x.key for x in out):
            out.append(a)
        kind = next((t for t, f in values.MAKE.items() if f is a.make), None) if r.chance(same) else None
    return out


PEOPLE = [("his", "he"), ("her", "she"), ("their", "they")]


def subject(r):
    """A thing of any kind: (name, its, it)."""
    x = r.random()
    if x < 0.18:
        return (r.name() if r.chance(0.7) else r.first(),) + r.pick(PEOPLE)
    if x < 0.36:
        n = "the " + (r.entity(lex.ADJ) + " " if r.chance(0.6) else r.noun() + " " if r.chance(0.5) else "") + r.noun()
    elif x < 0.54:
        n = r.product()
    elif x < 0.62:
        n = r.org()
    elif x < 0.68:
        n = r.city()
    elif x < 0.76:
        n = (r.pick(["unit ", "room ", "team ", "project ", "boat ", "box ", "order ", "site ", "model ", "batch ", "locker ", "line "])
             + r.pick([values.code(r), values.cap(r), r.noun().capitalize(), str(r.int(2, 99))]))
    elif x < 0.84:
        n = "the " + values.made(r, 2) + (" " + r.noun() if r.chance(0.4) else "")
    elif x < 0.9:
        n = "the " + values.cap(r)
    elif x < 0.95:
        n = r.noun() + "-" + r.pick([r.noun(), str(r.int(1, 40)), "api", "db"])
    else:
        n = "the " + r.first() + " " + r.noun()
    return n, "its", "it"


# --- the written attributes of train/data/attrs-*.jsonl ---

def maker(spec):
    """What "make" of a written attribute stands for."""
    kind, _, rest = spec.partition(":")
    if kind in ("num", "year") and rest:
        low, _, high = rest.partition("-")
        high, _, unit = high.partition(" ")
        low, high = float(low.replace(",", "")), float(high.replace(",", ""))
        if kind == "year":
            return lambda r: str(r.int(int(low), int(high)))
        if low == int(low) and high == int(high):
            return lambda r: values.grouped(r, r.int(int(low), int(high))) + (" " + unit if unit else "")
        return lambda r: "%.1f" % (low + (high - low) * r.random()) + (" " + unit if unit else "")
    return {"name": lambda r: r.name(), "city": lambda r: r.city(), "country": lambda r: r.country(),
            "date": lambda r: "%d %s %d" % (r.int(1, 28), r.pick(lex.MONTHS), r.int(1950, 2035)), "time": lambda r: r.time(),
            "money": values.money,
            "percent": values.percent, "list": values.several, "place": values.place, "org": values.org, "num": values.whole,
            "year": values.year}.get(kind, values.words)


def written():
    """Kinds of things with their written attributes: {thing: (name kind, [Attr])}."""
    out = {}
    for o in read_objects("attrs-*.jsonl"):
        answer = o.get("answer") or ["The %s of {n} is {v}." % o["short"]]
        new = KIND_ASK.get((o["thing"], o["key"]), [])
        follow = Phrases(o.get("follow") or [], [x.replace("{n}", "it") for x in new]) if o.get("follow") or new else None
        a = Attr(o["key"], maker(o["make"]), Phrases(o["say"]), Phrases(o["ask"], new), Phrases(answer), o["short"], follow, 0.22)
        kind = out.setdefault(o["thing"], (o["name"], []))
        if all(x.key != a.key for x in kind[1]):
            kind[1].append(a)
    return out
