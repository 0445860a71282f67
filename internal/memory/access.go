package memory

import (
	"slices"

	"moothall"
)

// Right is something that a participant may do with memories.
type Right string

// The rights.
const (
	RightRead     Right = "read"
	RightWrite    Right = "write"
	RightAnnotate Right = "annotate"
	RightReview   Right = "review"
	RightForget   Right = "forget" // and merging names, which cannot be undone either
)

// rights is the one table of who may do what. Tools act under the broker,
// which has decided each call; nobody but the person takes something away.
var rights = map[moothall.Identity][]Right{
	moothall.Person:         {RightRead, RightWrite, RightAnnotate, RightReview, RightForget},
	moothall.FrontDoor:      {RightRead, RightWrite, RightAnnotate, RightReview, RightForget},
	moothall.Hall:           {RightRead},
	moothall.ChatHall:       {RightRead, RightWrite, RightAnnotate},
	moothall.CommitteeTable: {RightRead, RightWrite},
	moothall.Orchestrator:   {RightRead, RightWrite, RightReview},
	moothall.ToolBroker:     {RightRead, RightWrite},
	moothall.MemoryKeeper:   {RightRead, RightWrite, RightAnnotate},
	moothall.Critic:         {RightRead, RightAnnotate},
	moothall.Reward:         {RightRead, RightAnnotate},
}

// Rights returns what a participant may do; nothing for the others.
func Rights(id moothall.Identity) []Right { return slices.Clone(rights[id]) }

// most is the highest trust that a participant's word can have: what comes
// from the person comes in by the person's own doors.
func most(id moothall.Identity) moothall.Trust {
	if id == moothall.Person || id == moothall.FrontDoor {
		return moothall.TrustPerson
	}
	return moothall.TrustModel
}

// allow refuses what the table does not grant.
func allow(id moothall.Identity, r Right) error {
	if slices.Contains(rights[id], r) {
		return nil
	}
	return moothall.Fail(moothall.CodeDenied, "memory", string(id)+" may not "+string(r)+" memories")
}
