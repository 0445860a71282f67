package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"moothall"
	"moothall/internal/tool/pin"
)

// maxToolName bounds the name that a server gives to a tool.
const maxToolName = 128

// definition is one tool as its server last described it.
type definition struct {
	raw      string // the server's own name for it
	name     moothall.ToolName
	about    string // cleaned
	schema   json.RawMessage
	hash     string
	standing pin.Standing
	reason   string
}

// Pending lists what servers offer and models do not get, by server and name.
func (c *Client) Pending() []pin.Offer {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []pin.Offer
	for _, l := range c.links {
		for _, d := range l.defs {
			if d.standing != pin.Approved {
				out = append(out, l.offer(d))
			}
		}
	}
	return out
}

func (l *link) offer(d definition) pin.Offer {
	raw, _ := pin.Clean(d.raw, maxToolName)
	return pin.Offer{
		Owner: l.server.owner(), From: l.server.Name, Tool: raw, Name: d.name, Description: d.about,
		Parameters: d.schema, Hash: d.hash, Standing: d.standing, Reason: d.reason,
	}
}

// Approve lets models use a tool as it was shown: hash is that of the offer,
// so that a definition which changed in between is not approved unseen.
// CodeNotFound, CodeConflict when the name is taken or the definition is
// another one now, CodeDenied when it breaks a limit.
func (c *Client) Approve(server, tool, hash string) error {
	if err := c.approve(server, tool, hash); err != nil {
		return err
	}
	c.o.Changed()
	return nil
}

func (c *Client) approve(server, tool, hash string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	l, d := c.find(server, tool)
	if d == nil {
		return moothall.Fail(moothall.CodeNotFound, "approve tool", fmt.Sprintf("server %q has no tool %q", server, tool))
	}
	if err := l.offer(*d).Approvable(hash); err != nil {
		return err
	}
	if err := c.o.Pins.Put(l.server.owner(), d.raw, d.hash); err != nil {
		return err
	}
	l.judge()
	return nil
}

func (c *Client) find(server, tool string) (*link, *definition) {
	for _, l := range c.links {
		if l.server.Name != server {
			continue
		}
		for i := range l.defs {
			if l.defs[i].raw == tool {
				return l, &l.defs[i]
			}
		}
	}
	return nil, nil
}

// define reads what a server says of its tools. The order is by name, so that
// a server cannot choose who comes first.
func define(s Server, h hider, tools []*sdk.Tool) []definition {
	var out []definition
	for _, t := range tools {
		out = append(out, defineOne(s, h, t))
	}
	slices.SortStableFunc(out, func(a, b definition) int { return strings.Compare(a.raw, b.raw) })
	return out
}

func defineOne(s Server, h hider, t *sdk.Tool) definition {
	d := definition{raw: t.Name, name: exposed(s.Name, t.Name)}
	description := h.hide(t.Description)
	d.about, _ = pin.Clean(description, pin.MaxDescription)
	if clean, cut := pin.Clean(t.Name, maxToolName); t.Name == "" || clean != t.Name || cut > 0 || h.hide(t.Name) != t.Name {
		return d.refuse("its name is empty, too long or has control characters")
	}
	if len(description) > pin.MaxDescription {
		return d.refuse(fmt.Sprintf("its description is above %d bytes", pin.MaxDescription))
	}
	given, err := json.Marshal(t.InputSchema)
	if err != nil {
		return d.refuse("its schema is not readable")
	}
	if d.schema, err = pin.Canonical([]byte(h.hide(string(given)))); err != nil {
		return d.refuse(err.Error())
	}
	d.hash = pin.Definition{
		Owner: s.owner(), Identity: s.identity(), Name: t.Name, Description: description, Schema: d.schema,
	}.Hash()
	return d
}

func (d definition) refuse(reason string) definition {
	d.standing, d.reason = pin.Refused, reason
	return d
}

// judge decides the standing of every definition of the link. The client's
// lock is held.
func (l *link) judge() {
	names := map[string]int{}
	for _, d := range l.defs {
		names[strings.ToLower(string(d.name))]++
	}
	for i := range l.defs {
		d := &l.defs[i]
		if d.standing == pin.Refused {
			continue
		}
		switch {
		case l.c.o.Taken(d.name):
			d.standing, d.reason = pin.Conflict, fmt.Sprintf("another tool of the hall is called %s", d.name)
		case names[strings.ToLower(string(d.name))] > 1:
			d.standing, d.reason = pin.Conflict, fmt.Sprintf("the server has several tools that come to the name %s", d.name)
		default:
			d.standing, d.reason = pin.Compare(l.c.o.Pins, l.server.owner(), d.raw, d.hash)
		}
	}
}
