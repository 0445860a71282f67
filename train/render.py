"""From a sample to the prompt's text, and to the rows of a tree that training learns from.

A sample is what the generators yield (README.md). The prompt's form is that of
internal/gateway/builtin/prompt; testdata/render.json holds the cases that both
must meet:

    python3 train/render.py --check

Parts: a prompt is a list of special ids (int) and runs of plain text (str).
A run is encoded as a whole, so that ids do not depend on who cut it.

Tree: a conversation is a trunk (what a later turn sees: no thoughts) with one
branch for each turn that is learnt (thought and answer). A branch goes on from
the trunk's position after "assistant\\n"; the trunk's own form of that turn
follows with the same position. Token k may be seen by token q if k <= q < end[k],
in the order in which they are laid out: end is the end of the branch for a token
of a branch and the end of the conversation for one of the trunk. So each turn
is learnt under exactly the conditions of use, at the cost of one pass.
"""

import argparse
import json
import os
import sys

from tok import BOS, CALL, END, SPECIALS, START, THINK, UNCALL, UNTHINK

HERE = os.path.dirname(os.path.abspath(__file__))
NONE, TRUNK, FULL = 0, 1, 2  # codes of loss weights
OFF_SHARE = 0.15  # of the turns that think also get a branch without a thought


def strings(v):
    """v if it is a list of texts, else nothing."""
    return v if isinstance(v, list) and all(isinstance(e, str) for e in v) else []


def kind(schema):
    """The type of a parameter as a tool line writes it."""
    s = schema if isinstance(schema, dict) else {}
    t = s.get("type")
    if isinstance(t, list):
        return "|".join(strings(t)) or "any"
    if t == "string" and strings(s.get("enum")):
        return "|".join(s["enum"])
    return t or "any"


def keys(schema):
    """The properties of an object's schema in the order of writing: required, then the others by name."""
    s = schema if isinstance(schema, dict) else {}
    need = list(dict.fromkeys(strings(s.get("required"))))
    return need + sorted(k for k in s.get("properties") or {} if k not in need)


def tool_line(tool):
    """What a tool does comes before its name. A network that reads from left to right knows at the
    name what the name means; the other way round it had to look names up backwards."""
    p = tool.get("parameters") or {}
    props, need = p.get("properties") or {}, strings(p.get("required"))
    args = ", ".join(k + (": " if k in need else "?: ") + kind(props.get(k)) for k in keys(p))
    about = " ".join((tool.get("description") or "").split())
    return (about + " -> " if about else "") + tool["name"] + "(" + args + ")"


def ordered(v, schema):
    """v with the keys of its objects in the order of the schema, unknown ones last and by name."""
    s = schema if isinstance(schema, dict) else {}
    if isinstance(v, dict):
        known, props = keys(s), s.get("properties") or {}
        names = [k for k in known if k in v] + sorted(k for k in v if k not in known)
        return {k: ordered(v[k], props.get(k)) for k in names}
    if isinstance(v, list):
        return [ordered(e, s.get("items")) for e in v]
    return v


def call_json(call, tools):
    schema = next((t.get("parameters") for t in tools if t["name"] == call["name"]), None)
    args = ordered(call.get("arguments") or {}, schema)
    return json.dumps({"name": call["name"], "arguments": args}, ensure_ascii=False)


def canonical(text, schema):
    """A JSON answer in the form that the constraint of decoding allows; other text as it is."""
    if schema and text[:1] in ("{", "["):
        try:
            return json.dumps(ordered(json.loads(text), schema), ensure_ascii=False)
        except ValueError:
            pass
    return text


def paragraphs(a, b):
    return a + "\n\n" + b if a and b else a + b


def fold(messages):
    """The system's words, and the other messages with neighbours of one role joined."""
    system, rest = "", []
    for m in messages:
        if m["role"] == "system":
            system = paragraphs(system, m["content"])
        elif rest and m["role"] != "tool" and rest[-1]["role"] == m["role"]:
            last = rest[-1]
            rest[-1] = {"role": m["role"], "content": paragraphs(last.get("content") or "", m.get("content") or ""),
                        "calls": (last.get("calls") or []) + (m.get("calls") or [])}
        else:
            rest.append(m)
    return system, rest


def head(system, tools):
    """The parts before the first turn; the system block's run is cut where ids cannot change."""
    if not tools:
        return [BOS] + ([START, "system\n" + system, END, "\n"] if system else [])
    lines = [tool_line(t) for t in tools]
    first = "system\n" + (system + "\n\n" if system else "") + "# Tools\n"
    return [BOS, START, first] + [t + "\n" for t in lines[:-1]] + [lines[-1], END, "\n"]


def body(message, tools):
    """What an assistant says, without its thought, as parts (text before calls)."""
    text, calls = message.get("content") or "", message.get("calls") or []
    out = [text + "\n" if calls else text] if text else []
    for i, c in enumerate(calls):
        out += (["\n"] if i else []) + [CALL, call_json(c, tools), UNCALL]
    return out


def turn(message, tools):
    """The parts of one earlier message."""
    if message["role"] == "assistant":
        parts = body(message, tools)
        if parts and isinstance(parts[0], str):
            return [START, "assistant\n" + parts[0], *parts[1:], END, "\n"]
        return [START, "assistant\n", *parts, END, "\n"]
    name = message["name"] + "\n" if message["role"] == "tool" else ""
    return [START, message["role"] + "\n" + name + (message.get("content") or ""), END, "\n"]


def prompt(sample, upto=None, think=True):
    """The parts of the prompt before message number upto (None: after all)."""
    tools = sample.get("tools") or []
    system, messages = fold(sample["messages"][:upto])
    out = head(system, tools)
    for m in messages:
        out += turn(m, tools)
    out += [START, "assistant\n"]
    return out if think else out + [THINK, UNTHINK, "\n"]


def text(parts):
    return "".join(SPECIALS[p] if isinstance(p, int) else p for p in parts)


def encode(parts, enc):
    out = []
    for p in parts:
        if isinstance(p, int):
            out.append(p)
        else:
            out += enc.encode(p)
    return out


def runs(sample):
    """The plain texts of a sample, for learning a vocabulary."""
    tools = sample.get("tools") or []
    system, messages = fold(sample["messages"])
    parts = head(system, tools)
    for m in messages:
        parts += [m.get("think") or "", *turn(m, tools)]
    return [p for p in parts if p and isinstance(p, str)]


class Tree:
    """One conversation laid out; end is relative to its own start, pos counts from the prefix's end."""

    __slots__ = ("ids", "pos", "end", "weight", "turns", "cut")

    def __init__(self):
        self.ids, self.pos, self.end, self.weight = [], [], [], []
        self.turns, self.cut = 0, False

    def trunk(self, ids, at, weight):
        self.ids += ids
        self.pos += range(at, at + len(ids))
        self.end += [0] * len(ids)  # set by close
        self.weight += weight
        return at + len(ids)

    def branch(self, given, learnt, at):
        self.ids += given + learnt
        self.pos += range(at, at + len(given) + len(learnt))
        self.end += [len(self.ids)] * (len(given) + len(learnt))
        self.weight += [NONE] * len(given) + [FULL] * len(learnt)
        self.turns += 1

    def drop(self, n):
        for a in (self.ids, self.pos, self.end, self.weight):
            del a[n:]

    def close(self):
        n = len(self.ids)
        self.end = [e or n for e in self.end]
        return self


def prefix(parts, enc):
    """The ids of a head, which comes again and again."""
    out = []
    for p in parts:
        if isinstance(p, int):
            out.append(p)
        else:
            out += enc.encode_kept(p)
    return out


def tree(messages, tools, schema, enc, rng, start, room):
    """The tree of folded messages after a prefix of start tokens, or None if no learnt turn fits in room.

    A conversation that is too long keeps its first turns.
    """
    t, at = Tree(), start
    last = max((i for i, m in enumerate(messages) if m.get("train")), default=-1)
    say, line = enc.encode_kept("assistant\n"), enc.encode_kept("\n")
    whole = (0, 0)
    for i, m in enumerate(messages[:last + 1]):
        if m["role"] != "assistant":
            ids = encode(turn(m, tools), enc)
            free = min(len(ids), 3)
            at = t.trunk(ids, at, [NONE] * free + [TRUNK] * (len(ids) - free - 1) + [NONE] * (len(ids) > free))
        else:
            said = canonical((m.get("content") or "").strip(), schema)
            parts = body({**m, "content": said}, tools)
            ids = encode(parts, enc)
            at = t.trunk([START] + say, at, [NONE] * (1 + len(say)))
            if m.get("train"):
                think = (m.get("think") or "").strip()
                off = bool(m.get("off")) or not think
                if not off:
                    t.branch([], [THINK] + enc.encode(think) + [UNTHINK] + line + ids + [END], at)
                if off or rng.random() < OFF_SHARE:
                    t.branch([THINK, UNTHINK] + line, ids + [END], at)
            if len(t.ids) <= room and t.turns > whole[1]:
                whole = (len(t.ids), t.turns)
            if i < last:
                at = t.trunk(ids + [END] + line, at, [NONE] * (len(ids) + 1 + len(line)))
        if len(t.ids) > room:
            t.cut = True
            break
    if not whole[1]:
        return None
    t.drop(whole[0])
    t.turns = whole[1]
    return t.close()


def check(path):
    """Compares the prompts of a table of cases with what stands beside them."""
    with open(path, encoding="utf-8") as f:
        cases = json.load(f)["cases"]
    bad = 0
    for c in cases:
        got = text(prompt(c, think=c["think"] != "off"))
        if got != c["text"]:
            bad += 1
            print("case %s\n  want %r\n  got  %r" % (c["name"], c["text"], got))
    print("%d of %d cases differ" % (bad, len(cases)))
    return bad == 0 and bool(cases)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--check", action="store_true", help="compare with testdata/render.json")
    p.add_argument("--show", type=int, metavar="N", help="print N generated samples as prompts and answers")
    p.add_argument("--held", action="store_true")
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    if a.check:
        sys.exit(not check(os.path.join(HERE, "testdata", "render.json")))
    if a.show:
        show(a.show, a.seed, a.held)


def show(n, seed, held):
    import itertools
    import source
    for sample in itertools.islice(source.samples(seed, held), n):
        tools = sample.get("tools") or []
        system, messages = fold(sample["messages"])
        print("=" * 20, sample.get("kind"))
        print(text(head(system, tools)), end="")
        for m in messages:
            if m["role"] == "assistant" and m.get("train"):
                off = " off" if m.get("off") else ""
                print("[learnt%s: <think>%s</think>  %s]" % (off, m.get("think", ""), json.dumps(m.get("check"), ensure_ascii=False)))
            print(text(turn(m, tools)), end="")


if __name__ == "__main__":
    main()
