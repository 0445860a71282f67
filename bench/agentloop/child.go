package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// child is a process that is spoken to in lines. It ends when its input does.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(cmd *exec.Cmd) (*child, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &child{cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

func (c *child) send(line string) error {
	_, err := fmt.Fprintln(c.in, line)
	return err
}

func (c *child) line() (string, error) {
	s, err := c.out.ReadString('\n')
	if errors.Is(err, io.EOF) {
		err = errors.New("the process ended")
	}
	return s, err
}

// report reads the next report; one that tells of an error is that error.
func (c *child) report() (report, error) {
	var r report
	s, err := c.line()
	if err == nil {
		err = json.Unmarshal([]byte(s), &r)
	}
	if err == nil && r.Error != "" {
		err = errors.New(r.Error)
	}
	return r, err
}

// close ends the process and waits for it. How it ended does not matter any
// more. A child that never started is nil.
func (c *child) close() {
	if c == nil {
		return
	}
	c.in.Close()
	_ = c.cmd.Wait()
}
