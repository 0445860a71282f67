package audit

import (
	"bytes"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"strconv"
)

const (
	// maxJSON bounds one record, so that a reader can bound its buffer.
	maxJSON = 16 << 10
	// maxLine is the longest line: two numbers, a length, a checksum, spaces.
	maxLine = maxJSON + 20 + 20 + 5 + 8 + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errBadLine = errors.New("not a record")

// line is a parsed line of the log. json aliases the bytes parsed.
type line struct {
	index, batch uint64
	json         []byte
}

// appendLine appends the line of a record, with its newline.
func appendLine(dst []byte, index, batch uint64, json []byte) []byte {
	start := len(dst)
	dst = strconv.AppendUint(dst, index, 10)
	dst = append(dst, ' ')
	dst = strconv.AppendUint(dst, batch, 10)
	dst = append(dst, ' ')
	dst = strconv.AppendInt(dst, int64(len(json)), 10)
	dst = append(dst, ' ')
	sum := checksum(dst[start:], json)
	dst = hex.AppendEncode(dst, []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
	dst = append(dst, ' ')
	dst = append(dst, json...)
	return append(dst, '\n')
}

func checksum(header, json []byte) uint32 {
	return crc32.Update(crc32.Update(0, castagnoli, header), castagnoli, json)
}

// parseLine parses a line without its newline. It accepts exactly what
// appendLine writes.
func parseLine(b []byte) (line, error) {
	var l line
	var n uint64
	rest, ok := b, true
	for _, field := range []*uint64{&l.index, &l.batch, &n} {
		if *field, rest, ok = cutNumber(rest); !ok {
			return line{}, errBadLine
		}
	}
	header := b[:len(b)-len(rest)]
	if len(rest) < 9 || rest[8] != ' ' || n > maxJSON || n != uint64(len(rest)-9) {
		return line{}, errBadLine
	}
	l.json = rest[9:]
	var sum [8]byte
	s := checksum(header, l.json)
	hex.Encode(sum[:], []byte{byte(s >> 24), byte(s >> 16), byte(s >> 8), byte(s)})
	if !bytes.Equal(sum[:], rest[:8]) {
		return line{}, errBadLine
	}
	return l, nil
}

// cutNumber takes a decimal number without leading zeros and the space after
// it. Nineteen digits at most: the tree counts in int64.
func cutNumber(b []byte) (n uint64, rest []byte, ok bool) {
	i := 0
	for i < len(b) && i < 19 && '0' <= b[i] && b[i] <= '9' {
		n = n*10 + uint64(b[i]-'0')
		i++
	}
	if i == 0 || i == len(b) || b[i] != ' ' || b[0] == '0' && i > 1 || n >= 1<<62 {
		return 0, nil, false
	}
	return n, b[i+1:], true
}
