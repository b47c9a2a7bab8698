package records

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapguard/mapguard/analyzer/internal/outside"
)

// offers notes where a value becomes one of an interface: code outside the module can call its methods from then on, if it
// gets that value. One of an interface of the module may become one of another there, so that all of them count.
func (g *gatherer) offers(node outside.Name, made *ssa.MakeInterface, order int) {
	if !used(made) || printed(made) {
		return // what is printed is noted with its parts
	}
	iface, _ := g.own(made.Type())
	for _, m := range g.methodsOf(made.X.Type()) {
		if m.Exported() {
			g.offer(outside.Offer{From: node, To: g.name(m), Order: order, Iface: iface})
		}
	}
}

// offeredSometime notes that code outside can call a method of a value that it gets in a way of which nothing tells when.
func (g *gatherer) offeredSometime(m *types.Func) {
	g.offer(outside.Offer{From: outside.Sometime, To: g.name(m)})
}

// offer notes an offer; of those that one function makes of a method by one interface, the first alone.
func (g *gatherer) offer(o outside.Offer) {
	order := o.Order
	o.Order = 0
	at, known := g.offered[o]
	if !known {
		at = len(g.rec.Offers)
		g.offered[o] = at
		g.rec.Offers = append(g.rec.Offers, outside.Offer{From: o.From, To: o.To, Order: order, Iface: o.Iface})
	}
	g.rec.Offers[at].Order = min(g.rec.Offers[at].Order, order)
}
