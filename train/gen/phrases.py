"""Lists of phrasings and names, divided into what is trained and what is held out."""
import zlib


def bucket(text):
    """True for one text in ten: those that training never sees."""
    return zlib.crc32(str(text).encode()) % 10 == 0


class Phrases:
    """Lists of phrasings, each divided into what is trained and what is held out."""

    def __init__(self, *lists):
        train, held = [], []
        for one in lists:
            one = list(one)
            cut = len(one) if len(one) < 5 else len(one) - max(1, len(one) // 5)
            train += one[:cut]
            held += one[cut:] if cut < len(one) else one
        self.train, self.held = tuple(train), tuple(held)

    def __len__(self):
        return len(self.train)

    def changed(self, to):
        """With each form as to(form) makes it, or without it where that is None, after the division: what is held out stays so."""
        self.train, self.held = (tuple(y for y in map(to, part) if y is not None) for part in (self.train, self.held))
        return self

    def mended(self, changes):
        """With some forms exchanged, or dropped where the new one is None."""
        return self.changed(lambda x: changes.get(x, x))

    def only(self, keep):
        """With those forms that keep(form) is true of."""
        return self.changed(lambda x: x if keep(x) else None)


def bars(text):
    """A list that is written with bars between its members; a line's end means nothing."""
    return text.replace("\n", "").split("|")


def phrasings(text):
    """Phrases that are written with bars between them."""
    return Phrases(bars(text))
