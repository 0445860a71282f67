package moottest_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
)

func TestFakeAudit(t *testing.T) {
	moottest.TestAudit(t, func(*testing.T) moothall.Audit { return moottest.NewAudit().For(moothall.Hall) })
}

func TestFakeAuditRecords(t *testing.T) {
	a := moottest.NewAudit()
	params := []byte("parameters")
	e := moothall.AuditEntry{Action: moothall.ActionAccess, Status: moothall.StatusOK, Params: params}
	for _, p := range [][]byte{params, {}, nil} {
		e.Params = p
		if _, err := a.For(moothall.Critic).Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	want := sha256.Sum256(params)
	got := a.Records()
	if len(got) != 3 || got[0].Caller != moothall.Critic || !bytes.Equal(got[0].Hash, want[:]) || got[1].Hash == nil || got[2].Hash != nil {
		t.Errorf("records are %+v", got)
	}
	a.Refuse(moothall.Fail(moothall.CodeTampered, "audit", "no"))
	if _, err := a.For(moothall.Critic).Append(t.Context(), e); moothall.ErrorCode(err) != moothall.CodeTampered {
		t.Errorf("got %v, want code tampered", err)
	}
}

func TestFakeSecrets(t *testing.T) {
	moottest.TestSecrets(t, func(*testing.T) moottest.SecretsFixture {
		s := moottest.NewSecrets()
		s.Set("api-key", "hunter2")
		return moottest.SecretsFixture{
			Secrets: s.For(moothall.ToolBroker), Other: s.For(moothall.MemoryKeeper), Ref: "api-key", Value: "hunter2",
		}
	})
}

func TestFakeSecretsLock(t *testing.T) {
	s := moottest.NewSecrets()
	s.Set("api-key", "hunter2")
	s.Lock(true)
	if _, err := s.For(moothall.ToolBroker).GetSecret(t.Context(), moothall.SecretRequest{Ref: "api-key"}); moothall.ErrorCode(err) != moothall.CodeUnavailable {
		t.Errorf("got %v, want code unavailable", err)
	}
}

func TestFakeSearch(t *testing.T) {
	text := strings.Repeat("Boats in the harbour. ", 10)
	moottest.TestSearch(t, func(*testing.T) moottest.SearchFixture {
		s := moottest.NewSearch(
			moothall.Page{URL: "https://example.com/1", Title: "One", Text: text},
			moothall.Page{URL: "https://example.com/2", Title: "Two", Text: text},
		)
		return moottest.SearchFixture{
			Search: s.For(moothall.ToolBroker), Query: "boats harbour", Nothing: "zeppelin", URL: "https://example.com/1", Text: "harbour",
		}
	})
}

func TestFakeGateway(t *testing.T) {
	moottest.TestGateway(t, func(*testing.T) moottest.GatewayFixture {
		g := moottest.NewGateway()
		return moottest.GatewayFixture{Gateway: g.For(moothall.ChatHall), Script: g.Script, Model: moottest.FakeModel, Pull: "another:1"}
	})
}

func TestFakeMemory(t *testing.T) {
	moottest.TestMemory(t, func(*testing.T) moothall.Memory { return moottest.NewMemory().For(moothall.ChatHall) })
}

func TestFakeBroker(t *testing.T) {
	moottest.TestBroker(t, func(*testing.T) moottest.BrokerFixture {
		b := moottest.NewBroker(
			moottest.EchoTool("say", moothall.RiskNone), moottest.EchoTool("write", moothall.RiskWrite), moottest.EchoTool("other", moothall.RiskNone),
		)
		b.Allow("talker", moottest.AgentRules{Tools: []moothall.ToolName{"say", "write"}, Spawns: []moothall.AgentType{"helper"}})
		b.Allow("helper", moottest.AgentRules{})
		b.Bind("hosted", "hosted-key", "hunter2")
		return moottest.BrokerFixture{
			Broker: b.For(moothall.ChatHall), Person: b.For(moothall.Person), Gateway: b.For(moothall.ModelGateway),
			Type: "talker", Child: "helper", Allowed: "say", Asked: "write", Denied: "other",
			Provider: "hosted", Ref: "hosted-key", Key: "hunter2",
		}
	})
}

func TestFakeFront(t *testing.T) {
	moottest.TestFront(t, func(*testing.T) moottest.FrontFixture {
		return moottest.FrontFixture{
			Front: moottest.NewFront().For(moothall.Person), Query: "How are you?", Want: "How are you?", Wait: moottest.WaitQuery,
			Task: "task-1", Participant: "critic", Settings: json.RawMessage(`{"on":false}`),
		}
	})
}
