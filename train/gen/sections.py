"""Lists of phrasings in files of train/data: "== NAME" begins a list, bars stand between its members."""
from zlib import crc32

from .hall import read_lists
from .phrases import Phrases


def sections(name):
    """The lists of a file by their names, each in an order of chance, so that its held-out tail holds every sort."""
    out = {}
    for head, lines in read_lists(name).items():
        forms = dict.fromkeys(x for line in lines for x in line.split("|") if x.strip())
        out[head] = sorted(forms, key=lambda x: crc32(x.encode()))
    return out


def with_values(forms):
    """Members "words => value" as pairs."""
    return [tuple(x.strip() for x in f.split("=>")) for f in forms]


def more(old, *new):
    """Phrases of an older list, whose held-out part stays as it is, and of newer ones."""
    if not isinstance(old, Phrases):
        return Phrases(old, *new)
    out, rest = Phrases(), Phrases(*new)
    out.train, out.held = old.train + rest.train, old.held + rest.held
    return out
