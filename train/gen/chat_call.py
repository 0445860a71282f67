"""Calls of tools from phrasings: arguments in order, and values for slots."""
from . import files, lex, personal
from .base import Phrases, TOOLS, ZONES, fill, slots_of


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
        "path": r.path, "folder": r.folder, "word": lambda: searched(r), "text": lambda: written(r), "old": r.word, "new": r.word, "topic": r.topic,
        "person": r.first, "person2": r.first, "place": r.city, "url": r.url, "day": lambda: r.day(), "day2": lambda: r.day(), "zone_city": lambda: r.entity(ZONES)[0],
        "thing": r.noun, "n": lambda: r.int(2, 60), "k": lambda: r.int(2, 200), "ext": lambda: r.pick(lex.EXT_TEXT), "event": lambda: event(r), "name": r.name, "city": r.city, "file": r.path,
        "preference": lambda: personal.told(r).statement(r).rstrip("."), "number": lambda: r.int(2, 90), "list": lambda: ", ".join(str(r.int(1, 99)) for _ in range(r.int(3, 6))),
    }.get(name, r.word)()


def slots_for(r, template, given=None):
    out = dict(given or {})
    for s in slots_of(template):
        if s not in out:
            out[s] = slot(r, s)
    return out


def searched(r):
    x = r.random()
    if x < 0.55:
        return r.word()
    if x < 0.7:
        return r.first() if r.chance(0.5) else r.name()
    if x < 0.8:
        return r.word() + " " + r.noun()
    if x < 0.9:
        return r.pick(["TODO", "FIXME", "deadline", "password", "error", "timeout", "invoice", r.code(), r.email()])
    return r.pick(files.CONFIG)


def written(r):
    """Something to write into a file."""
    x = r.random()
    if x < 0.35:
        return r.entity(lex.TASKS)
    if x < 0.5:
        return ", ".join(r.some(lex.FOODS, r.int(2, 4)))
    if x < 0.6:
        return " and ".join(r.some(lex.FOODS, 2))
    if x < 0.75:
        s = r.sentence()
        return s.rstrip(".") if r.chance(0.6) else s
    if x < 0.85:
        return r.pick(["call ", "meet ", "email ", "ask "]) + r.first() + r.pick(["", " at " + r.time(), " on " + r.pick(lex.WEEKDAYS), " about the " + r.noun()])
    if x < 0.93:
        return r.pick(files.CONFIG) + r.pick(["=", ": ", " = "]) + r.word()
    return r.entity(lex.ADJ) + " " + r.noun()


def number(r):
    x = r.random()
    if x < 0.5:
        return str(r.int(2, 99))
    if x < 0.75:
        return str(r.int(100, 9999))
    if x < 0.85:
        return str(r.int(10000, 999999))
    return "%d.%d" % (r.int(0, 300), r.pick((5, 25, 75, 2, 99, 1, 8)))


EVENTS = """dentist|team meeting|yoga class|parents' evening|haircut|piano lesson|car service|lunch with {p}|call with {p}|birthday of {p}|board meeting|doctor|
interview|training|choir practice|book club|dinner with {p}|project review|standup|vet|wedding of {p}|flight to {c}|train to {c}|deadline {n}|
swimming course|tax adviser|plumber|delivery of the {n}|visit to {c}|exam|budget round|{p} and {n}|optician|football match|theatre""".replace("\n", "").split("|")


def event(r):
    return fill(r.entity(EVENTS), {"p": r.first(), "c": r.city(), "n": r.noun()})


def ago(r):
    return r.pick(["just now", "1 minute ago", "%d minutes ago" % r.int(2, 59), "1 hour ago", "%d hours ago" % r.int(2, 23), "1 day ago", "%d days ago" % r.int(2, 29), "1 month ago", "%d months ago" % r.int(2, 11), "1 year ago"])


ABOUT_TOPIC = Phrases("""The {t} is planned for {d}.|{p} looks after the {t}.|The {t} will cost about {k} euros.|We moved the {t} to {d}.|The {t} was cancelled.|
For the {t} we still need a {n}.|{p} wants to talk about the {t} on {d}.|The {t} is in {c} this year.|You were worried about the {t}.|The {t} has to be finished by {d}.|
Tickets for the {t} are sold out.|The {t} starts at {h}.|You promised {p} to help with the {t}.|The papers for the {t} are in the blue folder.""".replace("\n", "").split("|"))


def about_topic(r, topic):
    return fill(r.phrase(ABOUT_TOPIC), {"t": topic, "d": r.pick(lex.WEEKDAYS) if r.chance(0.5) else r.day(), "p": r.first(), "k": r.int(5, 900), "n": r.noun(), "c": r.city(), "h": r.time()})
