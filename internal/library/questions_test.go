package library_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/library"
	"moothall/internal/moottest"
)

func lines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// TestQuestions holds the program's own library to its figures: of questions
// that it can answer, 95 in 100 have the right entry first or second; of
// others, 8 in 100 at most find anything.
func TestQuestions(t *testing.T) {
	t.Parallel()
	l := library.Open()
	there := map[string]bool{}
	for _, e := range l.All() {
		there[strings.ToLower(e.Name)] = true
	}
	fit, missed := lines(t, "fit.txt"), 0
	for _, line := range fit {
		question, want, _ := strings.Cut(line, "\t")
		right := strings.Split(strings.ToLower(want), "|")
		if !slices.ContainsFunc(right, func(n string) bool { return there[n] }) {
			t.Errorf("%s: there is no entry %s", question, want)
		}
		got := names(l.Find(question, 2))
		if !slices.ContainsFunc(got, func(n string) bool { return slices.Contains(right, strings.ToLower(n)) }) {
			missed++
			t.Logf("missed: %s: found %q, want %s", question, got, want)
		}
	}
	other, wrong := lines(t, "other.txt"), 0
	for _, question := range other {
		if got := names(l.Find(question, 2)); len(got) > 0 {
			wrong++
			t.Logf("found: %s: %q", question, got)
		}
	}
	t.Logf("%d of %d fitting questions missed, %d of %d others found something; %d entries", missed, len(fit), wrong, len(other), l.Len())
	if len(fit) < 75 || len(other) < 75 || missed*100 > 5*len(fit) || wrong*100 > 8*len(other) {
		t.Errorf("more than 5 in 100 missed, or more than 8 in 100 found, or too few questions")
	}
}

// answered counts the lines, a question and what its answer holds, of which the
// first entry found counts and its answer is right, and those where it is wrong.
func answered(t *testing.T, l *library.Library, list []string, counts func(library.Entry) bool) (right, wrong int) {
	t.Helper()
	for _, line := range list {
		question, want, _ := strings.Cut(line, "\t")
		got := l.Find(question, 2)
		if len(got) == 0 || !counts(got[0]) {
			continue
		}
		if told := strings.ToLower(got[0].Answer); slices.ContainsFunc(strings.Split(strings.ToLower(want), "|"), func(w string) bool { return strings.Contains(told, w) }) {
			right++
		} else {
			wrong++
			t.Logf("%s: %s", question, got[0].Answer)
		}
	}
	return right, wrong
}

// TestAnswers holds the sentence that is told first to its figures: of
// questions in people's own words 65 in 100 have their answer there, and 3 in
// 100 at most something else.
func TestAnswers(t *testing.T) {
	t.Parallel()
	l := library.Open()
	list := lines(t, "answers.txt")
	right, wrong := answered(t, l, list, func(e library.Entry) bool { return e.Answer != "" })
	t.Logf("of %d questions %d are answered first and %d wrongly", len(list), right, wrong)
	if len(list) < 100 || right*100 < 65*len(list) || wrong*100 > 3*len(list) {
		t.Error("fewer than 65 in 100, or more than 3 in 100 wrong, or too few questions")
	}
}

// TestAsked holds the answers that are told as those to the very question to
// theirs: half of the questions of somebody who had not seen the library have
// one, 2 in 100 of these at most another than was wanted, and of questions that
// only look like its own none has one.
func TestAsked(t *testing.T) {
	t.Parallel()
	l := library.Open()
	list := lines(t, "asked.txt")
	right, wrong := answered(t, l, list, func(e library.Entry) bool { return e.Asked })
	found := right + wrong
	t.Logf("of %d questions %d are the library's own, %d with another answer", len(list), found, wrong)
	if len(list) < 150 || found*2 < len(list) || wrong*100 > 2*found {
		t.Error("fewer than half, or more than 2 in 100 wrong, or too few questions")
	}
	for _, question := range slices.Concat(lines(t, "twisted.txt"), lines(t, "other.txt"), lines(t, "personal.txt")) {
		for _, e := range l.Find(question, 2) {
			if e.Asked {
				t.Errorf("%s: told as its answer: %s", question, e.Answer)
			}
		}
	}
}

// TestSameQuestion tells a question in other words from another question.
func TestSameQuestion(t *testing.T) {
	t.Parallel()
	l := library.Open()
	for question, same := range map[string]bool{
		"Who wrote Hamlet?": true, "author of hamlet": true, "who wrote Hamlet's music": false, "who did not write Hamlet": false,
		"norse god of thunder": true, "Who is the Norse god of thunder?": true, "norse god of thunder in 1900": false,
		"what is an isotope": true, "What are isotopes?": true, "what is HTTPS": true, "what is FTPS": false,
		"when was mozart born": true, "When was Wolfgang Amadeus Mozart born?": true, "when was mozart's sister born": false, "When was Amadeus Mozart born?": false,
		"who was the":                          false,
		"which is the biggest animal on earth": true, "which is the second biggest animal": false,
		"whats the tallest mountain in the world": true, "ok cool. whats the tallest mountain in the world": true, "the second tallest mountain in the world": true, "the ninetieth tallest mountain in the world": false,
		"what is mount everest": true, "tell me about photosynthesis": true, "can you explain photosynthesis": true, "what is mount everest's age": false, "what is the mount everest committee": false,
	} {
		got := l.Find(question, 1)
		if (len(got) > 0 && got[0].Asked) != same {
			t.Errorf("%s: %+v", question, got)
		}
	}
}

// TestCounted leaves to the calculator what it counts better than a book tells it.
func TestCounted(t *testing.T) {
	t.Parallel()
	l := library.Open()
	for question, found := range map[string]bool{
		"how many km is 26.2 miles": false, "how many feet is 1.8 metres": false, "what's 5 kg in pounds": false, "what is 5 feet in cm": false, "whats the date in 3 weeks": false, "which day is 40 days from today": false,
		"how many days until 25 december": false, "days between 17 november and 25 december": false,
		"how many days until then?": false, "how many weeks is that": false, "how long until then": false,
		"how many ounces are in a pound": true, "how many cups in a liter": true, "how long is a marathon in km": true, "when is christmas": true,
	} {
		if got := l.Find(question, 1); (len(got) > 0) != found {
			t.Errorf("%s: %v", question, names(got))
		}
	}
	if got := l.Find("how old is the eiffel tower", 1); len(got) == 0 || !strings.Contains(got[0].Answer, "1889") {
		t.Errorf("how old: %+v", got)
	}
	if got := l.FindAfter("and where was he born?", "when did he die?\nWilliam Shakespeare died in 1616.", 1); len(got) == 0 || strings.Contains(got[0].Answer, "1564") {
		t.Errorf("where is not when: %+v", got)
	}
	if got := l.Find("no i asked who climbed mount everest first", 1); len(got) == 0 || got[0].Name != "Mount Everest" {
		t.Errorf("asked again: %v", names(got))
	}
}

// TestPersonal tells what a person asks about themselves, which the memory
// answers, from what anybody asks in the same words.
func TestPersonal(t *testing.T) {
	t.Parallel()
	l := library.Open()
	own, wrong := lines(t, "personal.txt"), 0
	for _, question := range own {
		if got := names(l.Find(question, 2)); len(got) > 0 {
			wrong++
			t.Logf("found: %s: %q", question, got)
		}
	}
	all, missed := lines(t, "manner.txt"), 0
	for _, line := range all {
		question, want, _ := strings.Cut(line, "\t")
		if got := names(l.Find(question, 2)); !slices.Contains(got, want) {
			missed++
			t.Logf("missed: %s: found %q, want %s", question, got, want)
		}
	}
	t.Logf("%d of %d about the person found something, %d of %d others missed", wrong, len(own), missed, len(all))
	if len(own) < 60 || len(all) < 20 || wrong*100 > 3*len(own) || missed*100 > 5*len(all) {
		t.Error("more than 3 in 100 found, or more than 5 in 100 missed, or too few questions")
	}
}

// TestConversations are questions after others: what they leave out comes from
// what was said before.
func TestConversations(t *testing.T) {
	t.Parallel()
	l := library.Open()
	list, wrong := lines(t, "follow.txt"), 0
	for _, line := range list {
		f := strings.Split(line, "\t")
		got := names(l.FindAfter(f[0], f[1], 2))
		right := slices.ContainsFunc(got, func(n string) bool { return slices.Contains(strings.Split(f[2], "|"), n) })
		if right != (f[2] != "-") || f[2] == "-" && len(got) > 0 {
			wrong++
			t.Logf("%s after %q: %q, want %s", f[0], f[1], got, f[2])
		}
	}
	t.Logf("%d of %d wrong", wrong, len(list))
	if wrong*100 > 8*len(list) {
		t.Errorf("%d of %d wrong", wrong, len(list))
	}
}

// TestOwnAsks has every entry found by the questions that it says it answers.
func TestOwnAsks(t *testing.T) {
	t.Parallel()
	l := library.Open()
	asks, missed := 0, 0
	for i, e := range l.All() {
		if moottest.Race && i%10 != 0 {
			continue
		}
		for _, a := range e.Asks {
			asks++
			if got := names(l.Find(a[0], 2)); !slices.Contains(got, e.Name) {
				missed++
				t.Logf("missed: %s (%s): found %q", a[0], e.Name, got)
			}
		}
	}
	t.Logf("%d of %d asks do not find their entry", missed, asks)
	if missed*100 > 4*asks {
		t.Errorf("%d of %d asks do not find their entry", missed, asks)
	}
}

// TestEntries are what the house wants of them.
func TestEntries(t *testing.T) {
	t.Parallel()
	l := library.Open()
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
	ids, seen := map[string]bool{}, map[string]bool{}
	for _, e := range l.All() {
		if n := len(strings.Fields(e.Text)); n < 12 || n > 110 {
			t.Errorf("%s: a text of %d words", e.Name, n)
		}
		if len(e.Asks) == 0 || len(e.Tags) == 0 {
			t.Errorf("%s: no questions or no tags", e.Name)
		}
		for _, a := range e.Asks {
			if a[0] == "" || a[1] == "" {
				t.Errorf("%s: a question without words or answer", e.Name)
			}
		}
		if ids[e.ID] || !moothall.ValidToken(e.ID) {
			t.Errorf("%s: the id %s", e.Name, e.ID)
		}
		if name := strings.ToLower(e.Name); seen[name] {
			t.Errorf("%s: twice", e.Name)
		} else {
			seen[name] = true
		}
		ids[e.ID] = true
	}
}
