package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"moothall/bench/vector/peer"
)

// contestants in the order of the table: our own first.
var contestants = []contestant{
	{"moothall", "Moothall, in memory, all cores", "moothall"},
	{"chromem", "chromem-go, in memory, all cores", "github.com/philippgille/chromem-go"},
	{"sqlitevec", "sqlite-vec (cgo), vec0, one core", "github.com/asg017/sqlite-vec-go-bindings"},
	{"duckdb", "DuckDB (cgo), array_cosine_distance, all cores", "github.com/duckdb/duckdb-go/v2"},
}

type contestant struct{ dir, title, module string }

// process is a contestant that runs.
type process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Reader
	said  *strings.Builder
	ready peer.Ready
}

// start builds and runs a contestant and waits until it has its rows.
func (c contestant) start(ctx context.Context, o options, tmp string) (*process, error) {
	program := filepath.Join(tmp, c.dir)
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./peer/"+c.dir)
	build.Env = append(os.Environ(), "CGO_ENABLED=1")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cannot be fetched or built: %s", lastLine(string(out), err))
	}
	files := filepath.Join(tmp, c.dir+".files")
	if err := os.Mkdir(files, 0o700); err != nil {
		return nil, err
	}
	p := &process{said: &strings.Builder{}, cmd: exec.CommandContext(ctx, program, "-dir", files,
		fmt.Sprint("-rows=", o.rows), fmt.Sprint("-dim=", o.dim), fmt.Sprint("-queries=", o.queries), fmt.Sprint("-k=", o.k))}
	p.cmd.Stderr = p.said
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.in, p.lines = in, bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	return p, p.read(&p.ready)
}

// ask lets the contestant answer some queries.
func (p *process) ask(job peer.Job) (peer.Answer, error) {
	var a peer.Answer
	line, err := json.Marshal(job)
	if err != nil {
		return a, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return a, err
	}
	return a, p.read(&a)
}

// read takes the next line; a contestant that ends instead says why.
func (p *process) read(into any) error {
	line, err := p.lines.ReadBytes('\n')
	if errors.Is(err, io.EOF) {
		err = p.cmd.Wait()
		return fmt.Errorf("stopped: %s", lastLine(p.said.String(), err))
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(line, into)
}

// stop ends the contestant by closing its input.
func (p *process) stop() error { return errors.Join(p.in.Close(), p.cmd.Wait()) }

func lastLine(text string, err error) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return fmt.Sprint(err)
}
