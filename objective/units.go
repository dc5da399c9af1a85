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

// Whole returns values, of which nil is 0, as whole numbers of units of 1/den, their least common denominator.
func Whole(values []*big.Rat) (units []*big.Int, den *big.Int) {
	den = big.NewInt(1)
	for _, v := range values {
		if v != nil {
			den = lcm(den, v.Denom())
		}
	}
	units = make([]*big.Int, len(values))
	for i, v := range values {
		units[i] = new(big.Int)
		if v != nil {
			units[i].Mul(v.Num(), new(big.Int).Div(den, v.Denom()))
		}
	}
	return units, den
}
