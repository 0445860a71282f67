package critic

import (
	"context"
	"encoding/json"
	"time"

	"moothall"
)

const (
	keepTexts  = 24 * time.Hour  // of what was judged: the other answer may come late
	sweepEvery = time.Hour       // how often old rows are looked for
	storePause = 5 * time.Second // after the store failed
	lastWrite  = 5 * time.Second // for writing down what was in work when the hall stops
)

// work does jobs until ctx ends.
func (c *Critic) work(ctx context.Context) {
	for ctx.Err() == nil {
		c.tidy(ctx)
		j, pause, err := c.pick(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			c.o.Logger.Warn("the critic cannot read its jobs", "err", err)
			rest(ctx, storePause)
		case j == nil:
			c.idle(ctx, pause)
		default:
			c.rouse() // another worker may take the next one
			if err := c.do(ctx, j); err != nil && ctx.Err() == nil {
				c.o.Logger.Warn("the critic cannot write its jobs", "job", j.id, "err", err)
				rest(ctx, storePause)
			}
			c.release(j)
		}
	}
}

// idle waits until something may be there to do, old rows included; a pause
// below zero says that no job is.
func (c *Critic) idle(ctx context.Context, pause time.Duration) {
	if pause < 0 || pause > sweepEvery {
		pause = sweepEvery
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-c.wake:
	case <-timer.C:
	}
}

// rest waits, whatever there is to do.
func rest(ctx context.Context, pause time.Duration) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// pick returns a job that is due and marks it as busy, or how long there is
// none.
func (c *Critic) pick(ctx context.Context) (*job, time.Duration, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	j, found, err := c.jobs.next(ctx, c.busy, !c.settings.Enabled)
	if err != nil || !found {
		return nil, -1, err
	}
	if early := j.due.Sub(c.o.Now()); early > 0 {
		return nil, early, nil
	}
	c.busy[j.id] = true
	return &j, 0, nil
}

func (c *Critic) release(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.busy, j.id)
}

// tidy drops what is old, now and then. That it fails harms nothing.
func (c *Critic) tidy(ctx context.Context) {
	c.mu.Lock()
	now := c.o.Now()
	due := now.Sub(c.swept) >= sweepEvery
	if due {
		c.swept = now
	}
	c.mu.Unlock()
	if !due {
		return
	}
	if err := c.jobs.sweep(ctx, now.Add(-keepTexts), now.Add(-c.o.Keep)); err != nil && ctx.Err() == nil {
		c.o.Logger.Warn("old grades could not be removed", "err", err)
	}
}

// do takes a job one step further. An error is the store's.
func (c *Critic) do(ctx context.Context, j *job) error {
	switch j.state {
	case stateWaiting:
		return c.skip(ctx, j, whyAlone)
	case stateReady:
		stored, err := c.judge(ctx, j)
		if err != nil || !stored {
			return err
		}
	}
	return c.tell(ctx, j)
}

func (c *Critic) skip(ctx context.Context, j *job, why string) error {
	done, err := c.jobs.change(ctx, j.id, j.state, `state = 'over', outcome = ?, reason = ?`, moothall.Skipped, why)
	if done {
		c.counts.skip(why)
	}
	return err
}

// judge asks a model and stores what comes of it. False: not yet, or the job
// is gone.
func (c *Critic) judge(ctx context.Context, j *job) (bool, error) {
	// Counted before it is asked: a job that ends the program is not tried
	// for ever.
	if begun, err := c.jobs.change(ctx, j.id, stateReady, `attempts = attempts + 1`); err != nil || !begun {
		return false, err
	}
	j.attempts++
	if j.attempts > c.o.Attempts {
		j.attempts = c.o.Attempts
		return c.store(ctx, j, c.undecided(j, "the program ended whenever it was asked for"))
	}
	v, err := c.ask(ctx, j)
	switch {
	case err == nil && v == nil:
		return false, c.skip(ctx, j, whyAlone)
	case err == nil:
		return c.store(ctx, j, v)
	case ctx.Err() != nil: // the hall stops: this was no attempt
		after, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
		defer cancel()
		_, err := c.jobs.change(after, j.id, stateReady, `attempts = attempts - 1`)
		return false, err
	case j.attempts >= c.o.Attempts || hopeless(err):
		c.o.Logger.Warn("an answer stays without a grade", "job", j.id, "attempts", j.attempts, "err", err)
		return c.store(ctx, j, c.undecided(j, reason(err)))
	}
	c.counts.retries.Add(1)
	c.o.Logger.Info("the critic's model did not answer", "job", j.id, "attempt", j.attempts, "err", err)
	_, err = c.jobs.change(ctx, j.id, stateReady, `due = ?`, c.o.Now().Add(c.backoff(j.attempts)).UnixMilli())
	return false, err
}

func (c *Critic) backoff(attempt int) time.Duration {
	return c.o.Backoff[min(max(attempt, 1), len(c.o.Backoff))-1]
}

// hopeless reports whether asking again cannot help.
func hopeless(err error) bool {
	switch moothall.ErrorCode(err) {
	case moothall.CodeInvalid, moothall.CodeTooLarge, moothall.CodeUnsupported, moothall.CodeDenied, moothall.CodeNotFound, moothall.CodeNotConfigured:
		return true
	}
	return false
}

// reason says for a person why there is no grade. The cause stays in the log.
func reason(err error) string {
	if moothall.ErrorCode(err) == moothall.CodeTimeout {
		return "the critic's model did not answer in time"
	}
	return "the critic's model could not be asked: " + string(moothall.ErrorCode(err))
}

// store writes a result down, also when the hall is stopping: it was paid for.
func (c *Critic) store(ctx context.Context, j *job, v *verdict) (bool, error) {
	raw, err := json.Marshal(v.payload)
	if err != nil {
		return false, &moothall.Error{Code: moothall.CodeInternal, Op: "store grade", Err: err}
	}
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
	defer cancel()
	j.state, j.result = stateStored, string(raw)
	stored, err := c.jobs.change(after, j.id, stateReady, `state = 'stored', outcome = ?, result = ?, due = ?`, v.outcome, j.result, c.o.Now().UnixMilli())
	if stored {
		c.counts.judged(j.kind, v.outcome)
	}
	return stored, err
}

// tell publishes a stored result, and marks it as told. When that fails it is
// told again later, for as long as it takes.
func (c *Critic) tell(ctx context.Context, j *job) error {
	e, err := j.event()
	if err != nil { // the row is damaged: nothing can be told of it
		c.o.Logger.Error("a stored grade cannot be told", "job", j.id, "err", err)
		_, err = c.jobs.change(ctx, j.id, stateStored, `state = 'over', reason = 'it could not be read'`)
		return err
	}
	if err := c.o.Publish(ctx, e); err != nil {
		if ctx.Err() != nil {
			return nil // it is told after the next start
		}
		c.o.Logger.Warn("a grade could not be published", "job", j.id, "err", err)
		_, err = c.jobs.change(ctx, j.id, stateStored, `due = ?`, c.o.Now().Add(c.o.Backoff[0]).UnixMilli())
		return err
	}
	c.counts.told.Add(1)
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWrite)
	defer cancel()
	_, err = c.jobs.change(after, j.id, stateStored, `state = 'over'`)
	return err
}

// event is what tells the job's result: the same bytes under the same id,
// however often it is made.
func (j *job) event() (moothall.Event, error) {
	var cause moothall.Event
	if err := json.Unmarshal([]byte(j.cause), &cause); err != nil {
		return moothall.Event{}, err
	}
	var of struct {
		Time time.Time `json:"time"`
	}
	if err := json.Unmarshal([]byte(j.result), &of); err != nil {
		return moothall.Event{}, err
	}
	subject := moothall.SubjectCritiqueResult
	if j.kind == kindPairwise {
		subject = moothall.SubjectPairwiseResult
	}
	return moothall.Event{
		ID: moothall.EventID(j.id), Subject: subject, Type: string(subject) + "/1", Time: of.Time,
		Session: j.session, Query: j.query, Respondent: j.respondent, Correlation: string(cause.ID),
		Lineage: cause.Lineage, Trace: cause.Trace, Payload: json.RawMessage(j.result),
	}, nil
}
