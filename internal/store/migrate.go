package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"

	"moothall"
)

// Set is a service's migrations: a name of its own ("memory") and a folder of
// files 0001_name.sql, 0002_name.sql and so on, without gaps and with nothing
// else in it. A file is never changed once it has been released. What it may
// not contain is the end of a transaction, which is the store's.
type Set struct {
	Name  string
	Files fs.FS
}

// coreName is the store's own set.
const coreName = "core"

//go:embed migrations/*.sql
var coreFiles embed.FS

var (
	setName  = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)
	fileName = regexp.MustCompile(`^([0-9]{4})_([a-z0-9_]+)\.sql$`)
	// forbidden would end or leave the transaction of a migration.
	forbidden = regexp.MustCompile(`(?im)^\s*(COMMIT|ROLLBACK|VACUUM|ATTACH|DETACH)\b`)
)

// migration is one file, read.
type migration struct {
	version   int64
	name, sum string
	text      string
}

// plan is a set, read and checked.
type plan struct {
	set   string
	steps []migration
}

// loadPlans reads the store's own set and those given.
func loadPlans(sets []Set) ([]plan, error) {
	core, err := fs.Sub(coreFiles, "migrations")
	if err != nil {
		return nil, invalidSet(coreName, "cannot be read", err)
	}
	first, err := loadPlan(Set{Name: coreName, Files: core})
	if err != nil {
		return nil, err
	}
	plans := []plan{first}
	for _, s := range sets {
		same := func(p plan) bool { return p.set == s.Name }
		if !setName.MatchString(s.Name) || slices.ContainsFunc(plans, same) {
			return nil, invalidSet(s.Name, "has a name that is taken, or not of small letters, digits and _", nil)
		}
		p, err := loadPlan(s)
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

func loadPlan(s Set) (plan, error) {
	if s.Files == nil {
		return plan{}, invalidSet(s.Name, "has no files", nil)
	}
	entries, err := fs.ReadDir(s.Files, ".")
	if err != nil {
		return plan{}, invalidSet(s.Name, "cannot be read", err)
	}
	p := plan{set: s.Name}
	for _, e := range entries {
		m, err := loadMigration(s, e.Name())
		if err != nil {
			return plan{}, err
		}
		p.steps = append(p.steps, m)
	}
	slices.SortFunc(p.steps, func(a, b migration) int { return cmp.Compare(a.version, b.version) })
	for i, m := range p.steps {
		if want := int64(i + 1); m.version != want {
			return plan{}, invalidSet(s.Name, fmt.Sprintf("should have number %04d where it has %04d", want, m.version), nil)
		}
	}
	return p, nil
}

func loadMigration(s Set, file string) (migration, error) {
	parts := fileName.FindStringSubmatch(file)
	if parts == nil {
		return migration{}, invalidSet(s.Name, "has a file that is not named like 0001_name.sql: "+file, nil)
	}
	text, err := fs.ReadFile(s.Files, file)
	if err != nil {
		return migration{}, invalidSet(s.Name, "cannot be read", err)
	}
	if word := forbidden.Find(text); word != nil {
		return migration{}, invalidSet(s.Name, fmt.Sprintf("may not use %s in %s", bytes.TrimSpace(word), file), nil)
	}
	// A checkout that ends its lines in another way is the same file.
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	version, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return migration{}, invalidSet(s.Name, "has a file without a number", err)
	}
	sum := sha256.Sum256(text)
	return migration{version: version, name: parts[2], sum: hex.EncodeToString(sum[:]), text: string(text)}, nil
}

func invalidSet(set, what string, cause error) error {
	return &moothall.Error{
		Code: moothall.CodeInvalid, Op: "load migrations",
		Message: fmt.Sprintf("set %q %s", set, what), Err: cause,
	}
}

// migrator applies plans to one file.
type migrator struct {
	conn *conn
	path string
	opts Options
}

// apply brings the file to the last step of p.
func (m *migrator) apply(ctx context.Context, p plan) error {
	done, err := m.applied(ctx, p)
	if err != nil {
		return err
	}
	for _, step := range p.steps[done:] {
		m.opts.Logger.InfoContext(ctx, "apply migration", "set", p.set, "version", step.version, "name", step.name)
		if err := m.step(ctx, p, step); err != nil {
			return wrap(fmt.Sprintf("migrate %s to %04d_%s", p.set, step.version, step.name), m.path, err)
		}
	}
	return nil
}

// step runs one migration and writes its record in the same transaction,
// unless another process has done so since.
func (m *migrator) step(ctx context.Context, p plan, step migration) error {
	return atomically(m.conn, func() error {
		done, err := m.applied(ctx, p)
		if err != nil || int64(done) >= step.version {
			return err
		}
		if err := m.conn.run(ctx, step.text); err != nil {
			return err
		}
		const record = `INSERT INTO store_migration (suite, version, name, sha256, applied_at, program)
			VALUES (?, ?, ?, ?, ?, ?)`
		return m.conn.run(ctx, record, p.set, step.version, step.name, step.sum, m.opts.Now().UnixMilli(), m.opts.Program)
	})
}

// applied compares the file's records with p, and returns how many steps of p
// are done.
func (m *migrator) applied(ctx context.Context, p plan) (int, error) {
	const query = `SELECT version, name, sha256, program FROM store_migration WHERE suite = ? ORDER BY version`
	rows, err := m.conn.sql.QueryContext(ctx, query, p.set)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var had migration
		var program string
		if err := rows.Scan(&had.version, &had.name, &had.sum, &program); err != nil {
			return 0, err
		}
		if err := m.compare(p, n, had, program); err != nil {
			return 0, err
		}
		n++
	}
	return n, rows.Err()
}

// compare checks the record that follows n good ones.
func (m *migrator) compare(p plan, n int, had migration, program string) error {
	const op = "compare migrations"
	switch {
	case had.version != int64(n+1):
		e := damaged(m.path, fmt.Sprintf("lacks the record of migration %04d of %s", n+1, p.set))
		e.Op = op
		return e
	case n >= len(p.steps):
		return &moothall.Error{
			Code: moothall.CodeUnsupported, Op: op,
			Message: fmt.Sprintf("%s has schema %s %d (%s), made by %s; this program (%s) knows up to %d",
				m.path, p.set, had.version, had.name, program, m.opts.Program, len(p.steps)),
			Remedy: "use " + program + " or a newer one, or restore a backup made by this program",
		}
	case had.sum != p.steps[n].sum:
		return &moothall.Error{
			Code: moothall.CodeInvalid, Op: op,
			Message: fmt.Sprintf("migration %04d_%s of %s is not the one that %s applied to %s", had.version, had.name, p.set, program, m.path),
			Remedy:  "use the program that the file was made with; a released migration is never changed",
		}
	}
	return nil
}
