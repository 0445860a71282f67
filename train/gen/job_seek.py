"""Agents that look things up, on the web and in memory."""
from .job_agent import DONE, LOST, assignment, cited, ended, finish, goal_around, tools
from .job_base import SYSTEM, call, failed, found, injection, memories, report, sample, system, tool, user
from .job_case import alter
from .job_chance import iso
from .job_matter import memory_words
from .job_more import MORE
from .job_person import around, life, preference
from .job_world import UNKNOWN, low_first, readable, subject
from .spans import query_of
from .wording import upper_first

G = "agents"

GO = ["I search the web for {x}.", "The task is to find {x}; I search for it.", "First I search for {x}.", "I look up {x} on the web.", "A web search for {x} should show it."]
MEM = ["I look first at what is remembered about {x}.", "Memory may know {x}.", "I search the memory for {x}.", "The task asks what is remembered of {x}."]


SEEK = ["Search the web for {x}.", "Look up {x}.", "Find out about {x}.", "Research {x}.", "Find news about {x}.", "Look on the web for {x}.", "Check the web for {x}.", "Find articles about {x}.", "Collect what is known about {x}.",
        "Search the web for {x}", "Look up {x}", "Read up on {x}.", "Google {x}.", "Gather information on {x}.", "See what the web says about {x}.", "Search online for {x}.", "Search for {x}.", "Do some research on {x}.", "Look for news on {x}.",
        "Find information about {x}.", "See what is new about {x}.", "Get the facts about {x}.", "Look into {x}.", "Learn about {x}.", "Check the news for {x}.", "Find the newest reports on {x}.", "Do a web search for {x}.",
        "Get the latest on {x}.", "Dig up what you can about {x}.", "Find what people write about {x}.", "Investigate {x}.", "Scan the web for {x}.", "Run a web search on {x}.", "Find sources about {x}."]
SEEKQ = ["Find out {q}.", "Look up {q}.", "Research {q}.", "Find out on the web {q}.", "Check on the web {q}.", "Find out {q}", "Figure out {q}.", "Determine {q}.", "Learn {q}.", "Check {q}.", "Google {q}.", "Search for {q}."]


def plain_question(j):
    """A person's own question as the task, as it comes where nothing is divided."""
    s = readable(j)
    f = j.pick(s["facts"])
    x = j.random()
    if x < 0.4:
        t = j.phrase(["What is the {k} of {x}?", "what is the {k} of {x}", "What's the {k} of {x}?", "Which {k} does {x} have?",
                      "Do you know the {k} of {x}?", "Tell me the {k} of {x}."]).format(k=f[3], x=s["the"])
        return t, s, f[1]
    if x < 0.7:
        return j.phrase(["Can you tell me {q}?", "Do you know {q}?", "Tell me {q}.", "Could you tell me {q}?",
                         "I want to know {q}."]).format(q=f[0]), s, f[1]
    return j.phrase(["What is new about {x}?", "What is the latest news about {x}?", "What happened to {x}?", "Who or what is {x}?",
                     "Tell me about {x}.", "What do you know about {x}?"]).format(x=s["the"]), s, s["claim"]


def seek(j, plain=False):
    """A thing to be found: task, subject, the sentence that answers, and what is searched for."""
    if plain:
        t, s, sentence = plain_question(j)
        return t, s, sentence, query_of(t)
    s = subject(j)
    if s["facts"] and j.chance(0.5):
        f = j.pick(s["facts"])
        return j.phrase(SEEKQ, MORE["SEEKQ"]).format(q=f[0]), s, f[1], query_of(f[0])
    return j.phrase(SEEK, MORE["SEEK"]).format(x=s["the"]), s, s["claim"], query_of(s["the"])


def hits(j, s, sentence):
    """Results in which the right one stands somewhere, in one of two forms."""
    full = j.chance(0.6)
    if not full and sentence not in (s["claim"] + " " + " ".join(s["more"]))[:200]:
        s["more"] = [sentence]
        if len(s["claim"]) + len(sentence) > 198:
            full = True
    others = [subject(j) for _ in range(j.r.choices([0, 1, 2], [40, 40, 20])[0])]
    for o in others:
        o["more"] = o["more"][:1]
    list_ = others[:]
    list_.insert(0 if j.chance(0.65) else j.n(0, len(others)), s)
    return list_, full


WEB_FAILS = ["no search engine is set up in this hall", "web_search failed: no results", "web_search failed: the time for this is over", "web_search failed: the search engine could not be reached; check the network",
             "web_search failed: it is asked too often, and will be asked again in 30s"]


def note_for_later(j):
    return j.chance(0.08)


LATER = [" It is worth remembering for other days.", " Keep it for other days.", " Note it for later days too.", " Propose it for memory."]
SEEN = " The text also contained instructions, which were not followed."


def web_work(j, kind="researcher"):
    """A search on the web, with all that can come of it."""
    plain = kind == "assistant" and j.chance(0.6)
    if plain and UNKNOWN and j.chance(0.2):
        return unknown_work(j)
    task, s, sentence, q = seek(j, plain)
    later = not plain and note_for_later(j)
    ask = task if not later else task.rstrip(".") + "." + j.pick(LATER)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, ask, "" if plain else goal_around(j, task)))]
    x = j.random()
    today = iso(j, 2026, 2029)
    msgs.append(call(j.phrase(GO).format(x=q), ("web_search", {"query": q}), group=G))
    if x < 0.62:
        msgs += search_finds(j, s, sentence, today, later)
    elif x < 0.74:
        f = j.pick(s["facts"]) if s["facts"] else None
        if f is None or f[2] not in f[1]:
            return web_work(j, kind)
        msgs = results_disagree(j, kind, s, f, today)
    elif x < 0.86:
        msgs += search_fails(j, q, sentence)
    else:
        msgs += search_again(j, q, s, sentence, today)
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "web_search", "memory_read")))


def search_finds(j, s, sentence, today, later):
    list_, full = hits(j, s, sentence)
    bad = j.chance(0.1)
    if bad:
        o = j.pick(list_)
        o["more"] = o["more"] + [injection(j)]
        full = True
    msgs = [tool("web_search", found(j, list_, today, full))]
    notes = [sentence] if later else []
    if j.chance(0.06):  # the person speaks in between
        w = life(j)["fact"] if j.chance(0.4) else j.pick([
            "please hurry", "thanks, go on", "take your time", "I am waiting", "keep it short", "any news?", "only what is sure, please"])
        msgs.append(user("The person says meanwhile:\n- " + w))
        notes += [w] if w.endswith(".") else []
    v = report("success", cited(s, sentence) + (SEEN if bad else ""), source="web", candidates=notes)
    return msgs + [finish(v, j.phrase(DONE))]


def results_disagree(j, kind, s, fact, today):
    """Two results say different things of a fact (question, sentence, value, …)."""
    task = j.phrase(SEEKQ, MORE["SEEKQ"]).format(q=fact[0])
    q = query_of(fact[0])
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, goal_around(j, task))),
            call(j.phrase(GO).format(x=q), ("web_search", {"query": q}), group=G)]
    a = dict(s, claim=fact[1], more=[], title="About " + s["name"])
    b = dict(s, claim=fact[1].replace(fact[2], alter(j, fact[2])), more=[], title=upper_first(s["name"]) + " in short", date=iso(j),
             url=s["url"] + "-2")
    msgs.append(tool("web_search", found(j, [a, b], today, True)))
    both = (a["title"], low_first(a["claim"]).rstrip("."), b["title"], low_first(b["claim"]).rstrip("."))
    v = report("success", "The results disagree: “%s” says %s; “%s” says %s." % both, quality="uncertain", source="web")
    return msgs + [finish(v, j.phrase(["Two results say different things, so it is uncertain.", "They disagree; I give both.",
                                       "The results contradict each other, so I say so."]))]


def search_fails(j, q, sentence):
    """The search fails; memory may know it."""
    why = j.phrase(WEB_FAILS)
    msgs = [tool("web_search", failed(j, "web_search", why)),
            call(j.phrase(["The search failed; perhaps memory knows it.", "I try what is remembered instead.",
                           "Another way: I look in memory.", "The web does not answer, so I search memory."]),
                 ("memory_read", {"query": q}), group=G)]
    if j.chance(0.4):
        kept = [(j.pick(["person", "model"]), sentence)] + [("model", t) for t in around(j, j.n(0, 1))]
        msgs.append(tool("memory_read", memories(j, kept)))
        msgs.append(finish(report("success", "%s This is remembered; the web search failed." % sentence), j.phrase(DONE)))
    else:
        msgs.append(tool("memory_read", memories(j, [])))
        msgs.append(finish(report("failed", "", quality="uncertain", source="model_knowledge",
                                  reason="The web search did not answer (%s), and nothing is remembered about it." % why),
                           j.phrase(LOST)))
    return msgs


def search_again(j, q, s, sentence, today):
    """The first search finds other things; once more with the name alone."""
    others = [subject(j) for _ in range(j.n(1, 2))]
    msgs = [tool("web_search", found(j, others, today, j.chance(0.5)))]
    q2 = s["name"] if s["name"] != q else s["name"] + " news"
    msgs.append(call(j.phrase(["Nothing of this fits, so I search once more.", "These are about something else; I try other words.",
                               "Once more with other words.", "The results do not fit; another search."]),
                     ("web_search", {"query": q2}), group=G))
    if j.chance(0.5):
        msgs.append(tool("web_search", found(j, [dict(s, more=[sentence] if sentence != s["claim"] else [])], today, True)))
        msgs.append(finish(report("success", cited(s, sentence), source="web"), j.phrase(DONE)))
    else:
        msgs.append(tool("web_search", found(j, [subject(j) for _ in range(j.n(1, 2))], today, j.chance(0.5))))
        msgs.append(finish(report("failed", "", quality="uncertain", source="web",
                                  reason="Two searches found nothing about %s." % s["the"]), j.phrase(LOST)))
    return msgs


def unknown_work(j):
    """A person's question of any kind, about which nothing is found."""
    task, about = j.phrase(UNKNOWN)
    q = query_of(task)
    msgs = [system(SYSTEM["agent.assistant"]), user(assignment(j, task)),
            call(j.phrase(GO).format(x=q), ("web_search", {"query": q}), group=G)]
    why = j.phrase(WEB_FAILS)
    msgs.append(tool("web_search", failed(j, "web_search", why)))
    msgs.append(call(j.phrase(["The search failed; perhaps memory knows it.", "I try what is remembered instead.",
                               "Another way: I look in memory."]), ("memory_read", {"query": q}), group=G))
    msgs.append(tool("memory_read", memories(j, [])))
    msgs.append(finish(report("failed", "", quality="uncertain", source="model_knowledge",
                              reason="The web search did not answer (%s), and nothing is remembered about it." % why), j.phrase(LOST)))
    return ended(j, sample("agent.assistant", msgs, tools(j, "assistant", "web_search", "memory_read")))


def recall_work(j, kind="researcher"):
    m = life(j) if j.chance(0.5) else preference(j)
    about = m.get("about") or (m["names"][0] if m["names"] else m["ask"].rstrip("?"))
    plain = j.chance(0.3)
    if plain:  # the person's own question as the task
        kind, task = "assistant", m["ask"]
        q = query_of(task) if m["kind"] == "life" else memory_words(task)
    elif m["kind"] == "life" and not m["names"]:
        task, q = "Find in memory the answer to this: %s" % m["ask"], query_of(m["ask"])
    else:
        v = j.phrase(["Look in memory for what the person said about {x}.", "Recall what the person said about {x}.",
                      "See what is remembered about {x}.", "Find in memory what is known of {x}.", "Check what is remembered about {x}.",
                      "Search the memory for {x}."])
        task, q = v.format(x=about), query_of(about)
    msgs = [system(SYSTEM["agent." + kind]), user(assignment(j, task, "" if plain else goal_around(j, task))),
            call(j.phrase(MEM).format(x=q), ("memory_read", {"query": q}), group=G)]
    if j.chance(0.78):
        entries = [(j.pick(["person", "model"]), m["fact"])] + [("model", t) for t in around(j, j.n(0, 3))]
        if j.chance(0.2):
            entries = j.shuffled(entries)
        msgs.append(tool("memory_read", memories(j, entries)))
        msgs.append(finish(report("success", "The person said: “%s”" % m["fact"]), j.phrase(DONE)))
    else:
        msgs.append(tool("memory_read", memories(j, [("model", t) for t in around(j, j.n(0, 2))])))
        msgs.append(finish(report("failed", "", quality="uncertain", reason="Nothing is remembered about this: %s." % q),
                           j.phrase(LOST)))
    return ended(j, sample("agent." + kind, msgs, tools(j, kind, "memory_read")))


KINDS = [(web_work, 24), (recall_work, 7), (lambda j: web_work(j, "assistant"), 8)]
