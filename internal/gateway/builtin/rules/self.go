package rules

import (
	"fmt"
	"strings"

	"moothall"
)

// selfMark is how who answers for a committee is told what it is.
const selfMark = "You answer a person's question after your inner voices have spoken."

// asSelf answers for a committee: it joins what the voices said and names who
// differs.
func asSelf(r moothall.GenerateRequest) (reply, bool) {
	if !strings.HasPrefix(system(r.Messages), selfMark) {
		return reply{}, false
	}
	said, ok := section(r.Messages, minutes)
	if !ok {
		return reply{}, false
	}
	_, voices := hearing(minutes + said.text)
	if len(voices) == 0 {
		return reply{}, false
	}
	return reply{thinking: "I join what the voices say and name who differs.", text: joined(voices)}, true
}

// joined is the answer of all voices.
func joined(voices []*heard) string {
	var out, quiet, leaning []string
	sayings, who := grouped(voices)
	for _, s := range sayings {
		out = append(out, names(who[s])+": "+ended(s))
	}
	for _, v := range voices {
		switch {
		case v.silent():
			quiet = append(quiet, v.who)
		case v.leans():
			leaning = append(leaning, v.who)
		}
	}
	if len(sayings) == 0 {
		return fmt.Sprintf("I don't know that, and none of the voices does (%s). I am the small responder inside Moothall, not a language model. %s", names(quiet), better)
	}
	if len(sayings) > 1 {
		out = append(out, "The voices differ in this, and I do not decide between them.")
	}
	if len(leaning) > 0 {
		out = append(out, "Relying on that, without knowing it: "+names(leaning)+".")
	}
	if len(quiet) > 0 {
		out = append(out, "Different, since they say that they do not know: "+names(quiet)+".")
	}
	out = append(out, sides(voices)...)
	return strings.Join(append(out, "I am the small responder inside Moothall, not a language model: I join what the voices say and weigh none of it."), " ")
}

// names are who, in a sentence.
func names(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// grouped puts voices together that say the same.
func grouped(voices []*heard) (sayings []string, who map[string][]string) {
	who = map[string][]string{}
	for _, v := range voices {
		if v.silent() || v.leans() {
			continue
		}
		text := citation(v.text)
		if text == "" {
			text = sentences(v.text, 2)
		} else {
			text = "“" + text + "”"
		}
		if who[text] == nil {
			sayings = append(sayings, text)
		}
		who[text] = append(who[text], v.who)
	}
	return sayings, who
}

// sides names who is for and who against, and every caution with its voice.
func sides(voices []*heard) (out []string) {
	at := map[string][]string{}
	for _, v := range voices {
		at[v.position] = append(at[v.position], v.who)
	}
	for _, p := range []string{"for", "against"} {
		if len(at[p]) > 0 {
			out = append(out, capital(p)+" it: "+strings.Join(at[p], ", ")+".")
		}
	}
	for _, v := range voices {
		if v.caution != "" {
			out = append(out, v.who+" warns: "+ended(v.caution))
		}
	}
	return out
}
