"""Jobs: everything that the hall asks of a model beside chat.

jobs(rng) gives one sample. The modules and their shares stand in one table; each
module has a table of its own kinds. python3 -m gen.job_check, in train/, looks at
many of them.
"""
from . import job_agent, job_judge, job_memory, job_notes, job_plan, job_talk, job_voice, job_work
from .job_base import J

TABLE = [(job_plan, 20), (job_agent, 8), (job_work, 10), (job_talk, 8), (job_voice, 16), (job_judge, 18), (job_memory, 16), (job_notes, 4)]
_KINDS = [(f, share * w / sum(w for _, w in m.KINDS)) for m, share in TABLE for f, w in m.KINDS]
_FUNCS = [f for f, _ in _KINDS]
_CUM = []
for _, _w in _KINDS:
    _CUM.append((_CUM[-1] if _CUM else 0) + _w)


def jobs(rng):
    """One sample of a job, drawn with the chance of rng."""
    j = rng if isinstance(rng, J) else J(rng)
    return j.r.choices(_FUNCS, cum_weights=_CUM)[0](j)
