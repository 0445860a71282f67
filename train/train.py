"""Trains the built-in model. Time, not steps, is what is given:

    python3 train/train.py --seconds 1200 --out out

writes vocab.bin first (or takes --vocab), then model.bin every two minutes, when told
to stop (SIGTERM), and at the end. --init goes on from an earlier model.bin, with more
--layers than it has if wanted.
A run on the CPU (--device cpu, with a small --batch and --window) tries every line.
"""

import argparse
import math
import os
import shutil
import signal
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
if HERE not in sys.path:
    sys.path.insert(0, HERE)

# torch is imported inside functions: the worker processes import this file and need none of it.


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--seconds", type=float, default=1200, help="training time, counted after compilation")
    p.add_argument("--out", default="out")
    p.add_argument("--vocab", help="vocab.bin to use; else that beside --init, else one is learnt")
    p.add_argument("--vocab-samples", type=int, default=60_000)
    p.add_argument("--init", help="model.bin (or its folder or parts) to go on from")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--workers", type=int, default=14)
    p.add_argument("--batch", type=int, default=32, help="rows of a step")
    p.add_argument("--window", type=int, default=4096)
    p.add_argument("--muon", type=float, default=0.02, help="learning rate of the matrices")
    p.add_argument("--adam", type=float, default=0.0025, help="learning rate of the rest")
    p.add_argument("--warm", type=int, default=80, help="steps of warming up")
    p.add_argument("--decay", type=float, default=0.6, help="the last share of the time, in which the rates fall to 0")
    p.add_argument("--rounding", type=float, default=0.2, help="the last share of the time, with weights rounded to int8")
    p.add_argument("--trunk", type=float, default=0.05, help="loss weight of what people and tools say")
    p.add_argument("--drop", type=float, default=0.0, help="the share of what a block adds that each pass leaves out")
    p.add_argument("--clip", type=float, default=1.0)
    p.add_argument("--save-every", type=float, default=120)
    p.add_argument("--device", default="cuda", choices=["cuda", "cpu"])
    p.add_argument("--attention", default="auto", choices=["auto", "flex", "flex-slow", "dense"])
    p.add_argument("--no-compile", action="store_true")
    p.add_argument("--gen", help="folder that holds another package gen")
    for name in ("dim", "layers", "heads", "kv_heads", "head_dim", "ffn"):
        p.add_argument("--" + name.replace("_", "-"), type=int)
    return p.parse_args()


class Log:
    def __init__(self, path):
        self.start, self.file = time.time(), open(path, "a", encoding="utf-8")

    def __call__(self, text):
        line = "[%7.1f] %s" % (time.time() - self.start, text)
        print(line, flush=True)
        self.file.write(line + "\n")
        self.file.flush()


class Trainer:
    def __init__(self, a, net, log):
        self.a, self.net, self.log = a, net, log
        self.cuda = a.device == "cuda"
        self.held = []  # norms that do not change at first
        import torch
        import optim
        self.weight = torch.tensor([0.0, a.trunk, 1.0], device=a.device)
        for b in net.blocks:
            b.drop = a.drop
        inner = [p for n, p in net.named_parameters() if p.ndim == 2 and n != "emb.weight"]
        other = [p for n, p in net.named_parameters() if p.ndim == 1 or n == "emb.weight"]
        self.muon = optim.Muon(inner, compiled=self.cuda and not a.no_compile)
        self.adam = torch.optim.AdamW(other, lr=a.adam, betas=(0.9, 0.95), weight_decay=0.0, fused=self.cuda)

    def choose(self, batch):
        """Takes the fastest way to attend that works on this machine."""
        import torch
        ways = [("flex", True), ("flex-slow", True), ("dense", True), ("dense", False)]
        if self.a.attention != "auto":
            ways = [(self.a.attention, True), (self.a.attention, False)]
        if self.a.no_compile or not self.cuda:
            ways = [("dense" if self.a.attention == "auto" else self.a.attention, False)]
        for kind, compiled in ways:
            try:
                self.prepare(kind, compiled)
                loss = float(self.passes(batch)[0])
                if not math.isfinite(loss):
                    raise RuntimeError("the first loss is %r" % loss)
                self.log("attention %s, compiled %s, first loss %.3f" % (kind, compiled, loss))
                self.first_step()
                return
            except Exception as e:  # whatever the compiler throws, the next way is tried
                self.log("attention %s, compiled %s failed: %s" % (kind, compiled, repr(e)[:1500]))
                self.net.zero_grad(set_to_none=True)
                torch._dynamo.reset()
        raise SystemExit("no way to attend works here")

    def first_step(self):
        """A step at rate 0, which compiles Muon's iteration, or shows that it must run uncompiled."""
        import optim
        try:
            self.step(0.0)
        except Exception as e:
            self.log("compiled Muon failed: %s" % repr(e)[:1500])
            self.muon.orthogonal = optim.orthogonal
            self.step(0.0)

    def prepare(self, kind, compiled):
        import torch
        import net as network
        wrap = torch.compile if compiled else (lambda f: f)
        if kind == "flex":
            self.mask = network.block_mask
        elif kind == "flex-slow":
            from torch.nn.attention.flex_attention import create_block_mask
            make = wrap(create_block_mask)
            self.mask = lambda end: make(network.visible(end), end.shape[0], None, end.shape[1], end.shape[1], device=end.device)
        else:
            self.mask = network.dense_mask
        # Block by block: one graph for all of them, and a short compilation.
        self.blocks = list(self.net.blocks)
        for b in self.blocks:
            b._compiled_call_impl = None
            if compiled:
                b.compile()
        self.head = wrap(self.net.loss)

    def passes(self, batch):
        """Forward and backward; batch is (ids, pos, end, weight)."""
        import torch
        ids, pos, end, code = batch.to(self.a.device, non_blocking=True).unbind(0)
        target = torch.roll(ids, -1, 1).long()
        weight = torch.roll(self.weight[code.long()], -1, 1)
        weight[:, -1] = 0.0
        with torch.autocast(self.a.device, torch.bfloat16, enabled=self.cuda):
            dtype = torch.bfloat16 if self.cuda else torch.float32
            mask, x = self.mask(end.contiguous()), self.net.emb(ids.long()).to(dtype)
            cos, sin = self.net.angles(pos.long())
            for b in self.blocks:
                x = b(x, cos, sin, mask)
            loss, full = self.head(x, target, weight)
        loss.backward()
        return loss.detach(), full

    def step(self, share, done=1.0):
        import torch
        if done < HOLD:
            for p in self.held:
                p.grad = None
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.a.clip, foreach=True)
        for g in self.adam.param_groups:
            g["lr"] = self.a.adam * share
        self.muon.step(self.a.muon * share)
        self.adam.step()
        self.net.zero_grad(set_to_none=True)


def rate(a, steps, done):
    """The share of the learning rates after a number of steps and a part of the time."""
    return min(1.0, (steps + 1) / a.warm) * max(0.0, min(1.0, (1 - done) / a.decay))


def save(net, path):
    import weights
    tensors = {n: p.detach().float().cpu().numpy() for n, p in net.named_parameters()}
    weights.save(path, weights.pack(net.c.dict(), tensors))


def restore(net, path, log):
    """Takes over the weights of a model. Where the net has more layers, the new ones are spread evenly among the old.

    Gives the blocks that begin anew.
    """
    import torch
    import weights
    config, tensors = weights.load(path)
    mine = net.c.dict()
    if any(mine[k] != config[k] for k in ("dim", "heads", "kv_heads", "head_dim", "ffn", "vocab")) or mine["layers"] < config["layers"]:
        raise SystemExit("%s has another shape: %s" % (path, config))
    places = grown(config["layers"], mine["layers"])
    with torch.no_grad():
        for name, p in net.named_parameters():
            new = False
            if name.startswith("blocks."):
                _, at, rest = name.split(".", 2)
                old, new = places[int(at)]
                name = "blocks.%d.%s" % (old, rest)
            x = tensors[name]
            x = weights.dequantise(*x) if isinstance(x, tuple) else x.copy()
            p.copy_(torch.from_numpy(x).view_as(p))
            if new and name.endswith(("wo.weight", "w2.weight")):
                p.zero_()
    silent = wake(net)
    if silent:
        log("the feed-forward parts of blocks %s had gone silent and begin anew" % ", ".join(map(str, silent)))
    log("goes on from %s%s" % (path, ", grown from %d to %d layers" % (config["layers"], mine["layers"]) if mine["layers"] > config["layers"] else ""))
    return sorted(set(silent) | {i for i, (_, new) in enumerate(places) if new})


def grown(old, new):
    """For each of the new layers, which old one it comes from, and whether it is a copy after that one.

    A copy begins with what it adds set to nothing, so that the grown net says what the old one said.
    """
    after = [-(-(i + 1) * old // (new - old)) - 1 for i in range(new - old)]
    out = []
    for i in range(old):
        out.append((i, False))
        out += [(i, True)] * after.count(i)
    return out


HOLD = 0.3  # the first share of the time, in which what begins anew may not be silenced


def wake(net):
    """Gives blocks whose feed-forward part adds nothing another beginning, and says which they are.

    Where the norm before it has shrunk to nothing there is no slope to come back by: both factors of the product are 0.
    It begins again like a grown one, as a copy of the nearest, with what it adds set to nothing.
    """
    import torch
    import weights
    loud = [i for i, b in enumerate(net.blocks) if b.n2.w.abs().max() > weights.SILENT]
    silent = [i for i in range(len(net.blocks)) if loud and i not in loud]
    with torch.no_grad():
        for i in silent:
            b, near = net.blocks[i], net.blocks[min(loud, key=lambda j: abs(j - i))]
            b.n2.w.copy_(near.n2.w)
            b.w1.weight.copy_(near.w1.weight)
            b.w3.weight.copy_(near.w3.weight)
            b.w2.weight.zero_()
    return silent


def loop(a, t, feed, log):
    """Trains until the time is over or somebody asks to stop; True if the time is over."""
    import torch
    import optim
    asked = threading.Event()
    for s in (signal.SIGTERM, signal.SIGINT):
        signal.signal(s, lambda *_: asked.set())
    path = os.path.join(a.out, "model.bin")
    sync = torch.cuda.synchronize if t.cuda else (lambda: None)
    for _ in range(2 if t.cuda else 1):  # compile the rest, at rate 0
        t.passes(feed.batch())
        t.step(0.0)
    sync()
    log("compiled; training begins")
    start = said = saved = time.time()
    steps, waited, losses, rounding = 0, 0.0, [], None
    before = (0, 0.0, start)
    while not asked.is_set():
        now = time.time()
        done = (now - start) / a.seconds
        if done >= 1:
            break
        if rounding is None and done >= 1 - a.rounding:
            rounding = optim.Rounding(t.net)
            log("from here on the weights are rounded to int8 in each pass")
        batch = feed.batch()
        waited += time.time() - now
        if rounding:
            rounding.down()
        loss = t.passes(batch)
        if rounding:
            rounding.up()
        t.step(rate(a, steps, done), done)
        losses.append(torch.stack(loss))
        steps += 1
        if time.time() - said >= 15 or steps == 20:
            sync()
            mean = torch.stack(losses).mean(0).tolist()
            said, losses = time.time(), []
            speed = (steps - before[0]) * a.batch * a.window / (said - before[2])
            c = feed.totals()
            log("step %d, %.0f %%, loss %.4f, learnt %.4f, rate %.3f, %.2f M tokens/s, waited %.0f %%, "
                "samples %d, turns %d, dropped %d, cut %d, bad %d, learnt share %.3f" % (
                steps, 100 * done, mean[0], mean[1], rate(a, steps, done), speed / 1e6,
                100 * (waited - before[1]) / (said - before[2]), c["samples"], c["turns"], c["dropped"], c["cut"], c["bad"],
                c["useful"] / max(1, c["tokens"])))
            before = (steps, waited, said)
            if not math.isfinite(mean[0]):
                log("the loss is no number: stopping, the last saved model stays")
                return False
        if time.time() - saved >= a.save_every:
            save(t.net, path)
            saved = time.time()
            log("saved " + path)
    sync()
    save(t.net, path)
    log("%s after %d steps, %.0f M tokens, %.0f s; waited for data %.1f s; saved %s" % (
        "stopped" if asked.is_set() else "finished", steps, steps * a.batch * a.window / 1e6, time.time() - start, waited, path))
    return not asked.is_set()


def main():
    a = options()
    os.makedirs(a.out, exist_ok=True)
    log = Log(os.path.join(a.out, "train.log"))
    if a.gen:
        sys.path.insert(0, a.gen)
    import feed
    import tok
    vocab = os.path.join(a.out, "vocab.bin")
    if a.init and not a.vocab:  # a model goes on with its own vocabulary
        a.vocab = os.path.join(a.init if os.path.isdir(a.init) else os.path.dirname(a.init), "vocab.bin")
    if not a.vocab:
        log("learning the vocabulary")
        tok.make(vocab, samples=a.vocab_samples, processes=max(1, a.workers))
    elif os.path.abspath(a.vocab) != os.path.abspath(vocab):
        shutil.copyfile(a.vocab, vocab)
    batches = feed.Feed(a, vocab)
    try:
        import torch
        import net as network
        torch.manual_seed(a.seed)
        torch.set_float32_matmul_precision("high")
        shape = {k: v for k in ("dim", "layers", "heads", "kv_heads", "head_dim", "ffn") if (v := getattr(a, k))}
        net = network.Net(network.Config(vocab=len(tok.load(vocab)), window=a.window, **shape)).to(a.device)
        size, chip = sum(p.numel() for p in net.parameters()), torch.cuda.get_device_name() if a.device == "cuda" else "cpu"
        log("%d parameters, torch %s on %s, %s" % (size, torch.__version__, chip, vars(a)))
        new = restore(net, a.init, log) if a.init else []
        trainer = Trainer(a, net, log)
        trainer.held = [net.blocks[i].n2.w for i in new]
        batches.begin()
        first = batches.batch()
        log("first batch")
        trainer.choose(first)
        ok = loop(a, trainer, batches, log)
    finally:
        batches.close()
    sys.exit(0 if ok else 3)


if __name__ == "__main__":
    main()
