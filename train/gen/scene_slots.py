"""Values for the slots of scenes and notes, drawn anew each time: of a kind, out of listed members, or such as follow from slots before them."""
import datetime

from . import lex, values
from .chat_calc import evaluate
from .chat_call import file_name, thing
from .chat_people import spoken_days
from .slots import fill
from .wordlists import ZONES


def members(slots):
    """Slots as they are written, with those that list their members divided."""
    return {k: tuple(v.split("|")) if "|" in v else v for k, v in slots.items()}


def relative(c, days):
    """A day counted from the conversation's own."""
    return (c.at.date() + datetime.timedelta(days=int(days))).isoformat()


def named_file(r, exts, stems=""):
    """A file as people name it, half of the time after what it is for."""
    path = file_name(r, exts.split(","))
    if not stems or r.chance(0.5):
        return path
    head, sep, _ = path.rpartition("/")
    return head + sep + r.pick(stems.split(",")) + r.pick(("", "", "", "-%d" % r.int(1, 12), "_%d" % r.int(2019, 2031))) + "." + path.rpartition(".")[2]


def inside(r, s, folder, exts, stems=""):
    """A file of a folder that was drawn before."""
    stem = r.pick(stems.split(",")) if stems and r.chance(0.5) else r.stem()
    return s[folder] + "/" + stem + "." + r.pick(exts.split(","))


def later(s, k, days):
    """A number of days after a day that was drawn before."""
    return (datetime.date.fromisoformat(s[k]) + datetime.timedelta(days=days)).isoformat()


def ahead(c, s, k):
    """A day within the year after one that was drawn before, one that every year has, and none that was drawn already."""
    at = "02-29"
    while at.endswith("02-29") or at in s.values():
        at = (datetime.date.fromisoformat(s[k]) + datetime.timedelta(days=c.r.int(3, 330))).isoformat()
    return at


def within(c, s, k):
    """A day after one that was drawn before, in the same year unless that one is nearly over."""
    at = datetime.date.fromisoformat(s[k])
    left = (datetime.date(at.year, 12, 31) - at).days
    day = at + datetime.timedelta(days=c.r.int(3, left)) if left > 2 else None
    return ahead(c, s, k) if not day or (day.month, day.day) == (2, 29) else day.isoformat()


def plain_day(s, k):
    """A day without its year, as people say it: 10 December."""
    at = datetime.date.fromisoformat(s[k])
    return "%d %s" % (at.day, lex.MONTHS[at.month - 1])


def turned(s, today, k):
    """What a thought says of a day to come: whether it is past in the year of another one."""
    return "is still to come this year" if s[k][:4] == s[today][:4] else "is past this year"


def named(s, k):
    """The weekday of a day that was drawn before."""
    return lex.WEEKDAYS[datetime.date.fromisoformat(s[k]).weekday()]


# kinds of slots that are drawn at random; each gets the conversation, the slots before it, and the words after its name
MADE = {"file": lambda c, s, *a: named_file(c.r, *a), "in": lambda c, s, *a: inside(c.r, s, *a), "folder": lambda c, s: c.r.folder().rstrip("/"),
        "int": lambda c, s, a, b: str(c.r.int(int(a), int(b))), "person": lambda c, s: c.r.first(), "name": lambda c, s: c.r.name(),
        "city": lambda c, s: c.r.city(), "street": lambda c, s: c.r.last() + " " + c.r.pick(values.STREETS), "org": lambda c, s: c.r.org(),
        "noun": lambda c, s: c.r.noun(), "thing": lambda c, s: thing(c.r), "adj": lambda c, s: c.r.entity(lex.ADJ), "made": lambda c, s: values.made(c.r, 2),
        "food": lambda c, s: c.r.entity(lex.FOODS), "colour": lambda c, s: c.r.entity(lex.COLOURS), "product": lambda c, s: c.r.product(),
        "topic": lambda c, s: c.r.topic(), "time": lambda c, s: c.r.time(), "date": lambda c, s: c.r.day(), "weekday": lambda c, s: c.r.pick(lex.WEEKDAYS),
        "month": lambda c, s: c.r.pick(lex.MONTHS), "url": lambda c, s: c.r.url(), "code": lambda c, s: c.r.code(), "phone": lambda c, s: values.phone(c.r)}
# kinds that follow from other slots, or from the time of the conversation
FOLLOWING = {"sum": lambda c, s, *a: evaluate(fill(" ".join(a), s))[1], "base": lambda c, s, k: s[k].rpartition("/")[2], "back": lambda c, s, k: s[k][::-1],
             "length": lambda c, s, k: str(len(s[k])), "upper": lambda c, s, k: s[k].upper(), "sorted": lambda c, s, *a: ", ".join(sorted(s[k] for k in a)),
             "day": lambda c, s, n: relative(c, n), "later": lambda c, s, k: later(s, k, c.r.int(3, 200)), "clock": lambda c, s: "%02d:%02d" % (c.at.hour, c.at.minute),
             "ahead": ahead, "within": within, "plain": lambda c, s, k: plain_day(s, k), "turned": lambda c, s, t, k: turned(s, t, k),
             "next": lambda c, s, k: str(int(s[k][:4]) + 1) + s[k][4:],  # the same day a year later
             "named": lambda c, s, k: named(s, k),
             "spoken": lambda c, s, k: spoken_days(c.r, False, datetime.date.fromisoformat(s[k]))[0],
             "after": lambda c, s, k: "%02d:%s" % (int(s[k][:2]) + 1, s[k][3:])}  # an hour later


def apart(v, s):
    """Whether a value is neither one of those before it nor, if it is no number or path, a part of one."""
    if v.isdigit() or "/" in v:
        return v not in s.values()
    low = v.lower()
    return all(low not in x.lower() and (x.lower() not in low or x.isdigit()) for x in s.values() if isinstance(x, str))


def drawn(c, kind, s):
    """A value for a slot: one of the members that the scene lists, or one of a kind, other than those before it."""
    if isinstance(kind, tuple):
        draw = lambda: c.r.entity(kind)
    else:
        word, *a = kind.split(" ")
        if word in FOLLOWING:
            return FOLLOWING[word](c, s, *a)
        draw = lambda: MADE[word](c, s, *a)
    v = draw()
    for _ in range(30):
        if apart(v, s):
            break
        v = draw()
    return v


def filled(c, slots):
    """Values for the slots of a scene; a zone is a city with its zone and the time there."""
    s = {}
    for k, kind in slots.items():
        if kind == "zone":
            s[k], s[k + "_zone"] = c.r.pick([x for x in ZONES if x[0] not in s.values() and x[1] not in s.values()])
            s[k + "_at"] = (c.at + datetime.timedelta(hours=c.r.int(-11, 11))).replace(second=c.r.int(0, 59))
            s[k + "_time"] = "%02d:%02d" % (s[k + "_at"].hour, s[k + "_at"].minute)
        else:
            s[k] = drawn(c, kind, s)
    return s
