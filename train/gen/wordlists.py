"""Words and names: the lists of lex.py and those of train/data, of which none must be there."""
from . import lex
from .hall import read_lines
from .phrases import bucket

_words = [line.split("\t")[0] for line in read_lines("words.txt")]
_kind = {"n": [], "v": [], "a": []}
for _line in read_lines("words.txt"):
    _w, _, _k = _line.partition("\t")
    _kind.setdefault(_k.strip()[:1], []).append(_w)
NOUNS = list(dict.fromkeys(lex.NOUNS + _kind["n"]))
WORDS = list(dict.fromkeys(lex.NOUNS + lex.ADJ + lex.VERBS + _words))
_names = read_lines("names.txt")
_first, _last = [], []
for _line in _names:
    _w = _line.split("\t")
    if len(_w) > 1 and _w[1].strip().lower().startswith("l"):
        _last.append(_w[0])
    else:
        _first.append(_w[0])
FIRST = list(dict.fromkeys(lex.FIRST + [n for n in _first if " " not in n]))
LAST = list(dict.fromkeys(lex.LAST + [n for n in _last if " " not in n]))
CITIES = list(dict.fromkeys(lex.CITIES + [line.split("\t")[0] for line in read_lines("cities.txt")]))
ORGS = list(dict.fromkeys(lex.ORGS + [line.split("\t")[0] for line in read_lines("orgs.txt")]))
SENTENCES = read_lines("sentences.txt")
ZONES = list(dict.fromkeys(lex.ZONES + [tuple(x.split("\t")[:2]) for x in read_lines("zones.txt") if "\t" in x]))
# The zone of a city is learnt by heart, so all of these are seen; as cities none of them is then held out.
_zoned = {z[0] for z in ZONES}
CITIES = [c for c in CITIES if not (bucket(c) and c in _zoned)]
