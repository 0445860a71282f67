package graph_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/graph/sqlite"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// childAssert moves a person from town to town until it is killed, merging
// and forgetting now and then, and says after each move what it was told.
func childAssert(path string) {
	ctx := context.Background()
	db, err := store.Open(ctx, path, &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
	if err != nil {
		die(err)
	}
	g := graph.New(sqlite.New(db), nil)
	for i := 0; ; i++ {
		town := moothall.NewID()
		f := moothall.GraphFact{Subject: "Ana", Relation: "lives in", Object: town, Source: moothall.MemoryID(town), Trust: moothall.TrustPerson}
		if _, err := g.Assert(ctx, moothall.Scope{}, f); err != nil {
			die(err)
		}
		fmt.Println("kept", town)
		f.Subject, f.Source = "Anita", "scratch"
		if _, err := g.Assert(ctx, moothall.Scope{}, f); err != nil {
			die(err)
		}
		switch i % 4 {
		case 1:
			err = g.Merge(ctx, moothall.GraphMerge{Keep: "Ana", Merge: "Anita"})
		case 2:
			err = unmergeAll(ctx, g)
		case 3:
			_, err = g.Forget(ctx, moothall.Scope{}, "scratch")
		}
		if err != nil {
			die(err)
		}
	}
}

func unmergeAll(ctx context.Context, g *graph.Service) error {
	list, err := g.Merges(ctx)
	for _, m := range list {
		if err == nil {
			err = g.Unmerge(ctx, moothall.Scope{}, m.ID)
		}
	}
	return err
}

func die(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(3)
}

// killRound lets a child run until it has said this many lines, kills it, and
// returns everything that it said.
func killRound(t *testing.T, path, work string, lines int) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+path, childWork+"="+work)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for in := bufio.NewScanner(out); in.Scan(); {
		town, ok := strings.CutPrefix(in.Text(), "kept ")
		if !ok {
			t.Fatalf("the child said %q", in.Text())
		}
		if said = append(said, town); len(said) == lines {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.Exited() {
		t.Fatalf("the child ended by itself: %v", err)
	}
	return said
}

func TestKill(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	rounds := 12
	if testing.Short() || moottest.Race {
		rounds = 3
	}
	var kept []string
	for i := range rounds {
		kept = append(kept, killRound(t, path, "assert", 1+rand.IntN(40))...)
		checkKilled(t, path, kept, i+1)
	}
	t.Logf("%d kills, %d statements acknowledged", rounds, len(kept))
}

// checkKilled: everything acknowledged is there once, of the rest at most one
// a round; Ana lives in one town; and what the graph shows is what follows
// from what was said, so no change was left half done.
func checkKilled(t *testing.T, path string, kept []string, rounds int) {
	t.Helper()
	if err := store.Check(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(context.Background(), path, &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	g := graph.New(sqlite.New(db), nil)
	text, _ := exported(t, g)
	derived := newGraph(t, nil)
	if _, err := derived.Import(t.Context(), strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if again, _ := exported(t, derived); again != text {
		t.Fatalf("there is\n%s\nand what was said gives\n%s", text, again)
	}
	if err := unmergeAll(t.Context(), g); err != nil {
		t.Fatal(err)
	}
	checkTowns(t, g, kept, rounds)
}

func checkTowns(t *testing.T, g *graph.Service, kept []string, rounds int) {
	t.Helper()
	facts, err := g.History(t.Context(), "Ana")
	if err != nil {
		t.Fatal(err)
	}
	seen, open := map[string]int{}, 0
	for _, f := range facts {
		seen[f.Object]++
		if f.To.IsZero() {
			open++
		}
	}
	for _, town := range kept {
		if seen[town] != 1 {
			t.Fatalf("acknowledged town %s is there %d times", town, seen[town])
		}
	}
	if open != 1 || len(facts) > len(kept)+rounds {
		t.Fatalf("%d open facts of %d, %d acknowledged in %d rounds", open, len(facts), len(kept), rounds)
	}
}
