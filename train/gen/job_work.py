"""Agents that work on files, write and run programs, and look after the machine."""
from .job_agent import DONE, LOST, assignment, earlier, ended, finish, goal_around, shown, tools
from .job_base import SYSTEM, call, cap, coined, failed, iso, js, listed, low, report, said, sample, system, tool, user, wrap
from .job_piece import path

G = "agents"

# Files.

KEYS = "port host name user version timeout owner colour size limit region token_count mode level price author title date status language".split()


def setting_file(j):
    """A small file with keys and values: lines, and one of the keys."""
    keys = j.some(KEYS, j.n(2, 7))
    form = j.pick(["%s: %s", "%s = %s", "%s=%s", '"%s": "%s",'])
    pairs = [(k, str(j.n(1, 9999)) if j.chance(0.5) else coined(j)) for k in keys]
    return [form % p for p in pairs], pairs


def read_text(j, p, lines):
    text = "\n".join(lines)
    return wrap(j, "fs_read", "%s (UTF-8, %d bytes, %d lines):\n%s" % (p, len(text) + 1, len(lines), text))


FILE_Q = ["Read {f} and say which {k} it has.", "Find out the {k} in {f}.", "Which {k} stands in {f}? Read it.", "Look into {f} and report the {k}.", "Say what the {k} in {f} is.", "Read the {k} out of {f}.", "Get the {k} from {f}."]


def read_work(j, kind=None):
    """A value out of a file; or the file is not there."""
    kind = kind or j.pick(["researcher", "coder", "coder", "sysadmin"])
    p = path(j, ("yaml", "ini", "toml", "conf", "json", "txt", "cfg"))
    lines, pairs = setting_file(j)
    k, v = j.pick(pairs)
    task = j.phrase(FILE_Q).format(f=p, k=k)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task), [p] if j.chance(0.7) else [])),
            call(j.phrase(["The task names {f}, so I read it.", "I read {f}.", "{f} should have it; I open it.", "First I read {f}."]).format(f=p), ("fs_read", {"path": p}), group=G)]
    x = j.random()
    if x < 0.6:
        msgs.append(tool("fs_read", read_text(j, p, lines)))
        msgs.append(finish(j, report("success", "The %s in %s is %s." % (k, p, v)), j.phrase(DONE)))
    elif x < 0.72:  # the key is not in it
        lines2 = [l for l in lines if k not in l] or ["# empty"]
        msgs.append(tool("fs_read", read_text(j, p, lines2)))
        msgs.append(finish(j, report("failed", "", quality="uncertain", reason="%s has no %s." % (p, k)), j.phrase(LOST)))
    elif x < 0.9:  # not there: look into the folder
        folder = p.rsplit("/", 1)[0] if "/" in p else "."
        msgs.append(tool("fs_read", failed(j, "fs_read", p + " does not exist. What helps: use fs_list to see which files there are")))
        msgs.append(call(j.phrase(["It is not there; I list the folder.", "I look which files are there.", "Perhaps it has another name, so I list the folder.", "The file is missing; the folder will show what there is."]), ("fs_list", {"path": folder}), group=G))
        right = j.chance(0.6)
        base, ext = p.rsplit("/", 1)[-1].rsplit(".", 1)
        near = j.pick([base + "." + j.pick(["bak", "old", "yml", "json5", "local"]), base.capitalize() + "." + ext, base + "-new." + ext, base + "1." + ext])
        names = [path(j, ("md", "py", "csv")).rsplit("/", 1)[-1] for _ in range(j.n(1, 4))] + ([near] if right else [])
        names = sorted(set(names))
        pre = "" if folder == "." else folder + "/"
        body = "%s has %d entries:\n" % (folder, len(names)) + "".join("%s%s (%d bytes, %s)\n" % (pre, n, j.n(10, 9000), iso(j)) for n in names)
        msgs.append(tool("fs_list", wrap(j, "fs_list", body)))
        if right:
            msgs.append(call("%s looks like the one that is meant." % (pre + near), ("fs_read", {"path": pre + near}), group=G))
            msgs.append(tool("fs_read", read_text(j, pre + near, lines)))
            msgs.append(finish(j, report("success", "%s does not exist; in %s the %s is %s." % (p, pre + near, k, v)), j.phrase(DONE)))
        else:
            msgs.append(finish(j, report("failed", "", quality="uncertain", reason="%s does not exist, and no file with a name like it is there." % p), j.phrase(LOST)))
    else:
        why = 'Denied by the layer paths (outside). "%s" (path) lies outside what this agent may read. What would allow it: a folder that holds it in agent_types.%s.allowed_paths.read, within those of the agents above.' % (p, kind)
        msgs.append(tool("fs_read", "[denied] " + why))
        msgs.append(finish(j, report("failed", "", quality="uncertain", reason="Reading %s was denied: it lies outside what this agent may read." % p), j.phrase(["It was denied, so I do not try it again.", "A denial is final; I report it.", "I may not read it and say so."])))
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_read", "fs_list")))


WRITE = ["Write the results about {x} to the file {f}.", "Write the result about {x} to the file {f}.", "Save the results about {x} in the file {f}.", "Put the results about {x} into the file {f}.", "Write a comparison of {x} to the file {f}.",
         "Store the result about {x} in the file {f}.", "Write a summary of {x} to {f}.", "Write what was found about {x} to {f}, five lines at most."]


def write_work(j):
    """Earlier results into a file."""
    before, subs = earlier(j)
    f = path(j, ("md", "txt", "csv"))
    task = j.phrase(WRITE).format(x=listed([s["the"] for s, _ in subs]), f=f)
    body = "\n".join(("- " if len(before) > 1 else "") + r["summary"] for r in before) + "\n"
    msgs = [system(SYSTEM["agent.coder"]), user(assignment(j, task, goal_around(j, task), [f] if j.chance(0.8) else [], before)),
            call(j.phrase(["The earlier results are there, so I write them to {f}.", "I write what was found to {f}.", "Only the writing is left: {f}.", "I put the summaries into {f}."]).format(f=f), ("fs_write", {"path": f, "content": body}), group=G)]
    x = j.random()
    full = shown(j, f)
    ok = lambda p: wrap(j, "fs_write", "Created %s: %d bytes, %d lines.\n" % (p, len(body.encode()), body.count("\n")))
    if x < 0.75:
        msgs.append(tool("fs_write", ok(full)))
        msgs.append(finish(j, report("success", "Wrote the results about %s to %s." % (listed([s["the"] for s, _ in subs]), full), [full]), j.phrase(DONE)))
    elif x < 0.9:  # refused: the sandbox is allowed
        p2 = "/tmp/agent-sandbox/" + f.rsplit("/", 1)[-1]
        msgs.append(tool("fs_write", '[denied] Denied by the layer paths (outside). "%s" (path) lies outside what this agent may write.' % f))
        if f == p2:
            return write_work(j)
        msgs.append(call("That path is refused, so I use the sandbox folder.", ("fs_write", {"path": p2, "content": body}), group=G))
        msgs.append(tool("fs_write", ok(p2)))
        msgs.append(finish(j, report("success", "Wrote the results about %s to %s, because %s was refused." % (listed([s["the"] for s, _ in subs]), p2, f), [p2]), j.phrase(DONE)))
    else:
        why = j.pick(["The person said no.", "fs_write is switched off."])
        msgs.append(tool("fs_write", "[denied] Denied by the layer approval (declined). " + why))
        msgs.append(finish(j, report("failed", "", quality="uncertain", reason="Writing %s was denied: %s" % (f, low(why))), j.phrase(LOST)))
    s = ended(j, sample("agent.coder", msgs, tools(j, "coder", "fs_write")))
    if j.chance(0.04) and x < 0.75:
        bad = report("success", "Wrote the results.", [f + ".bak"])
        msgs[-1:] = [said(js(bad)), user("A check of this found:\n- artifacts: %s: it is not there. Name only files that are there, with their full paths.\nPut it right and give the whole answer again." % (f + ".bak")), msgs[-1]]
    return s


FIND = ["Find {w} in the files of {d}.", "Find out which file in {d} mentions {w}.", "Search {d} for the word {w}.", "Look for {w} in the folder {d}.", "Find the file in {d} that contains {w}.", "Say where {w} stands in {d}.", "Check whether {w} is mentioned in {d}."]
LISTING = ["List the files in {d}.", "Say which files are in {d}.", "Find out what is in the folder {d}.", "Count the files in {d}.", "See what the folder {d} has.", "Look which files {d} contains."]


def folder_work(j):
    """A word looked for in a folder, or a folder listed."""
    kind = j.pick(["researcher", "coder", "coder", "sysadmin"])
    d, w = j.pick(["docs", "notes", "src", "data", coined(j), coined(j) + "/" + coined(j)]), coined(j)
    seeks = j.chance(0.6)
    task = j.phrase(FIND if seeks else LISTING).format(d=d, w=w)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task), [d] if j.chance(0.3) else []))]
    names = j.distinct(lambda: d + "/" + path(j).rsplit("/", 1)[-1], j.n(1, 5))
    x = j.random()
    if seeks:
        msgs.append(call(j.phrase(["I search the files of {d} for {w}.", "fs_search finds {w}.", "The word {w} is to be found in {d}.", "I look for {w} in {d}."]).format(d=d, w=w), ("fs_search", {"pattern": w, "path": d}), group=G))
        if x < 0.75:
            hits_ = [(n, j.n(1, 90), "%s %s %s" % (coined(j), w, coined(j))) for n in names[:3]]
            msgs.append(tool("fs_search", wrap(j, "fs_search", "%d matches in %s:\n" % (len(hits_), d) + "".join("%s:%d: %s\n" % h for h in hits_))))
            msgs.append(finish(j, report("success", "%s stands in %s." % (w, listed(["%s, line %d" % (n, l) for n, l, _ in hits_]))), j.phrase(DONE)))
        elif x < 0.9:
            msgs.append(tool("fs_search", wrap(j, "fs_search", "Nothing found in %d files of %s." % (j.n(1, 80), d))))
            msgs.append(finish(j, report("success", "%s stands in no file of %s." % (w, d)), j.phrase(["Nothing was found, and that is the answer.", "The search shows that it is not there.", "No file has it, so I report that."])))
        else:
            msgs.append(tool("fs_search", failed(j, "fs_search", d + " does not exist. What helps: use fs_list to see which files there are")))
            msgs.append(finish(j, report("failed", "", quality="uncertain", reason="%s does not exist." % d), j.phrase(LOST)))
        return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_search")))
    msgs.append(call(j.phrase(["I list {d}.", "fs_list shows {d}.", "The folder {d} is to be listed.", "I look into {d}."]).format(d=d), ("fs_list", {"path": d}), group=G))
    if x < 0.85:
        body = "%s has %d entries:\n" % (d, len(names)) + "".join("%s (%d bytes, %s)\n" % (n, j.n(10, 9000), iso(j)) for n in sorted(names))
        msgs.append(tool("fs_list", wrap(j, "fs_list", body)))
        msgs.append(finish(j, report("success", "%s has %d entries: %s." % (d, len(names), listed(sorted(names)))), j.phrase(DONE)))
    else:
        msgs.append(tool("fs_list", failed(j, "fs_list", d + " does not exist. What helps: use fs_list to see which files there are")))
        msgs.append(finish(j, report("failed", "", quality="uncertain", reason="%s does not exist." % d), j.phrase(LOST)))
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_list")))


BOTH = ["Compare the {k} in {f} and {g}.", "Read {f} and {g} and say which {k} each has.", "Find out the {k} in {f} and in {g}.", "Which {k} stands in {f}, and which in {g}?", "Check whether {f} and {g} have the same {k}.", "Report the {k} of both {f} and {g}."]


def both_work(j):
    """Two files read at once."""
    kind = j.pick(["researcher", "coder", "sysadmin"])
    f, g = path(j, ("yaml", "ini", "toml", "conf")), path(j, ("yaml", "ini", "toml", "conf"))
    k = j.pick(KEYS)
    if f == g:
        return both_work(j)
    task = j.phrase(BOTH).format(k=k, f=f, g=g)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task), [f, g] if j.chance(0.6) else [])),
            call(j.phrase(["Two files are named, so I read both.", "I read {f} and {g}.", "Both files are needed.", "I read the two files at once."]).format(f=f, g=g), ("fs_read", {"path": f}), ("fs_read", {"path": g}), group=G)]
    said_, lost = [], []
    v = coined(j)
    for p in (f, g):
        lines, pairs = setting_file(j)
        if j.chance(0.1):
            msgs.append(tool("fs_read", failed(j, "fs_read", p + " does not exist. What helps: use fs_list to see which files there are")))
            lost.append("%s does not exist." % p)
            continue
        value = v if j.chance(0.5) else str(j.n(1, 9999))
        lines = ["%s: %s" % (k, value) if l.startswith(k) or i == 0 and not any(x.startswith(k) for x in lines) else l for i, l in enumerate(lines) if not l.startswith('"' + k)]
        msgs.append(tool("fs_read", read_text(j, p, lines)))
        said_.append("The %s in %s is %s." % (k, p, value))
    if not said_:
        r = report("failed", "", quality="uncertain", reason=" ".join(lost))
    else:
        r = report("partial" if lost else "success", " ".join(said_), reason=" ".join(lost) if lost else None)
    msgs.append(finish(j, r, j.phrase(DONE if said_ else LOST)))
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_read")))


INSTALL = [("pip", ["Install the Python package {p}.", "Install {p} with pip.", "Get the pip package {p}.", "Add the Python package {p}."]), ("npm", ["Install {p} with npm.", "Install the npm package {p}.", "Add the npm package {p}.", "Get {p} from npm."]),
           ("apt", ["Install {p} with apt.", "Install the Debian package {p}.", "apt install {p}.", "Get the package {p} with apt."]), ("go", ["Install the Go module {p}.", "Install {p} with go.", "Get the Go module {p}.", "Add the Go module {p}."])]
NO_INSTALL = ["The sandbox has no network and this hall has no packages folder, so nothing can be installed. The person can set one in the configuration and fill it.", "npm is not in the sandbox, so npm packages cannot be installed."]


def install_work(j):
    m, asks = j.pick(INSTALL)
    p = coined(j) + ("==%d.%d" % (j.n(0, 9), j.n(0, 20)) if m == "pip" and j.chance(0.3) else "")
    task = j.phrase(asks).format(p=p)
    msgs = [system(SYSTEM["agent.sysadmin"]), user(assignment(j, task, goal_around(j, task))), call(j.phrase(["package_install does that with %s." % m, "I install %s." % p, "It is a package of %s." % m]), ("package_install", {"manager": m, "package": p}), group=G)]
    x = j.random()
    if x < 0.5:
        msgs.append(tool("package_install", ran(j, "Successfully installed " + p, name="package_install")))
        msgs.append(finish(j, report("success", "Installed %s with %s." % (p, m)), j.phrase(DONE)))
    elif x < 0.8:
        why = NO_INSTALL[0]
        msgs.append(tool("package_install", failed(j, "package_install", why)))
        msgs.append(finish(j, report("failed", "", quality="uncertain", reason="%s could not be installed: %s" % (p, low(why.split(". ")[0]) + ".")), j.phrase(LOST)))
    else:
        msgs.append(tool("package_install", "[denied] Denied by the layer approval (high_risk). The person said no."))
        msgs.append(finish(j, report("failed", "", quality="uncertain", reason="Installing %s was refused: the person said no." % p), j.phrase(LOST)))
    return ended(j, sample("agent.sysadmin", msgs, tools(j, "sysadmin", "package_install")))


# Programs: what is wished, the code, the output, in words.

def programs(j):
    k = j.n(0, 11)
    a = [j.n(1, 99) for _ in range(j.n(3, 7))]
    w = [coined(j) for _ in range(j.n(3, 6))]
    n = j.n(3, 12)
    word = coined(j)
    if k == 0:
        return "adds up the numbers " + listed([str(x) for x in a]), "print(sum(%s))" % a, str(sum(a)), "the sum is %d" % sum(a)
    if k == 1:
        return "sorts the words " + listed(w), "print(\" \".join(sorted(%s)))" % js(w), " ".join(sorted(w)), "the sorted words are " + " ".join(sorted(w))
    if k == 2:
        return "reverses the word " + word, 'print("%s"[::-1])' % word, word[::-1], "the reversed word is " + word[::-1]
    if k == 3:
        f = [0, 1]
        while len(f) < n:
            f.append(f[-1] + f[-2])
        t = " ".join(map(str, f[:n]))
        return "prints the first %d Fibonacci numbers" % n, "a, b = 0, 1\nfor _ in range(%d):\n    print(a, end=\" \")\n    a, b = b, a + b" % n, t, "the numbers are " + t
    if k == 4:
        return "finds the largest of " + listed([str(x) for x in a]), "print(max(%s))" % a, str(max(a)), "the largest is %d" % max(a)
    if k == 5:
        v = sum(a) / len(a)
        t = repr(round(v, 2))
        return "computes the average of " + listed([str(x) for x in a]), "v = %s\nprint(round(sum(v) / len(v), 2))" % a, t, "the average is " + t
    if k == 6:
        p = [x for x in range(2, 80) if all(x % d for d in range(2, x))][:n]
        t = " ".join(map(str, p))
        return "prints the first %d primes" % n, "p = []\nx = 2\nwhile len(p) < %d:\n    if all(x %% d for d in p):\n        p.append(x)\n    x += 1\nprint(*p)" % n, t, "the primes are " + t
    if k == 7:
        return "counts the letters of the word " + word, 'print(len("%s"))' % word, str(len(word)), "%s has %d letters" % (word, len(word))
    if k == 8:
        return "prints the word %s %d times" % (word, n), 'print(" ".join(["%s"] * %d))' % (word, n), " ".join([word] * n), "the word was printed %d times" % n
    if k == 9:
        x = j.n(2, 40)
        return "prints the powers of %d up to the fifth" % x, "for i in range(1, 6):\n    print(%d ** i)" % x, "\n".join(str(x ** i) for i in range(1, 6)), "the fifth power is %d" % x ** 5
    if k == 10:
        return "turns the word %s into capitals" % word, 'print("%s".upper())' % word, word.upper(), "the word in capitals is " + word.upper()
    c = j.n(-10, 40)
    t = repr(round(c * 9 / 5 + 32, 1))
    return "converts %d degrees Celsius to Fahrenheit" % c, "print(round(%d * 9 / 5 + 32, 1))" % c, t, "it is %s degrees Fahrenheit" % t


def ran(j, out, code=0, err="", name="run_code"):
    t = "Exit status %d after %d%s.\n" % (code, j.n(11, 900), "ms")
    t += "--- stdout\n%s\n" % out if out else ""
    t += "--- stderr\n%s\n" % err if err else ""
    t += "" if out or err else "There was no output.\n"
    return wrap(j, name, t) if code == 0 else failed(j, name, t)


def code_work(j):
    """A program written, run and reported."""
    wish, code, out, words = programs(j)
    f = (j.pick(["sum", "tool", "main", "calc", "words", "run", "task"]) if j.chance(0.5) else coined(j)) + ".py"
    save = j.chance(0.6)
    task = j.phrase(["Write a Python program {f} that {w}. Run it.", "Write {f}, a Python script that {w}, and run it.", "Create {f} in Python; it {w}. Run it and give the output.", "Make a Python program {f} which {w}, then run it."]
                    if save else ["Run a Python program that {w}.", "Use Python: {w}.", "Write and run a small Python program that {w}.", "With a program: {w}."]).format(f=f, w=wish)
    if not save:
        task = task.replace("Use Python: ", "With Python, find out what comes out when a program ").replace("With a program: ", "Run a program that ")
    msgs = [system(SYSTEM["agent.coder"]), user(assignment(j, task, goal_around(j, task), [f] if save and j.chance(0.7) else []))]
    full, files = shown(j, f), []
    if save:
        msgs.append(call(j.phrase(["I write the whole program to {f}.", "First the file {f}.", "The smallest program for this goes into {f}.", "I write {f}, then I run it."]).format(f=f), ("fs_write", {"path": f, "content": code + "\n"}), group=G))
        msgs.append(tool("fs_write", wrap(j, "fs_write", "Created %s: %d bytes, %d lines.\n" % (full, len(code) + 1, code.count("\n") + 1))))
        files = [full]
    x = j.random()
    if x < 0.1:  # a slip that the run shows
        bad = code.replace("print(", "prnt(")
        c = call("Now I run it.", ("run_code", {"language": "python", "code": bad}), group=G, train=False)
        msgs += [c, tool("run_code", ran(j, "", 1, "Traceback (most recent call last):\n  File \"<stdin>\", line %d, in <module>\nNameError: name 'prnt' is not defined" % (bad[:bad.index("prnt")].count("\n") + 1)))]
    msgs.append(call(j.phrase(["Now I run it.", "I run it to see the output.", "The run shows whether it works.", "I run the program in the sandbox."]), ("run_code", {"language": "python", "code": code}), group=G))
    if x < 0.85:
        msgs.append(tool("run_code", ran(j, out)))
        msgs.append(finish(j, report("success", (("Wrote %s and ran it: " % full) if save else "The program ran: ") + words + ".", files), j.phrase(DONE)))
    else:
        why = j.pick(["The person said no.", "run_code runs code or changes the system. Nobody is there to be asked."])
        msgs.append(tool("run_code", "[denied] Denied by the layer approval (high_risk). " + why))
        r = report("partial", "Wrote %s; it was not run." % full, files, "inferred", reason="Running it was denied: " + low(why)) if save else report(
            "failed", "", quality="uncertain", reason="Running the program was denied: " + low(why))
        msgs.append(finish(j, r, j.phrase(["It may not be run, so I say what is done and what is not.", "The run was denied; I do not claim it.", "Denied, so the report is honest about it."])))
    return ended(j, sample("agent.coder", msgs, tools(j, "coder", "fs_write", "run_code")))


EDIT = [("Add the line {w} to {f}.", "append"), ("Append {w} to the file {f}.", "append"), ("Write {w} to {f}.", "write"), ("Create {f} with the text {w}.", "write"), ("Replace {o} by {w} in {f}.", "replace"), ("Change {o} to {w} in {f}.", "replace"),
        ("Save the text {w} in {f}.", "write"), ("Put the line {w} at the end of {f}.", "append"), ("In {f}, write {w} instead of {o}.", "replace"), ("Make a file {f} that says {w}.", "write")]


def edit_work(j):
    kind = j.pick(["coder", "coder", "sysadmin"])
    f = path(j)
    w, o = " ".join(coined(j) for _ in range(j.n(1, 4))), coined(j)
    t, mode = j.phrase(EDIT)
    task = t.format(f=f, w=w, o=o)
    full = shown(j, f)
    args = {"path": f, "content": w + "\n"}
    summary = "Wrote %s to %s." % (w, full)
    res = "Created %s: %d bytes, 1 lines.\n" % (full, len(w) + 1)
    if mode == "append":
        args["mode"] = "append"
        summary, res = "Added %s to %s." % (w, full), "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -9 +9 @@\n+%s\n" % (full, 90, 91 + len(w), j.n(2, 20), w)
    elif mode == "replace":
        args = {"path": f, "mode": "replace-text", "new_text": w, "old_text": o}
        summary, res = "Replaced %s by %s in %s." % (o, w, full), "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -3 +3 @@\n-%s\n+%s\n" % (full, 90, 95, j.n(2, 20), o, w)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task), [f] if j.chance(0.7) else [])),
            call(j.phrase(["I make this change in {f}.", "The task is a small change of {f}.", "I write to {f}.", "{f} is to be changed, so I do that."]).format(f=f), ("fs_write", args), group=G)]
    x = j.random()
    if x < 0.8:
        msgs.append(tool("fs_write", wrap(j, "fs_write", res)))
        msgs.append(finish(j, report("success", summary, [full]), j.phrase(DONE)))
    elif mode == "replace":
        msgs.append(tool("fs_write", failed(j, "fs_write", "old_text does not stand in the file")))
        msgs.append(finish(j, report("failed", "", quality="uncertain", reason="%s does not stand in %s, so nothing was replaced." % (o, f)), j.phrase(LOST)))
    else:
        msgs.append(tool("fs_write", failed(j, "fs_write", "the folder of %s does not exist. What helps: set create_folders" % f)))
        args2 = {"path": f, "content": args["content"], "create_folders": True}
        if "mode" in args:
            args2["mode"] = args["mode"]
        msgs.append(call("The folder is missing, so I let it be made.", ("fs_write", args2), group=G))
        msgs.append(tool("fs_write", wrap(j, "fs_write", "Created %s: %d bytes, 1 lines.\nMade the folder %s.\n" % (full, len(w) + 1, full.rsplit("/", 1)[0]))))
        msgs.append(finish(j, report("success", summary, [full]), j.phrase(DONE)))
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_write")))


# The machine: task, command, output, summary. {s} is a service.
ADMIN = [
    (["Find out how full the disk is.", "Check the disk space.", "See how much room is left on the disk.", "Check how full the disk is."], "df -h", "Filesystem      Size  Used Avail Use% Mounted on\n/dev/sda1       {A}G  {B}G  {C}G  {D}% /", "The disk is {D} % full: {B}G of {A}G are used, {C}G are free."),
    (["Check how much memory is free.", "See how much memory is used.", "Find out how much RAM is free.", "Look at the memory of the machine."], "free -h", "               total        used        free\nMem:            {A}Gi        {B}Gi        {C}Gi", "Of {A}Gi memory {B}Gi are used and {C}Gi are free."),
    (["Check the status of the {s} service.", "See whether {s} is running.", "Is the {s} service running? Check it.", "Look at the state of {s}."], "systemctl status {s}", "{s}.service - {s}\n   Active: {st} since Mon 08:{E}:10", "The {s} service is {st} since Mon 08:{E}:10."),
    (["See how long the machine has been up.", "Find out the uptime.", "Check how long the machine runs already.", "Report the uptime."], "uptime", " 10:{E}:01 up {D} days, 3 users, load average: 0.{E}, 0.20, 0.15", "The machine has been up for {D} days."),
    (["Check the logs of {s}.", "Look into the {s} log for errors.", "Find errors in the log of {s}.", "See what {s} logged last."], "journalctl -u {s} -n 50", "Nov 15 09:{E}:02 host {s}[{P}]: {err}", "The log of {s} says: {err}"),
    (["Check whether port {P} is open.", "Find out which process listens on port {P}.", "See who uses port {P}.", "Look who listens on port {P}."], "ss -ltnp sport = :{P}", "LISTEN 0 128 0.0.0.0:{P} users:((\"{s}\",pid={E}7,fd=6))", "Port {P} is open; {s} listens on it."),
    (["Check which version of {s} is installed.", "Find out the version of {s}.", "Report which {s} version is there.", "See the version of {s}."], "{s} --version", "{s} {V}", "{s} {V} is installed."),
    (["List the processes that use most of the CPU.", "See which processes use the CPU most.", "Find the busiest process.", "Check what uses the CPU."], "ps aux --sort=-%cpu | head -n 5", "USER  PID %CPU COMMAND\nroot  {P} {D}.0 {s}", "The busiest process is {s} (pid {P}) with {D}.0 % of the CPU."),
    (["See which services failed.", "List failed services.", "Check whether services failed.", "Find services that failed."], "systemctl --failed", "  UNIT LOAD ACTIVE SUB\n* {s}.service loaded failed failed", "One service failed: {s}.service."),
    (["Find the largest folders below /var/{s}.", "See what takes the room in /var/{s}.", "Find out which folder in /var/{s} is the largest.", "Check the folders below /var/{s}."], "du -sh /var/{s}/* | sort -h | tail -n 5", "{B}M\t/var/{s}/cache\n{A}G\t/var/{s}/archive", "The largest is /var/{s}/archive with {A}G."),
    (["Count the files in /var/log/{s}.", "How many files are in /var/log/{s}? Count them.", "Count what is in /var/log/{s}.", "Find out how many files /var/log/{s} has."], "ls /var/log/{s} | wc -l", "{A}", "/var/log/{s} has {A} files."),
    (["Read the last lines of /var/log/{s}.log.", "Look at the end of /var/log/{s}.log.", "See the newest lines of /var/log/{s}.log.", "Check the end of /var/log/{s}.log."], "tail -n 20 /var/log/{s}.log", "{err}", "The end of /var/log/{s}.log says: {err}"),
]
CHANGE = [(["Restart the {s} service.", "Restart {s}.", "{S} hangs; restart it.", "Start {s} anew."], "systemctl restart {s}", "Restarted the {s} service."), (["Stop the {s} service.", "Stop {s}.", "End the {s} service.", "Take {s} down."], "systemctl stop {s}", "Stopped the {s} service."),
          (["Enable the {s} service at boot.", "Let {s} start at boot.", "Enable {s}.", "Make {s} start with the machine."], "systemctl enable {s}", "Enabled the {s} service at boot."),
          (["Delete archives in /var/log/{s} that are older than 30 days.", "Clean up old archives in /var/log/{s}.", "Remove old archives from /var/log/{s}.", "Tidy /var/log/{s}."], "find /var/log/{s} -mtime +30 -delete", "Deleted the archives in /var/log/{s} that were older than 30 days.")]
ERRS = ["cannot open /etc/{s}.conf: no such file", "port {P} is in use", "out of memory", "permission denied for /var/lib/{s}", "started without errors", "connection refused by 127.0.0.1:{P}", "certificate expired", "too many open files",
        "disk quota exceeded", "unknown option in line {D}", "worker {D} exited", "backup finished in {D} seconds"]
SERVICES = "nginx postgres redis sshd cron docker apache mysql caddy grafana cups avahi dovecot postfix".split()


def admin_work(j):
    s = j.entity(SERVICES) if j.chance(0.7) else coined(j)
    a = j.n(20, 900)
    b = j.n(1, a - 1)
    f = dict(s=s, S=cap(s), A=a, B=b, C=a - b, D=j.n(2, 99), E=j.n(10, 59), P=j.n(1024, 9999), V="%d.%d.%d" % (j.n(0, 20), j.n(0, 30), j.n(0, 9)), st=j.pick(["active (running)", "inactive (dead)", "failed"]))
    f["err"] = j.phrase(ERRS).format(**f)
    if j.chance(0.68):
        tasks, cmd, out, words = j.pick(ADMIN)
        task = j.phrase(tasks).format(**f)
        cmd = cmd.format(**f)
        msgs = [system(SYSTEM["agent.sysadmin"]), user(assignment(j, task, goal_around(j, task)))]
        msgs.append(call(j.phrase(["I look with one command that changes nothing.", "This command shows it.", "I look before I act.", "A single command tells it: %s." % cmd.split()[0], "First I look."]), ("run_shell", {"command": cmd}), group=G))
        x = j.random()
        if x < 0.78:
            msgs.append(tool("run_shell", ran(j, out.format(**f), name="run_shell")))
            msgs.append(finish(j, report("success", words.format(**f)), j.phrase(DONE)))
        elif x < 0.9:
            err = j.pick(["sh: %s: command not found" % cmd.split()[0], "%s: permission denied" % cmd.split()[0], "System has not been booted with systemd as init system"])
            msgs.append(tool("run_shell", ran(j, "", j.pick([1, 2, 127]), err, "run_shell")))
            msgs.append(finish(j, report("failed", "", quality="uncertain", reason="%s failed: %s" % (cmd, err)), j.phrase(LOST)))
        else:
            msgs.append(tool("run_shell", "[denied] Denied by the layer approval (high_risk). The person said no."))
            msgs.append(finish(j, report("failed", "The command would be: %s." % cmd, quality="uncertain", reason="%s was refused: the person said no." % cmd), j.phrase(["It was refused; I say what I would have done.", "A refusal is final, so I only name the command."])))
        return ended(j, sample("agent.sysadmin", msgs, tools(j, "sysadmin", "run_shell")))
    tasks, cmd, words = j.pick(CHANGE)
    task, cmd = j.phrase(tasks).format(**f), cmd.format(**f)
    msgs = [system(SYSTEM["agent.sysadmin"]), user(assignment(j, task, goal_around(j, task))), call(j.phrase(["It takes one command: %s." % cmd.split()[0], "I change as little as possible, with one command.", "This command does it.", "One command is enough."]), ("run_shell", {"command": cmd}), group=G)]
    if j.chance(0.6):
        msgs.append(tool("run_shell", ran(j, "", name="run_shell")))
        if "systemctl" in cmd and "enable" not in cmd:
            msgs.append(call("I look again whether it had the effect.", ("run_shell", {"command": "systemctl status " + s}), group=G))
            st = "inactive (dead)" if "stop" in cmd else j.pick(["active (running)", "active (running)", "failed"])
            msgs.append(tool("run_shell", ran(j, "%s.service - %s\n   Active: %s since Mon 08:%d:10" % (s, s, st, f["E"]), name="run_shell")))
            if st == "failed":
                msgs.append(finish(j, report("partial", "%s Its state is now %s." % (words.format(**f), st), reason="%s did not start." % cap(s)), j.phrase(LOST)))
            else:
                msgs.append(finish(j, report("success", "%s Its state is now %s." % (words.format(**f), st)), j.phrase(DONE)))
        else:
            msgs.append(finish(j, report("success", words.format(**f)), j.phrase(DONE)))
    else:
        why = j.pick(["The person said no.", "run_shell runs code or changes the system. Nobody is there to be asked."])
        msgs.append(tool("run_shell", "[denied] Denied by the layer approval (high_risk). " + why))
        msgs.append(finish(j, report("failed", "The command would be: %s." % cmd, quality="uncertain", reason="%s was refused: %s" % (cmd, low(why))), j.phrase(["It was refused; I say what I would have done.", "I do not try it in another form.", "Refused, so I report it."])))
    return ended(j, sample("agent.sysadmin", msgs, tools(j, "sysadmin", "run_shell")))


KINDS = [(read_work, 10), (folder_work, 6), (both_work, 4), (install_work, 2), (write_work, 9), (code_work, 8), (edit_work, 6), (admin_work, 10)]
