"""Chance: what a generator draws names, words and phrasings from.

A generator gets one Rng and yields samples (see train/README.md). Everything
is decided by the Rng, so that a seed gives the same stream again. With held
set, only the phrasings and names come that training never sees.
"""
import bisect
import datetime
import itertools
import random

from . import lex, names
from .phrases import Phrases, bucket
from .slots import fill
from .wordlists import CITIES, FIRST, LAST, NOUNS, ORGS, SENTENCES, WORDS


class Rng:
    """Chance with a memory of what is held out."""

    _phrases = {}
    _entities = {}
    _sums = {}

    def __init__(self, seed, held=False):
        self.r = random.Random(seed)
        self.random = self.r.random
        self.held = held
        self.recent = []  # file names of this conversation

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
        if len(table) > 20:  # the lists of tasks, which stay
            known = Rng._sums.get(id(table))
            if known is None:
                if len(Rng._sums) > 5000:
                    Rng._sums.clear()
                known = Rng._sums[id(table)] = (table, list(itertools.accumulate(w for w, _ in table)))
            return table[min(bisect.bisect_right(known[1], self.random() * known[1][-1]), len(table) - 1)][1]
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
        p, open_, closed = self.pick, lex.OPEN, lex.CLOSED
        out = ""
        for i in range(n - 1):
            out += p(open_) if self.random() < 0.7 else p(closed)
        return out + p(closed)

    def word(self):
        """A word, real or not."""
        return self.entity(WORDS) if self.chance(0.55) else self.made(lambda: names.coin(self, WORDS))

    def noun(self):
        return self.entity(NOUNS) if self.chance(0.6) else self.made(lambda: names.coin(self, NOUNS))

    def first(self):
        return self.entity(FIRST) if self.chance(0.5) else self.made(lambda: names.first(self, FIRST))

    def last(self):
        return self.entity(LAST) if self.chance(0.5) else self.made(lambda: names.last(self, LAST))

    def name(self):
        """First and last name."""
        return self.first() + " " + self.last()

    def city(self):
        return self.entity(CITIES) if self.chance(0.5) else self.made(lambda: names.city(self, CITIES))

    def country(self):
        return (self.entity(lex.COUNTRIES) if self.chance(0.6)
                else self.made(lambda: names.coin(self, lex.COUNTRIES).capitalize() + self.pick(["ia", "land", "stan", "a", "mark", ""])))

    def org(self):
        return self.entity(ORGS) if self.chance(0.5) else self.made(lambda: names.org(self, NOUNS, LAST))

    def product(self):
        """A made name of a thing that is sold."""
        name = self.made(lambda: self.syllables(2)).capitalize()
        return (name + self.pick(["", "", " " + str(self.int(2, 12)), " Pro", " Mini", "-" + str(self.int(100, 990)),
                                  " X" + str(self.int(1, 9))]))

    def topic(self):
        """A subject of news or questions, without an article."""
        x = self.random()
        if x < 0.15:
            return self.entity(lex.TOPICS)
        if x < 0.33:
            return self.entity(lex.ADJ) + " " + self.noun()
        if x < 0.53:
            return self.noun() + " " + self.entity(lex.MATTERS)
        if x < 0.63:
            return self.city() + " " + (self.entity(lex.TOPICS) if self.chance(0.4) else self.noun())
        if x < 0.75:
            return self.made(lambda: names.coin(self, NOUNS)).capitalize() + " " + self.noun()
        if x < 0.85:
            return self.noun() + " " + self.noun()
        if x < 0.92:
            return self.org() if self.chance(0.5) else self.product()
        return self.entity(lex.ADJ) + " " + self.noun() + " " + self.entity(lex.MATTERS)

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
        return (who + self.pick(["", "." + self.last().lower().replace(" ", "").replace("'", ""), str(self.int(1, 99))]) + "@"
                + self.domain())

    def domain(self):
        x = self.made(lambda: self.syllables(2)) if self.chance(0.5) else self.noun()
        return x + self.pick(["", "", "-" + self.noun()]) + self.pick([".example", ".org", ".com", ".net", ".io", ".test", ".co.uk", ".de"])

    def url(self):
        path = "/".join(self.slug() for _ in range(self.pick((0, 1, 1, 1, 2, 3))))
        host = self.domain()
        if self.chance(0.12):
            host = self.pick(["localhost", "127.0.0.1", "192.168.%d.%d" % (self.int(0, 9), self.int(2, 250)),
                              "10.0.%d.%d" % (self.int(0, 9), self.int(2, 250)), host])
            host += ":%d" % self.pick((80, 8080, 3000, 5000, 8000, 443, self.int(1024, 65535)))
        out = self.pick(["https://", "https://", "https://www.", "http://"] if ":" not in host else ["http://", "https://"]) + host
        if not path:
            return out
        out += "/" + path
        if self.chance(0.25):
            out += self.pick([".html", ".htm", "?id=%d" % self.int(1, 999), "/", ".php?q=" + self.word().replace(" ", "+"),
                              "#" + self.noun(), "?page=%d&sort=%s" % (self.int(1, 40), self.noun())])
        return out

    def slug(self):
        if self.chance(0.08):
            return str(self.int(1, 99999)) if self.chance(0.5) else self.word().capitalize().replace(" ", "_")
        return self.pick("--_").join(self.word().lower().replace(" ", "-") for _ in range(self.pick((1, 1, 2, 2, 3))))

    def stem(self):
        return self.made(lambda: names.stem(self, self.word, self.noun))

    def folder(self, deep=0.5):
        return names.folder(self, self.word, deep)

    def path(self, ext=None):
        """A file as a person names it."""
        if ext is None and self.chance(0.06):
            return self.entity(names.BARE)
        name = self.stem() + "." + (self.pick(ext) if ext else self.pick(lex.EXT_TEXT))
        if self.chance(0.5):
            name = self.folder().rstrip("/") + "/" + name
        return name

    def sentence(self):
        """An ordinary sentence that means nothing here."""
        if SENTENCES and self.chance(0.6):
            return self.entity(SENTENCES)
        return fill(self.phrase(PLAIN), {
            "n": self.noun(), "m": self.noun(), "a": self.entity(lex.ADJ), "p": self.first(), "c": self.city(),
            "d": self.pick(lex.WEEKDAYS),
            "t": self.time(), "v": self.entity(lex.VERBS), "k": self.int(2, 90), "f": self.entity(lex.FOODS)})


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
