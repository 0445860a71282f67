"""The forms of train/data/made_forms.txt, which continue the lists of the tools_* modules."""
from .phrases import Phrases, bars
from .sections import sections

FORMS = sections("made_forms.txt")


def more(text, name):
    """Phrases of a list that is written with bars, and of the one of that name in the file."""
    return Phrases(bars(text), FORMS[name])
