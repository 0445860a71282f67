package verify

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"moothall"
)

// Formats lists what [Export] writes.
func Formats() []string { return []string{"jsonl", "csv"} }

// Export writes the entries that the filter selects. "jsonl" is one object a
// line: the record as it stands in the log, with its index before it. "csv"
// has a header line; cells that a spreadsheet would run as a formula get an
// apostrophe before them.
func Export(dir string, w io.Writer, format string, f Filter) error {
	out := bufio.NewWriter(w)
	var write func(*Entry) error
	flush := out.Flush
	switch format {
	case "jsonl":
		write = func(e *Entry) error { return writeJSONLine(out, e) }
	case "csv":
		table := csv.NewWriter(out)
		if err := table.Write(csvHeader()); err != nil {
			return err
		}
		write = func(e *Entry) error { return table.Write(csvRow(e)) }
		flush = func() error {
			table.Flush()
			return errors.Join(table.Error(), out.Flush())
		}
	default:
		return &moothall.Error{
			Code: moothall.CodeInvalid, Op: "export audit log", Message: "unknown format " + strconv.Quote(format),
			Remedy: "use one of: " + strings.Join(Formats(), ", "),
		}
	}
	for e, err := range Entries(dir, f) {
		if err == nil {
			err = write(&e)
		}
		if err != nil {
			return errors.Join(err, flush())
		}
	}
	return flush()
}

func writeJSONLine(w *bufio.Writer, e *Entry) error {
	_, _ = w.WriteString(`{"index":`) // the writer keeps its first error
	_, _ = w.Write(strconv.AppendUint(w.AvailableBuffer(), e.Index, 10))
	_ = w.WriteByte(',')
	_, _ = w.Write(e.spell(w.AvailableBuffer())[1:])
	return w.WriteByte('\n')
}

func csvHeader() []string {
	return []string{
		"index", "time", "by", "agent", "type", "lineage", "action", "tool", "params",
		"status", "session", "query", "run", "call", "rule", "note",
	}
}

func csvRow(e *Entry) []string {
	row := []string{
		strconv.FormatUint(e.Index, 10), e.Time.Format(time.RFC3339Nano), string(e.By), string(e.Agent),
		string(e.Type), e.Lineage.String(), string(e.Action), string(e.Tool), e.Params, string(e.Status),
		string(e.Session), string(e.Query), string(e.Run), string(e.Call), e.Rule, e.Note,
	}
	for i, cell := range row {
		if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
			row[i] = "'" + cell
		}
	}
	return row
}
