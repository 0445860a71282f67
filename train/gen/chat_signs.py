"""What is no English sentence: signs without a word, and other languages."""
from .chat_talk import LISTS, NEVER, TALK, reply
from .hall import read_lines
from .messages import check_text
from .phrases import Phrases, bars
from .talk_list import THINK

UNCLEAR = ["I see the sign, but I don't know what you want. What can I do for you?", "I can't tell what you mean by that. What do you need?"]
# None is held out: what a sign means cannot be read off it, so one that was never seen would say nothing.
EMOJI = {k[6:]: " ".join(v).split() for part in LISTS for k, v in part.items() if k.startswith("emoji ")}


def emoji(c):
    """Signs without a word: they are no other language, and no wish."""
    r = c.r
    kind = r.weighted([(1.3 if k in ("praise", "unclear") else 1, k) for k in EMOJI])
    said = r.pick(EMOJI[kind]) * r.weighted([(5, 1), (1, 2), (1, 3)])
    if kind == "unclear":
        replies, any_ = UNCLEAR, ["what can i do", "what do you need", "don't know what", "can't tell", "not sure what", "what you mean", "what you want", "in words", "other words", "in english"]
    else:
        _, replies, any_ = TALK[kind]
        any_ = any_ + TALK["praise"][2] if kind == "thanks" else any_
    reply(c, said, "Only a sign, no words: " + THINK[kind][0].lower() + THINK[kind][1:] if kind != "unclear" else THINK[kind], r.pick(replies), any_, NEVER.get(kind, ()))
    c.done()


FOREIGN = [x.split("\t")[0] for x in read_lines("other_languages.txt")] + bars("""Wie spät ist es?|Was ist die Hauptstadt von Frankreich?|Kannst du mir helfen?|Quelle heure est-il ?|Qui es-tu ?|Peux-tu lire ce fichier ?|¿Qué hora es?|¿Quién eres?|¿Puedes ayudarme?|
Che ore sono?|Chi sei?|Come stai?|Hoe laat is het?|Wie ben jij?|Która jest godzina?|Kim jesteś?|Que horas são?|Quem é você?|Vad är klockan?|Vem är du?|Saat kaç?|Sen kimsin?|Kolik je hodin?|Kdo jsi?|Mi az idő?|Cât e ceasul?|
Erzähl mir einen Witz|Schreib mir ein Gedicht|Raconte-moi une histoire|Cuéntame un chiste|Dammi una ricetta|Mitä kuuluu?|Hvad er klokken?|Hvem er du?|何時ですか|你好|Привет, как дела?|Который час?|Τι ώρα είναι;|مرحبا|Bonjour !|Guten Tag|Hola|Olá|Merhaba|Dobrý den""")
FOREIGN = Phrases(list(dict.fromkeys(FOREIGN)), *(part["language"] for part in LISTS if "language" in part))


def language(c):
    r = c.r
    c.say(r.phrase(FOREIGN))
    c.answer("They write in another language, and I only know English.",
             "I am sorry, I only understand English. Please ask me in English; a larger model through Ollama speaks other languages.",
             check_text("chat", ["English"]))
    c.done()
