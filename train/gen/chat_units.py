"""Amounts in other units: asked for outright, of something that was looked up or told, and again for another amount or unit."""
from . import conversions
from .chat_calc import answer_number
from .chat_call import make_call
from .chat_memory import second
from .chat_read import STATED, around, material
from .conv import speak
from .messages import check_text
from .phrases import Phrases, bars
from .slots import fill
from .wording import upper_first

ASK = Phrases(bars("""what is {n} {v} in {u}?|{n} {v} in {u}|convert {n} {v} to {u}|how many {u} are {n} {v}?|{n} {v} to {u} please|how much is {n} {v} in {u}|I need {n} {v} as {u}|what's {n} {v} in {u}|can you turn {n} {v} into {u}|the label says {n} {v}, what is that in {u}?|
my friend from abroad says {n} {v}. how many {u} is that|give me {u} for {n} {v}|{n} {v}, and in {u}?|{n} {v} = ? {u}|I only think in {u}; what are {n} {v}?|it says {n} {v} here but I need {u}|{u} please: {n} {v}|how do you say {n} {v} in {u}|the manual wants {n} {v}. {u}?|tell me what {n} {v} would be in {u}|
recipe, sign or whatever, it says {n} {v} and I know only {u}|is {n} {v} a lot? what is it in {u}|express {n} {v} in {u}|work out {n} {v} in {u} for me|so {n} {v} makes how many {u}|put {n} {v} into {u}"""))
# the same amount in another unit, and another amount
INTO = Phrases(bars("""in {u}?|and in {u}?|what is that in {u}?|how much is that in {u}|and that in {u}|in {u} please|I meant {u}|how many {u} is that?|can I have it in {u}|no, in {u}|give me that in {u}|convert it to {u}|what would it be in {u}?|make that {u}|{u} instead|and {u}?|as {u}?|say it in {u}|could you put that in {u}|so how many {u}?"""))
OTHER = Phrases(bars("""and {m}?|what about {m}?|and {m} {v}?|{m} {v}?|the same for {m}|now {m}|and if it's {m} {v}|how about {m} {v}|{m} then?|ok, and {m}|same with {m} {v}|do {m} too|and for {m} {v}?"""))
# {N} has a name, {n} {v} is what it measures
THINGS = {"length": bars("""{N} is {n} {v} high.=how high is {N}?|The tower of {N} is {n} {v} tall.=how tall is the tower of {N}?|The river {N} is {n} {v} long.=how long is the river {N}?|The bridge at {N} is {n} {v} long.=how long is the bridge at {N}?|Lake {N} is {n} {v} deep.=how deep is lake {N}?|The trail to {N} is {n} {v} long.=how long is the trail to {N}?|{N} lies {n} {v} above the sea.=how high above the sea does {N} lie?"""),
          "mass": bars("""The bell of {N} weighs {n} {v}.=how heavy is the bell of {N}?|A bag of {N} weighs {n} {v}.=what does a bag of {N} weigh?|The stone of {N} weighs {n} {v}.=how much does the stone of {N} weigh?"""),
          "area": bars("""The park of {N} covers {n} {v}.=how big is the park of {N}?|The island {N} has {n} {v}.=how large is the island {N}?"""),
          "volume": bars("""The tank at {N} holds {n} {v}.=how much does the tank at {N} hold?|A barrel of {N} holds {n} {v}.=how much is in a barrel of {N}?"""),
          "speed": bars("""The {N} train goes {n} {v}.=how fast is the {N} train?|On the road to {N} {n} {v} are allowed.=how fast may I drive on the road to {N}?"""),
          "temperature": bars("""The spring of {N} is {n} {v} warm.=how warm is the spring of {N}?|In {N} it was {n} {v} that day.=how warm was it in {N} that day?""")}
OWN = {"length": bars("my desk is {n} {v} long|the room is {n} {v} wide|I ran {n} {v} today|our fence is {n} {v} long|I am {n} {v} away from work"), "mass": bars("my suitcase weighs {n} {v}|the dog weighs {n} {v}|I picked {n} {v} of apples|my rucksack is {n} {v}"),
       "volume": bars("the aquarium holds {n} {v}|I drank {n} {v} today|the bucket takes {n} {v}"), "temperature": bars("it is {n} {v} outside|the oven is at {n} {v}|my tea is {n} {v}"), "speed": bars("I was doing {n} {v}|the wind has {n} {v}"), "area": bars("the garden has {n} {v}|our flat has {n} {v}")}


def grouped(n):
    """A number as it is printed: thousands with a comma."""
    whole, dot, part = n.partition(".")
    return "{:,}".format(int(whole)) + dot + part


def worked_out(c, n, v, u, think, group):
    """The call and the answer."""
    e = "%s %s in %s" % (n, v, u)
    text, value = conversions.evaluate(e)
    c.call(think + " so I calculate %s." % e, [make_call("calculate", {"expression": e})], group)
    c.result("calculate", text)
    answer_number(c, text, e, value)


def asked(c):
    """Outright, with one or two more of the kind after it."""
    r = c.r
    n, v, u = conversions.some(r)
    c.say(speak(r, r.phrase(ASK), {"n": n, "v": v, "u": u}, typos=False)[0])
    worked_out(c, n, v, u, "%s %s are wanted in %s," % (n, v, u), c.group("builtin_tools"))
    again(c, n, v, u)


def again(c, n, v, u):
    """Another unit for the same amount, or another amount in the same units."""
    r = c.r
    for _ in range(r.weighted([(3, 0), (4, 1), (2, 2)])):
        c.done()
        if r.chance(0.5):
            w = conversions.other(r, v)
            if conversions.UNITS[w][1] == conversions.UNITS[u][1]:
                break
            u = w
            c.say(speak(r, r.phrase(INTO), {"u": u}, typos=False, frame=False)[0])
            worked_out(c, n, v, u, "They mean the %s %s, now in %s," % (n, v, u), "pronouns")
        else:
            n = str(r.int(2, 400))
            c.say(speak(r, r.phrase(OTHER), {"m": n, "v": v}, typos=False, frame=False)[0])
            worked_out(c, n, v, u, "Now it is %s %s in %s," % (n, v, u), "pronouns")


def read(c):
    """Of something that an entry tells: first as it stands there, then in another unit."""
    r = c.r
    n, v, u = conversions.some(r, r.pick(list(THINGS)))
    text, _, ask = r.entity(THINGS[conversions.UNITS[v][0]]).partition("=")
    name, shown = r.city(), grouped(n)
    text = fill(text, {"N": name, "n": shown, "v": v})
    ask = fill(ask, {"N": name})
    c.say(speak(r, ask, typos=False)[0], material(r, around(r, (name, text))))
    c.answer("%s: the entry on %s says: %s" % (upper_first(ask.rstrip("?")), name, text), text, check_text("extraction", [shown]), needs_material=True)
    c.done()
    c.say(speak(r, r.phrase(INTO), {"u": u}, typos=False, frame=False)[0])
    worked_out(c, n, v, u, "They mean the %s %s of %s, in %s," % (shown, v, name, u), "pronouns")


def told(c):
    """Of something that they said."""
    r = c.r
    n, v, u = conversions.some(r, r.pick(list(OWN)))
    said = fill(r.entity(OWN[conversions.UNITS[v][0]]), {"n": n, "v": v})
    c.say(said)
    c.answer(r.pick(STATED), "Noted: %s." % second(said), check_text("chat", [n]))
    c.done()
    c.say(speak(r, r.phrase(INTO), {"u": u}, typos=False, frame=False)[0])
    worked_out(c, n, v, u, "They said: %s. The %s %s in %s," % (said, n, v, u), "pronouns")
    again(c, n, v, u)


def units(c):
    c.r.weighted([(5, asked), (3, read), (2, told)])(c)
    c.about = None
    c.done()
