"""Words and names: the lists of lex.py and those of train/data, of which none must be there."""
import collections
import re

from . import lex
from .hall import read_library, read_lines
from .phrases import bucket

_words = [line.split("\t")[0] for line in read_lines("words.txt")]
_kind = {"n": [], "v": [], "a": []}
for _line in read_lines("words.txt"):
    _w, _, _k = _line.partition("\t")
    _kind.setdefault(_k.strip()[:1], []).append(_w)
NOUNS = list(dict.fromkeys(lex.NOUNS + _kind["n"]))
WORDS = list(dict.fromkeys(lex.NOUNS + lex.ADJ + lex.VERBS + _words))

# Any ordinary word may be a file's name or be searched for, so those of the library's texts are among them. Not so the words of
# which wishes themselves are made: as values they would be read as a part of the wish.
_frame = set("""about above across after again against ahead almost alone along already also although always among another anybody anyone anything around away
back because been before began begin being below beside between beyond both bring brought came cannot come comes could does doing done down during each either else
enough even ever every everybody everyone everything except file files find finds first five folder folders fold folds found four from full further gave getting give gives given
goes gone half hardly have having held help here hers high hour hours however into inside instead itself just keep keeps kept knew know known last later least leave
left less like line lines list little long longer made make makes many mean means memory mere might mine minute minutes more most mostly move much must near nearly
need needs neither never newest next nobody none note notes nothing nowhere often oldest once only onto open opens other others ours outside over page part parts past perhaps
place places please post quite rather read reads really result results right said same save saves says search second seconds seem seen send sent seven several shall should show shown
shows side since some somebody someone something sometimes soon still stop such sure take taken takes tell tells text than that their theirs them themselves then there
these they thing things third this those though three through thus time times today together told tomorrow took toward towards turn turns twice under unless until upon used uses
using usually very want wants well went were what whatever when where whether which while whole whom whose will with within without word words work works would write
writes written wrong year years yesterday your yours yourself million thousand hundred dozen twelve eleven eight nine half quarter monthly append called calls
tool tools edit mode fourth fifth item items smallest largest biggest shortest longest asking asked asks document documents delete deletes path paths copy copies copied create created creates
replace replaced replaces change changed changes name named names added adds remove removed removes calculate total listing directory current latest calendar calendars entry entries number
numbers pages print prints printed store stored stores question questions answer answers runs code codes program programs online internet date dates weeks days months compare compared title titles
message messages remember remembers replies reply look looks looked watch talk talks user users value values""".split())
_seen = collections.Counter(w for o in read_library() for w in re.findall(r"\b[a-z]{4,12}\b", o["text"]))
WORDS = list(dict.fromkeys(WORDS + sorted(w for w, n in _seen.items() if n >= 3 and w not in _frame)))
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
