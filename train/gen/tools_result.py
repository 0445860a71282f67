"""What made tools return, and answers in the very words and values of it."""
import json

from .phrases import bars
from .tools_forms import more
from .tools_value import ident, listed, title, value
from .wording import upper_first

# What a result tells beside that it worked: label and how the value is made.
FIELDS = bars("""reference=code|ticket number=code|finished at=time|cost=money|remaining=int:0-400|position=int:1-90|waiting time=int:1-120|operator=person|next date=day|place=place|handled by=person|queue=word|batch=ident|receipt=code|
version=version|room=room|contact=person|total=money|expected on=day|attempts=int:1-9|key=ident|pickup code=code|valid until=day|shelf=ident|points=int:1-900|gate=ident|seat=ident|confirmation=code|size=int:1-9000|server=coined|
duration=int:2-900|progress=int:1-100|priority=int:1-9|owner=person|approved by=person|checked by=person|driver=person|clerk=person|supervisor=person|city=city|branch=place|hall=room|desk=ident|track=ident|platform=ident|bay=int:1-60|floor=int:1-30|row=int:1-90|
page=int:1-400|weight=kilo|length=kilo|temperature=int:2-95|speed=int:5-900|score=int:1-400|balance=money|fee=money|discount=int:2-75|deposit=money|price=money|start=time|end=time|opens at=time|due=day|shipped on=day|next service=day|last change=day|
file=path|link=url|mail=email|phone=phone|log number=code|order number=code|invoice=code|tracking number=code|serial=code|token=code|colour=colour|model=version|build=version|label=title|comment=short|reason=short|category=word|warehouse=coined|crew=team|group=team|distance=int:1-900|remaining days=int:1-90|errors=int:0-40|retries=int:0-9|level=int:1-20|copies=int:1-80|seats left=int:0-200""")
FIELDS = [tuple(f.split("=")) for f in FIELDS]
DONE = more("Done: {np} is {d}{f}.|{Np} has been {d}{f}.|{Np} is {d} now{f}.|I had {np} {d}{f}.|That worked: {np} is {d}{f}.|Your wish is done: {np} was {d}{f}.|OK, {np} is {d}{f}.|{Np}: {d}{f}.|All right, {np} has been {d}{f}.|The tool reports that {np} is {d}{f}.", "r_done")
FIELD = more("; {l}: {v}|, {l} {v}| ({l}: {v})|; the {l} is {v}|, and the {l} is {v}|, with {v} as the {l}| - {l} {v}|; as {l} it names {v}", "r_field")
WORKED = more("{Np} {d}.|ok|Success.|{Np}: {d}|status: done|Request accepted.|{d}|Completed without errors.|OK {x}", "r_worked")
SOME = more("There are {n} {os}: {l}.|I found {n} {os}: {l}.|{n} {os} came back: {l}.|The {os} are {l}; {n} in all.|It lists {n}: {l}.|These are the {os}: {l}.|The tool names {n} {os}: {l}.", "r_some")
NONE = more("There are no {os} that fit.|I found no {os}.|It came back with no {os}.|The tool returned no {os}.|The list has no {os}.|It says that there are no {os} of that sort.", "r_none")
COUNT = more("There are {n} {os}.|The count is {n} {os}.|{n} {os} in all.|The tool counts {n} {os}.|It is {n} {os}.|We have {n} {os}.", "r_count")
GOT = more("The {a} of {np} is {z}.|{Np} has the {a} {z}.|For {np} the {a} is {z}.|{z} is the {a} of {np}.|It says that the {a} of {np} is {z}.|The tool gives {z} as the {a} of {np}.", "r_got")
WAS_SET = more("Done: the {a} of {np} is now {v}.|The {a} of {np} is {v} now.|{Np} now has the {a} {v}.|I set the {a} of {np} to {v}.|The {a} of {np} was changed to {v}.|From now on the {a} of {np} is {v}.", "r_was_set")


def some_fields(r, n):
    return [(label, figure(r, how)) for label, how in r.some(FIELDS, n)]


def figure(r, how):
    """A value as a machine writes it: numbers in figures."""
    w, v = value(r, how)
    return str(v) if how.startswith("int") else str(w)


def as_json(pairs):
    return json.dumps(dict(pairs), ensure_ascii=False)


def told(r, first, fields):
    """A result: a first word and some fields, in one of many forms."""
    x = r.random() if fields else 0.5
    if x < 0.35:
        return as_json([(r.pick(("status", "result", "state")), r.pick(("ok", "done", "success")))]
                       + [(k.replace(" ", "_"), v) for k, v in fields])
    if x < 0.6:
        return first + "".join("\n%s: %s" % (upper_first(k), v) for k, v in fields)
    if x < 0.85:
        return first.rstrip(".") + ". " + " ".join("%s: %s." % (upper_first(k), v) for k, v in fields)
    return first.rstrip(".") + " | " + " | ".join("%s=%s" % (k.replace(" ", "_"), v) for k, v in fields)


def name_of(b, words):
    x = words.get("x")
    return b.obj.noun + " " + x if x else "the " + b.obj.noun


def outcome(r, b, words):
    """(result, answer, what of the result the answer must hold)"""
    words = {k: words.get("#" + k, w) for k, w in words.items()}  # in figures what was said in words
    f = b.action.family
    if f == "list":
        return list_outcome(r, b)
    if f == "get":
        return get_outcome(r, b, words)
    np = name_of(b, words)
    s = {"{np}": np, "{Np}": upper_first(np), "{d}": b.action.done, "{x}": words.get("x", b.obj.noun), "{o}": b.obj.noun}
    fields = some_fields(r, r.weighted(((2, 0), (4, 1), (3, 2), (1, 3))))
    tail = "".join(put(field_form(r, k), {"{l}": k, "{v}": v}) for k, v in fields)
    new = [v for _, v in fields]
    if f == "set":
        s.update({"{a}": b.attr.name, "{v}": words["v"]})
        result = told(r, put(r.phrase(WAS_SET) if r.chance(0.4) else r.phrase(WORKED), s), fields)
        return result, put(r.phrase(WAS_SET), s).rstrip(".") + tail + ".", new or [[words["v"], words.get("x", words["v"])]]
    result = told(r, put(r.phrase(WORKED), s), fields)
    return result, put(r.phrase(DONE), dict(s, **{"{f}": tail})), new or [[words.get("x") or b.obj.noun, b.obj.noun, b.action.done]]


# Labels of which nobody says "the LABEL is".
CLUMSY = set("at on by until left due remaining points copies errors retries attempts days start end".split())


def field_form(r, label):
    """How a further value is brought in."""
    return r.pick(("; {l}: {v}", ", {l} {v}", " ({l}: {v})", "; {l} {v}")) if label.split(" ")[-1] in CLUMSY else r.phrase(FIELD)


def put(text, slots):
    for k, v in slots.items():
        if k in text:
            text = text.replace(k, v)
    return text


def list_outcome(r, b):
    os = b.obj.many
    if b.action.verb == "count":
        n = str(r.int(0, 400))
        return (r.pick((n, as_json([("count", int(n))]), "%s %s" % (n, os), "total: " + n)), put(r.phrase(COUNT), {"{n}": n, "{os}": os}),
                [n])
    if r.chance(0.08):
        return r.pick(("[]", "no results", "0 found", '{"items": []}', "Nothing matches.")), put(r.phrase(NONE), {"{os}": os}), [["no " + os, "nothing", "none", "empty"]]
    names = []
    for _ in range(r.int(1, 4)):
        w = title(r) if r.chance(0.5) else ident(r)
        if w not in names:
            names.append(w)
    with_it, keys = names, list(names)
    if len(names) < 3 and r.chance(0.3):  # a value with each: both are told
        label, how = r.pick(FIELDS)
        more = [figure(r, how) for _ in names]
        with_it, keys = ["%s (%s: %s)" % (w, label, v) for w, v in zip(names, more)], keys + more
    x = r.random()
    if x < 0.3:
        text = "\n".join("%d. %s" % (i + 1, w) for i, w in enumerate(with_it))
    elif x < 0.55:
        text = json.dumps([{"name": w} for w in names] if with_it is names and r.chance(0.5) else with_it, ensure_ascii=False)
    elif x < 0.8:
        text = "\n".join("- " + w for w in with_it)
    else:
        text = "%d found: %s" % (len(names), ", ".join(with_it))
    n = str(len(names))
    one = len(names) == 1
    t = "There is one: {l}." if one else r.phrase(SOME)
    return text, put(t, {"{n}": n, "{os}": os, "{l}": listed(with_it)}), keys


def get_outcome(r, b, words):
    a = b.attr
    z = r.pick(a.enum) if a.enum else figure(r, a.how)
    np = name_of(b, words)
    x = r.random()
    others = some_fields(r, r.int(0, 2))
    if x < 0.35:
        text = as_json([(b.obj.noun, words.get("x", ""))]
                       + r.shuffled([(a.name.replace(" ", "_"), z)] + [(k.replace(" ", "_"), v) for k, v in others]))
    elif x < 0.6:
        text = "\n".join("%s: %s" % kv for kv in r.shuffled([(a.name, z)] + others))
    elif x < 0.85:
        text = put(r.phrase(GOT), {"{a}": a.name, "{np}": np, "{Np}": upper_first(np), "{z}": z})
    else:
        text = z
    return text, put(r.phrase(GOT), {"{a}": a.name, "{np}": np, "{Np}": upper_first(np), "{z}": z}), [z]
