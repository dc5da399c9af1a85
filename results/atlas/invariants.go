package atlas

import (
	"context"
	"strconv"

	"leeway/core"
	"leeway/core/symmetry"
	"leeway/core/symmetry/elements"
	"leeway/core/union"
	"leeway/objective/fast"
	"leeway/objective/texts"
)

// Invariants are numbers that a placement has in common with its images under the symmetries that preserve E_max.
type Invariants struct {
	Stabiliser int  `json:"stabiliser"` // symmetries that map the placement to itself; 0 where none are known
	Orbits     int  `json:"orbits"`     // classes of processors that these exchange; 0 with Stabiliser
	Lattice    bool `json:"lattice"`    // a coset of a group of translations
	Covering   int  `json:"covering"`   // greatest distance from a node to its nearest processor, in links
	Packing    int  `json:"packing"`    // least distance between two processors, 0 for one
}

// words returns the words by which a search finds cells with such a placement.
func (i *Invariants) words() []string {
	if i == nil {
		return nil
	}
	words := []string{"covering=" + strconv.Itoa(i.Covering), "lattice=no"}
	if i.Lattice {
		words[1] = "lattice=yes"
	}
	if i.Packing > 0 {
		words = append(words, "packing="+strconv.Itoa(i.Packing))
	}
	if i.Stabiliser > 0 {
		words = append(words, "stabiliser="+strconv.Itoa(i.Stabiliser), "orbits="+strconv.Itoa(i.Orbits))
	}
	return words
}

// A surveyor computes invariants. It keeps what cells of one network and routing have in common.
type surveyor struct {
	key   texts.Key // of which the rest is, of any size
	torus *core.Torus
	group *symmetry.Group // nil under a free routing
}

// invariants returns those of the placement of a cell, as its line has them if it does; nil without a placement. Cost:
// for the first cell of a network and routing that of fast.Group, for each that of symmetry.Group.StabiliserOf.
func (s *surveyor) invariants(c *Cell) *Invariants {
	if c.Invariants != nil || c.set == "" {
		return c.Invariants
	}
	if k := c.Key(); s.torus == nil || k.Torus != s.key.Torus || k.Routing != s.key.Routing {
		p, err := readSeries(k)
		if p.Routing == nil {
			return nil
		}
		*s = surveyor{key: k, torus: p.Torus()}
		if err == nil && p.Free == nil {
			if group, err := fast.Group(context.Background(), p); err == nil { // else the invariants are without it
				s.group = group
			}
		}
	}
	p, err := unpackNodes(s.torus, c.set)
	if err != nil || p.Size() == 0 {
		return nil
	}
	i := &Invariants{}
	i.Covering, _, i.Packing = p.Spacing()
	translations, _ := elements.Stabiliser(p, nil)
	alike := union.New(s.torus.N())
	for _, e := range translations {
		joinImages(alike, p, e.Images(s.torus))
	}
	i.Lattice = count(alike, p) == 1
	if s.group != nil {
		fixing := s.group.StabiliserOf(p.Set())
		i.Stabiliser, alike = fixing.Order(), union.New(s.torus.N())
		for at := range fixing.Points() {
			joinImages(alike, p, fixing.Images(at, 0))
		}
		for _, shift := range fixing.Shifts() {
			joinImages(alike, p, fixing.Images(0, shift))
		}
		i.Orbits = count(alike, p)
	}
	return i
}

// joinImages makes one class of each processor and its image.
func joinImages(u union.Classes, p core.Placement, images []int) {
	for _, v := range p.Nodes() {
		u.Join(v, images[v])
	}
}

// count returns the number of classes of processors.
func count(u union.Classes, p core.Placement) (n int) {
	for _, v := range p.Nodes() {
		if u.Find(v) == v {
			n++
		}
	}
	return n
}
