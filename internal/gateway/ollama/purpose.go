package ollama

import "strings"

// purposes are the words that embedding models were trained to see before a
// text, by the beginning of the model's name. The server does not add them.
// The longest beginning wins.
var purposes = []struct{ model, query, document string }{
	{"nomic-embed-text", "search_query: ", "search_document: "},
	{"nomic-embed-text-v2", "search_query: ", "search_document: "},
	{"mxbai-embed", "Represent this sentence for searching relevant passages: ", ""},
	{"snowflake-arctic-embed", "Represent this sentence for searching relevant passages: ", ""},
	{"snowflake-arctic-embed2", "query: ", ""},
	{"embeddinggemma", "task: search result | query: ", "title: none | text: "},
	{"qwen3-embedding", "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:", ""},
	{"bge-large", "Represent this sentence for searching relevant passages: ", ""},
	{"multilingual-e5", "query: ", "passage: "},
	{"e5-", "query: ", "passage: "},
}

// prefix returns what stands before a text of this purpose.
func prefix(model, purpose string) string {
	if i := strings.LastIndexByte(model, '/'); i >= 0 {
		model = model[i+1:]
	}
	best, out := 0, ""
	for _, p := range purposes {
		if len(p.model) <= best || !strings.HasPrefix(model, p.model) {
			continue
		}
		best = len(p.model)
		switch purpose {
		case "query":
			out = p.query
		case "document":
			out = p.document
		default:
			out = ""
		}
	}
	return out
}
