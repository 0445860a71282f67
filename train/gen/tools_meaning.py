"""Tools of which one is meant, or one value of a list, by somebody who uses none of its words."""
from functools import cache

from . import meaning
from .hall import TOOLS
from .phrases import bars
from .tools_kind import Kind
from .tools_line import snake
from .wording import upper_first

OBJECTS = bars("""the report|the letter|the minutes|invoice 4711|the draft|chapter 3|the slides|the contract|the form|the photo album|the playlist|the budget|the survey|the guest list|the backup|the log|the ticket|the appointment|the meeting on Friday|the workshop|
the newsletter|the article|the poem|the recipe|the map|the statement|the complaint|order 88|the account|the draft of the speech|the shopping list|the manual|the diary|the price list|the timetable|the certificate|the summary|the table|the spreadsheet|the message from the bank|
the second page|the old folder|the questionnaire|the application|the film script|the test results|the address book|the booking|the petition|the agenda|the plan for March|the last entry|the notes on the trip|the template|the ad|the review|the receipt|the warranty|the logo|the database""".replace("\n", ""))
RESULTS = ["ok", '{"ok": true}', "{o}: done", "done", "job {n} accepted", '{"job": {n}, "state": "accepted"}']
ANSWERS = ["It is done: {o}.", "Done: {o}.", "Done, it is job {n}.", "It was accepted as job {n}."]
PERSON = {"key": "o", "names": ["person", "for_whom", "customer", "who"], "type": "string", "required": True, "make": "first"}


def thing(values):
    return {"key": "o", "names": ["thing", "item", "what", "object", "target", "which"], "type": "string", "required": True, "values": values}


THING, TEXT = thing(["the " + t.word for t in meaning.THINGS]), thing(OBJECTS)


@cache
def deed(word, on):
    """The tool that does it, to a thing or to a text."""
    v, s = word.word, snake(word.word)
    camel = "".join(w.capitalize() for w in s.split("_"))
    train, held = ("%s {o}" % v,) + word.ways.train, word.ways.held
    names = [s] * (s not in TOOLS) + [s + "_item", s + "_it", "do" + camel, camel[:1].lower() + camel[1:] + "Item", "item." + s]
    out = Kind({"kind": s, "names": names,
                "descriptions": ["%s something." % upper_first(v), "To %s one thing." % v, "Use this to %s an item by its name." % v, "%s(what)" % s, "Lets the person %s something that they name." % v, "%s one item" % v],
                "params": [TEXT if on else THING], "asks": train + held, "result": RESULTS, "answers": ANSWERS})
    out.asks.train, out.asks.held = train, held
    out.whole()
    out.sort = "meant"
    return out


STATE = (["set_state", "markItem", "note_condition", "item__mark", "put_status", "update_item", "describe_item"],
         ["Notes how a thing is.", "Marks an item with one of the states on the list.", "Sets the state of an item.", "item.mark(item, state)", "Keeps the state of each thing up to date; only the listed words are allowed.", "state register"],
         ["state", "status", "condition", "how_it_is", "marked_as", "quality"],
         bars("""{o} is {s}|{o} is now {s}|put down {o} as {s}|please note that {o} is {s}|they told me that {o} is {s}|just so it's on record: {o} is {s}|it turns out that {o} is {s}|I looked at {o}, it is {s}|since this morning {o} is {s}|about {o}: it is {s}|enter it: {o} is {s}|I found {o} to be {s}|everybody says {o} is {s}|from now on {o} is {s}|you can mark {o}, it is {s}"""))
CHOICE = (["order_article", "pick_item", "addToOrder", "shop__request", "want_item", "fetch_article"],
          ["Orders one of the articles on the list for somebody.", "Requests an article; only what is listed can be had.", "article.order(person, article)", "Puts one of the listed things on the order of a person.", "order entry", "Asks the store to bring a person one of the things that it has."],
          ["article", "item", "thing", "kind", "goods", "wanted"],
          bars("""{o} needs {s}|{s} for {o}|get {o} {s}|{o} would like {s}|please order {s} for {o}|{o} asks for {s}|could {o} have {s}?|we still want {s}, {o} pays|put {s} down for {o}|{o}: {s}|let {o} have {s}|bring {s} to {o}|{o} is missing {s}|it is {o} who gets {s}|{s} goes to {o}"""))


def option(r, form, words, first, put=str):
    """A tool with a list of values, of which each is asked for in other words; put gives those an article."""
    names, descriptions, params, asks = form
    chosen = meaning.apart(r, words, r.int(3, 7))
    said = lambda w: w.ways.held if r.held else w.ways.train + (w.word,)
    out = Kind({"kind": names[0], "names": names, "descriptions": descriptions,
                "params": [first, {"key": "s", "names": params, "type": "string", "required": True, "enum": [snake(w.word) for w in chosen], "values": [[put(way), snake(w.word)] for w in chosen for way in said(w)]}],
                "asks": asks, "result": RESULTS, "answers": ANSWERS})
    out.sort = "meant"
    return out


def some(r, n):
    """Kinds of at most n tools, of which none can be taken for another."""
    out = []
    if r.chance(0.5):
        out.append(option(r, STATE, meaning.STATES, THING) if r.chance(0.6) else option(r, CHOICE, meaning.THINGS, PERSON, meaning.the))
    on = r.chance(0.5)
    return out + [deed(w, on) for w in meaning.apart(r, meaning.PAPERWORK if on else meaning.HANDIWORK, n - len(out))]
