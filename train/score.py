"""Reads what the model generated and scores it by a turn's check. Standard library only."""

import json
import re

from tok import CALL, END, SPECIALS, THINK, UNCALL, UNTHINK

HONEST = re.compile(
    r"don't know|do not know|not know|(don't|do not|can't|cannot) (remember|recall)|no memory|don't have|do not have|can't|cannot|could not|couldn't|unable|not sure|no tool|nothing|no information"
    r"|not able|isn't (in|there)|is not (in|there)|not found|no (entry|result|note|record|match|mention)|not (say|mention|tell)|doesn't|does not|too small|didn't find|did not find|(have not|haven't|never|not) told", re.I)


class Answer:
    """A generated turn: thought, text, calls, and whether it is well formed."""

    def __init__(self, ids, enc, given=False):
        """given: the empty thought stood in the prompt already."""
        self.ended = END in ids
        ids = ids[:ids.index(END)] if self.ended else ids
        self.think, self.sound = "", self.ended
        if not given:
            if ids[:1] == [THINK] and UNTHINK in ids:
                at = ids.index(UNTHINK)
                self.think, ids = enc.decode(ids[1:at]), ids[at + 1:]
            else:
                self.sound = False
        self.calls, words, at = [], [], 0
        while at < len(ids):
            if ids[at] == CALL:
                stop = ids.index(UNCALL, at) if UNCALL in ids[at:] else len(ids)
                self.call(enc.decode(ids[at + 1:stop]))
                at = stop + 1
            else:
                words.append(ids[at])
                at += 1
        self.sound = self.sound and all(i >= len(SPECIALS) for i in words)
        self.text = enc.decode(words).strip()

    def call(self, raw):
        try:
            c = json.loads(raw)
            self.calls.append((c["name"], c["arguments"]))
        except (ValueError, KeyError, TypeError):
            self.sound = False


class Said:
    """The same of a turn that train/judge has answered: the host saw to its form."""

    def __init__(self, said):
        self.think, self.text = said.get("thinking") or "", (said.get("text") or "").strip()
        self.calls = [(c["name"], c["arguments"]) for c in said.get("calls") or []]
        self.ended = not said.get("error") and said.get("stop") in ("done", "tools")
        self.sound = self.ended


COMMA = re.compile(r"(?<=\d),(?=\d{3}\b)")
LONG = re.compile(r"\d+\.\d{7,}")
NUMBER = re.compile(r"\d+(\.\d+)?$")


def plain(text):
    """A text as it is compared: capitals, the commas of thousands, curly quotes and runs of white space do not count."""
    return COMMA.sub("", " ".join(str(text).lower().replace("’", "'").replace("“", '"').replace("”", '"').split()))


def stands(word, low):
    """Whether a word stands in a text; a number not as a part of a longer one, 7 not in 17, nor what has spaces around it, not in knots."""
    apart, word = str(word)[:1] == " ", plain(word)
    if apart:
        return re.search(r"(?<!\w)%s(?!\w)" % re.escape(word), low) is not None
    if LONG.fullmatch(word) and stands("%.2f" % float(word), low):  # the host rounds it
        return True
    if NUMBER.match(word):
        return re.search(r"(?<!\d)%s(?!\d)" % re.escape(word), low) is not None
    return word in low


def holds(text, words, how=all):
    """Whether all (or any) of the words stand in the text; a list among them means one of it."""
    low = plain(text)
    return how(any(stands(x, low) for x in w) if isinstance(w, list) else stands(w, low) for w in words)


def flat(v):
    """A value as a text to look for words in; the texts of a list stand as they are, without JSON's escapes."""
    if isinstance(v, list):
        return "\n".join(map(flat, v))
    return v if isinstance(v, str) else json.dumps(v, ensure_ascii=False)


SMALL = frozenset("""a an the what what's who who's whose when where which why how how's is are was were be am do does did has have had can could will would should may might
i me my mine you your he she it its we our they their this that these those there i'm i'd i've of in on at for from about with by to into as or and if but so please tell know say said""".split())


def sought(query):
    """The words of a query that a search goes by; ours drop the small ones."""
    words = [w for w in re.findall(r"[^\s,;:?!\"()]+", query.lower().replace("’", "'")) if w not in SMALL]
    return [w[:-2] if w.endswith("'s") else w.rstrip(".") for w in words] or query.lower().split()


FOREIGN = ("made", "meant", "set", "written")  # sorts of tools of others
ARTICLE = re.compile(r"(?:the|an?|my|our) (?=\S)")


def bare(v):
    """A value without a small article before it: "the winter relay" names the same as "winter relay"."""
    return ARTICLE.sub("", v, count=1) if isinstance(v, str) and ARTICLE.match(v) else v


def arguments_fit(got, want, loose=False):
    """Whether arguments are the same; of a query only the words that a search goes by count. Loose, for names of things: an article before them does not."""
    if got.keys() != want.keys():
        return False
    return all(sought(got[k]) == sought(v) if k == "query" and isinstance(v, str) and isinstance(got[k], str) else got[k] == v or loose
               and bare(got[k]) == bare(v) for k, v in want.items())


def call_fits(got, want):
    name, args = got
    if name != want["name"] or not isinstance(args, dict):
        return False
    if "arguments" in want and not arguments_fit(args, want["arguments"], want.get("kind") in FOREIGN):
        return False
    for key, words in want.get("contains", {}).items():
        if not holds(flat(args.get(key, "")), words):
            return False
    return all(args.get(key) in values for key, values in want.get("any", {}).items())


def calls_fit(answer, check):
    want = check.get("calls") or [check]
    left = list(answer.calls)
    for w in want:
        hit = next((c for c in left if call_fits(c, w)), None)
        if hit is None:
            return False
        left.remove(hit)
    return not left or len(left) == 1 and spared(left[0], check)


def spared(call, check):
    """Whether a call is the next one, which hangs on nothing that comes before it and might as well be made at once."""
    return "beside" in check and call_fits(call, check["beside"])


def named(answer, check):
    """Whether the right tools were called, whatever their arguments."""
    want = sorted(w["name"] for w in check.get("calls") or [check])
    got = sorted(n for n, _ in answer.calls)
    return got == want or any(spared(c, check) for c in answer.calls) and got == sorted(want + [check["beside"]["name"]])


def json_fits(text, check):
    try:
        v = json.loads(text)
    except ValueError:
        return False
    if "value" in check:
        return v == check["value"]
    if not isinstance(check["fields"], dict):  # the whole answer, a list say
        return v == check["fields"]
    if not isinstance(v, dict) or not all(v.get(k) == x for k, x in check["fields"].items()):
        return False
    if any(len(v.get(k) or ()) > n for k, n in check.get("most", {}).items()):
        return False
    return all(holds(flat(v.get(k, "")), words) for k, words in check.get("holds", {}).items())


def plan_fits(text, check):
    """What matters of a plan: for each wanted step one subtask of its type that names all of "must", at least
    half of "words", and waits for what it needs; no more subtasks than "most". A plan without steps says "direct" words."""
    try:
        got = json.loads(text)
        subs = [(s["id"], s["agent_type"], s["task"] + " " + " ".join(map(flat, s.get("inputs", []) + [*s.get("check", {}).values()])),
                 s["depends_on"]) for s in got["subtasks"]]
        direct = got.get("direct") or ""
    except (ValueError, KeyError, TypeError, AttributeError):
        return False
    if holds(text, check.get("none") or [], any):
        return False
    if not check["steps"]:
        return not subs and (holds(direct, check["direct"], any) if check.get("direct") else len(direct) > 0)
    known = [s[0] for s in subs] + check.get("known", [])
    if (len(subs) > check["most"] or len(set(s[0] for s in subs)) < len(subs)
        or any(d not in known or d == s[0] for s in subs for d in s[3])):
        return False
    took = []
    for w in check["steps"]:
        fits = [s for s in subs if s not in took and s[1] == w["agent_type"] and holds(s[2], w["must"])
                and 2 * sum(holds(s[2], [x]) for x in w["words"]) >= len(w["words"])]
        if not fits:
            return False
        took.append(fits[0])
        if any((took[n][0] if isinstance(n, int) else n) not in fits[0][3] for n in w.get("needs", [])):
            return False
    return True


def right(answer, check, gold):
    """Whether an answer meets its check; gold is the text that was wanted."""
    kind = check["type"]
    if kind == "call":
        return calls_fit(answer, check)
    if answer.calls:
        return False
    text = answer.text
    if kind == "exact":
        return text == gold.strip()
    if kind == "json":
        return json_fits(text, check)
    if kind == "plan":
        return plan_fits(text, check)
    if kind == "result":
        m = re.search(r"\[RESULT\]\s*(\S+)", text)
        return bool(m) and m.group(1).strip(".") in (check.get("any") or [str(check["value"])])
    if holds(text, check.get("none") or [], any):
        return False
    if not holds(text, check.get("all") or []):
        return False
    if check.get("any") and not holds(text, check["any"], any):
        return False
    if check.get("most") and sum(holds(text, [w]) for w in check["most"]) < 0.6 * len(check["most"]):  # of a whole sentence
        return False
    return bool(HONEST.search(text)) if kind == "honest" else len(text) > 0
