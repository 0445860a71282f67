"""Made tools that put on record what happened, or that take an order: people tell it, in a sentence or in a few words, and hardly ever name the tool."""
from .hall import read_rows
from .phrases import Phrases, bucket
from .tools_forms import FORMS
from .tools_words import Action, Pool, Thing, an

LISTS = {k[5:]: Phrases(f) for k, f in FORMS.items() if k.startswith("deed_")}
LOG = (("log", "logged"), ("record", "recorded"), ("add", "added"), ("note", "noted"), ("enter", "entered"), ("save", "saved"), ("file", "filed"))


class Deed:
    """A kind of thing that happens."""

    def __init__(self, row):
        noun, past, done, self.unit, keys, items = row
        self.noun, *self.others = noun.split("/")
        self.past, self.done, self.keys, self.items = past.split(","), done.split(","), keys.split(","), items.split(",")
        self.held = bucket(self.noun)


class Service(Deed):
    """A kind of thing that can be ordered."""

    def __init__(self, row):
        noun, verbs, unit, keys, items = row
        super().__init__((noun, verbs, "", unit, keys, items))


DEEDS = Pool(Deed(row) for row in read_rows("made_deeds.txt"))
SERVICES = Pool(Service(row) for row in read_rows("made_services.txt"))
SERVE = {k[6:]: Phrases(f, FORMS.get(k + "_more", ())) for k, f in FORMS.items() if k.startswith("serve_") and not k.endswith("_more")}
TAKE = (("book", "booked"), ("order", "ordered"), ("request", "requested"), ("add", "added"), ("place", "placed"), ("make", "made"), ("create", "created"))


def deed(r, family):
    """(action, object) of a record of something or of an order"""
    d = (DEEDS if family == "deed" else SERVICES).pick(r)
    verb, done = r.pick(LOG if family == "deed" else TAKE)
    act = Action(family, verb, done, [], [], d.held)
    act.deed, act.near = d, d.noun
    return act, Thing("", d.noun, d.others, d.held)


LOOSE = ("times", "euros", "points", "metres")  # units of which one does not say "of something"


def amount(r, b):
    """What, and how much of it if that is told."""
    unit = b.action.deed.unit
    if b.by("n") not in b.told:
        return "{what}"
    return r.phrase(LISTS["plain" if unit in LOOSE else "unit" if unit else "what"]).replace("{u}", unit)


def glue(parts):
    """Parts with a blank between, but none before a comma."""
    return "".join(p if i == 0 or p[0] == "," else " " + p for i, p in enumerate(parts))


def telegram(r, b):
    """The values alone, in any order."""
    told = {p.key for p in b.told}
    plain = r.chance(0.4) and not {"where", "who"} <= told  # two names beside each other need a word that tells them apart
    where = "{where}" if plain else r.pick(("at {where}", "in {where}", "place {where}", "near {where}"))
    who = "{who}" if "where" not in told else r.pick(("by {who}", "{who} did it", "name {who}"))
    parts = [amount(r, b)] + [t for k, t in (("where", where), ("when", "{when}"), ("who", who)) if k in told]
    return r.pick((", ", ", ", "; ", " - ", " / ", ". ")).join(r.shuffled(parts))


def tell(r, b):
    """What is said for a record."""
    b.told = [p for p in b.params if p.required or r.chance(0.6)]
    d, o = b.action.deed, r.pick(b.obj.others) if b.obj.others and r.chance(0.25) else b.obj.noun
    if r.chance(0.3):
        return r.phrase(LISTS["short"]).replace("{an}", an(o)).replace("{o}", o).replace("{s}", telegram(r, b))
    if b.alone and r.chance(0.1):
        return telegram(r, b)
    parts = r.shuffled([r.phrase(LISTS[p.key]) for p in b.told if p.key in ("where", "when")])
    who = b.by("who") in b.told
    if not who and r.chance(0.15):  # as in a headline
        text = glue([amount(r, b) + " " + r.pick(d.done)] + parts)
    elif who and r.chance(0.3):
        text = glue([r.pick(("somebody", "one of us", "they")) + " " + r.pick(d.past) + " " + amount(r, b)] + parts + [r.phrase(LISTS["who"])])
    else:
        text = glue([("{who}" if who else r.phrase(LISTS["me"])) + " " + r.pick(d.past) + " " + amount(r, b)] + parts)
    return r.phrase(LISTS["say"]).replace("{s}", text)


def told(r, b):
    """What is said for a record or an order; where no word tells which tool is meant, the thing is one that everybody knows."""
    text = (order if b.action.family == "serve" else tell)(r, b)
    d, what = b.action.deed, b.by("what")
    what.known = not any(w in text for w in (b.obj.noun, *b.obj.others, d.unit or b.obj.noun, *(() if b.action.family == "serve" else d.past + d.done)))
    return text


def order(r, b):
    """What is said for an order: what it is, and the rest in any order."""
    b.told = [p for p in b.params if p.required or r.chance(0.6)]
    d, o = b.action.deed, r.pick(b.obj.others) if b.obj.others and r.chance(0.25) else b.obj.noun
    rest = [r.phrase(SERVE[p.key]).replace("{u}", d.unit) for p in r.shuffled(b.told) if p.key != "what"]
    if r.chance(0.25):
        return r.phrase(SERVE["short"]).replace("a {o}", an(o)).replace("{o}", o).replace("{s}", glue(["{what}"] + rest))
    text = r.phrase(SERVE["say"]).replace("{v}", r.pick(d.past))
    first = r.pick(rest) if rest and r.chance(0.25) else ""
    if first.lstrip(",- (").startswith(("{when}", "for ", "in ", "at ", "on ")) and ")" not in first:  # a part that can open the sentence
        rest.remove(first)
        return first.lstrip(",- ") + r.pick((" ", ", ", ": ")) + glue([text.rstrip("?").replace("{w}", "{what}")] + rest)
    end = "?" if text.endswith("?") else ""
    return glue([text.rstrip("?").replace("{w}", "{what}")] + rest) + end


def params(r, slot, d):
    """The parameters of a record; slot makes one."""
    what = slot("what", r.pick(d.keys), "string", "object", True)
    what.items, what.counted = d.items, False
    out = [what]
    if r.chance(0.75):
        names = ("count", "number", "how_many", "amount") + ((d.unit.replace(" ", "_"),) * 3 if d.unit else ())
        out.append(slot("n", r.pick(names), "integer", "int:2-95", r.chance(0.7)))
        what.counted = not d.unit
    person = ("for_whom", "name", "customer", "booked_by", "person") if isinstance(d, Service) else ("who", "by", "name", "person", "done_by")
    for key, names, how, share in (("where", ("place", "where", "location", "spot", "site"), "place", 0.5), ("who", person, "person", 0.4),
                                   ("when", ("date", "day", "when", "on"), "day" if isinstance(d, Service) else "past", 0.7 if isinstance(d, Service) else 0.35)):
        if r.chance(share):
            out.append(slot(key, r.pick([n for n in names if n not in [p.name for p in out]]), "string", how, r.chance(0.5)))
    return out if r.chance(0.6) else r.shuffled(out)
