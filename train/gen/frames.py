"""Wishes for the built-in tools, put together from openings, verbs, places and endings.

Each gives (template, argument) like the written lists of asks.py. The pieces
are lists of their own, so that the last fifth of each is held out.
"""
from .phrases import phrasings
from .sections import more, sections

PIECES = sections("pieces.txt")

# "" stands more than once: most wishes have no opening
OPEN = more(phrasings("""||||can you |could you |please |would you |I'd like you to |I want you to |I need you to |can you please |could you quickly |you should |go ahead and |be so kind and |just |it would be nice if you could |I was wondering if you could |
would it be possible to |help me and |next, |now |do me a favour and |it's time to |let's |you can |I wonder if you could |would you kindly """), PIECES["OPEN"])
OPEN.mended({"can we ": "will you kindly ", "could we ": "could you kindly ", "shall we ": "won't you ", "let us ": "let me ask you to ", "let's ": "I'd like it if you could "})  # not with "show me" after it
END = more(phrasings("|||| for me| please| now, please|, will you?|, thanks| when you can| quickly|, would you| once more| if that's possible|, please and thanks"), PIECES["END"])


# after a person's free words only what cannot belong to them
END_FREE = phrasings("|||||, please|, thanks| please|, will you?|, would you|, please and thanks|. Thanks!")


def wish(r, core):
    """A wish in the imperative with what people put around it."""
    free = core.endswith(("{q}", "{topic}", "{word}"))
    return r.phrase(OPEN) + core + r.phrase(END_FREE if free else END)


# --- files ---

READ_V = more(phrasings("read|open|show me|display|print|view|look at|take a look at|have a look at|go through|load|bring up|pull up|check|read out|get me|let me see|fetch|present|look over|examine|dump|output|give me a look at"), PIECES["READ_V"])
READ_N = phrasings("{path}|{path}|{path}|{path}|the file {path}|my file {path}|the text of {path}|the contents of {path}|what's in {path}|what is written in {path}|the whole of {path}|everything in {path}|the document {path}|the text file {path}|what I wrote in {path}|all of {path}")
READ_Q = more(phrasings("""what does {path} say|what is in {path}|what's in the file {path}|what stands in {path}|what can I read in {path}|what does the file {path} contain|what have I written in {path}|what is {path} about|what did I put into {path}|what's written in {path}|
tell me what {path} says|I want to know what {path} says|I'd like to know what is in {path}|do you know what {path} says|I forgot what {path} says|I need to know what's in {path}|what does it say in {path}|what text is in {path}|how does the text of {path} go|what would I find in {path}"""), PIECES["READ_Q"])
READ_TAIL = more(phrasings("|||| and tell me what it says| and show it to me| and tell me what's there|, I want to read it| so I can read it| and read it to me| and give me the text|, I need its text| and say what it is about|, I can't remember it"), PIECES["READ_TAIL"])


def fs_read(r):
    if r.chance(0.4):
        return r.phrase(READ_Q) + r.pick(("?", "", "?")), None
    v, n = r.phrase(READ_V), r.phrase(READ_N)
    return r.phrase(OPEN) + v + " " + n + (r.phrase(READ_TAIL) if r.chance(0.4) else r.phrase(END)), None


LIST_V = more(phrasings("list|show me|display|print|give me|name|tell me|let me see|get me|find out|enumerate|write out|look up|read me|check"), PIECES["LIST_V"])
LIST_N = phrasings("""the files in {folder}|the contents of {folder}|what's in {folder}|what is in the folder {folder}|everything in {folder}|all files in {folder}|the folder {folder}|which files are in {folder}|all that is in {folder}|the file names in {folder}|the entries of {folder}|
what the folder {folder} holds|what files there are in {folder}|what we have in {folder}|the directory {folder}|what lies in {folder}|the things in the folder {folder}""")
LIST_Q = more(phrasings("""which files are in {folder}|what files does {folder} have|what do I have in {folder}|what's in the folder {folder}|what is there in {folder}|how many files are in {folder}|is there anything in {folder}|what does the folder {folder} contain|which files does {folder} hold|
are there files in {folder}|what did I put into the folder {folder}|what have we got in {folder}|what can I find in {folder}|what is kept in {folder}|which documents lie in {folder}|what sits in the folder {folder}|what files would I find in {folder}"""), PIECES["LIST_Q"])


def fs_list(r):
    if r.chance(0.45):
        return r.phrase(LIST_Q) + r.pick(("?", "", "?")), None
    return wish(r, r.phrase(LIST_V) + " " + r.phrase(LIST_N)), None


SEEK_V = phrasings("search|go through|look through|check|scan|comb through|look in|grep|work through|examine|browse|sift through|run through")
SEEK_N = more(phrasings("my files|all files|my documents|the files here|all my files|every file|the text files|the files|all documents here|the text of my files|everything I have in files|the working folder"), PIECES["SEEK_N"])
SEEK_Q = more(phrasings("""which files mention {word}|in which file is {word}|which file contains {word}|which of my files has {word} in it|where in my files is {word}|is {word} in any of my files|in which files can I find {word}|does a file here contain {word}|what file has {word} in it|
which document mentions {word}|where in the files does {word} stand|in what file did I write {word}|which files have the word {word}|does {word} occur in one of my files|what files talk about {word}"""), PIECES["SEEK_Q"])
SEEK_F = more(phrasings("""which files in {folder} mention {word}|in which file of {folder} is {word}|where in {folder} is {word}|is {word} in any file of {folder}|which file in {folder} contains {word}|does a file in {folder} say {word}|in what file under {folder} does {word} stand|what file in {folder} has {word} in it|
which of the files in {folder} has {word}|where does {word} stand in {folder}"""), PIECES["SEEK_F"])


def fs_search(r):
    both = {"pattern": "{word}", "path": "{folder}"}
    x = r.random()
    if x < 0.3:
        return r.phrase(SEEK_Q) + r.pick(("?", "")), None
    if x < 0.5:
        return r.phrase(SEEK_F) + r.pick(("?", "")), both
    if x < 0.75:
        return wish(r, r.phrase(SEEK_V) + " " + r.phrase(SEEK_N) + " for " + r.pick(("", "", "the word ")) + "{word}"), None
    return wish(r, r.phrase(SEEK_V) + r.pick((" ", " ", " the folder ")) + "{folder} for " + r.pick(("", "", "the word ")) + "{word}"), both


LINES_N = more(phrasings("the first {n} lines of {path}|the top {n} lines of {path}|{n} lines from the beginning of {path}|the opening {n} lines of {path}|the beginning of {path}, {n} lines|only {n} lines from the top of {path}|the first {n} lines in {path}|no more than the first {n} lines of {path}"), PIECES["LINES_N"])
LINES_K = more(phrasings("{path} from line {k} on|{path} starting at line {k}|everything in {path} from line {k}|the rest of {path} from line {k} on|{path} beginning with line {k}|what comes in {path} from line {k} on|{path} from line {k} to the end|the text of {path} after you skip to line {k}"), PIECES["LINES_K"])
LINES_ONE = more(phrasings("line {k} of {path}|only line {k} of {path}|just line {k} in {path}|line number {k} of {path}|line {k} from {path}|the text of line {k} in {path}|nothing but line {k} of {path}"), PIECES["LINES_ONE"])
LINES_KN = more(phrasings("{n} lines of {path} from line {k} on|{n} lines of {path}, starting at line {k}|{path} from line {k}, {n} lines|{n} lines beginning at line {k} of {path}|from line {k} of {path} the next {n} lines|{path}, {n} lines from line {k}|{n} lines from line {k} of {path} onwards"), PIECES["LINES_KN"])
LINES_V = phrasings("show me|read|give me|print|I need|display|let me see|read me|get|I want to see|output|tell me|open")


def fs_read_lines(r):
    n, k = {"path": "{path}", "limit": "{n}"}, {"path": "{path}", "offset": "{k}"}
    forms, arg = r.weighted([(3, (LINES_N, n)), (3, (LINES_K, k)), (2, (LINES_ONE, dict(k, limit="1"))),
                             (3, (LINES_KN, dict(k, limit="{n}")))])
    return r.phrase(LINES_V) + " " + r.phrase(forms) + r.phrase(END), arg


# --- the web ---

WEB_V = phrasings("""search the web for|look on the web for|google|search online for|do a web search for|search the internet for|look online for|check the web for|run a web search for|find me something online about|look on the internet for|have a look online for|find out online about|
use the web to find out about|see what the web says about|look around the web for|ask the web about|do some research online on|get me information from the web on|query the web for|look on the net for""")
WEB_T = phrasings("{topic}|{topic}|{topic}|{topic}|the {topic}|news about {topic}|the latest on {topic}|information on {topic}|{topic} in {place}|prices for {thing}|reviews of {topic}|pictures of {topic}|the history of {topic}|facts about {topic}|a good {thing}")
WEB_Q = phrasings("""what is new with {topic}|what happened with {topic} this week|how much does a {thing} cost|who is behind {topic}|when does {topic} begin|why did {topic} get so big|where can I buy a {thing} in {place}|how do people in {place} use a {thing}|what do experts say about {topic}|is {topic} still going on|
when did {topic} end|who started {topic}|which {thing} do testers like best|what is the weather in {place}|how many people live in {place}|who is the mayor of {place}|how do I repair a {thing}|what does a {thing} weigh|is there a {thing} for sale in {place}|what is {topic} about|
what's the price of a {thing} in {place}|how long does {topic} last|what are the rules of {topic}|when is {topic} in {place}|what language do they speak in {place}""")
WEB_TAIL = more(phrasings("|||| look it up online.| search the web.| google it.| check the web.| the internet should know.| see what you find online.| use the web.| find it on the web."), PIECES["WEB_TAIL"])


def web_search(r):
    """The searched piece is marked by {q}: the caller says what it is."""
    if r.chance(0.45):
        q = r.phrase(WEB_Q)
        tail = r.phrase(WEB_TAIL)
        return "{q}" + ("?" if tail or r.chance(0.6) else "") + tail, q
    return wish(r, r.phrase(WEB_V) + " {q}"), r.phrase(WEB_T)


FETCH_V = phrasings("read|open|fetch|visit|load|go to|look at|check|get|show me|have a look at|take a look at|see|browse to|pull up|bring up|access|download the text of|read me|go through")
FETCH_N = phrasings("{url}|{url}|{url}|{url}|the page {url}|this page: {url}|the site {url}|this link: {url}|the article at {url}|the address {url}|the web page {url}|what's on {url}|the text of {url}|this: {url}")
FETCH_Q = more(phrasings("""what does {url} say|what is on {url}|what's {url} about|what can I read on {url}|what does the page {url} say|what is written on {url}|what stands on {url}|what do they say on {url}|what is the page {url} about|tell me what {url} says|I want to know what {url} says|
can you tell me what is on {url}|what's at {url}|what would I find on {url}|what is this page about: {url}"""), PIECES["FETCH_Q"])


def web_fetch(r):
    if r.chance(0.45):
        return r.phrase(FETCH_Q) + r.pick(("?", "")), None
    return r.phrase(OPEN) + r.phrase(FETCH_V) + " " + r.phrase(FETCH_N) + (r.phrase(READ_TAIL) if r.chance(0.4) else ""), None


# --- memory and notes ---

TOLD_A = phrasings("what did I|what have I|what had I|what was it that I|did I ever|have I ever|what exactly did I|do you know what I|can you tell me what I|do you still know what I|tell me what I|remind me what I")
TOLD_B = {"did": phrasings("tell you|say|mention|say to you|tell you once|explain to you|let you know|report|say earlier|tell you lately"), "have": phrasings("told you|said|mentioned|said to you|told you before|explained to you|let you know|reported|said earlier|told you lately")}
ABOUT = phrasings("about|about|about|regarding|concerning|on|on the subject of|about|with regard to|when it comes to|as to|in connection with")
WHEN = phrasings("||||last time|before|the other day|last week|once|some time ago|in an earlier conversation|a while ago|recently|last month|when we talked")
REMEMBER = more(phrasings("""what do you remember about {topic}|do you remember {topic}|what is in your memory about {topic}|what do you recall about {topic}|search your memory for {topic}|look into your memory for {topic}|check your memory for {topic}|is {topic} in your memory|what has been remembered about {topic}|
do you recall anything about {topic}|what do we have in memory on {topic}|have you kept anything about {topic}|go through your memory for {topic}|have we ever talked about {topic}|what did we say about {topic}|recall what you can about {topic}|what have you stored about {topic}"""), PIECES["REMEMBER"])


def memory_read(r):
    if r.chance(0.4):
        return r.phrase(REMEMBER) + r.pick(("?", "")), "{topic}"
    a = r.phrase(TOLD_A)
    before = a.split(" ")[-2]
    verb = "have" if before in ("have", "had") or a == "have I ever" else "told" if before in ("what", "that") else "did"
    b = r.phrase(TOLD_B["did" if verb == "did" else "have"])
    when = r.phrase(WHEN)
    if when and b.endswith((" once", " earlier", " lately", " before")):
        when = ""
    # not behind the topic: there it could be one of its words
    return a + " " + b + (" " + when if when else "") + " " + r.phrase(ABOUT) + " {topic}" + r.pick(("?", "")), "{topic}"


NOTES_V = phrasings("search|look in|check|go through|look through|scan|look into|browse|flip through|comb through|run through|dig through|consult")
NOTES_N = phrasings("my notes|my notes|my notes|the notes|my own notes|my notebook|all my notes|the notes I took|my written notes|my note collection")
NOTES_Q = more(phrasings("""what do my notes say about {topic}|is there anything in my notes about {topic}|do I have notes on {topic}|what did I note about {topic}|which of my notes mention {topic}|is {topic} in my notes|what is in my notes on {topic}|have I noted anything about {topic}|
what have I got in my notes about {topic}|do my notes mention {topic}|where in my notes is {topic}|what did I write in my notes about {topic}|is there a note on {topic}|what note do I have about {topic}|did I take notes on {topic}"""), PIECES["NOTES_QUESTION"])


def notes_search(r):
    if r.chance(0.5):
        return r.phrase(NOTES_Q) + r.pick(("?", "")), None
    return wish(r, r.phrase(NOTES_V) + " " + r.phrase(NOTES_N)
                + r.pick((" for {topic}", " for {topic}", " for anything about {topic}", " for something on {topic}"))), None


# --- calendar and clock ---

CAL_Q = more(phrasings("""what do I have|what's on|is there anything in my calendar|do I have any appointments|am I free|am I busy|any meetings|what's in my calendar|what is planned|do I have anything|have I got something|what appointments are there|what have I planned|who am I meeting|
what does my calendar say for|is anything on|do I have time|how does my calendar look|which appointments do I have|is something planned|where do I have to be"""), PIECES["CAL_Q"])
CAL_V = phrasings("show me my calendar for|read my calendar for|list my appointments for|check my calendar for|tell me what I have|give me my schedule for|look at my calendar for|tell me my appointments for|read me my diary for|show my meetings for|look up my appointments for|see what's in my diary for")
DAYS = [("today", "today", "today"), ("tomorrow", "tomorrow", "tomorrow"), ("yesterday", "yesterday", "yesterday"), ("on {day}", "{day}", "{day}"), ("on {day}", "{day}", "{day}"), ("on {day}", "{day}", "{day}"),
        ("from {day} to {day2}", "{day}", "{day2}"), ("between {day} and {day2}", "{day}", "{day2}"), ("from {day} until {day2}", "{day}", "{day2}")]


def calendar_read(r):
    when, a, b = r.pick(DAYS)
    if r.chance(0.6):
        q = r.phrase(CAL_Q)
        t = q + " " + (when[3:] if q.endswith(" for") and when.startswith("on ") else when) + r.pick(("?", ""))
    else:
        v = r.phrase(CAL_V)
        t = wish(r, v + " " + (when[3:] if v.endswith(" for") and when.startswith("on ") else when))
        if v.endswith(" for") and when.startswith(("from", "between")):
            t = t.replace(" for " + when, " " + when)
    return t, {"from": a, "to": b}


TIME_Q = more(phrasings("what time is it|what's the time|how late is it|what is the current time|tell me the time|which time is it|what time do they have|give me the time|I need the time|what hour is it|how late do they have it|do you know the time|what does the clock say|can you tell me the time|what is the local time|check the time"), PIECES["TIME_Q"])
TIME_W = more(phrasings(" in {zone_city}| in {zone_city}| right now in {zone_city}| over in {zone_city}| in {zone_city} now| at the moment in {zone_city}| for people in {zone_city}| in {zone_city} at this moment| there in {zone_city}"), PIECES["TIME_W"])


def now(r):
    if r.chance(0.75):
        return r.phrase(TIME_Q) + r.phrase(TIME_W) + r.pick(("?", "")), {"zone": "{zone}"}
    return (r.phrase(TIME_Q).replace(" do they have", " is it").replace(" do they have it", " is it")
            + r.pick(("?", "", " now?", " here?")), {})


# --- people ---

PERSON_Q = more(phrasings("""who is {person}|where does {person} live|where does {person} work|what do you know about {person}|what does {person} do for a living|is {person} married|where is {person} from|what do we know about {person}|tell me about {person}|which facts do we have on {person}|what is known about {person}|
who does {person} work for|in which city does {person} live|what is {person}'s job|who is {person} married to|what can you tell me about {person}|has {person} moved|which company does {person} work for|does {person} have a family|what are the facts about {person}|what town does {person} live in"""), PIECES["PERSON_Q"])
PAIR_Q = phrasings("""do {person} and {person2} know each other|how are {person} and {person2} related|are {person} and {person2} married|does {person} work with {person2}|what connects {person} and {person2}|is {person} related to {person2}|what do {person} and {person2} have in common|are {person} and {person2} friends|
does {person} know {person2}|is {person} the boss of {person2}|have {person} and {person2} met|do {person} and {person2} live together""")
PLACE_Q = phrasings("who lives in {place}|whom do I know in {place}|do I know anyone in {place}|who do we know in {place}|which people are in {place}|what do we know about the place {place}|who works in {place}|is there somebody I know in {place}|who of my friends lives in {place}|do we know somebody in {place}")
BOTH_Q = phrasings("does {person} live in {place}|is {person} still in {place}|did {person} move to {place}|does {person} work in {place}|was {person} ever in {place}|has {person} left {place}|what does {person} do in {place}|since when does {person} live in {place}|how long has {person} been in {place}")


def graph_search(r):
    one, two, place = {"people": ["{person}"]}, {"people": ["{person}", "{person2}"]}, {"locations": ["{place}"]}
    forms, arg = r.weighted([(4, (PERSON_Q, one)), (3, (PAIR_Q, two)), (2, (PLACE_Q, place)), (2, (BOTH_Q, dict(one, **place)))])
    return r.pick(("", "", "", "do you know: ", "quick question: ", "hm, ")) + r.phrase(forms) + r.pick(("?", "?", "")), arg


def ask(r, name, phrases, share=0.4):
    """A written phrasing, or one that is put together."""
    return MAKERS[name](r) if r.chance(share) else r.phrase(phrases)


MAKERS = {"fs_read": fs_read, "fs_list": fs_list, "fs_search": fs_search, "fs_read_lines": fs_read_lines, "web_fetch": web_fetch,
          "memory_read": memory_read, "notes_search": notes_search, "calendar_read": calendar_read, "now": now,
          "graph_search": graph_search}
