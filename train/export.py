"""What leaves training: model.bin and vocab.bin for the runtime, reference logits, GGUF.

    python3 train/export.py reference --model out      # out/reference.json, needs torch
    python3 train/export.py split --model out          # out/model.bin.0, .1, ... of 15 MiB
    python3 train/export.py join --model out           # and back
    python3 train/export.py mean --model old --new out --to both    # both/model.bin and vocab.bin
    python3 train/export.py gguf --model out --to moothall-mini.gguf
    python3 train/export.py install --model out --to internal/gateway/builtin/weights
"""

import argparse
import itertools
import json
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
if HERE not in sys.path:
    sys.path.insert(0, HERE)

import render
import tok
import weights

LENGTHS = (1, 20, 120, 400, 1000, 2000)  # prompts of about these lengths are wanted


def prompts(enc, window, seed=9):
    """Ids of prompts of several lengths, from held-out samples."""
    import source
    found = [[tok.BOS], [tok.BOS] + enc.encode("It's 12:05 – naïve café, 東京!\r\n\n  x\t<|im_end|>")]
    pool = []
    for s in itertools.islice(source.samples(seed, held=True), 400):
        turns = [i for i, m in enumerate(s["messages"]) if m.get("train")]
        pool += [render.encode(render.prompt(s, i, i % 2 == 0), enc) for i in turns[-1:]]
    pool = [p for p in pool if len(p) < window]
    for n in LENGTHS[2:]:
        best = min(pool, key=lambda p: abs(len(p) - n))
        if best not in found:
            found.append(best)
    return found


def reference(folder, most_logits=20, spaced=100):
    """Logits of PyTorch in float32 over the dequantised weights, after the last token of each prompt."""
    import torch
    import evaluate
    import net as network
    torch.set_float32_matmul_precision("highest")
    enc = tok.load(os.path.join(folder, "vocab.bin"))
    model = evaluate.open_model(folder, "cpu", "float32")
    cases = []
    for ids in prompts(enc, model.c.window):
        n = len(ids)
        with torch.no_grad():
            x = model.hidden(torch.tensor([ids]), torch.arange(n)[None], network.dense_mask(torch.full((1, n), n)))
            logits = model.logits(x[0, -1])
        top = torch.topk(logits, most_logits).indices.tolist()
        some = [i for i in range(0, len(logits), max(1, len(logits) // spaced)) if i not in top]
        cases.append({"ids": ids, "text": enc.decode(ids), "top": [[i, round(float(logits[i]), 5)] for i in top + some[:spaced]]})
    with open(os.path.join(folder, "reference.json"), "w", encoding="utf-8") as f:
        json.dump({"cases": cases}, f, ensure_ascii=False)
    print("reference.json: %d prompts of %s tokens" % (len(cases), [len(c["ids"]) for c in cases]))


def read(folder, name):
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return weights.join(path)
    with open(path, "rb") as f:
        return f.read()


def write(path, raw):
    weights.save(path, raw)
    print("%s: %d bytes" % (path, len(raw)))


def install(folder, to):
    """Checks the files and puts them where the runtime embeds them."""
    model = read(folder, "model.bin")
    config, _ = weights.unpack(model)
    entries, _ = tok.read(read(folder, "vocab.bin"))
    if len(entries) != config["vocab"]:
        raise SystemExit("the vocabulary has %d entries, the model %d" % (len(entries), config["vocab"]))
    write(os.path.join(to, "model.bin"), model)
    for name in ("vocab.bin", "reference.json"):
        if os.path.exists(os.path.join(folder, name)):
            shutil.copyfile(os.path.join(folder, name), os.path.join(to, name))


def mean(old, new, to):
    """Writes the mean of the weights in two folders."""
    os.makedirs(to, exist_ok=True)
    vocab = read(new, "vocab.bin")
    if vocab != read(old, "vocab.bin"):
        raise SystemExit("these have two different vocabularies")
    write(os.path.join(to, "model.bin"), weights.pack(*weights.mean(weights.load(old), weights.load(new))))
    write(os.path.join(to, "vocab.bin"), vocab)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["reference", "split", "join", "mean", "gguf", "install"])
    p.add_argument("--model", required=True, help="folder with model.bin or its parts, and vocab.bin")
    p.add_argument("--new", help="for mean: the folder with what a run has made of --model")
    p.add_argument("--to", help="what to write")
    p.add_argument("--gen", help="folder that holds another package gen")
    a = p.parse_args()
    if a.gen:
        sys.path.insert(0, a.gen)
    model = os.path.join(a.model, "model.bin")
    if a.what == "reference":
        reference(a.model)
    elif a.what == "split":
        print("\n".join(weights.split(model)))
    elif a.what == "join":
        write(model, weights.join(model))
    elif a.what == "mean":
        if not a.new or not a.to:
            p.error("mean needs --new and --to")
        mean(a.model, a.new, a.to)
    elif a.what == "install":
        install(a.model, a.to or os.path.join(HERE, "..", "internal", "gateway", "builtin", "weights"))
    else:
        import gguf
        to = a.to or os.path.join(a.model, "moothall-mini.gguf")
        write(to, gguf.pack(read(a.model, "model.bin"), read(a.model, "vocab.bin")))
        shutil.copyfile(os.path.join(HERE, "ollama", "Modelfile"), os.path.join(os.path.dirname(to) or ".", "Modelfile"))


if __name__ == "__main__":
    main()
