package bus_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"moothall"
	"moothall/internal/bus"
)

var text = map[string]string{"text": "about as much as a model says between two commas, and some more to make it 256 bytes with its envelope"}

func report(b *testing.B, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-µs")
}

// One way, from Publish called to the event in the listener's hands.
func BenchmarkPublishToSubscriber(b *testing.B) {
	hall := open(b, bus.Options{})
	chat := as(b, hall, moothall.ChatHall)
	s := listen(b, as(b, hall, moothall.Person), bus.SubscribeOptions{Subjects: []moothall.Subject{moothall.SubjectResponseDelta}})
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		publish(b, chat, moothall.SubjectResponseDelta, text)
		s.must()
		took = append(took, time.Since(start))
	}
	report(b, took)
}

// Until the event is synced to disk.
func BenchmarkPublishDurable(b *testing.B) {
	hall := open(b, bus.Options{})
	chat := as(b, hall, moothall.ChatHall)
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		publish(b, chat, moothall.SubjectAnswerDialog, text)
		took = append(took, time.Since(start))
	}
	report(b, took)
}

// From Publish called to the event in the handler, through the disk.
func BenchmarkDurableToObserver(b *testing.B) {
	hall := open(b, bus.Options{Observers: []bus.Durable{grades}})
	chat := as(b, hall, moothall.ChatHall)
	got := make(chan moothall.Event, 1)
	observe(b, as(b, hall, moothall.Critic), bus.Observer{Name: "grades", Handle: into(got)})
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		publish(b, chat, moothall.SubjectResponseGeneration, text)
		take(b, got)
		took = append(took, time.Since(start))
	}
	report(b, took)
}

// Durable events by many at once.
func BenchmarkPublishParallel(b *testing.B) {
	hall := open(b, bus.Options{})
	chat := as(b, hall, moothall.ChatHall)
	b.SetParallelism(16)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			e, err := moothall.NewEvent(moothall.SubjectAnswerDialog, text)
			if err == nil {
				_, err = chat.Publish(context.Background(), e)
			}
			if err != nil {
				b.Error(err)
			}
		}
	})
}

// Reading the record from its start, per event.
func BenchmarkReplay(b *testing.B) {
	hall := open(b, bus.Options{})
	chat := as(b, hall, moothall.ChatHall)
	const n = 1000
	for range n {
		publish(b, chat, moothall.SubjectAnswerDialog, text)
	}
	left, s := 0, (*stream)(nil)
	for b.Loop() {
		if left == 0 {
			s, left = listen(b, as(b, hall, moothall.Person), bus.SubscribeOptions{FromStart: true}), n
		}
		s.must()
		left--
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		hall, err := bus.Open(b.Context(), bus.Options{Dir: b.TempDir(), Observers: []bus.Durable{grades}})
		if err != nil {
			b.Fatal(err)
		}
		hall.Close()
	}
}

func BenchmarkDecode(b *testing.B) {
	data := []byte(envelope)
	for b.Loop() {
		if _, err := bus.Decode("critique.result.critic", data); err != nil {
			b.Fatal(err)
		}
	}
}
