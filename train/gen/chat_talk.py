"""Small talk, what it is itself, what it does not know, other languages."""
from . import facts, lex
from .base import Phrases, check_honest, check_text, fill, read_lines, read_objects
from .chat_call import make_call
from .chat_web import hit, other_hit, search_text
from .conv import lower_first, query_of, speak, thinks, upper_first

BETTER = "For a larger model, install Ollama (https://ollama.com) and run: ollama pull qwen3:4b"
SELF = "I am the small model built into Moothall"

# asks | answers | words of which one must come
TALK = [
    ("hello|hi|hey|good morning|good evening|hi there|hello there|hey you|good afternoon|howdy|morning|hello!|hi!|greetings|yo|heya|Hello, how can you help?|anyone there?|hello assistant|hiya",
     "Hello! What can I do for you?|Hello! I can read files, search, calculate and remember things for you.", ["Hello"]),
    ("thanks|thank you|thanks a lot|thank you very much|great, thanks|thx|cheers|that helped|perfect, thank you|many thanks|thanks!|ty|awesome thanks|thanks for your help|much appreciated|that's great|nice one|wonderful, thank you",
     "You're welcome.|You're welcome. Is there anything else?", ["welcome"]),
    ("bye|goodbye|see you|good night|that's all|bye bye|see you later|that's it for today|I'm done, bye|talk to you tomorrow|good bye!|ciao|have a nice day|until tomorrow|I have to go now",
     "Goodbye!|Goodbye! I am here when you need me.", ["Goodbye"]),
    ("how are you?|how are you doing?|how's it going?|you ok?|how do you feel today?|are you well?|what's up?|how is life|everything fine with you?|how are things?",
     "I am a program and have no feelings, but I work. What can I do for you?|I am only a small program, and I am running. What can I do for you?", ["program"]),
    ("who are you?|what are you?|introduce yourself|what's your name?|who am I talking to?|what is your name|tell me about yourself|are you a person?|who is this?|what kind of thing are you?|are you human?|are you a robot|what should I call you?|are you an AI?|what is this program?",
     SELF + ", a program that runs on your own machine.|" + SELF + ". I run on your own machine, read, use tools and say so when I don't know something.", ["Moothall"]),
    ("which model are you?|are you a real model?|what model is this?|are you chatgpt?|which llm are you?|how big are you?|how many parameters do you have?|are you a large language model?|what language model answers here?|are you gpt?|is this a real AI?|what is your model name?|are you qwen or llama?|how smart are you?",
     SELF + ", a real but very small language model of about 22 million parameters. " + BETTER + ".", ["small"]),
    ("how do I get a better model?|how can I use a bigger model?|can I get a larger model?|how do I install a better model?|you are not very smart, how do I get something better?|how do I connect ollama?|which model should I install?|how to upgrade the model?|I want a smarter assistant|how do I make you smarter?|can I replace you with a better model?|what do I install for better answers?|how do I set up ollama",
     "Install Ollama from https://ollama.com and run: ollama pull qwen3:4b. Moothall then finds it and uses it.", ["ollama pull qwen3:4b"]),
    ("do you send my data anywhere?|is this private?|does anything leave my machine?|who can read what I write here?|are you spying on me?|where is my data stored?|is my data safe?|do you work offline?|do you need the internet?|is this conversation uploaded?|who sees this chat?|does this go to the cloud?|are my files sent somewhere?",
     "I run on your own machine and send nothing by myself. Only web tools reach out, and everything they send is on record.", ["own machine"]),
    ("tell me a joke|make me laugh|do you know a joke?|say something funny|joke please|got any jokes?|tell me something funny|a good joke about cats?",
     "I am too small a model for good jokes. " + BETTER + ".", ["too small"]),
    ("write me a poem|write a poem about autumn|compose a song|write a story about a dragon|make up a fairy tale|write an essay on freedom|draft a novel opening|write a love letter|write a haiku|compose a limerick about my boss|invent a bedtime story|write me a cover letter|write a speech for a wedding|write a rap",
     "I am too small a model to write that well. " + BETTER + ".", ["too small"]),
    ("what do you think about politics?|do you like music?|what's your opinion on cats?|do you believe in god?|what is your favourite colour?|do you love me?|are you happy?|what do you think of me?|which team do you support?|do you prefer tea or coffee?|what's the best film ever?|are you afraid of death?|do you dream?|is pineapple on pizza ok?",
     "I am a small program and have no opinions or feelings of my own.", ["opinions"]),
    ("that's wrong|you are wrong|that is not right|no, that's not it|wrong answer|that was not what I asked|you misunderstood|nonsense|that's not helpful|bad answer|this is useless|you're stupid|that makes no sense|no",
     "I am sorry. Please tell me again what you want, in other words, and I will try.|I am sorry about that. I am a very small model; tell me what was wrong and I will try again.", ["sorry"]),
    ("well done|good job|you are great|nice|cool|awesome|perfect|good|great|excellent work|you're the best|that was quick|very good|I like you|brilliant",
     "Thank you! What shall we do next?|I am glad that it helped.", []),
    ("ok|okay|alright|i see|got it|understood|fine|sure|hm|aha|right|makes sense|good to know|ok then|yes",
     "Good. Tell me when you need something.|All right. What shall I do next?", []),
    ("can you help me?|I need help|help|help me please|what should I ask you?|how do I use you?|I don't know what to do here|what now?|how does this work?|give me an example of what I can ask",
     "Tell me what you need. For example: \"read notes.txt\", \"what is 12 * 17?\" or \"remember that my bike is blue\".", ["notes.txt"]),
    ("I'm bored|I am sad|I feel tired|I had a bad day|I'm angry|I am so happy today|I can't sleep|I'm stressed|what a day|I feel lonely|today was great|my head hurts|I'm hungry|I am nervous about tomorrow",
     "Thank you for telling me. I am only a small program, but I can take a task off your hands: files, notes, sums or reminders.", ["small program"]),
    ("do you remember me?|do you know who I am?|do you learn from me?|will you remember this conversation?|can you learn?|do you have a memory?|do you forget things?",
     "I keep no memory inside me, but Moothall remembers what you tell it, and I can look there.", ["Moothall"]),
    ("what is moothall?|what does moothall do?|explain moothall|what is this hall?|why is it called moothall?|what can moothall do for me?|tell me about moothall",
     "Moothall is a program on your own machine where AI agents meet, act with tools and are held to account.", ["agents"]),
    ("can you see my screen?|can you hear me?|can you make phone calls?|can you order pizza?|can you send an email for me?|turn on the lights|play some music|can you drive a car?|book me a flight|call my mother|take a photo|unlock the door|buy me shoes|wake me at seven",
     "I can't do that: none of my tools does it.", ["can't"]),
]
_written = [o for o in read_objects("smalltalk.jsonl") if o.get("ask") and o.get("answers")]
_cut = len(_written) - len(_written) // 5
TALK = [(Phrases(a.split("|")), b.split("|"), k) for a, b, k in TALK]
TALK_THINK = thinks("""This is small talk; no tool is needed.
They only talk to me; I answer in a sentence.
No tool is needed for this.
Nothing is to be looked up here.
I answer this myself, briefly.""")
ABLE = Phrases("what can you do?|what are you able to do?|which tools do you have?|what can I ask you?|what are your skills?|list your abilities|what tools can you use|how can you help me?|what do you offer?|what are you good at?|tell me what you can do|show me what you can do|what's possible here?|your capabilities?".split("|"))
ABILITY = {"fs_read": "read files", "fs_write": "write files", "web_search": "search the web", "calculate": "calculate", "memory_read": "recall what you told me", "memory_write": "remember things",
           "notes_search": "search your notes", "calendar_read": "read your calendar", "graph_search": "look up people", "fs_list": "list folders", "fs_search": "search your files", "now": "tell the time", "web_fetch": "read web pages", "run_code": "run programs", "compare_answers": "compare answers"}


def talk(c):
    r = c.r
    if _written and r.chance(0.4):
        o = r.pick(_written[_cut:] if r.held else _written[:_cut])
        c.say(speak(r, o["ask"].replace("{", "("), frame=False)[0])
        ans = o["answers"][0] if r.chance(0.7) else r.pick(o["answers"])
        c.answer(r.pick(TALK_THINK), ans, {"type": "contains", "all": [], "none": ["<tool_call>"], "group": "chat"})
    else:
        a, b, keys = r.pick(TALK)
        c.say(speak(r, r.phrase(a), frame=False)[0])
        c.answer(r.pick(TALK_THINK), r.pick(b), check_text("chat", keys))
    c.done()


def able(c):
    """What it can do: by the tools on offer."""
    r = c.r
    c.say(speak(r, r.phrase(ABLE))[0])
    can = [say for name, say in ABILITY.items() if name in c.names]
    other = [s["name"] for s in c.specs if s["name"] not in ABILITY]
    if can:
        can = can[:6]
        ans = "I am a very small model. With my tools I can " + ", ".join(can[:-1]) + (" and " if len(can) > 1 else "") + can[-1] + "."
    elif other:
        ans = "I am a very small model. I have these tools: " + ", ".join(other[:5]) + "."
    else:
        ans = "I am a very small model without tools here: I can read what you give me and answer from it. " + BETTER + "."
    c.answer("They ask what I can do; I go by the tools on offer.", ans, check_text("chat", ["small model"]))
    c.done()


# --- unknown ---

SUBJECTS = """the French Revolution|photosynthesis|the boiling point of mercury|how magnets work|the rules of cricket|the plot of Hamlet|black holes|how to bake sourdough|the symptoms of measles|
the history of jazz|quantum entanglement|the offside rule|how vaccines work|the causes of the First World War|the best phone under 300 euros|how to fix a leaking tap|the speed of light|
the Roman Empire|how to centre a div in CSS|why cats purr|the meaning of life|the tallest building in the world|how to learn Spanish|the difference between a virus and a bacterium|
how tides work|the stock price of big companies|the lyrics of old songs|good names for a dog|how to write a for loop in Rust|the moons of Jupiter|the theory of relativity|how to tie a tie|
the population of the moon|the laws on parking|the treatment of migraine|how planes fly|the inventor of the telephone|the capital of Mongolia|the winner of the last world cup|
how to remove wine stains|the ingredients of ketchup|how credit cards work|the age of the universe|Fermat's last theorem|Shakespeare's sonnets|the Great Wall|dinosaurs|the Beatles|
how to prune roses|the periodic table|blockchain|how to change a tyre|inflation|the water cycle|chess openings|the Olympic games|yoga poses|the human heart|volcanoes|the pyramids|Mozart|gravity""".replace("\n", "").split("|")
KNOW_ASK = Phrases("""tell me about {s}|what do you know about {s}?|explain {s}|can you explain {s} to me?|what about {s}?|I want to know about {s}|give me an overview of {s}|
do you know anything about {s}?|help me understand {s}|what should I know about {s}?|teach me about {s}|I have a question about {s}|{s}, please explain|write me something about {s}|
summarise {s} for me""".replace("\n", "").split("|"))
_unknown = [x.split("\t") for x in read_lines("unknown.txt")]
_unknown = Phrases([(x[0], x[1].strip()) for x in _unknown if len(x) == 2 and x[1].strip()])
UNKNOWN_THINK = thinks("""I do not know {s}, and nothing here says it.
This is general knowledge that I do not have; I say so.
No tool and no material helps with {s}, so I must not guess.
I know nothing by heart about {s}; the honest answer is that I don't know.""")


def unknown_question(r):
    """A question about the world: (words, subject)."""
    x = r.random()
    if len(_unknown) and x < 0.5:
        return r.phrase(_unknown)
    if x < 0.75:
        s = facts.Sheet(r)
        a = r.pick(s.attrs)
        return s.question(r, a), "the %s of %s" % (a.short, s.name)
    s = r.entity(SUBJECTS)
    return fill(r.phrase(KNOW_ASK), {"s": s}), s


def dont_know(s):
    s = s.rstrip("?.")
    about = "" if s.startswith(("the ", "how ", "why ", "what ", "who ", "when ", "where ", "which ", "whether ")) else "about "
    return "I don't know %s%s offline. A larger model, or a web search, would help." % (about, s)


def unknown(c):
    r = c.r
    q, s = unknown_question(r)
    said, core = speak(r, q.replace("{", "(").replace("}", ")"), typos=False, frame=r.chance(0.5))
    c.say(said)
    if c.has("web_search"):
        query = query_of(core)
        c.call(r.pick(["I don't know %s myself, so I search the web." % s, "This is about the world; the web may know %s." % s, "General knowledge: I look it up with web_search."]), [make_call("web_search", {"query": query})])
        if r.chance(0.5):
            text = fill(r.phrase(_GIST), {"s": upper_first(s), "p": r.name(), "y": r.int(1500, 2025), "c": r.city(), "n": r.noun()})
            best = hit(r, upper_first(s), text)
            c.result("web_search", search_text(c, [best] + [other_hit(r) for _ in range(r.int(0, 2))]))
            c.answer("The first result says something about it.", "%s (%s)" % (text, best["url"]), check_text("extraction", [text[:-1]]))
        elif r.chance(0.5):
            c.result("web_search", search_text(c, [other_hit(r) for _ in range(r.int(1, 2))]))
            c.answer("The results are about other things.", "The search found nothing about %s." % s, check_honest("unknown"))
        else:
            why = r.pick(WEB_FAIL)
            c.result("web_search", "web_search failed: " + why, failed=True)
            c.answer("The search failed; I quote why.", "I could not look up %s: %s." % (s, why.split(";")[0]), check_text("errors", [why.split(";")[0]]))
    else:
        c.answer(fill(r.pick(UNKNOWN_THINK), {"s": s}), dont_know(s), check_honest("unknown"))
    c.about = None
    c.done()


WEB_FAIL = ["no results", "no search engine is set up in this hall; name one in the configuration", "the time for this is over", "searx does not answer", "searx answered with status 502", "it is asked too often, and will be asked again in 30s", "the work failed"]
_GIST = Phrases(["{s} is explained in the book of {p} from {y}.", "{s} has been studied since {y}.", "{s} is a matter of {n} and {c}.", "{s} goes back to {y}, when {p} described it in {c}.", "{s} is best understood by looking at a {n}."])

FOREIGN = [x.split("\t")[0] for x in read_lines("other_languages.txt")] + """Wie spät ist es?|Was ist die Hauptstadt von Frankreich?|Kannst du mir helfen?|Quelle heure est-il ?|Qui es-tu ?|Peux-tu lire ce fichier ?|¿Qué hora es?|¿Quién eres?|¿Puedes ayudarme?|
Che ore sono?|Chi sei?|Come stai?|Hoe laat is het?|Wie ben jij?|Która jest godzina?|Kim jesteś?|Que horas são?|Quem é você?|Vad är klockan?|Vem är du?|Saat kaç?|Sen kimsin?|Kolik je hodin?|Kdo jsi?|Mi az idő?|Cât e ceasul?|
Erzähl mir einen Witz|Schreib mir ein Gedicht|Raconte-moi une histoire|Cuéntame un chiste|Dammi una ricetta|Mitä kuuluu?|Hvad er klokken?|Hvem er du?|何時ですか|你好|Привет, как дела?|Который час?|Τι ώρα είναι;|مرحبا|Bonjour !|Guten Tag|Hola|Ciao|Olá|Merhaba|Dobrý den""".replace("\n", "").split("|")
FOREIGN = Phrases(list(dict.fromkeys(FOREIGN)))


def language(c):
    r = c.r
    c.say(r.phrase(FOREIGN))
    c.answer("They write in another language, and I only know English.", "I am sorry, I only understand English. Please ask me in English; a larger model through Ollama speaks other languages.", check_text("chat", ["English"]))
    c.done()


# --- wishes that no tool fits ---

IMPOSSIBLE = Phrases("""send an email to {p}|call {p}|text {p} that I'm late|book a table for {k} at {t}|turn off the lights in the {n}|set an alarm for {t}|play {n} songs|order {f} from the shop|post this on my blog|
delete {path}|rename {path} to {path2}|translate "{n}" into French|take a screenshot|restart the computer|install {n}|transfer {k} euros to {p}|reserve a seat to {c}|start the washing machine|
lock the door|download a film|record a voice memo|scan this document|draw a picture of a {n}|make a chart of my spending|invite {p} for {d}|cancel my meeting on {d}|mute the microphone|
raise the volume to {k}|water the garden at {t}|add an appointment on {d} at {t}|create an event with {p} on {d}|what's the weather in {c}|track my parcel|move {path} to {c}|zip the folder {n}""".replace("\n", "").split("|"))
_SLOTS = {"delete": "delete files", "rename": "rename files", "print": "print", "translate": "translate", "move": "move files", "zip": "zip folders"}


def impossible(c):
    """No tool fits: it says so and does not try."""
    r = c.r
    if c.foreign:
        from .tools_foreign import none_fits
        return none_fits(c)
    t = r.phrase(IMPOSSIBLE)
    if t.startswith("what's the weather") and c.has("web_search"):
        t = "lock the door"
    if r.chance(0.5) and t.startswith(("delete", "rename", "move")):
        t = "call {p}"
    s = {"p": r.first(), "k": r.int(2, 60), "t": r.time(), "n": r.noun(), "f": r.entity(lex.FOODS), "path": r.path(), "path2": r.path(), "c": r.city(), "d": r.pick(lex.WEEKDAYS)}
    said, core = speak(r, t, s)
    c.say(said)
    wish = lower_first(core.rstrip("?.!"))
    c.answer("None of my tools does that, so I say it.", "I can't do that: none of my tools can %s." % (wish if not t.startswith("what's") else "tell the weather"), check_honest("unknown"))
    c.about = None
    c.done()
