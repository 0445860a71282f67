package daemon

import (
	"context"
	"io"
	"io/fs"
	"iter"
	"os"

	"errors"

	"moothall"
	"moothall/internal/audit/verify"
	"moothall/internal/chat"
)

// The record's reader as commands see it: the files of a home, and no service.
type (
	// AuditReport says whether a record is whole.
	AuditReport = verify.Report
	// AuditFilter chooses entries.
	AuditFilter = verify.Filter
	// AuditLine is one entry as it stands in the record.
	AuditLine = verify.Entry
	// AuditProof shows that an entry is in the record, to anybody.
	AuditProof = verify.Proof
)

// hasRecord says where to look when this home has no record.
func hasRecord(h Home) error {
	if _, err := os.Stat(h.Audit()); errors.Is(err, fs.ErrNotExist) {
		return &moothall.Error{
			Code: moothall.CodeNotFound, Op: "audit", Message: "there is no record in " + h.Data,
			Remedy: "it begins with the first moothall up; where services.audit.at names another place, use --home there",
		}
	}
	return nil
}

// VerifyAudit checks the whole record. Anchor is a head that was kept
// elsewhere, key a verifier key; both may be empty.
func VerifyAudit(ctx context.Context, h Home, anchor []byte, key string) (AuditReport, error) {
	if err := hasRecord(h); err != nil {
		return AuditReport{}, err
	}
	return verify.Dir(ctx, h.Audit(), &verify.Options{Anchor: anchor, Key: key})
}

// ShowAudit yields entries in order; with follow it goes on with new ones
// until ctx ends.
func ShowAudit(ctx context.Context, h Home, f AuditFilter, follow bool) iter.Seq2[AuditLine, error] {
	if err := hasRecord(h); err != nil {
		return func(yield func(AuditLine, error) bool) { yield(AuditLine{}, err) }
	}
	if follow {
		return verify.Follow(ctx, h.Audit(), f, f.From, nil)
	}
	return verify.Entries(h.Audit(), f)
}

// turnsOnRecord reads what the record has of turns, from an index on.
func (h *Hall) turnsOnRecord(ctx context.Context, from uint64) (map[moothall.QueryID]chat.OnRecord, error) {
	out := map[moothall.QueryID]chat.OnRecord{}
	for e, err := range verify.Entries(h.home.Audit(), AuditFilter{From: from, By: moothall.ChatHall}) {
		if err != nil || ctx.Err() != nil {
			return nil, errors.Join(err, ctx.Err())
		}
		if e.Query == "" || e.Run == "" {
			continue
		}
		t := out[e.Query]
		t.Run = e.Run
		if e.Action == moothall.ActionRunEnd {
			t.End = e.Index
		}
		out[e.Query] = t
	}
	return out, nil
}

// ProveAudit makes a proof that entry n is in the record.
func ProveAudit(h Home, n uint64) (AuditProof, error) {
	if err := hasRecord(h); err != nil {
		return AuditProof{}, err
	}
	return verify.Prove(h.Audit(), n)
}

// ExportAudit writes entries in one of [verify.Formats].
func ExportAudit(h Home, w io.Writer, format string, f AuditFilter) error {
	if err := hasRecord(h); err != nil {
		return err
	}
	return verify.Export(h.Audit(), w, format, f)
}

// ExportAuditTo writes entries into a new file.
func ExportAuditTo(h Home, file, format string, f AuditFilter) error {
	out, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return &moothall.Error{
			Code: moothall.CodeConflict, Op: "export", Message: file + " is there already",
			Remedy: "choose another name; an export never replaces a file", Err: err,
		}
	}
	if err != nil {
		return homeError("export", file, err)
	}
	err = ExportAudit(h, out, format, f)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		os.Remove(file)
	}
	return err
}
