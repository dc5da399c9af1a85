package objective

import "math/big"

// Units returns the largest whole number of units of 1/den that is at most a value.
func Units(value *big.Rat, den *big.Int) *big.Int {
	u := new(big.Int).Mul(value.Num(), den)
	return u.Div(u, value.Denom()) // rounds down, below 0 too
}

// UnitsBelow returns the largest whole number of units of 1/den that is below a value.
func UnitsBelow(value *big.Rat, den *big.Int) *big.Int {
	u := new(big.Int).Mul(value.Num(), den)
	return u.Sub(u, big.NewInt(1)).Div(u, value.Denom())
}

// UnitsUp returns the smallest whole number of units of 1/den that is at least a value.
func UnitsUp(value *big.Rat, den *big.Int) *big.Int {
	u := UnitsBelow(value, den)
	return u.Add(u, big.NewInt(1))
}
