package rules

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"moothall"
)

// How a voice of a committee is told who it is.
const (
	voiceMark = "You are one voice of an inner committee."
	nameMark  = "\n\nYour name is "
)

var (
	// minutes begin what the voices have said; entry is the head of each.
	minutes = "What the voices have said so far."
	entry   = regexp.MustCompile(`^(You, )?(.+), round (\d+)(?: \(.*\))?:$`)
	// concern is a voice's first sentence about itself.
	concern = regexp.MustCompile(`^You are ([^.\n]+)\.`)
	// digs are voices that look things up whatever the question is.
	digs = regexp.MustCompile(`(?i)\blook(?:s)? (?:\w+ )?up\b|\bsearch(?:es)?\b`)
)

// noPosition ends what a voice says: rules hold no opinion.
const noPosition = "\nPosition: none\nCaution: none"

// asVoice speaks as a voice of a committee: it says what its tools found for
// the question, or that it does not know.
func asVoice(r moothall.GenerateRequest) (reply, bool) {
	told := system(r.Messages)
	_, self, ok := strings.Cut(told, nameMark)
	if !ok || !strings.HasPrefix(told, voiceMark) {
		return reply{}, false
	}
	name, character, _ := strings.Cut(self, ". ")
	said, found := lastQuestion(r.Messages)
	question, heard := hearing(said)
	speak := func(thinking, words string) (reply, bool) {
		return reply{thinking: thinking, text: as(name, character) + words + noPosition}, true
	}
	if len(found) == 0 {
		own, others := apart(heard)
		if own != nil {
			return speak("I have heard the others.", again(own, others))
		}
		if call, why, ok := voiceTool(question, character, r.Tools); ok {
			return reply{thinking: why, calls: []moothall.ToolCall{call}}, true
		}
		if known, ok := knows(question, nil); ok {
			return speak("It is in my table.", "I know this: "+known)
		}
		if knowing(others) != nil {
			return speak("Another voice knows more.", again(nil, others))
		}
		return speak("No tool of mine is for this.", "I do not know: I am the small responder inside Moothall, and the question asks for nothing that my tools find.")
	}
	last := found[len(found)-1]
	text, why := gist(last, question)
	if why != "" {
		return speak("The tool brought nothing.", "I do not know: I am the small responder inside Moothall, and "+why+".")
	}
	return speak("The tool has answered.", fmt.Sprintf("I go by what %s found: “%s”", last.ToolName, text))
}

// as names a voice and its concern, in the words in which it was told.
func as(name, character string) string {
	if c := concern.FindStringSubmatch(strings.TrimSpace(character)); c != nil {
		return "As " + c[1] + ", "
	}
	return "As " + name + ", "
}

// voiceTool is the tool for which the question asks. A voice whose character
// is to look things up also searches memory where the question names none.
func voiceTool(question, character string, tools []moothall.ToolSpec) (moothall.ToolCall, string, bool) {
	if call, why, ok := chooseTool(question, tools); ok {
		return call, why, true
	}
	spec, ok := step{tool: memories}.offered(tools)
	if !ok || !digs.MatchString(character) {
		return moothall.ToolCall{}, "", false
	}
	args, err := json.Marshal(map[string]string{"query": clip(oneLine(question), 1000)})
	return moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: spec.Name, Arguments: args},
		"It is my part to look things up.", err == nil
}

// heard is what one voice said last.
type heard struct {
	who      string
	own      bool
	text     string
	position string // for, against; "" for all else
	caution  string
}

// hearing takes the minutes out of what was asked, and returns the question
// and what each voice said last.
func hearing(said string) (question string, voices []*heard) {
	at := strings.Index("\n"+said, "\n"+minutes)
	if at < 0 {
		return strings.TrimSpace(said), nil
	}
	kept := []string{said[:at]}
	var now *heard
	for line := range strings.SplitSeq(said[at:], "\n") {
		if e := entry.FindStringSubmatch(line); e != nil {
			now, voices = turn(voices, e[2])
			now.own = e[1] != ""
		} else if words, ok := strings.CutPrefix(line, "| "); ok && now != nil {
			now.add(words)
		} else if !strings.HasPrefix(line, minutes) && line != "|" {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n")), voices
}

// turn gives a voice the floor; what it said before is over.
func turn(voices []*heard, who string) (*heard, []*heard) {
	for _, v := range voices {
		if v.who == who {
			*v = heard{who: who}
			return v, voices
		}
	}
	v := &heard{who: who}
	return v, append(voices, v)
}

// add takes in a line. The last two of the form are no words of the voice.
func (v *heard) add(line string) {
	label, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	switch strings.ToLower(strings.Trim(label, " *_")) {
	case "position":
		if p := strings.ToLower(strings.Trim(value, " .*_")); p == "for" || p == "against" {
			v.position = p
		}
	case "caution":
		if !strings.HasPrefix(strings.ToLower(value), "none") {
			v.caution = value
		}
	default:
		v.text = strings.TrimSpace(v.text + " " + line)
	}
}

// silent reports whether a voice said that it does not know.
func (v *heard) silent() bool { return v.text == "" || givesUp.MatchString(v.text) }

func apart(voices []*heard) (own *heard, others []*heard) {
	for _, v := range voices {
		if v.own {
			own = v
		} else {
			others = append(others, v)
		}
	}
	return own, others
}

// leans reports whether a voice said that it relies on another.
func (v *heard) leans() bool { return strings.Contains(v.text, leaning) }

// knowing is the first voice that has something to say itself.
func knowing(voices []*heard) *heard {
	for _, v := range voices {
		if !v.silent() && !v.leans() {
			return v
		}
	}
	return nil
}

// leaning is how a voice says that another knows more.
const leaning = "I know nothing of my own and rely on "

// again is what a voice says in a later round.
func again(own *heard, others []*heard) string {
	if own != nil && !own.silent() {
		return "I stay with it" + behind(own.text)
	}
	if k := knowing(others); k != nil {
		return leaning + k.who + behind(k.text)
	}
	return "I do not know, and have heard nothing that tells me: I am the small responder inside Moothall."
}

// behind is a saying without whom it is from.
func behind(text string) string {
	if q := citation(text); q != "" {
		return ": “" + q + "”"
	}
	return ": " + sentences(text, 1)
}

// quoted is what stands between a saying's quotation marks, its own and all
// within.
var quoted = regexp.MustCompile(`“(.+)”`)

func citation(text string) string {
	if q := quoted.FindStringSubmatch(text); q != nil {
		return q[1]
	}
	return ""
}
