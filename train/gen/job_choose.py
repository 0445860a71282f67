"""Choosing tools: which of many on offer a request needs."""
import json

from .hall import read_objects
from .job_base import TEXT, TOOLS, learn, sample, system, user
from .job_chance import coined, day_words, first, place
from .job_piece import path
from .job_told import ASKS, told
from .job_world import thing
from .wording import low

G = "memory"

TOOL_ASKS = {
    "calculate": ["What is 17 * {n}?", "work out {n} percent of 80", "how much is {n} plus 12", "divide {n} by 7", "square root of {n}", "add up {n}, 5 and 9"],
    "now": ["What time is it?", "which day is it today?", "what's the time in Tokyo", "tell me the date", "what weekday is it", "current week number"],
    "fs_read": ["Read {f}.", "what does {f} say?", "open {f}", "show me {f}", "summarise the file {f}", "which port stands in {f}?"],
    "fs_list": ["List the files in {d}.", "what is in the folder {d}?", "show the folder {d}", "which files are in {d}", "how many files has {d}"],
    "fs_search": ["Find {w} in my files.", "which file mentions {w}?", "search the folder for the word {w}", "grep for {w}", "in which files does {w} stand"],
    "fs_write": ["Write {w} to {f}.", "save this text in {f}: {w}", "add a line to {f}", "replace {w} in {f}", "create the file {f}"],
    "memory_read": ["What did I say about {w}?", "how do I like my tea?", "do you remember my {w}?", "what do you know about me?", "recall what I told you about {w}"],
    "memory_write": ["Remember that I like {w}.", "note for later: {w}", "keep in mind that I am allergic to {w}", "don't forget: {w}", "please remember my code {n}"],
    "notes_search": ["Search my notes for {w}.", "what do my notes say about {w}?", "find the note on {w}", "look in my notes for {w}", "is there a note about {w}"],
    "calendar_read": ["What is in my calendar tomorrow?", "when is my next meeting?", "do I have time on Friday?", "which appointments do I have this week", "show my calendar for {w}"],
    "graph_search": ["Where does {N} live?", "who is {N} married to?", "what is known of {N}?", "facts about {N}", "who lives in {P}?"],
    "web_search": ["What is the latest news about {t}?", "search the web for {t}", "who is the mayor of {P}?", "current price of {w}", "is there a strike in {P}?", "google {t}"],
    "web_fetch": ["Read https://{w}.example/page.", "open the page https://{w}.example", "what does https://{w}.example/{d} say?", "fetch https://{w}.example", "summarise the page https://{w}.example"],
    "run_code": ["Run this Python: print({n})", "write a program that prints {w} ten times and run it", "execute my script", "compute the first {n} primes with code", "test this function in Python"],
    "run_shell": ["Restart {w}.", "show the disk usage", "run df -h", "look at the log of {w}", "list the running processes"],
    "package_install": ["Install the package {w} with pip.", "install {w} from npm", "get the go module {w}", "add the Python package {w}", "apt install {w}"],
    "compare_answers": ["Which of these two answers is better?", "compare answer one and answer two", "judge these two answers to my question", "is answer A better than answer B", "ask the critic which one is better"],
}


_kinds = read_objects("tools-*.jsonl")
FOREIGN, FOREIGN_HELD = [t for t in _kinds if not t.get("held")], [t for t in _kinds if t.get("held")]


def _value(j, p):
    if p.get("values"):
        v = j.pick(p["values"])
        return str(v[0] if isinstance(v, list) else v)  # as said, where it differs from the value
    m = p.get("make", "")
    if m.startswith("int"):
        return str(j.n(1, 20))
    return {"name": first, "city": place, "date": day_words}.get(m, coined)(j)


def foreign_tool(j):
    """A tool of somebody else: its name, description and something asked of it."""
    t = j.pick(FOREIGN_HELD if j.held and FOREIGN_HELD else FOREIGN)
    ask = j.phrase(t["asks"])
    for p in t["params"]:
        ask = ask.replace("{%s}" % p["key"], _value(j, p))
    return j.pick(t["names"]), j.pick(t["descriptions"]), ask


def cut(s, n):
    b = s.encode()
    return s if len(b) <= n else b[:n].decode("utf-8", "ignore")


def selecting(j):
    names = j.some(list(TOOL_ASKS), j.n(3, 14))
    offered = {n: TOOLS[n]["description"] for n in names}
    fill = lambda s: s.format(n=j.n(2, 900), f=path(j), d=coined(j), w=coined(j), N=first(j), P=place(j), t="the " + thing(j))
    asks = []
    for n in j.some(names, j.r.choices([1, 2, 3], [70, 24, 6])[0]):
        asks.append((n, told(j, n)[0] if n in ASKS and j.chance(0.75) else fill(j.phrase(TOOL_ASKS[n]))))
    if FOREIGN and j.chance(0.45):
        for i in range(j.n(1, 6)):
            n, d, a = foreign_tool(j)
            if n not in offered:
                offered[n] = d
                if i == 0 and j.chance(0.6):
                    asks = [(n, a)] + (asks[:1] if j.chance(0.2) else [])
    task = asks[0][1]
    for _, a in asks[1:]:
        task = task.rstrip(".?") + j.pick([", and then ", " and ", ". Then ", "; also "]) + low(a)
    none = j.chance(0.04)
    if none:
        task, asks = j.pick(["Hello", "Thanks!", "Good morning", "How are you?", "Tell me a joke"]), []
    order = sorted(offered)
    lines = "".join("%s: %s\n" % (n, cut(offered[n], 160)) for n in order)
    v = [n for n, _ in asks]
    msgs = [system(TEXT["broker.selector"] + lines), user(task), learn(json.dumps(v), {"type": "json", "fields": v}, off=True, group=G)]
    return sample("selecting", msgs, schema={"type": "array", "items": {"type": "string"}})


KINDS = [(selecting, 12)]
