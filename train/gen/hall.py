"""What is read from outside the code: the hall's own texts and tools (train/hall.json) and the lists of train/data."""
import glob
import json
import os

TRAIN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(TRAIN, "data")


def read_source(*path):
    """A file of the repository, by its path from the root."""
    with open(os.path.join(TRAIN, "..", *path), encoding="utf-8") as f:
        return f.read()


with open(os.path.join(TRAIN, "hall.json"), encoding="utf-8") as _f:
    HALL = json.load(_f)
SYSTEM = HALL["system"]
TOOLS = {}
for _t in HALL["tools"]:
    TOOLS.setdefault(_t["name"], _t)
OFFERS = HALL["offers"]


def read_lines(name):
    """The lines of a file of train/data, without empty ones; none when it is not there."""
    path = os.path.join(DATA, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as f:
        return [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]


def read_rows(name):
    """The lines of such a file, split at tabs."""
    return [line.split("\t") for line in read_lines(name)]


def data_files(pattern):
    """The paths of the files of train/data that fit a pattern, in order."""
    return sorted(glob.glob(os.path.join(DATA, pattern)))


def read_objects(pattern):
    """The JSON lines of all such files."""
    out = []
    for path in data_files(pattern):
        with open(path, encoding="utf-8") as f:
            for line in f:
                line = line.strip()
                if line.startswith("{"):
                    out.append(json.loads(line))
    return out


def read_library():
    """The entries of the hall's library, each time anew: whoever reads them may add to them."""
    return [o for o in read_objects("../../internal/library/entries/*.jsonl") if o.get("name") and o.get("text")]


def read_lists(name):
    """A file of train/data with several lists: {list: its lines}. A line "== LIST" begins one; blanks at a line's end count."""
    out, at = {}, None
    for line in read_lines(name):
        if line.startswith("== "):
            at = out.setdefault(line[3:].strip(), [])
        elif at is not None:
            at.append(line)
    return out


def read_sections(name):
    """The same, where \\n in a line is a line's end."""
    return {k: [line.replace("\\n", "\n") for line in lines] for k, lines in read_lists(name).items()}


QUESTIONS = read_sections("questions.txt")
