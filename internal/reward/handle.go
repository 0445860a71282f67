package reward

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"moothall"
)

const (
	opHandle = "score event"

	// shown is the respondent whose answers people see.
	shown moothall.RespondentID = "A"

	maxName  = 200    // bytes of an id or a model's name
	maxText  = 16_000 // bytes kept of a question and of an answer
	maxWords = 4_000  // bytes kept of what the critic says
)

// Handle takes in an event of [Subjects]; others are passed over. Events may
// come again and in any order; each counts once. CodeInvalid means that no
// repetition will help.
func (k *Keeper) Handle(ctx context.Context, e moothall.Event) error {
	leave, err := k.enter(opHandle)
	if err != nil {
		return err
	}
	defer leave()
	if err := k.take(ctx, e); err != nil {
		return err
	}
	k.catchUp(ctx)
	return k.retain(ctx, false)
}

func (k *Keeper) take(ctx context.Context, e moothall.Event) error {
	switch e.Subject {
	case moothall.SubjectResponseGeneration, moothall.SubjectCritiqueResult, moothall.SubjectPairwiseResult:
		f, err := read(e)
		if err != nil {
			return err
		}
		return k.note(ctx, f)
	case moothall.SubjectUserFeedback:
		return k.hear(ctx, e)
	}
	return nil
}

// kind tells facts apart, in the database too.
type kind string

const (
	kindAnswer   kind = "answer"
	kindCritique kind = "critique"
	kindPairing  kind = "pairing"
)

// fact is what one event says of an answer, ready to be kept.
type fact struct {
	query      moothall.QueryID
	respondent moothall.RespondentID // empty for a comparison
	kind       kind
	at         int64
	event      moothall.EventID
	body       []byte
}

// answered is the fact of an answer.
type answered struct {
	moothall.Judgement
	First time.Duration `json:"first_token_ns"`
}

// read makes a fact of an event.
func read(e moothall.Event) (fact, error) {
	f := fact{at: e.Time.UnixMicro(), event: e.ID}
	if err := checkEnvelope(e); err != nil {
		return f, err
	}
	var v any
	var err error
	switch e.Subject {
	case moothall.SubjectResponseGeneration:
		var a answered
		a, err = readAnswer(e)
		f.kind, f.query, f.respondent, v = kindAnswer, a.Query, a.Respondent, a
	case moothall.SubjectCritiqueResult:
		var c moothall.Critique
		c, err = readCritique(e)
		f.kind, f.query, f.respondent, v = kindCritique, c.Query, c.Respondent, c
	default:
		var p moothall.Pairing
		p, err = readPairing(e)
		f.kind, f.query, v = kindPairing, p.Query, p
	}
	if err == nil {
		err = checkNames(f.query, f.respondent)
	}
	if err != nil {
		return f, err
	}
	f.body, err = json.Marshal(v)
	if err != nil {
		// A time that JSON cannot write is the one thing that gets here.
		return f, &moothall.Error{Code: moothall.CodeInvalid, Op: opHandle, Message: "the payload cannot be kept", Err: err}
	}
	return f, nil
}

func invalid(format string, args ...any) error {
	return moothall.Fail(moothall.CodeInvalid, opHandle, fmt.Sprintf(format, args...))
}

// checkEnvelope refuses what could not be put in order.
func checkEnvelope(e moothall.Event) error {
	switch {
	case e.ID == "" || len(e.ID) > maxName:
		return invalid("the event has no id, or one longer than %d bytes", maxName)
	case e.Time.IsZero() || e.Time.Year() < 1970 || e.Time.Year() > 9999:
		return invalid("the event has no time that could be right")
	}
	return nil
}

func checkNames(q moothall.QueryID, r moothall.RespondentID) error {
	switch {
	case q == "":
		return invalid("the event names no turn")
	case len(q) > maxName || len(r) > maxName:
		return invalid("a name is longer than %d bytes", maxName)
	}
	return nil
}

func payload(e moothall.Event, into any) error {
	if err := json.Unmarshal(e.Payload, into); err != nil {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: opHandle, Message: "the payload of " + string(e.Subject) + " cannot be read", Err: err}
	}
	return nil
}

// or returns the first that is not empty.
func or[T ~string](all ...T) T {
	for _, v := range all {
		if v != "" {
			return v
		}
	}
	return ""
}

// short returns the beginning of a text.
func short(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}
