"""What people say to each tool, out of the lists of phrasings in train/data/asks."""
import os
import re

from .hall import DATA, read_rows
from .job_chance import coined, first, place
from .job_person import habit, life
from .job_world import PREFER, thing

_TOOL_OF = {"fs_write_append": "fs_write", "fs_write_create": "fs_write", "fs_write_overwrite": "fs_write", "fs_write_replace": "fs_write", "fs_read_lines": "fs_read"}


def _asks():
    """What people say to each tool, by its name: a list for each file."""
    out = {}
    for name in sorted(os.listdir(os.path.join(DATA, "asks"))):
        stem = name.split(".")[0]
        out.setdefault(_TOOL_OF.get(stem, stem), []).append([row[0] for row in read_rows("asks/" + name)])
    return out


ASKS = _asks()


_SLOT = re.compile(r"\{(\w+)\}")


def told(j, name):
    """Something that is said to a tool, and the names in it."""
    t = j.phrase(*ASKS[name])
    slots = {}
    for k in _SLOT.findall(t):  # in the order in which they stand
        if k in _MAKE and k not in slots:
            slots[k] = str(_MAKE[k](j))
            t = t.replace("{" + k + "}", slots[k])
    return t, [v for k, v in slots.items() if k in _NAMES]


def _path(j):
    return (j.pick(["", "docs/", "notes/", coined(j) + "/"])
            + (coined(j) if j.chance(0.5) else j.pick("todo list readme config report budget plan".split()))
            + j.pick([".md", ".txt", ".yaml", ".csv", ".py"]))


def _said(j):
    return (habit(j) if PREFER else life(j))["fact"].rstrip(".")


_NAMES = {"path", "folder", "person", "person2", "place", "place2", "zone_city", "url", "topic"}
_MAKE = {"path": _path, "topic": thing, "text": lambda j: " ".join(coined(j) for _ in range(j.n(1, 4))), "a": lambda j: j.n(2, 999),
         "b": lambda j: j.n(2, 999), "c": lambda j: j.n(2, 99), "word": coined, "word2": coined, "word3": coined,
         "folder": lambda j: j.pick(["docs", "notes", "src", "photos", coined(j)]), "person": first, "person2": first,
         "url": lambda j: "https://%s.example/%s" % (coined(j), coined(j)), "preference": _said, "thing": coined,
         "old": coined, "new": coined, "place": place, "place2": place, "n": lambda j: j.n(2, 60), "k": lambda j: j.n(2, 200),
         "ext": lambda j: j.pick(["md", "txt", "py", "csv"]),
         "event": lambda j: j.pick(["dentist", "haircut", "exam", "lunch with " + first(j), coined(j) + " meeting"]),
         "day2": lambda j: j.pick(["Sunday", "the 20th", "next month"]),
         "day": lambda j: j.pick(["Monday", "Friday", "tomorrow", "next week"]), "zone_city": place}
