package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"moothall"
)

// receiptLine says in one line what a turn cost and touched:
//
//	0 bytes left this machine · 312 tokens · 1.2 s · builtin/moothall-mini, very small · record 41-47
func receiptLine(a moothall.Answer) string {
	parts := []string{sentWords(a.Receipt.Sent), counted(tokensOf(a), "token"), seconds(tookOf(a))}
	if by := answeredBy(a); by != "" {
		parts = append(parts, by)
	}
	if n := len(a.Receipt.Refused); n > 0 {
		parts = append(parts, counted(n, "call")+" refused")
	}
	switch first, last := a.Receipt.AuditFirst, a.Receipt.AuditLast; {
	case first == 0 && last == 0: // nothing was recorded; there is no entry 0
	case last == 0:
		parts = append(parts, fmt.Sprintf("record from %d, without its end", first))
	case first == last:
		parts = append(parts, fmt.Sprintf("record %d", first))
	default:
		parts = append(parts, fmt.Sprintf("record %d-%d", first, last))
	}
	return strings.Join(parts, " · ")
}

// builtIn is the provider whose models are inside the program.
const builtIn = "builtin"

// answeredBy names the model, with a mark on what is inside the program.
func answeredBy(a moothall.Answer) string {
	switch {
	case a.Model == "":
		return ""
	case a.Provider == builtIn:
		return a.Provider + "/" + a.Model + ", very small"
	}
	return a.Provider + "/" + a.Model
}

// sentWords names the hosts when anything left.
func sentWords(sent []moothall.Egress) string {
	var total int64
	var hosts []string
	for _, e := range sent {
		if e.Bytes > 0 {
			total += e.Bytes
			hosts = append(hosts, e.Host)
		}
	}
	line := counted(int(total), "byte") + " left this machine"
	if len(hosts) > 0 {
		line += " for " + strings.Join(hosts, ", ")
	}
	return line
}

// tokensOf counts all roles; an answer without them has its own usage.
func tokensOf(a moothall.Answer) (n int) {
	for _, u := range a.Receipt.ByRole {
		n += u.PromptTokens + u.OutputTokens
	}
	if len(a.Receipt.ByRole) == 0 {
		n = a.Usage.PromptTokens + a.Usage.OutputTokens
	}
	return n
}

func tookOf(a moothall.Answer) time.Duration {
	if a.Receipt.Times.Total > 0 {
		return a.Receipt.Times.Total
	}
	return a.Usage.Total
}

// seconds is a time as a person says it.
func seconds(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// whole puts empty lists in the place of absent ones: programs that read the
// answer find what POST /query gives.
func whole(a moothall.Answer) moothall.Answer {
	a.Tools = append([]moothall.CalledTool{}, a.Tools...)
	a.Recalls = append([]moothall.Recall{}, a.Recalls...)
	a.Subjects = append([]moothall.Subject{}, a.Subjects...)
	a.Log = append([]moothall.EventMark{}, a.Log...)
	a.Receipt.Sent = append([]moothall.Egress{}, a.Receipt.Sent...)
	a.Deliberations = slices.Clone(a.Deliberations)
	for i := range a.Deliberations {
		a.Deliberations[i].Tools = append([]moothall.CalledTool{}, a.Deliberations[i].Tools...)
	}
	return a
}
