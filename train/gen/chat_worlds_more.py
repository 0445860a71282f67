"""What else is wanted of several things (chat_worlds.py): averages, days between, and changes to the file in which they stand."""
from .chat_calc import evaluate
from .chat_call import make_call
from .chat_memory import second
from .chat_scenes import changed
from .chat_write import DONE_THINK, done_words
from .messages import check_text
from .phrases import Phrases, bars
from .slots import fill

MEAN = Phrases(bars("""what's the average?|on average, what is the {k}?|average {k}?|and the average?|how much is that on average|what's the mean {k}|the {k} on average?|what does one of them come to on average|give me the average {k}|average of all of them, as to the {k}|
the mean of the {k}?|what would the average {k} be|if i take the average of the {k}, what's that|mean {k} please|what is the {k} in the middle of it all, the average i mean|on the average?|work out the average {k}|averaged, the {k} is what?|how high is the average {k}|{k}, averaged over all of them?"""))
DAYS = Phrases(bars("""how many days lie between them?|how many days apart are they|days between the two?|how long from the one to the other, in days|how many days is that from the first to the second|what's the gap in days|how many days in between|days from one to the other?|by how many days do they differ|
and how many days are there between the two|the difference in days?|how far apart are they, in days?|number of days between them|in days, what's between the two|count the days between them"""))
CHANGE = Phrases(bars("""put that right in the file: {s}|{s}, change that in {f}|update {f}: {s}|change it there: {s}|correct the list: {s}|{s}. write that into the file|in {f}, please change: {s}|{s} - update the file|{s}, fix that in there|{s}. Please put that into {f} instead|mend that line: {s}|
{s}. The file should say so|edit {f}: {s}|adjust it in the file: {s}|{s}, so change the file|please update it, {s}|{s}, put it in {f} like that|the file is wrong: {s}. change it|make it right in {f}: {s}|change the line: {s}"""))
OUT = Phrases(bars("""take {o} off the list|delete the line with {o}|{X} can go, remove that line|remove {o} from {f}|strike {o} out|{X} is gone, delete it in {f}|take {o} out of the file|cross {o} off|drop the line about {o}|{o} out, please, delete that line|erase {o} from the list|
we no longer need {o}, remove it from the file|get rid of the line with {o}|please delete {o} in {f}|kick {o} out of the list|{X} must go from the file|remove the row of {o}|the line with {o} can be deleted|throw {o} out of {f}|cut {o} from the list"""))

COUNT = Phrases(bars("""how many are there?|how many is that?|how many is that now|so how many do i have altogether, i mean in number|count them|how many of them are there|what's their number?|how many in all?|and how many are they?|how many did i name|how many on the list?|how many things is that|the number of them?|
how many entries are there|in total how many of them|tell me how many there are|how many have we got there|how many make it on the list|count, please"""))
ADD = Phrases(bars("""add {t}|add {t} to it|put {t} in as well|{t}, add that|please add {t}|{t} is still missing, add that to {f}|write {t} below it|one more for the file: {t}|append {t}|{t} belongs on it too, add a line|and {t}, put that at the end|new line in {f}: {t}|enter {t}|{t} too, please write that in|can you add {t}|note {t} in {f} as well"""))
WITH = (" with ", ", ", ": ", " ", " - ")


def mean(walk):
    """The average of a number that is told of each."""
    r = walk.r
    a = r.pick(walk.added("sum"))
    values = [t.values[a] for t in walk.w.things]
    e = "(%s) / %d" % (" + ".join(values), len(values))
    return r.phrase(MEAN), {"k": a.noun}, lambda: worked(walk, "The average of them: %s." % e, e, lambda v: "The average is %s." % fill(a.cell, {"v": v}))


def dated(walk):
    """The attributes of which two things have a whole date each."""
    return [a for a in walk.w.attributes if a.make == "date" and not walk.w.plain_days and len(walk.w.holders(a)) == len(walk.w.things) == 2]


def days(walk):
    r = walk.r
    a = r.pick(dated(walk))
    early, late = sorted(t.ranks[a] for t in walk.w.things)
    e = "%s - %s" % (late, early)
    return r.phrase(DAYS), {}, lambda: worked(walk, "The days from the one to the other: %s." % e, e, lambda v: "There are %s between them." % v if v != "1 day" else "There is 1 day between them.")


def worked(walk, think, e, said, same=()):
    """A sum and its result; same are those that say the same in another order."""
    c = walk.c
    check = {"type": "call", "name": "calculate", "any": {"expression": list(same)}, "group": "pronouns"} if same else None
    c.call(think, [make_call("calculate", {"expression": e})], group="pronouns", check=check)
    text, v = evaluate(e)
    c.result("calculate", text)
    c.answer("The result is there, so I give it.", said(v), check_text("extraction", [v]))
    walk.focus = walk.last = None


def rows(walk):
    """The things that stand in a line of their own in the file."""
    lines = walk.text.split("\n")
    return [t for t in walk.w.things if len(set(t.told.values())) == 1 and len(t.told) == len(t.values) and sum(next(iter(t.told.values())) == x.strip() for x in lines) == 1
            and walk.text.count(next(iter(t.told.values()))) == 1]


def change(walk):
    """A value of one of them is to be another one in the file."""
    w, r = walk.w, walk.r
    t = r.pick(rows(walk))
    a = r.pick(list(t.told))
    row, old = t.told[a], t.values[a]
    t.values[a], t.ranks[a] = w.value(a)
    if row.count(old) != 1:
        t.values[a] = old
        return walk.direct()
    new = row.replace(old, t.values[a])
    s = fill(r.phrase(a.said["change"]), t.slots(a, walk.named(t)))
    for b in t.told:
        t.told[b] = new

    def answer():
        replaced(walk, 'They mean %s, where it says "%s"; that is to become "%s".' % (walk.path, row, new), row, new)
        walk.c.answer("The change is made; I say so.", 'Done: in %s, "%s" is now "%s".' % (walk.path, row, new), check_text("extraction", [walk.path, new]))
        walk.focus, walk.last = t, a
    return r.phrase(CHANGE), {"s": s, "f": walk.path}, answer


def out(walk):
    """One of them is taken out of the file."""
    r = walk.r
    t = r.pick(rows(walk))
    row = next(iter(t.told.values()))
    walk.w.things.remove(t)

    def answer():
        replaced(walk, 'They mean the line "%s" in %s; it is to be taken out.' % (row, walk.path), row, "")
        walk.c.answer("It is taken out; I say so.", 'Done: "%s" is gone from %s.' % (row, walk.path), check_text("extraction", [row, walk.path]))
        walk.focus = walk.last = None
    return r.phrase(OUT), {"o": walk.named(t), "X": walk.named(t), "f": walk.path}, answer


def count(walk):
    """How many there are."""
    def answer():
        names = [second(t.name) for t in walk.w.things]
        walk.say("They want the number: %s; that is %d." % (", ".join(t.name for t in walk.w.things), len(names)), "There are %d: %s." % (len(names), ", ".join(names)), [len(names)], "pronouns")
        walk.focus = walk.last = None
    return walk.r.phrase(COUNT), {}, answer


def add(walk):
    """A row more in the file, like those that are there."""
    w, c, r = walk.w, walk.c, walk.r
    t = w.thing()
    like = next(iter(walk.w.things[-1].told.values()))
    name = w.label(t, not like.startswith(walk.w.things[-1].name))
    row = w.row.join([name] + [fill(a.cell, {"v": t.values[a]}) for a in w.attributes])
    said = name + r.pick(WITH) + r.pick((", ", " and ")).join(fill(r.pick([a.cell] + a.gap[:1]), {"v": t.values[a]}) for a in w.attributes)

    def answer():
        written(walk, 'They mean %s, where a line is like "%s"; the new one is "%s".' % (walk.path, like, row), {"content": row, "mode": "append"}, walk.text + "\n" + row)
        c.answer(r.pick(DONE_THINK), done_words(walk.path, row, "append"), check_text("extraction", [walk.path]))
        w.things.append(t)
        w.keep(t, t.values, row)
        walk.focus = walk.last = None
    return r.phrase(ADD), {"t": said, "f": walk.path}, answer


def replaced(walk, think, old, new):
    written(walk, think, {"mode": "replace-text", "old_text": old, "new_text": new}, walk.text.replace(old, new, 1))


def written(walk, think, args, after):
    """The call that changes the file, and what comes of it."""
    c = walk.c
    c.call(think, [make_call("fs_write", dict(args, path=walk.path))], group="pronouns")
    c.result("fs_write", changed(c, walk.path, walk.text, after))
    walk.text = c.texts[walk.path] = after


def further(walk):
    """[(weight, question)]: what of all this is possible now."""
    c, found = walk.c, []
    if c.has("calculate") and walk.alone:
        found += [(0.7, mean)] * (len(walk.w.things) > 1 and bool(walk.added("sum"))) + [(1, days)] * bool(dated(walk))
    if c.has("fs_write") and walk.path and rows(walk):
        found += [(2, change)] + [(1.2, out)] * (len(walk.w.things) > 2)
        if walk.w.row and len(rows(walk)) == len(walk.w.things) < 6 and all(a in t.values for t in walk.w.things for a in walk.w.attributes):
            found.append((2, add))
    if walk.alone and len(walk.w.things) > 1:
        found.append((0.5, count))
    return [(weight, lambda f=f: f(walk)) for weight, f in found]
