package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/openai"
)

// strict refuses what Mistral's service and the templates of its models refuse.
func strict(body []byte) string {
	var in struct {
		Messages []struct {
			Role      string
			CallID    string                `json:"tool_call_id"`
			ToolCalls []struct{ ID string } `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return err.Error()
	}
	nine := regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)
	last, asked := "", map[string]bool{}
	for _, m := range in.Messages {
		if m.Role == "user" && last == "tool" {
			return "Unexpected role 'user' after role 'tool'"
		}
		last = m.Role
		for _, c := range m.ToolCalls {
			if !nine.MatchString(c.ID) {
				return fmt.Sprintf("Tool call id was %s but must be a-z, A-Z, 0-9, with a length of 9.", c.ID)
			}
			asked[c.ID] = true
		}
		if m.Role == "tool" && !asked[m.CallID] {
			return "Unexpected tool call id in tool results"
		}
	}
	if len(asked) != 2 {
		return "not two calls"
	}
	return ""
}

// TestStrictAboutCalls: a conversation with calls goes on with Mistral's models,
// and its form is known from the second request on.
func TestStrictAboutCalls(t *testing.T) {
	t.Parallel()
	for status, form := range map[int]string{400: `{"object":"error","message":%q,"type":"invalid_function_call","code":"3280"}`, 500: `{"error":{"code":500,"message":%q}}`} {
		asked := 0
		client := &http.Client{Transport: trip(func(r *http.Request) (*http.Response, error) {
			asked++
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return nil, err
			}
			code, reply := 200, `{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}`
			if said := strict(body); said != "" {
				code, reply = status, fmt.Sprintf(form, said)
			}
			return &http.Response{StatusCode: code, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(reply))}, nil
		})}
		p := newProvider(t, openai.Options{BaseURL: "http://127.0.0.1:9", HTTP: client})
		call := func(id moothall.CallID) moothall.ToolCall {
			return moothall.ToolCall{ID: id, Name: "f", Arguments: json.RawMessage("{}")}
		}
		r := moothall.GenerateRequest{Model: "m", Whole: true, Messages: []moothall.Message{
			{Role: moothall.RoleUser, Content: "go"},
			{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{call("0190b3a400007000_1_0"), call("0190b3a400007000_1_1")}},
			{Role: moothall.RoleTool, ToolName: "f", CallID: "0190b3a400007000_1_0", Content: "a"},
			{Role: moothall.RoleTool, ToolName: "f", CallID: "0190b3a400007000_1_1", Content: "b"},
			{Role: moothall.RoleUser, Content: "No tool can be called any more."},
		}}
		for range 2 {
			for c, err := range p.Generate(t.Context(), r) {
				if err != nil || c.Text != "yes" {
					t.Errorf("%d: got %+v, %v", status, c, err)
				}
			}
		}
		if asked != 4 {
			t.Errorf("%d: %d requests, want 4: two were turned down", status, asked)
		}
	}
}
