package nn

import "sync/atomic"

// pageLen is how many positions a page holds.
const pageLen = 64

// page holds the keys and values of pageLen positions in all layers. Contexts
// that have a beginning in common share its pages: a shared page is never
// written again, who wants to write takes a copy.
type page struct {
	shared atomic.Bool
	data   []uint16
}

// pageSize returns how many numbers a page has.
func (c Config) pageSize() int { return c.Layers * 2 * c.kv() * pageLen }

// at returns where in a page the rows of a layer's key head begin; its values
// are as far on as all keys of the layer are long.
func (c Config) at(layer, head int) (keys, values int) {
	keys = (layer*2*c.KVHeads + head) * pageLen * c.HeadDim
	return keys, keys + c.kv()*pageLen
}

// copyOf returns a page of one's own.
func (p *page) copyOf() *page {
	return &page{data: append([]uint16(nil), p.data...)}
}
