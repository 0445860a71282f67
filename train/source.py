"""Samples of the generator, without end."""

import itertools


def samples(seed, held=False):
    """A fault in the generator costs one stream, not the run, unless it is all that comes."""
    import gen
    barren = faults = 0
    for again in itertools.count():
        try:
            for sample in gen.stream(seed + again * 1_000_003, held=held):
                barren = 0
                yield sample
        except Exception as e:
            barren, faults = barren + 1, faults + 1
            if faults <= 3 or faults % 100 == 0:
                print("fault %d of the generator (seed %d): %r" % (faults, seed, e), flush=True)
            if barren == 100:
                raise
