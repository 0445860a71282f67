package bus

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"moothall"
)

// Stats are figures of this process, and of the record.
type Stats struct {
	Connections int    // participants that are connected now
	Published   uint64 // events published from here
	Dropped     uint64 // events that may be dropped and were
	Refused     uint64 // messages that were no event of their sender
	DeadLetters uint64 // events given up by observers here

	Messages  uint64 // events in the record
	Bytes     uint64
	First     uint64 // the oldest event's place, or one above Last
	Last      uint64 // the newest event's place
	Observers int    // durable consumers of the record
}

// streamInfo is the part of JetStream's answer that is of use.
type streamInfo struct {
	Error *apiError `json:"error"`
	State struct {
		Messages  uint64 `json:"messages"`
		Bytes     uint64 `json:"bytes"`
		First     uint64 `json:"first_seq"`
		Last      uint64 `json:"last_seq"`
		Consumers int    `json:"consumer_count"`
	} `json:"state"`
}

// Stats counts. The figures of the record need a connection: that of the
// user "bus", or any that is open.
func (b *Bus) Stats(ctx context.Context) (Stats, error) {
	s := Stats{
		Published: b.published.Load(), Dropped: b.dropped.Load(),
		Refused: b.refused.Load(), DeadLetters: b.deadLetters.Load(),
	}
	b.mu.Lock()
	c := b.admin
	for _, p := range b.participants {
		if p.conn.nc.IsConnected() {
			s.Connections++
		}
		if c == nil {
			c = p.conn
		}
	}
	b.mu.Unlock()
	if c == nil {
		return s, moothall.Fail(moothall.CodeUnavailable, "bus figures", "no connection is open")
	}
	info, err := c.info(ctx)
	if err != nil {
		return s, fault("bus figures", err)
	}
	s.Messages, s.Bytes, s.Observers = info.State.Messages, info.State.Bytes, info.State.Consumers
	s.First, s.Last = info.State.First, info.State.Last
	return s, nil
}

// info asks for the record's bounds.
func (c *conn) info(ctx context.Context) (streamInfo, error) {
	var info streamInfo
	data, err := c.request(ctx, nats.NewMsg(apiInfo), 5*time.Second)
	if err != nil {
		return info, err
	}
	if err := json.Unmarshal(data, &info); err != nil {
		return info, err
	}
	if info.Error != nil {
		return info, info.Error
	}
	return info, nil
}
