"""What the committee speaks about: an open question, the person's own words on it, and where a persona stands."""
from .job_base import injection
from .job_chance import first, iso, place
from .job_manner import AGAINST, ANY_CHOICE, ASKS_GENERAL, CHOICE, FOR, GENERAL, NONE, OWN_CAUTION, TOPICS
from .job_more import MORE
from .job_person import around, choice, habit, preference, second, yesno
from .job_world import PREFER, UNKNOWN
from .spans import query_of
from .wording import low, upper_first

FRAMES = ["should i really ", "should i go ahead and ", "should i go with ", "should i ", "shall i ", "is it a good idea to ", "do you think i should ",
          "would it be wise to ", "would it be a mistake to ", "would you go for ", "would you ", "is it time to ", "does it make sense for me to ",
          "is now the moment to ", "ought i to ", "help me decide whether to ", "help me choose for ", "is it all right for me to ", "is it too early to ",
          "can i ", "what if i ", "tell me whether to ", "do i order ", "should it be ", "which should i get for ", "what should i write down for ",
          "what shall it be for ", "i am at the shop: ", "do i need ", "which would i like better for ", "for my ", "would i be happier with ", "what do i want for ", "what should i know about ", "how should i have ",
          "what do you suggest for ", "what should i do about ", "any advice on ", "would you advise me to ", "am i right to ", "what do you think, should i ", "could it be good for me to ", "is there anything against it if i ", "does it suit me to ", "will i be glad if i ", "should i finally ", "i could ",
          "let me know whether i should ", "do i want to ", "would i regret it if i ", "i keep asking myself whether to ", "should i say yes and ", "yes or no: should i ", "is it for me to ", "am i the sort of person who should ", "give me your honest view: should i ",
          "would it make sense to ", "they ask me to ", "what goes better with ", "pick for me: ", "i have to buy something for ", "what would you order for ", "do i prefer ", "which of the two for ", "somebody asks whether i want ", "is it going to be ", "let me choose for ", "if it is about ", "i am thinking about whether to ", "what is better for ", "i can't decide between ", "do you think ", "for my ", "which one for ", "can "]


OPEN_Q = ["What should I do about my {n}?", "What do you suggest for my {n}?", "How should I have my {n}?", "What should I know about my {n}?", "Any advice on my {n}?", "What would suit me for my {n}?",
          "I have to decide about my {n}. What do you say?", "What about my {n}?", "How do I want my {n}?", "What shall I do with my {n} this time?"]
OPEN = {
    "Guardian": ["You said {f} Nothing is at risk as long as you keep to that.", "What is known is {f} The safe way is to keep to it."],
    "Pioneer": ["You said {f} I would build on that and try a little more of it.", "You said {f} It is a start from which you can grow."],
    "Friend": ["You said {f} I would do what feels right to you, and that is it.", "I remember that you said {f} Be kind to yourself and keep to it."],
    "Sceptic": ["I looked it up. You said {f} I know nothing beyond that.", "What is known: you said {f} The rest would be guessing."],
    "Maker": ["You said {f} So the first step is to do just that.", "You said {f} Do it that way; it is the simplest."],
}


def open_matter(j):
    """A question that is open, and the person's own words about it."""
    m = habit(j)
    q = j.phrase(OPEN_Q).format(n=m["title"]) if j.chance(0.6) else m["ask"]
    return {"kind": "open", "ask": q, "fact": m["fact"], "about": m["title"], "you": m["you"]}


def memory_words(q):
    """What a voice looks up: the content words of the question without its frame, by the one rule for searches."""
    low_q = q.lower()
    for f in FRAMES:
        if low_q.startswith(f):
            q = q[len(f):]
            break
    for end in (" what do you say?", " should i?", " is that sensible?", " your opinion?", " what would you do?", " what do i like?", " which?"):
        if q.lower().endswith(end):
            q = q[:-len(end)]
    return query_of(q)


_LITTLE = set("a an the my i me do does or and of to for with in on at is it should shall would go have take get this that so be want what how which when now by from".split())


def quoted(s):
    return "“" + s + "”"


def standing(name, m):
    """Where a persona stands, and its caution: by what is known of the matter."""
    if m["kind"] == "choice":
        c = OWN_CAUTION["Guardian"].format(a=m["avoid"]) if name == "Guardian" else "none"
        return "for", c
    if m["kind"] == "graph":
        return m["side"], "none"
    if m["kind"] == "yesno":
        if m["side"] == "against":
            return (("mixed" if name == "Pioneer" else "against"),
                    (second(m["fact"]).rstrip(".") if name in ("Guardian", "Sceptic") else "none"))
        return ("mixed", "take the smallest step first") if name == "Guardian" else ("for", "none")
    return "none", "none"


def speech(j, name, m, known=True):
    """What a persona says of a matter, with its two last lines."""
    if not known or m["kind"] in ("none", "general"):
        table = GENERAL if m["kind"] == "general" else NONE
        text = j.phrase(table.get(name) or table["Sceptic"]).format(c=m.get("about", "it"))
        return text + "\nPosition: none\nCaution: none"
    pos, caution = standing(name, m)
    if m["kind"] == "choice":
        text = j.phrase(CHOICE.get(name) or ANY_CHOICE)
    elif m["kind"] == "graph":
        text = j.phrase(GRAPH_SPEECH)
    elif m["kind"] == "open":
        text = j.phrase(OPEN.get(name) or OPEN["Sceptic"])
    else:
        text = j.phrase((AGAINST if m["side"] == "against" else FOR).get(name) or [
            "You said {f} So I am %s it." % m["side"], "I go by your own words: {f} That speaks %s it." % m["side"]])
    return fill(text, m) + "\nPosition: %s\nCaution: %s" % (pos, caution)


def fill(text, m):
    return upper_first(text.format(f=quoted(m["fact"]), w=m.get("want", ""), a=m.get("avoid", ""), c=m.get("about", ""), d=second(m.get("do", "")),
                                   W=upper_first(m.get("want", "")), A=upper_first(m.get("avoid", "")), yes=m.get("yes", "")))


GRAPH_SPEECH = ["What is known: {f} {yes}", "I looked it up: {f} {yes}", "The facts say {f} {yes}", "This is known: {f} {yes}", "I asked what is known and found {f} {yes}"]
HELP_Q = ["Can {n} help me with the move in {p}?", "Should I ask {n} to show me around in {p}?", "Should I ask {n} to fetch the parcel in {p}?", "Can {n} water my plants in {p}?",
          "Shall I ask {n} to meet the plumber at my flat in {p}?", "Should I count on {n} for the stall in {p}?", "Could {n} pick me up at the station in {p}?",
          "Should I ask {n} to look at the flat in {p}?", "Is {n} the right one to ask about living in {p}?", "Should I have the keys in {p} left with {n}?"]


def graph_matter(j):
    """A question about somebody and a place, and what the graph knows."""
    n, p = first(j), place(j)
    case = j.n(0, 2)
    other = p
    while other == p:
        other = place(j)
    since = iso(j)
    facts = [(True, n, "lives in", p, since, "")]
    m = {"kind": "graph", "ask": (j.phrase(HELP_Q, MORE["HELP_Q"]) + j.phrase(MORE["HELP_TAIL"])).format(n=n, p=p), "about": n, "people": [n], "locations": [p], "side": "for",
         "fact": "IS %s: lives in %s, since %s" % (n, p, since), "yes": "So %s is there now, and I am for it." % n}
    if case == 1:
        facts = [(True, n, "lives in", other, since, "")]
        m.update(side="against", fact="IS %s: lives in %s, since %s" % (n, other, since),
                 yes="So %s is not in %s, and I am against it." % (n, p))
    if case == 2:
        until = iso(j, 2020, 2025)
        facts = [(False, n, "lives in", p, since, until)]
        m.update(side="against", fact="WAS %s: lives in %s, since %s, until %s" % (n, p, since, until),
                 yes="That is over, so I am against it.")
    if j.chance(0.4):
        facts.append((True, n, j.pick(["works at", "knows", "is the owner of", "is married to"]), first(j), "", ""))
    m["facts"] = facts
    return m


def matter(j):
    """A question for the committee; sometimes typed in small letters."""
    m = asked(j)
    if j.chance(0.06) and m["kind"] != "graph":
        m["ask"] = m["ask"].lower().rstrip("?") if j.chance(0.5) else m["ask"].lower()
    return m


def asked(j):
    x = j.random()
    if x < 0.1 and PREFER:
        return open_matter(j)
    if x < 0.5:
        return choice(j)
    if x < 0.75:
        return yesno(j)
    if x < 0.87:
        return graph_matter(j)
    if x < 0.94:
        m = preference(j)
        m["kind"] = "none"
        return m
    c = j.entity(TOPICS)
    return {"kind": "general", "ask": j.phrase(ASKS_GENERAL).format(c=c), "about": c}


def remembered(j, m):
    """Entries of memory_read in which the person's words stand."""
    text = m["fact"]
    if j.chance(0.6):
        text = "%s\nAsked: %s\nAnswered: %s" % (text, text,
                                                j.pick(["I don't know that.", "Noted.", "Noted: " + low(second(m["fact"])),
                                                        "Thank you, I will keep that in mind."]))
    entries = [("model" if j.chance(0.6) else "person", text)]
    for s in around(j, j.n(0, 3)):
        entries.append((j.pick(["model", "person"]), "%s\nAsked: %s\nAnswered: Noted." % (s, s) if j.chance(0.4) else s))
    if UNKNOWN and j.chance(0.3):
        q = j.phrase(UNKNOWN)[0]
        entries.append(("model", "%s\nAsked: %s\nAnswered: %s"
                        % (q, q, j.pick(["I don't know that offline.", "I could not look that up.", "I don't know that."]))))
    if j.chance(0.25) and len(entries) > 1:  # the best does not always stand first
        entries[0], entries[1] = entries[1], entries[0]
    if j.chance(0.08):
        entries.append(("external", injection(j)))
    return entries
