"""model.bin: the weights as the runtime reads them (internal/gateway/builtin/nn), with numpy alone.

Matrices are int8 in blocks of 32 with one float16 scale, which is llama.cpp's Q8_0
to the bit, so that the very same numbers run in Ollama; norms are float32.

"MOOTNN01", uint32 length of the header, the header as JSON, padding to a multiple of 64,
then the tensors; offsets count from the first byte after that padding. A q8 tensor is all
its int8 rows, then, at the next multiple of 64, its scales.
"""

import json
import os
import struct

import numpy as np

MAGIC, BLOCK, ALIGN = b"MOOTNN01", 32, 64


def quantise(x):
    """The int8 values and float16 scales of a float32 matrix."""
    r = np.ascontiguousarray(x, np.float32).reshape(-1, BLOCK)
    scale = (np.abs(r).max(1) / 127).astype(np.float16)
    s = scale.astype(np.float32)[:, None]
    q = np.divide(r, s, out=np.zeros_like(r), where=s > 0)
    return np.clip(np.rint(q), -127, 127).astype(np.int8).reshape(x.shape), scale.reshape(x.shape[0], -1)


def dequantise(q, scale):
    r = q.reshape(-1, BLOCK).astype(np.float32) * scale.reshape(-1, 1).astype(np.float32)
    return r.reshape(q.shape)


def _padded(n):
    return -n % ALIGN


def pack(config, tensors):
    """The bytes of model.bin. tensors: name -> float32 vector, or matrix, or (int8, float16) pair."""
    table, data, at = [], [], 0

    def put(raw):
        nonlocal at
        data.append(raw + bytes(_padded(len(raw))))
        at += len(data[-1])

    for name, x in tensors.items():
        pair = x if isinstance(x, tuple) else None if x.ndim == 1 else quantise(x)
        table.append({"name": name, "shape": list((pair[0] if pair else x).shape),
                      "type": "q8" if pair else "f32", "offset": at})
        if pair:
            put(pair[0].tobytes())
            put(pair[1].astype("<f2").tobytes())
        else:
            put(np.asarray(x, "<f4").tobytes())
    head = json.dumps({"config": config, "tensors": table}, separators=(",", ":")).encode()
    head = MAGIC + struct.pack("<I", len(head)) + head
    return b"".join([head, bytes(_padded(len(head))), *data])


def unpack(raw):
    """The config and the tensors of model.bin, matrices as (int8, float16) pairs."""
    if raw[:8] != MAGIC:
        raise ValueError("not a model file")
    (n,) = struct.unpack_from("<I", raw, 8)
    head = json.loads(raw[12:12 + n])
    base, out = 12 + n + _padded(12 + n), {}
    for t in head["tensors"]:
        size, at, shape = int(np.prod(t["shape"])), base + t["offset"], t["shape"]
        if t["type"] == "f32":
            out[t["name"]] = np.frombuffer(raw, "<f4", size, at)
            continue
        q = np.frombuffer(raw, np.int8, size, at).reshape(shape)
        scale = np.frombuffer(raw, "<f2", size // BLOCK, at + size + _padded(size))
        out[t["name"]] = (q, scale.reshape(shape[0], -1))
    return head["config"], out


SILENT = 0.02  # the largest weight of the norm before a feed-forward part that adds nothing


def mean(old, new):
    """The mean of weights and of those that a run at a low rate made of them: (config, tensors) each, as float32.

    A feed-forward part that was silent in the old ones is the new one's: the mean of nothing and of something is neither.
    """
    (config, a), (other, b) = old, new
    if config != other:
        raise ValueError("these are two different networks")
    plain = lambda x: dequantise(*x) if isinstance(x, tuple) else x
    woken = [n[:-len("n2.w")] for n, x in a.items() if n.endswith(".n2.w") and np.abs(plain(x)).max() <= SILENT]
    parts = [p + n for p in woken for n in ("n2.w", "w1.weight", "w2.weight", "w3.weight")]
    return config, {n: plain(b[n]) if n in parts else (plain(a[n]) + plain(b[n])) / 2 for n in a}


def load(path):
    """Reads model.bin, its parts model.bin.0, .1, ..., or the folder that holds either."""
    if os.path.isdir(path):
        path = os.path.join(path, "model.bin")
    if os.path.exists(path):
        with open(path, "rb") as f:
            return unpack(f.read())
    return unpack(join(path))


def save(path, raw):
    """Writes by renaming, so that a reader never meets half a file."""
    with open(path + ".new", "wb") as f:
        f.write(raw)
    os.replace(path + ".new", path)


def split(path, size=15 << 20):
    """Writes path.0, path.1, ... of at most size bytes each beside path."""
    with open(path, "rb") as f:
        raw = f.read()
    names = []
    for i in range(0, len(raw), size):
        names.append("%s.%d" % (path, i // size))
        with open(names[-1], "wb") as f:
            f.write(raw[i:i + size])
    return names


def join(path):
    raw, i = b"", 0
    while os.path.exists("%s.%d" % (path, i)):
        with open("%s.%d" % (path, i), "rb") as f:
            raw += f.read()
        i += 1
    if not raw:
        raise FileNotFoundError(path)
    return raw
