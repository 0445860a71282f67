package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
)

// The bare loops are the floor: what the two wires cost when nobody checks,
// counts or guards anything.

type bareMessage struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	ToolCalls  []bareCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type bareCall struct {
	ID       string `json:"id"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
}

type bareRequest struct {
	Model    string        `json:"model"`
	Messages []bareMessage `json:"messages"`
	Tools    []object      `json:"tools"`
	Stream   bool          `json:"stream"`
}

// bareOllama streams, as Moothall does.
func bareOllama(url string) (*contestant, error) {
	return bare(url+"/api/chat", true, func(r io.Reader) (bareMessage, error) {
		var m bareMessage
		for lines := json.NewDecoder(r); ; {
			var line struct {
				Message bareMessage `json:"message"`
				Done    bool        `json:"done"`
			}
			if err := lines.Decode(&line); err != nil {
				return m, err
			}
			m.Role = line.Message.Role
			m.Content += line.Message.Content
			m.ToolCalls = append(m.ToolCalls, line.Message.ToolCalls...)
			if line.Done {
				return m, nil
			}
		}
	}), nil
}

// bareOpenAI takes whole replies, as the other contestants do.
func bareOpenAI(url string) (*contestant, error) {
	return bare(url+"/v1/chat/completions", false, func(r io.Reader) (bareMessage, error) {
		var reply struct {
			Choices []struct {
				Message bareMessage `json:"message"`
			} `json:"choices"`
		}
		if err := json.NewDecoder(r).Decode(&reply); err != nil {
			return bareMessage{}, err
		}
		if len(reply.Choices) == 0 {
			return bareMessage{}, fmt.Errorf("a reply without choices")
		}
		return reply.Choices[0].Message, nil
	}), nil
}

func bare(url string, stream bool, read func(io.Reader) (bareMessage, error)) *contestant {
	ran := new(int)
	tools := []object{{"type": "function", "function": object{
		"name": toolName, "description": toolText, "parameters": json.RawMessage(toolArgs),
	}}}
	run := func(ctx context.Context) (string, error) {
		messages := []bareMessage{{Role: "system", Content: system}, {Role: "user", Content: question}}
		for {
			m, err := post(ctx, url, bareRequest{Model: model, Messages: messages, Tools: tools, Stream: stream}, read)
			if err != nil {
				return "", err
			}
			if len(m.ToolCalls) == 0 {
				return m.Content, nil
			}
			messages = append(messages, m)
			for _, c := range m.ToolCalls {
				*ran++
				messages = append(messages, bareMessage{Role: "tool", ToolCallID: c.ID, Content: found})
			}
		}
	}
	return &contestant{version: runtime.Version(), run: run, ran: ran}
}

// post asks once. The body is read to its end, so that the connection is kept.
func post(ctx context.Context, url string, body bareRequest, read func(io.Reader) (bareMessage, error)) (bareMessage, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return bareMessage{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(raw))
	if err != nil {
		return bareMessage{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return bareMessage{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return bareMessage{}, fmt.Errorf("the script said %s", resp.Status)
	}
	m, err := read(resp.Body)
	if err != nil {
		return m, err
	}
	_, err = io.Copy(io.Discard, resp.Body)
	return m, err
}
