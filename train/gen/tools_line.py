"""The line of a made tool: its name and its description, in many styles."""
from .tools_forms import FORMS
from .tools_value import coined, one
from .tools_words import an, thirds
from .wording import upper_first


def snake(words):
    return words.replace(" ", "_").replace("-", "_")


def words_of(b):
    v, o = snake(b.action.verb), snake(b.obj.noun)
    if b.action.family == "list" and b.action.verb != "find":
        o = snake(b.obj.many)
    return [v, o] + ([snake(b.attr.name)] if b.attr else [])


def tool_name(r, b):
    w = words_of(b)
    x = r.random()
    if x < 0.09:  # a name that says nothing: the description must be read
        return r.pick((lambda: "tool_%d" % r.int(1, 99), lambda: coined(r), lambda: "fn_" + r.pick("abcdefgh") + str(r.int(1, 9)),
                       lambda: r.noun() + "_" + str(r.int(1, 9)), lambda: "do_" + coined(r)))()
    if x < 0.15:
        w = w[1:]
    elif x < 0.2:
        w = w[1:] + w[:1]
    elif x < 0.25:
        w = [p[:r.int(3, 4)] for p in w]
    y = r.random()
    if y < 0.5:
        name = "_".join(w)
    elif y < 0.75:
        parts = "_".join(w).split("_")
        name = parts[0] + "".join(p[:1].upper() + p[1:] for p in parts[1:])
    elif y < 0.9:
        name = (r.pick(("srv", "app", "my", "ext", "mcp", "svc", b.obj.domain or "api", coined(r), one(r))) + r.pick(("__", "_", "__"))
                + "_".join(w))
    else:
        name = "-".join(w)
    return "".join(c for c in name.replace("'", "") if c.isalnum() or c in "_-")


DESCRIBE = {
    "deed": (), "serve": (),
    "act": ("{V} {an}.", "{Vs} {an}.", "{Vs} the {o} that is named.", "Use this to {v} {an}.", "{V} {o}", "{o}: {v}", "{o}.{v}({ps})", "{V} one {o}, given {pw}.", "{Vs} {an}. Needs {pw}.", "{Vs} {an} and returns what came of it.", "Lets you {v} {an}.", "{V} an existing {o}.",
            "{Vs} {an}. Call it when somebody wants to {syn} one.", "To {v} {an}: {pw}.", "{V} {an} ({pw}).", "Will {v} the given {o} and say when it is done.", "This tool {vs} {an} by its {x}.", "{v} {o} by {x}"),
    "new": ("{V} {an}.", "{Vs} a new {o}.", "{Vs} {an} with {pw}.", "{V} {o} ({pw}).", "Use it to {v} {an}. Takes {pw}.", "{o}.{v}({ps})", "new {o}: {pw}", "{Vs} {an} and returns its number.", "{V} one more {o}. Call it when {an} is wanted that does not exist yet.", "{v} {o}",
            "Lets a person {v} {an}.", "{Vs} {an}, with {pw} as given."),
    "list": ("{V} {os}.", "{Vs} all {os}.", "{Vs} the {os} that there are.", "{V} {os} ({pw}).", "{os}: {v}", "{Vs} {os}, if wanted by {pw}.", "{o}.{v}({ps})", "Use it to {v} {os}. Changes nothing.", "Returns {os} with their numbers. Use it to {v} them.", "{v} {os}"),
    "get": ("{V} the {a} of {an}.", "Returns the {a} of {an}.", "{A} of {an}.", "Tells the current {a} of the given {o}.", "{o}.{a}({ps})", "{Vs} the {a} of one {o}. Changes nothing.", "Reads the {a} from the {o} with that {x}.", "{a} ({o})", "{V} {o} {a}", "What the {a} of {an} is right now."),
    "set": ("{V} the {a} of {an}.", "{Vs} the {a} of {an} to a new value.", "Gives {an} another {a}.", "{V} {a} ({o}).", "{o}.{a} = {p}", "{Vs} {a}. Takes {pw}.", "Changes what the {a} of {an} is.", "{v} {o} {a}", "{Vs} one {o}: its {a}. Takes effect at once.", "Use this to {v} the {a} of the {o} that is named."),
    "to": ("{V} {an}. Needs {pw}.", "{Vs} {an}: {pw}.", "{V} {o} ({pw}).", "{o}.{v}({ps})", "Use this to {v} {an}, with {pw}.", "{Vs} the {o} that is named. Takes {pw}.", "{v} {o}: {pw}", "Lets you {v} {an}.", "{V} {an} and say when it is done."),
    "pair": ("{V} {an}, with {pw}.", "{Vs} {an}. Takes {pw}.", "{V} {o} ({pw}).", "{o}.{v}({ps})", "Use this to {v} {an}.", "{Vs} one {o}: {pw}.", "{v} {o}: {pw}", "{V} {an} between the two that are named."),
}


for _family in DESCRIBE:
    DESCRIBE[_family] += tuple(FORMS["d_" + _family])


def plain(name):
    return name.replace("_", " ")


def describe(r, b):
    a, o = b.action, b.obj
    verb = a.verb
    if a.others and r.chance(0.15):
        single = [w for w in a.others if " " not in w]
        verb = r.pick(single) if single else verb
    text = r.pick(DESCRIBE[a.family])
    while not b.params and ("{pw}" in text or "{x}" in text):
        text = r.pick(DESCRIBE[a.family])
    noun = o.noun if not o.others or r.chance(0.8) else r.pick(o.others)
    many = o.many if noun == o.noun else noun + "s"
    ps = ", ".join(p.name for p in b.params)
    pw = [plain(p.name) for p in b.params if p.required or r.chance(0.5)] or [plain(p.name) for p in b.params]
    pw = ("the " if r.chance(0.6) else "") + (", ".join(pw[:-1]) + " and " + pw[-1] if len(pw) > 1 else pw[0]) if pw else "nothing"
    third = a.third() if verb == a.verb else thirds(verb)
    x = plain(b.params[0].name) if b.params else "name"
    slots = {"{V}": upper_first(verb), "{v}": verb, "{Vs}": upper_first(third), "{vs}": third, "{o}": noun, "{os}": many, "{an}": an(noun),
             "{ps}": ps, "{pw}": pw, "{x}": x, "{p}": plain(b.params[-1].name) if b.params else "x",
             "{a}": b.attr.name if b.attr else "", "{A}": upper_first(b.attr.name) if b.attr else "",
             "{d}": a.done, "{syn}": r.pick([w for w in a.others if " " not in w] or [verb])}
    for k, v in slots.items():
        if k in text:
            text = text.replace(k, v)
    return text + (" " + r.pick(HINTS).replace("{os}", many).replace("{o}", noun) if r.chance(0.08) and text.endswith(".") else "")


HINTS = ["Only for {os}.", "Do not use it for anything but {os}.", "Works for every {o} of the account.", "May take a moment.", "Asks for no confirmation.", "Returns JSON.", "Fails if there is no such {o}.", "Needs the right to change {os}.", "See the list of {os} first if the name is not known."]
