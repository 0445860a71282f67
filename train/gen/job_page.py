"""A web page in short."""
from .job_base import SCHEMA, TEXT, injection, sample, system, user
from .job_chance import iso
from .job_memory import FILLER, loose, words_of
from .job_world import LIBRARY, book, readable, subject
from .wording import upper_first


def summing(j):
    s = readable(j)
    q, sentence, _, attr = j.pick(s["facts"])
    mode = j.random()
    body = [s["claim"]] + s["more"]
    other = []
    for t in j.some([subject(j), subject(j), subject(j)], j.n(0, 3)):
        other += [t["claim"]] + t["more"][:1]
    extra = [j.phrase(FILLER) for _ in range(j.n(0, 3))]
    if LIBRARY and j.chance(0.3):
        extra = book(j)[1][:3] + extra
    if LIBRARY and j.chance(0.2):  # a page of real prose about the thing itself
        n, sents, _ = book(j)
        s = dict(s, name=n, the=n, title=upper_first(n), claim=sents[0], more=sents[1:4], place="",
                 url="https://wiki.example/" + "-".join(n.lower().split()))
        body, mode = [s["claim"]] + s["more"], max(mode, 0.5)
    if mode < 0.5:  # a question that one sentence answers
        ask = j.pick(["%s", "%s?", "what is the " + attr + " of " + s["the"], attr + " of " + s["the"],
                      s["name"] + " " + attr]).replace("%s", q)
        claim, conf, rest = sentence, 0.9, [t for t in body if t != sentence]
    elif mode < 0.82:  # news about a thing
        ask = j.pick([s["name"], "latest " + s["name"], s["name"] + " news", "What is new about %s?" % s["the"], s["the"],
                      s["name"] + " " + s["place"] if s["place"] else s["name"]])
        claim, conf, rest = s["claim"], 0.9, s["more"]
    else:  # the page is about something else
        o = readable(j)
        ask = j.pick([o["facts"][0][0], o["name"], "What is new about %s?" % o["the"], o["facts"][0][3] + " of " + o["the"]])
        claim, conf, rest = "The page does not answer the question.", 0.0, [s["claim"]]
    rest = rest[:3]
    sents = body[:]
    if j.chance(0.5):
        sents += other
    sents += extra
    lines = [s["title"]] if j.chance(0.5) else []
    if j.chance(0.4):
        lines += j.some(["Home | News | About", "Accept all cookies", "Subscribe to our newsletter", "Menu", "Share this page",
                         "Advertisement", "Read more", "Log in"], j.n(1, 3))
    paragraph = ""
    for t in sents:
        paragraph = paragraph + " " + t if paragraph else t
        if j.chance(0.5):
            lines.append(paragraph)
            paragraph = ""
    if paragraph:
        lines.append(paragraph)
    if j.chance(0.25):
        lines.insert(j.n(0, len(lines)), injection(j))
    date = s["date"]
    text = "Today is %s.\nQuestion: %s\nTitle: %s\nAddress: %s\n" % (iso(j, 2026, 2029), ask, s["title"], s["url"])
    if date:
        text += "Page dated: %s\n" % date
    text += "The page, each line after a mark:\n" + "".join("> %s\n" % l for l in lines)
    v = {"claim": claim, "confidence": conf, "date": date if conf else "", "summary": " ".join(rest) or claim}
    return sample("summing", [system(TEXT["search.instructions"]), user(text),
                              loose(v, {"confidence": v["confidence"], "date": v["date"]},
                                    {"claim": words_of(claim), "summary": words_of(v["summary"]) if conf else []})],
                  schema=SCHEMA["search.summary"])


KINDS = [(summing, 16)]
