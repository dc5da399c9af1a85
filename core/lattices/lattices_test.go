package lattices_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"leeway/core"
	"leeway/core/coretest"
	"leeway/core/lattices"
)

// TestList counts by the definition: subgroups of (Z/n)^d of index n, found by closing sets of vectors under sums, up
// to permutations and reflections of coordinates. Every lattice of index n holds n times every vector.
func TestList(t *testing.T) {
	for _, c := range []struct{ n, d int }{{2, 1}, {7, 1}, {2, 2}, {4, 2}, {5, 2}, {6, 2}, {8, 2}, {9, 2}, {12, 2}, {2, 3},
		{3, 3}, {4, 3}} {
		want := map[string]bool{}
		for _, l := range subgroups(c.n, c.d) {
			loops := false
			for j := range c.d {
				v := make([]int, c.d)
				v[j] = 1
				loops = loops || l[number(v, c.n)]
			}
			if !loops {
				want[leastImage(l, c.n, c.d)] = true
			}
		}
		list := coretest.Must(lattices.List(c.n, c.d))
		if len(list) != len(want) {
			t.Errorf("%d nodes, %d dimensions: %d lattices, want %d", c.n, c.d, len(list), len(want))
		}
		for _, torus := range list {
			l := make([]bool, power(c.n, c.d))
			for x := range l {
				v := vector(x, c.n, c.d)
				l[x] = torus.NodeAt(v) == 0
			}
			if key := leastImage(l, c.n, c.d); !want[key] {
				t.Errorf("%d nodes, %d dimensions: %s is repeated or is none", c.n, c.d, torus)
			} else {
				delete(want, key)
			}
			if again, err := core.ParseNetwork(torus.String()); err != nil || !again.Equal(torus) || torus.N() != c.n {
				t.Errorf("%s: %v", torus, err)
			}
		}
	}
}

func power(n, d int) int {
	p := 1
	for range d {
		p *= n
	}
	return p
}

func number(v []int, n int) (x int) {
	for _, c := range v {
		x = x*n + core.Mod(c, n)
	}
	return x
}

func vector(x, n, d int) []int {
	v := make([]int, d)
	for j := d - 1; j >= 0; j-- {
		v[j], x = x%n, x/n
	}
	return v
}

// subgroups lists the subgroups of (Z/n)^d with n^(d-1) elements, each as the set of its vectors.
func subgroups(n, d int) (list [][]bool) {
	size := power(n, d)
	start := make([]bool, size)
	start[0] = true
	seen := map[string]bool{fmt.Sprint(start): true}
	for todo := [][]bool{start}; len(todo) > 0; {
		l := todo[0]
		todo = todo[1:]
		count := 0
		for _, in := range l {
			if in {
				count++
			}
		}
		if count*n == size {
			list = append(list, l)
		}
		for x := range size {
			if l[x] || count*n >= size {
				continue
			}
			larger := slices.Clone(l)
			for y, in := range l { // all sums with multiples of x
				for times := 1; in && times < n; times++ {
					v, w := vector(x, n, d), vector(y, n, d)
					for j := range v {
						v[j] = times*v[j] + w[j]
					}
					larger[number(v, n)] = true
				}
			}
			if key := fmt.Sprint(larger); !seen[key] {
				seen[key] = true
				todo = append(todo, larger)
			}
		}
	}
	return list
}

// leastImage names a set of vectors up to permutations and reflections of coordinates.
func leastImage(l []bool, n, d int) (least string) {
	perms := [][]int{nil}
	for range d {
		var longer [][]int
		for _, p := range perms {
			for to := range d {
				if !slices.Contains(p, to) {
					longer = append(longer, append(slices.Clone(p), to))
				}
			}
		}
		perms = longer
	}
	for _, perm := range perms {
		for flips := range 1 << d {
			image := make([]byte, len(l))
			for x, in := range l {
				v, w := vector(x, n, d), make([]int, d)
				for j, c := range v {
					if flips>>j&1 == 1 {
						c = -c
					}
					w[perm[j]] = c
				}
				image[number(w, n)] = '0'
				if in {
					image[number(w, n)] = '1'
				}
			}
			if text := string(image); least == "" || text < least {
				least = text
			}
		}
	}
	return least
}

func TestForms(t *testing.T) {
	list := coretest.Must(lattices.List(32, 2))
	var names []string
	for _, torus := range list {
		names = append(names, torus.String())
	}
	if names[0] != "4x8" || names[1] != "2x16" || !slices.Contains(names, "4x8:twist=4") {
		t.Errorf("of 32 nodes: %s", strings.Join(names, " "))
	}
	for _, c := range [][2]int{{1, 2}, {1 << 20, 2}, {8, 0}, {8, 9}, {32768, 5}} {
		var input *core.InputError
		if _, err := lattices.List(c[0], c[1]); !errors.As(err, &input) {
			t.Errorf("%v: %v", c, err)
		}
	}
}
