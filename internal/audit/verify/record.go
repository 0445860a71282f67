package verify

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"strconv"
)

const (
	maxRecord = 16 << 10         // bytes of JSON
	maxLength = maxRecord + 1024 // of a line, generously
)

var crcTable = crc32.MakeTable(crc32.Castagnoli)

// record is one line of the log, whole and with a matching checksum.
type record struct {
	index, batch uint64
	json         []byte
}

// parseRecord reads a line without its newline. The line is accepted only in
// the one spelling that the format allows.
func parseRecord(b []byte) (record, error) {
	var fields [4][]byte
	rest := b
	for i := range fields {
		at := bytes.IndexByte(rest, ' ')
		if at < 0 {
			return record{}, fmt.Errorf("field %d is missing", i+1)
		}
		fields[i], rest = rest[:at], rest[at+1:]
	}
	var numbers [3]uint64
	for i := range numbers {
		var ok bool
		if numbers[i], ok = decimal(fields[i]); !ok {
			return record{}, fmt.Errorf("field %d is no number", i+1)
		}
	}
	if numbers[2] != uint64(len(rest)) || len(rest) > maxRecord {
		return record{}, fmt.Errorf("length is %d, not %d", len(rest), numbers[2])
	}
	covered := len(fields[0]) + len(fields[1]) + len(fields[2]) + 3
	if !sumMatches(fields[3], b[:covered], rest) {
		return record{}, fmt.Errorf("checksum does not match")
	}
	return record{index: numbers[0], batch: numbers[1], json: rest}, nil
}

// decimal reads a number without sign or leading zeros, below 2^62.
func decimal(b []byte) (uint64, bool) {
	if len(b) == 0 || len(b) > 19 || b[0] == '0' && len(b) > 1 {
		return 0, false
	}
	var n uint64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, n < 1<<62
}

func sumMatches(text, header, json []byte) bool {
	sum := crc32.Checksum(header, crcTable)
	sum = crc32.Update(sum, crcTable, json)
	if len(text) != 8 {
		return false
	}
	for i, c := range text {
		if c != "0123456789abcdef"[sum>>(28-4*i)&15] {
			return false
		}
	}
	return true
}

// beginsRecord reports whether b, the unfinished end of a log, can become the
// record of this index. batch is that of the record before.
func beginsRecord(b []byte, index, batch uint64) bool {
	for _, start := range []uint64{index, batch} {
		header := strconv.AppendUint(nil, index, 10)
		header = append(header, ' ')
		header = strconv.AppendUint(header, start, 10)
		header = append(header, ' ')
		if len(b) <= len(header) {
			if bytes.HasPrefix(header, b) {
				return true
			}
			continue
		}
		if bytes.HasPrefix(b, header) && beginsRest(b, len(header)) {
			return true
		}
	}
	return false
}

// beginsRest judges what follows index and batch.
func beginsRest(b []byte, at int) bool {
	size, rest, more := bytes.Cut(b[at:], []byte{' '})
	n, ok := decimal(size)
	if len(size) > 0 && (!ok || n > maxRecord) {
		return false
	}
	if !more {
		return true
	}
	sum, json, more := bytes.Cut(rest, []byte{' '})
	for _, c := range sum {
		if !bytes.ContainsRune([]byte("0123456789abcdef"), rune(c)) {
			return false
		}
	}
	if !more {
		return len(sum) <= 8
	}
	if uint64(len(json)) < n {
		return len(sum) == 8
	}
	return uint64(len(json)) == n && sumMatches(sum, b[:at+len(size)+1], json)
}
