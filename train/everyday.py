"""Puts everyday conversations to the program itself and counts what comes back right.

    go build -o /tmp/moothall ./cmd/moothall
    python3 train/everyday.py /tmp/moothall [--only e03 e20] [--show]

data/everyday.jsonl has 60 conversations as people might have them in their first evening, by a writer who had seen nothing of the
project. Each is put to a fresh hall over POST /query, with its files in the workspace. The first half may be looked at (--show prints
what went wrong there); of the second only the count may be known, or it says nothing any more.
"""
import argparse
import collections
import json
import os
import re
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
SEEN = "e30"  # the last conversation that may be looked at


def stands(ways, text):
    """Whether one of several strings stands in a text; a number not as a part of another one."""
    low = text.lower().replace("\u2019", "'")
    return any(re.search(r"(?<![\w.])%s(?!\w|\.\d)" % re.escape(w.lower()), low) if re.fullmatch(r"[\d.,]+", w) else w.lower() in low for w in ways)


def contents(path):
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except OSError:
        return ""


def right(turn, said, workspace):
    if not all(stands(ways, said) for ways in turn.get("must", ())) or any(w.lower() in said.lower() for w in turn.get("never", ())):
        return False
    return all(stands(ways, contents(os.path.join(workspace, name))) for name, must in (turn.get("file") or {}).items() for ways in must)


class Hall:
    """A hall of its own in an empty home, on the model inside the program."""

    def __init__(self, program, home):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.at = "http://127.0.0.1:%d" % s.getsockname()[1]
        nowhere = dict(os.environ, OLLAMA_HOST="127.0.0.1:9")
        self.process = subprocess.Popen([program, "up", "--headless", "--home", home, "--port", self.at.rpartition(":")[2]], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=nowhere)
        for _ in range(200):
            try:
                urllib.request.urlopen(self.at + "/health", timeout=2).close()
                return
            except (urllib.error.URLError, OSError):
                if self.process.poll() is not None:
                    break
                time.sleep(0.1)
        self.end()
        raise SystemExit("the hall did not come up: start %s by hand to see why" % program)

    def ask(self, words, session):
        body = json.dumps(dict({"query": words}, **({"session_id": session} if session else {}))).encode()
        with urllib.request.urlopen(urllib.request.Request(self.at + "/query", body, {"Content-Type": "application/json"}), timeout=300) as r:
            return json.load(r)

    def end(self):
        self.process.terminate()
        self.process.wait()


def play(program, conversation):
    """[(turn, what was answered, whether that is right)]"""
    out, session = [], None
    with tempfile.TemporaryDirectory() as home:
        workspace = os.path.join(home, "workspace")
        hall = Hall(program, home)
        try:
            os.makedirs(workspace, exist_ok=True)
            for name, text in conversation.get("files", {}).items():
                with open(os.path.join(workspace, name), "w", encoding="utf-8") as f:
                    f.write(text + "\n")
            for turn in conversation["turns"]:
                answer = hall.ask(turn["say"], session)
                session = answer["session_id"]
                out.append((turn, answer, right(turn, answer["answer"], workspace)))
        finally:
            hall.end()
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("program")
    p.add_argument("--only", nargs="*", help="these conversations")
    p.add_argument("--show", action="store_true", help="what went wrong in those that may be looked at")
    a = p.parse_args()
    asked, good = collections.Counter(), collections.Counter()
    with open(os.path.join(HERE, "data", "everyday.jsonl"), encoding="utf-8") as f:
        conversations = [json.loads(line) for line in f]
    for o in conversations:
        if a.only and o["id"] not in a.only:
            continue
        half = "seen" if o["id"] <= SEEN else "unseen"
        for turn, answer, ok in play(a.program, o):
            for k in (half, turn["kind"], "all"):
                asked[k] += 1
                good[k] += ok
            if a.show and half == "seen" and not ok:
                print("%s: %s\n    %s\n    (%s)" % (o["id"], turn["say"], answer["answer"].replace("\n", "\n    "), " ".join((answer.get("thinking") or "").split())))
    for k in sorted(asked, key=lambda k: (k in ("seen", "unseen", "all"), k)):
        print("%-8s %3d of %3d, %5.1f %%" % (k, good[k], asked[k], 100 * good[k] / asked[k]))


if __name__ == "__main__":
    main()
