package prompt

import (
	"embed"
	"strings"

	"moothall"
)

//go:embed text/*.txt
var texts embed.FS

// text returns an embedded file without its last line break.
func text(name string) string {
	b, err := texts.ReadFile("text/" + name + ".txt")
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(b), "\n")
}

// Agent is the system prompt of an agent type. A type without one of its own
// is told what an assistant is told.
func Agent(kind moothall.AgentType) string {
	own := ""
	if moothall.ValidToken(string(kind)) && Types()[kind] {
		own = text(string(kind))
	}
	if own == "" {
		own = text("assistant")
	}
	return own + "\n\n" + text("report")
}

// Types are the agent types that have a prompt of their own.
func Types() map[moothall.AgentType]bool {
	return map[moothall.AgentType]bool{"assistant": true, "researcher": true, "coder": true, "sysadmin": true}
}

// Verifier is the system prompt of an agent that looks at another's result.
func Verifier() string { return text("verifier") + "\n\n" + text("report") }

// Planner is the system prompt of who divides a task.
func Planner() string { return text("planner") }

// Writer is the system prompt of who writes the final answer.
func Writer() string { return text("writer") }

// Gate is the system prompt of who compares a note with what is known.
func Gate() string { return text("gate") }
