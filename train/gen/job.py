"""Jobs: everything that the hall asks of a model beside chat.

jobs(rng) gives one sample. The modules and their shares stand in one table; each
module has a table of its own kinds. python3 -m gen.job_check, in train/, looks at
many of them.
"""
import itertools

from . import (job_choose, job_code, job_feedback, job_gate, job_judge, job_memory, job_notes, job_page, job_plan, job_quoted, job_replan, job_seek, job_self,
               job_talk, job_voice, job_work)
from .job_chance import J

# modules that have one share together; the order is part of the seed's meaning
TABLE = [
    ((job_plan, job_replan), 20), ((job_seek,), 8), ((job_work, job_code), 10), ((job_quoted,), 5), ((job_talk,), 8), ((job_voice, job_self), 15),
    ((job_judge,), 18), ((job_memory, job_feedback, job_choose, job_page), 15), ((job_notes, job_gate), 6),
]


def _shares():
    """Every kind with its part of the whole."""
    for modules, share in TABLE:
        kinds = [k for m in modules for k in m.KINDS]
        total = sum(w for _, w in kinds)
        for make, w in kinds:
            yield make, share * w / total


_KINDS = list(_shares())
_MAKERS = [make for make, _ in _KINDS]
_SUMS = list(itertools.accumulate(w for _, w in _KINDS))


def jobs(rng):
    """One sample of a job, drawn with the chance of rng."""
    j = rng if isinstance(rng, J) else J(rng)
    return j.r.choices(_MAKERS, cum_weights=_SUMS)[0](j)
