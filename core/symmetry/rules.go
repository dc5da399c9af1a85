package symmetry

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

// allows reports whether the point preserves the maximum load under routing r.
// Flips of sides of 2 change nothing and are never asked for.
func allows(r routing.Routing, g Point) bool {
	if table, ok := r.(*routing.Table); ok {
		return tableAllows(table, g)
	}
	t := r.Torus()
	even := evenFlips(t, g)
	tiesMatter := r.Tie() == routing.TiePlus && even != noEvenSides
	orders, isOrders := r.(*routing.Orders)
	legs, isLegs := r.(*routing.Legs)
	switch {
	case !t.Separable() && tiesMatter && even == someFlipped:
		return false
	case routing.Unordered(r): // minimal and avoid with ties plus: reversing all paths turns every tie around at once
		return isOrders || !tiesMatter || even != someFlipped
	case isOrders:
		return ordersAllow(orders.List(), g, tiesMatter, even)
	case isLegs:
		return legsAllow(legs, g, tiesMatter, even)
	}
	return found(r, g)
}

// found decides for a routing that no rule is about: by the loads of all pairs, so that what it allows is a group, and
// where these are too many the identity alone is allowed.
func found(r routing.Routing, g Point) bool {
	t := r.Torus()
	if !g.Permutes() && !g.Reflects() {
		return true
	}
	if len(t.Bases())*t.N() > maxVerified {
		return false
	}
	ok, _ := preserves(r, g, nil) // no watch, no error
	return ok
}

// ordersAllow decides for a set of dimension orders. A point that maps it to
// itself maps paths to paths; one that maps it to its reverse maps paths to
// reversed paths, which go round a tie the other way.
func ordersAllow(orders [][]int, g Point, tiesMatter bool, even evenState) bool {
	image := make([][]int, len(orders))
	reverse := make([][]int, len(orders))
	for i, o := range orders {
		for _, j := range o {
			image[i] = append(image[i], g.Perm[j])
		}
		reverse[i] = slices.Clone(o)
		slices.Reverse(reverse[i])
	}
	slices.SortFunc(image, slices.Compare)
	slices.SortFunc(reverse, slices.Compare)
	same := slices.EqualFunc(image, orders, slices.Equal)
	reversed := slices.EqualFunc(image, reverse, slices.Equal)
	switch {
	case !tiesMatter:
		return same || reversed
	case same && reversed:
		return true
	default:
		return same && even == noneFlipped || reversed && even == allFlipped
	}
}

// legsAllow decides for routings of two legs: of those that correct the dimensions in index order as for that order,
// since paths run backwards have the legs exchanged; of turn models by whether the first leg takes the images of the
// steps that it takes, or, backwards, the opposite of those that the second one takes.
func legsAllow(legs *routing.Legs, g Point, tiesMatter bool, even evenState) bool {
	t := legs.Torus()
	if _, turns := legs.Early(0, true); !turns {
		return ordersAllow([][]int{core.Range(t.D())}, g, tiesMatter, even)
	}
	same, reversed := true, true
	for _, port := range t.Ports() {
		up := port.Dir == core.Plus
		there, back := up, up
		if t.BothWays(port.Dim) {
			there, back = up != g.Flip[port.Dim], up == g.Flip[port.Dim]
		}
		early, _ := legs.Early(port.Dim, up)
		image, _ := legs.Early(g.Perm[port.Dim], there)
		backwards, _ := legs.Early(g.Perm[port.Dim], back)
		same, reversed = same && early == image, reversed && early != backwards
	}
	if !tiesMatter {
		return same || reversed
	}
	return same && even == noneFlipped || reversed && even == allFlipped
}

// evenState says which of the closed even sides above 2, those with ties, a point flips; on a twisted torus, whether it
// maps all vectors that ties plus takes to such vectors, as where none is flipped, or to such vectors run backwards.
type evenState int

const (
	noEvenSides evenState = iota
	noneFlipped
	someFlipped
	allFlipped
)

func evenFlips(t *core.Torus, g Point) evenState {
	if !t.Separable() {
		return g.keepsPlus(t)
	}
	even, flipped := 0, 0
	for j := range t.D() {
		if k := t.Side(j); k > 2 && k%2 == 0 && !t.Open(j) {
			even++
			if g.Flip[j] {
				flipped++
			}
		}
	}
	switch {
	case even == 0:
		return noEvenSides
	case flipped == 0:
		return noneFlipped
	case flipped == even:
		return allFlipped
	default:
		return someFlipped
	}
}

// keepsPlus is evenFlips for a twisted torus.
func (g Point) keepsPlus(t *core.Torus) evenState {
	if !t.HasTies() {
		return noEvenSides
	}
	same, backwards := true, true
	for q := 1; q < t.N() && (same || backwards); q++ {
		image, to := g.vector(t.Vectors(0, q, false)[0]), g.Node(t, q)
		same = same && slices.Equal(image, t.Vectors(0, to, false)[0])
		for j := range image {
			image[j] = -image[j]
		}
		backwards = backwards && slices.Equal(image, t.Vectors(to, 0, false)[0])
	}
	switch {
	case same && backwards:
		return noEvenSides
	case same:
		return noneFlipped
	case backwards:
		return allFlipped
	}
	return someFlipped
}

// tableAllows reports whether a point maps every path of a table by displacement
// to a path of the table, or every path to a reversed one. Either way the loads
// of a placement go to those of its image, link by link. All displacements are
// looked at, since no rule says what a table holds.
func tableAllows(r *routing.Table, g Point) bool {
	return !r.ByPair() && (tableMaps(r, g, false) || tableMaps(r, g, true))
}

func tableMaps(r *routing.Table, g Point, reversed bool) bool {
	t := r.Torus()
	for q := 1; q < t.N(); q++ {
		to := g.Node(t, q)
		if reversed {
			to = t.Displacement(to, 0)
		}
		image := imagePaths(t, r.Choices(0, q), g, reversed)
		if !slices.EqualFunc(image, r.Choices(0, to), func(a, b routing.TablePath) bool { return a.Compare(b) == 0 }) {
			return false
		}
	}
	return true
}

// imagePaths returns the images of some paths under g in canonical order, each run backwards if asked.
func imagePaths(t *core.Torus, paths []routing.TablePath, g Point, reversed bool) []routing.TablePath {
	images := make([]routing.TablePath, len(paths))
	for i, p := range paths {
		images[i] = g.Path(t, p, reversed)
	}
	slices.SortFunc(images, routing.TablePath.Compare)
	return images
}

// Path returns the image of a path, run backwards if asked.
func (g Point) Path(t *core.Torus, p routing.TablePath, reversed bool) routing.TablePath {
	image := p.Clone()
	for i, j := range p.Order {
		image.Order[i] = g.Perm[j]
		if t.BothWays(j) && g.Flip[j] != reversed {
			image.Steps[i] = -p.Steps[i]
		}
	}
	if reversed {
		return image.Reverse()
	}
	return image
}
