// Package engine is the one agent loop of the hall. Chat, the second
// respondent, personas, subagents and the planner all run it.
//
// # First use
//
//	for event, err := range engine.Run(ctx, engine.Request{
//		Model: gateway, Broker: broker, Handle: agent.Handle,
//		Run: run, Role: moothall.ModelChat,
//		System: prompt, History: past, Tools: tools,
//		Input: []moothall.Message{{Role: moothall.RoleUser, Content: "What is new in Go?"}},
//		Now: time.Now,
//	}) {
//		switch {
//		case err != nil:
//			return err // the request makes no sense; nothing was done
//		case event.Kind == engine.KindDelta:
//			fmt.Print(event.Text)
//		case event.Kind == engine.KindFinal:
//			past = event.Final.Messages // valid, whatever ended the run
//		}
//	}
//
// # Words
//
//   - A round is one model call and the tool calls that it asked for. A model
//     call that is repeated because its reply was empty, cut or refused
//     belongs to the same round.
//   - A void round said something that does not count: its deltas are to be
//     taken back. The [KindRound] event says so.
//   - Interim speech is text before a tool call ("Let me look that up").
//   - A mend is a small repair of a call's arguments.
//   - A nudge reminds a model that announced work to do it.
//   - The mode is how tools are offered: in the request (native), described
//     in the prompt, or not at all.
//
// # What a run promises
//
// A run always ends, and its last event is [KindFinal]: whatever ended it,
// what was done until then is in the [Result] with a stop reason, and
// Result.Messages is a valid, closed history in the sense of package history.
// An error of the model is in Result.Err. The iterator itself yields an error
// only for a request that makes no sense, before any event.
//
// What is sent grows only at its end from round to round, so that a server
// can keep what it has read: system prompt, history and results of earlier
// rounds keep their bytes. What changes (date, recalled memories, the notice
// that no tools are left) stands behind them. The two exceptions are told by
// a [KindCompacted] event: old tool results that became one line each, and
// the oldest turns left out, when the window runs full.
//
// A result says where the time went and who answered, and sums up by host
// what left the machine: what the gateway reports of model calls, whole or
// failed, and what tools report. The engine measures neither itself: time
// comes from the request's clock, bytes from where they leave.
//
// # Record and replay
//
// A run is a function of its request and of what came in from outside: chunks
// of the model, steps of the broker, what Check, Retrieve and Recalls
// returned, what the clock showed, and at which look [Request].Ended first
// said that the run is over. Package tape keeps these and gives them back.
// Two rules keep this true: the clock is read by the run's own goroutine,
// but for one reading at the start of a call and one where the broker did
// not time it; and the loop looks at ctx through Ended only.
//
// # Concurrency
//
// A run does its work inside the caller's loop and holds no goroutine while
// the caller looks at an event, except that read-only calls of one reply are
// executed at the same time; they have ended before the round does. To stop a
// run and keep its result, cancel ctx and read on: the final event follows.
// Breaking out of the loop ends the run as well, without a result. Two runs
// may share everything in their requests.
//
// # What it refuses
//
// It knows no socket, file, environment variable or clock but the one it is
// given. It executes nothing itself: every call goes through the broker, and
// only tools on offer are asked for. It never puts thinking into history and
// never shows text that may still turn out to be a tool call.
package engine
