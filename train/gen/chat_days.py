"""Days until a date, between two of them, and dates some days away, with today from the line above; and the same for times of the day: the counting is calculate's."""
import datetime

from . import lex
from .chat_call import make_call
from .chat_memory import second
from .chat_read import STATED, around, material
from .conv import speak
from .messages import check_text
from .phrases import Phrases, bars
from .slots import fill
from .wording import upper_first

UNTIL = Phrases(bars("""how many days until {d}?|how long is it until {d}, in days?|days till {d}?|how many days are left until {d}|count the days to {d}|when {d} comes, how many days from now is that?|how many more days to {d}?|number of days before {d}|how many sleeps until {d}?|in how many days is {d}?|how far away is {d}, in days|
how many days do I have until {d}?|what's the number of days left to {d}|tell me how many days it is to {d}|days remaining until {d}|is it long until {d}? I mean in days|how many days from today to {d}?|from now to {d}, how many days is that|I want to know how many days it is till {d}|how many days off is {d}?"""))
SINCE = Phrases(bars("""how many days ago was {d}?|how many days is it since {d}|how long ago was {d}, in days?|days since {d}?|how many days have gone by since {d}?|count the days since {d}|{d} is how many days ago?|how many days have passed since {d}|since {d}, how many days is that?|number of days from {d} to today"""))
BETWEEN = Phrases(bars("""how many days are there between {d} and {f}?|how many days from {d} to {f}?|days between {d} and {f}|count the days from {d} until {f}|I start on {d} and end on {f}, how many days is that?|how long is it from {d} to {f} in days|{d} to {f}, number of days?|how many days lie between {d} and {f}|the trip goes from {d} to {f}; how many days later is the end?|what's the difference in days between {d} and {f}?"""))
AWAY = Phrases(bars("""what date is it in {n} days?|which day is {n} days from now?|{n} days from today is which date?|today plus {n} days?|what's the date {n} days from now|if I wait {n} days, which date is it?|in {n} days it will be which date|date in {n} days|add {n} days to today|what day will it be after {n} more days?"""))
AGO = Phrases(bars("""what date was it {n} days ago?|which day was {n} days ago|{n} days before today was which date?|today minus {n} days?|the date {n} days back?|what day was it {n} days ago|subtract {n} days from today|{n} days ago, which date was that?"""))
WEEKDAY = Phrases(bars("""what weekday is {d}?|which day of the week is {d}?|on what weekday does {d} fall?|what day of the week will {d} be|is {d} a weekend? which weekday?|{d}, which weekday is that?|tell me the weekday of {d}|on which day of the week is {d}"""))
FEASTS = bars("""Christmas=25 December|Christmas Eve=24 December|New Year's Eve=31 December|Halloween=31 October|Valentine's Day=14 February|Saint Patrick's Day=17 March|All Saints' Day=1 November|Saint Nicholas' Day=6 December|May Day=1 May|Epiphany=6 January|Bastille Day=14 July|Midsummer Day=24 June|Saint Martin's Day=11 November|Bonfire Night=5 November|Women's Day=8 March|Star Day=4 May|Europe Day=9 May|Burns Night=25 January|Lucia=13 December|Labour Day=1 May|Earth Day=22 April|Saint George's Day=23 April|Assumption Day=15 August|Candlemas=2 February|Walpurgis Night=30 April""")
ENTRY = Phrases(bars("""{N} is kept on {d} each year.|{N} is a feast on {d}.|{N} falls on {d}; shops are shut in many places.|{N} is celebrated on {d}, with songs and cakes.|People keep {N} on {d}.|{N}, on {d}, goes back to an old custom.|Every year {N} comes on {d}."""))
# From one time to another, and a time some minutes or hours later; {x} is what it is about, {n} a number that means nothing here.
SPAN = Phrases(bars("""the train leaves at {a} from platform {n} and arrives at {b}. How long is the trip?|how long is it from {a} to {b}?|from {a} to {b}, how much time is that?|{x} starts at {a} and ends at {b}, how long does it last?|I slept from {a} until {b}. how long was that?|{x} is from {a} to {b}. what's its length?|my shift goes from {a} to {b}, how many hours is that|we set off at {a} and got there at {b}; how long did it take?|I was there at {a}, the bus came at {b}. how long did I wait?|how much time lies between {a} and {b}?|doors open {a}, {x} begins {b}. How long do we have in between?|{x}: {a} till {b}. duration?|it is {a} now, {x} is at {b}. how much time have I got?|room {n} is booked from {a} to {b}, how long is that?|how long does {x} take if it begins at {a} and is over by {b}?|left {a}, back {b}, gone for how long?|flight {n} departs {a}, lands {b}. flying time?|between {a} and {b} there's how long a gap?"""))
LATER = Phrases(bars("""{x} starts at {a} and takes {m}. When is it over?|what time is it {m} after {a}?|{a} plus {m} is what time?|I put it in the oven at {a}, it needs {m}. when is it done?|if {x} begins at {a} and lasts {m}, when does it end?|we leave at {a} and drive {m}, when do we arrive?|{m} from {a} on, what time is that|it's {a} now; in {m} it will be what time?|I started at {a} and need {m}, until when?|bus {n} leaves at {a} and takes {m}; when am I there?|{x} at {a}, {m} long. till when?|wash at {a}, programme of {m}: ready when?"""))
OWN = bars("""my birthday|my exam|our wedding day|my driving test|the school fair|my first day at work|our move|the marathon|my mother's birthday|the end of my contract|the tax deadline|my flight|our holiday|the concert|my operation|the trial""")
TOLD = Phrases(bars("{x} is on {d}|{x} is on {d} this time|{x} will be on {d}|just so you know, {x} is on {d}|{x}: {d}|on {d} is {x}|I have {x} on {d}"))
DAYS = ["It is {n} until {x}.", "{x} is {n} away.", "Until {x} it is {n}."]


def words(r, at, year=False):
    """A date as people write it."""
    m = lex.MONTHS[at.month - 1]
    th = {1: "st", 2: "nd", 3: "rd"}.get(at.day % 10 if at.day not in (11, 12, 13) else 0, "th")
    return r.pick(("%d %s" % (at.day, m), "%d %s" % (at.day, m), "%s %d" % (m, at.day), "the %d%s of %s" % (at.day, th, m))) + (" %d" % at.year if year else "")


def parsed(text):
    day, month = text.split()
    return int(day), lex.MONTHS.index(month) + 1


def coming(today, day, month):
    """The next day of that name."""
    at = datetime.date(today.year, month, day)
    return at if at > today else datetime.date(today.year + 1, month, day)


def dated(today, said, at):
    """What a thought says of the next day of that name: first whether it is past, then its year, which it gets wrong otherwise."""
    return "Today is %s; %s %s, so it is %s" % (today, said, "is still to come this year" if at.year == today.year else "is past this year", at)


def counted(c, think, e, to, frm):
    """The call, and what comes of it: N days."""
    n = (to - frm).days
    days = "%d day%s" % (n, "" if n in (1, -1) else "s")
    c.call(think + ", and I calculate %s." % e, [make_call("calculate", {"expression": e})])
    c.result("calculate", "%s = %s" % (e, days))
    return days


def some_day(r):
    return datetime.date(2026, r.int(1, 12), r.int(1, 28))


def until(c):
    """Until a date that they say, that stands in an entry, or that they told before."""
    r, today = c.r, c.at.date()
    x = r.random()
    if x < 0.45:
        d = some_day(r)
        name = said = words(r, d)
        day, month = d.day, d.month
        c.say(speak(r, r.phrase(UNTIL), {"d": said}, typos=False)[0])["_clock"] = True
    elif x < 0.75:
        name, _, date = r.entity(FEASTS).partition("=")
        if r.chance(0.4):
            name, date = upper_first(r.noun()) + " Day", "%d %s" % (r.int(1, 28), r.pick(lex.MONTHS))
        day, month = parsed(date)
        said = date
        text = fill(r.phrase(ENTRY), {"N": name, "d": date})
        c.say(speak(r, r.phrase(UNTIL), {"d": name}, typos=False)[0], material(r, around(r, (name, text))))["_clock"] = True
    else:
        d = some_day(r)
        mine, said = r.pick(OWN), words(r, d)
        day, month = d.day, d.month
        told = fill(r.phrase(TOLD), {"x": mine, "d": said})
        c.say(told)
        c.answer(r.pick(STATED), "Noted: %s." % second(told), check_text("chat", [said]))
        c.done()
        name = second(mine)
        c.say(speak(r, r.phrase(UNTIL), {"d": mine}, typos=False)[0])["_clock"] = True
    at = coming(today, day, month)
    e = "%s - %s" % (at, today)
    days = counted(c, dated(today, ("" if name == said else name + ", ") + said, at), e, at, today)
    c.answer("The days are counted; I say how many.", upper_first(fill(r.pick(DAYS), {"n": days, "x": name})), check_text("extraction", [days]))


def since(c):
    r, today = c.r, c.at.date()
    year = r.chance(0.6)  # without one, it is the last day of that name
    at = today - datetime.timedelta(days=r.int(2, 900 if year else 364))
    said = words(r, at, year)
    c.say(speak(r, r.phrase(SINCE), {"d": said}, typos=False)[0])["_clock"] = True
    days = counted(c, "Today is %s; %s is %s" % (today, said, at), "%s - %s" % (today, at), today, at)
    c.answer("The days are counted; I say how many.", upper_first(r.pick(("%s was %s ago." % (said, days), "It is %s since %s." % (days, said)))), check_text("extraction", [days]))


def between(c):
    r = c.r
    a = datetime.date(c.at.year, r.int(1, 11), r.int(1, 28))
    b = a + datetime.timedelta(days=r.int(2, max(3, (datetime.date(c.at.year, 12, 31) - a).days)))
    year = r.chance(0.3)
    d, f = words(r, a, year), words(r, b, year)
    c.say(speak(r, r.phrase(BETWEEN), {"d": d, "f": f}, typos=False)[0])["_clock"] = True
    days = counted(c, "%s is %s; %s is %s" % (upper_first(d), a, f, b), "%s - %s" % (b, a), b, a)
    c.answer("The days are counted; I say how many.", "From %s to %s it is %s." % (d, f, days), check_text("extraction", [days]))


def away(c):
    """Which date is some days or weeks before or after today."""
    r, today = c.r, c.at.date()
    n, sign, phrases = (r.int(2, 400), 1, AWAY) if r.chance(0.6) else (r.int(2, 200), -1, AGO)
    said = r.phrase(phrases)
    weeks = r.chance(0.3)
    if weeks:
        n, said = r.int(2, 60), said.replace("days", "weeks")
    at = today + datetime.timedelta(days=sign * n * (7 if weeks else 1))
    e = "%s %s %d%s" % (today, "+" if sign > 0 else "-", n, " weeks" if weeks else "")
    c.say(speak(r, said, {"n": str(n)}, typos=False)[0])["_clock"] = True
    c.call("Today is %s, so I calculate %s." % (today, e), [make_call("calculate", {"expression": e})])
    day = lex.WEEKDAYS[at.weekday()]
    c.result("calculate", "%s = %s, a %s" % (e, at, day))
    c.answer("The result has what they want.", "That is %s, a %s." % (at, day), check_text("extraction", [at.isoformat(), day]))


def weekday(c):
    r, today, d = c.r, c.at.date(), some_day(c.r)
    at = coming(today, d.day, d.month)
    said, e, day = words(r, at), "weekday of %s" % at, lex.WEEKDAYS[at.weekday()]
    c.say(speak(r, r.phrase(WEEKDAY), {"d": said}, typos=False)[0])["_clock"] = True
    c.call("%s, and I calculate %s." % (dated(today, said, at), e), [make_call("calculate", {"expression": e})])
    c.result("calculate", "%s = %s" % (e, day))
    c.answer("The result has what they want.", upper_first("%s is a %s." % (said, day)), check_text("extraction", [day]))


TIMED = bars("the film|the meeting|the concert|my exam|the course|choir practice|the match|our lesson|the tour|the interview|the party|the lecture|my appointment|the ferry|the show|the training|the parents' evening|the flea market")


def clock(r, at):
    """A time as people write it and as it is calculated with."""
    return "%d:%02d" % (at // 60 % 24, at % 60) if at // 60 % 24 > 9 or r.chance(0.5) else "%02d:%02d" % (at // 60 % 24, at % 60)


def length(n):
    """How long it is, in words."""
    parts = ["%d %s%s" % (k, unit, "" if k == 1 else "s") for k, unit in ((n // 60, "hour"), (n % 60, "minute")) if k]
    return " ".join(parts) or "0 minutes"


def span(c):
    """How long it is from one time of the day to another one."""
    r = c.r
    frm = 5 * r.int(0, 287)
    n = r.pick((r.int(3, 90), 5 * r.int(1, 60), 5 * r.int(12, 200)))
    a, b = clock(r, frm), clock(r, frm + n)
    over = ", over midnight" if (frm + n) // 1440 and (frm + n) % 1440 < frm else ""
    e = "%s - %s" % (b, a)
    c.say(speak(r, r.phrase(SPAN), {"a": a, "b": b, "x": r.pick(TIMED), "n": str(r.int(1, 40))}, typos=False)[0])
    c.call("From %s to %s, so I calculate %s." % (a, b, e), [make_call("calculate", {"expression": e})])
    c.result("calculate", "%s = %s%s" % (e, length(n), over))
    c.answer("The result has what they want.", "From %s to %s it is %s." % (a, b, length(n)), check_text("extraction", [length(n)]))


def later(c):
    """Which time it is some minutes or hours after another one."""
    r = c.r
    frm, n = 5 * r.int(0, 287), r.pick((r.int(4, 180), 60 * r.int(1, 9), 5 * r.int(13, 90)))
    said = length(n) if r.chance(0.5) or n > 180 else "%d minutes" % n
    a, to = clock(r, frm), frm + n
    e, at = "%s + %s" % (a, said), "%02d:%02d" % (to // 60 % 24, to % 60)
    c.say(speak(r, r.phrase(LATER), {"a": a, "m": said, "x": r.pick(TIMED), "n": str(r.int(1, 40))}, typos=False)[0])
    c.call("%s after %s, so I calculate %s." % (upper_first(said), a, e), [make_call("calculate", {"expression": e})])
    c.result("calculate", "%s = %s%s" % (e, at, ", the next day" if to >= 1440 else ""))
    c.answer("The result has what they want.", "%s after %s it is %s%s." % (upper_first(said), a, at, " the next day" if to >= 1440 else ""), check_text("extraction", [at]))


def days(c):
    c.r.weighted([(6, until), (2, since), (3, between), (2, away), (1.5, weekday), (4, span), (3, later)])(c)
    c.about = None
    c.done()
