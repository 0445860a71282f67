package moottest

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// Port returns a port of this machine that nobody listens on, for a program that
// is told where to listen. It is below those that systems give out by themselves,
// so that nobody is given it before the program is there, however long that takes.
func Port(t interface {
	Fatalf(format string, args ...any)
}) int {
	for range 1000 {
		port := 10_000 + rand.IntN(20_000)
		if l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatalf("no port is free")
	return 0
}
