"""Values of every type, drawn at random, so that they can be read and not known."""
from . import lex
from .phrases import bars
from .slots import fill

UNITS = bars("""metres|kilometres|centimetres|millimetres|miles|feet|inches|kg|grams|tonnes|pounds|litres|ml|gallons|watts|kW|volts|amps|hertz|kHz|MHz|dB|Nm|bar|psi|lumens|
degrees|degrees Celsius|seconds|minutes|hours|days|weeks|months|years|km/h|mph|knots|rpm|GB|MB|TB|Mbit/s|pixels|dpi|points|pages|rows|seats|people|members|pieces|boxes|coats|layers|
steps|turns|stitches|acres|hectares|square metres|cubic metres|calories|portions|bottles|crates|bushels|teeth|strings|rooms|floors|beds|lines|requests a minute""")
STREETS = "Street Lane Road Square Alley Hill Court Row Walk Quay Gardens Close".split()
SPOTS = "harbour|market square|town hall|old mill|station|school gym|museum|ferry landing|boat house|chapel|sports ground|north gate|cellar|attic|back yard|greenhouse|lighthouse|quarry|car park|bus depot|reading room|canteen".split("|")
DOMAINS = ".example .org .com .net .io .test .local .internal .lan .dev".split()
CURRENCY = ["{x} euros", "€{x}", "${x}", "£{x}", "{x} EUR", "{x} francs", "{x} kroner", "{x} pounds", "{x} dollars", "{x} zloty", "{x} rupees", "{x} USD"]
GERUND = {"cut": "cutting", "knit": "knitting", "row": "rowing", "sew": "sewing", "tie": "tying", "fry": "frying"}


def made(r, n=0):
    return r.made(lambda: r.syllables(n or r.int(1, 3)))


def cap(r):
    return made(r, 2).capitalize()


def adj(r):
    return r.entity(lex.ADJ)


def grouped(r, n):
    return "{:,}".format(n) if n >= 1000 and r.chance(0.5) else str(n)


def whole(r):
    return grouped(r, r.weighted([(3, r.int(11, 99)), (4, r.int(100, 999)), (3, r.int(1000, 99999)), (1, r.int(100000, 9999999))]))


def decimal(r):
    return "%d.%d" % (r.int(0, 400), r.weighted([(3, r.int(1, 9)), (2, r.int(11, 99)), (1, r.int(101, 999))]))


def unit(r):
    n = decimal(r) if r.chance(0.3) else grouped(r, r.weighted([(3, r.int(2, 99)), (3, r.int(100, 999)), (1.5, r.int(1000, 99999))]))
    return n + " " + r.entity(UNITS)


def date(r):
    d, m, y = r.int(1, 28), r.int(1, 12), r.int(1890, 2039)
    month = lex.MONTHS[m - 1]
    return r.pick(["%d %s %d" % (d, month, y), "%04d-%02d-%02d" % (y, m, d), "%s %d, %d" % (month, d, y), "%d %s" % (d, month),
                   "%d.%d.%d" % (d, m, y), "%s %d" % (month, y), "%s, %d %s" % (r.pick(lex.WEEKDAYS), d, month), str(y)])


def clock(r):
    h, m = r.int(0, 23), r.int(0, 59)
    return r.pick(["%02d:%02d" % (h, m), "%02d:%02d" % (h, m), "%d:%02d %s" % (h % 12 or 12, m, r.pick(("am", "pm"))),
                   "%02d:%02d:%02d" % (h, m, r.int(0, 59)), "%d %s" % (h % 12 or 12, r.pick(("am", "pm")))])


def money(r):
    x = r.price() if r.chance(0.5) else grouped(r, r.int(3, 90000))
    return fill(r.pick(CURRENCY), {"x": x})


def percent(r):
    n = "%d.%d" % (r.int(0, 99), r.int(1, 9)) if r.chance(0.3) else str(r.int(1, 99))
    return n + r.pick(["%", "%", " percent", " per cent"])


def gerund(r):
    v = r.entity(lex.VERBS)
    return GERUND.get(v) or (v[:-1] if v.endswith("e") else v) + "ing"


def thing(r):
    """A noun, with or without company."""
    x = r.random()
    if x < 0.25:
        return r.noun()
    if x < 0.55:
        return adj(r) + " " + r.noun()
    if x < 0.7:
        return r.noun() + " " + r.noun()
    if x < 0.85:
        return made(r) + " " + r.noun()
    return made(r)


def words(r):
    """One to five words."""
    x = r.random()
    if x < 0.3:
        return thing(r)
    if x < 0.45:
        return thing(r) + " and " + thing(r)
    if x < 0.55:
        return ("the " + thing(r) + r.pick([" behind the ", " of the ", " under the ", " from the ", " near the ", " without a ",
                                            " with the "]) + r.noun())
    if x < 0.65:
        return gerund(r) + " " + r.pick(["", "the ", "old ", "small "]) + r.noun()
    if x < 0.75:
        return adj(r) + " and " + adj(r)
    if x < 0.85:
        return made(r)
    if x < 0.93:
        return " ".join(r.word() for _ in range(r.int(2, 5)))
    return made(r) + " " + made(r)


def purpose(r):
    return gerund(r) + " " + (thing(r) if r.chance(0.7) else "the " + r.noun())


def person(r):
    x = r.random()
    return r.name() if x < 0.75 else r.first() if x < 0.85 else r.pick(["Dr ", "Ms ", "Mr ", "Captain ", "Professor "]) + cap(r)


def place(r):
    x = r.random()
    if x < 0.25:
        return r.city()
    if x < 0.45:
        return "%s %s %d" % (cap(r) if r.chance(0.6) else r.noun().capitalize(), r.pick(STREETS), r.int(1, 240))
    if x < 0.65:
        return "the " + (adj(r) + " " if r.chance(0.4) else "") + r.entity(SPOTS)
    if x < 0.75:
        return (r.pick(["room ", "hall ", "gate ", "shelf ", "dock ", "platform ", "bay "])
                + r.pick([str(r.int(1, 400)), r.pick("ABCDEFGHK") + str(r.int(1, 40))]))
    if x < 0.88:
        return "the " + cap(r) + r.pick([" hills", " valley", " coast", " forest", " islands", " quarter", " plain"])
    return cap(r)


def code(r):
    x = r.random()
    if x < 0.5:
        return r.code()
    a = "".join(r.pick("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(r.int(1, 3)))
    if x < 0.75:
        return "%s-%d" % (a, r.int(1, 9999))
    if x < 0.88:
        return "%d%s%d" % (r.int(1, 99), r.pick(["-", "/", "."]), r.int(10, 9999))
    return "%s%d/%s" % (a, r.int(1, 99), r.pick("ABCDEF"))


def version(r):
    return (r.pick(["", "", "v"]) + ".".join(str(r.int(0, 30)) for _ in range(r.int(2, 3)))
            + (r.pick(["-rc%d" % r.int(1, 5), "-beta", "b%d" % r.int(1, 9)]) if r.chance(0.15) else ""))


def host(r):
    x = r.random()
    if x < 0.25:
        return ".".join(str(r.int(1, 254)) for _ in range(4))
    return "%s%s.%s%s" % (r.noun(), r.pick(["", "-" + str(r.int(1, 20)), str(r.int(1, 9))]), made(r, 2), r.pick(DOMAINS))


def port(r):
    return str(r.int(1024, 65535))


def phone(r):
    return r.pick(["0%d %d" % (r.int(20, 999), r.int(100000, 9999999)),
                   "+%d %d %d" % (r.int(30, 99), r.int(100, 999), r.int(10000, 999999)), "%03d-%04d" % (r.int(100, 999), r.int(0, 9999)),
                   "extension %d" % r.int(10, 9999)])


def several(r):
    """Two to four things, as they are listed in a sentence."""
    make = r.pick([r.noun, r.first, r.city, lambda: thing(r), lambda: made(r), lambda: r.entity(lex.FOODS), lambda: str(r.int(2, 999))])
    out = list(dict.fromkeys(make() for _ in range(r.int(2, 4))))
    return out[0] if len(out) == 1 else ", ".join(out[:-1]) + r.pick([" and ", " and ", ", "]) + out[-1]


def year(r):
    return str(r.int(1403, 2039))


def org(r):
    return r.org()


MAKE = {"whole": whole, "unit": unit, "date": date, "clock": clock, "money": money, "percent": percent, "person": person,
        "city": lambda r: r.city(), "country": lambda r: r.country(), "place": place, "words": words, "thing": thing,
        "code": code, "version": version, "host": host, "port": port, "path": lambda r: r.path(), "email": lambda r: r.email(),
        "phone": phone, "list": several, "org": org, "year": year, "url": lambda r: r.url(), "purpose": purpose, "made": lambda r: made(r)}
TYPES = [(3, "whole"), (5, "unit"), (3, "date"), (2, "clock"), (3, "money"), (1.5, "percent"), (4, "person"), (1.5, "city"), (1, "country"),
         (2.5, "place"), (5, "words"), (3, "thing"), (2.5, "code"), (1.5, "version"), (1, "host"), (1, "port"),
         (1, "path"), (1, "email"), (1, "phone"), (2, "list"), (1.5, "org"), (1, "year"), (0.5, "url"), (1.5, "made")]


def any_value(r, kind=None):
    return MAKE[kind or r.weighted(TYPES)](r)


OTHER_EXT = ["pdf", "jpg", "png", "zip", "docx", "tar.gz", "mp3", "PDF", "bin", "xlsx"]


def odd_name(r):
    """A file's name of any form: dots, dashes, digits, spaces, capitals."""
    w = lambda: r.word().replace(" ", "-") if r.chance(0.6) else made(r)
    x = r.random()
    if x < 0.15:
        s = w().capitalize() + w().capitalize()
    elif x < 0.3:
        s = "%s%s%s" % (w(), r.pick("-_."), w())
    elif x < 0.42:
        s = "%s%s%d" % (w(), r.pick(["-", "_", "", "."]), r.int(1, 2039))
    elif x < 0.52:
        s = "%d%s%s" % (r.int(1, 99), r.pick("-_"), w())
    elif x < 0.6:
        s = "%s %s" % (w(), r.pick([w(), str(r.int(1, 30)), "(%d)" % r.int(1, 9)]))
    elif x < 0.68:
        s = "%s-%s" % (r.day(), w())
    elif x < 0.76:
        s = "".join(r.pick("abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789") for _ in range(r.int(4, 9)))
    elif x < 0.84:
        s = w().upper()
    elif x < 0.92:
        s = "%s.%s" % (w(), r.pick(["v%d" % r.int(1, 9), "old", "bak", "min", "test", "draft", "%d.%d" % (r.int(0, 9), r.int(0, 20))]))
    else:
        s = w()
    if r.chance(0.06):
        return s
    return s + "." + (r.pick(lex.EXT_TEXT) if r.chance(0.8) else r.pick(OTHER_EXT))
