"""Small jobs with a schema: naming, extracting, reading a turn, feedback, choosing tools, page summaries, notes, the gate, the probe.

All but the gate are asked with thinking off. Their answers are copied out of
the text wherever that can be.
"""
import json
import os

from .job_base import (ROOT, SCHEMA, SENTENCES, TEXT, TOOLS, as_json, cap, coined, day_words, first, injection, iso, learn, low, place, sample,
                       system, user)
from .job_piece import path
from .job_world import ASKS, LIBRARY, SMALLTALK, around, book, life, preference, readable, second, software, stop, subject, thing, told, topic

G = "memory"


def marked(text):
    return "<text>\n" + text + "\n</text>"


# Naming: the name is what the note is about, the description its first sentences.

FILLER = ["It was a long day.", "More about it next week.", "I must not forget this.", "That is all for now.", "Ask again in spring.", "The rest is in the folder.", "Not sure about the details.", "See also the list on the fridge.",
          "We talked about it twice.", "Nobody else knows it yet.", "It took the whole morning.", "This is important.", "The weather was fine.", "I wrote this down at once.", "Somebody should look into it.", "To be continued."] + SENTENCES
HEADS = ["# {t}", "{t}", "## {t}", "{t}:", "Title: {t}", "{t}\n====="]


def note(j):
    """A note with its name and description."""
    x = j.random()
    if LIBRARY and j.chance(0.25):
        n, sents, _ = book(j)
        if n.lower() in sents[0].lower():
            return cap(n), sents[0], sents[:6]
    if x < 0.45:
        s = topic(j, k=j.n(1, 4))
        name = cap(s["name"])
        body = [s["claim"]] + s["more"]
        desc = s["claim"]
    elif x < 0.65:
        s = software(j)
        name, body = s["name"], [s["claim"]] + s["more"]
        desc = s["claim"]
    elif x < 0.85:
        m = life(j)
        body = [m["fact"]]
        title = m.get("title", "")
        name, desc = cap(title if title and title.lower() in m["fact"].lower() else m["fact"].rstrip(".")), m["fact"]
    else:
        m = preference(j)
        body = [m["fact"]]
        name, desc = cap(m["about"]), m["fact"]
    return name, desc, body


def naming(j):
    name, desc, body = note(j)
    text = " ".join(body)
    if j.chance(0.3):  # a heading names it
        name = j.pick(["Notes on %s", "%s", "About %s", "Meeting: %s", "Facts: %s", "Idea: %s"]) % (low(thing(j)) if j.chance(0.4) else coined(j).capitalize())
        text = j.pick(HEADS).format(t=name) + "\n\n" + text
    if j.chance(0.5):
        text += " " + " ".join([j.phrase(FILLER) for _ in range(j.n(1, 3))])
    if j.chance(0.3):
        text += "\n\n" + " ".join(around(j, j.n(1, 4)))
    if j.chance(0.1):
        text += " " + injection(j)
    v = {"name": " ".join(name.split()[:10]), "description": desc}
    return sample("naming", [system(TEXT["memory.nameTask"]), user(marked(text)), as_json(v, off=True, group=G)], schema=SCHEMA["memory.name"])


def question(j, q):
    """A question from its indirect form."""
    return cap(j.phrase(["{q}?", "Can you tell me {q}?", "{q}", "I want to know {q}.", "Do you remember {q}?", "Tell me {q}", "Do you know {q}?", "please say {q}"]).format(q=q))


def extracting(j):
    """Copy, word for word, the sentences that answer."""
    s = readable(j)
    q, sentence, _, _ = j.pick(s["facts"])
    wanted = [sentence]
    rest = [t for t in [s["claim"]] + s["more"] if t != sentence]
    ask = question(j, q)
    if j.chance(0.25):
        m = life(j)
        ask, wanted, rest = m["ask"], [m["fact"]], []
    elif j.chance(0.15) and len(s["facts"]) > 1:
        f, g = j.some(s["facts"], 2)
        ask, wanted = question(j, f[0] + " and " + g[0]), [f[1], g[1]]
        rest = [t for t in [s["claim"]] + s["more"] if t not in wanted]
    others = []
    room = j.n(300, 1600)
    if LIBRARY and j.chance(0.3):
        others += book(j)[1]
    while sum(map(len, others)) < room:
        o = subject(j)
        others += [o["claim"]] + o["more"] + around(j, 2) + [j.phrase(FILLER)]
        others = [t for t in others if t not in wanted]
    none = j.chance(0.15)
    pool = j.shuffled(others + rest)
    if not none:
        at = sorted(j.n(0, len(pool)) for _ in wanted)
        for i, w in zip(reversed(at), reversed(wanted)):
            pool.insert(i, w)
    if j.chance(0.1):
        pool.insert(j.n(0, len(pool)), injection(j))
    text, line = "", ""
    for t in pool:
        line = line + " " + t if line else t
        if j.chance(0.25):
            text, line = text + line + j.pick(["\n", "\n\n"]), ""
    v = {"quotes": [] if none else wanted}
    return sample("extracting", [system(TEXT["memory.extractTask"] + ask), user(marked((text + line).strip())), as_json(v, off=True, group=G)], schema=SCHEMA["memory.extract"])


ACKS = ["Noted.", "I will remember that.", "Thank you, I have noted it.", "Understood.", "I don't know that.", "All right.", "Noted: {y}", "Good to know."]
REQUESTS = [("Read {f}.", "{f}", "The file says: {w}."), ("Write {w} to {f}.", "{f}", "I wrote {w} to {f}."), ("Search the web for {t}.", None, "{c}"), ("Remind me to call {n}.", "{n}", "I will remember that."),
            ("Send {n} the list {f}.", "{n}", "I cannot send mail."), ("Calculate {a} * {b}.", None, "{a} * {b} = {ab}."), ("List the files in {f}.", "{f}", "There are {a} files."), ("Translate {w} into French.", None, "I don't know that offline."),
            ("Book a table at {W} for {n}.", "{W}", "I have no tool for that."), ("Please look up {t}", None, "{c}"), ("Add {w} to the shopping list", None, "Done: {w} is on the list."), ("Draft a mail to {n} about {t}.", "{n}", "Dear {n}, this is about {t}.")]
SMALL = ["Hello", "Hi, how are you?", "Good morning", "Good evening", "Nice to meet you", "See you tomorrow", "What's up?", "Have a nice day", "Goodbye", "hey", "Hi there!", "Good night"]
FEEDBACK = ["That's wrong.", "That is right.", "Good answer.", "Well done", "That's not what I asked.", "Too long.", "Perfect", "That helped", "You misunderstood me.", "Great answer, thanks", "That is not correct.", "Good job!"]


_PREFER = (" i prefer ", " i like ", " i love ", " i hate ", " i dislike ", " i don't like ", " i'd rather ", " my favourite ", " my favorite ", " i can't stand ", " i am allergic ", " i'm allergic ", " i always want ",
           " i never want ", " from now on ", " always use ", " never use ")


def prefers(text):
    """Whether somebody states a taste or a fact, as the hall's own rules see it."""
    t = " " + text.lower() + " "
    return "preference" if any(p in t for p in _PREFER) else "statement"


_GREET = set("hi hello hey ok okay so well oh hallo moin yo greetings thanks thank you".split())
_ASKW = set("what when where who whom whose which why how is are was were do does did can could will would should has have had am may might".split())
_ORDERS = set("""write make create send show tell give find search look list explain summarize summarise translate add remove delete remember remind schedule book call open run draw compare calculate compute plan draft check fix help set
turn play stop start update read convert generate describe suggest recommend forget save store note rename move copy cancel order buy""".split())


def intent_of(text):
    """What the hall's own rules (internal/memory/passage) take words for."""
    w = "".join(c if c.isalnum() or c in "'’-" else " " for c in text.lower()).split()
    while w and w[0] in _GREET:
        w = w[1:]
    s, asks = " " + " ".join(w) + " ", text.rstrip().endswith("?")
    if not w:
        return "smalltalk"
    if s.startswith((" can you ", " could you ", " would you ", " will you ", " please ")) or any(p in s for p in (" i want you to ", " i need you to ", " i'd like you to ", " help me ")):
        return "request"
    if not asks and (w[0] in _ORDERS or w[0] == "please"):
        return "request"
    if not asks and prefers(text) == "preference":
        return "preference"
    if asks or w[0] in _ASKW and len(w) > 1:
        return "question"
    return "statement"


def reading(j):
    """One turn: intent, entities, summary, relations."""
    x = j.random()
    rels = []
    if x < 0.3:
        m = life(j)
        q, a, intent = m["fact"], j.pick(ACKS).format(y=second(m["fact"])), prefers(m["fact"])
        entities = m["names"]
        rels = [m["rel"]] if m["rel"] else []
        if j.chance(0.3):
            m2 = life(j)
            q += " " + m2["fact"]
            entities = entities + [n for n in m2["names"] if n not in entities]
            rels += [m2["rel"]] if m2["rel"] else []
            intent = prefers(q)
        summary = "The person said: " + q
    elif x < 0.45:
        m = preference(j)
        q, a, intent = m["fact"], j.pick(ACKS).format(y=second(m["fact"])), "preference" if m["kind"] == "choice" else "statement"
        entities, summary = [], "The person said: " + q
    elif x < 0.72:
        s = readable(j)
        f = s["facts"][0]
        q = question(j, f[0]) if j.chance(0.6) else j.pick(["What is new about %s?", "What do you know about %s?", "What happened to %s?"]) % s["the"]
        known = j.chance(0.75)
        ans = f[1] if f[0] in q or low(f[0]) in low(q) else s["claim"]
        a = ans if known else j.pick(["I don't know that.", "I don't know that offline.", "Nothing is remembered about it."])
        if q.startswith(("Tell me", "please say", "Please say")):
            intent = "request"
        else:
            intent = "question"
        if not q.endswith(("?", ".")):
            q += "?" if intent == "question" else ""
        entities = [s["name"]]
        if known and f[2][:1].isupper() and f[2] in ans:
            entities.append(f[2])
        if known and ans == s["claim"] and s["place"]:
            entities.append(s["place"])
        summary = "The person asked: %s The answer was: %s" % (q, a)
    elif x < 0.8 and ASKS:
        q, names = told(j, j.pick(list(ASKS)))
        intent = intent_of(q)
        entities = [n for i, n in enumerate(names) if n not in names[:i]]
        a = j.pick(["I don't know that.", "Done.", "I could not do that: the tool failed.", "Here it is: " + coined(j) + ".", subject(j)["claim"], "I don't know that offline."])
        summary = "The person %s: %s The answer was: %s" % ("asked" if intent == "question" else "said" if intent in ("statement", "preference") else "wanted", stop(q), a)
    elif x < 0.88:
        w, n, t, f, W = coined(j), first(j), subject(j), path(j), coined(j).capitalize()
        aa, bb = j.n(2, 99), j.n(2, 99)
        v, e, ans = j.phrase(REQUESTS)
        fill = dict(w=w, n=n, t=t["the"], f=f, W=W, a=aa, b=bb, ab=aa * bb, c=t["claim"])
        q, a, intent = v.format(**fill), ans.format(**fill), "request"
        entities = [e.format(**fill)] if e else []
        if "{W}" in v and "{n}" in v:
            entities = [W, n]
        elif "{n}" in v and "{f}" in v:
            entities = [n, f]
        elif "{t}" in v:
            entities = entities + [t["name"]]
        summary = "The person wanted: %s The answer was: %s" % (q, a)
    elif x < 0.94:
        q = j.phrase(SMALL)
        a, intent, entities, summary = j.pick(["Hello! How can I help?", "Hi!", "Goodbye!", "I am well, thank you."]), "smalltalk", [], "The person made small talk: " + q
    else:
        q = j.phrase(FEEDBACK)
        a, intent, entities, summary = j.pick(["Thank you.", "I am sorry about that.", "Noted."]), "feedback", [], "The person judged the answer before: " + q
    v = {"intent": intent, "entities": entities, "summary": summary, "relations": [dict(zip(("subject", "relation", "object"), r)) for r in rels]}
    text = "Asked: %s\nAnswered: %s" % (q, a)
    return sample("reading", [system(TEXT["memory.readTask"]), user(marked(text)), as_json(v, off=True, group=G)], schema=SCHEMA["memory.read"])


# Feedback in words.

POSITIVE = """That's right.|That is correct.|Exactly!|Perfect, that's it.|yes, that's what I meant|Good answer.|Great answer!|that helped a lot|That was helpful, thanks|You got it right|spot on|Correct.|Yes, correct
well done|nice work|Good job on that one|brilliant, exactly what I needed|that works|It works now, thanks to you|that solved it|This is just what I was looking for|you nailed it|Right answer
Thanks, that is exactly it|Your answer was right|That answer is very good|I love that answer|Excellent answer|That's useful|very helpful answer|true, well answered|yep that's right|Yes! That fixed it
much better|Now it is right|that's better now|great, that is correct|bingo|Super, that was right|Perfect|Well answered|This is right|that did the trick|I checked it and you were right|You were right about that
Right, thanks for the good answer|couldn't be better|Very good, that's the right one|That is a good summary|good find|That is the one I wanted|Impressive, all correct|Nice, accurate and short|exactly right, thank you
ok that is indeed correct|I tried it and it works|the number is right|the date you gave is correct|thumbs up for that answer|5 stars for this|that answer helped me|clear and correct|precisely|Spot on, as always
you understood me perfectly|that is what I asked for|best answer so far|Great, it worked|This helped|Looks right to me|this is correct indeed|good explanation|I like how you answered that|Your answer is perfect""".replace("\n", "|").split("|")
NEGATIVE = """That's wrong.|That is not correct.|No, that's not it.|wrong|Wrong answer.|that's not what I asked|You misunderstood me|Not what I meant|no, that is false|This doesn't help|that didn't help at all|useless answer
Your answer is wrong|You made a mistake|that can't be right|incorrect|The number is wrong|the date you gave is wrong|no no no|nope, wrong|That's nonsense|This is rubbish|You got that wrong|bad answer|Terrible answer
I asked for something else|you didn't answer my question|That does not answer my question|too long, I only wanted a number|Too short to be of use|It does not work|that didn't work|still wrong|still not right|wrong again
you are mistaken|I don't think that is right|That is simply not true|you invented that|You made that up|that's outdated|This is not helpful|not helpful|not useful|no, the other one|You forgot half of it|You left out the price
that answer makes no sense|I wanted the summary, not the whole text|you read the wrong file|That is the wrong file|You searched for the wrong thing|no, I meant the other Ana|this is not what I was looking for|That was no help
Disappointing answer|poor answer|completely off|way off|off topic|you are not listening|I said blue, not green|that's the opposite of what I asked|Please stop guessing, that's wrong|It is wrong, check again|thumbs down
1 star for this|That was a bad summary|it failed again because of your answer|the code you gave doesn't run|your code has an error|This is incomplete|half of this is wrong|not correct, sorry|Sorry but that is wrong
hm, that's wrong I think|No. That's not right|false|this isn't right|that isn't what I wanted|you didn't understand|I never said that|You contradict yourself|that was the wrong answer|You missed the point
that's not my address|The capital is a different one, you are wrong|no, it is not closed on Mondays|you got the name wrong|wrong city|wrong year|The answer is too vague to be of use|That does not help me""".replace("\n", "|").split("|")
NEITHER = """Thanks|Thank you!|thanks a lot|ok|Okay|I see|Hello|Good morning|And what about tomorrow?|What is the capital of Chad?|Now read notes.txt|How long is it?|and its population?|tell me more|Please go on|Yes|No
no thanks|yes please|Blue|The second one|at 9 o'clock|In Lisbon|My name is Ana|I live in Oslo|What time is it?|search the web for tram times|Save that to list.txt|Write it down|Can you repeat that?|why?|Why is that?
Who told you?|Are you sure?|where did you find it?|I like this bridge|It is a beautiful town|That bridge is ugly|What a sad story|the film was bad|I hate rain|Lemon is terrible in tea|The mayor is wrong about this|I disagree with the mayor
Good night|bye|see you|haha|lol|hm|hmm|interesting|wow|really?|oh|ah ok|got it|understood|I will try it tomorrow|let me think|wait|one moment|stop|next|continue|the first|both|neither|maybe|perhaps later|I don't know
remind me tomorrow|delete the file|open config.yaml|list the folder|what's 12 times 7?|translate it into German|make it shorter|Explain it for a child|give me an example|Add milk to the list|call me Bo|what can you do?|who are you?
I am tired today|my dog is ill|It rains here|The train was late|I had eggs for breakfast|what is wrong with my car?|Is this right for my tea?|is that correct?|Is that helpful for beginners?|what is the right way to Porto?
Which answer is better, A or B?|How do I fix a wrong date in git?|find the mistake in main.py|The old road was better|I prefer tea|No lemon please|I need a perfect gift for Ana|How good is that school?|Show me good hotels|nice weather today
My flight is cancelled|remember that I am allergic to nuts|Do you think it works?|Will it help against colds?|does that work on Linux too?|Can this be wrong?|and on Sunday?|In euros, please|how much is that in pounds?|same for Berlin""".replace("\n", "|").split("|")
TAILS = ["", "", "", "", " :)", "!", " thanks", " Thank you.", ".", " ...", "!!"]
HEADS_P = ["", "", "", "", "ok, ", "Hm, ", "well, ", "oh, ", "I think ", "Yes, ", "Sorry, ", "ah, "]


def feedback(j):
    verdict = j.r.choices(["positive", "negative", "none"], [28, 32, 40])[0]
    words = {"positive": POSITIVE, "negative": NEGATIVE, "none": NEITHER}[verdict]
    text = j.phrase(words)
    s = readable(j)
    f = s["facts"][0]
    if verdict == "none" and SMALLTALK and j.chance(0.12):
        text = j.phrase(SMALLTALK)["ask"]
    elif verdict == "none" and j.chance(0.35):
        o = readable(j)
        text = j.pick([question(j, o["facts"][0][0]), life(j)["fact"], preference(j)["fact"], preference(j)["ask"], "Search the web for %s." % o["the"], "And %s?" % o["facts"][0][0], o["claim"]])
    elif verdict == "negative" and j.chance(0.2):
        text = j.pick(["No, it is {v}.", "Wrong, {t} is something else.", "that's not the {k}", "The {k} is wrong.", "no, you mixed up {t} with another one", "Not {v}! Look again."]).format(v=f[2], t=s["the"], k=f[3])
    elif verdict == "positive" and j.chance(0.2):
        text = j.pick(["Yes, {v} is right.", "right, {t} it is", "The {k} is correct, thanks.", "{v}, exactly!", "Good, that is the {k} I was looking for."]).format(v=f[2], t=s["the"], k=f[3])
    if verdict != "none" and j.chance(0.35):
        text = j.pick(HEADS_P[:6]) + low(text) + j.pick(TAILS)
    if j.chance(0.2):
        text = text.lower()
    if j.chance(0.1):
        text = text.rstrip(".!?")
    answer = j.pick([f[1], s["claim"], "I don't know that.", "The file says: " + coined(j), life(j)["you"], s["claim"] + " " + " ".join(s["more"])])
    msgs = [system(TEXT["reward.saidTask"]), user("<answer>\n%s\n</answer>\n<person>\n%s\n</person>" % (answer, text)), as_json({"verdict": verdict}, off=True, group=G)]
    return sample("feedback", msgs, schema=SCHEMA["reward.said"])


# Choosing tools.

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


def _foreign():
    out = []
    base = os.path.join(ROOT, "train", "data")
    for name in sorted(os.listdir(base)) if os.path.isdir(base) else []:
        if name.startswith("tools-") and name.endswith(".jsonl"):
            with open(os.path.join(base, name), encoding="utf-8") as f:
                out += [json.loads(l) for l in f if l.strip()]
    return [t for t in out if not t.get("held")], [t for t in out if t.get("held")]


FOREIGN, FOREIGN_HELD = _foreign()


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


# A web page in short.

def summing(j):
    s = readable(j)
    q, sentence, _, attr = j.pick(s["facts"])
    mode = j.random()
    body = [s["claim"]] + s["more"]
    other = []
    for t in j.some([subject(j), subject(j), subject(j)], j.n(0, 3)):
        other += [t["claim"]] + t["more"][:1]
    extra = [j.phrase(FILLER) for _ in range(j.n(0, 3))]
    if LIBRARY and j.chance(0.3):
        extra = book(j)[1][:3] + extra
    if LIBRARY and j.chance(0.2):  # a page of real prose about the thing itself
        n, sents, _ = book(j)
        s = dict(s, name=n, the=n, title=cap(n), claim=sents[0], more=sents[1:4], place="", url="https://wiki.example/" + "-".join(n.lower().split()))
        body, mode = [s["claim"]] + s["more"], max(mode, 0.5)
    if mode < 0.5:  # a question that one sentence answers
        ask = j.pick(["%s", "%s?", "what is the " + attr + " of " + s["the"], attr + " of " + s["the"], s["name"] + " " + attr]).replace("%s", q)
        claim, conf, rest = sentence, 0.9, [t for t in body if t != sentence]
    elif mode < 0.82:  # news about a thing
        ask = j.pick([s["name"], "latest " + s["name"], s["name"] + " news", "What is new about %s?" % s["the"], s["the"], s["name"] + " " + s["place"] if s["place"] else s["name"]])
        claim, conf, rest = s["claim"], 0.9, s["more"]
    else:  # the page is about something else
        o = readable(j)
        ask = j.pick([o["facts"][0][0], o["name"], "What is new about %s?" % o["the"], o["facts"][0][3] + " of " + o["the"]])
        claim, conf, rest = "The page does not answer the question.", 0.0, [s["claim"]]
    rest = rest[:3]
    sents = body[:]
    if j.chance(0.5):
        sents += other
    sents += extra
    lines = [s["title"]] if j.chance(0.5) else []
    if j.chance(0.4):
        lines += j.some(["Home | News | About", "Accept all cookies", "Subscribe to our newsletter", "Menu", "Share this page", "Advertisement", "Read more", "Log in"], j.n(1, 3))
    paragraph = ""
    for t in sents:
        paragraph = paragraph + " " + t if paragraph else t
        if j.chance(0.5):
            lines.append(paragraph)
            paragraph = ""
    if paragraph:
        lines.append(paragraph)
    if j.chance(0.25):
        lines.insert(j.n(0, len(lines)), injection(j))
    date = s["date"]
    text = "Today is %s.\nQuestion: %s\nTitle: %s\nAddress: %s\n" % (iso(j, 2026, 2029), ask, s["title"], s["url"])
    if date:
        text += "Page dated: %s\n" % date
    text += "The page, each line after a mark:\n" + "".join("> %s\n" % l for l in lines)
    v = {"claim": claim, "confidence": conf, "date": date if conf else "", "summary": " ".join(rest) or claim}
    return sample("summing", [system(TEXT["search.instructions"]), user(text), as_json(v, off=True, group=G)], schema=SCHEMA["search.summary"])


KINDS = [(naming, 12), (extracting, 16), (reading, 18), (feedback, 14), (selecting, 12), (summing, 16)]
