package pin

import (
	"encoding/json"

	"moothall"
)

// Standing says whether a definition may be used.
type Standing string

// The standings.
const (
	Approved Standing = "approved"
	New      Standing = "new"      // nobody has approved it yet
	Changed  Standing = "changed"  // it is not what was approved
	Conflict Standing = "conflict" // its name is taken
	Refused  Standing = "refused"  // it breaks a limit
)

// Offer is a definition that waits for a person, or that can never be used
// and why. The texts are the foreign tool's own, cleaned.
type Offer struct {
	Owner       string            `json:"owner"` // "mcp:files", "bus:weather"
	From        string            `json:"from"`  // the same without its kind
	Tool        string            `json:"tool"`  // what the owner calls it
	Name        moothall.ToolName `json:"name"`  // what the hall would call it
	Description string            `json:"description"`
	Parameters  json.RawMessage   `json:"parameters,omitempty"`
	Hash        string            `json:"hash,omitempty"`
	Standing    Standing          `json:"standing"`
	Reason      string            `json:"reason"`
}

// Compare holds the hash of a definition against what was approved.
func Compare(pins Pins, owner, tool, hash string) (Standing, string) {
	pinned, err := pins.Get(owner, tool)
	switch {
	case err != nil:
		return New, "what was approved cannot be read"
	case pinned == "":
		return New, "nobody has approved it yet"
	case pinned != hash:
		return Changed, "the tool or its owner is not what was approved"
	}
	return Approved, ""
}

// Approvable says why an offer cannot be approved, nil when it can: hash is
// that of the definition which a person has seen. CodeDenied for one that
// breaks a limit, CodeConflict when its name is taken or it is another one
// by now.
func (o Offer) Approvable(hash string) error {
	switch {
	case o.Standing == Refused:
		return moothall.Fail(moothall.CodeDenied, "approve tool", o.Reason)
	case o.Standing == Conflict:
		return moothall.Fail(moothall.CodeConflict, "approve tool", o.Reason)
	case o.Hash == "" || o.Hash != hash:
		return &moothall.Error{
			Code: moothall.CodeConflict, Op: "approve tool", Message: "the definition is not the one that was shown",
			Remedy: "look at it again",
		}
	}
	return nil
}
