package bustool

import (
	"encoding/json"
	"time"

	"moothall"
	"moothall/internal/tool/pin"
)

// maxAnnouncement bounds what is looked at: the schema, the description, and
// room for fields that nobody here knows.
const maxAnnouncement = 2*pin.MaxSchema + 6*pin.MaxDescription

// announcement is what a guest says of a tool.
type announcement struct {
	Name        moothall.ToolName
	Description string // cleaned
	Parameters  json.RawMessage
	raw         string // the description as it was sent
}

// parseAnnouncement reads the payload of tool.schema.
func parseAnnouncement(payload []byte) (announcement, error) {
	fail := func(code moothall.Code, message string, err error) (announcement, error) {
		return announcement{}, &moothall.Error{Code: code, Op: "tool announcement", Message: message, Err: err}
	}
	if len(payload) > maxAnnouncement {
		return fail(moothall.CodeTooLarge, "the announcement is above the limit", nil)
	}
	var w struct {
		Name        moothall.ToolName `json:"name"`
		Description string            `json:"description"`
		Parameters  json.RawMessage   `json:"parameters"`
	}
	if err := json.Unmarshal(payload, &w); err != nil {
		return fail(moothall.CodeInvalid, "the announcement is not readable", err)
	}
	if !moothall.ValidToken(string(w.Name)) {
		return fail(moothall.CodeInvalid, "the tool's name is none", nil)
	}
	if len(w.Description) > pin.MaxDescription {
		return fail(moothall.CodeTooLarge, "the description is above the limit", nil)
	}
	schema, err := pin.Canonical(w.Parameters)
	if err != nil {
		return announcement{}, err
	}
	about, _ := pin.Clean(w.Description, pin.MaxDescription)
	return announcement{Name: w.Name, Description: about, Parameters: schema, raw: w.Description}, nil
}

// ask is the payload of tool.request.<name>.
type ask struct {
	Call      moothall.CallID   `json:"call_id"`
	Tool      moothall.ToolName `json:"tool"`
	Arguments json.RawMessage   `json:"arguments"`
	Expires   time.Time         `json:"expires"` // after it nobody hears the answer
}

// answer is the payload of tool.result.<name>.
type answer struct {
	Status moothall.CallStatus `json:"status"`
	Text   string              `json:"text"`
	Data   json.RawMessage     `json:"data"`
}

// parseAnswer reads the payload of tool.result.<name>. What is not readable
// is a failure of the tool.
func parseAnswer(payload []byte) answer {
	var a answer
	if err := json.Unmarshal(payload, &a); err != nil {
		return answer{Status: moothall.CallFailed, Text: "The tool's answer is not readable."}
	}
	switch a.Status {
	case moothall.CallOK, moothall.CallFailed:
	default:
		return answer{Status: moothall.CallFailed, Text: "The tool's answer has no status that is known."}
	}
	if string(a.Data) == "null" {
		a.Data = nil
	}
	return a
}
