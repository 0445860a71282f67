"""Sums and the clock."""
import datetime
import math
import re
from fractions import Fraction

from . import asks, conversions, frames, lex, sums
from .chat_call import make_call, slots_for
from .conv import speak, thinks
from .messages import check_text
from .phrases import Phrases
from .refer_words import LATE, REFER
from .sections import more
from .slots import fill
from .wordlists import ZONES

# --- calculate ---


_num = re.compile(r"\d+(?:\.\d+)?")
_root = re.compile(r"sqrt\((\d+(?:\.\d+)?)\)")
_percent = re.compile(r"(\d+(?:\.\d+)?)% of (\d+(?:\.\d+)?)")
_rounded = {"round": lambda x: Fraction(int(x + Fraction(1, 2))), "max": max, "min": min}


def evaluate(expr):
    """What calculate says of an expression, and the value; None where we cannot tell."""
    if " in " in expr:
        return conversions.evaluate(expr)
    if _date.search(expr):
        return with_dates(expr)
    if "sqrt" in expr:
        m = _root.fullmatch(expr)
        if not m:
            return None
        x = Fraction(m.group(1))
        n, d = x.numerator, x.denominator
        if math.isqrt(n) ** 2 == n and math.isqrt(d) ** 2 == d:
            v = decimal(Fraction(math.isqrt(n), math.isqrt(d)))[0]
            return expr + " = " + v, v
        v = ("%.15g" % (n / d) ** 0.5)
        return expr + " ≈ " + v, v
    if "%" in expr and "% of" not in expr:
        return None
    py = _percent.sub(r"((\1)*(\2)/F(100))", expr)
    py = _num.sub(lambda m: "F('%s')" % m.group(0) if m.start() == 0 or py[m.start() - 1] not in "'("
                  or not py[max(0, m.start() - 2):m.start()].endswith("F(") else m.group(0), py)
    py = py.replace("F(F('100'))", "F(100)").replace("^", "**").replace(" mod ", " % ")
    try:
        v = eval(py, {"F": Fraction, "__builtins__": {}}, _rounded)
        v = Fraction(v)
    except (ZeroDivisionError, OverflowError, SyntaxError, TypeError, ValueError, NameError):
        return None
    if v.numerator.bit_length() > 120:
        return None
    text, exact = decimal(v)
    if exact:
        return expr + " = " + text, text
    return "%s ≈ %s (exactly %d/%d)" % (expr, text, v.numerator, v.denominator), text


_date = re.compile(r"\d{4}-\d\d-\d\d")
_between = re.compile(r"(\d{4}-\d\d-\d\d) - (\d{4}-\d\d-\d\d)")
_shifted = re.compile(r"(\d{4}-\d\d-\d\d) ([+-]) (\d+)(?: (days?|weeks?))?")


def with_dates(expr):
    """The same of a sum with dates, as internal/tool/basic/dates.go says it; of a date some days away the value is the date alone."""
    day = datetime.date.fromisoformat
    if m := _between.fullmatch(expr):
        n = (day(m[1]) - day(m[2])).days
        v = "%d day%s" % (n, "" if n in (1, -1) else "s")
    elif expr.startswith("weekday of "):
        v = lex.WEEKDAYS[day(expr[11:]).weekday()]
    elif m := _shifted.fullmatch(expr):
        n = int(m[3]) * (7 if (m[4] or "").startswith("week") else 1)
        at = day(m[1]) + datetime.timedelta(days=n if m[2] == "+" else -n)
        return "%s = %s, a %s" % (expr, at, lex.WEEKDAYS[at.weekday()]), at.isoformat()
    else:
        return None
    return expr + " = " + v, v


def decimal(v):
    """A fraction in digits, and whether these are all."""
    if v.denominator == 1:
        return str(v.numerator), True
    d, twos, fives = v.denominator, 0, 0
    while d % 2 == 0:
        d //= 2
        twos += 1
    while d % 5 == 0:
        d //= 5
        fives += 1
    n = max(twos, fives)
    if d == 1 and n <= 30:
        scaled = abs(v.numerator) * 10 ** n // v.denominator
        s = str(scaled).rjust(n + 1, "0")
        return ("-" if v < 0 else "") + s[:-n] + "." + s[-n:], True
    f = float(v)
    s = "%.15g" % f
    if "e" in s:
        s = "%.15f" % f
    return s.rstrip("0").rstrip(".") if "." in s else s, False


CALC_THINK = thinks("""I should not do sums myself: I call calculate with {e}.
The sum is {e}, which calculate works out.
A calculation: {e}. I use the tool for it.
Numbers are asked for, so I let calculate work out {e}.""")


def sum_think(r, e):
    """What the words mean, then the expression that says it."""
    said = sums.meaning(e)
    if said and r.chance(0.7):
        return r.pick(("A sum: %s, so %s.", "That is %s: %s.", "To work out: %s, which is %s.")) % (said, e)
    return fill(r.pick(CALC_THINK), {"e": e})


CALC_ANSWER = thinks("""The result is there, so I give it.
calculate has the answer; I pass it on.
The number is {v}; that is what they asked for.
I read the result {v} and say it.""")


# stories in which the first number is the larger one
BIGGER = re.compile(r"left|remain|still|difference|exceed|more is|to go|change|older|born|gap|missing|short|quit|broke|lost|gave away|spen[dt]|need .* and have|last month|how many years")


def calc_item(r):
    """Template, slots, expression, result text, value."""
    if r.chance(0.5):
        for _ in range(5):
            t, said, e = sums.item(r)
            got = evaluate(e)
            if got:
                return t, {"e": said}, e, got[0], got[1]
    for _ in range(20):
        t, arg = r.phrase(asks.CALCULATE)
        s = slots_for(r, t)
        if len(t) > 24:  # a story: mostly about whole things
            for k in s:
                if k in "abc" and r.chance(0.8):
                    s[k] = str(r.int(2, 400))
        if "percent" in t or "%" in t:
            s["b"] = str(r.int(1, 60))
        if "a" in s and "b" in s and BIGGER.search(t) and float(s["a"]) < float(s["b"]):
            s["a"], s["b"] = s["b"], s["a"]
        if "power" in t:
            s["a"], s["b"] = str(r.int(2, 30)), str(r.int(2, 6))
        if isinstance(arg, dict):
            arg = arg.get("expression")
        e = fill(arg or t, s)
        got = evaluate(e)
        if got:
            return t, s, e, got[0], got[1]
    return "{a} + {b}", {"a": "2", "b": "2"}, "2 + 2", "2 + 2 = 4", "4"


def calculate(c):
    r = c.r
    t, s, e, text, v = calc_item(r)
    said, _ = speak(r, t, s)
    c.say(said)
    c.call(sum_think(r, e), [make_call("calculate", {"expression": e})], check=either_way(e, c.group("builtin_tools")))
    c.result("calculate", text)
    answer_number(c, text, e, v)
    c.about = ("number", v, e)
    c.done()


def either_way(e, group):
    """A sum or product is right in any order; None for expressions that have only one."""
    ways = sums.same(e)
    return {"type": "call", "name": "calculate", "any": {"expression": ways}, "group": group} if len(ways) > 1 else None


def fits(call):
    """What is checked of one of several calls: a sum is right in any order."""
    if call["name"] == "calculate":
        return {"name": "calculate", "any": {"expression": sums.same(call["arguments"]["expression"])}}
    return {"name": call["name"], "arguments": call["arguments"]}


def both_fit(calls):
    return {"type": "call", "calls": [fits(x) for x in calls], "group": "two_tools"}


def answer_number(c, text, e, v, group="extraction"):
    r = c.r
    c.sums.append(v)
    words = "about " + v if "≈" in text else v
    amount, into, unit = e.rpartition(" in ")
    said = "%s are %s %s." % (amount, words, unit) if into else "%s is %s." % (e, words)
    c.answer(fill(r.pick(CALC_ANSWER), {"v": v}), said, check_text(group, [v]))


NEXT_SUM = Phrases("""and times {b}?\t{v} * {b}
now add {b}\t{v} + {b}
and minus {b}?\t{v} - {b}
divide that by {b}\t{v} / {b}
and half of that?\t{v} / 2
multiply it by {b}\t{v} * {b}
plus {b}?\t{v} + {b}
what is {b}% of that?\t{b}% of {v}
and doubled?\t{v} * 2
take {b} away from that\t{v} - {b}
that times {b} please\t{v} * {b}
ok and {b} more\t{v} + {b}
split that between {b} people\t{v} / {b}
the square of it?\t{v} ^ 2
what's a tenth of that\t{v} / 10""".split("\n"))
NEXT_SUM = more(NEXT_SUM, *[[x.replace(" => ", "\t") for x in forms] for forms in (REFER["NEXT_SUM"], *LATE["NEXT_SUM"])])


def calculate_next(c):
    """Goes on with the number before."""
    r, v = c.r, c.about[1]
    if len(v) > 10 or v.startswith("-"):
        return calculate(c)
    t, _, arg = r.phrase(NEXT_SUM).partition("\t")
    s = {"b": str(r.int(2, 60) if r.chance(0.7) else r.int(61, 2000)), "v": v}
    if arg.startswith("{b} -"):  # the larger number first
        s["b"] = str(int(float(v)) + r.int(1, 500))
    e = fill(arg, s)
    got = evaluate(e)
    if not got:
        return calculate(c)
    c.say(speak(r, t, s)[0])
    c.call("They go on from %s, so I calculate %s." % (v, e), [make_call("calculate", {"expression": e})], "pronouns",
           check=either_way(e, "pronouns"))
    c.result("calculate", got[0])
    answer_number(c, got[0], e, got[1])
    c.about = ("number", got[1], e)
    c.done()


# --- now ---

OFFSETS = [("CET", "+01:00"), ("UTC", "+00:00"), ("JST", "+09:00"), ("EST", "-05:00"), ("GMT", "+00:00"), ("PST", "-08:00"), ("IST", "+05:30"), ("CEST", "+02:00"), ("AEDT", "+11:00"), ("-03", "-03:00")]
NOW_THINK = thinks("""The clock is asked for, so I call now.
I cannot know the time myself; now tells it.
They ask for the time or date, which now gives.
For the time I look at the clock with now.""")


def now_text(at, zone=("CET", "+01:00")):
    return "%s, %d %s %d, %02d:%02d:%02d %s (UTC%s), week %d of the year." % (
        lex.WEEKDAYS[at.weekday()], at.day, lex.MONTHS[at.month - 1], at.year, at.hour, at.minute, at.second, zone[0], zone[1],
        at.isocalendar()[1])


def now(c):
    r = c.r
    t, arg = frames.ask(r, "now", asks.NOW)
    zone = None
    s = {}
    if "{zone_city}" in t:
        zone = r.pick(ZONES)  # which zone a city has is knowledge: none can be held out
        s["zone_city"] = zone[0]
    c.say(speak(r, t, slots_for(r, t, s))[0])
    args = {"zone": zone[1]} if zone else {}
    think = "They want the time in %s, so I call now with %s." % zone if zone else r.pick(NOW_THINK)
    c.call(think, [make_call("now", args)])
    at = c.at.replace(second=r.int(0, 59)) if not zone else (c.at + datetime.timedelta(hours=r.int(-11, 11))).replace(second=r.int(0, 59))
    c.result("now", now_text(at, r.pick(OFFSETS)))
    time_answer(c, t, at, zone)
    c.about = ("time", at)
    c.done()


def time_answer(c, t, at, zone=None):
    low, where = t.lower(), " in " + zone[0] if zone else ""
    day, date = lex.WEEKDAYS[at.weekday()], "%d %s %d" % (at.day, lex.MONTHS[at.month - 1], at.year)
    clock = "%02d:%02d" % (at.hour, at.minute)
    if "week" in low and "day" not in low and "weekend" not in low:
        text, key = "It is week %d of the year." % at.isocalendar()[1], str(at.isocalendar()[1])
    elif "year" in low:
        text, key = "It is %d." % at.year, str(at.year)
    elif "month" in low:
        text, key = "It is %s." % lex.MONTHS[at.month - 1], lex.MONTHS[at.month - 1]
    elif any(w in low for w in ("day of the week", "weekday", "monday", "what day", "which day", "weekend")):
        text, key = "It is %s, %s%s." % (day, date, where), day
    elif any(w in low for w in ("date", "day")):
        text, key = "Today is %s, %s%s." % (day, date, where), date
    else:
        text, key = "It is %s%s." % (clock, where), clock
    c.answer(c.r.pick(["The clock says it; I answer.", "The result has what they want.", "I read it from the clock."]), text,
             check_text("extraction", [key]))
