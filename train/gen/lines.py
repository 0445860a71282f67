"""Single sentences with questions in other words than their own (train/data/lines-*.txt), of which texts are put together."""
import re

from . import lex
from .hall import data_files, read_rows
from .phrases import Phrases, bucket
from .slots import fill, slots_of

MAKE = {"p": lambda r: r.first(), "q": lambda r: r.name(), "n": lambda r: str(r.int(2, 90)), "m": lambda r: str(r.int(2, 90)), "t": lambda r: r.time(),
        "d": lambda r: "%d %s" % (r.int(1, 28), r.pick(lex.MONTHS)), "w": lambda r: r.pick(lex.WEEKDAYS), "c": lambda r: r.city()}


VAGUE = set("""and the a an what where when who whom whose which why how many much time place reason then exactly person name long late early often price cost costs sum instead that this is it are of for to in on at by from with until till since day date
number amount about far fast old big kind one ones there here so or not no yes does do did will can may must should has have was were be any else more less same how's what's who's where's pays paid pay goes go gets get comes come done do its their his her them they he she
we i you my our your some all every each other first last next best worst only just much again now later before after month week year hour hours days weeks months minutes people someone somebody anybody nobody anything something nothing really then, too also still already yet well okay ok
needed allowed possible wrong right true case cause why's happens happened means meant call called tell say says said""".split())


def telling(few):
    """Whether a question in few words says which of several sentences it is about."""
    return any(w not in VAGUE for w in re.findall(r"[a-z'{}-]+", few.lower()))


class Line:
    __slots__ = ("sentence", "asks", "few", "answers", "what", "key", "held")

    def __init__(self, sentence, asks, few, answers, what, key):
        self.sentence, self.asks, self.few, self.answers, self.what, self.key = sentence, Phrases(asks.split("|")), [f for f in few.split("|") if telling(f)], answers.split("|"), what, key
        self.held = bucket(sentence)

    def ask(self, r):
        return r.pick(self.asks.train + self.asks.held) if self.held else r.phrase(self.asks)

    def must(self):
        """What an answer must hold and the sentence has; a yes or a no is looked for in the answer itself."""
        return [] if self.key in ("Yes", "No") else [self.key]


def read():
    """The lines of each file, in their order: neighbours are of like matters."""
    return [[Line(*row) for row in read_rows(path)] for path in data_files("lines-*.txt")]


FILES_OF = read()
TRAINED, HELD = ([[x for x in one if x.held == held] for one in FILES_OF] for held in (False, True))
LAYOUTS = ("{s}", "- {s}", "* {s}", "{i}. {s}", "{i}) {s}")
SHORTS = ("the text", "my notes", "the letter", "the notes", "the page", "the mail", "what they wrote", "the sheet", "the leaflet")
FILES = ("notes.txt", "letter.md", "info.txt", "mail.txt", "rules.md", "read-me.txt", "news.md", "sheet.txt", "copy.txt", "all-about-it.md", "for-you.txt", "page2.md")


def some(r, n):
    """n lines that are held out or not, as r has it: neighbours, of one file, or of all."""
    if r.held:
        pool = r.pick(HELD if r.chance(0.5) else TRAINED)
    else:
        pool = r.pick(TRAINED)
    if r.chance(0.5):
        at = r.int(0, max(0, len(pool) - 2 * n))
        pool = pool[at:at + 2 * n]
    elif r.chance(0.5):
        pool = [x for one in (HELD if pool in HELD else TRAINED) for x in one]
    return r.some(pool, n)


def values(r, line, taken):
    """A value for each slot of a line, no two of one text alike."""
    out = {}
    for slot in dict.fromkeys(slots_of(line.sentence)):
        v = MAKE[slot](r)
        for _ in range(20):
            if v not in taken:
                break
            v = MAKE[slot](r)
        taken.add(v)
        out[slot] = v
    return out


def written(r):
    """What a Document is made of."""
    *there, other = some(r, r.int(4, 9))
    taken, asks, more, told, sentences = set(), [], {}, {}, []
    for x in there:
        s = values(r, x, taken)
        sentence, q = fill(x.sentence, s), fill(x.ask(r), s)
        sentences.append(sentence)
        asks.append((q, fill(r.pick(x.answers), s)))
        told[q] = sentence, [fill(k, s) for k in x.must()]
        if x.few:
            more[q] = fill(r.pick(x.few), s)
    if r.chance(0.35):
        text = " ".join(sentences)
    else:
        form = r.pick(LAYOUTS)
        text = "\n".join(fill(form, {"s": s, "i": str(i)}) for i, s in enumerate(sentences, 1))
    s = values(r, other, taken)
    return r.pick(SHORTS), FILES, text, asks, [(fill(other.ask(r), s), fill(other.what, s))], more, told
