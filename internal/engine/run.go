package engine

import (
	"context"
	"iter"
	"strings"
	"time"

	"moothall"
	"moothall/internal/engine/history"
)

// Run executes the loop. See the package comment for what it promises.
func Run(ctx context.Context, req Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r, err := newRun(req, yield)
		if err != nil {
			yield(Event{}, err)
			return
		}
		r.retrieve(ctx)
		for !r.over {
			r.step(ctx)
		}
		r.finish()
	}
}

// run is the state of one run. It is used by one goroutine.
type run struct {
	req    Request
	limits Limits
	yield  func(Event, error) bool
	gone   bool // the caller left its loop
	over   bool

	// conv is what is sent: system prompt, history, input with its tail, and
	// all that was said since. kept is the history to keep: without system
	// prompt, tail and drafts, which are replies that do not count and what
	// the engine said to them.
	conv, kept []moothall.Message
	stored     int    // of kept, what round events have handed out
	question   string // the user's last words
	asked      int    // where they stand in conv
	note       string // said behind everything in the next model call only

	mode    string
	offer   offer
	round   int  // the current one
	left    int  // rounds of this attempt, the current one included
	forced  bool // no tools from now on
	plain   bool // the model refused the schema
	strict  bool // the schema goes with every further call
	room    int  // MaxTokens of the next call
	think   string
	began   time.Time
	awaited time.Time     // since when a person is waited for; zero when nobody is
	excused time.Duration // that a person took to answer
	measure measure

	// What was used up of each remedy.
	nudges, cuts, tries                 int
	emptied, repaired, squeezed, calmed bool

	prefix string // of the ids of calls
	taken  map[moothall.CallID]bool
	recent []string // keys of the latest calls
	called int      // calls given to the broker
	spoken string   // the last words that counted
	short  string   // a reply that was cut, while it is asked for again
	res    Result
}

func newRun(req Request, yield func(Event, error) bool) (*run, error) {
	if err := req.validate(); err != nil {
		return nil, err
	}
	if req.Run == "" {
		req.Run = moothall.RunID(moothall.NewID())
	}
	if req.Meter == nil {
		req.Meter = new(history.Meter)
	}
	r := &run{req: req, limits: req.Limits.withDefaults(), yield: yield, room: req.MaxTokens, think: req.Think}
	r.left = r.limits.Rounds
	r.began = r.now()
	r.mode = modeOf(&req)
	r.offer = newOffer(req.Tools, req.Abilities.Lines)
	if err := r.begin(); err != nil {
		return nil, err
	}
	return r, nil
}

func modeOf(req *Request) string {
	switch t := req.Abilities.Tools; {
	case len(req.Tools) == 0, t == ToolsNone:
		return ToolsNone
	case t == ToolsDescribed:
		return ToolsDescribed
	}
	return ToolsNative
}

// begin lays out the conversation.
func (r *run) begin() error {
	past := history.Repair(r.req.History)
	if len(r.req.Input) > 0 {
		past = history.Close(past, history.Unanswered)
	} else if history.Closed(past) {
		return moothall.Fail(moothall.CodeInvalid, "run", "there is nothing to answer")
	}
	// Several messages of the user become one here.
	input := history.Repair(append([]moothall.Message{}, r.req.Input...))
	r.kept = make([]moothall.Message, 0, len(past)+len(input)+8)
	r.kept = append(append(r.kept, past...), input...)
	r.stored = len(r.kept)
	r.conv = make([]moothall.Message, 1, len(r.kept)+10)
	r.conv[0] = moothall.Message{Role: moothall.RoleSystem, Content: r.system()}
	r.conv = append(r.conv, r.kept...)
	r.look()
	r.lead(r.req.Tail)
	r.tail(schemaTail(r.req.Schema))
	return nil
}

// look finds the user's last words, and the ids of this run that the history
// has already.
func (r *run) look() {
	r.prefix = strings.ReplaceAll(string(r.req.Run), "-", "") + "_"
	for i, m := range r.kept {
		if m.Role == moothall.RoleUser {
			r.question, r.asked = m.Content, len(r.conv)-len(r.kept)+i
		}
		for _, c := range m.ToolCalls {
			if !strings.HasPrefix(string(c.ID), r.prefix) {
				continue
			}
			if r.taken == nil {
				r.taken = make(map[moothall.CallID]bool)
			}
			r.taken[c.ID] = true
		}
	}
}

// lead puts volatile text before the user's last words: small models answer
// what stands last. It is not kept.
func (r *run) lead(text string) {
	if l := &r.conv[len(r.conv)-1]; text != "" && l.Role == moothall.RoleUser {
		l.Content = text + "\n\n" + l.Content
		return
	}
	r.tail(text)
}

// tail puts volatile text behind everything. It is not kept.
func (r *run) tail(text string) {
	if text == "" {
		return
	}
	if l := &r.conv[len(r.conv)-1]; l.Role == moothall.RoleUser {
		l.Content += "\n\n" + text
		return
	}
	r.conv = append(r.conv, moothall.Message{Role: moothall.RoleUser, Content: text})
}

// step is one model call and what follows from it.
func (r *run) step(ctx context.Context) {
	if stop := r.spent(ctx); stop != "" {
		r.stop(stop)
		return
	}
	if err := r.makeRoom(); err != nil {
		r.fail(err)
		return
	}
	if r.round == 0 {
		r.round = 1
	}
	r.status("thinking")
	rep := r.ask(ctx)
	if r.gone {
		r.over = true
		return
	}
	if rep.err == nil {
		r.short, r.squeezed = "", false
	} else if len(rep.text) < len(r.short) {
		rep.text = r.short
	}
	r.settle(ctx, &rep)
}

// settle decides what a reply means.
func (r *run) settle(ctx context.Context, rep *reply) {
	r.say(&r.res.Thinking, rep.thinking)
	switch {
	case rep.err != nil:
		r.broken(ctx, rep)
	case rep.looped:
		r.looped(rep)
	case rep.cut() && r.widen(rep):
	case len(rep.calls) > 0 && r.offering():
		r.act(ctx, rep)
	case rep.problem != "" && r.offering():
		r.correct(rep)
	case strings.TrimSpace(rep.text) == "":
		r.empty(rep)
	default:
		r.answer(ctx, rep)
	}
}

// advance goes on to the next round.
func (r *run) advance() {
	r.round++
	r.left--
}

// end stops the loop. The first reason given stands.
func (r *run) end(stop moothall.StopReason) {
	r.over = true
	if r.res.Stop == "" {
		r.res.Stop = stop
	}
}

// stop ends the run where no further call may be made. A reply that would have
// been asked for again is what there is.
func (r *run) stop(why moothall.StopReason) {
	if r.short == "" {
		r.end(why)
		return
	}
	r.leave(&reply{text: r.short}, why)
}

// lastTools withdraws the tools, so that the next reply is text.
func (r *run) lastTools(stop moothall.StopReason) {
	r.forced = true
	if r.res.Stop == "" {
		r.res.Stop = stop
	}
}

// emit yields an event unless the caller has left. It reports whether the run
// may go on.
func (r *run) emit(e Event) bool {
	if r.gone {
		return false
	}
	e.Round = r.round
	if !r.yield(e, nil) {
		r.gone, r.over = true, true
	}
	return !r.gone
}

func (r *run) status(text string) bool { return r.emit(Event{Kind: KindStatus, Text: text}) }

func (r *run) now() time.Time {
	if r.req.Now == nil {
		return time.Time{}
	}
	return r.req.Now()
}

// ended is why the run may not go on, nil while it may.
func (r *run) ended(ctx context.Context) error {
	if r.req.Ended == nil {
		return ctx.Err()
	}
	return r.req.Ended(ctx)
}

// keep adds messages to what is sent and to what is kept.
func (r *run) keep(msgs ...moothall.Message) {
	r.conv = append(r.conv, msgs...)
	r.kept = append(r.kept, msgs...)
}

// draft adds a reply that does not count, and what is said to it, to what is
// sent only.
func (r *run) draft(said, answer string) {
	r.conv = append(r.conv,
		moothall.Message{Role: moothall.RoleAssistant, Content: said},
		moothall.Message{Role: moothall.RoleUser, Content: answer})
}

// close ends a round with its event. A void round adds nothing to keep.
func (r *run) close(rep *reply, void string) {
	added := r.kept[r.stored:]
	r.stored = len(r.kept)
	r.emit(Event{Kind: KindRound, Usage: rep.usage, Messages: added[:len(added):len(added)], Void: void})
}

// say adds text to a field, a blank line apart.
func (r *run) say(field *string, text string) {
	switch {
	case text == "":
	case *field == "":
		*field = text
	default:
		*field += "\n\n" + text
	}
}
