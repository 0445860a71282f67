// Command dump writes what the hall really says to models: its system
// prompts, the texts that its services ask with, the schemas of the answers
// and the specs of the built-in tools. The generators of training
// conversations read the file, so that they follow the code:
//
//	go run ./train/dump >train/hall.json
//
// Tools and the orchestrator's prompts are asked for; texts that are a
// package's own are read from its source by name, and a name that is gone is
// an error.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"moothall"
	"moothall/internal/committee"
	"moothall/internal/orchestrator/prompt"
	"moothall/internal/tool/basic"
	"moothall/internal/tool/calendar"
	"moothall/internal/tool/fs"
	"moothall/internal/tool/notes"
	"moothall/internal/tool/recall"
	"moothall/internal/tool/shell"
	"moothall/internal/tool/web"
)

// Hall is the file.
type Hall struct {
	System   map[string]string          `json:"system"` // whole system prompts
	Text     map[string]string          `json:"text"`   // other texts, by package and name
	Schema   map[string]json.RawMessage `json:"schema"`
	Personas []Persona                  `json:"personas"`
	Tools    []Tool                     `json:"tools"`
	// Offers are the tools that a model is given in some place.
	Offers map[string][]string `json:"offers"`
}

// Persona is a voice of the committee.
type Persona struct {
	Name  string `json:"name"`
	Voice string `json:"voice"`
}

// Tool is what a model is told of a tool.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

func main() {
	if err := write(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "dump:", err)
		os.Exit(1)
	}
}

// write prints the file for the checkout at root.
func write(w io.Writer, root string) error {
	h, err := collect(root)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(h); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

func collect(root string) (*Hall, error) {
	src, err := read(root)
	if err != nil {
		return nil, err
	}
	h := &Hall{
		System: systems(src), Text: src.texts, Schema: src.schemas,
		Tools: append(tools(), delegates(src.texts["orchestrator.delegate"])...), Offers: offers(),
	}
	for _, p := range append(committee.DefaultPersonas(), committee.DefaultSelf()) {
		h.Personas = append(h.Personas, Persona{p.Name, p.Voice})
	}
	return h, nil
}

// systems joins the system prompts as the packages do.
func systems(src *source) map[string]string {
	out := map[string]string{
		"chat": src.texts["chat.systemPrompt"], "planner": prompt.Planner(), "writer": prompt.Writer(), "gate": prompt.Gate(),
		"verifier": prompt.Verifier(), "grade": src.texts["judge.gradeSystem"], "pair": src.texts["judge.pairSystem"],
	}
	for kind := range prompt.Types() {
		out["agent."+string(kind)] = prompt.Agent(kind)
	}
	for _, p := range committee.DefaultPersonas() {
		out["voice."+p.Name] = src.texts["committee.personaRules"] + "\n\nYour name is " + p.Name + ". " + p.Voice
	}
	self := committee.DefaultSelf()
	out["self"] = src.texts["committee.selfRules"] + "\n\n" + self.Voice
	out["alone"] = src.texts["committee.aloneRules"] + "\n\n" + self.Voice
	return out
}

// tools are those that the program brings.
func tools() []Tool {
	roots := fs.NewRoots(nil)
	var all []moothall.Tool
	all = append(all, basic.New(nil, nil).All()...)
	all = append(all, fs.New(roots, nil).All()...)
	all = append(all, notes.New(roots, nil), calendar.New(roots, nil))
	all = append(all, recall.Tools(nil, recall.Options{})...)
	all = append(all, web.New(web.Options{})...)
	all = append(all, shell.New(everything{}, shell.Options{}).Tools()...)
	var out []Tool
	for _, t := range all {
		s := t.Spec()
		out = append(out, Tool{string(s.Name), s.Description, s.Parameters})
	}
	return out
}

// everything is a sandbox in which all languages are installed.
type everything struct{}

func (everything) Look(program string) (string, error) { return "/usr/bin/" + program, nil }

func (everything) Run(context.Context, shell.Job) (shell.Outcome, error) {
	return shell.Outcome{}, moothall.Fail(moothall.CodeUnsupported, "dump", "nothing is run here")
}

// delegates is the orchestrator's own tool, for each kind of deputy.
func delegates(description string) []Tool {
	var out []Tool
	for _, kind := range []string{"researcher", "coder"} {
		parameters := `{"additionalProperties":false,"properties":{"agent_type":{"enum":["` + kind + `"],"type":"string"},` +
			`"task":{"description":"all that the other agent needs to know","maxLength":4000,"minLength":1,"type":"string"}},` +
			`"required":["agent_type","task"],"type":"object"}`
		out = append(out, Tool{"delegate", description, json.RawMessage(parameters)})
	}
	return out
}

// offers are what the default manifest gives a chat with one model, with two,
// and the agents of a task.
func offers() map[string][]string {
	return map[string][]string{
		"chat": {
			"calculate", "calendar_read", "compare_answers", "fs_list", "fs_read", "fs_search", "fs_write", "graph_search",
			"memory_read", "memory_write", "notes_search", "now", "run_code", "web_fetch", "web_search",
		},
		"chat_second": {"calculate", "calendar_read", "fs_list", "fs_read", "fs_search", "graph_search", "memory_read", "notes_search", "now"},
		"voice":       {"graph_search", "memory_read"},
		"researcher":  {"calculate", "fs_list", "fs_read", "fs_search", "memory_read", "memory_write", "now", "web_search"},
		"assistant":   {"calculate", "memory_read", "memory_write", "now", "web_search", "delegate"},
	}
}
