"""Agents that write and run programs and look after the machine."""
from .job_agent import DONE, LOST, assignment, ended, finish, goal_around, shown, tools
from .job_base import SYSTEM, call, failed, js, listed, report, sample, system, tool, user, wrap
from .job_chance import coined
from .job_piece import path
from .wording import low, upper_first

G = "agents"

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
        return ("sorts the words " + listed(w), "print(\" \".join(sorted(%s)))" % js(w), " ".join(sorted(w)),
                "the sorted words are " + " ".join(sorted(w)))
    if k == 2:
        return "reverses the word " + word, 'print("%s"[::-1])' % word, word[::-1], "the reversed word is " + word[::-1]
    if k == 3:
        f = [0, 1]
        while len(f) < n:
            f.append(f[-1] + f[-2])
        t = " ".join(map(str, f[:n]))
        return ("prints the first %d Fibonacci numbers" % n,
                "a, b = 0, 1\nfor _ in range(%d):\n    print(a, end=\" \")\n    a, b = b, a + b" % n, t, "the numbers are " + t)
    if k == 4:
        return "finds the largest of " + listed([str(x) for x in a]), "print(max(%s))" % a, str(max(a)), "the largest is %d" % max(a)
    if k == 5:
        v = sum(a) / len(a)
        t = repr(round(v, 2))
        return ("computes the average of " + listed([str(x) for x in a]), "v = %s\nprint(round(sum(v) / len(v), 2))" % a, t,
                "the average is " + t)
    if k == 6:
        p = [x for x in range(2, 80) if all(x % d for d in range(2, x))][:n]
        t = " ".join(map(str, p))
        return ("prints the first %d primes" % n,
                "p = []\nx = 2\nwhile len(p) < %d:\n    if all(x %% d for d in p):\n        p.append(x)\n    x += 1\nprint(*p)" % n, t,
                "the primes are " + t)
    if k == 7:
        return "counts the letters of the word " + word, 'print(len("%s"))' % word, str(len(word)), "%s has %d letters" % (word, len(word))
    if k == 8:
        return ("prints the word %s %d times" % (word, n), 'print(" ".join(["%s"] * %d))' % (word, n), " ".join([word] * n),
                "the word was printed %d times" % n)
    if k == 9:
        x = j.n(2, 40)
        return ("prints the powers of %d up to the fifth" % x, "for i in range(1, 6):\n    print(%d ** i)" % x,
                "\n".join(str(x ** i) for i in range(1, 6)), "the fifth power is %d" % x ** 5)
    if k == 10:
        return ("turns the word %s into capitals" % word, 'print("%s".upper())' % word, word.upper(),
                "the word in capitals is " + word.upper())
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
    task = j.phrase(["Write a Python program {f} that {w}. Run it.", "Write {f}, a Python script that {w}, and run it.",
                     "Create {f} in Python; it {w}. Run it and give the output.", "Make a Python program {f} which {w}, then run it."]
                    if save else ["Run a Python program that {w}.", "Use Python: {w}.", "Write and run a small Python program that {w}.",
                                  "With a program: {w}."]).format(f=f, w=wish)
    if not save:
        task = task.replace("Use Python: ", "With Python, find out what comes out when a program ")
        task = task.replace("With a program: ", "Run a program that ")
    msgs = [system(SYSTEM["agent.coder"]), user(assignment(j, task, goal_around(j, task), [f] if save and j.chance(0.7) else []))]
    full, files = shown(j, f), []
    if save:
        msgs.append(call(j.phrase(["I write the whole program to {f}.", "First the file {f}.",
                                   "The smallest program for this goes into {f}.", "I write {f}, then I run it."]).format(f=f),
                         ("fs_write", {"path": f, "content": code + "\n"}), group=G))
        msgs.append(tool("fs_write", wrap(j, "fs_write",
                                          "Created %s: %d bytes, %d lines.\n" % (full, len(code) + 1, code.count("\n") + 1))))
        files = [full]
    x = j.random()
    if x < 0.1:  # a slip that the run shows
        bad = code.replace("print(", "prnt(")
        c = call("Now I run it.", ("run_code", {"language": "python", "code": bad}), group=G, train=False)
        msgs += [c,
                 tool("run_code",
                      ran(j, "", 1,
                          "Traceback (most recent call last):\n  File \"<stdin>\", line %d, in <module>\nNameError: name 'prnt' is not defined" % (bad[:bad.index("prnt")].count("\n") + 1)))]
    msgs.append(call(j.phrase(["Now I run it.", "I run it to see the output.", "The run shows whether it works.",
                               "I run the program in the sandbox."]), ("run_code", {"language": "python", "code": code}), group=G))
    if x < 0.85:
        msgs.append(tool("run_code", ran(j, out)))
        msgs.append(finish(report("success", (("Wrote %s and ran it: " % full) if save else "The program ran: ") + words + ".", files),
                           j.phrase(DONE)))
    else:
        why = j.pick(["The person said no.", "run_code runs code or changes the system. Nobody is there to be asked."])
        msgs.append(tool("run_code", "[denied] Denied by the layer approval (high_risk). " + why))
        r = report("partial", "Wrote %s; it was not run." % full, files, "inferred",
                   reason="Running it was denied: " + low(why)) if save else report(
            "failed", "", quality="uncertain", reason="Running the program was denied: " + low(why))
        msgs.append(finish(r, j.phrase(["It may not be run, so I say what is done and what is not.",
                                        "The run was denied; I do not claim it.", "Denied, so the report is honest about it."])))
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
        summary, res = "Added %s to %s." % (w,
                                            full), "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -9 +9 @@\n+%s\n" % (full, 90, 91 + len(w), j.n(2, 20), w)
    elif mode == "replace":
        args = {"path": f, "mode": "replace-text", "new_text": w, "old_text": o}
        summary, res = "Replaced %s by %s in %s." % (o, w,
                                                     full), "Changed %s: %d bytes before, %d bytes now, %d lines (UTF-8).\n@@ -3 +3 @@\n-%s\n+%s\n" % (full, 90, 95, j.n(2, 20), o, w)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task), [f] if j.chance(0.7) else [])),
            call(j.phrase(["I make this change in {f}.", "The task is a small change of {f}.", "I write to {f}.",
                           "{f} is to be changed, so I do that."]).format(f=f), ("fs_write", args), group=G)]
    x = j.random()
    if x < 0.8:
        msgs.append(tool("fs_write", wrap(j, "fs_write", res)))
        msgs.append(finish(report("success", summary, [full]), j.phrase(DONE)))
    elif mode == "replace":
        msgs.append(tool("fs_write", failed(j, "fs_write", "old_text does not stand in the file")))
        msgs.append(finish(report("failed", "", quality="uncertain",
                                  reason="%s does not stand in %s, so nothing was replaced." % (o, f)), j.phrase(LOST)))
    else:
        msgs.append(tool("fs_write", failed(j, "fs_write", "the folder of %s does not exist. What helps: set create_folders" % f)))
        args2 = {"path": f, "content": args["content"], "create_folders": True}
        if "mode" in args:
            args2["mode"] = args["mode"]
        msgs.append(call("The folder is missing, so I let it be made.", ("fs_write", args2), group=G))
        msgs.append(tool("fs_write", wrap(j, "fs_write",
                                          "Created %s: %d bytes, 1 lines.\nMade the folder %s.\n"
                                          % (full, len(w) + 1, full.rsplit("/", 1)[0]))))
        msgs.append(finish(report("success", summary, [full]), j.phrase(DONE)))
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
    f = dict(s=s, S=upper_first(s), A=a, B=b, C=a - b, D=j.n(2, 99), E=j.n(10, 59), P=j.n(1024, 9999),
             V="%d.%d.%d" % (j.n(0, 20), j.n(0, 30), j.n(0, 9)), st=j.pick(["active (running)", "inactive (dead)", "failed"]))
    f["err"] = j.phrase(ERRS).format(**f)
    if j.chance(0.68):
        tasks, cmd, out, words = j.pick(ADMIN)
        task = j.phrase(tasks).format(**f)
        cmd = cmd.format(**f)
        msgs = [system(SYSTEM["agent.sysadmin"]), user(assignment(j, task, goal_around(j, task)))]
        msgs.append(call(j.phrase(["I look with one command that changes nothing.", "This command shows it.", "I look before I act.",
                                   "A single command tells it: %s." % cmd.split()[0], "First I look."]), ("run_shell", {"command": cmd}),
                         group=G))
        x = j.random()
        if x < 0.78:
            msgs.append(tool("run_shell", ran(j, out.format(**f), name="run_shell")))
            msgs.append(finish(report("success", words.format(**f)), j.phrase(DONE)))
        elif x < 0.9:
            err = j.pick(["sh: %s: command not found" % cmd.split()[0], "%s: permission denied" % cmd.split()[0],
                          "System has not been booted with systemd as init system"])
            msgs.append(tool("run_shell", ran(j, "", j.pick([1, 2, 127]), err, "run_shell")))
            msgs.append(finish(report("failed", "", quality="uncertain", reason="%s failed: %s" % (cmd, err)), j.phrase(LOST)))
        else:
            msgs.append(tool("run_shell", "[denied] Denied by the layer approval (high_risk). The person said no."))
            msgs.append(finish(report("failed", "The command would be: %s." % cmd, quality="uncertain",
                                      reason="%s was refused: the person said no." % cmd),
                               j.phrase(["It was refused; I say what I would have done.",
                                         "A refusal is final, so I only name the command."])))
        return ended(j, sample("agent.sysadmin", msgs, tools(j, "sysadmin", "run_shell")))
    tasks, cmd, words = j.pick(CHANGE)
    task, cmd = j.phrase(tasks).format(**f), cmd.format(**f)
    msgs = [system(SYSTEM["agent.sysadmin"]), user(assignment(j, task, goal_around(j, task))),
            call(j.phrase(["It takes one command: %s." % cmd.split()[0], "I change as little as possible, with one command.",
                           "This command does it.", "One command is enough."]), ("run_shell", {"command": cmd}), group=G)]
    if j.chance(0.6):
        msgs.append(tool("run_shell", ran(j, "", name="run_shell")))
        if "systemctl" in cmd and "enable" not in cmd:
            msgs.append(call("I look again whether it had the effect.", ("run_shell", {"command": "systemctl status " + s}), group=G))
            st = "inactive (dead)" if "stop" in cmd else j.pick(["active (running)", "active (running)", "failed"])
            msgs.append(tool("run_shell", ran(j, "%s.service - %s\n   Active: %s since Mon 08:%d:10" % (s, s, st, f["E"]),
                                              name="run_shell")))
            if st == "failed":
                msgs.append(finish(report("partial", "%s Its state is now %s." % (words.format(**f), st),
                                          reason="%s did not start." % upper_first(s)), j.phrase(LOST)))
            else:
                msgs.append(finish(report("success", "%s Its state is now %s." % (words.format(**f), st)), j.phrase(DONE)))
        else:
            msgs.append(finish(report("success", words.format(**f)), j.phrase(DONE)))
    else:
        why = j.pick(["The person said no.", "run_shell runs code or changes the system. Nobody is there to be asked."])
        msgs.append(tool("run_shell", "[denied] Denied by the layer approval (high_risk). " + why))
        msgs.append(finish(report("failed", "The command would be: %s." % cmd, quality="uncertain",
                                  reason="%s was refused: %s" % (cmd, low(why))),
                           j.phrase(["It was refused; I say what I would have done.", "I do not try it in another form.",
                                     "Refused, so I report it."])))
    return ended(j, sample("agent.sysadmin", msgs, tools(j, "sysadmin", "run_shell")))


KINDS = [(code_work, 8), (edit_work, 6), (admin_work, 10)]
