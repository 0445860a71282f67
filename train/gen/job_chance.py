"""Chance for jobs: the same source and the same held-out parts as Rng, and small makers of words, names and places."""
import random

from .hall import read_rows
from .lex import MONTHS, WEEKDAYS
from .phrases import bucket
from .rng import Rng


class J:
    """The chance of one job, out of an Rng (or a plain random.Random)."""

    _split = {}
    _known = {}

    def __init__(self, rng, held=None):
        self.r = rng if isinstance(rng, random.Random) else rng.r
        self.held = bool(getattr(rng, "held", False)) if held is None else held
        self.random = self.r.random

    def pick(self, items):
        return items[int(self.random() * len(items))]

    def phrase(self, items, *more):
        """One of the wordings; the last fifth only where held out. More lists have held-out parts of their own."""
        if more:
            x = int(self.random() * (len(items) + sum(map(len, more))))
            for one in (items,) + more:
                x -= len(one)
                if x < 0:
                    items = one
                    break
        n = len(items)
        if n < 5:
            return items[int(self.random() * n)]
        cut = n - n // 5
        if self.held:
            return items[cut + int(self.random() * (n - cut))]
        return items[int(self.random() * cut)]

    def entity(self, items):
        """One of the things; one in ten by hash is held out."""
        key = id(items)
        got = J._split.get(key)
        if got is None:
            out = [x for x in items if bucket(str(x))]
            rest = [x for x in items if not bucket(str(x))]
            got = J._split[key] = (rest or items, out or items)
            J._known[key] = items  # keeps the id its own
        return self.pick(got[1] if self.held and self.random() < 0.7 else got[0])

    def chance(self, p):
        return self.random() < p

    def n(self, a, b):
        return a + int(self.random() * (b - a + 1))

    def some(self, items, k):
        return self.r.sample(items, min(k, len(items)))

    def shuffled(self, items):
        items = list(items)
        self.r.shuffle(items)
        return items

    def distinct(self, make, k, tries=20):
        out = []
        for _ in range(tries):
            if len(out) == k:
                break
            x = make()
            if x not in out:
                out.append(x)
        return out


# Small makers of words, names and places.

FIRST = """Ana Bo Carla Dmitri Ellen Farid Greta Hugo Ines Jonas Kaya Liam Mara Nils Olga Pedro Quinn Rosa Sami Tara Uma Viktor
Wanda Xenia Yusuf Zoe Alma Bruno Celia Dora Emil Fiona Gus Hana Ivo Jana Karl Lena Milo Nora Oskar Paula Ravi Selma Theo Ulla
Vera Will Yara Anton Bea Clive Dina Erik Faye Gita Henk Iris Joel Kim Lotte Max Nadia Owen Priya Rita Stefan Tilda Vince Agnes
Boris Cora Derek Elsa Felix Gloria Harry Isla Jakob Klara Leo Mina Noah Otto Pia Ruth Simon Tess Ursula Walter Amir Birgit Chen
Diego Esther Freya Goran Heidi Ibrahim Judith Kenji Lucia Mateo Ngozi Omar Petra Rafael Sofia Tomas Valerie Wei Yuki Zara""".split()
LAST = """Ellwood Marsh Okafor Lindqvist Petrov Haas Moreau Santos Brandt Keller Novak Rossi Tanaka Ivers Clarke Dunne Fischer Grant
Holm Jansen Kowalski Larsen Meyer Nakata Olsen Pereira Quist Reyes Schulz Thorne Ueda Vance Weber Yilmaz Zeller Abbott Barlow
Cortez Delgado Ekman Frost Gallo Hearn Idris Jensen Kaplan Lowry Mendez Nash Osei Pryce Rahman Stone Tully Voss Whitby""".split()
PLACES = """Alderhaven Lisbon Porto Oslo Bergen Ghent Turin Lyon Graz Basel Krakow Riga Tartu Cork Leeds York Bath Truro Malmo Aarhus
Tampere Utrecht Leiden Bremen Kiel Mainz Ulm Trieste Bari Seville Cadiz Bilbao Nantes Rennes Dijon Brno Split Zadar Varna Izmir
Oakfield Brookmere Saltwick Harrowgate Millford Eastleigh Norbury Stonebridge Westmoor Fernhill Ashby Linden Ravensea Coldwater
Greywick Thornby Marlow Penrose Highmarsh Kestrel Dunmore Elmstead Foxhollow Hartwell Juniper Larkspur Rookhope Seaford Winterley
Boston Denver Austin Portland Halifax Quebec Perth Hobart Wellington Dunedin Nairobi Accra Dakar Tunis Cusco Quito Kyoto Sapporo
Busan Hanoi Pune Jaipur Colombo""".split()
FIRST += [l[0] for l in read_rows("names.txt") if l[-1] == "f" and l[0] not in FIRST]
LAST += [l[0] for l in read_rows("names.txt") if l[-1] == "l" and l[0] not in LAST]
PLACES += [l[0] for l in read_rows("cities.txt") if l[0] not in PLACES]
SENTENCES = [l[0] for l in read_rows("sentences.txt")]
WORDS = {k: [l[0] for l in read_rows("words.txt") if l[-1] == k] for k in "nva"}
_ON = "b br c ch cl d dr f fl g gl gr h j k kl l m n p pl pr qu r s sh sk sl sm sp st t th tr v w z".split()
_NU = "a e i o u ai ea ee ia io oa oo ou".split()
_CO = ["", "", "", "b", "d", "g", "k", "l", "ll", "m", "n", "nd", "ng", "nt", "p", "r", "rd", "rk", "rn", "s", "ss", "st", "t", "x"]


_RUDE = "shit fuc fuk cunt coon dick cock puss slut whor niga nigg nige rape nazi porn piss tits twat poof spic kike fag jap".split()


def coined(j, least=2, most=3):
    """A word that nobody knows, so that it must be copied."""
    while True:
        w = "".join(j.pick(_ON) + j.pick(_NU) + j.pick(_CO) for _ in range(j.n(least, most)))
        if not any(b in w for b in _RUDE):
            return w


def first(j):
    return j.entity(FIRST) if j.chance(0.85) else coined(j).capitalize()


def person(j):
    return first(j) + " " + (j.entity(LAST) if j.chance(0.8) else coined(j).capitalize())


def place(j):
    return j.entity(PLACES) if j.chance(0.75) else coined(j).capitalize()


def iso(j, a=2019, b=2028):
    return "%d-%02d-%02d" % (j.n(a, b), j.n(1, 12), j.n(1, 28))


def day_words(j):
    return "%d %s %d" % (j.n(1, 28), j.pick(MONTHS), j.n(2019, 2028))


def date_line(j):
    return "It is %s, %d %s %d, %02d:%02d." % (j.pick(WEEKDAYS), j.n(1, 28), j.pick(MONTHS), j.n(2024, 2031), j.n(0, 23), j.n(0, 59))


def rng(j):
    """The same chance for the makers of the chat part."""
    r = Rng.__new__(Rng)
    r.r, r.random, r.held = j.r, j.random, j.held
    return r
