"""The tokenizer: byte-level BPE over Qwen2's split of the text into pieces.

Encoder is pure Python and fast because it keeps every piece it has met; the
worker processes of the training live on it. Training a vocabulary needs the
package "tokenizers"; nothing else here does.

    python3 train/tok.py --samples 30000 --out vocab.bin
    python3 train/tok.py --check vocab.bin        # against "tokenizers"

vocab.bin: "MOOTBPE1", uint32 n, n entries (uint16 length, bytes) in the order
of their ids with the specials by name first, uint32 m, m merges as pairs of
uint32 ids in the order of their rank. All little-endian.
"""

import argparse
import array
import collections
import itertools
import json
import os
import re
import struct
import sys
import unicodedata

SPECIALS = ["<|bos|>", "<|pad|>", "<|im_start|>", "<|im_end|>",
            "<think>", "</think>", "<tool_call>", "</tool_call>"]
BOS, PAD, START, END, THINK, UNTHINK, CALL, UNCALL = range(8)

# What Ollama and llama.cpp apply to the qwen architectures, whatever the file says.
PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
           r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")

MAGIC = b"MOOTBPE1"
SPACE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
# Longer pieces than this occur only in hostile text; they are not kept.
KEEP_LEN, KEEP = 64, 400_000


def _class(major):
    """The members of a Unicode general category as ranges of a character class."""
    out, start = [], None
    for c in range(sys.maxunicode + 2):
        hit = c <= sys.maxunicode and unicodedata.category(chr(c))[0] == major
        if hit and start is None:
            start = c
        elif not hit and start is not None:
            out.append("\\U%08x-\\U%08x" % (start, c - 1))
            start = None
    return "".join(out)


def _pattern(letter, number, space):
    """PATTERN with its classes written out, since the module re knows no \\p{L}."""
    l, n, s = letter, number, space
    return re.compile(
        rf"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n{l}{n}]?[{l}]+|[{n}]"
        rf"| ?[^{s}{l}{n}]+[\r\n]*|[{s}]*[\r\n]+|[{s}]+(?![^{s}])|[{s}]+")


ASCII = _pattern("A-Za-z", "0-9", "\\t-\\r ")
_wide = []


def split(text):
    """The pieces of a text, as PATTERN cuts them."""
    if text.isascii():
        return ASCII.findall(text)
    if not _wide:
        _wide.append(_pattern(_class("L"), _class("N"), SPACE))
    return _wide[0].findall(text)


class Pieces(dict):
    """Piece -> ids, filled on demand."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def __missing__(self, piece):
        ids = self.encoder.merge(piece.encode("utf-8", "surrogatepass"))
        if len(piece) <= KEEP_LEN:
            if len(self) >= KEEP:
                self.clear()
            self[piece] = ids
        return ids


class Encoder:
    """Text to ids and back. Text never yields a special id."""

    def __init__(self, entries, merges):
        self.entries, self.merges = entries, merges
        index = {e: i for i, e in enumerate(entries) if i >= len(SPECIALS)}
        self.byte = [index[bytes([b])] for b in range(256)]
        self.rank = {}
        for r, (a, b) in enumerate(merges):
            self.rank.setdefault((a, b), (r, index[entries[a] + entries[b]]))
        self.pieces = Pieces(self)
        self.runs = {}

    def merge(self, raw):
        """BPE of one piece: the pair of the lowest rank first, leftmost first."""
        ids = [self.byte[b] for b in raw]
        rank = self.rank
        while len(ids) > 1:
            best = min((rank[p] for p in zip(ids, ids[1:]) if p in rank), default=None)
            if best is None:
                break
            new, out, i = best[1], [], 0
            a, b = self.merges[best[0]]
            while i < len(ids):
                if ids[i] == a and i + 1 < len(ids) and ids[i + 1] == b:
                    out.append(new)
                    i += 2
                else:
                    out.append(ids[i])
                    i += 1
            ids = out
        return ids

    def encode(self, text):
        get = self.pieces.__getitem__
        return list(itertools.chain.from_iterable(map(get, split(text))))

    def encode_kept(self, text):
        """encode for texts that come again and again (prompts, tool lines). Do not change the list."""
        ids = self.runs.get(text)
        if ids is None:
            if len(self.runs) >= 60_000:
                self.runs.clear()
            ids = self.runs[text] = self.encode(text)
        return ids

    def decode(self, ids, specials=True):
        return b"".join(self.entries[i] for i in ids if specials or i >= len(SPECIALS)).decode("utf-8", "replace")

    def __len__(self):
        return len(self.entries)


def save(path, entries, merges):
    out = [MAGIC, struct.pack("<I", len(entries))]
    for e in entries:
        out += [struct.pack("<H", len(e)), e]
    out.append(struct.pack("<I", len(merges)))
    out += [struct.pack("<II", a, b) for a, b in merges]
    with open(path, "wb") as f:
        f.write(b"".join(out))


def read(raw):
    """The entries and merges of a vocab.bin."""
    if raw[:8] != MAGIC:
        raise ValueError("not a vocabulary file")
    (n,), at, entries = struct.unpack_from("<I", raw, 8), 12, []
    for _ in range(n):
        (size,) = struct.unpack_from("<H", raw, at)
        entries.append(raw[at + 2:at + 2 + size])
        at += 2 + size
    (m,) = struct.unpack_from("<I", raw, at)
    flat = array.array("I")
    flat.frombytes(raw[at + 4:at + 4 + 8 * m])
    if len(flat) != 2 * m or at + 4 + 8 * m != len(raw):
        raise ValueError("the vocabulary file is cut")
    return entries, list(zip(flat[0::2], flat[1::2]))


def load(path):
    with open(path, "rb") as f:
        return Encoder(*read(f.read()))


def byte_names():
    """GPT-2's printable stand-in for each byte, as GGUF and "tokenizers" write tokens."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    spare = (chr(256 + i) for i in range(256))
    return [chr(b) if b in plain else next(spare) for b in range(256)]


def library(entries=None, merges=None, bare=False):
    """A tokenizer of the package "tokenizers" with our split and, if given, our merges. With
    bare the sign or space before a word is a piece of its own."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    names = byte_names()
    model = models.BPE()
    if entries:
        text = ["".join(names[b] for b in e) for e in entries]
        vocab = {t: i for i, t in enumerate(text) if i >= len(SPECIALS)}
        model = models.BPE(vocab, [(text[a], text[b]) for a, b in merges])
    t = Tokenizer(model)
    cuts = [pre_tokenizers.Split(Regex(PATTERN), "isolated")]
    if bare:
        cuts.append(pre_tokenizers.Split(Regex(r"^[^\r\n\p{L}\p{N}](?=\p{L})"), "isolated"))
    t.pre_tokenizer = pre_tokenizers.Sequence(cuts + [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    return t


def train(texts, size, joined=0.35):
    """Entries and merges of a vocabulary of the given size, learnt from plain texts.

    Words are learnt without what stands before them; then the commonest words get an entry
    of their own together with the space or sign before them, by merges that come after all
    others. So a rare name has the same tokens wherever it stands, which is what makes it
    easy to copy: "errands.txt" after a space and within quotes differ in one token at most.
    joined is the share of the entries that are such pairs.
    """
    entries, merges = learn(texts, size - int(size * joined))
    enc = Encoder(entries, merges)
    count = collections.Counter(p for t in texts for p in split(t) if len(p) > 1 and p[1].isalpha() and not p[0].isalnum())
    for piece, _ in count.most_common():
        ids = enc.pieces[piece]
        if len(entries) == size:
            return entries, merges
        if len(ids) == 2 and entries[ids[0]] == piece[0].encode():
            entries.append(piece.encode())
            merges.append((ids[0], ids[1]))
    raise SystemExit("the texts give only %d entries of %d: use more samples" % (len(entries), size))


def learn(texts, size):
    from tokenizers import pre_tokenizers, trainers
    t = library(bare=True)
    t.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=size, special_tokens=SPECIALS, max_token_length=24, min_frequency=2,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    model = json.loads(t.to_str())["model"]
    if len(model["vocab"]) != size:
        raise SystemExit("the texts give only %d entries of %d: use more samples" % (len(model["vocab"]), size))
    byte = {c: b for b, c in enumerate(byte_names())}
    entries = [b""] * size
    for name, i in model["vocab"].items():
        entries[i] = name.encode() if i < len(SPECIALS) else bytes(byte[c] for c in name)
    if [e.decode() for e in entries[:len(SPECIALS)]] != SPECIALS:
        raise SystemExit("the specials are not where they belong")
    ids = model["vocab"]
    pairs = [m.split(" ") if isinstance(m, str) else m for m in model["merges"]]
    return entries, [(ids[a], ids[b]) for a, b in pairs]


def texts(seed, samples, often=30):
    """Plain texts of generated samples; a line that comes again and again counts a few times."""
    import render
    import source
    seen, out = {}, []
    for sample in itertools.islice(source.samples(seed), samples):
        for run in render.runs(sample):
            for line in run.split("\n") if len(run) > 400 else (run,):
                n = seen.get(line, 0)
                if n < often:
                    seen[line] = n + 1
                    out.append(line + "\n" if line is not run else line)
    return out


def _texts(job):
    return texts(*job)


def data_files(folder):
    """The texts of the data files beside the generator."""
    for base, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if name.endswith((".txt", ".jsonl", ".json")) and not name.startswith("probes"):
                with open(os.path.join(base, name), encoding="utf-8") as f:
                    yield from f


def make(path, size=8192, samples=60_000, seed=77, processes=1):
    """Learns a vocabulary from the generator and the data files and writes it."""
    import multiprocessing
    jobs = [(seed + 1000 * i, samples // processes) for i in range(processes)]
    if processes == 1:
        found = texts(*jobs[0])
    else:
        with multiprocessing.get_context("spawn").Pool(processes) as pool:
            found = [t for part in pool.imap(_texts, jobs) for t in part]
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in (os.path.join(here, "data"), os.path.join(here, "..", "internal", "library", "entries")):
        found += data_files(folder)
    entries, merges = train(found, size)
    save(path, entries, merges)
    chars = sum(map(len, found[:20_000]))
    enc = Encoder(entries, merges)
    print("%s: %d entries, %d merges from %.1f MB of text, %.2f characters a token" % (
        path, len(entries), len(merges), sum(map(len, found)) / 1e6,
        chars / sum(len(enc.encode(t)) for t in found[:20_000])), flush=True)


ODD = ["I'll won't HE'S o'clock 'tis 'Re", "a\r\n\r\n b\t\tc  \n  d\n", "1234.5e-7 x2y ½²③", "naïve Straße 東京 مرحبا é", "\u00a0x \u2003 y",
       "  two  spaces  ", "...!!!\n\n\nfoo", "{\"name\": \"fs_read\", \"arguments\": {\"path\": \"a.txt\"}}", "<|im_end|><think>", "\x00\x1c\x7f\ufeff", "🙂👩‍👩‍👧 ok"]


def check(path, samples=300):
    """Compares Encoder with the package "tokenizers" on samples and odd texts."""
    import render
    import source
    enc = load(path)
    lib = library(enc.entries, enc.merges)
    bad = n = 0
    runs = (r for s in itertools.islice(source.samples(5), samples) for r in render.runs(s))
    for text in itertools.chain(ODD, runs):
        ids = enc.encode(text)
        n += 1
        if ids != lib.encode(text, add_special_tokens=False).ids or enc.decode(ids) != text:
            bad += 1
            print("differs: %r" % text[:200])
    print("%d of %d texts differ" % (bad, n))
    return bad == 0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--out", default="vocab.bin")
    p.add_argument("--size", type=int, default=8192)
    p.add_argument("--samples", type=int, default=60_000)
    p.add_argument("--seed", type=int, default=77)
    p.add_argument("--processes", type=int, default=1)
    p.add_argument("--check", metavar="VOCAB")
    a = p.parse_args()
    if a.check:
        sys.exit(not check(a.check))
    make(a.out, a.size, a.samples, a.seed, a.processes)


if __name__ == "__main__":
    main()
