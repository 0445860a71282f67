package daemon

import "moothall"

// Broker lets tests call the broker as a participant.
func (h *Hall) Broker(as moothall.Identity) (moothall.Broker, error) { return h.peer(as).Broker() }
