//go:build !linux && !darwin

package broker

import "io/fs"

// stamp is nothing here: the times that can be had are those that a program can
// set.
type stamp struct{}

func stampOf(fs.FileInfo) (stamp, bool) { return stamp{}, false }
