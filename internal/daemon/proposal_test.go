package daemon_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// TestNoProposalOfWhatIsInUse: where respondent A has a model of its own, the
// role's is not the one that answers, and to choose another for the role would
// change nothing.
func TestNoProposalOfWhatIsInUse(t *testing.T) {
	t.Parallel()
	for own, proposals := range map[string]int{"": 1, ollamatest.PlainModel: 0} {
		t.Run("model "+own, func(t *testing.T) {
			t.Parallel()
			model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
				text := asked(c)
				switch {
				case asker(c) == fromGrading:
					return says("Feedback: fine [RESULT] 4")
				case asker(c) == fromPairing && strings.Index(text, "plain words") < strings.Index(text, "grand words"):
					return says("Feedback: plain is better [RESULT] A")
				case asker(c) == fromPairing:
					return says("Feedback: plain is better [RESULT] B")
				case c.Model == ollamatest.PlainModel:
					return says("plain words")
				}
				return says("grand words")
			}})
			h, c := home(t.TempDir()), graded(shadowed(config()))
			c.Models.Ollama.URL, c.Reward.Pairs = model.URL, 5
			c.Models.Roles = []daemon.RoleConfig{{Role: "chat", Provider: "ollama", Model: ollamatest.ChatModel}}
			c.Chat.Model, c.Chat.RespondentB.Model = own, ollamatest.PlainModel
			if own != "" {
				c.Chat.RespondentB.Model = ollamatest.ChatModel
			}
			serve(t, h, c)
			client := join(t, h)
			for i := range 5 {
				a := asks(t, client, moothall.QueryRequest{Query: fmt.Sprintf("Question %d?", i)})
				told(t, client, moothall.SubjectPairwiseResult, a.Query, "")
			}
			var r moothall.Report
			becomes(t, "five comparisons in the report", func() bool {
				var err error
				if r, err = client.Report(t.Context(), time.Time{}); err != nil {
					t.Fatal(err)
				}
				return r.Calibration.Pairs == 5
			})
			if len(r.Proposals) != proposals {
				t.Errorf("proposed %+v of %+v", r.Proposals, r.Models)
			}
		})
	}
}
