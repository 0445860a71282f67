package ollama

// Neutral and NeutralTool are for the fuzz target.
var (
	Neutral     = neutral
	NeutralTool = neutralTool
	Words       = words
)
