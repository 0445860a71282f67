"""More that people tell about themselves, with open values: any words, made up names, numbers, several things at once.

A kind is (slots, name, ways to say it, questions, answer, what an answer must say, clauses). A clause is the question
in indirect words ("where I keep my {o}"); with the frames below it makes many more questions.
"""
from . import lex
from .frames import PIECES
from .phrases import Phrases, bars
from .sections import more, sections

THINGS = bars("""bike lock|suitcase|garage|cellar|garden shed|allotment|wine rack|record player|rowing boat|caravan|mailbox|sports bag|toolbox|sewing box|spare key|passport|stamp album|fishing rod|old camera|winter coat|rain jacket|
hiking boots|ski boots|reading glasses|hearing aid|watch|wedding ring|drill|ladder|hedge trimmer|bread machine|rice cooker|teapot|piano|cello|violin|accordion|drum kit|bookshelf|desk|armchair|sofa|bed|fridge|freezer|dishwasher|washing machine|
thermostat|alarm|safe|chest|library card|gym card|bus pass|credit card|phone contract|garden|greenhouse|balcony|attic|workshop|office|van|scooter|motorbike|kayak|sledge|drone""")
MARKS = ["code", "number", "password", "PIN", "serial number", "size", "colour", "brand", "price", "weight", "name", "key number", "combination", "model", "address", "deadline", "owner", "plate", "label", "insurance number", "warranty number", "license key", "nickname"]
KIN = bars("""sister|brother|mother|father|mum|dad|aunt|uncle|cousin|grandma|grandpa|grandmother|grandfather|wife|husband|partner|girlfriend|boyfriend|daughter|son|stepson|niece|nephew|godson|mother-in-law|brother-in-law|neighbour|boss|landlord|
dentist|doctor|vet|best friend|flatmate|piano teacher|coach|mechanic|hairdresser|colleague|tutor|accountant|lawyer|pen pal|tenant|driver|cleaner|gardener|baker|old teacher|new boss""")
NEAR, FAR = KIN[:22], KIN[22:]
OF_KIN = ["phone number", "address", "shoe size", "middle name", "nickname", "favourite dish", "favourite flower", "job", "car", "dog", "street", "surname", "hometown", "hobby", "team", "email", "birthday", "office", "star sign", "favourite colour", "email address", "room number"]
DRINK = "coffee|tea|black tea|green tea|mint tea|espresso|cappuccino|cocoa|hot chocolate|milk|juice|water|lemonade|beer|wine|porridge|muesli|toast|eggs|steak|burger|pizza|soup|salad|pasta|rice|potatoes|fish|pancakes|sandwich|curry|noodles|omelette|yoghurt|ice cream|popcorn|fries|bread|dumplings|stew|smoothie".split("|")
MANNER = "black|white|strong|weak|cold|ice cold|lukewarm|very hot|plain|well done|rare|medium|crispy|soft|hard boiled|thin|thick|salty|mild|very spicy|sour|sweet|unsweetened|toasted|steamed|fried|raw|double|small|large|to go".split("|")
WHEN = "in the morning|at noon|after lunch|in the afternoon|in the evening|at night|before bed|at breakfast|at work|on weekends|on Sundays|in winter|in summer|after sport|on holiday|at dinner".split("|")
DOES = """get up|go to bed|start work|leave the house|have lunch|have dinner|walk the dog|do my exercises|call my parents|take my pills|go for a run|close the shop|feed the cat|meditate|read the news|come home|turn off my phone|have breakfast|water the plants|practise""".split("|")
USES = "backups|notes|photos|mail|invoices|recipes|passwords|drawing|music|maps|banking|video calls|translation|my budget|my diary|editing|shopping lists|timers|writing|reading|slides|chess|weather|podcasts|my garden plan".split("|")
AILS = "headaches|back|allergy|asthma|migraine|knees|blood pressure|stomach|cough|skin|eyes|insomnia|cold|heart|shoulder|teeth".split("|")
GROUPS = "children|sisters|brothers|cats|bikes|plants|guitars|keys|cousins|hens|bookcases|computers|cups|chairs|aunts|goldfish|beehives|tomato plants|pairs of boots|suitcases|umbrellas|grandchildren|flatmates|pupils|employees".split("|")


def value(r):
    """Something short that can stand for nearly anything."""
    x = r.random()
    if x < 0.2:
        return r.noun()
    if x < 0.35:
        return r.entity(lex.ADJ) + " " + r.noun()
    if x < 0.5:
        return r.made(lambda: r.syllables(r.int(2, 3))).capitalize()
    if x < 0.6:
        return str(r.int(2, 99999))
    if x < 0.7:
        return r.code()
    if x < 0.8:
        return r.name() if r.chance(0.5) else r.city()
    if x < 0.9:
        return r.noun() + " and " + r.noun()
    return r.product()


def place(r):
    a = r.entity(lex.ADJ) + " " if r.chance(0.5) else ""
    x = r.random()
    if x < 0.4:
        return "%s the %s%s" % (r.pick(["in", "under", "behind", "on", "next to", "above", "inside"]), a, r.noun())
    if x < 0.7:
        return "%s the %s %s the %s" % (r.pick(["in", "under", "behind", "on"]), r.noun(), r.pick(["by", "of", "near", "beside"]), r.noun())
    if x < 0.85:
        return "with my " + r.entity(KIN)
    return r.pick(["at %s's place" % r.first(), "in %s" % r.city(), "in drawer %d" % r.int(1, 40), "on shelf %s" % r.pick("ABCDEFGH"),
                   "in box %d" % r.int(2, 99)])


def thing(r):
    x = r.random()
    return r.entity(THINGS) if x < 0.6 else r.noun() if x < 0.85 else r.entity(lex.ADJ) + " " + r.noun()


def manner(r):
    if r.chance(0.4):
        return r.entity(MANNER)
    way = r.pick(["with %s", "without %s", "with a little %s", "with extra %s", "with a spoon of %s", "with lots of %s", "with no %s",
                  "with a pinch of %s", "with two slices of %s", "with %s on top", "with %s but no " + r.entity(lex.FOODS)])
    return way % (r.entity(lex.FOODS) if r.chance(0.8) else r.noun())


def how(r):
    """A way to have something: one or several parts, all of which count."""
    a, b = manner(r), manner(r)
    return a if r.chance(0.5) or a == b else a + r.pick([" and ", ", ", " but "]) + b


def dish(r):
    return r.entity(DRINK) if r.chance(0.75) else r.entity(lex.FOODS) if r.chance(0.6) else r.noun()


def day(r):
    return r.pick(["%d %s" % (r.int(1, 28), r.pick(lex.MONTHS)), "%s %d" % (r.pick(lex.MONTHS), r.int(1, 28)), r.day(),
                   "the %d%s of %s" % (r.int(4, 20), "th", r.pick(lex.MONTHS))])


def _two(r):
    a, b = r.some(WHEN, 2)
    d, e = dish(r), dish(r)
    while e == d:
        e = dish(r)
    return {"a": a, "b": b, "d": d if r.chance(0.5) else d + " " + how(r), "e": e if r.chance(0.5) else e + " " + how(r)}


def members(text):
    return [x.strip() for x in bars(text) if x.strip()]


KINDS = [
    (lambda r: {"k": thing(r) + " " + r.entity(MARKS), "v": value(r)}, "{k}",
     members("""My {k} is {v}.|the {k} is {v}|my {k}: {v}|{v} is my {k}.|I set my {k} to {v}.|My {k} has changed to {v}.|for the {k} I chose {v}|they gave me {v} as my {k}|my {k} reads {v}|By the way, my {k} is {v}.|In case you wonder, my {k} is {v}.|
You should know that my {k} is {v}."""),
     members("""what is my {k}?|what's my {k}?|my {k}?|tell me my {k}|which {k} do I have?|what was my {k} again?|do you know my {k}?|I need my {k}|what's the {k} I gave you?|could you give me my {k}?|can you recall my {k}?|have you got my {k}?"""),
     "your {k} is {v}", ["{v}"], members("what my {k} is|what my {k} was")),
    (lambda r: {"o": thing(r), "v": place(r)}, "{o}",
     members("""I keep my {o} {v}.|my {o} is {v}|My {o} stands {v}.|I put my {o} {v}.|I left my {o} {v}.|I've stored my {o} {v}.|you find my {o} {v}|My {o} lies {v}.|I always leave my {o} {v}|I hid my {o} {v}."""),
     members("""where is my {o}?|where do I keep my {o}?|where did I put my {o}?|where's my {o}?|where did I leave my {o}|where can I find my {o}?|I can't find my {o}, where is it?|in what place is my {o}?|where do I have my {o}?|my {o}, where is it?|I'm looking for my {o}"""),
     "your {o} is {v}", ["{v}"], members("where my {o} is|where I keep my {o}|where I put my {o}|where I left my {o}")),
    (lambda r: {"d": dish(r), "h": how(r)}, "{d}",
     members("""I have my {d} {h}.|I want my {d} {h}|{d}? {h} for me.|I'd like {d} {h}, always.|When I order {d}, I order it {h}.|My {d} has to be {h}.|I eat or drink {d} only {h}.|From now on I take my {d} {h}.|For me {d} comes {h}.|I enjoy my {d} {h}.|These days I have {d} {h}.|
the way I like {d}: {h}"""),
     members("""how do I want my {d}?|how do I take {d}?|how do I like {d}?|how would I have my {d}?|what's my way of having {d}?|what do I take in or with my {d}?|how do I usually have my {d}?|how should you make my {d}?|how did I say I like my {d}?|how am I having my {d}?|you know my {d}, how is it?"""),
     "you like your {d} {h}", ["{h}"], members("how I like my {d}|how I take my {d}|how I want my {d}|how my {d} should be")),
    (lambda r: {"k": r.entity(KIN), "a": r.entity(OF_KIN), "v": value(r)}, "{k}'s {a}",
     members("""My {k}'s {a} is {v}.|the {a} of my {k} is {v}|{v} is my {k}'s {a}.|For my {k} the {a} is {v}.|my {k} has {v} as {a}|my {k}, {a}: {v}|my {k}'s new {a} is {v}|my {k} told me that the {a} is {v}|I just learnt my {k}'s {a}: {v}|Concerning my {k}: the {a} is {v}."""),
     members("""what is my {k}'s {a}?|what's the {a} of my {k}?|my {k}'s {a}?|tell me my {k}'s {a}|which {a} does my {k} have?|what was my {k}'s {a} again?|do you know my {k}'s {a}?|I need the {a} of my {k}|what did I say about my {k}'s {a}?|what {a} has my {k} got?"""),
     "your {k}'s {a} is {v}", ["{v}"], members("what my {k}'s {a} is|what the {a} of my {k} is")),
    (lambda r: {"k": r.entity(KIN), "d": dish(r), "h": how(r)}, "{k}'s {d}",
     members("""My {k} takes {d} {h}.|my {k} likes {d} {h}|My {k} has {d} {h}, I don't.|for my {k}, {d} is {h}|my {k} wants the {d} {h}|{d} for my {k} is always {h}|When my {k} visits, {d} has to be {h}.|my {k} prefers {d} {h}"""),
     members("""how does my {k} take {d}?|how does my {k} like {d}?|how do I make {d} for my {k}?|what way does my {k} have {d}?|my {k}'s {d}, how is it?|how should {d} for my {k} be?|how does my {k} want the {d}?|how must I serve {d} to my {k}?"""),
     "your {k} likes {d} {h}", ["{h}"], members("how my {k} takes {d}|how my {k} likes {d}")),
    (lambda r: {"k": r.entity(DOES), "v": r.time()}, "{k}",
     members("""I {k} at {v}.|at {v} I {k}|Usually I {k} at {v}.|I {k} at {v} every day.|my time to {k} is {v}|{v} is when I {k}.|I always {k} at {v} sharp|It's {v} when I {k}.|on normal days I {k} at {v}|These days I {k} at {v}."""),
     members("""when do I {k}?|at what time do I {k}?|what time do I {k}?|when do I usually {k}?|at which hour do I {k}?|how early or late do I {k}?|when is it that I {k}?|what's my time to {k}?|I {k} at what time?|tell me when I {k}"""),
     "you {k} at {v}", ["{v}"], members("when I {k}|at what time I {k}")),
    (lambda r: {"o": thing(r), "v": r.name() if r.chance(0.4) else r.first() if r.chance(0.6) else "my " + r.entity(KIN)}, "{o}",
     members("""I lent my {o} to {v}.|my {o} is with {v}|I gave my {o} to {v}.|{v} has my {o}.|{v} borrowed my {o}|My {o} is on loan to {v}.|I handed my {o} over to {v}|{v} took my {o} for a while|I let {v} use my {o}.|at the moment {v} has got my {o}"""),
     members("""who has my {o}?|to whom did I lend my {o}?|who did I give my {o} to?|who borrowed my {o}?|with whom is my {o}?|who's got my {o}?|who has my {o} now|to whom did my {o} go?|who took my {o}?|who is it that has my {o}?"""),
     "{v} has your {o}", ["{v}"], members("who has my {o}|who borrowed my {o}|to whom I gave my {o}")),
    (lambda r: {"v": r.first(), "k": "%d euros" % r.int(5, 900)}, "debt of {v}",
     members("""{v} owes me {k}.|I lent {v} {k}|{v} still has to pay me {k}|I get {k} from {v}.|{v} borrowed {k} from me|I'm owed {k} by {v}.|{v} is {k} in my debt|I paid {k} for {v}, who still owes it to me"""),
     members("""how much does {v} owe me?|what does {v} owe me?|what do I get from {v}?|how much did I lend {v}?|how much money do I get back from {v}?|what's the sum {v} owes me?|how much is {v} in my debt?|{v} owes me how much?"""),
     "{v} owes you {k}", ["{k}"], members("how much {v} owes me|what {v} owes me")),
    (lambda r: {"m": r.pick(lex.MONTHS), "v": r.city()}, "trip in {m}",
     members("""In {m} I'm going to {v}.|I'm travelling to {v} in {m}|My trip in {m} is to {v}.|in {m} we go to {v}|I booked {v} for {m}.|{m}: I'll be in {v}|My holiday in {m} will be in {v}.|for {m} I planned {v}|We fly to {v} in {m}.|my {m} trip goes to {v}"""),
     members("""where am I going in {m}?|where do I travel in {m}?|what's my trip in {m}?|where will I be in {m}?|which place did I plan for {m}?|where's my {m} holiday?|to which city do I go in {m}?|in {m}, where am I?|my {m} trip goes where?|what did I book for {m}?"""),
     "in {m} you are going to {v}", ["{v}"], members("where I'm going in {m}|where I will be in {m}")),
    (lambda r: {"k": r.entity(USES), "v": r.made(lambda: r.syllables(2)).capitalize() if r.chance(0.6) else r.product()}, "{k}",
     members("""I use {v} for {k}.|for {k} I use {v}|My program for {k} is {v}.|{v} is what I use for {k}|I do {k} with {v}.|when it comes to {k} I use {v}|I switched to {v} for {k}.|{v} does my {k}|{k}: I rely on {v}|I work with {v} for {k}"""),
     members("""what do I use for {k}?|which program do I use for {k}?|with what do I do {k}?|what's my tool for {k}?|for {k} I use what?|what am I using for {k}?|what did I say I use for {k}?|which one do I use for {k}?"""),
     "you use {v} for {k}", ["{v}"], members("what I use for {k}|which program I use for {k}")),
    (lambda r: {"k": r.entity(AILS), "v": r.made(lambda: r.syllables(r.int(2, 3)))
                + r.pick(["", "ol", "in", "ex", " %d" % r.int(5, 500), " drops", " tea"])}, "{k}",
     members("""I take {v} for my {k}.|for my {k} I take {v}|{v} helps my {k}|My doctor gave me {v} for my {k}.|against my {k} I use {v}|my {k}: I take {v}|{v} is what I take for my {k}|since spring I take {v} for my {k}"""),
     members("""what do I take for my {k}?|which medicine do I take for my {k}?|what helps my {k}?|what did my doctor give me for my {k}?|what am I taking for my {k}?|for my {k} I take what?|what's my remedy for my {k}?|what do I use against my {k}?"""),
     "you take {v} for your {k}", ["{v}"], members("what I take for my {k}|what helps my {k}")),
    (lambda r: {"k": r.entity(GROUPS), "v": str(r.int(2, 60))}, "{k}",
     members("""I have {v} {k}.|we have {v} {k}|I own {v} {k}, believe it or not.|there are {v} {k} in my home|I've got {v} {k} now|the number of my {k} is {v}|I counted my {k}: {v}|my {k} are {v} in number"""),
     members("""how many {k} do I have?|how many {k} have I got?|what's the number of my {k}?|how many {k} do we have?|how many are my {k}?|I have how many {k}?|count of my {k}?|how many {k} did I say I have?"""),
     "you have {v} {k}", ["{v}"], members("how many {k} I have|how many {k} there are in my home")),
    (lambda r: {"o": thing(r), "v": r.org() if r.chance(0.6) else r.city()}, "{o}",
     members("""I bought my {o} at {v}.|my {o} is from {v}|I got my {o} from {v}.|My {o} comes from {v}.|I ordered my {o} at {v}|I found my {o} at {v}|{v} sold me my {o}|my {o} was bought at {v}"""),
     members("""where did I buy my {o}?|where is my {o} from?|from where do I have my {o}?|who sold me my {o}?|where did I get my {o}?|where does my {o} come from?|at which place did I buy my {o}?|my {o} is from where?"""),
     "your {o} is from {v}", ["{v}"], members("where I bought my {o}|where my {o} comes from|where I got my {o}")),
    (lambda r: {"o": thing(r), "v": "%d %s" % (r.int(5, 4000), r.pick(["euros", "dollars", "pounds", "francs"]))}, "{o}",
     members("""I paid {v} for my {o}.|my {o} cost {v}|My {o} was {v}.|I spent {v} on my {o}|{v} is what my {o} cost|the price of my {o} was {v}|they wanted {v} for my {o} and I paid it"""),
     members("""what did my {o} cost?|how much was my {o}?|what did I pay for my {o}?|how much did I spend on my {o}?|what was the price of my {o}?|how expensive was my {o}?|how much did I pay for my {o}|my {o} cost how much?"""),
     "your {o} cost {v}", ["{v}"], members("what my {o} cost|what I paid for my {o}|how much my {o} was")),
    (lambda r: {"k": r.entity(KIN), "v": r.made(lambda: r.syllables(2)).capitalize() if r.chance(0.7) else r.noun()},
     "what my {k} calls me",
     members("""My {k} calls me {v}.|for my {k} I'm {v}|to my {k} I am {v}|{v} is what my {k} calls me|my {k} always says {v} to me|my nickname with my {k} is {v}"""),
     members("""what does my {k} call me?|what am I called by my {k}?|what's my nickname with my {k}?|how does my {k} call me?|which name does my {k} have for me?|my {k} calls me what?"""),
     "your {k} calls you {v}", ["{v}"], members("what my {k} calls me")),
    (lambda r: {"v": r.pick(["The ", "Two ", ""]) + r.entity(lex.ADJ).capitalize() + " " + r.noun().capitalize()}, "book",
     members("""I'm reading {v}.|the book I'm reading is {v}|At the moment I read {v}.|I started {v}, a book|my bedtime book is {v}|the novel on my table is {v}|I'm halfway through the book {v}"""),
     members("""which book am I reading?|what am I reading?|what book do I read at the moment?|what's the book I'm reading?|which novel did I start?|what's my bedtime book?|the title of my book?"""),
     "you are reading {v}", ["{v}"], members("which book I'm reading|what I'm reading")),
    (lambda r: {"k": r.pick(["language", "instrument", "dance", "craft", "game"]),
                "v": r.pick(["Welsh", "Korean", "Finnish", "Greek", "the oboe", "the harp", "tango", "weaving", "pottery", "go", "bridge",
                             "the cello", "Latin", "salsa", "carving"]) if r.chance(0.5) else r.made(lambda: r.syllables(2))}, "learning",
     members("""I'm learning {v}.|I started to learn {v}|I'm taking lessons in {v}.|this year I'm learning {v}|I want to learn {v} and have begun|my new hobby is learning {v}|Since May I've been learning {v}."""),
     members("""what am I learning?|what do I learn at the moment?|which lessons do I take?|what did I start to learn?|what am I taking lessons in?|what have I been learning?|my lessons are in what?"""),
     "you are learning {v}", ["{v}"], members("what I'm learning|what I started to learn")),
    (lambda r: {"v": value(r), "k": r.pick(["project", "boat", "band", "team", "start-up", "blog", "novel", "farm", "shop", "podcast",
                                            "club", "house", "game", "thesis", "garden", "café", "website", "robot"])}, "{k} name",
     members("""My {k} is called {v}.|the name of my {k} is {v}|I named my {k} {v}.|my {k} got the name {v}|We call our {k} {v}.|my {k}'s name: {v}|I'm working on my {k}, {v}|{v} is the name of my {k}|the title of my {k} is {v}"""),
     members("""what is my {k} called?|what's the name of my {k}?|what did I call my {k}?|name of my {k}?|how is my {k} called?|what name has my {k}?|which name did I give my {k}?|what do we call our {k}?"""),
     "your {k} is called {v}", ["{v}"], members("what my {k} is called|how I named my {k}|the name of my {k}")),
    (lambda r: {"k": thing(r) + r.pick([" contract", " guarantee", " lease", " subscription", " insurance"]), "v": day(r)}, "{k}",
     members("""My {k} ends on {v}.|the {k} runs until {v}|my {k} is valid until {v}|my {k} expires on {v}|I have to renew my {k} by {v}|{v} is the end of my {k}|my {k} is good until {v}"""),
     members("""when does my {k} end?|until when is my {k} valid?|when does my {k} expire?|when must I renew my {k}?|how long does my {k} run?|what's the end date of my {k}?|my {k} ends when?"""),
     "your {k} ends on {v}", ["{v}"], members("when my {k} ends|until when my {k} runs|when my {k} expires")),
    (lambda r: {"v": r.noun() if r.chance(0.5) else r.entity(lex.ADJ) + " " + r.noun(), "w": ""}, "dislikes",
     members("""I can't stand {v}s.|I hate {v}s|I really dislike {v}s.|keep {v}s away from me|{v}s drive me mad|I have never liked {v}s|nothing is worse for me than {v}s|I can do without {v}s, I hate them"""),
     members("""what can't I stand?|what do I hate?|what do I dislike?|what drives me mad?|what is it that I can't stand?|what did I say I hate?|what should be kept away from me?"""),
     "you can't stand {v}s", ["{v}"], members("what I can't stand|what I hate|what I dislike")),
    (lambda r: {"v": value(r) + "s", "w": ""}, "collection",
     members("""I collect {v}.|my collection is of {v}|I've been collecting {v} for years|I'm a collector of {v}|since school I collect {v}|what I collect are {v}"""),
     members("""what do I collect?|what's in my collection?|which things do I collect?|what am I collecting?|what's my collection of?|I'm a collector of what?"""),
     "you collect {v}", ["{v}"], members("what I collect")),
]
KINDS += [  # two things in one sentence, one of them is asked
    (_two, "{d}", members("""I have {d} {a} and {e} {b}.|{d} {a}, {e} {b}: that's me|{a} I have {d}, {b} I have {e}.|I want {d} {a}, but {e} {b}.|it's {d} for me {a} and {e} {b}|My habit is {d} {a} and {e} {b}.|{b} I take {e}, {a} I take {d}."""),
     members("""what do I have {a}?|what do I take {a}?|what do I want {a}?|{a}, what do I have?|what's my habit {a}?|what is it for me {a}?|what should I get {a}?|what do I like to have {a}?"""),
     "{a} you have {d}", ["{d}"], members("what I have {a}|what I take {a}|what I want {a}")),
    (_two, "{e}", members("""I have {d} {a} and {e} {b}.|{d} {a}, {e} {b}: that's me|{a} I have {d}, {b} I have {e}.|I want {d} {a}, but {e} {b}.|it's {d} for me {a} and {e} {b}|My habit is {d} {a} and {e} {b}.|{b} I take {e}, {a} I take {d}."""),
     members("""what do I have {b}?|what do I take {b}?|what do I want {b}?|{b}, what do I have?|what's my habit {b}?|what is it for me {b}?|what should I get {b}?|what do I like to have {b}?"""),
     "{b} you have {e}", ["{e}"], members("what I have {b}|what I take {b}|what I want {b}")),
    (lambda r: dict(zip("kn", r.some([r.entity(NEAR), r.entity(FAR)], 2)), v=r.first(), w=r.first()), "{k}",
     members("""My {k} is called {v} and my {n} {w}.|my {k} is {v}, my {n} is {w}|{v} is my {k} and {w} my {n}.|I live with my {k} {v} and my {n} {w}|there's my {k}, {v}, and my {n}, {w}|with us are {w}, my {n}, and {v}, my {k}"""),
     members("""what is my {k} called?|what's my {k}'s name?|who is my {k}?|name of my {k}?|how is my {k} called?|tell me the name of my {k}"""),
     "your {k} is called {v}", ["{v}"], members("what my {k} is called|what my {k}'s name is")),
    (lambda r: {"k": thing(r), "a": r.pick(["colour", "age", "weight", "price", "size", "number"]),
                "b": r.pick(["brand", "owner", "model", "code", "maker", "place"]), "v": value(r), "w": value(r)}, "{k} {a}",
     members("""My {k}: {a} {v}, {b} {w}.|the {a} of my {k} is {v} and the {b} is {w}|My {k} has the {b} {w} and the {a} {v}.|my {k}'s {a} is {v}, its {b} is {w}"""),
     members("""what is the {a} of my {k}?|what's my {k}'s {a}?|the {a} of my {k}?|which {a} has my {k}?|tell me the {a} of my {k}"""),
     "the {a} of your {k} is {v}", ["{v}"], members("what the {a} of my {k} is|which {a} my {k} has")),
]

# Frames around a clause.
FRAMES = more(Phrases(members("""tell me {c}|do you remember {c}?|do you know {c}?|do you still know {c}?|can you tell me {c}?|could you tell me {c}?|I forgot {c}|I can't remember {c}|I don't remember {c}|remind me {c}|please tell me {c}|I'd like to know {c}|
did I tell you {c}?|I told you {c}, didn't I?|say {c}|I wonder {c}|any idea {c}?|you should know {c}|help me remember {c}|have I told you {c}?|I want to hear {c}|I have forgotten {c}|let me know {c}|
can you remember {c}?|do you happen to know {c}?|I'm not sure any more {c}|I should know {c}, but I don't|it slipped my mind {c}|refresh my memory: {c}?|does your memory hold {c}?|someone asked me {c}|my {x} wants to know {c}""")), PIECES["FRAMES"])
BEGIN = more(Phrases(members("""By the way, {s}|Just so you know, {s}|You know what? {s}|Some news: {s}|About me: {s}|I should mention: {s}|Before I forget: {s}|Something else: {s}|FYI {s}|Oh, and {s}|One thing about me: {s}|As of today, {s}|
Good to know for you: {s}|Let me tell you something: {s}|so, {s}|well, {s}|Another thing: {s}|Fun fact: {s}""")), PIECES["BEGIN"])
# the first two are wishes to store it, which is another matter; the third does not go with what is over
BEGIN.mended({"Note that {s}": "Mind you, {s}", "For later: {s}": "Since you ask nothing: {s}", "Since lately {s}": "Something I never mentioned: {s}"})
BEGIN = more(BEGIN, sections("statements.txt")["begin"])
