"""Words with other ways to say them (train/data/words-*.txt): what somebody means who does not use the word."""
import re

from .hall import read_rows
from .phrases import Phrases


class Word:
    """A word and its ways, of which the last is held out."""

    __slots__ = ("word", "ways", "said")

    def __init__(self, word, ways):
        self.word, self.ways = word, Phrases(ways)
        self.said = {stem(w) for way in ways for w in re.findall(r"[a-z]{3,}", way.lower())} | {word}

    def near(self, other):
        """Whether one may be taken for the other: a way of one uses the other, or says the same."""
        return not self.said.isdisjoint(other.names()) or not other.said.isdisjoint(self.names()) or not set(self.ways.train + self.ways.held).isdisjoint(other.ways.train + other.ways.held)

    def names(self):
        """The word, and its last part where it has several: a wine glass is a glass."""
        return {self.word, stem(self.word.split(" ")[-1]), stem(self.word.split(" ")[0])}


def stem(word):
    return word[:5]


ARTICLE = {"where": "the place ", "who": "the one ", "when": "the time "} | dict.fromkeys("what something somebody someone anything being having getting making doing not how from between whoever whatever".split(), "")


def the(way):
    """A way to say a noun, as a sentence has it."""
    return ARTICLE.get(way.split(" ")[0], "the ") + way


def read(name):
    return [Word(word, ways.split("|")) for word, ways in read_rows(name)]


THINGS = read("words_things.txt")    # what can be counted, stored, lent and paid
MATTERS = read("words_matters.txt")  # what one can speak and write about
STATES = read("words_states.txt")    # what stands after "it is"
HANDIWORK, PAPERWORK = read("words_handiwork.txt"), read("words_paperwork.txt")  # what is done to {o}, a thing or a text


def apart(r, words, n):
    """n words of which none can be taken for another, in chance order."""
    out = []
    while len(out) < n:
        w = r.pick(words)
        if not any(w is o or w.near(o) for o in out):
            out.append(w)
    return out
