package graph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"moothall"
)

const (
	maxNames   = 64  // names that one question may give
	maxText    = 256 // words of free text that are looked at
	maxGram    = 6   // words of a name found in free text
	maxMatches = 8   // entities that one part of a name may mean
)

// seeds are the entities that a question starts from, in its order.
func seeds(ctx context.Context, v View, q moothall.GraphQuery) ([]EntityID, error) {
	var out []EntityID
	add := func(ids []EntityID, err error) error {
		for _, id := range ids {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
		return err
	}
	for _, name := range q.People[:min(len(q.People), maxNames)] {
		if err := add(named(ctx, v, name, Person)); err != nil {
			return nil, err
		}
	}
	for _, name := range q.Locations[:min(len(q.Locations), maxNames)] {
		if err := add(named(ctx, v, name, Place)); err != nil {
			return nil, err
		}
	}
	if q.Text == "" {
		return out, nil
	}
	err := add(mentioned(ctx, v, q.Text))
	return out, err
}

// named finds who a name means: whose it is, or those of the kind (or of none
// yet) with a name that has all its words.
func named(ctx context.Context, v View, name string, kind Kind) ([]EntityID, error) {
	if len(name) > MaxName {
		return nil, nil // nobody has such a name
	}
	key := Key(name)
	if key == "" {
		return nil, nil
	}
	ids, err := v.Named(ctx, []string{key})
	if err != nil {
		return nil, err
	}
	if id, ok := ids[key]; ok {
		return []EntityID{id}, nil
	}
	found, err := allWords(ctx, v, strings.Fields(key))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	who, err := v.Entities(ctx, found)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(id EntityID) bool { return who[id].Kind != kind && who[id].Kind != Thing })
	return found[:min(len(found), maxMatches)], nil
}

// allWords returns entities with a name that has every word. A word that very
// many have says too little and is passed over.
func allWords(ctx context.Context, v View, words []string) ([]EntityID, error) {
	const many = 1000
	var out []EntityID
	narrowed := false
	for _, word := range words[:min(len(words), maxGram)] {
		got, err := v.Worded(ctx, word, many)
		if err != nil {
			return nil, err
		}
		if len(got) == many {
			continue
		}
		if narrowed {
			got = slices.DeleteFunc(got, func(id EntityID) bool { return !slices.Contains(out, id) })
		}
		out, narrowed = got, true
	}
	return out, nil
}

// mentioned finds the names that stand in a text, and for its other words the
// few entities that have one of them as at least half of a name.
func mentioned(ctx context.Context, v View, text string) ([]EntityID, error) {
	words := Words(text[:min(len(text), maxText*16)])
	words = words[:min(len(words), maxText)]
	var grams []string
	for i := range words {
		for n := 1; n <= maxGram && i+n <= len(words); n++ {
			grams = append(grams, strings.Join(words[i:i+n], " "))
		}
	}
	ids, err := v.Named(ctx, grams)
	if err != nil {
		return nil, err
	}
	var out []EntityID
	var rest []string
	for i := 0; i < len(words); {
		n := longest(words[i:], ids)
		if n == 0 {
			rest = append(rest, words[i])
			i++
			continue
		}
		out = append(out, ids[strings.Join(words[i:i+n], " ")])
		i += n
	}
	more, err := halfNamed(ctx, v, rest)
	return append(out, more...), err
}

// longest is how many words from here make a known name.
func longest(words []string, ids map[string]EntityID) int {
	for n := min(maxGram, len(words)); n > 0; n-- {
		if _, ok := ids[strings.Join(words[:n], " ")]; ok {
			return n
		}
	}
	return 0
}

// halfNamed finds entities of which a text has at least half the name, those
// with most of it first. Words that many names have are passed over.
func halfNamed(ctx context.Context, v View, words []string) ([]EntityID, error) {
	hits := map[EntityID]int{}
	words = slices.Compact(slices.Sorted(slices.Values(words)))
	for _, word := range words {
		if len(word) < 3 {
			continue
		}
		got, err := v.Worded(ctx, word, maxMatches+1)
		if err != nil {
			return nil, err
		}
		if len(got) > maxMatches {
			continue
		}
		for _, id := range got {
			hits[id]++
		}
	}
	var ids []EntityID
	for id := range hits {
		ids = append(ids, id)
	}
	who, err := v.Entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id EntityID) bool { return 2*hits[id] < len(Words(who[id].Name)) })
	slices.SortFunc(ids, func(a, b EntityID) int { return cmp.Or(cmp.Compare(hits[b], hits[a]), cmp.Compare(a, b)) })
	return ids[:min(len(ids), maxMatches)], nil
}
