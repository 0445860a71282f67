package neo4j_test

import (
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/graph/neo4j"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestBadAddress(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "http://127.0.0.1:7474", "127.0.0.1:7687", "bolt://[::1"} {
		_, err := neo4j.Open(t.Context(), neo4j.Options{URL: url})
		if moothall.ErrorCode(err) != moothall.CodeInvalid || moothall.ErrorRemedy(err) == "" {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // answers nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, address := range []string{closed.Addr().String(), silent.Addr().String()} {
		start := time.Now()
		_, err := neo4j.Open(t.Context(), neo4j.Options{URL: "bolt://" + address, Timeout: 200 * time.Millisecond})
		if moothall.ErrorCode(err) != moothall.CodeUnavailable || moothall.ErrorRemedy(err) == "" {
			t.Errorf("%v", err)
		}
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("it took %v", d)
		}
	}
}
