package builtin

import (
	"strconv"
	"strings"

	"moothall"
	"moothall/internal/lazyregexp"
)

// longNumber is a number as the calculator gives one that has no end, and cameAbout
// such a result of it.
var (
	longNumber = lazyregexp.New(`(?:\babout )?(\d+\.\d{7,})`)
	cameAbout  = lazyregexp.New(` ≈ (\d+\.\d{7,})`)
)

// rounded is an answer in which a number that the calculator gave without its end has
// two places: "about 11.67" and not 11.6666666666667.
func rounded(answer string, messages []moothall.Message) string {
	found := results(messages)
	if len(found) == 0 || found[len(found)-1].call.Name != calculates {
		return answer
	}
	came := cameAbout.FindStringSubmatch(found[len(found)-1].text)
	if came == nil {
		return answer
	}
	short := came[1]
	if n, err := strconv.ParseFloat(came[1], 64); err == nil && n >= 0.01 {
		short = strconv.FormatFloat(n, 'f', 2, 64)
	}
	return longNumber.ReplaceAllStringFunc(answer, func(m string) string {
		if strings.TrimPrefix(m, "about ") != came[1] {
			return m
		}
		return "about " + short
	})
}
