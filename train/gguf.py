"""Writes model.bin and vocab.bin as one GGUF v3 file for Ollama and llama.cpp, with numpy alone.

The architecture is qwen3. The integers and scales of model.bin are copied as they are,
so the numbers that run there are the numbers that run here.
"""

import struct

import numpy as np

import tok
import weights

U32, I32, F32, BOOL, STR, ARR, U64 = 4, 5, 6, 7, 8, 9, 10  # value types of metadata
T_F32, T_Q8 = 0, 8  # tensor types
NORMAL, CONTROL, USER = 1, 3, 4  # token types: control is never shown as text, user-defined is
FILE_Q8, ALIGN = 7, 32

NAMES = {"n1.w": "attn_norm", "n2.w": "ffn_norm", "qn.w": "attn_q_norm", "kn.w": "attn_k_norm",
         "wq.weight": "attn_q", "wk.weight": "attn_k", "wv.weight": "attn_v", "wo.weight": "attn_output",
         "w1.weight": "ffn_gate", "w3.weight": "ffn_up", "w2.weight": "ffn_down"}


def tensor_name(name):
    if name == "emb.weight":
        return "token_embd.weight"
    if name == "nf.w":
        return "output_norm.weight"
    _, number, rest = name.split(".", 2)
    return "blk.%s.%s.weight" % (number, NAMES[rest])


def text(s):
    raw = s.encode()
    return struct.pack("<Q", len(raw)) + raw


def value(kind, v):
    if kind == STR:
        return text(v)
    return struct.pack({U32: "<I", I32: "<i", F32: "<f", BOOL: "<?", U64: "<Q"}[kind], v)


def entry(key, kind, v):
    if isinstance(v, list):
        return text(key) + struct.pack("<IIQ", ARR, kind, len(v)) + b"".join(value(kind, x) for x in v)
    return text(key) + struct.pack("<I", kind) + value(kind, v)


def blocks(q, scale):
    """The bytes of Q8_0: each block is its scale and its 32 integers."""
    out = np.empty((q.size // 32, 34), np.uint8)
    out[:, :2] = np.ascontiguousarray(scale.reshape(-1), "<f2").view(np.uint8).reshape(-1, 2)
    out[:, 2:] = np.ascontiguousarray(q).reshape(-1, 32).view(np.uint8)
    return out.tobytes()


def metadata(c, entries, merges, name, parameters):
    names = tok.byte_names()
    words = [e.decode() if i < len(tok.SPECIALS) else "".join(names[b] for b in e) for i, e in enumerate(entries)]
    # <|...|> frame the turns and are control tokens. Thoughts and calls are shown: who runs the model parses them.
    types = [NORMAL] * len(words)
    for i, s in enumerate(tok.SPECIALS):
        types[i] = CONTROL if s.startswith("<|") else USER
    arch = "qwen3."
    return [
        ("general.architecture", STR, "qwen3"), ("general.type", STR, "model"), ("general.name", STR, name),
        ("general.file_type", U32, FILE_Q8), ("general.quantization_version", U32, 2), ("general.alignment", U32, ALIGN),
        ("general.parameter_count", U64, parameters),
        (arch + "block_count", U32, c["layers"]), (arch + "context_length", U32, c["window"]),
        (arch + "embedding_length", U32, c["dim"]), (arch + "feed_forward_length", U32, c["ffn"]),
        (arch + "attention.head_count", U32, c["heads"]), (arch + "attention.head_count_kv", U32, c["kv_heads"]),
        (arch + "attention.key_length", U32, c["head_dim"]), (arch + "attention.value_length", U32, c["head_dim"]),
        (arch + "rope.dimension_count", U32, c["head_dim"]), (arch + "rope.freq_base", F32, c["rope_theta"]),
        (arch + "attention.layer_norm_rms_epsilon", F32, c["norm_eps"]), (arch + "vocab_size", U32, c["vocab"]),
        ("tokenizer.ggml.model", STR, "gpt2"), ("tokenizer.ggml.pre", STR, "qwen2"),
        ("tokenizer.ggml.tokens", STR, words), ("tokenizer.ggml.token_type", I32, types),
        ("tokenizer.ggml.merges", STR, [words[a] + " " + words[b] for a, b in merges]),
        ("tokenizer.ggml.bos_token_id", U32, tok.BOS), ("tokenizer.ggml.eos_token_id", U32, tok.END),
        ("tokenizer.ggml.padding_token_id", U32, tok.PAD),
        ("tokenizer.ggml.add_bos_token", BOOL, True), ("tokenizer.ggml.add_eos_token", BOOL, False),
    ]


def pack(model, vocab, name="moothall-mini"):
    """The bytes of the file, from the bytes of model.bin and vocab.bin."""
    config, tensors = weights.unpack(model)
    entries, merges = tok.read(vocab)
    info, data, at, parameters = [], [], 0, 0
    for key, x in tensors.items():
        q8 = isinstance(x, tuple)
        shape = (x[0] if q8 else x).shape
        raw = blocks(*x) if q8 else x.astype("<f4").tobytes()
        parameters += int(np.prod(shape))
        # ggml names the fastest dimension first
        info.append(text(tensor_name(key)) + struct.pack("<I", len(shape)) + b"".join(
            struct.pack("<Q", d) for d in reversed(shape)) + struct.pack("<IQ", T_Q8 if q8 else T_F32, at))
        raw += bytes(-len(raw) % ALIGN)
        data.append(raw)
        at += len(raw)
    meta = metadata(config, entries, merges, name, parameters)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(info), len(meta)) + b"".join(entry(*m) for m in meta) + b"".join(info)
    return b"".join([head, bytes(-len(head) % ALIGN), *data])
