//go:build noweights

package weights

const model, vocab = "", ""
