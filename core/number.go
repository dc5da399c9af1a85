package core

// GCD returns the greatest common divisor of two numbers that are not negative, not both 0.
func GCD[T int | int64](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// LCM returns the least common multiple of two numbers above 0. It must fit.
func LCM[T int | int64](a, b T) T { return a / GCD(a, b) * b }
