"""Scores a model on held-out samples and on the probes.

    python3 train/evaluate.py --model out --turns 3000 --out out

Greedy decoding over the int8 weights, nothing constrained: what the host adds (offered names
only, well-formed JSON) comes on top. Writes report.txt, report.json and failures.jsonl.

What the host makes of the same turns (grammar, names, gate) is measured in three steps; neither
needs a GPU, the program has its weights with it:

    python3 train/evaluate.py --dump turns.jsonl --turns 600
    go run ./train/judge turns.jsonl >answers.jsonl
    python3 train/evaluate.py --score answers.jsonl --out out
"""

import argparse
import itertools
import json
import os
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
if HERE not in sys.path:
    sys.path.insert(0, HERE)

import render
import score
import tok

PROBES = [n for n in ("probes", "probes2") if os.path.exists(os.path.join(HERE, "data", n + ".jsonl"))]


def group_of(check):
    """The line of the table in which a turn counts. Two calls in one answer are no sequence of two tools."""
    group = check.get("group", "none")
    return "two_at_once" if group == "two_tools" and len(check.get("calls") or []) > 1 else group


class Turn:
    """One answer to be scored."""

    def __init__(self, sample, index, think, enc):
        m = sample["messages"][index] if index < len(sample["messages"]) else sample
        self.sample, self.kind, self.check, self.think = sample, sample.get("kind", ""), m["check"], think
        self.gold = render.canonical((m.get("content") or "").strip(), sample.get("schema"))
        self.calls, self.thought = m.get("calls") or [], m.get("think") or ""
        self.prompt = render.encode(render.prompt(sample, index, think), enc)
        self.group = group_of(self.check)
        self.before = sample["messages"][:index]
        self.out = None

    def answer(self, enc):
        return score.Answer(self.out, enc, given=not self.think)

    def shown(self, enc):
        return enc.decode(self.prompt)[-900:], enc.decode(self.out)


def modes(message, think):
    """How a turn is asked: with or without a thought, or not at all. think: on, off or both."""
    if not (message.get("train") and message.get("check")):
        return []
    if message.get("off") or not (message.get("think") or "").strip():
        return [False]
    return {"on": [True], "off": [False], "both": [True, False]}[think]


def turns_of(sample, enc, think, wanted=lambda check: True):
    for i, m in enumerate(sample["messages"]):
        for mode in modes(m, think):
            if wanted(m["check"]):
                yield Turn(sample, i, mode, enc)


def held_out(enc, count, seed, think, window, held=True, cap=10**9, samples=8000):
    """Turns of generated samples: at most `cap` of one group and three of one group in one conversation."""
    import source
    found, groups = [], {}
    for sample in itertools.islice(source.samples(seed, held), samples):
        here = {}

        def wanted(check):
            g = group_of(check)
            here[g] = here.get(g, 0) + 1
            return here[g] <= 3 and groups.get(g, 0) < cap
        for t in turns_of(sample, enc, think, wanted):
            if len(t.prompt) < window - 64:
                found.append(t)
                groups[t.group] = groups.get(t.group, 0) + 1
        if len(found) >= count:
            break
    return found[:count]


def probes(enc, path, think):
    """The probes in the hall's own chat prompt."""
    with open(os.path.join(HERE, "hall.json"), encoding="utf-8") as f:
        hall = json.load(f)
    tools = {t["name"]: t for t in hall["tools"]}
    sets = {"chat15": hall["offers"]["chat"], "all": hall["offers"]["chat"], "chat9": hall["offers"]["chat_second"], "none": []}
    out = []
    with open(path, encoding="utf-8") as f:
        for line in filter(str.strip, f):
            p = json.loads(line)
            offer = sets[p["tools"]] if isinstance(p["tools"], str) else p["tools"]
            p["tools"] = [tools[t] if isinstance(t, str) else t for t in offer]
            if p["messages"][0]["role"] != "system":
                p["messages"] = [{"role": "system", "content": hall["system"]["chat"]}] + p["messages"]
            p["content"] = ""
            p["check"]["group"] = "probes"
            out.append(Turn(p, len(p["messages"]), think != "off", enc))
    return out


def open_model(path, device, dtype):
    import torch
    import net as network
    import weights
    config, tensors = weights.load(path)
    model = network.Net(network.Config(**config))
    exact = {n: torch.from_numpy(weights.dequantise(*x) if isinstance(x, tuple) else x.copy()) for n, x in tensors.items()}
    model.load_state_dict(exact, strict=True)
    for q in model.parameters():  # the angles stay float32
        q.data = q.data.to(getattr(torch, dtype))
    return model.to(device).eval()


def decode(model, turns, most, device, batch, budget):
    """Greedy answers of all turns, the longest prompts first, so that memory fails early or never."""
    fits = model.c.window - 64
    for t in turns:
        t.out = []
    order = sorted((t for t in turns if len(t.prompt) < fits), key=lambda t: -len(t.prompt))
    import torch
    while order:
        size = max(1, min(batch, budget // (len(order[0].prompt) + most)))
        try:
            decode_batch(model, order[:size], most, device)
        except torch.OutOfMemoryError:
            if size == 1:
                raise
            budget //= 2
            torch.cuda.empty_cache()
            print("out of memory at %d sequences: taking fewer" % size, flush=True)
            continue
        order = order[size:]


def decode_batch(model, part, most, device):
    import torch
    import net as network
    window = model.c.window
    lengths = [len(t.prompt) for t in part]
    longest = max(lengths)
    size = min(longest + most, window)
    ids = torch.full((len(part), longest), tok.PAD)
    for i, t in enumerate(part):
        ids[i, :lengths[i]] = torch.tensor(t.prompt)
        t.out = []
    at = torch.tensor(lengths, device=device)
    cache = network.Cache(model, len(part), size, model.emb.weight.dtype, device)
    new = network.prefill(model, ids.to(device), at, cache).argmax(-1)
    alive, out, top = part, [new], longest
    for n in range(1, most):
        if top >= size:
            break
        if n % 16 == 0:
            alive, at, new, out, top = settle(alive, out, at, new, cache)
            if not alive:
                return
        new = network.step(model, new, at, cache, top + 1).argmax(-1)
        out.append(new)
        at, top = at + 1, top + 1
    settle(alive, out, at, new, cache)


def settle(alive, out, at, new, cache):
    """Hands out what was generated since the last time and lets the finished go."""
    import torch
    rows = torch.stack(out, 1).tolist()
    going = []
    for i, t in enumerate(alive):
        t.out += rows[i]
        if tok.END in t.out:
            del t.out[t.out.index(tok.END) + 1:]
        else:
            going.append(i)
    if len(going) == len(alive):
        return alive, at, new, [], int(at.max())
    keep = torch.tensor(going, dtype=torch.long, device=at.device)
    cache.rows(keep)
    at, new = at[keep], new[keep]
    return [alive[i] for i in going], at, new, [], int(at.max()) if going else 0


def gold(seed, samples, enc, held):
    """Scores the wanted answers by their own checks: whatever fails is a fault of the generator."""
    import source
    turns = []
    for sample in itertools.islice(source.samples(seed, held), samples):
        for t in turns_of(sample, enc, "on"):
            m = {"content": t.gold, "calls": t.calls}
            parts = render.body(m, sample.get("tools") or []) + [tok.END]
            thought = [tok.THINK, t.thought, tok.UNTHINK, "\n"] if t.think else []
            t.out = render.encode(thought + parts, enc)
            turns.append(t)
    return turns


def tally(turns, enc):
    """Counts by group and by kind, and the failures."""
    groups, kinds, failures = {}, {}, []
    for t in turns:
        a = t.answer(enc)
        ok = a.ended and score.right(a, t.check, t.gold)
        call = t.check["type"] == "call"
        kind = t.check.get("kind") or t.kind.split(":")[0]  # a conversation's own kind lists all its tasks
        for rows, key in ((groups, t.group), (kinds, (t.group, kind))):
            row = rows.setdefault(key, dict(n=0, right=0, sound=0, calls=0, named=0, stray=0))
            row["n"] += 1
            row["right"] += ok
            row["sound"] += a.sound
            row["calls"] += call
            row["named"] += call and score.named(a, t.check)
            row["stray"] += bool(a.calls) and not call
        if not ok:
            before, got = t.shown(enc)
            failures.append(dict(
                group=t.group, kind=t.kind, id=t.sample.get("id"), think=t.think, prompt=before,
                check=t.check, want=t.gold or [c for c in t.calls], got=got))
    return groups, kinds, failures


def share_right(groups):
    """How many of a hundred turns are right."""
    return 100 * sum(g["right"] for g in groups.values()) / sum(g["n"] for g in groups.values())


def as_report(groups, kinds):
    """A part's counts as report.json has them."""
    return {"groups": groups, "kinds": {"/".join(map(str, k)): v for k, v in kinds.items()}}


def table(rows):
    lines = ["%-46s %6s %7s %7s %9s %11s" % ("", "turns", "right", "sound", "tool name", "stray calls")]
    for key in sorted(rows, key=str):
        r = rows[key]
        name = key if isinstance(key, str) else "  %s / %s" % key
        lines.append("%-46s %6d %6.1f%% %6.1f%% %9s %11s" % (
            name[:46], r["n"], 100 * r["right"] / r["n"], 100 * r["sound"] / r["n"],
            "%.1f%%" % (100 * r["named"] / r["calls"]) if r["calls"] else "", r["stray"] or ""))
    return "\n".join(lines)


def spread(failures, most):
    """At most `most` failures, from each group in turn; those of the probes are counted, never shown."""
    by = {}
    for f in failures:
        if f["group"] != "probes":
            by.setdefault((f["group"], f["kind"]), []).append(f)
    return [f for f in itertools.chain.from_iterable(itertools.zip_longest(*by.values())) if f][:most]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", help="folder with model.bin (or parts) and vocab.bin")
    p.add_argument("--gold", metavar="VOCAB", help="score no model but the wanted answers themselves, which must all be right")
    p.add_argument("--dump", metavar="FILE", help="run no model but write the held-out turns and the probes, for train/judge")
    p.add_argument("--score", metavar="FILE", help="run no model but score what train/judge wrote")
    p.add_argument("--turns", type=int, default=3000)
    p.add_argument("--cap", type=int, default=220, help="turns of one group at most")
    p.add_argument("--train-turns", type=int, default=300, help="also turns of the training distribution")
    p.add_argument("--seed", type=int, default=424242)
    p.add_argument("--think", default="on", choices=["on", "off", "both"])
    p.add_argument("--most", type=int, default=512, help="tokens of one answer")
    p.add_argument("--failures", type=int, default=400)
    p.add_argument("--show-probes", action="store_true", help="also write the probes' failures (whoever looks may no longer tune)")
    p.add_argument("--device", default="cuda")
    p.add_argument("--dtype", default="float32", choices=["float32", "bfloat16"])
    p.add_argument("--batch", type=int, default=256)
    p.add_argument("--budget", type=int, default=700_000, help="tokens of a batch's cache")
    p.add_argument("--gen", help="folder that holds another package gen")
    p.add_argument("--out", help="folder for the report (out); with --gold nothing is written unless it is given")
    a = p.parse_args()
    if a.gen:
        sys.path.insert(0, a.gen)
    if a.gold:
        sys.exit(score_gold(a))
    a.out = a.out or "out"
    if a.dump or a.score:
        import host
        return host.dump(a) if a.dump else host.report(a)
    score_model(a)


def score_gold(a):
    """The wanted answers of trained and held-out samples; gives whether any of them is wrong."""
    enc = tok.load(a.gold)
    turns = gold(a.seed, a.turns, enc, False) + gold(a.seed, a.turns, enc, True)
    groups, kinds, failures = tally(turns, enc)
    text = table(groups) + "\n\n" + table(kinds)
    if a.out:
        write(a, text, {}, failures)
    else:
        print(text)
    if failures:
        print("%d wanted answers fail%s" % (len(failures), "" if a.out else "; --out FOLDER writes them"))
    return bool(failures)


def score_model(a):
    import torch
    torch.set_float32_matmul_precision("high")
    start = time.time()
    folder = a.model if os.path.isdir(a.model) else os.path.dirname(a.model)
    enc = tok.load(os.path.join(folder, "vocab.bin"))
    model = open_model(a.model, a.device, a.dtype)
    parts = {"held out": held_out(enc, a.turns, a.seed, a.think, model.c.window, cap=a.cap)}
    if a.train_turns:
        parts["as in training"] = held_out(enc, a.train_turns, a.seed + 1, a.think, model.c.window, held=False, cap=a.cap)
    for name in PROBES:
        parts[name] = probes(enc, os.path.join(HERE, "data", name + ".jsonl"), a.think)
    print("%d turns prepared after %.1f s" % (sum(map(len, parts.values())), time.time() - start), flush=True)
    text, report, failures = [], {}, []
    for name, turns in parts.items():
        began = time.time()
        decode(model, turns, a.most, a.device, a.batch, a.budget)
        groups, kinds, bad = tally(turns, enc)
        right, tokens = share_right(groups), sum(len(t.out) for t in turns)
        text += ["", "== %s: %.1f %% of %d turns right, %d tokens, %.1f s" % (name, right, len(turns), tokens, time.time() - began),
                 table(groups), "", table(kinds)]
        report[name] = as_report(groups, kinds)
        failures += bad if name == "held out" or a.show_probes else []
    write(a, "\n".join(text), report, failures)
    print("evaluated in %.1f s" % (time.time() - start))


def write(a, text, report, failures):
    os.makedirs(a.out, exist_ok=True)
    print(text)
    with open(os.path.join(a.out, "report.txt"), "w", encoding="utf-8") as f:
        f.write(text + "\n")
    with open(os.path.join(a.out, "report.json"), "w", encoding="utf-8") as f:
        json.dump(report, f, indent=1)
    shown = spread(failures, a.failures)
    if a.show_probes:
        shown += [f for f in failures if f["group"] == "probes"]
    with open(os.path.join(a.out, "failures.jsonl"), "w", encoding="utf-8") as f:
        for x in shown:
            f.write(json.dumps(x, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
