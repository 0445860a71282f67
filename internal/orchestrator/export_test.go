package orchestrator

import (
	"moothall/internal/orchestrator/journal"
)

// Keeper is what a journal has to be able to do.
type Keeper = keeper

// OpenOn opens an orchestrator over another journal.
func OpenOn(o Options, j Keeper) (*Orchestrator, error) { return open(o, j) }

// Living is how many tasks live.
func (o *Orchestrator) Living() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.tasks)
}

// Over is closed when the orchestrator is being closed.
func (o *Orchestrator) Over() <-chan struct{} { return o.life.Done() }

// Journal is the record of a task.
func (o *Orchestrator) Journal() Keeper { return o.journal }

var _ Keeper = (*journal.Journal)(nil)
