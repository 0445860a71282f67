package moothall

import (
	"strings"
	"time"
)

// Judgement of answers: what the critic, a second respondent and the person
// say about them. [Critique], [Pairing], [Feedback] and [Rewarded] are the
// payloads of their events.

// Outcomes of the critic's work.
const (
	Graded  = "graded"  // a grade was given, or a winner found
	Tied    = "tie"     // the two orders disagree, or the critic sees no difference
	Unknown = "unknown" // what the critic said could not be read, or it said nothing
	Skipped = "skipped" // not asked: sampling, the budget, or nothing to compare with
)

// Critique is what the critic thinks of one answer: critique.result.
type Critique struct {
	Query      QueryID      `json:"query_id"`
	Session    SessionID    `json:"session_id"`
	Respondent RespondentID `json:"respondent_id"`
	Outcome    string       `json:"outcome"`  // graded, unknown
	Score      *int         `json:"score"`    // 1 to 5; null when unknown, never a guess
	Feedback   string       `json:"feedback"` // or why there is no grade
	Rubric     string       `json:"rubric,omitempty"`
	Provider   string       `json:"provider,omitempty"`
	Model      string       `json:"model,omitempty"`
	Usage      Usage        `json:"usage"`
	Time       time.Time    `json:"time"`
}

// Pairing is a comparison of two answers to one question: pairwise.result.
type Pairing struct {
	Query    QueryID      `json:"query_id"`
	Session  SessionID    `json:"session_id"`
	Outcome  string       `json:"outcome"` // graded, tie, unknown
	Winner   RespondentID `json:"winner"`  // "tie" when nobody won, empty when unknown
	Feedback string       `json:"feedback"`
	// Orders are the winners when A's answer stood first, and when B's did.
	Orders   []RespondentID `json:"orders,omitempty"`
	Provider string         `json:"provider,omitempty"`
	Model    string         `json:"model,omitempty"`
	Usage    Usage          `json:"usage"`
	Time     time.Time      `json:"time"`
}

// Feedback is what a person thinks of an answer.
type Feedback struct {
	Query      QueryID      `json:"query_id"`
	Respondent RespondentID `json:"respondent_id,omitempty"` // the one that was shown when empty
	Thumbs     int          `json:"thumbs,omitempty"`        // 1, -1
	Stars      int          `json:"stars,omitempty"`         // 1 to 5
	Comment    string       `json:"comment,omitempty"`
	Undo       bool         `json:"undo,omitempty"` // take back what was said of it
	// Said marks feedback that was recognised in the conversation; Query is
	// then the turn that it speaks of.
	Said bool `json:"said,omitempty"`
}

// Validate reports what keeps the feedback from being taken.
func (f Feedback) Validate() error {
	problem := ""
	switch {
	case f.Query == "":
		problem = "it names no query_id"
	case f.Thumbs < -1 || f.Thumbs > 1:
		problem = "thumbs is 1 or -1"
	case f.Stars < 0 || f.Stars > 5:
		problem = "stars are 1 to 5"
	case len(f.Comment) > 10_000:
		problem = "the comment is longer than 10,000 bytes"
	case f.Thumbs == 0 && f.Stars == 0 && strings.TrimSpace(f.Comment) == "" && !f.Undo:
		problem = "it says nothing: give thumbs, stars, a comment or undo"
	}
	if problem == "" {
		return nil
	}
	return Fail(CodeInvalid, "feedback", problem)
}

// Rewarded is what feedback is worth: reward.event. The latest one of an
// answer counts.
type Rewarded struct {
	Query      QueryID      `json:"query_id"`
	Session    SessionID    `json:"session_id"`
	Respondent RespondentID `json:"respondent_id"`
	Reward     *float64     `json:"reward"`    // -1 to 1; 0 when it was taken back, null for words alone
	Sentiment  string       `json:"sentiment"` // positive, neutral, negative
	Feedback   Feedback     `json:"feedback"`
	Time       time.Time    `json:"time"`
}

// Judgement is all that is known of how good one answer was.
type Judgement struct {
	Query      QueryID       `json:"query_id"`
	Session    SessionID     `json:"session_id"`
	Respondent RespondentID  `json:"respondent_id"`
	Time       time.Time     `json:"time"`
	Role       ModelRole     `json:"role"`
	Provider   string        `json:"provider"`
	Model      string        `json:"model"`
	Question   string        `json:"query"`
	Answer     string        `json:"answer"`
	Stop       StopReason    `json:"stop_reason"`
	Tools      int           `json:"tools"`
	Refused    int           `json:"refused"`
	Usage      Usage         `json:"usage"`
	Took       time.Duration `json:"took_ns"` // without what was waited for
	Critique   *Critique     `json:"critique,omitempty"`
	Pairing    *Pairing      `json:"pairing,omitempty"`
	Reward     *Rewarded     `json:"reward,omitempty"`
}

// JudgementQuery asks for judgements, newest first.
type JudgementQuery struct {
	Query   QueryID   // of this turn only
	Session SessionID // of this conversation only
	Since   time.Time
	Before  time.Time // zero: now
	Limit   int       // 0: 100
}

// ModelScore is how one model did in one role.
type ModelScore struct {
	Role       ModelRole     `json:"role"`
	Provider   string        `json:"provider"`
	Model      string        `json:"model"`
	Respondent RespondentID  `json:"respondent_id"`
	Answers    int           `json:"answers"`
	Failed     int           `json:"failed"` // ended by an error or interrupted
	Wins       int           `json:"wins"`
	Losses     int           `json:"losses"`
	Ties       int           `json:"ties"`
	Grades     [5]int        `json:"grades"` // how often 1, 2, 3, 4, 5
	Ungraded   int           `json:"ungraded"`
	Score      float64       `json:"score"` // mean grade; 0 without any
	Ratings    int           `json:"ratings"`
	Reward     float64       `json:"reward"`         // mean
	Took       time.Duration `json:"took_ns"`        // median, as all times without waiting
	FirstToken time.Duration `json:"first_token_ns"` // median
	Prompt     float64       `json:"prompt_tokens"`  // mean of an answer
	Output     float64       `json:"output_tokens"`
}

// Calibration says how far the critic and the person agree, over the answers
// that both judged.
type Calibration struct {
	Both        int       `json:"both"`
	Agree       float64   `json:"agree"`           // share on the same side of the middle
	Correlation float64   `json:"correlation"`     // Spearman's; 0 when it cannot be had
	Bias        float64   `json:"bias"`            // mean of critic minus person, in grades
	Table       [5][5]int `json:"table"`           // person's grade, critic's grade
	Harsh       []QueryID `json:"harsh,omitempty"` // the critic far below the person, worst first
	Kind        []QueryID `json:"kind,omitempty"`  // the critic far above the person
	Unknown     int       `json:"unknown"`         // of the critic's attempts
	Attempts    int       `json:"attempts"`
	Tied        int       `json:"tied"` // of the pairs
	Pairs       int       `json:"pairs"`
}

// Proposal is a better model for a role, with the evidence. Nothing is
// changed by it.
type Proposal struct {
	Binding ModelBinding `json:"binding"` // as the hall would bind it
	Instead string       `json:"instead"` // the model that the role uses now
	Because string       `json:"because"`
	Command string       `json:"command"` // what a person types to accept it
}

// Report sums judgements up.
type Report struct {
	Since       time.Time    `json:"since"`
	Answers     int          `json:"answers"`
	Models      []ModelScore `json:"models"`
	Calibration Calibration  `json:"calibration"`
	Proposals   []Proposal   `json:"proposals"`
}

// ReplayRequest asks for a recorded turn to be run again: with its recorded
// model outputs when nothing is changed, with a live model otherwise; tools
// give their recorded results in any case.
type ReplayRequest struct {
	Query  QueryID `json:"query_id"`
	Model  string  `json:"model,omitempty"`  // another model
	Prompt string  `json:"prompt,omitempty"` // another system prompt
	Policy string  `json:"policy,omitempty"` // another manifest, as YAML
}

// Replayed is what came of it.
type Replayed struct {
	Recorded    Answer   `json:"recorded"`
	Again       Answer   `json:"again"`
	Same        bool     `json:"same"` // answer, thinking, calls and stop reason are equal
	Differences []string `json:"differences"`
}
