package daemon

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"moothall"
	"moothall/internal/engine/toolcall"
)

// parseLine is one model output to read.
type parseLine struct {
	ID        json.RawMessage   `json:"id"`
	Text      string            `json:"text"`
	Tools     []json.RawMessage `json:"tools"` // names, or whole specs
	Family    string            `json:"family"`
	Prefilled bool              `json:"thinking_prefilled"`
}

// parsedCall is a call as it was read.
type parsedCall struct {
	Name      moothall.ToolName `json:"name"`
	Arguments json.RawMessage   `json:"arguments"`
}

// parsedLine is how an output was read.
type parsedLine struct {
	ID       json.RawMessage `json:"id"`
	Calls    []parsedCall    `json:"calls"`
	Content  string          `json:"content"`
	Thinking string          `json:"thinking"`
	Layer    string          `json:"layer"`
	Problems []string        `json:"problems,omitempty"`
	Mends    []string        `json:"mends,omitempty"`
	Error    string          `json:"error,omitempty"`
}

// ParseLines reads model outputs, one JSON object a line, and writes how the
// engine understands each: one line out for one line in, in order. A line that
// is no such object gets a line with an error.
func ParseLines(in io.Reader, out io.Writer) error {
	return eachLine(in, out, func(line []byte) any { return parseOne(line) })
}

// eachLine answers every line that is not empty with one of JSON, as soon as
// nothing more waits to be read.
func eachLine(in io.Reader, out io.Writer, answer func(line []byte) any) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	w := bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if err := enc.Encode(answer(line)); err != nil {
				return err
			}
		}
		if lines.Buffered() == 0 || err != nil {
			if flushErr := w.Flush(); flushErr != nil { // whoever waits for an answer gets it
				return flushErr
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func parseOne(line []byte) parsedLine {
	var p parseLine
	out := parsedLine{ID: json.RawMessage("null"), Calls: []parsedCall{}}
	if err := json.Unmarshal(line, &p); err != nil {
		out.Error = moothall.Misread(err)
		return out
	}
	if p.ID != nil {
		out.ID = p.ID
	}
	o := &toolcall.Options{Family: p.Family, ThinkingPrefilled: p.Prefilled}
	for _, raw := range p.Tools {
		spec, err := toolOf(raw)
		if err != nil {
			out.Error = "tools: " + moothall.Misread(err)
			return out
		}
		o.Tools = append(o.Tools, spec)
	}
	r := toolcall.Parse(p.Text, o)
	out.Content, out.Thinking, out.Layer, out.Mends = r.Content, r.Thinking, r.Layer, r.Mends
	for _, c := range r.Calls {
		out.Calls = append(out.Calls, parsedCall{c.Name, c.Arguments})
	}
	for _, problem := range r.Problems {
		out.Problems = append(out.Problems, problem.Text)
	}
	return out
}

// toolOf reads a tool's name, its spec, or its spec in the form that model
// servers take, with the spec under "function".
func toolOf(raw json.RawMessage) (moothall.ToolSpec, error) {
	var name string
	if json.Unmarshal(raw, &name) == nil {
		return moothall.ToolSpec{Name: moothall.ToolName(name)}, nil
	}
	var spec struct {
		moothall.ToolSpec
		Function *moothall.ToolSpec `json:"function"`
	}
	if err := json.Unmarshal(raw, &spec); err != nil {
		return moothall.ToolSpec{}, err
	}
	if spec.Function != nil {
		return *spec.Function, nil
	}
	return spec.ToolSpec, nil
}
