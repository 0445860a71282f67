"""Words that may stand for each other in wishes, and sentences beside the matter. train/data/synonyms.txt adds to the groups."""
from .phrases import bars

# A member that ends in * may be put in, but is not looked for: elsewhere it means something else.

# how a wish or question may open, whatever follows
OPENINGS = """can you tell me|could you tell me|do you know|tell me|I'd like to know|would you tell me|I want to know|please tell me|I need to know|do you happen to know*
can you|could you|would you|can u|could you please|can you please|will you*|could you maybe|can you just|could you just|can you quickly|would you please
what's|what is|whats
what's happened|what has happened
what's got|what has got
who's|who is|whos
who's got|who has got|who has*
who's been|who has been
where's|where is|wheres
when's|when is|whens
how's|how is
I'd like|I would like|id like*|I want
I'm|I am|im*
please|pls|plz|kindly""".split("\n")

# the same in any wish
GENERAL = """show me|let me see|display*|give me*|I want to see|I need to see|bring up*
take a look at|have a look at|look at|have a glance at|cast an eye on
don't|do not|dont
doesn't|does not|doesnt
isn't|is not|isnt
I need|I want|I'd like|I require*|I could do with*
for me|for us*
quickly|fast*|real quick*|in a hurry*
right now|at the moment|at present|currently*
and then|and after that|and afterwards|then*
as well|too*|also*
altogether|in total|all in all|in all
called|named
summarise|summarize|sum up*
would you mind|do you mind*|could I ask you about*
find out|check*|look up*
make sure|see to it|take care
give me|get me|I need*|let me have
tell me|let me know
is there|do we have*|have we got*
how much is|what is the price of*|what does it cost for*
send|ship*
which|what*
start|begin*
turn on|switch on|put on*
turn off|switch off|shut off
set up|arrange*
want to|would like to|wanna|need to
going to|gonna
because|cause*|since*
tomorrow|tmrw*|tomorow*
about|on*|concerning*|regarding*
are you able to|can you|is it possible for you to
as soon as possible|asap|right away""".split("\n")
GENERAL = [g for g in GENERAL if not g.startswith(("about|", "which|", "send|", "how much is|", "would you mind|", "start|", "is there|"))]

# wishes for files, notes, the web and the like: only where such a slot stands
OWN = """have a look in|look in|look into|take a look in|peek into
what's in|what is in|what do we have in|what's inside|what is there in|what can I find in|what have we got in
which files|what files
go through|look through|work through
search the web for|search online for|look on the web for|do a web search for|google|look online for|search the internet for|have a look online for|check the web for
on the web|online|on the internet|on the net
look for|search for|try to find|hunt for|check for*
any news on|any news about|is there news about|anything new about|any updates on
write down|note down|jot down|put down
add|append|attach*
at the end of|at the bottom of|at the very end of
save|store
write|put*|save*
write code|produce code*|come up with code*
write a note|make a note
open a new file|start a new file|begin a new file
write a program|make a program|put together a program*
write a script|make a script|put together a script*
write python|make python*
write and run|make and run*|write and execute*
put in order|bring into order*
put together|compile*
put|write*
create|make*|set up*
create a file|make a file|set up a file
a new file|a fresh file|a brand new file
that says|saying|with the text|which says|that reads
containing|that contains|with the contents|holding*
replace|swap out*|exchange*
change|alter|modify*
should be|must be|has to be|needs to be|ought to be
should say|must say|has to say|needs to say|ought to say
instead of|rather than|in place of
overwrite|write over*
the contents of|the content of|the text of|whatever is in
the folder|the directory
list the files in|list what is in|show the files in|name the files in|give me the files in
hidden files|dotfiles|hidden ones*
levels deep|levels down
starting at|beginning at|from*
remember that|keep in mind that|don't forget that|remember for me that|bear in mind that|please remember that
what do you remember about|what do you recall about|what have you kept about|what is in your memory about
what did I tell you about|what did I say about|what have I told you about|what had I told you about
search my notes for|look in my notes for|check my notes for|go through my notes for|look through my notes for
what do my notes say about|what is in my notes about|what did I note about|what have I got in my notes about
in my calendar|on my calendar|in my diary|on my schedule*
do I have anything|is there anything|have I got anything|do I have something
am I free|do I have time|am I available
tell me about|fill me in on|what can you tell me about
what do you know about|what do we know about|what is known about
run code that|run a program that|write and run code that|execute code that
with code|with a program|with a script|by running code
after that|then*|afterwards|next*
the result|the answer*|the outcome*
open|pull up*|bring up*
read|open*|go through*
fetch|get*|load*
and read|and open|and show me*
mentions|contains|talks about*
which file|what file""".split("\n")

WHO = """my boss|my sister|my brother|my neighbour|a friend|my teacher|the landlord|my daughter|my son|grandma|a colleague|my wife|my husband|the team|my flatmate|a customer|the doctor|our manager|my cousin|the bank""".split("|")
ASKED = """asked me this|wants to know|is waiting for it|needs it today|is on the phone|keeps asking|will be here soon|just rang|sent me a message|told me to check|doesn't believe me|wants an answer by noon|asked me yesterday|can't find it|is getting impatient""".split("|")
DOING = """cooking|packing|cleaning up|on the train|at the airport|in a meeting|tidying my desk|writing a letter|doing my homework|having breakfast|planning the week|waiting for the bus|in the garden|at work|at home today|sorting old papers|learning for an exam|preparing a talk|on my phone|repairing my bike|doing the taxes|half asleep|a bit lost here|in a hurry|new to this""".split("|")
WHEN = """right now|tonight|this morning|at the moment|again|as usual|today|this evening|just now|all day""".split("|")
OTHER = bars("""Just a quick one.|I hope this is easy.|Sorry for all the questions.|It's getting late.|Almost done for today.|I have no idea how this works.|This is a bit urgent.|Nothing special.|Long day.|Coffee is ready.|I keep forgetting it.|
My eyes are tired.|It's for a project.|It's for school.|No need to hurry.|I'm just checking.|Let's go on.|One thing at a time.|That's all for now.|I should have done this yesterday.|Finally some time for this.|You know the drill.|It won't take long.|
It's raining again.|My phone is nearly empty.|I've been putting this off.|Not sure if you can do this.|I'd do it myself but my hands are full.|Thanks in advance.|Good work so far.|It's a small thing.""")


def context(r):
    """A sentence that says nothing of what is wanted."""
    x = r.random()
    if x < 0.35:
        s = r.pick(WHO) + " " + r.pick(ASKED) + "."
        return s[0].upper() + s[1:] if r.chance(0.6) else s
    if x < 0.7:
        return r.pick(("I'm ", "I am ", "i'm ", "We're ")) + r.pick(DOING) + (" " + r.pick(WHEN) if r.chance(0.4) else "") + "."
    return r.pick(OTHER)
