package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

type options struct {
	rounds, warm, runs int
	node               string
}

// entry is a row of the table and the process behind it.
type entry struct {
	name    string // of the contestant
	title   string
	node    bool
	version string
	millis  []float64
	problem string // why there are no figures
	child   *child
}

// entries are in the order of the table; ours is what ratios refer to.
func entries() []*entry {
	return []*entry{
		{name: "bare-ollama", title: "bare Go loop, net/http, Ollama wire, streamed"},
		{name: "bare-openai", title: "bare Go loop, net/http, OpenAI wire, whole"},
		{name: ours, title: "Moothall: engine, gateway, policy, record, journal, events; Ollama wire, streamed"},
		{name: "loop", title: "Moothall without them: engine and gateway alone"},
		{name: "langchaingo", title: "langchaingo, functions agent"},
		{name: "eino", title: "eino, ReAct agent"},
		{name: "fetch", title: "bare Node loop, fetch, OpenAI wire, whole", node: true},
		{name: "ai-sdk", title: "AI SDK, generateText", node: true},
		{name: "openai-agents", title: "OpenAI Agents SDK, run", node: true},
		{name: "mastra", title: "Mastra, agent.generate", node: true},
		{name: "langgraph", title: "LangGraph, prebuilt ReAct agent", node: true},
	}
}

const ours = "moothall"

// compare starts everything, gives the contestants their turns and returns
// the table.
func compare(ctx context.Context, o options) (string, error) {
	load := loadAverage()
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	server, err := start(exec.CommandContext(ctx, self, "-child", "script"))
	if err != nil {
		return "", fmt.Errorf("script: %w", err)
	}
	defer server.close()
	url, err := server.line()
	if err != nil {
		return "", fmt.Errorf("script: %w", err)
	}
	if o.node != "" {
		install(ctx, o.node)
	}
	all := entries()
	for _, e := range all {
		e.enter(ctx, self, strings.TrimSpace(url), o.node)
		defer e.child.close()
	}
	for round := range o.warm + o.rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, o.warm+o.rounds)
		// Who begins changes, so that nobody always follows the same one.
		for i := range all {
			e := all[(i+round)%len(all)]
			e.turn(ctx, strings.TrimSpace(url), o.runs, round >= o.warm)
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
	}
	return table(ctx, o, load, all), nil
}

// install fetches the Node packages that the lock file names, once. What goes
// wrong shows in the rows of those who then do not start.
func install(ctx context.Context, folder string) {
	if _, err := os.Stat(filepath.Join(folder, "node_modules")); err == nil {
		return
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts")
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "npm ci:", err)
	}
}

// enter starts a contestant and reads its version.
func (e *entry) enter(ctx context.Context, self, url, folder string) {
	cmd := exec.CommandContext(ctx, self, "-child", e.name, "-url", url)
	if e.node {
		if folder == "" {
			e.problem = "left out by -node"
			return
		}
		cmd = exec.CommandContext(ctx, "node", "contestant.mjs", e.name, url)
		cmd.Dir, cmd.Env = folder, quietEnv()
	}
	c, err := start(cmd)
	if err != nil {
		e.problem = "did not start: " + err.Error()
		return
	}
	e.child = c
	r, err := c.report()
	if err != nil {
		e.problem = "did not start: " + err.Error()
		return
	}
	e.version = r.Version
}

// quietEnv switches off what frameworks would report elsewhere.
func quietEnv() []string {
	return append(os.Environ(), "NODE_ENV=production", "NODE_NO_WARNINGS=1", "LANGSMITH_TRACING=false", "LANGCHAIN_TRACING_V2=false",
		"OPENAI_AGENTS_DISABLE_TRACING=1", "MASTRA_TELEMETRY_DISABLED=1", "OPENAI_API_KEY=none")
}

// turn lets a contestant do its runs, and checks with the script that they
// were eleven requests each.
func (e *entry) turn(ctx context.Context, url string, runs int, counts bool) {
	if e.problem != "" {
		return
	}
	before, err := asked(ctx, url)
	if err == nil {
		err = e.child.send(fmt.Sprint(runs))
	}
	var r report
	if err == nil {
		r, err = e.child.report()
	}
	after := 0
	if err == nil {
		after, err = asked(ctx, url)
	}
	switch {
	case err != nil:
		e.problem = "failed: " + err.Error()
	case after-before != runs*requests || len(r.Millis) != runs:
		e.problem = fmt.Sprintf("does not count: %d requests in %d runs", after-before, len(r.Millis))
	case counts:
		e.millis = append(e.millis, r.Millis...)
	}
}

// asked is how many chats the script has served.
func asked(ctx context.Context, url string) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/asked", nil)
	if err != nil {
		return 0, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	n := 0
	err = json.NewDecoder(resp.Body).Decode(&n)
	return n, err
}
