//go:build !linux || !(amd64 || arm64)

package sandbox

import (
	"context"

	"moothall"
)

type plan struct{}

var errSystem = moothall.Fail(moothall.CodeUnsupported, "sandbox", "there is no sandbox for this system")

func (s *Sandbox) selfTest(context.Context, Level) (Report, error) { return Report{}, errSystem }

func (s *Sandbox) run(context.Context, Level, Command) (Result, error) { return Result{}, errSystem }

func (s *Sandbox) start(context.Context, Level, Command) (*Process, error) { return nil, errSystem }

// Sweep has nothing to remove on this system.
func Sweep() {}

// Main is the entry of the helper program; there is none on this system.
func Main([]string) int { return 125 }
