"""Phrasings of requests for the built-in tools, with slots; those of train/data/asks are added.

A line is a phrasing, and after a tab the argument where that is not the slot itself.
"""
import json
import random

from . import spans
from .asks_mend import mend
from .hall import read_lines
from .phrases import Phrases


def load(name, own=""):
    """Phrases of (template, argument or None): ours, then the file's in a chance but fixed order."""
    mine = [line.strip() for line in own.strip().split("\n") if line.strip()]
    file = [x for x in read_lines("asks/" + name + ".txt") if not unclear(name, x)]
    random.Random(7).shuffle(file)
    more = [x for x in read_lines("asks/" + name + ".more.txt") if not unclear(name, x)]
    random.Random(8).shuffle(more)
    third = [x for x in read_lines("asks/" + name + ".third.txt") if not unclear(name, x)]
    random.Random(9).shuffle(third)
    later = [read_lines("asks/%s.%s.txt" % (name, x)) for x in ("fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")]  # in the order of the file, which is mixed; not every tool has all
    late = [[exact(name, split(x)) for x in part] for part in (third, *later)]
    out = Phrases([split(x) for x in mine], [split(x) for x in file], [split(x) for x in more], *late)
    return out.changed(lambda x: mend(name, x) or None)


def exact(name, item):
    """An item of a third or later list: what is searched stands in the phrasing just as it is given after the tab."""
    t, arg = item
    if name not in ("web_search", "memory_read", "notes_search"):
        return item
    more = dict(arg) if isinstance(arg, dict) else {"query": arg}
    t, more["query"] = spans.piece(t, more["query"])
    return t, more


def unclear(name, line):
    """Phrasings that another tool fits as well."""
    return (name == "fs_read" and line.lower().startswith(("find ", "search ", "look for ", "grep "))
            and ("{word}" in line or "{topic}" in line))


def split(line):
    a, tab, b = line.partition("\t")
    b = b.strip()
    if tab and b.startswith("{") and (b == "{}" or b.startswith('{"')):
        return a.strip(), json.loads(b)
    return a.strip(), b if tab and b else None

MEMORY_READ = load("memory_read", """what do you remember about {topic}?
do you remember {topic}?
what did I tell you about {topic}?
what did we say about {topic}?
did I mention {topic} before?
what do you know about {topic} from our conversations?
search your memory for {topic}
look in your memory for {topic}
have we talked about {topic}?
remind me what I said about {topic}
what was it I said about {topic}
recall {topic}
anything in memory on {topic}?
do you still know about {topic}?
what have I told you on the subject of {topic}?""")

MEMORY_WRITE = load("memory_write", """remember that {preference}
please remember that {preference}
remember: {preference}
keep in mind that {preference}
don't forget that {preference}
make a note that {preference}
note that {preference}
save to memory that {preference}
store this in your memory: {preference}
for later: {preference}. Remember it.
I want you to remember that {preference}
can you remember that {preference}?
memorize this: {preference}
write into your memory that {preference}
you should remember that {preference}""")

NOTES = load("notes_search", """search my notes for {topic}
what do my notes say about {topic}?
look in my notes for {topic}
do I have notes on {topic}?
find my note about {topic}
is there anything in my notes about {topic}?
check my notes on {topic}
which of my notes mention {topic}?
what did I write down about {topic}?
my notes about {topic}?
find {topic} in my notes
go through my notes for {topic}
have I written anything about {topic}
pull up my notes on {topic}
what have I noted about {topic}?""")

CALENDAR = load("calendar_read", """what's on my calendar today?\t{"from": "today", "to": "today"}
do I have any appointments today?\t{"from": "today", "to": "today"}
what's on today\t{"from": "today", "to": "today"}
am I busy today?\t{"from": "today", "to": "today"}
what do I have tomorrow?\t{"from": "tomorrow", "to": "tomorrow"}
any meetings tomorrow?\t{"from": "tomorrow", "to": "tomorrow"}
am I free tomorrow?\t{"from": "tomorrow", "to": "tomorrow"}
show me tomorrow's appointments\t{"from": "tomorrow", "to": "tomorrow"}
what's in my calendar this week?\t{}
what's coming up\t{}
show my calendar\t{}
what are my next appointments?\t{}
any plans in the next days?\t{}
what's on my schedule\t{}
what's on {day}?\t{"from": "{day}", "to": "{day}"}
do I have something on {day}?\t{"from": "{day}", "to": "{day}"}
appointments on {day}\t{"from": "{day}", "to": "{day}"}
am I free on {day}\t{"from": "{day}", "to": "{day}"}
what's in my calendar from {day} to {day2}?\t{"from": "{day}", "to": "{day2}"}
show me everything between {day} and {day2}\t{"from": "{day}", "to": "{day2}"}
when is my {event}?\t{"query": "{event}"}
when's the {event}\t{"query": "{event}"}
do I have a {event} coming up?\t{"query": "{event}"}
is there a {event} in my calendar\t{"query": "{event}"}
find the {event} in my calendar\t{"query": "{event}"}
what did I have yesterday?\t{"from": "yesterday", "to": "yesterday"}
what was in my calendar yesterday\t{"from": "yesterday", "to": "yesterday"}""")

GRAPH = load("graph_search", """who is {person}?\t{"people": ["{person}"]}
what do you know about {person}?\t{"people": ["{person}"]}
where does {person} live?\t{"people": ["{person}"]}
where does {person} work?\t{"people": ["{person}"]}
is {person} married?\t{"people": ["{person}"]}
what does {person} do?\t{"people": ["{person}"]}
look up {person}\t{"people": ["{person}"]}
tell me about {person}\t{"people": ["{person}"]}
what facts do we have on {person}?\t{"people": ["{person}"]}
how do I know {person}?\t{"people": ["{person}"]}
do we know anything about {place}?\t{"locations": ["{place}"]}
who lives in {place}?\t{"locations": ["{place}"]}
whom do I know in {place}?\t{"locations": ["{place}"]}
what do you know about {place}, the place?\t{"locations": ["{place}"]}
does {person} still live in {place}?\t{"people": ["{person}"], "locations": ["{place}"]}
what is {person}'s relation to {place}?\t{"people": ["{person}"], "locations": ["{place}"]}
how are {person} and {person2} related?\t{"people": ["{person}", "{person2}"]}
do {person} and {person2} know each other?\t{"people": ["{person}", "{person2}"]}""")

WEB_SEARCH = load("web_search", """what's the latest on the {topic}?\tlatest {topic}
What is the latest news about the {topic}?\tlatest news {topic}
any news on the {topic}?\tnews {topic}
search the web for {topic}\t{topic}
search the web for the {topic}\t{topic}
google {topic}\t{topic}
look up {topic} online\t{topic}
find out about the {topic} on the internet\t{topic}
can you search online for {topic}?\t{topic}
what is going on with the {topic}?\t{topic}
what's happening with the {topic}\t{topic}
search for news about {topic}\tnews {topic}
check the web for {topic}\t{topic}
find me something about {topic} on the web\t{topic}
what does the internet say about {topic}?\t{topic}
web search: {topic}\t{topic}
look on the internet for {topic}\t{topic}
current state of the {topic}?\tcurrent state {topic}
is there anything new about the {topic}?\tnew {topic}
what are people saying about the {topic}?\t{topic}
has anything happened with the {topic} lately?\t{topic}
research {topic} on the web\t{topic}""")

WEB_FETCH = load("web_fetch", """open {url}
read {url}
what does {url} say?
fetch {url}
what's on {url}?
summarise {url}
can you read the page {url}?
have a look at {url}
go to {url} and tell me what is there
show me the page {url}
visit {url}
what is {url} about?
load {url} please
get me the text of {url}
please check this page: {url}
{url} - what's this about?
give me the gist of {url}""")

NOW = load("now", """what time is it?\t{}
what's the time\t{}
what day is it today?\t{}
what's the date today?\t{}
which day of the week is it?\t{}
what's today's date\t{}
tell me the time\t{}
do you have the time?\t{}
current time please\t{}
how late is it?\t{}
what week of the year is it?\t{}
which year is it?\t{}
today's date?\t{}
is it Monday today?\t{}
what time is it in {zone_city}?
time in {zone_city}
what's the time in {zone_city} now
how late is it in {zone_city}?
tell me the current time in {zone_city}
which day is it in {zone_city}?
what's the clock say in {zone_city}?
is it already evening in {zone_city}?""")

CALCULATE = load("calculate", """what is {a} plus {b}?\t{a} + {b}
{a} + {b}\t{a} + {b}
what's {a} times {b}\t{a} * {b}
{a} * {b}\t{a} * {b}
how much is {a} minus {b}?\t{a} - {b}
{a} - {b}\t{a} - {b}
divide {a} by {b}\t{a} / {b}
{a} / {b}\t{a} / {b}
multiply {a} by {b}\t{a} * {b}
add {a} and {b}\t{a} + {b}
add up {a}, {b} and {c}\t{a} + {b} + {c}
subtract {b} from {a}\t{a} - {b}
what is the square root of {a}?\tsqrt({a})
sqrt of {a}\tsqrt({a})
what is {b} percent of {a}?\t{b}% of {a}
{b}% of {a}\t{b}% of {a}
what's {a} squared?\t{a} ^ 2
{a} to the power of {b}\t{a} ^ {b}
what is the average of {a}, {b} and {c}?\t({a} + {b} + {c}) / 3
I have {a} boxes of {b} eggs, how many eggs is that?\t{a} * {b}
I bought {a} tickets at {b} euros each. What do I pay?\t{a} * {b}
split {a} euros between {b} people\t{a} / {b}
a shirt costs {a} and is {b}% off, what do I pay?\t{a} - {b}% of {a}
what is {a} plus {b}% tax?\t{a} + {b}% of {a}
I had {a} apples and gave away {b}, how many are left?\t{a} - {b}
we drove {a} km in {b} hours, how fast was that?\t{a} / {b}
{a} rows of {b} chairs plus {c} spare ones, how many chairs?\t{a} * {b} + {c}
how many hours are {a} days?\t{a} days in hours
how many minutes is {a} hours\t{a} hours in minutes
how many seconds are in {a} minutes?\t{a} minutes in seconds
what's half of {a}?\t{a} / 2
double {a}\t{a} * 2
a third of {a}?\t{a} / 3
I earn {a} a month, what's that a year?\t{a} * 12
{a} dozen eggs are how many eggs?\t{a} * 12
convert {a} miles to kilometres\t{a} miles in kilometres
{a} inches in cm\t{a} inches in cm
how many kilometres are {a} miles?\t{a} miles in kilometres
{a} pounds in kilos\t{a} pounds in kilos
how many grams is {a} ounces?\t{a} ounces in grams
{a} feet in metres\t{a} feet in metres
how many litres are {a} US gallons?\t{a} US gallons in litres
how many weeks are {a} days?\t{a} days in weeks
what is ({a} + {b}) times {c}?\t({a} + {b}) * {c}
I save {a} a week for {b} weeks and already have {c}\t{a} * {b} + {c}
calculate {a} * {b} - {c}\t{a} * {b} - {c}
what's {a} divided by {b}, rounded?\tround({a} / {b})
the larger of {a} and {b}?\tmax({a}, {b})
{a} minus {b} minus {c}\t{a} - {b} - {c}
each of {a} friends brings {b} bottles, how many bottles?\t{a} * {b}
what is {a} mod {b}?\t{a} mod {b}
how many people fit in {a} cars with {b} seats each\t{a} * {b}
I read {a} pages a day, how many in {b} days?\t{a} * {b}
a book has {a} pages and I read {b} of them, how many are left?\t{a} - {b}
we are {a} people and each eats {b} slices, how many slices do I need?\t{a} * {b}
my rent is {a} and the power costs {b}, what is that together?\t{a} + {b}
rent {a}, food {b}, phone {c}: what do I spend?\t{a} + {b} + {c}
I have {a} euros, buy something for {b} and something for {c}, what remains?\t{a} - {b} - {c}
the bill is {a} and we want to tip {b} percent, how much is the tip?\t{b}% of {a}
{a} minus {b} percent\t{a} - {b}% of {a}
{a} plus {b} percent\t{a} + {b}% of {a}
a train goes {a} km an hour, how far in {b} hours?\t{a} * {b}
it takes {a} minutes a day, how many minutes a week?\t{a} * 7
how many days are {a} weeks?\t{a} * 7
how many months are {a} years?\t{a} * 12
a year costs me {a}, what is that a month?\t{a} / 12
{a} cakes are shared by {b} children, how much does each get?\t{a} / {b}
a room is {a} by {b} metres, what is its area?\t{a} * {b}
what is the area of a field of {a} times {b} metres\t{a} * {b}
how much fence do I need around {a} by {b} metres?\t2 * ({a} + {b})
I had {a}, won {b} and lost {c}\t{a} + {b} - {c}
{a} shirts for {b} each and {c} for delivery\t{a} * {b} + {c}
{a} packs of {b}, I used {c}, how many are left?\t{a} * {b} - {c}
the cube of {a}?\t{a} ^ 3
a quarter of {a}\t{a} / 4
three quarters of {a}\t3 * {a} / 4
how many more is {a} than {b}?\t{a} - {b}
what's the difference between {a} and {b}\t{a} - {b}
what is the sum of {a} and {b}?\t{a} + {b}
what is the product of {a} and {b}?\t{a} * {b}
{a} times itself\t{a} ^ 2
triple {a}\t{a} * 3
the smaller of {a} and {b}\tmin({a}, {b})
the mean of {a} and {b}\t({a} + {b}) / 2
split {a} between {b} people after taking off {c}\t({a} - {c}) / {b}
each of {a} shelves holds {b} books and {c} more lie on the floor, how many books?\t{a} * {b} + {c}
my car needs {a} litres for 100 km, how much for {b} km?\t{a} / 100 * {b}
{a} cm in inches\t{a} cm in inches
{a} km in miles\t{a} km in miles
{a} kilos in pounds\t{a} kilos in pounds
{a} stone in kilos?\t{a} stone in kilos
{a} hours in seconds\t{a} hours in seconds
how many hours are {a} minutes?\t{a} minutes in hours""")
