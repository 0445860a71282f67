// Package nn runs the built-in language model: a small decoder of the Qwen3
// layout with int8 weights, on the processor, in pure Go and assembly.
//
// First use:
//
//	m, err := nn.Open(file)
//	...
//	c := m.NewContext()
//	logits, err := c.Feed(ctx, prompt)
//	for next := choose(logits); next != end; next = choose(logits) {
//		logits, err = c.Feed(ctx, []int32{next})
//	}
//
// The network: RMSNorm, rotary positions by halves of a head, norms of queries
// and keys, grouped key heads, SwiGLU, and an output tied to the embedding.
//
// # The model file
//
// All numbers are little endian:
//
//	magic   "MOOTNN01"
//	length  uint32, of the header
//	header  JSON: {"config": {"dim", "layers", "heads", "kv_heads", "head_dim",
//	        "ffn", "vocab", "window", "rope_theta", "norm_eps"}, "tensors":
//	        [{"name", "shape", "type", "offset"}, …]}
//	data    from the next multiple of 64 bytes of the file on
//
// An offset counts from the beginning of the data and is a multiple of 64. A
// tensor of type "f32" is its numbers. One of type "q8" has a shape of two, and
// is all its weights as int8, row by row, then from the next multiple of 64 on
// its scales as float16, row by row, one for each 32 weights: a weight is its
// int8 times its scale. These are the numbers of llama.cpp's Q8_0. The tensors
// are, N counting from 0, with rows x columns:
//
//	emb.weight            vocab x dim           q8
//	blocks.N.n1.w         dim                   f32, norm before attention
//	blocks.N.n2.w         dim                   f32, norm before the FFN
//	blocks.N.qn.w, kn.w   head_dim              f32, norms of queries and keys
//	blocks.N.wq.weight    heads*head_dim x dim  q8
//	blocks.N.wk.weight    kv_heads*head_dim x dim, and wv.weight
//	blocks.N.wo.weight    dim x heads*head_dim  q8
//	blocks.N.w1.weight    ffn x dim             q8, the gate, and w3.weight
//	blocks.N.w2.weight    dim x ffn             q8
//	nf.w                  dim                   f32, the last norm
//
// # Precision
//
// Activations are made integers of 15 bits, a scale to each 64, before they
// meet weights; sums of a block of 32 are exact; keys and values are kept as
// float16; all else is float32. Against the same weights in float64 the error
// of the logits is below a thousandth, root mean square to root mean square.
// How tokens are divided among calls of Feed and workers changes no bit of the
// logits, so a sequence taken from a cache goes on exactly as it would have.
// AVX-512 and AVX2 give the same bits; plain Go adds in another order.
//
// # Kernels
//
// AVX-512 with VNNI, AVX2 with F16C and FMA, and plain Go, chosen by what the
// processor has when a model is opened. The build tag purego leaves plain Go
// alone, which is also what other architectures run.
//
// # Memory
//
// The weights stay in the file's bytes; scales, widened, add a ninth of them.
// A sequence keeps keys and values in pages of 64 tokens, which sequences with
// a common beginning share ([Context.Fork], [Cache]).
//
// # Concurrency
//
// A Model and a Cache are safe for concurrent use; a Context is one caller's
// at a time. Feed uses up to four processors: it divides many tokens among
// them, and in plain Go the rows of every matrix for a few. The goroutines that
// it starts end before it returns; while it runs they look for work for a few
// microseconds before they sleep.
//
// # What it refuses
//
// Files that are damaged, whose tensors do not have the shapes that the
// configuration asks for, or that hold more or other ones; dimensions that are
// no multiples of 64 (32 for a head); scales and norms that are no numbers;
// tokens outside the vocabulary, and more of them than the window holds.
package nn
