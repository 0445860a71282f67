"""The planner: a request divided among agents. job_replan.py plans anew after failures.

Rules of the answers: a subtask's text is the clause of the request with the
names that its pronouns stand for; the type follows from what is done; the id is
the last word of what it is about, or what is done (write, run, answer). It
depends on earlier ones where the words refer to them (it, both, the result) or
order it behind them (then, after that); "and", ";" and numbers order nothing.
"""
import json

from . import job_wishes as wishes
from .job_base import SCHEMA_TAIL, SYSTEM, js, learn, said, sample, sorted_go, system, user
from .job_chance import coined, first, place
from .job_piece import ending, ident, piece, unique
from .job_request import FINISH, joined, request
from .job_world import thing, topic
from .wording import upper_first

G = "plan"
TYPES = ["assistant", "researcher", "coder", "sysadmin"]
_LINES = {l.split(":")[0][2:]: l for l in SYSTEM["planner"].split("\n") if l.startswith("- ") and l[2:].split(":")[0] in TYPES}
assert len(_LINES) == 4


def schema(types):
    text = {"type": "string"}
    items = {"type": "array", "items": text}
    sub = {"type": "object", "properties": {
        "id": text, "agent_type": {"type": "string", "enum": types}, "task": text, "depends_on": items, "inputs": items,
        "check": {"type": "object", "properties": {"command": text, "contains": text, "schema": {"type": "object"}}}},
        "required": ["id", "agent_type", "task", "depends_on"]}
    return {"type": "object", "properties": {"subtasks": {"type": "array", "items": sub}, "direct": text}, "required": ["subtasks"]}


_TAILS = {}


def tail(types):
    key = tuple(types)
    if key not in _TAILS:
        s = schema(types)
        # Go keeps the order of lists and sorts the keys of maps.
        _TAILS[key] = (s, SCHEMA_TAIL + sorted_go(s))
    return _TAILS[key]


CHECKS = [(" The summary must name {w}.", "contains"), (" Make sure that the answer contains {w}.", "contains"), (" Check it with `{c}`.", "command"), (" It is done when `{c}` runs without error.", "command"),
          (" The result has to mention {w}.", "contains"), (" Verify it by running `{c}`.", "command")]
COMMANDS = ["make test", "go test ./...", "python3 -m pytest", "npm test", "sh check.sh", "python3 {w}.py", "make check", "./run.sh", "test -f {w}.txt", "cargo test"]


def subtask(p):
    out = {"id": p["id"], "agent_type": p["type"], "task": p["task"], "depends_on": list(p["needs"])}
    if p.get("check"):
        out["check"] = p["check"]
    out["inputs"] = list(p["inputs"])
    return out


_SMALL = set("""a an the of to in on at by for from with and or it its is are was be as into that this what which who when where how whether about their them they person person's find out look up
search web do result results tell give me my say see check get""".split())


def words_of(text):
    """What a task is about: its words without the small ones and the verb that begins it."""
    w = [x.strip(".,;:!?()\"'“”") for x in text.split()[1:]]
    return [x for x in w if len(x) > 1 and x.lower() not in _SMALL]


def plan_check(pieces, known=(), direct=()):
    """What matters of a plan: the steps with their types, names and needs, whatever they are called."""
    steps, ids = [], [p["id"] for p in pieces]
    for p in pieces:
        name = p["name"][4:] if p["name"].startswith("the ") else p["name"]
        must = list(p["inputs"]) + [w for w in words_of(p["task"]) if any(c.isdigit() for c in w)] + list((p.get("check") or {}).values())
        if name and name.lower() in p["task"].lower():
            must.append(name)
        must += p.get("must", [])
        steps.append({"agent_type": p["type"], "must": must, "words": words_of(p.get("core") or p["task"]),
                      "needs": [] if p.get("soft") else [ids.index(n) if n in ids else n for n in p["needs"]]})
    return {"type": "plan", "steps": steps, "most": len(steps) + (len(steps) > 2), "known": list(known), "direct": list(direct)}


def planned(v, think, check):
    return learn(js(v), check, think, group=G)


# Other kinds of agents than the hall's own: (type, what it does, a piece of work for it).
OTHERS = [("translator", "puts texts into other languages", "translate {x} into {l}"), ("librarian", "finds books and papers", "find a book about {x}"),
          ("mathematician", "calculates and proves", "calculate {a} times {b}"), ("designer", "draws logos and posters", "draw a poster for {x}"),
          ("gardener", "knows plants and soil", "choose plants for {x}"), ("accountant", "keeps the books and checks invoices", "check the invoice of {x}"),
          ("editor", "corrects and shortens texts", "shorten the text about {x}"), ("chef", "plans meals and recipes", "plan a meal for {n}"),
          ("planner2", "keeps the calendar and plans trips", "plan a trip to {p}"), ("tester", "tests programs and reports faults", "test the program of {n}"),
          ("photographer", "edits pictures", "crop the picture of {x}"), ("lawyer", "reads contracts", "read the contract with {n}"),
          ("driver", "plans routes", "plan the route to {p}"), ("musician", "writes tunes", "write a tune about {x}"), ("archivist", "sorts and stores documents", "file the papers about {x}")]


def foreign(j):
    """A planner with other agent types: the prompt lists them."""
    extra = j.some(OTHERS, j.n(1, 3))
    keep = j.some(TYPES, j.n(1, 4))
    if "assistant" not in keep:
        keep.append("assistant")
    pieces = []
    for t, _, w in extra[:j.n(1, len(extra))]:
        x = "the " + thing(j)
        a = w.format(x=x, l=j.pick(["German", "French"]), a=j.n(2, 99), b=j.n(2, 999), n=first(j), p=place(j))
        pieces.append(dict(ask=a, task=upper_first(a) + ".", type=t, id=ident(a), inputs=[], name=x, needs=[]))
    for _ in range(j.n(0, 2)):
        p = piece(j)
        p["needs"] = []
        if p["type"] not in keep:
            p["type"] = "assistant"
        pieces.append(p)
    pieces = j.shuffled(pieces)
    unique(pieces)
    types = j.shuffled(keep + [t for t, _, _ in extra])
    lines = [_LINES.get(t) or "- %s: %s" % (t, next(d for n, d, _ in OTHERS if n == t)) for t in types]
    sys = SYSTEM["planner"].replace("\n".join(_LINES[t] for t in TYPES), "\n".join(lines))
    return joined(j, pieces, False), pieces, types, sys


GREET = ["Hi", "Hello", "Hello there", "Good morning", "Good evening", "hey", "Hi, how are you?", "Thanks!", "Thank you very much", "Good night", "hello, anybody there?", "Greetings", "What's up?",
         "Who are you?", "What can you do?", "yo", "Morning!", "Thanks, that was all", "Bye", "ok thanks", "Nice to meet you", "How do you do?", "Are you there?", "Hello hello"]


def greeted(text):
    t = text.lower()
    if "thank" in t:
        return "You are welcome."
    if "who are" in t or "what can" in t:
        return "I plan tasks and hand them to agents: for research, files and programs, the machine, and questions. What shall be done?"
    if "night" in t or "bye" in t:
        return "Goodbye."
    if "how" in t and "you" in t:
        return "I am well, thank you. What can I do for you?"
    return "Hello. What can I do for you?"


# The thought names the parts, their agents and what they wait for: that is the plan in short.
THINK = ["{N} parts: {p}.", "I divide it into {n}: {p}.", "{N} subtasks: {p}.", "These are {n} pieces of work: {p}.", "It takes {n} steps: {p}."]
THINK1 = ["This is one piece of work for the {t}.", "One subtask is enough, for the {t}.", "It is a single task for the {t}.", "Only one thing is asked for; the {t} does it.", "One agent can do it: the {t}."]
NUM = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"]


def part(p, known):
    after = [n for n in p["needs"]]
    return "%s (%s%s)" % (p["id"], p["type"], ", after " + ("all of them" if len(after) > 2 and len(after) == known else " and ".join(after)) if after else "")


def thought(j, pieces):
    n = NUM[min(len(pieces), 8)]
    if len(pieces) == 1:
        return j.phrase(THINK1).format(t=pieces[0]["type"])
    return j.phrase(THINK).format(n=n, N=upper_first(n), p=", ".join(part(p, i) for i, p in enumerate(pieces)))


def ask_plan(goal):
    return "The person's request:\n" + goal + "\n\nGive the plan."


def plan(j):
    """A first plan."""
    types, sys = TYPES, SYSTEM["planner"]
    if j.chance(0.06):
        goal = j.phrase(GREET)
        v = {"subtasks": [], "direct": greeted(goal)}
        s, t = tail(types)
        return sample("plan", [system(sys), user(ask_plan(goal) + "\n\n" + t),
                               planned(v, "It is only a greeting; nothing is to be planned.", plan_check([]))], schema=s)
    talk = ""
    if j.chance(0.1):
        goal, pieces, types, sys = foreign(j)
    elif j.chance(0.08):
        goal, pieces, talk = spoken_before(j)
    else:
        goal, pieces = request(j)
        if j.chance(0.08):
            c, key = j.phrase(CHECKS)
            w = coined(j)
            cmd = j.pick(COMMANDS).format(w=w)
            goal = goal.rstrip(".!?") + "." + c.format(w=w, c=cmd)
            pieces[-1]["check"] = {key: w if key == "contains" else cmd}
    v = {"subtasks": [subtask(p) for p in pieces]}
    s, t = tail(types)
    msgs = [system(sys), user((talk + "\n\n" if talk else "") + ask_plan(goal) + "\n\n" + t)]
    if j.chance(0.05):  # the first plan made no sense
        bad, why = spoil(j, v, types)
        msgs += [said(json.dumps(bad, ensure_ascii=False)),
                 user("A check of this found:\n- %s\nPut it right and give the whole answer again." % why)]
    msgs.append(planned(v, thought(j, pieces), plan_check(pieces)))
    return sample("plan", msgs, schema=s)


def spoil(j, v, types):
    bad = json.loads(json.dumps(v))
    s = j.pick(bad["subtasks"])
    x = j.random()
    if x < 0.35:
        s["agent_type"] = j.pick(["writer", "agent", "tester", "none"])
        return bad, '%s: there is no agent_type "%s"; there are %s' % (s["id"], s["agent_type"], ", ".join(types))
    if x < 0.7:
        s["depends_on"] = [coined(j)]
        return bad, '%s: it depends on "%s", which is no subtask' % (s["id"], s["depends_on"][0])
    s["depends_on"] = [s["id"]]
    return bad, "%s: it depends on itself" % s["id"]


def spoken_before(j):
    """A request whose pronoun stands for something said before."""
    t = topic(j)
    fact = t["facts"][0]
    q = fact[0].replace(t["the"], "it")
    ask = "find out " + q
    true = "Find out " + fact[0] + "."
    goal = j.pick(["Please ", "Now ", "", "Then ", "Could you "]) + ask
    before = j.pick(["What is new about %s?", "Tell me about %s.", "Any news of %s?"]) % t["the"]
    talk = "Said before in this conversation:\nuser: %s\nassistant: %s" % (before, t["claim"])
    p = dict(ask=ask, task=true, type="researcher", id=ident(t["name"]), inputs=[], name=t["the"], needs=[])
    pieces = [p]
    if j.chance(0.4):
        e = ending(j, pieces)
        e["needs"] = [p["id"]]
        pieces.append(e)
        goal += j.phrase(FINISH, wishes.FINISH).format(e=e["ask"])
    return upper_first(goal) + ".", pieces, talk


KINDS = [(plan, 76)]
