"""Several things with the same attributes, as documents have them: tables, lists, settings, letters, logs, running text.

A form(r, names, keys, cells, telling) gives the text; cells[i][j] is what the thing i has for the attribute j, and
telling(i, j, named) says it in a sentence.
"""
from . import lex
from .layouts import _label, as_json
from .phrases import Phrases
from .slots import fill
from .wording import upper_first


def listed(text):
    """Phrases with bars between them; other than in bars(), a line may end inside one."""
    return Phrases(text.replace("|\n", "|").split("|"))


HEADS = listed("""Overview|List of {h}|Our {h}|{h}|All {h} at a glance|{h}, as of {d}|Here is the list.|What we have|Summary|{h} - state of {d}|The list you asked for:|Current {h}|Sheet {k}|{h} ({k})|From the files|Table {k}: {h}|Copy of the list|
Printed on {d}|Page {k}|For your information|Please check:|New list of {h}|Extract|{h} in {c}|Collected by {p}|Notes on the {h}|Draft, {d}|Attachment {k}|Inventory|Register of {h}""")
HELLO = listed("""Hello {p},\nhere is what you asked for.|Hi {p}, as promised:|Dear {p},\nthank you for your call. Our list:|{p},\nsee below.|Hi all,\nthe new list is ready.|Dear team,|Good morning {p},\nI looked it up:|Hello everybody,\nplease note the following.|
Dear {p},\nyou wanted to know more about these.|Hey {p}, quick one:|To {p}:|Hi {p}!\nSorry for the delay. Here they are:|Dear members,|Hello,\nI collected the data.""")
BYE = listed("""Best wishes,\n{q}|Yours, {q}|Regards\n{q}|{q}|See you on {d},\n{q}|Thanks, {q}|Let me know if something is missing.\n{q}|Have a good weekend!\n{q}|Greetings from {c}, {q}|Call me if you have questions. {q}|Kind regards, {q}|- {q}""")


def few(r, names):
    """Fillers for what stands around the data."""
    return {"h": r.noun() + "s", "d": r.day(), "k": r.int(1, 40), "c": r.city(), "p": r.first(), "q": r.name()}


def labels(r, keys):
    style = r.pick((0, 0, 1, 1, 2, 3))
    return [_label(k, style) for k in keys]


def csv(r, names, keys, cells, telling):
    sep = r.pick([";", ";", "\t", " | ", "; "])
    head = [r.pick(["name", "Name", "item", "id", "what", ""])] + labels(r, keys)
    return "\n".join(sep.join(x) for x in [head] + [[n] + c for n, c in zip(names, cells)])


def bars(r, names, keys, cells, telling):
    """A table with bars; the ruled line under the head is sometimes left out."""
    head = [r.pick(["name", "Name", "item", "", "which"])] + labels(r, keys)
    rows = [[n] + c for n, c in zip(names, cells)]
    out = ["| " + " | ".join(x) + " |" for x in [head] + rows]
    if r.chance(0.7):
        out.insert(1, ("|" + r.pick(["---", " --- ", ":--"])) * len(head) + "|")
    return "\n".join(out)


def turned(r, names, keys, cells, telling):
    """The things stand side by side, the attributes below each other."""
    rows = [[""] + list(names)] + [[k] + [c[j] for c in cells] for j, k in enumerate(labels(r, keys))]
    out = ["| " + " | ".join(x) + " |" for x in rows]
    out.insert(1, "|---" * (len(names) + 1) + "|")
    return "\n".join(out)


def columns(r, names, keys, cells, telling):
    """Columns of blanks."""
    rows = [[r.pick(["name", "Name", "item"])] + labels(r, keys)] + [[n] + c for n, c in zip(names, cells)]
    wide = [max(len(x[j]) for x in rows) for j in range(len(rows[0]))]
    out = ["  ".join(x[j].ljust(wide[j]) for j in range(len(x))).rstrip() for x in rows]
    if r.chance(0.4):
        out.insert(1, "  ".join("-" * w for w in wide))
    return "\n".join(out)


def json_list(r, names, keys, cells, telling):
    if r.chance(0.5):
        return ("[\n" + ",\n".join('  {\n    "name": "%s",\n%s\n  }' % (n, as_json(list(zip(keys, c)), "  ")) for n, c in zip(names, cells))
                + "\n]")
    one = [", ".join('"%s": "%s"' % (k.replace(" ", "_"), v) for k, v in zip(keys, c)) for c in cells]
    return "{" + ",\n ".join('"%s": {%s}' % (n, x) for n, x in zip(names, one)) + "}"


def yaml(r, names, keys, cells, telling):
    k2 = [k.replace(" ", r.pick("_-")) for k in keys]
    if r.chance(0.5):
        return "\n".join("- name: %s\n" % n + "\n".join("  %s: %s" % p for p in zip(k2, c)) for n, c in zip(names, cells))
    return "\n".join("%s:\n" % n + "\n".join("  %s: %s" % p for p in zip(k2, c)) for n, c in zip(names, cells))


def sections(r, names, keys, cells, telling):
    head, sep = r.pick(["[%s]", "## %s", "%s", "%s:", "=== %s ===", "* %s", "-- %s --"]), r.pick([": ", " = ", ": ", " - ", "\t"])
    pad, ks = r.pick(["", "", "  ", "- "]), labels(r, keys)
    return r.pick(["\n", "\n\n"]).join(head % n + "\n" + "\n".join(pad + k + sep + v for k, v in zip(ks, c)) for n, c in zip(names, cells))


def bullets(r, names, keys, cells, telling):
    dash, mid, ks = r.pick(["- ", "* ", "• ", "", "+ "]), r.pick([": ", " - ", " (", ", ", " -> "]), labels(r, keys)
    join = "; " if any("," in v for c in cells for v in c) else r.pick(["; ", ", ", " / ", " | "])
    pair = r.pick(["%s: %s", "%s %s", "%s = %s", "%s %s"])
    return "\n".join(dash + n + mid + join.join(pair % p for p in zip(ks, c)) + (")" if mid == " (" else "") for n, c in zip(names, cells))


def numbered(r, names, keys, cells, telling):
    ks, dot = labels(r, keys), r.pick([". ", ") ", " - "])
    return "\n".join("%d%s%s. %s." % (i + 1, dot, upper_first(n), ". ".join("%s: %s" % p for p in zip(ks, c)))
                     for i, (n, c) in enumerate(zip(names, cells)))


def by_attribute(r, names, keys, cells, telling):
    """First all that is known of one attribute, then of the next."""
    out, sep = [], r.pick([" ", ": ", " - ", " has ", " with "])
    for j, k in enumerate(keys):
        items = [n + sep + c[j] for n, c in zip(names, cells)]
        join = "; " if any("," in x for x in items) else r.pick([", ", "; "])
        out.append(upper_first(k) + r.pick([": ", " - ", ":\n  ", ". "]) + join.join(items) + ".")
    return "\n".join(out)


def log(r, names, keys, cells, telling):
    day, form = r.day(), r.pick(["%s %s %s: %s=%s", "[%s %s] %s %s %s", "%s %s INFO %s set %s to %s", "%sT%s %s.%s: %s"])
    rows = [(n, k.replace(" ", "_"), v) for n, c in zip(names, cells) for k, v in zip(keys, c)]
    rows = r.shuffled(rows) if r.chance(0.5) else rows
    times = sorted("%02d:%02d:%02d" % (r.int(0, 23), r.int(0, 59), r.int(0, 59)) for _ in rows)
    return "\n".join(form % ((day, t) + x) for t, x in zip(times, rows))


def html(r, names, keys, cells, telling):
    return ("<table>\n<tr><th></th>" + "".join("<th>%s</th>" % k for k in keys) + "</tr>\n"
            + "\n".join("<tr><td>%s</td>%s</tr>" % (n, "".join("<td>%s</td>" % v for v in c)) for n, c in zip(names, cells)) + "\n</table>")


def prose(r, names, keys, cells, telling):
    """Sentences, thing by thing, attribute by attribute or mixed up."""
    at = [(i, j) for i in range(len(names)) for j in range(len(keys))]
    x = r.random()
    if x < 0.45:  # thing by thing: only the first sentence need name it
        parts = [" ".join(telling(i, j, j == 0) for j in range(len(keys))) for i in range(len(names))]
        return r.pick([" ", "\n", "\n\n"]).join(parts)
    at = r.shuffled(at) if x < 0.75 else sorted(at, key=lambda p: p[1])
    out = [telling(i, j, True) for i, j in at]
    for _ in range(r.weighted([(5, 0), (3, 1), (2, 3)])):
        out.insert(r.int(0, len(out)), r.sentence())
    return " ".join(out)


def talked(r, names, keys, cells, telling):
    """Minutes or a chat: people say the sentences."""
    who = [r.first() for _ in range(r.int(2, 3))]
    at = r.shuffled([(i, j) for i in range(len(names)) for j in range(len(keys))])
    form = r.pick(["%s: %s", "<%s> %s", "%s - %s", "(%s) %s", "%s says: %s"])
    out = [form % (r.pick(who), telling(i, j, True)) for i, j in at]
    if r.chance(0.4):
        out.insert(0, "Minutes of %s. Present: %s." % (r.pick(lex.WEEKDAYS), ", ".join(who)))
        out.append("Next meeting: %s, %s." % (r.pick(lex.WEEKDAYS), r.time()))
    return "\n".join(out)


def dotted(r, names, keys, cells, telling):
    """As on a menu: the thing, dots, and its values at the end."""
    dots, mid = r.pick([" ....... ", " ... ", " ........ ", " _____ ", "   "]), r.pick([" / ", " | ", " - "])
    return mid.join(labels(r, keys)) + "\n" + "\n".join(n + dots + mid.join(c) for n, c in zip(names, cells))


FORMS = [(1.2, csv), (1.4, bars), (0.7, turned), (1, columns), (0.8, json_list), (0.9, yaml), (1.2, sections), (1.6, bullets), (0.8, numbered),
         (1, by_attribute), (0.6, log), (0.3, html), (4, prose), (1, talked), (0.8, dotted)]


APART = (turned, by_attribute, log)  # what belongs to one thing does not stand together


def among(r, names, text):
    """The document, sometimes with a heading, in a letter, or between sentences that have nothing to do with it."""
    x = r.random()
    s = few(r, names)
    if x < 0.25:
        return upper_first(fill(r.phrase(HEADS), s)) + r.pick(["\n", "\n\n"]) + text
    if x < 0.37:
        return fill(r.phrase(HELLO), s) + "\n\n" + text + "\n\n" + fill(r.phrase(BYE), s)
    if x < 0.47:
        return r.sentence() + " " + r.sentence() + "\n\n" + text
    if x < 0.57:
        return text + "\n\n" + " ".join(r.sentence() for _ in range(r.int(1, 4)))
    return text
