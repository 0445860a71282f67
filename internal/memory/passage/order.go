package passage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall/internal/lazyregexp"
)

// verdict is what a clause is to its reader.
type verdict int

const (
	statement verdict = iota
	advice            // it tells the reader to do something harmless
	order             // it tells the reader to do something with an effect
)

// judge decides by the words a clause opens with.
func judge(w []string) verdict {
	w = skipOpeners(w)
	if len(w) == 0 {
		return statement
	}
	if len(w) >= 3 && w[0] == "you" && (duty[w[1]] || choice[w[1]]) {
		if duty[w[1]] && anyOf(w[2:], orderVerbs) {
			return order
		}
		return advice
	}
	if w[0] == "make" && len(w) > 1 && w[1] == "sure" || w[0] == "be" && len(w) > 1 && w[1] == "sure" {
		return order
	}
	if asksReader(w) {
		return order
	}
	if w[0] == "do" && len(w) > 1 && w[1] == "not" {
		w = w[1:]
	}
	if (w[0] == "not" || w[0] == "don't" || w[0] == "never" || w[0] == "always") && len(w) > 1 {
		w = w[1:]
	}
	switch {
	case orderVerbs[w[0]] && imperative(w):
		if householdVerbs[w[0]] && anyOf(w, harmlessObject) {
			return advice
		}
		return order
	case adviceVerbs[w[0]] && imperative(w):
		return advice
	}
	return statement
}

// asksReader tells whether a clause asks the reader for a service ("can you
// send", "reverse your answer"), whatever the verb.
func asksReader(w []string) bool {
	if len(w) < 3 {
		return false
	}
	if w[1] == "you" {
		return w[0] == "can" || w[0] == "could" || w[0] == "would" || w[0] == "will"
	}
	return w[1] == "your" && (w[2] == "answer" || w[2] == "response" || w[2] == "reply" || w[2] == "output") && !statementOpeners[w[0]]
}

// imperative tells an order from a noun at the head of a statement: "send the
// file" from "email is slow" and "report of the year". A verb in one of the
// next words' places says that what opens the clause is its subject.
func imperative(w []string) bool {
	if len(w) == 1 {
		return false
	}
	switch w[1] {
	case "is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "may", "of", "by", "and", "or", "does", "did":
		return false
	}
	return true
}

// skipOpeners leaves out politeness, order words and the name of whom it is
// said to.
func skipOpeners(w []string) []string {
	for len(w) > 0 && openerWords[w[0]] {
		w = w[1:]
	}
	return w
}

// steers tells whether a sentence speaks to or about an assistant in order to
// change what it does.
func steers(w []string) bool {
	if !slices.ContainsFunc(w, triggers) {
		return false
	}
	s := " " + strings.Join(w, " ") + " "
	return steering.MatchString(s) || aboutAssistant.MatchString(s)
}

// triggers tells whether a word may be part of a steering phrase; every phrase
// has one. Most sentences have none and are spared the expressions.
func triggers(w string) bool { return triggerWords[w] || w[0] >= utf8.RuneSelf }

// steering are phrases that only text meant for a model has, in the languages
// that such text is commonly written in.
var steering = lazyregexp.New(` (?:` + strings.Join([]string{
	`(?:ignore|disregard|forget|override|bypass|neglect|overlook) (?:\w+ ){0,4}(?:instructions?|prompts?|rules?|guidelines?|context|directions?|messages?|commands?|above|tasks?|constraints?)`,
	`(?:previous|prior|earlier|above|original|system|new|following|updated|hidden|secret|special) (?:instructions?|prompts?|directives?)`,
	`you are (?:now|no longer|going to|an? (?:\w+ )?(?:ai|assistant|agent|bot|model|chatbot))`,
	`(?:if|when|since|as) you (?:are|re) (?:an? )?(?:\w+ )?(?:ai|assistant|agent|bot|model|llm|chatbot|reading|processing|summari[sz]ing)`,
	`(?:pretend|act as|roleplay|role play|respond as|behave as)`,
	`(?:from now on|jailbreak|developer mode|dan mode|system prompt|prompt injection|system message|system override|admin override|end of (?:document|context|input|data))`,
	`(?:do not|don't|never|without) (?:tell|telling|inform|informing|mention|mentioning|reveal|alert|notify|warn|asking|ask|show)(?: \w+){0,3} (?:user|users|person|human|owner|anyone|them|this|that)`,
	`(?:the|your|this) (?:user|human|owner) (?:has )?(?:already )?(?:wants?|asked|asks|authori[sz]ed|approved|agreed|confirmed|requested|allowed|consented)`,
	`(?:use|call|invoke|run|execute|trigger) (?:the|your|a|this) (?:\w+ ){0,2}(?:tools?|functions?|commands?|scripts?|shell|terminal)`,
	`(?:in|with|to) your (?:next )?(?:reply|response|answer|answers|responses|output|summary)`,
	`(?:before|after|while|when) (?:you )?(?:answer|answering|respond|responding|reply|replying|summari[sz]e|summari[sz]ing)`,
	`(?:ignoriere|vergiss|missachte|ignorez|oubliez|ignora|ignore|olvida|olvide|ignorieren sie|esqueça|dimentica) (?:\w+ ){0,4}(?:anweisungen|befehle|instructions|consignes|instrucciones|instruções|istruzioni|regeln|règles|reglas)`,
}, "|") + `) |忽略(?:之前|以上|先前|所有)|无视(?:之前|以上|所有)|以前の指示|これまでの指示|игнорируй`)

// aboutAssistant are statements of what an assistant has to do.
var aboutAssistant = lazyregexp.New(` (?:assistants?|ais?|agents?|llms?|language models?|chatbots?|bots?|models?|claude|chatgpt|gpt|gemini|copilot)(?: \w+){0,4} (?:must|should|shall|has to|have to|needs? to|is to|are to|is required to|are required to|is instructed to|ought to|will now) `)

// words lists the words of a clause in lower case, apostrophes inside them
// kept: around a word they are quotes.
func words(s string) []string {
	s = strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	list := strings.FieldsFunc(s, func(r rune) bool { return !wordRune(r) && !unicode.IsMark(r) && r != '\'' })
	for i, w := range list {
		list[i] = strings.Trim(w, "'")
	}
	return slices.DeleteFunc(list, func(w string) bool { return w == "" })
}

func anyOf(w []string, set map[string]bool) bool {
	for _, x := range w {
		if set[x] {
			return true
		}
	}
	return false
}

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

var (
	triggerWords = setOf(`ignore disregard forget override bypass neglect overlook instruction instructions prompt prompts directive directives
		you pretend act roleplay role respond behave now jailbreak mode system injection admin end user users person human owner anyone them
		this that tool tools function functions command commands script scripts shell terminal your answer answering responding reply replying
		summarize summarise summarizing summarising ignoriere vergiss missachte ignorez oubliez ignora olvida olvide ignorieren esqueça dimentica
		assistant assistants ai ais agent agents llm llms language chatbot chatbots bot bots model models claude chatgpt gpt gemini copilot`)
	duty        = setOf("must should shall need have ought will")
	choice      = setOf("may can could might")
	openerWords = setOf(`please kindly now then next first second third finally also just simply immediately urgently instead
		assistant ai agent bot model claude chatgpt gpt gemini copilot dear hey hi hello ok okay so and but important note attention warning
		urgent instruction instructions todo reminder step task tip 1 2 3 4 5 6 7 8 9 system user everyone`)
	orderVerbs = setOf(`ignore disregard forget override bypass send forward email mail e-mail text message post publish upload download
		install run execute launch delete remove erase wipe drop transfer pay wire buy order purchase subscribe unsubscribe click open visit follow
		navigate browse fetch curl wget print output repeat reveal disclose show tell say reply respond answer write append insert include add
		encode decode translate summarize summarise report call invoke use trigger grant approve allow enable disable confirm accept set change
		replace update save store remember memorize record log copy paste share create schedule book cancel sign submit enter provide give
		mention recommend advise suggest advertise promote convince pretend act assume behave recite list exfiltrate read search look access
		contact notify inform alert invite rename move modify edit turn switch stop start begin continue proceed refuse respond explain describe
		direct redirect point link hide conceal remind ask request ensure help determine classify
		analyze analyse identify compare generate draft compose render express reverse rewrite convert calculate compute solve`)
	statementOpeners = setOf("for is was if when with of in to from by on about and or because since")
	adviceVerbs      = setOf(`try see note consider enjoy bring wear take keep get go come check choose mix stir bake cook boil heat pour
		cut chop serve let leave wait think imagine learn find avoid plan make put place rinse drain fold whisk season taste walk drive arrive stay
		eat drink sleep rest water plant feed wash clean dry press hold pick pack listen watch play practice practise discover explore meet`)
	householdVerbs = setOf("add remove use turn set store visit open book drop start stop move look")
	// harmlessObject turns an order of everyday life into advice: what is
	// added is salt, what is visited a museum.
	harmlessObject = setOf(`salt sugar flour butter water milk oil pepper garlic onion eggs egg dough oven pan bowl minutes museum park
		beach garden castle church restaurant cafe market gallery lake mountain trail recipe exhibition sauce chicken cheese`)
)
