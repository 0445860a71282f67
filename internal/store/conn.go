package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// maxStmts bounds the prepared statements that a connection keeps. Services
// have some dozens of fixed texts; whoever builds texts must not fill memory.
const maxStmts = 128

// conn is one connection with its prepared statements. One goroutine uses it
// at a time: the pool hands it out, a Tx borrows it.
type conn struct {
	sql   *sql.Conn
	stmts map[string]*stmt
	dead  bool // its state is unknown: close it instead of using it again
}

// stmt is a prepared statement. While rows are being read from it the same
// text needs another one, since SQLite would start it afresh.
type stmt struct {
	sql    *sql.Stmt
	busy   bool
	cached bool
}

// prepare returns a statement for query, kept or new. Preparing costs about
// as much as running a point query, hence the keeping.
func (c *conn) prepare(ctx context.Context, query string) (*stmt, error) {
	kept := c.stmts[query]
	if kept != nil && !kept.busy {
		kept.busy = true
		return kept, nil
	}
	s, err := c.sql.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	st := &stmt{sql: s, busy: true}
	if kept == nil {
		c.keep(query, st)
	}
	return st, nil
}

// keep remembers st. A full memory is emptied as a whole: texts in use come
// back at once, and no order of use has to be written down at each query.
func (c *conn) keep(query string, st *stmt) {
	if len(c.stmts) >= maxStmts {
		for text, old := range c.stmts {
			if !old.busy {
				old.sql.Close()
				delete(c.stmts, text)
			}
		}
	}
	if len(c.stmts) < maxStmts {
		st.cached = true
		c.stmts[query] = st
	}
}

// release ends a use of st.
func (c *conn) release(st *stmt) error {
	st.busy = false
	if st.cached {
		return nil
	}
	return st.sql.Close()
}

// run executes a text that is used once or takes no values.
func (c *conn) run(ctx context.Context, query string, args ...any) error {
	_, err := c.sql.ExecContext(ctx, query, args...)
	return err
}

// control executes BEGIN, COMMIT or ROLLBACK as a kept statement. None is
// given up: who waits must learn whether it happened, and the driver waits for
// another process a bounded time.
func (c *conn) control(query string) error {
	st, err := c.prepare(context.Background(), query)
	if err != nil {
		return err
	}
	_, err = st.sql.ExecContext(context.Background())
	return errors.Join(err, c.release(st))
}

// rollback ends a transaction without its changes. SQLite may have ended it
// by itself after an error such as a full disk, and then says SQLITE_ERROR to
// a second end. Whatever else it says, the connection is not used again.
func (c *conn) rollback() {
	err := c.control("ROLLBACK")
	var e *sqlite.Error
	if err == nil || errors.As(err, &e) && e.Code() == sqlite3.SQLITE_ERROR {
		return
	}
	c.dead = true
}

func (c *conn) close() error {
	var errs []error
	for _, st := range c.stmts {
		errs = append(errs, st.sql.Close())
	}
	return errors.Join(append(errs, c.sql.Close())...)
}

// writerName and readerName spell out the settings that hold for each
// connection. journal_mode is not among them: it is a property of the file,
// and must not be changed before the file is known to be ours.
func writerName(path string) string { return dsn(path, url.Values{"mode": {"rw"}}) }

func readerName(path string) string {
	return dsn(path, url.Values{"mode": {"ro"}, "_query_only": {"1"}})
}

func dsn(path string, v url.Values) string {
	v.Set("_busy_timeout", "5000")
	v.Set("_defensive", "1") // no SQL may damage the file
	v.Set("_dqs", "0")       // a misspelt "column" is an error, not a string
	v.Set("_error_rc", "1")
	v["_pragma"] = []string{
		"foreign_keys(ON)",
		"synchronous(FULL)",
		"temp_store(MEMORY)",
		"trusted_schema(OFF)",
		"cell_size_check(ON)",
		"wal_autocheckpoint(1000)",     // pages, about 4 MB of log
		"journal_size_limit(16777216)", // a log once swollen shrinks again
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: v.Encode()}
	return u.String()
}

// dial opens one connection by its driver name.
func dial(ctx context.Context, db *sql.DB) (*conn, error) {
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{sql: c, stmts: make(map[string]*stmt)}, nil
}

// source returns a database/sql handle that opens connections by name and
// keeps none of its own.
func source(name string) *sql.DB {
	db := sql.OpenDB(connector{name: name, driver: &sqlite.Driver{}})
	db.SetMaxIdleConns(-1)
	return db
}

// connector opens connections by a name. The driver is our own value, so that
// no function or hook registered elsewhere in the process reaches our file.
type connector struct {
	name   string
	driver driver.Driver
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.driver.Open(c.name)
}

func (c connector) Driver() driver.Driver { return c.driver }

// ownLocks asks for locks that belong to the open file rather than to the
// process (see the package comment). Where there are none, or a file is open
// already, things stay as they are; neither is an error.
func ownLocks() { _, _ = sqlite.OFDLocking(true) }
