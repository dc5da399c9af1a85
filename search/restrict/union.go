package restrict

// A union holds disjoint classes of 0, 1, ..., n-1. The smallest member stands
// for its class.
type union []int32

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

// find returns the smallest member of the class of i.
func (u union) find(i int) int {
	for int(u[i]) != i {
		u[i] = u[u[i]]
		i = int(u[i])
	}
	return i
}

// join makes one class of those of i and j.
func (u union) join(i, j int) {
	a, b := u.find(i), u.find(j)
	u[max(a, b)] = int32(min(a, b))
}
