"""The lists of tools_wish: how people ask for a made tool."""
from .phrases import Phrases
from .tools_forms import FORMS, more

# Around a core that begins with a verb.
FRAMES = more("""{c}|{c}|{c}|{c}|please {c}|can you {c}?|could you {c}?|I need you to {c}|I'd like to {c}|I want to {c}|we should {c}|it's time to {c}|time to {c}|let's {c}|go ahead and {c}|help me {c}|would you {c}?|I have to {c}|we need to {c}|
you can {c} now|is it possible to {c}?|next step: {c}|my boss wants me to {c}|I forgot to {c}, do it now|I was asked to {c}|don't forget to {c}|be so kind and {c}|I'd be glad if you could {c}|kindly {c}|any chance you could {c}?|what I want is to {c}|
I really must do this: {c}|all I need is this: {c}|could someone {c}?|I promised to {c}|the plan is to {c}|just {c}|do this for me: {c}|somebody has to {c}|I meant to {c}|may I ask you to {c}?|do me a favour and {c}|I am supposed to {c}|one thing to do: {c}|
now {c}|first of all, {c}|I'd rather you {c}|there is one thing left: {c}|we agreed to {c}|they told me to {c}|the customer wants us to {c}|make sure to {c}|I want you to {c}|you should {c}|let me {c}|I will have to {c}|
the idea is to {c}|we decided to {c}|see that you {c}|it would help me if you could {c}|would it be all right to {c}?|have a go and {c}|right, {c}|it remains to {c}|your next job: {c}|I'm asking you to {c}|why don't you {c}?|I wonder if you could {c}""", "frames")
# Around the thing that is there already; {d} is the participle.
DONE = more("""{np} has to be {d}|{np} should be {d}|I want {np} {d}|have {np} {d}|get {np} {d}|can {np} be {d}?|{np} must be {d}|{np} is to be {d}|I need {np} {d}|{np} wants to be {d}|see that {np} gets {d}|{np} needs to be {d}|could {np} be {d}?|
{np} still has to be {d}|I'd like {np} to be {d}|make sure {np} is {d}|{np} ought to be {d}|it would be good to have {np} {d}|{np} is waiting to be {d}|why isn't {np} {d} yet?""", "done")
FIRST = more("{np}: {v} it|{np}, please {v} it|{np}? {v} it|about {np}: {v} it please|you know {np}, {v} it|there is {np}, I want you to {v} it|take {np} and {v} it|see {np}? {v} it, please|as for {np}, {v} it|{np} - {v}|{np} {v}", "first")
WHICH = more("{o} {x}|{o} {x}|the {o} {x}|the {o} called {x}|the {o} named {x}|{o} {x}|our {o} {x}|my {o} {x}|the {o} with the name {x}|{x}, the {o}|the {o} that is called {x}|that {o} {x}|the {o} we call {x}", "which")
# The same, put together: what stands before the thing, how its name is brought in, what stands after it.
DET, REL, SUFFIX = (Phrases(FORMS[k]) for k in ("det", "rel", "suffix"))
NUMBERED = more("{o} {x}|{o} number {x}|{o} no. {x}|the {o} with number {x}|{o} {x}|the {o} {x}|{o} with the id {x}|the {o} that has the id {x}", "numbered")
NEW = more("a {o} called {x}|a new {o} {x}|a {o} named {x}|a {o} with the title {x}|the {o} {x}|a {o} {x}|another {o}, {x}|one more {o} called {x}|a fresh {o} by the name of {x}|{o} {x}|a {o} entitled {x}|a {o}, name {x}|a {o} (\"{x}\")|a {o}: {x}|a {o} that is called {x}", "new")
GET = more("""what's the {a} of {np}?|tell me the {a} of {np}|which {a} does {np} have?|{np}, what {a}?|I need the {a} of {np}|look up the {a} of {np}|what {a} has {np}?|can you get me the {a} of {np}|check the {a} of {np}|do you know the {a} of {np}?|
{a} of {np} please|find out the {a} of {np}|I'd like to know the {a} of {np}|{np}: {a}?|give me the {a} for {np}|how about the {a} of {np}, what is it?|show the {a} of {np}|any idea about the {a} of {np}?|what does it say for {np} under {a}?|
I forgot the {a} of {np}|somebody asked me for the {a} of {np}|read out the {a} of {np}|{a}, {np}|could you see what {a} {np} has?|let me know the {a} of {np}|the {a} of {np}, what is it now?|report the {a} of {np}""", "get")
SET = more("""set the {a} of {np} to {v}|change the {a} of {np} to {v}|{np} should have {a} {v}|make the {a} of {np} {v}|put {np} at {a} {v}|I want {v} as the {a} of {np}|{a} of {np}: {v}|give {np} the {a} {v}|adjust {np} to {a} {v}|
the {a} of {np} has to be {v}|update {np}, {a} {v}|could {np} get {a} {v}?|{v} is the new {a} of {np}|from now on the {a} of {np} is {v}|let {np} have {v} as {a}|{np} needs another {a}: {v}|correct the {a} of {np}, it is {v}|
with {np}, change the {a} to {v}|the {a} of {np} is wrong, it must be {v}|enter {v} for the {a} of {np}|I'd like the {a} of {np} to be {v}|take {v} for the {a} of {np}|{np}: {a} to {v}|use {v} as {a} for {np}|can the {a} of {np} be {v}?|
switch the {a} of {np} over to {v}|write {v} into the {a} of {np}""", "set")
# A target that is brought in after the thing.
TO = {"person": more("{c} to {t}|{c}, {t} gets it|{c}, to {t}|{c}; it goes to {t}|{c}, the one to get it is {t}|{c} and let {t} have it|{c}: {t}", "to_person"), "place": more("{c} to {t}|{c}, it goes to {t}|{c} over to {t}|{c}; destination {t}|{c}, it should be in {t}|{c} into {t}", "to_place"),
      "name": more("{c} to {t}|{c}, the new name is {t}|{c}: {t}|{c}, it should be {t} from now on|{c}; new name {t}|{c} as {t}", "to_name"), "ref": more("{c} with {t}|{c} and {t}|{c} and the other one, {t}|{c} with the one called {t}|{c}, the other is {t}|{c} together with {t}", "to_ref"),
      "version": more("{c} to {t}|{c} to version {t}|{c}; version {t}|{c}, {t} is out|{c} up to {t}", "to_version"), "date": more("{c} to {t}|{c} for {t}|{c}, {t} is better|{c}: {t}|{c}; the new day is {t}|{c}, I want it {t}", "to_date"),
      "count": more("{c} to {t}|{c} at {t}|{c}; {t} is enough|{c}, make it {t}|{c}: {t}", "to_count"), "stars": more("{c} with {t}|{c}: {t} stars|{c}, {t} points|{c}, I give it {t}|{c}; {t} out of ten|{c} at {t}", "to_stars"), "format": more("{c} to {t}|{c} into {t}|{c} as {t}|{c}, I need {t}|{c}; format {t}", "to_format"),
      "tag": more("{c} with {t}|{c} as {t}|{c}: {t}|{c}, the word is {t}|{c}; label {t}", "to_tag"), "text": more("{c}: {t}|{c} with \"{t}\"|{c}, saying {t}|{c}, and write \"{t}\"|{c}; the text is: {t}", "to_text")}
# Two of a kind, in either order.
BOTH = {"place": more("from {f} to {g}|to {g} from {f}|{f} to {g}|to {g}, coming from {f}|starting in {f} and ending in {g}|{g} is where it should end, {f} where it starts|out of {f} into {g}|between {f} and {g}|{f} -> {g}", "both_place"),
        "day": more("from {f} to {g}|until {g}, starting {f}|between {f} and {g}|{f} till {g}|ending {g}, beginning {f}|it starts {f} and ends {g}", "both_day"), "word": more("{f} for {g}|I have {f} and want {g}|give {f}, get {g}|I want {g} and offer {f}|{f} against {g}", "both_word"),
        "other": more("from {f} to {g}|to {g} from {f}|{m} {f}, {n} {g}|{n} {g}, {m} {f}|{m}: {f}; {n}: {g}|with {f} as {m} and {g} as {n}|{g} is the {n} and {f} the {m}|the {m} is {f}, the {n} {g}|{m} {f} and {n} {g}", "both_other"),
        "named": more("{m} {f}, {n} {g}|{n} {g}, {m} {f}|{m}: {f}; {n}: {g}|with {f} as {m} and {g} as {n}|{g} is the {n} and {f} the {m}|the {m} is {f}, the {n} {g}|{m} {f} and {n} {g}|{n} is {g} and {m} {f}", "both_named")}
BOTH.update((k[5:], Phrases(f)) for k, f in FORMS.items() if k.startswith("both_") and k[5:] not in BOTH)
# Which of two is which is said by a verb or by what is told of them; where it fits the names, the plain lists serve as well.
ROLES_OF = {"winner": "won", "won_by": "won", "lender": "lent", "owner": "lent", "payer": "paid", "debtor": "paid", "teacher": "taught", "trainer": "taught", "seller": "sold",
            "sender": "sent", "giver": "sent", "from_person": "sent", "home": "home", "host": "home", "old": "changed", "before": "changed", "old_value": "changed", "low": "range", "minimum": "range",
            "at_least": "range", "width": "box", "start_time": "clock", "opens": "clock", "front": "front", "boss": "boss", "manager": "boss"}
CLAUSES = set("won lent paid taught sold sent home changed boss front".split())
# A parameter by its own name.
BY_NAME = more("{p} {v}|{p}: {v}|with {p} {v}|the {p} is {v}|{p} should be {v}|{v} as {p}|{p} = {v}|and {v} for the {p}|with {v} as the {p}|the {p} would be {v}|{p} is {v}|put {v} as {p}|under {p} write {v}", "by_name")
ALL = more("all {os}|the {os}|my {os}|every {o}|our {os}|all the {os} there are|any {os}|{os}|the whole lot of {os}", "all")
ABOUT = more("about {x}|with {x} in it|for {x}|on {x}|that mention {x}|with the word {x}|matching {x}|to do with {x}|containing {x}|where it says {x}", "about")
ABOUT.mended(dict.fromkeys(("around {x}", "to go with {x}", "that go with {x}")))  # no wish for a search
MOOD = more("""I'm not good at this.|It has been a long day.|We talked about it this morning.|Sorry, me again.|The office just called.|I don't have the list at hand.|I'm on the road.|There is a picture of it on my desk.|Nobody else has the time.|This came up at lunch.|
I wrote it down somewhere.|The others are waiting.|I hope I got the words right.|I never did this before.|My neighbour told me about it.|It rains and I can't go out.|I've got the thing in front of me.|We nearly missed it last time.|It's the last thing for this week.|My hands are full.""", "mood")
PREP = tuple(w + " " for w in "for on by in at to with from until under as of over up not because since tagged assigned due starting beginning ending approved repeated sorted ordered weighing without even after only just together inviting containing and made lasting valid".split())
# Without a word for the action, where only one tool on offer deals with such a thing.
BARE = {k: Phrases(FORMS["bare_" + k]) for k in ("act", "list", "set", "to")}
