package ollama

import (
	"encoding/json"

	"moothall"
)

// The shapes on the wire. Fields that a server of some version lacks stay
// zero.

type chatRequest struct {
	Model     string          `json:"model"`
	Messages  []message       `json:"messages"`
	Format    json.RawMessage `json:"format,omitempty"`
	Options   options         `json:"options"`
	Stream    bool            `json:"stream"`
	Think     any             `json:"think,omitempty"`
	KeepAlive string          `json:"keep_alive,omitempty"`
	Truncate  bool            `json:"truncate"`
	Shift     bool            `json:"shift"`
}

type options struct {
	NumCtx      int      `json:"num_ctx"`
	NumPredict  int      `json:"num_predict,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	Stop        []string `json:"stop,omitempty"`
}

type message struct {
	Role       moothall.Role     `json:"role"`
	Content    string            `json:"content"`
	Thinking   string            `json:"thinking,omitempty"` // only ever received
	Images     [][]byte          `json:"images,omitempty"`
	ToolCalls  []call            `json:"tool_calls,omitempty"`
	ToolName   moothall.ToolName `json:"tool_name,omitempty"`
	ToolCallID moothall.CallID   `json:"tool_call_id,omitempty"`
}

type call struct {
	ID       moothall.CallID `json:"id,omitempty"`
	Function callFunction    `json:"function"`
}

type callFunction struct {
	Name      moothall.ToolName `json:"name"`
	Arguments json.RawMessage   `json:"arguments"`
}

type tool struct {
	Type     string       `json:"type"`
	Function toolFunction `json:"function"`
}

type toolFunction struct {
	Name        moothall.ToolName `json:"name"`
	Description string            `json:"description"`
	Parameters  json.RawMessage   `json:"parameters"`
}

// line is one object of a chat's reply.
type line struct {
	Message         message `json:"message"`
	Done            bool    `json:"done"`
	DoneReason      string  `json:"done_reason"`
	PromptEvalCount int     `json:"prompt_eval_count"`
	EvalCount       int     `json:"eval_count"`
	Error           string  `json:"error"`
}

type listReply struct {
	Models []listEntry `json:"models"`
}

type listEntry struct {
	Name       string       `json:"name"`
	Model      string       `json:"model"`
	Size       int64        `json:"size"`
	Digest     string       `json:"digest"`
	Details    modelDetails `json:"details"`
	RemoteHost string       `json:"remote_host"`
}

type modelDetails struct {
	Family        string `json:"family"`
	ParameterSize string `json:"parameter_size"`
	Quantization  string `json:"quantization_level"`
}

type showReply struct {
	Details      modelDetails               `json:"details"`
	Parameters   string                     `json:"parameters"`
	Template     string                     `json:"template"`
	Capabilities []string                   `json:"capabilities"`
	ModelInfo    map[string]json.RawMessage `json:"model_info"`
	RemoteHost   string                     `json:"remote_host"`
}

type pullLine struct {
	Status    string `json:"status"`
	Total     int64  `json:"total"`
	Completed int64  `json:"completed"`
	Error     string `json:"error"`
}
