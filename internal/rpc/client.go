package rpc

import "moothall"

// Client is what a person's program holds, over any [Peer].
type Client struct {
	moothall.Front
	gateway moothall.Gateway
	memory  moothall.Memory
	broker  moothall.Broker
	peer    Peer
}

var _ moothall.Client = (*Client)(nil)

// NewClient composes a client from a peer, which it owns from then on. A
// service that the peer does not hand out refuses every call with the peer's
// reason.
func NewClient(p Peer) *Client {
	c := &Client{peer: p}
	var err error
	if c.Front, err = p.Front(); err != nil {
		c.Front = refusedFront{err}
	}
	if c.gateway, err = p.Gateway(); err != nil {
		c.gateway = refusedGateway{err}
	}
	if c.memory, err = p.Memory(); err != nil {
		c.memory = refusedMemory{err}
	}
	if c.broker, err = p.Broker(); err != nil {
		c.broker = refusedBroker{err}
	}
	return c
}

// Gateway returns the way to models.
func (c *Client) Gateway() moothall.Gateway { return c.gateway }

// Memory returns the memory.
func (c *Client) Memory() moothall.Memory { return c.memory }

// Broker returns the broker.
func (c *Client) Broker() moothall.Broker { return c.broker }

// Close closes the peer.
func (c *Client) Close() error { return c.peer.Close() }
