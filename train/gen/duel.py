"""Comparing for a thought: each value against the best so far, two at a time, which is surer than one look at all of them."""


def duel(rows, up, word, goal):
    """A thought that finds the most of several things. rows: (name, value as it is shown, its rank); up: whether the highest rank
    is wanted; word: how the person calls it; goal: what that means for the values."""
    out, best = ["Wanted is the %s, that is the %s." % (word, goal)], None
    for row in rows:
        if best is None:
            best = row
            out.append("%s %s." % row[:2])
            continue
        shown = best[1]
        if (row[2] > best[2]) == up:
            best = row
        out.append("%s %s or %s? %s." % (row[0], row[1], shown, best[1]))
    return "%s The %s is %s" % (" ".join(out), word, best[0])


def files(rows, at, up, word, size_words):
    """The same for the files of a listing (name, size, day), folders apart; at: 1 for the size, 2 for the day."""
    goal = ("most bytes" if up else "fewest bytes") if at == 1 else "latest date" if up else "earliest date"
    return duel([(x[0], size_words(x[1]) if at == 1 else x[2], x[at]) for x in rows if not x[0].endswith("/")], up, word, goal)
