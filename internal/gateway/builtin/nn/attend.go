package nn

import "math"

// never is the score of a position that does not count.
const never = -math.MaxFloat32

// lanes is what the number of scores is rounded up to for the kernels; a page
// has room for that.
const lanes = 16

// attend replaces the queries of the heads that share keys by what they gather
// from the values, one after the other: the keys are at hand then.
func (d *scratch) attend(worker *scratch, l, shared int) {
	c := d.model.config
	if need := d.first + len(d.ids); len(worker.scores) < need {
		worker.scores = make([]float32, (need+pageLen-1)/pageLen*pageLen)
	}
	each := c.Heads / c.KVHeads
	for i := range d.ids {
		q := row(d.q, i, c.wide())
		for head := shared * each; head < (shared+1)*each; head++ {
			worker.gather(l, shared, d.first+i+1, row(q, head, c.HeadDim))
		}
	}
}

// gather replaces one query by the mean of the values of the first n
// positions, weighted by how well their keys fit.
func (d *scratch) gather(l, head, n int, q []float32) {
	c, k := d.model.config, &d.model.kernel
	keys, values := c.at(l, head)
	scores := d.scores[:(n+lanes-1)/lanes*lanes]
	for p := 0; p < n; p += pageLen {
		part := scores[p:min(p+pageLen, len(scores))]
		k.dots(q, d.context.pages[p/pageLen].data[keys:][:len(part)*c.HeadDim], part)
	}
	for i := n; i < len(scores); i++ {
		scores[i] = never
	}
	sum := k.softmax(scores)
	clear(q)
	for p := 0; p < n; p += pageLen {
		part := scores[p:min(p+pageLen, n)]
		k.mix(part, d.context.pages[p/pageLen].data[values:][:len(part)*c.HeadDim], q)
	}
	for j := range q {
		q[j] /= sum
	}
}
