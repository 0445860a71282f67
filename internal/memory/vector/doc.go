// Package vector finds the nearest of many vectors, exactly, in memory.
//
// First use:
//
//	x, err := vector.New(768, vector.Options{})
//	...
//	err = x.Put(id, embedding)
//	hits, err := x.Search(query, 20, nil)
//
// Nearness is the cosine. The index is never the only copy of anything: it is
// built from a store, or read from a segment file ([Index.Save], [Load]) that
// carries the fingerprint of the store's state and is refused when that does
// not match.
//
// # How a search works
//
// Beside its floats each row has codes: a signed byte for each number, one
// scale, and the length of what the bytes do not say (the residual). A search
// scans the codes of all rows, a quarter of the memory that the floats take,
// and gets for each row an estimate of its score and a margin. A row whose
// estimate plus margin is below the k-th highest estimate minus margin cannot
// be among the k best. The few that are left are scored by their floats, in
// the order of their upper bounds, until the next bound is below the k-th
// score.
//
// # Why the result is exact
//
// Let u be a row and v the query, both divided by their norms; let u' and v'
// be what their codes stand for, r = |u-u'| and s = |v-v'|. Then
//
//	v.u = v'.u' + v'.(u-u') + (v-v').u
//
// and by Cauchy and Schwarz the last two terms are at most |v'| r and s |u| =
// s in size. v'.u' is an integer, computed without rounding, times two
// scales; r, s and |v'| are rounded up when they are computed; the constant
// slack, 2^-23, is more than all that rounding does to the score itself: 2^-25
// for its last step to float32, and below 2^-37 for float64 sums over up to
// 16,384 products that are exact. So the score s' that a search reports obeys
//
//	estimate - margin <= s' <= estimate + margin,  margin = |v'| r + s + slack
//
// At any time during a scan, k rows that count have a lower bound of at least
// the floor, so k rows score at least the floor; a row with an upper bound
// below the floor scores less than all of them, and ties are never dropped.
// Rows that are dead, or that a filter does not keep, do not raise the floor.
//
// Scores are ranked as reported, in float32: below that precision the given
// vectors themselves are noise. Ties go by id. All kernels return the same
// bits, so that a result does not depend on the machine.
//
// # Kernels
//
// AVX-512 with VNNI, AVX2, and plain Go, chosen by what the processor has when
// an index is made. The build tag purego leaves plain Go alone, which is also
// what other architectures run. Rows are padded, to 8 floats and 64 bytes of
// codes, so that no kernel has a tail to handle.
//
// # Concurrency
//
// All methods are safe for concurrent use. [Index.Search], [Index.Save] and
// the counts read an immutable snapshot and wait for nobody; Search sees all
// writes that had returned when it began. Writers take turns for the copy of
// a row; vectors are encoded before that, so building from several goroutines
// is faster. [Index.SearchAmong] waits for the writer of the moment to look up
// its ids. Goroutines that a call starts end before it returns.
//
// # Memory
//
// A row of 768 dimensions takes 1.27 times its floats, the map from ids
// included. Replaced and deleted rows stay until a quarter of their block of
// 1,024 is dead; then its living rows move to the end, so that one write
// copies at most three quarters of a block, and an index is at most about a
// third larger than its rows.
//
// # What it refuses
//
// Vectors of another dimension or with a NaN or an infinity; less than one
// result; segment files that are damaged, of another version, dimension or
// fingerprint. A zero vector is no error: its cosine with all others is 0.
package vector
