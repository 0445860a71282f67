"""Files of many kinds, with questions about what stands in them."""
from . import lex
from .base import Phrases
from .facts import Sheet

CONFIG = """port host name timeout retries user mode level region language theme workers version max_size log_level database cache
interval threads prefix endpoint title author email color debug verbose output format backend frontend queue bucket branch
environment owner quota limit currency timezone encoding locale width height volume channel sensor device network gateway""".split()

ASK_KEY = Phrases("""which {key} does {path} say?|what is the {key} in {path}?|what's the {key} set to in {path}?|look up the {key} in {path}|
{path}: what is {key}?|tell me the {key} from {path}|what {key} is configured in {path}?|can you check the {key} in {path}|
read {path} and tell me the {key}|I need the value of {key} in {path}|in {path}, which {key} is set?|find the {key} in {path}|
what does {path} have for {key}?|check {path} for the {key}|how is {key} set in {path}?|which value has {key} in {path}|
get me {key} from {path}|what value did I put for {key} in {path}?|{key} in {path}?|open {path} and read out {key}|
what was the {key} in {path} again?|does {path} set {key}, and to what?|{key} according to {path}|please look at {path}, what's {key}?|
I forgot the {key}, it's in {path}""".replace("\n", "").split("|"))
ASK_FIRST = Phrases("""what's the first thing in {path}?|what is the first entry of {path}?|what comes first in {path}?|first line of {path}?|
what's at the top of {path}|read {path} and tell me the first entry|which item is first in {path}?|what does {path} start with?|
how does {path} begin?|what's on top of the list in {path}""".replace("\n", "").split("|"))
ASK_LAST = Phrases("""what's the last thing in {path}?|what is the last entry of {path}?|what comes last in {path}?|last line of {path}?|
what's at the bottom of {path}|read {path} and tell me the last entry|which item is last in {path}?|what does {path} end with?|
how does {path} end?|what stands at the end of {path}""".replace("\n", "").split("|"))
ASK_LIST = Phrases("""what is on the list in {path}?|what do I have to do according to {path}?|what's on {path}?|which items are in {path}?|
tell me what's on my list {path}|what do I need, see {path}|what entries does {path} have?|list the items of {path}|
read me the list in {path}|everything on {path} please""".replace("\n", "").split("|"))
ASK_ERROR = Phrases("""what error is in {path}?|which error does {path} show?|why did it fail, see {path}|check {path} for errors|
what went wrong according to {path}?|is there an error in {path}?|look into {path} and tell me the error|what's the error message in {path}?|
find the error in {path}|what failed in {path}?|something broke, look at {path}|any errors in {path}""".replace("\n", "").split("|"))
ASK_ROW = Phrases("""what is the {col} of {row} in {path}?|which {col} does {row} have in {path}?|look up {row} in {path}, I need the {col}|
{col} of {row} according to {path}?|in {path}, what's the {col} for {row}?|find {row}'s {col} in {path}|tell me the {col} of {row}, it's in {path}|
what {col} is listed for {row} in {path}|read {path}: {row}, {col}?|check {path} for the {col} of {row}""".replace("\n", "").split("|"))
ASK_ABOUT = Phrases("""{q} it's in {path}|look in {path}: {q}|{q} see {path}|according to {path}, {q}|read {path} and tell me: {q}|check {path}: {q}|
use {path} to answer this: {q}|{q} the answer is in {path}|I wrote it down in {path}. {q}|open {path}. {q}""".replace("\n", "").split("|"))

ERRORS = ["connection refused", "disk is full", "permission denied", "timeout after 30 seconds", "out of memory", "no such table: users", "invalid token", "certificate expired", "port already in use",
          "cannot parse line 14", "missing key: api_url", "checksum does not match", "division by zero", "queue is full", "login failed for admin", "host not found", "broken pipe", "config not readable", "unknown option --fast", "backup was not written"]
LOGGED = ["service started", "listening on port 8080", "cache warmed up", "user logged in", "request served in 12 ms", "job finished", "config loaded", "checking for updates", "connected to database", "sent 3 messages", "closing session", "rotating logs"]


class File:
    """A text, and questions about it: (template with {path}, slots, answer, words that must come)."""

    def __init__(self, text, ext, qa):
        self.text, self.ext, self.qa = text, ext, qa


def value(r, key):
    if key in ("port",):
        return str(r.int(1024, 65535))
    if key in ("timeout", "retries", "workers", "max_size", "interval", "threads", "quota", "limit", "width", "height", "volume", "channel"):
        return str(r.int(1, 900))
    if key in ("debug", "verbose"):
        return r.pick(("true", "false"))
    if key in ("email",):
        return r.email()
    if key in ("owner", "author"):
        return r.name()
    if key in ("host", "endpoint", "gateway"):
        return r.domain()
    if key == "version":
        return "%d.%d.%d" % (r.int(0, 9), r.int(0, 20), r.int(0, 9))
    if key in ("region",):
        return r.pick(("north", "south", "east", "west", "eu-1", "eu-2", "us-3", "ap-1"))
    if key == "log_level" or key == "level":
        return r.pick(("info", "debug", "warn", "error", "trace"))
    return r.word()


def config(r):
    n = r.int(3, 9)
    keys = r.some(CONFIG, n)
    ext = r.pick(lex.EXT_CONFIG)
    pairs = [(k, value(r, k)) for k in keys]
    quoted = lambda v: v if v.isdigit() or v in ("true", "false") else '"%s"' % v
    if ext in ("yaml", "yml"):
        lines = ["%s: %s" % p for p in pairs]
        if r.chance(0.4):
            at = r.int(0, n - 1)
            lines = lines[:at] + [r.pick(("server:", "app:", "settings:", "db:"))] + ["  " + x for x in lines[at:]]
    elif ext == "json":
        lines = ["{"] + ['  "%s": %s%s' % (k, quoted(v), "," if i < n - 1 else "") for i, (k, v) in enumerate(pairs)] + ["}"]
    elif ext == "env":
        lines = ["%s=%s" % (k.upper(), v) for k, v in pairs]
    elif ext == "toml":
        lines = ["%s = %s" % (k, quoted(v)) for k, v in pairs]
        if r.chance(0.5):
            lines.insert(0, "[%s]" % r.noun())
    else:
        lines = ["%s = %s" % p if r.chance(0.5) else "%s=%s" % p for p in pairs]
        if r.chance(0.5):
            lines.insert(0, "[%s]" % r.noun())
    if r.chance(0.3):
        lines.insert(0, r.pick(("# ", "# ", "; ")) + r.sentence() if ext != "json" else lines[0])
        if ext == "json":
            lines.pop(0)
    say = lambda k: k.replace("_", " ") if r.chance(0.5) else k
    qa = []
    for k, v in r.some(pairs, 2):
        s = say(k)
        qa.append((ASK_KEY, {"key": s}, "The " + s + " in {path} is " + v + ".", [v]))
    return File("\n".join(lines), ext, qa)


def listing(r):
    n = r.int(2, 7)
    kind = r.random()
    if kind < 0.4:
        items = r.some(lex.FOODS, n)
    elif kind < 0.8:
        items = r.some(lex.TASKS, n)
    else:
        items = [r.word() + " " + r.noun() for _ in range(n)]
    mark = r.pick(("- ", "* ", "", "- [ ] ", "1"))
    lines = [("%d. " % (i + 1) if mark == "1" else mark) + x for i, x in enumerate(items)]
    if r.chance(0.35):
        lines.insert(0, r.pick(("# " + r.noun().capitalize(), "To do:", "Shopping", "TODO", "List", "This week:")))
    qa = [(ASK_LIST, {}, "{path} lists: " + ", ".join(items) + ".", items)]
    if len(lines) == n:
        qa += [(ASK_FIRST, {}, "The first entry in {path} is: " + items[0] + ".", [items[0]]), (ASK_LAST, {}, "The last entry in {path} is: " + items[-1] + ".", [items[-1]])]
    return File("\n".join(lines), r.pick(("txt", "md", "txt", "md", "org")), qa)


def log(r):
    day, lines, err = r.day(), [], r.entity(ERRORS)
    n = r.int(3, 8)
    at = r.int(1, n - 1)
    for i in range(n):
        t = "%s %02d:%02d:%02d " % (day, r.int(0, 23), r.int(0, 59), r.int(0, 59))
        lines.append(t + (r.pick(("ERROR ", "ERROR ", "FATAL ")) + err if i == at else r.pick(("INFO ", "INFO ", "DEBUG ")) + r.pick(LOGGED)))
    return File("\n".join(lines), "log", [(ASK_ERROR, {}, "The error in {path} is: " + err + ".", [err])])


def table(r):
    cols = r.some(["price", "stock", "city", "age", "score", "phone", "colour", "size", "owner", "year", "weight", "status"], r.int(2, 3))
    names = [r.first() if r.chance(0.5) else r.noun() for _ in range(r.int(2, 5))]
    names = list(dict.fromkeys(names))
    make = {"price": r.price, "stock": lambda: r.int(0, 400), "city": r.city, "age": lambda: r.int(2, 95), "score": lambda: r.int(1, 100), "phone": lambda: "0%d %d" % (r.int(20, 99), r.int(10000, 99999)),
            "colour": lambda: r.entity(lex.COLOURS), "size": lambda: r.pick("SML"), "owner": r.first, "year": lambda: r.int(1970, 2026), "weight": lambda: "%d kg" % r.int(1, 90), "status": lambda: r.pick(("open", "done", "late", "new"))}
    rows = [[str(make[c]()) for c in cols] for _ in names]
    sep = r.pick((",", ",", ";", " | "))
    head = sep.join(["name"] + cols)
    i, j = r.int(0, len(names) - 1), r.int(0, len(cols) - 1)
    text = "\n".join([head] + [sep.join([n] + row) for n, row in zip(names, rows)])
    return File(text, "csv" if sep != " | " else "md", [(ASK_ROW, {"row": names[i], "col": cols[j]}, "The %s of %s in {path} is %s." % (cols[j], names[i], rows[i][j]), [rows[i][j]])])


def prose(r):
    s = Sheet(r)
    a = r.pick(s.attrs)
    text = s.text(r, 0.4)
    if r.chance(0.4):
        text = "# " + s.start() + "\n\n" + text
    q = s.question(r, a)
    return File(text, r.pick(("txt", "md", "html", "rst")), [(ASK_ABOUT, {"q": q}, s.answer(r, a), [s.values[a.key]])])


def letter(r):
    lines = [r.sentence() for _ in range(r.int(1, 4) if r.chance(0.9) else r.int(6, 45))]
    text = "\n".join(lines) if r.chance(0.5) else " ".join(lines)
    if r.chance(0.25):
        text = "Dear " + r.first() + ",\n" + text + "\n" + r.pick(("Best", "Yours", "Love", "Regards")) + ", " + r.first()
    return File(text, r.pick(("txt", "md")), [])


def code(r):
    f, g = r.noun(), r.pick(lex.VERBS)
    name = g + "_" + f
    n = r.int(2, 90)
    lang = r.pick(("py", "js", "go", "sh"))
    text = {"py": "def %s(x):\n    return x * %d\n\nprint(%s(%d))" % (name, n, name, r.int(1, 9)),
            "js": "function %s(x) {\n  return x + %d;\n}\n\nconsole.log(%s(%d));" % (name, n, name, r.int(1, 9)),
            "go": "package main\n\n// %s %ss the %s.\nfunc %s(x int) int {\n\treturn x - %d\n}" % (name, g, f, name, n),
            "sh": "#!/bin/sh\n%s=%d\necho \"%s is $%s\"" % (name, n, f, name)}[lang]
    return File(text, lang, [] if lang == "sh" else [(_FUNCTION, {}, "{path} defines the function " + name + ".", [name])])


_FUNCTION = Phrases(["which function is in {path}?", "what's the function in {path} called?", "what does {path} define?", "name the function in {path}", "look at {path}, which function is there?"])

MAKERS = [(3, config), (3, listing), (1, log), (1.5, table), (2, prose), (2, letter), (0.7, code)]


def any_file(r):
    return r.weighted(MAKERS)(r)


def size_words(n):
    if n < 1000:
        return "%d bytes" % n
    return "%.1f kB" % (n / 1000)


def read_result(conv, path, text, offset=1, limit=0):
    """What fs_read says."""
    data = text + "\n"
    lines = data.splitlines(True)
    head = "%s (UTF-8, %s, %d lines)" % (conv.path(path), size_words(len(data.encode())), len(lines))
    part = lines[offset - 1:offset - 1 + limit] if limit else lines[offset - 1:]
    last = offset - 1 + len(part)
    if offset > 1 or last < len(lines):
        head += ", lines %d to %d" % (offset, last)
    cut = "lines %d to %d were left out; read on with offset %d" % (last + 1, len(lines), last + 1) if last < len(lines) else ""
    return head + ":\n" + "".join(part), cut
