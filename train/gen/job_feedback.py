"""Feedback in words: whether somebody is content with an answer."""
from .job_base import SCHEMA, TEXT, as_json, sample, system, user
from .job_chance import coined
from .job_more import MORE
from .job_person import life, preference
from .job_world import SMALLTALK, readable
from .wording import low, upper_first

G = "memory"

POSITIVE = """That's right.|That is correct.|Exactly!|Perfect, that's it.|yes, that's what I meant|Good answer.|Great answer!|that helped a lot|That was helpful, thanks|You got it right|spot on|Correct.|Yes, correct
well done|nice work|Good job on that one|brilliant, exactly what I needed|that works|It works now, thanks to you|that solved it|This is just what I was looking for|you nailed it|Right answer
Thanks, that is exactly it|Your answer was right|That answer is very good|I love that answer|Excellent answer|That's useful|very helpful answer|true, well answered|yep that's right|Yes! That fixed it
much better|Now it is right|that's better now|great, that is correct|bingo|Super, that was right|Perfect|Well answered|This is right|that did the trick|I checked it and you were right|You were right about that
Right, thanks for the good answer|couldn't be better|Very good, that's the right one|That is a good summary|good find|That is the one I wanted|Impressive, all correct|Nice, accurate and short|exactly right, thank you
ok that is indeed correct|I tried it and it works|the number is right|the date you gave is correct|thumbs up for that answer|5 stars for this|that answer helped me|clear and correct|precisely|Spot on, as always
you understood me perfectly|that is what I asked for|best answer so far|Great, it worked|This helped|Looks right to me|this is correct indeed|good explanation|I like how you answered that|Your answer is perfect""".replace("\n", "|").split("|")
NEGATIVE = """That's wrong.|That is not correct.|No, that's not it.|wrong|Wrong answer.|that's not what I asked|You misunderstood me|Not what I meant|no, that is false|This doesn't help|that didn't help at all|useless answer
Your answer is wrong|You made a mistake|that can't be right|incorrect|The number is wrong|the date you gave is wrong|no no no|nope, wrong|That's nonsense|This is rubbish|You got that wrong|bad answer|Terrible answer
I asked for something else|you didn't answer my question|That does not answer my question|too long, I only wanted a number|Too short to be of use|It does not work|that didn't work|still wrong|still not right|wrong again
you are mistaken|I don't think that is right|That is simply not true|you invented that|You made that up|that's outdated|This is not helpful|not helpful|not useful|no, the other one|You forgot half of it|You left out the price
that answer makes no sense|I wanted the summary, not the whole text|you read the wrong file|That is the wrong file|You searched for the wrong thing|no, I meant the other Ana|this is not what I was looking for|That was no help
Disappointing answer|poor answer|completely off|way off|off topic|you are not listening|I said blue, not green|that's the opposite of what I asked|Please stop guessing, that's wrong|It is wrong, check again|thumbs down
1 star for this|That was a bad summary|it failed again because of your answer|the code you gave doesn't run|your code has an error|This is incomplete|half of this is wrong|not correct, sorry|Sorry but that is wrong
hm, that's wrong I think|No. That's not right|false|this isn't right|that isn't what I wanted|you didn't understand|I never said that|You contradict yourself|that was the wrong answer|You missed the point
that's not my address|The capital is a different one, you are wrong|no, it is not closed on Mondays|you got the name wrong|wrong city|wrong year|The answer is too vague to be of use|That does not help me""".replace("\n", "|").split("|")
NEITHER = """Thanks|Thank you!|thanks a lot|ok|Okay|I see|Hello|Good morning|And what about tomorrow?|What is the capital of Chad?|Now read notes.txt|How long is it?|and its population?|tell me more|Please go on|Yes|No
no thanks|yes please|Blue|The second one|at 9 o'clock|In Lisbon|My name is Ana|I live in Oslo|What time is it?|search the web for tram times|Save that to list.txt|Write it down|Can you repeat that?|why?|Why is that?
Who told you?|Are you sure?|where did you find it?|I like this bridge|It is a beautiful town|That bridge is ugly|What a sad story|the film was bad|I hate rain|Lemon is terrible in tea|The mayor is wrong about this|I disagree with the mayor
Good night|bye|see you|haha|lol|hm|hmm|interesting|wow|really?|oh|ah ok|got it|understood|I will try it tomorrow|let me think|wait|one moment|stop|next|continue|the first|both|neither|maybe|perhaps later|I don't know
remind me tomorrow|delete the file|open config.yaml|list the folder|what's 12 times 7?|translate it into German|make it shorter|Explain it for a child|give me an example|Add milk to the list|call me Bo|what can you do?|who are you?
I am tired today|my dog is ill|It rains here|The train was late|I had eggs for breakfast|what is wrong with my car?|Is this right for my tea?|is that correct?|Is that helpful for beginners?|what is the right way to Porto?
Which answer is better, A or B?|How do I fix a wrong date in git?|find the mistake in main.py|The old road was better|I prefer tea|No lemon please|I need a perfect gift for Ana|How good is that school?|Show me good hotels|nice weather today
My flight is cancelled|remember that I am allergic to nuts|Do you think it works?|Will it help against colds?|does that work on Linux too?|Can this be wrong?|and on Sunday?|In euros, please|how much is that in pounds?|same for Berlin""".replace("\n", "|").split("|")
TAILS = ["", "", "", "", " :)", "!", " thanks", " Thank you.", ".", " ...", "!!"]
HEADS_P = ["", "", "", "", "ok, ", "Hm, ", "well, ", "oh, ", "I think ", "Yes, ", "Sorry, ", "ah, "]


def feedback(j):
    verdict = j.r.choices(["positive", "negative", "none"], [28, 32, 40])[0]
    words = {"positive": POSITIVE, "negative": NEGATIVE, "none": NEITHER}[verdict]
    text = j.phrase(words, MORE[verdict.upper() if verdict != "none" else "NEITHER"])
    s = readable(j)
    f = s["facts"][0]
    if verdict == "none" and SMALLTALK and j.chance(0.12):
        text = j.phrase(SMALLTALK)["ask"]
    elif verdict == "none" and j.chance(0.35):
        o = readable(j)
        text = j.pick([question(j, o["facts"][0][0]), life(j)["fact"], preference(j)["fact"], preference(j)["ask"],
                       "Search the web for %s." % o["the"], "And %s?" % o["facts"][0][0], o["claim"]])
    elif verdict == "negative" and j.chance(0.2):
        text = j.pick(["No, it is {v}.", "Wrong, {t} is something else.", "that's not the {k}", "The {k} is wrong.",
                       "no, you mixed up {t} with another one", "Not {v}! Look again."]).format(v=f[2], t=s["the"], k=f[3])
    elif verdict == "positive" and j.chance(0.2):
        text = j.pick(["Yes, {v} is right.", "right, {t} it is", "The {k} is correct, thanks.", "{v}, exactly!",
                       "Good, that is the {k} I was looking for."]).format(v=f[2], t=s["the"], k=f[3])
    if verdict != "none" and j.chance(0.35):
        text = j.pick(HEADS_P[:6]) + low(text) + j.pick(TAILS)
    if j.chance(0.2):
        text = text.lower()
    if j.chance(0.1):
        text = text.rstrip(".!?")
    answer = j.pick([f[1], s["claim"], "I don't know that.", "The file says: " + coined(j), life(j)["you"],
                     s["claim"] + " " + " ".join(s["more"])])
    msgs = [system(TEXT["reward.saidTask"]), user("<answer>\n%s\n</answer>\n<person>\n%s\n</person>" % (answer, text)),
            as_json({"verdict": verdict}, off=True, group=G)]
    return sample("feedback", msgs, schema=SCHEMA["reward.said"])


QUESTION = ["{q}?", "Can you tell me {q}?", "{q}", "I want to know {q}.", "Do you remember {q}?", "Tell me {q}", "Do you know {q}?", "please say {q}"]
QUESTION2 = ["Any idea {q}?", "Please tell me {q}.", "Could you find out {q}?", "Remind me {q}.", "Look up {q}, please.", "Have you heard {q}?", "Explain to me {q}.", "Is it known {q}?", "Find out {q} for me.", "Did I ever tell you {q}?"]


def question(j, q):
    """A question from its indirect form."""
    form = j.phrase(QUESTION, QUESTION2)
    if q.startswith("the ") and len(form) > 4:  # a thing in place of a question
        q = "what %s is" % q
    return upper_first(form.format(q=q))


KINDS = [(feedback, 14)]
