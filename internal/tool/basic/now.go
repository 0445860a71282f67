package basic

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"moothall"
	"moothall/internal/tool/answer"
)

const nowSchema = `{"type":"object","additionalProperties":false,"properties":{
"zone":{"type":"string","maxLength":100,"description":"A time zone such as Europe/Berlin. Leave it out for the local time."}}}`

// NowData is the result of now for programs.
type NowData struct {
	Time    time.Time `json:"time"`
	Date    string    `json:"date"`
	Clock   string    `json:"clock"`
	Weekday string    `json:"weekday"`
	Zone    string    `json:"zone"`
	Offset  string    `json:"offset"`
	Week    int       `json:"iso_week"`
	YearDay int       `json:"day_of_year"`
	Unix    int64     `json:"unix"`
}

func nowTool(t *Tools) tool {
	return tool{run: t.tell, spec: moothall.ToolSpec{
		Name: "now", Aliases: []moothall.ToolName{"get_time", "get_date", "current_time", "get_current_time", "get_datetime"},
		Description: "Tell the current date, time, weekday and time zone.",
		Parameters:  json.RawMessage(nowSchema),
		Risk:        moothall.RiskNone, ReadOnly: true, Idempotent: true,
		Timeout: 5 * time.Second, MaxResult: 1 << 10, Origin: "built-in",
	}}
}

func (t *Tools) tell(_ context.Context, r moothall.ToolRun) (answer.Answer, error) {
	args, err := answer.Arguments[struct {
		Zone string `json:"zone"`
	}](r)
	if err != nil {
		return answer.Answer{}, err
	}
	zone := t.zone
	if args.Zone != "" {
		if zone, err = time.LoadLocation(args.Zone); err != nil {
			return answer.Answer{}, &moothall.Error{Code: moothall.CodeInvalid, Op: "time zone", Message: "there is no time zone of that name",
				Remedy: "write it like Europe/Berlin or UTC", Err: err}
		}
	}
	now := t.now().In(zone)
	name, _ := now.Zone()
	_, week := now.ISOWeek()
	d := NowData{
		Time: now, Date: now.Format(time.DateOnly), Clock: now.Format(time.TimeOnly), Weekday: now.Weekday().String(),
		Zone: name, Offset: now.Format("-07:00"), Week: week, YearDay: now.YearDay(), Unix: now.Unix(),
	}
	text := fmt.Sprintf("%s, %s, %s %s (UTC%s), week %d of the year.",
		d.Weekday, now.Format("2 January 2006"), d.Clock, d.Zone, d.Offset, d.Week)
	return answer.Answer{Text: text, Data: d}, nil
}
