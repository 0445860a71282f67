package engine

import (
	"context"
	"errors"
	"strings"

	"moothall"
	"moothall/internal/engine/history"
)

// interrupted ends, in the history, words that were cut off.
const interrupted = "[interrupted]"

// spent says which limit keeps another model call from being made, or "".
func (r *run) spent(ctx context.Context) moothall.StopReason {
	l := r.limits
	err := r.ended(ctx)
	switch {
	case err != nil:
		return stopOf(err)
	case l.Tokens > 0 && r.res.Usage.PromptTokens+r.res.Usage.OutputTokens >= l.Tokens,
		l.Time > 0 && r.now().Sub(r.began)-r.excused >= l.Time:
		return moothall.StopBudget
	}
	return ""
}

// stopOf tells a deadline, which is a budget, from a person who gave up.
func stopOf(err error) moothall.StopReason {
	if errors.Is(err, context.DeadlineExceeded) {
		return moothall.StopBudget
	}
	return moothall.StopCanceled
}

// broken handles a model call that ended with an error.
func (r *run) broken(ctx context.Context, rep *reply) {
	if err := r.ended(ctx); err != nil {
		r.leave(rep, stopOf(err))
		return
	}
	code := moothall.ErrorCode(rep.err)
	nothing := rep.text == "" && rep.thinking == ""
	switch {
	case code == moothall.CodeUnsupported && nothing && r.fallBack(rep.err):
		r.close(rep, VoidRefuse)
	case code == moothall.CodeTooLarge && nothing && r.squeeze():
		r.close(rep, VoidRefuse)
	case code == moothall.CodeInterrupted || !nothing || len(r.res.Calls) > 0:
		r.res.Err = rep.err
		r.leave(rep, moothall.StopInterrupted)
	default:
		r.res.Err = r.explain(rep.err)
		r.leave(rep, moothall.StopError)
	}
}

// fallBack finds a humbler form for a request that the model refused. Which
// part it minds is known only from its words.
func (r *run) fallBack(err error) bool {
	switch {
	case r.think != "" && r.think != "off" && strings.Contains(strings.ToLower(reason(err)), "think"):
		r.think = ""
		return r.status("this model does not think aloud; asking it plainly")
	case r.mode == ToolsNative && r.offering():
		r.mode = ToolsDescribed
		r.conv[0].Content = r.system()
		return r.status("this model takes no tools; describing them in the prompt")
	case r.sendsSchema() && !r.plain:
		r.plain = true
		return r.status("this model takes no schema; asking in words")
	}
	return false
}

// leave ends the run with what a reply brought so far.
func (r *run) leave(rep *reply, stop moothall.StopReason) {
	if rep.text != "" {
		r.res.Answer = rep.text
		r.keep(moothall.Message{Role: moothall.RoleAssistant, Content: rep.text + "\n\n" + interrupted})
	}
	// What cut the run off is the reason, also where tools had been
	// withdrawn for another.
	r.res.Stop = stop
	r.over = true
	r.close(rep, "")
}

// fail ends the run with an error that is not the model's.
func (r *run) fail(err error) {
	r.res.Err = err
	r.end(moothall.StopError)
}

// accept ends the run with an answer.
func (r *run) accept(rep *reply, answer string) {
	r.res.Answer = answer
	r.keep(moothall.Message{Role: moothall.RoleAssistant, Content: answer})
	switch {
	case rep.stop == moothall.StopLength:
		r.res.Stop = moothall.StopLength
		r.over = true
	case r.capped():
		r.end(moothall.StopCap)
	default:
		r.end(moothall.StopDone)
	}
	r.close(rep, "")
}

// finish yields the final event.
func (r *run) finish() {
	if r.gone {
		return
	}
	res := &r.res
	if res.Answer == "" {
		res.Answer = r.spoken
	}
	res.Messages = history.Close(r.kept, history.Unanswered)
	res.Rounds, res.Mode = r.round, r.mode
	r.claims()
	early := res.Stop != moothall.StopDone && (res.Answer != "" || len(res.Calls) > 0)
	res.Partial = early || len(res.Failed) > 0 && len(res.Passed) > 0
	r.emit(Event{Kind: KindFinal, Final: res})
}
