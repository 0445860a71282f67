"""Further things that people tell about themselves, from data/facts_told.txt, and what fills the slots of such statements.

Each fact has ways to say it that look like questions, wishes or sums to somebody who does not read to the end.
"""
from zlib import crc32

from . import lex, personal_open
from .hall import read_lists
from .phrases import Phrases
from .slots import slots_of

JOBS = "nurse|teacher|baker|plumber|lawyer|gardener|bus driver|librarian|welder|cook|painter|carpenter|farmer|pilot|tailor|potter|midwife|surveyor|optician|roofer|judge|florist|butcher|electrician|vet|actor".split("|")
STUDIES = "law|chemistry|history|medicine|geology|music|physics|economics|botany|design|philosophy|nursing|maths|forestry|theology|linguistics|architecture|marine biology".split("|")
PLAYED = "the cello|the oboe|the harp|the drums|the trumpet|the piano|the violin|the banjo|the accordion|the flute|the organ|the tuba|the clarinet|the double bass|bass guitar|the ukulele".split("|")
BREEDS = "beagle|poodle|terrier|dachshund|collie|greyhound|spaniel|boxer|labrador|husky|pug|whippet|sheepdog|setter|mongrel|corgi".split("|")
TONGUES = "French|Spanish|Italian|Polish|Dutch|Latin|Greek|Welsh|Turkish|Czech|Danish|Finnish|Korean|Swahili|Basque|Arabic|Hindi|Irish".split("|")
ORDERS = "walk an hour a day|drink more water|give up salt|sleep longer|do back exercises|eat less meat|take it easy|swim twice a week|rest the knee|cut down on sugar|wear a scarf|lie down after lunch|stop lifting boxes|eat more fibre|see a dentist".split("|")
BODY = "back|knee|shoulder|left foot|wrist|elbow|neck|hip|right hand|ankle|thumb|ear".split("|")


def title(r):
    return r.pick(("The ", "Two ", "")) + r.entity(lex.ADJ).capitalize() + " " + r.noun().capitalize()


def coined(r):
    return r.made(lambda: r.syllables(r.int(2, 3))).capitalize()


def money(r):
    k = r.int(5, 99) if r.chance(0.4) else r.int(100, 4900)
    return "%d %s" % (k, r.pick(("euros", "euros", "dollars", "pounds", "francs")))


MAKE = {
    "p": lambda r: r.first(), "q": lambda r: r.first(), "N": lambda r: r.last(), "c": lambda r: r.city(), "o": lambda r: r.org(), "e": money,
    "n": lambda r: r.noun(), "m": lambda r: r.noun(), "T": personal_open.thing, "t": lambda r: r.time(), "d": lambda r: r.pick(lex.WEEKDAYS), "D": personal_open.day,
    "M": lambda r: r.pick(lex.MONTHS), "Y": lambda r: r.int(1950, 2024), "k": lambda r: r.entity(personal_open.KIN), "K": lambda r: r.int(21, 99), "K2": lambda r: r.int(50, 110),
    "h": lambda r: r.int(4, 13), "w": lambda r: r.code(), "W": coined, "H": coined, "x": personal_open.place, "f": lambda r: r.entity(lex.FOODS), "g": lambda r: r.entity(lex.FOODS),
    "C": lambda r: r.entity(lex.COLOURS), "A": lambda r: r.entity(lex.ADJ), "P": lambda r: r.product(), "b": title, "J": lambda r: r.entity(JOBS), "S": lambda r: r.entity(STUDIES),
    "I": lambda r: r.entity(PLAYED), "B": lambda r: r.entity(BREEDS), "l": lambda r: r.entity(TONGUES), "V": lambda r: r.entity(ORDERS), "a": lambda r: r.entity(BODY),
    "L": lambda r: "1.%d metres" % r.int(45, 99), "mail": lambda r: r.email(), "tel": lambda r: "0%d %d" % (r.int(30, 999), r.int(10000, 9999999)),
}
_SAME = (("f", "g"), ("p", "q"), ("n", "m"))
OWN = set("i my me mine our ours we us".split())


def values(r, names):
    """Values for slots, of which no two like ones are the same; none is a word that changes when it is said back."""
    while True:
        s = {k: str(MAKE[k](r)) for k in names}
        if all(s.get(a) is None or s[a] != s.get(b) for a, b in _SAME) and not any(OWN & set(v.lower().split()) for k, v in s.items() if k != "x"):
            return s


def kind(answer, lines):
    """A fact in the form of personal_open.KINDS."""
    name, says, asks = lines
    says, asks = (sorted(x.split("|"), key=lambda y: crc32(y.encode())) for x in (says, asks))
    names = list(dict.fromkeys(s for form in [answer] + says for s in slots_of(form)))
    keys = ["{%s}" % s for s in slots_of(answer) if s not in slots_of(name)]
    if not keys:  # a fact without an open value: its last word answers
        keys = [answer.split()[-1]]
    return (lambda r: values(r, names)), name, Phrases(says), Phrases(asks), answer, keys, ()


KINDS = [kind(answer, lines) for answer, lines in read_lists("facts_told.txt").items()]
