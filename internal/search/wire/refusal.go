package wire

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"moothall"
	"moothall/internal/search"
)

// refused makes an error of an answer that is no success.
func (c *Client) refused(resp *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // words are a bonus
	e := &moothall.Error{Op: c.op(), Message: fmt.Sprintf("%s answered with status %d", c.config.Name, resp.StatusCode)}
	if said := words(body); said != "" {
		e.Message += ": " + said
	}
	switch s := resp.StatusCode; {
	case s == http.StatusUnauthorized, s == http.StatusForbidden && c.config.Key != nil:
		e.Code, e.Remedy = moothall.CodeDenied, "check the key that the configuration names for "+c.config.Name
	case s == http.StatusForbidden:
		e.Code, e.Remedy = moothall.CodeDenied, c.config.Hint
	case s == http.StatusTooManyRequests, s == http.StatusPaymentRequired, s == 432, s == 433: // the last two are Tavily's quotas
		e.Code, e.Remedy = moothall.CodeExhausted, "wait, or set up another search engine"
	case s == http.StatusRequestTimeout, s == http.StatusGatewayTimeout:
		e.Code = moothall.CodeTimeout
	case s == http.StatusNotFound, s == http.StatusMethodNotAllowed, s >= 300 && s < 400, s >= 500:
		e.Code, e.Remedy = moothall.CodeUnavailable, c.config.Hint
	default:
		e.Code = moothall.CodeInvalid
	}
	e.Err = search.Later(resp.Header.Get("Retry-After"), c.config.Now())
	return e
}

// words finds what an engine says in its error, in the forms that they use.
func words(body []byte) string {
	var v struct {
		Error   json.RawMessage `json:"error"`
		Detail  json.RawMessage `json:"detail"`
		Message string          `json:"message"`
	}
	if json.Unmarshal(body, &v) != nil {
		return ""
	}
	for _, raw := range []json.RawMessage{v.Error, v.Detail} {
		if s := inner(raw); s != "" {
			return shorten(s)
		}
	}
	return shorten(v.Message)
}

func inner(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var v struct{ Error, Detail, Message string }
	if json.Unmarshal(raw, &v) != nil {
		return ""
	}
	for _, s := range []string{v.Detail, v.Message, v.Error} {
		if s != "" {
			return s
		}
	}
	return ""
}

func shorten(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "?")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "..."
	}
	return s
}
