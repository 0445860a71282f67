package broker_test

import (
	"testing"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/moottest"
	"moothall/internal/policy"
)

func TestContract(t *testing.T) {
	t.Parallel()
	moottest.TestBroker(t, func(t *testing.T) moottest.BrokerFixture {
		tools := []moothall.Tool{echo("say", moothall.RiskNone), echo("shout", moothall.RiskHigh), echo("hidden", moothall.RiskRead)}
		h := open(t, tools, func(o *broker.Options) {
			o.Manifest = policy.Manifest{Types: map[moothall.AgentType]policy.Type{
				"speaker":  {Allowed: []moothall.ToolName{"say", "shout"}, Spawns: []moothall.AgentType{"listener"}},
				"listener": {},
			}}
			o.Keys = map[string]moothall.SecretRef{"hosted": "hosted-key"}
		})
		h.secrets.Set("hosted-key", "k-123456")
		return moottest.BrokerFixture{
			Broker: h.chat, Person: h.person, Gateway: h.For(moothall.ModelGateway), Type: "speaker", Child: "listener",
			Allowed: "say", Asked: "shout", Denied: "hidden", Provider: "hosted", Ref: "hosted-key", Key: "k-123456",
		}
	})
}
