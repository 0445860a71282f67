"""Programs that are run, and answers that are compared."""
import contextlib
import io
import re

from . import asks, facts
from .chat_call import make_call, quote, slots_for
from .conv import speak, thinks
from .frames import PIECES
from .messages import check_text
from .phrases import Phrases
from .sections import more
from .slots import fill
from .wording import upper_first


def _nums(r):
    return [r.int(1, 99) for _ in range(r.int(3, 6))]


def _words(r):
    return [r.noun() for _ in range(r.int(3, 5))]


def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def fact(n):
    out = 1
    for i in range(2, n + 1):
        out *= i
    return out


def primes(n):
    return [i for i in range(2, n + 1) if all(i % d for d in range(2, int(i ** 0.5) + 1))]


# wish (with slots), python, output, what is said of it
def code_wish(r):
    kind = r.int(0, 13)
    if kind == 0:
        t = r.sentence().rstrip(".") if r.chance(0.5) else "hello " + r.first()
        return _P["print"], {"x": quote(r, t) if r.chance(0.6) or not t.startswith("hello ") else t}, 'print("%s")' % t, t
    if kind == 1:
        n = _nums(r)
        return _P["sum"], {"x": ", ".join(map(str, n))}, "print(sum(%s))" % n, str(sum(n))
    if kind == 2:
        w = _words(r)
        return _P["sort"], {"x": ", ".join(w)}, "print(sorted(%s))" % str(w).replace("'", '"'), str(sorted(w))
    if kind == 3:
        n = r.int(5, 40)
        return _P["fib"], {"x": n}, "a, b = 0, 1\nfor _ in range(%d):\n    a, b = b, a + b\nprint(a)" % n, str(fib(n))
    if kind == 4:
        w = r.word()
        return _P["reverse"], {"x": w}, 'print("%s"[::-1])' % w, w[::-1]
    if kind == 5:
        n = r.int(3, 18)
        return _P["factorial"], {"x": n}, "import math\nprint(math.factorial(%d))" % n, str(fact(n))
    if kind == 6:
        n = r.int(10, 60)
        return (_P["primes"], {"x": n}, "for n in range(2, %d + 1):\n    if all(n %% d for d in range(2, n)):\n        print(n)" % n,
                "\n".join(map(str, primes(n))))
    if kind == 7:
        p = r.path(["txt", "log", "csv", "md"])
        return _P["lines"], {"x": p}, 'print(sum(1 for _ in open("%s")))' % p, str(r.int(1, 900))
    if kind == 8:
        w = r.sentence().rstrip(".")
        return _P["upper"], {"x": quote(r, w)}, 'print("%s".upper())' % w, w.upper()
    if kind == 9:
        w = r.sentence().rstrip(".")
        return _P["length"], {"x": quote(r, w)}, 'print(len("%s"))' % w, str(len(w))
    if kind == 10:
        a = r.int(1, 40)
        b = a + r.int(3, 15)
        return (_P["count"], {"a": a, "b": b}, "for i in range(%d, %d + 1):\n    print(i)" % (a, b),
                "\n".join(str(i) for i in range(a, b + 1))[:60])
    if kind == 11:
        n = _nums(r)
        return _P["max"], {"x": ", ".join(map(str, n))}, "print(max(%s))" % n, str(max(n))
    if kind == 12:
        w = r.sentence().rstrip(".")
        return _P["words"], {"x": quote(r, w)}, 'print(len("%s".split()))' % w, str(len(w.split()))
    n = r.int(2, 12)
    return _P["table"], {"x": n}, "for i in range(1, 11):\n    print(i * %d)" % n, "\n".join(str(i * n) for i in range(1, 11))


_P = {k: Phrases(v.split("|")) for k, v in {
    "print": "run a program that prints {x}|write and run code that prints {x}|make a python script that prints {x} and run it|let a program print {x}|execute code to print {x}|print {x} with python|run code: print {x}",
    "sum": "write code that adds up {x}|run a program that sums {x}|with python, what's the sum of the list {x}?|sum these with code: {x}|run code to total {x}|use a script to add {x}|let code sum up {x}",
    "sort": "sort these words with code: {x}|run a program that sorts {x}|use python to sort {x}|write code to put {x} in alphabetical order|sort {x} with a script|run code that sorts the words {x}|let a program order {x} alphabetically",
    "fib": "compute the {x}th fibonacci number with code|run code for fibonacci of {x}|use python to get fibonacci number {x}|write a program for the fibonacci number {x}|what's fibonacci {x}? run code for it|let a script work out fibonacci({x})|program: fibonacci {x}",
    "reverse": "reverse the string {x} with code|run code that reverses {x}|use python to spell {x} backwards|write a program to reverse {x}|let a script reverse the word {x}|run a program that turns {x} around|code to reverse {x}, run it",
    "factorial": "compute {x} factorial with code|run code for the factorial of {x}|use python for {x}!|write a program that gives the factorial of {x}|let a script work out {x} factorial|run a program: factorial of {x}|factorial {x} by code",
    "primes": "list the primes up to {x} with code|run a program that prints all primes to {x}|use python to find primes below or equal {x}|write code for the prime numbers up to {x}|let a script list primes until {x}|run code: primes up to {x}|which primes are there up to {x}? use code",
    "lines": "count the lines of {x} with code|run a program that counts the lines in {x}|use python to count the lines of {x}|how many lines has {x}? run code for it|write a script that counts lines in {x}|run code to count lines of {x}|let a program count the lines of {x}",
    "upper": "run code that prints {x} in capitals|use python to write {x} in upper case|make {x} upper case with code|write a program that shouts {x} in capitals|run a script: upper case of {x}|let code capitalise all of {x}|code for upper case {x}, run it",
    "length": "run code that counts the characters of {x}|use python to get the length of {x}|how many characters has {x}? use code|write a program for the length of the text {x}|let a script count the letters in {x}|run a program: length of {x}|code that tells how long {x} is",
    "count": "run code that counts from {a} to {b}|print the numbers {a} to {b} with python|write a program that prints {a} up to {b}|let a script count from {a} to {b}|use code to list the numbers from {a} to {b}|run a loop from {a} to {b}|program: count {a} to {b}",
    "max": "run code to find the largest of {x}|use python to get the maximum of {x}|which is the biggest of {x}? use code|write a program for the max of {x}|let a script find the largest number in {x}|run a program: maximum of {x}|max of {x} by code",
    "words": "run code that counts the words in {x}|use python to count the words of {x}|how many words has {x}? run code|write a program that counts words in {x}|let a script count the words of {x}|word count of {x} with code|code: number of words in {x}",
    "table": "print the {x} times table with code|run a program for the multiplication table of {x}|use python to print the {x} times table|write code for the table of {x}|let a script print multiples of {x} up to ten times|run code: times table of {x}|times table {x}, use a program",
}.items()}
# a program's purpose in a frame that asks for a program: (frame, purpose), each divided for itself
GET, PURPOSE = Phrases(PIECES["CODE_GET"]).mended({"with a little program, {c}": "with a little program, get me {c}"}), {k: Phrases(PIECES["CODE_" + k.upper()]) for k in _P}
_kinds = {id(v): k for k, v in _P.items()}


def code_words(r, forms):
    """The words of a wish for a program: a written form, or a purpose in a frame."""
    if r.chance(0.45):
        return r.phrase(forms)
    return r.phrase(GET).replace("{c}", r.phrase(PURPOSE[_kinds[id(forms)]]))


CODE_THINK = thinks("""They want a program run, so I write it in Python and call run_code.
A small program does that; I run it.
I write the code and run it with run_code.
This is for run_code, in Python.""")


_code = asks.load("run_code")


_sum = re.compile(r"(?:log|Println)\((?:Math\.(min|max)\()?(\d+)(?: ([-+*%>]) |, )(\d+)\)")
_text = re.compile(r'(?:log|Println)\((?:len\()?"([^"]*)"(?:\.(length|toUpperCase\(\)|split\(""\)\.reverse\(\)\.join\(""\)))?\)')
_die = re.compile(r"randint\((\d+), (\d+)\)")
_list = re.compile(r"log\(\[([\d, ]+)\]\.length\)")


def plain(code):
    """What the plainest programs in JavaScript and Go print; None for others."""
    m = _sum.search(code)
    if m:
        a, b = int(m[2]), int(m[4])
        return str({"min": min(a, b), "max": max(a, b), "+": a + b, "-": a - b, "*": a * b, "%": b and a % b, ">": str(a > b).lower()}.get(m[1] or m[3], a))
    m = _text.search(code)
    if m:
        way = "l" if "(len(" in m[0] else (m[2] or " ")[0]
        return {"l": str(len(m[1])), "t": m[1].upper(), "s": m[1][::-1], " ": m[1]}[way]
    m = _list.search(code)
    return str(m[1].count(",") + 1) if m else None


def output(r, language, code):
    """What a program prints, run where that is safe and quick, else made up."""
    if (language == "python" and "open(" not in code and "random" not in code and "input(" not in code and "time" not in code
        and "sys" not in code and "os." not in code):
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                exec(code, {})
            return out.getvalue().rstrip("\n")
        except Exception:
            return "0"
    low = code.lower()
    m = _die.search(code)
    if m:
        return str(r.int(*sorted((int(m[1]), int(m[2])))))
    if "choice(" in low:
        return r.pick(("heads", "tails")) if "heads" in low else r.word()
    known = plain(code) if language != "shell" else None
    if known is not None:
        return known
    for mark in ('console.log("', 'echo "', 'Println("'):
        if mark in code and code.count('"') in (2, 4) and '".' not in code.split(mark, 1)[1] and ")." not in code.split(mark, 1)[1]:
            return code.split(mark, 1)[1].split('"')[0]
    if low.startswith("echo "):
        return code[5:]
    if any(w in low for w in ("len(", "wc ", "count", " + ", "sum", "random", "length")):
        return str(r.int(1, 400))
    if low.startswith("ls"):
        return "\n".join(r.stem() + ".txt" for _ in range(r.int(1, 3)))
    if low.startswith(("uname", "whoami", "hostname", "pwd", "date")):
        return {"uname": "Linux", "whoami": r.first().lower(), "hostname": r.noun(), "pwd": "/home/" + r.first().lower(),
                "date": r.day()}[low.split()[0].rstrip(";")] if low.split()[0] in ("uname", "whoami", "hostname", "pwd", "date") else "ok"
    return r.sentence().rstrip(".")


def written_wish(r):
    """A wish of the written phrasings: (template, slots, language, code, output)."""
    t, arg = r.phrase(_code)
    s = {k: str(r.int(2, 40)) for k in "abc"}
    s.update({"word": r.word(), "path": r.path(["txt", "csv", "log", "md"]), "text": r.sentence().rstrip("."), "name": r.first(),
              "thing": r.noun(), "list": ", ".join(str(r.int(1, 90)) for _ in range(4)), "folder": r.folder(),
              "words": ", ".join(r.noun() for _ in range(4)), "place": r.city(), "day": r.day(), "n": str(r.int(2, 20)), "old": r.word(),
              "new": r.word(), "topic": r.topic(), "url": r.url(), "person": r.first()})
    s = slots_for(r, t, s)
    if "random" in t and int(s["a"]) > int(s["b"]):
        s["a"], s["b"] = s["b"], s["a"]
    language, code = arg["language"], fill(arg["code"], s)
    return t, s, language, code, output(r, language, code)


def run_code(c):
    r = c.r
    if len(_code) and r.chance(0.55):
        t, s, language, code, out = written_wish(r)
    else:
        t, s, code, out = code_wish(r)
        t, language = code_words(r, t), "python"
    c.say(speak(r, t, s, typos=False, frame=r.chance(0.5))[0])
    c.call(r.pick(CODE_THINK).replace("Python", {"python": "Python", "shell": "shell", "go": "Go", "javascript": "JavaScript"}[language]),
           [make_call("run_code", {"language": language, "code": code})])
    out = out[:200]
    if not out:
        c.result("run_code", "Exit status 0 after %dms.\nThere was no output.\n" % r.int(9, 900))
        c.answer("It ran and printed nothing.", "The program ran and printed nothing.", check_text("extraction", ["nothing"]))
        return c.done()
    if r.chance(0.9):
        c.result("run_code", "Exit status 0 after %dms.\n--- stdout\n%s\n" % (r.int(9, 900), out))
        lines = out.split("\n")
        ans = "The program printed %s." % out if len(lines) == 1 else "The program printed %s" % ", ".join(lines) + "."
        c.answer(r.pick(["It ran; I say what it printed.", "The output is there.", "I report the program's output."]), ans,
                 check_text("extraction", [lines[0]]))
    else:
        err = r.pick(["NameError: name 'x' is not defined", "SyntaxError: invalid syntax",
                      "FileNotFoundError: [Errno 2] No such file or directory", "ZeroDivisionError: division by zero", "MemoryError"])
        c.result("run_code", "Exit status 1 after %dms.\n--- stderr\nTraceback (most recent call last):\n  File \"<stdin>\", line 1\n%s\n"
                 % (r.int(9, 300), err), failed=True)
        c.answer("It failed; I quote the error.", "The program failed with: %s." % err, check_text("errors", [err]))
    c.about = None
    c.done()


PRINT_IN = {"javascript": 'console.log("%s")', "shell": 'echo "%s"', "go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("%s")\n}', "python": 'print("%s")'}
LANG_WORDS = {"javascript": ["javascript", "js", "node"], "shell": ["bash", "shell", "sh"], "go": ["go", "golang"], "python": ["python", "python3"]}
PRINT_LANG = Phrases(["print {x} in {l}", "run {l} code that prints {x}", "write {l} that prints {x} and run it", "use {l} to print {x}", "a {l} program that says {x}, run it", "hello in {l}: print {x}", "execute {l} code printing {x}", "let {l} print {x}"])


def run_print(c):
    r = c.r
    lang = r.pick(list(PRINT_IN))
    x = r.pick(["hello", "hello world", "hi " + r.first(), r.word(), r.word() + " " + r.noun(), str(r.int(1, 999))])
    c.say(speak(r, r.phrase(PRINT_LANG), {"x": x, "l": r.pick(LANG_WORDS[lang])}, typos=False)[0])
    c.call("They want %s code that prints it, so I run that." % lang,
           [make_call("run_code", {"language": lang, "code": PRINT_IN[lang] % x})])
    c.result("run_code", "Exit status 0 after %dms.\n--- stdout\n%s\n" % (r.int(5, 1500), x))
    c.answer("It ran; I say what it printed.", "The program printed %s." % x, check_text("extraction", [x]))
    c.about = None
    c.done()


COMPARE = more(Phrases(["which answer is better? Question: {q} A: {a} B: {b}", "compare these two answers to \"{q}\": first: {a} second: {b}", "Question: {q}\nAnswer A: {a}\nAnswer B: {b}\nWhich one is better?", "let a critic compare. The question was: {q} One answer: {a} The other: {b}",
                   "judge these answers to the question {q}\n1) {a}\n2) {b}", "I asked \"{q}\" and got two answers: \"{a}\" and \"{b}\". Which is better?"]), [x.replace("\\n", "\n") for x in PIECES["COMPARE"]], [x.replace("\\n", "\n") for x in PIECES["COMPARE2"]])


def compare_answers(c):
    r = c.r
    s = facts.Sheet(r)
    x = r.pick(s.attrs)
    q, a, b = upper_first(s.question(r, x)), s.answer(r, x), r.pick(["I don't know.", r.sentence(), "It depends on many things.", "I don't know that offline.", "Nobody can say.", "You should ask somebody else.", s.sibling(r, [x]).answer(r, x)])
    if r.chance(0.5):
        a, b = b, a
    c.say(fill(r.phrase(COMPARE), {"q": q, "a": a, "b": b}))
    c.call('Two answers to "%s" are to be compared; the first begins "%s".' % (q, " ".join(a.split(" ")[:3])),
           [make_call("compare_answers", {"question": q, "answer_a": a, "answer_b": b})])
    better = r.pick("ab")
    why = r.pick(["it answers the question directly", "it names the value that was asked for", "it is correct and clear",
                  "the other one says nothing about the question", "it is complete"])
    text = "Answer %s is better: %s" % (better, why) if r.chance(0.85) else "Neither answer is better. Both say the same."
    c.result("compare_answers", text)
    c.answer("The critic has decided; I pass it on.", text.rstrip(".") + ".", check_text("extraction", [text.split(":")[0].rstrip(".")]))
    c.about = None
    c.done()
