"""How people ask for a made tool: a core, and after or before it what else they want."""
from .tools_deed import told
from .tools_lists import (FRAMES, DONE, FIRST, WHICH, DET, REL, SUFFIX, NUMBERED, NEW, GET, SET, TO, BOTH, ROLES_OF, CLAUSES, BY_NAME, ALL,
                          ABOUT, BARE, MOOD, PREP)
from .phrases import Phrases
from .tools_forms import FORMS
from .wording import upper_first


def verb_for(r, b):
    """(a word for the action, whether it is the verb of the line)"""
    a = b.action
    if not a.others or r.chance(0.45):
        return a.verb, True
    word = r.pick(a.others)
    for o in b.rivals:  # another tool for the same thing may be meant by that word
        if word == o.action.verb or word in o.action.others or o.action.near == a.near:
            return a.verb, True
    return word, False


def noun_for(r, b):
    o = b.obj
    if not o.others or r.chance(0.65):
        return o.noun, o.many
    n = r.pick(o.others)
    return n, n + ("es" if n.endswith(("s", "x", "ch", "sh")) else "s")


def thing(r, b, x="{x}"):
    """A noun phrase for the one that is meant."""
    p = b.by("x")
    o = noun_for(r, b)[0]
    if p.type == "array":
        return r.pick(("the {os} {x}", "{os} {x}", "{x}", "these {os}: {x}", "the {os} called {x}", "{os}: {x}", "{x} (all {os})", "several {os}, {x}")[:3 if b.only_verb else 2] if r.chance(0.5)
                      else ("these {os}: {x}", "the {os} called {x}", "{os}: {x}", "{x} (all {os})", "several {os}, {x}", "our {os} {x}", "the following {os}: {x}")).replace("{os}", plural_of(b, o)).replace("{x}", x)
    if b.only_verb and r.chance(0.1):
        return x
    y = r.random()
    if not r.held and y < 0.2:  # what most people say
        t = r.pick(("{o} {x}", "the {o} {x}"))
    elif y < 0.45 and p.type != "integer":
        t = composed(r)
    else:
        t = r.phrase(NUMBERED if p.type == "integer" else WHICH)
    return article(t.replace("{os}", plural_of(b, o)).replace("{o}", o)).replace("{x}", x)


def composed(r):
    """A form for "the thing of that name", put together by chance."""
    rel = r.phrase(REL)
    t = r.phrase(DET) + " {o}" + ("" if rel[0] in ",:" else " ") + rel + " {x}"
    if rel[0].isalpha() and r.chance(0.15):
        after = r.phrase(SUFFIX)
        t += ("" if after[0] == "," else " ") + after
    return t


def plural_of(b, noun):
    return b.obj.many if noun == b.obj.noun else noun + "s"


def article(text):
    for vowel in "aeio":
        text = text.replace(" a " + vowel, " an " + vowel)
        if text.startswith("a " + vowel):
            text = "an" + text[1:]
    return text


def in_frame(r, core, ends=False):
    """The core in a frame; ends: one after which the core may go on."""
    if not r.held and r.chance(0.2):
        return core
    t = r.phrase(FRAMES)
    for _ in range(4):
        if not ends or t.rstrip("?").endswith("{c}"):
            return t.replace("{c}", core)
        t = r.phrase(FRAMES)
    return core


def act(r, b):
    np = thing(r, b)
    if b.alone and r.chance(0.04) and np != "{x}":
        return r.phrase(BARE["act"]).replace("{np}", np)
    near = any(o.action.near == b.action.near or o.action.family == "to" for o in b.rivals)
    y = r.random()
    if b.action.means and y < 0.22 and not near and np != "{x}":
        return r.phrase(b.action.means).replace("{np}", np)
    if y < 0.4:
        return r.phrase(DONE).replace("{np}", np).replace("{d}", b.action.done)
    v = verb_for(r, b)[0]
    if y < 0.52:
        v = b.action.verb if " " in v else v  # "put it on hold", but never "put on hold it"
        return r.phrase(FIRST).replace("{np}", np).replace("{v}", v)
    return in_frame(r, v + " " + np)


def new(r, b):
    o = noun_for(r, b)[0]
    np = (r.phrase(NEW).replace("{o}", o) if b.by("x")
          else r.pick(("a {o}", "a new {o}", "another {o}", "one more {o}", "a {o}")).replace("{o}", o))
    np = article(np)
    clause = " and call it" in np or " and name it" in np or ", call it" in np or ", name it" in np
    if b.action.means and not clause and r.chance(0.25) and not any(k.action.family in ("new", "list", "act") for k in b.rivals):
        return r.phrase(b.action.means).replace("{np}", np)
    if r.chance(0.12):
        return np if b.alone and r.chance(0.5) else "new " + o + (": {x}" if b.by("x") else "")
    return in_frame(r, verb_for(r, b)[0] + " " + np, ends=np.endswith("{x}"))


def listing(r, b):
    o, os = noun_for(r, b)
    q = b.by("x")
    if b.alone and r.chance(0.06):
        t = r.phrase(BARE["list"]).replace("{os}", os)
        return t.rstrip("?!") + (" " + r.phrase(ABOUT) if q else "") + ("?" if t.endswith("?") else "")
    if b.action.means and r.chance(0.35) and not any(k.action.family in ("list", "new") for k in b.rivals):
        t = r.phrase(b.action.means).replace("{os}", os)
        t = article(t.replace("{o}", o))
        end = "?" if t.endswith("?") else ""
        return t.rstrip("?") + (" " + r.phrase(ABOUT) if q else "") + end
    np = r.phrase(ALL) if not q or r.chance(0.3) else r.pick(("{os}", "a {o}", "the {o}", "the {os}", "{os}"))
    np = article(np.replace("{os}", os).replace("{o}", o))
    return in_frame(r, verb_for(r, b)[0] + " " + np + (" " + r.phrase(ABOUT) if q else ""))


def attr_word(r, b):
    return r.pick(b.attr.others) if b.attr.others and r.chance(0.35) else b.attr.name


def getting(r, b):
    np = thing(r, b)
    if b.attr.asks and r.chance(0.3) and np != "{x}":
        return r.phrase(b.attr.asks).replace("{np}", np)
    return r.phrase(GET).replace("{np}", np).replace("{a}", attr_word(r, b))


def setting(r, b):
    np = thing(r, b)
    if b.alone and r.chance(0.07) and np != "{x}":
        return r.phrase(BARE["set"]).replace("{np}", np)
    if b.attr.sets and r.chance(0.25) and np != "{x}" and not any(k.action.family == "to" for k in b.rivals):
        return r.phrase(b.attr.sets).replace("{np}", np)
    return r.phrase(SET).replace("{np}", np).replace("{a}", attr_word(r, b))


def to(r, b):
    np = thing(r, b)
    sort = b.action.means.train[0]
    if b.alone and sort != "ref" and r.chance(0.08) and np != "{x}":
        return r.phrase(BARE["to"]).replace("{np}", np)
    t = r.phrase(TO[sort])
    v = verb_for(r, b)[0]
    if sort == "person" and r.chance(0.15) and " " not in v and v in ("send", "give", "hand", "lend", "mail", "pass", "show", "assign"):
        return in_frame(r, v + " {t} " + np)
    if r.chance(0.2):
        core = r.phrase(DONE).replace("{np}", np).replace("{d}", b.action.done).rstrip("?")
        return t.replace("{c}", core)
    core = v + " " + np
    if r.chance(0.6) and t.startswith("{c}") and not any(c in t for c in ".;:?"):
        return in_frame(r, t.replace("{c}", core), ends=sort in ("text", "name", "tag"))
    return t.replace("{c}", in_frame(r, core, ends=True).rstrip("?"))


# Names of parameters that are no nouns, as one says them.
SPOKEN = {"won_by": "winner", "second": "runner-up", "lent_to": "borrower", "from_person": "sender", "to_person": "receiver", "at_least": "minimum", "at_most": "maximum",
          "opens": "opening time", "closes": "closing time", "low": "lower end", "high": "upper end", "give": "thing to give", "get": "thing to get", "before": "old one", "after": "new one", "old": "old one", "new": "new one",
          "from": "starting point", "to": "goal", "report": "person below", "home": "home side", "guest": "guest side"}


def pair(r, b):
    f, g = b.by("one"), b.by("two")
    m, n = (SPOKEN.get(p.name, p.name.replace("_", " ")) for p in (f, g))
    kind = ROLES_OF.get(f.name)
    if kind and r.chance(0.6):
        pass
    elif f.how in ("day", "word"):
        kind = f.how
    elif f.how in ("place", "city"):
        kind = "place"
    else:
        kind = "other" if f.name in ("source", "old", "sender", "from_account") else "named"
    if kind in ("place", "day", "word", "other") and r.chance(0.3):
        kind = "named"
    both = r.phrase(BOTH[kind]).replace("{m}", m).replace("{n}", n).replace("{f}", "{one}").replace("{g}", "{two}")
    o = noun_for(r, b)[0]
    core = verb_for(r, b)[0] + " " + article(r.pick(("a {o}", "the {o}", "a {o}", "one {o}", "{o}")).replace("{o}", o))
    y = r.random()
    if y < 0.2:
        return o + r.pick((" ", ", ", ": ", " - ", "; ", ". ")) + both
    if y < 0.35 and b.alone and b.only_verb:
        return both + r.pick((" (%s)", ", %s", " - %s", ". %s", "; it was a %s" if kind == "won" else ", a %s")) % o
    if y < 0.45 and not both.startswith("{"):
        return both + r.pick((", ", ": ", " - ")) + core
    clause = kind in CLAUSES  # a sentence of its own
    return in_frame(r, core + r.pick((": ", " - ", ", ", "; ", ". ") if clause else (" ", " ", ", ", ": ")) + both, ends=clause)


CORE = {"deed": told, "serve": told, "act": act, "new": new, "list": listing, "get": getting, "set": setting, "to": to, "pair": pair}


def sort_of(p):
    """The look of a parameter's values, where the look tells what they are for."""
    if p.enum:
        return "enum"
    if p.type in ("integer", "number"):
        return "number"
    return p.how if p.how in ("day", "time", "email", "url", "path", "phone") else None


def alone(b, p):
    """Whether the bare value tells which parameter it is for."""
    s = sort_of(p)
    return s and sum(sort_of(q) == s for q in b.params) == 1


def tail(r, b, p, quoted):
    """How a further parameter is brought in; what is quoted keeps its value."""
    if alone(b, p) and r.chance(0.18):
        return "{" + p.key + "}"
    if p.role is None or r.chance(0.22):
        t = r.phrase(BY_NAME).replace("{p}", p.name.replace("_", " "))
    else:
        t = r.phrase(p.role.phrases)
    return t.replace("{q}", '"{v}"').replace("{v}", '"{' + p.key + '}"' if quoted and '"{v}"' not in t else "{" + p.key + "}")


def runs_on(b, body):
    """Whether a text ends in free words, whose end must be told."""
    return any(body.endswith("{%s}" % p.key) for p in b.params if p.how in ("title", "short", "note", "ident", "mark", "object"))


def join(r, b, text, t, last):
    """A text with one more phrase at its end."""
    end = text[-1] if text[-1:] == "?" else ""
    body = text[:len(text) - len(end)]
    if t.startswith(PREP) and r.chance(0.15 if runs_on(b, body) else 0.75):
        return body + " " + t + end
    y = r.random()
    if y < 0.6:
        return body + ", " + t + end
    if y < 0.8:
        return body.rstrip(".") + (end or ".") + " " + t[:1].upper() + t[1:] + ("." if last and r.chance(0.5) else "")
    return body + end + r.pick((" - ", "; ", ", and ", ", and ", " (", "\n")) + t if not end else body + ", " + t + end


AFTER = Phrases(FORMS["after_name"])  # said after the last value, and no part of it
BEFORE = ("%s, %s", "%s: %s", "%s. %s", "%s - %s", "%s; %s", "%s, so %s", "(%s) %s")


def before(r, t, text):
    """A text with one more phrase before it."""
    form = r.pick(BEFORE)
    return form % (t, upper_first(text) if form == "%s. %s" else text)


def further(r, b, p, quoted, words, args):
    """The phrase for a further parameter; one whose value is not in a slot is settled at once, and "~" keeps what is said for it."""
    if p.type == "boolean":
        t, v = r.phrase(p.role.phrases)
        words[p.key], words["~" + p.key], args[p.name] = "", t, v == "true"
        return t
    if p.role and p.role.said and r.chance(0.5):  # a value of a list in other words
        t, v = r.phrase(p.role.said)
        words[p.key], words["~" + p.key], args[p.name] = v, t, v
        return t
    return tail(r, b, p, quoted)


def core_of(r, b, goes_on):
    """The core of a wish, with its free words in quotes where they would run into what follows."""
    text = CORE[b.action.family](r, b)
    for key in ("t", "v"):
        p = b.by(key)
        if p and p.how == "note" and '"{%s}"' % key not in text and (goes_on or not text.endswith("{%s}" % key)):
            text = text.replace("{%s}" % key, '"{%s}"' % key)
    if r.chance(0.1) and "{x}" in text and '"{x}"' not in text and b.by("x").type == "string":
        text = text.replace("{x}", r.pick(('"{x}"', "'{x}'", '"{x}"', "`{x}`")))
    return text


def values(r, b, text, words, args):
    """Fills in words and arguments for the slots of a text."""
    for p in b.params:
        if "{" + p.key + "}" in text:
            words[p.key], args[p.name] = p.value(r)
            if p.type == "integer":
                words["#" + p.key] = str(args[p.name])
    if b.action.family == "pair" and ROLES_OF.get(b.by("one").name) == "range":  # the lower end below the upper one
        f, g = b.by("one"), b.by("two")
        if f.name in args and g.name in args and args[f.name] > args[g.name]:
            args[f.name], args[g.name] = args[g.name], args[f.name]
            for k in ("", "#"):
                words[k + "one"], words[k + "two"] = words[k + "two"], words[k + "one"]


def wish(r, b, core=None, without=None):
    """(template, words by slot, arguments) for a made tool; with a core of one's own, and without a parameter where that is to be asked for."""
    words, args = {}, {}
    share = r.pick(SAID)
    given = [p for p in b.params if p is not without and (p.role or p.key.startswith("p"))]
    given = r.shuffled([p for p in given if p.required or r.chance(share)])
    quoted = {p.key for p in given if p.how in ("note", "title") and r.chance(0.3)}
    given.sort(key=lambda p: p.how == "note" and p.key not in quoted)  # free words last, where they end is plain then
    text = core or core_of(r, b, bool(given))
    for i, p in enumerate(given):
        last = i == len(given) - 1
        t = further(r, b, p, p.key in quoted, words, args)
        if last and r.chance(0.16) and p.how != "note" and text[:1] not in '{"':
            text = before(r, t, text)
        else:
            text = join(r, b, text, t, last)
    text += (")" if text.count("(") > text.count(")") else "")
    if r.chance(0.08) and text[-1:] == "}" and not any(text.endswith("{%s}" % p.key) for p in b.params if p.how == "note"):
        text += r.phrase(AFTER)
    if r.chance(0.05):  # something beside the point
        mood = r.phrase(MOOD)
        text = mood + " " + text if r.chance(0.6) else text + ("" if text[-1] in ".?!" else ".") + " " + mood
    values(r, b, text, words, args)
    return text, words, args


SAID = (0.0, 0.25, 0.55, 0.55, 0.85)  # the share of what need not be said: often nothing, so that nothing is made up
