package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"time"
)

// contestant is one loop. Run does one run and returns the answer; ran counts
// how often the tool was executed.
type contestant struct {
	version string
	run     func(ctx context.Context) (string, error)
	ran     *int
	close   func()
}

// goContestants are made of the address of the script.
var goContestants = map[string]func(url string) (*contestant, error){
	"bare-ollama": bareOllama,
	"bare-openai": bareOpenAI,
	"moothall":    newMoothall,
	"loop":        newLoop,
	"langchaingo": newLangChainGo,
	"eino":        newEino,
}

// report is a line from a contestant: first its version, then one a turn.
type report struct {
	Version string    `json:"version,omitempty"`
	Millis  []float64 `json:"ms,omitempty"`
	Error   string    `json:"error,omitempty"`
}

// contest is a contestant's process: it reads how many runs the next turn
// has, a number a line, and reports.
func contest(name, url string, in io.Reader, out io.Writer) error {
	lines := json.NewEncoder(out)
	build, ok := goContestants[name]
	if !ok {
		return fmt.Errorf("there is no contestant %q", name)
	}
	c, err := build(url)
	if err != nil {
		return lines.Encode(report{Error: err.Error()})
	}
	if c.close != nil {
		defer c.close()
	}
	if err := lines.Encode(report{Version: c.version}); err != nil {
		return err
	}
	for s := bufio.NewScanner(in); s.Scan(); {
		var n int
		if _, err := fmt.Sscan(s.Text(), &n); err != nil {
			return err
		}
		if err := lines.Encode(c.turn(context.Background(), n)); err != nil {
			return err
		}
	}
	return nil
}

// turn does n runs, and fails when one was not what it should have been.
func (c *contestant) turn(ctx context.Context, n int) report {
	var r report
	for range n {
		before, start := *c.ran, time.Now()
		got, err := c.run(ctx)
		took := time.Since(start)
		switch {
		case err != nil:
			return report{Error: err.Error()}
		case got != answer:
			return report{Error: fmt.Sprintf("the answer was %q", got)}
		case *c.ran-before != calls:
			return report{Error: fmt.Sprintf("the tool ran %d times", *c.ran-before)}
		}
		r.Millis = append(r.Millis, float64(took.Nanoseconds())/1e6)
	}
	return r
}

// versionOf reads a module's version out of the program.
func versionOf(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, m := range info.Deps {
		if m.Path == path {
			return m.Version
		}
	}
	return "unknown"
}
