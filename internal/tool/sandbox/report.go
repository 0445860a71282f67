package sandbox

import (
	"errors"

	"moothall"
)

// Probe is one forbidden thing that the self-test tried.
type Probe struct {
	Name   string `json:"name"`
	Held   bool   `json:"held"`
	Detail string `json:"detail"`
}

// Report is the outcome of a self-test.
type Report struct {
	Level  Level   `json:"level"`
	Probes []Probe `json:"probes"`
}

// Broken returns the probes that got through.
func (r Report) Broken() []Probe {
	var out []Probe
	for _, p := range r.Probes {
		if !p.Held {
			out = append(out, p)
		}
	}
	return out
}

// reason is the part of an error that a person should see in a list.
func reason(err error) string {
	var e *moothall.Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Message
	}
	return err.Error()
}

// question is what the self-test tells the probing process in the cage.
type question struct {
	Canary   string // a file outside with Secret in it
	Outside  string // a folder outside
	Inside   string // the folder that may be written
	Hidden   string // a folder kept from the command, two levels below Inside
	Secret   string
	Variable string // set around the cage, to be unset inside
	TCP      int    // ports of listeners of ours on the loopback address
	UDP      int
	Unix     string // of a socket in Inside, where the probing process works
	Abstract string
	Hall     int // process id
	Forks    int // more than the limit allows
	FileSize int64
}

// Probes names what the self-test tries, in order.
func Probes() []string {
	return []string{
		"read outside", "write outside", "symlink out", "tcp", "udp", "mptcp", "unix socket", "abstract socket",
		"see another process", "environment", "fork past the limit", "1 GiB file", "signal another process",
		"ptrace", "keyctl", "mount", "new namespace", "io_uring", "bpf", "userfaultfd", "change mode outside",
		"hidden folder",
	}
}
