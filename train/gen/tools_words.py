"""The words of made tools: actions, objects, parameters and attributes of train/data/made_*.txt.

One in ten of the actions, objects and attributes is held out, by its first word."""
from .hall import read_lines, read_rows
from .phrases import Phrases, bucket
from .tools_value import coined

VOWEL = "aeio"


class Pool:
    """Things of which training sees nine in ten."""

    def __init__(self, items):
        self.all = list(items)
        self.train = [x for x in self.all if not x.held] or self.all
        self.held = [x for x in self.all if x.held] or self.all

    def pick(self, r):
        return r.pick(self.held if r.held else self.train)

    def some(self, r, n):
        return r.some(self.held if r.held else self.train, n)


class Action:
    """Something to be done: the verb, its participle, other words, and sentences that mean it."""

    def __init__(self, family, verb, done, others, means, held, later=()):
        self.family, self.verb, self.done, self.others, self.held = family, verb, done, others, held
        self.means = Phrases(means, later) if means else None
        self.near = NEAR.get(verb.replace(" ", "")) or NEAR.get(verb.split(" ")[0]) or (family if family != "act" else verb)

    def third(self):
        first, _, rest = self.verb.partition(" ")
        return thirds(first) + (" " + rest if rest else "")


# Actions that a person can hardly tell apart when they hear only what is the matter with a thing.
NEAR = {}
for _i, _line in enumerate("""start activate resume launch open deploy publish unlock restart arm play subscribe join enable light enrol admit unban whitelist load mount aim wind hire call page interview
stop pause deactivate cancel close freeze delete archive retire disarm hide mute reset unpublish unsubscribe leave rollback return skip reject empty drain ban expel dismiss evict disqualify blacklist retract shred burn recycle compost demolish purge extinguish unmount discharge throttle demote downvote snooze waive bury redact sue seize
inspect test track weigh measure verify evaluate scan preview watch summarise calibrate repair report examine diagnose audit vet proofread profile lint sample observe taste titrate debug ping classify overhaul lubricate tighten weld solder glue sew patch refactor renovate balance tune x-ray
order rent adopt claim subscribe insure renew book request pay refund
backup duplicate export download print import upload restore save store cache mirror catalogue index record film photograph sketch digitise fork loadup
clean polish paint sterilise fill water feed charge heat cool dim sweep mow rake dust vacuum rinse flush weed bathe groom descale fumigate ventilate sand varnish dye iron decorate shovel dry soak boil bake grill
approve sign vote like flag pin verify escalate promote star upvote grade crown graduate thank congratulate bookmark label remind quote""".split("\n")):
    for _v in _line.split():
        NEAR.setdefault(_v, "near%d" % _i)


def thirds(v):
    if v.endswith(("s", "x", "ch", "sh", "z", "o")):
        return v + "es"
    if v.endswith("y") and v[-2:-1] not in VOWEL + "u":
        return v[:-1] + "ies"
    return v + "s"


IRREGULAR = {"series": "series", "sheep": "sheep", "homework": "homework", "shelf": "shelves", "child": "children", "mouse": "mice", "loaf": "loaves", "leaf": "leaves", "person": "people", "luggage": "luggage"}


def plural(n):
    if " of " in n:
        first, _, rest = n.partition(" of ")
        return plural(first) + " of " + rest
    before, _, last = n.rpartition(" ")
    return (before + " " if before else "") + (IRREGULAR.get(last) or (last + "s" if last.endswith("o") else thirds(last)))


def an(n):
    return ("an " if n[:1].lower() in VOWEL or n.startswith(("un", "up", "um")) and not n.startswith(("uni", "unit")) else "a ") + n


class Thing:
    """An object, and what else people call it."""

    def __init__(self, domain, noun, others, held):
        self.domain, self.noun, self.others, self.held = domain, noun, others, held
        self.many = plural(noun)


class Attr:
    """What a thing has: how it is asked for and changed."""

    def __init__(self, line):
        name, self.type, self.how, asks, sets = (line.split("\t") + [""] * 5)[:5]
        self.name, *self.others = name.split("/")
        self.enum = self.type.split("|") if "|" in self.type else None
        self.type = "string" if self.enum else self.type
        self.asks, self.sets = [s for s in asks.split(";") if s], [s for s in sets.split(";") if s]
        self.held = bucket(self.name)


# Further ways to bring in a parameter, and values of lists in other words.
MORE = {}
for _row in read_rows("made_params_more.txt"):
    MORE[_row[0]] = (_row[1].split(";"), _row[2].split(";") if len(_row) > 2 else [])


class Role:
    """A further parameter."""

    def __init__(self, line):
        self.key, names, self.type, self.how, phrases, said, sort = (line.split("\t") + ["", ""])[:7]
        self.names = names.split(",")
        self.enum = self.type.split("|") if "|" in self.type else None
        self.type = "string" if self.enum else self.type
        phrases = phrases.split(";")
        if self.type == "boolean":
            phrases = [tuple(p.rsplit("=", 1)) for p in phrases]
        more, more_said = MORE.get(self.key, ([], []))
        if self.type == "boolean":
            more = [tuple(p.rsplit("=", 1)) for p in more]
        self.phrases = Phrases(phrases, more)
        said = [[tuple(p.rsplit("=", 1)) for p in s] for s in (said.split(";") if said else [], more_said) if s]
        self.said = Phrases(*said) if said else None
        self.sort = sort or SORT.get(self.key, self.key)


# Only one of a sort goes into a tool, so that it is plain which one a phrase is for.
SORT = {"date": "day", "due": "day", "interval": "day", "place": "place", "city": "place", "address": "place", "room": "place", "direction": "place", "reason": "text", "note": "text", "description": "text", "amount": "money", "max_price": "money",
        "priority": "hurry", "urgent": "hurry", "category": "kind", "project": "kind", "team": "kind", "state": "kind", "size": "form", "quality": "form", "format": "form", "colour": "form", "count": "many", "people": "many", "limit": "many", "page": "many",
        "level": "many", "minutes": "span", "days": "span", "delay_seconds": "span", "email": "code", "url": "code", "path": "code", "code": "code", "for_person": "person", "contact": "person", "approver": "by", "assignee": "by", "members": "person", "tags": "kind2",
        "items": "kind2", "half": "time", "season": "time", "time": "time", "visibility": "kind3", "anonymous": "kind3", "notify_all": "kind4", "weight": "measure", "length": "measure", "speed": "measure", "temperature": "measure", "year": "measure",
        "nights": "span", "height": "measure", "depth": "measure", "litres": "measure", "rows": "measure", "price": "money", "material": "form", "flavour": "kind", "species": "kind", "inscription": "text", "question": "kind", "sender": "by", "helper": "by", "station": "place", "container": "place", "genre": "kind",
        "age_group": "kind3", "strength": "form", "speed_mode": "hurry", "skill": "many", "weekday": "day", "temper": "form", "repeat": "day", "with_sound": "kind4"}


# Words so common that a model without them would be a poor one: never held out.
PLAIN = {"stop", "close", "order", "track", "copy"}


def read_actions():
    out = []
    later = {}
    for key, others, means in read_rows("made_means.txt"):
        family, _, verb = key.rpartition(":")
        later[family or "act", verb] = (others.split(", "), means.split(";"))
    for line in read_lines("made_actions.txt") + read_lines("made_actions_more.txt"):
        family, verb, done, others, means = (line.split("\t") + [""] * 5)[:5]
        held = bucket(verb) and family in ("act", "to") and verb not in PLAIN
        words, sentences = later.get((family, verb), ([], []))
        out.append(Action(family, verb, done, others.split(", ") + words, means.split(";") if means else [], held, sentences))
    return out


def read_things():
    out = []
    for line in read_lines("made_objects.txt") + read_lines("made_objects_more.txt"):
        domain, _, rest = line.partition(": ")
        for one in rest.split(", "):
            noun, *others = one.split("/")
            out.append(Thing(domain, noun, others, bucket(noun)))
    return out


_actions = read_actions()
FAMILY = {f: Pool(a for a in _actions if a.family == f) for f in ("act", "new", "list", "get", "set", "to")}
_things = read_things()
THINGS = Pool(_things)
DOMAIN = {d: Pool(t for t in _things if t.domain == d) for d in dict.fromkeys(t.domain for t in _things)}
ATTRS = Pool(Attr(line) for line in read_lines("made_attrs.txt") + read_lines("made_attrs_more.txt"))
ROLES = [Role(line) for line in read_lines("made_params.txt") + read_lines("made_params_new.txt")]
LISTS = [Role(line) for line in read_lines("made_params_lists.txt")]  # those of one value of a list, with many words for each
ROLE = {x.key: x for x in ROLES}
KIND_OF = "spare main second outer inner night day guest staff winter summer north south upper lower mobile test model field mini twin back front".split()


def thing(r):
    """An object, real, composed or invented."""
    x = r.random()
    if x < 0.7:
        return THINGS.pick(r)
    if x < 0.85:
        t = THINGS.pick(r)
        before = r.pick(KIND_OF) if r.chance(0.4) else r.noun()
        return Thing(t.domain, before + " " + t.noun, [], r.held)
    return Thing("", coined(r), [], r.held)


def action(r, family):
    if family == "act" and r.chance(0.06):  # an invented verb: only the line can tell
        v = coined(r)
        return Action("act", v, v + ("d" if v.endswith("e") else "ed"), [], [], r.held)
    return FAMILY[family].pick(r)
