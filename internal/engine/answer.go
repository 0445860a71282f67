package engine

import (
	"context"
	"encoding/json"
	"strings"

	"moothall"
	"moothall/internal/schema"
)

// What the engine says to a model. Each is said behind everything else.
const (
	sayNudge = "You said what you were going to do, but called no tool. Call the tool now. If no tool is needed, give the answer itself."
	sayEmpty = "Your last reply was empty. Answer in words."
	sayTools = " If you meant to call a tool, these are the only ones: "
)

// maxCuts is how often a reply is asked for again with more room.
const maxCuts = 2

// answer looks at a reply that is text: is it an answer?
func (r *run) answer(ctx context.Context, rep *reply) {
	if r.nudge(rep) || r.search(ctx, rep) {
		return
	}
	text, retry := r.fit(rep)
	if retry || r.check(ctx, rep, text) {
		return
	}
	r.accept(rep, text)
}

// nudge reminds a model that announced work and did none.
func (r *run) nudge(rep *reply) bool {
	if !r.offering() || !announces(rep.text) {
		return false
	}
	if r.nudges >= r.limits.Nudges {
		r.flag(FlagAnnounced, "")
		return false
	}
	r.nudges++
	r.draft(rep.text, sayNudge)
	r.close(rep, VoidNudge)
	r.advance()
	return true
}

// search makes up for an answer that hedges although it could have looked. The
// search itself is what keeps it from being made twice.
func (r *run) search(ctx context.Context, rep *reply) bool {
	spec := r.offer.find(r.req.Hedge)
	if spec == nil || r.forced || r.ended(ctx) != nil || !hedges(rep.text) || r.used(spec.Name) {
		return false
	}
	property, ok := schema.Query(spec.Parameters)
	if !ok {
		return false
	}
	args, _ := json.Marshal(map[string]string{property: r.question})
	r.close(rep, VoidHedge)
	r.perform(ctx, "", r.plan([]wish{{name: spec.Name, arguments: args, layer: "engine", spec: spec}}), "")
	r.advance()
	return true
}

// used reports whether a tool was called in this run.
func (r *run) used(name moothall.ToolName) bool {
	for _, c := range r.res.Calls {
		if c.Tool == name {
			return true
		}
	}
	return false
}

// fit holds an answer to the schema. It asks once for a better one.
func (r *run) fit(rep *reply) (answer string, retry bool) {
	if len(r.req.Schema) == 0 {
		return rep.text, false
	}
	value, err := schema.Extract(rep.text)
	var problems []string
	if err != nil {
		problems = []string{err.Error()}
	} else {
		problems = schema.Check(r.req.Schema, value)
	}
	if len(problems) == 0 {
		return string(value), false
	}
	why := strings.Join(problems, "; ")
	if r.repaired {
		r.flag(FlagSchema, why)
		return rep.text, false
	}
	r.repaired, r.strict = true, true
	r.draft(rep.text, "This does not fit the schema: "+why+". Give the answer again, as JSON only.")
	r.close(rep, VoidSchema)
	return "", true
}

// check verifies an answer. It reports whether another attempt is made.
func (r *run) check(ctx context.Context, rep *reply, text string) bool {
	if r.req.Check == nil || r.ended(ctx) != nil {
		return false
	}
	r.status("checking")
	v, err := r.req.Check(ctx, text)
	if err != nil {
		r.flag(FlagUnchecked, reason(err))
		return false
	}
	r.res.Passed, r.res.Failed = v.Passed, v.Failed
	if len(v.Failed) == 0 {
		return false
	}
	if r.tries >= r.limits.Retries || r.res.Stop != "" {
		r.flag(FlagCheck, strings.Join(v.Failed, "; "))
		return false
	}
	r.tries++
	r.draft(text, "A check of this found:\n- "+strings.Join(v.Failed, "\n- ")+"\nPut it right and give the whole answer again.")
	r.close(rep, VoidCheck)
	r.round++
	r.left, r.strict = r.limits.Rounds, false
	return true
}

// correct tells a model that its call could not be read.
func (r *run) correct(rep *reply) {
	r.mends(rep)
	r.draft(joined(rep.text, rep.raw), rep.problem)
	r.close(rep, VoidBroken)
	r.advance()
}

// empty asks once more. A server that swallows calls of tools which are not on
// offer leaves just this trace, so the names are given.
func (r *run) empty(rep *reply) {
	if !r.emptied {
		r.emptied = true
		r.note = sayEmpty
		if r.offering() {
			r.note += sayTools + r.offer.names() + "."
		}
		r.close(rep, VoidEmpty)
		return
	}
	r.flag(FlagEmpty, "")
	if r.capped() {
		r.end(moothall.StopCap)
	}
	r.end(moothall.StopError)
	if r.res.Stop == moothall.StopError {
		r.res.Err = moothall.Fail(moothall.CodeUnavailable, "reply", "the model gave no answer")
	}
	r.close(rep, "")
}

// widen asks again for a reply that was cut, with more room. It reports
// whether there is more.
func (r *run) widen(rep *reply) bool {
	if r.cuts >= maxCuts {
		return false
	}
	room := 2 * max(r.room, rep.usage.OutputTokens, 512)
	if w := r.req.Window; w > 0 {
		room = min(room, w-max(rep.usage.PromptTokens, r.estimate()))
	}
	if room <= max(r.room, rep.usage.OutputTokens) {
		return false
	}
	r.cuts++
	r.room, r.short = room, rep.text
	r.close(rep, VoidCut)
	return true
}

// looped ends a run whose model repeats itself. Where only the thinking went
// round in circles, it is asked once without.
func (r *run) looped(rep *reply) {
	if rep.circles && strings.TrimSpace(rep.text) == "" && !r.calmed {
		r.calmed, r.think = true, "off"
		r.close(rep, VoidEmpty)
		return
	}
	r.res.Answer = rep.text
	if rep.text != "" {
		r.keep(moothall.Message{Role: moothall.RoleAssistant, Content: rep.text})
	}
	r.res.Stop, r.over = moothall.StopRepetition, true
	r.close(rep, "")
}
