"""The network: Qwen3's block (RMSNorm, rotary positions in halves, normed queries and keys,
grouped queries, SwiGLU, tied embeddings), in the smallest form that trains and decodes.

Three ways to attend, all to the same tree (render.py): FlexAttention with a block mask,
a dense mask for machines without it, and a key-value cache for decoding.
"""

import math
from dataclasses import asdict, dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    dim: int = 512
    layers: int = 16
    heads: int = 8
    kv_heads: int = 4
    head_dim: int = 64
    ffn: int = 1408
    vocab: int = 8192
    window: int = 4096
    rope_theta: float = 10000.0
    norm_eps: float = 1e-6

    def dict(self):
        return asdict(self)


class Norm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.w, self.eps = nn.Parameter(torch.ones(size)), eps

    def forward(self, x):
        return F.rms_norm(x.float(), (x.shape[-1],), self.w.float(), self.eps).to(x.dtype)


def rotate(x, cos, sin):
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)


def linear(i, o):
    return nn.Linear(i, o, bias=False)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h, self.k, self.d = c.heads, c.kv_heads, c.head_dim
        self.drop = 0.0  # the share of what a block adds that a pass of training leaves out
        self.n1, self.n2 = Norm(c.dim, c.norm_eps), Norm(c.dim, c.norm_eps)
        self.qn, self.kn = Norm(c.head_dim, c.norm_eps), Norm(c.head_dim, c.norm_eps)
        self.wq, self.wo = linear(c.dim, c.heads * c.head_dim), linear(c.heads * c.head_dim, c.dim)
        self.wk, self.wv = linear(c.dim, c.kv_heads * c.head_dim), linear(c.dim, c.kv_heads * c.head_dim)
        self.w1, self.w3, self.w2 = linear(c.dim, c.ffn), linear(c.dim, c.ffn), linear(c.ffn, c.dim)

    def qkv(self, x, cos, sin):
        b, t, _ = x.shape
        h = self.n1(x)
        q = self.qn(self.wq(h).view(b, t, self.h, self.d)).transpose(1, 2)
        k = self.kn(self.wk(h).view(b, t, self.k, self.d)).transpose(1, 2)
        v = self.wv(h).view(b, t, self.k, self.d).transpose(1, 2)
        return rotate(q, cos, sin), rotate(k, cos, sin), v

    def rest(self, x, o):
        b, t, _ = x.shape
        x = x + self.dropped(self.wo(o.transpose(1, 2).reshape(b, t, self.h * self.d)))
        h = self.n2(x)
        return x + self.dropped(self.w2(F.silu(self.w1(h)) * self.w3(h)))

    def dropped(self, x):
        return F.dropout(x, self.drop) if self.drop else x

    def forward(self, x, cos, sin, mask):
        """mask: a BlockMask (FlexAttention) or a bool tensor (batch, 1, q, k)."""
        q, k, v = self.qkv(x, cos, sin)
        if isinstance(mask, torch.Tensor):
            n = self.h // self.k
            o = F.scaled_dot_product_attention(
                q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), attn_mask=mask)
        else:
            from torch.nn.attention.flex_attention import flex_attention
            o = flex_attention(q, k, v.to(q.dtype), block_mask=mask, enable_gqa=True)
        return self.rest(x, o)


class Net(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        self.emb = nn.Embedding(c.vocab, c.dim)
        self.blocks = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.nf = Norm(c.dim, c.norm_eps)
        freq = c.rope_theta ** (-torch.arange(0, c.head_dim, 2).float() / c.head_dim)
        angle = torch.outer(torch.arange(c.window + 8).float(), freq)
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)
        for name, p in self.named_parameters():
            if p.ndim == 2:
                scale = 0.3 if name.endswith(("wo.weight", "w2.weight")) else 0.6
                nn.init.normal_(p, std=0.02 if name == "emb.weight" else scale / math.sqrt(p.shape[1]))

    def angles(self, pos):
        return self.cos[pos][:, None], self.sin[pos][:, None]

    def hidden(self, ids, pos, mask, dtype=torch.float32):
        x = self.emb(ids).to(dtype)
        cos, sin = self.angles(pos)
        for b in self.blocks:
            x = b(x, cos, sin, mask)
        return x

    def logits(self, x):
        return F.linear(self.nf(x), self.emb.weight.to(x.dtype)).float()

    def loss(self, x, target, weight):
        """The weighted mean loss, and the plain mean over the tokens of full weight."""
        each = F.cross_entropy(self.logits(x).view(-1, self.c.vocab), target.view(-1), reduction="none")
        weight = weight.view(-1)
        full = (weight == 1.0).float()
        return (each * weight).sum() / weight.sum(), ((each * full).sum() / full.sum()).detach()


def visible(end):
    """The rule of the tree as FlexAttention wants it; end is (batch, length)."""
    def rule(b, h, q, k):
        return (q >= k) & (q < end[b, k])
    return rule


def block_mask(end, size=128):
    """The rule of the tree as a BlockMask, computed from each block's nearest and farthest end.

    The same blocks as create_block_mask finds, without looking at every pair of tokens.
    """
    from torch.nn.attention.flex_attention import BlockMask
    b, t = end.shape
    blocks = end.view(b, 1, t // size, size)
    near, far = blocks.amin(-1)[:, :, None], blocks.amax(-1)[:, :, None]
    k = torch.arange(t // size, device=end.device)
    q = k[:, None]
    whole = (q > k) & (near >= (q + 1) * size)
    part = (q >= k) & (far > q * size) & ~whole

    def listed(m):
        return m.sum(-1, dtype=torch.int32), torch.argsort(m.int(), dim=-1, descending=True, stable=True).int()
    return BlockMask.from_kv_blocks(*listed(part), *listed(whole), BLOCK_SIZE=size, mask_mod=visible(end), seq_lengths=(t, t))


def dense_mask(end):
    """The same rule as a tensor (batch, 1, q, k)."""
    i = torch.arange(end.shape[1], device=end.device)
    return ((i[:, None] >= i[None, :]) & (i[:, None] < end[:, None, :]))[:, None]


class Cache:
    """Keys and values of a batch of sequences, each at its own length."""

    def __init__(self, net, batch, size, dtype, device):
        c = net.c
        shape = (c.layers, batch, c.kv_heads, size, c.head_dim)
        self.k, self.v = torch.zeros(shape, dtype=dtype, device=device), torch.zeros(shape, dtype=dtype, device=device)

    def rows(self, keep):
        self.k, self.v = self.k[:, keep], self.v[:, keep]


@torch.no_grad()
def prefill(net, ids, lengths, cache):
    """Feeds prompts padded on the right; gives the logits after each one's last token."""
    b, t = ids.shape
    x = net.emb(ids)
    cos, sin = net.angles(torch.arange(t, device=ids.device)[None].expand(b, t))
    n = net.c.heads // net.c.kv_heads
    for i, blk in enumerate(net.blocks):
        q, k, v = blk.qkv(x, cos, sin)
        cache.k[i, :, :, :t], cache.v[i, :, :, :t] = k, v
        o = F.scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), is_causal=True)
        x = blk.rest(x, o)
    return net.logits(x[torch.arange(b, device=ids.device), lengths - 1])


@torch.no_grad()
def step(net, ids, at, cache, size):
    """Feeds one token of each sequence at position `at`; attends to the first `size` places of the cache."""
    b = ids.shape[0]
    x = net.emb(ids[:, None])
    cos, sin = net.angles(at[:, None])
    rows = torch.arange(b, device=ids.device)
    hide = torch.arange(size, device=ids.device)[None, None, None] > at[:, None, None, None]
    c = net.c
    for i, blk in enumerate(net.blocks):
        q, k, v = blk.qkv(x, cos, sin)
        cache.k[i][rows, :, at], cache.v[i][rows, :, at] = k[:, :, 0], v[:, :, 0]
        q = q.reshape(b, c.kv_heads, c.heads // c.kv_heads, c.head_dim)
        score = (q @ cache.k[i][:, :, :size].transpose(2, 3)).float() / math.sqrt(c.head_dim)
        o = score.masked_fill(hide, float("-inf")).softmax(-1).to(x.dtype) @ cache.v[i][:, :, :size]
        x = blk.rest(x, o.reshape(b, c.heads, 1, c.head_dim))
    return net.logits(x[:, 0])
