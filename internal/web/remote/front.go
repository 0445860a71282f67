package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"moothall"
)

// refused is the refusal in the data of an event.
func refused(data []byte) error {
	return refusal(&http.Response{Status: "an error without words", Body: io.NopCloser(strings.NewReader(string(data)))})
}

// eventsPath writes a query for events as the API takes it.
func eventsPath(q moothall.EventQuery) string {
	v := url.Values{"session": {string(q.Session)}}
	switch {
	case q.AfterSeq > 0:
		v.Set("after", strconv.FormatUint(q.AfterSeq, 10)+"."+string(q.After))
	case q.After != "":
		v.Set("after", string(q.After))
	}
	var names []string
	for _, s := range q.Subjects {
		names = append(names, string(s))
	}
	v.Set("subjects", strings.Join(names, ","))
	v.Set("replay", flag(q.Replay))
	v.Set("mark", flag(q.Mark))
	return with("/events", v)
}

func flag(on bool) string {
	if on {
		return "1"
	}
	return ""
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// count is a number for a query, nothing for none.
func count(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// Health says how the hall is.
func (c *Client) Health(ctx context.Context) (moothall.Health, error) {
	resp, err := c.exchange(ctx, "GET", "/health", nil, "application/json")
	if err != nil {
		return moothall.Health{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusServiceUnavailable { // which says that something is wrong, and what
		return moothall.Health{}, refusal(resp)
	}
	return decode[moothall.Health](ctx, resp)
}

// Stop ends a query.
func (c *Client) Stop(ctx context.Context, id moothall.QueryID) error {
	return do(ctx, c, "DELETE", at("query", string(id)), nil)
}

// Feedback notes what the person thinks of an answer.
func (c *Client) Feedback(ctx context.Context, f moothall.Feedback) error {
	return do(ctx, c, "POST", "/feedback", f)
}

// Judgements lists what is known of how good answers were.
func (c *Client) Judgements(ctx context.Context, q moothall.JudgementQuery) ([]moothall.Judgement, error) {
	return call[[]moothall.Judgement](ctx, c, "GET", with("/judgements", url.Values{
		"query_id": {string(q.Query)}, "session_id": {string(q.Session)}, "since": {moment(q.Since)}, "before": {moment(q.Before)},
		"limit": {count(q.Limit)},
	}), nil)
}

// Report sums up judgements.
func (c *Client) Report(ctx context.Context, since time.Time) (moothall.Report, error) {
	return call[moothall.Report](ctx, c, "GET", with("/respondents", url.Values{"since": {moment(since)}}), nil)
}

// Replay runs a recorded turn again.
func (c *Client) Replay(ctx context.Context, r moothall.ReplayRequest) (moothall.Replayed, error) {
	change := map[string]string{"model": r.Model, "prompt": r.Prompt, "policy": r.Policy}
	return call[moothall.Replayed](ctx, c, "POST", at("replay", string(r.Query)), change)
}

// Sessions lists conversations.
func (c *Client) Sessions(ctx context.Context) ([]moothall.Session, error) {
	return call[[]moothall.Session](ctx, c, "GET", "/sessions", nil)
}

// Session returns one conversation.
func (c *Client) Session(ctx context.Context, id moothall.SessionID) (moothall.SessionDetail, error) {
	return call[moothall.SessionDetail](ctx, c, "GET", at("sessions", string(id)), nil)
}

// ChangeSession renames, compacts or deletes one.
func (c *Client) ChangeSession(ctx context.Context, s moothall.SessionChange) error {
	path := at("sessions", string(s.ID))
	switch {
	case s.Delete:
		return do(ctx, c, "DELETE", path, nil)
	case s.Compact:
		_, err := call[moothall.SessionDetail](ctx, c, "POST", path+"/compact", nil)
		return err
	}
	return do(ctx, c, "PATCH", path, map[string]string{"title": s.Title})
}

// Tasks lists tasks, or the one named.
func (c *Client) Tasks(ctx context.Context, id moothall.TaskID) ([]moothall.Task, error) {
	if id == "" {
		return call[[]moothall.Task](ctx, c, "GET", "/tasks", nil)
	}
	t, err := call[moothall.Task](ctx, c, "GET", at("tasks", string(id)), nil)
	if err != nil {
		return nil, err
	}
	return []moothall.Task{t}, nil
}

// ControlTask steers a task.
func (c *Client) ControlTask(ctx context.Context, t moothall.TaskControl) (moothall.Task, error) {
	return call[moothall.Task](ctx, c, "POST", at("tasks", string(t.ID)), map[string]string{"action": t.Action, "words": t.Words})
}

// Participants lists the parts of the hall.
func (c *Client) Participants(ctx context.Context) ([]moothall.Participant, error) {
	return call[[]moothall.Participant](ctx, c, "GET", "/participants", nil)
}

// Configure changes a participant's settings.
func (c *Client) Configure(ctx context.Context, name string, settings json.RawMessage) (moothall.Participant, error) {
	if !json.Valid(settings) {
		return moothall.Participant{}, moothall.Fail(moothall.CodeInvalid, "settings", "they are not JSON")
	}
	return call[moothall.Participant](ctx, c, "PUT", at("participants", name), settings)
}

// Examine looks at a part of the hall.
func (c *Client) Examine(ctx context.Context, p moothall.Part) (x moothall.Examined, err error) {
	switch p {
	case moothall.PartAll:
		x.Findings, err = call[[]moothall.Finding](ctx, c, "GET", "/doctor", nil)
	case moothall.PartKeyring:
		x.Keyring, err = call[*moothall.Keyring](ctx, c, "GET", "/keyring", nil)
	case moothall.PartSearch:
		x.Engines, err = call[[]moothall.SearchEngine](ctx, c, "GET", "/search/engines", nil)
	default:
		err = moothall.Fail(moothall.CodeInvalid, "examine", "there is no such part")
	}
	return x, err
}

// Preview says what a call that waits would do to a file.
func (c *Client) Preview(ctx context.Context, id moothall.ApprovalID) (moothall.Preview, error) {
	return call[moothall.Preview](ctx, c, "GET", at("approvals", string(id), "preview"), nil)
}

// Export writes what the hall remembers.
func (c *Client) Export(ctx context.Context, what string, w io.Writer) error {
	resp, err := c.send(ctx, "GET", at("export", what), nil, "*/*")
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return moothall.Fail(moothall.CodeInvalid, "export", "there is no such export")
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(w, resp.Body); err != nil {
		return &moothall.Error{Code: moothall.CodeUnavailable, Op: "export", Message: "it was cut off", Err: err}
	}
	return nil
}

// Backup is not offered over HTTP.
func (c *Client) Backup(ctx context.Context, _ io.Writer) error {
	return cmp.Or(ctx.Err(), notOffered("backup"))
}

// notOffered is the refusal of what the API does not have.
func notOffered(op string) error {
	return &moothall.Error{
		Code: moothall.CodeUnsupported, Op: op, Message: "a hall does not offer this over HTTP",
		Remedy: "do it on the machine where the hall runs",
	}
}
