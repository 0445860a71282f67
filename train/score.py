"""Reads what the model generated and scores it by a turn's check. Standard library only."""

import json
import re

from tok import CALL, END, SPECIALS, THINK, UNCALL, UNTHINK

HONEST = re.compile(
    r"don't know|do not know|not know|(don't|do not|can't|cannot) (remember|recall)|no memory|don't have|do not have|can't|cannot|could not|couldn't|unable|not sure|no tool|nothing|no information"
    r"|not able|isn't (in|there)|is not (in|there)|not found|no (entry|result|note|record|match|mention)|not (say|mention|tell)|doesn't|does not|too small|didn't find|did not find", re.I)


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


def holds(text, words, how=all):
    """Whether all (or any) of the words stand in the text; a list among them means one of it."""
    low = text.lower()
    return how(any(str(x).lower() in low for x in w) if isinstance(w, list) else str(w).lower() in low for w in words)


def flat(v):
    return v if isinstance(v, str) else json.dumps(v, ensure_ascii=False)


def call_fits(got, want):
    name, args = got
    if name != want["name"] or not isinstance(args, dict):
        return False
    if "arguments" in want and args != want["arguments"]:
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
    return not left


def named(answer, check):
    """Whether the right tools were called, whatever their arguments."""
    want = check.get("calls") or [check]
    return sorted(n for n, _ in answer.calls) == sorted(w["name"] for w in want)


def json_fits(text, check):
    try:
        v = json.loads(text)
    except ValueError:
        return False
    if "value" in check:
        return v == check["value"]
    if not isinstance(check["fields"], dict):  # the whole answer, a list say
        return v == check["fields"]
    return isinstance(v, dict) and all(v.get(k) == x for k, x in check["fields"].items())


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
    if kind == "result":
        m = re.search(r"\[RESULT\]\s*(\S+)", text)
        return bool(m) and m.group(1).strip(".") == str(check["value"])
    if holds(text, check.get("none") or [], any):
        return False
    if not holds(text, check.get("all") or []):
        return False
    if check.get("any") and not holds(text, check["any"], any):
        return False
    return bool(HONEST.search(text)) if kind == "honest" else len(text) > 0
