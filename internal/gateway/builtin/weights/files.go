//go:build !noweights

package weights

import _ "embed"

// Strings, and not a file system, so that they are used in place: what that
// reads is a copy in memory beside the pages of the program.
var (
	//go:embed model.bin
	model string
	//go:embed vocab.bin
	vocab string
)
