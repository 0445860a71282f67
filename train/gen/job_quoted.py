"""Agents that are given the very text to write or to run: it is copied, and the report says only what the tools said.

The text is open: lines of a program or of a note with names and numbers by chance, so that only copying helps.
"""
from .job_agent import assignment, ended, finish, goal_around, shown, tools
from .job_base import SYSTEM, call, failed, report, sample, system, tool, user, wrap
from .job_chance import coined, first, place
from .job_code import ran
from .job_more import MORE
from .job_piece import path
from .wording import low

G = "agents"
LANG = {"python": "py", "javascript": "js", "shell": "sh", "go": "go"}


def code_lines(j, lang):
    """A few lines that need not do anything sensible."""
    a, b, c = coined(j), coined(j), coined(j)
    n, m = j.n(2, 999), j.n(2, 99)
    if lang == "python":
        return j.pick([
            ["%s = %d" % (a, n), "%s = %s * %d" % (b, a, m), "print(%s)" % b],
            ["def %s(%s):" % (a, b), "    return %s %s %d" % (b, j.pick("+-*"), m), "print(%s(%d))" % (a, n)],
            ["for %s in range(%d):" % (a, m), '    print("%s", %s)' % (b, a)],
            ['print("%s %s")' % (a, b)], ["import random", "%s = random.randint(%d, %d)" % (a, m, m + n), "print(%s)" % a],
            ['%s = ["%s", "%s", "%s"]' % (a, b, c, coined(j)), "print(len(%s), %s[%d])" % (a, a, j.n(0, 2))],
            ["class %s:" % a.capitalize(), "    def %s(self):" % b, '        return "%s"' % c, "print(%s().%s())" % (a.capitalize(), b)],
            ["def test_%s():" % a, "    assert %s(%d) == %d" % (b, m, n), "test_%s()" % a, 'print("%s")' % c]])
    if lang == "javascript":
        return j.pick([["const %s = %d;" % (a, n), "console.log(%s + %d);" % (a, m)], ['console.log("%s %s");' % (a, b)],
                       ["function %s(%s) {" % (a, b), "  return %s * %d;" % (b, m), "}", "console.log(%s(%d));" % (a, n)]])
    if lang == "shell":
        return j.pick([["%s=%d" % (a.upper(), n), "echo $%s" % a.upper()], ["echo %s | tr a-z A-Z" % a],
                       ["for %s in %s %s; do" % (b, a, c), "  echo $%s" % b, "done"], ["echo %s %d" % (a, n)]])
    return ["package main", "", 'import "fmt"', "", "func main() {", '\tfmt.Println("%s", %d)' % (a, n), "}"]


def text_lines(j):
    """Lines of a note, a list or a file of settings."""
    x = j.random()
    if x < 0.3:
        return ["- %s %s" % (coined(j), coined(j)) for _ in range(j.n(1, 4))]
    if x < 0.6:
        return ["%s%s%s" % (coined(j), j.pick(["=", ": ", " = "]), j.pick([coined(j), str(j.n(1, 99999))])) for _ in range(j.n(1, 4))]
    if x < 0.8:
        return ["%s meets %s in %s at %d:%02d." % (first(j), first(j), place(j), j.n(6, 22), j.n(0, 59))]
    return [" ".join(coined(j) for _ in range(j.n(2, 7))) for _ in range(j.n(1, 3))]


WRITE = ["Write this to {f}:\n{t}", "Save the following in {f}:\n{t}", "Put exactly this into {f}:\n\n{t}", "Create {f} with this content:\n{t}", "The file {f} shall have this text:\n{t}", "Store this as {f}:\n{t}", "{f} is to contain:\n{t}", "Write the text below to {f}.\n\n{t}", "Make the file {f} out of this:\n{t}", "Copy this word for word into {f}:\n{t}"]
LINE = ["Write `{t}` to {f}.", "Put \"{t}\" into {f}.", "Save the line `{t}` as {f}.", "Create {f} with the line `{t}`.", "Make {f} say `{t}`.", "Let {f} contain just \"{t}\".", "The only line of {f} shall be `{t}`.", "Store `{t}` in the file {f}."]
THEN_RUN = [" Then run it.", " Run it afterwards.", " After that, run it and give the output.", " Run it and report what it prints.", " Then execute it.", " See what it prints."]
RUN = ["Run this {l} code:\n{t}", "Run the following with {l}:\n{t}", "Execute this and report the output:\n{t}", "What does this {l} program print?\n{t}", "Try this {l} code and say what comes out:\n{t}", "Run it ({l}):\n{t}", "Let this {l} program run:\n{t}", "Test this {l} snippet:\n{t}"]
OUTS = ["{n}", "{w}", "{w} {v}", "{n} {w}", "{w}: {n}", "{n}\n{m}", "{w}\n{v}", "ok {n}", "[{n}, {m}]", "{w}={n}"]
ERRS = ["NameError: name '{w}' is not defined", "SyntaxError: invalid syntax", "TypeError: unsupported operand", "{w}: command not found", "ReferenceError: {w} is not defined", "AssertionError", "ValueError: {w}", "error: expected ';' before '{w}'"]


def fenced(j, text, lang):
    return "```%s\n%s\n```" % (lang if j.chance(0.6) else "", text) if j.chance(0.5) else text


def output(j):
    return j.phrase(OUTS).format(n=j.n(0, 99999), m=j.n(0, 999), w=coined(j), v=coined(j))


def printed(out):
    return "it printed %s" % ", ".join(out.split("\n"))


COPY = ["I copy the text into {f}.", "The task gives the text; I write it to {f} as it is.", "{f} is to be written, word for word.", "I write {f} exactly as given.", "{f} gets just this text."]
COPY_RUN = ["{f} is to be written and then run; first I write it.", "Two things: write {f}, then run it.", "I write {f} as it is given, and run it afterwards.", "First {f}, word for word; the run comes next.", "Before the run {f} has to be there."]
NOW_RUN = ["{f} is written; the task also asks for its output, so I run it.", "The file is there, but it was to be run as well.", "Writing was the first half; now I run it.", "The task does not end with the file: I run it too.", "{f} is written, its output is still missing."]
JUST_RUN = ["I run the given program as it is.", "Nothing is to be saved; I only run it.", "The run shows what it prints.", "It is to be run, so I run it.", "I run it to see its output."]
ONLY = ["Only the writing was asked for, and {f} is there.", "{f} is written, and nothing was said of running it.", "The file is written; that was all of the task.", "No run was asked for, so I report the file.", "{f} is there and the task is done."]


def written(j, f, text, msgs, run=False):
    """The call that writes, and whether it worked."""
    full = shown(j, f)
    msgs.append(call(j.phrase(COPY_RUN if run else COPY).format(f=f),
                     ("fs_write", {"path": f, "content": text + "\n"}), group=G))
    if j.chance(0.12):
        why = j.pick(["%s: no space left on the device" % f, "%s is outside of the folders that may be written" % f,
                      "the folder of %s may not be written" % f])
        msgs.append(tool("fs_write", failed(j, "fs_write", why)))
        return full, why
    msgs.append(tool("fs_write", wrap(j, "fs_write",
                                      "Created %s: %d bytes, %d lines.\n" % (full, len(text.encode()) + 1, text.count("\n") + 1))))
    return full, ""


def quoted_file(j):
    """A given text into a file; nothing is run, and nothing else is claimed."""
    program = j.chance(0.4)
    lang = j.pick(list(LANG))
    lines = code_lines(j, lang) if program else text_lines(j)
    text = "\n".join(lines)
    f = coined(j) + "." + LANG[lang] if program else path(j, ("md", "txt", "csv", "ini", "yaml"))
    if len(lines) == 1 and j.chance(0.6):
        task = j.phrase(LINE, MORE["WRITE_LINE"]).format(f=f, t=text)
    else:
        task = j.phrase(WRITE, MORE["WRITE_TEXT"]).format(f=f, t=fenced(j, text, lang if program else ""))
    goal = goal_around(j, task) if "\n" not in task else ""
    msgs = [system(SYSTEM["agent.coder"]), user(assignment(j, task, goal, [f] if j.chance(0.6) else []))]
    full, why = written(j, f, text, msgs)
    if why:
        msgs.append(finish(report("failed", "", quality="uncertain", reason="%s was not written: %s." % (f, why)),
                           "Writing failed; the report says why."))
    else:
        msgs.append(finish(report("success", "Wrote %s." % full, [full]), j.phrase(ONLY).format(f=f)))
    return ended(j, sample("agent.coder", msgs, tools(j, "coder", "fs_write")))


def quoted_run(j):
    """A given program: written and run, or only run; its output is what the tool said."""
    lang = j.pick(["python", "python", "python", "javascript", "shell", "go"])
    text = "\n".join(code_lines(j, lang))
    save = j.chance(0.6)
    f = coined(j) + "." + LANG[lang]
    if save:
        task = (j.phrase(LINE, MORE["WRITE_LINE"]).format(f=f, t=text) if "\n" not in text and j.chance(0.5)
                else j.phrase(WRITE, MORE["WRITE_TEXT"]).format(f=f, t=fenced(j, text, lang)) + "\n") + j.phrase(THEN_RUN, MORE["THEN_RUN"])
    else:
        task = j.phrase(RUN, MORE["RUN"]).format(l={"python": "Python", "javascript": "JavaScript", "shell": "shell", "go": "Go"}[lang],
                                    t=fenced(j, text, lang))
    msgs = [system(SYSTEM["agent.coder"]), user(assignment(j, task, "", [f] if save and j.chance(0.6) else []))]
    full, why, files = "", "", []
    if save:
        full, why = written(j, f, text, msgs, True)
        files = [] if why else [full]
    if why:
        msgs.append(finish(report("failed", "", quality="uncertain", reason="%s was not written: %s. It was not run." % (f, why)),
                           "Writing failed, so it was not run either."))
        return ended(j, sample("agent.coder", msgs, tools(j, "coder", "fs_write", "run_code")))
    msgs.append(call(j.phrase(NOW_RUN if save else JUST_RUN).format(f=f), ("run_code", {"language": lang, "code": text}), group=G))
    did = "Wrote %s and ran it: " % full if save else "The program ran: "
    x = j.random()
    if x < 0.65:
        out = output(j)
        msgs.append(tool("run_code", ran(j, out)))
        v = report("success", did + printed(out) + ".", files)
    elif x < 0.75:
        msgs.append(tool("run_code", ran(j, "")))
        v = report("success", did + "it printed nothing.", files)
    elif x < 0.9:
        err = j.phrase(ERRS).format(w=coined(j))
        msgs.append(tool("run_code", ran(j, "", j.n(1, 2), err)))
        v = report("partial" if save else "failed", "Wrote %s; it does not run." % full if save else "", files,
                   "verified" if save else "uncertain", reason="The run failed: %s." % err)
    else:
        why = j.pick(["The person said no.", "run_code runs code or changes the system. Nobody is there to be asked."])
        msgs.append(tool("run_code", "[denied] Denied by the layer approval (high_risk). " + why))
        if save:
            v = report("partial", "Wrote %s; it was not run." % full, files, "inferred", reason="Running it was denied: " + low(why))
        else:
            v = report("failed", "", quality="uncertain", reason="Running the program was denied: " + low(why))
    msgs.append(finish(v, j.phrase(["I report what the tools said, no more.", "The tools have answered; now the report.",
                                    "What was done stands in the results.", "I say what was written and what came of the run."])))
    return ended(j, sample("agent.coder", msgs, tools(j, "coder", *(["fs_write"] if save else []), "run_code")))


KINDS = [(quoted_file, 5), (quoted_run, 6)]
