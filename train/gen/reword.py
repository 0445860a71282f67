"""Other words for the same wish, for training only.

A template passes through chance changes that keep its meaning: words of a
group are exchanged, politeness comes and goes, letters are mistyped. Slots
stay as they are. Held-out phrasings never come here, so that they show
what the model makes of a person's words as they were written.
"""
import re

from . import reword_lists as lists
from .hall import read_lines

_token = re.compile(r"[A-Za-z']+|[^A-Za-z']+")


def compile_groups(lines):
    """{first word: [(words, alternatives)]}, longest first."""
    out = {}
    for line in lines:
        marked = [m.strip() for m in line.split("|") if m.strip()]
        members = [m.rstrip("*") for m in marked]
        if len(members) < 2:
            continue
        for m in marked:
            words = m.lower().split(" ")
            if m.endswith("*") or len(words) > 6 or not all(re.fullmatch(r"[a-z']+", w) for w in words):
                continue  # can stand for another, but is not looked for
            others = tuple(o for o in members if o != m)
            out.setdefault(words[0], []).append((tuple(words), others))
    for v in out.values():
        v.sort(key=lambda x: -len(x[0]))
    return out


# Openings mean the same anywhere; the rest only in a template, where no value can be
# hit, and words about files and searches only where such a slot stands.
_more = read_lines("synonyms.txt")
OPENINGS = compile_groups(lists.OPENINGS)
ANY = compile_groups(lists.OPENINGS + lists.GENERAL + _more)
ALL = compile_groups(lists.OPENINGS + lists.OWN + lists.GENERAL + _more)
OWN_SLOTS = {"path", "folder", "word", "text", "old", "new", "topic", "url", "preference", "person", "place", "event", "day", "q", "p", "f", "w", "e", "u"}
ASKING = "do did does can could will would shall should must may might have am was".split()
_apostrophe = re.compile(r"(?<=[a-zA-Z])'(?=(?:s|m|t|ve)\b)")
_spots, _own = {}, {}


def spots(text, groups):
    """Where a group's member stands in a text: [(begin, end, alternatives)]."""
    tokens = _token.findall(text)
    starts, at = [], 0
    for w in tokens:
        starts.append(at)
        at += len(w)
    out, i, n = [], 0, len(tokens)
    low = [w.lower() for w in tokens]
    while i < n:
        known = groups.get(low[i])
        before = low[i - 2] if i > 1 else ""
        if known and before not in ("a", "the") and not (low[i] == "i" and before in ASKING):  # not a noun, as in "have a look", and no question: "what do I need"
            for words, others in known:
                j = i + 2 * len(words) - 1
                if j <= n and low[i:j:2] == list(words) and tokens[i + 1:j:2] == [" "] * (len(words) - 1):
                    out.append((starts[i], starts[j - 1] + len(tokens[j - 1]), others))
                    i = j - 1
                    break
        i += 1
    return out


def part_spots(text, own):
    """The same, remembered: made wishes have pieces in common."""
    cache = _own if own else _spots
    got = cache.get(text)
    if got is None:
        if len(cache) > 60000:
            cache.clear()
        got = cache[text] = spots(text, ALL if own else ANY)
    return got


def opening(text):
    """How a text opens, if that can be said otherwise: [(begin, end, alternatives)]."""
    words = text[:48].split(" ", 6)[:6]
    low = [w.lower() for w in words]
    for at in (0, 1):
        known = OPENINGS.get(low[at]) if at < len(low) else None
        for need, others in known or ():
            if low[at:at + len(need)] == list(need):
                begin = sum(len(w) + 1 for w in words[:at])
                return [(begin, begin + sum(len(w) + 1 for w in need) - 1, others)]
    return []


def find(parts):
    """The spots of all texts of a template: [(part, begin, end, alternatives)]."""
    if len(parts) == 1:
        return [(0,) + s for s in opening(parts[0])]
    own = any(s.rstrip("0123456789") in OWN_SLOTS for s in parts[1::2])
    return [(i,) + s for i in range(0, len(parts), 2) if parts[i] for s in part_spots(parts[i], own)]


def vary(r, parts, polite=True):
    """The parts of a template in other words; half of the time as they are."""
    if r.chance(0.5):
        return parts
    out = list(parts)
    places = find(parts) if r.chance(0.8) else None
    if places:
        n = 1 if len(places) == 1 or r.chance(0.5) else 2
        for i, a, b, others in sorted(r.some(places, n), key=lambda x: (x[0], -x[1])):
            new = r.pick(others)
            if out[i][a].isupper() and new[0] != "I":
                new = new[0].upper() + new[1:]
            out[i] = out[i][:a] + new + out[i][b:]
    if len(out) > 1:
        x = r.random()
        if x < 0.1:
            for i in range(0, len(out), 2):
                out[i] = out[i].lower()
        elif x < 0.16:
            i = 2 * r.int(0, (len(out) - 1) // 2)
            out[i] = mistype(r, out[i])
        elif x < 0.2 and polite:
            out = politely(r, out)
    if r.chance(0.1):
        out[::2] = [_apostrophe.sub("", x) for x in out[::2]]
    if out[-1] and out[-1][-1] in "?.!" and r.chance(0.12):
        out[-1] = (out[-1][:-1] + r.pick(("??", "?!", " ?", "...", "???", "")) if out[-1][-1] == "?"
                   else out[-1][:-1] + r.pick(("", "!", "..", " .")))
    return out


def politely(r, parts):
    """Please comes, goes or moves."""
    out = list(parts)
    for i in range(0, len(out), 2):
        low = out[i].lower()
        for form in ("please ", " please", "pls ", " pls"):
            if form in low:
                at = low.index(form)
                out[i] = out[i][:at] + out[i][at + len(form):]
                return out
    if out[0] and out[0][:1].isalpha():
        out[0] = (r.pick(("please ", "pls ", "plz ", "kindly ")) + out[0][0].lower() + out[0][1:] if not out[0].startswith(("I ", "I'"))
                  else out[0])
    return out


NEAR = {a: b for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm") for a, b in zip(row, row[1:] + row[-2])}


def mistype(r, text):
    """One word of a text is written wrongly; short words and odd ones stay."""
    words = text.split(" ")
    at = [i for i, w in enumerate(words) if len(w) > 3 and w.isalpha() and w.islower()]
    if not at:
        return text
    i = r.pick(at)
    w = words[i]
    k, x = r.int(1, len(w) - 2), r.random()
    if x < 0.35:
        w = w[:k] + w[k + 1] + w[k] + w[k + 2:]
    elif x < 0.6:
        w = w[:k] + w[k + 1:]
    elif x < 0.8:
        w = w[:k] + w[k] + w[k:]
    else:
        w = w[:k] + NEAR.get(w[k], w[k]) + w[k + 1:]
    words[i] = w
    return " ".join(words)


def context(r):
    """A sentence beside the matter."""
    return lists.context(r)
