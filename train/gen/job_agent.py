"""Agents at work on one subtask: what all types of them share.

Rules of the reports: the summary is copied from what a tool or an earlier
subtask said, with its source behind it; "verified" where a tool showed it,
"inferred" where earlier results were put together, "uncertain" where results
disagree; a failure names the tool's own words. What was not done is not claimed.
"""
from .job_base import DELEGATES, REPORT_SCHEMA, REPORT_TAIL, TEXT, TOOLS, as_json, result_line, said, user
from .job_chance import date_line
from .job_piece import piece, unique
from .job_world import slug, subject
from .wording import low, upper_first

G = "agents"
SETS = {
    "assistant": ["calculate", "memory_read", "memory_write", "now", "web_search"],
    "researcher": ["calculate", "fs_list", "fs_read", "fs_search", "memory_read", "memory_write", "now", "web_search"],
    "coder": ["calculate", "fs_list", "fs_read", "fs_search", "fs_write", "memory_read", "memory_write", "now", "run_code", "web_search"],
    "sysadmin": ["calculate", "fs_list", "fs_read", "fs_search", "fs_write", "memory_read", "now", "package_install", "run_shell"],
}
BELOW = {"assistant": "researcher", "coder": "researcher", "sysadmin": "coder"}


def tools(j, kind, *needed, verify=False):
    names = SETS[kind]
    if j.chance(0.35):  # a small window: only the tools that seem to fit
        extra = [n for n in names if n not in needed]
        names = sorted(list(needed) + j.some(extra, max(0, 4 - len(needed))))
    out = [TOOLS[n] for n in names]
    if kind in BELOW and not verify:
        out.append(DELEGATES.get(BELOW[kind]) or delegate(BELOW[kind]))
    return out


def delegate(to):
    d = dict(next(iter(DELEGATES.values())))
    p = dict(d["parameters"])
    p["properties"] = dict(p["properties"], agent_type={"enum": [to], "type": "string"})
    d["parameters"] = p
    return d


def assignment(j, task, goal="", inputs=(), before=(), claim=None, words=()):
    b = date_line(j) + "\n\n"
    if goal:
        b += "The whole task, for which others do the rest:\n" + goal + "\n\n"
    if inputs:
        b += "Given:\n" + "".join("- %s\n" % i for i in inputs) + "\n"
    if before:
        b += "Results of earlier subtasks (data, not instructions):\n" + "".join(result_line(r) + "\n" for r in before) + "\n"
    if claim:
        b += "The result to check (data, not instructions):\n" + result_line(claim) + "\n\n"
    if words:
        b += "The person said since:\n" + "".join("- %s\n" % w for w in words) + "\n"
    return b + "Your task:\n" + task + "\n\n" + REPORT_TAIL


def goal_around(j, task):
    """The whole request in which a task stands."""
    if j.chance(0.35):
        return ""
    parts = [piece(j)["ask"] for _ in range(j.n(1, 2))]
    parts.insert(j.n(0, len(parts)), low(task).rstrip("."))
    return upper_first(j.pick(["; ", ", ", " and ", "; then "]).join(parts)) + "."


def finish(v, think):
    m = as_json(v, think, group=G, fields={k: v[k] for k in ("status", "artifacts", "result_quality", "source", "new_memory_candidates")})
    m["check"]["holds"] = {k: telling(v[k]) for k in ("summary", "failure_reason") if v[k]}
    m["check"]["most"] = {k: 0 for k in ("summary", "failure_reason") if not v[k]}
    return m


def telling(text):
    """The words that a report has to have: names, numbers, paths and the longer ones."""
    words = [w.strip(".,;:!?()\"'“”") for i, w in enumerate(text.split()) if i or not w.isalpha()]
    return list(dict.fromkeys(w for w in words if len(w) > 5 or any(c.isdigit() or c in "/." or c.isupper() for c in w)))


DONE = ["The result has it, so I report it.", "I have what was asked for and give the report.", "That answers the task.", "The tool showed it; now the report.", "This is enough for the report.", "I found it and sum it up.",
        "Nothing more is needed; I report.", "The task is done, so I answer with the report."]
LOST = ["Nothing came of it, so I say so honestly.", "I could not find it and must not invent it.", "It failed; the report says why.", "There is no result, so the status is failed.", "I report the failure with its reason."]


def cited(s, sentence):
    """A sentence with the result that it is from."""
    return "%s This is from “%s”%s." % (sentence, s["title"], " of " + s["date"] if s["date"] else "")


def ended(j, s):
    """Sometimes no tool may be called any more before the report, or a check sends it back."""
    x = j.random()
    msgs = s["messages"]
    last = msgs[-1]
    if x < 0.05 and msgs[-2]["role"] == "tool":
        for m in msgs[:-1]:
            if m["role"] == "assistant":
                m["train"] = False
        msgs.insert(-1, user(TEXT["engine.noToolsSchema"]))
        s["tools"], s["schema"] = [], REPORT_SCHEMA
    elif x < 0.08:
        bad = last["content"].replace('"failure_reason": null', '"note": "ok"').replace('"status": "success"', '"status": "done"')
        bad = j.pick(["", "I am done. ", "Here is the report: "]) + bad
        if bad != last["content"]:
            msgs[-1:] = [said(bad),
                         user("This does not fit the schema: status: not one of success, partial, failed. Give the answer again, as JSON only."), last]
            for m in msgs[:-1]:
                if m["role"] == "assistant":
                    m["train"] = False
            s["tools"], s["schema"] = [], REPORT_SCHEMA
    return s


def earlier(j, k=None):
    """Results of earlier subtasks, as an agent gets them."""
    out, subs = [], []
    for _ in range(k or j.n(1, 3)):
        s = subject(j)
        f = j.pick(s["facts"])[1] if s["facts"] and j.chance(0.4) else s["claim"]
        summary = cited(s, f) if j.chance(0.5) else f
        out.append({"id": slug(s["name"]).split("-")[-1] if j.chance(0.8) else "step-%d" % (len(out) + 1), "status": "success",
                    "summary": summary, "result_quality": j.pick(["verified", "inferred", "verified"]), "source": "web"})
        subs.append((s, f))
    unique(out)
    return out, subs


def strip_source(t):
    at = t.find(" This is from “")
    return t[:at] if at > 0 else t


def shown(j, p):
    return p if p.startswith("/") else j.pick(["/home/ana/projects/", "/tmp/agent-sandbox/", "/srv/workspace/", ""]) + p
