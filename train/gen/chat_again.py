"""Follow-ups that repeat a call with another value, corrections, and questions back."""
import datetime
import re

from . import files, tools_foreign
from .chat_calc import OFFSETS, answer_number, evaluate, now_text
from .chat_call import make_call
from .chat_files import FOUND_THINK, entries, file_again, last_read, list_text, say_list, show_text
from .chat_people import RELATIONS, REL_ASK, calendar_answer, graph_answer, rel_object
from .chat_read import read_sheet
from .chat_web import hit, news, page_answer, search_answer, title
from .conv import speak
from .frames import PIECES
from .messages import check_text
from .phrases import Phrases, bars, phrasings
from .refer_words import LATE, REFER
from .sections import more
from .tools_forms import FORMS
from .wordlists import ZONES

AND = Phrases(bars("and {x}?|what about {x}?|how about {x}?|now {x}|same for {x}|{x} too please|and {x} please|then {x}|the same with {x}|and for {x}?|also {x}|ok and {x}|next, {x}|what about {x} then|do {x} as well"), bars("""the same for {x}|
{x} as well|{x} as well please|and the same for {x}|now the same with {x}|do it for {x} too|do the same for {x}|once more with {x}|again, but with {x}|repeat that for {x}|{x} next|then {x} please|after that {x}|this time {x}|and now {x}|can you do {x} too?|
could you also do {x}|go on with {x}|one more: {x}|another one: {x}|same again for {x}|same thing, {x}|the same again with {x}|and how about {x}|likewise {x}|now for {x}|also for {x} please|let's do {x} now|try {x} too|take {x} next|continue with {x}|
same call for {x}|and with {x}?|{x} now please|do {x} too|do {x} next|next one: {x}|what would it be for {x}?|I also need {x}|I need the same for {x}|and then for {x}|it's {x} now|how is it for {x}?|the same, only for {x}|
same question, {x}|same with {x} please|next up {x}|and after that {x}|do that for {x} as well|now do {x}|please do {x} as well|okay, {x}"""), REFER["AND"], REFER["AND_2"], *LATE["AND"])
MEANT = Phrases(bars("no, I meant {x}|sorry, I meant {x}|not that, {x}|I meant {x}|oops, {x} is what I wanted|wrong one, take {x}|no, {x}|actually {x}|make that {x}|I should have said {x}"), bars("""actually, make it {x}|make it {x}|make it {x} instead|
{x} instead|{x}, not that|no, take {x}|no no, {x}|sorry, {x}|sorry, it should be {x}|it should be {x}|I said it wrong, {x}|I wanted {x}|that was wrong, it is {x}|my mistake, {x}|correction: {x}|let's make that {x}|change it to {x}|change that to {x}|
use {x} instead|take {x} instead|rather {x}|better {x}|on second thought, {x}|wait, {x}|wait, I meant {x}|hold on, make it {x}|I misspoke, {x}|that should be {x}|I mean {x}|not what I meant: {x}|please use {x} instead|try it with {x} instead|switch to {x}|
oh, it has to be {x}|no, it's {x}|I got that wrong: {x}|should have been {x}|please make that {x}|can you make that {x}?|no wait, {x}|replace that by {x}|with {x} instead please|ah no, {x}|I really meant {x}|what I meant is {x}|that's not it, {x}"""), REFER["MEANT"], REFER["MEANT_2"], *LATE["MEANT"])
# after a file was read the first three would change it; the last one doubts what was said
MEANT.mended(dict.fromkeys(("replace that by {x}", "change it to {x}", "change that to {x}", "really {x}")))
SWAP = Phrases(REFER["SWAP"], REFER["SWAP_2"], *LATE["SWAP"])
AND_RUN = more(AND, REFER["AND_RUN"])  # of a tool, not of a file, which might itself be run
AND.mended({"run it for {x}": None})
AFTER = Phrases(FORMS["again_after"], *LATE["AFTER"])  # what follows the value is no part of it


BARE = re.compile(r"(and|no,|now|what about|how about|also|ok and|sorry,|actually|and now|I meant|then|\\W*)? ?\{x\}")  # "in Rome" may stand here


def differs(make, fits):
    """What make() makes, made again while it is the same as before."""
    for _ in range(8):
        v = make()
        if fits(v):
            break
    return v


def before(c):
    """What the last call was about."""
    _, args = c.last_call()
    v = next((args[k] for k in ("path", "query", "zone", "from", "people") if args.get(k)), "this place")
    return ", ".join(v) if isinstance(v, list) else str(v)


def another(c):
    """The last call once more, with another value: files, folders, topics, zones, days, people."""
    r = c.r
    kind = c.about[1]
    wrong = r.chance(0.25)
    form = r.phrase(MEANT if wrong else AND)
    ask = lambda x: c.say(speak(r, form, {"x": x}, typos=False, frame=False)[0])
    think = "The same as for %s, now for %%s, so I call %s again." % (before(c).replace("%", "%%"), kind)
    if kind == "fs_read":
        f = files.any_file(r)
        x = r.path([f.ext])
        ask(x)
        c.call(think % x, [make_call("fs_read", {"path": x})], "pronouns")
        text, cut = files.read_result(c, x, f.text)
        c.result("fs_read", text, cut=cut)
        ans, key = show_text(x, f.text)
        c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [key]))
        c.about = ("file", x, f)
    elif kind == "fs_list":
        x = r.folder()
        ask(x)
        c.call(think % x, [make_call("fs_list", {"path": x})], "pronouns")
        names = entries(r)
        c.result("fs_list", list_text(r, c.path(x), names))
        c.answer("The listing is there; I say what it holds.", say_list(x, names), check_text("extraction", names[:2]))
        c.about = ("list", x, x, names)
    elif kind == "web_search":
        x = r.topic()
        ask(x)
        c.call(think % x, [make_call("web_search", {"query": x})], "pronouns")
        search_answer(c, x)
    elif kind == "now":
        z = differs(lambda: r.entity(ZONES), lambda z: z[1] not in str(c.msgs[-3:]))
        ask("in " + z[0] if BARE.match(form) and r.chance(0.8) else z[0])
        c.call(think % ("%s, %s" % z), [make_call("now", {"zone": z[1]})], "pronouns")
        at = c.at + datetime.timedelta(hours=r.int(-11, 11))
        c.result("now", now_text(at, r.pick(OFFSETS)))
        c.answer("The clock says it; I answer.", "It is %02d:%02d in %s." % (at.hour, at.minute, z[0]),
                 check_text("extraction", ["%02d:%02d" % (at.hour, at.minute)]))
        c.about = ("again", "now")
    elif kind == "calendar_read":
        last = next((m["calls"][0]["arguments"].get("from") for m in reversed(c.msgs) if m.get("calls")), "")
        x = r.pick([d for d in ("tomorrow", "today", "yesterday") if d != last])
        ask(x)
        c.call(think % x, [make_call("calendar_read", {"from": x, "to": x})], "pronouns")
        d = c.at.date() + datetime.timedelta(days={"today": 0, "tomorrow": 1, "yesterday": -1}[x])
        calendar_answer(c, d, d)
        c.about = ("again", "calendar_read")
    elif kind == "graph_search":
        x, rel = differs(r.first, lambda x: x not in c.msgs[-1]["content"]), c.about[2]
        ask(x)
        c.call(think % x, [make_call("graph_search", {"people": [x]})], "pronouns")
        kinds = dict(RELATIONS)
        graph_answer(c, x, [(rel, rel_object(r, kinds[rel]))], rel)
    c.done()


def ask_again(c, kind, *more):
    """First a plain call, so that another can follow."""
    r = c.r
    if kind == "now":
        z = r.entity(ZONES)
        c.say(speak(r, r.pick(["what time is it in {z}?", "time in {z}?", "how late is it in {z}"]), {"z": z[0]})[0])
        c.call("They want the time in %s, so I call now with %s." % z, [make_call("now", {"zone": z[1]})])
        at = c.at + datetime.timedelta(hours=r.int(-11, 11))
        c.result("now", now_text(at, r.pick(OFFSETS)))
        c.answer("The clock says it; I answer.", "It is %02d:%02d in %s." % (at.hour, at.minute, z[0]),
                 check_text("extraction", ["%02d:%02d" % (at.hour, at.minute)]))
    elif kind == "calendar_read":
        x = r.pick(["today", "tomorrow"])
        c.say(speak(r, r.pick(["what's on {x}?", "do I have anything {x}?", "my appointments {x}?", "am I busy {x}"]), {"x": x})[0])
        c.call("The calendar knows that, so I read it.", [make_call("calendar_read", {"from": x, "to": x})])
        d = c.at.date() + datetime.timedelta(days=int(x == "tomorrow"))
        calendar_answer(c, d, d)
    else:
        p, rel = r.first(), more[0]
        c.say(speak(r, r.phrase(REL_ASK[rel]), {"p": p})[0])
        c.call("They ask about %s, so I look %s up with graph_search." % (p, p), [make_call("graph_search", {"people": [p]})])
        graph_answer(c, p, [(rel, rel_object(r, dict(RELATIONS)[rel]))], rel)
    c.about = ("again", kind) + more
    c.done()


def now_then(c):
    ask_again(c, "now")
    another(c)


def calendar_then(c):
    ask_again(c, "calendar_read")
    another(c)


def person_then(c):
    rel = c.r.pick(list(REL_ASK))
    ask_again(c, "graph_search", rel)
    another(c)


def file_other(c):
    """Another file after one that was read."""
    if not last_read(c):
        return file_again(c)
    c.about = ("again", "fs_read")
    return another(c)


def folder_other(c):
    c.about = ("again", "fs_list")
    another(c)


def topic_other(c):
    """Another topic after one that was searched as it stands; a question about it would have to be asked anew."""
    asked = next((m["calls"][0]["arguments"].get("query") for m in reversed(c.msgs) if m.get("calls")), None)
    if asked != c.about[2]:
        return
    c.about = ("again", "web_search")
    another(c)


def foreign_then(c):
    """A foreign tool twice: the second time only one value is said."""
    r = c.r
    for _ in range(8):
        b = r.pick(c.foreign)
        t, words, args = b.wish(r)
        change = [p for p in b.kind.params if p.key in words and p.type in ("string", "integer") and not p.enum
                  and not (p.values and isinstance(p.values[0], list))]
        if change:
            break
    else:
        return tools_foreign.use(c)
    name = b.spec["name"]
    said = speak(r, t, words, typos=False)[0]
    c.say(said)
    tools_foreign.call_it(c, b, args, words, said)
    tools_foreign.finish(c, b, words)
    c.done()
    p = r.pick(change[:1] if r.chance(0.7) else change)
    if p.type == "integer" and len(change) > 1:
        p = change[0]
    w, v = differs(lambda: p.value(r), lambda x: str(x[0]) != str(words[p.key]) and x[1] != args.get(b.names[p.key]))
    if v == args.get(b.names[p.key]):
        return None
    # where two values are of one sort, only the old one tells which is meant
    unclear = any(q is not p and q.type == p.type and not q.enum for q in b.kind.params if q.key in words)
    forms = SWAP if unclear else AFTER if r.chance(0.3) else MEANT if r.chance(0.3) else AND_RUN
    said = speak(r, r.phrase(forms), {"x": w, "old": words[p.key]}, typos=False, frame=False)[0]
    c.say(said)
    words, args = {k: x for k, x in words.items() if k != "#" + p.key}, dict(args, **{b.names[p.key]: v})
    words[p.key] = w
    if p.type == "integer":
        words["#" + p.key] = str(v)
    c.call("The same again, with another %s: %s" % (b.names[p.key], tools_foreign.meaning(b, said, words, args)), [make_call(name, args, b.spec)], "pronouns")
    tools_foreign.finish(c, b, words)
    c.done()


ASK_BACK = Phrases(bars("{v} please|{v}|it's {v}|I mean {v}|{v}, sorry|oh, {v}|take {v}|for {v}|{v} of course|that would be {v}"), bars("""that is {v}|{v}, please|sorry, {v}|the one is {v}|{v} would be good|let's take {v}|let it be {v}|I want {v}|I'd like {v}|{v} then|
well, {v}|ah, {v}|I meant {v}|I was thinking of {v}|try {v}|{v} if possible|use {v}|how about {v}|it is {v}|oh sorry: {v}|{v}, thanks|it would be {v}|say {v}|{v}, of course|hm, {v}|maybe {v}|I think {v}|namely {v}|{v} for now"""), REFER["ASK_BACK"], REFER["ASK_BACK_2"], *LATE["ASK_BACK"])
VAGUE = {"fs_read": (phrasings("read a file for me|can you read a file?|please open a document"), "Which file shall I read?", "path"),
         "web_fetch": (phrasings("open a web page|read a page for me|can you fetch a website?"), "Which address shall I read?", "url"),
         "fs_list": (phrasings("list a folder for me|can you look into a folder?"), "Which folder shall I list?", "folder"),
         "web_search": (phrasings("search the web|google something for me|do a web search|look something up online|can you search the internet?"), "What shall I search for?", "topic"),
         "notes_search": (phrasings("search my notes|look in my notes|can you check my notes?|find something in my notes"), "What shall I look for in your notes?", "topic"),
         "calculate": (phrasings("calculate something|can you do a sum?|I need a calculation|do some maths for me|work something out for me"), "What shall I calculate?", "sum")}


VAGUER = {"fs_read": phrasings("""I need you to read a file|open one of my files|can you open a file for me?|would you read something from my disk?|please read a document|read one of my documents|I want to see a file|show me one of the files|display a file|let's open a file|
could you look at a file for me?|I'd like you to open a text file|read out a file|tell me what a certain file says|have a look at one file|open a text for me|I have a file that you should read|please show a file's content|look into a file"""),
          "web_fetch": phrasings("""I want you to read a website|there's a page you should read|please open a site|could you load a page?|read something from the web for me, I have the address|visit a website|fetch a web page|get a page for me|I need the text of a web page|have a look at a website|
go to a website|read a link for me|I have a link for you|open a link|tell me what a certain page says|can you open links?"""),
          "fs_list": phrasings("""show me a folder|I want to see a folder|what's in one of my folders?|list one of the folders|look into a directory|could you list a directory?|please list the contents of a folder|have a look into a folder|open a folder|I need a listing of a folder|go through a folder"""),
          "web_search": phrasings("""I need something from the web|search for something|could you search something for me?|please look something up|find something on the internet|I'd like you to google|run a search|I want you to search the web|would you do some googling?|search online please|use the search engine|
I have something to look up|can you google?|let's search the web|do some research online"""),
          "notes_search": phrasings("""have a look at my notes|go through my notes|there's something in my notes, find it|could you search in my notes?|please search the notes|I need something from my notes|I wrote something down, find it|use my notes|check the notes|look something up in my notes|browse my notes"""),
          "calculate": phrasings("""I need you to calculate|do a calculation for me|could you work out a sum?|help me with some maths|please calculate for me|I have a sum for you|let's do some arithmetic|can you calculate?|I want something calculated|compute something for me|I need a number worked out|can you do maths?""")}


VAGUER["fs_read"], VAGUER["web_search"] = more(VAGUER["fs_read"], PIECES["VAGUE_READ"]), more(VAGUER["web_search"], PIECES["VAGUE_WEB"])


def ask_back(c):
    """Something is missing: it asks, and acts on the answer."""
    r = c.r
    have = [n for n in VAGUE if c.has(n)]
    if not have:
        return c.done() if c.msgs else read_sheet(c)
    name = r.pick(have)
    t, q, kind = VAGUE[name]
    c.say(speak(r, r.phrase(VAGUER[name] if r.chance(0.7) else t))[0])
    c.answer("They do not say which one, so I ask.", q,
             {"type": "contains", "all": ["?"], "any": ["which", "what", "whose", "where", "name of"], "none": [], "group": "chat"})
    c.done()
    if kind == "sum":
        a, b = r.int(2, 900), r.int(2, 90)
        x = e = "%d %s %d" % (a, r.pick("+*-"), b)
        c.say(x)
        c.call("Now I have the sum: %s." % e, [make_call(name, {"expression": e})], "pronouns")
        got = evaluate(e)
        c.result(name, got[0])
        answer_number(c, got[0], e, got[1])
        c.about = ("number", got[1], e)
        return c.done()
    x = {"path": r.path, "url": r.url, "folder": r.folder, "topic": r.topic}[kind]()
    c.say(speak(r, r.phrase(ASK_BACK), {"v": x}, typos=False, frame=False)[0])
    key = {"fs_read": "path", "fs_list": "path", "web_fetch": "url"}.get(name, "query")
    c.call("Now they say which: %s." % x, [make_call(name, {key: x})], "pronouns")
    if name == "fs_read":
        f = files.any_file(r)
        text, cut = files.read_result(c, x, f.text)
        c.result(name, text, cut=cut)
        ans, k = show_text(x, f.text)
        c.answer(r.pick(FOUND_THINK), ans, check_text("extraction", [k]))
        c.about = ("file", x, f)
    elif name == "fs_list":
        names = entries(r)
        c.result(name, list_text(r, c.path(x), names))
        c.answer("The listing is there; I say what it holds.", say_list(x, names), check_text("extraction", names[:2]))
        c.about = ("list", x, x, names)
    elif name == "web_search":
        search_answer(c, x)
    elif name == "web_fetch":
        t = r.topic()
        page_answer(c, hit(r, title(r, t), "", x), [news(r, t)])
        c.about = None
    else:
        c.result(name, "0 of %d notes fit.\n" % r.int(3, 200))
        c.answer("No note fits %s, and I say so." % x, "There is nothing in your notes about %s." % x, check_text("extraction", [x]))
        c.about = None
    c.done()
