package objective

import (
	"math/big"
	"math/bits"

	"leeway/core"
)

// Loads holds the exact load of every link of a torus as integers over one
// denominator.
type Loads struct {
	torus *core.Torus
	den   *big.Int
	small []int64    // numerators, when they are known to fit
	large []*big.Int // numerators otherwise
}

// NewLoads returns the loads of all links in units of 1/den: small, or where that is nil large. It keeps the slice.
func NewLoads(t *core.Torus, den *big.Int, small []int64, large []*big.Int) *Loads {
	return &Loads{torus: t, den: den, small: small, large: large}
}

// Torus returns the torus whose links are loaded.
func (l *Loads) Torus() *core.Torus { return l.torus }

// Load returns the load of one link.
func (l *Loads) Load(link core.Link) *big.Rat {
	return new(big.Rat).SetFrac(l.num(int(link)), l.den)
}

func (l *Loads) num(i int) *big.Int {
	if l.small != nil {
		return big.NewInt(l.small[i])
	}
	return l.large[i]
}

// Max returns E_max, the largest load, and how many links carry it; no link
// counts where E_max is 0.
func (l *Loads) Max() (*big.Rat, int) {
	if l.small != nil {
		most, count := int64(0), 0
		for _, v := range l.small {
			if v > most {
				most, count = v, 0
			}
			if v == most && v > 0 {
				count++
			}
		}
		return new(big.Rat).SetFrac(big.NewInt(most), l.den), count
	}
	most, count := new(big.Int), 0
	for _, v := range l.large {
		switch c := v.Cmp(most); {
		case c > 0:
			most, count = v, 1
		case c == 0 && v.Sign() > 0:
			count++
		}
	}
	return new(big.Rat).SetFrac(most, l.den), count
}

// sum adds up the numerators of all links.
func (l *Loads) sum() *big.Int {
	sum := new(big.Int)
	if l.small == nil {
		for _, v := range l.large {
			sum.Add(sum, v)
		}
		return sum
	}
	var high, low uint64 // loads are not negative, but their sum may pass a word
	for _, v := range l.small {
		var carry uint64
		low, carry = bits.Add64(low, uint64(v), 0)
		high += carry
	}
	sum.SetUint64(high)
	return sum.Lsh(sum, 64).Add(sum, new(big.Int).SetUint64(low))
}

// Mean returns the mean load over all links.
func (l *Loads) Mean() *big.Rat {
	mean := new(big.Rat).SetFrac(l.sum(), l.den)
	return mean.Quo(mean, new(big.Rat).SetInt64(int64(l.torus.Links())))
}

// Numerator returns the largest whole number of units of 1/den that is at most a value.
func Numerator(value *big.Rat, den *big.Int) *big.Int {
	u := new(big.Int).Mul(value.Num(), den)
	return u.Div(u, value.Denom()) // rounds down, below 0 too
}

// NumeratorBelow returns the largest whole number of units of 1/den that is below a value.
func NumeratorBelow(value *big.Rat, den *big.Int) *big.Int {
	u := new(big.Int).Mul(value.Num(), den)
	return u.Sub(u, big.NewInt(1)).Div(u, value.Denom())
}

// NumeratorUp returns the smallest whole number of units of 1/den that is at least a value.
func NumeratorUp(value *big.Rat, den *big.Int) *big.Int {
	u := NumeratorBelow(value, den)
	return u.Add(u, big.NewInt(1))
}

// RoundUp returns the least multiple of 1/den that is not below a value, MultipleBelow the largest that is below it.
func RoundUp(value *big.Rat, den *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(NumeratorUp(value, den), den)
}

// MultipleBelow is described with RoundUp.
func MultipleBelow(value *big.Rat, den *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(NumeratorBelow(value, den), den)
}

// Whole returns values, of which nil is 0, as whole numbers of units of 1/den, their least common denominator.
func Whole(values []*big.Rat) (units []*big.Int, den *big.Int) {
	den = big.NewInt(1)
	for _, v := range values {
		if v != nil {
			core.FoldLCM(den, v.Denom())
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
