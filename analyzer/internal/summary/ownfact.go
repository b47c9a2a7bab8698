package summary

import (
	"github.com/mapguard/mapguard/analyzer/internal/ownership"
)

// An OwnFact is what a call does to the ownership of what it gets. Inputs are
// those alone whose ownership ends or comes to rest on others.
type OwnFact struct {
	Inputs  []FateFact
	Results []FateFact
	Renews  []PathFact
}

// A FateFact is one input's or result's ownership.
type FateFact struct {
	Index       int
	Own         uint64 // as ownership.Value packs it
	At, Foreign ownership.Fields
}

func (c *Codec) own(f *Func) *OwnFact {
	if f.Own == nil {
		return nil
	}
	var out OwnFact
	for i, in := range f.Own.Inputs {
		if in.Own != ownership.OwnedIfInput(i) || !in.At.None() {
			out.Inputs = append(out.Inputs, fateFact(i, in))
		}
	}
	for i, r := range f.Own.Results {
		if r.Own != ownership.Shared {
			out.Results = append(out.Results, fateFact(i, r))
		}
	}
	out.Renews = c.paths(f.Own.Renews)
	if len(out.Inputs)+len(out.Results)+len(out.Renews) == 0 {
		return nil
	}
	return &out
}

func fateFact(i int, f ownership.Fate) FateFact {
	return FateFact{Index: i, Own: f.Own.Pack(), At: f.At, Foreign: f.Foreign}
}

func (f FateFact) fate() ownership.Fate {
	return ownership.Fate{Own: ownership.Unpack(f.Own), At: f.At, Foreign: f.Foreign}
}

// own resolves the fact of a function with as many inputs and results.
func (d *decoder) own(fact *OwnFact) *ownership.Func {
	if fact == nil {
		return nil
	}
	sig := d.fn.Signature()
	inputs := sig.Params().Len()
	if sig.Recv() != nil {
		inputs++
	}
	out := &ownership.Func{
		Key:    d.fn,
		Inputs: make([]ownership.Fate, inputs), Results: make([]ownership.Fate, sig.Results().Len()),
		Renews: d.paths(fact.Renews),
	}
	for i := range out.Inputs {
		out.Inputs[i].Own = ownership.OwnedIfInput(i)
	}
	for i := range out.Results {
		out.Results[i].Own = ownership.Shared
	}
	for _, in := range fact.Inputs {
		if in.Index < len(out.Inputs) {
			out.Inputs[in.Index] = in.fate()
		}
	}
	for _, r := range fact.Results {
		if r.Index < len(out.Results) {
			out.Results[r.Index] = r.fate()
		}
	}
	return out
}
