package main

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// object keeps the replies below short.
type object = map[string]any

// ollama answers in Ollama's form: lines of JSON, or one when not streaming.
func (s *script) ollama(w http.ResponseWriter, r *http.Request) {
	c, ok := s.read(w, r)
	if !ok {
		return
	}
	last := object{
		"model": model, "done": true, "done_reason": "stop", "prompt_eval_count": c.size / 4, "eval_count": 8,
		"message": object{"role": "assistant", "content": ""},
	}
	var content []object
	if c.done() {
		for _, p := range pieces() {
			content = append(content, object{"role": "assistant", "content": p})
		}
	} else {
		content = append(content, object{"role": "assistant", "content": "", "tool_calls": []object{{
			"id": c.callID(), "function": object{"name": toolName, "arguments": json.RawMessage(c.arguments())},
		}}})
	}
	if !c.Stream {
		if c.done() {
			content[0]["content"] = answer
		}
		last["message"] = content[0]
		writeJSON(w, last)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	lines := json.NewEncoder(w)
	for _, m := range content {
		_ = lines.Encode(object{"model": model, "message": m, "done": false})
		_ = http.NewResponseController(w).Flush()
	}
	_ = lines.Encode(last)
}

// openAI answers in OpenAI's form, whole or as server-sent events.
func (s *script) openAI(w http.ResponseWriter, r *http.Request) {
	c, ok := s.read(w, r)
	if !ok {
		return
	}
	if c.Stream {
		c.events(w)
		return
	}
	message, finish := object{"role": "assistant", "content": answer}, "stop"
	if !c.done() {
		message["content"], message["tool_calls"], finish = nil, []object{c.call()}, "tool_calls"
	}
	reply := c.envelope("chat.completion")
	reply["choices"] = []object{{"index": 0, "message": message, "finish_reason": finish}}
	reply["usage"] = c.usage()
	writeJSON(w, reply)
}

// envelope has an id of its own: some frameworks take two messages with one
// id for the same message and drop the second.
func (c chatRequest) envelope(kind string) object {
	return object{"id": fmt.Sprintf("chatcmpl-%d", c.id), "object": kind, "created": 1_700_000_000 + c.id, "model": model}
}

func (c chatRequest) call() object {
	return object{"id": c.callID(), "type": "function", "function": object{"name": toolName, "arguments": c.arguments()}}
}

func (c chatRequest) usage() object {
	return object{"prompt_tokens": c.size / 4, "completion_tokens": 8, "total_tokens": c.size/4 + 8}
}

func (c chatRequest) events(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta object, finish any) {
		chunk := c.envelope("chat.completion.chunk")
		chunk["choices"] = []object{{"index": 0, "delta": delta, "finish_reason": finish}}
		if finish != nil {
			chunk["usage"] = c.usage()
		}
		raw, err := json.Marshal(chunk)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "data: %s\n\n", raw)
		_ = http.NewResponseController(w).Flush()
	}
	finish := "stop"
	if c.done() {
		for _, p := range pieces() {
			send(object{"role": "assistant", "content": p}, nil)
		}
	} else {
		call := c.call()
		call["index"] = 0
		send(object{"role": "assistant", "content": nil, "tool_calls": []object{call}}, nil)
		finish = "tool_calls"
	}
	send(object{}, finish)
	fmt.Fprint(w, "data: [DONE]\n\n")
}
