"""Rows of trees for training, made by worker processes.

Conversations with the same prefix (system prompt and tools) share it: a row
holds documents, a document one prefix and the trees of several conversations
after it. The attention mask (render.py) keeps them apart, so nothing is learnt
differently, but the long prompts are computed once for many conversations.

    python3 train/pack.py --vocab vocab.bin --seconds 20   # what one worker makes
"""

import argparse
import itertools
import queue
import random
import sys
import time

import numpy as np

import render
import source
import tok

WINDOW = 4096
ROWS = 8  # of one parcel on the queue
OPEN_PREFIXES, OPEN_ROWS = 300, 24


class Doc:
    """One prefix and the conversations after it."""

    __slots__ = ("prefix", "trees", "size")

    def __init__(self, prefix):
        self.prefix, self.trees, self.size = prefix, [], len(prefix)

    def add(self, tree):
        self.trees.append(tree)
        self.size += len(tree.ids)


class Row:
    """Documents side by side, at most `window` tokens."""

    __slots__ = ("docs", "left")

    def __init__(self, window):
        self.docs, self.left = [], window

    def add(self, doc):
        self.docs.append(doc)
        self.left -= doc.size


def lay(row, out):
    """Writes a row into out[0..3] = ids, pos, end, weight of one row; the rest stays padding."""
    ids, pos, end, weight = out
    ids[:], pos[:], weight[:] = tok.PAD, 0, 0
    end[:] = np.arange(1, len(ids) + 1)  # padding sees itself only
    at = 0
    for doc in row.docs:
        n, stop = len(doc.prefix), at + doc.size
        ids[at:at + n], pos[at:at + n], end[at:at + n] = doc.prefix, np.arange(n), stop
        at += n
        for t in doc.trees:
            m = len(t.ids)
            ids[at:at + m], pos[at:at + m], weight[at:at + m] = t.ids, t.pos, t.weight
            end[at:at + m] = np.asarray(t.end) + at
            at += m


class Packer:
    """Takes samples, gives parcels of rows."""

    def __init__(self, enc, rng, window=WINDOW, rows=ROWS):
        self.enc, self.rng, self.window, self.rows = enc, rng, window, rows
        self.open, self.prefixes, self.bins, self.full = {}, {}, [], []
        self.count = dict(samples=0, dropped=0, cut=0, turns=0, tokens=0, useful=0)

    def add(self, sample):
        tools = sample.get("tools") or []
        system, messages = render.fold(sample["messages"])
        key = tuple(render.head(system, tools))
        prefix = self.prefixes.get(key)
        if prefix is None:
            if len(self.prefixes) > 5000:
                self.prefixes.clear()
            prefix = self.prefixes[key] = render.prefix(key, self.enc)
        self.count["samples"] += 1
        room = self.window - len(prefix)
        tree = render.tree(messages, tools, sample.get("schema"), self.enc, self.rng, len(prefix), room)
        if tree is None:
            self.count["dropped"] += 1
            return
        self.count["cut"] += tree.cut
        self.count["turns"] += tree.turns
        doc = self.open.get(key)
        if doc is not None and doc.size + len(tree.ids) > self.window:
            self.place(self.open.pop(key))
            doc = None
        if doc is None:
            doc = self.open[key] = Doc(prefix)
            if len(self.open) > OPEN_PREFIXES:  # the oldest goes, full or not
                self.place(self.open.pop(next(iter(self.open))))
        doc.add(tree)

    def place(self, doc):
        """Puts a document into the row where it leaves the least room."""
        fit = min((r for r in self.bins if r.left >= doc.size), key=lambda r: r.left, default=None)
        if fit is None:
            fit = Row(self.window)
            self.bins.append(fit)
        fit.add(doc)
        if fit.left < 48:
            self.bins.remove(fit)
            self.full.append(fit)
        elif len(self.bins) > OPEN_ROWS:
            worst = min(self.bins, key=lambda r: r.left)
            self.bins.remove(worst)
            self.full.append(worst)

    def parcel(self):
        """An array (4, rows, window) of uint16 when enough rows are full, else None."""
        if len(self.full) < self.rows:
            return None
        out = np.empty((4, self.rows, self.window), np.uint16)
        for i, row in enumerate(self.full[:self.rows]):
            lay(row, out[:, i])
            self.count["tokens"] += self.window - row.left
        del self.full[:self.rows]
        self.count["useful"] += int((out[3] == render.FULL).sum())
        return out


def worker(number, seed, vocab, out, stop, window=WINDOW, gens=None):
    """A process: makes parcels until stop is set. A sample that cannot be rendered is counted, not fatal."""
    if gens:
        sys.path.insert(0, gens)
    packer = Packer(tok.load(vocab), random.Random(seed * 7919 + number), window)
    bad = 0
    for sample in source.samples(seed * 100_003 + number):
        try:
            packer.add(sample)
        except (KeyError, TypeError, ValueError, AttributeError) as e:
            bad += 1
            if bad <= 3:
                print("worker %d: sample of kind %r: %r" % (number, sample.get("kind"), e), flush=True)
        parcel = packer.parcel()
        while parcel is not None and not stop.is_set():
            try:
                out.put((parcel, {**packer.count, "bad": bad}, number), timeout=1)
                break
            except queue.Full:
                continue
        if stop.is_set():
            out.cancel_join_thread()
            return


def measure(vocab, seconds, seed):
    start = time.time()
    packer = Packer(tok.load(vocab), random.Random(seed))
    stream = source.samples(seed)
    next(stream)
    print("ready after %.1f s" % (time.time() - start))
    spent, parcels, start = 0.0, 0, time.time()
    while time.time() - start < seconds:
        before = time.perf_counter()
        samples = list(itertools.islice(stream, 20))
        spent += time.perf_counter() - before
        for s in samples:
            packer.add(s)
        while packer.parcel() is not None:
            parcels += 1
    took = time.time() - start
    c = packer.count
    print("%s\n%.0f tokens/s in rows (%.1f %% of them filled), %.0f learnt tokens/s, %.0f samples/s; the generator took %.0f %% of the time"
          % (c, c["tokens"] / took, 100 * c["tokens"] / max(1, parcels * ROWS * WINDOW), c["useful"] / took,
             c["samples"] / took, 100 * spent / took))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--vocab", required=True)
    p.add_argument("--seconds", type=float, default=20)
    p.add_argument("--seed", type=int, default=1)
    a = p.parse_args()
    measure(a.vocab, a.seconds, a.seed)


if __name__ == "__main__":
    main()
