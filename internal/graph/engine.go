package graph

import (
	"context"
	"math"
	"time"

	"moothall"
)

// Instant is a point in time in microseconds since 1970, UTC. Engines keep it
// as a number, so that all of them compare alike.
type Instant int64

// The ends of time.
const (
	Unknown Instant = math.MinInt64 // a beginning that nobody told
	Forever Instant = math.MaxInt64 // no end
)

// instant turns a time into an Instant; zero becomes the given one.
func instant(t time.Time, zero Instant) Instant {
	if t.IsZero() {
		return zero
	}
	return Instant(t.UnixMicro())
}

// Time is the inverse; the ends of time become the zero time.
func (i Instant) Time() time.Time {
	if i == Unknown || i == Forever {
		return time.Time{}
	}
	return time.UnixMicro(int64(i)).UTC()
}

// EntityID names an entity.
type EntityID string

// Kind is what sort of thing an entity is.
type Kind string

// The kinds.
const (
	Person       Kind = "person"
	Place        Kind = "place"
	Organisation Kind = "organisation"
	Thing        Kind = "thing" // also: nobody knows yet
	Value        Kind = "value" // a number, a date, a word; never led on through
)

// Entity is somebody or something.
type Entity struct {
	ID     EntityID
	Name   string   // the one that is shown; also in Names
	Kind   Kind     //
	Names  []string // every name, in the order of their [Key]
	Stated bool     // a person described it: it stays without statements
}

// Statement is what one source said.
type Statement struct {
	ID          string
	Seq         int64 // its place in the order of arrival, given by the engine
	Subject     EntityID
	Object      EntityID
	SubjectName string // as said, which a merge leaves alone
	ObjectName  string
	Relation    string
	From        Instant // Unknown when not told
	To          Instant // Forever when not told
	Observed    Instant
	Source      moothall.MemoryID // "" when stated directly
	Confidence  float64
	Trust       moothall.Trust
}

// Fact is what follows from statements. Start is From, or the observation
// where From is Unknown; a fact with Start = End has no time left.
type Fact struct {
	ID         string
	Subject    EntityID
	Object     EntityID
	Relation   string
	From       Instant
	Start      Instant
	End        Instant
	Observed   Instant
	Source     moothall.MemoryID
	Confidence float64
	Trust      moothall.Trust
}

// Group is a set of facts or statements that decide about each other. An
// empty Object means all objects.
type Group struct {
	Subject  EntityID
	Relation string
	Object   EntityID
}

// Merge is the record of two entities made one, with what undoing it takes.
type Merge struct {
	ID   string
	At   Instant
	Keep EntityID
	Gone Entity // as it was
}

// Tense selects facts by how they lie to a point in time.
type Tense int

// The tenses.
const (
	Is   Tense = iota // began, and not ended
	Was               // ended
	Ever              // all, also what is still to come
)

// Counts are an engine's figures.
type Counts struct {
	Entities, Statements, Facts, Open, Merges, Sources int64
}

// View reads the graph. It belongs to the function that it is handed to.
// Slices returned are the caller's.
type View interface {
	// Entities returns those of the given ones that there are, by id.
	Entities(ctx context.Context, ids []EntityID) (map[EntityID]Entity, error)
	// Named returns whom these keys of names belong to.
	Named(ctx context.Context, keys []string) (map[string]EntityID, error)
	// Worded returns entities with a name that has the word, by id.
	Worded(ctx context.Context, word string, limit int) ([]EntityID, error)
	// Touching returns facts that have the entity as subject or object (all
	// facts when id is ""), the latest Observed first, then by id.
	Touching(ctx context.Context, id EntityID, tense Tense, at Instant, limit int) ([]Fact, error)
	// Group returns the group's facts that have some time between the two
	// instants, by Start and id. Facts without length have none.
	Group(ctx context.Context, g Group, after, before Instant) ([]Fact, error)
	// Said returns a group's statements by Seq.
	Said(ctx context.Context, g Group) ([]Statement, error)
	// SaidOf returns statements with the entity as subject or object, by Seq.
	SaidOf(ctx context.Context, id EntityID) ([]Statement, error)
	// Used reports whether any statement is about the entity.
	Used(ctx context.Context, id EntityID) (bool, error)
	// SaidBy returns the statements of a source, by Seq.
	SaidBy(ctx context.Context, source moothall.MemoryID) ([]Statement, error)
	// Twin returns the id of the statement that says exactly the same: the
	// same entities by names of the same keys, relation, times, source and
	// trust; "" if there is none.
	Twin(ctx context.Context, s Statement) (string, error)
	// Merges returns the records, newest first.
	Merges(ctx context.Context) ([]Merge, error)
	// PageEntities, PageStatements and PageFacts go through everything, by
	// id, by Seq and by id; start after "" or 0.
	PageEntities(ctx context.Context, after EntityID, limit int) ([]Entity, error)
	PageStatements(ctx context.Context, after int64, limit int) ([]Statement, error)
	PageFacts(ctx context.Context, after string, limit int) ([]Fact, error)
	Counts(ctx context.Context) (Counts, error)
}

// Tx changes the graph, and sees its own changes.
type Tx interface {
	View
	// PutEntity adds or replaces an entity with all its names. A name that
	// belongs to another entity is CodeConflict.
	PutEntity(ctx context.Context, e Entity) error
	// DropEntity removes an entity and its names.
	DropEntity(ctx context.Context, id EntityID) error
	// PutFact adds or replaces a fact.
	PutFact(ctx context.Context, f Fact) error
	// DropFacts removes a group's facts, which are derived.
	DropFacts(ctx context.Context, g Group) error
	// PutStatement adds a statement as the last of all. One whose id is
	// taken is CodeConflict.
	PutStatement(ctx context.Context, s Statement) error
	// DropStatements removes what a source said.
	DropStatements(ctx context.Context, source moothall.MemoryID) error
	// MoveStatements makes statements about one entity statements about
	// another: all of them, or those said with a name of the given keys.
	MoveStatements(ctx context.Context, from, to EntityID, keys []string) error
	PutMerge(ctx context.Context, m Merge) error
	DropMerge(ctx context.Context, id string) error
}

// Engine keeps a graph durably. The contract suite is in package graphtest.
// Errors are [*moothall.Error] values where the engine knows what is wrong;
// errors of f come back as they are.
type Engine interface {
	// Read runs f on the graph as it stands.
	Read(ctx context.Context, f func(View) error) error
	// Write runs f in a transaction. When it returns nil everything is kept
	// for good, otherwise nothing is. Writes run one after the other. An
	// engine may run f again after a passing failure, so f must not change
	// anything but the graph and variables that it sets anew.
	Write(ctx context.Context, f func(Tx) error) error
}
