package reward

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"moothall"
	"moothall/internal/store"
)

// Sentiments.
const (
	positive = "positive"
	neutral  = "neutral"
	negative = "negative"
)

// worth is what feedback is worth, nil for words alone.
func worth(f moothall.Feedback) *float64 {
	var v float64
	switch {
	case f.Undo:
	case f.Stars != 0:
		v = float64(f.Stars-3) / 2
	case f.Thumbs != 0:
		v = float64(f.Thumbs)
	default:
		return nil
	}
	return &v
}

func sentimentOf(f moothall.Feedback, reward *float64) string {
	switch {
	case f.Undo:
		return neutral
	case reward == nil:
		return sentiment(f.Comment)
	case *reward > 0:
		return positive
	case *reward < 0:
		return negative
	}
	return neutral
}

// personGrade puts a rating beside the critic's grades; 0 when there is none.
func personGrade(f moothall.Feedback) int {
	switch {
	case f.Undo:
		return 0
	case f.Stars != 0:
		return f.Stars
	case f.Thumbs > 0:
		return 4
	case f.Thumbs < 0:
		return 2
	}
	return 0
}

// readFeedback returns what feedback is worth and the event that tells of it.
func readFeedback(e moothall.Event) (moothall.Rewarded, moothall.Event, error) {
	var f moothall.Feedback
	if err := checkEnvelope(e); err != nil {
		return moothall.Rewarded{}, e, err
	}
	if err := payload(e, &f); err != nil {
		return moothall.Rewarded{}, e, err
	}
	f.Query, f.Respondent = or(f.Query, e.Query), or(f.Respondent, e.Respondent, shown)
	if err := cmp.Or(f.Validate(), checkNames(f.Query, f.Respondent)); err != nil {
		return moothall.Rewarded{}, e, err
	}
	w := moothall.Rewarded{
		Query: f.Query, Session: e.Session, Respondent: f.Respondent, Reward: worth(f), Feedback: f, Time: e.Time.UTC(),
	}
	w.Sentiment = sentimentOf(f, w.Reward)
	out, err := moothall.NewEvent(moothall.SubjectRewardEvent, w)
	out.ID, out.Time, out.Sender = rewardID(e.ID), w.Time, moothall.Reward
	out.Session, out.Query, out.Respondent, out.Correlation, out.Trace = e.Session, f.Query, f.Respondent, string(e.ID), e.Trace
	return w, out, err
}

// rewardID follows from the feedback's id, so that telling again is telling
// the same. An id that would become too long for an event is hashed.
func rewardID(id moothall.EventID) moothall.EventID {
	const prefix = "reward-"
	if len(prefix)+len(id) <= 128 {
		return prefix + id
	}
	sum := sha256.Sum256([]byte(id))
	return moothall.EventID(prefix + hex.EncodeToString(sum[:]))
}

// hear stores feedback with the event that tells of it, and tells it.
func (k *Keeper) hear(ctx context.Context, e moothall.Event) error {
	w, out, err := readFeedback(e)
	if err != nil {
		return err
	}
	body, err := json.Marshal(out)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: opHandle, Message: "the feedback cannot be kept", Err: err}
	}
	made := 0
	err = k.o.DB.Write(ctx, func(tx *store.Tx) error {
		made = 0
		first, err := tx.Once(ctx, string(moothall.Reward), string(e.ID))
		if err != nil || !first {
			return err
		}
		if _, err := tx.Exec(ctx, `INSERT INTO reward_feedback (event, query, respondent, at, rated, body) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`,
			string(e.ID), string(w.Query), string(w.Respondent), e.Time.UnixMicro(), w.Reward != nil, string(body)); err != nil {
			return err
		}
		made, err = rebuild(ctx, tx, w.Query, w.Respondent)
		return err
	})
	if err != nil {
		return err
	}
	k.rows.Add(int64(made))
	return k.tell(ctx, e.ID)
}

// said is one stored feedback.
type said struct {
	event  string
	at     int64
	rated  bool
	told   bool
	reward moothall.Rewarded
}

// feedbackOn returns what was said of an answer, the latest last.
func feedbackOn(ctx context.Context, tx *store.Tx, q moothall.QueryID, r moothall.RespondentID) ([]said, error) {
	rows, err := tx.Query(ctx, `SELECT event, at, rated, told, body FROM reward_feedback WHERE query = ? AND respondent = ?
		ORDER BY at, event`, string(q), string(r))
	if err != nil {
		return nil, err
	}
	var out []said
	for rows.Next() {
		var s said
		var body string
		if err := rows.Scan(&s.event, &s.at, &s.rated, &s.told, &body); err != nil {
			return nil, err
		}
		var e moothall.Event
		err := json.Unmarshal([]byte(body), &e)
		if err == nil {
			err = json.Unmarshal(e.Payload, &s.reward)
		}
		if err != nil {
			return nil, &moothall.Error{Code: moothall.CodeCorrupt, Op: "read score", Message: "stored feedback cannot be read", Err: err}
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// opinion is what a person thinks of an answer, all things said considered.
type opinion struct {
	reward *moothall.Rewarded
	rating *float64 // nil: none stands
	grade  int      // the rating beside the critic's grades; 0: none
	at     int64
}

// opinionOf follows the latest. Words alone leave a rating in place.
func opinionOf(all []said) opinion {
	if len(all) == 0 {
		return opinion{}
	}
	last := all[len(all)-1]
	out := opinion{reward: &last.reward, at: last.at}
	i := lastRated(all)
	if i < 0 || all[i].reward.Feedback.Undo {
		return out
	}
	rated := all[i].reward
	out.rating, out.grade = rated.Reward, personGrade(rated.Feedback)
	if !last.rated {
		out.reward.Reward = rated.Reward
		out.reward.Feedback.Thumbs, out.reward.Feedback.Stars = rated.Feedback.Thumbs, rated.Feedback.Stars
	}
	return out
}

func lastRated(all []said) int {
	for i, s := range slices.Backward(all) {
		if s.rated {
			return i
		}
	}
	return -1
}
