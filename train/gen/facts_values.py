"""Values for the attributes of facts_kinds.py: from lists, but mostly made up, so that only reading helps."""
from . import lex, values
from .slots import fill


def num(a, b, unit="", comma=True):
    def make(r):
        n = r.int(a, b)
        s = "{:,}".format(n) if comma and n >= 1000 and r.chance(0.7) else str(n)
        return s + (" " + unit if unit else "")
    return make


def big(r):
    return r.pick(["%d.%d million" % (r.int(1, 90), r.int(1, 9)), "%d million" % r.int(1, 190), "{:,}".format(r.int(2000, 900000)),
                   "%d,000" % r.int(3, 900), str(r.int(300, 9999))])


def year(a, b):
    return lambda r: str(r.int(a, b))


def of(seq, make=None):
    """A value of a list, but mostly one that no list has."""
    return lambda r: make(r) if make and r.chance(0.75) else r.entity(seq)


def plural(r):
    n = r.noun()
    return n if n.endswith("s") else n + "s"


def language(r):
    return values.made(r, 2).capitalize() + r.pick(["ish", "ese", "i", "ian", "ic", ""])


def coin(r):
    return values.made(r)


def continent(r):
    return (r.pick(["the " + values.cap(r) + " ", values.adj(r).capitalize() + " "]) + r.pick(["Isles", "Sea", "Coast", "Plains", "Delta"])
            if r.chance(0.6) else values.cap(r))


def food(r):
    return r.pick([plural(r), plural(r) + " and " + plural(r), values.adj(r) + " " + plural(r),
                   r.entity(lex.FOODS) + " and " + r.entity(lex.FOODS), values.made(r) + " roots"])


def habitat(r):
    return r.pick([values.adj(r) + " " + plural(r), "the " + values.cap(r) + r.pick([" hills", " marshes", " lakes"]),
                   "the " + values.adj(r) + " " + plural(r) + " of " + r.city()])


def job(r):
    return r.pick([r.noun() + " " + r.pick(["maker", "keeper", "dealer", "painter", "inspector", "driver", "trader"]),
                   values.made(r) + " player", values.adj(r) + " " + r.noun() + " teacher", values.made(r, 2)])


def genre(r):
    return r.pick([values.adj(r) + " " + r.pick(["novel", "play", "comedy", "diary", "manual", "saga"]),
                   r.noun() + " " + r.pick(["story", "guide", "thriller", "album"]), values.made(r)])


def material(r):
    return r.pick([values.made(r), values.adj(r) + " " + r.noun(), r.noun() + " wood", r.noun() + " fibre", r.noun()])


def cause(r):
    return r.pick(["a " + values.thing(r), "too many " + plural(r), values.gerund(r) + " the " + r.noun(), "the " + values.thing(r),
                   "a lack of " + values.made(r), values.adj(r) + " " + plural(r)])


def remedy(r):
    return r.pick(["a " + values.thing(r), values.adj(r) + " " + r.entity(lex.FOODS), values.gerund(r) + " the " + r.noun(),
                   values.made(r) + " oil", "two " + plural(r) + " a day"])


def season(r):
    return r.pick([r.pick(lex.MONTHS), "the weeks before " + r.pick(lex.MONTHS), "the " + values.adj(r) + " season",
                   "the " + r.noun() + " season", values.adj(r) + " nights", r.pick(lex.WEEKDAYS) + " mornings"])


def meaning(r):
    return r.pick(["to " + r.entity(lex.VERBS) + " a " + values.thing(r), "a " + values.thing(r) + " for " + plural(r),
                   "the " + r.noun() + " of a " + r.noun(), "a " + values.adj(r) + " " + r.noun(),
                   "to " + r.entity(lex.VERBS) + " and " + r.entity(lex.VERBS), "somebody who likes " + plural(r)])


LANGUAGES = "French Spanish Italian German Polish Norwegian Swedish Finnish Danish Portuguese Greek Dutch Irish Hungarian Romanian Bulgarian Croatian Serbian Turkish Arabic Swahili Japanese Chinese Hindi Thai Vietnamese English Icelandic Latvian Estonian Georgian Armenian Nepali Mongolian Lao Khmer Samoan Quechua Wolof Basque Catalan Welsh".split()
CURRENCIES = ["euro", "krone", "franc", "peso", "dinar", "rupee", "yen", "lira", "pound", "shilling", "dollar", "leu", "lev", "zloty", "forint", "koruna", "dram", "lari", "rial", "baht", "dong", "kip", "sol", "boliviano", "real", "rand", "birr", "naira", "cedi", "taka", "som", "tenge"]
CONTINENTS = ["Europe", "Asia", "Africa", "South America", "North America", "Oceania"]
DIETS = ["leaves and fruit", "fish", "small insects", "grass", "seeds and nuts", "nectar", "mice and voles", "plankton", "roots and bark", "worms", "berries", "carrion", "algae"]
HABITATS = ["mountain forests", "shallow coastal waters", "dry grassland", "river banks", "old barns", "coral reefs", "swamps", "the tundra", "bamboo thickets", "city parks", "deep caves", "rocky deserts"]
GENRES = ["novel", "play", "poem", "memoir", "travel book", "collection of essays", "fairy tale", "detective story", "history", "cookbook"]
JOBS = ["botanist", "painter", "engineer", "composer", "architect", "physician", "poet", "astronomer", "chemist", "historian", "sculptor", "mathematician", "sailor", "teacher", "photographer", "geologist", "translator", "weaver", "violinist", "cartographer"]
WORKS = ["the {a} {n}", "a map of {c}", "a new kind of {n}", "the {n} of {c}", "studies of the {n}", "the first {n} school"]
USES = ["cutting paper", "measuring wind", "storing grain", "sending short messages", "keeping food cold", "drawing circles", "lifting stones", "cleaning wool", "checking spelling", "sorting letters", "watching logs", "compressing files", "tuning strings", "drying herbs", "heating water", "joining pipes", "grinding coffee", "mapping caves", "testing web pages", "backing up folders"]
CAUSES = ["a lack of oxygen", "sudden cooling", "too much salt", "friction between two surfaces", "a broken seal", "the pull of the moon", "a fungus in the soil", "dust in the air", "low pressure", "a loose wire", "moist air that cools", "a missing index", "a full disk", "sunlight on ice"]
REMEDIES = ["fresh air", "a pinch of salt", "a slow restart", "warm water", "a new seal", "rest and water", "better light", "a thin coat of oil", "opening the windows", "cleaning the filter", "a cold cloth", "vinegar", "shade", "turning it off for ten minutes", "ginger tea", "an index on the table"]
MATERIALS = ["oak", "copper", "clay", "wool", "glass", "steel", "bamboo", "linen", "granite", "brass", "leather", "felt", "marble", "tin", "slate"]
MEANINGS = ["to speak too softly to be heard", "a small gift between neighbours", "the smell of rain on dry ground", "a person who repairs clocks", "to leave without saying goodbye", "a path made by animals", "the last light before night", "a debt that nobody claims", "to fold cloth in three", "a bowl for salt", "a very stubborn child", "to count twice", "a shelter for boats", "someone who speaks for others", "a rope used on ships", "the edge of a forest", "a meal eaten standing", "to mend a net", "a promise made in writing", "the noise of many birds"]


def work(r):
    return fill(r.pick(WORKS), {"a": r.entity(lex.ADJ), "n": r.noun(), "c": r.city()})
