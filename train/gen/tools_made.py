"""Made tools: an action, an object and parameters put together by chance.

There are more of them than can be learnt by heart, so only reading the lines on
offer helps. A Made has the face of tools_foreign.Bound."""
from . import tools_deed
from . import tools_result as result
from . import tools_wish as wish
from .tools_line import describe, snake, tool_name
from .tools_value import bare, coined, schema, value
from .tools_words import ATTRS, DOMAIN, FAMILY, LISTS, ROLE, ROLES, Action, Attr, action, thing


class Slot:
    """A parameter of a made tool: its place in phrasings, its name in the line, its value."""

    def __init__(self, key, name, type_, how, required, role=None, enum=None):
        self.values = () if key == "x" else ([],)  # only the thing itself is meant by "and what about …?"
        self.key, self.name, self.type, self.how, self.required, self.role, self.enum = key, name, type_, how, required, role, enum

    items, known = None, False  # words that are likely, and whether it must be one of them

    def value(self, r):
        """(words, value)"""
        if self.items and (self.known or r.chance(0.6)):
            w = r.entity(self.items)
            return bare(w) if self.counted else w, bare(w)
        if self.enum:
            v = r.pick(self.enum)
            return v.replace("_", " "), v
        w, v = value(r, self.how)
        if self.type == "string":
            v = str(v)
        elif self.type == "array" and not isinstance(v, list):
            w, v = str(v), [v]
        return w, v

    def schema(self):
        return schema(self.type, self.enum)


class Made:
    """A made tool, with a wish for it and what comes of it."""

    sort = "made"

    def __init__(self, r, act, obj, attr=None):
        self.kind, self.action, self.obj, self.attr = self, act, obj, attr
        self.held = r.held and act.held and obj.held
        self.alone = self.only_verb = True  # whether no other tool on offer has this object, or does the same
        self.rivals = ()                    # other tools on offer with this object
        self.params = PARAMS[act.family](r, self)
        rename_twins(self)
        self.names = {p.key: p.name for p in self.params}
        listed = list(self.params)
        if r.chance(0.3):
            listed = r.shuffled(listed)
        self.spec = {"name": tool_name(r, self), "description": describe(r, self), "parameters": {
            "type": "object", "properties": {p.name: p.schema() for p in listed}, "required": [p.name for p in listed if p.required]}}

    def wish(self, r):
        return wish.wish(r, self)

    def outcome(self, r, words):
        return result.outcome(r, self, words)

    def by(self, key):
        return next((p for p in self.params if p.key == key), None)


def rename_twins(b):
    """Two parameters of one name would be a riddle: the later one gets the plainest name of its sort."""
    seen = set()
    for p in b.params:
        if p.name in seen:
            p.name = p.role.key if p.role and p.role.key not in seen else "new_" + p.name
        seen.add(p.name)


# --- parameters ---

def ref(r, b, key="x"):
    """The parameter that says which one."""
    o = snake(b.obj.noun)
    name = r.pick((o + "_id", o, o + "_name", "id", "name", "id", "name", "which", "ref", "target", "item", "key", o + "_ref",
                   o.split("_")[-1], "number", r.pick(("p1", "a", "x", "arg", "input", "value"))))
    if r.chance(0.1):
        return Slot(key, r.pick((o + "_id", "id", "number", o + "_number", "no")), "integer", "int:13-99999", True)
    return Slot(key, name, "string", "ident", True)


FREE = {"note": "note", "title": "title", "short": "name"}  # slots with free words, which a voice sets apart from its own


def extras(r, n, used=(), pool=None):
    """n further parameters of different sorts."""
    out, sorts, names = [], set(used), set()
    for _ in range(n * 4):
        if len(out) == n:
            break
        role = r.pick(pool or (LISTS if r.chance(0.3) else ROLES))
        name = r.pick(role.names)
        if role.sort in sorts or name in names:
            continue
        sorts.add(role.sort)
        names.add(name)
        out.append(Slot(FREE.get(role.how, "p%d" % len(out)), name, role.type, role.how, False, role, role.enum))
        if r.chance(0.06) and len(out) < n and role.type in ("string", "integer") and not role.enum:  # one that only its name explains
            word = coined(r)
            out.append(Slot("p%d" % len(out), word, r.pick(("string", "integer")), "", False))
            out[-1].how = "int:2-900" if out[-1].type == "integer" else "word"
    return out


def ask_for(r, slots, share):
    """Some of the parameters are required."""
    for p in slots:
        p.required = p.type != "boolean" and r.chance(share) or r.chance(0.05)
    return slots


def act_params(r, b):
    n = r.weighted(((5, 0), (4, 1), (2, 2), (1, 3)))
    x = ref(r, b)
    if r.chance(0.05):
        x = Slot("x", r.pick((snake(b.obj.many), "ids", "names", "items")), "array", "words", True)
    return [x] + ask_for(r, extras(r, n), 0.35)


def new_params(r, b):
    n = r.weighted(((1, 0), (4, 1), (4, 2), (3, 3), (1, 4)))
    named = r.chance(0.75) or n == 0
    slots = ask_for(r, extras(r, n), 0.5)
    if not named:
        return slots
    o = snake(b.obj.noun)
    return ([Slot("x", r.pick(("name", "title", "name", "title", o + "_name", "label", "called", "subject")), "string", "title", True)]
            + slots)


FILTERS = [ROLE[k] for k in "assignee for_person team date due place city category project state priority tags limit sort year max_price size colour season".split()]


def list_params(r, b):
    slots = extras(r, r.weighted(((3, 0), (4, 1), (2, 2))), pool=FILTERS)
    if b.action.verb in ("find", "search") or r.chance(0.15):
        slots.insert(0, Slot("x", r.pick(("query", "text", "search", "keyword", "q", "term", "about", "phrase")), "string", "short", True))
    return slots


def attr_slot(b, r):
    a = b.attr
    n = snake(a.name)
    return Slot("v", r.pick((n, n, "value", "new_" + n, "to", n + "_value")), a.type, a.how, True, None, a.enum)


def get_params(r, b):
    return [ref(r, b)] + extras(r, 1 if r.chance(0.15) else 0, pool=[ROLE["unit"], ROLE["date"], ROLE["format"], ROLE["year"]])


def set_params(r, b):
    return ([ref(r, b), attr_slot(b, r)] + extras(r, 1 if r.chance(0.2) else 0,
                                                  used=("many", "money", "measure", "form", "kind", "place", "by", "person", "time")))


TARGET = {"person": (("to", "recipient", "person", "who", "receiver", "user", "to_person"), "string", "person"), "place": (("to", "destination", "place", "where", "target", "new_place"), "string", "place"),
          "name": (("new_name", "to", "name_after", "new_title", "as"), "string", "title"), "version": (("version", "to_version", "target_version"), "string", "version"),
          "date": (("date", "new_date", "to_day", "when", "on"), "string", "day"), "count": (("count", "to", "number", "max", "new_size", "amount"), "integer", "int:2-900"), "stars": (("stars", "rating", "score", "points"), "integer", "int:1-10"),
          "format": (("format", "to_format", "as", "output"), "string", ""), "tag": (("tag", "label", "tags", "mark"), "string", "short"), "text": (("text", "comment", "note", "body", "message"), "string", "note")}
FORMATS = ["pdf", "csv", "json", "png", "html", "xml", "mp3", "docx", "svg", "epub", "wav", "txt"]


def to_params(r, b):
    sort = b.action.means.train[0]
    extra = extras(r, 1 if r.chance(0.3) else 0, used=("day", "place", "person", "by", "many", "kind", "kind2", "text", "form", "measure"))
    if sort == "ref":
        o = snake(b.obj.noun)
        n1, n2 = r.pick(((o + "_a", o + "_b"), ("first", "second"), ("source", "target"), ("this", "other"), ("a", "b"), (o, "other_" + o),
                         ("left", "right"), ("id", "other_id")))
        return [Slot("x", n1, "string", "mark", True), Slot("t", n2, "string", "mark", True)] + extra
    names, type_, how = TARGET[sort]
    t = Slot("t", r.pick(names), type_, how, True)
    if sort == "format":
        t.enum = r.some(FORMATS, r.int(2, 5))
    x = ref(r, b)
    if x.name == t.name:
        x.name = snake(b.obj.noun) + "_id"
    return [x, t] + extra


PAIRS = [(("from", "to"), "place"), (("origin", "destination"), "place"), (("from_city", "to_city"), "city"), (("source", "target"), "mark"), (("old", "new"), "short"), (("from_account", "to_account"), "mark"), (("sender", "receiver"), "person"),
         (("start", "end"), "day"), (("departure", "arrival"), "city"), (("low", "high"), "int:2-900"), (("width", "height"), "int:2-900"), (("start_time", "end_time"), "time"), (("give", "get"), "word"), (("buyer", "seller"), "person"), (("home", "guest"), "title"), (("front", "back"), "note"),
         (("winner", "loser"), "person"), (("won_by", "second"), "person"), (("lender", "borrower"), "person"), (("owner", "lent_to"), "person"), (("payer", "payee"), "person"), (("debtor", "creditor"), "person"), (("teacher", "pupil"), "person"), (("trainer", "trainee"), "person"),
         (("seller", "buyer"), "person"), (("giver", "receiver"), "person"), (("from_person", "to_person"), "person"), (("host", "visitor"), "title"), (("old_value", "new_value"), "short"), (("before", "after"), "short"), (("minimum", "maximum"), "int:2-900"), (("at_least", "at_most"), "int:2-90"),
         (("opens", "closes"), "time"), (("boss", "employee"), "person"), (("manager", "report"), "person"), (("start_place", "end_place"), "place"), (("pickup", "dropoff"), "place"), (("first_day", "last_day"), "day"), (("start", "stop"), "day")]


def pair_params(r, b):
    (n1, n2), how = r.pick(PAIRS)
    type_ = "integer" if how.startswith("int") else "string"
    first, second = Slot("one", n1, type_, how, True), Slot("two", n2, type_, how, True)
    slots = [first, second] if r.chance(0.7) else [second, first]
    if r.chance(0.4):
        amount = ask_for(r, extras(r, 1, used=("day", "place", "time", "person", "by", "kind", "text", "kind2", "code")), 0.5)
        slots = amount + slots if r.chance(0.4) else slots + amount
    return slots


def deed_params(r, b):
    return tools_deed.params(r, Slot, b.action.deed)


PARAMS = {"deed": deed_params, "serve": deed_params, "act": act_params, "new": new_params, "list": list_params, "get": get_params, "set": set_params, "to": to_params,
          "pair": pair_params}


# --- offers ---

FORMS = [(9, "act"), (4, "new"), (4, "list"), (3, "get"), (3, "set"), (4, "to"), (2, "pair"), (3, "deed"), (3, "serve")]
FINDERS = [a for a in FAMILY["list"].all if a.verb in ("find", "search")]
PAIR_VERBS = "route transfer exchange move ship convert migrate pair map plan carry trade record enter log register report note add file arrange settle document match fix".split()


def make(r, obj, family=None, act=None):
    family = act.family if act else family or r.weighted(FORMS)
    if family in ("deed", "serve"):
        act, obj = tools_deed.deed(r, family)
    if family == "pair":
        v = r.entity(PAIR_VERBS)
        act = Action("pair", v, v + ("d" if v.endswith("e") else "red" if v == "transfer" else "ped" if v in ("ship", "map") else "ned"
                                     if v == "plan" else "ed"), [], [], r.held)
        act.done = {"carry": "carried"}.get(v, act.done)
    act = act or action(r, family)
    attr = None
    if family in ("get", "set"):
        attr = ATTRS.pick(r)
        if r.chance(0.12):
            attr = Attr("%s\t%s\t%s\t\t" % ((coined(r),) + r.pick((("integer", "int:2-900"), ("string", "word"), ("string", "person")))))
    return Made(r, act, obj, attr)


# Things that the hall's own tools deal with: no made tool for them beside those.
OWN = {"calendar_read": {"appointment", "meeting", "holiday request", "shift", "standup", "interview", "rehearsal", "vet visit", "notary date", "rehearsal slot", "service slot", "check-up slot", "playdate", "parent evening", "outing", "club evening", "visiting hour", "pickup slot"}, "graph_search": {"contact", "customer", "lead", "partner", "user", "student", "player", "company", "suspect", "resident", "child", "ancestor", "guide", "keeper", "correspondent", "broker"},
       "web_search": {"article", "headline", "paper", "story", "forecast", "storm warning", "press release", "traffic bulletin", "weather balloon"}, "web_fetch": {"help article"}, "fs_read": {"export file", "draft", "log stream", "transcript", "logbook", "script", "changelog", "model file", "reading text"}, "memory_read": {"flashcard", "vocabulary card"}, "calculate": {"query", "balance"}, "run_code": {"pipeline", "build", "test suite", "nightly build", "function"}}


def offer(r, n, own=()):
    """n made tools, most of them near each other."""
    x, out, seen = r.random(), [], set()
    obj = thing(r)
    act = action(r, "act") if r.chance(0.6) else action(r, r.pick(("new", "list", "to")))
    domain = r.pick(list(DOMAIN))
    family = r.pick(("get", "set"))
    finder = r.pick(FINDERS)
    for _ in range(n * 3):
        if len(out) == n:
            break
        if x < 0.35:    # one object, several actions; now and then one that finds what another needs
            b = make(r, obj, act=finder) if x < 0.25 and not out else make(r, obj, "act" if x < 0.25 and len(out) == 1 else None)
        elif x < 0.55:  # one walk of life
            b = make(r, DOMAIN[domain].pick(r))
        elif x < 0.7:   # one action, several objects
            b = make(r, thing(r), act=act)
        elif x < 0.82:  # one object, several attributes
            b = make(r, obj, family if r.chance(0.8) else None)
        else:
            b = make(r, thing(r))
        if any(b.obj.noun in OWN[k] for k in own if k in OWN) or b.action.family == "deed" and "memory_write" in own:
            obj = thing(r)
            continue
        hard, soft = clash(b)
        if hard in seen or soft in seen and r.chance(0.5) or b.spec["name"] in {o.spec["name"] for o in out}:
            continue
        seen |= {hard, soft} - {None}
        out.append(b)
    settle(out)
    return out


def clash(b):
    """What two tools for one thing must never share, and what seldom: an action, and one that is near it."""
    family = b.action.family
    if family in ("deed", "serve"):  # what is said may fit two of them
        return (family,), None
    if b.attr:
        return (b.obj.noun, b.attr.name, family), None
    return (b.obj.noun, family if family in ("list", "new", "pair") else b.action.verb), (b.obj.noun, b.action.near, "near")


def settle(tools):
    """Who has a rival: that decides how plain a wish must be."""
    for b in tools:
        b.rivals = [o for o in tools if o is not b and o.obj.noun == b.obj.noun]
        b.alone = not b.rivals
        b.only_verb = not any(o is not b and (o.action.near == b.action.near or o.action.family == b.action.family) for o in tools)
