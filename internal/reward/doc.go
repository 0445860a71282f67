// Package reward keeps the score: it observes answers, what the critic says of
// them and what people say of them, tells respondents what they earned, and
// sums it all up.
//
// # First use
//
//	k, err := reward.Open(ctx, reward.Options{DB: db, Publish: publish, Bindings: bindings})
//	...
//	err = k.Handle(ctx, event) // from a durable observer of reward.Subjects()
//	report, err := k.Report(ctx, time.Time{})
//
// # Words
//
//   - A fact is what one event says: an answer, a grade, a comparison. The
//     latest of a kind counts, by the event's time and then its id, so that
//     events may come in any order and more than once.
//   - A row is one answer: a turn and a respondent, with the figures that
//     follow from the facts. It is counted and listed once its answer is
//     known; what is known of it before waits.
//   - The respondent of an answer or of feedback that names none is A, the one
//     whose answers are shown.
//   - A rating is feedback with thumbs or stars. The latest counts. Words alone
//     leave the rating before them in place; undo takes it away.
//
// # What feedback is worth
//
// Thumbs are worth -1 and 1; one to five stars -1, -0.5, 0, 0.5 and 1, and
// count before thumbs where both are given. Words alone are worth nothing that
// could be counted (null), and have a sentiment by rule. Undo is worth 0.
// Beside the critic's grades a person's stars stand as they are, a thumb up as
// 4 and a thumb down as 2.
//
// # Once
//
// Feedback is stored together with the reward.event that tells of it, whose id
// follows from the feedback's id; then it is published, then marked as told.
// What a crash left untold is told by [Open], or with the next event. A crash
// between publishing and marking publishes the same event with the same id
// again. Feedback that a later rating, told already, has replaced is not told.
//
// # Recognising feedback in conversation
//
// [Said] goes by rules in seven languages and prefers to miss feedback over
// inventing it: questions, requests, quotations and long texts are none, and
// neither are thanks alone, or a "yes" or "correct" that may answer a question
// of the assistant. [SaidBy] asks a model.
//
// # Proposals
//
// A model is proposed for a role when it beat the role's model in enough
// comparisons (20 decided ones) for the lower end of the Wilson interval of
// 95 % to lie above one half, unless grades or failures speak against it.
// Nothing is ever changed from here.
//
// # Concurrency
//
// All methods of [Keeper] are safe for concurrent use. It starts no goroutine.
// [Keeper.Close] waits for what runs.
//
// # What it refuses
//
// Events without id, time or turn, payloads that are not of their subject's
// shape, a grade outside 1 to 5 or beside the outcome unknown: CodeInvalid, so
// that the bus lays them aside. It keeps at most Options.MaxRows answers, the
// oldest go first, and of very long texts the beginning.
package reward
