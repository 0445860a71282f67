package bus

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"moothall"
)

// dedupeWindow is how long the server remembers the ids that it stored.
const dedupeWindow = 2 * time.Minute

// ensure brings the stream and the observers to what the options say.
func (b *Bus) ensure(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	js, err := jetstream.New(b.admin.nc)
	if err != nil {
		return fault("open bus", err)
	}
	if b.emb != nil && !b.emb.fresh {
		if err := b.checkRecovered(ctx, js); err != nil {
			return err
		}
	}
	stream, err := js.CreateOrUpdateStream(ctx, b.streamConfig())
	if err != nil {
		return adminFault("create stream", err)
	}
	for _, d := range b.opts.Observers {
		if err := b.ensureDurable(ctx, stream, d); err != nil {
			return err
		}
	}
	return nil
}

// checkRecovered makes sure that files which were there were also read: the
// server leaves out a stream that it cannot read, and a new one in its place
// would pass for an empty record.
func (b *Bus) checkRecovered(ctx context.Context, js jetstream.JetStream) error {
	s, err := js.Stream(ctx, streamName)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return damaged(b.opts.Dir, err)
	}
	if err != nil {
		return adminFault("read stream", err)
	}
	state := s.CachedInfo().State
	if missing := state.LastSeq + 1 - state.FirstSeq - state.Msgs; state.Msgs > 0 && missing > 0 {
		b.log.Warn("bus record has holes", "missing", missing, "first", state.FirstSeq, "last", state.LastSeq)
	}
	return nil
}

func (b *Bus) streamConfig() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:      streamName,
		Subjects:  durablePatterns(),
		Storage:   jetstream.FileStorage,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardOld,
		MaxAge: b.opts.MaxAge, MaxBytes: b.opts.MaxBytes,
		MaxMsgSize: int32(b.opts.MaxPayload + 2*envelopeSlack),
		Duplicates: min(dedupeWindow, b.opts.MaxAge),
		RePublish:  &jetstream.RePublish{Source: ">", Destination: storedPrefix + ">"},
		// Nobody takes single events out of the record, nor empties it.
		DenyDelete: true, DenyPurge: true,
	}
}

func (b *Bus) ensureDurable(ctx context.Context, stream jetstream.Stream, d Durable) error {
	cfg := jetstream.ConsumerConfig{
		Durable:        d.consumer(),
		DeliverSubject: d.deliver(), DeliverGroup: d.consumer(),
		DeliverPolicy: jetstream.DeliverNewPolicy,
		AckPolicy:     jetstream.AckExplicitPolicy, AckWait: d.AckWait,
		MaxDeliver: -1, MaxAckPending: d.Concurrency,
	}
	if d.History {
		cfg.DeliverPolicy = jetstream.DeliverAllPolicy
	}
	for _, s := range d.Subjects {
		_, pattern, err := lookup(s)
		if err != nil {
			return err
		}
		cfg.FilterSubjects = append(cfg.FilterSubjects, pattern)
	}
	old, err := stream.PushConsumer(ctx, cfg.Durable)
	switch {
	case err == nil:
		// Where it began cannot be changed, and no longer matters.
		had := old.CachedInfo().Config
		cfg.DeliverPolicy, cfg.OptStartSeq, cfg.OptStartTime = had.DeliverPolicy, had.OptStartSeq, had.OptStartTime
	case !errors.Is(err, jetstream.ErrConsumerNotFound):
		return adminFault("read observer "+cfg.Durable, err)
	}
	c, err := stream.CreateOrUpdatePushConsumer(ctx, cfg)
	if err != nil {
		return adminFault("create observer "+cfg.Durable, err)
	}
	if b.emb == nil || b.opts.Listen != "" || c.CachedInfo().NumAckPending == 0 {
		return nil
	}
	return b.free(ctx, stream, cfg.Durable)
}

// free has the server give out again at once what it believes to be in the hands
// of an observer: of the process before this one, and of no other, since the
// server has no port. It would wait for AckWait first, longer than many a command
// takes. An event that pauses after a failure goes on pausing, and with it what
// else there is.
func (b *Bus) free(ctx context.Context, stream jetstream.Stream, consumer string) error {
	t, err := b.tallyOf(consumer)
	if err != nil {
		return err
	}
	if t.waits(time.Now()) {
		return nil
	}
	if _, err := stream.ResetConsumer(ctx, consumer); err != nil {
		return adminFault("free observer "+consumer, err)
	}
	return nil
}

// Behind is how many events an observer has not been given yet or has not
// answered. CodeUnavailable in a process that does not administer the stream.
func (b *Bus) Behind(ctx context.Context, d Durable) (int, error) {
	if b.admin == nil {
		return 0, moothall.Fail(moothall.CodeUnavailable, "look at observer "+d.consumer(), "this process does not administer the stream")
	}
	js, err := jetstream.New(b.admin.nc)
	if err != nil {
		return 0, fault("look at observer "+d.consumer(), err)
	}
	c, err := js.PushConsumer(ctx, streamName, d.consumer())
	if err != nil {
		return 0, adminFault("look at observer "+d.consumer(), err)
	}
	info := c.CachedInfo()
	return int(info.NumPending) + info.NumAckPending, nil
}

// adminFault keeps JetStream's own word for what it did not like.
func adminFault(op string, err error) error {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		out := &moothall.Error{Op: op, Err: err}
		apiFault(out, &apiError{ErrCode: int(api.ErrorCode), Description: api.Description})
		return out
	}
	return fault(op, err)
}
