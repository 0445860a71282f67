// Package daemon is where the hall is put together: it reads the one
// configuration, opens the home, starts the services in a written order and
// stops them in reverse. It is the only package that sees all others, and
// only commands see it.
//
// [FindHome] says where files are, [LoadConfig] reads the configuration,
// [Open] takes the home and opens record, database and bus, and
// [Hall.Serve] adds the faces: the unix socket for commands and the HTTP
// front. [Connect] gives a command a [moothall.Client]: that of the hall that
// runs on the home, or of one that it opens for itself.
//
// # Start order
//
//  1. the lock on the home, so that nobody else writes there
//  2. the record (audit), so that everything after it can be recorded
//  3. the database
//  4. the bus
//  5. the services, those not configured refusing
//  6. the unix socket, so that commands find the hall
//  7. the HTTP front, which says that the hall is up
//
// Stopping is the reverse, within [Grace].
package daemon
