package ollama

// What tests look at from outside.
var (
	Neutral      = neutral
	NeutralTool  = neutralTool
	Words        = words
	KnowsNothing = knowsNothing
)
