"""Questions that a small model cannot answer from itself, with open names, so that nothing of them can be learnt by heart.

WORLD: facts that stand somewhere in the world: "question => what it is about". A web search is the right act where there
is one, else the honest word. NOBODY: what cannot be looked up anywhere, "question => why".
"""
from zlib import crc32

from . import lex, personal_open
from .phrases import Phrases, bars
from .sections import more, sections, with_values
from .slots import fill, slots_of

WORLD = """who is the president of {y}? => who the president of {y} is|who is the mayor of {c}? => who the mayor of {c} is|who runs {o}? => who runs {o}|who owns {o} now? => who owns {o}|who founded {o}? => who founded {o}|who won the {t} in {Y}? => who won the {t} in {Y}|
who came second in the {t}? => who came second in the {t}|who plays the lead in {F}? => who plays the lead in {F}|who sings {F}? => who sings {F}|who directed {F}? => who directed {F}|who painted {F}? => who painted {F}|who designed the {n} of {c}? => who designed the {n} of {c}|
which actor is in {F}? => which actor is in {F}|who was the king of {y} in {Y}? => who was the king of {y} in {Y}|what does a {P} cost? => the price of a {P}|how much is a {P}? => the price of a {P}|price of {P}? => the price of {P}|how much is a ticket from {c} to {c2}? => the price of a ticket from {c} to {c2}|
what does a flat in {c} cost? => the price of a flat in {c}|how expensive is {c}? => how expensive {c} is|what is the stock price of {o}? => the stock price of {o}|how much is a kilo of {f} in {c}? => the price of {f} in {c}|what is the rent in {c} like? => the rent in {c}|what's the exchange rate in {y}? => the exchange rate in {y}|
how did {c} play yesterday? => how {c} played yesterday|what's the score of {c} against {c2}? => the score of {c} against {c2}|who won, {c} or {c2}? => who won, {c} or {c2}|who leads the league in {y}? => who leads the league in {y}|when does {c} play next? => when {c} plays next|how many goals did {c} score in {Y}? => the goals of {c} in {Y}|
what's the weather in {c}? => the weather in {c}|how warm is it in {c} today? => how warm it is in {c}|will it rain in {c} tomorrow? => the forecast for {c}|is it snowing in {c}? => whether it is snowing in {c}|how high are the waves at {c}? => the waves at {c}|what's the forecast for {c} on {d}? => the forecast for {c}|
when does {o} open? => the opening hours of {o}|is the {n} museum in {c} open on {d}? => the opening hours of the {n} museum|what time does the {n} shop in {c} close? => when the {n} shop in {c} closes|when is the next bus to {c}? => the next bus to {c}|how do I get from {c} to {c2}? => the way from {c} to {c2}|is the road to {c} closed? => whether the road to {c} is closed|
what's happening in {c} this weekend? => what is happening in {c} this weekend|what's on at the cinema in {c}? => what is on at the cinema in {c}|where can I eat well in {c}? => where to eat well in {c}|what should I see in {c}? => what to see in {c}|which hotel in {c} is good? => which hotel in {c} is good|is {c} worth a visit? => whether {c} is worth a visit|
how deep is lake {W}? => the depth of lake {W}|how far is it from {c} to {c2}? => the distance from {c} to {c2}|when was {c} founded? => when {c} was founded|what is {c} famous for? => what {c} is famous for|how many people live in {c}? => the population of {c}|what is the area code of {c}? => the area code of {c}|in which country is {W}? => in which country {W} is|
what is a {w}? => what a {w} is|what does {w} mean? => what {w} means|what's the plural of {w}? => the plural of {w}|how do you spell {w} in {l}? => how {w} is spelt in {l}|what's the {l} word for {n}? => the {l} word for {n}|where does the word {w} come from? => where the word {w} comes from|who wrote {F}? => who wrote {F}|what is {F} about? => what {F} is about|
how does {F} end? => how {F} ends|when was {F} published? => when {F} was published|how long is the film {F}? => the length of {F}|how do I reset a {P}? => how to reset a {P}|how do I install {W} on my phone? => how to install {W}|is the {P} any good? => whether the {P} is good|which is better, the {P} or the {Q}? => which is better, the {P} or the {Q}|
what's new in {W} {K}? => what is new in {W} {K}|which version of {W} is the newest? => the newest version of {W}|what does the error {E} mean? => the error {E}|how do I fix error {E}? => how to fix error {E}|how do I {v} a {n} in {L}? => how to {v} a {n} in {L}|what's the syntax for a {n} in {L}? => the syntax for a {n} in {L}|
is {W} faster than {X}? => whether {W} is faster than {X}|do I need a permit for a {n} in {y}? => whether a {n} needs a permit in {y}|what is the fine for a {n} on the road in {y}? => the fine in {y}|am I allowed to {v} a {n} in {c}? => whether that is allowed in {c}|how many days of leave do people get in {y}? => the days of leave in {y}|
can my landlord forbid a {n}? => whether a landlord can forbid a {n}|what does the law in {y} say about {n}s? => the law in {y}|how high is the tax on {n}s in {y}? => the tax on {n}s in {y}|what are the side effects of {M}? => the side effects of {M}|how much {M} may I take? => how much {M} may be taken|what helps against {a}? => what helps against {a}|
is {M} safe for children? => whether {M} is safe for children|what are the signs of {a} trouble? => the signs of {a} trouble|can I take {M} with {M2}? => whether {M} goes with {M2}|should I see a doctor about my {a}? => whether to see a doctor|how long does {a} pain last? => how long {a} pain lasts|how long do I cook {f}? => how long {f} has to cook|
what's a good recipe for {f} soup? => a recipe for {f} soup|how many calories has {f}? => the calories of {f}|what can I cook with {f} and {g}? => what to cook with {f} and {g}|how do I freeze {f}? => how to freeze {f}|when is {f} in season? => when {f} is in season|what happened in {c} in {Y}? => what happened in {c} in {Y}|why did {y} lose the war of {Y}? => the war of {Y}|
what is the theorem of {S}? => the theorem of {S}|what does the {S} effect mean? => the {S} effect|how does a {n} work? => how a {n} works|why do {n}s break? => why {n}s break|
how is {n} made? => how {n} is made|what's the best {n} for beginners? => the best {n} for beginners|how do I clean a {n}? => how to clean a {n}|how do I repair a {n}? => how to repair a {n}|how old can a {n} get? => how old a {n} can get|what is the largest {n} in the world? => the largest {n} in the world|how many {n}s are there in {y}? => the number of {n}s in {y}|
why is the {n} {A}? => why the {n} is {A}|what's the difference between a {n} and a {m}? => the difference between a {n} and a {m}|are {n}s dangerous? => whether {n}s are dangerous|what do {n}s eat? => what {n}s eat|when was the {n} invented? => when the {n} was invented|who is the head of the {n} office in {c}? => who heads the {n} office in {c}|
any news about the {t}? => the news about the {t}|what's the latest on {o}? => the latest on {o}|what do people say about the {P}? => what people say about the {P}|is {o} hiring? => whether {o} is hiring|did {o} go bankrupt? => whether {o} went bankrupt|what is {o}'s phone number? => the phone number of {o}|where is the head office of {o}? => where the head office of {o} is"""
NOBODY = """what is {p} thinking right now? => only {p} could tell you|does {p} like me? => only {p} could tell you|why is {p} angry with me? => only {p} could tell you|will {p} forgive me? => only {p} could tell you|what did {p} dream last night? => only {p} could tell you|does {p} love {q}? => only they could tell you|
what does {p} feel for me? => only {p} could tell you|is {p} lying to me? => only {p} could tell you|what is {p} going to say to me tomorrow? => only {p} could tell you|what secret does {p} have? => only {p} could tell you|what is {p}'s password? => that is {p}'s own secret|what did {p} whisper to {q}? => only they could tell you|
what does {p} really want? => only {p} could tell you|is {p} happy with {q}? => only they could tell you|what is my {k} thinking? => only your {k} could tell you|is my {k} proud of me? => only your {k} could tell you|is my {k} angry? => only your {k} could tell you|what is my {k} doing at this moment? => I cannot see it|
which numbers will win the lottery? => nobody knows that beforehand|give me next week's lottery numbers => nobody knows that beforehand|will I be rich one day? => nobody knows that beforehand|how long will I live? => nobody knows that beforehand|will I be happy in {c}? => nobody knows that beforehand|
when will I die? => nobody knows that beforehand|will {p} marry {q}? => nobody knows that beforehand|what will {o} shares cost in ten years? => nobody knows that beforehand|who will win the {t} in {Z}? => nobody knows that beforehand|will there be a war in {Z}? => nobody knows that beforehand|will it snow on my birthday in {Z}? => nobody knows that beforehand|
what will the world be like in {Z}? => nobody knows that beforehand|will I pass my exam? => nobody knows that beforehand|will my team win on {d}? => nobody knows that beforehand|what will happen to me next year? => nobody knows that beforehand|heads or tails, what will the coin show? => nobody knows that beforehand|will {o} still exist in {Z}? => nobody knows that beforehand|
will I get the job at {o}? => nobody knows that beforehand|is {p} my true love? => nobody can tell that but you two|predict my future => nobody knows the future|tell my fortune => nobody knows the future|read my mind => I cannot see your thoughts|what number am I thinking of? => I cannot see your thoughts|guess what I'm thinking => I cannot see your thoughts|
what am I thinking of? => I cannot see your thoughts|what do I have in my hand? => I cannot see it|what's in my pocket? => I cannot see it|what am I wearing? => I cannot see you|what do I look like? => I cannot see you|how do I look today? => I cannot see you|what colour are my eyes right now, look => I cannot see you|who is standing behind me? => I cannot see you|
what do you see? => I cannot see anything|what noise is that? => I cannot hear anything|what does it smell of here? => I cannot smell anything|is my door locked? => I cannot see it|is the stove still on? => I cannot see it|is anybody at the door? => I cannot see it|what did I just drop? => I cannot see it|what did my {k} say on the phone just now? => I cannot hear it|
how many fingers am I holding up? => I cannot see you|where is my {k} at this very moment? => I cannot see it|what does my neighbour do at night? => that is a private matter of theirs|how much money does {p} have in the bank? => that is a private matter of theirs|what does {p} say about me behind my back? => only {p} could tell you|
which illness does {p} have? => that is a private matter of theirs|who does {p} vote for? => that is a private matter of theirs"""

# Advice: it speaks of the person, but nobody was told the answer; it is about the world.
ADVICE = """which {n} should I buy? => which {n} to buy|what {n} is best for me? => which {n} is best|how do I choose a good {n}? => how to choose a {n}|what should I wear to a {n} party? => what to wear to a {n} party|how do I get rid of {n}s in my house? => how to get rid of {n}s|why does my {n} make a noise? => why a {n} makes a noise|
why is my {n} so {A}? => why a {n} gets {A}|how can I make my {n} last longer? => how to make a {n} last longer|can I wash my {n} with {f}? => whether a {n} can be washed with {f}|how often should I clean my {n}? => how often a {n} should be cleaned|is it safe to {v} my {n}? => whether that is safe|how do I {v} my {n}? => how to {v} a {n}|
what can I do with an old {n}? => what to do with an old {n}|should I {v} my {n} or buy a new one? => whether to buy a new {n}|how much should I pay for a {n}? => what a {n} should cost|where can I get my {n} repaired in {c}? => where to get a {n} repaired|how do I teach my {k} to {v}? => how to teach somebody to {v}|what present should I buy for a {n} fan? => a present for a {n} fan|
how do I write a good letter to {o}? => how to write such a letter|how can I sleep better? => how to sleep better|how do I lose weight? => how to lose weight|what should I eat before a run? => what to eat before a run|how do I learn {l} quickly? => how to learn {l} quickly|which {l} course should I take? => which {l} course to take|
how do I invest {K} thousand euros? => how to invest money|should I move to {c}? => whether to move to {c}|what should I pack for {c}? => what to pack for {c}|when should I visit {y}? => when to visit {y}|do I need a visa for {y}? => whether a visa is needed for {y}|how do I plant {f}? => how to plant {f}|why do my {f} taste {A}? => why they taste {A}|
what goes well with my {n}? => what goes well with a {n}|how do I make friends in {c}? => how to make friends in {c}|how do I ask my {k} for money? => how to ask for money|how do I get more readers for my {n} blog? => how to get more readers|how do I stop my {n} from breaking? => how to keep a {n} from breaking|which {L} book should I read? => which {L} book to read|
how do I fix my {P}? => how to fix a {P}|why won't my {P} start? => why a {P} does not start|can I use {M} for my {a}? => whether {M} helps"""


def pairs(text):
    out = [tuple(x.strip().split(" => ")) for x in bars(text) if x.strip()]
    return Phrases(sorted(out, key=lambda x: crc32(x[0].encode())))


_more = sections("beyond.txt")
WORLD, NOBODY, ADVICE = (more(pairs(old), with_values(_more[k])) for old, k in ((WORLD, "WORLD"), (NOBODY, "NOBODY"), (ADVICE, "ADVICE")))
HONEST = sections("honest.txt")
WORLD, NOBODY, ADVICE = (more(old, with_values(HONEST[k])) for old, k in ((WORLD, "WORLD"), (NOBODY, "NOBODY"), (ADVICE, "ADVICE")))
LANGS = ["Rust", "Python", "Go", "Java", "C", "Haskell", "JavaScript", "Ruby", "Kotlin", "SQL", "Lua", "Perl", "bash", "CSS", "Swift"]
TONGUES = ["French", "Spanish", "Italian", "Polish", "Dutch", "Latin", "Greek", "Welsh", "Turkish", "Czech", "Danish", "Finnish", "Korean", "Swahili", "Basque"]
ASKED = Phrases("""hey, {q}|can you tell me this: {q}|I'd like to know: {q}|a question: {q}|{q} Do you know?|{q} I'm curious.|my {k} asked me: {q}|for school: {q}|we are arguing about this: {q}|tell me: {q}|{q} Any idea?|just wondering, {q}""".split("|"), _more["ASKED"])
# asked for its opinion it has none to give; that is another matter
ASKED.mended({"in your opinion: {q}": "let me ask you: {q}", "what would you say: {q}": "here is what I want to know: {q}", "{q} What do you think?": "{q} Who knows?"})


def _made(r):
    return r.made(lambda: r.syllables(2))


def _title(r):
    return r.pick(["The ", "Two ", ""]) + r.entity(lex.ADJ).capitalize() + " " + r.noun().capitalize()


MAKE = {"y": lambda r: r.country(), "c": lambda r: r.city(), "o": lambda r: r.org(), "t": lambda r: r.topic(),
        "Y": lambda r: r.int(1200, 2025), "Z": lambda r: r.int(2035, 2150), "F": _title, "n": lambda r: r.noun(),
        "P": lambda r: r.product(),
        "f": lambda r: r.entity(lex.FOODS), "d": lambda r: r.pick(lex.WEEKDAYS), "W": lambda r: _made(r).capitalize(),
        "w": lambda r: _made(r) if r.chance(0.6) else r.word(), "l": lambda r: r.pick(TONGUES), "L": lambda r: r.pick(LANGS),
        "K": lambda r: r.int(2, 20),
        "k": lambda r: r.entity(personal_open.KIN), "E": lambda r: r.code(), "v": lambda r: r.entity(lex.VERBS),
        "M": lambda r: _made(r) + r.pick(["ol", "in", "ex", "an"]), "a": lambda r: r.entity(personal_open.AILS),
        "A": lambda r: r.entity(lex.ADJ), "S": lambda r: r.last(),
        "p": lambda r: r.first()}
MAKE.update(c2=MAKE["c"], m=MAKE["n"], Q=MAKE["P"], g=MAKE["f"], X=MAKE["W"], M2=MAKE["M"], q=MAKE["p"])


def filled(r, pair):
    s = {k: MAKE[k](r) for k in dict.fromkeys(slots_of(pair[0]) + slots_of(pair[1]))}
    return fill(pair[0], s), fill(pair[1], s)


def world(r):
    """A question about the world and what it is about."""
    return filled(r, r.phrase(ADVICE if r.chance(0.25) else WORLD))


def nobody(r):
    """A question that nobody can look up, and why."""
    return filled(r, r.phrase(NOBODY))


SUBJECTS = Phrases(sorted(bars("""the history of {c}|the economy of {y}|the life of {N}|the {S} theorem|{l} grammar|how {n}s are made|how to {v} a {n}|the causes of the war of {Y}|{W} the painter|the {n} trade in {y}|the rules of {W}|the {W} festival in {c}|{n} care|the art of {n} making|how {n}s move|the use of {M}|the symptoms of {a} trouble|
the plot of {F}|the songs of {N}|{L} macros|the {t}|the laws of {y} on {n}s|the best {n}s of {Y}|how a {n} differs from a {m}|{f} and {g} dishes|the weather of {c}|the kings of {y}|why {n}s fail|the {W} method|the price of {P}"""), key=lambda x: crc32(x.encode())), _more["SUBJECTS"])
SUBJECTS.mended({"the life of {N}": None})  # somebody by that name may stand in the memory or the graph
MAKE["N"] = lambda r: r.name()


def subject(r):
    """Something that somebody wants to hear about."""
    t = r.phrase(SUBJECTS)
    return fill(t, {k: MAKE[k](r) for k in slots_of(t)})
