"""Comparing in the thoughts of scenes. A scene says which of several it is, and always in the same place of its sentence, so that the place
can be learnt in place of the comparing. Here such a thought becomes a duel, in the order in which the values stand in the text."""
import re

from . import duel, files, lex
from .wording import upper_first

# By the word: whether the day or the size of a file counts, and whether the highest is meant.
OF_FILES = {"newest": (2, True), "latest": (2, True), "most recent": (2, True), "oldest": (2, False), "earliest": (2, False), "largest": (1, True),
            "biggest": (1, True), "heaviest": (1, True), "smallest": (1, False)}
WORD = re.compile(r"\b(%s)\b" % "|".join(OF_FILES))
VALUE = r"(?<![\w.])[A-Za-z]*\d(?:[\d.,:-]*\d)?(?![\w-])"
WORDS = r"(?:[^;:]|(?<=\d):(?=\d))"
# It has 12, 40 and 31 cm; 40 is the longest, so the eel. / The boats leave at 9:30, 18:20 and 10:15; the latest is 18:20.
LISTED = re.compile(r"^(?:(?P<lead>.*?); it has )?(?P<list>%s*?, %s* and %s*?)(?:; (?P<best>%s) is the (?P<word>[a-z]+)|; the (?P<word2>[a-z]+) is (?P<best2>%s))(?P<rest>[,.].*)$" % (WORDS, WORDS, WORDS, VALUE, VALUE))
# The rent is 500 euros at the mill, 430 at the weir and 610 at the lock, so the weir is the cheapest.
NAMED = re.compile(r"^(?P<list>[^;:]*?, [^;:]* and [^;:]*?), so (?P<name>[^,;:]+) (?:is|has|gave|was) (?:the )?(?P<word>[a-z]+)\.$")
OPENING = re.compile(r"^(?:The|It|They|Per|In|On|Of)\b[^,]*? (?=%s)" % VALUE)  # what all parts of a list share, before the first and after the last
CLOSING = re.compile(r" (?:are|is|was|were) (?:the |noted|listed|written|given)[^,\d]*$")
MONTH = re.compile(r"\b(%s)\b" % "|".join(lex.MONTHS))
MOST_FILES = 9


def of_listing(think, rows):
    """A thought that picks a file from a listing by its age or size; None where it does not, or where it is not the only one."""
    word, rows = WORD.search(think), [x for x in rows if not x[0].endswith("/")]
    named = [x for x in rows if x[0] in think]
    if not word or len(named) != 1 or not 1 < len(rows) < MOST_FILES:
        return None
    at, up = OF_FILES[word.group(1)]
    if at == 1 and len({files.size_words(x[1]) for x in rows}) < len(rows):
        return None
    if [x for x in rows if x[at] == (max if up else min)(y[at] for y in rows)] != named:
        return None
    _, so, rest = think.partition(", so ")
    return duel.files(rows, at, up, word.group(1), files.size_words) + (", so " + rest if so and len(rest.split()) > 1 else ".")


def rank(value):
    """What a value is compared by: a number, or a day or time as it is written."""
    try:
        return (0, float(value.replace(",", "")), "")
    except ValueError:
        return (1, 0, value.rjust(12))


def listed(text):
    """The parts of a list, each with its value; None where a part has none or several."""
    parts = [(x, re.findall(VALUE, x)) for x in re.split(r", | and ", CLOSING.sub("", OPENING.sub("", text)))]
    return None if MONTH.search(text) or any(len(found) != 1 for _, found in parts) else [(x, found[0]) for x, found in parts]


def of_values(think, text):
    """A thought that names values and says which is the most of them; text is where they stand."""
    m = LISTED.match(think)
    n = None if m else NAMED.match(think)
    parts = listed((m or n)["list"]) if m or n else None
    if not parts:
        return None
    values = [v for _, v in parts]
    if m:
        best, word, rest, lead = m["best"] or m["best2"], m["word"] or m["word2"], m["rest"], m["lead"]
    else:
        best, word, rest, lead = next((v for x, v in parts if n["name"] in x), None), n["word"], ", so %s." % n["name"], None
    if len(values) < 3 or len(set(values)) < len(values) or best not in values or len({rank(v)[0] for v in values}) > 1:
        return None
    at = {v: re.search(r"(?<![\w.])(?<!\d:)%s(?!\w|[:.,]\d)" % re.escape(v), text) for v in values}
    if all(at.values()):
        parts.sort(key=lambda x: at[x[1]].start())
    up = best == max(values, key=rank)
    if not up and best != min(values, key=rank):
        return None
    said = duel.values([(x, v, rank(v)) for x, v in parts], up, word) + rest
    return "%s; %s" % (lead, said) if lead else upper_first(said)


def compared(think, rows, text):
    return of_listing(think, rows) or of_values(think, text) or think
