"""Cases for the critic with rubrics of their own: the committee's answer, a task's report, research, code."""
from .job_answers import EVASIVE, EVASIVE2, excerpt
from .job_base import listed
from .job_chance import coined
from .job_more import MORE
from .job_person import choice, yesno
from .job_request import request
from .job_voice import FIVE
from .job_world import readable, subject
from .wording import upper_first

# Each gives: what was asked, the response, its grade, what is said of it, and other grades that are as right.

BECAUSE = ["it cannot be undone", "it costs too much", "there is no hurry", "nobody asked for it", "it was tried before", "something better may come", "it would be regretted", "the facts are thin"]
WARNING = ["go slowly", "ask first", "keep a way back", "count the money", "sleep on it", "write it down", "tell nobody yet", "begin small"]


def committee_case(j):
    """Views weighed, and what is less."""
    m = yesno(j) if j.chance(0.5) else choice(j)
    a, b, d = j.some(FIVE, 3)
    f = "“%s”" % m["fact"]
    if "do" in m:
        end = "I would %s%s: you said %s" % ("" if m.get("side") == "for" else "not ", m["do"], f)
    else:
        end = "I would take %s: you said %s" % (m["want"], f)
    why, warning = j.phrase(BECAUSE), j.phrase(WARNING)
    x = j.n(1, 7)
    if x >= 6:
        return (m["ask"], "%s %s agrees. %s is against it, because %s. %s warns: %s." % (end, a, b, why, d, warning), 5,
                "%s, %s and %s are named, the disagreement is said, and the conclusion follows." % (a, b, d), ())
    if x >= 4:
        return (m["ask"], "%s %s and %s agree." % (end, a, b), 4,
                "The conclusion follows from what %s and %s say; no other view is weighed." % (a, b), (3,))
    if x == 3:
        return (m["ask"], "%s is for it, %s is against it because %s, and %s is mixed." % (a, b, why, d), 3,
                "%s, %s and %s are named but hardly weighed, and there is no clear conclusion." % (a, b, d), ())
    if x == 2:
        return m["ask"], end.split(": you said")[0] + ".", 2, "There is a conclusion, but no views and no reasons.", ()
    return m["ask"], subject(j)["claim"], 1, "There are no views and no conclusion on the matter.", ()


VAGUE = ["Some things were done.", "I did what I could.", "Work is going on.", "It should be fine now.", "Most of it, I think.", "Somebody has seen to it.", "There was some progress.", "All is under way.", "It went more or less well.", "You will notice the difference."]
UNDONE = ["Nothing of this could be done.", "I could not do this.", "None of its subtasks could be done.", "It failed from the start, so nothing was done.", "No part of it worked.", "I had to leave all of it undone.", "Every step was refused; nothing is done."]


def task_case(j):
    goal, pieces = request(j)
    form = j.phrase(["%s This was done.", "Done: %s", "%s Finished.", "Carried out: %s", "%s It is done."])
    done = [form % p["task"] for p in pieces]
    x = j.random()
    ids = [p["id"] for p in pieces]
    if x < 0.4:
        return (goal, "\n".join(done), 5, "%d parts were asked for and all are reported as done: %s." % (len(ids), listed(ids)) if len(ids) > 1
                else "The one thing that was asked for is reported as done: %s." % ids[0], ())
    if x < 0.75 and len(pieces) > 1:
        k = j.n(0, len(pieces) - 1)  # any one of them, or all from it on
        lost = [k] if j.chance(0.5) or k == 0 else list(range(k, len(pieces)))
        left = listed([ids[i] for i in lost])
        if j.chance(0.5):
            return (goal, "\n".join(d for i, d in enumerate(done) if i not in lost), 3,
                    "%d parts were asked for, %d are reported; %s is missing and not named as missing." % (len(ids), len(ids) - len(lost), left), ())
        return (goal, "\n".join("Not done: %s" % pieces[i]["task"] if i in lost else d for i, d in enumerate(done)), 3,
                "A part was done; the report says truthfully that %s was not." % left, ())
    if x < 0.9:
        return goal, j.phrase(UNDONE), 1, "Nothing of the task was done.", ()
    a = j.phrase(VAGUE)
    return goal, a, 2, "“%s” does not tell what was done." % excerpt(a), ()


def research_case(j):
    s = readable(j)
    q, sentence, v, attr = s["facts"][0]
    if q.startswith("the "):  # a sentence that names no source of its own
        sentence = upper_first("%s is %s." % (q, v))
    ask = "Find out %s." % q
    b = "the %s of %s" % (attr, s["the"])
    x = j.n(1, 6)
    if x == 5:
        return (ask, "%s This is from “%s”%s." % (sentence, s["title"], " of " + s["date"] if s["date"] else ""), 5,
                "It gives %s and says where it is from: %s." % (b, s["title"]), ())
    if x == 4:
        return ask, "%s Source: %s" % (sentence, s["url"]), 5, "It gives %s and names its source, %s." % (b, s["url"]), ()
    if x == 3:
        return ask, sentence, 3, "“%s” gives %s, but no source." % (excerpt(sentence), b), ()
    if x == 2:
        a = j.phrase(EVASIVE, EVASIVE2, MORE["EVASIVE"]).format(t=s["the"], T=upper_first(s["the"]))
        return ask, a, 1, "“%s” says nothing about %s, and gives no source." % (excerpt(a), b), (2,)
    if x == 6 and len(s["facts"]) > 1:  # another matter of the same thing
        f = s["facts"][1]
        return ask, upper_first("the %s of %s is %s." % (f[3], s["the"], f[2])), 1, "It gives the %s; %s is not in it." % (f[3], b), (2,)
    a = subject(j)["claim"]
    return ask, a, 1, "“%s” says nothing about %s." % (excerpt(a), b), ()


OPS = [("adds {n}", "{a} + {n}"), ("subtracts {n}", "{a} - {n}"), ("multiplies a number by {n}", "{a} * {n}"), ("squares a number", "{a} * {a}"), ("doubles a number", "2 * {a}"), ("negates a number", "-{a}"),
       ("gives the remainder of a division by {n}", "{a} % {n}"), ("triples a number", "3 * {a}"), ("adds {n} and then doubles", "2 * ({a} + {n})"), ("doubles and then adds {n}", "2 * {a} + {n}"), ("takes a number away from {n}", "{n} - {a}"),
       ("cubes a number", "{a} * {a} * {a}"), ("squares a number and adds {n}", "{a} * {a} + {n}"), ("divides {n} by a number", "{n} / {a}"), ("divides a number by {n}", "{a} / {n}")]
CASES = [("negative numbers", "{a} < 0"), ("numbers above {m}", "{a} > {m}"), ("zero", "{a} == 0"), ("numbers below {m}", "{a} < {m}"), ("the number {m}", "{a} == {m}")]
ASK_CODE = ["Write a {l} function {f} that {w}.", "Give me a function {f} in {l} which {w}.", "{l}: a function {f} that {w}, please.", "I need {f} in {l}; it {w}.", "Code a {l} function called {f} that {w}."]


def code(l, f, a, expr, test="", value=0, clumsy=False):
    """A function in one of three languages; with a test it gives the value where that holds."""
    if l == "Python":
        body = ["    if %s:" % test, "        return %d" % value] if test else []
        body += ["    tmp = %s" % a, "    tmp2 = tmp", "    unused = 0", "    return %s" % expr.replace(a, "tmp2")] if clumsy else ["    return " + expr]
        return "```python\ndef %s(%s):\n%s\n```" % (f, a, "\n".join(body))
    end = ";" if l == "JavaScript" else ""
    body = ["if (%s) { return %d%s }" % (test, value, end) if end else "if %s { return %d }" % (test, value)] if test else []
    let = "let %s = %s;" if end else "%s := %s"
    body += [let % ("tmp", a), let % ("tmp2", "tmp"), "return %s%s" % (expr.replace(a, "tmp2"), end)] if clumsy else ["return %s%s" % (expr, end)]
    head = "function %s(%s)" % (f, a) if end else "func %s(%s int) int" % (f, a)
    return "```%s\n%s {\n%s\n}\n```" % ("js" if end else "go", head, "\n".join("    " + b for b in body))


def code_case(j):
    l = j.pick(["Python", "JavaScript", "Go"])
    (w, e), (w2, e2) = j.some(OPS, 2)
    n, m, f, a = j.n(2, 99), j.n(2, 500), coined(j), j.pick("x n k v".split())
    value, x = j.n(0, 9), j.n(1, 6)
    when, test = j.pick(CASES) if x == 3 or j.chance(0.3) else ("", "")
    test, when = test.format(a=a, m=m), when.format(m=m)
    wish = w.format(n=n) + (", and gives %d for %s" % (value, when) if test else "")
    expr = e.format(a=a, n=n)
    ask = j.phrase(ASK_CODE).format(l=l, f=f, w=wish)
    if x >= 5:
        seen = " and gives %d for %s" % (value, when) if test else ""
        return ask, code(l, f, a, expr, test, value), 5, "The code returns %s, which %s%s, as asked." % (expr, w.format(n=n), seen), ()
    if x == 4:
        return ask, code(l, f, a, expr, test, value, True), 4, "It %s, as asked, but tmp and tmp2 are not needed." % w.format(n=n), ()
    if x == 3:
        return ask, code(l, f, a, expr), 3, "It returns %s, which %s, but %s are not seen to." % (expr, w.format(n=n), when), (2,)
    if x == 2:
        other = n + j.pick([1, -1, 10, n]) if "{n}" in e and j.chance(0.5) else n
        wrong = e.format(a=a, n=other) if other != n else e2.format(a=a, n=n)
        return (ask, code(l, f, a, wrong, test, value), 2, "%s was asked for; the code returns %s, which does not do that." % (
            "A function that " + w.format(n=n), wrong), (1,))
    t = j.phrase(EVASIVE, EVASIVE2, MORE["EVASIVE"]).format(t=f, T=f)
    return ask, t, 1, "“%s” is no code for %s." % (excerpt(t), f), ()


TYPED = {"committee": committee_case, "task": task_case, "researcher": research_case, "coder": code_case}
