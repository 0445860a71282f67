package memory

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"

	"moothall"
)

// maxLine is the longest line of a file that is cut into pieces.
const maxLine = 64 << 20

// Pieces cuts a file of lines into parts of about max bytes that can be
// imported one after the other. Turns of a thread that have no place get
// theirs here, since a part alone does not know how many came before.
func Pieces(r io.Reader, max int, each func(lines []byte) error) error {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 64<<10), maxLine)
	last := map[string]int64{}
	var piece []byte
	for in.Scan() {
		line := placed(unmarked(in.Bytes()), last)
		if len(piece) > 0 && len(piece)+len(line) > max {
			if err := each(piece); err != nil {
				return err
			}
			piece = nil
		}
		piece = append(append(piece, line...), '\n')
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return moothall.Fail(moothall.CodeTooLarge, "import memories", "a line is longer than 64 MiB")
	}
	if in.Err() != nil || len(piece) == 0 {
		return in.Err()
	}
	return each(piece)
}

// placed gives a turn without a place the next one of its thread. What is no
// such line stays as it is; the import says what is wrong with it.
func placed(line []byte, last map[string]int64) []byte {
	var l struct {
		Thread string `json:"thread"`
		Seq    *int64 `json:"seq"`
	}
	if json.Unmarshal(line, &l) != nil || l.Thread == "" || l.Seq != nil {
		return line
	}
	last[l.Thread]++
	var all map[string]json.RawMessage
	if json.Unmarshal(line, &all) != nil {
		return line
	}
	seq, err := json.Marshal(last[l.Thread])
	if err != nil {
		return line
	}
	all["seq"] = seq
	with, err := json.Marshal(all)
	if err != nil {
		return line
	}
	return with
}
