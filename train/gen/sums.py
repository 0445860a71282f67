"""Sums in words: operands and operators in many forms, and the expression that calculate takes.

Numbers go into the expression in plain digits, without thousands separators
and units; a percentage of something is written 15% of 80.
"""
import re

from . import conversions, lex
from .phrases import Phrases, phrasings
from .sections import more, sections, with_values
from .slots import fill

SUMS, LATER, THIRD = sections("sums.txt"), sections("sums_more.txt"), sections("sums_third.txt")

TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def in_words(n):
    if n <= 20:
        return lex.NUMBER_WORDS[n]
    if n < 100:
        return TENS[n // 10] + ("-" + lex.NUMBER_WORDS[n % 10] if n % 10 else "")
    if n < 1000:
        return lex.NUMBER_WORDS[n // 100] + " hundred" + (" and " + in_words(n % 100) if n % 100 else "")
    return in_words(n // 1000) + " thousand" + (" " + in_words(n % 1000) if n % 1000 else "")


def operand(r, big=0.5):
    """(as it is said, as it is calculated)"""
    x = r.random()
    if x < 0.1:
        n = r.int(2, 20) if r.chance(0.7) else r.pick((30, 40, 50, 60, 70, 80, 90, 100, r.int(21, 99)))
        return in_words(n), str(n)
    if x < 0.45:
        n = r.int(2, 99)
    elif x < 0.7:
        n = r.int(100, 9999)
    elif x < 0.82:
        n = r.int(10000, 9999999) if r.chance(big) else r.int(1000, 99999)
    else:
        d = "%d.%s" % (r.int(0, 900), r.pick(("5", "25", "75", "99", "1", "05", "125", str(r.int(1, 99)))))
        return d, d
    plain = str(n)
    return ("{:,}".format(n) if n >= 1000 and r.chance(0.35) else plain), plain


CURRENCY = ["€%s", "$%s", "£%s", "%s €", "%s euros", "%s dollars", "%s pounds", "%s EUR"]
UNITS = ["km", "kg", "litres", "hours", "minutes", "metres", "people", "pages", "g", "ml", "miles", "days", "points", "boxes", "tickets"]


def unit(r, said):
    """With a unit, which the sum does not need."""
    x = r.random()
    if x < 0.5:
        return said
    return r.pick(CURRENCY) % said if x < 0.75 else said + " " + r.pick(UNITS)


# operator: how it is said between two numbers
BETWEEN = {
    "+": Phrases(["+", "plus", "and", "added to", "+", "plus", "+", "then add", "together with", "increased by"]),
    "-": Phrases(["-", "minus", "less", "take away", "-", "minus", "without", "then subtract", "reduced by", "subtracting"]),
    "*": Phrases(["*", "times", "x", "multiplied by", "×", "times", "*", "X", "multiplied with", "·"]),
    "/": Phrases(["/", "divided by", "over", "÷", "/", "divided by", "split by", "shared by", "divide by"]),
}
# in a longer row each word must bind clearly
PLAINLY = {"+": ("+", "plus"), "-": ("-", "minus", "take away"), "*": ("*", "times", "x", "×", "·"), "/": ("/", "divided by", "÷")}
SIGNS = {"+": "+", "-": "-", "*": "*×·x", "/": "/÷"}  # a sign is no phrasing: what it means can only be known from having seen it
ASK = phrasings("""what is {e}?|what's {e}|{e}|calculate {e}|how much is {e}?|{e} = ?|{e}?|compute {e}|work out {e}|can you calculate {e}|tell me {e}|I need {e}|{e} please|what does {e} make?|what do I get for {e}?|solve {e}|
give me the result of {e}|evaluate {e}|what would {e} be|please work out {e} for me|{e} =|could you do {e}|the result of {e}?|quick sum: {e}|what comes out at {e}?|do the maths: {e}|figure out {e}|how much does {e} come to?|
{e} is how much?|what's the value of {e}""")


def chain(r):
    """Numbers and operators in a row: (said, expression)."""
    n = r.weighted([(5, 2), (4, 3), (1, 4)])
    said, expr = [], []
    symbols = r.chance(0.35)
    for i in range(n):
        if i:
            op = r.pick("+-*/+-*")
            said.append(" " + (r.pick(SIGNS[op]) if symbols else r.phrase(BETWEEN[op]) if n == 2 else r.pick(PLAINLY[op])) + " ")
            expr.append(" %s " % op)
        s, e = operand(r, 0.3)
        if symbols and not s[0].isdigit():
            s = e
        said.append(s if i or symbols or not r.chance(0.1) else unit(r, s))
        expr.append(e)
    text = "".join(said)
    if symbols and r.chance(0.15):
        text = text.replace(" ", "")
    return text, "".join(expr)


def pair_first(r):
    """A sum of two numbers inside, and one around it."""
    (a, ea), (b, eb), (c, ec) = (operand(r, 0.1) for _ in range(3))
    op = r.pick("+-")
    word = "plus" if op == "+" else "minus"
    form, e = r.phrase(GROUPED)
    return (form.replace("A", a).replace("B", b).replace("C", c).replace("OP", op).replace("WORD", word),
            e.replace("A", ea).replace("B", eb).replace("C", ec).replace("OP", op))


GROUPED = Phrases([("(A OP B) * C", "(A OP B) * C"), ("(A OP B) / C", "(A OP B) / C"), ("C * (A OP B)", "C * (A OP B)"), ("A WORD B, all times C", "(A OP B) * C"), ("A WORD B and the whole thing divided by C", "(A OP B) / C"),
                   ("A WORD B in brackets, times C", "(A OP B) * C"), ("C times the sum of A and B", "C * (A + B)"), ("the sum of A and B, divided by C", "(A + B) / C"), ("the difference of A and B, and that times C", "(A - B) * C"), ("C times (A OP B)", "C * (A OP B)")])


def percent(r):
    (a, ea), b = operand(r, 0.4), str(r.pick((r.int(1, 99), r.int(1, 30), r.int(5, 20))))
    if r.chance(0.1):
        b += "." + r.pick("5257")
    form, e = r.phrase(PERCENT)
    return form.replace("A", unit(r, a)).replace("B", b), e.replace("A", ea).replace("B", b)


PERCENT = Phrases([("B% of A", "B% of A"), ("B percent of A", "B% of A"), ("A plus B%", "A + B% of A"), ("A minus B%", "A - B% of A"), ("A with B% off", "A - B% of A"), ("A and B percent on top", "A + B% of A"), ("B per cent of A", "B% of A"),
                   ("A reduced by B%", "A - B% of A"), ("A increased by B percent", "A + B% of A"), ("B % of A", "B% of A"), ("A less B percent", "A - B% of A"), ("a B% tip on A", "B% of A"), ("A raised by B%", "A + B% of A"), ("A lowered by B percent", "A - B% of A"),
                   ("B% tax on A", "B% of A"), ("A after a B% discount", "A - B% of A"), ("A plus a B percent tip", "A + B% of A"), ("B%  of A", "B% of A"), ("A with B% tax added", "A + B% of A"), ("A cut by B%", "A - B% of A")])


def one(r):
    """Something of one number."""
    a, ea = operand(r, 0.2)
    form, e = r.phrase(ONE)
    return form.replace("A", a), e.replace("A", ea)


ONE = Phrases([("half of A", "A / 2"), ("a third of A", "A / 3"), ("a quarter of A", "A / 4"), ("A squared", "A ^ 2"), ("the square of A", "A ^ 2"), ("A cubed", "A ^ 3"), ("twice A", "A * 2"), ("the double of A", "A * 2"), ("three times A", "3 * A"),
               ("a tenth of A", "A / 10"), ("the square root of A", "sqrt(A)"), ("A halved", "A / 2"), ("A doubled", "A * 2"), ("A tripled", "A * 3"), ("the root of A", "sqrt(A)"), ("a fifth of A", "A / 5"), ("A to the power of 3", "A ^ 3"), ("A times itself", "A ^ 2"),
               ("two thirds of A", "2 * A / 3"), ("the third part of A", "A / 3"), ("one half of A", "A / 2"), ("sqrt A", "sqrt(A)"), ("a hundredth of A", "A / 100"), ("the cube of A", "A ^ 3")])


def order(r):
    """Which number goes first is told by the words."""
    (a, ea), (b, eb) = operand(r, 0.2), operand(r, 0.1)
    form, e = r.phrase(ORDER)
    if float(ea) < float(eb) and (e == "A - B" and r.chance(0.9) or e == "A / B" and form.startswith("how ")):  # most people ask for it that way round
        (a, ea), (b, eb) = (b, eb), (a, ea)
    return form.replace("A", a).replace("B", b), e.replace("A", ea).replace("B", eb)


ORDER = Phrases([("subtract B from A", "A - B"), ("take B away from A", "A - B"), ("divide A by B", "A / B"), ("multiply A by B", "A * B"), ("add A to B", "A + B"), ("add A and B", "A + B"), ("how often does B go into A", "A / B"), ("take B off A", "A - B"),
                 ("deduct B from A", "A - B"), ("split A by B", "A / B"), ("multiply A and B", "A * B"), ("the product of A and B", "A * B"), ("the sum of A and B", "A + B"), ("A take away B", "A - B"), ("from A take B", "A - B"), ("what is left of A without B", "A - B"),
                 ("share A among B", "A / B"), ("add B more to A", "A + B"), ("how many times does B fit into A", "A / B"), ("raise A to the power of B", None), ("remove B from A", "A - B"), ("the quotient of A and B", "A / B"), ("A from which B is taken", "A - B"),
                 ("put A and B together", "A + B"), ("minus B from A", "A - B"), ("cut A into B parts", "A / B"), ("sum up A and B", "A + B"), ("A lots of B", "A * B"), ("increase A by B", "A + B"), ("decrease A by B", "A - B")])
ORDER.train = tuple(x for x in ORDER.train if x[1])


def several(r):
    """A list of numbers: sum, mean, largest or smallest."""
    n = r.int(3, 5)
    got = [operand(r, 0)[1] for _ in range(n)]
    said = ", ".join(got[:-1]) + r.pick((" and ", ", ", " and ")) + got[-1]
    form, kind = r.phrase(SEVERAL)
    plus = " + ".join(got)
    e = {"sum": plus, "mean": "(%s) / %d" % (plus, n), "max": "max(%s)" % ", ".join(got), "min": "min(%s)" % ", ".join(got)}[kind]
    return form % said, e


SEVERAL = Phrases([("the sum of %s", "sum"), ("add up %s", "sum"), ("%s added up", "sum"), ("the total of %s", "sum"), ("the average of %s", "mean"), ("the mean of %s", "mean"), ("the largest of %s", "max"), ("the smallest of %s", "min"), ("%s all together", "sum"),
                   ("the average of the numbers %s", "mean"), ("the biggest of %s", "max"), ("%s in total", "sum"), ("sum %s", "sum"), ("the maximum of %s", "max"), ("the minimum of %s", "min"), ("the mean value of %s", "mean"), ("total up %s", "sum"), ("the sum of these: %s", "sum")])


ASK = more(ASK, SUMS["ASK"])
GROUPED, PERCENT, ONE, ORDER, SEVERAL = (more(old, with_values(SUMS[k])) for old, k in (
    (GROUPED, "GROUPED"), (PERCENT, "PERCENT"), (ONE, "ONE"), (ORDER, "ORDER"), (SEVERAL, "SEVERAL")))
GROUPED, PERCENT, ORDER = (more(old, with_values(SUMS[k])) for old, k in ((GROUPED, "GROUPED2"), (PERCENT, "PERCENT2"), (ORDER, "ORDER2")))
ONE = more(ONE, with_values(LATER["ONE"]))
PERCENT, ORDER = (more(old, with_values(THIRD[k])) for old, k in ((PERCENT, "PERCENT"), (ORDER, "ORDER")))
# so nobody says it, or means something else by it
ORDER.mended({x: None for x in (("B under A", "A - B"), ("A and B gone", "A - B"), ("A, of which B go", "A - B"), ("A per head for B, shared evenly", "A / B"))})
STORY = Phrases(with_values(SUMS["STORY"]), with_values(SUMS["CHANGE"]), with_values(LATER["STORY"]), with_values(THIRD["STORY"]))


def story(r):
    """A little story; numbers among it that the sum does not need are left out of it."""
    form, e = r.phrase(STORY)
    most = r.pick((40, 100, 400, 2000))
    s = {k: r.int(2, most) for k in "abcde"}
    if "{a} * {b} -" in e or "{a} / {b}" in e:
        s["b"] = r.int(2, 30)
    if "{a} * {b} - {c}" in e:
        s["c"] = r.int(1, s["a"] * s["b"] - 1)
    elif "{a} - {b} - {c}" in e:
        s["a"] = s["b"] + s["c"] + r.int(1, most)
    elif "{a} - {b}" in e or "{a} / {b}" in e:  # the first is the larger one
        s["a"] = s["b"] + r.int(1, most)
    if "% of" in e:
        s["a"], s["b"] = r.int(20, 5000), r.int(2, 60)
    s["d"], s["e"] = r.int(2, 19), r.int(2, 99)
    if "th " in form:
        s["d"] = r.int(4, 19)
    if "{a} - {b}" in e and r.chance(0.2) and "people" not in form:
        s["a"], s["b"] = "%d.50" % s["a"], "%d.%s" % (s["b"], r.pick(("25", "50", "10")))
    return fill(form, s), fill(e, s)


# what calculate has no units for: a larger and a smaller one, and how many of the smaller one it has
UNITS_OF = [("years", "months", 12), ("euros", "cents", 100), ("dollars", "cents", 100), ("dozens", "pieces", 12)]
CONVERT = Phrases(SUMS["CONVERT"])


def convert(r):
    """One unit in another. Where calculate does not know them, it is times into the smaller one and divided by into the larger one."""
    if r.chance(0.8):
        n, v, u = conversions.some(r)
        return fill(r.phrase(CONVERT), {"n": n, "v": v, "u": u}), "%s %s in %s" % (n, v, u)
    large, small, k = r.pick(UNITS_OF)
    n = str(r.int(2, 99)) if r.chance(0.5) else str(r.int(100, 9000)) if r.chance(0.7) else "%d.5" % r.int(1, 40)
    up = r.chance(0.5)
    v, u = (small, large) if up else (large, small)
    return fill(r.phrase(CONVERT), {"n": n, "v": v, "u": u}), "%s %s %d" % (n, "/" if up else "*", k)


_n = r"(\d+(?:\.\d+)?)"
_SHAPES = [(re.compile(shape.replace("N", _n)), ways) for shape, ways in (
    (r"N \* N", ("{1} * {0}",)), (r"N \+ N", ("{1} + {0}",)), (r"N \^ 2", ("{0} * {0}",)),
    (r"N \+ N \+ N", ("{0} + {2} + {1}", "{1} + {0} + {2}", "{1} + {2} + {0}", "{2} + {0} + {1}", "{2} + {1} + {0}")),
    (r"N \* N \* N", ("{0} * {2} * {1}", "{1} * {0} * {2}", "{1} * {2} * {0}", "{2} * {0} * {1}", "{2} * {1} * {0}")),
    (r"N \* N \+ N", ("{1} * {0} + {2}", "{2} + {0} * {1}", "{2} + {1} * {0}")), (r"N \* N - N", ("{1} * {0} - {2}",)),
    (r"N \+ N \* N", ("{0} + {2} * {1}", "{1} * {2} + {0}", "{2} * {1} + {0}")), (r"N - N \* N", ("{0} - {2} * {1}",)),
    (r"N \* N / N", ("{1} * {0} / {2}", "{0} / {2} * {1}", "{1} / {2} * {0}")), (r"N / N \+ N", ("{2} + {0} / {1}",)),
    (r"N / N \* N", ("{2} * {0} / {1}", "{0} * {2} / {1}")), (r"N \+ N - N", ("{1} + {0} - {2}", "{0} - {2} + {1}")),
    (r"N - N - N", ("{0} - {2} - {1}", "{0} - ({1} + {2})")), (r"\(N \+ N\) / N", ("({1} + {0}) / {2}",)),
    (r"\(N - N\) \* N", ("{2} * ({0} - {1})",)), (r"N \* \(N - N\)", ("({1} - {2}) * {0}",)),
    (r"\(N \+ N\) \* N", ("({1} + {0}) * {2}", "{2} * ({0} + {1})", "{2} * ({1} + {0})")),
    (r"N \* \(N \+ N\)", ("{0} * ({2} + {1})", "({1} + {2}) * {0}", "({2} + {1}) * {0}")))]


def same(e):
    """An expression, and others that say the same in another order."""
    for shape, ways in _SHAPES:
        m = shape.fullmatch(e)
        if m:
            return [e] + [w.format(*m.groups()) for w in ways]
    return [e]


_MEANT = [(re.compile(shape.replace("N", _n)), said) for shape, said in (
    (r"N \+ N% of N", "{1}% is added to {0}"), (r"N - N% of N", "{1}% is taken off {0}"), (r"N% of N", "only the part is wanted, {0}% of {1}"),
    (r"N \* N", "{0} times {1}"), (r"N \+ N", "{0} and {1} together"), (r"N - N", "{0} without {1}"), (r"N / N", "{0} divided by {1}"),
    (r"N \* N \+ N", "{0} times {1}, and {2} more"), (r"N \* N - N", "{0} times {1}, {2} less"), (r"sqrt\(N\)", "the square root of {0}"),
    (r"N / 100 \* N", "{0} for a hundred, wanted for {1}"), (r"N \+ N \+ N", "{0}, {1} and {2} together"))]


def meaning(e):
    """What an expression says, in words; None for those that are too long for it."""
    for shape, said in _MEANT:
        m = shape.fullmatch(e)
        if m:
            return said.format(*m.groups())
    return None


KINDS = [(5, chain), (2, pair_first), (3, percent), (2, one), (4, order), (2, several)]
VERBS = ("subtract", "take", "knock", "divide", "multiply", "add", "split", "deduct", "share", "raise", "remove", "put", "cut", "sum", "increase", "decrease", "how", "minus", "total", "from", "what", "reduce", "lower", "shorten", "lengthen", "combine", "count",
         "pull", "strike", "discount", "distribute", "deal", "let", "tot", "first", "by", "out", "if", "which", "bracket", "strip", "drop", "withdraw", "tally", "scale", "slice")


def item(r):
    """(template with {e}, how it is said, expression)"""
    if r.chance(0.22):
        return ("{e}",) + (story(r) if r.chance(0.6) else convert(r))
    said, expr = r.weighted(KINDS)(r)
    verb = said.split(" ")[0]
    if verb in ("how", "what", "from", "minus", "by", "out", "if", "which", "first", "bracket"):
        t = "{e}"
    elif verb in VERBS:
        t = r.phrase(PLAIN)
    else:
        t = r.phrase(ASK)
    return t, said, expr


PLAIN = Phrases("{e}|{e}|{e}?|please {e}|can you {e}|{e} for me|{e} please|I need you to {e}|could you {e}?|now {e}".split("|"))
