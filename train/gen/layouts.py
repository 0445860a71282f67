"""Facts in other forms than prose: notes, settings, JSON, tables, chats, logs."""


def _label(k, style):
    return k if style == 0 else k[0].upper() + k[1:] if style == 1 else k.replace(" ", "_") if style == 2 else k.upper()


def _bare(v):
    return v.replace(".", "", 1).isdigit() and not (v.startswith("0") and len(v) > 1)


def as_json(rows, pad=""):
    return ",\n".join('%s  "%s": %s' % (pad, k.replace(" ", "_"), v if _bare(v) else '"%s"' % v) for k, v in rows)


def layout(r, name, rows, inline=False):
    """A thing's rows (attribute, value) as notes, a list, settings, JSON, a table, a chat or a log."""
    head, style = name if any(c in name for c in "-._/@") else name[0].upper() + name[1:], r.int(0, 1)
    x = r.int(0, 3) if inline else r.int(0, 11)
    named = [(_label(k, style), v) for k, v in rows]
    if x == 0:
        return head + ": " + "; ".join("%s %s" % p for p in named) + "."
    if x == 1:
        return head + " - " + r.pick(["; ", " | ", ", "]).join("%s: %s" % p for p in named)
    if x == 2:
        return head + " (" + "; ".join("%s = %s" % p for p in named) + ")"
    if x == 3:
        return head + ". " + ". ".join("%s: %s" % (k[0].upper() + k[1:], v) for k, v in rows) + "."
    if x in (4, 5):
        sep, dash = r.pick([": ", ": ", " = ", " - ", "\t"]), r.pick(["", "- ", "* ", "  "])
        sep = ": " if sep == " - " and dash == "- " else sep
        return r.pick(["%s", "# %s", "%s:", "== %s =="]) % head + "\n" + "\n".join(dash + k + sep + v for k, v in named)
    if x == 6:
        return '{\n  "name": "%s",\n%s\n}' % (name, as_json(rows))
    if x == 7:
        return "| %s | %s |\n|---|---|\n" % (r.pick(["", "field", "property"]), head) + "\n".join("| %s | %s |" % p for p in named)
    if x == 8:
        return "[%s]\n" % name + "\n".join("%s = %s" % (k.replace(" ", "_"), v) for k, v in rows)
    if x == 9:
        who = [r.first(), r.first()]
        return "\n".join("%s: %s" % (who[i % 2], r.pick(["the %s of %s is %s", "%s of %s: %s", "I have as %s of %s: %s",
                                                         "so the %s for %s is %s"]) % (k, name, v)) for i, (k, v) in enumerate(rows))
    if x == 10:
        day = r.day()
        return "\n".join("%s %s %s: %s=%s" % (day, "%02d:%02d:%02d" % (r.int(0, 23), r.int(0, 59), r.int(0, 59)), name, k.replace(" ", "_"),
                                              v) for k, v in rows)
    return "\n".join("%s;%s;%s" % (name, k, v) for k, v in rows)


def table(r, names, keys, cells):
    """Several things with the same attributes: CSV, a table or JSON."""
    x = r.int(0, 3)
    if x == 0:
        sep = r.pick([";", ";", "\t", " | "])
        return "\n".join([sep.join(["name"] + list(keys))] + [sep.join([n] + list(c)) for n, c in zip(names, cells)])
    if x == 1:
        return "\n".join(["| name | " + " | ".join(keys) + " |", "|---" * (len(keys) + 1) + "|"]
                         + ["| %s | %s |" % (n, " | ".join(c)) for n, c in zip(names, cells)])
    if x == 2:
        return ("[\n" + ",\n".join('  {\n    "name": "%s",\n%s\n  }' % (n, as_json(list(zip(keys, c)), "  ")) for n, c in zip(names, cells))
                + "\n]")
    return "\n\n".join(n + "\n" + "\n".join("  %s: %s" % p for p in zip(keys, c)) for n, c in zip(names, cells))
