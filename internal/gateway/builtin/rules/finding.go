package rules

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"moothall"
)

var (
	// broke are the marks of calls that did not do what they should.
	broke = regexp.MustCompile(`^\[(?:tool failed|denied|tool unavailable|outcome unknown[^\]]*|not run|interrupted[^\]]*)\]\s*|^(?:Exit status [1-9-]|Ended: )`)
	// nothing are results that hold none.
	nothing = regexp.MustCompile(`(?i)^(?:nothing is (?:remembered|known)|no results?\b|nothing (?:was )?found|\[no output\])`)
	// wrote is what the file tools say of a file that they have written.
	wrote = regexp.MustCompile(`(?m)^(?:Created|Changed) (.+?): \d+ bytes|^(.+?) holds exactly that already`)
	hit   = regexp.MustCompile(`(?m)^\[\d+\] Title: (.+)\n\s+(?:Snippet|Claim): (.+)`)
	// recalled begins one memory in a list of them.
	recalled = regexp.MustCompile(`(?m)^\d+\. \[[^\]\n]*\] ?(?:From outside; [^\n]*\n)?`)
	printed  = regexp.MustCompile(`(?s)^Exit status (\d+)[^\n]*\n--- std(?:out|err)\n(.*?)(?:\n--- stderr\n(.*))?$`)
)

// bare is a result without the lines that the broker puts around it.
func bare(m moothall.Message) string {
	return strings.TrimSpace(envelope.ReplaceAllString(m.Content, ""))
}

// trouble says why a call brought nothing; "" when it did.
func trouble(m moothall.Message) string {
	text := bare(m)
	switch {
	case broke.MatchString(text):
		return fmt.Sprintf("%s failed: %s", m.ToolName, plainly(strings.TrimPrefix(text, broke.FindString(text)), text))
	case nothing.MatchString(text):
		return fmt.Sprintf("%s found nothing that fits", m.ToolName)
	}
	return ""
}

// plainly is a complaint in a line. What was cut off its front is put back
// where it was not a mark.
func plainly(text, whole string) string {
	if !strings.HasPrefix(whole, "[") {
		text = whole
	}
	return strings.TrimRight(clip(oneLine(text), mostSaid), ".")
}

// gist is what a tool found, or why there is nothing.
func gist(m moothall.Message, about string) (found, why string) {
	if why := trouble(m); why != "" {
		return "", why
	}
	if found = finding(m, about); found == "" {
		return "", fmt.Sprintf("%s found nothing that says something about it", m.ToolName)
	}
	return found, ""
}

// mostSaid is the most that is repeated of one finding, in bytes.
const mostSaid = 300

// finding is what a tool found, in a sentence or two, or "" where that is
// nothing; about is what it was asked for.
func finding(m moothall.Message, about string) string {
	text := bare(m)
	if best := bestHit(text, about); best != "" {
		return best
	}
	if recalled.MatchString(text) {
		return memory(text)
	}
	if p := printed.FindStringSubmatch(text); p != nil {
		return "It ran, ended with exit status " + p[1] + " and printed: " + clip(oneLine(p[2]+" "+p[3]), mostSaid)
	}
	return clip(sentences(oneLine(text), 2), mostSaid)
}

// bestHit is the first of a search's results that shares most with what was
// looked for.
func bestHit(text, about string) string {
	best, most := "", -1
	want := contentWords(about)
	for _, h := range hit.FindAllStringSubmatch(text, -1) {
		n := 0
		for w := range contentWords(h[1] + " " + h[2]) {
			if want[w] {
				n++
			}
		}
		if n > most {
			best, most = fmt.Sprintf("“%s” says: %s", strings.TrimSpace(h[1]), clip(sentences(oneLine(h[2]), 2), mostSaid)), n
		}
	}
	return best
}

// memory is the best of the memories: what the person has said comes before
// what somebody answered, and that before having been asked.
func memory(text string) string {
	starts := recalled.FindAllStringIndex(text, -1)
	best, most := "", 0
	for i, s := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		if said, worth := told(text[s[1]:end]); worth > most {
			best, most = said, worth
		}
	}
	return best
}

// told is one memory in a line, and what it is worth: nothing, when it is of
// a question that got no answer. Of a turn of a conversation what the person
// said counts, unless it was a question or an order: then its answer does.
func told(entry string) (text string, worth int) {
	asked, answered, rest := turnOf(entry)
	answered = strings.TrimSpace(notice.ReplaceAllString(answered, ""))
	switch {
	case asked == "":
		return clip(rest, mostSaid), 2
	case !strings.HasSuffix(asked, "?") && !begins(asked, true):
		return clip(asked, mostSaid), 2
	case answered == "" || givesUp.MatchString(answered):
		return "", 0
	}
	if q := innermost.FindStringSubmatch(answered); q != nil { // what it was itself told
		answered = q[1]
	}
	return clip(answered, mostSaid), 1
}

// notice is what the responder says about itself, which is no finding when it
// is remembered.
var notice = regexp.MustCompile(`I am the small responder inside Moothall[^\n]*`)

var innermost = regexp.MustCompile(`“([^“”]+)”`)

// turnOf takes a memory apart. The name before a fact is often the beginning
// of it, and is left out then.
func turnOf(entry string) (asked, answered, rest string) {
	for line := range strings.Lines(entry) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "| "))
		if s, ok := strings.CutPrefix(line, "Asked: "); ok {
			asked = s
		} else if s, ok := strings.CutPrefix(line, "Answered: "); ok {
			answered = s
		} else if strings.HasPrefix(line, strings.TrimRight(rest, ".… ")) {
			rest = line
		} else if line != "" {
			rest += " " + line
		}
	}
	return asked, answered, rest
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// clip cuts at a word.
func clip(s string, most int) string {
	s = strings.TrimSpace(s)
	if len(s) <= most {
		return s
	}
	s = strings.ToValidUTF8(s[:most], "")
	if at := strings.LastIndexByte(s, ' '); at > most/2 {
		s = s[:at]
	}
	return s + " …"
}

// sentences is the first n sentences of a line. A full stop ends one before
// a capital, a digit or nothing.
func sentences(s string, n int) string {
	for i, r := range s {
		if !strings.ContainsRune(".!?", r) {
			continue
		}
		rest := strings.TrimLeft(s[i+1:], `"”')`)
		if next := strings.TrimSpace(rest); next != "" && (rest[0] != ' ' || !unicode.IsUpper([]rune(next)[0])) {
			continue
		}
		if n--; n == 0 {
			return s[:len(s)-len(rest)]
		}
	}
	return s
}

// artifacts are the files that tools say they have written.
func artifacts(results []moothall.Message) []string {
	out := []string{}
	for _, m := range results {
		for _, w := range wrote.FindAllStringSubmatch(bare(m), -1) {
			out = append(out, strings.TrimSpace(w[1]+w[2]))
		}
	}
	return out
}
