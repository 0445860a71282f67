package daemon

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
)

// TestConnectIsPatientWithACommand: another command that has the home for itself
// may take its time, on a disk that does.
func TestConnectIsPatientWithACommand(t *testing.T) {
	t.Parallel()
	h := Home{Config: t.TempDir(), Data: t.TempDir(), State: t.TempDir(), Cache: t.TempDir()}
	for limit, want := range map[time.Duration]time.Duration{40 * time.Second: 40 * time.Second, time.Hour: turnPatience} {
		synctest.Test(t, func(t *testing.T) {
			lock, err := lockHome(h, "ask")
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Close()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			began := time.Now()
			_, err = Connect(ctx, h, DefaultConfig(), "ask", nil)
			if took := time.Since(began); moothall.ErrorCode(err) != moothall.CodeConflict || took < want || took > want+2*homeLook {
				t.Errorf("after %v: %v", took, err)
			}
		})
	}
}
