package conf_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/daemon/conf"
)

// longFile is a file of about 200 lines with all kinds of values.
func longFile() []byte {
	var b strings.Builder
	b.WriteString("# The hall.\nfront:\n  host: 127.0.0.1\n  port: 8080\n  timeout: 30s\n  max_body: 4MiB\nlog:\n  level: debug\nservices:\n")
	for i := range 27 {
		fmt.Fprintf(&b, "  service%d: # a service\n    at: \"127.0.0.1:%d\"\n    timeout: 10s\n    retries: %d\n    limits:\n      mem: 64MiB\n      at: 04:00\n", i, 1000+i, i+1)
	}
	return []byte(b.String())
}

func BenchmarkLoad(b *testing.B) {
	data := longFile()
	env := []string{"PATH=/bin", "MOOTHALL_FRONT_PORT=9000", "MOOTHALL_SERVICES_SERVICE3_LIMITS_MEM=1GiB"}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		cfg := defaults()
		if _, err := conf.Load(&cfg, conf.Sources{Data: data, Env: env}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkShow(b *testing.B) {
	cfg := defaults()
	origins, err := conf.Load(&cfg, conf.Sources{Data: longFile()})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := conf.Show(&strings.Builder{}, cfg, origins, true); err != nil {
			b.Fatal(err)
		}
	}
}
