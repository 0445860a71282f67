"""Calls of tools from phrasings: arguments in order, and values for slots."""
from . import files, lex, personal, reword
from .conv import lower_first
from .hall import TOOLS
from .phrases import bars, phrasings
from .sections import more, sections
from .slots import fill, parts, slots_of
from .spans import SPANS
from .wordlists import ZONES

_order = {}


def ordered(name, args, spec=None):
    """Arguments in the order of the tool's line: required ones, then the others by name."""
    known = _order.get(name) if spec is None else None
    if known is None:
        p = (spec or TOOLS[name])["parameters"]
        req = p.get("required", [])
        known = {k: i for i, k in enumerate(list(req) + sorted(k for k in p.get("properties", {}) if k not in req))}
        if spec is None:
            _order[name] = known
    return dict(sorted(args.items(), key=lambda kv: known.get(kv[0], 99)))


def make_call(name, args, spec=None):
    return {"name": name, "arguments": ordered(name, args, spec)}


def arguments(name, arg, slots, key):
    """The arguments that a phrasing stands for."""
    if arg is None:
        return {key: slots[key]} if key in slots else {}
    if isinstance(arg, str):
        return {key: fill(arg, slots)}
    types = {k: v.get("type") for k, v in TOOLS[name]["parameters"]["properties"].items()}
    out = {}
    for k, v in arg.items():
        if isinstance(v, list):
            out[k] = [fill(str(x), slots) for x in v]
            continue
        v = fill(v, slots) if isinstance(v, str) else v
        if types.get(k) == "integer":
            v = int(v)
        elif types.get(k) == "boolean":
            v = v is True or str(v).lower() == "true"
        out[k] = v
    return out


def slot(r, name):
    """A value for a slot of a phrasing; word2 is another word."""
    name = name.rstrip("0123456789") or name
    if name in ("a", "b", "c"):
        return number(r)
    return {
        "path": lambda: file_name(r), "folder": r.folder, "word": lambda: searched(r), "text": lambda: written(r),
        "old": lambda: changed(r), "new": lambda: changed(r), "topic": r.topic,
        "person": r.first, "person2": r.first, "place": r.city, "url": r.url, "day": lambda: r.day(), "day2": lambda: r.day(),
        "zone_city": lambda: r.entity(ZONES)[0],
        "thing": lambda: thing(r), "n": lambda: r.int(2, 60), "k": lambda: r.int(2, 200), "ext": lambda: r.pick(lex.EXT_TEXT),
        "event": lambda: event(r), "name": r.name, "city": r.city, "file": r.path,
        "preference": lambda: personal.told(r).statement(r).rstrip("."), "number": lambda: r.int(2, 90),
        "list": lambda: ", ".join(str(r.int(1, 99)) for _ in range(r.int(3, 6))),
    }.get(name, r.word)()


PEOPLE = set("""artist aunt author baby baker boss boy brother butcher carpenter champion child clerk coach colleague cook cousin dancer daughter dentist doctor driver farmer father friend girl grandfather grandmother guard guest husband
judge king knight lawyer man mayor mother musician neighbour nephew niece nurse painter parent patient pilot plumber poet police prince professor pupil queen sailor singer sister soldier son stranger student tailor teacher team thief uncle visitor
waiter wife woman worker writer actor""".split())


def thing(r):
    """A noun that is no person: things are bought, lent and repaired."""
    word = r.noun()
    return thing(r) if word in PEOPLE else word


def slots_for(r, template, given=None):
    out = dict(given or {})
    for s in slots_of(template):
        if s in SPANS:
            out.update(slots_for(r, SPANS[s], out))
            out[s] = searched_piece(r, SPANS[s], out)
        elif s not in out:
            out[s] = slot(r, s)
    if "{folder}/" in template:
        out["folder"] = out["folder"].rstrip("/")
    return out


def searched_piece(r, template, slots):
    """What is said and searched alike: changed before it is used for both."""
    p = parts(template)
    if not r.held and r.chance(0.3):
        p = reword.vary(r, p, polite=False)
    text = "".join(x if i % 2 == 0 else str(slots[x]) for i, x in enumerate(p))
    return (lower_first(text) if r.chance(0.4) else text).rstrip("?!. ")


def searched(r):
    x = r.random()
    if x < 0.55:
        return r.word()
    if x < 0.7:
        return r.first() if r.chance(0.5) else r.name()
    if x < 0.8:
        return r.word() + " " + r.noun()
    if x < 0.84:
        return r.pick((r.code, r.email, r.city, r.org, r.domain))()
    if x < 0.9:
        return r.pick(["TODO", "FIXME", "deadline", "password", "error", "timeout", "invoice", "def " + r.noun(), "func " + r.noun(),
                       "import " + r.noun()])
    return r.pick(files.CONFIG)


QUOTES = ('"%s"', "'%s'", "\u201c%s\u201d", "`%s`", '"%s"', "\u2018%s\u2019", "«%s»")


def quote(r, text):
    """In marks that do not stand in the text itself."""
    fit = [q for q in QUOTES if q[0] not in text and q[-1] not in text]
    return (r.pick(fit) if fit else "%s") % text


QUOTED = {"path": 0.07, "folder": 0.06, "text": 0.25, "old": 0.2, "new": 0.2, "word": 0.15, "url": 0.02}


def spoken(r, template, slots):
    """The slots as they are typed: paths and texts now and then in quotes, which are no part of them."""
    out, at = dict(slots), parts(template)
    both = r.chance(0.2)
    for i in range(1, len(at), 2):
        name, value = at[i], str(slots.get(at[i], ""))
        kind = name.rstrip("0123456789")
        if kind not in QUOTED or not value or (at[i + 1][:1] or " ") in "/:" or at[i - 1].endswith(('"', "'", "`", "\u201c", ".", "*")):
            continue
        if kind in ("old", "new"):
            if both:
                out[name] = quote(r, value)
        elif " " in value and kind in ("path", "folder") or r.chance(QUOTED[kind]):
            out[name] = quote(r, value)
    return out


def file_name(r, ext=None):
    """A file's name; a few have spaces, and some are like one named before, which must not be taken for it."""
    path = r.path(ext)
    if r.recent and r.chance(0.12):
        path = alike(r, path, r.pick(r.recent))
    r.recent = r.recent[-3:] + [path]
    if r.chance(0.05):
        head, sep, tail = path.rpartition("/")
        path = head + sep + r.word().capitalize() + " " + tail
    return path


def alike(r, path, other):
    """A path that shares its folder or its name with another one; the stem stays one that may be used."""
    head, sep, tail = path.rpartition("/")
    folder, slash, name = other.rpartition("/")
    if slash and r.chance(0.5):
        return folder + "/" + tail
    if "." in name and "." in tail and " " not in name:
        stem, ext = name.rsplit(".", 1)[0], tail.rsplit(".", 1)[1]
        return head + sep + stem + "." + ext if head + sep + stem + "." + ext != other else path
    return path


def changed(r):
    """A text that becomes another."""
    x = r.random()
    if x < 0.55:
        return r.word()
    if x < 0.7:
        return str(r.int(2, 9999)) if r.chance(0.7) else r.price()
    if x < 0.82:
        return r.word() + " " + r.noun()
    return r.pick((r.first, r.city, r.time, r.day, r.code, r.name, r.domain))()


def written(r, quoted=False):
    """Something to write into a file; in quotes it may end like a sentence."""
    x = r.random()
    if x < 0.15:
        out = r.entity(lex.TASKS)
    elif x < 0.27:
        out = ", ".join(r.some(lex.FOODS, r.int(2, 4)) if r.chance(0.5) else [r.word() for _ in range(r.int(2, 4))])
    elif x < 0.36:
        out = " and ".join(r.some(lex.FOODS, 2) if r.chance(0.5) else [r.word(), r.noun()])
    elif x < 0.52:
        out = r.sentence()
    elif x < 0.62:
        out = (r.pick(["call ", "meet ", "email ", "ask ", "pay ", "visit ", "thank "]) + r.first()
               + r.pick(["", " at " + r.time(), " on " + r.pick(lex.WEEKDAYS), " about the " + r.noun(), " before " + r.day()]))
    elif x < 0.7:
        out = r.pick(files.CONFIG) if r.chance(0.5) else r.noun()
        out += r.pick(["=", ": ", " = "]) + (r.word() if r.chance(0.6) else str(r.int(1, 9999)))
    elif x < 0.76:
        out = r.entity(lex.ADJ) + " " + r.noun()
    elif x < 0.82:
        out = " ".join(r.word() for _ in range(r.int(1, 5)))
    elif x < 0.88:
        out = (r.name() + r.pick([", ", ": ", " - "])
               + r.pick([r.email(), "0%d %d" % (r.int(20, 99), r.int(10000, 99999)), r.city(), r.org()]))
    elif x < 0.93:
        out = r.pick([r.code(), r.url(), r.price(), r.day(), str(r.int(1, 99999))])
    elif x < 0.97:
        out = r.word().capitalize() + r.pick(["!", "?", ""]) + " " + r.sentence()
    else:
        out = "%d x %s, %d x %s" % (r.int(1, 20), r.noun(), r.int(1, 20), r.noun())
    return out if quoted else out.rstrip(".!? ")


def number(r):
    x = r.random()
    if x < 0.5:
        return str(r.int(2, 99))
    if x < 0.75:
        return str(r.int(100, 9999))
    if x < 0.85:
        return str(r.int(10000, 999999))
    return "%d.%d" % (r.int(0, 300), r.pick((5, 25, 75, 2, 99, 1, 8)))


EVENTS = bars("""dentist|team meeting|yoga class|parents' evening|haircut|piano lesson|car service|lunch with {p}|call with {p}|birthday of {p}|board meeting|doctor|
interview|training|choir practice|book club|dinner with {p}|project review|standup|vet|wedding of {p}|flight to {c}|train to {c}|deadline {n}|
swimming course|tax adviser|plumber|delivery of the {n}|visit to {c}|exam|budget round|{p} and {n}|optician|football match|theatre""")


def event(r):
    return fill(r.entity(EVENTS), {"p": r.first(), "c": r.city(), "n": r.noun()})


def ago(r):
    return r.pick(["just now", "1 minute ago", "%d minutes ago" % r.int(2, 59), "1 hour ago", "%d hours ago" % r.int(2, 23), "1 day ago",
                   "%d days ago" % r.int(2, 29), "1 month ago", "%d months ago" % r.int(2, 11), "1 year ago"])


ABOUT_TOPIC = more(phrasings("""The {t} is planned for {d}.|{p} looks after the {t}.|The {t} will cost about {k} euros.|We moved the {t} to {d}.|The {t} was cancelled.|
For the {t} we still need a {n}.|{p} wants to talk about the {t} on {d}.|The {t} is in {c} this year.|You were worried about the {t}.|The {t} has to be finished by {d}.|
Tickets for the {t} are sold out.|The {t} starts at {h}.|You promised {p} to help with the {t}.|The papers for the {t} are in the blue folder."""), sections("pieces.txt")["ABOUT_TOPIC"])


def about_topic(r, topic):
    return fill(r.phrase(ABOUT_TOPIC), {"t": topic, "d": r.pick(lex.WEEKDAYS) if r.chance(0.5) else r.day(), "p": r.first(),
                                        "k": r.int(5, 900), "n": r.noun(), "c": r.city(), "h": r.time()})
