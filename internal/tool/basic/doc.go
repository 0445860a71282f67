// Package basic holds the tools that need nothing from outside: calculate,
// now and compare_answers.
//
//	tools := basic.New(model, &basic.Options{}).All()
//
// calculate works with exact fractions and switches to 64-bit floating point
// only for what has no exact value (roots, logarithms, angles); its result
// says which of the two it is. Days between two dates, also within a longer
// sum, and a date some days away are sums too. now tells date, time, weekday and zone.
// compare_answers asks the critic's model twice, with the answers in both
// orders, in the form that the hall's critic uses: two judgements that disagree
// are a tie, one that cannot be read makes it unknown.
//
// # Concurrency
//
// Everything is safe for concurrent use; there is no goroutine.
//
// # What it refuses
//
// Expressions over 4 KiB, nested deeper than 100 levels, or with numbers of
// more than about 20,000 digits; log without a base, which means two things;
// a product without its sign, as in 2(3+4); a comma that does not group
// thousands; what people read in two ways, as 7 % -3, 3!! and 2³². A judgement that is not in the
// form, also when it was asked for again, counts as none.
package basic
