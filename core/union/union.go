// Package union holds disjoint classes.
package union

// Classes are disjoint classes of 0, 1, ..., n-1, such as links that symmetries
// exchange. The smallest member stands for its class.
type Classes []int32

// New returns n classes of one member each.
func New(n int) Classes {
	u := make(Classes, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

// Find returns the smallest member of the class of i.
func (u Classes) Find(i int) int {
	for int(u[i]) != i {
		u[i] = u[u[i]]
		i = int(u[i])
	}
	return i
}

// Join makes one class of those of i and j.
func (u Classes) Join(i, j int) {
	a, b := u.Find(i), u.Find(j)
	u[max(a, b)] = int32(min(a, b))
}
