"""What a person tells about themselves, and how they ask for it later."""
import re

from . import lex, personal_more, personal_open
from .hall import read_objects
from .phrases import Phrases
from .sections import sections
from .slots import fill, slots_of

DRINKS = ["coffee", "tea", "espresso", "hot chocolate", "cocoa", "green tea", "porridge", "toast", "steak", "pizza", "soup", "salad", "pasta", "eggs"]
HOW = ["black", "with two sugars", "with honey", "with oat milk", "very hot", "lukewarm", "without sugar", "with a slice of lemon", "with cinnamon", "strong", "weak", "with cream", "well done", "with extra garlic", "with no salt", "with plenty of pepper", "with one spoon of sugar", "cold"]
KIN = ["sister", "brother", "mother", "father", "aunt", "uncle", "cousin", "grandmother", "grandfather", "wife", "husband", "daughter", "son", "niece", "nephew", "neighbour", "boss", "landlord", "dentist", "doctor", "best friend", "flatmate", "piano teacher", "mechanic", "hairdresser", "colleague"]
PETS = ["dog", "cat", "parrot", "hamster", "rabbit", "tortoise", "pony", "goldfish", "canary", "ferret"]
OWN = ["car", "bike", "laptop", "phone", "printer", "router", "boat", "van", "camera", "guitar", "tent", "oven", "coffee machine", "lawn mower", "sewing machine", "telescope"]
NUMBERED = ["shoe size", "locker number", "customer number", "seat number", "flat number", "membership number", "wifi channel", "door number", "bus line", "room number", "shirt number", "account number", "parking space", "insurance number", "ring size"]
FAVOURITES = ["colour", "film", "book", "song", "dish", "fruit", "season", "game", "flower", "composer", "city", "sport", "drink", "cheese", "font", "editor", "band", "animal", "day of the week", "ice cream"]
ALLERGENS = ["peanuts", "shellfish", "cats", "pollen", "milk", "wheat", "penicillin", "dust", "strawberries", "wool", "eggs", "bees"]
HABITS = ["run in the park", "swim", "play chess", "call my mother", "water the plants", "bake bread", "go to the market", "clean the flat", "practise the violin", "meet the book club", "do yoga", "back up my files", "visit my aunt"]


def _value(r, what):
    return {"colour": lambda: r.entity(lex.COLOURS), "city": r.city, "fruit": lambda: r.entity(lex.FOODS),
            "dish": lambda: r.entity(lex.FOODS) + " " + r.pick(["soup", "stew", "pie", "curry", "salad"]),
            "season": lambda: r.pick(["spring", "summer", "autumn", "winter"]), "day of the week": lambda: r.pick(lex.WEEKDAYS),
            "composer": r.name, "band": lambda: "The " + r.noun().capitalize() + "s",
            "cheese": lambda: r.made(lambda: r.syllables(2)),
            "film": lambda: "The " + r.entity(lex.ADJ).capitalize() + " " + r.noun().capitalize(),
            "book": lambda: "The " + r.noun().capitalize() + " Keeper",
            "song": lambda: r.entity(lex.ADJ).capitalize() + " " + r.noun().capitalize(), "editor": lambda: r.made(lambda: r.syllables(2)),
            "font": lambda: r.made(lambda: r.syllables(2)).capitalize(),
            "animal": lambda: r.pick(PETS), "ice cream": lambda: r.entity(lex.FOODS), "drink": lambda: r.pick(DRINKS[:6])
            }.get(what, r.noun)()


def _how(r):
    """One way to have something, or two together: an answer has to give both."""
    a, b = r.entity(HOW), r.entity(HOW)
    if a == b or r.chance(0.45):
        return a
    return a + r.pick([" and ", ", ", ", and ", ", but ", ", and never ", " or "]) + b


# Each kind: slots maker, name of the entry, ways to say it, to ask for it, and
# the answer without its beginning.
KINDS = [
    (lambda r: {"d": r.entity(DRINKS) if r.chance(0.6) else personal_open.dish(r), "h": _how(r) if r.chance(0.4) else personal_open.how(r)},
     "{d}",
     ["I take my {d} {h}.", "I like my {d} {h}.", "I always have my {d} {h}.", "my {d} should be {h}", "I drink or eat my {d} {h}, nothing else.", "For me, {d} is best {h}.", "When I have {d}, I have it {h}.", "I prefer my {d} {h}.", "I like {d} {h} and no other way.", "I only enjoy {d} {h}."],
     ["how do I take my {d}?", "How do I like my {d}?", "how do i have my {d}", "how should my {d} be?", "do you remember how I like my {d}?", "in what way do I have my {d}?", "what did I say about my {d}?", "you know how I take my {d}, right?", "how do I prefer my {d}?", "my {d}, how do I want it?"],
     "you like your {d} {h}", ["{h}"]),
    (lambda r: {"k": r.entity(KIN), "v": "%d %s" % (r.int(1, 28), r.pick(lex.MONTHS))}, "{k}'s birthday",
     ["My {k}'s birthday is on {v}.", "my {k} was born on {v}", "The birthday of my {k} is {v}.", "{v} is my {k}'s birthday.", "My {k} turns a year older on {v}.", "We celebrate my {k}'s birthday on {v}.", "my {k} has birthday on {v}", "On {v} it's my {k}'s birthday.", "my {k}'s bday is {v}"],
     ["when is my {k}'s birthday?", "When does my {k} have birthday?", "what day is my {k}'s birthday", "my {k}'s birthday, when is it?", "do you know when my {k} was born?", "on which day is my {k}'s birthday?", "when's my {k}'s bday?", "which date is my {k}'s birthday?", "remind me of my {k}'s birthday date", "what is the date of my {k}'s birthday?"],
     "your {k}'s birthday is on {v}", ["{v}"]),
    (lambda r: {"k": r.entity(KIN), "v": r.first()}, "{k}",
     ["My {k} is called {v}.", "my {k}'s name is {v}", "{v} is my {k}.", "I have a {k} named {v}.", "The name of my {k} is {v}.", "My {k} {v} says hello.", "my dear {k} is {v}", "My {k}? {v}.", "You can call my {k} {v}.", "I visited my {k} {v} yesterday."],
     ["what is my {k} called?", "what's my {k}'s name?", "what is the name of my {k}?", "who is my {k}?", "do you know my {k}'s name?", "name of my {k}", "how is my {k} called", "what was my {k}'s name again?", "tell me my {k}'s name", "I forgot, what's my {k} called?"],
     "your {k} is called {v}", ["{v}"]),
    (lambda r: {"k": r.entity(PETS), "v": r.first()}, "{k}",
     ["My {k} is called {v}.", "our {k}'s name is {v}", "We have a {k} named {v}.", "I named my {k} {v}.", "The {k} is called {v}.", "my new {k} is {v}", "{v} is our {k}.", "I have a {k}, {v}.", "My {k} listens to the name {v}.", "our {k}? we call it {v}"],
     ["what is my {k} called?", "what's the name of our {k}?", "name of my {k}?", "what did I name my {k}?", "how's my {k} called", "what is our {k}'s name?", "do you remember my {k}'s name?", "my {k}, what's its name?", "tell me the name of my {k}", "which name did I give my {k}?"],
     "your {k} is called {v}", ["{v}"]),
    (lambda r: {"k": r.entity(KIN), "v": r.city()}, "{k}",
     ["My {k} lives in {v}.", "my {k} moved to {v}", "The home of my {k} is {v}.", "{v} is where my {k} lives.", "My {k} has a flat in {v}.", "I visit my {k} in {v}.", "My {k} is in {v} now.", "since May my {k} lives in {v}", "My {k} settled in {v}.", "my {k} is from {v} and still lives there"],
     ["where does my {k} live?", "in which city does my {k} live?", "where is my {k} now?", "which town does my {k} live in?", "where's my {k}'s home?", "do you know where my {k} lives", "my {k} lives where?", "what city is my {k} in?", "where do I visit my {k}?", "to which city did my {k} move?"],
     "your {k} lives in {v}", ["{v}"]),
    (lambda r: {"k": r.entity(NUMBERED), "v": r.pick([str(r.int(2, 60)), str(r.int(100, 99999)), r.code(),
                                                      r.code() + "-" + str(r.int(2, 99))])}, "{k}",
     ["My {k} is {v}.", "my {k}: {v}", "{v} is my {k}.", "The {k} I have is {v}.", "I have {k} {v}.", "my current {k} is {v}", "I was given {k} {v}.", "They gave me {k} {v}.", "It's {v}, my {k}.", "my {k} happens to be {v}"],
     ["what is my {k}?", "what's my {k}?", "my {k}?", "which {k} do I have?", "tell me my {k}", "do you know my {k}?", "I forgot my {k}, what is it?", "what was my {k} again", "can you give me my {k}?", "which is my {k}?"],
     "your {k} is {v}", ["{v}"]),
    (lambda r: (lambda w: {"k": w, "v": _value(r, w) if r.chance(0.6) else personal_open.value(r)})(r.entity(FAVOURITES)), "favourite {k}",
     ["My favourite {k} is {v}.", "my favorite {k} is {v}", "{v} is my favourite {k}.", "The {k} I like best is {v}.", "The {k} I like best of all is {v}.", "no {k} beats {v} for me", "I love {v}, it's my favourite {k}.", "When it comes to {k}, {v} is my favourite.", "favourite {k}: {v}", "My {k} of choice is {v}."],
     ["what is my favourite {k}?", "what's my favorite {k}?", "which {k} do I like best?", "my favourite {k}?", "do you know my favourite {k}?", "what {k} do I like most", "which is my favourite {k}?", "what did I say my favourite {k} is?", "tell me my favourite {k}", "what was my favourite {k} again?"],
     "your favourite {k} is {v}", ["{v}"]),
    (lambda r: {"v": r.entity(ALLERGENS) if r.chance(0.5) else r.noun() + "s"}, "allergy",
     ["I am allergic to {v}.", "i'm allergic to {v}", "I have an allergy to {v}.", "I can't have {v}, I'm allergic.", "{v} make me ill, I'm allergic.", "My allergy is {v}.", "I react badly to {v}, an allergy.", "I was found to be allergic to {v}", "I've been allergic to {v} since childhood.", "no {v} for me, allergy"],
     ["what am I allergic to?", "which allergy do I have?", "do I have an allergy?", "what's my allergy?", "what can't I have because of my allergy?", "am i allergic to something", "do you remember my allergy?", "what should I avoid with my allergy?", "to what am I allergic?", "which allergies did I mention?"],
     "you are allergic to {v}", ["{v}"]),
    (lambda r: {"d": r.pick(lex.WEEKDAYS), "h": r.entity(HABITS) if r.chance(0.5)
                else r.entity(lex.VERBS) + r.pick([" the ", " my ", " a "]) + r.noun()}, "{d} habit",
     ["On {d}s I {h}.", "every {d} I {h}", "I {h} on {d}s.", "{d} is the day I {h}.", "I always {h} on a {d}.", "My {d}s are for this: I {h}.", "I usually {h} each {d}.", "It's a habit, I {h} on {d}.", "Each {d} is when I {h}.", "I {h} every {d} without fail."],
     ["what do I do on {d}s?", "what's my {d} habit?", "what do I usually do on {d}?", "do you know what I do every {d}?", "on {d}s I do what?", "what did I say I do on {d}s?", "what happens on my {d}s?", "my usual {d} plan?", "what do I do each {d}", "what is it that I always do on {d}s?"],
     "on {d}s you {h}", ["{h}"]),
    (lambda r: {"o": r.entity(OWN), "v": r.pick([
        r.entity(lex.COLOURS), r.entity(lex.ADJ), "a " + r.product(), "from " + str(r.int(1965, 2025)),
        "in the " + r.pick(["garage", "cellar", "attic", "shed", "hall", "boot"])])}, "{o}",
     ["My {o} is {v}.", "my good old {o} is {v}", "The {o} I own is {v}.", "I have a {o}; it is {v}.", "my {o} has always been {v}", "my {o}: {v}", "The thing about my {o}: it's {v}.", "As for my {o}, it is {v}.", "my {o}, it's {v}", "I own a {o} that is {v}."],
     ["what do you know about my {o}?", "what did I say about my {o}?", "what about my {o}?", "tell me about my {o}", "what's my {o} like?", "do you remember what my {o} is like?", "my {o}, what did I tell you?", "what have I told you of my {o}?", "remind me about my {o}", "anything on my {o}?"],
     "your {o} is {v}", ["{v}"]),
    (lambda r: {"v": r.pick(["%s Street %d" % (r.entity(lex.LAST), r.int(1, 99)), "level %d" % r.int(-4, 8),
                             "space %s%d" % (r.pick("ABCDEF"), r.int(1, 99)), "the " + r.noun() + " shop", "the north gate",
                             "gate %d" % r.int(1, 30)])}, "parking",
     ["I parked the car at {v}.", "my car is parked at {v}", "The car stands at {v}.", "I left the car at {v}.", "parked at {v}", "I've put the car at {v}.", "Car's at {v}.", "Today the car is at {v}.", "we parked at {v}", "I found a spot at {v} for the car."],
     ["where did I park?", "where is my car?", "where did I leave the car?", "where's the car parked?", "where did i park the car", "do you remember where I parked?", "at which place is my car?", "where do I find my car?", "where was the car again?", "my car, where is it?"],
     "your car is at {v}", ["{v}"]),
    (lambda r: {"v": r.first() if r.chance(0.6) else r.name()}, "name",
     ["My name is {v}.", "I'm {v}.", "I am called {v}.", "call me {v}", "You can call me {v}.", "my name's {v}", "People call me {v}.", "I go by {v}.", "The name is {v}.", "it's {v} speaking, that's my name"],
     ["what is my name?", "what's my name?", "who am I?", "do you know my name?", "how am I called", "do you remember my name?", "tell me my name", "what should you call me?", "my name?", "what was my name again?"],
     "your name is {v}", ["{v}"]),
    (lambda r: {"v": r.city()}, "home",
     ["I live in {v}.", "i'm living in {v}", "My home is in {v}.", "I moved to {v} last year.", "I'm based in {v}.", "{v} is where I live.", "My flat is in {v}.", "we live in {v}", "I reside in {v}.", "my house stands in {v}"],
     ["where do I live?", "which city do I live in?", "where is my home?", "what town am I in?", "do you know where I live?", "in which city is my flat", "where's my home?", "where do we live?", "what's my home town now?", "my city?"],
     "you live in {v}", ["{v}"]),
    (lambda r: {"v": r.pick(["nurse", "teacher", "baker", "plumber", "lawyer", "gardener", "driver", "librarian", "welder", "cook",
                             "painter", "programmer", "carpenter", "dentist", "farmer", "pilot", "tailor", "potter"]) if r.chance(0.6)
                else r.noun() + " " + r.pick(["maker", "seller", "tester", "designer", "trainer", "inspector", "dealer", "restorer"])},
     "job",
     ["I am a {v}.", "I work as a {v}.", "i'm a {v} by trade", "My job is {v}.", "By profession I'm a {v}.", "I earn my money as a {v}.", "I've been a {v} for years.", "my profession: {v}", "I was trained as a {v} and still work as one.", "I'm employed as a {v}."],
     ["what do I do for a living?", "what's my job?", "what is my profession?", "what do I work as?", "do you know my job?", "what am I by trade", "which job do I have?", "my job?", "how do I earn my money?", "what was my profession again?"],
     "you work as a {v}", ["{v}"]),
    (lambda r: {"v": r.org()}, "employer",
     ["I work for {v}.", "I work at {v}.", "my employer is {v}", "{v} is my employer.", "I'm with {v}.", "I started at {v} in spring.", "My company is {v}.", "i have a job at {v}", "They pay me at {v}.", "I'm employed by {v}."],
     ["where do I work?", "who do I work for?", "which company am I with?", "what's my employer?", "who is my employer?", "do you know where I work", "at which company do I work?", "my company?", "who pays me?", "what's the name of my company?"],
     "you work for {v}", ["{v}"]),
    (lambda r: {"v": str(r.int(18, 90))}, "age",
     ["I am {v} years old.", "i'm {v}", "I turned {v} last week.", "My age is {v}.", "I'm {v} now.", "I just became {v}.", "{v} is my age.", "I have reached {v}.", "At {v} I'm the oldest here, that's my age.", "I celebrated my birthday, I'm {v} now."],
     ["how old am I?", "what's my age?", "do you know my age?", "what is my age", "how old did I say I am?", "my age?", "remember how old I am?", "tell me my age", "how many years old am I?", "what age did I tell you?"],
     "you are {v} years old", ["{v}"]),
    (lambda r: {"a": r.entity(lex.FOODS), "b": r.entity(lex.FOODS)}, "{a}",
     ["I eat {a}, and never {b}.", "I like {a}, but not {b}.", "{a} yes, {b} no.", "I love {a} and can't stand {b}.", "Give me {a}, never {b}.", "I'd always choose {a} over {b}.", "i prefer {a} to {b}", "For me {a} rather than {b}.", "I drink or eat it with {a}, and never with {b}.", "I want {a}, no {b} please."],
     ["do I like {a} or {b}?", "which do I prefer, {a} or {b}?", "{a} or {b}, what do I like?", "should I get {a} or {b}?", "do I want {b} or {a}?", "what do I prefer: {b} or {a}?", "shall I buy {b} or {a}?", "is it {a} or {b} that I like?", "what did I say about {a} and {b}?", "{b} or {a} for me?"],
     "you like {a}, and not {b}", ["{a}"]),
]


_more = sections("told.txt")
# what sounds like a wish to store something is one, and no mere statement
_wishes = {"please make my {d} {h}": "my {d} should be {h}", "mark {v}, that's when my {k} was born": "{v} is the day when my {k} was born",
           "write down my {k}: {v}": "the {k} they gave me is {v}", "note that {v} is the {k} I have": "{v} is the {k} I have",
           "give me {v} over any other {k}": "I'd pick {v} over any other {k}", "for my {k} use {v}": "for my {k} I use {v}",
           "Give me {a}, never {b}.": "I take {a}, never {b}.", "I want {a}, no {b} please.": "I'm for {a}, and no {b} for me.", "keep {v}s away from me": "I want no {v}s near me"}
# a question that is asked twice in one breath is searched as one
_twice = {"did I say how many {k} I own? How many?": "did I ever say how many {k} I own?"}
KINDS = [k[:2] + (Phrases(k[2], _more.get("say " + k[4], ())).mended(_wishes), Phrases(k[3], _more.get("ask " + k[4], ())).mended(_twice)) + k[4:]
         for k in [k + ((),) for k in KINDS] + personal_open.KINDS]
FIRST, MORE = KINDS, personal_more.KINDS
KINDS = FIRST + MORE
_my = re.compile(r"\bmy\b")


class Told:
    """Something that a person said about themselves."""

    last = ""   # how it was last told
    asked = ""  # how it was last asked for
    free = False  # written by hand: what an answer must say depends on the question

    def __init__(self, slots, name, say, asks, short, keys, clauses=()):
        self.slots, self.name, self.say, self.asks, self.short, self.keys, self.clauses = slots, name, say, asks, short, keys, clauses

    def statement(self, r):
        self.last = fill(r.phrase(self.say), self.slots)
        return self.last

    def about(self):
        """The beginning of a thought: what is asked for, unless that is the answer itself."""
        title = self.title()
        return "It is about themselves" if title in self.key_words() else "It is about " + title

    def thought(self):
        """What is asked for, and the words in which they told it."""
        return "%s; they said: %s." % (self.about(), self.last.rstrip(" .!"))

    def before(self, r, s):
        """A statement with a few words before it."""
        first = s.split(" ")[0]
        return fill(r.phrase(personal_open.BEGIN), {"s": s[0].lower() + s[1:] if first in _starts else s})

    def sentence(self, r):
        """The statement as a whole sentence."""
        s = self.statement(r)
        s = s[0].upper() + s[1:]
        return s if s[-1] in ".!?" else s + "."

    def question(self, r):
        if self.clauses and r.chance(0.45):
            self.clause = fill(r.pick(self.clauses), self.slots)
            return fill(r.phrase(personal_open.FRAMES), {"c": self.clause, "x": r.entity(KIN)})
        self.clause = ""
        self.asked = fill(r.phrase(self.asks), self.slots)
        return self.asked

    def changed(self, r):
        """The same with another value; None where it is not known which part is the value."""
        for k in KINDS:
            if self.say is k[2]:
                new = k[0](r)
                return Told(dict(self.slots, **{x: new[x] for x in slots_of(k[5][0])}), *k[1:])
        return None

    def fact(self):
        return _my.sub("your", fill(self.short, self.slots))

    def key_words(self, text=None):
        """What an answer must say; with its text, in the case in which it says it."""
        keys = answering(self.short, self.name, self.asked) or self.keys if self.free and self.asked else self.keys
        out = [k if isinstance(k, list) else _my.sub("your", fill(k, self.slots)) for k in keys]
        if text is not None:
            out = [k if isinstance(k, list) or k in text else k[0].swapcase() + k[1:] for k in out]
        return out

    def title(self):
        return fill(self.name, self.slots)


_mine = set("i my me mine our ours we us".split())


def written(name):
    """What was written by hand in a file, with the questions that are clear."""
    out = []
    for o in read_objects(name):
        if o.get("say") and o.get("asks") and o.get("short"):
            # a question that does not speak of the person could be about the world
            o["asks"] = [a for a in o["asks"] if _mine & set(a.lower().replace("?", "").replace("'", " ").split())]
            o["says"] = [o["say"]]
            if o["asks"]:
                out.append(o)
    return out


_written = Phrases(written("preferences.jsonl"), written("preferences.more.jsonl"))
_advice = re.compile(r"how do I \w+\??$|\b(?:should|shall) (?:I|we)\b|what do the neighbours do for us", re.I)  # as well a question for advice


def _own(o):
    """The same with the questions that can only be meant for what was told; None where there are none."""
    o["asks"] = [a for a in o["asks"] if not _advice.search(a)]
    return o if o["asks"] else None


_written.changed(_own)


def told(r):
    """One of the kinds above, or one that was written by hand."""
    if r.chance(0.25):
        o = r.phrase(_written)
        short = o["short"].rstrip(".")
        says = o["says"]
        key = keywords(short, o.get("name", ""))
        t = Told({}, o.get("name", "preference"), says, o["asks"], short, key)
        t.free = True
        return t
    k = r.pick(MORE if r.chance(0.55) else FIRST)
    slots = k[0](r)
    while any(_mine & set(str(v).lower().split()) for v in slots.values()):  # a mine would become yours
        slots = k[0](r)
    return Told(slots, *k[1:])


_starts = set("My The For When On In At They We You People Today Usually Since From These Concerning Each Every Give By".split())


def newest(told):
    """Of what was told under one name, only the last counts."""
    return list({t.title(): t for t in told}.values())


_small = set("you your yours the a an is are of in on at to and or with for it as be do have has not never always".split())


_weak = set("else nothing only too out now every each everything anything something very more most like likes want wants prefer take".split())
_count = {w: str(i) for i, w in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}


def answering(short, name, q):
    """The words of a fact that answer this question; empty where what it is called by decides."""
    low = q.lower().replace("?", " ").replace("'s", " ")
    words = [w.strip(".,;:'\"") for w in short.split()]
    if low.startswith("how many"):
        n = next((w for w in words if w in _count or w.isdigit()), None)
        if n:
            return [[n, _count.get(n, n)]]
    said = low.split()
    if "or" in said or said[0] in ("do", "am", "can", "is", "are", "did", "should"):
        return []
    heard = lambda w: any(x == w.lower() or len(w) > 3 and x.startswith(w.lower()) for x in said)
    known = " ".join(w for w in words if heard(w))
    # the name of the fact is known too where the question has a part of it; else it may be what is asked for
    for known in ([name + " " + known] if any(heard(w) for w in name.split()) else []) + [known]:
        left = [w for w in words if w.lower() not in _small and w.lower() not in _weak and w.lower() not in known.lower().split() and len(w) > 1]
        if left:
            return keywords(short, known)
    return []


def keywords(text, name):
    """Words of the answer that the question's name does not give away: names and numbers, else the last two."""
    words = [w.strip(".,;:'\"") for w in text.split()]
    out = [w for w in words if w.lower() not in _small and w.lower() not in name.lower().split() and len(w) > 2]
    strong = [w for i, w in enumerate(words) if i and (any(c.isdigit() for c in w) or w[:1].isupper())
              and w.lower() not in name.lower().split()]
    no = [w for w in words if w in ("never", "not", "don't", "no", "can't", "without")][:1]  # without it the answer would be the opposite
    return no + [w for w in strong or [w for w in out if w.lower() not in _weak][-2:] or out[-1:] or words[-1:] if w not in no]
