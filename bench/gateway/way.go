package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
)

// sample is what a request took beyond the server's own time.
type sample struct{ first, total time.Duration }

// way is one path to the server.
type way struct {
	title  string
	base   *way // the straight way on the same wire; nil for a straight one
	stream func(ctx context.Context, saw func(content string)) error

	firsts, totals []float64 // µs
	problem        string
	close          func()
}

var stamp = regexp.MustCompile(`@(\d+)`)

// measure makes one request. The server's own time up to the first and the
// last token stands in those tokens.
func (w *way) measure(ctx context.Context) (sample, error) {
	var s sample
	var server []time.Duration
	began := time.Now()
	err := w.stream(ctx, func(content string) {
		at := time.Since(began)
		for _, m := range stamp.FindAllStringSubmatch(content, -1) {
			n, _ := strconv.ParseInt(m[1], 10, 64)
			server = append(server, time.Duration(n))
			s.total = at - time.Duration(n)
			if len(server) == 1 {
				s.first = s.total
			}
		}
	})
	if err == nil && len(server) != 2 {
		err = fmt.Errorf("%d stamps instead of 2", len(server))
	}
	return s, err
}

func client() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxIdleConns: 512, DisableCompression: true}}
}

// post is the least that a program without a gateway does: it sends, reads
// lines and decodes them.
func post(c *http.Client, url string, header http.Header, wire func(line []byte) (content string, err error)) func(context.Context, func(string)) error {
	body, err := json.Marshal(map[string]any{
		"model": model, "stream": true, "messages": []map[string]string{{"role": "user", "content": "hello"}},
	})
	return func(ctx context.Context, saw func(string)) error {
		if err != nil {
			return err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return err
		}
		for k, v := range header {
			r.Header[k] = v
		}
		r.Header.Set("Content-Type", "application/json")
		resp, err := c.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return errors.New(resp.Status)
		}
		lines := bufio.NewScanner(resp.Body)
		for lines.Scan() {
			content, err := wire(lines.Bytes())
			if err != nil {
				return err
			}
			saw(content)
		}
		return lines.Err()
	}
}

func ollamaLine(line []byte) (string, error) {
	var l struct {
		Message struct{ Content string }
	}
	err := json.Unmarshal(line, &l)
	return l.Message.Content, err
}

func openaiLine(line []byte) (string, error) {
	data, ok := strings.CutPrefix(string(line), "data: ")
	if !ok || data == "[DONE]" {
		return "", nil
	}
	var l struct {
		Choices []struct{ Delta struct{ Content string } }
	}
	if err := json.Unmarshal([]byte(data), &l); err != nil || len(l.Choices) == 0 {
		return "", err
	}
	return l.Choices[0].Delta.Content, nil
}

// moothallWay is the gateway as the hall uses it: routing, queue, window
// check, accounting.
func moothallWay(url string, streams int) (*way, error) {
	p, err := ollama.New(ollama.Options{URL: url})
	if err != nil {
		return nil, err
	}
	g, err := gateway.Open(gateway.Options{
		Providers: []gateway.Provider{p}, Servers: map[string]gateway.Server{p.Name(): {Parallel: streams}},
		Roles: []moothall.ModelBinding{{Role: moothall.ModelChat, Provider: p.Name(), Model: model}},
	})
	if err != nil {
		return nil, err
	}
	face := g.For(moothall.ChatHall)
	return &way{title: "Moothall's gateway, Ollama wire", close: func() { g.Close(); p.Close() },
		stream: func(ctx context.Context, saw func(string)) error {
			for c, err := range face.Generate(ctx, moothall.GenerateRequest{
				Role: moothall.ModelChat, Priority: moothall.PriorityPerson, Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "hello"}},
			}) {
				if err != nil {
					return err
				}
				saw(c.Text)
			}
			return nil
		}}, nil
}
