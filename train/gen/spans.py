"""Which of a person's words are searched: a piece of what was said, as it was said.

A whole question is searched as the whole question; a wish to look something
up is searched for that thing. Frames around either ("search the web for",
"I told you once") are no part of it.
"""
import re

_word = re.compile(r"\{[a-z_0-9]+\}|[A-Za-z']+")  # a slot counts as a word
_clause = re.compile(r"(?<=[a-z}])[.?!;:]+ |(?<=[a-z}])[.?!;:]+$|, | - | – ")
QUESTION = set("""what what's whats who who's whos where where's wheres when when's whens which how how's is are was were do does did has have can could will would should am why whose whom where'd can't""".split())
# words about searching or telling: a clause with one of them only frames its topic
WEB = set("web internet online google search searching look find dig website-search research engine query offline article links hits results pages memory fact check serch".split())
TOLD = set("""tell told tel say said says remember remembered rember recall memory memories mention mentioned talk talked discuss discussed decide decided agree agreed know memorise memorize remind refresh explained explain
forget forgot forgotten kept stored confide shared record bell conversations note retain asked chatted speak spoke gave""".split())
FRAME = re.compile(r"^(?:(?:please|pls|plz|kindly|ok|okay|hey|so|and|also|now|well|yo|alright|right),? )*(?:(?:can|could|would|will) (?:you|u)(?: please| just| maybe| quickly| kindly)? )?"
                   r"(?:what do you know about|what can you tell me about|i'd love to hear about|any thoughts on|tell me something about|tell me all about|tell me more about|i need to learn about|introduce me to|brief me on|are you familiar with|talk to me about|give me some facts on|let's talk about|do you have information about|i'm interested in|i want to understand|have you got something on|go into|i'd like to read about|teach me about|teach me|help me understand|i'd like to learn about|anything about|anything on|tell me everything about|tell me about|tell me|find out about|find out|do you happen to know|do you know|do you still know|do you remember|i want to know|i need to know|i'd like to know|i would like to know|let me know|any idea|"
                   r"search the web for|search for|search|look up|google|explain to me|explain|define|describe|summarise|summarize|remind me of|remind me about|remind me|you know|i forgot|i can't remember|give me|show me|get me|name|i don't know)(?: about| on)?(?::|,)? (?=\S)", re.I)
SPANS = {}  # slot of a template: the piece of speech that stands there and is searched
TAIL = re.compile(r"(?:,? (?:please|pls|plz|do you know|do you remember|you know|thanks|again))+$", re.I)


def query_of(text):
    """What is searched for a piece of speech: its own words, without a frame before it and marks behind it."""
    q = text.strip().rstrip("?.!,;: ")
    for _ in range(3):
        m = FRAME.match(q)
        if not m:
            break
        q = q[m.end():]
    return TAIL.sub("", q).rstrip("?.!,;: ") or text.strip()


def words(text):
    return _word.findall(text)


def clauses(template):
    out, at = [], 0
    for m in _clause.finditer(template):
        out.append(template[at:m.start()])
        at = m.end()
    out.append(template[at:])
    return [c.strip() for c in out if c.strip()]


def least(clause, want):
    """The shortest piece of a clause with all the wanted words; None where one is missing."""
    at = [(m.start(), m.end(), m.group(0).lower()) for m in _word.finditer(clause)]
    places = []
    for w in want:
        hit = [x for x in at if x[2] == w or x[2].rstrip("s") == w.rstrip("s")]
        if not hit:
            return None
        places.append(hit[-1])
    return clause[min(p[0] for p in places):max(p[1] for p in places)]


def span(template, arg, frame_words):
    """The piece of a template that is searched, or None when none is clear."""
    want = [w.lower() for w in words(arg)]
    slots = [w for w in want if w[0] == "{"]
    found = next((c for c in clauses(template) if all(s in c for s in slots)), None)
    if found is None or not slots:
        return None
    inner = query_of(found)
    if not all(s in inner for s in slots):
        return None
    has = [w.lower() for w in words(inner)]
    if has and has[0] in QUESTION and not frame_words.intersection(has):
        return inner
    if want == slots and len(slots) == 1:
        return slots[0]
    return least(found, want)


def mark(template, arg, frame_words):
    """(template, argument) with the searched piece as a slot of its own; None where no piece is clear."""
    got = span(template, arg, frame_words)
    if got is None or got not in template:
        return None
    return piece(template, got)


def piece(template, got):
    """A template with the piece got as a slot of its own, and that slot."""
    if got.startswith("{") and got.endswith("}") and got.count("{") == 1:
        return template, got
    slot = "q%d" % (len(SPANS) + 1)
    SPANS[slot] = got
    return template.replace(got, "{%s}" % slot, 1), "{%s}" % slot
