"""Questions for a certain clause of an entry, answered in the entry's own words: (what is said of the thing, questions)."""

_END = r"(?=[.;]|, (?:and|but|who|which|while|where|though|so|as)\b|$)"
_MIND = r"(?:also |mostly |often |usually |mainly |still |today |only |now )?"


def _said(verb):
    """A predicate that begins with a verb, as one group."""
    return "(" + _MIND + verb + r" [^.;]{6,120}?)" + _END


CLAUSES = [(_said(verb), asks) for verb, asks in [
    ("stands for", "what does {n} stand for?|what is {n} short for?|{n} stands for what?|which words are behind {n}?|the long form of {n}?|what do the letters of {n} mean?|spell out {n} for me"),
    ("(?:is|was|are|were) named after", "after whom or what is {n} named?|where does {n} have its name from?|who or what gave {n} its name?|why is {n} called that?|what is {n} named after?|where is the name of {n} from?|to what does {n} owe its name?"),
    ("(?:is|are|was|were) used", "what is {n} used for?|what do people use {n} for?|how is {n} used?|where is {n} used?|the use of {n}?|what does one do with {n}?|to what end does one use {n}?"),
    ("(?:is|are|was|were) (?:best |well |widely )?known (?:for|as)", "what is {n} known for?|for what is {n} known?|why do people know {n}?|what made {n} known?|{n} is known for what?|what does one know {n} for?|what is the fame of {n} built on?"),
    ("consists? of", "what does {n} consist of?|of what does {n} consist?|what parts does {n} have?|what is {n} made up of?|which parts make up {n}?|what all belongs to {n}?|how is {n} composed?"),
    ("(?:is|are) made (?:of|from|by|with)", "what is {n} made of?|from what is {n} made?|how is {n} made?|what goes into {n}?|what does one make {n} from?|how do they make {n}?|what do you need to make {n}?"),
    ("contains?", "what does {n} contain?|what is in {n}?|what is contained in {n}?|what does one find in {n}?|which things does {n} contain?|what has {n} in it?|what would I find inside {n}?"),
    ("(?:lies|lie) ", "where does {n} lie?|where is {n}?|in which place is {n}?|where do I find {n} on the map?|location of {n}?|where exactly does {n} lie?|where would I look for {n} on a map?"),
    ("(?:flows|runs) (?:through|into|from|to|along|past)", "where does {n} flow?|where does {n} run?|which way does {n} take?|through what does {n} go?|the course of {n}?|where does {n} lead?|which places does {n} pass?"),
    ("(?:is|are|was|were) caused by", "what causes {n}?|what is the cause of {n}?|why does one get {n}?|how does {n} come about?|what is behind {n}?|who or what is to blame for {n}?|what brings {n} about?"),
    ("causes?", "what does {n} cause?|what does {n} lead to?|what comes of {n}?|what are the effects of {n}?|what can happen from {n}?|which consequences has {n}?|what harm does {n} do?"),
    ("helps?", "what does {n} help with?|how does {n} help?|when does {n} help?|in what way is {n} a help?|why use {n}, how does it help?|whom or what does {n} help?|where is {n} a help?"),
    ("needs?", "what does {n} need?|what is needed for {n}?|which things does {n} need?|what does one have to give {n}?|what must {n} have?|what does {n} ask for?|what is necessary for {n}?"),
    ("shows?", "what does {n} show?|what can one see from {n}?|what is shown by {n}?|what do I see with {n}?|{n} shows what?|what is on display with {n}?|what comes to light with {n}?"),
    ("protects?", "what does {n} protect?|against what does {n} protect?|what is {n} a protection for?|how does {n} protect?|whom does {n} protect?|what is safe thanks to {n}?|for what is {n} a shield?"),
    ("means", "what does {n} mean?|what is meant by {n}?|what is the meaning of {n}?|{n} means what?|how do I understand {n}?|explain to me what {n} means|what does one mean when one says {n}?"),
    ("happens?", "when does {n} happen?|how does {n} come about?|in what case does {n} happen?|what must be so for {n} to happen?|when do we get {n}?|how is it that {n} happens?|when is there {n}?"),
    ("(?:lives|live) ", "where does {n} live?|where is {n} at home?|in which place does one find {n}?|where would I meet {n}?|how does {n} live?|in which surroundings is {n} found?|where is {n} found?"),
    ("(?:eats?|feeds? on)", "what does {n} eat?|what does {n} live on?|the food of {n}?|on what does {n} feed?|what is on the menu of {n}?|which food does {n} take?|what would one feed {n}?"),
    ("belongs? to", "to what does {n} belong?|what does {n} belong to?|where does {n} belong?|of what is {n} a part?|in which group is {n}?|to whom does {n} belong?|what is {n} a part of?"),
]]
# what somebody did: the verb is asked for in its plain form, {do}, or as it stands, {did}
BASE = dict(x.split(":") for x in """wrote:write painted:paint composed:compose designed:design built:build founded:found invented:invent discovered:discover directed:direct led:lead ruled:rule won:win taught:teach introduced:introduce
developed:develop translated:translate created:create fought:fight united:unite conquered:conquer proved:prove described:describe played:play studied:study called:call named:name measured:measure explored:explore drew:draw lived:live
worked:work sailed:sail died:die""".split())
_did = "what did {n} {do}?|{n} {did} what?|tell me what {n} {did}|what was it that {n} {did}?|what do you have on what {n} {did}?|I'd like to know what {n} {did}|do you know what {n} {did}?|name what {n} {did}|so what did {n} {do}?"
_went = "where, when or how did {n} {do}?|tell me how {n} {did}|how and where did {n} {do}?|how was it that {n} {did}?|what is said of how {n} {did}?|do you know how {n} {did}?|where or how was it that {n} {did}?"
_alone = ("lived", "worked", "died", "sailed")
CLAUSES.append((_said("(?:%s)" % "|".join(v for v in BASE if v not in _alone)), _did))
CLAUSES.append((_said("(?:%s)" % "|".join(_alone)), _went))
