package builtin

import (
	"encoding/json"
	"strings"

	"moothall"
	"moothall/internal/schema"
)

// finish ends the stream.
func (g *generation) finish(promptTokens int) error {
	stop := moothall.StopDone
	switch {
	case !g.guide.Ended() && !g.stopped && !g.cut:
		stop = moothall.StopLength
	case g.calls > 0:
		stop = moothall.StopTools
	}
	if !g.cut {
		rest := g.parser.End()
		g.out.think(rest.Thinking)
		if g.words(rest.Text); !g.cut {
			g.say(g.stops.rest())
		}
	}
	if err := g.checkAnswer(stop); err != nil {
		return err
	}
	g.verdict()
	if g.deaf && g.calls == 0 {
		g.out.say(misheard)
	}
	if g.warn && g.calls == 0 && !strings.Contains(strings.ToLower(g.text.String()), "instruction") {
		g.out.say(" " + warning)
	}
	g.out.end(stop, moothall.Usage{Calls: 1, PromptTokens: promptTokens, OutputTokens: g.output})
	return nil
}

func (g *generation) checkAnswer(stop moothall.StopReason) error {
	if len(g.r.Schema) == 0 || stop != moothall.StopDone {
		return nil
	}
	if problems := schema.Check(g.r.Schema, json.RawMessage(g.text.String())); len(problems) > 0 {
		return g.unfit(opGenerate, problems)
	}
	return nil
}

// verdict decides on what was held. A text that was cut is judged by what there
// is of it.
func (g *generation) verdict() {
	if !g.held {
		return
	}
	e := g.before
	e.Answer = g.text.String()
	if g.logN > 0 {
		e.LogProb = g.logSum / float64(g.logN)
	}
	g.held = false
	if strings.TrimSpace(e.Answer) == "" && !e.Doubt {
		g.out.say(e.Answer)
		return
	}
	if v := Judge(e); v.Keep {
		g.out.say(e.Answer)
		return
	}
	if said := quote(g.r.Messages); e.Material && said != "" {
		g.out.say(said)
		return
	}
	g.out.say(unknown(g.r.Tools))
}
