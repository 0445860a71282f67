// Command judge asks the whole built-in model, with its grammar, its copied
// names and its gate, the turns that train/evaluate.py --dump wrote, and writes
// them back with what it said:
//
//	go run ./train/judge turns.jsonl >answers.jsonl
//
// The answers are scored by train/evaluate.py --score, by the same rules as
// those of the network alone.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"moothall"
	"moothall/internal/gateway/builtin"
)

func main() {
	var o options
	flag.IntVar(&o.workers, "workers", 2, "turns at a time")
	flag.Float64Var(&o.temperature, "temperature", 0, "0 is greedy")
	flag.Int64Var(&o.seed, "seed", 1, "of the first turn, when sampling; the next has the next")
	flag.StringVar(&o.model, "model", "", "folder with model.bin and vocab.bin instead of those in the program")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o, flag.Arg(0), os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.Exit(1)
	}
}

type options struct {
	workers     int
	temperature float64
	seed        int64
	model       string
}

func run(ctx context.Context, o options, path string, out, progress io.Writer) error {
	if path == "" {
		return errors.New("name the file that train/evaluate.py --dump wrote")
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	turns, err := read(f)
	if err != nil {
		return err
	}
	p, err := builtin.New(builtin.Options{Files: files(o.model), Parallel: o.workers, Cache: 256 << 20})
	if err != nil {
		return err
	}
	defer p.Close()
	return judge(ctx, o, p, turns, out, progress)
}

// files opens another network; nil means the program's own.
func files(folder string) func() (model, vocab []byte, ok bool) {
	if folder == "" {
		return nil
	}
	return func() ([]byte, []byte, bool) {
		model, err := os.ReadFile(filepath.Join(folder, "model.bin"))
		vocab, errVocab := os.ReadFile(filepath.Join(folder, "vocab.bin"))
		return model, vocab, cmp.Or(err, errVocab) == nil
	}
}

// judge asks all turns, several at a time, and writes them in their order.
func judge(ctx context.Context, o options, m moothall.Model, turns []turn, out, progress io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	answers := make([]chan said, len(turns))
	for i := range answers {
		answers[i] = make(chan said, 1)
	}
	var next atomic.Int64
	for range max(1, o.workers) {
		workers.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(turns); i = next.Add(1) - 1 {
				answers[i] <- turns[i].ask(ctx, m, turns[i].request(o, i), maxLookups)
			}
		})
	}
	w := bufio.NewWriter(out)
	began := time.Now()
	for i, a := range answers {
		if err := turns[i].write(w, <-a); err != nil {
			return err
		}
		if n := i + 1; n%20 == 0 || n == len(turns) {
			fmt.Fprintf(progress, "\r%d of %d turns, %.0f s ", n, len(turns), time.Since(began).Seconds())
		}
	}
	fmt.Fprintln(progress)
	return cmp.Or(ctx.Err(), w.Flush())
}

// said is what came of a turn.
type said struct {
	Thinking string     `json:"thinking,omitempty"`
	Text     string     `json:"text,omitempty"`
	Calls    []callJSON `json:"calls,omitempty"`
	Stop     string     `json:"stop,omitempty"`
	Error    string     `json:"error,omitempty"`
	// Then is what it said when all that it looked up was not there.
	Then *said `json:"then,omitempty"`
}

// maxLookups bounds how often a turn goes on after a look-up.
const maxLookups = 3

// ask asks, and goes on after look-ups that find nothing.
func (t *turn) ask(ctx context.Context, m moothall.Model, r moothall.GenerateRequest, lookups int) said {
	s := ask(ctx, m, r)
	if next, ok := t.after(r, s); ok && lookups > 0 {
		then := t.ask(ctx, m, next, lookups-1)
		s.Then = &then
	}
	return s
}

func ask(ctx context.Context, m moothall.Model, r moothall.GenerateRequest) said {
	var s said
	for c, err := range m.Generate(ctx, r) {
		if err != nil {
			s.Error = err.Error()
			break
		}
		s.Thinking += c.Thinking
		s.Text += c.Text
		s.Stop = string(c.Stop)
		for _, call := range c.ToolCalls {
			s.Calls = append(s.Calls, callJSON{call.Name, call.Arguments})
		}
	}
	return s
}
