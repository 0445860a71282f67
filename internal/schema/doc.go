// Package schema checks JSON values against the part of JSON Schema that
// answers of models are asked to fit, and gives JSON one form.
//
// # First use
//
//	value, err := schema.Extract(reply)       // the JSON inside a model's words
//	problems := schema.Check(want, value)     // empty: it fits
//	value, problems = schema.Fit(want, value) // and integers are written as such
//
// It knows type, properties, required, additionalProperties, items,
// prefixItems, enum, const, the bounds of numbers, strings and lists,
// pattern, anyOf, oneOf, allOf and references within the same document.
// Other keywords are ignored, as the standard says for those one does not
// know. Schemas come from tools and people and values from models: neither
// can make it loop or panic.
//
// All functions are pure and safe for concurrent use.
package schema
