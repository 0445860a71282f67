"""Steps of training that PyTorch does not have: Muon for matrices, and passes on weights rounded to int8."""

import torch


class Muon:
    """Momentum with orthogonal updates (Newton-Schulz, five steps) for the matrices of the blocks.

    Matrices of one shape go through the iteration together.
    """

    def __init__(self, params, decay=0.05, momentum=0.95, compiled=False):
        shapes = {}
        for p in params:
            shapes.setdefault(tuple(p.shape), []).append(p)
        self.groups = [(ps, torch.zeros(len(ps), *shape, device=ps[0].device)) for shape, ps in shapes.items()]
        self.decay, self.momentum = decay, momentum
        self.orthogonal = torch.compile(orthogonal) if compiled else orthogonal

    def step(self, rate):
        with torch.no_grad():
            for ps, moment in self.groups:
                grad = torch.stack([p.grad for p in ps]).float()
                moment.mul_(self.momentum).add_(grad)
                update = self.orthogonal(grad.add_(moment, alpha=self.momentum)).float()
                rows, cols = ps[0].shape
                scale = max(1.0, rows / cols) ** 0.5
                torch._foreach_mul_(ps, 1 - rate * self.decay)
                torch._foreach_add_(ps, list(update.unbind(0)), alpha=-rate * scale)


def orthogonal(g):
    """The nearest half-orthogonal matrices, roughly: singular values come near 1."""
    x = g.bfloat16()
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.mT
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(5):
        m = x @ x.mT
        x = 3.4445 * x + (-4.7750 * m + 2.0315 * (m @ m)) @ x
    return x.mT if tall else x


class Rounding:
    """Straight-through rounding: the pass runs on int8 weights, the step changes the exact ones."""

    def __init__(self, net):
        self.params = [p for p in net.parameters() if p.ndim == 2]
        self.exact = [p.detach().clone() for p in self.params]

    def down(self):
        with torch.no_grad():
            torch._foreach_copy_(self.exact, self.params)
            for p in self.params:
                r = p.view(-1, 32)
                scale = (r.abs().amax(1, keepdim=True) / 127).half().float().clamp_(min=6e-8)
                p.copy_(((r / scale).round_().clamp_(-127, 127) * scale).view_as(p))

    def up(self):
        with torch.no_grad():
            torch._foreach_copy_(self.params, self.exact)
