package passage

import "strings"

// Intents that [Intent] tells apart.
const (
	IntentQuestion   = "question"
	IntentRequest    = "request"
	IntentStatement  = "statement"
	IntentPreference = "preference"
	IntentFeedback   = "feedback"
	IntentSmalltalk  = "smalltalk"
)

// Intent says what a person wants with what they say. Where several fit, a
// request or question after a greeting counts, not the greeting.
func Intent(text string) string {
	text = oneLine(text[:min(len(text), 2<<10)])
	w := words(text)
	for len(w) > 0 && greetings[w[0]] {
		w = w[1:]
	}
	s := " " + strings.Join(w, " ") + " "
	asks := strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
	switch {
	case len(w) == 0:
		return IntentSmalltalk
	case containsAny(s, smallPhrases) && len(w) <= 8:
		return IntentSmalltalk
	case politeRequest(s), !asks && requestVerbs[w[0]], w[0] == "please" && !asks:
		return IntentRequest
	case !asks && containsAny(s, preferencePhrases):
		return IntentPreference
	case !asks && containsAny(s, feedbackPhrases):
		return IntentFeedback
	case asks, questionWords[w[0]] && len(w) > 1:
		return IntentQuestion
	}
	return IntentStatement
}

func politeRequest(s string) bool {
	for _, p := range [...]string{" can you ", " could you ", " would you ", " will you ", " please "} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return containsAny(s, []string{" i want you to ", " i need you to ", " i'd like you to ", " help me "})
}

func containsAny(s string, phrases []string) bool {
	for _, p := range phrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

var (
	greetings     = setOf("hi hello hey ok okay so well oh hallo moin yo greetings thanks thank you")
	questionWords = setOf(`what when where who whom whose which why how is are was were do does did can could will would should has have
		had am may might was wer wo wann warum wie qué que quién dónde cuándo pourquoi comment`)
	requestVerbs = setOf(`write make create send show tell give find search look list explain summarize summarise translate add remove delete
		remember remind schedule book call open run draw compare calculate compute plan draft check fix help set turn play stop start update
		read convert generate describe suggest recommend forget save store note rename move copy cancel order buy`)
	smallPhrases      = []string{" how are you ", " how's it going ", " good morning ", " good evening ", " good night ", " nice to meet ", " what's up ", " how do you do ", " see you ", " goodbye ", " bye ", " have a nice "}
	preferencePhrases = []string{" i prefer ", " i like ", " i love ", " i hate ", " i dislike ", " i don't like ", " i'd rather ", " my favourite ", " my favorite ", " i always want ", " i never want ", " from now on ", " i can't stand ", " i am allergic ", " i'm allergic ", " always answer ", " never use ", " always use "}
	feedbackPhrases   = []string{" that's wrong ", " that is wrong ", " that's not ", " that is not ", " that's right ", " that is right ", " that's correct ", " wrong answer ", " good answer ", " great answer ", " good job ", " well done ", " not what i ", " you misunderstood ", " you're wrong ", " too long ", " too short ", " perfect ", " that helped ", " was helpful ", " not helpful ", " you made a mistake "}
)
