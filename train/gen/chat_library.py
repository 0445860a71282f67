"""Questions that the library's entries answer, or do not."""
import re

from . import quote
from .chat_call import make_call
from .chat_read import FOLLOW, NONE, SWITCH, again, around, material, noise_entry, read_sheet
from .chat_web import hit, other_hit, search_text
from .conv import lower_first, speak
from .hall import QUESTIONS
from .library import KIN, LIBRARY, by_rule, by_word, key, named, rule_of, silent, twisted
from .messages import check_honest, check_text
from .phrases import Phrases, bars, bucket
from .refer_words import LATE
from .slots import fill
from .spans import query_of
from .wording import stop, upper_first

LIB_ASK = Phrases(bars("""what is {n}?|tell me about {n}|explain {n}|what do you know about {n}?|who or what is {n}?|what's {n}|give me a short explanation of {n}|
can you explain {n}?|describe {n}|I'd like to know about {n}|what does {n} mean?|info on {n}|{n}?|could you tell me something about {n}|what is meant by {n}?|
please explain what {n} is|say something about {n}|I never understood {n}, explain it|what exactly is {n}?|define {n}"""), bars("""what is {n} exactly?|what can you tell me about {n}?|{n}, what is that?|could you describe {n}?|what do I need to know about {n}?|short info about {n}|I'd like an explanation of {n}|
teach me about {n}|do you know {n}?|what kind of thing is {n}?|who or what is meant by {n}?|give me the basics of {n}|have you got something on {n}?|please describe {n} briefly|in short, what is {n}?"""), QUESTIONS["thing"])
PERSON_ASK = Phrases(bars("""who is {n}?|who was {n}?|tell me about {n}|what do you know about {n}?|who's {n}|say something about {n}|I'd like to know about {n}|describe {n}|info on {n}|{n}?|could you tell me something about {n}|give me a short portrait of {n}|what was {n}?|
why should I know {n}?|what kind of person was {n}?|do you know {n}?|have you heard of {n}?|what can you tell me about {n}?|in short, who was {n}?|who exactly was {n}?"""), QUESTIONS["person"])


def entry(r):
    """An entry, held out or not as it should be."""
    for _ in range(20):
        o = r.pick(LIBRARY)
        if bucket(o["name"]) == r.held:
            break
    return o


def question(r, o):
    """A question about an entry, and its answer: (question, answer, check, whether one sentence says it)."""
    x = r.random()
    got = by_rule(r, o) if x < 0.3 else by_word(r, o) if x < 0.4 else None
    if got is None and o["asks"] and x < 0.85:
        q, a = r.pick(o["asks"])
        got = q, stop(a)
    if got:
        return got + (key(got[1], got[0], "extraction"), True)
    q = fill(r.phrase(PERSON_ASK if "person" in (o.get("tags") or []) else LIB_ASK), {"n": o["name"] if r.chance(0.7) else named(o)})
    ans = two_sentences(o["sentences"])
    return q, ans, key(o["sentences"][0], q, "extraction", False), False


def found(r, o, ans=None):
    """An entry as it is looked up, (name, text): mostly with the answer first, as the library puts it where a question is near to one of the
    entry's own, and sometimes with a dash after it, short or long, which the program takes out and other hosts of the network do not; now and then with what it
    says to another, since that is a guess."""
    x = r.random()
    if ans and x < 0.15:
        return o["name"], "%s %s %s" % (ans, "——" if x < 0.1 else "—", o["text"])
    first = ans if ans and x < 0.55 else stop(r.pick(o["asks"])[1]) if o["asks"] and x > 0.92 else ""
    return o["name"], first + " " + o["text"] if first and not o["text"].startswith(first) else o["text"]


def says(o, text, ans):
    """The words of a found entry that answer."""
    return ans if ans in text else quote.near(o["sentences"], ans, o["name"])


def two_sentences(sentences):
    """The beginning of an entry, whole sentences."""
    out = sentences[0]
    if len(sentences) > 1 and len(out) + len(sentences[1]) < 260:
        out += " " + sentences[1]
    return out


def kin(r, o):
    """Another entry of the same sort."""
    other = r.pick(KIN[(o.get("tags") or [""])[-1]])
    return None if other["name"] == o["name"] else (other["name"], other["text"])


def read_library(c):
    """A question about an entry of the library; often another of its sort stands beside it."""
    r = c.r
    if not LIBRARY:
        return read_sheet(c)
    o = twisted(r, entry(r))
    q, ans, check, one = question(r, o)
    e = found(r, o, ans if one else None)
    where = says(o, e[1], ans) if one else ""
    entries = around(r, e, 3)
    near = kin(r, o) if r.chance(0.35) else None
    if near and near[0].lower() != o["name"].lower():
        entries.insert(r.int(0, len(entries)), near)
    c.say(speak(r, q)[0], material(r, entries), before=r.chance(0.12))
    c.answer("%s: the entry on %s says: %s" % (upper_first(q.rstrip("?. ")), o["name"], where) if where and len(q) < 90 else "The entry on %s says: %s" % (o["name"], where) if where else "They want to know what %s is; I give how its entry begins." % o["name"],
             ans, check, needs_material=True)
    c.about = ("library", o, q)
    c.done()


def library_missing(c):
    """A question that is not answered: its entry was not found, or it does not say it."""
    r = c.r
    o = entry(r) if LIBRARY else None
    if not o or not o["asks"] or o["own"]:
        return read_library(c)
    name = o["name"].lower()
    if r.chance(0.5):
        o = twisted(r, o)
        got = silent(r, o)
        if not got:
            return read_library(c)
        (q, what), told = got, None
        entries = around(r, found(r, o), 2)
    else:
        q, told = r.pick(o["asks"])
        what = "that about " + o["name"]
        entries = [e for e in [kin(r, o), noise_entry(r)] if e and name not in e[1].lower()]
        if not entries or name not in q.lower():
            return read_library(c)
    said, core = speak(r, q, typos=False)
    c.say(said, material(r, entries))
    c.about = None
    if c.has("web_search"):
        c.call("What was looked up does not say it, so I search the web.", [make_call("web_search", {"query": query_of(core)})])
        searched(c, o, q, told, what)
    else:
        c.answer(r.pick(NONE), "I don't know %s offline: what I have here does not say it. A larger model or a web search would help."
                 % what, check_honest("unknown"), needs_material=True)
    c.done()


def searched(c, o, q, told, what):
    """What the search brings: the answer, or nothing that helps."""
    r = c.r
    others = [other_hit(r) for _ in range(r.int(0, 2))]
    if told:
        best = hit(r, o["name"], stop(told))
        c.result("web_search", search_text(c, [best] + others))
        c.answer("The first result answers it.", stop(told)[:-1] + " (%s)." % best["url"], key(told, q, "extraction"))
    else:
        best = hit(r, o["name"], o["sentences"][0])
        c.result("web_search", search_text(c, [best] + others))
        c.answer("The results do not say it either, and I must not guess.",
                 "The search results do not say %s. The page %s may." % (what, best["url"]), check_honest("unknown"))


_he = re.compile(r"\b(?:he|his|him)\b", re.I)
_she = re.compile(r"\b(?:she|her)\b", re.I)
_of = re.compile(r"\bthe (\w+(?: \w+){0,3}) of ", re.I)


def pronoun(o):
    """it, its for a thing; he or she by the entry's own words; None where they do not say."""
    if "person" not in (o.get("tags") or []):
        return "it", "it", "its"
    if _he.search(o["text"]):
        return "he", "him", "his"
    return ("she", "her", "her") if _she.search(o["text"]) else None


PREPS = frozenset("of after about by for with to from on in against at".split())
VERBS = frozenset("is are was were did does do has have can use uses wrote made make discovered invented founded built call calls will would should must".split())


def with_pronoun(q, name, p):
    """A question with a pronoun in the place of the name; None where it would not be good English."""
    low, name = q.lower(), name.lower()
    at = low.find(name)
    end = at + len(name)
    if at <= 0 or low.count(name) != 1 or q[end:end + 1].isalnum():
        return None
    head, tail, owns = q[:at], q[end:], q[end:end + 2] == "'s"
    for article in (" the ", " an ", " a "):
        if head.lower().endswith(article):
            head = head[:1 - len(article)]
    tail = tail[2:] if owns else tail
    before = head.rstrip().rsplit(" ", 1)[-1].lower()
    if owns:
        return head + p[2] + tail
    if before in PREPS:
        return None if tail.strip("?. ") else head + p[1] + tail
    if before in ("is", "are", "was") and name.endswith("ing"):  # "when someone is choking"
        return None
    if before not in VERBS or head.lower().strip() in ("what is", "who is", "who was", "what are", "what was"):
        return None
    return head + p[0] + tail


_asking = re.compile(r"(since when|until when|when|where|why|who|how (?:many|much) [a-z]+|how (?!do\b|does\b|did\b|is\b|was\b|are\b|were\b|can\b)[a-z]+|which [a-z]+|in which [a-z]+|what (?:time|year|colour|language|currency|city|country|animal|unit|kind|share|temperature|number))\b", re.I)
IN_SHORT = Phrases(bars("{w}?|and {w}?|{w} exactly?|ok, {w}?|{w}|thanks. {w}?|and do you know {w}?|{w}, please|tell me {w}|so {w}?|just {w}?|{w} then?"))


BARE = ("when", "where", "why", "who", "since when", "until when")
_EMPTY = set("when where why who what which how since until did does do is are was were the and its his her their has have had can this that for with from".split())


def stems(text):
    return {w[:5] for w in re.findall(r"[a-z]{3,}", text.lower()) if w not in _EMPTY}


def matter(q, o):
    """The words of a question about an entry that say what is asked: not its name, nor what a third of its questions have."""
    asked = [stems(x) for x, _ in o["asks"]]
    return {w for w in stems(q) - stems(o["name"]) if 3 * sum(w in x for x in asked) < max(7, len(asked))}


def in_short(o, last):
    """The questions about an entry of which the first words say enough: [(question, answer, those words)].

    A bare "when?" is about what was just spoken of, so it stands for a question with a word of the last one.
    """
    asked = [(q, stop(a), m[0].lower()) for q, a in o["asks"] if q != last and (m := _asking.match(q)) and not (m[0].lower() == "who" and a.startswith(o["name"]))]
    first = _asking.match(last or "")
    words = [w for _, _, w in asked] + [first[0].lower() if first else ""]
    return [x for x in asked if words.count(x[2]) == 1 and (x[2] not in BARE or matter(x[0], o) & matter(last or "", o))]


def library_short(c, o, q, ans, word):
    """Another question about the same entry in one or two words; what was looked up before may have to do, where it still stands there."""
    r = c.r
    said = speak(r, fill(r.phrase(IN_SHORT), {"w": word}))[0]
    gone = c.lost(o["text"])
    if gone and r.chance(0.3):
        return library_gone(c, o, q, ans, said)
    shown = gone or r.chance(0.5)
    e = found(r, o, ans) if shown else (o["name"], o["text"])
    c.say(said, *([material(r, around(r, e))] if shown else []))
    c.answer("They mean %s: %s; its entry says: %s" % (o["name"], q.rstrip("?. "), says(o, e[1], ans)), ans, key(ans, q + " " + o["name"], "pronouns"), needs_material=shown)
    c.about = ("library", o, q)
    c.done()


def library_gone(c, o, q, ans, said):
    """The same, and the entry was not looked up again: nothing that stands there says it."""
    r = c.r
    entries = [e for e in (noise_entry(r) for _ in range(r.int(0, 2))) if o["name"].lower() not in e[1].lower()]
    c.say(said, *([material(r, entries)] if entries else []))
    full = "They mean %s: %s; " % (o["name"], q.rstrip("?. "))
    if c.has("web_search") and r.chance(0.5):
        c.call(full + "nothing here says it, so I search the web.", [make_call("web_search", {"query": query_of(q)})])
        searched(c, o, q, ans, "")
    else:
        c.answer(full + "nothing here says it, and I must not guess.",
                 "I don't know that about %s offline: what I have here does not say it. A larger model or a web search would help." % o["name"], check_honest("unknown"))
    c.about = None
    c.done()


DOUBT = Phrases(bars("""no its {w}|no, it's {w}|no it is {w}|I thought it was {w}|isn't it {w}?|it's {w}, I think|that's wrong, it is {w}|my friend says {w}|are you sure? I thought {w}|hm, I always thought it's {w}|but it is {w}|wrong, {w}|no way, {w}|and not {w}?|I'd have said {w}|surely it's {w}"""))


def library_doubt(c):
    """They say that it is something else: what was looked up stays."""
    r, last = c.r, c.msgs[-1]
    if last["role"] != "assistant" or not last["content"] or "\n" in last["content"] or len(last["content"]) > 200:
        return library_follow(c)
    w = r.pick((r.city, r.name, lambda: str(r.int(3, 2020)), r.noun))()
    if r.chance(0.3):
        w = w.lower()
    c.say(speak(r, r.phrase(DOUBT), {"w": w}, typos=False, frame=False)[0])
    c.answer("They say that it is %s; what I looked up says: %s" % (w, last["content"]), "What I looked up says: " + last["content"], check_text("pronouns", [last["content"].rstrip(".")]))
    c.about = None
    c.done()


def library_follow(c):
    """Another question about the same entry, with a pronoun for its name."""
    r, (_, o, last) = c.r, c.about
    short = in_short(o, last)
    if short and r.chance(0.3):
        return library_short(c, o, *r.pick(short))
    p, ruled = pronoun(o), by_rule(r, o)
    fits = []
    for q, a in [(q, stop(a)) for q, a in o["asks"]] + ([ruled] if ruled else []):
        said = with_pronoun(q, o["name"], p) if p and q != last else None
        if said:
            fits.append((q, a, said))
    if not fits:
        return library_further(c, o, last)
    q, ans, said = r.pick(fits)
    m = _of.search(q)
    if m and q[m.end():].rstrip("?. ").lower() in (o["name"].lower(), "the " + o["name"].lower()) and (p[0] != "it" or r.chance(0.5)):
        said = fill(r.phrase(FOLLOW), {"its": p[2], "k": m.group(1)})
    else:
        said = ("and " if r.chance(0.25) else "") + lower_first(said)
    e = found(r, o, ans)
    c.say(speak(r, said.replace("{", "("))[0], material(r, around(r, e)))
    c.answer("They mean %s: %s; its entry says: %s" % (o["name"], q.rstrip("?. "), says(o, e[1], ans)), ans, key(ans, q + " " + o["name"], "pronouns"), needs_material=True)
    c.about = ("library", o, q)
    c.done()


ON_IT = Phrases(*LATE["ON_IT"])


def library_further(c, o, last):
    """Another question about the same entry in its own words, where a pronoun would not be good English."""
    r = c.r
    rest = [(q, stop(a)) for q, a in o["asks"] if q != last]
    if not rest or r.chance(0.2):
        return again(c)
    q, ans = r.pick(rest)
    form = r.phrase(ON_IT)
    said = form.replace("{q}", lower_first(q) if form[0] != "{" and ". {" not in form else q)
    e = found(r, o, ans)
    c.say(speak(r, said.replace("{", "("))[0], material(r, around(r, e)))
    c.answer("%s: the entry on %s says: %s" % (upper_first(q.rstrip("?. ")), o["name"], says(o, e[1], ans)), ans,
             key(ans, q, "pronouns"), needs_material=True)
    c.about = ("library", o, q)
    return c.done()


def library_switch(c):
    """The same question for another entry of its sort."""
    r, (_, o, last) = c.r, c.about
    i = rule_of(r, o, last)
    if i is None:
        return library_follow(c)
    for _ in range(12):
        other = r.pick(KIN[(o.get("tags") or [""])[-1]])
        if bucket(other["name"]) == r.held and other["name"] != o["name"]:
            other = twisted(r, other)
            got = by_rule(r, other, i)
            if got:
                break
    else:
        return library_follow(c)
    q, ans = got
    e = found(r, other, ans)
    c.say(speak(r, r.phrase(SWITCH), {"n": named(other)}, typos=False)[0], material(r, around(r, e, 2)))
    c.answer("The same question, now for %s: %s; its entry says: %s" % (other["name"], q.rstrip("?. "), says(other, e[1], ans)), ans, key(ans, q, "pronouns"), needs_material=True)
    c.about = ("library", other, q)
    c.done()
