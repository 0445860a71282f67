// Package compact replaces the older part of a conversation by notes on it:
// what was decided, which artifacts there are (their paths only), and which
// questions are open. The last turns stay word for word.
//
// # First use
//
//	if compact.Due(past, window, meter, model) {
//		res, err := compact.Run(ctx, compact.Request{Model: gateway, History: past, Window: window})
//		if err == nil {
//			past = res.Messages
//		}
//	}
//
// It makes model calls at background priority, so whoever keeps conversations
// runs it beside them and swaps the history when it is done. While it runs
// the conversation may go on: what was said since is put behind
// Result.Messages.
//
// # Rules
//
// A conversation is cut between turns only, so calls keep their results. The
// whole replacement is validated before it is returned. On any error the old
// history is still the right one: nothing is returned in its place. Notes say
// of themselves that they are a record and no instruction, and a path that
// the conversation does not contain is never noted.
//
// Run is synchronous, keeps no state and is safe for concurrent use.
package compact
