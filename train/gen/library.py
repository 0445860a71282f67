"""The library's entries as something to read: with other numbers and names than the real ones, and
with questions for any of their sentences, so that they cannot be learnt by heart."""
import re

from . import lex, values
from .hall import QUESTIONS, read_library
from .library_clauses import BASE, CLAUSES
from .phrases import Phrases, bars
from .wording import stop
from .wordlists import NOUNS


def pairs(o):
    """The questions and short answers of an entry, in whatever form they are written."""
    out = []
    for x in o.get("asks") or []:
        if isinstance(x, (list, tuple)) and len(x) == 2:
            out.append((x[0], x[1]))
        elif isinstance(x, dict) and len(x) >= 2:
            q = x.get("q") or x.get("question") or x.get("ask")
            a = x.get("a") or x.get("answer")
            if q and a:
                out.append((q, a))
    return out


# what looks like an open slot would be taken for a fault of ours
LIBRARY = [o for o in read_library() if not re.search(r"\{[a-z_]+[0-9]?\}", str(o["text"]) + str(o.get("asks")))]
SMALL = set("""the a an is are was were of in on at to and or with for it its as be by from that this has have had can not which who what when where how many much do does did about some nearly into than more most also only one
lie lies lay stand stands stood come comes came wrote written write writes become becomes became mean means meant live lives lived we you because through yes too later
they their there he his she her but so if then while since until over under between up out no each other such long very called used made named known will would may""".split())
_sentence = re.compile(r"(?<=[a-z0-9)\"'é%])(?<!\d (?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec))\. (?=[A-Z\"(])")
_number = re.compile(r"(?<![\w.,/:-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w/:-]|[.,]\d)")
_long_word = re.compile(r"[a-z]{4,}")
_name_word = re.compile(r"\b[A-Z][a-zé]{3,}")
_capital = re.compile(r"(?<=[a-z,;(] )[A-Z][a-zé]{3,}")


def sentences(text):
    out = _sentence.split(" ".join(text.split()))
    return [stop(x.strip()) for x in out if x.strip()]


def renamable(o):
    """Whether the name can be another: it is a word of its own, in the text and in every question."""
    name = o["name"].lower()
    if "(" in name or name not in o["text"].lower() or not all(name in q.lower() for q, _ in o["asks"]):
        return False
    said = " ".join([o["text"]] + [x for pair in o["asks"] for x in pair]).lower()
    return said.count(name) == len(re.findall(r"(?<!\w)" + re.escape(name) + r"(?:s|'s)?(?!\w)", said))


def kindred(o):
    """Beginnings that several names share, such as Norway and Norwegian: changed apart, an answer would no longer follow."""
    words = set(_name_word.findall(" ".join([o["text"]] + [x for pair in o["asks"] for x in pair])))
    heads = [w[:4] for w in words]
    return frozenset(h for h in heads if heads.count(h) > 1)


for _o in LIBRARY:
    _o["asks"] = pairs(_o)
    _o["sentences"] = sentences(_o["text"])
    _o["own"] = "moothall" in (_o.get("tags") or [])
    _o["free"] = renamable(_o)
    _o["kindred"] = kindred(_o)
KIN = {}
for _o in LIBRARY:
    KIN.setdefault((_o.get("tags") or [""])[-1], []).append(_o)


_date = re.compile(r"(?<!\d)(\d\d?) (?:%s)" % "|".join(lex.MONTHS))
_nouns = frozenset(NOUNS)


# --- other numbers and names ---

def other_number(r, s):
    """A number of the same form; a year stays one."""
    plain = s.replace(",", "")
    if "." in plain:
        a, b = plain.split(".")
        return "%d.%s" % (r.int(1, max(9, 10 ** len(a) - 1)), "".join(str(r.int(1, 9)) for _ in b))
    n = int(plain)
    if len(plain) == 4 and "," not in s and 1000 < n < 2100:
        return str(r.int(max(1001, n - 300), min(2040, n + 150)))
    low = 10 ** (len(plain) - 1)
    out = r.int(max(2, low), low * 10 - 1)
    return "{:,}".format(out) if "," in s else str(out)


def renumbered(r, numbers, is_day):
    """For each number another; the day of a date stays one."""
    return {n: str(r.int(1, 28)) if is_day(n) else other_number(r, n) for n in dict.fromkeys(numbers)}


_token = re.compile(_number.pattern + r"|[^\W\d_]{4,}")


def swapped(text, table, names):
    """The text with the numbers and words of the table replaced, and the name."""
    for old, new in names:
        if old in text:
            text = text.replace(old, new)
    return _token.sub(lambda m: table.get(m.group(0)) or m.group(0), text) if table else text


def _day_of(text, n):
    """Whether a number is the day of a date somewhere in the text; it then stays one."""
    return any(m.group(1) == n for m in _date.finditer(text))


def twisted(r, o):
    """A copy of an entry in which other numbers, and often other names, stand."""
    if o["own"] or r.chance(0.35):
        return o
    table, text, name = {}, o["text"], o["name"]
    if r.chance(0.85):
        table = renumbered(r, [n for n in _number.findall(text) if n not in name], lambda n: len(n) < 3 and _day_of(text, n))
    if r.chance(0.5):
        for w in _capital.findall(text):
            if w not in name and w not in table and w[:4] not in o["kindred"] and not w.endswith(("ese", "ish")):
                table[w] = values.cap(r) if r.chance(0.7) else r.pick([r.city, lambda: r.name().split()[1]])()
    new, names = name, []
    if o["free"] and r.chance(0.3):
        new = " ".join(values.cap(r) for _ in name.split()[:2])
        for x in dict.fromkeys((name, name[0].lower() + name[1:], name.lower())):
            names.append((x, new if x[0].isupper() else new.lower()))
    if not table and not names:
        return o
    fix = lambda t: swapped(t, table, names)
    return {"name": new, "text": fix(text), "tags": o.get("tags"), "own": False, "free": False,
            "asks": [(fix(q), fix(a)) for q, a in o["asks"]], "sentences": [fix(s) for s in o["sentences"]]}


# --- questions by rule ---

RULES = [  # pattern in a sentence, questions, answer; {n} the name, {1} {2} what the pattern found
    (r"\b(?:was|were) (founded|built|opened|finished|completed|released|invented|discovered|published|introduced|created|launched|started|announced|written|first released|first published|adopted|established)\b[^.;,]{0,60}? in (\d{3,4})\b",
     ["when was {n} {1}?", "in which year was {n} {1}?", "what year was {n} {1}?", "{n} was {1} when?", "since when is {n} there, when was it {1}?"], "{N} was {1} in {2}."),
    (r"\bborn (?:in )?(\d{3,4})", ["when was {n} born?", "in which year was {n} born?", "what is the year of birth of {n}?", "{n}: born when?", "what year was {n} born in?"], "{N} was born in {1}."),
    (r"\bdied (?:in )?(\d{3,4})", ["when did {n} die?", "in which year did {n} die?", "what is the year of death of {n}?", "until when did {n} live?", "{n} died when?"], "{N} died in {1}."),
    (r"\bis ((?:about |some |nearly |over )?[\d.,]+ [a-z]+) (high|long|wide|tall|deep)\b", ["how {2} is {n}?", "{n}, how {2} is it?", "tell me how {2} {n} is", "do you know how {2} {n} is?", "how {2} is {n} exactly?"], "{N} is {1} {2}."),
    (r"\b((?:[Aa]bout|[Ss]ome|[Nn]early|[Oo]ver|[Mm]ore than)? ?[\d.,]+(?: million| thousand| billion)?) people live there", ["how many people live in {n}?", "what is the population of {n}?", "population of {n}?", "how many inhabitants has {n}?", "how populous is {n}?"], "{1} people live in {n}."),
    (r"\bwith ((?:about |some |nearly |over |more than )?[\d.,]+(?: million| thousand| billion)?) people\b", ["how many people live in {n}?", "what is the population of {n}?", "population of {n}?", "how many inhabitants has {n}?", "how big is {n}, in people?"], "{N} has {1} people."),
    (r"\bcurrency is (the [A-Za-z ]+?)(?=[.,;])", ["what is the currency of {n}?", "which currency does {n} use?", "how do you pay in {n}?", "what money do they have in {n}?", "currency of {n}"], "The currency of {n} is {1}."),
    (r"\b[Ii]ts capital is ([A-Z][\w -]+?)(?=[.,;]| and)", ["what is the capital of {n}?", "capital of {n}?", "which city is the capital of {n}?", "{n}'s capital?", "name the capital of {n}"], "The capital of {n} is {1}."),
    (r"\blanguage is ([A-Z]\w+)", ["what language is spoken in {n}?", "which language do they speak in {n}?", "language of {n}?", "what do people speak in {n}?", "what is the language of {n}"], "The language of {n} is {1}."),
]
RULES.append((r"(?:,| was| and) (built|founded|opened|finished|completed|released|invented|published|introduced|created|launched|written|announced|started)\b(?: by [^,.;]{1,60}?)?(?: for [^,.;]{1,40}?)? (?:in|of|on \d+ \w+) (\d{3,4})\b",
              RULES[0][1] + ["from what year is {n}, when was it {1}?", "the year in which {n} was {1}?", "do you know when {n} was {1}?", "year {n} was {1}?", "tell me when {n} was {1}"], RULES[0][2]))
_more = ["made", "born", "died", "how", "people", "people", "currency", "capital", "language", "made"]
RULES = [(re.compile(p), Phrases(q, QUESTIONS[m]), a) for (p, q, a), m in zip(RULES, _more)]
PLAIN_RULES = len(RULES)
RULES += [(re.compile(p), Phrases(bars(q)), "{N} {1}.") for p, q in CLAUSES]
ABOUT_WORD = Phrases(bars("""what about {w} and {n}?|what has {n} to do with {w}?|tell me about {w} in connection with {n}|how is {w} connected with {n}?|what is said about {w} with {n}?|{n} and {w}?|what do you know about {n} and {w}?|anything about {w} at {n}?|
how does {w} come in with {n}?|what role does {w} play for {n}?|what does it say about {w} when it comes to {n}?|what was that about {w} and {n}?|{n}: what about {w}?|where does {w} come in with {n}?|with {n}, what about {w}?"""), QUESTIONS["about_word"])


_who = re.compile(r"(?<= [a-z])[a-z]+, who ([a-z]+ .*)")


def after_subject(s, name, person):
    """What a sentence says of the thing, without its name; empty where it is about something else."""
    for head in (("He ", "She ") if person else ("It ",)) + (name + " ", "The " + name + " ", "A " + name + " ", "An " + name + " "):
        if s.startswith(head):
            return s[len(head):]
    return ""


def fits(o):
    """Questions by rule for an entry: (rule, groups). Kept with the entry."""
    known = o.get("rules")
    if known is None:
        person = "person" in (o.get("tags") or [])
        known, own = [], [x for x in (after_subject(s, o["name"], person) for s in o["sentences"]) if x]
        if person:  # "…, an architect of bare concrete, who called a house …"
            own += [m.group(1) for m in [_who.search(o["sentences"][0])] if m]
        for i, (rx, _, _) in enumerate(RULES):
            if i == 0:  # somebody else's work may be what was founded
                found = [m for s in o["sentences"] if s.startswith(("It ", o["name"] + " ", "The " + o["name"] + " "))
                         for m in [rx.search(s)] if m]
            elif i >= PLAIN_RULES:  # what is said of the thing itself
                found = [m for m in map(rx.match, own) if m]
            elif i == PLAIN_RULES - 1:  # what follows the thing itself in the first sentence
                found = [m for m in [rx.search(o["sentences"][0])] if m]
            else:
                found = list(rx.finditer(o["text"]))
            if len(found) == 1 and (i not in (1, 2) or person):
                known.append((i, found[0].groups()))
        o["rules"] = known
    return known


def rule_of(r, o, q):
    """The rule that made a question, if one did."""
    for i, _ in fits(o):
        for t in RULES[i][1].held if r.held else RULES[i][1].train:
            if q.startswith(t.split("{n}")[0]) and "{2}" not in t and "{1}" not in t and q.endswith(t.split("{n}")[-1]):
                return i
    return None


def named(o):
    """The name as it stands in the running text."""
    at = o["text"].find(o["name"])
    return "the " + o["name"] if at > 3 and o["text"][at - 4:at].lower() == "the " else o["name"]


def by_rule(r, o, only=None):
    """A question that a rule makes of an entry, and its answer; None where none fits. only: the rule."""
    rules = [x for x in fits(o) if only is None or x[0] == only]
    if not rules:
        return None
    i, groups = r.pick(rules)
    _, asks, ans = RULES[i]
    n = named(o)
    ans = ans.replace("{N}", n[0].upper() + n[1:]).replace("{n}", n)
    q = r.phrase(asks).replace("{n}", n)
    if "{d" in q:
        did = next(w for w in groups[0].split() if w in BASE)
        q = q.replace("{do}", BASE[did]).replace("{did}", did)
    for k, g in enumerate(groups):
        ans, q = ans.replace("{%d}" % (k + 1), g.strip()), q.replace("{%d}" % (k + 1), g.strip())
    return q, ans[0].upper() + ans[1:]


def by_word(r, o):
    """A question for a sentence of the entry by a word of it, not the first sentence; the sentence is the answer."""
    if len(o["sentences"]) < 2 or o["own"]:
        return None
    s = r.pick(o["sentences"][1:])
    words = [w.strip(".,;:!?()\"'") for w in s.split()]
    low = o["text"].lower()
    good = [w for i, w in enumerate(words) if len(w) > 3 and (w in _nouns or w.rstrip("s") in _nouns or i and w[0].isupper())
            and w.isalpha() and w.lower() not in o["name"].lower() and low.count(w.lower()) == 1]
    if not good or len(s) > 260:
        return None
    w = r.pick(good)
    return r.phrase(ABOUT_WORD).replace("{w}", w).replace("{n}", named(o)), s


_counts = re.compile(r"\b(?:when|year|how (?:many|much|high|long|old|tall|big|large|deep|far|fast|hot|cold|heavy|wide|populous|often)|population|number|inhabitants|temperature|date|per cent|percent|age|size|length|height|weight|area|speed|frequency|cost|price)\b", re.I)


def key(ans, q, group, exact=True):
    """What must come of an answer: its numbers where a number is asked for, else most of its words."""
    low = q.lower()
    words = [w.strip(".,;:!?()\"'") for w in ans.split()]
    asked = tuple({w[:4] for w in _long_word.findall(low)})  # belongs, where the question has belong
    unit = {w for n, w in zip(words, words[1:]) if n[:1].isdigit()}  # of no use without its number
    new = list(dict.fromkeys(w for w in words if len(w) > 1 and w.lower() not in SMALL and w.lower() not in low
                             and not w.lower().startswith(asked) and w not in unit))
    numbers = [n for n in _number.findall(ans) if n not in q]
    check = {"type": "contains", "all": numbers[:2] if exact and len(ans) < 140 and _counts.search(q) else [], "none": [], "group": group}
    if not check["all"]:
        check["most"] = [w for w in new if w not in numbers] or words[-1:]
    return check


# --- what an entry does not say ---

SILENT = [  # a question, what it asks for, the first tags it can be asked of (any where none), and words that would answer it
    ("how much does {n} cost?", "the price of {n}", "everyday", r"cost|price|euro|dollar|pound|cheap"), ("who owns {n}?", "the owner of {n}", "place", r"own|belong"), ("what is the postcode of {n}?", "the postcode of {n}", "place", r"postcode"),
    ("what is the mayor of {n} called?", "the mayor of {n}", "place", r"mayor"), ("how many schools are there in {n}?", "the number of schools in {n}", "place", r"school"), ("how many bridges does {n} have?", "the number of bridges of {n}", "place", r"bridge"),
    ("what is the telephone code of {n}?", "the telephone code of {n}", "place", r"telephone|dial"), ("when was {n} founded?", "the founding year of {n}", "place", r"found|built|since|in \d{3,4}|began|grew"), ("what is the average temperature in {n}?", "the average temperature in {n}", "place", r"degree|temperature|warm|cold|climate"),
    ("how tall was {n}?", "the height of {n}", "person", r"tall|height|metre|short"), ("how many children did {n} have?", "the number of children of {n}", "person", r"child|son|daughter"), ("where did {n} go to school?", "the school of {n}", "person", r"school|stud|university|college"),
    ("who was {n} married to?", "the marriage of {n}", "person", r"wife|husband|marri|queen|king"), ("what was the favourite food of {n}?", "the favourite food of {n}", "person", r"food|eat"), ("where is {n} buried?", "the grave of {n}", "person", r"grave|buried|tomb"),
    ("what colour were the eyes of {n}?", "the eye colour of {n}", "person", r"eye"), ("what was the mother of {n} called?", "the mother of {n}", "person", r"mother|parent|daughter|son "), ("who wrote {n}?", "the author of {n}", "computing", r"wr[io]te|written|made by|by [A-Z]|created|invented|started"),
    ("how many people use {n}?", "the number of users of {n}", "computing", r"people|users|million"), ("what is the logo of {n}?", "the logo of {n}", "computing", r"logo|sign|mascot|picture"), ("what is the newest version of {n}?", "the newest version of {n}", "computing", r"version"),
    ("who discovered {n}?", "the discoverer of {n}", "science", r"discover|found|[A-Z][a-z]+ [A-Z]|by [A-Z]|showed|named"), ("how much does {n} weigh?", "the weight of {n}", "science", r"weigh|mass|gram|kilo|tonne|heavy"), ("what colour is {n}?", "the colour of {n}", "science", r"colou?r|red|blue|green|yellow|white|black|grey|brown|silver|violet"),
    ("how long does {n} take?", "the duration of {n}", "everyday", r"minute|hour|day|week|second|long|month|year"), ("which shop sells {n}?", "a shop for {n}", "everyday", r"shop|sell|buy"), ("who invented {n}?", "the inventor of {n}", "everyday", r"invent|by [A-Z]|made|first"),
]
SILENT = [(q, what, tag, re.compile(rx, re.I if rx.islower() else 0)) for q, what, tag, rx in SILENT]


def silent(r, o):
    """A question that an entry does not answer, and what it asks for: (question, subject); None where none is sure."""
    tags = o.get("tags") or [""]
    fit = [(q, w) for i, (q, w, tag, rx) in enumerate(SILENT) if (i % 5 == 4) == r.held and (not tag or tags[0] == tag)
           and not rx.search(o["text"])]
    if not fit or o["own"]:
        return None
    q, what = r.pick(fit)
    n = named(o)
    return q.replace("{n}", n), what.replace("{n}", n)
