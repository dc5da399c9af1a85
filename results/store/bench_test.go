package store_test

import (
	"fmt"
	"math/big"
	"path/filepath"
	"testing"

	"leeway/core/coretest"
	"leeway/results/compose"
	"leeway/results/store"
)

func BenchmarkAddRecord(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "a.db"))
	p := problem(b, 12)
	for i := range b.N {
		r := record(b, p, big.NewRat(int64(1<<40-i), 1), nil, nil, uint64(i))
		if kept, err := s.AddRecord(r); err != nil || !kept {
			b.Fatal(kept, err)
		}
	}
}

func BenchmarkBest(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "a.db"))
	p := problem(b, 12)
	coretest.Must(s.AddRecord(record(b, p, big.NewRat(9, 1), nil, nil, 1)))
	for b.Loop() {
		if _, ok, err := s.Best(compose.KeyOf(p)); err != nil || !ok {
			b.Fatal(ok, err)
		}
	}
}

// BenchmarkOpen opens stores of some numbers of records.
func BenchmarkOpen(b *testing.B) {
	for _, count := range []int{0, 1000, 10000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "a.db")
			s := open(b, path)
			p := problem(b, 12)
			for i := range count {
				coretest.Must(s.AddRecord(record(b, p, big.NewRat(int64(1<<40-i), 1), nil, nil, uint64(i))))
			}
			s.Close()
			for b.Loop() {
				s := coretest.Must(store.Open(path))
				s.Close()
			}
		})
	}
}
