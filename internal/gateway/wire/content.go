package wire

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"moothall"
)

// ImageType returns the media type of an image. CodeInvalid for bytes that no
// service takes as one.
func ImageType(image []byte) (string, error) {
	kind := http.DetectContentType(image)
	if !slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, kind) {
		return "", moothall.Fail(moothall.CodeInvalid, "image", "not a PNG, JPEG, GIF or WebP image")
	}
	return kind, nil
}

// Parameters is a tool's schema, or that of an object without properties
// where it has none.
func Parameters(t moothall.ToolSpec) json.RawMessage {
	if len(t.Parameters) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Parameters
}

// System joins the system messages, which some wires keep apart, and returns
// the others.
func System(messages []moothall.Message) (string, []moothall.Message) {
	var system []string
	var rest []moothall.Message
	for _, m := range messages {
		if m.Role != moothall.RoleSystem {
			rest = append(rest, m)
		} else if m.Content != "" {
			system = append(system, m.Content)
		}
	}
	return strings.Join(system, "\n\n"), rest
}
