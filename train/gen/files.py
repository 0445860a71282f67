"""Files of many kinds, with questions about what stands in them."""
from . import attrs, layouts, layouts_many, lex, quote, values
from .facts import Sheet, two
from .phrases import Phrases, bars

CONFIG = """port host name timeout retries user mode level region language theme workers version max_size log_level database cache
interval threads prefix endpoint title author email color debug verbose output format backend frontend queue bucket branch
environment owner quota limit currency timezone encoding locale width height volume channel sensor device network gateway""".split()

ASK_KEY = Phrases(bars("""which {key} does {path} say?|what is the {key} in {path}?|what's the {key} set to in {path}?|look up the {key} in {path}|
{path}: what is {key}?|tell me the {key} from {path}|what {key} is configured in {path}?|can you check the {key} in {path}|
read {path} and tell me the {key}|I need the value of {key} in {path}|in {path}, which {key} is set?|find the {key} in {path}|
what does {path} have for {key}?|check {path} for the {key}|how is {key} set in {path}?|which value has {key} in {path}|
get me {key} from {path}|what value did I put for {key} in {path}?|{key} in {path}?|open {path} and read out {key}|
what was the {key} in {path} again?|does {path} set {key}, and to what?|{key} according to {path}|please look at {path}, what's {key}?|
I forgot the {key}, it's in {path}"""), bars("""what have I set as {key} in {path}?|{path} should have a {key}, which one?|go and see which {key} is in {path}|the {key} from {path} please|what's in {path} under {key}?|give me the {key} that {path} uses|look at the {key} line in {path}|
which {key} did I choose in {path}?|is there a {key} in {path}, and what is it?|please get the {key} out of {path}|what did we configure as {key} in {path}?|I want to know the {key} in {path}|see {path}: {key}?|under {key}, what does {path} say?|
could you look up {key} in {path}?|what {key} does {path} use|{path}, what's the {key} in there?|fetch the {key} from {path}|can you find out the {key} from {path}?|show me what {path} has as {key}"""))
ASK_FIRST = Phrases(bars("""what's the first thing in {path}?|what is the first entry of {path}?|what comes first in {path}?|first line of {path}?|
what's at the top of {path}|read {path} and tell me the first entry|which item is first in {path}?|what does {path} start with?|
how does {path} begin?|what's on top of the list in {path}"""), bars("""what stands first in {path}?|the first item of {path} please|give me the first entry in {path}|which is the first thing on the list {path}?|look in {path}, what is at the very top?|what's number one in {path}?|tell me the first line of {path}|
the top entry of {path}?|what do I find at the beginning of {path}?|the first thing written in {path} is what?"""))
ASK_LAST = Phrases(bars("""what's the last thing in {path}?|what is the last entry of {path}?|what comes last in {path}?|last line of {path}?|
what's at the bottom of {path}|read {path} and tell me the last entry|which item is last in {path}?|what does {path} end with?|
how does {path} end?|what stands at the end of {path}"""), bars("""what stands last in {path}?|the last item of {path} please|give me the last entry in {path}|which is the last thing on the list {path}?|look in {path}, what is at the very bottom?|what's the final entry of {path}?|tell me the last line of {path}|
the bottom entry of {path}?|what do I find at the end of {path}?|the last thing written in {path} is what?"""))
ASK_LIST = Phrases(bars("""what is on the list in {path}?|what do I have to do according to {path}?|what's on {path}?|which items are in {path}?|
tell me what's on my list {path}|what do I need, see {path}|what entries does {path} have?|list the items of {path}|
read me the list in {path}|everything on {path} please"""), bars("""what did I put on the list {path}?|go through {path} and tell me all entries|which things stand in {path}?|name everything in {path}|all items of {path}|what all is in {path}?|read out the entries of {path}|give me the full list from {path}|
what have I written on {path}?|tell me all the items in {path}"""))
ASK_ERROR = Phrases(bars("""what error is in {path}?|which error does {path} show?|why did it fail, see {path}|check {path} for errors|
what went wrong according to {path}?|is there an error in {path}?|look into {path} and tell me the error|what's the error message in {path}?|
find the error in {path}|what failed in {path}?|something broke, look at {path}|any errors in {path}"""), bars("""what is the problem, according to {path}?|{path} has an error, which?|look for the error in {path}|tell me what failed, it's in {path}|which failure is logged in {path}?|what does {path} complain about?|read {path} and find out what broke|
what's wrong in {path}?|which error was written to {path}?|show me the error from {path}"""))
ASK_ROW = Phrases(bars("""what is the {col} of {row} in {path}?|which {col} does {row} have in {path}?|look up {row} in {path}, I need the {col}|
{col} of {row} according to {path}?|in {path}, what's the {col} for {row}?|find {row}'s {col} in {path}|tell me the {col} of {row}, it's in {path}|
what {col} is listed for {row} in {path}|read {path}: {row}, {col}?|check {path} for the {col} of {row}"""), bars("""for {row}, what {col} does {path} have?|see {path}, what's {row}'s {col}?|I need {row}'s {col} from {path}|get the {col} for {row} out of {path}|which {col} belongs to {row} in {path}?|{path}: {col} of {row}?|could you look up the {col} of {row} in {path}?|
the {col} of {row} should be in {path}|what did I note as {col} for {row} in {path}?|open {path} and tell me the {col} of {row}"""))
ASK_ABOUT = Phrases(bars("""{q} it's in {path}|look in {path}: {q}|{q} see {path}|according to {path}, {q}|read {path} and tell me: {q}|check {path}: {q}|
use {path} to answer this: {q}|{q} the answer is in {path}|I wrote it down in {path}. {q}|open {path}. {q}"""), bars("""{q} Look in {path}.|it is somewhere in {path}: {q}|{q} You find it in {path}.|from {path}: {q}|{path} should say it: {q}|take {path} and tell me: {q}|{q} I think {path} has it|please read {path}. {q}|{q} Have a look at {path}.|with the help of {path}: {q}"""))

ERRORS = ["connection refused", "disk is full", "permission denied", "timeout after 30 seconds", "out of memory", "no such table: users", "invalid token", "certificate expired", "port already in use",
          "cannot parse line 14", "missing key: api_url", "checksum does not match", "division by zero", "queue is full", "login failed for admin", "host not found", "broken pipe", "config not readable", "unknown option --fast", "backup was not written"]
LOGGED = ["service started", "listening on port 8080", "cache warmed up", "user logged in", "request served in 12 ms", "job finished", "config loaded", "checking for updates", "connected to database", "sent 3 messages", "closing session", "rotating logs"]


class File:
    """A text, and questions about it: (template with {path}, slots, answer, words that must come). The slot "read" is what stands there, for the thought."""

    def __init__(self, text, ext, qa):
        self.text, self.ext, self.qa = text, ext, qa


def value(r, key):
    if key in ("port",):
        return str(r.int(1024, 65535))
    if key in ("timeout", "retries", "workers", "max_size", "interval", "threads", "quota", "limit", "width", "height", "volume",
               "channel"):
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


def setting(r):
    """A setting of any name with a value of any type."""
    a = attrs.open_attr(r)
    return a.key.replace(" ", r.pick("__-")).replace("'", ""), a.make(r)


def config(r):
    n = r.int(3, 9) if r.chance(0.92) else r.int(10, 26)
    keys = r.some(CONFIG, n)
    ext = r.pick(lex.EXT_CONFIG)
    pairs = [setting(r) if r.chance(0.45) else (k, value(r, k) if r.chance(0.6) else values.any_value(r)) for k in keys]
    pairs = list(dict(pairs).items())
    n = len(pairs)
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
    for k, v in r.some(pairs, 3):
        s = say(k)
        qa.append((ASK_KEY, {"key": s, "read": "%s: %s." % (k, v)}, "The " + s + " in {path} is " + v + ".", [v]))
    if r.chance(0.15):  # one that is not there
        s = say(setting(r)[0])
        if s.replace(" ", "_") not in dict(pairs):
            qa = qa[:2] + [(ASK_KEY, {"key": s}, "{path} does not say the " + s + ".", [["does not", "no ", "not "], s])]
    return File("\n".join(lines), ext, qa)


def listing(r):
    n = r.int(2, 7) if r.chance(0.92) else r.int(8, 20)
    kind = r.random()
    if kind < 0.2:
        items = r.some(lex.FOODS, n)
    elif kind < 0.4:
        items = r.some(lex.TASKS, n)
    else:
        items = [values.words(r) if r.chance(0.7) else values.odd_name(r) for _ in range(n)]
    mark = r.pick(("- ", "* ", "", "- [ ] ", "1"))
    lines = [("%d. " % (i + 1) if mark == "1" else mark) + x for i, x in enumerate(items)]
    if r.chance(0.35):
        lines.insert(0, r.pick(("# " + r.noun().capitalize(), "To do:", "Shopping", "TODO", "List", "This week:")))
    items = list(dict.fromkeys(items))
    qa = [(ASK_LIST, {}, "{path} lists: " + ", ".join(items) + ".", items)] if n < 13 else []
    if len(lines) == len(items):
        qa += [(ASK_FIRST, {"read": "first %s." % items[0]}, "The first entry in {path} is: " + items[0] + ".", [items[0]]),
               (ASK_LAST, {"read": "%s and, as the last of %d, %s." % (items[-2], len(items), items[-1]) if len(items) > 1 else "only %s." % items[0]},
                "The last entry in {path} is: " + items[-1] + ".", [items[-1]])]
    return File("\n".join(lines), r.pick(("txt", "md", "txt", "md", "org")), qa)


def failure(r):
    """What a program complains about."""
    x = r.int(0, 8)
    if x == 0:
        return r.entity(ERRORS)
    v, n = r.entity(lex.VERBS), values.thing(r)
    return ["cannot %s the %s" % (v, n), "%s refused the connection" % values.host(r), "no space left on %s" % r.folder(),
            "%s: unexpected %s in line %d" % (r.path(), values.made(r), r.int(2, 900)), "%s is missing" % n,
            "exit code %d from %s" % (r.int(1, 255), values.made(r)),
            "%s not found" % r.path(), "the %s did not answer within %d seconds" % (n, r.int(2, 90))][x - 1]


def logged(r):
    x = r.int(0, 5)
    if x == 0:
        return r.pick(LOGGED)
    return ["%s started" % values.thing(r), "%s=%s" % (r.noun(), values.any_value(r)), "read %s" % r.path(),
            "%d %s done" % (r.int(2, 900), r.noun()), "%s connected" % values.host(r)][x - 1]


def log(r):
    day, lines, err = r.day(), [], failure(r)
    n = r.int(3, 8)
    at = r.int(0, n - 1)
    for i in range(n):
        t = "%s %02d:%02d:%02d " % (day, r.int(0, 23), r.int(0, 59), r.int(0, 59))
        lines.append(t + (r.pick(("ERROR ", "ERROR ", "FATAL ", "error: ")) + err if i == at
                          else r.pick(("INFO ", "INFO ", "DEBUG ", "info: ")) + logged(r)))
    return File("\n".join(lines), "log", [(ASK_ERROR, {}, "The error in {path} is: " + err + ".", [err])])


def row_name(r):
    x = r.random()
    return r.first() if x < 0.35 else r.noun() if x < 0.55 else r.name() if x < 0.7 else r.product() if x < 0.85 else values.code(r)


TABLES = [(None, "")] * 5 + [(layouts_many.csv, "csv"), (layouts_many.bars, "md"), (layouts_many.columns, "txt"), (layouts_many.json_list, "json"), (layouts_many.yaml, "yaml"), (layouts_many.sections, "txt")]


def table(r):
    cols = attrs.open_attrs(r, r.int(2, 4), 0.5)
    names = list(dict.fromkeys(row_name(r) for _ in range(r.int(2, 6) if r.chance(0.88) else r.int(7, 18))))
    rows = [[a.make(r) for a in cols] for _ in names]
    keys = [a.key for a in cols]
    form, ext = r.pick(TABLES)
    if form:
        text = form(r, names, keys, rows, None)
    else:
        text = layouts.table(r, names, keys, rows)
        ext = "json" if text.startswith("[") else "md" if text.startswith("|") else "csv" if "\n\n" not in text else "txt"
    qa = []
    for _ in range(3):
        i, j = r.int(0, len(names) - 1), r.int(0, len(cols) - 1)
        # the row up to the column, each cell with its head: counted so, the right one is found
        read = "%s: %s." % (names[i], ", ".join("%s %s" % p for p in zip(keys[:j + 1], rows[i])))
        qa.append((ASK_ROW, {"row": names[i], "col": keys[j], "read": read}, "The %s of %s in {path} is %s." % (keys[j], names[i], rows[i][j]),
                   [rows[i][j]]))
    return File(text, ext, qa)


def prose(r):
    other = None
    if r.chance(0.3):
        s, other, text = two(r)
    else:
        s = Sheet(r)
        text = s.text(r, 0.4)
    if r.chance(0.4):
        text = "# " + s.start() + "\n\n" + text
    qa = []
    for a in r.some(s.attrs, 3):
        more = s.follow(r, a) if other is None and len(s.attrs) > 1 else "and " + s.question(r, a)
        qa.append((ASK_ABOUT, {"q": s.question(r, a, True), "more": more, "read": quote.words(s, a)}, s.answer(r, a), [s.values[a.key]]))
    return File(text, r.pick(("txt", "md", "html", "rst")), qa)


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
    conv.texts[path] = text
    data = text + "\n"
    lines = data.splitlines(True)
    head = "%s (UTF-8, %s, %d lines)" % (conv.path(path), size_words(len(data.encode())), len(lines))
    part = lines[offset - 1:offset - 1 + limit] if limit else lines[offset - 1:]
    last = offset - 1 + len(part)
    if offset > 1 or last < len(lines):
        head += ", lines %d to %d" % (offset, last)
    cut = "lines %d to %d were left out; read on with offset %d" % (last + 1, len(lines), last + 1) if last < len(lines) else ""
    return head + ":\n" + "".join(part), cut
