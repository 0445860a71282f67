package moothall

import "context"

// Finding is what one of the doctor's checks found.
type Finding struct {
	Check  string `json:"check"`
	Status string `json:"status"` // ok, info, warn, fail
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// Keyring says which secrets the configuration names, and whether they are
// there. It never holds a value.
type Keyring struct {
	Where  string       `json:"where,omitempty"` // which keyring it is
	State  ServiceState `json:"status"`
	Detail string       `json:"detail,omitempty"`
	Remedy string       `json:"remedy,omitempty"`
	Keys   []Key        `json:"keys"`
}

// Key is a name in the keyring.
type Key struct {
	Name string   `json:"name"`
	For  []string `json:"for"`    // what needs it
	Is   string   `json:"status"` // there, missing, unknown
}

// The states of a [Key].
const (
	KeyThere   = "there"
	KeyMissing = "missing"
	KeyUnknown = "unknown" // the keyring could not be asked
)

// SearchEngine is a way to search the web, configured or not.
type SearchEngine struct {
	Name   string       `json:"name"`
	State  ServiceState `json:"status"`
	Where  string       `json:"where,omitempty"` // its address
	Key    string       `json:"key,omitempty"`   // the name of its key in the keyring
	Detail string       `json:"detail,omitempty"`
	Remedy string       `json:"remedy,omitempty"` // what would configure or mend it
}

// Part is something of the hall that can be examined.
type Part string

// The parts.
const (
	PartAll     Part = "doctor" // what the doctor looks at
	PartKeyring Part = "keyring"
	PartSearch  Part = "search"
)

// Examined is what was found; the part that was asked for says which field is
// set.
type Examined struct {
	Findings []Finding      `json:"findings,omitempty"`
	Keyring  *Keyring       `json:"keyring,omitempty"`
	Engines  []SearchEngine `json:"engines,omitempty"`
}

// Preview is what a call that waits for a person's yes would do to a file.
type Preview struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"` // there is a file already
	Before string `json:"before"` // its text
	After  string `json:"after"`  // what it would be
	// Problem says why the texts, or one of them, cannot be shown.
	Problem string `json:"problem,omitempty"`
}

// Defined is a [Tool] from outside that names the definition of it that the
// person approved. Another name is another tool, whatever its Spec says.
type Defined interface {
	Definition() string
}

// Previewer is a [Tool] that can say what a call would change without
// changing it. The broker asks it with the folders that the call has.
type Previewer interface {
	Preview(ctx context.Context, r ToolRun) (Preview, error)
}

// Offered are the tools whose definitions went to a model with a question.
type Offered struct {
	Tools []ToolName `json:"tools"`
	Bytes int        `json:"bytes"` // what they took of the prompt
}

// Compaction says what of a conversation was made shorter, so that it fits
// its model. It is the payload of session.compacted.
type Compaction struct {
	How      string `json:"how"`
	Text     string `json:"text"`               // for a person
	Messages int    `json:"messages,omitempty"` // that notes stand for now
	Before   int    `json:"before,omitempty"`   // tokens, about
	After    int    `json:"after,omitempty"`
}

// The ways.
const (
	CompactNotes  = "notes"  // notes stand in place of the older messages
	CompactPrompt = "prompt" // something was shortened in what one question sent
)

// Exports that [Front.Export] writes.
const (
	ExportMemories = "memories" // as JSON lines, which an import takes
	ExportGraph    = "graph"    // as JSON
	ExportGraphML  = "graphml"  // for programs that draw graphs
)
