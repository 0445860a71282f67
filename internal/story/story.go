package story

import "time"

// Story is one file under stories/.
type Story struct {
	Name     string   `yaml:"name" json:"name" doc:"A short name, S1."`
	About    string   `yaml:"about" json:"about" doc:"What the story shows, in a sentence."`
	Needs    []string `yaml:"needs" json:"needs" doc:"Parts of the hall that must be there and on, such as respondent_b; the story is passed over where one is not."`
	Patience int      `yaml:"patience" json:"patience" doc:"Seconds that observers have to tell of a turn; 120 when absent." min:"0" max:"3600"`
	Turns    []Turn   `yaml:"turns" json:"turns" doc:"What is said, in order."`
}

// Turn is one question and what must come of it.
type Turn struct {
	Query    string    `yaml:"query" json:"query" doc:"What the person says."`
	Session  string    `yaml:"session" json:"session" doc:"The conversation it belongs to; turns with the same name share one."`
	Mode     string    `yaml:"mode" json:"mode" doc:"How it is answered: chat when empty." enum:",chat,committee,task"`
	Personas []string  `yaml:"personas" json:"personas,omitempty" doc:"Which voices of a committee speak; all when empty."`
	Rounds   int       `yaml:"rounds" json:"rounds,omitempty" doc:"How many rounds they speak; as configured when 0." min:"0" max:"5"`
	Feedback *Feedback `yaml:"feedback" json:"feedback,omitempty" doc:"What the person says of the answer, once it is there."`
	Expect   Expect    `yaml:"expect" json:"expect" doc:"What must come of it."`
}

// Feedback is what the person says of the turn's answer.
type Feedback struct {
	Thumbs  int    `yaml:"thumbs" json:"thumbs,omitempty" doc:"1 or -1." min:"-1" max:"1"`
	Stars   int    `yaml:"stars" json:"stars,omitempty" doc:"1 to 5." min:"0" max:"5"`
	Comment string `yaml:"comment" json:"comment,omitempty" doc:"In words."`
	Undo    bool   `yaml:"undo" json:"undo,omitempty" doc:"Take back what was said of it."`
}

// Expect is what must be true of a turn. What is empty is not checked.
type Expect struct {
	Contains []string `yaml:"contains" json:"contains" doc:"Each must be in the answer, whatever the case."`
	Lacks    []string `yaml:"lacks" json:"lacks" doc:"None may be in the answer."`
	Matches  string   `yaml:"matches" json:"matches" doc:"A regular expression that the answer must match."`
	Thinking string   `yaml:"thinking" json:"thinking" doc:"Whether the model's thinking must be there: some or none." enum:",some,none"`
	Tools    []string `yaml:"tools" json:"tools" doc:"These tools must have been called, in this order."`
	Events   []string `yaml:"events" json:"events" doc:"These subjects must have been seen, in this order; others may come between."`
	Stop     string   `yaml:"stop" json:"stop" doc:"The stop reason."`

	// What observers do comes after the answer, in their own time; the next
	// turn waits for it.
	Follows    []string `yaml:"follows" json:"follows" doc:"Events with these subjects must follow."`
	Then       []Event  `yaml:"then" json:"then" doc:"Events that must follow, and what they must say."`
	Engrams    []Record `yaml:"engrams" json:"engrams" doc:"What memory must come to hold of the turn."`
	Judgements []Record `yaml:"judgements" json:"judgements" doc:"How the turn must come to be judged."`
}

// Event is an event about the turn.
type Event struct {
	Subject    string          `yaml:"subject" json:"subject" doc:"Its subject."`
	Respondent string          `yaml:"respondent" json:"respondent,omitempty" doc:"Whose answer it is about: A or B; any when absent."`
	Payload    map[string]Want `yaml:"payload" json:"payload,omitempty" doc:"What must stand at a path such as feedback.thumbs or orders.0."`
	Count      *int            `yaml:"count" json:"count,omitempty" doc:"Exactly so many, once everything else has followed; at least one when absent." min:"0"`
}

// Record is something kept about the turn.
type Record struct {
	Respondent string          `yaml:"respondent" json:"respondent,omitempty" doc:"Whose answer it is about: A or B; any when absent."`
	Payload    map[string]Want `yaml:"payload" json:"payload,omitempty" doc:"What must stand at a path such as turn.critic_score."`
}

// Want is what a value must be. What is empty is not checked.
type Want struct {
	Is      *string  `yaml:"is" json:"is,omitempty" doc:"Exactly this text, number, true, false or null."`
	Matches string   `yaml:"matches" json:"matches,omitempty" doc:"A regular expression that its text must match."`
	Min     *float64 `yaml:"min" json:"min,omitempty" doc:"A number, this or more."`
	Max     *float64 `yaml:"max" json:"max,omitempty" doc:"A number, this or less."`
	Type    string   `yaml:"type" json:"type,omitempty" doc:"Its type in JSON." enum:",string,number,integer,boolean,array,object,null"`
	Exists  *bool    `yaml:"exists" json:"exists,omitempty" doc:"Whether there is something other than null."`
}

// Outcome is how a story went.
type Outcome struct {
	Name    string        `json:"name"`
	About   string        `json:"about,omitempty"`
	Passed  bool          `json:"passed"`
	Skipped string        `json:"skipped,omitempty"` // why it was not played
	Took    time.Duration `json:"took_ns"`
	Turns   []TurnOutcome `json:"turns"`
}

// TurnOutcome is how one turn went.
type TurnOutcome struct {
	Query    string        `json:"query"`
	ID       string        `json:"query_id,omitempty"`
	Answer   string        `json:"answer"`
	Took     time.Duration `json:"took_ns"`
	Failures []string      `json:"failures,omitempty"`
}

// Options choose how stories are played.
type Options struct {
	Model string           // ask this model instead of the configured one
	Now   func() time.Time // time.Now when nil
	// Patience replaces the story's own when not zero.
	Patience time.Duration
}
