package rpc_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/rpc"
)

func TestAuditContract(t *testing.T) {
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		moottest.TestAudit(t, func(t *testing.T) moothall.Audit {
			h := start(t, over, rpc.Offers{Audit: moottest.NewAudit().For}, nil)
			return got[moothall.Audit](t)(h.peer(t, moothall.Hall).Audit())
		})
	})
}

func TestSecretsContract(t *testing.T) {
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		moottest.TestSecrets(t, func(t *testing.T) moottest.SecretsFixture {
			s := moottest.NewSecrets()
			s.Set("api-key", "hunter2")
			h := start(t, over, rpc.Offers{Secrets: s.For}, nil)
			f := moottest.SecretsFixture{
				Secrets: got[moothall.Secrets](t)(h.peer(t, moothall.ToolBroker).Secrets()), Ref: "api-key", Value: "hunter2",
			}
			if c, ok := h.peer(t, moothall.MemoryKeeper).(*rpc.Conn); ok {
				f.Other = rpc.UncheckedSecrets(c)
			}
			return f
		})
	})
}

func TestSearchContract(t *testing.T) {
	text := strings.Repeat("Boats in the harbour. ", 10)
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		moottest.TestSearch(t, func(t *testing.T) moottest.SearchFixture {
			s := moottest.NewSearch(
				moothall.Page{URL: "https://example.com/1", Title: "One", Text: text},
				moothall.Page{URL: "https://example.com/2", Title: "Two", Text: text},
			)
			h := start(t, over, rpc.Offers{Search: s.For}, nil)
			return moottest.SearchFixture{
				Search: got[moothall.Search](t)(h.peer(t, moothall.ToolBroker).Search()),
				Query:  "boats harbour", Nothing: "zeppelin", URL: "https://example.com/1", Text: "harbour",
			}
		})
	})
}

func TestGatewayContract(t *testing.T) {
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		moottest.TestGateway(t, func(t *testing.T) moottest.GatewayFixture {
			g := moottest.NewGateway()
			h := start(t, over, rpc.Offers{Gateway: g.For}, nil)
			return moottest.GatewayFixture{
				Gateway: got[moothall.Gateway](t)(h.peer(t, moothall.ChatHall).Gateway()),
				Script:  g.Script, Model: moottest.FakeModel, Pull: "another:1",
			}
		})
	})
}

func TestMemoryContract(t *testing.T) {
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		moottest.TestMemory(t, func(t *testing.T) moothall.Memory {
			h := start(t, over, rpc.Offers{Memory: moottest.NewMemory().For}, nil)
			return got[moothall.Memory](t)(h.peer(t, moothall.ChatHall).Memory())
		})
	})
}

func TestBrokerContract(t *testing.T) {
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		moottest.TestBroker(t, func(t *testing.T) moottest.BrokerFixture {
			b := moottest.NewBroker(
				moottest.EchoTool("say", moothall.RiskNone), moottest.EchoTool("write", moothall.RiskWrite), moottest.EchoTool("other", moothall.RiskNone),
			)
			b.Allow("talker", moottest.AgentRules{Tools: []moothall.ToolName{"say", "write"}, Spawns: []moothall.AgentType{"helper"}})
			b.Allow("helper", moottest.AgentRules{})
			b.Bind("hosted", "hosted-key", "hunter2")
			h := start(t, over, rpc.Offers{Broker: b.For}, nil)
			as := func(id moothall.Identity) moothall.Broker {
				return got[moothall.Broker](t)(h.peer(t, id).Broker())
			}
			return moottest.BrokerFixture{
				Broker: as(moothall.ChatHall), Person: as(moothall.Person), Gateway: as(moothall.ModelGateway),
				Type: "talker", Child: "helper", Allowed: "say", Asked: "write", Denied: "other",
				Provider: "hosted", Ref: "hosted-key", Key: "hunter2",
			}
		})
	})
}

func TestFrontContract(t *testing.T) {
	each(t, transports(), func(t *testing.T, over rpc.Transport) {
		moottest.TestFront(t, func(t *testing.T) moottest.FrontFixture {
			h := start(t, over, rpc.Offers{Front: moottest.NewFront().For}, nil)
			return moottest.FrontFixture{
				Front: rpc.NewClient(h.peer(t, moothall.Person)), Query: "How are you?", Want: "How are you?", Wait: moottest.WaitQuery,
				Task: "task-1", Participant: "critic", Settings: json.RawMessage(`{"on":false}`),
			}
		})
	})
}
