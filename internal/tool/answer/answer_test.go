package answer_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"moothall"
	"moothall/internal/tool/answer"
)

var spec = moothall.ToolSpec{Name: "look", Taints: moothall.Private}

func run(ctx context.Context, a answer.Answer, err error) (moothall.ToolResult, error) {
	return answer.Run(ctx, moothall.ToolRun{Call: moothall.ToolCall{ID: "c"}}, spec, func(context.Context, moothall.ToolRun) (answer.Answer, error) { return a, err })
}

func TestRun(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer answer.Answer
		err    error
		status moothall.CallStatus
		text   string
		data   string
	}{
		"done":     {answer.Answer{Text: "x", Data: 7, Cut: "y"}, nil, moothall.CallOK, "x", "7"},
		"said":     {answer.Answer{}, &moothall.Error{Code: moothall.CodeInvalid, Message: "no", Remedy: "try", Err: errors.New("detail")}, moothall.CallFailed, "no. What helps: try", ""},
		"code":     {answer.Answer{}, &moothall.Error{Code: moothall.CodeNotFound}, moothall.CallFailed, "not_found", ""},
		"foreign":  {answer.Answer{}, errors.New("detail"), moothall.CallFailed, "the tool failed for a reason of its own", ""},
		"no value": {answer.Answer{Text: "x", Data: math.NaN()}, nil, moothall.CallFailed, "the tool failed for a reason of its own", ""},
	} {
		got, err := run(t.Context(), test.answer, test.err)
		if err != nil || got.Status != test.status || got.Text != test.text || string(got.Data) != test.data || got.Cut != test.answer.Cut {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if got.Call != "c" || got.Name != "look" || got.Labels != moothall.Private {
			t.Errorf("%s: the result is of %s %s %s", name, got.Call, got.Name, got.Labels)
		}
	}
}

func TestNotSetUp(t *testing.T) {
	t.Parallel()
	if got, err := run(t.Context(), answer.Answer{}, moothall.Fail(moothall.CodeNotConfigured, "look", "there is nothing")); moothall.ErrorCode(err) != moothall.CodeNotConfigured {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run(ctx, answer.Answer{}, errors.New("broken off")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if got, err := run(ctx, answer.Answer{Text: "done before"}, nil); err != nil || got.Text != "done before" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]moothall.Code{
		``: "", " \n": "", `{}`: "", `{"name":"x"}`: "", `{"other":1}`: moothall.CodeInvalid, `{"name":1}`: moothall.CodeInvalid, `{"na`: moothall.CodeInvalid, `[]`: moothall.CodeInvalid,
	} {
		got, err := answer.Arguments[struct{ Name string }](moothall.ToolRun{Call: moothall.ToolCall{Arguments: json.RawMessage(text)}})
		if moothall.ErrorCode(err) != want || text == `{"name":"x"}` && got.Name != "x" {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
}
