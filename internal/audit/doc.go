// Package audit keeps the hall's record: an append-only Merkle log with
// signed heads.
//
//	log, err := audit.Open(dir, nil)
//	if err != nil { ... }
//	defer log.Close()
//	face := log.For(moothall.ToolBroker)
//	index, err := face.Append(ctx, moothall.AuditEntry{
//		Action: moothall.ActionToolCall, Status: moothall.StatusIntent, Call: call,
//	})
//	// the effect may happen only when err is nil
//
// There is no way to read through this package. Reading and checking is the
// business of the child package verify, which shares no code with this one.
//
// # Files
//
// All are in one directory of mode 0700, all have mode 0600.
//
// log holds one record a line:
//
//	<index> <batch> <len> <crc> <json>\n
//
// index counts from 0. batch is the index of the first record of the write
// that brought this one. len counts the bytes of the JSON. Numbers are
// decimal without leading zeros. crc is CRC-32C over "<index> <batch> <len> "
// and the JSON, as eight lower-case hexadecimal digits. Fields are separated
// by exactly one space.
//
// The JSON is canonical: members in the order time, by, agent, type, lineage,
// action, tool, params, status, session, query, run, call, rule, note; empty
// ones left out (time, by, action and status never are); no white space; time
// in RFC 3339 with nanoseconds, in UTC; in strings only the quotation mark,
// the backslash (both with a backslash) and the control characters up to 0x1f
// and 0x7f (as \u00xx, lower case) are escaped; bytes that are not UTF-8
// become U+FFFD. params is "hmac-sha256:" and the HMAC of the parameters
// under the directory's hash key. The leaf of the Merkle tree (RFC 6962) is
// the JSON, not the whole line.
//
// heads holds the signed heads: each is a signed note, whose text is a
// checkpoint (origin, size, root), followed by a line of three dashes. Sizes
// rise strictly; the first is 1.
//
// key is the note signer, key.pub its verifier, hash.key the key of the
// parameter hashes as 64 hexadecimal digits. The genesis record (index 0)
// names both keys, so a changed one is noticed.
//
// torn-* files hold bytes that a recovery cut off.
//
// # Creation
//
// key is written last, by rename, after all else is durable, and Open returns
// only then. A directory without key is one whose creation was cut short and
// is begun anew, unless its log holds more than a genesis record. With key
// present, a missing or empty log, or one without any head, is tampering.
//
// # Commit
//
// Append hands its record to one goroutine, which writes all that is waiting
// with one write and one flush, and answers when that is durable. The next
// batch is written only after the flush of the one before: a record whose
// batch is above n proves that n had been made durable. A second goroutine
// signs heads, of durable entries only, so signing delays no append. A head
// that nobody waits for waits a few milliseconds: it would share the disk with
// what the end of a run is kept in.
//
// A face has one method beyond [moothall.Audit]: Enqueue, which gives entries
// their place and lets their caller do something else until they are durable.
// When a write fails, what was placed behind it fails with it, rather than
// standing where its caller was not told.
//
// A write that fails (a full disk) is rolled back and its entries are
// refused; later ones are tried again. A flush that fails, or a roll-back
// that fails, ends all writing until the log is opened anew: a flush is never
// repeated, since its second success would say nothing.
//
// # Recovery
//
// Open reads the whole log and checks every record and every head. Damage in
// what a head covers is tampering, and so is any line that is whole but in
// the wrong place. Damage after the last head is a torn write if nothing
// shows that it had been made durable; it is cut off at its first bad record,
// kept in a torn-* file, and noted as an entry "audit.recovered". Intact
// records before it stay, whether they had been acknowledged or not. Bit rot
// in the very last batch of an unsigned tail cannot be told from a torn write
// and is treated as one. Open signs the tail that it accepted.
//
// # What it does not do
//
// Whoever can write the directory and read key can forge a whole new log.
// Only a head kept elsewhere reveals that; see verify.Options.Anchor. The
// package stores no parameters and no content, never rotates and never
// deletes.
//
// # Concurrency
//
// All methods of Log and of the faces are safe for concurrent use. One
// directory has one writer: a second Open fails with CodeConflict.
package audit
