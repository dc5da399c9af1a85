package store_test

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"

	"leeway/objective/texts"
	"leeway/results/store"
)

// A store keeps the largest bound of a problem.
func ExampleStore_AddBound() {
	folder, err := os.MkdirTemp("", "leeway")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(filepath.Join(folder, "night.store"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	problem := texts.Key{Torus: "8x8", Routing: "udr:tie=both", Size: 16}
	for _, b := range []store.Bound{{Value: big.NewRat(4, 1), Reason: "margin"},
		{Value: big.NewRat(15, 4), Reason: "degree"}} {
		if err := s.AddBound(problem, b); err != nil {
			fmt.Println(err)
		}
	}
	b, known, err := s.Bound(problem)
	fmt.Println(b.Value.RatString(), b.Reason, known, err)
	// Output: 4 margin true <nil>
}
