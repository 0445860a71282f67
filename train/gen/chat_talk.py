"""Small talk, what it is itself, what it does not know."""
import re
from zlib import crc32

from . import facts, personal, talk_list, unknown_open
from .chat_call import make_call
from .chat_memory import second
from .chat_read import material, noise_entry
from .chat_web import MORE, PRIVATE, hit, other_hit, search_text
from .conv import speak, thinks
from .hall import QUESTIONS, read_lines, read_objects, read_sections
from .honest import cannot, dont_know, unknown_think
from .library import LIBRARY
from .messages import check_honest, check_text
from .phrases import Phrases, bars
from .slots import fill, slots_of
from .spans import query_of
from .tools_foreign import none_fits
from .wording import upper_first

BETTER = talk_list.BETTER

LISTS = [{k: sorted(v, key=lambda x: crc32(x.encode())) for k, v in read_sections("talk%s.txt" % part).items()} for part in ("", ".more", ".third", ".fourth")]
TALK = {}
for _k, (_asks, _replies, _any) in dict(talk_list.KINDS, cant=("", "I can't do that: none of my tools does it.", talk_list.CANT)).items():
    _lists = [talk_list.SAID[_k].split("|")] if _k in talk_list.SAID else []
    _lists += [sorted(filter(None, _asks.split("|")), key=lambda x: crc32(x.encode()))] if _asks else []
    _lists += [part[_k] for part in LISTS if _k in part]
    TALK[_k] = (Phrases(*_lists), _replies.split("|"), _any)
_WEIGHT = [(1.4 if k in ("hello", "thanks", "bye", "wrong", "praise", "ok", "write", "chatty") else 1, k) for k in TALK if k != "sure"]
_written = [[o for o in read_objects(x) if o.get("ask") and o.get("answers")] for x in ("smalltalk.jsonl", "smalltalk.more.jsonl")]
for _name in ("smalltalk.third.txt", "smalltalk.fourth.txt"):
    _lines = [x.split(" => ") for x in read_lines(_name)]
    _written.append(sorted(({"ask": a, "answers": answers.split("|"), "think": think} for asks, answers, think in _lines for a in asks.split("|")), key=lambda o: crc32(o["ask"].encode())))
_alike = [(("welcome", "pleasure", "glad"), "thanks"), (("goodbye", "until", "good night", "see you", "bye"), "bye"), (("sorry",), "wrong"), (("can i do", "can i help", "do you need", "shall we"), "hello"),
          (("moothall", "small model", "tiny", "very small"), "who"), (("moothall", "parameters", "small"), "model"), (("all right", "good.", "take your time"), "ok"), (("program",), "mood"), (("too small", "beyond"), "write"),
          (("thank you",), "praise"), (("shall we do next",), "ok")]


def accepted(answers):
    """Words of which a fitting reply has one: those of the written replies, and those of replies like them."""
    text = " ".join(answers).lower()
    out = [w for w in re.findall(r"[a-z']{4,}", text) if w not in _plain]
    for marks, kind in _alike:
        if any(m in text for m in marks):
            out += TALK[kind][2]
    return list(dict.fromkeys(out + answers))


_plain = set("very much know does make made want could should yours mine model thing things that this what with have your from they them there here when then than only some such more will would could into about just like other".split())
for _o in sum(_written, []):
    _o["any"] = accepted(_o["answers"])
_alone = re.compile(r"[^a-z0-9' ]")


def bare(text):
    """A text without its signs; signs alone stay as they are."""
    return _alone.sub("", text.lower()).strip() or text


# what is written down twice may be answered either way
_twice = {}
for _k, (_asks, _replies, _any) in TALK.items():
    for _ask in _asks.train + _asks.held:
        _twice.setdefault(bare(_ask), []).extend(_any)
for _o in sum(_written, []):
    _twice.setdefault(bare(_o["ask"]), []).extend(_o["any"])
_twice = {k: list(dict.fromkeys(v)) for k, v in _twice.items()}
_kinds = {bare(x): k for k, v in TALK.items() for x in v[0].train + v[0].held}
# of a reply like this nobody would say that it fits, whatever its other words
NEVER = {"sad": ["glad to hear", "good to hear", "congratul", "can laugh"], "glad": ["sorry to hear"], "bye": ["hello!"]}
_written = Phrases(*_written)
TALK_THINK = thinks("""This is small talk; no tool is needed.
They only talk to me; I answer in a sentence.
No tool is needed for this.
Nothing is to be looked up here.
I answer this myself, briefly.""")
ABLE = Phrases("what can you do?|what are you able to do?|which tools do you have?|what can I ask you?|what are your skills?|list your abilities|what tools can you use|how can you help me?|what do you offer?|what are you good at?|tell me what you can do|show me what you can do|what's possible here?|your capabilities?".split("|"),
               bars("""what can you do for me?|what can you help me with?|what can you help with?|what do you do?|what are you capable of?|what sort of things can you do?|what kind of tasks can you do?|which jobs can I give you?|what can I use you for?|what are your functions?|
what functions do you have?|what features do you have?|which features are there?|what tools are there?|what tools do you have?|name your tools|list your tools|show me your tools|what's in your toolbox?|what are your options?|what is possible with you?|
what is possible?|what all can you do?|how can you be useful?|how could you help me?|in what ways can you help?|what are you made for?|what services do you offer?|tell me your skills|what skills do you have?|do you have any tools?|can you use tools?|what would you be able to do for me?|
give me a list of what you can do|what can be done here?|what can I do here?|what can I do with you?|what do you know how to do?"""), *(part["able"] for part in LISTS[1:] if "able" in part))
ABILITY = {"fs_read": "read files", "fs_write": "write files", "web_search": "search the web", "calculate": "calculate", "memory_read": "recall what you told me", "memory_write": "remember things",
           "notes_search": "search your notes", "calendar_read": "read your calendar", "graph_search": "look up people", "fs_list": "list folders", "fs_search": "search your files", "now": "tell the time", "web_fetch": "read web pages", "run_code": "run programs", "compare_answers": "compare answers"}


_short = {"you": "u", "are": "r", "your": "ur", "please": "pls", "thanks": "thx", "because": "cuz", "what's": "whats", "that's": "thats", "you're": "youre", "i'm": "im", "don't": "dont", "can't": "cant", "it's": "its", "who's": "whos", "isn't": "isnt", "and": "n", "okay": "ok"}
_FACES = [" :)", " :-)", " ;)", " :D", " 🙂", " 😊", " 😄", " 👍", "!", "!!", "...", " lol", " haha", "?!", " :(", "~"]


def habit(r, text):
    """The same words as people type them in a chat."""
    x = r.random()
    if x < 0.7:
        return text
    if x < 0.8:
        return text.rstrip("?.!") + r.pick(_FACES)
    if x < 0.9:
        return " ".join(_short.get(w, w) for w in text.lower().split())
    if x < 0.95:
        return text.upper()
    at = [i for i, ch in enumerate(text) if ch in "aeiouy" and (i + 1 == len(text) or not text[i + 1].isalpha())]
    if not at:
        return text
    i = r.pick(at)
    return text[:i] + text[i] * r.int(1, 4) + text[i:]


def reply(c, said, think, text, any_, none=()):
    c.say(said)
    c.answer(think, text, {"type": "contains", "all": [], "any": list(any_), "none": list(none), "group": "chat"})


def talk(c):
    r = c.r
    if r.chance(0.4):
        o = r.phrase(_written)
        kind = _kinds.get(bare(o["ask"]))
        reply(c, speak(r, o["ask"].replace("{", "("), frame=False)[0], o.get("think") or talk_list.THINK.get(kind) or r.pick(TALK_THINK),
              o["answers"][0] if r.chance(0.7) else r.pick(o["answers"]), _twice[bare(o["ask"])])
        return c.done()
    kind = r.weighted(_WEIGHT)
    if kind == "cant" and c.foreign:
        kind = "hello"
    asks, replies, any_ = TALK[kind]
    ask = r.phrase(asks)
    slots = {k: unknown_open.MAKE[k.rstrip("2")](r) for k in slots_of(ask)}
    if kind in ("write", "program"):  # another word for writing might be a wish to store something
        said = fill(ask, slots)
    else:
        said = speak(r, ask, slots, frame=r.chance(0.15))[0]
    reply(c, habit(r, said), talk_list.THINK[kind] if r.chance(0.9) else r.pick(TALK_THINK), r.pick(replies), _twice[bare(ask)],
          NEVER.get(kind, ()))
    c.done()


def sure(c):
    """The person doubts or praises the last answer, which came from a result or a text."""
    r = c.r
    last = c.msgs[-1] if c.msgs else None
    if (not last or last["role"] != "assistant" or not last["content"] or c.msgs[-2]["role"] != "tool" or len(last["content"]) > 240
        or "\n" in last["content"] or "instructions" in last["content"]):
        return talk(c)
    x = r.random()
    if x < 0.6:
        asks, replies, any_ = TALK["sure"]
        ans = fill(replies[0], {"last": last["content"]})
        think = "They ask whether it is so; I say what it rests on."
    elif x < 0.8:
        asks, replies, any_ = TALK["wrong"]
        ans, think = replies[2], "They say that it is wrong; I do not insist."
    else:
        asks, replies, any_ = TALK["praise"]
        ans, think = r.pick(replies), "They are content; no tool is needed."
    reply(c, habit(r, speak(r, r.phrase(asks), frame=False)[0]), think, ans, any_)
    c.done()


def able(c):
    """What it can do: by the tools on offer."""
    r = c.r
    ask = r.phrase(ABLE)
    c.say(speak(r, ask, {k: unknown_open.MAKE[k.rstrip("2")](r) for k in slots_of(ask)})[0])
    can = [say for name, say in ABILITY.items() if name in c.names]
    other = [s["name"] for s in c.specs if s["name"] not in ABILITY]
    if can:
        can = can[:6]
        ans = "I am a very small model. With my tools I can " + ", ".join(can[:-1]) + (" and " if len(can) > 1 else "") + can[-1] + "."
    elif other:
        ans = "I am a very small model. I have these tools: " + ", ".join(other[:5]) + "."
    else:
        ans = "I am a very small model without tools here: I can read what you give me and answer from it. " + BETTER + "."
    c.answer("They ask what I can do; I go by the tools on offer.", ans,
             {"type": "contains", "all": [], "any": ["i can ", "these tools", "small model", "for example"], "none": [], "group": "chat"})
    c.done()


# --- unknown ---

SUBJECTS = bars("""the French Revolution|photosynthesis|the boiling point of mercury|how magnets work|the rules of cricket|the plot of Hamlet|black holes|how to bake sourdough|the symptoms of measles|
the history of jazz|quantum entanglement|the offside rule|how vaccines work|the causes of the First World War|the best phone under 300 euros|how to fix a leaking tap|the speed of light|
the Roman Empire|how to centre a div in CSS|why cats purr|the meaning of life|the tallest building in the world|how to learn Spanish|the difference between a virus and a bacterium|
how tides work|the stock price of big companies|the lyrics of old songs|good names for a dog|how to write a for loop in Rust|the moons of Jupiter|the theory of relativity|how to tie a tie|
the population of the moon|the laws on parking|the treatment of migraine|how planes fly|the inventor of the telephone|the capital of Mongolia|the winner of the last world cup|
how to remove wine stains|the ingredients of ketchup|how credit cards work|the age of the universe|Fermat's last theorem|Shakespeare's sonnets|the Great Wall|dinosaurs|the Beatles|
how to prune roses|the periodic table|blockchain|how to change a tyre|inflation|the water cycle|chess openings|the Olympic games|yoga poses|the human heart|volcanoes|the pyramids|Mozart|gravity""")
KNOW_ASK = Phrases(bars("""tell me about {s}|what do you know about {s}?|explain {s}|can you explain {s} to me?|what about {s}?|I want to know about {s}|give me an overview of {s}|
do you know anything about {s}?|help me understand {s}|what should I know about {s}?|teach me about {s}|I have a question about {s}|{s}, please explain|write me something about {s}|
summarise {s} for me"""), QUESTIONS["know"])
KNOW_ASK.mended({"could you go into {s}?": "could you go into the details of {s}?"})  # a folder can be gone into as well
_unknown = [[x.split("\t") for x in read_lines(name)] for name in ("unknown.txt", "unknown.more.txt", "unknown.third.txt", "unknown.fourth.txt")]
_unknown = Phrases(*[[(x[0], x[1].strip()) for x in one if len(x) == 2 and x[1].strip()] for one in _unknown])


def unknown_question(r):
    """A question about the world: (words, subject)."""
    x = r.random()
    if x < 0.4:
        return unknown_open.world(r)
    if len(_unknown) and x < 0.65:
        return r.phrase(_unknown)
    if x < 0.8:
        s = facts.Sheet(r)
        while s.kind in PRIVATE or s.kind in ("person", "open"):  # not a question for the web
            s = facts.Sheet(r)
        a = r.pick(s.attrs)
        return s.question(r, a), "the %s of %s" % (a.short, s.name)
    s = r.entity(SUBJECTS) if r.chance(0.35) else unknown_open.subject(r)
    return fill(r.phrase(KNOW_ASK), {"s": s}), s


def nobody_knows(c):
    """What cannot be looked up anywhere: no call, only the honest word."""
    r = c.r
    q, why = unknown_open.nobody(r)
    c.say(speak(r, q, typos=False, frame=r.chance(0.5))[0])
    c.answer(cannot(r, why), "I can't know that: %s." % why, check_honest("unknown"))
    c.about = None
    c.done()


BESIDE = Phrases(bars("""what does {n} cost in {c}?|who sells {n} in {c}?|where can I buy {n} in {c}?|is {n} allowed in {y}?|how many {w}s does {n} have?|what did {p} say about {n}?|who is the chairman of the {n} club in {c}?|when is the next {n} festival in {c}?|which film about {n} came out in {k}?|
what is the phone number of the {n} office in {c}?|what do people in {c} think of {n}?|which {w} goes with {n}?|how heavy is the {w} of {n}?|who photographed {n} for {o}?|what was the {w} of {n} called?|what colour was the {w} of {n}?|how much did {o} pay for {n}?|why did {p} dislike {n}?"""), QUESTIONS["beside"], unknown_open.HONEST["BESIDE"])


def beside_the_point(c):
    """What was looked up shares words with the question and does not answer it."""
    r = c.r
    if not LIBRARY:
        return unknown(c)
    o = r.pick(LIBRARY)
    s = {"n": o["name"], "c": r.city(), "y": r.country(), "w": r.noun(), "p": r.first(), "k": r.int(1950, 2025), "o": r.org()}
    said, core = speak(r, r.phrase(BESIDE), s, typos=False)
    c.say(said, material(r, r.shuffled([(o["name"], o["text"])] + [noise_entry(r) for _ in range(r.weighted([(4, 0), (3, 1), (1, 2)]))])))
    if c.has("web_search"):
        c.call("The material does not say it, so I search the web.", [make_call("web_search", {"query": query_of(core)})])
        c.result("web_search", search_text(c, [other_hit(r) for _ in range(r.int(1, 2))]))
        c.answer("The results are about other things.", "The search found nothing about that, and what I have here does not say it either.",
                 check_honest("unknown"))
    else:
        c.answer('Asked is "%s"; the entry on %s tells of other things, and I must not guess.' % (core.rstrip("?. "), o["name"]),
                 "I don't know that offline: what I have here about %s does not say it. A larger model or a web search would help."
                 % o["name"], check_honest("unknown"), needs_material=True)
    c.about = None
    c.done()


def unknown(c):
    r = c.r
    x = r.random()
    if x < 0.14:
        return nobody_knows(c)
    if x < 0.26:
        return beside_the_point(c)
    q, s = unknown_question(r)
    q = q.replace("{", "(").replace("}", ")")
    if r.chance(0.25):
        said, core = speak(r, r.phrase(unknown_open.ASKED), {"q": q, "k": r.entity(personal.KIN)}, typos=False, frame=False)[0], q
    else:
        said, core = speak(r, q, typos=False, frame=r.chance(0.5))
    c.say(said)
    if c.has("web_search"):
        query = query_of(core)
        c.call(r.pick(["I don't know %s myself, so I search the web." % s, "This is about the world; the web may know %s." % s,
                       "General knowledge: I look it up with web_search."]), [make_call("web_search", {"query": query})])
        if r.chance(0.5):
            text = fill(r.phrase(_GIST), {"s": upper_first(s), "z": s, "p": r.name(), "y": r.int(1500, 2025), "c": r.city(), "n": r.noun()})
            best = hit(r, upper_first(s), text)
            c.result("web_search", search_text(c, [best] + [other_hit(r) for _ in range(r.int(0, 2))]))
            c.answer("The first result says something about it.", "%s (%s)" % (text, best["url"]), check_text("extraction", [text[:-1]]))
        elif r.chance(0.5):
            c.result("web_search", search_text(c, [other_hit(r) for _ in range(r.int(1, 2))]))
            c.answer("The results are about other things.", "The search found nothing about %s." % s, check_honest("unknown"))
        else:
            text, why, _ = web_failure(r, "web_search")
            c.result("web_search", text, failed=True)
            c.answer("The search failed; I quote why.", "I could not look up %s: %s." % (s, why), check_text("errors", [why]))
    else:
        c.answer(unknown_think(c, s), dont_know(s), check_honest("unknown"))
    c.about = None
    c.done()


NO_ENGINE = ("no search engine is set up in this hall", "name a SearXNG server, or a key for Brave or Tavily, in the configuration")
WEB_FAIL = ["no results", "the time for this is over", "searx does not answer", "searx answered with status 502", "it is asked too often, and will be asked again in 30s", "the work failed"]


def web_failure(r, tool):
    """What a tool for the web says that fails, why in short, and what helps. The broker words it where nothing is set up."""
    if r.chance(0.3):
        return "%s. What helps: %s." % NO_ENGINE, *NO_ENGINE
    why = r.pick(WEB_FAIL)
    return tool + " failed: " + why, why, ""


_GIST = Phrases(["{s} is explained in the book of {p} from {y}.", "{s} has been studied since {y}.", "{s} is a matter of {n} and {c}.", "{s} goes back to {y}, when {p} described it in {c}.", "{s} is best understood by looking at a {n}."], MORE["gist"])

# --- wishes that no tool fits ---

IMPOSSIBLE = Phrases(bars("""send an email to {p}|call {p}|text {p} that I'm late|book a table for {k} at {t}|turn off the lights in the {n}|set an alarm for {t}|play {n} songs|order {f} from the shop|post this on my blog|
delete {path}|rename {path} to {path2}|translate "{n}" into French|take a screenshot|restart the computer|install {n}|transfer {k} euros to {p}|reserve a seat to {c}|start the washing machine|
lock the door|download a film|record a voice memo|scan this document|draw a picture of a {n}|make a chart of my spending|invite {p} for {d}|cancel my meeting on {d}|mute the microphone|
raise the volume to {k}|water the garden at {t}|add an appointment on {d} at {t}|create an event with {p} on {d}|what's the weather in {c}|track my parcel|move {path} to {c}|zip the folder {n}"""),
                     bars("""ring {p} for me|phone {p} and say I'm late|send {p} a text message|write {p} an email about the {n}|forward this to {p}|post a photo of the {n}|share my location with {p}|pay the {n} bill|pay {p} {k} euros|order a {n} online|buy two tickets to {c}|book a hotel in {c}|
get me a taxi to {c}|reserve the {n} for {d}|rent a car in {c}|turn on the {n}|switch the {n} off|dim the lamp in the {n} room|open the garage door|close the blinds|set the heating to {k}|feed the cat|vacuum the {n}|print the {n}|scan my {n}|fax this to {o}|take a picture of the {n}|
record a video|play a song by {p}|stop the music|make the sound louder|call a doctor|order {f} and {g} for dinner|cook {f} for me|iron my shirts|drive me to {c}|walk the dog at {t}|wake me at {t}|set a timer for {k} minutes|remind me at {t} to call {p}|put a meeting with {p} into my calendar|
move my appointment to {d}|cancel the booking for {d}|sign the contract with {o}|fill in the form of {o}|log in to {o}|change my password at {o}|unsubscribe me from {o}|block the number of {p}|add {p} to my contacts|follow {p} online|translate this letter into {l}|draw a {n}|paint me a picture of {c}|
make a video about {n}s|sing a song about {n}s|speak louder|show me a map of {c}|show me photos of {c}|measure my pulse|weigh the {n}"""), *(part["impossible"] for part in LISTS if "impossible" in part))
IMPOSSIBLE.mended({"weigh the {n}": "weigh this parcel", "vacuum the {n}": "vacuum the living room", "turn on the {n}": "turn on the radio", "switch the {n} off": "switch the heater off", "print the {n}": "print me a ticket", "scan my {n}": "scan my passport", "zip the folder {n}": None})


_polite = re.compile(r"^(?:(?:please|pls|plz|kindly|just|hey|ok|now|so|and|also),? )+|,? (?:please|pls|plz|thanks|thx)$", re.I)


def impossible(c):
    """No tool fits: it says so and does not try."""
    r = c.r
    if c.foreign:
        return none_fits(c)
    t = r.phrase(IMPOSSIBLE)
    if t.startswith("what's the weather") and c.has("web_search"):
        t = "lock the door"
    if (t.startswith(("delete", "rename", "move {path}", "zip", "install", "restart", "make a chart", "download"))
        and (c.has("run_code") or c.has("fs_write") or r.chance(0.5))):
        t = "call {p}"  # a program might do it
    s = {"k": unknown_open.MAKE["k"](r) if "my {k}" in t else r.int(2, 60), "t": r.time(), "path": r.path(), "path2": r.path()}
    s.update((k, unknown_open.MAKE[k](r)) for k in slots_of(t) if k not in s)
    said, core = speak(r, t, s)
    c.say(said)
    wish = _polite.sub("", core.rstrip("?.! "))
    wish = second(wish[:1].lower() + wish[1:])
    wish = wish if not t.startswith("what's") else "tell the weather"
    c.answer("None of my tools does that, so I say it.", "I can't do that: none of my tools can %s." % wish, check_honest("unknown"))
    c.about = None
    c.done()
