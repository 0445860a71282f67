package daemon

import (
	"moothall"
	"moothall/internal/web/remote"
)

// Reach returns a client of a hall elsewhere, over HTTP.
func Reach(address, token string) (moothall.Client, error) {
	c, err := remote.New(address, remote.Options{Token: token})
	if err != nil {
		return nil, err // a nil *Client in an interface is not nil
	}
	return c, nil
}
