"""Tests of what training, decoding and export stand on; the CPU is enough.

    python3 -m unittest discover -s train -p 'test_*.py'
"""

import json
import os
import random
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import numpy as np
import torch

import net as network
import pack
import render
import tok
import weights

TOOLS = [{"name": "fs_read", "description": "Read a file.", "parameters": {
    "type": "object", "properties": {"path": {"type": "string"}, "limit": {"type": "integer"}}, "required": ["path"]}}]


def sample(n, tasks=3):
    """A conversation of several tasks, some turns of it without thoughts."""
    out = [{"role": "system", "content": "Be brief."}]
    for i in range(tasks):
        path = "file%d-%d.txt" % (n, i)
        out += [{"role": "user", "content": "what is in %s?" % path},
                {"role": "assistant", "think": "They want %s." % path, "content": "", "train": True,
                 "calls": [{"name": "fs_read", "arguments": {"path": path}}]},
                {"role": "tool", "name": "fs_read", "content": "value %d" % (n * 7 + i)},
                {"role": "assistant", "think": "" if i % 2 else "It is there.", "off": bool(i % 2), "train": i != 1,
                 "content": "%s says value %d." % (path, n * 7 + i), "calls": []}]
    return {"kind": "test", "tools": TOOLS, "schema": None, "messages": out}


def vocabulary():
    """Bytes and a few merges: enough to try everything, needs no training."""
    entries = [s.encode() for s in tok.SPECIALS] + [bytes([b]) for b in range(256)]
    index, merges = {e: i for i, e in enumerate(entries) if i > 7}, []
    for word in (b" the", b" file", b"assistant", b"system", b"user", b" value", b" says"):
        left = word[:1]
        for c in word[1:]:
            joined = left + bytes([c])
            if joined not in index:
                merges.append((index[left], index[bytes([c])]))
                index[joined] = len(entries)
                entries.append(joined)
            left = joined
    return tok.Encoder(entries, merges)


def small(enc, window=1024):
    torch.manual_seed(3)
    return network.Net(network.Config(dim=64, layers=2, heads=4, kv_heads=2, head_dim=16, ffn=96,
                                      vocab=len(enc), window=window))


def parcel(enc, samples, window=1024, rows=2):
    p = pack.Packer(enc, random.Random(1), window, rows)
    for s in samples:
        p.add(s)
    for key in list(p.open):
        p.place(p.open.pop(key))
    p.full += p.bins
    return p.parcel()


class TestTokenizer(unittest.TestCase):
    def test_round_trip(self):
        enc = vocabulary()
        for text in tok.ODD + ["the file says the value"]:
            ids = enc.encode(text)
            self.assertEqual(text, enc.decode(ids))
            self.assertTrue(all(i >= 8 for i in ids), text)
        self.assertEqual(enc.encode("a\nsystem"), enc.encode("a\n") + enc.encode("system"))

    def test_file(self):
        enc = vocabulary()
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "vocab.bin")
            tok.save(path, enc.entries, enc.merges)
            again = tok.load(path)
        self.assertEqual((enc.entries, enc.merges), (again.entries, again.merges))

    def test_cut_prefix(self):
        """The system block is encoded in parts and must give the ids of the whole."""
        enc = vocabulary()
        for system in ("", "Be brief.", "Two\n\nparts \n"):
            parts = render.head(system, TOOLS * 3)
            whole = "".join(p for p in parts[2:-2])
            got = render.prefix(parts, enc)
            self.assertEqual([tok.BOS, tok.START] + enc.encode(whole) + [tok.END] + enc.encode("\n"), got)


class TestTree(unittest.TestCase):
    def turns(self, s):
        for i, m in enumerate(s["messages"]):
            if m.get("train"):
                yield i, m

    def test_branches_equal_plain_sequences(self):
        """Every learnt token has the loss that it would have in a prompt of its own."""
        enc = vocabulary()
        net, samples = small(enc, 6144).eval(), [sample(n) for n in range(3)]
        rows = parcel(enc, samples, 6144, 1)
        ids, pos, end, code = torch.from_numpy(rows.astype(np.int64)).unbind(0)
        with torch.no_grad():
            logp = net.logits(net.hidden(ids, pos, network.dense_mask(end))).log_softmax(-1)
        full = (code[0] == render.FULL).nonzero()[:, 0]
        tree = sorted((int(ids[0, i]), round(float(logp[0, i - 1, ids[0, i]]), 3)) for i in full)

        plain, rng = [], random.Random(1)
        for s in samples:
            for i, m in self.turns(s):
                wants = [] if m.get("off") else [True]
                if m.get("off") or rng.random() < render.OFF_SHARE:
                    wants.append(False)
                for think in wants:
                    start = render.encode(render.prompt(s, i, think), enc)
                    parts = render.body(m, TOOLS) + [tok.END]
                    if think:
                        parts = [tok.THINK, m["think"], tok.UNTHINK, "\n"] + parts
                    answer = render.encode(parts, enc)
                    x = torch.tensor([start + answer])
                    n = x.shape[1]
                    with torch.no_grad():
                        p = net.logits(net.hidden(x, torch.arange(n)[None], network.dense_mask(torch.full((1, n), n)))).log_softmax(-1)
                    plain += [(t, round(float(p[0, len(start) - 1 + k, t]), 3)) for k, t in enumerate(answer)]
        self.assertGreater(len(plain), 300)
        self.assertEqual(len(plain), len(tree))
        for a, b in zip(sorted(plain), tree):
            self.assertEqual(a[0], b[0])
            self.assertAlmostEqual(a[1], b[1], delta=0.003)

    def test_flex_equals_dense(self):
        """Both forms of the mask give the same numbers (FlexAttention has no backward pass on the CPU)."""
        from torch.nn.attention.flex_attention import create_block_mask
        enc = vocabulary()
        net = small(enc)
        samples = [sample(n, 2) for n in range(6)]
        for s in samples:  # long enough for blocks that are seen whole
            s["messages"][0]["content"] = "Be brief. " * 40
        rows = parcel(enc, samples)
        ids, pos, end, _ = torch.from_numpy(rows.astype(np.int64)).unbind(0)
        made = create_block_mask(network.visible(end), 2, None, 1024, 1024, device="cpu")
        ours = network.block_mask(end)
        self.assertTrue(torch.equal(made.to_dense(), ours.to_dense()))
        self.assertTrue(torch.equal(made.kv_num_blocks, ours.kv_num_blocks))
        self.assertTrue(torch.equal(made.full_kv_num_blocks, ours.full_kv_num_blocks))
        for blocks in (made.kv_num_blocks, made.full_kv_num_blocks):
            self.assertGreater(int(blocks.sum()), 0)
        with torch.no_grad():
            got = [net.hidden(ids, pos, m) for m in (network.dense_mask(end), made, ours)]
        torch.testing.assert_close(got[0], got[1], atol=1e-4, rtol=1e-3)
        torch.testing.assert_close(got[0], got[2], atol=1e-4, rtol=1e-3)

    def test_long_conversations_are_cut(self):
        enc, s = vocabulary(), sample(1, 40)
        system, messages = render.fold(s["messages"])
        t = render.tree(messages, TOOLS, None, enc, random.Random(1), 100, 700)
        self.assertTrue(t.cut)
        self.assertLessEqual(len(t.ids), 700)
        self.assertGreater(t.turns, 2)
        self.assertEqual(t.ids[-1], tok.END)
        self.assertIsNone(render.tree(messages, TOOLS, None, enc, random.Random(1), 100, 20))

    def test_schema_answers_have_one_order(self):
        schema = {"properties": {"b": {}, "a": {}, "c": {"properties": {"z": {}, "y": {}}, "required": ["z"]}}, "required": ["c", "b"]}
        self.assertEqual(render.canonical('{"a":1,"b":"<é>","c":{"y":1,"z":2}}', schema),
                         '{"c": {"z": 2, "y": 1}, "b": "<é>", "a": 1}')


class TestWeights(unittest.TestCase):
    def test_round_trip(self):
        enc = vocabulary()
        net = small(enc)
        tensors = {n: p.detach().numpy() for n, p in net.named_parameters()}
        raw = weights.pack(net.c.dict(), tensors)
        config, back = weights.unpack(raw)
        self.assertEqual(config, net.c.dict())
        self.assertEqual(list(tensors), list(back))
        for name, x in tensors.items():
            if x.ndim == 1:
                np.testing.assert_array_equal(x, back[name])
                continue
            y = weights.dequantise(*back[name])
            step = np.abs(x.reshape(-1, 32)).max(1) / 127
            self.assertLessEqual(float((np.abs(x - y).reshape(-1, 32).max(1) / step).max()), 0.57)  # half a step, and the scale's rounding
        self.assertEqual(raw, weights.pack(config, back))
        exact = {n: weights.dequantise(*x) if isinstance(x, tuple) else x for n, x in back.items()}
        self.assertEqual(raw, weights.pack(config, exact), "weights that are int8 already must stay as they are")

    def test_parts(self):
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "x")
            with open(path, "wb") as f:
                f.write(os.urandom(1000))
            self.assertEqual(3, len(weights.split(path, 400)))
            with open(path, "rb") as f:
                self.assertEqual(f.read(), weights.join(path))

    def test_rounding_is_what_export_writes(self):
        import optim
        net = small(vocabulary())
        before = {n: p.detach().clone() for n, p in net.named_parameters()}
        r = optim.Rounding(net)
        r.down()
        for n, p in net.named_parameters():
            if p.ndim == 2:
                want = weights.dequantise(*weights.quantise(before[n].numpy()))
                np.testing.assert_allclose(p.detach().numpy(), want, atol=1e-7)
        r.up()
        for n, p in net.named_parameters():
            self.assertTrue(torch.equal(p, before[n]))


class TestGrowth(unittest.TestCase):
    def test_says_what_the_smaller_net_said(self):
        import train
        enc = vocabulary()
        ids = torch.arange(1, 60)[None]
        pos, mask = torch.arange(59)[None], network.dense_mask(torch.full((1, 59), 59))
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "model.bin")
            train.save(small(enc), path)
            said = []
            for layers in (2, 3, 4, 5):
                shape = {**small(enc).c.dict(), "layers": layers}
                net = network.Net(network.Config(**shape))
                train.restore(net, path, lambda text: None)
                with torch.no_grad():
                    said.append(net.logits(net.hidden(ids, pos, mask)))
                self.assertEqual(layers, len(train.grown(2, layers)))
            for other in said[1:]:
                torch.testing.assert_close(other, said[0])
            with self.assertRaises(SystemExit):
                train.restore(network.Net(network.Config(**{**shape, "layers": 1})), path, lambda text: None)

    def test_the_mean_of_two(self):
        import export
        import train
        nets = [small(vocabulary()) for _ in range(2)]
        with torch.no_grad():
            nets[0].blocks[1].n2.w.fill_(0.001)
            for p in nets[1].parameters():
                p.add_(0.25)
        with tempfile.TemporaryDirectory() as d:
            folders = [os.path.join(d, n) for n in ("old", "new", "both")]
            for folder, net in zip(folders, nets):
                os.mkdir(folder)
                train.save(net, os.path.join(folder, "model.bin"))
                with open(os.path.join(folder, "vocab.bin"), "wb") as f:
                    f.write(b"words")
            export.mean(*folders)
            (_, old), (_, new), (config, both) = map(weights.load, folders)
            self.assertEqual(config, weights.load(folders[0])[0])
            plain = lambda x: weights.dequantise(*x) if isinstance(x, tuple) else x
            for name in both:
                a, b, got = plain(old[name]), plain(new[name]), plain(both[name])
                want = b if name.startswith("blocks.1.") and name.split(".")[2] in ("n2", "w1", "w2", "w3") else (a + b) / 2
                np.testing.assert_allclose(got, want, atol=0.01, err_msg=name)
            with open(os.path.join(folders[0], "vocab.bin"), "wb") as f:
                f.write(b"other words")
            with self.assertRaises(SystemExit):
                export.mean(*folders)

    def test_silent_parts_are_woken(self):
        import train
        net = small(vocabulary())
        with torch.no_grad():
            net.blocks[1].n2.w.fill_(0.001)
        ids = torch.arange(1, 60)[None]
        pos, mask = torch.arange(59)[None], network.dense_mask(torch.full((1, 59), 59))
        with tempfile.TemporaryDirectory() as d:
            path = os.path.join(d, "model.bin")
            train.save(net, path)
            woken = small(vocabulary())
            self.assertEqual([1], train.restore(woken, path, lambda text: None))
            self.assertEqual([], train.wake(woken))
        before, after = net.logits(net.hidden(ids, pos, mask)), woken.logits(woken.hidden(ids, pos, mask))
        torch.testing.assert_close(after, before, atol=0.05, rtol=0)
        for n, moves in ((net, False), (woken, True)):  # what is silent has no slope
            n.zero_grad()
            n.logits(n.hidden(ids, pos, mask)).logsumexp(-1).sum().backward()
            self.assertEqual(moves, bool(n.blocks[1].w2.weight.grad.abs().max() > 1e-3))

    def test_new_layers_are_spread(self):
        import train
        self.assertEqual([3, 7, 11, 15], [i for i, (_, new) in enumerate(train.grown(12, 16)) if new])
        self.assertEqual([(i, False) for i in range(12)], train.grown(12, 12))


class TestDecode(unittest.TestCase):
    def test_cache_equals_whole(self):
        """Prompts of several lengths side by side decode as each does alone."""
        enc = vocabulary()
        net = small(enc).eval()
        rng = random.Random(5)
        prompts = [[rng.randrange(8, len(enc)) for _ in range(n)] for n in (5, 40, 23)]
        longest = max(map(len, prompts))
        cache = network.Cache(net, 3, longest + 8, torch.float32, "cpu")
        ids = torch.full((3, longest), tok.PAD)
        for i, p in enumerate(prompts):
            ids[i, :len(p)] = torch.tensor(p)
        at = torch.tensor([len(p) for p in prompts])
        logits = network.prefill(net, ids, at, cache)
        for _ in range(6):
            for i, p in enumerate(prompts):
                n = len(p)
                with torch.no_grad():
                    x = net.hidden(torch.tensor([p]), torch.arange(n)[None], network.dense_mask(torch.full((1, n), n)))
                    torch.testing.assert_close(net.logits(x[0, -1]), logits[i], atol=2e-4, rtol=1e-3)
            new = logits.argmax(-1)
            for p, t in zip(prompts, new.tolist()):
                p.append(t)
            logits = network.step(net, new, at, cache, int(at.max()) + 1)
            at = at + 1

    def test_batches_equal_single(self):
        """Sequences that end early leave the batch without disturbing the others."""
        import evaluate
        enc = vocabulary()
        net = small(enc).eval()
        rng = random.Random(9)

        class Turn:
            def __init__(self, n):
                self.prompt = [rng.randrange(8, len(enc)) for _ in range(n)]
        turns = [Turn(n) for n in (30, 5, 77, 18, 50, 41, 9, 64)]
        evaluate.decode(net, turns, 70, "cpu", 8, 10_000)
        counts = {i: sum(i in t.out for t in turns) for t in turns for i in t.out}
        end = next(i for i, n in counts.items() if 1 < n < len(turns))  # a token that some meet and some do not
        with mock.patch.object(tok, "END", end):
            evaluate.decode(net, turns, 70, "cpu", 8, 10_000)
            together = [t.out for t in turns]
            for t in turns:
                evaluate.decode(net, [t], 70, "cpu", 1, 10_000)
            self.assertEqual(together, [t.out for t in turns])
        self.assertEqual(counts[end], sum(o[-1] == end for o in together))
        self.assertEqual(len(turns) - counts[end], sum(len(o) == 70 for o in together))


class TestScore(unittest.TestCase):
    def answer(self, parts, given=False):
        import score
        enc = vocabulary()
        return score.Answer(render.encode(parts, enc), enc, given)

    def test_answers(self):
        import score
        a = self.answer([tok.THINK, "so", tok.UNTHINK, "\nText.\n", tok.CALL, '{"name": "f", "arguments": {"a": 1}}', tok.UNCALL, tok.END])
        self.assertEqual((a.think, a.text, a.calls, a.sound), ("so", "Text.", [("f", {"a": 1})], True))
        self.assertFalse(self.answer([tok.THINK, "so"]).sound)
        self.assertFalse(self.answer([tok.CALL, "{", tok.UNCALL, tok.END], True).sound)
        for check, want in [
                ({"type": "call", "name": "f", "arguments": {"a": 1}}, True),
                ({"type": "call", "name": "f", "arguments": {"a": 2}}, False),
                ({"type": "call", "name": "f", "contains": {"a": ["1"]}}, True),
                ({"type": "call", "name": "f", "any": {"a": [3, 1]}}, True),
                ({"type": "call", "calls": [{"name": "f", "arguments": {"a": 1}}] * 2}, False),
                ({"type": "contains", "all": ["Text"]}, False)]:
            self.assertEqual(want, score.right(a, check, ""), check)
        b = self.answer(["\nI don't know the port 8080. [RESULT] 4", tok.END], True)
        for check, want in [
                ({"type": "honest", "none": []}, True), ({"type": "honest", "none": ["8080"]}, False),
                ({"type": "contains", "all": ["PORT", ["x", "8080"]], "none": ["9"]}, True),
                ({"type": "contains", "all": [], "any": ["x", "y"]}, False),
                ({"type": "result", "value": "4"}, True), ({"type": "result", "value": 3}, False),
                ({"type": "exact"}, False)]:
            self.assertEqual(want, score.right(b, check, "no"), check)
        c = self.answer(['\n{"a": 1, "b": [2]}', tok.END], True)
        self.assertTrue(score.right(c, {"type": "json", "fields": {"b": [2]}}, ""))
        self.assertFalse(score.right(c, {"type": "json", "fields": {"b": [3]}}, ""))
        self.assertTrue(score.right(c, {"type": "json", "fields": {}, "holds": {"b": ["2"]}}, ""))
        self.assertFalse(score.right(c, {"type": "json", "fields": {}, "holds": {"b": ["3"]}}, ""))
        self.assertFalse(score.right(c, {"type": "json", "fields": {}, "most": {"b": 0}}, ""))

    def test_a_call_that_might_as_well_be_made_at_once(self):
        import score
        read = [{"name": "fs_read", "arguments": {"path": p}} for p in ("a.txt", "b.txt", "c.txt")]
        check = dict(read[0], type="call", beside=read[1])
        for calls, want in [([0], True), ([0, 1], True), ([1], False), ([0, 2], False), ([0, 1, 1], False)]:
            a = score.Said({"calls": [read[i] for i in calls], "stop": "tools"})
            self.assertEqual((want, want or calls == [1]), (score.right(a, check, ""), score.named(a, check)), calls)

    def test_plans(self):
        import score
        one = {"id": "x", "agent_type": "researcher", "task": "Look up the lake tunnel.", "depends_on": []}
        two = {"id": "y", "agent_type": "coder", "task": "Write it down.", "depends_on": ["x"], "inputs": ["a.md"]}
        check = {"steps": [{"agent_type": "researcher", "must": ["lake tunnel"], "words": ["lake", "tunnel"], "needs": []},
                           {"agent_type": "coder", "must": ["a.md"], "words": ["result", "down"], "needs": [0]}], "most": 2}
        for subs, want in [([one, two], True), ([two, one], True), ([one], False), ([one, dict(two, agent_type="assistant")], False),
                           ([one, dict(two, inputs=[])], False),
                           ([one, dict(two, depends_on=[])], False), ([one, dict(two, depends_on=["z"])], False),
                           ([one, two, dict(one, id="w")], False), ([one, dict(two, id="x")], False)]:
            self.assertEqual(want, score.plan_fits(json.dumps({"subtasks": subs}), check), subs)
        self.assertFalse(score.plan_fits("{", check))
        self.assertFalse(score.plan_fits(json.dumps({"subtasks": [one, two]}), dict(check, none=["write IT"])))
        self.assertTrue(score.plan_fits('{"subtasks": [], "direct": "Hello."}', {"steps": []}))
        self.assertFalse(score.plan_fits('{"subtasks": [], "direct": ""}', {"steps": []}))


if __name__ == "__main__":
    unittest.main()
