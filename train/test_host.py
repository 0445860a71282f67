"""Tests of the wanted answers, and of the turns that go to train/judge and come back; the standard library is enough.

    python3 -m unittest discover -s train -p 'test_*.py'
"""

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import evaluate
import host

VOCAB = os.path.join(host.WEIGHTS, "vocab.bin")


def options(**more):
    return argparse.Namespace(model=None, turns=12, cap=3, seed=5, think="on", failures=50, show_probes=False, **more)


class Gold(unittest.TestCase):
    def test_wanted_answers_are_right_and_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as d:
            before = os.getcwd()
            os.chdir(d)
            try:
                with contextlib.redirect_stdout(io.StringIO()):
                    wrong = evaluate.score_gold(argparse.Namespace(gold=VOCAB, seed=5, turns=6, out=None))
            finally:
                os.chdir(before)
            self.assertFalse(wrong)
            self.assertEqual([], os.listdir(d))


class Host(unittest.TestCase):
    def test_dump_and_score(self):
        """The wanted answers, said back, are all right; others are not, and probes are counted without being shown."""
        with tempfile.TemporaryDirectory() as d:
            turns, answers = os.path.join(d, "turns.jsonl"), os.path.join(d, "answers.jsonl")
            host.dump(options(dump=turns))
            with open(turns, encoding="utf-8") as f:
                rows = [json.loads(line) for line in f]
            self.assertEqual(12, sum(r["part"] == "held out" for r in rows))
            for r in rows:
                self.assertTrue(r["messages"] and r["messages"][-1]["role"] != "assistant")
                self.assertFalse(any(k in m for m in r["messages"] for k in ("think", "check", "train")))
            rows = [r for r in rows if r["part"] == "held out"]
            for said, right in (("gold", True), ("nothing", False)):
                with open(answers, "w", encoding="utf-8") as f:
                    for r in rows + [dict(rows[0], part="probes", group="probes")]:
                        good = {"text": r["gold"], "calls": r["calls"], "stop": "done"}
                        r["said"] = good if said == "gold" else {"text": "", "stop": "length"}
                        f.write(json.dumps(r) + "\n")
                host.report(options(score=answers, out=d))
                with open(os.path.join(d, "report.json"), encoding="utf-8") as f:
                    groups = json.load(f)["held out"]["groups"].values()
                self.assertEqual(12 if right else 0, sum(g["right"] for g in groups))
                with open(os.path.join(d, "failures.jsonl"), encoding="utf-8") as f:
                    failures = [json.loads(line) for line in f]
                self.assertEqual(0 if right else 12, len(failures))


class Honest(unittest.TestCase):
    def test_the_end_counts(self):
        """Of questions that nothing answers: a look-up that finds nothing, another call, and what is said at last."""
        honest, wrong = {"text": "I don't know that.", "stop": "done"}, {"text": "It is blue.", "stop": "done"}
        call = {"calls": [{"name": "memory_read", "arguments": {}}], "stop": "tools"}
        rows = [honest, wrong, call, dict(call, then=honest), dict(call, then=dict(call, then=wrong))]
        turns = [host.Judged(dict(check={"type": "honest"}, group="unknown", kind="", gold="", calls=[], think=True, said=r)) for r in rows]
        self.assertEqual("honest in the end: 2 of 5; called another tool: 1; answered otherwise: 2", host.honest(turns))


if __name__ == "__main__":
    unittest.main()
