"""Phrasings that are dropped or mended after the lists are divided, so that what is held out stays so.

One rule for each kind of wish: what two tools on offer would fit as well is dropped.
"""
from . import spans

DROP = {}


def drop(name, text):
    DROP.setdefault(name, set()).update(line.strip() for line in text.strip().split("\n"))


# nothing says that files are meant: the web, notes and the memory can be searched as well
drop("fs_search", """search for {word}
find {word}
look for {word}
now search for {word}
and {word}? search for that too
next find {word}
any mention of {word}?
show all mentions of {word}
find where I mention {word}
see where I mention {word}
pls find {word}
please search for {word}
search again, for {word} this time
try searching for {word} instead
where is {word} mentioned
show me where {word} is mentioned
where do I mention {word}?
can you search for {word}
also search for {word}
tell me where {word} is mentioned
is {word} mentioned anywhere
where does {word} appear
where does {word} appear?
where is {word} used in {folder}?
where's {word} used
where does it say {word}
Where did I write {word}?
did I write {word} somewhere
have I written {word} anywhere
I know I wrote {word} somewhere, find it
find all the places where {word} turns up
give me every occurrence of {word}
list every place where {word} occurs
run a search on {word}
hunt down {word}
track down {word} for me
have a look for {word}, will you
find me any trace of "{word}"
ok and now look for "{word}"
locate every occurrence of {word}
any hits for {word}
let me know where {word} appears
where all does {word} show up
{word} – where did I write that?
is {word} written down anywhere
Does "{word}" crop up anywhere?
How many times have I written {word}?
sorry, me again, could you find where it says {word}?
Where have I used the expression "{word}"?
lost track of where {word} is, in which file?
does {path} contain {word}?
one of the files in {folder} says {word}
I wrote about {word} somewhere in {folder}""")
# overwrite, append or create would all be right
drop("fs_write_append", """log {text} in {path}
note at the bottom of {path}: {text}
{text} is missing in {path}, please add it at the end
last line of {path} should now be {text}, after what's there
end {path} with {text}, leave the rest alone
let {path} end with "{text}"
close {path} with the words {text}
write it at the end of {path}: {text}
the next line in {path} is {text}""")
drop("fs_write_create", """set up {path} with {text}
start off a new {path} with {text}
generate {path} with the content {text}
initialise {path} with {text}
make me a {path} that says {text}
start {path} for me, first line: {text}
{path} should be created, with the text {text}
I need a file called {path} that says {text}
new file time! {path} with {text}
touch {path} and put {text} in it
if there is no {path}, create it with {text}""")
drop("fs_write_overwrite", """get this down in {path}: {text}
into {path} goes: {text}
to {path}: {text}
save this too {path}: {text}
start {path} over with {text}
write mode, {path}, content {text}
turn {path} into {text}, the whole file
set {path} to {text}""")
drop("fs_write_replace", """We talked it over and it's going to be {new}, so change {old} in {path}
{path} is wrong about {old}, it's {new} now
find {old}, replace {new}, file {path}
let {old} be {new} in {path}
set {old} to {new} in {path}
search {path} for {old} and put {new} there instead
turn every {old} in {path} into {new}
wherever it says {old} in {path}, write {new}""")
drop("fs_list", """tree {folder}
how full is {folder}
what's taking up room in {folder}
show me what {person} put in {folder}
what can you open on my computer
I've no idea which files you can reach, tell me
check {folder}
check out {folder}
look in {folder}""")
drop("fs_read", """The {thing} should be somewhere in {path}; could you get it for me?
check the log file {path} for me
does {path} look right to you
proofread {path}
can you proofread {path}
Is there a typo in {path}?
count the words in {path}
same for {path}
read me the first few lines of {path}
head {path}
find the {thing} in {path}
what about {path}
and {path}?
okay now {path}
ok, {path} now""")
drop("calculate", """roughly {a} by {b}, rounded to a whole number
how much is {a} by {b}
if I was born {a} years after {b}, what year is that
{a} : {b}
I save {a} a week for {b} weeks and already have {c}
{a} shirts for {b} each and {c} for delivery
I had {a}, won {b} and lost {c}
rent {a}, food {b}, phone {c}: what do I spend?""")
drop("web_search", """We're stuck in {place} with two bored kids, what is there to do?
I moved to {place} last week and I need a dentist, find some
My teacher says wikipedia has plenty on {topic}, find it
wikipedia {topic}
i spilled wine on my {thing}, search what gets it out
somewhere nice for dinner in {place}, not too dear
lookup {topic}
links: {topic}
top hits for {topic}
any news of {person}
I heard something about {topic}, what's that about
compare {thing} prices online""")
drop("memory_read", """have you still got {topic} in mind
in what way does {topic} matter to me, I told you
on what day is my {thing}, I told you
how should you handle {topic}, I told you last time
my {thing} details please
what's the trouble with the {thing} that I told you of
we discussed {topic} a few days ago
how is it with my {thing}
did I decide on a {thing}""")
drop("notes_search", """my boss just asked about {topic} and I know I noted it
my jottings about {topic}, please
any jottings on {topic}
what's noted under {topic}
show me whatever I have noted on {topic}""")
drop("graph_search", """who left {place}
which firms are in {place}
what goes on in {place}, from what we've recorded
who has an office in {place}
who was born in {place}
I need somebody in {place} who could pick up a parcel
look up both {person} and {person2}
I've run into {person} at the baker's and couldn't place the face
check {person} for me
when was {person} born
I need the facts on {person}""")

drop("now", """someone hid the clock
I can't see the clock from here
I lost count of the days
is it bedtime
is it too early to have lunch
is it time for tea yet
are we still in the same month
how many hours ahead is {zone_city}
what time zone is {zone_city} in
what's the UTC offset of {zone_city}
are they asleep in {zone_city}
is it an even day or an odd one today
have I still got time before nine""")
drop("calendar_read", """{thing}: which day?
and on {day}?
and {day}
what about {day}
and tomorrow?
give me tomorrow
show me tomorrow
have I missed the {thing}
when was the {thing} again
when am I at the {thing}
read me today""")

# said so that it means one thing
SAID = {("run_code", "print {word} {a} times with a program"): "print {word} {a} times with a program, one below the other",
        ("run_code", "use python to print {word} {a} times"): "use python to print {word} {a} times, each time on a new line"}
# the argument follows from the words
FIX = {("fs_list", "ls -a {folder}"): {"path": "{folder}", "hidden": "true"}, ("fs_list", "ls -la {folder}"): {"path": "{folder}", "hidden": "true"}}


def mend(name, item):
    """An item of a list as it should be, or None."""
    t, arg = item
    if (name, t) in SAID:
        return SAID[name, t], arg
    if t in DROP.get(name, ()):
        return None
    if (name, t) in FIX:
        return t, FIX[name, t]
    if name in ("web_search", "memory_read") and not isinstance(arg, dict):
        slot = next((w for w in spans.words(t) if w[0] == "{"), None)
        if slot is None:
            return item
        return spans.mark(t, arg or slot, spans.WEB if name == "web_search" else spans.TOLD)
    return item
