package builtin

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/gateway/builtin/prompt"
	"moothall/internal/schema"
)

const opGenerate = "generate"

// Bounds in tokens.
const (
	defaultAnswer = 1024 // thought and answer, where the request does not say
	leastRoom     = 48   // that a prompt must leave: a thought and a short sentence
)

// generation is one answer in the making.
type generation struct {
	ctx    context.Context
	r      moothall.GenerateRequest
	b      *bundle
	out    *sender
	guide  *constrain.Guide
	source *constrain.Source // nil: no tools
	parser prompt.Parser
	choose *sampler
	stops  stopper

	seq     sequence
	sure    float64   // the log probability of the last token, whatever was allowed
	sum     float64   // of all but the first of the thought, and those that others had a say in
	none    float64   // the log probability of a thought that no tool fits
	pending []int32   // chosen and not yet fed
	logits  []float32 // after what was fed
	own     []float32 // the same, before anything but the network had a say
	stretch []int32   // the tokens since the place changed, to see circles
	shut    bool      // JSON is to be brought to its end
	output  int       // tokens
	made    []moothall.ToolCall
	deaf    bool   // a call was left out, since nobody named what it would touch
	refusal string // said in place of calls

	judged  bool // what it says or calls is looked at before a person sees it
	before  Evidence
	held    bool // text waits for its verdict
	warn    bool // a text before it holds instructions
	text    strings.Builder
	thought strings.Builder
	wish    *wish
	reading *reading // nil: no tools
	restate restating
	dating  dating
	summing summing
	vouch   vouching
	dictate []int32 // tokens that come next, whatever the network would say
	logSum  float64
	logN    int
	stopped bool // it went in circles
	cut     bool // a stop string came
}

func (p *Provider) generate(ctx context.Context, r moothall.GenerateRequest, out *sender) error {
	if err := check(r); err != nil {
		return err
	}
	b, err := p.hold.take(ctx)
	if err != nil {
		return err
	}
	defer p.hold.put()
	sentence, messages := vouch(written(r.Messages), b.words.Encode)
	r.Messages = messages
	ids := prompt.Encode(prompt.Render(r), b.words.Encode)
	most, err := room(r, b.net.window(), len(ids)) // first, so that nothing is made of what is too long
	if err != nil {
		return err
	}
	g, err := p.begin(ctx, r, b, out)
	if err != nil {
		return err
	}
	if g.held { // what is streamed cannot be replaced
		g.vouch = sentence
		g.vouch.countLines(r.Messages)
	}
	g.seq = b.net.get(ids)
	g.pending = ids[g.seq.Len():]
	err = g.run(most)
	if err == nil || ctx.Err() != nil { // what was read before the caller gave up is of use to the next
		b.net.put(g.seq)
	}
	if err != nil || out.left {
		return err
	}
	if g.judged {
		g.reconsider()
	}
	return g.finish(len(ids))
}

func check(r moothall.GenerateRequest) error {
	if r.Model != "" && r.Model != Model {
		return moothall.Fail(moothall.CodeNotFound, opGenerate, "the built-in provider has only "+Model)
	}
	for _, m := range r.Messages {
		if len(m.Images) > 0 {
			return moothall.Fail(moothall.CodeUnsupported, opGenerate, "the built-in model reads no images")
		}
	}
	return nil
}

func (p *Provider) begin(ctx context.Context, r moothall.GenerateRequest, b *bundle, out *sender) (*generation, error) {
	calls, err := b.calls(r.Tools)
	if err != nil {
		return nil, err
	}
	answer, err := b.answer(r.Schema)
	if err != nil {
		return nil, err
	}
	g := &generation{ctx: ctx, r: r, b: b, out: out, choose: newSampler(r), judged: gated(r), before: evidence(r.Messages), none: math.Inf(-1)}
	g.restate, g.dating = restating{messages: r.Messages, encode: b.words.Encode}, newDating(b.words.Encode, asks(g.before.Question), r.Messages)
	g.summing = newSumming(b.words.Encode, asks(g.before.Question), r)
	o := constrain.Options{Think: r.Think != prompt.Off, Tokens: p.o.Thought, Calls: calls, Answer: answer}
	if calls != nil {
		g.source = source(r, g.before.Question)
		o.Source = g.source
		g.wish = newWish(r, b.words.Encode)
		g.reading = &reading{tools: r.Tools, encode: b.words.Encode}
	}
	if g.judged && g.before.reports() {
		o.Facts = facts(r)
	}
	g.guide = constrain.NewGuide(b.vocab, o)
	if r.Think == prompt.Off {
		g.parser.Skip()
	}
	if answer == nil { // a stop string inside JSON would break it
		g.stops.stops = r.Stop
	}
	g.held = g.judged && (o.Facts != nil || !g.before.stands())
	g.warn = o.Facts != nil && instructed(r.Messages)
	return g, nil
}

// room is how many tokens may come after a prompt.
func room(r moothall.GenerateRequest, window, used int) (int, error) {
	if r.Window > 0 {
		window = min(window, r.Window)
	}
	free := window - used
	if free < leastRoom {
		return 0, &moothall.Error{
			Code: moothall.CodeTooLarge, Op: opGenerate, Message: fmt.Sprintf("the conversation has %d tokens, and the built-in model reads %d", used, window),
			Remedy: "begin a new conversation, or use a larger model",
		}
	}
	most := r.MaxTokens
	if most <= 0 {
		most = defaultAnswer
	}
	return min(most, free), nil
}

// run chooses tokens until the message is complete, or may not go on.
func (g *generation) run(most int) error {
	for !g.guide.Ended() && !g.stopped && !g.cut && g.output < most {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		id, err := g.next()
		if err != nil {
			return err
		}
		if err := g.take(id); err != nil || g.out.left {
			return err
		}
	}
	return nil
}

// next chooses a token. The network is only asked when there is a choice.
func (g *generation) next() (int32, error) {
	if id, ok := g.guide.Forced(); ok {
		return id, nil
	}
	if len(g.dictate) > 0 {
		id := g.dictate[0]
		g.dictate = g.dictate[1:]
		return id, nil
	}
	if g.shut {
		if id, ok := g.guide.Shut(); ok {
			return id, nil
		}
	}
	if len(g.pending) > 0 {
		logits, err := g.seq.Feed(g.ctx, g.pending)
		if err != nil {
			return 0, err
		}
		g.logits, g.pending = logits, g.pending[:0:0]
	}
	if g.judged {
		g.own = append(g.own[:0], g.logits...)
	}
	if g.guide.Place() == constrain.Thought {
		g.wish.weigh(g.logits, g.b.words.Piece)
		g.reading.weigh(g.logits, g.b.words.Piece)
		g.restate.weigh(g.logits, g.thought.String())
		g.dating.weigh(g.logits, g.thought.String())
	}
	mask := g.guide.Mask()
	id := g.choose.pick(lean(g.logits, g.guide.Preferred()), mask, decides(g.guide.Place()))
	if id < 0 {
		return 0, moothall.Fail(moothall.CodeInternal, opGenerate, "the built-in model came to a place where nothing can follow")
	}
	if g.judged {
		g.account(id)
	}
	if place := g.guide.Place(); g.held && (place == constrain.Choosing || place == constrain.Text) {
		g.logSum += g.sure
		g.logN++
		if top := best(g.logits); g.guide.Facts() && g.sure < doubtful && top >= int32(prompt.Specials) && !mask.Has(top) {
			g.before.Doubt, g.stopped = true, true // whatever comes now, it is not said
		}
	}
	return id, nil
}

// decides reports whether what comes to stand there is right or wrong, so that
// the likeliest is best. Chance is for words, which may be these or others.
func decides(p constrain.Place) bool {
	return p != constrain.Choosing && p != constrain.Text
}

// take adds a token to the message.
func (g *generation) take(id int32) error {
	was := g.guide.Place()
	if err := g.guide.Add(id); err != nil {
		return err
	}
	g.pending = append(g.pending, id)
	g.output++
	piece, err := g.parser.Add(id, g.b.words.Piece(id))
	if err != nil {
		return err
	}
	if err := g.emit(piece); err != nil {
		return err
	}
	if was == constrain.Thought {
		g.wish.follow(id, g.thought.String())
		g.reading.follow(id, g.thought.String())
	}
	if g.guide.Place() == constrain.Thought && len(g.dictate) == 0 {
		for _, says := range []func(string) []int32{g.summing.dictate, g.vouch.dictate, g.dating.dictate, newest{g.r.Messages, g.b.words.Encode}.dictate, dueling{g.b.words.Encode}.dictate} {
			if g.dictate = says(g.thought.String()); g.dictate != nil {
				break
			}
		}
	}
	g.watch(was, id)
	return nil
}

// watch looks for circles, and lets calls know of the thought that is over.
func (g *generation) watch(was constrain.Place, id int32) {
	place := g.guide.Place()
	if was == constrain.Thought && place != was {
		g.dictate = nil // a thought whose room was used up has not said all of it
	}
	if was == constrain.Thought && place != was && g.source != nil {
		g.source.Mean(g.thought.String())
		g.settle()
	}
	if was == constrain.Thought && place != was && g.vouch.said {
		g.stopped = true // what comes now is known
		return
	}
	if place != was {
		g.stretch, g.shut = g.stretch[:0], false
		return
	}
	g.stretch = append(g.stretch, id)
	if !circles(g.stretch) {
		return
	}
	switch place {
	case constrain.Thought:
		g.guide.Close()
	case constrain.Text:
		g.stopped = true
	case constrain.JSON, constrain.Call:
		g.shut = true
	}
}

// settle lets a message call nothing but what its thought says that it calls.
func (g *generation) settle() {
	meant := meant(g.thought.String(), g.r.Tools)
	if len(meant) == 0 || len(meant) == len(g.r.Tools) {
		return
	}
	if calls, err := g.b.calls(meant); err == nil {
		g.guide.Only(calls)
	}
}

// emit hands on what became certain.
func (g *generation) emit(piece prompt.Piece) error {
	if piece.Call != nil {
		return g.called(*piece.Call)
	}
	g.out.think(piece.Thinking)
	g.thought.WriteString(piece.Thinking)
	g.words(piece.Text)
	if g.guide.Place() == constrain.Call && !g.cut {
		g.release()
	}
	return nil
}

// words adds text up to a stop string.
func (g *generation) words(text string) {
	text, g.cut = g.stops.add(text)
	g.say(text)
}

// say streams text, or holds it until its verdict.
func (g *generation) say(text string) {
	if len(g.r.Schema) > 0 {
		g.text.WriteString(text)
	}
	if g.held {
		g.text.WriteString(text)
		return
	}
	g.out.say(text)
}

// release lets go of what was held: words before a call are no answer.
func (g *generation) release() {
	held := g.held
	g.held = false
	if held {
		g.out.say(g.text.String())
	}
	g.out.say(g.stops.rest())
}

func (g *generation) called(c moothall.ToolCall) error {
	if problems := misfits(c, g.r.Tools); len(problems) > 0 {
		return g.illFormed("call "+string(c.Name), problems)
	}
	if t := offered(c.Name, g.r.Tools); t != nil {
		var ok bool
		c.Arguments, ok = heard(t, c.Arguments, everything(g.r.Messages), g.before.Question)
		if !ok || len(misfits(c, g.r.Tools)) > 0 {
			g.deaf = true
			return nil
		}
	}
	if meant := asMeant(c, asks(g.before.Question), g.thought.String(), g.r); len(misfits(meant, g.r.Tools)) == 0 {
		c = meant // what the person's words would make of it need not be what the tool takes
	}
	c.ID = moothall.CallID(moothall.NewID())
	g.made = append(g.made, c)
	return nil
}

// offered is the tool of that name; nil: there is none.
func offered(name moothall.ToolName, tools []moothall.ToolSpec) *moothall.ToolSpec {
	if i := slices.IndexFunc(tools, func(t moothall.ToolSpec) bool { return t.Name == name }); i >= 0 {
		return &tools[i]
	}
	return nil
}

// misfits says why a call's arguments are none that its tool takes.
func misfits(c moothall.ToolCall, tools []moothall.ToolSpec) []string {
	t := offered(c.Name, tools)
	if t == nil || len(t.Parameters) == 0 {
		return nil
	}
	return schema.Check(t.Parameters, c.Arguments)
}

// illFormed is the error for what a grammar could not keep well formed.
func (g *generation) illFormed(op string, problems []string) error {
	e := &moothall.Error{
		Code: moothall.CodeUnsupported, Op: op, Message: "the built-in model cannot fit this schema: " + strings.Join(problems, "; "),
		Remedy: "use a larger model",
	}
	if g.out.started {
		e.Code = moothall.CodeInterrupted
	}
	return e
}
