package ollama

import (
	"encoding/json"
	"reflect"
)

// What tests look at from outside.
var (
	Neutral      = neutral
	NeutralTool  = neutralTool
	Words        = words
	KnowsNothing = knowsNothing
)

// Quick reads a line in the quick way, and reports whether that could be done
// and whether encoding/json reads the same.
func Quick(b []byte) (could, same bool) {
	var l, want line
	could = quick(b, &l)
	return could, json.Unmarshal(b, &want) == nil && reflect.DeepEqual(l, want)
}
