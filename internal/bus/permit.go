package bus

import (
	"slices"

	"moothall"
)

// grant is what the server lets one user do. What is not listed is refused.
type grant struct {
	publish, subscribe []string
}

// The requests by which a participant reads the record. Their replies are
// wrapped in JSON, so that one sent astray is no envelope; see the package
// comment.
const (
	apiGet  = "$JS.API.STREAM.MSG.GET." + streamName
	apiInfo = "$JS.API.STREAM.INFO." + streamName
)

// participantGrant: its own subjects under its own name, reading the record,
// and acknowledging what its own observers were given.
func participantGrant(id moothall.Identity, durables []Durable) grant {
	g := grant{
		publish:   []string{apiGet, apiInfo},
		subscribe: []string{inboxPrefix(string(id)) + ".>", storedPrefix + ">"},
	}
	for _, r := range moothall.Subjects() {
		if slices.Contains(r.Publishers, id) {
			g.publish = append(g.publish, rulePattern(r, string(id)))
		}
		if r.Delivery == moothall.MayDrop {
			g.subscribe = append(g.subscribe, rulePattern(r, "*"))
		}
	}
	for _, d := range durables {
		if d.Identity == id {
			g.publish = append(g.publish, "$JS.ACK."+streamName+"."+d.consumer()+".>")
			g.subscribe = append(g.subscribe, d.deliver())
		}
	}
	return g
}

// guestGrant: schema and results of its own tools, requests for them.
func guestGrant(guest Guest) grant {
	g := grant{
		publish:   []string{wireSubject(moothall.SubjectToolSchema, moothall.Identity(guest.Name))},
		subscribe: []string{inboxPrefix(guest.Name) + ".>"},
	}
	for _, t := range guest.Tools {
		g.publish = append(g.publish, wireSubject(moothall.SubjectToolResult.Of(t), moothall.Identity(guest.Name)))
		g.subscribe = append(g.subscribe, wireSubject(moothall.SubjectToolRequest.Of(t), moothall.ToolBroker))
	}
	return g
}

// adminGrant: the stream and its consumers, backup and restore. It can
// neither delete nor purge, and it cannot publish an event.
func adminGrant() grant {
	return grant{
		publish: []string{
			apiInfo,
			"$JS.API.STREAM.CREATE." + streamName,
			"$JS.API.STREAM.UPDATE." + streamName,
			"$JS.API.STREAM.SNAPSHOT." + streamName,
			"$JS.API.STREAM.RESTORE." + streamName,
			"$JS.API.CONSUMER.CREATE." + streamName + ".>",
			"$JS.API.CONSUMER.INFO." + streamName + ".*",
			"$JS.API.CONSUMER.RESET." + streamName + ".*",
			"$JS.SNAPSHOT.ACK." + streamName + ".>",
			"$JS.SNAPSHOT.RESTORE." + streamName + ".>",
		},
		subscribe: []string{inboxPrefix(string(Admin)) + ".>"},
	}
}

// user is one row of the server's list of users.
type user struct {
	name  string
	grant grant
}

// users lists everybody whom the options let in, in a stable order.
func users(guests []Guest, durables []Durable) []user {
	out := []user{{string(Admin), adminGrant()}}
	for _, id := range moothall.Identities() {
		out = append(out, user{string(id), participantGrant(id, durables)})
	}
	for _, g := range guests {
		out = append(out, user{g.Name, guestGrant(g)})
	}
	return out
}
