"""Things that jobs are about: news and facts to be read, and what people say of themselves."""
import json
import os
import re

from .job_base import MONTHS, ROOT, SENTENCES, WORDS, _lines, cap, coined, day_words, first, iso, low, person, place


def _objects(*names):
    """Lines of JSON in files that may not be there yet."""
    out = []
    for name in names:
        try:
            with open(os.path.join(ROOT, "train", "data", name), encoding="utf-8") as f:
                out += [json.loads(l) for l in f if l.strip()]
        except FileNotFoundError:
            continue
    return out


def _library():
    base = os.path.join(ROOT, "internal", "library", "entries")
    names = sorted(os.listdir(base)) if os.path.isdir(base) else []
    return [e for e in _objects(*(os.path.join(base, n) for n in names if n.endswith(".jsonl"))) if e.get("name") and e.get("text")]


PREFER = _objects("preferences.jsonl")   # say, name, asks, short
SMALLTALK = _objects("smalltalk.jsonl")  # ask, answers
LIBRARY = _library()                     # name, text, asks


_TOOL_OF = {"fs_write_append": "fs_write", "fs_write_create": "fs_write", "fs_write_overwrite": "fs_write", "fs_write_replace": "fs_write"}


def _asks():
    """What people say to each tool, by its name."""
    base = os.path.join(ROOT, "train", "data", "asks")
    out = {}
    for name in sorted(os.listdir(base)) if os.path.isdir(base) else []:
        stem = name[:-4]
        with open(os.path.join(base, name), encoding="utf-8") as f:
            out.setdefault(_TOOL_OF.get(stem, stem), []).extend(l.rstrip("\n").split("\t")[0] for l in f if l.strip() and not l.startswith("#"))
    return out


ASKS = _asks()


def _unknown():
    """Questions of any kind and what they are about."""
    try:
        with open(os.path.join(ROOT, "train", "data", "unknown.txt"), encoding="utf-8") as f:
            return [tuple(l.rstrip("\n").split("\t")[:2]) for l in f if "\t" in l and not l.startswith("#")]
    except FileNotFoundError:
        return []


UNKNOWN = _unknown()


def stop(s):
    return s if s[-1:] in ".!?" else s + "."


def book(j):
    """An entry of the library: its name, its sentences, and a question with its answer or None."""
    e = j.entity(LIBRARY)
    text = " ".join(e["text"].split())
    sents = [t.strip() + "." for t in text.rstrip(".").split(". ")]
    ask = None
    if e.get("asks"):
        a = j.pick(e["asks"])
        ask = (a[0], a[1]) if isinstance(a, (list, tuple)) else (a.get("q") or a.get("ask"), a.get("a") or a.get("answer"))
    return e["name"], sents, ask

MOD = """ferry harbour river town water night summer glass stone railway forest hill mill castle market fish bird salt clock winter garden
north south east west old new upper lower city village island lake valley coast bridge canal station royal public children's
student music wind solar tidal county district mountain copper iron wooden floating open""".split()
NOUN = """bridge tunnel tower library museum market pool station park garden theatre mill lighthouse pier canal dam school hospital stadium
harbour observatory cinema bakery brewery greenhouse playground path road square depot archive chapel tram line cable car bus farm reserve
reservoir hostel gallery workshop ferry dock lift terminal arcade orchard festival fair choir club orchestra aquarium planetarium
laboratory nursery kitchen hall fountain maze""".split()

# What happened. {T} is the thing at the head of a sentence, {P} its place.
EVENT = [
    ("{T} at {P} opened to visitors this week, {n} months earlier than planned.", "{M} opens to visitors"),
    ("{T} in {P} is closed until {mon} because of repairs to the roof.", "{M} closed for repairs"),
    ("{T} in {P} has a new director, {name}, who begins in {mon}.", "New director for {m}"),
    ("{T} at {P} will be open on Sundays from {mon} on.", "{M} opens on Sundays"),
    ("{T} in {P} was sold to {name} for {n} million euros.", "{M} sold"),
    ("{T} at {P} was damaged by the storm and stays shut for {n} weeks.", "Storm damages {m}"),
    ("{T} in {P} counted more than {k} visitors last year.", "Record year for {m}"),
    ("{T} at {P} gets {k} euros from the town for new windows.", "Money for {m}"),
    ("{T} in {P} moves to the old post office in {mon}.", "{M} is moving"),
    ("{T} at {P} was painted {col} after a vote of the people who live near it.", "{M} gets a new colour"),
    ("{T} in {P} cannot be reached by car before {mon}.", "No cars to {m}"),
    ("{T} at {P} celebrates its {n}th birthday with free entry.", "{M} celebrates"),
    ("{T} in {P} lost its power for {n} hours on {day}.", "Power cut at {m}"),
    ("{T} at {P} is looking for {n} helpers for the summer.", "{M} looks for helpers"),
    ("{T} in {P} was named the best of its kind by readers of the {paper}.", "Prize for {m}"),
    ("{T} at {P} raises its entry fee to {n} euros from {mon}.", "{M} becomes dearer"),
    ("{T} in {P} is to be torn down next year, the council decided.", "Council: {m} must go"),
    ("{T} at {P} may stay, a court decided on {day}.", "Court saves {m}"),
    ("{T} in {P} shows {k} old photographs until {mon}.", "Old pictures at {m}"),
    ("{T} at {P} is now free for everybody under {n}.", "Free entry at {m}"),
    ("{T} in {P} will get {n} new lamps that need less power.", "New light for {m}"),
    ("{T} at {P} had to turn people away on {day}.", "{M} was full"),
    ("{T} in {P} has {n} kinds of bats in its cellar, researchers found.", "Bats found at {m}"),
    ("{T} at {P} is run by volunteers since {mon}.", "Volunteers run {m}"),
    ("{T} in {P} will not open this year, said {name}.", "{M} stays closed"),
    ("{T} at {P} got a lift for people who cannot climb stairs.", "A lift for {m}"),
]

# Details: what can be asked, the sentence that answers, the answer itself.
DETAIL = [
    ("how long {t} is", "{T} is {n} metres long", "{n} metres", "length"),
    ("how high {t} is", "{T} is {n} metres high", "{n} metres", "height"),
    ("how much {t} cost", "{T} cost {n} million euros to build", "{n} million euros", "cost"),
    ("who designed {t}", "{T} was designed by {name}", "{name}", "designer"),
    ("who runs {t}", "{T} is run by {name}", "{name}", "head"),
    ("when {t} was built", "{T} was built in {year}", "{year}", "year"),
    ("when {t} opens", "{T} opens at {hour} every day", "{hour}", "opening time"),
    ("when {t} closes", "{T} closes at {hour} in the evening", "{hour}", "closing time"),
    ("how many people {t} expects", "{T} expects {k} people a day in summer", "{k} people a day", "visitors"),
    ("how many people work at {t}", "{n} people work at {t}", "{n} people", "staff"),
    ("what a ticket for {t} costs", "A ticket for {t} costs {n} euros", "{n} euros", "ticket price"),
    ("what colour {t} has", "{T} is painted {col}", "{col}", "colour"),
    ("what {t} is made of", "{T} is made of {mat}", "{mat}", "material"),
    ("which bus goes to {t}", "Bus {n} goes to {t}", "bus {n}", "bus"),
    ("who paid for {t}", "{T} was paid for by {name}", "{name}", "donor"),
    ("what the phone number of {t} is", "The phone number of {t} is {phone}", "{phone}", "phone number"),
    ("how old {t} is", "{T} is {n} years old", "{n} years", "age"),
    ("how far {t} is from the station", "{T} is {n} minutes on foot from the station", "{n} minutes on foot", "distance"),
    ("how many rooms {t} has", "{T} has {n} rooms", "{n} rooms", "rooms"),
    ("on which day {t} is closed", "{T} is closed on {wd}s", "{wd}s", "closing day"),
    ("what {t} was before", "{T} was once a {was}", "a {was}", "former use"),
    ("what is served at {t}", "{T} serves {food} on weekends", "{food}", "food"),
    ("how deep {t} is", "{T} is {n} metres deep", "{n} metres", "depth"),
    ("how many seats {t} has", "{T} has {k} seats", "{k} seats", "seats"),
    ("when work on {t} began", "Work on {t} began in {mon} {year}", "{mon} {year}", "beginning"),
]
COLOUR = "blue green red white yellow grey black orange brown purple turquoise".split()
MATERIAL = "oak steel brick granite concrete glass copper pine limestone clay bamboo slate".split()
WAS = ["tannery", "post office", "prison", "fish market", "coal store", "barracks", "silk mill", "bank", "stable", "monastery", "tea house"]
FOOD = ["waffles", "pea soup", "plum cake", "smoked trout", "onion bread", "rice pudding", "dumplings", "lentil stew", "apple pie"]
PAPER = ["Gazette", "Morning Post", "Courier", "Herald", "Evening Star", "Tribune", "Chronicle", "Observer"]
SITE = "gazette courier herald town-news citypost dailynews regional travel visit council weather chronicle archive wiki".split()


def _slots(j):
    return {"n": j.n(2, 99), "k": "%d,%03d" % (j.n(1, 40), j.n(0, 999)) if j.chance(0.5) else str(j.n(100, 9800)), "mon": j.pick(MONTHS),
            "day": day_words(j), "name": person(j), "col": j.pick(COLOUR), "mat": j.pick(MATERIAL), "year": j.n(1780, 2025),
            "hour": "%d:%02d" % (j.n(6, 22), j.pick([0, 15, 30, 45])), "wd": j.pick(["Monday", "Tuesday", "Wednesday", "Thursday", "Sunday"]),
            "was": j.pick(WAS), "food": j.pick(FOOD), "paper": j.pick(PAPER), "phone": "0%d %d" % (j.n(10, 99), j.n(100000, 999999))}


def thing(j):
    """A name for a thing: two words, sometimes a coined one."""
    if j.chance(0.15):
        return coined(j).capitalize() + " " + j.entity(NOUN)
    if WORDS["n"] and j.chance(0.12):
        return j.entity(WORDS["n"]) + " " + j.entity(NOUN)
    while True:
        a, b = j.entity(MOD), j.entity(NOUN)
        if a != b:
            return a + " " + b


def slug(s):
    return "-".join("".join(c if c.isalnum() else " " for c in s.lower()).split())


def details(j, name, k):
    """So many facts about a thing: (question, sentence, value, attribute)."""
    out = []
    for q, s, v, attr in j.some(DETAIL, k):
        f = _slots(j)
        f["t"], f["T"] = "the " + name, "The " + name
        out.append((q.format(**f), cap(s.format(**f)) + ".", v.format(**f), attr))
    return out


def topic(j, name=None, k=None):
    """A thing with news and details, as a page or a search result has it."""
    name = name or thing(j)
    f = _slots(j)
    p = place(j)
    f.update(T="The " + name, M=cap(name), m=name, P=p, t="the " + name)
    e, title = j.phrase(EVENT)
    facts = details(j, name, j.n(1, 4) if k is None else k)
    return {"name": name, "the": "the " + name, "place": p, "claim": e.format(**f), "title": cap(title.format(**f)), "facts": facts,
            "more": [s for _, s, _, _ in facts], "date": iso(j) if j.chance(0.85) else "",
            "url": "https://%s.example/%s" % (j.pick(SITE) if j.chance(0.7) else coined(j), slug(name))}


WEATHER = ["{P} has fog in the morning and light wind from the {dir}, with {n} degrees at noon.", "{P} gets rain from {h} o'clock on and {n} degrees.",
           "It stays dry in {P}, with sun in the afternoon and {n} degrees.", "Snow is expected in {P} down to {k} metres, at {n} degrees.",
           "{P} expects a storm from the {dir} in the evening and {n} degrees.", "In {P} it is cloudy and calm, with {n} degrees.",
           "{P} has a clear sky, {n} degrees and hardly any wind.", "Thunder is likely in {P} after {h} o'clock, at {n} degrees."]


def weather(j, p=None):
    p = p or place(j)
    s = j.phrase(WEATHER).format(P=p, dir=j.pick(["west", "north", "south", "east"]), n=j.n(-5, 34), h=j.n(8, 21), k=j.n(2, 20) * 100)
    return {"name": "weather in " + p, "the": "the weather in " + p, "place": p, "claim": s, "title": "Weather in " + p, "facts": [], "more": [],
            "date": iso(j), "url": "https://weather.example/" + slug(p)}


SOFT = ["is published under the {lic} licence", "is written in {lang}", "needs {n} MB of memory", "was first released in {year}",
        "is maintained by {name}", "runs on {os}", "costs {n} euros a month", "stores its data in {fmt} files", "listens on port {port}",
        "reached version {ver} on {day}", "has {k} users", "can read {fmt} files", "stops working without {dep}", "ends its support in {mon} {year2}"]
SOFTQ = ["under which licence {T} is published", "in which language {T} is written", "how much memory {T} needs", "when {T} was first released",
         "who maintains {T}", "on which systems {T} runs", "what {T} costs", "how {T} stores its data", "on which port {T} listens",
         "what the current version of {T} is", "how many users {T} has", "which files {T} can read", "what {T} depends on", "when support of {T} ends"]
SOFTV = ["{lic}", "{lang}", "{n} MB", "{year}", "{name}", "{os}", "{n} euros a month", "{fmt}", "{port}", "{ver}", "{k}", "{fmt}", "{dep}", "{mon} {year2}"]
SOFTA = ["licence", "language", "memory", "first release", "maintainer", "systems", "price", "storage", "port", "version", "users", "files", "dependency",
         "end of support"]
KNOWN = "SQLite DuckDB Redis nginx Postgres Git Rust Zig Deno Blender Inkscape Krita Ollama Caddy Traefik Grafana Restic Syncthing Vim Emacs".split()


def software(j, name=None, at=None):
    """A program with one or more facts."""
    name = name or (j.entity(KNOWN) if j.chance(0.5) else coined(j).capitalize() + j.pick(["", "db", "kit", "OS", "", " Server", "base"]))
    facts = []
    for i in (j.some(range(len(SOFT)), j.n(1, 4)) if at is None else [at] + j.some([x for x in range(len(SOFT)) if x != at], j.n(0, 2))):
        f = _slots(j)
        f.update(lic=j.pick(["MIT", "Apache 2.0", "GPL 3", "BSD", "MPL 2.0", "AGPL"]), lang=j.pick(["Go", "Rust", "C", "Python", "Java", "Zig", "C++"]),
                 os=j.pick(["Linux and macOS", "Windows only", "Linux, macOS and Windows", "FreeBSD"]), fmt=j.pick(["JSON", "CSV", "Parquet", "YAML", "plain text"]),
                 port=j.n(1024, 9999), ver="%d.%d.%d" % (j.n(0, 24), j.n(0, 40), j.n(0, 9)), dep=coined(j), year2=j.n(2026, 2033), T=name)
        f["year"] = j.n(1990, 2025)
        facts.append((SOFTQ[i].format(**f), "%s %s." % (name, SOFT[i].format(**f)), SOFTV[i].format(**f), SOFTA[i]))
    return {"name": name, "the": name, "place": "", "claim": facts[0][1], "title": "About " + name, "facts": facts, "more": [s for _, s, _, _ in facts[1:]],
            "date": iso(j) if j.chance(0.7) else "", "url": "https://%s.example/%s" % (j.pick(["docs", "wiki", "releases", "news", slug(name)]), slug(name))}


def subject(j):
    x = j.random()
    return topic(j) if x < 0.6 else software(j) if x < 0.85 else weather(j)


def readable(j):
    """A subject that has at least one detail to ask for."""
    return topic(j, k=j.n(1, 4)) if j.chance(0.65) else software(j)


# What people say of themselves. A choice has what they want and what they avoid.

PAIRS = {
    "tea": ["honey/lemon", "milk/sugar", "mint/ginger", "lemon/milk", "sugar/honey", "cinnamon/milk"],
    "coffee": ["milk/sugar", "oat milk/cream", "sugar/syrup", "cardamom/cocoa", "cream/oat milk"],
    "breakfast": ["porridge/eggs", "toast/muesli", "eggs/pancakes", "fruit/bacon", "rye bread/croissants"],
    "bread": ["butter/jam", "cheese/ham", "jam/honey", "olive oil/butter"],
    "pizza": ["mushrooms/olives", "olives/pineapple", "ham/tuna", "peppers/onions"],
    "salad": ["walnuts/croutons", "vinegar/lemon", "olives/radishes", "feta/bacon"],
    "soup": ["leek/celery", "lentils/noodles", "parsley/dill", "pumpkin/beetroot"],
    "trip": ["train/plane", "bus/car", "ferry/plane", "bicycle/bus", "car/train"],
    "holiday": ["mountains/sea", "tent/hotel", "city/countryside", "June/August", "cabin/hostel"],
    "seat": ["window/aisle", "front row/back row", "upper deck/lower deck"],
    "room": ["blue paint/green paint", "carpet/floorboards", "curtains/blinds", "lamp/candles"],
    "garden": ["roses/tulips", "beans/peas", "hedge/fence", "apple tree/cherry tree", "gravel/lawn"],
    "garage": ["shelf/cupboard", "grey paint/white paint", "bicycle rack/workbench"],
    "birthday": ["picnic/party", "cake/pie", "dinner/brunch", "book/watch"],
    "run": ["morning/evening", "forest path/river path", "short lap/long lap"],
    "meeting": ["morning/afternoon", "phone/video", "Tuesday/Friday", "small room/hall"],
    "walk": ["river/hill", "dog/camera", "boots/sandals"],
    "bag": ["leather/canvas", "zip/buttons", "backpack/suitcase"],
    "desk": ["oak/pine", "chair/stool", "one screen/two screens"],
    "website": ["dark theme/light theme", "photos/drawings", "one page/many pages"],
    "newsletter": ["plain text/HTML", "weekly/monthly", "English/German"],
    "cat": ["fish/chicken", "basket/cushion", "wet food/dry food"],
    "dog": ["beef/turkey", "harness/collar", "long leash/short leash"],
    "evening": ["book/film", "jazz/opera", "chess/cards", "piano/radio"],
}
CHOICES = [(k, *p.split("/")) for k, v in PAIRS.items() for p in v]
_TAKE = {"tea", "coffee", "bread", "pizza", "salad", "soup"}
FACT_WITH = ["I drink my {c} with {a}, and never with {b}.", "I take my {c} with {a}, never with {b}.", "My {c} needs {a}; {b} ruins it.",
             "I like my {c} with {a} and cannot stand {b} in it.", "No {b} in my {c}, please, only {a}.", "I always have {a} with my {c} and never {b}.",
             "My {c} without {a} is no {c}, and {b} has no place in it.", "{A} belongs into my {c}; keep {b} away from it.", "I have my {c} with {a} every day, and never with {b}.",
             "Please, never {b} in my {c}: I take {a}.", "I only drink or eat my {c} with {a}; {b} is not for me.", "Since last year I have {a} with my {c} and no {b} any more.",
             "For my {c} I want {a}, not {b}.", "I gave up {b} in my {c}; now I take {a}.", "{B} in my {c} makes me ill, {a} is fine."]
FACT_ANY = ["For my {c} I prefer {a} to {b}.", "I like {a} for my {c}, and never {b}.", "When it comes to my {c}, it is {a} for me and not {b}.",
            "I always choose {a} for my {c}; I never take {b}.", "I had {b} for my {c} once and did not like it, so it is {a} now.",
            "My {c} goes well with {a}, but {b} never worked for me.", "I decided on {a} for my {c}, and against {b}.",
            "As for my {c}, I go for {a} every time and leave {b} to others.", "{A} is right for my {c}; {b} is not my thing.", "I can't stand {b} for my {c}, but I love {a}.",
            "My {c}: {a}, please, and by no means {b}.", "We agreed on {a} for my {c} and dropped {b}.", "I bought {b} for my {c} and gave it back; {a} is what I like.",
            "Please note that I want {a} for my {c}, never {b}.", "I am happy with {a} for my {c} and tired of {b}."]
CHOICE_Q = ["Should I put {x} or {y} on the list for my {c}?", "Should I choose {x} or {y} for my {c}?", "Shall I take {x} or {y} for my {c}?",
            "{X} or {y} for my {c}?", "What is better for my {c}, {x} or {y}?", "Would you go for {x} or {y} for my {c}?", "I need to decide for my {c}: {x} or {y}?",
            "Which should I get for my {c}, {x} or {y}?", "For my {c}, do I want {x} or {y}?", "Do I order {x} or {y} for my {c}?", "Is {x} or {y} right for my {c}?",
            "Should it be {x} or {y} for my {c}?", "Help me choose for my {c}: {x} or {y}?", "I can't decide between {x} and {y} for my {c}.",
            "What shall it be for my {c}, {x} or {y}?", "Should I buy {x} or {y} for my {c}?", "I am at the shop: {x} or {y} for my {c}?", "Do I need {x} or {y} for my {c}?",
            "Which would I like better for my {c}, {x} or {y}?", "For my {c}: is it {x} or is it {y}?", "Should I ask for {x} or {y} with my {c}?", "{X} versus {y} for my {c}, what do you say?",
            "Would I be happier with {x} or with {y} for my {c}?", "should i take {x} or {y} for my {c}", "what do i want for my {c}, {x} or {y}",
            "Should I go with {x} or with {y} for my {c}?", "What should I write down for my {c}, {x} or {y}?", "Would {x} or {y} suit my {c}?",
            "Tell me whether to take {x} or {y} for my {c}.", "Which one for my {c}: {x} or {y}?", "Do you think {x} or {y} fits my {c}?"]


def choice(j):
    """A question with two options, and what the person said of them before."""
    c, a, b = j.entity(CHOICES)
    if j.chance(0.12):
        c = j.pick(["cabin", "boat", "shop", "project", "porch", "bicycle", "recipe", "blog"])
        a, b = coined(j), coined(j)
    if j.chance(0.5):
        a, b = b, a
    x, y = (a, b) if j.chance(0.5) else (b, a)
    with_ = c in _TAKE and j.chance(0.7)
    fact = j.phrase(FACT_WITH if with_ else FACT_ANY).format(a=a, b=b, c=c, A=cap(a), B=cap(b))
    q = j.phrase(CHOICE_Q).format(x=x, y=y, c=c, X=cap(x))
    return {"kind": "choice", "ask": q, "fact": fact, "want": a, "avoid": b, "about": c, "for": a}


DO = """buy a motorbike|sell the boat|learn the cello|move to {P}|take the job in {P}|lend {N} money|adopt a dog|paint the kitchen|cancel the gym|quit my job
book the flight to {P}|sign the contract|rent out the spare room|start a blog|run the marathon|buy the house in {P}|invite {N} to dinner|hire {N}
eat at the new seafood place|order the walnut cake|climb the {C} peak|go diving in {P}|switch to the night shift|buy a new phone|keep bees
swim in the lake|learn Portuguese|go camping alone|take the ferry|work from home|teach the course|join the choir|give up coffee|drive to {P} tonight
sell the car|get a cat|plant an oak|go to the reunion|write to {N}|ask {N} for help|take a loan|study law|open a shop in {P}|fast for a week
take the {C} pills|go skiing|buy shares of {C}|stay up late|build a shed|change the school|skip the meeting|travel with {N}""".replace("\n", "|").split("|")
SAID_FOR = ["I have wanted to {d} for years.", "I promised {n} that I would {d}.", "I have put {k} euros aside so that I can {d}.", "My plan for this year is to {d}.",
            "I told {n} that I would love to {d}.", "The last time I did something like it, to {d} felt right.", "I decided in {m} to {d} as soon as I can.",
            "I always feel better when I {d}.", "I have the time to {d} from {m} on.", "My doctor said it would do me good to {d}."]
SAID_AGAINST = ["I promised {n} never to {d}.", "My doctor told me not to {d}.", "I cannot afford to {d} before {m}.", "I tried to {d} last year and regretted it.",
                "I said in {m} that I would never {d} again.", "I have no time to {d} until {m}.", "It makes me ill to {d}.", "I am afraid to {d} since the accident.",
                "{n} asked me not to {d}, and I agreed.", "I decided not to {d} because of the money."]
YES_Q = ["Should I {d}?", "Is it a good idea to {d}?", "Do you think I should {d}?", "Would it be wise to {d}?", "I am thinking about whether to {d}. What do you say?",
         "Shall I {d} this year?", "Is it time to {d}?", "Would you {d} in my place?", "Can I {d}?", "What if I {d}?", "Does it make sense for me to {d}?",
         "Should I really {d} now?", "Is now the moment to {d}?", "Ought I to {d}?", "Would it be a mistake to {d}?", "Help me decide whether to {d}.",
         "Is it all right for me to {d}?", "I want to {d}. Should I?", "Is it too early to {d}?", "Should I go ahead and {d}?"]


def deed(j):
    return j.entity(DO).format(P=place(j), N=first(j), C=coined(j).capitalize())


def yesno(j):
    """A question whether to do something, and what the person said of it before."""
    d = deed(j)
    side = "for" if j.chance(0.5) else "against"
    fact = j.phrase(SAID_FOR if side == "for" else SAID_AGAINST).format(d=d, n=first(j), k=j.n(2, 90) * 100, m=j.pick(MONTHS))
    return {"kind": "yesno", "ask": j.phrase(YES_Q).format(d=d), "fact": cap(fact), "do": d, "side": side, "about": d}


# Plain facts of a person's life: (said, question, second person, subject/relation/object or None).
LIFE = [
    ("I live in {P}.", "Where do I live?", "You live in {P}.", ("speaker", "lives in", "{P}")),
    ("My sister {N} lives in {P}.", "Where does my sister live?", "Your sister {N} lives in {P}.", ("{N}", "lives in", "{P}")),
    ("My brother {N} works at {O}.", "Where does my brother work?", "Your brother {N} works at {O}.", ("{N}", "works at", "{O}")),
    ("I work at {O}.", "Where do I work?", "You work at {O}.", ("speaker", "works at", "{O}")),
    ("{N} is married to {N2}.", "Who is {N} married to?", "{N} is married to {N2}.", ("{N}", "married to", "{N2}")),
    ("{N} moved to {P}.", "Where did {N} move?", "{N} moved to {P}.", ("{N}", "lives in", "{P}")),
    ("{N} was born in {P}.", "Where was {N} born?", "{N} was born in {P}.", ("{N}", "born in", "{P}")),
    ("{N} is the owner of {O}.", "Who owns {O}?", "{N} is the owner of {O}.", ("{N}", "owner of", "{O}")),
    ("My dog is called {W}.", "What is my dog called?", "Your dog is called {W}.", ("speaker", "dog", "{W}")),
    ("My cat is called {W}.", "What is the name of my cat?", "Your cat is called {W}.", ("speaker", "cat", "{W}")),
    ("I am allergic to {A}.", "What am I allergic to?", "You are allergic to {A}.", ("speaker", "allergic to", "{A}")),
    ("My favourite colour is {K}.", "What is my favourite colour?", "Your favourite colour is {K}.", ("speaker", "favourite colour", "{K}")),
    ("My birthday is on {D}.", "When is my birthday?", "Your birthday is on {D}.", ("speaker", "birthday", "{D}")),
    ("{N} is a teacher in {P}.", "What does {N} do?", "{N} is a teacher in {P}.", ("{N}", "teacher in", "{P}")),
    ("My locker code is {Z}.", "What is my locker code?", "Your locker code is {Z}.", None),
    ("I park on level {Z2} of the garage.", "On which level do I park?", "You park on level {Z2} of the garage.", None),
    ("The spare key is under the {thing}.", "Where is the spare key?", "The spare key is under the {thing}.", None),
    ("Our wifi is called {W}.", "What is our wifi called?", "Your wifi is called {W}.", None),
    ("My train leaves at {H}.", "When does my train leave?", "Your train leaves at {H}.", None),
    ("I play the {I} in a band.", "Which instrument do I play?", "You play the {I} in a band.", ("speaker", "plays", "{I}")),
    ("My shoe size is {Z2}.", "What is my shoe size?", "Your shoe size is {Z2}.", ("speaker", "shoe size", "{Z2}")),
    ("{N} is my dentist.", "Who is my dentist?", "{N} is your dentist.", ("{N}", "dentist of", "speaker")),
    ("I study at {O} in {P}.", "Where do I study?", "You study at {O} in {P}.", ("speaker", "studies at", "{O}")),
    ("{N} knows {N2} from school.", "How does {N} know {N2}?", "{N} knows {N2} from school.", ("{N}", "knows", "{N2}")),
    ("I am learning {L}.", "Which language am I learning?", "You are learning {L}.", ("speaker", "learns", "{L}")),
    ("My mother {N} turns {Z2} in {M}.", "How old will my mother be?", "Your mother {N} turns {Z2} in {M}.", ("{N}", "turns", "{Z2}")),
]
ORGS = ["the harbour office", "Larkfield School", "Northwind", "the town library", "Brightwater", "Kestrel Labs", "the brewery", "Osprey Press", "Hillcrest Hospital"] + [l[0] for l in _lines("orgs.txt")]


def habit(j):
    """What a person says of themselves, in the words of people."""
    e = j.entity(PREFER)
    say = cap(stop(e["say"]))
    return {"fact": say, "ask": cap(j.phrase(e["asks"])), "you": cap(stop(e["short"])), "rel": None, "names": [], "kind": "life", "title": e["name"]}


def life(j):
    if PREFER and j.chance(0.35):
        return habit(j)
    f = {"P": place(j), "N": first(j), "N2": first(j), "O": j.entity(ORGS) if j.chance(0.6) else coined(j).capitalize(), "W": coined(j).capitalize(),
         "A": j.pick(["nuts", "pollen", "shellfish", "penicillin", "cats", "milk", "wasps", "strawberries"]), "K": j.pick(COLOUR), "Z": j.n(1000, 9999),
         "D": "%d %s" % (j.n(1, 28), j.pick(MONTHS)), "Z2": j.n(2, 80), "thing": j.pick(["flower pot", "doormat", "blue stone", "bench", "bird house"]),
         "H": "%d:%02d" % (j.n(5, 22), j.n(0, 59)), "I": j.pick(["cello", "drums", "flute", "bass", "violin", "trumpet"]),
         "L": j.pick(["Portuguese", "Finnish", "Greek", "Korean", "Welsh", "Turkish"]), "M": j.pick(MONTHS)}
    s, q, you, rel = j.entity(LIFE)
    names = [v for k, v in (("{N}", f["N"]), ("{N2}", f["N2"]), ("{P}", f["P"]), ("{O}", f["O"]), ("{W}", f["W"])) if k in s]
    return {"fact": s.format(**f), "ask": q.format(**f), "you": you.format(**f), "rel": tuple(x.format(**f) for x in rel) if rel else None,
            "names": names, "kind": "life"}


def preference(j):
    return choice(j) if j.chance(0.6) else yesno(j)


_YOU = (("I am ", "you are "), ("I'm ", "you are "), ("I was ", "you were "), ("I ", "you "), (" me ", " you "), (" me.", " you."), (" me,", " you,"),
        ("my ", "your "), ("My ", "your "), (" am ", " are "))


def second(s):
    """The person's words said to the person: I drink my tea -> you drink your tea."""
    s = " " + s
    for a, b in (("I am ", "you are "), ("I was ", "you were "), ("I have ", "you have ")):
        s = s.replace(" " + a, " " + b)
    s = s.replace(" I ", " you ").replace(" my ", " your ").replace(" My ", " your ").replace(" me ", " you ")
    return s.replace(" me.", " you.").replace(" me,", " you,").replace(" me;", " you;").strip()


_SLOT = re.compile(r"\{(\w+)\}")


def told(j, name):
    """Something that is said to a tool, and the names in it."""
    t = j.phrase(ASKS[name])
    slots = {}
    for k in _SLOT.findall(t):  # in the order in which they stand
        if k in _MAKE and k not in slots:
            slots[k] = str(_MAKE[k](j))
            t = t.replace("{" + k + "}", slots[k])
    return t, [v for k, v in slots.items() if k in _NAMES]


def _path(j):
    return j.pick(["", "docs/", "notes/", coined(j) + "/"]) + (coined(j) if j.chance(0.5) else j.pick("todo list readme config report budget plan".split())) + j.pick([".md", ".txt", ".yaml", ".csv", ".py"])


def _said(j):
    return (habit(j) if PREFER else life(j))["fact"].rstrip(".")


_NAMES = {"path", "folder", "person", "person2", "place", "place2", "zone_city", "url", "topic"}
_MAKE = {"path": _path, "topic": thing, "text": lambda j: " ".join(coined(j) for _ in range(j.n(1, 4))), "a": lambda j: j.n(2, 999), "b": lambda j: j.n(2, 999), "c": lambda j: j.n(2, 99), "word": coined, "word2": coined, "word3": coined,
         "folder": lambda j: j.pick(["docs", "notes", "src", "photos", coined(j)]), "person": first, "person2": first, "url": lambda j: "https://%s.example/%s" % (coined(j), coined(j)), "preference": _said, "thing": coined,
         "old": coined, "new": coined, "place": place, "place2": place, "day": lambda j: j.pick(["Monday", "Friday", "tomorrow", "next week"]), "zone_city": place}


def around(j, k):
    """Other sentences that have nothing to do with the matter."""
    out = []
    for _ in range(k):
        x = j.random()
        if SENTENCES and j.chance(0.2):
            out.append(j.phrase(SENTENCES))
        elif x < 0.4:
            out.append(life(j)["fact"])
        elif x < 0.7:
            out.append(preference(j)["fact"])
        else:
            out.append(subject(j)["claim"])
    return out


def low_first(s):
    """Lower case at the head, but not where a name or I stands."""
    w = s.split(" ", 1)[0]
    return s if w in ("I", "I'm") or w[:1].isupper() and w not in _COMMON else low(s)


_COMMON = set("My The No For When Please A It In Our Bus Snow Thunder Work What Where Who Which How Should Is Do Your You".split())
