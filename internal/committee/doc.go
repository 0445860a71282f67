// Package committee lets several voices think about a question before it is
// answered: personas deliberate in rounds, and the Self answers for all.
//
// # First use
//
//	table := committee.New(committee.Options{Model: gateway, Broker: broker, Tell: tell})
//	outcome, err := table.Deliberate(ctx, committee.Question{
//		Scope: moothall.Scope{Session: session}, Query: query,
//		Text: "Should I take the job in Lisbon?",
//	}, func(s moothall.Step) { show(s) })
//
// # Words
//
//   - A persona is a voice with a name. What it says in one round is a
//     deliberation.
//   - The Self hears every deliberation and gives the answer.
//   - A member is a persona that takes part in this question and has not
//     failed yet.
//   - Dissent is a position that fewer voices hold than its opposite, or a
//     caution that one voice alone gives.
//
// # What happens
//
// Each persona is one run of the engine in each round, under an agent of type
// persona of its own at the broker, which ends with the run. It decides for
// itself whether to use the tools that the policy lets it have, in three
// rounds of calls at most by default. It sees the question, the words of the
// conversation (not what tools returned in it, and bounded), and the
// deliberations of earlier rounds: attributed, and every line marked as
// another's words. Within a round personas are independent of one another, so
// how many run at once does not change what they see; with the setting
// SeesRound they speak in turn and hear who spoke before.
//
// All agents of a round are spawned, in order, before the first of them runs.
// Deliberations are recorded in the order of the personas, whatever order they
// end in: in the [Outcome], and as committee.deliberation events of their end.
// An event of a beginning comes when the run begins, in the same order.
//
// A persona that fails is reported as failed with the reason, its words do not
// count, and it is left out from then on. Where all have failed before any was
// heard, the outcome has an error. Where the Self fails, the outcome has the
// deliberations, [FlagUnanswered] and the error.
//
// The Self must represent dissent. Personas are asked to end with a line of
// their position and one of a caution, and the answer is held against the last
// of these without asking a model: where some are for and some against, it
// must name a voice of the side that fewer hold (of both, when they are even)
// or repeat its caution; and a caution that no other voice mentions must be
// there, in its words or with its voice's name. Dissent that is left out goes
// back to the Self once, and is a [FlagDissent] after that. A persona that
// keeps to no form has a position only if it begins with yes or no.
//
// What a deliberation has touched passes on: labels go into the agents that
// read it, into the Self's, and into the outcome.
//
// # Without personas
//
// With an empty list of personas the Self answers alone, in the way of a model
// without tools: what its tools find for the question is looked up before it
// speaks, through the broker under the Self's own agent, and stands in its
// prompt as material. The outcome has no deliberations then, and its Calls
// show what was looked up. The same retrieval helps any persona whose model
// cannot use tools.
//
// # Limits
//
// Tokens and time are limited per question. At the start of a round what is
// left is divided among the runs still to come, the Self counting twice; what
// one leaves goes to the others. Rounds that the rest cannot pay are left out
// with a [FlagBudget], so that the Self can still speak. A run that is out of
// tokens is stopped before its next model call, so a limit can be passed by
// one call a run.
//
// # Concurrency
//
// A [Committee] holds nothing that changes; its methods are safe for concurrent
// use. Deliberate starts goroutines for the runs of a round and returns when
// all have ended. It calls say in the caller's goroutine only, and Tell in one
// of its own: the answer waits two seconds at most for a bus that is slow.
//
// # What it refuses
//
// It keeps no session, publishes no answer and reads no file: the chat does the
// first two, and the daemon reads personas.yaml into a [File]. It never says
// anything in a persona's name.
package committee
