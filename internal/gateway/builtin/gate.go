package builtin

import (
	"slices"
	"strings"
	"unicode"

	"moothall"
	"moothall/internal/lazyregexp"
)

// The thresholds of the gate, all in one place.
const (
	// sureEnough is the mean log probability of an answer's tokens, the thought
	// not counted, from which on it may be right by itself. On 60 questions to
	// the first attempt at such a network, -0.05 together with a shared word
	// kept 23 of 30 right answers and let 1 of 17 wrong ones pass; right ones
	// that were lost did not name their subject, which training now sees to.
	sureEnough = -0.05
	// sureOfMaterial is the same for an answer from material, under which the
	// material itself is read out instead. Of 684 held-out answers, 88 of them
	// wrong, it takes away 33 wrong and 23 right ones; of those the most are
	// then in the words that are read.
	sureOfMaterial = -0.08
	// sureOfQuote is the log probability of the sentence that a thought quotes
	// from the material, as a whole. Who does not know which one answers quotes
	// the wrong one, and is then sure of what it says. Of 42 held-out answers with
	// a quotation it takes away 4 of 9 wrong ones and none of the right ones.
	sureOfQuote = -1.25
	// likelySilent is the probability with which a thought that quotes a text
	// would have said that it tells of other things. Of 210 held-out questions
	// about texts, 64 of them answered with something wrong, that takes away 16
	// wrong answers and 5 right ones; 0.2 would take away 24 and 11.
	likelySilent = 0.3
	// likelierSilent is that where the sentence has a word of the question, or
	// what its first word asks for; chosen, and not measured.
	likelierSilent = 0.5
	// saidBefore is the share of an answer's content words that must stand in
	// the conversation for it to count as recalled from there. Not all: a
	// sentence needs a word or two of its own.
	saidBefore = 0.75
	// doubtful is the log probability of a token that was taken in place of a
	// name or number that stands nowhere, under which the answer is not to be
	// trusted: the network does not know what to copy.
	doubtful = -3
	// longMessage is how many words make a message carry its own material: a
	// text to be summed up, a form to be filled in. Questions are shorter.
	longMessage = 60
	// straying is how many content words of its own an answer may not have beside
	// the sentence that its thought quotes, nor that sentence beside what was read:
	// it was to be taken from there.
	straying = 2
)

// Evidence is what is known of a plain answer when it is to be judged.
type Evidence struct {
	Question string  // the person's last words
	Material bool    // results of tools, or what was looked up, stand before the answer
	Ran      bool    // tools gave results since
	Job      bool    // it is a piece of work, or an opinion that is wanted
	Earlier  string  // what was said before in the conversation, by whomever, and what time it is
	Doubt    bool    // the network wanted to say a name or a number that stands nowhere, and had hardly another
	Answer   string  // what the network would say
	LogProb  float64 // the mean over its tokens
	Thought  string  // what it thought before it
	Unsaid   bool    // the thought takes for the person's words what they did not say
	Silent   float64 // how likely the thought was to say that the text tells of other things, where it says that it answers
	Quote    string  // the sentence that the thought quotes, where that was really read or said
	Quoted   float64 // the sum over the tokens of that sentence
}

// Verdict says whether an answer is given, and why.
type Verdict struct {
	Keep bool
	Why  string
}

var (
	// compares are questions whether one is more than another. Of what was looked
	// up the network reads one sentence and says yes.
	compares = lazyregexp.New(`(?i)\b(?:\w+er|more|less)\b.*\bthan\b`)
	yesOrNo  = lazyregexp.New(`^(?:Yes|No)\b`)
)

// Judge decides on a plain answer. The rules are tried in order; the first that
// fits keeps it.
func Judge(e Evidence) Verdict {
	question, answer := contentWords(e.Question), contentWords(address.ReplaceAllString(e.Answer, ""))
	declines := honest.MatchString(e.Answer)
	switch {
	case e.Doubt:
		return Verdict{false, "made up"}
	case !e.Material && !e.Job && stutters(answer):
		return Verdict{false, "goes in circles"}
	case !e.Job && ofItsOwn(e.Answer):
		return Verdict{false, "its own"}
	case !e.Job && !declines && strays(e, answer):
		return Verdict{false, "not what it quotes"}
	case !declines && e.invents():
		return Verdict{false, "quotes what stands nowhere"}
	case !declines && e.echoes(answer):
		return Verdict{false, "what only the question says"}
	case e.Material && !e.Job && !declines && e.beside() && e.untold():
		return Verdict{false, "beside the question"}
	case e.Material && !e.Job && !declines && e.ofOthers():
		return Verdict{false, "what another entry says"}
	case e.Material && !e.Ran && !e.Job && compares.MatchString(asks(e.Question)) && yesOrNo.MatchString(e.Answer):
		return Verdict{false, "compares nothing"}
	case e.Material && !e.Job && !declines && (e.LogProb < sureOfMaterial || e.Quoted < sureOfQuote) && (e.Ran || !betweenUs(e)):
		return Verdict{false, "not sure of the material"}
	case e.Material:
		return Verdict{true, "material"}
	case smallTalk.MatchString(e.Question), e.LogProb >= sureOfMaterial && ofItself.MatchString(e.Thought):
		return Verdict{true, "about itself or small talk"}
	case declines, silent.MatchString(e.Answer):
		return Verdict{true, "says that it does not know"}
	case betweenUs(e), isKind(e):
		return Verdict{true, "claims nothing"}
	case recalls(append(e.wanted(), question...), answer, contentWords(e.Earlier)):
		return Verdict{true, "said before"}
	case e.LogProb >= sureOfMaterial && saidWith(e.Question, answer, e.wanted()...):
		return Verdict{true, "said with the question"}
	case e.LogProb >= sureEnough && shares(question, answer) > 0:
		return Verdict{true, "sure, and of what was asked"}
	case e.LogProb < sureEnough:
		return Verdict{false, "not sure"}
	}
	return Verdict{false, "not of what was asked"}
}

// ofItsOwn reports whether an answer says of something that it is its own: "Australia
// is the largest city of Australia".
func ofItsOwn(answer string) bool {
	m := isOf.FindStringSubmatch(answer)
	return m != nil && strings.EqualFold(m[1], m[2])
}

var isOf = lazyregexp.New(`^(?:The )?(\p{Lu}\pL+(?: \p{Lu}\pL+)*) (?:is|was) (?:an? |the )?[^.!?]*?\bof (?:the )?(\p{Lu}\pL+(?: \p{Lu}\pL+)*)`)

// stutters reports whether two words come one after the other three times, as in
// "the terminal covers terminal covers terminal covers", or something is its own:
// "your dentist's dentist".
func stutters(words []string) bool {
	seen := map[[2]string]int{}
	for i := range len(words) - 1 {
		pair := [2]string{words[i], words[i+1]}
		if seen[pair]++; seen[pair] == 3 || pair[0] == pair[1]+"'s" {
			return true
		}
	}
	return false
}

// strays reports whether an answer says other things than the sentence that its
// thought quotes for it.
func strays(e Evidence, answer []string) bool {
	known := contentWords(e.Thought + " " + asks(e.Question))
	return e.Quote != "" && len(answer)-shares(known, answer) >= straying
}

// fromEntry are the thoughts before an answer that is read from an entry of the
// library; see train/gen.
var fromEntry = lazyregexp.New(`(?i)\bentry( on [^:\n]{1,80})? says:`)

// invents reports whether a thought quotes an entry that does not say so: what it
// quotes has words that stand nowhere.
func (e Evidence) invents() bool {
	at := fromEntry.FindStringIndex(e.Thought)
	if at == nil || e.Quote != "" || e.Job {
		return false
	}
	words := contentWords(e.Thought[at[1]:])
	return len(words)-akin(contentWords(e.read()), words) >= straying
}

// echoes reports whether an answer to something that was looked up repeats a word
// of the question that stands nowhere else: who sang Swan Lake is not to be read
// from who composed it.
func (e Evidence) echoes(answer []string) bool {
	if !e.Material || e.Ran || e.Job || !fromEntry.MatchString(e.Thought) || silent.MatchString(e.Answer) {
		return false
	}
	question, read := contentWords(asks(e.Question)), contentWords(e.read())
	return slices.ContainsFunc(answer, func(w string) bool { return has(question, w) && !has(read, w) })
}

// ofText is a thought about a text that has said the question, and now goes on
// with what the text says, or with ofOther; see train/gen.
var ofText = lazyregexp.New(`: the (text|file|page)(?: above)?$`)

// ofOther is how a thought goes on that does not find the answer in a text.
const ofOther = " tells of other things"

// notSaid is said of a text or a page that has no answer.
func notSaid(where string) string { return "The " + where + " does not say that, as far as I can see." }

// lacks is an answer of that kind in words that the network can be sure of: it knows
// that the answer is not there, and not how to name what is not. Empty: it says
// something, or the thought has found something.
func (e Evidence) lacks() string {
	before, _, other := strings.Cut(e.Thought, ofOther)
	where := ofText.FindStringSubmatch(before)
	switch {
	case e.Job:
	case e.Thought == searchedInVain && noHits.MatchString(e.Answer):
		return "The search found nothing about that, as far as I can see."
	case other && where != nil && silent.MatchString(e.Answer):
		return notSaid(where[1])
	}
	return ""
}

// searchedInVain is the thought of a search that found nothing of use, noHits what
// it answers; see train/gen.
const searchedInVain = "The results are about other things."

var noHits = lazyregexp.New(`^The search found nothing about [^.!?]+[.!?]?$`)

// notThere is said where a text may well not have the answer. Empty: it has one,
// or nothing was claimed.
func (e Evidence) notThere() string {
	before, _, _ := strings.Cut(e.Thought, quotes)
	where := ofText.FindStringSubmatch(before)
	if where == nil || honest.MatchString(e.Answer) || silent.MatchString(e.Answer) {
		return ""
	}
	least := likelySilent
	if asked := contentWords(asks(e.Question)); akin(contentWords(e.Quote), asked) > 0 || tells(asks(e.Question), e.Quote) {
		least = likelierSilent
	}
	if e.Silent < least {
		return ""
	}
	return notSaid(where[1])
}

// Thoughts that say the question and which entry answers it; the second says a
// follow-up in full; see train/gen.
var (
	ofEntry = lazyregexp.New(`^(.+): the entry on ([^:\n]{1,80}) says:`)
	ofIts   = lazyregexp.New(`^(?:They mean|The same question, now for) ([^:\n]{1,80}): (.+); its entry says:`)
)

// entry is which entry such a thought names, and the question as it says it.
func (e Evidence) entry() (name, question string, ok bool) {
	if m := ofEntry.FindStringSubmatch(e.Thought); m != nil {
		return m[2], m[1], true
	}
	if m := ofIts.FindStringSubmatch(e.Thought); m != nil {
		return m[1], m[2], true
	}
	return "", "", false
}

// beside reports whether the sentence that a thought quotes from an entry has less
// than half of the question's words, so that it is not worth reading out: who won
// the election in France is not told by where France lies. A follow-up that is said
// in full has its words from two questions, so there it must lack what is asked for
// as well: a length, a number, a reason, a name.
func (e Evidence) beside() bool {
	name, question, ok := e.entry()
	if !ok || e.Ran {
		return false
	}
	asked := contentWords(question)
	return 2*akin(contentWords(name+" "+e.Quote), asked) < len(asked) && (ofEntry.MatchString(e.Thought) || e.untold())
}

// untold reports whether the quoted sentence lacks what the question's first word asks
// for.
func (e Evidence) untold() bool {
	return asksForSigns(asks(e.Question)) && !tells(asks(e.Question), e.Quote)
}

// ofOthers reports whether a thought takes for one entry's what only another one
// says: how many people live in London, of Iceland.
func (e Evidence) ofOthers() bool {
	name, _, ok := e.entry()
	words := contentWords(name)
	if !ok || e.Ran || e.Quote == "" || len(words) == 0 || akin(contentWords(e.Quote), words) > 0 {
		return false
	}
	others := false
	for line := range strings.Lines(e.read()) {
		head, text, entry := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
		if !entry || !strings.HasPrefix(line, "- ") || !strings.Contains(oneLine(text), strings.TrimRight(e.Quote, ".")) {
			continue
		}
		if akin(contentWords(head), words) > 0 {
			return false
		}
		others = true
	}
	return others
}

// recalls reports whether an answer takes something up that was said before the
// question, and hardly anything else.
func recalls(question, answer, earlier []string) bool {
	known, said, fresh := 0, 0, false
	for _, w := range answer {
		switch {
		case has(earlier, w):
			known++
			said++
			fresh = fresh || !has(question, w)
		case has(question, w):
			known++
		}
	}
	whole := said == len(answer) && said > 0 // nothing but what was said, though the question names it too
	return (fresh || whole) && float64(known) >= saidBefore*float64(len(answer))
}

// saidWith reports whether an answer takes something up that stands beside the
// question in the same message, and hardly anything else: a few lines that the
// person gives to read.
func saidWith(message string, answer []string, wanted ...string) bool {
	var told, asked, last string
	for message != "" {
		told += " " + last
		if last, message = nextSentence(message); strings.HasSuffix(last, "?") {
			asked, last = asked+" "+last, ""
		}
	}
	if asked != "" {
		told, last = told+" "+last, ""
	}
	return recalls(append(contentWords(asked+" "+last), wanted...), answer, contentWords(told))
}

// superlative begins a thought that looks for the most or the least of several, and
// says in its own words what is asked: "the least" of who ran the fewest kilometres.
var superlative = lazyregexp.New(`^Wanted is ([^.]+)\.`)

func (e Evidence) wanted() []string {
	if m := superlative.FindStringSubmatch(e.Thought); m != nil {
		return contentWords(m[1])
	}
	return nil
}

// shares counts the words of b that stand in a.
func shares(a, b []string) int {
	n := 0
	for _, w := range b {
		if has(a, w) {
			n++
		}
	}
	return n
}

// has finds a word or one with the same stem: the first letters do for English.
func has(list []string, word string) bool {
	const stem = 5
	return slices.ContainsFunc(list, func(w string) bool {
		return w == word || len(w) >= stem && len(word) >= stem && w[:stem] == word[:stem]
	})
}

// smallTalk are the questions that it can answer from itself. A greeting before
// a question, and "do you know who ...", are none.
var smallTalk = lazyregexp.New(`(?i)^\W*(hi|hello|hey|good (morning|afternoon|evening|night)|thanks|thank you|bye|goodbye|see you|cheers|ok|okay|great|nice|cool|yes|no|sorry|stop)\b[^?]{0,16}$` +
	`|\b(who|what|how (old|big|large|small|smart|good)) are you\b|\bhow are you\b|\bare you (a|an|the|real|human|alive|there|ok|online|offline|chatgpt)\b` +
	`|\b(what|which) (model|language model|ai) (are|is) (you|this|that|answering|running|it)\b|\bmoothall\b|\bwhat (else )?(can|could) you do\b|\bwho (made|built|trained|wrote) you\b|\byour name\b|\babout yourself\b` +
	`|^\W*(can|could|will) you (help|help me|hear me|see me|understand me|speak \w+|think|learn)\W*$|\bdo you (feel|sleep|dream|learn|have (a name|a body|feelings))\b`)

// ofItself are the thoughts before an answer about the model or the program; see
// train/gen. Such a question has more wordings than can be listed.
var ofItself = lazyregexp.New(`^They ask (who or what I am|which model I am|who made me|how I am|what I can do|where their data goes|about my memory|what Moothall is|whether I am there)\b`)

// honest are answers that claim nothing.
var honest = lazyregexp.New(`(?i)\b(i|i'm|i am) (do not|don't|don’t|cannot|can't|can’t|could not|couldn't|couldn’t|did not|didn't|didn’t|have no|not sure|not able|unable|know nothing|only speak|only understand)\b|\b(noted|no tool)\b`)

// silent are answers that only say that a text does not tell.
var silent = lazyregexp.New(`^[^.!?]{1,80} (does not|doesn't|doesn’t|do not|don't|don’t) (say|tell|mention)\b[^.!?]*[.!?]?$`)

// plainWords carry no content of their own.
var plainWords = strings.Fields("the and for are was were you your yours mine our ours his her hers its their theirs this that these those with from into onto about over under what which who whom whose when where why how can could will would shall should may might must have has had does did done been being not but nor yet also too very just more most much many some any all each every other another such than then there here them they she him one two tell give show say said says please let get got make made know like want need it's i'm don't")

// contentWords are the words that carry what is spoken of, in lower case.
func contentWords(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
	return slices.DeleteFunc(words, func(w string) bool {
		return len(w) < 2 || len(w) == 2 && !strings.ContainsFunc(w, unicode.IsDigit) || slices.Contains(plainWords, w)
	})
}

// gated reports whether a plain answer to a request would be judged: a person
// asks, and it is no form. The role chooses no model here; it is the only sign
// of a person where no tools are offered.
func gated(r moothall.GenerateRequest) bool {
	return len(r.Schema) == 0 && (len(r.Tools) > 0 || r.Role == moothall.ModelChat)
}

// said is the date that the hall puts before a person's words.
var said = lazyregexp.New(`^It is \w+, [^\n]*\d\d:\d\d\.\n\n`)

// What the hall writes before what it looked up for a question, and before what
// a person gives with one.
const (
	lookedUp = "What was looked up for this question"
	given    = "\n\n<context>\n"
)

// What is written where a message carries material, and where it is no person's
// question but a piece of work.
var (
	marks = []string{lookedUp, given, "```", "[TOOL_RESULT"}
	jobs  = []string{"What the voices have said so far", "fitting this JSON schema", "--- begin ", "The person's request:\n", "Your task:\n", "The text between the marks is"}
)

// voices are words of the rules that the committee's voices are given.
var voices = []string{"inner committee", "inner voices"}

// notes begin what the hall itself says at the end of a conversation: no words
// of a person.
var notes = []string{"No tool can be called any more.", "Your last reply was empty.", "You said what you were going to do, but called no tool."}

// person is what a person said in a message of that role: without the date
// before it and the hall's note after it.
func person(content string) string {
	text := said.ReplaceAllString(content, "")
	for _, n := range notes {
		if strings.HasPrefix(text, n) {
			return ""
		}
		text, _, _ = strings.Cut(text, "\n\n"+n)
	}
	return text
}

// evidence reads what stands before the answer.
func evidence(messages []moothall.Message) Evidence {
	var e Evidence
	var earlier []string
	asked := false
	for _, m := range slices.Backward(messages) {
		switch text := person(m.Content); {
		case m.Role == moothall.RoleSystem:
			e.Job = e.Job || slices.ContainsFunc(voices, func(s string) bool { return strings.Contains(m.Content, s) })
		case m.Role == moothall.RoleTool && !asked:
			e.Material, e.Ran = true, true
		case m.Role == moothall.RoleTool:
			earlier = append(earlier, m.Content)
		case m.Role == moothall.RoleAssistant && asked:
			earlier = append(earlier, m.Content) // it passed the gate itself
		case m.Role != moothall.RoleUser || text == "":
		case asked:
			earlier = append(earlier, text)
		default:
			asked = true
			e.Question = text
			if clock := strings.TrimSpace(said.FindString(m.Content)); clock != "" {
				earlier = append(earlier, clock)
			}
			work := slices.ContainsFunc(jobs, func(s string) bool { return strings.Contains(text, s) })
			e.Job = e.Job || work
			e.Material = e.Material || work || carries(text)
		}
	}
	e.Earlier = strings.Join(earlier, "\n")
	return e
}

// carries reports whether a message has material in it.
func carries(text string) bool {
	return len(strings.Fields(text)) >= longMessage || slices.ContainsFunc(marks, func(s string) bool { return strings.Contains(text, s) })
}

// year is one that somebody asks about: after a small word, or at the end.
var year = lazyregexp.New(`(?i)\b(?:in|of|for|from|since|during|until|by)(?: the year)? (1\d{3}|20\d{2})\b|\b(1\d{3}|20\d{2})\W*$|\bthe ((?:18|19|20)\d{2}) \pL`)

// anyYear is what an answer has that sets a wrong year right: another one.
var anyYear = lazyregexp.New(`\b[12]\d{3}\b`)

// ofAnotherTime reports whether the question names a year that stands nowhere in
// what was looked up for it, so that nothing there can be its answer: who won in
// 2030 is not to be found in the rules of the game.
func (e Evidence) ofAnotherTime() bool {
	asked := asks(e.Question)
	corrects := slices.ContainsFunc(anyYear.FindAllString(e.Answer, -1), func(y string) bool { return !strings.Contains(asked, y) })
	if !e.Material || e.Ran || e.Job || corrects || !strings.Contains(e.Question, lookedUp) || honest.MatchString(e.Answer) || silent.MatchString(e.Answer) {
		return false
	}
	read := e.read()
	return slices.ContainsFunc(year.FindAllStringSubmatch(asked, -1), func(m []string) bool { return !strings.Contains(read, m[1]+m[2]+m[3]) })
}

// read is all that stands before an answer but the words that ask.
func (e Evidence) read() string {
	return strings.Replace(e.Question, strings.TrimSpace(asks(e.Question)), "", 1) + "\n" + e.Earlier
}

// stands reports whether an answer would be kept whatever it says, so that it
// can be streamed.
func (e Evidence) stands() bool { return e.Material || smallTalk.MatchString(e.Question) }

// reports reports whether an answer tells a person what stands in material, so
// that its names and numbers must stand there. A piece of work has its own form,
// and a voice of the committee its own opinion.
func (e Evidence) reports() bool { return e.Material && !e.Job }

// forgotten is said in place of what a person never told.
const forgotten = "I don't remember anything about that. Tell me, and I will keep it in mind."

// unknown is said in place of an answer that stands on nothing.
func unknown(tools []moothall.ToolSpec) string {
	out := "I don't know that offline. I am the very small model inside Moothall, and I would only be guessing."
	for _, t := range tools {
		if strings.Contains(string(t.Name), "web_search") || strings.Contains(strings.ToLower(t.Description), "searches the web") {
			out += " You can ask me to search the web for it."
			break
		}
	}
	return out + " A larger model would help: install Ollama (https://ollama.com) and run: ollama pull qwen3:4b"
}
