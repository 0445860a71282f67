"""The further wordings of train/data/jobs.txt: each list is a second one beside the generator's own, with a held-out end of its own."""
from .sections import sections, with_values

_BEFORE, _AFTER = ("PAD_BEFORE",), ("PAD_AFTER", "THEN_RUN", "HELP_TAIL", "FB_PLEA")


def _read():
    out = {}
    for name, forms in sections("jobs.txt").items():
        forms = [f.strip().replace("\\n", "\n") for f in forms]
        if name in _BEFORE:
            forms = [f + " " for f in forms]
        elif name in _AFTER:
            forms = [" " + f for f in forms]
        elif " => " in forms[0]:
            forms = with_values(forms)
        out[name] = forms
    return out


MORE = _read()
