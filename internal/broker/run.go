package broker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"moothall"
)

// outcome is what came of a call, and what else is to be done about it.
type outcome struct {
	res     moothall.ToolResult
	err     error // the caller gave up
	gone    bool  // the caller has left
	silent  bool  // nothing of it comes from the tool
	untried bool  // a tool of the hall is not set up: it has read nothing
	secrets []moothall.Secret
	news    *learned // what a search found
	kept    *kept    // what private data said
	fault   string   // what went wrong, for the record
}

func (o *outcome) remark() string {
	switch {
	case o.fault != "":
		return o.fault
	case o.res.Score > 0:
		return fmt.Sprintf("injection score %.2f", o.res.Score)
	}
	return ""
}

// fail makes the outcome a failure in the broker's own words. What left the
// machine until then has left it.
func (o *outcome) fail(status moothall.CallStatus, text, fault string) *outcome {
	o.res = moothall.ToolResult{Status: status, Text: text, Took: o.res.Took, Sent: o.res.Sent}
	o.silent, o.fault = true, fault
	return o
}

// answer is what a tool returned.
type answer struct {
	res   moothall.ToolResult
	err   error
	panic any
}

// run fetches the secrets and runs the tool, within its time.
func (b *Broker) run(ctx context.Context, c *call, yield yielder) *outcome {
	out := &outcome{}
	secrets, err := b.secrets(ctx, c)
	if err != nil {
		if out.err = ctx.Err(); out.err == nil {
			b.unable(c, out, err)
		}
		return out.fail(moothall.CallFailed, out.res.Text, "secret")
	}
	for _, s := range secrets {
		out.secrets = append(out.secrets, s)
	}
	limit := c.entry.spec.Timeout
	fill(&limit, b.opt.Timeout)
	var sending moothall.Sending
	runCtx, cancel := context.WithTimeout(sending.Under(ctx), limit)
	defer cancel()
	stop := context.AfterFunc(b.life, cancel)
	defer stop()

	notes := make(chan string, 16)
	done := b.start(runCtx, c, secrets, notes)
	began := time.Now()
	ans, ok := b.await(ctx, runCtx, cancel, done, notes, yield, out)
	out.res.Took = time.Since(began)
	ans.res.Sent = moothall.SumEgress(ans.res.Sent, sending.Take()...)
	return b.judgeAnswer(ctx, runCtx, c, out, ans, ok)
}

// start runs the tool beside, so that one which does not heed its context
// cannot hold the run.
func (b *Broker) start(ctx context.Context, c *call, secrets map[moothall.SecretRef]moothall.Secret, notes chan<- string) <-chan answer {
	done := make(chan answer, 1)
	r := moothall.ToolRun{
		Scope: moothall.Scope{Session: c.agent.scope, Lineage: append(moothall.Lineage(nil), c.agent.lineage...)},
		Agent: c.agent.id, Type: c.agent.kind, Query: c.about().query,
		Call:   moothall.ToolCall{ID: c.req.Call.ID, Name: c.entry.spec.Name, Arguments: append([]byte(nil), c.args...)},
		Labels: c.facts.Labels, Secrets: secrets, Reads: c.reads, Writes: c.writes,
		Note: func(text string) {
			select {
			case notes <- text:
			default: // who waits has enough to read
			}
		},
	}
	b.work.Go(func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a = answer{panic: p}
				b.opt.Logger.Error("a tool panicked", "tool", c.name(), "stack", string(debug.Stack()))
			}
			done <- a
		}()
		a.res, a.err = c.entry.tool.Run(ctx, r)
	})
	return done
}

// await passes notes on until the tool answers, or has had its time and the
// grace after it. The second result is false when it did not answer.
func (b *Broker) await(ctx, runCtx context.Context, cancel func(), done <-chan answer, notes <-chan string, yield yielder, out *outcome) (answer, bool) {
	for {
		select {
		case a := <-done:
			return a, true
		case text := <-notes:
			text, _ = cleanNote(text)
			if !out.gone && !yield(moothall.CallProgress{Note: redact(text, out.secrets)}, nil) {
				out.gone = true
				cancel()
			}
		case <-runCtx.Done():
			grace := time.NewTimer(b.opt.Grace)
			defer grace.Stop()
			select {
			case a := <-done:
				return a, true
			case <-grace.C:
				return answer{}, false
			}
		}
	}
}

// judgeAnswer turns what the tool did into an outcome. Of a result that comes
// with an error only what was sent counts; what a tool sent that panicked or
// did not answer nobody knows.
func (b *Broker) judgeAnswer(ctx, runCtx context.Context, c *call, out *outcome, ans answer, answered bool) *outcome {
	out.res.Sent = ans.res.Sent
	name := string(c.entry.spec.Name)
	late := errors.Is(runCtx.Err(), context.DeadlineExceeded) && ctx.Err() == nil
	switch {
	case out.gone, ctx.Err() != nil, b.life.Err() != nil && (!answered || ans.err != nil):
		// What the tool did until then is on record as not finished.
		out.err = first(context.Cause(ctx), errClosed())
		return out.fail(moothall.CallUnavailable, "[tool unavailable] The call was given up.", "given up")
	case !answered, late && ans.err != nil:
		b.stats.unavailable.Add(1)
		return out.fail(moothall.CallUnavailable, "[tool unavailable] "+name+" did not answer in time.", "timeout")
	case ans.panic != nil:
		return out.fail(moothall.CallFailed, name+" broke and could not do its work.", "panic")
	case ans.err != nil:
		return b.unable(c, out, ans.err)
	}
	took := out.res.Took
	out.res = ans.res
	out.res.Took = took
	switch out.res.Status {
	case moothall.CallOK, moothall.CallFailed, moothall.CallUnavailable:
	default: // a tool has no other word to say
		out.res.Status = moothall.CallFailed
	}
	return out
}

// unable words an error of the way to a tool, or of a tool that could not
// even try. Only what is meant for people is shown. What a tool of the hall
// says for want of being set up are the hall's words, and all that is said.
func (b *Broker) unable(c *call, out *outcome, err error) *outcome {
	text := string(c.entry.spec.Name) + " could not be run"
	status, code := moothall.CallFailed, moothall.ErrorCode(err)
	untried := code == moothall.CodeNotConfigured && builtIn(c.entry.spec) && len(out.res.Sent) == 0
	var e *moothall.Error
	switch {
	case !errors.As(err, &e) || e.Message == "":
	case untried:
		text = e.Message
	default:
		text += ": " + e.Message
	}
	if remedy := moothall.ErrorRemedy(err); remedy != "" {
		text += ". What helps: " + remedy
	}
	if code == moothall.CodeUnavailable || code == moothall.CodeTimeout {
		status, text = moothall.CallUnavailable, "[tool unavailable] "+text
		b.stats.unavailable.Add(1)
	}
	level := slog.LevelWarn
	if untried { // a choice of the person, who is told
		level = slog.LevelDebug
	}
	b.opt.Logger.Log(context.Background(), level, "a tool could not be run", "tool", c.name(), "error", redact(err.Error(), out.secrets))
	out.fail(status, text+".", string(code))
	out.silent = false // words of the tool may be among them
	out.untried = untried
	return out
}

// secrets fetches what a tool needs, at the last moment, and puts that on
// record before.
func (b *Broker) secrets(ctx context.Context, c *call) (map[moothall.SecretRef]moothall.Secret, error) {
	refs := c.entry.spec.Secrets
	if len(refs) == 0 {
		return nil, nil
	}
	out := make(map[moothall.SecretRef]moothall.Secret, len(refs))
	for _, ref := range refs {
		e := c.line(moothall.ActionSecret, moothall.StatusOK, moothall.Decision{Layer: "secret", Rule: string(ref)})
		if _, err := b.opt.Audit.Append(ctx, e); err != nil {
			return nil, err
		}
		s, err := b.secret(ctx, moothall.SecretRequest{Scope: moothall.Scope{Session: c.agent.scope, Lineage: c.agent.lineage}, Ref: ref})
		if err != nil {
			return nil, err
		}
		out[ref] = s
	}
	return out, nil
}

func (b *Broker) secret(ctx context.Context, r moothall.SecretRequest) (moothall.Secret, error) {
	const op = "secret"
	if b.opt.Secrets == nil {
		return moothall.Secret{}, &moothall.Error{Code: moothall.CodeNotConfigured, Op: op,
			Message: "there is no keyring for the secret " + string(r.Ref), Remedy: "moothall secrets set " + string(r.Ref)}
	}
	s, err := b.opt.Secrets.GetSecret(ctx, r)
	if err != nil {
		return moothall.Secret{}, &moothall.Error{Code: moothall.ErrorCode(err), Op: op,
			Message: "the secret " + string(r.Ref) + " could not be had", Remedy: "moothall secrets set " + string(r.Ref), Err: err}
	}
	return s, nil
}

// ProviderKey hands the gateway, or the search service, the key that the
// configuration binds to a provider of theirs.
func (f face) ProviderKey(ctx context.Context, r moothall.KeyRequest) (moothall.Secret, error) {
	const op = "provider key"
	if err := ctx.Err(); err != nil {
		return moothall.Secret{}, err
	}
	e := moothall.AuditEntry{
		Scope: r.Scope, Action: moothall.ActionSecret, Status: moothall.StatusDenied, Rule: "secret/" + string(r.Ref), Note: short("for " + r.Provider + ", asked by " + string(f.who)),
	}
	refuse := func(code moothall.Code, message string) (moothall.Secret, error) {
		if _, err := f.b.opt.Audit.Append(ctx, e); err != nil {
			return moothall.Secret{}, err
		}
		return moothall.Secret{}, moothall.Fail(code, op, message)
	}
	keys, may := map[moothall.Identity]map[string]moothall.SecretRef{
		moothall.ModelGateway: f.b.opt.Keys, moothall.Searcher: f.b.opt.SearchKeys,
	}[f.who]
	bound, ok := keys[r.Provider]
	switch {
	case !may:
		return refuse(moothall.CodeDenied, "only the gateway and the search service may ask")
	case !ok:
		return refuse(moothall.CodeNotFound, "no key is bound to "+r.Provider)
	case bound != r.Ref:
		return refuse(moothall.CodeDenied, "another secret is bound to "+r.Provider)
	}
	e.Status = moothall.StatusOK
	if _, err := f.b.opt.Audit.Append(ctx, e); err != nil {
		return moothall.Secret{}, err
	}
	return f.b.secret(ctx, moothall.SecretRequest{Scope: r.Scope, Ref: r.Ref})
}
