package symmetry

import (
	"slices"

	"leeway/core"
	"leeway/core/routing"
)

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
	image := routing.TablePath{Order: make([]int, len(p.Order)), Dirs: slices.Clone(p.Dirs)}
	for i, j := range p.Order {
		image.Order[i] = g.Perm[j]
		if t.Side(j) > 2 && g.Flip[j] != reversed {
			image.Dirs[i] = -p.Dirs[i]
		}
	}
	if reversed {
		slices.Reverse(image.Order)
		slices.Reverse(image.Dirs)
	}
	return image
}
