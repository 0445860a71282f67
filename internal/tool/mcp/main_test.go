package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/tool/mcp"
	"moothall/internal/tool/pin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scripted is a tool of a scripted server.
type scripted struct {
	name, about, schema string
	do                  func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error)
}

func said(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// echo answers with its arguments.
func echo(name, about string) scripted {
	return scripted{name: name, about: about, do: func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return said(string(r.Params.Arguments)), nil
	}}
}

func serverWith(tools ...scripted) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "scripted", Version: "1"}, nil)
	for _, t := range tools {
		add(s, t)
	}
	return s
}

func add(s *sdk.Server, t scripted) {
	schema := t.schema
	if schema == "" {
		schema = `{"type":"object","properties":{"text":{"type":"string"}}}`
	}
	s.AddTool(&sdk.Tool{Name: t.name, Description: t.about, InputSchema: json.RawMessage(schema)}, t.do)
}

// stage starts scripted servers in place of programs.
type stage struct {
	mu      sync.Mutex
	servers map[string]func(net.Conn) // by server name; runs until the connection ends
	started map[string]int
	seen    []mcp.Server
	conns   map[string]net.Conn // the server's end of the newest connection
}

func newStage() *stage {
	return &stage{servers: map[string]func(net.Conn){}, started: map[string]int{}, conns: map[string]net.Conn{}}
}

// serve runs a server of the library.
func serve(s *sdk.Server) func(net.Conn) {
	return func(c net.Conn) {
		session, err := s.Connect(context.Background(), &sdk.IOTransport{Reader: c, Writer: c}, nil)
		if err == nil {
			session.Wait()
		}
	}
}

func (s *stage) start(_ context.Context, srv mcp.Server) (io.ReadWriteCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started[srv.Name]++
	s.seen = append(s.seen, srv)
	run := s.servers[srv.Name]
	if run == nil {
		return nil, errors.New("no such program")
	}
	near, far := net.Pipe()
	s.conns[srv.Name] = far
	go func() {
		defer far.Close()
		run(far)
	}()
	return near, nil
}

func (s *stage) starts(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started[name]
}

// kill ends a server as a crash would.
func (s *stage) kill(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns[name].Close()
}

func program(name string) mcp.Server { return mcp.Server{Name: name, Command: "run-" + name} }

// open opens a client and waits until every server was tried.
func open(t testing.TB, s *stage, o mcp.Options, servers ...mcp.Server) *mcp.Client {
	t.Helper()
	if o.Start == nil && s != nil {
		o.Start = s.start
	}
	c, err := mcp.Open(servers, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeClient(t, c) })
	if err := c.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

func closeClient(t testing.TB, c *mcp.Client) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// approveAll approves whatever can be.
func approveAll(t testing.TB, c *mcp.Client) {
	t.Helper()
	for _, p := range c.Pending() {
		if p.Standing != pin.New && p.Standing != pin.Changed {
			continue
		}
		if err := c.Approve(p.From, p.Tool, p.Hash); err != nil {
			t.Fatal(err)
		}
	}
}

// only returns the one tool that is offered.
func only(t testing.TB, c *mcp.Client) moothall.Tool {
	t.Helper()
	tools := c.Tools()
	if len(tools) != 1 {
		t.Fatalf("%d tools are offered, want 1; waiting: %+v; status: %+v", len(tools), c.Pending(), c.Status())
	}
	return tools[0]
}

func named(t *testing.T, c *mcp.Client, name moothall.ToolName) moothall.Tool {
	t.Helper()
	for _, tool := range c.Tools() {
		if tool.Spec().Name == name {
			return tool
		}
	}
	t.Fatalf("%s is not offered; waiting: %+v", name, c.Pending())
	return nil
}

// call runs a tool and wants a certain end.
func call(t *testing.T, tool moothall.Tool, args string, want moothall.CallStatus) moothall.ToolResult {
	t.Helper()
	got, err := tool.Run(t.Context(), request(tool, args))
	if err != nil {
		t.Fatal(err)
	}
	if got.Status != want {
		t.Fatalf("the call ended %s, want %s: %.300s", got.Status, want, got.Text)
	}
	if got.Call != "c1" || got.Name != tool.Spec().Name || got.Labels != moothall.Untrusted {
		t.Errorf("result is of %s %s %s", got.Call, got.Name, got.Labels)
	}
	return got
}

func request(tool moothall.Tool, args string) moothall.ToolRun {
	return moothall.ToolRun{
		Call: moothall.ToolCall{ID: "c1", Name: tool.Spec().Name, Arguments: json.RawMessage(args)}, Note: func(string) {},
	}
}

// standing is what Pending says of a tool.
func standing(c *mcp.Client, server, tool string) pin.Standing {
	for _, p := range c.Pending() {
		if p.From == server && p.Tool == tool {
			return p.Standing
		}
	}
	return ""
}

func wantCode(t *testing.T, err error, code moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != code {
		t.Fatalf("got code %q (%v), want %q", got, err, code)
	}
}
