package rpc

import (
	"bufio"

	"google.golang.org/grpc"

	pb "moothall/proto/moothall/v1"
)

// chunkSize is how much of a backup goes into one message.
const chunkSize = 64 << 10

// chunks sends what is written to it in messages of one size.
type chunks struct {
	st grpc.ServerStreamingServer[pb.BackupResponse]
}

func newChunks(st grpc.ServerStreamingServer[pb.BackupResponse]) *bufio.Writer {
	return bufio.NewWriterSize(chunks{st}, chunkSize)
}

// Write sends b at once; Send does not keep it.
func (c chunks) Write(b []byte) (int, error) {
	sent := 0
	for sent < len(b) {
		n := min(chunkSize, len(b)-sent)
		if err := c.st.Send(&pb.BackupResponse{Data: b[sent : sent+n]}); err != nil {
			return sent, sendError(err)
		}
		sent += n
	}
	return sent, nil
}
