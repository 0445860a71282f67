"""Agents that read, find and write files, or install what they need."""
from .job_agent import DONE, LOST, assignment, earlier, ended, finish, goal_around, shown, tools
from .job_base import SYSTEM, call, failed, js, listed, report, said, sample, system, tool, user, wrap
from .job_chance import coined, iso
from .job_code import ran
from .job_more import MORE
from .job_piece import path
from .wording import low

G = "agents"

# Files.

KEYS = """port host name user version timeout owner colour size limit region token_count mode level price author title date status language retries
interval theme format currency country editor locale workers threads cache proxy backend channel license encoding room team contact prefix suffix quota priority
shell model driver zone depth width height speed volume brand batch gate shelf floor""".split()


def setting_file(j):
    """A small file with keys and values: lines, and one of the keys."""
    keys = [k if j.chance(0.7) else coined(j) for k in j.some(KEYS, j.n(2, 7))]
    form = j.pick(["%s: %s", "%s = %s", "%s=%s", '"%s": "%s",'])
    pairs = [(k, str(j.n(1, 9999)) if j.chance(0.5) else coined(j)) for k in keys]
    return [form % p for p in pairs], pairs


def read_text(j, p, lines):
    text = "\n".join(lines)
    return wrap(j, "fs_read", "%s (UTF-8, %d bytes, %d lines):\n%s" % (p, len(text) + 1, len(lines), text))


def list_text(j, folder, names):
    """What fs_list says of a folder."""
    return "%s has %d entries:\n" % (folder, len(names)) + "".join("%s (%d bytes, %s)\n" % (n, j.n(10, 9000), iso(j)) for n in names)


FILE_Q = ["Read {f} and say which {k} it has.", "Find out the {k} in {f}.", "Which {k} stands in {f}? Read it.", "Look into {f} and report the {k}.", "Say what the {k} in {f} is.", "Read the {k} out of {f}.", "Get the {k} from {f}."]


def read_work(j, kind=None):
    """A value out of a file; or the file is not there."""
    kind = kind or j.pick(["researcher", "coder", "coder", "sysadmin"])
    p = path(j, ("yaml", "ini", "toml", "conf", "json", "txt", "cfg"))
    lines, pairs = setting_file(j)
    k, v = j.pick(pairs)
    task = j.phrase(FILE_Q, MORE["FILE_Q"]).format(f=p, k=k)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task), [p] if j.chance(0.7) else [])),
            call(j.phrase(["The task names {f}, so I read it.", "I read {f}.", "{f} should have it; I open it.",
                           "First I read {f}."]).format(f=p), ("fs_read", {"path": p}), group=G)]
    x = j.random()
    if x < 0.6:
        msgs.append(tool("fs_read", read_text(j, p, lines)))
        msgs.append(finish(report("success", "The %s in %s is %s." % (k, p, v)), j.phrase(DONE)))
    elif x < 0.72:  # the key is not in it
        lines2 = [l for l in lines if k not in l] or ["# empty"]
        msgs.append(tool("fs_read", read_text(j, p, lines2)))
        msgs.append(finish(report("failed", "", quality="uncertain", reason="%s has no %s." % (p, k)), j.phrase(LOST)))
    elif x < 0.9:  # not there: look into the folder
        folder = p.rsplit("/", 1)[0] if "/" in p else "."
        msgs.append(tool("fs_read", failed(j, "fs_read", p + " does not exist. What helps: use fs_list to see which files there are")))
        msgs.append(call(j.phrase(["It is not there; I list the folder.", "I look which files are there.",
                                   "Perhaps it has another name, so I list the folder.",
                                   "The file is missing; the folder will show what there is."]), ("fs_list", {"path": folder}), group=G))
        right = j.chance(0.6)
        base, ext = p.rsplit("/", 1)[-1].rsplit(".", 1)
        near = j.pick([base + "." + j.pick(["bak", "old", "yml", "json5", "local"]), base.capitalize() + "." + ext, base + "-new." + ext,
                       base + "1." + ext])
        names = [path(j, ("md", "py", "csv")).rsplit("/", 1)[-1] for _ in range(j.n(1, 4))] + ([near] if right else [])
        names = sorted(set(names))
        pre = "" if folder == "." else folder + "/"
        body = list_text(j, folder, [pre + n for n in names])
        msgs.append(tool("fs_list", wrap(j, "fs_list", body)))
        if right:
            msgs.append(call("%s looks like the one that is meant." % (pre + near), ("fs_read", {"path": pre + near}), group=G))
            msgs.append(tool("fs_read", read_text(j, pre + near, lines)))
            msgs.append(finish(report("success", "%s does not exist; in %s the %s is %s." % (p, pre + near, k, v)), j.phrase(DONE)))
        else:
            msgs.append(finish(report("failed", "", quality="uncertain",
                                      reason="%s does not exist, and no file with a name like it is there." % p), j.phrase(LOST)))
    else:
        why = 'Denied by the layer paths (outside). "%s" (path) lies outside what this agent may read. What would allow it: a folder that holds it in agent_types.%s.allowed_paths.read, within those of the agents above.' % (p, kind)
        msgs.append(tool("fs_read", "[denied] " + why))
        msgs.append(finish(report("failed", "", quality="uncertain",
                                  reason="Reading %s was denied: it lies outside what this agent may read." % p),
                           j.phrase(["It was denied, so I do not try it again.", "A denial is final; I report it.",
                                     "I may not read it and say so."])))
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_read", "fs_list")))


WRITE = ["Write the results about {x} to the file {f}.", "Write the result about {x} to the file {f}.", "Save the results about {x} in the file {f}.", "Put the results about {x} into the file {f}.", "Write a comparison of {x} to the file {f}.",
         "Store the result about {x} in the file {f}.", "Write a summary of {x} to {f}.", "Write what was found about {x} to {f}, five lines at most."]


def write_work(j):
    """Earlier results into a file."""
    before, subs = earlier(j)
    f = path(j, ("md", "txt", "csv"))
    task = j.phrase(WRITE, MORE["WRITE_RESULTS"]).format(x=listed([s["the"] for s, _ in subs]), f=f)
    body = "\n".join(("- " if len(before) > 1 else "") + r["summary"] for r in before) + "\n"
    msgs = [system(SYSTEM["agent.coder"]), user(assignment(j, task, goal_around(j, task), [f] if j.chance(0.8) else [], before)),
            call(j.phrase(["The earlier results are there, so I write them to {f}.", "I write what was found to {f}.",
                           "Only the writing is left: {f}.", "I put the summaries into {f}."]).format(f=f),
                 ("fs_write", {"path": f, "content": body}), group=G)]
    x = j.random()
    full = shown(j, f)
    ok = lambda p: wrap(j, "fs_write", "Created %s: %d bytes, %d lines.\n" % (p, len(body.encode()), body.count("\n")))
    if x < 0.75:
        msgs.append(tool("fs_write", ok(full)))
        msgs.append(finish(report("success", "Wrote the results about %s to %s." % (listed([s["the"] for s, _ in subs]), full), [full]),
                           j.phrase(DONE)))
    elif x < 0.9:  # refused: the sandbox is allowed
        p2 = "/tmp/agent-sandbox/" + f.rsplit("/", 1)[-1]
        msgs.append(tool("fs_write", '[denied] Denied by the layer paths (outside). "%s" (path) lies outside what this agent may write.'
                         % f))
        if f == p2:
            return write_work(j)
        msgs.append(call("That path is refused, so I use the sandbox folder.", ("fs_write", {"path": p2, "content": body}), group=G))
        msgs.append(tool("fs_write", ok(p2)))
        msgs.append(finish(report("success", "Wrote the results about %s to %s, because %s was refused."
                                  % (listed([s["the"] for s, _ in subs]), p2, f), [p2]), j.phrase(DONE)))
    else:
        why = j.pick(["The person said no.", "fs_write is switched off."])
        msgs.append(tool("fs_write", "[denied] Denied by the layer approval (declined). " + why))
        msgs.append(finish(report("failed", "", quality="uncertain", reason="Writing %s was denied: %s" % (f, low(why))),
                           j.phrase(LOST)))
    s = ended(j, sample("agent.coder", msgs, tools(j, "coder", "fs_write")))
    if j.chance(0.04) and x < 0.75:
        bad = report("success", "Wrote the results.", [f + ".bak"])
        msgs[-1:] = [said(js(bad)),
                     user("A check of this found:\n- artifacts: %s: it is not there. Name only files that are there, with their full paths.\nPut it right and give the whole answer again." % (f + ".bak")), msgs[-1]]
    return s


FIND = ["Find {w} in the files of {d}.", "Find out which file in {d} mentions {w}.", "Search {d} for the word {w}.", "Look for {w} in the folder {d}.", "Find the file in {d} that contains {w}.", "Say where {w} stands in {d}.", "Check whether {w} is mentioned in {d}."]
LISTING = ["List the files in {d}.", "Say which files are in {d}.", "Find out what is in the folder {d}.", "Count the files in {d}.", "See what the folder {d} has.", "Look which files {d} contains."]


def folder_work(j):
    """A word looked for in a folder, or a folder listed."""
    kind = j.pick(["researcher", "coder", "coder", "sysadmin"])
    d, w = j.pick(["docs", "notes", "src", "data", coined(j), coined(j) + "/" + coined(j)]), coined(j)
    seeks = j.chance(0.6)
    task = j.phrase(*((FIND, MORE["FIND"]) if seeks else (LISTING, MORE["LISTING"]))).format(d=d, w=w)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task), [d] if j.chance(0.3) else []))]
    names = j.distinct(lambda: d + "/" + path(j).rsplit("/", 1)[-1], j.n(1, 5))
    x = j.random()
    if seeks:
        msgs.append(call(j.phrase(["I search the files of {d} for {w}.", "fs_search finds {w}.", "The word {w} is to be found in {d}.",
                                   "I look for {w} in {d}."]).format(d=d, w=w), ("fs_search", {"pattern": w, "path": d}), group=G))
        if x < 0.75:
            hits_ = [(n, j.n(1, 90), "%s %s %s" % (coined(j), w, coined(j))) for n in names[:3]]
            msgs.append(tool("fs_search", wrap(j, "fs_search",
                                               "%d matches in %s:\n" % (len(hits_), d) + "".join("%s:%d: %s\n" % h for h in hits_))))
            msgs.append(finish(report("success", "%s stands in %s." % (w, listed(["%s, line %d" % (n, l) for n, l, _ in hits_]))),
                               j.phrase(DONE)))
        elif x < 0.9:
            msgs.append(tool("fs_search", wrap(j, "fs_search", "Nothing found in %d files of %s." % (j.n(1, 80), d))))
            msgs.append(finish(report("success", "%s stands in no file of %s." % (w, d)),
                               j.phrase(["Nothing was found, and that is the answer.", "The search shows that it is not there.",
                                         "No file has it, so I report that."])))
        else:
            msgs.append(tool("fs_search", failed(j, "fs_search",
                                                 d + " does not exist. What helps: use fs_list to see which files there are")))
            msgs.append(finish(report("failed", "", quality="uncertain", reason="%s does not exist." % d), j.phrase(LOST)))
        return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_search")))
    msgs.append(call(j.phrase(["I list {d}.", "fs_list shows {d}.", "The folder {d} is to be listed.", "I look into {d}."]).format(d=d),
                     ("fs_list", {"path": d}), group=G))
    if x < 0.85:
        body = list_text(j, d, sorted(names))
        msgs.append(tool("fs_list", wrap(j, "fs_list", body)))
        msgs.append(finish(report("success", "%s has %d entries: %s." % (d, len(names), listed(sorted(names)))), j.phrase(DONE)))
    else:
        msgs.append(tool("fs_list", failed(j, "fs_list", d + " does not exist. What helps: use fs_list to see which files there are")))
        msgs.append(finish(report("failed", "", quality="uncertain", reason="%s does not exist." % d), j.phrase(LOST)))
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_list")))


BOTH = ["Compare the {k} in {f} and {g}.", "Read {f} and {g} and say which {k} each has.", "Find out the {k} in {f} and in {g}.", "Which {k} stands in {f}, and which in {g}?", "Check whether {f} and {g} have the same {k}.", "Report the {k} of both {f} and {g}."]


def both_work(j):
    """Two files read at once."""
    kind = j.pick(["researcher", "coder", "sysadmin"])
    f, g = path(j, ("yaml", "ini", "toml", "conf")), path(j, ("yaml", "ini", "toml", "conf"))
    k = j.pick(KEYS)
    if f == g:
        return both_work(j)
    task = j.phrase(BOTH, MORE["BOTH"]).format(k=k, f=f, g=g)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task), [f, g] if j.chance(0.6) else [])),
            call(j.phrase(["Two files are named, so I read both.", "I read {f} and {g}.", "Both files are needed.",
                           "I read the two files at once."]).format(f=f, g=g), ("fs_read", {"path": f}), ("fs_read", {"path": g}), group=G)]
    said_, lost = [], []
    v = coined(j)
    for p in (f, g):
        lines, pairs = setting_file(j)
        if j.chance(0.1):
            msgs.append(tool("fs_read", failed(j, "fs_read", p + " does not exist. What helps: use fs_list to see which files there are")))
            lost.append("%s does not exist." % p)
            continue
        value = v if j.chance(0.5) else str(j.n(1, 9999))
        lines = ["%s: %s" % (k, value) if l.startswith(k) or i == 0 and not any(x.startswith(k) for x in lines) else l for i,
                 l in enumerate(lines) if not l.startswith('"' + k)]
        msgs.append(tool("fs_read", read_text(j, p, lines)))
        said_.append("The %s in %s is %s." % (k, p, value))
    if not said_:
        r = report("failed", "", quality="uncertain", reason=" ".join(lost))
    else:
        r = report("partial" if lost else "success", " ".join(said_), reason=" ".join(lost) if lost else None)
    msgs.append(finish(r, j.phrase(DONE if said_ else LOST)))
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "fs_read")))


INSTALL = [("pip", ["Install the Python package {p}.", "Install {p} with pip.", "Get the pip package {p}.", "Add the Python package {p}."]), ("npm", ["Install {p} with npm.", "Install the npm package {p}.", "Add the npm package {p}.", "Get {p} from npm."]),
           ("apt", ["Install {p} with apt.", "Install the Debian package {p}.", "apt install {p}.", "Get the package {p} with apt."]), ("go", ["Install the Go module {p}.", "Install {p} with go.", "Get the Go module {p}.", "Add the Go module {p}."])]
NO_INSTALL = ["The sandbox has no network and this hall has no packages folder, so nothing can be installed. The person can set one in the configuration and fill it.", "npm is not in the sandbox, so npm packages cannot be installed."]


def install_work(j):
    m, asks = j.pick(INSTALL)
    p = coined(j) + ("==%d.%d" % (j.n(0, 9), j.n(0, 20)) if m == "pip" and j.chance(0.3) else "")
    task = j.phrase(asks).format(p=p)
    msgs = [system(SYSTEM["agent.sysadmin"]), user(assignment(j, task, goal_around(j, task))),
            call(j.phrase(["package_install does that with %s." % m, "I install %s." % p, "It is a package of %s." % m]),
                 ("package_install", {"manager": m, "package": p}), group=G)]
    x = j.random()
    if x < 0.5:
        msgs.append(tool("package_install", ran(j, "Successfully installed " + p, name="package_install")))
        msgs.append(finish(report("success", "Installed %s with %s." % (p, m)), j.phrase(DONE)))
    elif x < 0.8:
        why = NO_INSTALL[0]
        msgs.append(tool("package_install", failed(j, "package_install", why)))
        msgs.append(finish(report("failed", "", quality="uncertain",
                                  reason="%s could not be installed: %s" % (p, low(why.split(". ")[0]) + ".")), j.phrase(LOST)))
    else:
        msgs.append(tool("package_install", "[denied] Denied by the layer approval (high_risk). The person said no."))
        msgs.append(finish(report("failed", "", quality="uncertain", reason="Installing %s was refused: the person said no." % p),
                           j.phrase(LOST)))
    return ended(j, sample("agent.sysadmin", msgs, tools(j, "sysadmin", "package_install")))


KINDS = [(read_work, 10), (folder_work, 6), (both_work, 4), (install_work, 2), (write_work, 9)]
