"""Wishes for the hall's own tools in which one thing is missing: it asks for just that, and acts when it is said."""
from . import personal
from .chat_call import make_call
from .chat_keep import write
from .chat_memory import second
from .conv import speak
from .messages import check_text
from .phrases import Phrases
from .sections import sections
from .slots import fill
from .wording import upper_first

_all = {k: Phrases(v) for k, v in sections("which.txt").items()}


def wants(c, said, lacks, question, words):
    """The wish, and the question for what it lacks."""
    c.say(said)
    c.answer("They want something done, but do not say %s; I ask for that." % lacks, question, {"type": "contains", "all": ["?"], "any": words, "none": [], "group": "chat"})
    c.done()


def written(c, path, text, modes):
    """The file is written; whether it is called a new one does not matter."""
    write(c, path, text, "Now I have both: the text and the file %s." % path, 'says "%s"' % text,
          ways=[text, text + "\n", text.rstrip(".")], group="pronouns", modes=modes)
    c.about = None
    c.done()


def no_file(c):
    """A text that is to be saved, but not where."""
    r = c.r
    text, path = r.sentence(), r.path()
    wants(c, speak(r, r.phrase(_all["no file"]), {"text": text}, typos=False, frame=False)[0], "in which file", r.pick(["Which file shall I write it to?", "Under which name shall I save it?"]),
          ["which file", "what file", "which name", "what name", "file name", "name of the file", "called", "where"])
    c.say(speak(r, r.phrase(_all["file"]), {"v": path}, typos=False, frame=False)[0])
    written(c, path, text, [])


def no_text(c):
    """A file into which something is to go, but not what."""
    r = c.r
    text, path = r.sentence(), r.path()
    wants(c, speak(r, r.phrase(_all["no text"]), {"path": path}, typos=False)[0], "what is to stand in it", "What shall I write into %s?" % path, ["what shall i write", "what should", "what text", "which text", "what do you want", "what shall"])
    c.say(fill(r.phrase(_all["text"]), {"v": text}))
    written(c, path, text, ["append"])


def no_memory(c):
    """Something is to be remembered, and only then it is said what: this statement is a wish."""
    r = c.r
    t = personal.told(r)
    wants(c, speak(r, r.phrase(_all["no memory"]), typos=False)[0], "what to remember", "What shall I remember?", ["what shall i", "what should", "what is it", "what do you want", "tell me what", "what would"])
    s = t.statement(r).rstrip(".").replace("{", "(").replace("}", ")")
    c.say(s)
    c.call("They said before that it is to be remembered, so I write it to the memory.", [make_call("memory_write", {"name": t.title(), "text": s})],
           check={"type": "call", "name": "memory_write", "contains": {"text": [k for k in t.key_words() if isinstance(k, str) and k in s] or s.split()[-1:]}, "group": "pronouns"})
    c.result("memory_write", "Remembered: %s." % t.title())
    c.answer("It is stored; I confirm it.", "I will remember this: %s." % second(s), check_text("extraction", t.key_words(second(s))))
    c.told.append(t)
    c.about = ("told", t)
    c.done()


def no_words(c):
    """A search in files without the words to search for."""
    r = c.r
    word = r.noun()
    wants(c, speak(r, r.phrase(_all["no words"]), typos=False)[0], "for which words", "What shall I search for in your files?", ["what shall", "which word", "what word", "what text", "for what", "what should", "what do you", "looking for"])
    c.say(speak(r, r.phrase(_all["words"]), {"v": word}, typos=False, frame=False)[0])
    c.call("Now they say for what: %s." % word, [make_call("fs_search", {"pattern": word})], "pronouns")
    path, k, line = r.path(), r.int(1, 80), upper_first(r.sentence().rstrip(".")) + " " + word
    c.result("fs_search", "1 matches in %s:\n%s:%d: %s\n" % (c.work, path, k, line))
    c.answer("One line has it; I say where.", "%s stands in %s, line %d: %s" % (word, path, k, line), check_text("extraction", [path]))
    c.about = None
    c.done()


def which(c):
    have = [f for need, f in (("fs_write", no_file), ("fs_write", no_text), ("memory_write", no_memory), ("fs_search", no_words)) if c.has(need)]
    c.r.pick(have)(c)
