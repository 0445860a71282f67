"""Lists of things with something noted of each, and questions that name none of them: what is meant has to be found by its meaning."""
from . import lex, meaning
from .phrases import Phrases, bars
from .slots import fill
from .wording import upper_first

# What can stand beside a thing: how it is made, questions with {x} for the thing in other words, its article with them, the same in few words, what is asked for
# where the list does not have it, and answers with {w} for the thing and {v} for the value.
COUNT = (lambda r: str(r.int(2, 480)),
         bars("""how many of {x} are there?|what number is given for {x}?|how many do we have of {x}?|{x}: how many of those?|how often does {x} appear in the stock?|I need to know how many of {x} we own|quantity of {x}?|how many pieces of {x} are left?|how large is our stock of {x}?|tell me the number for {x}"""),
         "how many of {x} there are", bars("There are {v} of it: {w}.|Of {w} there are {v}.|The list has {v} for {w}."))
PRICE = (lambda r: "%d.%02d" % (r.int(1, 90), r.int(1, 99)),
         bars("""what does {x} cost?|how much is {x}?|what do I pay for {x}?|the price of {x}, please|how expensive is {x}?|what did they charge for {x}?|and what would {x} cost me?|how much money do I need for {x}?|what is {x} sold for?|what's the figure for {x}?"""),
         "what {x} costs", bars("The {w} costs {v}.|It is {v} for the {w}.|The list says {v} for the {w}."))
PLACE = (lambda r: r.pick((lambda: "shelf %d" % r.int(2, 40), lambda: "box %s%d" % (r.pick("ABCDEFGHK"), r.int(1, 30)), lambda: "room %d" % r.int(2, 90), lambda: "row %d" % r.int(2, 60), lambda: "the %s" % r.entity(ROOMS)))(),
         bars("""where is {x}?|where do I find {x}?|where did we put {x}?|in which place is {x}?|I'm looking for {x}|where should I look for {x}?|what place is noted for {x}?|can't find {x}, where is it?|where has {x} gone?|where does {x} belong?"""),
         "where {x} is", bars("The {w}: {v}.|For the {w} it says {v}.|You find it here: {v} ({w})."))
LENT = (lambda r: r.first(),
        bars("""who has {x}?|who took {x}?|with whom is {x}?|to whom does {x} go?|who got {x}?|whose name stands beside {x}?|who is down for {x}?|who do I ask about {x}?|who looks after {x}?|{x} - who has that?"""),
        "who has {x}", bars("{v} has it: the {w}.|For the {w} it says {v}.|It is {v} ({w})."))
DUE = (lambda r: "%d %s" % (r.int(1, 28), r.pick(lex.MONTHS)),
       bars("""when is {x} due?|what day is noted for {x}?|when is it the turn of {x}?|when do we deal with {x}?|until when is there time for {x}?|on which day does {x} come up?|what is the date for {x}?|when will it be about {x}?|which day is it for {x}?|when does {x} come?"""),
       "when it is about {x}", bars("The {w}: {v}.|For the {w} it says {v}.|It is {v} for the {w}."))
PAGE = (lambda r: "page %d" % r.int(3, 480),
        bars("""on which page is something about {x}?|where in the book do I read about {x}?|which page deals with {x}?|I want to read about {x}, where?|at which page do they talk of {x}?|what page for {x}?|where does it say something on {x}?|page of {x}?|where is the part on {x}?|which page should I open for {x}?"""),
        "where it is about {x}", bars("That is on {v}: {w}.|For {w} it says {v}.|It is {v} ({w})."))
ROOMS = "cellar attic garage kitchen hall shed office workshop pantry bathroom nursery studio stable barn lobby garden loft study van greenhouse".split()

FEW = Phrases(bars("""and {x}?|{x}?|what about {x}?|same for {x}|and for {x}?|now {x}|{x} too please|and with {x}?|then {x}|how about {x}?|{x}, as well|and the other, {x}?|ok, and {x}|or {x}?|also {x}"""))
STATE_ASKS = Phrases(bars("""which of them is {x}?|what is {x}?|is anything on the list {x}? what?|which one is {x}?|name the one that is {x}|something in there is {x}, what is it?|what have we got that is {x}?|tell me which is {x}|I need to know what is {x}|find the thing that is {x}"""))
STATE_FEW = Phrases(bars("""and {x}?|which is {x}?|what's {x}?|and which is {x}?|the one that is {x}?|{x}?|anything {x}?|and what is {x}?|also what is {x}|something {x}?"""))
LINES = ("- {w}: {v}", "{w}: {v}", "* {w} - {v}", "{w} | {v}", "{w} ({v})", "{w}, {v}", "{w} = {v}", "{w}; {v}", "[{v}] {w}")
HEADS = bars("stock|what we have|list|things|notes|lent out|order|overview|items|all of it|as of today|for the move|for the club|rest|inventory")
SHORTS = bars("the list|my list|our list|the overview|the register|the inventory|the plan|the notes")
FILES = bars("list.txt|stock.md|things.txt|overview.md|register.csv|inventory.txt|items.md|all.txt|table.txt|notes-2.md|plan.txt|index.md")
THING_COLUMNS, MATTER_COLUMNS = (COUNT, PRICE, PLACE, LENT), (LENT, DUE, PAGE)
for column in THING_COLUMNS + MATTER_COLUMNS:
    assert all("{x}" in q for q in column[1])
_phrases = {id(c): Phrases(c[1]) for c in THING_COLUMNS + MATTER_COLUMNS}


def written(r):
    """What a Document is made of."""
    return states(r) if r.chance(0.3) else values(r)


def laid_out(r, rows):
    """The text of a list, and its lines."""
    form = r.pick(LINES)
    lines = [fill(form, {"w": w, "v": v}) for w, v in rows]
    head = upper_first(r.pick(HEADS))
    return "\n".join(([head + r.pick((":", "", ":\n"))] if r.chance(0.6) else []) + lines), lines


def values(r):
    """Things with a value each; what is asked for is a thing in other words."""
    words, columns = (meaning.THINGS, THING_COLUMNS) if r.chance(0.6) else (meaning.MATTERS, MATTER_COLUMNS)
    column = r.pick(columns)
    make, _, lacking, answers = column
    chosen = meaning.apart(r, words, r.int(4, 10))
    there, other = chosen[:-1], chosen[-1]
    rows = {}
    for w in there:
        rows[w.word] = next(v for v in iter(lambda: make(r), None) if v not in rows.values())
    text, lines = laid_out(r, rows.items())
    asks, more, told = [], {}, {}
    ask = lambda way: fill(r.phrase(_phrases[id(column)]), {"x": way})
    for w, line in zip(there, lines):
        way = meaning.the(r.phrase(w.ways))
        q, v = ask(way), rows[w.word]
        asks.append((q, upper_first(fill(r.pick(answers), {"w": w.word, "v": v}))))
        more[q], told[q] = fill(r.phrase(FEW), {"x": way}), (line, [v])
    way = meaning.the(r.phrase(other.ways))
    return r.pick(SHORTS), FILES, text, asks, [(ask(way), fill(lacking, {"x": way}))], more, told


def states(r):
    """Things with a word each for how they are; what is asked for is that word in other words."""
    n = r.int(4, 9)
    things, states = r.some(meaning.THINGS, n), meaning.apart(r, meaning.STATES, n + 1)
    rows = [(t.word, s) for t, s in zip(things, states)]
    text, lines = laid_out(r, [(w, s.word) for w, s in rows])
    asks, more, told = [], {}, {}
    for (w, s), line in zip(rows, lines):
        way = r.phrase(s.ways)
        q = fill(r.phrase(STATE_ASKS), {"x": way})
        asks.append((q, "The %s is %s." % (w, s.word)))
        more[q], told[q] = fill(r.phrase(STATE_FEW), {"x": way}), (line, [w])
    way = r.phrase(states[-1].ways)
    return r.pick(SHORTS), FILES, text, asks, [(fill(r.phrase(STATE_ASKS), {"x": way}), "that anything is " + way)], more, told
