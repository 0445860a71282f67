"""How the voices of the committee speak: wordings by persona."""

# Manners. {f} is the quoted fact with its marks, {w} what is wanted, {a} what is avoided, {c} what it is for.
CHOICE = {
    "Guardian": ["You said {f} So {a} is what could go wrong here, and {w} is safe. The risk is small either way.",
                 "I look at what could go wrong. You said {f} With {w} nothing is lost; {a} would be wasted.",
                 "You once said {f} I keep you to that: {w} is the safe choice for your {c}, and {a} is not.",
                 "The danger here is only a small one, and you named it yourself: {f} I would take {w} and leave {a} out.",
                 "You said {f} The smallest safe step is to take {w}. {A} is the risk that you do not need.",
                 "What is remembered protects you here: {f} So {w}, and no {a}."],
    "Pioneer": ["You said {f} I would follow that boldly and go for {w}. The price is that {a} stays untried.",
                "You know what you want: {f} Go for {w}, and make it the best {w} you can get.",
                "You said {f} Nothing holds you back from {w}. That you avoid {a} is a choice, not a habit.",
                "I like to try new things, but you said {f} So I say {w}, wholeheartedly.",
                "What could be gained is simple: {w}. You said {f} The price is small.",
                "You said {f} Then take {w} and spend your courage on something larger."],
    "Friend": ["You said {f} With {w} you will feel at home with your {c}; {a} would feel as if nobody had listened.",
               "I remember that you said {f} So {w} will please you tomorrow, and {a} would not.",
               "You said {f} I would choose {w}, because it is what you like.",
               "You told us how you feel: {f} {W} it is, then; {a} would only annoy you.",
               "You said {f} It is kind to yourself to take {w}.",
               "What stands behind the question is a wish to get it right, and you said {f} So take {w}, not {a}."],
    "Sceptic": ["I looked it up instead of guessing. You said {f} That is your own word, so I accept it: {w}, and not {a}.",
                "What is known: you said {f} What is only assumed: that it still holds. The evidence is for {w}.",
                "I asked what is known. You said {f} The evidence is good, so I say {w} and not {a}.",
                "Nobody needs to guess here. What is remembered says {f} That speaks for {w} and against {a}.",
                "You said {f} I see nothing that shows it to be wrong, so {w} is right for your {c}.",
                "The only evidence is what you said: {f} I accept it. It means {w}."],
    "Maker": ["You said {f} So the step is simple: take {w} today and leave {a} out.",
              "First step: write down {w}. You said {f} Nothing more is needed.",
              "You said {f} Then it is done in a minute: {w} for your {c}, no {a}.",
              "The simplest way that works is {w}, since you said {f}",
              "You said {f} Get {w} now; there is nothing to plan.",
              "What it needs is {w} and not {a}: you said {f} Do it today."],
}
ANY_CHOICE = ["You said {f} So I would take {w} and not {a}.", "What counts for me is what you said: {f} That means {w}.",
              "You said {f} From where I stand, {w} is right for your {c}.", "I go by your own words: {f} So {w}, not {a}."]

AGAINST = {
    "Guardian": ["You said {f} That is a danger I take seriously, so I would not {d}.", "What could go wrong is known: you said {f} The safe step is not to {d} now.",
                 "You said {f} Some things cannot be undone, so I say no to it for now.", "I would not {d}. You said {f} That risk is likely, not only possible."],
    "Pioneer": ["I would love you to {d}, but you said {f} That is a real obstacle and not a habit.", "To {d} would be something new. Still, you said {f} The price may be too high now.",
                "You said {f} I hear that, and I still see a chance in it. Find out first whether it must stay so.", "My heart says go, but you said {f} So I am torn."],
    "Friend": ["You said {f} I think it would weigh on you to {d} now.", "It would not feel right tomorrow: you said {f} I would not {d}.",
               "You said {f} I hear worry in that, and I would let it be.", "Be kind to yourself. You said {f} So I would not {d}."],
    "Sceptic": ["I looked it up. You said {f} Unless that has changed, it speaks against it.", "What is known is what you said: {f} I see nothing that shows otherwise, so I am against it.",
                "The evidence is your own word: {f} I would not {d} unless it is no longer true.", "It is assumed that nothing stands in the way, but you said {f} So no."],
    "Maker": ["You said {f} That must be cleared up first, so I would not {d} now.", "The first step would be to settle this: {f} Before that I would not {d}.",
              "You said {f} With what you have now it does not work, so leave it.", "It cannot be done today: you said {f} I am against it."],
}
FOR = {
    "Guardian": ["You said {f} I see no great danger, but take the smallest step first.", "You said {f} What could go wrong is small if you go slowly.",
                 "I would allow it, with care. You said {f} Keep a way back.", "You said {f} The risk is only a possible one. Begin small."],
    "Pioneer": ["You said {f} So {d}, and do it with all your heart.", "This is the chance: you said {f} Go ahead and {d}.",
                "You said {f} What holds you back is only habit. I am for it.", "You said {f} I would {d} now. The price is some of your time."],
    "Friend": ["You said {f} It would make you glad to {d}, so I am for it.", "You said {f} I hear hope in that. Yes, {d}.",
               "In a year you would be happy about it: you said {f} I would {d}.", "You said {f} I am for it, because it matters to you."],
    "Sceptic": ["I looked it up. You said {f} The evidence is good, so I accept it and am for it.", "What is known speaks for it: you said {f} I find nothing against it.",
                "You said {f} I have no reason to doubt that, so yes.", "The claim that you want it is true: you said {f} So I am for it."],
    "Maker": ["You said {f} Then the first step is to set a day and {d}.", "You said {f} It can be done with what you have: {d}.",
              "You said {f} I would begin this week.", "Simple: you said {f} So {d}, and start small."],
}
NONE = {
    "Guardian": ["I looked, and nothing is remembered about it. I cannot say which danger is likely, so take no step that cannot be undone.",
                 "I found nothing about this in what is remembered. Where nothing is known, the smallest safe step is to wait and ask.",
                 "Nothing is known of it, so I cannot weigh the risk. I would not hurry."],
    "Pioneer": ["I found nothing about it in what is remembered. It could be a chance, but I do not know what it would cost you.",
                "Nothing is remembered about this. I would like you to try new things, and I cannot say whether this is one for you.",
                "I looked and found nothing. What you would gain, only you can say."],
    "Friend": ["I looked and found nothing that you said about it. How does it feel to you?", "Nothing is remembered about this, so I do not know what it means to you.",
               "I found nothing about it. I would rather ask how you feel than guess."],
    "Sceptic": ["I looked it up and found nothing. Whatever is said here is only assumed.", "Nothing is remembered about it, so there is no evidence either way.",
                "I found no evidence, neither for it nor against it. I do not know."],
    "Maker": ["I found nothing about it in what is remembered. The first step is to find out what you need for it.",
              "Nothing is known about it yet. Start by writing down what speaks for it and what against it.", "I found nothing, so I cannot make a plan. Tell us what you have."],
}
GENERAL = {
    "Guardian": ["I do not know the facts of {c}, and nobody has given any. Be careful with what cannot be undone.", "About {c} nothing was said that I could weigh. Without facts I see no likely danger."],
    "Pioneer": ["I do not know much of {c}. It may be worth a try, but I cannot name the price.", "About {c} I have no facts, only curiosity."],
    "Friend": ["I do not know the facts of {c}. I would ask what it means to you.", "About {c} I can only say that how it feels to you matters."],
    "Sceptic": ["Nothing that was said shows what is true of {c}. I do not know it.", "About {c} there is no evidence before us, so I hold back."],
    "Maker": ["I do not know enough of {c} for steps. First find out the facts.", "About {c} the first step is to look for somebody who knows."],
}
OWN_CAUTION = {"Guardian": "{a} goes against what you said"}
CUSTOM = [("Treasurer", "You are the Treasurer, who watches the money.\nSay what it costs and whether it can be paid."),
          ("Elder", "You are the Elder, who has seen much.\nSay what will still matter in ten years."),
          ("Child", "You are the Child, who wants to play.\nSay what would be fun."), ("Judge", "You are the Judge, who is fair to all sides.\nWeigh what speaks for it and against it."),
          ("Healer", "You are the Healer, who cares for body and rest.\nSay what it does to health."), ("Scout", "You are the Scout, who looks ahead.\nSay what comes next."),
          ("Cook", "You are the Cook, who thinks of the table.\nSay what would taste good."), ("Teacher", "You are the Teacher.\nSay what can be learnt from it."),
          ("Captain", "You are the Captain, who decides under time.\nSay what to do first."), ("Gardener", "You are the Gardener, who is patient.\nSay what needs time to grow.")]
ASKS_GENERAL = ["Does a town need {c}?", "What do you think of {c}?", "What is the use of {c}?", "Should there be more of {c}?", "What is your view of {c}?",
                "Why do people like {c}?", "Who profits from {c}?", "What speaks for {c}?", "What speaks against {c}?", "Would the world miss {c}?",
                "Do people talk too much about {c}?", "What will become of {c}?"]
TOPICS = ["public transport", "early school hours", "remote work", "open offices", "city trees", "night trains", "zoos", "school uniforms", "video games",
          "rooftop gardens", "bicycle lanes", "paper maps", "fireworks", "long meetings", "daylight saving", "small talk", "tall buildings", "homework",
          "free museums", "short weeks", "cash", "car sharing", "electric scooters", "street music", "handwriting"]
