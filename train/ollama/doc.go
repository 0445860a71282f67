// Package ollama holds the Modelfile of the built-in model and proves with
// Ollama's own code that it says what the model was trained on: that the
// template writes the prompts of ../testdata/render.json, that Ollama finds
// the tags of thoughts and tool calls in it, and that Ollama's tokenizer gives
// our ids. It is a module of its own, since nothing of the product needs
// Ollama's code.
package ollama
