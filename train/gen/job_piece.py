"""Pieces of work; job_request.py joins them to what people ask for.

A piece has its words in the request (ask), the text of its subtask (task), a type,
an id, its inputs, the name that later pieces call it by, and what it needs.
"""
from . import job_wishes as wishes
from .job_base import listed
from .job_chance import coined, first, place
from .job_more import MORE
from .job_world import subject, thing
from .lex import WEEKDAYS
from .wording import upper_first


def ident(words):
    w = "".join(c if c.isalnum() or c in "-_" else " " for c in words.lower()).split()
    return (w[-1] if w else "task")[:40]


# One piece of work: words in the request, the text of the subtask, type, id,
# inputs, what later pieces call it.

SEARCH = ["search the web for {x}", "look up {x}", "find out about {x}", "research {x}", "google {x}", "look on the web for {x}", "find news about {x}", "check the web for {x}",
          "collect what is known about {x}", "get me the latest on {x}", "read up on {x}", "dig up what you can about {x}", "gather information on {x}", "see what the web says about {x}", "find me something about {x}",
          "search for {x}", "search online for {x}", "do some research on {x}", "look for news on {x}", "find information about {x}", "see what is new about {x}", "get the facts about {x}", "look into {x}", "learn about {x}",
          "bring me up to date on {x}", "check the news for {x}", "find the newest reports on {x}", "do a web search for {x}", "find sources about {x}", "see if there is anything new on {x}", "find what people write about {x}",
          "get me some background on {x}", "find articles about {x}", "investigate {x}", "hunt down details about {x}", "scan the web for {x}", "run a web search on {x}", "pull together what is known about {x}"]
FINDOUT = ["find out {q}", "look up {q}", "research {q}", "check on the web {q}", "see on the web {q}", "search for {q}", "find out for me {q}", "check {q}", "learn {q}", "figure out {q}", "determine {q}", "try to find out {q}", "work out from the web {q}",
           "google {q}", "tell me {q}", "say {q}", "I want to know {q}"][:14]


def research(j):
    s = subject(j)
    if s["facts"] and j.chance(0.5):
        q = j.pick(s["facts"])[0]
        t = j.phrase(FINDOUT, MORE["FINDOUT"]).format(q=q)
        return dict(ask=t, task=upper_first(t).replace(" for me ", " ") + ".", type="researcher", id=ident(s["name"]), inputs=[],
                    name=s["the"], about=s)
    t = j.phrase(SEARCH, wishes.SEARCH, MORE["SEARCH"]).format(x=s["the"])
    return dict(ask=t, task=upper_first(t).replace(" me ", " ") + ".", type="researcher", id=ident(s["name"]), inputs=[], name=s["the"],
                about=s)


MEMORY = ["look in memory for what I said about {x}", "recall what I told you about {x}", "see what is remembered about {x}", "check my notes on {x}"]


def recall(j):
    x = j.pick([thing(j), first(j), coined(j)])
    t = j.phrase(MEMORY, wishes.MEMORY).format(x=x)
    task = upper_first(t)
    for mine, theirs in ((" I said", " the person said"), (" I told you", " the person said"), (" I ever", " the person ever"),
                         (" my ", " the person's ")):
        task = task.replace(mine, theirs)
    return dict(ask=t, task=task + ".", type="researcher", id=ident(x), inputs=[], name=x)


STEMS = "report notes config todo data list prices plan log readme budget results index recipes guests stock invoice draft summary letter".split()


def path(j, exts=("md", "txt", "csv", "json", "yaml", "py", "html", "log", "ini", "toml")):
    stem = j.pick(STEMS) if j.chance(0.6) else coined(j)
    if j.chance(0.25):
        stem += j.pick(["-", "_"]) + j.pick(STEMS + ["2026", "new", "old", "v2"])
    p = stem + "." + j.pick(exts)
    return j.pick(["docs/", "src/", "data/", "/tmp/", "notes/", coined(j) + "/"]) + p if j.chance(0.35) else p


READF = ["summarize {f}", "show me the first lines of {f}", "check {f} for mistakes", "translate the comments in {f}", "format {f}", "split {f} into two files", "merge {f} and {g} into one file", "count the words in {f}", "delete the last line of {f}",
         "find the largest number in {f}", "turn {f} into a table", "make a backup of {f}", "tell me which port is set in {f}", "compare {f} with {g}", "write the text {w} to {f}", "save {w} in a new file {f}", "update the date in {f}",
         "run {f} and tell me the output", "run the tests in {f}", "fix the bug in {f}", "refactor {f}", "document the functions in {f}", "read {f}", "open {f} and say what is in it", "read the file {f}", "look into {f}", "summarise {f}", "count the lines of {f}", "list the headings in {f}", "find the word {w} in {f}",
         "sort the lines of {f}", "remove empty lines from {f}", "rename {f} to {g}", "convert {f} to {g}", "copy {f} to {g}", "fix the typos in {f}", "replace {w} by {v} in {f}",
         "add a line with {w} to {f}", "check whether {f} is valid"]


def file_work(j):
    f, g = path(j), path(j)
    t = j.phrase(READF, wishes.FILES, MORE["FILES"]).format(f=f, g=g, w=coined(j), v=coined(j), k=j.n(2, 99))
    return dict(ask=t, task=upper_first(t).replace(" me ", " the person ") + ".", type="coder",
                id=ident(f.rsplit(".", 1)[0].rsplit("/", 1)[-1]), inputs=[f] + ([g] if g in t.replace(f, "") and g != f else []), name=f,
                reads=True)


PROGRAM = ["write a {l} script {f} that {w}", "write {f}, a {l} program that {w}", "make a small {l} program {f} that {w}", "write a program in {l} that {w} and save it as {f}",
           "create {f} with a {l} function that {w}", "code a {l} tool {f} that {w}", "build a {l} script called {f} that {w}", "implement {f} in {l}: it {w}"]
WISHES = ["sorts a list of names", "counts words in a text", "reverses a string", "adds up a column of numbers", "prints the first ten primes", "turns CSV into JSON", "draws a bar chart",
          "renames photos by date", "checks links", "finds duplicate files", "converts miles to kilometres", "makes a password", "parses a log file", "prints a calendar",
          "computes an average", "strips HTML tags", "splits a file into parts", "compares two files", "rolls two dice", "prints a multiplication table", "counts down from ten",
          "removes accents from a text", "finds the longest line", "checks a sudoku", "encodes text as Morse code"]
EXT = {"Python": "py", "JavaScript": "js", "Go": "go", "shell": "sh", "Rust": "rs"}


def plural(n):
    return n[:-1] + "ies" if n.endswith("y") and n[-2:-1] not in "aeiou" else n + ("es" if n.endswith(("s", "x", "ch", "sh")) else "s")


def program(j):
    l = j.pick(list(EXT))
    f = (j.pick(["sort", "count", "reverse", "sum", "primes", "convert", "chart", "rename", "links", "tool", "main"]) if j.chance(0.5)
         else coined(j)) + "." + EXT[l]
    if j.chance(0.4):
        w = j.entity(WISHES)
    else:
        n, m = thing(j).split()[-1], thing(j).split()[-1]
        w = j.phrase(wishes.DOES, MORE["DOES"]).replace("{n}s", plural(n)).replace("{m}s", plural(m))
        w = w.format(n=n, m=m, w=coined(j), v=coined(j), k=j.n(2, 99))
    t = j.phrase(PROGRAM, wishes.PROGRAM, MORE["PROGRAM"]).format(l=l, f=f, w=w)
    tests = j.chance(0.3)
    if tests:
        t += j.pick([", with tests", " and test it", ", and write tests for it"])
    return dict(ask=t, task=upper_first(t) + ".", type="coder", id="code", inputs=[f], name=f)


SYS = [("see what {s} wrote to its log last night", "log"), ("tell me how hot the CPU is", "temperature"), ("find out why the machine is slow", "machine"), ("show me which packages can be updated", "packages"), ("check if {s} is running", "status"),
       ("list the users that are logged in", "users"), ("see how full /var/{s} is", "usage"), ("check the network of the machine", "network"), ("reboot the machine", "reboot"), ("reload the configuration of {s}", "reload"),
       ("find large files below /home/{s}", "files"), ("look at the firewall rules", "firewall"), ("kill the process {s}", "kill"), ("check when the last backup ran", "backup"), ("see whether the certificate of {s} has expired", "certificate"),
       ("uninstall {s}", "uninstall"), ("schedule {s} every night with cron", "cron"), ("check the kernel log", "log"), ("see how much swap is used", "swap"), ("mount the disk {s}", "mount"),
       ("check the logs of {s}", "logs"), ("look into the {s} log for errors", "logs"), ("restart the {s} service", "restart"), ("see why {s} does not start", "ID"), ("find out how full the disk is", "disk"),
       ("check how much memory is free", "memory"), ("list the processes that use most of the CPU", "processes"), ("install {s}", "install"), ("update the packages", "update"),
       ("look at the configuration in /etc/{s}.conf", "config"), ("check whether port {p} is open", "port"), ("see how long the machine has been up", "uptime"),
       ("clean up old archives in /var/log/{s}", "cleanup"), ("check the status of the {s} service", "status"), ("find the largest folders below /var/{s}", "folders"),
       ("stop the {s} service", "stop"), ("look for failed logins in /var/log/{s}.log", "logins"), ("check the disk usage of /var/lib/{s}", "usage"), ("see which services failed", "services"),
       ("read the last lines of /var/log/{s}.log", "log"), ("check which version of {s} is installed", "version"), ("enable the {s} service at boot", "enable"),
       ("find out which process listens on port {p}", "port"), ("check the temperature of the CPU", "temperature"), ("look at the crontab for {s}", "crontab")]
SERVICES = "nginx postgres redis sshd cron docker apache mysql caddy grafana bluetooth cups avahi ntp dovecot postfix".split()


def admin(j):
    s = j.entity(SERVICES) if j.chance(0.75) else coined(j)
    t, i = j.phrase(SYS, wishes.SYS, MORE["SYS"])
    t = t.format(s=s, p=j.n(20, 9999), k=j.n(5, 200))
    inputs = [w for w in t.split() if w.startswith("/")]
    return dict(ask=t, task=upper_first(t).replace(" me ", " the person ") + ".", type="sysadmin", id=ident(s) if i == "ID" else i,
                inputs=inputs, name=s if i == "ID" else "the %s of %s" % (i, s) if s in t else "the " + i)


WORDS = ["write a limerick about {x}", "think of a title for {x}", "write a thank-you note to {n}", "rewrite this more politely: {x} is bad", "come up with a slogan for {x}", "give me reasons for visiting {x}", "write two sentences about {x}",
         "convert {a} miles to kilometres", "tell me a joke about {x}", "explain {x} to a child", "plan a birthday party for {n}", "list pros and cons of {x}", "translate {x} into {l}", "write a short poem about {x}", "explain what {x} means", "draft a mail to {n} about {x}", "make a list of ideas for {x}", "write a greeting card for {n}",
         "suggest a name for {x}", "calculate {a} times {b}", "work out {a} percent of {b}", "tell me how many days are left until {d}", "write a headline about {x}", "give me three questions about {x}",
         "write an invitation to {n}", "compute {a} plus {b}", "say what {a} degrees Celsius are in Fahrenheit", "remember that {n} likes {x}"]


def words(j):
    x = "the " + thing(j)
    n = first(j)
    v = j.phrase(WORDS, wishes.WORDS, MORE["WORDS"])
    t = v.format(x=x, n=n, k=j.n(2, 20), l=j.pick(["German", "French", "Spanish", "Dutch"]), a=j.n(2, 99), b=j.n(2, 999),
                 d=j.pick(["Christmas", "1 May", "the end of the year", "my birthday"]))
    i = {"calculate": "calculate", "work": "calculate", "compute": "calculate", "divide": "calculate", "multiply": "calculate", "add": "calculate", "take": "calculate",
         "draft": "mail", "translate": "translate", "remember": "remember", "convert": "calculate", "rewrite": "rewrite",
         "plan": "plan"}.get(
        t.split()[0], "days" if "{d}" in v else "calculate" if "{a}" in v else ident(x) if "{x}" in v else ident(n))
    name = x if "{x}" in v else n if "{n}" in v else "that day" if i == "days" else t.split(" ", 2 if t.startswith("work") else 1)[-1]
    return dict(ask=t, task=upper_first(t).replace(" me ", " the person ").replace(" my ", " the person's ") + ".", type="assistant", id=i,
                inputs=[], name=name)


PAGES = ["read the page {u}", "read {u}", "open {u} and say what it is about", "fetch {u}", "see what {u} says", "summarise the page {u}"]


def page(j):
    s = subject(j)
    t = j.phrase(PAGES, wishes.PAGES).format(u=s["url"])
    return dict(ask=t, task=upper_first(t).replace("Tell me ", "Tell the person ") + ".", type="researcher",
                id=ident(s["url"].rsplit("/", 1)[-1].replace("-", " ")), inputs=[s["url"]], name=s["url"], about=s)


PIECES = [(research, 42), (file_work, 16), (program, 12), (admin, 16), (words, 11), (recall, 3), (page, 4)]
_W = [w for _, w in PIECES]


def piece(j):
    p = j.r.choices(PIECES, _W)[0][0](j)
    if j.chance(0.2) and p["type"] != "sysadmin" and "http" not in p["ask"]:  # a word more, which belongs to the task
        add = j.phrase(wishes.MORE).format(n=first(j), p=place(j), d=j.pick(WEEKDAYS), k=j.n(3, 90), t=thing(j).split()[-1],
                                           y=j.n(1950, 2026))
        p["ask"] += add
        p["task"] = p["task"].rstrip(".") + add.replace(" my ", " the person's ").replace(" our ", " the person's ") + "."
    return p


# Last pieces that build on the ones before: with pronouns in the request and names in the task.
END2 = [("say which one fits {z} better", "Say which one fits {z} better: {o}.", "assistant", "answer"), ("draw a conclusion from both", "Draw a conclusion from the results about {x}.", "assistant", "answer"),
        ("combine the results in {f}", "Combine the results about {x} in the file {f}.", "coder", "write"), ("give me a summary of both", "Give the person a summary of the results about {x}.", "assistant", "summary"),
        ("note both in {f}", "Note the results about {x} in the file {f}.", "coder", "write"), ("tell me the difference", "Tell the person the difference between {x}.", "assistant", "answer"),
        ("put them side by side in {f}", "Put {x} side by side in the file {f}.", "coder", "write"), ("advise me on {z} with that", "Advise the person on {z} with the results about {x}.", "assistant", "answer"),
        ("tell me what both say about {z}", "Tell the person what the results about {x} say about {z}.", "assistant", "answer"),
        ("compare the two", "Compare {x}.", "assistant", "compare"), ("tell me which is better", "Tell the person which is better: {o}.", "assistant", "answer"),
        ("write both to {f}", "Write the results about {x} to the file {f}.", "coder", "write"), ("put the results into {f}", "Put the results about {x} into the file {f}.", "coder", "write"),
        ("write a comparison to {f}", "Write a comparison of {x} to the file {f}.", "coder", "write"), ("sum both up in three sentences", "Sum up the results about {x} in three sentences.", "assistant", "summary"),
        ("save everything in {f}", "Save the results about {x} in the file {f}.", "coder", "write"), ("tell me what they have in common", "Tell the person what {x} have in common.", "assistant", "answer"),
        ("write a short report about both", "Write a short report about {x}.", "assistant", "report"), ("make a table of them in {f}", "Make a table of {x} in the file {f}.", "coder", "write"),
        ("explain how they differ", "Explain how {x} differ.", "assistant", "answer")]
END1 = [("give me the gist of it", "Give the person the gist of the result about {x}.", "assistant", "answer"), ("note the answer in {f}", "Note the result about {x} in the file {f}.", "coder", "write"),
        ("add what you found to {f}", "Add the result about {x} to the file {f}.", "coder", "write"), ("boil it down to two sentences", "Boil the result about {x} down to two sentences.", "assistant", "summary"),
        ("create {f} with the result", "Create the file {f} with the result about {x}.", "coder", "write"), ("tell me what that means for {z}", "Tell the person what the result about {x} means for {z}.", "assistant", "answer"),
        ("write a short text about it", "Write a short text about the result about {x}.", "assistant", "text"), ("keep the result in {f}", "Keep the result about {x} in the file {f}.", "coder", "write"),
        ("tell me in one sentence what it says", "Tell the person in one sentence what the result about {x} says.", "assistant", "answer"),
        ("write it to {f}", "Write the result about {x} to the file {f}.", "coder", "write"), ("save the result in {f}", "Save the result about {x} in the file {f}.", "coder", "write"),
        ("summarise it", "Summarise the result about {x}.", "assistant", "summary"), ("translate it into {l}", "Translate the result about {x} into {l}.", "assistant", "translate"),
        ("explain it to me", "Explain the result about {x} to the person.", "assistant", "answer"), ("put that into {f}", "Put the result about {x} into the file {f}.", "coder", "write"),
        ("tell me whether it matters for {z}", "Tell the person whether the result about {x} matters for {z}.", "assistant", "answer"),
        ("draft a mail to {n} about it", "Draft a mail to {n} about the result about {x}.", "assistant", "mail"), ("store what you find in {f}", "Store the result about {x} in the file {f}.", "coder", "write"),
        ("make a short list of it", "Make a short list of the result about {x}.", "assistant", "list"), ("append it to {f}", "Append the result about {x} to the file {f}.", "coder", "write")]
ASPECT = ["a walk", "a weekend trip", "our budget", "the children", "my plans", "a picnic", "the move", "cyclists", "people with dogs", "the school", "a visit on Sunday", "the garden"]


# Behind work that finds nothing out, such as a copy or a restart: only what was done can be told.
END_WORK = [("write down in {f} what was done", "Write down in the file {f} what was done about {x}.", "coder", "write"), ("tell me what came of it", "Tell the person what came of the work on {x}.", "assistant", "answer"),
            ("keep a record of it in {f}", "Keep a record of the work on {x} in the file {f}.", "coder", "write"), ("give me a short report of it", "Give the person a short report of the work on {x}.", "assistant", "report"),
            ("log in {f} how it went", "Log in the file {f} how the work on {x} went.", "coder", "write"), ("say whether everything worked", "Say whether everything worked with {x}.", "assistant", "answer"),
            ("add a line about it to {f}", "Add a line about the work on {x} to the file {f}.", "coder", "write"), ("sum up what you did", "Sum up what was done about {x}.", "assistant", "summary"),
            ("draft a mail to {n} that says what was done", "Draft a mail to {n} that says what was done about {x}.", "assistant", "mail"), ("note the outcome in {f}", "Note the outcome of the work on {x} in the file {f}.", "coder", "write"),
            ("let me know what the outcome was", "Tell the person the outcome of the work on {x}.", "assistant", "answer"), ("store a summary of the work in {f}", "Store a summary of the work on {x} in the file {f}.", "coder", "write"),
            ("report what worked and what did not", "Report what worked and what did not with {x}.", "assistant", "report"), ("put the outcome into {f}", "Put the outcome of the work on {x} into the file {f}.", "coder", "write"),
            ("explain to {n} in a mail what happened", "Explain to {n} in a mail what happened with {x}.", "assistant", "mail"), ("save a report of that as {f}", "Save a report of the work on {x} as the file {f}.", "coder", "write")]


def ending(j, before):
    """A piece that needs those before it."""
    many = len(before) > 1
    forms = [END_WORK]
    if all(p.get("type", "researcher") == "researcher" for p in before):
        forms = [END2, wishes.END2] if many else [END1, wishes.END1]
    ask, task, kind, i = j.phrase(*forms)
    f = path(j, ("md", "txt", "csv"))
    names = [p["name"] for p in before]
    fills = dict(z=j.pick(ASPECT), f=f, l=j.pick(["German", "French", "Spanish"]), n=first(j), x=listed(names), o=listed(names, "or"))
    if many and len(before) > 2:
        ask = ask.replace("both", "all of them").replace("the two", "all of them")
    return dict(ask=ask.format(**fills), task=task.format(**fills).replace(" my plans", " the person's plans"), type=kind, id=i,
                inputs=[f] if "{f}" in ask else [],
                needs=[p["id"] for p in before], name="the " + i, form=(task, fills, forms[0] is END_WORK))


def unique(pieces):
    seen = {}
    for p in pieces:
        old = p["id"]
        n = 2
        while p["id"] in seen:
            p["id"] = "%s-%d" % (old, n)
            n += 1
        seen[p["id"]] = True
