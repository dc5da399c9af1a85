package core

import "math/big"

// GCD returns the greatest common divisor of two numbers that are not negative, not both 0.
func GCD[T int | int64](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// LCM returns the least common multiple of two numbers above 0. It must fit.
func LCM[T int | int64](a, b T) T { return a / GCD(a, b) * b }

// FoldLCM makes a the least common multiple of a and b, both above 0.
func FoldLCM(a, b *big.Int) {
	g := new(big.Int).GCD(nil, nil, a, b)
	a.Mul(a, g.Div(b, g))
}

// Mod returns a modulo m in 0..m-1, also for negative a.
func Mod(a, m int) int { return (a%m + m) % m }

// Range returns 0, 1, ..., n-1.
func Range(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
