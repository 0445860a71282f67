package daemon

import (
	"context"
	"log/slog"
)

// TryCage opens one cage with each helper in turn.
func TryCage(ctx context.Context, helpers ...[]string) (errs []error) {
	c := &cage{log: slog.New(slog.DiscardHandler)}
	defer c.Close()
	for _, h := range helpers {
		c.helper = h
		_, err := c.open(ctx)
		errs = append(errs, err)
	}
	return errs
}
