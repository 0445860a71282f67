// Package verify reads and checks an audit log. It shares no code with the
// writer: parser, spelling of records and Merkle tree are its own, so that a
// fault in one is seen by the other. The file format is described in the
// parent package.
//
//	report, err := verify.Dir(ctx, dir, nil)
//	if err == nil && !report.OK { ... report.Findings ... }
//
// [Dir] checks integrity (every record, every head, the keys against the
// genesis record) and completeness (no gaps, the log reaches its last head,
// intents have outcomes). [Entries], [Follow] and [Export] read. [Prove]
// makes a proof that one entry stands in the log, which [Proof.Check] checks
// anywhere.
//
// # What a check can tell
//
// Every changed byte of log, heads and keys is found. A log cut at a record's
// end after its last head is not, nor is a directory rebuilt with new keys:
// both need a head that was kept elsewhere ([Options].Anchor). The last head
// is in every [Report] for that purpose. Removing whole heads other than the
// first goes unnoticed too: entries that no later head covers then count as
// not signed yet.
//
// A log may be checked while it is written to: heads are read before the log,
// the log as far as it reaches at that moment, and an unfinished last record
// is no damage.
//
// # Concurrency
//
// All functions may be called concurrently. They take no locks and change
// nothing. Text in entries comes from agents and tools: whoever prints it
// must make it safe for its medium; [Export] does so for spreadsheets.
package verify
