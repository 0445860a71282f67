package rules

import (
	"fmt"
	"strings"

	"moothall"
)

// asWriter puts the final answer of a task together when that is asked for.
func asWriter(r moothall.GenerateRequest) (reply, bool) {
	asked, ok := section(r.Messages, requestMark)
	if !ok || !strings.HasSuffix("\n\n"+asked.text, answerEnd) {
		return reply{}, false
	}
	list := results(asked.before)
	var said, failures []string
	for _, h := range list {
		switch {
		case strings.HasPrefix(h.Summary, puttingTogether): // it has what the others say
		case h.Summary != "":
			said = append(said, ended(h.Summary))
		case h.Status == "failed":
			failures = append(failures, fmt.Sprintf("%s was not done: %s", h.ID, strings.TrimRight(h.Failure, ".")))
		}
	}
	if len(said) == 0 && len(failures) == 0 {
		return reply{}, false
	}
	for _, f := range failures {
		said = append(said, ended(f))
	}
	said = append(said, "(The small responder inside Moothall joined these reports; it weighs and adds nothing.)")
	return reply{thinking: "I join what the agents report.", text: strings.Join(said, "\n\n")}, true
}
