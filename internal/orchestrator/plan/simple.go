package plan

import (
	"strings"
	"unicode"
)

// maxSimple is how many words a request may have to be taken for simple.
const maxSimple = 24

// acts are words that begin an order. They stand here in their plain forms;
// a request in a language that is not here goes to the model, which decides.
var acts = words(`write create build make implement code program fix mend repair refactor test run execute install
	deploy configure set update upgrade download fetch research investigate compare analyse analyze summarise summarize
	collect gather list find search check verify review plan design draft prepare send save store delete remove rename
	move copy convert translate measure benchmark document report back restart read schreibe erstelle baue suche prüfe
	vergleiche installiere lösche`)

// joints are words that put one order behind another.
var joints = words(`and then afterwards also finally next after before und dann danach anschließend außerdem zuerst zuletzt`)

// asking are words that begin a question.
var asking = words(`what who whom whose which when where why how is are was were do does did can could will would should
	am has have had may might tell explain define hi hello thanks thank was wer wem wen wann wo warum wie ist sind kann
	welche welcher welches erkläre`)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

// Simple reports whether a request is surely one question for one agent: it
// is short, asks or greets, and orders nothing that has several parts. When
// in doubt it is not, and a model decides.
func Simple(text string) bool {
	list := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
	if len(list) == 0 || len(list) > maxSimple || strings.Count(text, "\n") > 1 || !asking[list[0]] {
		return false
	}
	orders := 0
	for i, w := range list {
		// An order counts where one can begin: first, or behind a joint.
		if acts[w] && (i == 0 || joints[list[i-1]]) {
			orders++
		}
	}
	return orders == 0 && strings.Count(text, "?") <= 1
}
