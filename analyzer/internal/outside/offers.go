package outside

import (
	"maps"
	"slices"
)

// joinOffers tells of methods that code outside the module calls by an interface from when on it can: the places where their
// objects become values of an interface are those where the methods' values are taken. It does not of those that it may come
// to in another way, which nothing tells: by a file that was not analysed, through a type parameter, by reflection, or
// from another module.
func (s *solver) joinOffers() {
	offers, generic, boxes := make(map[Name][]Offer), make(map[Name]bool), false
	untold := make(map[Name]bool)
	for _, r := range s.records {
		boxes = boxes || r.Boxes
		for m := range r.TypeArgs {
			generic[m] = true
		}
		for _, o := range r.Offers {
			if o.Iface != "" && !s.becomes(o.Iface)[""] && !s.valued[s.decls[o.To].Short] {
				continue // the module alone calls it by that interface, and its runs tell when
			}
			offers[o.To] = append(offers[o.To], o)
			untold[o.To] = untold[o.To] || o.From == Sometime
		}
	}
	s.offered = make(map[Name]bool)
	for _, m := range slices.Sorted(maps.Keys(offers)) {
		places := offers[m]
		switch {
		case !s.open[m] || s.barely[m]:
			continue // nothing but the module calls it
		case untold[m], s.mentioned[m], s.api[m] && !s.application, generic[m] && boxes:
			continue
		}
		s.offered[m] = true
		for _, o := range places {
			run := Run{From: o.From, To: m, Order: o.Order}
			s.takers[m], s.taken[o.From] = append(s.takers[m], run), append(s.taken[o.From], run)
		}
	}
}
