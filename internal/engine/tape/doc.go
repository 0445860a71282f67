// Package tape records runs of the engine and plays them again.
//
// # First use
//
//	request, recorder := tape.Record(request)
//	// ... engine.Run(ctx, request) to its final event ...
//	data, err := recorder.Tape(final).Marshal()
//
//	t, err := tape.Unmarshal(data)
//	again, report, err := tape.Play(ctx, t, tape.Changes{})
//	// report.Same: the run did the same once more
//
// # Words
//
//   - A tape holds what a run was given (every data field of its request) and
//     all that came in from outside: chunks of the model, steps of the broker,
//     what its functions returned, the clock, and the end of its context.
//   - A prompt's digest stands for what a model call was sent, message by
//     message. Playing compares it, so that a change of our own code shows as
//     a difference and is not hidden by the recorded reply.
//   - A live replay asks a model; its tool calls still get recorded results.
//
// # What a tape promises
//
// Without changes the recorded chunks are played and the same result comes,
// byte for byte, durations included. Nothing is ever executed: a call that is
// not on the tape gets a failed result that says so. Calls are told by name
// and arguments, in whatever form the arguments are written; the same call
// made several times gets its results in their order.
//
// # What is not in it
//
// The handle of the agent, which is a permission. Secrets: calls are recorded
// as the model wrote them, before the broker fills in what a placeholder
// stands for, and results after it has taken secrets out. Causes of errors,
// which may hold anything; code, message and remedy are kept. The record
// holds everything else that was said, so it is as private as the
// conversation is.
//
// A tape is bounded. What does not fit is left out and named in Tape.Cut; a
// tape that was cut cannot be played byte for byte, and Play refuses to
// pretend.
//
// # Concurrency
//
// A recorder belongs to one run; read-only calls of that run may pass through
// it at the same time. [Recorder.Tape] is for after the run. A [Tape] is not
// changed by playing it and may be played by several at once.
package tape
