"""Is the network of any use as an embedder? Measures it on dialogues with questions.

    python3 train/embed.py --model internal/gateway/builtin/weights --cases DIR

DIR holds turns.jsonl and queries.jsonl as bench/locomo reads them; that program gives the figures
of the embedder without weights for the same texts (speaker, date and text; no neighbours).
Compared are what could be had from these weights without training anew: the mean of the tokens'
embeddings, that mean with rare tokens counting more, and the mean of the hidden states.
"""

import argparse
import collections
import json
import os
import time

import numpy as np
import torch

import evaluate
import tok


def lines(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def unit(x):
    return x / x.norm(dim=-1, keepdim=True).clamp(min=1e-6)


class Means:
    """Vectors by the mean of what `look` gives for each token; the store's own mean is taken away."""

    def __init__(self, enc, look, weight=None):
        self.enc, self.look, self.weight = enc, look, weight
        self.mean = 0.0

    def raw(self, text):
        ids = self.enc.encode(text)[:512]
        w = torch.tensor([self.weight[i] if self.weight is not None else 1.0 for i in ids])
        return (self.look(ids) * w[:, None]).sum(0) / w.sum()

    def fit(self, texts):
        x = torch.stack([self.raw(t) for t in texts])
        self.mean = x.mean(0)
        return unit(x - self.mean)

    def ask(self, text):
        return unit(self.raw(text) - self.mean)


def rarity(enc, texts):
    """Weights of tokens: a / (a + share), as rare ones tell more."""
    seen = collections.Counter(i for t in texts for i in enc.encode(t))
    total = sum(seen.values())
    return np.array([1e-3 / (1e-3 + seen[i] / total) for i in range(len(enc))], dtype=np.float32)


def states(model):
    @torch.no_grad()
    def look(ids):
        n = len(ids)
        mask = torch.ones(n, n, dtype=torch.bool).tril()[None, None]
        return model.hidden(torch.tensor([ids]), torch.arange(n)[None], mask)[0]
    return look


def measure(name, make, turns, queries):
    hits, spent, count = {5: [], 10: [], 20: []}, 0.0, 0
    for sample in sorted({t["sample"] for t in turns}):
        here = [t for t in turns if t["sample"] == sample]
        texts = ["%s %s %s" % (t["speaker"], t["date"], t["text"]) for t in here]
        began = time.time()
        means = make(texts)
        store = means.fit(texts)
        spent, count = spent + time.time() - began, count + len(texts)
        for q in queries:
            if q["sample"] != sample or not q["evidence"]:
                continue
            order = (store @ means.ask(q["question"])).argsort(descending=True).tolist()
            for k, found in hits.items():
                found.append(sum(here[i]["dia_id"] in q["evidence"] for i in order[:k]) / len(q["evidence"]))
    print("| %s | %s | %.2f ms |" % (name, " | ".join("%.1f" % (100 * np.mean(v)) for v in hits.values()), 1000 * spent / count),
          flush=True)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--model", required=True)
    p.add_argument("--cases", required=True)
    a = p.parse_args()
    enc, model = tok.load(os.path.join(a.model, "vocab.bin")), evaluate.open_model(a.model, "cpu", "float32")
    turns, queries = lines(a.cases, "turns.jsonl"), lines(a.cases, "queries.jsonl")
    table = model.emb.weight.detach()
    plain = lambda ids: table[ids]
    print("| vectors | @5 | @10 | @20 | a text |\n|---|---:|---:|---:|---:|")
    measure("mean of the tokens' embeddings", lambda texts: Means(enc, plain), turns, queries)
    measure("the same, rare tokens count more", lambda texts: Means(enc, plain, rarity(enc, texts)), turns, queries)
    measure("mean of the hidden states", lambda texts: Means(enc, states(model)), turns, queries)
    measure("the same, rare tokens count more", lambda texts: Means(enc, states(model), rarity(enc, texts)), turns, queries)


if __name__ == "__main__":
    main()
