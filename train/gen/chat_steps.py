"""Wishes of two and three steps: each step follows from the result before it."""
import re

from . import files, sums
from .chat_calc import either_way, evaluate
from .chat_call import file_name, make_call, quote
from .chat_write import work_out_and_write, write_done
from .conv import speak
from .messages import check_text
from .phrases import Phrases, phrasings
from .sections import more, sections
from .slots import fill
from .wording import upper_first

STEPS, LATER, THIRD = sections("steps.txt"), sections("steps_more.txt"), sections("steps_third.txt")


def also(name):
    """The lists of forms under a name: the older one and those that were written later."""
    return [x[name] for x in (STEPS, LATER, THIRD) if name in x]


JOIN = more(phrasings(" and |, then | and then |, and |; then |. Then |, after that | and after that |. After that |, and then | and |; afterwards "), *also("JOIN"))

NO_ORDER = {"the", "it", "I", "I'd", "that", "there", "in", "what's", "what", "out", "whichever", "so"}  # so begins what is no order, and nobody says please before it


def joined(r, first, second):
    """A wish of two parts: the first, a word between, the second."""
    a, b, join = r.phrase(first).rstrip("?"), r.phrase(second), r.phrase(JOIN)
    while "please" in join and b.split(" ")[0] in NO_ORDER:
        join = r.phrase(JOIN)
    return a + join + b


def say(c, template, slots):
    """The wish, its paths now and then in quotes."""
    r = c.r
    s = {k: quote(r, v) if k in ("a", "b", "p", "f") and (" " in v or r.chance(0.05)) else v for k, v in slots.items()}
    c.say(speak(r, template, s, typos=False)[0])


def read(c, path, text, think, group="builtin_tools"):
    c.call(think, [make_call("fs_read", {"path": path})], group)
    body, cut = files.read_result(c, path, text)
    c.result("fs_read", body, cut=cut)


def plain_text(r, most=3):
    x = r.random()
    if x < 0.5:
        return "\n".join(r.sentence() for _ in range(r.int(1, most)))
    if x < 0.75:
        return files.listing(r).text
    return "\n".join(" ".join(r.word() for _ in range(r.int(1, 4))) for _ in range(r.int(1, most)))


# --- one file into another ---

READ_A = more(phrasings("read {a}|open {a}|take {a}|look into {a}|go to {a}|have a look at {a}|take the text of {a}|get the contents of {a}|load {a}|fetch the text of {a}|start with {a}|see what {a} says|check what is in {a}|grab what's in {a}|read the file {a}"), *also("READ_A"))
SAVE_B = more(phrasings("""save its text in {b}|write it to {b}|put the text into {b}|write the same text to {b}|save a copy as {b}|store that in {b}|write what it says into {b}|put it all into {b}|save everything in {b}|make {b} say the same|
copy it to {b}|write its contents to {b}|save it as {b}|put the contents in {b}|transfer it to {b}"""), *also("SAVE_B"))
ADD_B = more(phrasings("""add it to {b}|append its text to {b}|put it at the end of {b}|add what it says to {b}|append that to {b}|add the text at the end of {b}|append everything to {b}|attach the text to {b}|add its contents to {b}|append the contents to {b}|
put its text at the bottom of {b}|extend {b} with it"""), *also("ADD_B"))
COPY = more(phrasings("""copy {a} to {b}|copy the text of {a} into {b}|make a copy of {a} called {b}|save {a} as {b}|duplicate {a} as {b}|{b} should be a copy of {a}|put the text of {a} into {b}|write the contents of {a} to {b}|I need a copy of {a} in {b}|
what {a} says should also be in {b}|copy everything from {a} over to {b}|back up {a} as {b}|cp {a} {b}|make {b} from the text of {a}|let {b} say what {a} says|transfer {a} to {b}|clone {a} as {b}|reproduce {a} in {b}"""), *also("COPY"))


def copy_text(c):
    r = c.r
    a, b, add = file_name(r, ["txt", "md", "log", "csv", "yaml"]), file_name(r, ["txt", "md", "bak", "csv", "yaml"]), r.chance(0.25)
    if a == b:
        b = "copy-" + b
    t = joined(r, READ_A, ADD_B) if add else joined(r, READ_A, SAVE_B) if r.chance(0.5) else r.phrase(COPY)
    say(c, t, {"a": a, "b": b})
    if r.chance(0.07):
        return copy_missing(c, a, b)
    text = plain_text(r)
    read(c, a, text, ("First I read %s, then I add its text to %s." if add else "First I read %s, then I write its text to %s.") % (a, b))
    args = {"path": b, "content": text}
    if add:
        args["mode"] = "append"
    write_done(c, args, "two_tools", ("I have the text of %s; it is still to be added to %s, so I append it." if add
                                      else "I have the text of %s; it is still to go to %s, so I write it there.") % (a, b))
    c.about = ("file", b, files.File(text, "txt", []))
    c.done()


def copy_missing(c, a, b):
    """Without the first step there is no second."""
    c.call("First I read %s, then I write its text to %s." % (a, b), [make_call("fs_read", {"path": a})])
    c.result("fs_read", "%s does not exist. What helps: use fs_list to see which files there are" % c.path(a), failed=True)
    c.answer("The file is not there, so there is nothing to write.", "%s does not exist, so I wrote nothing to %s." % (a, b),
             check_text("errors", [a, "not exist"]))
    c.about = None
    c.done()


# --- sums and files ---

CALC = more(phrasings("calculate {e}|work out {e}|compute {e}|what is {e}?|how much is {e}?|get {e}|figure out {e}|take {e}|do the sum {e}|find {e}|solve {e}|evaluate {e}"), *also("CALC"))
SAVE_IT = more(phrasings("""save the result in {p}|write it to {p}|put the answer into {p}|store the result in {p}|write the result to {p}|save it in {p}|put it in {p}|note it in {p}|write the number into {p}|keep the result in {p}|record the value in {p}|save that to {p}|the result goes into {p}"""), *also("SAVE_IT"))
ADD_IT = more(phrasings("add the result to {p}|append it to {p}|put the answer at the end of {p}|add the number to {p}|append the result to {p}|add it at the end of {p}|append the value to {p}|put it at the bottom of {p}"), *also("ADD_IT"))
CALC_SAVE = more(phrasings("""put the value of {e} in {p}|write the result of {e} to {p}|save the result of {e} in {p}|store {e} in {p}, worked out|{p} should hold the result of {e}|I want the result of {e} in {p}|save what {e} gives in {p}|put the outcome of {e} into {p}|
write down in {p} how much {e} is|into {p} goes the value of {e}|fill {p} with the result of {e}|note the value of {e} in {p}|write {e} as a number to {p}|in {p} I need the value of {e}|let {p} contain the value of {e}"""), *also("CALC_SAVE"))


ASKING = re.compile(r"\b(?:what|how|so|which)\b")  # a question of its own, which is no name for a number


def sum_text(r):
    for _ in range(8):
        said, e = r.weighted(sums.KINDS)(r) if r.chance(0.5) else sums.chain(r)
        got = evaluate(e)
        if got and said.split(" ")[0] not in sums.VERBS and not ASKING.search(said):
            return said, e, got
    return "12 * 7", "12 * 7", ("12 * 7 = 84", "84")


def calc_save(c):
    r = c.r
    said, e, got = sum_text(r)
    path, add = file_name(r, ["txt", "md", "csv", "log", "yaml"]), r.chance(0.25)
    t = joined(r, CALC, ADD_IT) if add else joined(r, CALC, SAVE_IT) if r.chance(0.5) else r.phrase(CALC_SAVE)
    say(c, t, {"e": said, "p": path})
    meant = sums.meaning(e)  # in words first, so that the sign follows from them
    work_out_and_write(c, "First I work out %s%s, then it goes into %s." % (meant + ": " if meant else "", e, path), e, got, path, add)


SUM_FILE = more(phrasings("""add up the numbers in {p}|what is the sum of the numbers in {p}?|sum the values in {p}|total the numbers of {p}|how much do the numbers in {p} make together?|read {p} and add up the numbers|what do the figures in {p} come to?|
give me the total of {p}|{p} has some numbers, what is their sum?|the sum of everything in {p}, please|open {p} and sum up the values|calculate the total of the numbers in {p}|work out the sum of {p}"""), *also("SUM_FILE"))
SUM_SAVE = more(phrasings(" and save the total in {b}| and write it to {b}|, then put the result into {b}| and store the sum in {b}|, and write the total to {b}| and put the total in {b}|. Save the sum in {b}.|, then save it as {b}| and note the result in {b}"), *also("SUM_SAVE"))


def sum_file(c):
    """Numbers of a file are added up, and perhaps saved: three steps."""
    r = c.r
    path = file_name(r, ["txt", "csv", "md", "log"])
    n = r.int(2, 5)
    nums = [str(r.int(1, 999)) if r.chance(0.8) else r.price() for _ in range(n)]
    style = r.random()
    names = [r.noun() if r.chance(0.7) else r.entity(SUMMED) for _ in nums]
    if style < 0.35:
        text = "\n".join(nums)
    elif style < 0.85:
        form = r.pick(("%s: %s", "%s: %s", "%s = %s", "%s,%s", "- %s %s"))
        text = "\n".join(form % x for x in zip(names, nums))
    else:
        text = " ".join(nums)
    more, b = r.chance(0.45) and c.has("fs_write"), file_name(r, ["txt", "md", "csv"])
    t = r.phrase(SUM_FILE).rstrip("?") + r.phrase(SUM_SAVE) if more else r.phrase(SUM_FILE)
    say(c, t, {"p": path, "b": b})
    read(c, path, text, "First I read %s; then I add up its numbers." % path)
    e = " + ".join(nums)
    got = evaluate(e)
    c.call("Wanted is the sum of all numbers in %s: %s. I add them up." % (path, ", ".join(nums)),
           [make_call("calculate", {"expression": e})], "two_tools")
    c.result("calculate", got[0])
    if more:
        write_done(c, {"path": b, "content": got[1]}, "two_tools", "The sum is %s; it is still to go to %s, so I write it there." % (got[1], b))
    else:
        c.answer("The sum is there, and nothing else is wanted.", "The numbers in %s add up to %s." % (path, got[1]),
                 check_text("extraction", [got[1]]))
    c.about = None
    c.done()


VALUE_SUM = more(phrasings("""what is {n} times the {k} in {p}?|multiply the {k} in {p} by {n}|take the {k} from {p} and multiply it by {n}|look up the {k} in {p} and multiply it by {n}|{n} times the {k} of {p}, how much is that?|read the {k} in {p} and work out {n} times that|
how much is the {k} in {p} times {n}?|get the {k} out of {p}, then times {n}|the {k} stands in {p}; what is {n} times as much?|find the {k} in {p}, I need it times {n}"""), *also("VALUE_TIMES"))
VALUE_MINUS = more(phrasings("""what is the {k} in {p} minus {n}?|subtract {n} from the {k} in {p}|take the {k} from {p} and subtract {n}|look up the {k} in {p} and take {n} away|the {k} in {p} less {n}, how much is that?|read the {k} in {p} and deduct {n}|how much is the {k} in {p} minus {n}?|
get the {k} out of {p}, then minus {n}|find the {k} in {p}, I need it minus {n}|{n} less than the {k} in {p} is what?"""), *also("VALUE_MINUS"))
NUMERIC = "port timeout retries workers interval threads quota limit width height volume price total balance weight rent salary stock amount distance".split()
SUMMED = "rent food travel power water phone books repairs gifts fuel tickets paper tools snacks parking stamps insurance tuition".split()
OF_WHAT = "price count cost fee weight budget rate length charge stock limit total size distance deposit bill number".split()


def numeric_key(r):
    """The name of a number: a known one, or one that nobody listed."""
    return r.entity(NUMERIC) if r.chance(0.5) else r.noun() + " " + r.entity(OF_WHAT)


# what is done with a number of a file: phrasings, the expression, and how the thought names it
VALUE_DONE = [(3, (VALUE_SUM, "{v} * {n}", "times {n}")), (3, (VALUE_MINUS, "{v} - {n}", "minus {n}"))] + [
    (w, (Phrases(*also(k)), e, said)) for w, k, e, said in (
        (2, "VALUE_PLUS", "{v} + {n}", "plus {n}"), (2, "VALUE_SHARE", "{v} / {n}", "divided by {n}"), (1, "VALUE_DOUBLE", "{v} * 2", "doubled"),
        (1, "VALUE_HALF", "{v} / 2", "halved"), (1, "VALUE_PERCENT", "{n}% of {v}", "{n} percent of it"))]
VALUE_SAVE = Phrases(*also("VALUE_SAVE"))


def valued_text(r, k, v):
    """A file in which a number stands among others."""
    used = set(k.split(" "))
    rows = [(x, str(r.int(1, 9999)) if r.chance(0.6) else r.word())
            for x in r.some([y for y in NUMERIC + files.CONFIG if y not in used], r.int(1, 5))] + [(k, v)]
    if " " in k and r.chance(0.5):  # its neighbour, which shares a word with it
        other = r.noun() + " " + k.rsplit(" ", 1)[1]
        rows += [(other, str(r.int(1, 9999)))] if other != k else []
    form, gap = r.pick(("%s: %s", "%s = %s", "%s=%s", "The %s is %s.")), r.pick("  _")
    return "\n".join(form % (x if form[0] == "T" else x.replace(" ", gap), y) for x, y in r.shuffled(rows))


def worked_out(c, e, what, words, v, b=None):
    """With a number v that was found it is calculated, then it is told or goes into the file b; what names the number, words the sum."""
    got = evaluate(e)
    c.call("Wanted is %s, %s. It is %s, so I work out %s." % (what.replace("your ", "their ", 1), words, v, e), [make_call("calculate", {"expression": e})], "two_tools",
           check=either_way(e, "two_tools"))
    c.result("calculate", got[0])
    if b:
        return write_done(c, {"path": b, "content": got[1]}, "two_tools",
                          "The result is %s; it is still to go to %s, so I write it there." % (got[1], b))
    c.sums.append(got[1])
    c.answer("The result is %s; that was all." % got[1], "%s is %s, and %s is %s%s." % (
        upper_first(what), v, e, "about " if "≈" in got[0] else "", got[1]), check_text("extraction", [got[1]]))


def value_sum(c):
    """A number of a file is calculated with, and perhaps saved: three steps."""
    r = c.r
    k, v, n = numeric_key(r), str(r.int(2, 9999)), str(r.int(2, 99))
    path, b = file_name(r, ["yaml", "txt", "ini", "env", "md", "conf"]), file_name(r, ["txt", "md", "csv"])
    forms, e, words = r.weighted(VALUE_DONE)
    t, save = r.phrase(forms), c.has("fs_write") and r.chance(0.25)
    say(c, t.rstrip("?.") + r.phrase(VALUE_SAVE) if save else t, {"n": n, "k": k, "p": path, "b": b})
    s = {"v": v, "n": n}
    read(c, path, valued_text(r, k, v), "Wanted is the %s in %s, %s; first I read the file." % (k, path, fill(words, s)))
    worked_out(c, fill(e, s), "the %s in %s" % (k, path), fill(words, s), v, b if save else None)
    c.about = None
    c.done()


TWO_FILES = Phrases(*also("TWO_FILES"))


def two_values(c):
    """The same number of two files, added up: both are read, then the sum."""
    r = c.r
    k, v, w = numeric_key(r), str(r.int(2, 9999)), str(r.int(2, 9999))
    a, b = file_name(r, ["yaml", "txt", "ini", "md"]), file_name(r, ["yaml", "txt", "ini", "md"])
    if a == b:
        return value_sum(c)
    say(c, r.phrase(TWO_FILES), {"k": k, "a": a, "b": b})
    c.call("The %s of %s and of %s is wanted, so I read both." % (k, a, b),
           [make_call("fs_read", {"path": a}), make_call("fs_read", {"path": b})], "two_tools")
    c.result("fs_read", files.read_result(c, a, valued_text(r, k, v))[0])
    c.result("fs_read", files.read_result(c, b, valued_text(r, k, w))[0])
    e = "%s + %s" % (v, w)
    got = evaluate(e)
    c.call("Wanted is the %s of both together: it is %s in %s and %s in %s, so I add these." % (k, v, a, w, b),
           [make_call("calculate", {"expression": e})], check=either_way(e, "two_tools"))
    c.result("calculate", got[0])
    c.answer("The sum is there.", "The %s of %s and %s together is %s." % (k, a, b, got[1]), check_text("extraction", [got[1]]))
    c.about = None
    c.done()


SET_VALUE = more(phrasings("""look up the {k} in {p} and set it to {n}|check the {k} in {p} and change it to {n}|read {p} and change its {k} to {n}|what is the {k} in {p}? make it {n}|open {p} and set the {k} to {n}|see what {k} {p} has, then change it to {n}|
the {k} in {p} should be {n}, read it first and change it|find the {k} in {p} and put {n} there|read the {k} of {p}, then set it to {n}|have a look at the {k} in {p} and make it {n}"""), *also("SET_VALUE"))


def set_value(c):
    """The line is read first, so that it can be changed exactly."""
    r = c.r
    k, v = r.entity(NUMERIC) if r.chance(0.6) else r.noun(), str(r.int(2, 9999))
    n = str(r.int(2, 9999))
    path = file_name(r, ["yaml", "ini", "env", "conf", "toml"])
    form = r.pick(("%s: %s", "%s = %s", "%s=%s"))
    rows = [(x, r.word()) for x in r.some([y for y in files.CONFIG if y != k], r.int(1, 5))] + [(k, v)]
    say(c, r.phrase(SET_VALUE), {"n": n, "k": k, "p": path})
    read(c, path, "\n".join(form % x for x in r.shuffled(rows)), "I read %s first to see its %s." % (path, k))
    old, new = form % (k, v), form % (k, n)
    c.call("The line of the %s is %s; it is still to be %s, so I change it." % (k, old, n),
           [make_call("fs_write", {"path": path, "mode": "replace-text", "new_text": new, "old_text": old})], "two_tools")
    c.result("fs_write", "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -1 +1 @@\n-%s\n+%s\n"
             % (c.path(path), 90, 90 + len(n) - len(v), len(rows), old, new))
    c.answer("The change is made; I say so.", "Done: the %s in %s was %s and is now %s." % (k, path, v, n),
             check_text("extraction", [path, n]))
    c.about = None
    c.done()
