"""More short ways to point at what came before; each list stands alone, so that its own tail is held out."""
from .phrases import bars
from .sections import sections

REFER = sections("refer.txt")
LATE = {}  # by the same names, written later: a list for each file that has one
for _file in ("refer_more.txt", "refer_third.txt"):
    for _name, _forms in sections(_file).items():
        LATE.setdefault(_name, []).append(_forms)

MORE_AGAIN = bars("""read the file again|read it once more|read it out again|once again please|show me the file again|show that again|what was in it again?|open it again|open it once more|can you show it again?|let me look at it again|same file again|
go back to that file and read it|what did that file say?|give me the text again|one more time, please|read that file once more|I want to see it again|have another look at it|read it to me again|take another look at that file|display it again|
repeat what the file says|what does it say again?|please reread that file|reread that|could you reread it?|read through it again|open the same file again|print that file again|print it once more|show its text again""")
MORE_NEXT = bars("""and what is the {key}?|tell me the {key} too|what's the {key} in it?|and under {key}?|which {key} is in there?|I also need the {key}|and which {key}?|what does it have for {key}?|give me the {key} as well|what about {key}|
same file, the {key}|also {key}|is the {key} in there as well?|then the {key}|and its {key}?|look at the {key} too|what {key} does it say?|okay, now {key}|and how is the {key} set?|the {key} in that file?""")
ROW_NEXT = bars("""and the {col} of {row}?|what about the {col} of {row}?|and {row}'s {col}?|now the {col} for {row}|the {col} of {row} too|what is the {col} of {row} in it?|also {row}'s {col} please|and for {row}, the {col}?|I also need the {col} of {row}|
which {col} has {row} there?|then {row}, {col}|how about {row}'s {col}|what {col} does it give for {row}?|in the same file, the {col} of {row}?|okay, and the {col} of {row}""")
MORE_NTH = bars("""read me the {o} one|the {o} one, please|the {o} file please|show the {o}|open number {o}|what does the {o} file say?|what's inside the {o} one?|take a look at the {o} one|read the {o} of them|the {o} of these, open it|I want to see the {o} one|
please read the {o} file|go into the {o} one|let's see the {o}|and the {o} one says?|can you open the {o} one?|give me the {o} one|display the {o} file|now the {o} one|pick the {o} and show it|how about the {o} one, read it|open the {o} on the list|
read the {o} entry|check out the {o} file""".replace("|open number {o}", ""))
MORE_SAVE = bars("""save this as {path}|put this in {path}|write this into {path}|store that as {path}|please write that down in {path}|make a file {path} with that|that goes into {path}|keep a copy of that in {path}|save what you said to {path}|
write what you just said to {path}|put your answer in {path}|I want that in {path}|create {path} with that answer|save the last answer in {path}|drop that into {path}|save your reply as {path}|copy that into {path}|file that under {path}""")
MORE_LOOK = bars("""look for it on the web|search the internet for it|can you google that?|find it on the web|try a web search for it|see what the web has on it|search online for that|check the internet about it|look that up on the internet please|
do a web search on it|find something about it online|what can you find about it on the web?|ask the web about it|please search the web for that|is there anything about it on the internet?""")
MORE_REMEMBER = bars("""remember this please|please keep that in mind|you should remember that|store this|keep this in your memory|put that in your memory|note that for the future|remember that about me|I want you to remember that|write that to your memory|
please don't forget this|make a memory of that|hold on to that|save this in memory|bear that in mind for later""")
MORE_ADD = bars("""and put {text} in it|put {text} into that file too|also write {text} to it|add this to it: {text}|add this line to it: {text}|then add {text}|write {text} into it as well|append this to it: {text}|append {text} there|please add {text} to it too|
in the same file, add {text}|put another line in it: {text}|at the end of that file, add {text}|it also needs {text}, add that|let it also say {text}, at the end|extend it by {text}|add {text} to the same file|one more for that file: {text}|
can you add {text} to it?|include {text} in it at the end""")
MORE_CHANGE = bars("""in it, replace {old} by {new}|swap {old} for {new} in that file|{old} should be {new} in there|in the same file, replace {old} with {new}|now change {old} into {new} there|please change {old} to {new} in it|it should say {new} instead of {old}|
put {new} where it says {old}|fix it: {old} must be {new}|exchange {old} for {new} in it|write {new} instead of {old} there|where it says {old}, put {new}|in there, replace {old} with {new}|let it say {new} in place of {old}|edit it, {old} becomes {new}""")
MORE_OPEN = bars("""open the {o} hit|read the {o} page|show me the {o} result|go to the {o} link|open number {n}|read result {n}|take the {o} result and read it|fetch the {o} one|what does the {o} result say in full?|let me read the {o} one|open that article|
read the page|go there and read it|fetch that page|show me the whole page|I want to read the page|let me see the whole text|read on there|load that page|can you read the {o} result?|follow the {o} link|click the {o} one|please open the {o} link|get me the page""")
