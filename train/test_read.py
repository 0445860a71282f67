"""What is to be read must stand in the text: sheets, layouts, the library's entries; and how answers are compared."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import score
from gen import documents, facts, files, layouts, library, scene_compare
from gen.rng import Rng


def flat(text):
    """Without what may differ: white space, and the capital at the beginning of a sentence."""
    return " ".join(text.split()).lower()


class Read(unittest.TestCase):
    def test_every_value_stands_in_the_text(self):
        for held in (False, True):
            r = Rng(3, held)
            for _ in range(400):
                s = facts.Sheet(r)
                text = s.text(r)
                for a in s.attrs:
                    self.assertIn(flat(s.values[a.key]), flat(text), (s.kind, a.key))
                    self.assertIn(flat(s.values[a.key]), flat(s.answer(r, a)))

    def test_two_things_keep_their_own_values(self):
        r = Rng(4)
        for _ in range(300):
            s, o, text = facts.two(r)
            self.assertNotEqual(s.name.lower(), o.name.lower())
            for a in s.attrs:
                self.assertIn(flat(s.values[a.key]), flat(text))
                self.assertIn(flat(o.values[a.key]), flat(text))

    def test_layouts_hold_all_rows(self):
        r = Rng(5)
        rows = [("torque", "45 Nm"), ("keeper", "Ana Liu"), ("port", "8080")]
        for _ in range(200):
            text = layouts.layout(r, "the Plold", rows)
            for _, v in rows:
                self.assertIn(v, text)

    def test_files_answer_their_questions(self):
        r = Rng(6)
        for _ in range(400):
            f = files.any_file(r)
            for _, _, answer, keys in f.qa:
                for k in keys:
                    if isinstance(k, str) and "does not say" not in answer:
                        self.assertIn(flat(k), flat(f.text))

    def test_a_twisted_entry_agrees_with_itself(self):
        r = Rng(7)
        for _ in range(600):
            o = r.pick(library.LIBRARY)
            t = library.twisted(r, o)
            before, after = library._number.findall(o["text"]), library._number.findall(t["text"])
            if not any(c.isdigit() for c in o["name"]):
                self.assertEqual(len(before), len(after), o["name"])
            got = library.by_rule(r, t)
            if got:
                check = library.key(got[1], got[0], "extraction")
                for n in check["all"]:
                    self.assertIn(n, t["text"])

    def test_what_is_said_of_an_entry_that_does_not_say_it(self):
        r = Rng(8)
        for _ in range(300):
            o = r.pick(library.LIBRARY)
            got = library.silent(r, o)
            if got:
                self.assertNotIn("{", got[0] + got[1])

    def test_a_shortened_text_lacks_what_it_no_longer_tells(self):
        r, shorter = Rng(8), 0
        for d in documents.TRAINED[:200]:
            e = d.without(r)
            if e is d:
                continue
            shorter += 1
            gone, answers = [p for p in d.parts if p not in e.parts], dict(d.asks)
            lost = [q for q, what in e.not_said if what == "that"]
            self.assertTrue(gone and lost, d.short)
            for q in lost:
                self.assertIn(d.tellers(q, answers[q])[0], gone)
                self.assertEqual(e.tellers(q, answers[q]), [], q)
            for q, a in e.asks:
                self.assertTrue(e.tellers(q, a), q)
        self.assertGreater(shorter, 100)


class Compare(unittest.TestCase):
    def test_numbers_and_quotes(self):
        self.assertTrue(score.holds("It has 74,032 people.", ["74032 people"]))
        self.assertTrue(score.holds("It has 74032 people.", ["74,032"]))
        self.assertFalse(score.holds("The answer is 17.", ["7"]))
        self.assertTrue(score.holds("The answer is 7.", ["7"]))
        self.assertTrue(score.holds("That’s it", ["that's"]))
        self.assertTrue(score.holds("No, it is not.", [["Yes,", "No,"]]))

    def test_a_thought_compares_in_the_order_of_the_text(self):
        for think, text, want in (
                ("It is fish; it has 41, 56 and 33 cm; 33 is the shortest, so the eel.", "eel 33, bream 56, pike 41", "It is fish; wanted is the shortest. 33 cm. 56 or 33? 33. 41 or 33? 33. The shortest is 33, so the eel."),
                ("The boats leave at 9:30, 18:20 and 10:15; the latest is 18:20.", "", "Wanted is the latest. 9:30. 18:20 or 9:30? 18:20. 10:15 or 18:20? 18:20. The latest is 18:20."),
                ("Tim has 4 points, Ann 9 and Bo 7, so Ann has the most.", "", "Wanted is the most. Tim has 4 points. Ann 9 or 4? 9. Bo 7 or 9? 9. The most is 9, so Ann."),
                ("Of 4, 9 and 7 points the second most is 7, which is Bo.", "", None),
                ("It is fish; it has 3 May, 4 June and 9 July; 9 July is the latest, so q.", "", None),
                ("The file says: longest: 16 km.", "", None)):
            self.assertEqual(scene_compare.compared(think, [], text), want or think)
        rows = [("a.md", 300, "2026-03-01"), ("b.md", 200, "2027-01-05")]
        self.assertEqual(scene_compare.compared("The newest is b.md, so I read x/b.md.", rows, ""),
                         "Wanted is the newest, that is the latest date. a.md 2026-03-01. b.md 2027-01-05 or 2026-03-01? 2027-01-05. The newest is b.md, so I read x/b.md.")
        self.assertEqual(scene_compare.compared("The newest is a.md, they say.", rows, ""), "The newest is a.md, they say.")


if __name__ == "__main__":
    unittest.main()
