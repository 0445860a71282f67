package rpc

import "bufio"

// chunkSize is how much of a backup or an export goes into one message.
const chunkSize = 64 << 10

// chunks sends what is written to it in messages of one size.
type chunks func([]byte) error

func newChunks(send func([]byte) error) *bufio.Writer {
	return bufio.NewWriterSize(chunks(send), chunkSize)
}

// Write sends b at once; what sends does not keep it.
func (send chunks) Write(b []byte) (int, error) {
	sent := 0
	for sent < len(b) {
		n := min(chunkSize, len(b)-sent)
		if err := send(b[sent : sent+n]); err != nil {
			return sent, sendError(err)
		}
		sent += n
	}
	return sent, nil
}
