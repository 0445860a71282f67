package daemon

import (
	"encoding/json"
	"io"

	"moothall"
	"moothall/internal/broker/firewall"
)

// scannedLine is what the firewall found in one text.
type scannedLine struct {
	ID       json.RawMessage `json:"id"`
	Score    float64         `json:"score"`
	Findings []finding       `json:"findings"`
	Error    string          `json:"error,omitempty"`
}

type finding struct {
	Rule  string `json:"rule"`
	Where int    `json:"where"`
	Text  string `json:"text"`
}

// ScanLines reads texts, one JSON object a line, and writes what the firewall
// finds in each: one line out for one line in, in order. A line that is no
// such object gets a line with an error.
func ScanLines(in io.Reader, out io.Writer) error {
	return eachLine(in, out, func(line []byte) any { return scanOne(line) })
}

func scanOne(line []byte) scannedLine {
	var in struct {
		ID   json.RawMessage `json:"id"`
		Text string          `json:"text"`
	}
	out := scannedLine{ID: json.RawMessage("null"), Findings: []finding{}}
	if err := json.Unmarshal(line, &in); err != nil {
		out.Error = moothall.Misread(err)
		return out
	}
	if in.ID != nil {
		out.ID = in.ID
	}
	report := firewall.Scan(in.Text)
	out.Score = report.Score
	for _, f := range report.Findings {
		out.Findings = append(out.Findings, finding(f))
	}
	return out
}
