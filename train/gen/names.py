"""Invented names: words, people, places, files. Half of all names are such, so that none can be learnt by heart."""
from . import lex
from .hall import read_lines

SPELLINGS = read_lines("spellings.txt") or list(lex.NOUNS)

_C = "b c d f g h j k l m n p r s t v w z".split()
_V = "a e i o u a e o".split()
_SOFT = [c + v for c in _C for v in _V]
_END = ["", "", "n", "r", "s", "l", "t", "x", "m", "k"]


def soft(r, n):
    """ba-ko-mi: plain syllables."""
    out = ""
    for _ in range(n):
        out += r.pick(_SOFT)
    return out + r.pick(_END)


def blend(r, words):
    """The beginning of one word and the end of another."""
    a, b = r.entity(words).lower(), r.entity(words).lower()
    i, j = max(2, len(a) * r.int(4, 7) // 10), min(len(b) - 2, len(b) * r.int(3, 6) // 10)
    return (a[:i] + b[max(j, 0):]).replace(" ", "").replace("'", "").replace("-", "")


def spelt(r):
    """Pieces of the vocabulary side by side. A token that training never meets cannot be copied, whatever it means."""
    parts = [r.pick(SPELLINGS) for _ in range(r.pick((2, 2, 2, 3)))]
    if r.chance(0.3):
        return parts[0] + "".join(p.capitalize() for p in parts[1:])
    return r.pick("__-").join(parts)


def coin(r, words):
    """A word that nobody knows."""
    x = r.random()
    if x < 0.1:
        return spelt(r)
    if x < 0.35:
        return r.syllables(r.pick((1, 2, 2, 2, 3)))
    if x < 0.7:
        return blend(r, words)
    return soft(r, r.pick((2, 2, 3)))


FIRST_END = ["", "", "", "a", "o", "in", "us", "ette", "is", "iel", "y", "e", "an", "ia"]
LAST_END = ["", "", "", "son", "berg", "ini", "ova", "mann", "ez", "ski", "sen", "ford", "well", "ley", "ucci", "ak", "oglu", "-"]
CITY_END = ["", "", "", "", "burg", "ville", "ton", "stad", "mouth", "ham", "by", "grad", "pur", "wick", "dale", "field", " Bay", " Falls", " Springs", "-on-Sea", " Heights"]
CITY_BEGIN = ["", "", "", "", "", "", "", "", "Port ", "New ", "St. ", "Upper ", "San ", "Lake ", "Old ", "West "]
ORG_END = [" Ltd", " Group", " & Co", " Systems", " Works", " Bank", " Foods", "", " GmbH", " Inc", " Brothers", " Labs", " & Daughters", " Partners", " Logistics", " Clinic", " Studio", " Press", " Energy", " Trust"]


def first(r, known):
    return (blend(r, known) if r.chance(0.4) else coin(r, known)[:7] + r.pick(FIRST_END)).capitalize()


def last(r, known):
    end = r.pick(LAST_END)
    if end == "-":
        return r.entity(known) + "-" + coin(r, known).capitalize()
    if r.chance(0.06):
        return r.pick(("Mc", "O'", "de ", "van ", "Mac", "al-")) + coin(r, known).capitalize()
    return (blend(r, known) if r.chance(0.4) else coin(r, known)[:7] + end).capitalize()


def city(r, known):
    return r.pick(CITY_BEGIN) + (blend(r, known).capitalize() if r.chance(0.35) else coin(r, known)[:8].capitalize() + r.pick(CITY_END))


def org(r, words, lasts):
    x = r.random()
    if x < 0.55:
        return coin(r, words).capitalize() + r.pick(ORG_END)
    if x < 0.75:
        return r.entity(lasts) + r.pick((" & ", " and ")) + coin(r, lasts).capitalize()
    return r.entity(lex.ADJ).capitalize() + " " + coin(r, words).capitalize() + r.pick(ORG_END)


_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def stem(r, word, noun):
    """A file's name without its ending, as people give them."""
    x = r.random()
    if x < 0.14:
        return r.entity(lex.STEMS)
    if x < 0.3:
        return noun() + r.pick("-_") + r.pick((noun, lambda: r.entity(lex.STEMS), lambda: str(r.int(1, 40))))()
    if x < 0.42:
        tail = r.pick((lambda: str(r.int(1, 99)), lambda: str(r.int(2019, 2031)),
                       lambda: r.pick(("final", "v2", "old", "new", "draft", "copy", "bak", "v%d.%d" % (r.int(0, 9), r.int(0, 20)))),
                       lambda: word().lower()))
        return r.entity(lex.STEMS) + r.pick(("-", "_", "", ".")) + tail()
    if x < 0.6:
        return word().lower().replace(" ", "-")
    if x < 0.7:
        return noun().capitalize() + r.pick(("", noun().capitalize(), "List", "Notes", "Plan", str(r.int(1, 99))))
    if x < 0.76:
        return noun() + noun().capitalize()
    if x < 0.82:
        d = r.date()
        return (r.pick(("%s_" % d, "%d%02d%02d-" % (d.year, d.month, d.day), "%02d-%02d " % (d.month, d.day), "")).replace(" ", "-")
                + r.pick((noun(), r.entity(lex.STEMS))))
    if x < 0.86:
        return "_".join(noun() for _ in range(3))
    if x < 0.89:
        return word().upper().replace(" ", "_")
    if x < 0.92:
        return str(r.int(1, 99999))
    return "".join(r.pick(_LETTERS) for _ in range(r.int(3, 9)))


TOOLS = {"notes", "note", "memory", "web", "calendar", "files", "file", "internet", "online", "diary"}
ROOTS = ["var/log", "etc", "srv", "opt", "data", "mnt/usb", "usr/local", "tmp", "media/disk", "var/lib"]


def folder(r, word, deep):
    x = r.random()

    def part(y=None):
        y = r.random() if y is None else y
        if y < 0.4:
            return r.entity(lex.FOLDERS)
        if y < 0.8:
            return word().lower().replace(" ", "-")
        if y < 0.87:
            return word().capitalize().replace(" ", "")
        if y < 0.93:
            return word().lower().replace(" ", "") + r.pick("_-") + str(r.int(1, 2030))  # a dot would make it look like a file
        return str(r.int(1, 2031)) if y < 0.97 else word().upper().replace(" ", "_")
    out = part(0.93 * r.random())  # a bare number is a folder only within another
    while r.chance(deep * 0.45):
        out += "/" + part()
    if out in TOOLS:  # "search notes" could mean the tool
        out += "-" + str(r.int(1, 99))
    if x < 0.08:
        out = "~/" + out
    elif x < 0.15:
        out = "/" + (r.pick(ROOTS) if r.chance(0.7) else r.pick(("home/", "Users/")) + r.first().lower().replace(" ", "")) + "/" + out
    elif x < 0.18:
        out = "./" + out
    elif x < 0.2:
        out = "../" + out
    elif x < 0.23:
        out += "/"
    return out


BARE = ["README", "Makefile", "LICENSE", "Dockerfile", ".env", ".gitignore", "/etc/hosts", "/etc/fstab", "TODO", "CHANGELOG", "go.mod", "package.json", "CONTRIBUTING.md", ".bashrc", "~/.profile", "Jenkinsfile", "docker-compose.yml", "VERSION", "Gemfile"]
