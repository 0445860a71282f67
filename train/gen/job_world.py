"""Things that jobs are about: news, details, weather and programs to be read."""
from .facts import Sheet
from .hall import read_library, read_objects, read_rows
from .job_chance import WORDS, coined, day_words, iso, person, place, rng
from .job_more import MORE
from .lex import MONTHS
from .phrases import Phrases
from .wording import low, stop, upper_first



def _one(*lists):
    """Lists as one, the last fifth of each at its end, so that each keeps what it holds out."""
    both = Phrases(*lists)
    return list(both.train + both.held)


PREFER = read_objects("preferences.jsonl")  # say, name, asks, short
SMALLTALK = _one(*(read_objects(x) for x in ("smalltalk.jsonl", "smalltalk.more.jsonl")))  # ask, answers
LIBRARY = read_library()                    # name, text, asks
# a question of any kind, and what it is about
UNKNOWN = _one(*([tuple(row[:2]) for row in read_rows(x) if len(row) > 1] for x in ("unknown.txt", "unknown.more.txt")))


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
            "hour": "%d:%02d" % (j.n(6, 22), j.pick([0, 15, 30, 45])),
            "wd": j.pick(["Monday", "Tuesday", "Wednesday", "Thursday", "Sunday"]),
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


_DETAILS = DETAIL + MORE["DETAIL"]


def details(j, name, k):
    """So many facts about a thing: (question, sentence, value, attribute)."""
    out = []
    for q, s, v, attr in j.some(_DETAILS, k):
        f = _slots(j)
        f["t"], f["T"] = "the " + name, "The " + name
        out.append((q.format(**f), upper_first(s.format(**f)) + ".", v.format(**f), attr))
    return out


def topic(j, name=None, k=None):
    """A thing with news and details, as a page or a search result has it."""
    name = name or thing(j)
    f = _slots(j)
    p = place(j)
    f.update(T="The " + name, M=upper_first(name), m=name, P=p, t="the " + name)
    e, title = j.phrase(EVENT, MORE["EVENT"])
    facts = details(j, name, j.n(1, 4) if k is None else k)
    return {"name": name, "the": "the " + name, "place": p, "claim": upper_first(e.format(**f).replace(". The ", ". the ").replace(" The " + name, " the " + name)), "title": upper_first(title.format(**f)), "facts": facts,
            "more": [s for _, s, _, _ in facts], "date": iso(j) if j.chance(0.85) else "",
            "url": "https://%s.example/%s" % (j.pick(SITE) if j.chance(0.7) else coined(j), slug(name))}


WEATHER = ["{P} has fog in the morning and light wind from the {dir}, with {n} degrees at noon.", "{P} gets rain from {h} o'clock on and {n} degrees.",
           "It stays dry in {P}, with sun in the afternoon and {n} degrees.", "Snow is expected in {P} down to {k} metres, at {n} degrees.",
           "{P} expects a storm from the {dir} in the evening and {n} degrees.", "In {P} it is cloudy and calm, with {n} degrees.",
           "{P} has a clear sky, {n} degrees and hardly any wind.", "Thunder is likely in {P} after {h} o'clock, at {n} degrees."]


def weather(j, p=None):
    p = p or place(j)
    s = j.phrase(WEATHER).format(P=p, dir=j.pick(["west", "north", "south", "east"]), n=j.n(-5, 34), h=j.n(8, 21), k=j.n(2, 20) * 100)
    return {"name": "weather in " + p, "the": "the weather in " + p, "place": p, "claim": s, "title": "Weather in " + p, "facts": [],
            "more": [],
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
        f.update(lic=j.pick(["MIT", "Apache 2.0", "GPL 3", "BSD", "MPL 2.0", "AGPL"]),
                 lang=j.pick(["Go", "Rust", "C", "Python", "Java", "Zig", "C++"]),
                 os=j.pick(["Linux and macOS", "Windows only", "Linux, macOS and Windows", "FreeBSD"]),
                 fmt=j.pick(["JSON", "CSV", "Parquet", "YAML", "plain text"]),
                 port=j.n(1024, 9999), ver="%d.%d.%d" % (j.n(0, 24), j.n(0, 40), j.n(0, 9)), dep=coined(j), year2=j.n(2026, 2033), T=name)
        f["year"] = j.n(1990, 2025)
        facts.append((SOFTQ[i].format(**f), "%s %s." % (name, SOFT[i].format(**f)), SOFTV[i].format(**f), SOFTA[i]))
    return {"name": name, "the": name, "place": "", "claim": facts[0][1], "title": "About " + name, "facts": facts,
            "more": [s for _, s, _, _ in facts[1:]],
            "date": iso(j) if j.chance(0.7) else "", "url": "https://%s.example/%s"
            % (j.pick(["docs", "wiki", "releases", "news", slug(name)]), slug(name))}


def sheet(j):
    """Any thing with any attributes, invented ones among them: only reading helps."""
    r = rng(j)
    while True:
        s = Sheet(r, j.n(1, 4))
        s.alone = ("{m}", "{w}")  # no sentence about two things
        facts = []
        for a in s.attrs:
            v, told = s.values[a.key], s.sentence(r, a, True)
            if v in told and len(v) < 60 and " it " not in a.short and "\n" not in told and s.name.lower() in told.lower():
                facts.append(("the %s of %s" % (a.short, s.name), stop(told), v, a.short))
        if facts:
            break
    return {"name": s.bare(), "the": s.name, "place": "", "claim": facts[0][1], "title": upper_first(s.bare()), "facts": facts,
            "more": [f[1] for f in facts[1:]], "date": iso(j) if j.chance(0.7) else "",
            "url": "https://%s.example/%s" % (j.pick(SITE) if j.chance(0.5) else coined(j), slug(s.bare()) or "page")}


def subject(j):
    x = j.random()
    return topic(j) if x < 0.45 else software(j) if x < 0.65 else weather(j) if x < 0.75 else sheet(j)


def readable(j):
    """A subject that has at least one detail to ask for."""
    x = j.random()
    return topic(j, k=j.n(1, 4)) if x < 0.45 else software(j) if x < 0.65 else sheet(j)


def low_first(s):
    """Lower case at the head, but not where a name or I stands."""
    w = s.split(" ", 1)[0]
    return s if w in ("I", "I'm") or w[:1].isupper() and w not in _COMMON else low(s)


_COMMON = set("My The No For When Please A It In Our Bus Snow Thunder Work What Where Who Which How Should Is Do Your You".split())
