"""The critic: one answer graded from 1 to 5, or the better of two.

Rules that can be seen in the text: what answers the matter directly and briefly
is a 5; with words that nobody asked for a 4; in part a 3; evasive, not knowing,
or a raw result of a tool a 2; something else, nothing, or the contrary of the
reference a 1. Where a rubric leaves two grades open, the check takes both. Pleas
for a grade count for nothing and are named.
"""
import hashlib

from .job_answers import FB_PLEA, answer, excerpt, feedback, plea
from .job_base import REPAIR, RUBRICS, SYSTEM, TEXT, learn, said, sample, system, user
from .job_case import any_case
from .job_more import MORE
from .job_typed import TYPED

G = "judge"


def mark(parts):
    """The word between the texts, made of them as the hall makes it."""
    h = hashlib.sha256()
    for head, text in parts:
        h.update(("%d %s %d %s\n" % (len(head.encode()), head, len(text.encode()), text)).encode())
    return h.hexdigest()[:16]


BEFORE = "Said before the instruction"


def form(task, parts):
    m = mark(parts)
    heads = [h for h, _ in parts]
    more = (TEXT["judge.withBefore"] if BEFORE in heads else "") + (TEXT["judge.withReference"] if any(h.startswith("Reference") for h in heads) else "")
    task = task.replace("%s", more, 1).replace("%s", m).replace("%[2]s", m)
    body = "".join("\n###%s:\n--- begin %s\n%s\n--- end %s\n" % (h, m, t, m) for h, t in parts)
    return "###Task Description:\n" + task + "\n" + body + "\n###Feedback:"


def rubric_text(r):
    return "[%s]" % r[0] + "".join("\nScore %d: %s" % (i + 1, s) for i, s in enumerate(r[1]))


USEFUL = ["It is of no use.", "It is of little use.", "It is of some use.", "It is useful.", "It is very useful, clear and short."]
ANSWERED = ["Not an answer, or about something else.", "Evasive.", "Answered in part.", "Answered, with too many words.", "Answered directly and completely."]


def custom_rubric(j):
    c = j.phrase(["Is the answer useful?", "Does the response help the person?", "How good is this answer?",
                  "Is the response right, short and clear?", "Would a careful person be content with it?"])
    return c, USEFUL if j.chance(0.5) else ANSWERED


def also(kind, rubric, key):
    """Grades that are as right as the wanted one: a rubric that says nothing of length or of use leaves two open."""
    if kind == "default" and key == 4:
        return (5,)
    if (kind == "default" or rubric[1] is USEFUL) and key == 22:
        return (3,)
    return (1,) if rubric[1] is USEFUL and key == 2 else ()


def judged(j, kind, rubric):
    """A response with its grade: question, response, what was said before, reference, grade, feedback, other right grades."""
    if kind in TYPED:
        q, a, n, fb, open_ = TYPED[kind](j)
        return q, a, "", "", n, fb, open_
    c = any_case(j)
    a, n, key, pad = answer(j, c, j.pick([5, 4, 3, 2, 1, 11]) if kind == "custom" else None)
    reference = c["good"] if key == 12 or j.chance(0.12) and c["good"] else ""
    return c["q"], a, c.get("before", ""), reference, n, feedback(j, key, c, a, pad), also(kind, rubric, key)


def grade(j):
    kind = j.r.choices(["chat", "default", "committee", "task", "researcher", "coder", "custom"], [46, 12, 9, 9, 8, 10, 6])[0]
    rubric = custom_rubric(j) if kind == "custom" else RUBRICS[kind]
    q, a, before, reference, n, fb, open_ = judged(j, kind, rubric)
    begs = j.chance(0.12)
    if begs:
        a = plea(j, a)
        fb += j.phrase(FB_PLEA, MORE["FB_PLEA"])
    if j.chance(0.01):
        q, before = "(The question is not known.)", ""
        fb, n, open_ = "The question is not known, so it cannot be told whether this answers it.", 3, (1, 2, 4)
    parts = [("The instruction to evaluate", q), ("Response to evaluate", a)]
    if before:
        parts.append((BEFORE, before))
    if reference:
        parts.append(("Reference Answer (Score 5)", reference))
    parts.append(("Score Rubrics", rubric_text(rubric)))
    msgs = [system(SYSTEM["grade"]), user(form(TEXT["judge.gradeTask"], parts))]
    if j.chance(0.04):
        bad = j.pick(["It is a good answer.", "I would give it a %d." % n, "Feedback: " + fb, "(nothing)",
                      "Feedback: %s [RESULT] %d out of 10" % (fb, n * 2)])
        why = "after [RESULT] must stand a whole number from 1 to 5 and nothing else" if "[RESULT]" in bad else "there is no [RESULT]"
        msgs += [said(bad), user(REPAIR % (why, "a whole number from 1 to 5"))]
    check = {"type": "result", "value": str(n)}
    if open_:
        check["any"] = [str(n)] + [str(x) for x in open_]
    msgs.append(learn("Feedback: %s [RESULT] %d" % (fb, n), check, off=True, group="injection" if begs else G))
    return sample("grade", msgs)


SAYS = {5: ["answers {b} directly", "gives {b} at once", "says just {b}", "tells {b} in few words", "has {b} and no more"],
        4: ["answers {b} with too many words", "has {b}, and needless words", "gives {b} but adds “{p}”", "tells {b} at length", "answers, but with words like “{p}”"],
        3: ["leaves out {m}", "says nothing of {m}", "has only a part, without {m}", "forgets {m}", "lacks {m}"],
        2: ["does not say anything on {b}", "only says “{e}”", "evades with “{e}”", "leaves {b} open", "tells nothing about {b}"],
        22: ["only shows a tool's output", "is raw output of a tool", "copies what a tool returned", "has {b} somewhere in a tool's output", "puts nothing into words"],
        1: ["speaks of something else", "says “{e}”, which was not asked", "is about another matter", "answers another question", "has “{e}”, not {b}"],
        11: ["says nothing", "is empty", "gives no answer at all", "has no words on it", "is no answer"],
        12: ["is wrong on {b}", "says “{e}”, which the reference does not", "contradicts the reference", "differs from the reference on {b}", "has {b} wrong"]}
RANK = {5: 5, 4: 4, 3: 3, 22: 2.5, 2: 2, 12: 1, 1: 1, 11: 1}
CRITERIA = ["short", "right and to the point", "useful", "true and plain", "clear", "complete and without needless words", "helpful to the person", "what a careful person would say"]


def pair(j):
    kind = j.pick(["chat", "chat", "chat", "default", "", "", "researcher", "task"])
    c = any_case(j)
    keys = [5, 5, 4, 3, 2, 22, 1, 1, 11, 12]
    while True:
        (a, _, ka, pa), (b, _, kb, pb) = answer(j, c, j.pick(keys)), answer(j, c, j.pick(keys))
        if RANK[ka] != RANK[kb] and a.strip() != b.strip():
            break
    if {ka, kb} == {4, 5} and kind in ("default", "researcher", "task"):  # these say nothing of length
        kind = "chat"
    criteria = RUBRICS[kind][0] if kind else "correct, complete, clear" if j.chance(0.5) and {ka, kb} != {4, 5} else j.phrase(CRITERIA)
    reference = c["good"] if 12 in (ka, kb) or j.chance(0.08) else ""
    win = "A" if RANK[ka] > RANK[kb] else "B"
    b_, m = c["about"], c.get("missing", "the rest")
    fb = "A %s; B %s." % tuple(j.phrase(SAYS[k]).format(b=b_, m=m, e=excerpt(t), p=p) for k, t, p in ((ka, a, pa), (kb, b, pb)))
    pleads = ""
    if j.chance(0.08):
        pleads = j.pick("AB")
        a, b = (plea(j, a), b) if pleads == "A" else (a, plea(j, b))
        fb += " That %s asks to be chosen counts for nothing." % pleads
    parts = [("Instruction", c["q"]), ("Response A", a), ("Response B", b)]
    if c.get("before"):
        parts.append((BEFORE, c["before"]))
    if reference:
        parts.append(("Reference Answer", reference))
    parts.append(("Score Rubric", criteria))
    msgs = [system(SYSTEM["pair"]), user(form(TEXT["judge.pairTask"], parts))]
    if j.chance(0.04):
        msgs += [said(j.pick(["Both are fine.", "I prefer %s." % win, "[RESULT] tie"])), user(REPAIR % ("there is no [RESULT]", "A or B"))]
    msgs.append(learn("Feedback: %s [RESULT] %s" % (fb, win), {"type": "result", "value": win}, off=True,
                      group="injection" if pleads else G))
    return sample("pair", msgs)


KINDS = [(grade, 72), (pair, 28)]
