package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"moothall"
	"moothall/internal/tool/pin"
)

// maxData bounds the structured part of a result.
const maxData = 1 << 20

// result translates what a server answered.
func (t *tool) result(h hider, got *sdk.CallToolResult) moothall.ToolResult {
	out := moothall.ToolResult{Status: moothall.CallOK}
	if got.IsError {
		out.Status = moothall.CallFailed
	}
	if got.NeedsInput() {
		return moothall.ToolResult{Status: moothall.CallFailed, Text: "The server asks the person something in the middle of a call, which the hall does not pass on."}
	}
	var cut []string
	text, notes := joined(got.Content)
	cut = append(cut, notes...)
	text, left := pin.Clean(h.hide(text), t.spec.MaxResult)
	if left > 0 {
		cut = append(cut, fmt.Sprintf("%d bytes of text at the end", left))
	}
	out.Text = text
	data, note := structured(h, got.StructuredContent)
	out.Data = data
	if note != "" {
		cut = append(cut, note)
	}
	if out.Text == "" && data != nil {
		out.Text, left = pin.Clean(string(data), t.spec.MaxResult)
		if left > 0 {
			cut = append(cut, fmt.Sprintf("%d bytes of text at the end", left))
		}
	}
	if out.Cut = strings.Join(cut, "; "); out.Cut != "" {
		out.Text = strings.TrimLeft(out.Text+"\n[left out: "+out.Cut+"]", "\n")
	}
	return out
}

// joined puts the texts of a result together and names what is no text.
func joined(content []sdk.Content) (string, []string) {
	var texts, notes []string
	for _, c := range content {
		text, note := piece(c)
		if note != "" {
			notes = append(notes, note)
		} else {
			texts = append(texts, text)
		}
	}
	if len(notes) > 8 {
		notes = append(notes[:8], fmt.Sprintf("%d more parts that are no text", len(notes)-8))
	}
	return strings.Join(texts, "\n"), notes
}

func piece(c sdk.Content) (text, note string) {
	switch c := c.(type) {
	case *sdk.TextContent:
		return c.Text, ""
	case *sdk.ImageContent:
		return "", fmt.Sprintf("an image (%s, %d bytes)", mime(c.MIMEType), len(c.Data))
	case *sdk.AudioContent:
		return "", fmt.Sprintf("a sound (%s, %d bytes)", mime(c.MIMEType), len(c.Data))
	case *sdk.ResourceLink:
		return fmt.Sprintf("[link: %s]", c.URI), ""
	case *sdk.EmbeddedResource:
		if c.Resource == nil {
			return "", "an empty resource"
		}
		if c.Resource.Text != "" {
			return c.Resource.Text, ""
		}
		return "", fmt.Sprintf("a file (%s, %d bytes)", mime(c.Resource.MIMEType), len(c.Resource.Blob))
	}
	return "", "a part of an unknown kind"
}

// mime keeps a server from writing prose into a note of ours.
func mime(s string) string {
	if len(s) > 64 || strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/+-.", r))
	}) || s == "" {
		return "unknown type"
	}
	return s
}

// structured returns the structured part, without secrets, if it fits.
func structured(h hider, v any) (json.RawMessage, string) {
	if v == nil {
		return nil, ""
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, "structured data that is not readable"
	}
	if len(data) > maxData {
		return nil, fmt.Sprintf("structured data (%d bytes)", len(data))
	}
	if hidden := json.RawMessage(h.hide(string(data))); json.Valid(hidden) {
		return hidden, ""
	}
	return nil, "structured data that holds a secret"
}
