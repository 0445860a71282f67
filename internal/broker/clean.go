package broker

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"moothall/internal/broker/firewall"
)

// cleaner takes out of JSON what passes for the hall's own marks or a model's.
type cleaner struct {
	schema bool // the text of a pattern is matched, and must mean the same
	mended bool
}

// cleanSchema cleans the words in a schema of outside. It is written anew in any
// case: what a tool is known by was taken from that.
func cleanSchema(raw json.RawMessage) json.RawMessage {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return raw
	}
	clean, err := json.Marshal((&cleaner{schema: true}).clean(v))
	if err != nil {
		return raw
	}
	return clean
}

// cleanData cleans what programs get of a result: memories that are looked up
// for a model without tools come from there. Data with nothing to mend stays as
// it is, to the byte.
func cleanData(data json.RawMessage) json.RawMessage {
	if len(data) == 0 {
		return data
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	var c cleaner
	v = c.clean(v)
	if !c.mended {
		return data
	}
	out, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return out
}

func (c *cleaner) clean(v any) any {
	switch v := v.(type) {
	case string:
		return c.text(v)
	case []any:
		for i := range v {
			v[i] = c.clean(v[i])
		}
	case map[string]any:
		return c.object(v)
	}
	return v
}

func (c *cleaner) text(s string) string {
	clean, found := firewall.Clean(s)
	c.mended = c.mended || len(found) > 0
	return clean
}

func (c *cleaner) object(v map[string]any) map[string]any {
	out := make(map[string]any, len(v))
	for _, k := range slices.Sorted(maps.Keys(v)) {
		name := c.text(k)
		if _, had := v[name]; had && name != k {
			continue // of two names that look alike the plain one is meant
		}
		e := v[k]
		if _, text := e.(string); !c.schema || k != "pattern" || !text {
			e = c.clean(e)
		}
		out[name] = e
	}
	return out
}
