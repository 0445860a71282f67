"""The generator of training conversations.

stream(seed) yields samples without end; with held only what training never sees.
"""
from .rng import Rng


def parts():
    """How often each part comes."""
    from .chat import conversation
    from .job import jobs
    return [(0.75, conversation), (0.25, jobs)]


def stream(seed, held=False):
    """Samples in an endless, repeatable order."""
    r, table = Rng(seed, held), parts()
    while True:
        yield r.weighted(table)(r)
