"""What all generators share: chance, names, messages, and the hall's own texts.

A generator gets one Rng and yields samples (see train/README.md). Everything
is decided by the Rng, so that a seed gives the same stream again. With held
set, only the phrasings and names come that training never sees.
"""
import datetime
import glob
import json
import os
import random
import re
import zlib

from . import lex

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(ROOT, "data")


def read_hall():
    with open(os.path.join(ROOT, "hall.json"), encoding="utf-8") as f:
        return json.load(f)


HALL = read_hall()
SYSTEM = HALL["system"]
TOOLS = {}
for _t in HALL["tools"]:
    TOOLS.setdefault(_t["name"], _t)
OFFERS = HALL["offers"]


def read_lines(name):
    """The lines of a file of train/data, without empty ones; none when it is not there."""
    path = os.path.join(DATA, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]


def read_objects(pattern):
    """The JSON lines of all files of train/data that fit a pattern, in order."""
    out = []
    for path in sorted(glob.glob(os.path.join(DATA, pattern))):
        with open(path, encoding="utf-8") as f:
            for line in f:
                line = line.strip()
                if line.startswith("{"):
                    out.append(json.loads(line))
    return out


def bucket(text):
    """True for one text in ten: those that training never sees."""
    return zlib.crc32(str(text).encode()) % 10 == 0


class Phrases:
    """Lists of phrasings, each divided into what is trained and what is held out."""

    def __init__(self, *lists):
        train, held = [], []
        for one in lists:
            one = list(one)
            cut = len(one) if len(one) < 5 else len(one) - max(1, len(one) // 5)
            train += one[:cut]
            held += one[cut:] if cut < len(one) else one
        self.train, self.held = tuple(train), tuple(held)

    def __len__(self):
        return len(self.train)


class Rng:
    """Chance with a memory of what is held out."""

    _phrases = {}
    _entities = {}

    def __init__(self, seed, held=False):
        self.r = random.Random(seed)
        self.random = self.r.random
        self.held = held

    def chance(self, p):
        return self.random() < p

    def int(self, a, b):
        """A whole number from a to b, both included."""
        return a + int(self.random() * (b - a + 1))

    def pick(self, seq):
        return seq[int(self.random() * len(seq))]

    def phrase(self, phrases):
        """A phrasing of a list or Phrases: the last fifth is held out."""
        if not isinstance(phrases, Phrases):
            known = Rng._phrases.get(id(phrases))
            if known is None:
                if len(Rng._phrases) > 20000:
                    Rng._phrases.clear()
                known = (phrases, Phrases(phrases))
                Rng._phrases[id(phrases)] = known
            phrases = known[1]
        return self.pick(phrases.held if self.held else phrases.train)

    def entity(self, seq):
        """A name of a list: one in ten is held out."""
        known = Rng._entities.get(id(seq))
        if known is None:
            if len(Rng._entities) > 20000:
                Rng._entities.clear()
            held = [e for e in seq if bucket(e)]
            train = [e for e in seq if not bucket(e)]
            known = (seq, train or list(seq), held or list(seq))
            Rng._entities[id(seq)] = known
        return self.pick(known[2] if self.held else known[1])

    def made(self, make):
        """Something that make() makes, held out or not as it should be."""
        for _ in range(40):
            v = make()
            if bucket(v) == self.held:
                return v
        return v

    def weighted(self, table):
        """A value of [(weight, value), …]."""
        total = 0.0
        for w, _ in table:
            total += w
        x = self.random() * total
        for w, v in table:
            x -= w
            if x < 0:
                return v
        return table[-1][1]

    def some(self, seq, n):
        """n different ones of a sequence, in chance order."""
        return self.r.sample(list(seq), min(n, len(seq)))

    def shuffled(self, seq):
        out = list(seq)
        self.r.shuffle(out)
        return out

    # --- makers ---

    def syllables(self, n):
        p = self.pick
        return "".join(p(lex.ONSET) + p(lex.NUCLEUS) + (p(lex.CODA) if i == n - 1 or self.chance(0.3) else "") for i in range(n))

    def word(self):
        """A word, real or not."""
        if self.chance(0.75):
            return self.entity(WORDS)
        return self.made(lambda: self.syllables(self.int(1, 3)))

    def noun(self):
        return self.entity(NOUNS) if self.chance(0.85) else self.made(lambda: self.syllables(2))

    def first(self):
        return self.entity(FIRST) if self.chance(0.9) else self.made(lambda: self.syllables(2)).capitalize()

    def name(self):
        """First and last name."""
        last = self.entity(LAST) if self.chance(0.9) else self.made(lambda: self.syllables(2)).capitalize()
        return self.first() + " " + last

    def city(self):
        return self.entity(CITIES) if self.chance(0.85) else self.made(lambda: self.syllables(self.int(2, 3))).capitalize()

    def country(self):
        return self.entity(lex.COUNTRIES) if self.chance(0.85) else self.made(lambda: self.syllables(2)).capitalize() + self.pick(["ia", "land", "stan", "a", "mark"])

    def org(self):
        if self.chance(0.8):
            return self.entity(ORGS)
        return self.made(lambda: self.syllables(2)).capitalize() + self.pick([" Ltd", " Group", " & Co", " Systems", " Works", " Bank", " Foods", ""])

    def product(self):
        """A made name of a thing that is sold."""
        name = self.made(lambda: self.syllables(2)).capitalize()
        return name + self.pick(["", "", " " + str(self.int(2, 12)), " Pro", " Mini", "-" + str(self.int(100, 990)), " X" + str(self.int(1, 9))])

    def topic(self):
        """A subject of news or questions, without an article."""
        x = self.random()
        if x < 0.45:
            return self.entity(lex.TOPICS)
        if x < 0.65:
            return self.entity(lex.ADJ) + " " + self.noun()
        if x < 0.8:
            return self.noun() + " " + self.pick(["prices", "repair", "history", "rules", "season", "festival", "market", "strike", "project", "trail", "exhibition", "contest", "accident", "opening", "design"])
        if x < 0.92:
            return self.city() + " " + self.entity(lex.TOPICS)
        return self.made(lambda: self.syllables(2)).capitalize() + " " + self.noun()

    def number(self, low=2, high=999):
        return self.int(low, high)

    def date(self):
        y, m = self.int(2019, 2031), self.int(1, 12)
        return datetime.date(y, m, self.int(1, 28))

    def day(self):
        return self.date().isoformat()

    def time(self):
        return "%02d:%02d" % (self.int(6, 22), self.pick((0, 0, 5, 10, 15, 20, 30, 30, 40, 45, 50)))

    def moment(self):
        return datetime.datetime.combine(self.date(), datetime.time(self.int(0, 23), self.int(0, 59)))

    def code(self):
        n = self.int(4, 8)
        letters = self.pick(("ABCDEFGHJKLMNPQRSTUVWXYZ23456789", "0123456789", "abcdef0123456789"))
        s = "".join(self.pick(letters) for _ in range(n))
        return self.pick(("", "", "", "#", "REF-", "T-", "INV")) + s

    def price(self):
        return "%d.%02d" % (self.int(1, 400), self.pick((0, 50, 99, 95, 20, 75, 49, 10)))

    def email(self):
        who = self.first().lower()
        return who + self.pick(["", "." + self.entity(LAST).lower(), str(self.int(1, 99))]) + "@" + self.domain()

    def domain(self):
        x = self.made(lambda: self.syllables(2)) if self.chance(0.5) else self.noun()
        return x + self.pick(["", "", "-" + self.noun()]) + self.pick([".example", ".org", ".com", ".net", ".io", ".test", ".co.uk", ".de"])

    def url(self):
        path = "/".join(self.slug() for _ in range(self.pick((0, 1, 1, 1, 2, 3))))
        return self.pick(["https://", "https://", "https://www.", "http://"]) + self.domain() + ("/" + path if path else "") + \
            (self.pick([".html", ".htm", "?id=%d" % self.int(1, 999), "/"]) if path and self.chance(0.2) else "")

    def slug(self):
        return "-".join(self.word().lower().replace(" ", "-") for _ in range(self.pick((1, 1, 2, 2, 3))))

    def stem(self):
        x = self.random()
        if x < 0.4:
            return self.entity(lex.STEMS)
        if x < 0.6:
            return self.noun() + self.pick("-_") + self.pick((self.noun(), self.entity(lex.STEMS), str(self.int(1, 40))))
        if x < 0.75:
            return self.entity(lex.STEMS) + self.pick(["-", "_", ""]) + self.pick((str(self.int(1, 12)), str(self.int(2019, 2031)), "final", "v2", "old", "new", "draft", self.word().lower()))
        if x < 0.85:
            return self.made(lambda: self.syllables(2))
        if x < 0.92:
            return self.noun().capitalize() + self.pick(["", self.noun().capitalize(), "List", "Notes", "Plan"])
        return self.made(lambda: "".join(self.pick("abcdefghijkmnopqrstuvwxyz0123456789") for _ in range(self.int(3, 7))))

    def folder(self, deep=0.5):
        x = self.random()
        part = lambda: self.entity(lex.FOLDERS) if self.chance(0.75) else self.word().lower().replace(" ", "-")
        out = part()
        while self.chance(deep * 0.45):
            out += "/" + part()
        if x < 0.08:
            out = "~/" + out
        elif x < 0.13:
            out = "/" + self.pick(["var/log", "etc", "srv", "opt", "home/" + self.first().lower(), "data"]) + "/" + out
        elif x < 0.16:
            out = "./" + out
        return out

    def path(self, ext=None):
        """A file as a person names it."""
        if ext is None and self.chance(0.06):
            name = self.pick(["README", "Makefile", "LICENSE", "Dockerfile", ".env", ".gitignore", "/etc/hosts", "/etc/fstab", "TODO", "CHANGELOG", "go.mod", "package.json", "CONTRIBUTING.md"])
            return name
        name = self.stem() + "." + (self.pick(ext) if ext else self.pick(lex.EXT_TEXT))
        if self.chance(0.5):
            name = self.folder() + "/" + name
        return name

    def sentence(self):
        """An ordinary sentence that means nothing here."""
        if SENTENCES and self.chance(0.6):
            return self.entity(SENTENCES)
        return fill(self.phrase(PLAIN), {
            "n": self.noun(), "m": self.noun(), "a": self.entity(lex.ADJ), "p": self.first(), "c": self.city(), "d": self.pick(lex.WEEKDAYS),
            "t": self.time(), "v": self.entity(lex.VERBS), "k": self.int(2, 90), "f": self.entity(lex.FOODS)})

    def nonce(self):
        return "".join(self.pick("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") for _ in range(26))


PLAIN = """The {a} {n} stands beside the {m}.
{p} will bring the {n} on {d}.
We still need a {n} for the {m}.
The {n} was repaired last {d}.
It costs {k} euros and lasts a year.
Remember to {v} the {n} before {t}.
The {m} in {c} is closed on {d}.
{p} asked about the {a} {n} again.
There are {k} of them in the {n}.
Please leave the {n} next to the {m}.
Everyone liked the {f} soup.
The {a} one is for {p}.
Nothing else happened at the {n}.
The meeting moved to {t}.
{p} lives near the {n} in {c}.
The {n} arrived without the {m}.
Use the {a} {n}, not the {m}.
It rained all day in {c}.
The {n} needs {k} minutes to warm up.
We sold {k} tickets at the {m}.
{p} lent us a {n} for the weekend.
The old {n} makes a strange noise.
Bring {f} and a {n}.
The {m} opens at {t} on {d}.""".split("\n")

# The files of train/data add to the lists; none of them must be there.
_words = [line.split("\t")[0] for line in read_lines("words.txt")]
_kind = {"n": [], "v": [], "a": []}
for _line in read_lines("words.txt"):
    _w, _, _k = _line.partition("\t")
    _kind.setdefault(_k.strip()[:1], []).append(_w)
NOUNS = list(dict.fromkeys(lex.NOUNS + _kind["n"]))
WORDS = list(dict.fromkeys(lex.NOUNS + lex.ADJ + lex.VERBS + _words))
_names = read_lines("names.txt")
_first, _last, _part = [], [], 0
for _line in _names:
    _w = _line.split("\t")
    if len(_w) > 1 and _w[1].strip().lower().startswith("l"):
        _last.append(_w[0])
    else:
        _first.append(_w[0])
FIRST = list(dict.fromkeys(lex.FIRST + [n for n in _first if " " not in n]))
LAST = list(dict.fromkeys(lex.LAST + [n for n in _last if " " not in n]))
CITIES = list(dict.fromkeys(lex.CITIES + [line.split("\t")[0] for line in read_lines("cities.txt")]))
ORGS = list(dict.fromkeys(lex.ORGS + [line.split("\t")[0] for line in read_lines("orgs.txt")]))
SENTENCES = read_lines("sentences.txt")
ZONES = list(dict.fromkeys(lex.ZONES + [tuple(x.split("\t")[:2]) for x in read_lines("zones.txt") if "\t" in x]))


# --- texts with slots ---

_parsed = {}
_SLOT = re.compile(r"\{([A-Za-z0-9_]+)\}")


def parts(template):
    """A template as texts and slots in turn: text, slot, text, …"""
    known = _parsed.get(template)
    if known is None:
        known = _SLOT.split(template)  # JSON has braces of its own
        if len(_parsed) > 40000:  # made phrasings come and go
            _parsed.clear()
        _parsed[template] = known
    return known


def fill(template, slots):
    """The template with its slots filled in; a slot without a value stays as it stands."""
    p = parts(template)
    if len(p) == 1:
        return p[0]
    out = []
    for i, x in enumerate(p):
        out.append(x if i % 2 == 0 else str(slots[x]) if x in slots else "{" + x + "}")
    return "".join(out)


def slots_of(template):
    return parts(template)[1::2]


# --- what is searched for a question ---

_frames = """do you know what |do you know |can you tell me |could you tell me |tell me about |tell me |i need |i want to know |do you happen to know |name |give me |show me |find out |search the web for |
search for |search |look up |google |find |explain |define |please |can you |could you |i'd like to know |what about |how about |any idea |let me know |do you remember |remind me of |remind me about |remind me |
do you still know |you know |what is it that |anything on |anything about |what do you know about |i forgot """.replace("\n", "").split("|")
FRAMES = {}
for _f in sorted(_frames, key=len, reverse=True):
    if _f.strip():
        FRAMES.setdefault(_f[0], []).append(_f)
STOP = set("""the a an what what's whats who who's whom whose when when's where where's which how how's is are was were be been am do does did has have had can could will would shall should may might must
i you he she it we they me him her us them my your his its our their this that these those there i'm i'd i've you're of in on at for from about with by into onto as or if but so please pls
really exactly actually""".split())
ABOUT_ME = set("like likes take takes prefer want wants say said told tell remember know mention mentioned again still usually always anything right give get".split())


def query_of(core, me=False):
    """What is searched for a question: its content words as they are said, in
    order. The frame at the beginning goes, small words go, and 's. With me,
    for the memory, the verbs of liking and telling go as well."""
    q = core.strip().rstrip("?.! ")
    while True:
        low = q.lower()
        for f in FRAMES.get(low[:1], ()):
            if low.startswith(f):
                q = q[len(f):]
                break
        else:
            break
    out = []
    for i, w in enumerate(q.split()):
        w = w.strip(",;:?!\"")
        low = w.lower()
        if not w or low in STOP and (i == 0 or w == low) or low == "i" or me and low in ABOUT_ME:
            continue
        out.append(w[:-2] if low.endswith(("'s", "’s")) else w)
    while out and out[-1].lower() in ("to", "and"):
        out.pop()
    while out and out[0].lower() in ("to", "and"):
        out.pop(0)
    return " ".join(out) or q


# --- messages ---

def user(content, **more):
    return dict(role="user", content=content, **more)


def tool(name, content):
    return {"role": "tool", "name": name, "content": content}


def call(name, **arguments):
    return {"name": name, "arguments": arguments}


def assistant(think="", text="", calls=None, check=None, train=True, **more):
    m = {"role": "assistant", "think": think, "content": text, "calls": calls or [], "train": train}
    if check is not None:
        m["check"] = check
    m.update(more)
    return m


def check_calls(calls, group):
    if len(calls) == 1:
        return {"type": "call", "name": calls[0]["name"], "arguments": calls[0]["arguments"], "group": group}
    return {"type": "call", "calls": calls, "group": group}


def check_text(group, all=(), none=()):
    return {"type": "contains", "all": [str(a) for a in all], "none": list(none), "group": group}


def check_honest(group, none=()):
    return {"type": "honest", "none": [str(n) for n in none], "group": group}


def envelope(rng, name, text, score=None):
    """Text from outside as the broker gives it to a model."""
    if score is None:
        score = rng.pick((0, 0, 0, 0, 0, 0.1, 0.2, 0.35)) if rng.chance(0.15) else 0
    n = rng.nonce()
    return '[TOOL_RESULT: UNTRUSTED nonce=%s tool="%s" score=%.2f]\n%s\n[/TOOL_RESULT nonce=%s]' % (n, name, score, text, n)


def clock(at):
    """The line about the time that the hall puts before a person's words."""
    return "It is %s, %d %s %d, %02d:%02d." % (lex.WEEKDAYS[at.weekday()], at.day, lex.MONTHS[at.month - 1], at.year, at.hour, at.minute)


def spoken_date(d, rng):
    """A day as people write it."""
    m = lex.MONTHS[d.month - 1]
    return rng.pick(["%d %s %d" % (d.day, m, d.year), "%s %d, %d" % (m, d.day, d.year), d.isoformat(), "%d %s" % (d.day, m), "%s %d" % (m, d.day)])
