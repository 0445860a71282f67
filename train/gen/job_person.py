"""What people say of themselves in jobs: choices (what they want and what they avoid), habits, plain facts of a life."""
import re

from . import personal
from .hall import read_rows
from .job_chance import SENTENCES, WORDS, coined, first, place, rng
from .job_more import MORE
from .job_world import COLOUR, PREFER, subject
from .lex import MONTHS
from .wording import stop, upper_first

PAIRS = {
    "tea": ["honey/lemon", "milk/sugar", "mint/ginger", "lemon/milk", "sugar/honey", "cinnamon/milk"],
    "coffee": ["milk/sugar", "oat milk/cream", "sugar/syrup", "cardamom/cocoa", "cream/oat milk"],
    "breakfast": ["porridge/eggs", "toast/muesli", "eggs/pancakes", "fruit/bacon", "rye bread/croissants"],
    "bread": ["butter/jam", "cheese/ham", "jam/honey", "olive oil/butter"],
    "pizza": ["mushrooms/olives", "olives/pineapple", "ham/tuna", "peppers/onions"],
    "salad": ["walnuts/croutons", "vinegar/lemon", "olives/radishes", "feta/bacon"],
    "soup": ["leek/celery", "lentils/noodles", "parsley/dill", "pumpkin/beetroot"],
    "trip": ["train/plane", "bus/car", "ferry/plane", "bicycle/bus", "car/train"],
    "holiday": ["mountains/sea", "tent/hotel", "city/countryside", "June/August", "cabin/hostel"],
    "seat": ["window/aisle", "front row/back row", "upper deck/lower deck"],
    "room": ["blue paint/green paint", "carpet/floorboards", "curtains/blinds", "lamp/candles"],
    "garden": ["roses/tulips", "beans/peas", "hedge/fence", "apple tree/cherry tree", "gravel/lawn"],
    "garage": ["shelf/cupboard", "grey paint/white paint", "bicycle rack/workbench"],
    "birthday": ["picnic/party", "cake/pie", "dinner/brunch", "book/watch"],
    "run": ["morning/evening", "forest path/river path", "short lap/long lap"],
    "meeting": ["morning/afternoon", "phone/video", "Tuesday/Friday", "small room/hall"],
    "walk": ["river/hill", "dog/camera", "boots/sandals"],
    "bag": ["leather/canvas", "zip/buttons", "backpack/suitcase"],
    "desk": ["oak/pine", "chair/stool", "one screen/two screens"],
    "website": ["dark theme/light theme", "photos/drawings", "one page/many pages"],
    "newsletter": ["plain text/HTML", "weekly/monthly", "English/German"],
    "cat": ["fish/chicken", "basket/cushion", "wet food/dry food"],
    "dog": ["beef/turkey", "harness/collar", "long leash/short leash"],
    "evening": ["book/film", "jazz/opera", "chess/cards", "piano/radio"],
}
CHOICES = [(k, *p.split("/")) for k, v in PAIRS.items() for p in v]
_TAKE = {"tea", "coffee", "bread", "pizza", "salad", "soup"}
FACT_WITH = ["I drink my {c} with {a}, and never with {b}.", "I take my {c} with {a}, never with {b}.", "My {c} needs {a}; {b} ruins it.",
             "I like my {c} with {a} and cannot stand {b} in it.", "No {b} in my {c}, please, only {a}.", "I always have {a} with my {c} and never {b}.",
             "My {c} without {a} is no {c}, and {b} has no place in it.", "{A} belongs into my {c}; keep {b} away from it.", "I have my {c} with {a} every day, and never with {b}.",
             "Please, never {b} in my {c}: I take {a}.", "I only drink or eat my {c} with {a}; {b} is not for me.", "Since last year I have {a} with my {c} and no {b} any more.",
             "For my {c} I want {a}, not {b}.", "I gave up {b} in my {c}; now I take {a}.", "{B} in my {c} makes me ill, {a} is fine."]
FACT_ANY = ["For my {c} I prefer {a} to {b}.", "I like {a} for my {c}, and never {b}.", "When it comes to my {c}, it is {a} for me and not {b}.",
            "I always choose {a} for my {c}; I never take {b}.", "I had {b} for my {c} once and did not like it, so it is {a} now.",
            "My {c} goes well with {a}, but {b} never worked for me.", "I decided on {a} for my {c}, and against {b}.",
            "As for my {c}, I go for {a} every time and leave {b} to others.", "{A} is right for my {c}; {b} is not my thing.", "I can't stand {b} for my {c}, but I love {a}.",
            "My {c}: {a}, please, and by no means {b}.", "We agreed on {a} for my {c} and dropped {b}.", "I bought {b} for my {c} and gave it back; {a} is what I like.",
            "Please note that I want {a} for my {c}, never {b}.", "I am happy with {a} for my {c} and tired of {b}."]
CHOICE_Q = ["Should I put {x} or {y} on the list for my {c}?", "Should I choose {x} or {y} for my {c}?", "Shall I take {x} or {y} for my {c}?",
            "{X} or {y} for my {c}?", "What is better for my {c}, {x} or {y}?", "Would you go for {x} or {y} for my {c}?", "I need to decide for my {c}: {x} or {y}?",
            "Which should I get for my {c}, {x} or {y}?", "For my {c}, do I want {x} or {y}?", "Do I order {x} or {y} for my {c}?", "Is {x} or {y} right for my {c}?",
            "Should it be {x} or {y} for my {c}?", "Help me choose for my {c}: {x} or {y}?", "I can't decide between {x} and {y} for my {c}.",
            "What shall it be for my {c}, {x} or {y}?", "Should I buy {x} or {y} for my {c}?", "I am at the shop: {x} or {y} for my {c}?", "Do I need {x} or {y} for my {c}?",
            "Which would I like better for my {c}, {x} or {y}?", "For my {c}: is it {x} or is it {y}?", "Should I ask for {x} or {y} with my {c}?", "{X} versus {y} for my {c}, what do you say?",
            "Would I be happier with {x} or with {y} for my {c}?", "should i take {x} or {y} for my {c}", "what do i want for my {c}, {x} or {y}",
            "Should I go with {x} or with {y} for my {c}?", "What should I write down for my {c}, {x} or {y}?", "Would {x} or {y} suit my {c}?",
            "Tell me whether to take {x} or {y} for my {c}.", "Which one for my {c}: {x} or {y}?", "Do you think {x} or {y} fits my {c}?"]


def option(j):
    """One of two things between which somebody has to choose."""
    x = j.random()
    if x < 0.35:
        return coined(j)
    if x < 0.7:
        return j.entity(WORDS["n"])
    return j.entity(WORDS["a"]) + " " + j.entity(WORDS["n"])


def choice(j):
    """A question with two options, and what the person said of them before."""
    c, a, b = j.entity(CHOICES)
    if j.chance(0.55):  # open: any thing, any two words
        if j.chance(0.5):
            c = (j.pick(["cabin", "boat", "shop", "project", "porch", "bicycle", "recipe", "blog"]) if j.chance(0.5)
                 else j.entity(WORDS["n"]))
        a, b = j.distinct(lambda: option(j), 2)
    if j.chance(0.5):
        a, b = b, a
    x, y = (a, b) if j.chance(0.5) else (b, a)
    with_ = c in _TAKE and j.chance(0.7)
    fact = (j.phrase(FACT_WITH) if with_ else j.phrase(FACT_ANY, MORE["FACT_ANY"])).format(a=a, b=b, c=c, A=upper_first(a), B=upper_first(b))
    q = j.phrase(CHOICE_Q, MORE["CHOICE_Q"]).format(x=x, y=y, c=c, X=upper_first(x))
    return {"kind": "choice", "ask": q, "fact": fact, "want": a, "avoid": b, "about": c, "for": a}


DO = """buy a motorbike|sell the boat|learn the cello|move to {P}|take the job in {P}|lend {N} money|adopt a dog|paint the kitchen|cancel the gym|quit my job
book the flight to {P}|sign the contract|rent out the spare room|start a blog|run the marathon|buy the house in {P}|invite {N} to dinner|hire {N}
eat at the new seafood place|order the walnut cake|climb the {C} peak|go diving in {P}|switch to the night shift|buy a new phone|keep bees
swim in the lake|learn Portuguese|go camping alone|take the ferry|work from home|teach the course|join the choir|give up coffee|drive to {P} tonight
sell the car|get a cat|plant an oak|go to the reunion|write to {N}|ask {N} for help|take a loan|study law|open a shop in {P}|fast for a week
take the {C} pills|go skiing|buy shares of {C}|stay up late|build a shed|change the school|skip the meeting|travel with {N}""".replace("\n", "|").split("|")
SAID_FOR = ["I have wanted to {d} for years.", "I promised {n} that I would {d}.", "I have put {k} euros aside so that I can {d}.", "My plan for this year is to {d}.",
            "I told {n} that I would love to {d}.", "I thought it over for weeks, and to {d} feels right.", "I decided in {m} to {d} as soon as I can.",
            "I always feel better when I {d}.", "I have taken time off so that I can {d}.", "My doctor said it would do me good to {d}."]
SAID_AGAINST = ["I promised {n} never to {d}.", "My doctor told me not to {d}.", "I cannot afford to {d}.", "I tried to {d} last year and regretted it.",
                "I said in {m} that I would never {d} again.", "I have no time at all to {d}.", "It makes me ill to {d}.", "I am afraid to {d} since the accident.",
                "{n} asked me not to {d}, and I agreed.", "I decided not to {d} because of the money."]
YES_Q = ["Should I {d}?", "Is it a good idea to {d}?", "Do you think I should {d}?", "Would it be wise to {d}?", "I am thinking about whether to {d}. What do you say?",
         "Shall I {d} this year?", "Is it time to {d}?", "Would you {d} in my place?", "Can I {d}?", "What if I {d}?", "Does it make sense for me to {d}?",
         "Should I really {d} now?", "Is now the moment to {d}?", "Ought I to {d}?", "Would it be a mistake to {d}?", "Help me decide whether to {d}.",
         "Is it all right for me to {d}?", "I want to {d}. Should I?", "Is it too early to {d}?", "Should I go ahead and {d}?"]


OPEN_DO = ["{v} the {n}", "{v} a {a} {n}", "{v} the {n} of {N}", "sell my {n} to {N}", "travel to {P} with {N}", "buy a {a} {n}", "give {N} my {n}", "take the {n} to {P}", "trade my {n} for a {a} {m}", "join the {n} club of {P}", "rebuild the {n}", "rent a {n} in {P}"]


def deed(j):
    if j.chance(0.45):
        return j.phrase(OPEN_DO).format(v=j.entity(WORDS["v"]), n=j.entity(WORDS["n"]), m=j.entity(WORDS["n"]), a=j.entity(WORDS["a"]),
                                        N=first(j), P=place(j))
    return j.entity(DO).format(P=place(j), N=first(j), C=coined(j).capitalize())


def yesno(j):
    """A question whether to do something, and what the person said of it before."""
    d = deed(j)
    side = "for" if j.chance(0.5) else "against"
    fact = j.phrase(*((SAID_FOR, MORE["SAID_FOR"]) if side == "for" else (SAID_AGAINST, MORE["SAID_AGAINST"]))).format(d=d, n=first(j), k=j.n(2, 90) * 100, m=j.pick(MONTHS))
    return {"kind": "yesno", "ask": j.phrase(YES_Q, MORE["YES_Q"]).format(d=d), "fact": upper_first(fact), "do": d, "side": side, "about": d}


# Plain facts of a person's life: (said, question, second person, subject/relation/object or None).
LIFE = [
    ("I live in {P}.", "Where do I live?", "You live in {P}.", ("speaker", "lives in", "{P}")),
    ("My sister {N} lives in {P}.", "Where does my sister live?", "Your sister {N} lives in {P}.", ("{N}", "lives in", "{P}")),
    ("My brother {N} works at {O}.", "Where does my brother work?", "Your brother {N} works at {O}.", ("{N}", "works at", "{O}")),
    ("I work at {O}.", "Where do I work?", "You work at {O}.", ("speaker", "works at", "{O}")),
    ("{N} is married to {N2}.", "Who is {N} married to?", "{N} is married to {N2}.", ("{N}", "married to", "{N2}")),
    ("{N} moved to {P}.", "Where did {N} move?", "{N} moved to {P}.", ("{N}", "lives in", "{P}")),
    ("{N} was born in {P}.", "Where was {N} born?", "{N} was born in {P}.", ("{N}", "born in", "{P}")),
    ("{N} is the owner of {O}.", "Who owns {O}?", "{N} is the owner of {O}.", ("{N}", "owner of", "{O}")),
    ("My dog is called {W}.", "What is my dog called?", "Your dog is called {W}.", ("speaker", "dog", "{W}")),
    ("My cat is called {W}.", "What is the name of my cat?", "Your cat is called {W}.", ("speaker", "cat", "{W}")),
    ("I am allergic to {A}.", "What am I allergic to?", "You are allergic to {A}.", ("speaker", "allergic to", "{A}")),
    ("My favourite colour is {K}.", "What is my favourite colour?", "Your favourite colour is {K}.", ("speaker", "favourite colour", "{K}")),
    ("My birthday is on {D}.", "When is my birthday?", "Your birthday is on {D}.", ("speaker", "birthday", "{D}")),
    ("{N} is a teacher in {P}.", "What does {N} do?", "{N} is a teacher in {P}.", ("{N}", "teacher in", "{P}")),
    ("My locker code is {Z}.", "What is my locker code?", "Your locker code is {Z}.", None),
    ("I park on level {Z2} of the garage.", "On which level do I park?", "You park on level {Z2} of the garage.", None),
    ("The spare key is under the {thing}.", "Where is the spare key?", "The spare key is under the {thing}.", None),
    ("Our wifi is called {W}.", "What is our wifi called?", "Your wifi is called {W}.", None),
    ("My train leaves at {H}.", "When does my train leave?", "Your train leaves at {H}.", None),
    ("I play the {I} in a band.", "Which instrument do I play?", "You play the {I} in a band.", ("speaker", "plays", "{I}")),
    ("My shoe size is {Z2}.", "What is my shoe size?", "Your shoe size is {Z2}.", ("speaker", "shoe size", "{Z2}")),
    ("{N} is my dentist.", "Who is my dentist?", "{N} is your dentist.", ("{N}", "dentist of", "speaker")),
    ("I study at {O} in {P}.", "Where do I study?", "You study at {O} in {P}.", ("speaker", "studies at", "{O}")),
    ("{N} knows {N2} from school.", "How does {N} know {N2}?", "{N} knows {N2} from school.", ("{N}", "knows", "{N2}")),
    ("I am learning {L}.", "Which language am I learning?", "You are learning {L}.", ("speaker", "learns", "{L}")),
    ("My mother {N} turns {Z2} in {M}.", "How old will my mother be?", "Your mother {N} turns {Z2} in {M}.", ("{N}", "turns", "{Z2}")),
]
ORGS = ["the harbour office", "Larkfield School", "Northwind", "the town library", "Brightwater", "Kestrel Labs", "the brewery", "Osprey Press", "Hillcrest Hospital"] + [l[0] for l in read_rows("orgs.txt")]


def habit(j):
    """What a person says of themselves, in the words of people."""
    e = j.phrase(PREFER)
    say = upper_first(stop(e["say"]))
    return {"fact": say, "ask": upper_first(j.phrase(e["asks"])), "you": upper_first(stop(e["short"])), "rel": None, "names": named(say),
            "kind": "life", "title": e["name"]}


_WORD = re.compile(r"[A-Z][\w'&-]*(?: (?:of |& )?[A-Z][\w'&-]*)*")
_NO_NAME = set(MONTHS) | set("Monday Tuesday Wednesday Thursday Friday Saturday Sunday I I'm I've I'd I'll My The A PIN".split())


def named(text):
    """The names in a sentence: what has a capital and does not begin it."""
    out = []
    for m in _WORD.finditer(text):
        w = m.group(0).removesuffix("'s")
        if (m.start() and w not in _NO_NAME and w.rstrip("s") not in _NO_NAME and text[m.start() - 2] not in ".!?:"
            and w.split(" ")[0] not in _NO_NAME and len(w) > 1 and w not in out):
            out.append(w)
    return out


def open_fact(j):
    """What a person may say of themselves, with open values."""
    r = rng(j)
    t = personal.told(r)
    while not t.slots or t.title() == "name":
        t = personal.told(r)
    say = t.sentence(r)
    return {"fact": say, "ask": upper_first(t.question(r)), "you": upper_first(t.fact()) + ".", "rel": None, "names": named(say),
            "kind": "life", "title": t.title()}


def life(j):
    x = j.random()
    if PREFER and x < 0.2:
        return habit(j)
    if x < 0.5:
        return open_fact(j)
    f = {"P": place(j), "N": first(j), "N2": first(j), "O": j.entity(ORGS) if j.chance(0.6) else coined(j).capitalize(),
         "W": coined(j).capitalize(),
         "A": j.pick(["nuts", "pollen", "shellfish", "penicillin", "cats", "milk", "wasps", "strawberries"]), "K": j.pick(COLOUR),
         "Z": j.n(1000, 9999),
         "D": "%d %s" % (j.n(1, 28), j.pick(MONTHS)), "Z2": j.n(2, 80),
         "thing": j.pick(["flower pot", "doormat", "blue stone", "bench", "bird house"]),
         "H": "%d:%02d" % (j.n(5, 22), j.n(0, 59)), "I": j.pick(["cello", "drums", "flute", "bass", "violin", "trumpet"]),
         "L": j.pick(["Portuguese", "Finnish", "Greek", "Korean", "Welsh", "Turkish"]), "M": j.pick(MONTHS)}
    s, q, you, rel = j.entity(LIFE)
    names = [v for k, v in (("{N}", f["N"]), ("{N2}", f["N2"]), ("{P}", f["P"]), ("{O}", f["O"]), ("{W}", f["W"])) if k in s]
    return {"fact": s.format(**f), "ask": q.format(**f), "you": you.format(**f), "rel": tuple(x.format(**f) for x in rel) if rel else None,
            "names": names, "kind": "life"}


def preference(j):
    return choice(j) if j.chance(0.6) else yesno(j)


def second(s):
    """The person's words said to the person: I drink my tea -> you drink your tea."""
    s = " " + s
    for a, b in (("I am ", "you are "), ("I was ", "you were "), ("I have ", "you have ")):
        s = s.replace(" " + a, " " + b)
    s = s.replace(" I'm ", " you're ").replace(" I've ", " you've ").replace(" myself", " yourself").replace(" mine", " yours")
    s = s.replace(" I ", " you ").replace(" my ", " your ").replace(" My ", " your ").replace(" me ", " you ")
    return s.replace(" me.", " you.").replace(" me,", " you,").replace(" me;", " you;").strip()


def around(j, k):
    """Other sentences that have nothing to do with the matter."""
    out = []
    for _ in range(k):
        x = j.random()
        if SENTENCES and j.chance(0.2):
            out.append(j.phrase(SENTENCES))
        elif x < 0.4:
            out.append(life(j)["fact"])
        elif x < 0.7:
            out.append(preference(j)["fact"])
        else:
            out.append(subject(j)["claim"])
    return out
