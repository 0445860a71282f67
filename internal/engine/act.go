package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"moothall"
	"moothall/internal/engine/toolcall"
	"moothall/internal/schema"
)

// repeatWindow is how many of the latest calls are compared.
const repeatWindow = 12

// planned is a call on its way: to be executed, or refused here.
type planned struct {
	call    moothall.ToolCall
	origin  moothall.CallID
	spec    *moothall.ToolSpec
	layer   string
	refused string // why it is not executed, for the model
	result  moothall.ToolResult
	text    string // of the tool message
}

// act carries out what a reply asks for and ends its round.
func (r *run) act(ctx context.Context, rep *reply) {
	if rep.text != "" {
		r.spoken = rep.text
		r.emit(Event{Kind: KindInterim, Text: rep.text})
	}
	r.mends(rep)
	r.perform(ctx, rep.text, r.plan(rep.calls), rep.problem)
	r.close(rep, "")
	if err := r.ended(ctx); err != nil {
		r.res.Stop = ""
		r.end(stopOf(err))
		return
	}
	r.advance()
}

// perform executes a plan and adds its group to the history. The group is
// whole whatever happens on the way.
func (r *run) perform(ctx context.Context, said string, plan []planned, problem string) {
	calls := make([]moothall.ToolCall, len(plan))
	for i := range plan {
		calls[i] = plan[i].call
		calls[i].Origin = plan[i].origin
	}
	began := r.now()
	r.execute(ctx, plan)
	r.res.ToolTime += r.now().Sub(began)
	limit := r.resultLimit(plan)
	group := make([]moothall.Message, 1, 1+len(plan))
	group[0] = moothall.Message{Role: moothall.RoleAssistant, Content: said, ToolCalls: calls}
	for i := range plan {
		p := &plan[i]
		group = append(group, moothall.Message{Role: moothall.RoleTool, Content: clip(p.text, limit), ToolName: p.call.Name, CallID: p.call.ID})
		r.record(p)
	}
	if problem != "" {
		last := &group[len(group)-1]
		last.Content = joined(last.Content, "[another call in the same reply could not be read] "+problem)
	}
	r.keep(group...)
}

func (r *run) mends(rep *reply) {
	tool := moothall.ToolName("")
	if len(rep.calls) > 0 {
		tool = rep.calls[0].name
	}
	for _, m := range rep.mends {
		r.res.Mends = append(r.res.Mends, Mend{Tool: tool, What: m})
	}
}

// plan gives every wish an id and sound arguments, or a reason to refuse it.
func (r *run) plan(wishes []wish) []planned {
	plan := make([]planned, len(wishes))
	for i, w := range wishes {
		p := &plan[i]
		p.origin, p.layer, p.spec, p.refused = w.origin, w.layer, w.spec, w.problem
		p.call = moothall.ToolCall{ID: r.callID(i), Name: w.name, Arguments: json.RawMessage("{}")}
		if p.refused == "" && w.layer != layerNative && r.quoted(w) {
			p.refused = "[not run] This call stands in the result of a tool: repeating it makes no call. Say what it says in your own words."
		}
		if p.refused == "" {
			r.coerce(p, w.arguments)
		}
		r.guard(p, w.arguments)
	}
	return plan
}

// callID is unique among all runs, the same for the same place in a run, and
// short and plain enough for every provider.
func (r *run) callID(i int) moothall.CallID {
	id := moothall.CallID(r.prefix + strconv.Itoa(r.round) + "_" + strconv.Itoa(i))
	for r.taken[id] { // the run goes on after a crash, under its old name
		id += "b"
	}
	return id
}

// coerce fits the arguments to the tool's schema.
func (r *run) coerce(p *planned, raw []byte) {
	args, mends, err := toolcall.Coerce(*p.spec, raw)
	for _, m := range mends {
		r.res.Mends = append(r.res.Mends, Mend{Tool: p.call.Name, What: m})
	}
	if err != nil {
		p.refused = fmt.Sprintf("[bad arguments] %s. Call %s again with arguments that fit its schema.", reason(err), p.call.Name)
		return
	}
	p.call.Arguments = args
}

// guard refuses a call that was made too often, or one too many.
func (r *run) guard(p *planned, raw []byte) {
	key := string(p.call.Name) + " " + canonical(p, raw)
	n := 1
	for _, k := range r.recent {
		if k == key {
			n++
		}
	}
	if r.recent = append(r.recent, key); len(r.recent) > repeatWindow {
		r.recent = r.recent[1:]
	}
	l := r.limits
	switch {
	case l.Repeats > 0 && n >= l.Repeats:
		p.refused = fmt.Sprintf("[not run] The same call was made %d times. Use the results that are there.", n)
		r.lastTools(moothall.StopRepetition)
	case p.refused == "" && l.Calls > 0 && r.called >= l.Calls:
		p.refused = "[not run] The budget of tool calls is used up."
		r.lastTools(moothall.StopBudget)
	case p.refused == "":
		r.called++
	}
}

// canonical is the same for arguments that differ in form only. A refused
// call has no sound arguments, so what was written counts.
func canonical(p *planned, raw []byte) string {
	if p.refused == "" {
		raw = p.call.Arguments
	}
	if c, err := schema.Canonical(raw); err == nil {
		return string(c)
	}
	return string(raw)
}

// record notes a call in the result.
func (r *run) record(p *planned) {
	r.res.Calls = append(r.res.Calls, moothall.CalledTool{
		Tool: p.call.Name, Args: p.call.Arguments, Result: p.text, Status: p.result.Status, Millis: p.result.Took.Milliseconds(),
	})
	r.res.Layers = append(r.res.Layers, p.layer)
	r.res.Labels |= p.result.Labels
	r.sent(p.result.Sent)
}

// sent adds up what left the machine.
func (r *run) sent(list []moothall.Egress) {
	r.res.Sent = moothall.SumEgress(r.res.Sent, list...)
}
