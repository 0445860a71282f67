package wire

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Closed returns the schema with every object closed to further properties
// where it does not say, as services that enforce schemas demand. What fits
// the result fits the schema. The order of properties stays, since models
// answer in it. A schema that cannot be read is returned as it is.
func Closed(schema json.RawMessage) json.RawMessage {
	return walk(schema, func(o *object) {
		if o.get("properties") != nil && o.get("additionalProperties") == nil {
			*o = append(*o, member{"additionalProperties", json.RawMessage("false")})
		}
	}, maxSchemaDepth)
}

// Strict reports whether a schema is of the kind that OpenAI enforces: each
// object is closed and requires all of its properties.
func Strict(schema json.RawMessage) bool {
	strict := json.Valid(schema)
	walk(schema, func(o *object) {
		var required []string
		properties, isObject := parse(o.get("properties"))
		if !isObject && string(o.get("type")) != `"object"` {
			return
		}
		if o.get("required") != nil && json.Unmarshal(o.get("required"), &required) != nil {
			strict = false
		}
		closed := string(o.get("additionalProperties")) == "false"
		strict = strict && closed && len(required) == len(properties)
	}, maxSchemaDepth)
	return strict
}

// maxSchemaDepth ends the walk of a schema that is nested beyond reason.
const maxSchemaDepth = 64

// object is a JSON object that keeps its order.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

func (o object) get(key string) json.RawMessage {
	i := slices.IndexFunc(o, func(m member) bool { return m.key == key })
	if i < 0 {
		return nil
	}
	return o[i].value
}

// parse reads one level of an object.
func parse(raw json.RawMessage) (object, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	var out object
	for d.More() {
		key, err := d.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || d.Decode(&value) != nil {
			return nil, false
		}
		out = append(out, member{name, value})
	}
	return out, true
}

func (o object) encode() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			key = []byte(`""`) // a string always has a JSON form
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// walk visits a schema and those inside it, and returns it as changed.
func walk(schema json.RawMessage, visit func(*object), depth int) json.RawMessage {
	o, ok := parse(schema)
	if !ok || depth == 0 || !json.Valid(schema) {
		return schema
	}
	for i, m := range o {
		switch m.key {
		case "properties", "$defs", "definitions":
			if inner, ok := parse(m.value); ok {
				for j := range inner {
					inner[j].value = walk(inner[j].value, visit, depth-1)
				}
				o[i].value = inner.encode()
			}
		case "anyOf", "allOf", "oneOf", "prefixItems":
			o[i].value = walkList(m.value, visit, depth-1)
		case "items":
			o[i].value = walk(m.value, visit, depth-1)
		}
	}
	visit(&o)
	return o.encode()
}

func walkList(list json.RawMessage, visit func(*object), depth int) json.RawMessage {
	var inner []json.RawMessage
	if json.Unmarshal(list, &inner) != nil {
		return list
	}
	for i, s := range inner {
		inner[i] = walk(s, visit, depth)
	}
	b, err := json.Marshal(inner)
	if err != nil {
		return list
	}
	return b
}
