package daemon

// ForbidDumps keeps this process's memory out of core files and away from
// other programs of the same user: a key that was just used may still lie
// there, since Go copies strings freely and clears nothing. Programs that it
// starts write no core files either. Main calls it before anything else.
func ForbidDumps() { forbidDumps() }
