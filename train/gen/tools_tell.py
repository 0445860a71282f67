"""What is thought and said of a tool of others: which words of a wish are which value, and all that a result newly tells."""
import json
import re

from .slots import slots_of

# --- a wish, read word by word ---

LONG = 5  # of more words than these only both ends are named


def stands_at(said, low, words):
    """Where words stand in a text, not as a part of longer ones; -1 where they do not. low: the text in small letters."""
    w = words.lower()
    at = low.find(w)
    while at >= 0:
        end = at + len(w)
        if not (at and low[at - 1].isalnum() and w[0].isalnum()) and not (end < len(low) and low[end].isalnum() and w[-1].isalnum()):
            return at
        at = low.find(w, at + 1)
    return -1


def ends_of(words):
    """The words, or the first and the last of many: where they begin and end is what counts."""
    w = words.split()
    return words if len(w) <= LONG else "%s %s ... %s" % (w[0], w[1], w[-1])


def as_written(v):
    return {True: "true", False: "false"}[v] if isinstance(v, bool) else str(v)


def reading(b, said, words, args):
    """ (WORDS = PARAMETER; …) in the order in which they are said; the value too where it is written otherwise."""
    low, out = said.lower(), []
    for i, p in enumerate(b.kind.params):
        name = b.names[p.key]
        if name not in args:
            continue
        v, w = args[name], str(words.get("~" + p.key) or words.get(p.key) or "")
        if isinstance(v, str) and w.endswith(" " + v):  # without the article
            w = v
        at = stands_at(said, low, w) if w else -1
        if at < 0 and "~" + p.key in words:  # said in a way that was changed by the voice
            out.append((len(low) + i, "%s %s" % (name, as_written(v))))
            continue
        w = said[at:at + len(w)] if at >= 0 else w
        same = isinstance(v, list) or as_written(v).lower() == w.lower()
        out.append((at if at >= 0 else len(low) + i, "%s = %s%s" % (ends_of(w), name, "" if same else " " + ends_of(as_written(v)))))
    return " (" + "; ".join(t for _, t in sorted(out)) + ")" if out else ""


# --- a result, told ---

OPENINGS = ("", "", "", "Done: ", "It says: ", "The tool says: ", "This came back: ")


def in_own_words(r, result, words):
    """A result as an answer: the fields of an object, or its line, and what it was asked about where it does not say that itself. None where it is neither."""
    text = " ".join(result.split())
    if text[:1] in "{[":
        try:
            fields = json.loads(text, parse_float=str, parse_int=str)  # as they are written
        except ValueError:
            return None
        if not isinstance(fields, dict) or any(v is None or isinstance(v, (dict, list)) for v in fields.values()):
            return None
        link, between = r.pick(((" ", ", "), (": ", "; "), (": ", ", "), (" ", "; ")))
        text = between.join(field(k.replace("_", " "), v, link) for k, v in fields.items())
    about = [w for k, w in words.items() if k[0] not in "~#" and isinstance(w, str) and w and len(w.split()) < LONG]
    opening = "For %s: " % about[0] if about and not any(w in text for w in about) and r.chance(0.8) else r.pick(OPENINGS)
    return opening + (text if opening else text[:1].upper() + text[1:]) + ("" if text[-1:] in ".!?" else ".")


def field(name, v, link):
    if isinstance(v, bool):
        return name if v else "not " + name
    return name + link + str(v)


_tellers = {}
_clause = re.compile(r"[,;:()\n|]|\. |\.$| - ")


def piece(result, slot):
    """The words of a result that bring in one of its values, to be put after an answer that leaves it out."""
    s = re.escape("{%s}" % slot)
    m = re.search(r'"(\w+)": "([^"]*%s[^"]*)"' % s, result) or re.search(r'"(\w+)": (%s)' % s, result)
    if m:
        return m.group(1).replace("_", " ") + " " + m.group(2)
    clause = next(c for c in _clause.split(result) if "{%s}" % slot in c).replace("=", " ")
    before, after = clause.split("{%s}" % slot, 1)
    before = " ".join(before.rpartition("}")[2].split()[-4:])
    after = " ".join(after.split("{")[0].split()) if "{" not in after else ""
    glued = clause.split("{%s}" % slot, 1)[1][:1].strip() and after  # "{code}.jpg"
    text = (before + " " if before else "") + "{%s}" % slot + ("" if glued or not after else " ") + after
    return text[:1].lower() + text[1:]


def tellers(result, answers, given):
    """([answers that tell all that the result newly says], [its slots that nobody gave])"""
    key = (result, tuple(answers), tuple(sorted(given)))
    out = _tellers.get(key)
    if out is None:
        known = set(slots_of(result)) | set(given)
        new = [s for s in dict.fromkeys(slots_of(result)) if s not in given]
        fits = [a for a in answers if set(slots_of(a)) <= known]
        told = lambda a: sum(s in slots_of(a) for s in new)
        most = max(map(told, fits), default=0)
        out = [a for a in fits if told(a) == most]
        if most < len(new):
            out = [a.rstrip(".") + "".join("; " + piece(result, s) for s in new if s not in slots_of(a)) + "." for a in out]
        if len(_tellers) > 20000:
            _tellers.clear()
        _tellers[key] = out = (out, new)
    return out
