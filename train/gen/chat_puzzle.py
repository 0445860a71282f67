"""Questions that take several steps of thought: the network takes none, and says so in place of a sum."""
from .conv import speak
from .hall import read_lines
from .messages import check_honest
from .phrases import Phrases

ASKED = Phrases(read_lines("puzzles.txt"))
THINK = ["That takes several steps of thought, and one sum would be a guess.", "It has to be thought through, which I am too small for; I must not guess."]
ANSWERS = ["I can't work that out: it takes several steps of thought, and I am too small for them. A larger model would help.", "I can't work that out. It has to be thought through step by step, and a larger model would do that."]


def puzzle(c):
    r = c.r
    names = r.some([r.first() for _ in range(6)], 3)
    slots = {"n": str(r.int(2, 60)), "m": str(r.int(2, 40)), "k": str(r.int(2, 90)), "p": names[0], "q": names[1], "s": names[2]}
    c.say(speak(r, r.phrase(ASKED), slots)[0])
    c.answer(r.pick(THINK), r.pick(ANSWERS), check_honest("unknown"))
    c.about = None
    c.done()
