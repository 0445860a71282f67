"""How the things of facts_kinds.py are called."""
from . import lex, values
from .slots import fill


def country(r):
    return r.country()


def mountain(r):
    return (r.pick(["Mount ", "Mount ", "the ", ""]) + r.made(lambda: r.syllables(2)).capitalize()
            + r.pick(["", "", "horn", " Peak", "berg"]))


def river(r):
    return "the " + r.made(lambda: r.syllables(2)).capitalize() + r.pick(["", "", " River"])


def book(r):
    t = r.pick(["The {a} {n}", "A {n} in {c}", "The {n} and the {m}", "{a} {n}s", "Letters from {c}", "The {n} Keeper", "{p} and the {n}",
                "Under the {a} {n}", "The Last {n}", "{n} Season"])
    return fill(t, {"a": r.entity(lex.ADJ).capitalize(), "n": r.noun().capitalize(), "m": r.noun().capitalize(), "c": r.city(),
                    "p": r.first()})


def building(r):
    t = r.pick(["the {a} Tower", "the {c} Bridge", "the {n} House", "{c} Cathedral", "the {c} Opera", "the {n} Museum", "{p} Hall",
                "the {c} Library", "the {a} Gate"])
    return t.format(a=r.entity(lex.ADJ).capitalize(), c=r.city(), n=r.noun().capitalize(), p=r.entity(lex.LAST))


ANIMALS = "fox otter heron badger lynx beaver owl salmon tortoise hedgehog stork bat seal raven mole toad newt crane ibex marmot viper finch swan pike carp eel crab moth beetle hare stoat marten kite gull puffin walrus camel llama tapir okapi gecko iguana python ibis panda koala wombat emu kiwi".split()


def animal(r):
    return ("the " + (r.entity(lex.ADJ) + " " if r.chance(0.6) else "")
            + (r.entity(ANIMALS) if r.chance(0.7) else r.made(lambda: r.syllables(2))))


def thing(r):
    return r.weighted([(3, "the " + r.entity(lex.ADJ) + " " + r.noun()), (3, r.product()), (2, "a " + r.made(lambda: r.syllables(2))),
                       (1, "the " + r.made(lambda: r.syllables(2)) + " " + r.noun())])


def phenomenon(r):
    return r.pick([r.noun() + " " + r.pick(["rot", "rust", "fog", "fever", "noise", "drift", "glare", "cracks"]),
                   r.made(lambda: r.syllables(2)) + r.pick([" fever", " fog", " blight", " syndrome", " lag", ""]),
                   r.entity(lex.ADJ) + " " + r.pick(["mould", "frost", "leaks", "flicker", "headache", "lights"])])


def company(r):
    return r.org()


def event(r):
    return "the " + r.pick([
        r.city() + " " + r.pick(["fair", "marathon", "book market", "film night", "chess open", "conference", "concert"]),
        r.entity(lex.ADJ) + " " + r.pick(["meeting", "workshop", "festival", "auction", "exhibition", "lecture"]),
        r.noun() + " " + r.pick(["day", "contest", "show", "course", "tour"])])


def term(r):
    return r.made(lambda: r.syllables(r.int(2, 3))) if r.chance(0.5) else r.entity(lex.ADJ)


def service(r):
    return r.pick(["the " + r.noun() + " service", r.made(lambda: r.syllables(2)), r.noun() + "d", r.noun() + "-api",
                   "the " + r.noun() + " server"])


def place(r):
    return r.pick([r.city, r.country, lambda: values.cap(r),
                   lambda: "the " + values.cap(r) + " " + r.pick(["valley", "district", "coast"])])()


def plant(r):
    return ("the " + (values.adj(r) + " " if r.chance(0.5) else "") + (r.noun() if r.chance(0.4) else values.made(r, 2))
            + r.pick(["", " tree", " flower", " bush", "wort", " fern"]))


NAMES = {"person": lambda r: r.name(), "place": place, "mountain": mountain, "product": lambda r: r.product(), "org": company,
         "work": book, "word": lambda r: values.made(r), "animal": animal, "plant": plant, "thing": thing,
         "event": event, "service": service, "file": lambda r: values.odd_name(r)}
