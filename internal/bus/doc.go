// Package bus is the event plane: it carries [moothall.Event] values from who
// knows that something happened to whoever wants to hear it, over NATS.
//
// # First use
//
//	b, err := bus.Open(ctx, bus.Options{
//		Dir: dir,
//		Observers: []bus.Durable{{
//			Identity: moothall.Critic, Name: "grades",
//			Subjects: []moothall.Subject{moothall.SubjectResponseGeneration},
//		}},
//	})
//	chat, err := b.As(moothall.ChatHall)
//	seq, err := chat.Publish(ctx, event)
//
//	critic, err := b.As(moothall.Critic)
//	err = critic.Observe(ctx, bus.Observer{Name: "grades", Handle: grade})
//
//	person, err := b.As(moothall.Person)
//	for event, err := range person.Subscribe(ctx, bus.SubscribeOptions{}) { … }
//
// # Words
//
//   - The record is the JetStream stream HALL. It holds every event of a
//     subject that must be delivered, in one order; an event's place in it is
//     its Seq, counted from 1. Age and size bound it: the oldest go first.
//   - A participant is a handle bound to one identity of the hall.
//   - A listener ([Participant.Subscribe]) hears events while it runs and
//     leaves nothing behind.
//   - An observer ([Participant.Observe]) is known to the server by name:
//     what it missed while it was down it gets on return.
//   - A guest is a tool that lives on the bus, in any process and language.
//   - A dead letter is an event that an observer could not handle.
//
// # Delivery
//
// A subject that must be delivered ([moothall.MustDeliver]): Publish returns
// when the record has the event on disk, synced. Publishing the same id again
// within two minutes stores it once and returns the first place. A listener
// sees each such event once, in order, without a gap between what it replays
// and what is live: it holds a bounded buffer of what is new, and reads what
// did not fit, or what passed while the connection was down, from the record
// at its own pace. So a slow listener never blocks a publisher and never
// loses such an event, unless it falls behind the record's own bounds.
//
// A subject that may drop ([moothall.MayDrop]): Publish returns at once. Who
// listens and keeps up hears it; a full buffer or a lost connection drops it,
// and the drop is counted.
//
// An observer gets each event at least once, at most Concurrency at a time.
// With a concurrency of 1 it gets them in order, and an event that fails
// holds up those behind it until it succeeds or becomes a dead letter. A
// failed event comes again after a pause, up to MaxTries times; the count
// survives a restart. An event whose handler says [moothall.CodeInvalid], or
// whose envelope is not what its wire subject says, is never retried. A dead
// letter goes to the record on dead.letter, then the event is laid aside. An
// event on dead.letter that fails is logged and counted, not lettered again.
//
// # Once
//
// At least once is the most that any bus can promise. With a [Ledger] an
// observer asks before it handles an event whether that id is done, and marks
// it after. A crash between handling and marking handles the event twice. An
// observer whose effect lies in a database closes this gap by writing the
// mark in the same transaction as the effect, in Handle itself; Mark then
// finds the row there. Effect and mark are there together or not at all:
// that is exactly once.
//
// # Who may say what
//
// Each participant has its own connection and its own NATS user. The wire
// subject is the subject and the sender's name: query.received.front,
// tool.request.web_search.broker. A user may publish the subjects that the
// table in the root package lets it publish, ending in its own name, and
// nothing else. The server enforces this; the check in Publish only gives the
// better message. The envelope names subject and sender again, and an event
// whose envelope and wire subject differ never reaches a listener or handler.
//
// JetStream answers a request wherever the request asks it to, without
// looking at the asker's permissions. A user that may pull from a consumer,
// create one, or use direct get could have the server copy bytes of its
// choice onto anybody's subject. No participant may do any of these: stored
// events are read by a request whose reply is wrapped in JSON and can never
// pass for an envelope, live ones come from the server's own republishing
// below "stored.", and observers are push consumers that the user "bus"
// creates. That user administers the stream and cannot publish an event.
//
// The names of observers are fixed when the bus is opened, since NATS grants
// the right to acknowledge per whole name. An observer needs an identity that
// may publish dead letters.
//
// # Where the server is
//
// With Options.Dir the server runs in this process, on files in that folder,
// and opens no port unless Options.Listen says so. With Options.URL it is
// somebody else's; [Accounts] prints the users for its configuration. A
// process that holds credentials for "bus" creates and updates the stream and
// the observers; one that does not uses what is there. When a remote server
// goes away, Publish keeps trying until its context ends (fifteen seconds when
// it has no deadline) and then says [moothall.CodeUnavailable]; listeners and
// observers resume by themselves.
//
// The bus is not the system of record: the database and the audit log are. A
// damaged store can be moved away and begins anew.
//
// # Concurrency
//
// Everything is safe for concurrent use, but one Subscribe iterator belongs to
// one goroutine. [Bus.Close] ends all connections; end Observe and Subscribe
// by their contexts first.
//
// # What it refuses
//
// An unknown subject, a sender other than the participant, a payload above
// the limit, a second process on the same folder, a port beyond this machine
// without TLS.
package bus
