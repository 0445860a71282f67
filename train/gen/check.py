"""Looks whether samples are sound: python3 -m gen.check [conversations] (from train/).

Calls must fit the tools on offer, no slot may be left open, what evaluation
looks for must stand in the answer itself, what a thought quotes before it, and a
seed must repeat its stream.
"""
import collections
import hashlib
import itertools
import json
import re
import sys

import score

from . import stream
from .chat import conversation
from .rng import Rng

QUOTES = re.compile(r"(?:: the (?:entry on [^:]+|text above|material)|; its entry) says: (.+?)(?:\. |\.?$)", re.S)
SLOT = re.compile(r"\{[a-z_]+[0-9]?\}")
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list}


def check_call(call, specs):
    """What is wrong with a call."""
    spec = specs.get(call["name"])
    if spec is None:
        return ["a tool that is not on offer"]
    p, out = spec["parameters"], []
    props, req = p.get("properties", {}), p.get("required", [])
    for k, v in call["arguments"].items():
        if k not in props:
            out.append("an argument that is not in the schema")
            continue
        t = props[k].get("type")
        if not isinstance(v, TYPES.get(t, object)) or t in ("integer", "number") and isinstance(v, bool):
            out.append("an argument of another type")
        if "enum" in props[k] and v not in props[k]["enum"]:
            out.append("a value outside the enum")
        if v == "" and k != "new_text" or isinstance(v, str) and SLOT.search(v):
            out.append("an empty or open argument")
    if any(k not in call["arguments"] for k in req):
        out.append("a required argument is missing")
    order = list(req) + sorted(k for k in props if k not in req)
    if [k for k in order if k in call["arguments"]] != list(call["arguments"]):
        out.append("arguments out of order")
    return out


def check_turn(m):
    """What is wrong with the check of a trained turn."""
    c = m.get("check")
    if not c or not c.get("group"):
        return ["a turn without a check"]
    out = []
    if c["type"] == "contains" and not score.holds(m["content"], c["all"]):
        out.append("the answer does not hold what is looked for")
    if any(n and n in m["content"] for n in c.get("none") or []):
        out.append("the answer holds what must not come")
    return out


def check_quote(m, before):
    """Whether a thought quotes what stands nowhere, as after an entry that is gone by then: who learns that learns to make things up."""
    q = QUOTES.search(m["think"] or "")
    words = [w for w in re.findall(r"\w+", q[1]) if len(w) > 3 or w.isdigit()] if q else []
    return ["a quotation of what stands nowhere"] if 3 * sum(w not in before for w in words) > len(words) else []


def check_sample(s):
    specs, out, before, said = {t["name"]: t for t in s["tools"]}, [], None, set()
    if len(specs) != len(s["tools"]):
        out.append("two tools of one name")
    for m in s["messages"]:
        if any(k.startswith("_") for k in m):
            out.append("a private key")
        if m["role"] in ("user", "assistant") and SLOT.search(m["content"]):
            out.append("an open slot")
        if m["role"] == "assistant":
            if not m["content"] and not m["calls"]:
                out.append("an empty reply")
            if m["train"]:
                out += check_turn(m) + check_quote(m, said)
                for c in m["calls"]:
                    out += check_call(c, specs)
        if before == m["role"] == "user":
            out.append("two messages of the person in a row")
        before = m["role"]
        said |= set(re.findall(r"\w+", m["content"] or ""))
    if before != "assistant":
        out.append("the end is no reply")
    return out


def digest(seed, n):
    h = hashlib.sha256()
    for s in itertools.islice(stream(seed), n):
        h.update(json.dumps(s, sort_keys=True).encode())
    return h.hexdigest()


def main(n):
    found, example = collections.Counter(), {}
    for held in (False, True):
        r = Rng(99, held)
        for _ in range(n):
            s = conversation(r)
            for what in check_sample(s):
                found[what] += 1
                example.setdefault(what, s)
    for what, k in found.most_common():
        print(k, what)
        print(json.dumps(example[what]["messages"], ensure_ascii=False)[:1500])
    same = digest(5, 200) == digest(5, 200)
    print("%d conversations, %d faults, a seed %s" % (2 * n, sum(found.values()), "repeats" if same else "DOES NOT REPEAT"))
    return 1 if found or not same else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000))
