"""Reading in other ways: is it so, whose is it, two things at once, and what a list above says."""
from . import facts
from .attrs import READING
from .chat_read import PASTE, around, material, noise_entry, read_sheet
from .conv import speak
from .hall import QUESTIONS
from .messages import check_text
from .phrases import Phrases, bars
from .slots import fill
from .values import odd_name
from .wording import upper_first

IS_SO = Phrases(bars("""is the {k} of {n} {v}?|{n}'s {k} is {v}, right?|is {v} the {k} of {n}?|the {k} of {n} is {v}, isn't it?|am I right that the {k} of {n} is {v}?|is it true that the {k} of {n} is {v}?|{k} of {n}: {v}, correct?|I think the {k} of {n} is {v}, is that so?|
would {v} be the {k} of {n}?|somebody said the {k} of {n} is {v}. True?|does {n} have {v} as the {k}?|check: is the {k} of {n} really {v}?|so the {k} of {n} is {v}?|the {k} of {n}, is that {v}?|can you confirm that the {k} of {n} is {v}?"""), READING["is_so"])
WHOSE = Phrases(bars("""whose {k} is {v}?|which of them has the {k} {v}?|{v} is the {k} of what?|what has {v} as its {k}?|to which one does the {k} {v} belong?|which one has {v} as {k}?|of what is {v} the {k}?|who or what has the {k} {v}?|the {k} {v} belongs to which one?|
for which one is the {k} {v}?|find the one with the {k} {v}|name the one whose {k} is {v}"""), READING["whose"])
BOTH = Phrases(bars("""what are the {k} and the {l} of {n}?|the {k} and {l} of {n}?|tell me the {k} and the {l} of {n}|{n}: {k} and {l}?|I need the {k} of {n} and also the {l}|give me {n}'s {k} and {l}|what is the {k} of {n}, and what is the {l}?|
for {n}, what are {k} and {l}?|both the {k} and the {l} of {n} please|which {k} and which {l} does {n} have?|what's {n}'s {k}, and the {l}?|let me know the {l} and the {k} of {n}|of {n} I want the {k} and the {l}|{k}? {l}? I mean of {n}"""), READING["both"])


def shown(c, said, entries, text):
    """The question with its text: as material, or in the person's own words. True where it is material."""
    r = c.r
    if r.chance(0.55):
        c.say(said, material(r, entries))
        return True
    c.say(said + "\n\n<context>\n" + text + "\n</context>" if r.chance(0.4) else fill(r.phrase(PASTE), {"q": said, "t": text}))
    return False


def agrees(v, yes):
    """Whoever states the right value has confirmed or corrected it, with a word for it or without."""
    return check_text("extraction", [v], [" No,", " No.", " not "] if yes else [" Yes,", " Yes."])


def is_so(c):
    """Whether a value is the one that the text gives."""
    r = c.r
    s, o, text = facts.two(r)
    a = r.pick(s.attrs)
    v, yes = s.values[a.key], r.chance(0.5)
    said = fill(r.phrase(IS_SO), dict(s.slots(a), v=v if yes else o.values[a.key]))  # keeps its question mark
    said = upper_first(said) if r.chance(0.4) else said
    if not yes and o.values[a.key] == v:
        return read_sheet(c)
    needs = shown(c, said, around(r, (s.start(), s.text(r, 0.2)), 2), text)
    ans = ("Yes, the %s of %s is %s." if yes else "No, the %s of %s is %s.") % (a.short, s.name, v)
    c.answer("They ask whether the %s of %s is %s; the text has %s, so it is %s." % (a.short, s.name, v if yes else o.values[a.key], v, "so" if yes else "not so"),
             ans, agrees(v, yes), needs_material=needs)
    c.about = None
    c.done()


def whose(c):
    """The thing for a value."""
    r = c.r
    s, o, text = facts.two(r)
    a = r.pick(s.attrs)
    v = s.values[a.key]
    if v == o.values[a.key] or v in o.values[a.key] or o.values[a.key] in v:
        return read_sheet(c)
    said = speak(r, r.phrase(WHOSE), s.slots(a), typos=False)[0]
    entries = r.shuffled([(s.start(), s.text(r, 0.2)), (o.start(), o.text(r, 0.2))] + ([noise_entry(r)] if r.chance(0.3) else []))
    needs = shown(c, said, entries, text)
    c.answer("The %s %s stands with %s." % (a.short, v, s.name), upper_first("the %s of %s is %s." % (a.short, s.name, v)),
             check_text("extraction", [s.bare()], [o.bare()] if o.bare() not in s.name else []), needs_material=needs)
    c.about = None
    c.done()


def both(c):
    """Two attributes of one thing."""
    r = c.r
    s = facts.Sheet(r, r.int(2, 5))
    if len(s.attrs) < 2:
        return read_sheet(c)
    a, b = r.some(s.attrs, 2)
    said = speak(r, r.phrase(BOTH), dict(s.slots(a), l=b.short), typos=False)[0]
    needs = shown(c, said, around(r, (s.start(), s.text(r, 0.3)), 2), s.text(r, 0.4))
    c.answer("Two things are asked of %s: the %s and the %s." % (s.name, a.short, b.short), s.answer(r, a) + " " + s.answer(r, b),
             check_text("extraction", [s.values[a.key], s.values[b.key]]), needs_material=needs)
    c.about = None
    c.done()


def ask_otherwise(c):
    c.r.pick((is_so, whose, both))(c)


# --- what a listing or a search above says ---

ORDINAL = ["first", "second", "third", "fourth", "fifth"]
HOW_MANY = Phrases(bars("how many are there?|how many is that?|how many entries are that?|count them|how many of them are there|what's the number of entries?|so how many?|how many things are in there?|number of entries?|and how many are they in all?"), QUESTIONS["how_many"])
WHICH_EXT = Phrases(bars("""which of them are {e} files?|which ones end in .{e}?|only the {e} files?|are there {e} files among them?|and the {e} files?|just the .{e} ones|show me only the .{e} ones of these|name the {e} files|which are .{e}?|what {e} files are among them?"""), QUESTIONS["which_ext"])
IS_THERE = Phrases(bars("is {x} among them?|is {x} there?|do you see {x} in it?|is there a {x}?|does it have {x}?|and {x}, is it there?|is {x} on the list?|was {x} among them?|can you see {x} there|did it list {x}?"), QUESTIONS["is_there"])
NAME_NTH = Phrases(bars("what is the {o} one called?|what's the name of the {o} one?|which one is the {o}?|which is {o}?|name of the {o} one?|the {o} one is what?|what was the {o} one?|tell me just the {o} one|which one comes {o}?|how is the {o} one called"), QUESTIONS["name_nth"])


def join(names):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def ask_listed(c):
    """A question that the listing above answers."""
    r, (_, where, _, names) = c.r, c.about
    if not names or len(set(names)) < len(names) or c.msgs[-1]["role"] != "assistant":
        return read_sheet(c)
    kind = r.int(0, 3)
    if kind == 0:
        t, s = r.phrase(HOW_MANY), {}
        ans, keys = "There are %d." % len(names) if len(names) != 1 else "There is 1.", [str(len(names))]
    elif kind == 1:
        exts = sorted({n.rsplit(".", 1)[1] for n in names if "." in n.strip(".") and not n.endswith("/")})
        e = r.pick(exts) if exts and r.chance(0.85) else "pdf"
        found = [n for n in names if n.endswith("." + e)]
        t, s = r.phrase(WHICH_EXT), {"e": e}
        ans, keys = ("The %s %s: %s." % (e, "files are" if len(found) > 1 else "file is", join(found)),
                     found) if found else ("There are no %s files among them." % e, [["no ", "none", "not "]])
    elif kind == 2:
        there = r.chance(0.6)
        x = r.pick(names) if there else odd_name(r)
        t, s = r.phrase(IS_THERE), {"x": x}
        there = x in names
        ans, keys = ("Yes, %s is there." % x, [[" Yes,", " Yes."], x]) if there else ("No, %s is not there." % x, [[" No,", "not "], x])
    else:
        i = r.int(0, min(len(names), 5) - 1)
        o = "last" if i == len(names) - 1 and i and r.chance(0.6) else ORDINAL[i]
        t, s = r.phrase(NAME_NTH), {"o": o}
        ans, keys = "The %s one is %s." % (o, names[i]), [names[i].rstrip("/")]
    c.say(speak(r, t, s, typos=False)[0])
    c.answer("The list stands above, so I read it there.", ans, check_text("pronouns", keys))
    c.done()


LINKS = Phrases(bars("give me the links|what are the addresses?|list the urls|all the links please|which urls were found?|show me the links of the results|the addresses of all of them?|where are these from, the links?|what are the links?|name the pages' addresses|links?|the url of each one please"), QUESTIONS["links"])
TITLES = Phrases(bars("what are the titles?|list the titles|which titles did it find?|what are the results called?|name all the hits|the titles of the results please|which pages were found?|give me the headlines|what did it find, just the titles|titles only"), QUESTIONS["titles"])
NTH_URL = Phrases(bars("what's the link of the {o} one?|the url of the {o} result?|where is the {o} one from?|give me the address of the {o} hit|what is the address of the {o} result?|link to the {o} one please|url of number {n}?|the {o} link?|which site is the {o} one on?|where does the {o} come from?"), QUESTIONS["nth_url"])


def ask_hits(c):
    """A question that the search results above answer."""
    r, (_, best, topic, hits) = c.r, c.about
    if not any(m["role"] == "tool" and hits[0]["url"] in m["content"] for m in c.msgs[-4:]):
        return read_sheet(c)
    x = r.random()
    if x < 0.35:
        t, s, ans, keys = r.phrase(LINKS), {}, "\n".join(h["url"] for h in hits), [h["url"] for h in hits]
    elif x < 0.6:
        t, s, ans, keys = r.phrase(TITLES), {}, "\n".join(h["title"] for h in hits), [h["title"] for h in hits]
    else:
        i = r.int(0, min(len(hits), 5) - 1)
        t, s = r.phrase(NTH_URL), {"o": ORDINAL[i], "n": i + 1}
        ans, keys = "The %s result is at %s" % (ORDINAL[i], hits[i]["url"]), [hits[i]["url"]]
    c.say(speak(r, t, s, typos=False)[0])
    c.answer("The results stand above, so I read it there.", ans, check_text("pronouns", keys))
    c.done()
