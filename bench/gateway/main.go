package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

type options struct {
	streams, rounds, requests int
	pace                      pace
	node, out                 string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var o options
	flag.IntVar(&o.streams, "streams", 64, "streams at once")
	flag.IntVar(&o.rounds, "rounds", 12, "rounds that count; one goes before")
	flag.IntVar(&o.requests, "requests", 4, "requests of each client in a block")
	flag.DurationVar(&o.pace.first, "first", 200*time.Millisecond, "the server's time to the first token")
	flag.DurationVar(&o.pace.next, "next", 20*time.Millisecond, "and between tokens")
	flag.IntVar(&o.pace.tokens, "tokens", 10, "tokens of an answer")
	flag.StringVar(&o.node, "node", "node", "folder of Portkey's package; empty leaves it out")
	flag.StringVar(&o.out, "out", "", "write the table to this file as well")
	child := flag.String("child", "", "be the server or the proxy; for the program itself")
	to := flag.String("to", "", "where the proxy sends to")
	flag.Parse()
	switch *child {
	case "server":
		return serve(o.pace, os.Stdin, os.Stdout)
	case "proxy":
		return proxy(*to, os.Stdin, os.Stdout)
	}
	text, err := compare(ctx, o)
	if err != nil {
		return err
	}
	fmt.Print(text)
	if o.out == "" {
		return nil
	}
	return os.WriteFile(o.out, []byte(text), 0o644)
}

// proxy is the least that a gateway can do.
func proxy(to string, in io.Reader, out io.Writer) error {
	target, err := url.Parse(to)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	p := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }, FlushInterval: -1,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxIdleConns: 512, DisableCompression: true},
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		l.Close()
	}()
	fmt.Fprintln(out, "http://"+l.Addr().String())
	_ = http.Serve(l, p)
	return nil
}

// start runs this program again in another role and returns its address. It
// ends when its input is closed.
func start(args ...string) (address string, stop func(), err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.Command(self, args...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { in.Close(); _ = cmd.Wait() }
	line, err := bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(line), stop, err
}

// portkey starts Portkey's gateway, installing it when it is not there.
func portkey(ctx context.Context, dir string) (address string, stop func(), err error) {
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		install := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
		install.Dir = dir
		if text, err := install.CombinedOutput(); err != nil {
			return "", nil, fmt.Errorf("npm ci: %w: %s", err, text)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	cmd := exec.Command("node", "node_modules/@portkey-ai/gateway/build/start-server.js", fmt.Sprintf("--port=%d", port), "--headless")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	address = fmt.Sprintf("http://127.0.0.1:%d", port)
	for range 200 {
		if c, err := net.Dial("tcp", address[len("http://"):]); err == nil {
			c.Close()
			return address, stop, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	stop()
	return "", nil, errors.New("it does not answer")
}

// compare opens every way, gives them turns, and returns the table.
func compare(ctx context.Context, o options) (string, error) {
	server, stop, err := start("-child", "server", "-first", o.pace.first.String(), "-next", o.pace.next.String(), "-tokens", fmt.Sprint(o.pace.tokens))
	if err != nil {
		return "", err
	}
	defer stop()
	ways, err := openWays(ctx, server, o)
	if err != nil {
		return "", err
	}
	for r := range o.rounds + 1 {
		for i := range ways {
			w := ways[(i+r)%len(ways)] // who begins changes
			if w.problem == "" {
				w.block(ctx, o, r > 0)
			}
		}
		fmt.Fprintf(os.Stderr, "\rround %d of %d", r, o.rounds)
	}
	fmt.Fprintln(os.Stderr)
	for _, w := range ways {
		if w.close != nil {
			w.close()
		}
	}
	return table(o, ways), nil
}

func openWays(ctx context.Context, server string, o options) ([]*way, error) {
	straight := &way{title: "straight, Ollama wire", stream: post(client(), server+"/api/chat", nil, ollamaLine)}
	ours, err := moothallWay(server, o.streams)
	if err != nil {
		return nil, err
	}
	ours.base = straight
	through, stop, err := start("-child", "proxy", "-to", server)
	if err != nil {
		return nil, err
	}
	bare := &way{title: "bare Go reverse proxy, Ollama wire", base: straight, close: stop, stream: post(client(), through+"/api/chat", nil, ollamaLine)}
	straight2 := &way{title: "straight, OpenAI wire", stream: post(client(), server+"/v1/chat/completions", nil, openaiLine)}
	other := &way{title: "Portkey's gateway, OpenAI wire", base: straight2}
	if o.node != "" {
		if at, stop, err := portkey(ctx, o.node); err != nil {
			other.problem = err.Error()
		} else {
			other.close = stop
			other.stream = post(client(), at+"/v1/chat/completions", http.Header{
				"X-Portkey-Provider": {"openai"}, "X-Portkey-Custom-Host": {server + "/v1"}, "Authorization": {"Bearer none"},
			}, openaiLine)
		}
	} else {
		other.problem = "left out"
	}
	return []*way{straight, ours, bare, straight2, other}, nil
}

// block is one turn of a way: all clients at once, begun apart.
func (w *way) block(ctx context.Context, o options, counts bool) {
	whole := o.pace.first + time.Duration(o.pace.tokens)*o.pace.next
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range o.streams {
		wg.Go(func() {
			time.Sleep(whole * time.Duration(i) / time.Duration(o.streams))
			for range o.requests {
				s, err := w.measure(ctx)
				mu.Lock()
				if err != nil {
					w.problem = err.Error()
				} else if counts {
					w.firsts = append(w.firsts, float64(s.first)/1e3)
					w.totals = append(w.totals, float64(s.total)/1e3)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(v))[len(v)/2]
}

func table(o options, ways []*way) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# What a gateway adds, %d streams at once\n\n", o.streams)
	fmt.Fprintf(&b, "%d rounds of %d requests a client and way, ways in turn; first token after %v, then %d more every %v.\n", o.rounds, o.requests, o.pace.first, o.pace.tokens-1, o.pace.next)
	fmt.Fprintf(&b, "Times are what is left of a client's waiting after the server's own time, medians. %d cores, %s.\n\n", runtime.NumCPU(), runtime.Version())
	fmt.Fprintln(&b, "| way | requests | first token µs | added µs | last token µs | added µs |\n|---|---:|---:|---:|---:|---:|")
	for _, w := range ways {
		if w.problem != "" {
			fmt.Fprintf(&b, "| %s | %s | | | | |\n", w.title, strings.Join(strings.Fields(w.problem), " "))
			continue
		}
		first, total := median(w.firsts), median(w.totals)
		fmt.Fprintf(&b, "| %s | %d | %.0f | ", w.title, len(w.totals), first)
		if w.base == nil {
			fmt.Fprintf(&b, "| %.0f | |\n", total)
			continue
		}
		fmt.Fprintf(&b, "%.0f | %.0f | %.0f |\n", first-median(w.base.firsts), total, total-median(w.base.totals))
	}
	return b.String()
}
