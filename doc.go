// Package moothall is the vocabulary of the hall: the words that every part
// of the program shares, and the contracts through which the parts meet.
//
// It holds types, a closed list of error codes and small pure helpers. It
// imports nothing but the standard library, opens nothing, starts nothing and
// logs nothing. Whoever needs to talk to a service asks for one of the
// contracts below; whether the other side is in the same process, behind a
// unix socket or on another machine is the daemon's business.
//
// # Words
//
//   - A session is one conversation of a person with the hall.
//   - A turn is one query and everything done to answer it ([QueryID]).
//   - A run is one execution of the engine for one agent ([RunID]).
//   - A round is one model call and the tool calls that it asked for.
//   - An agent is an instance of an agent type, with a parent and a [Lineage].
//   - A respondent answers the person: A is shown, B is a shadow.
//   - A persona is a member of a committee.
//   - An observer only listens to events.
//   - An engram is the memory of one turn.
//   - A [Label] says what a run has touched; labels only grow.
//   - A [Receipt] says what a turn cost and touched.
//
// # Contracts
//
// [Front], [Gateway], [Memory], [Broker], [Secrets], [Audit] and [Search] are
// the command plane: request and reply, with authority. A value of one of
// these types is bound to the [Identity] that it was handed to, so that no
// method takes the caller as an argument and none can be called as somebody
// else. [Event] is the event plane: it says what happened and gives no
// authority.
//
// All contracts are safe for concurrent use. Every method may return an
// [*Error]; what is not one counts as [CodeInternal]. Byte slices and
// messages passed in are not kept after the call returns; those handed out
// belong to the caller. Streams are pull iterators: breaking out of the loop
// ends the work behind them, and after an error nothing follows.
package moothall
