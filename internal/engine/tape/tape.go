package tape

import (
	"time"

	"moothall"
	"moothall/internal/engine"
)

// Version is that of the form of tapes that are written now.
const Version = 1

// Tape is a recorded run.
type Tape struct {
	Version   int         `json:"version"`
	Given     Given       `json:"given"`
	Model     []ModelCall `json:"model,omitempty"`
	Tools     []ToolCall  `json:"tools,omitempty"`
	Checks    []Check     `json:"checks,omitempty"`
	Retrieved *Retrieved  `json:"retrieved,omitempty"`
	Clock     *Clock      `json:"clock,omitempty"` // nil: the run had none
	End       *End        `json:"end,omitempty"`   // nil: nobody ended the run from outside
	Result    *Result     `json:"result,omitempty"`
	Cut       []string    `json:"cut,omitempty"` // what was left out, in words
}

// ModelCall is one call of the model.
type ModelCall struct {
	Prompt   Prompt   `json:"prompt"`
	Provider string   `json:"provider,omitempty"` // of all chunks that do not say otherwise
	Model    string   `json:"model,omitempty"`
	Pieces   []Piece  `json:"pieces,omitempty"`
	Err      *Failure `json:"error,omitempty"`
}

// Piece is a stretch of chunks: of text or of thinking alone, joined, with
// the size of each; or one chunk of another kind.
type Piece struct {
	Text     string `json:"text,omitempty"`
	Thinking string `json:"thinking,omitempty"`
	Sizes    []int  `json:"sizes,omitempty"` // in bytes
	Chunk    *Chunk `json:"chunk,omitempty"`
}

// Chunk is a chunk whose arguments are as they came, valid or not.
type Chunk struct {
	Thinking string              `json:"thinking,omitempty"`
	Text     string              `json:"text,omitempty"`
	Calls    []Call              `json:"calls,omitempty"`
	Stop     moothall.StopReason `json:"stop,omitempty"`
	Usage    *moothall.Usage     `json:"usage,omitempty"`
	Provider string              `json:"provider,omitempty"`
	Model    string              `json:"model,omitempty"`
	Sent     []moothall.Egress   `json:"sent,omitempty"`
}

// Call is a tool call; Args keeps the bytes, which JSON within JSON would not.
type Call struct {
	ID   moothall.CallID   `json:"id,omitempty"`
	Name moothall.ToolName `json:"name"`
	Args string            `json:"args"`
	// Origin is none of what is compared: it is the ID of the reply's call.
	Origin moothall.CallID `json:"origin,omitempty"`
}

// ToolCall is one call that the broker was given.
type ToolCall struct {
	Call
	After   int               `json:"after"` // model calls before it
	Steps   []Step            `json:"steps,omitempty"`
	Result  *ToolResult       `json:"result,omitempty"`
	Err     *Failure          `json:"error,omitempty"`
	Left    bool              `json:"left,omitempty"` // the run ended while it was under way
	Recalls []moothall.Recall `json:"recalls,omitempty"`
}

// Step is what a running call told: a word of progress, or that a person was
// asked.
type Step struct {
	Note  string    `json:"note,omitempty"`
	Asked *Approval `json:"asked,omitempty"`
}

// ToolResult is a result with the bytes of its data.
type ToolResult struct {
	moothall.ToolResult
	Bytes string `json:"bytes,omitempty"`
}

// Approval is a question with the bytes of its arguments.
type Approval struct {
	moothall.Approval
	Bytes string `json:"bytes,omitempty"`
}

// Check is what a check said of an answer.
type Check struct {
	Answer  string         `json:"answer"` // its digest
	Verdict engine.Verdict `json:"verdict"`
	Err     *Failure       `json:"error,omitempty"`
}

// Retrieved is what was looked up before the first round.
type Retrieved struct {
	Found []moothall.Recall `json:"found,omitempty"`
	Err   *Failure          `json:"error,omitempty"`
}

// Clock is what the run's clock showed, each time that it was read.
type Clock struct {
	Began time.Time       `json:"began"`
	Reads []time.Duration `json:"reads"` // since Began
}

// End says at which look at its context the run found that it was over.
type End struct {
	Look int  `json:"look"`
	Late bool `json:"late,omitempty"` // its deadline had passed
}

// Whole reports whether the tape can be played byte for byte.
func (t *Tape) Whole() bool { return len(t.Cut) == 0 && t.Result != nil }
