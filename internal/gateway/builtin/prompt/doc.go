// Package prompt writes a conversation in the one form that the built-in
// network was trained on, and reads what it generates back into thoughts, text
// and tool calls.
//
// # First use
//
//	parts := prompt.Render(request)
//	ids := prompt.Encode(parts, tokenizer.Encode)
//	...
//	var p prompt.Parser
//	for each generated id {
//		piece, err := p.Add(id, tokenizer.Piece(id)) // thoughts, text, a call
//	}
//	rest := p.End()
//
// # The form
//
// A prompt is a list of [Part]s: special tokens and runs of text between them.
// Each run is encoded as one text. Specials come from here alone: whatever
// people and tools wrote is plain text, a written "<|im_end|>" included.
//
//	<|bos|><|im_start|>system
//	SYSTEM
//
//	# Tools
//	Read a text file. -> fs_read(path: string, limit?: integer)<|im_end|>
//	<|im_start|>user
//	CONTENT<|im_end|>
//	<|im_start|>assistant
//	TEXT
//	<tool_call>{"name": "fs_read", "arguments": {"path": "a.txt"}}</tool_call><|im_end|>
//	<|im_start|>tool
//	fs_read
//	CONTENT<|im_end|>
//	<|im_start|>assistant
//
// System messages stand at the top, joined by a blank line, and so do several
// messages of a person or of the model in a row: the model met no other order.
// Earlier thoughts are left out. With thinking off the prompt ends with an
// empty thought.
//
// JSON has ", " and ": " between its parts, text unescaped where JSON allows
// it, and keys in one order, see [Keys].
//
// The table that this package and the training program are both checked
// against is train/testdata/render.json.
//
// All functions are pure. A [Parser] is for one goroutine.
package prompt
