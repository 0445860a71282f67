"""Units that nobody has named: a sum of plain numbers gives a plain number."""
import re

FORMS = {"euros": "euro eur €", "dollars": "dollar usd $", "cents": "cent ct ¢", "pounds": "pound gbp lb £", "kilos": "kilo kilogram kg", "kilograms": "kilo kilogram kg", "grams": "gram g", "litres": "litre liter l",
         "metres": "metre meter m", "kilometres": "kilometre kilometer km", "hours": "hour hr h", "minutes": "minute min", "points": "point pt"}
COUNTED = re.compile(r"(?<![\w.])(\d[\d.,]*) ([a-z]{3,})\b")
NUMBER = re.compile(r"\d[\d.,]*")
WORD = re.compile(r"[^\W\d_]+|[€$¢£]")
LINKS = set("and are away cost costs divided each for from have has held into less left make makes minus more off once out over plus than that the then times together too was were will with without".split())


def words(text):
    return {w.lower().removesuffix("s") for w in WORD.findall(text)}


def named(word, said):
    return not said.isdisjoint(FORMS.get(word, "").split() + [word.removesuffix("s")])


def drop(text, said):
    """An answer without the units that stand nowhere."""
    return COUNTED.sub(lambda m: m[1] if m[2] in FORMS and not named(m[2], said) else m[0], text)


MORE = re.compile(r"\b(?:still|first|then|both|two|second)\b", re.I)  # of a thought that has more in mind than the sum


def plain(think, expression, asked, said):
    """A thought before a sum whose numbers are all in the question: it counts nothing that stands nowhere."""
    given = set(NUMBER.findall(expression)) <= set(NUMBER.findall(asked))
    made_up = any(not named(m[2], said) for m in COUNTED.finditer(think) if m[2] not in LINKS)
    return "They want the number, so I calculate %s." % expression if given and made_up and not MORE.search(think) else think
