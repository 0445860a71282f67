"""Comparing for a thought: each value against the best so far, two at a time, which is surer than one look at all of them."""


def duel(rows, up, word, goal):
    """A thought that finds the most of several things. rows: (name, value as it is shown, its rank); up: whether the highest rank
    is wanted; word: how the person calls it; goal: what that means for the values."""
    steps, best = rounds([("%s %s" % row[:2],) + row[1:] + (row[0],) for row in rows], up)
    return "Wanted is the %s, that is the %s. %s The %s is %s" % (word, goal, steps, word, best[3])


def values(rows, up, word):
    """The same for values with the words that stand around each, which say whose it is, and with their ranks."""
    steps, best = rounds(rows, up)
    return "wanted is the %s. %s The %s is %s" % (word, steps, word, best[1])


def rounds(rows, up):
    """Each row (how it is called, its value, its rank) against the best so far, and the best of all."""
    out, best = ["%s." % rows[0][0]], rows[0]
    for row in rows[1:]:
        shown = best[1]
        if (row[2] > best[2]) == up:
            best = row
        out.append("%s or %s? %s." % (row[0], shown, best[1]))
    return " ".join(out), best


def files(rows, at, up, word, size_words):
    """The same for the files of a listing (name, size, day), folders apart; at: 1 for the size, 2 for the day."""
    goal = ("most bytes" if up else "fewest bytes") if at == 1 else "latest date" if up else "earliest date"
    return duel([(x[0], size_words(x[1]) if at == 1 else x[2], x[at]) for x in rows if not x[0].endswith("/")], up, word, goal)
