package outside

import (
	"maps"
	"slices"
	"strings"
)

// Opened reports whether the module shows that all which makes some accesses does so while their object is being opened: on
// each way to them stands a function that is no method, has the object made before, and gives back what it has made itself,
// so that no one else can have it until the function returns; the way from there goes on in the same goroutine, and no
// function on it begins a thread first that comes to one of the others. makers are the functions that make such objects.
//
// A thread that gets all its work from channels is idle until something is sent there: those who do so mostly have the
// object, and that they do not before it is open is an assumption, but for what is on the way itself, and for the requests
// of a server that begins there. Complexity: linear in the runs that lead there, which are bounded.
func (v *View) Opened(fns, others, makers []Name) bool {
	if len(fns) == 0 || len(makers) == 0 {
		return false
	}
	o := v.opening(others, makers)
	fns = v.places(fns)
	for _, fn := range fns {
		if !strings.Contains(string(fn), placeSign) && o.begins.at[fn] {
			return false // nothing tells when
		}
	}
	return rise(fns, o.visit) && o.shown
}

// An opening goes up from accesses to where their object is made.
type opening struct {
	v     *View
	shown bool
	// makes are the functions that lead to what makes the object.
	makes reaching
	// begins are the beginnings of threads that come to it, but for the idle ones, and of requests that give those work.
	begins, requests beginnings
	// feeds are the functions that lead to a place where an idle thread gets work; sends are those channels.
	feeds reaching
	sends map[Name]bool
	// left tells of functions whether they leave behind work for such a thread.
	left map[Name]bool
}

func (v *View) opening(others, makers []Name) *opening {
	s := v.s.solver
	o := &opening{v: v, makes: s.leadsTo(makers), sends: make(map[Name]bool), left: make(map[Name]bool)}
	o.begins = s.beginningBut(v.places(others), true, func(thread Name) bool {
		fed := s.starts[thread].Fed
		for _, ch := range fed {
			o.sends[ch] = true
		}
		return len(fed) > 0
	})
	var senders, requests []Name
	for fn, sends := range s.sends {
		if slices.ContainsFunc(sends, func(r Run) bool { return o.sends[r.To] }) {
			senders = append(senders, fn)
		}
	}
	o.feeds = s.leadsTo(senders)
	for fn := range o.feeds {
		if s.served[fn] || s.starts[fn].Accepted {
			requests = append(requests, fn)
		}
	}
	o.requests = s.beginning(requests, true)
	return o
}

// visit follows the runs that lead to a function, up to where the object is made; it returns false where one does not.
func (o *opening) visit(at Name, next func(Name)) bool {
	s := o.v.s.solver
	if o.v.assume && s.rests(at) {
		return true // no thread of an application comes here
	}
	if s.begin(at) != "" || s.loosely(s.declared(at), o.v.assume) {
		return false
	}
	for _, r := range s.runs[at] {
		if o.v.assume && s.unused(r.From) || s.abstract(r.From) && len(s.runs[r.From]) == 0 {
			continue
		}
		if !IsValue(r.From) && o.begun(r) {
			return false
		}
		if o.made(r) {
			o.shown = true
		} else {
			next(r.From)
		}
	}
	return true
}

// made reports whether the caller of a run has made the object before, and no one else can have it.
func (o *opening) made(r Run) bool {
	s := o.v.s.solver
	if !s.opener(r.From, maxOpeners) || r.Looped {
		return false
	}
	if o.makes[r.From] {
		return true
	}
	return slices.ContainsFunc(s.runsIn()[r.From], func(m Run) bool {
		_, makes := o.makes[m.To]
		return makes && m != r && m.Order < r.Order && !m.Deferred
	})
}

// maxOpeners bounds the functions through which an object is given back.
const maxOpeners = 6

// opener reports whether a function gives back nothing but an object that it has made, by others of its kind or by itself. It
// returns at some time, whatever loops it has.
func (s *solver) opener(fn Name, steps int) bool {
	by, ok := s.openers[fn]
	return ok && steps > 0 && !slices.ContainsFunc(by, func(giver Name) bool { return !s.opener(giver, steps-1) })
}

// begun reports whether the caller of a run may have begun a thread before that comes to the object, or given work to one
// that waits for it.
func (o *opening) begun(r Run) bool {
	s := o.v.s.solver
	before := func(x Run) bool { return x != r && x.Order <= r.Order && !x.Deferred }
	begins := func(x Run) bool { return before(x) && (o.begins.at[x.To] || o.requests.at[x.To]) }
	begun := slices.ContainsFunc(s.runsIn()[r.From], begins) || slices.ContainsFunc(s.gives(r.From, o.begins), begins)
	return begun || r.Looped && o.begins.at[r.To] || o.fed(r.From, r.Order)
}

// fed reports whether a function may have given work to an idle thread before a moment, for which it has not waited since.
func (o *opening) fed(fn Name, until int) bool {
	s := o.v.s.solver
	waited := func(sent int) bool {
		return slices.ContainsFunc(s.waiting[fn], func(w Run) bool { return w.Order > sent && w.Order < until })
	}
	if slices.ContainsFunc(s.sends[fn], func(x Run) bool { return o.sends[x.To] && x.Order <= until && !waited(x.Order) }) {
		return true
	}
	return slices.ContainsFunc(s.runsIn()[fn], func(x Run) bool {
		return x.Order < until && !x.Deferred && !waited(x.Order) && o.leaves(x.To)
	})
}

// leaves reports whether a function may leave behind work for an idle thread.
func (o *opening) leaves(fn Name) bool {
	if _, feeds := o.feeds[fn]; !feeds || o.v.s.solver.begin(fn) != "" {
		return false
	}
	leaves, known := o.left[fn]
	if !known {
		o.left[fn] = true // by itself, again
		leaves = o.fed(fn, lastOrder)
		o.left[fn] = leaves
	}
	return leaves
}

// lastOrder is after all that a function does.
const lastOrder = 1 << 30

// joinFeeds gathers where functions send and wait, and which give back objects that they have made.
func (s *solver) joinFeeds() {
	s.sends, s.waiting, s.openers = make(map[Name][]Run), make(map[Name][]Run), make(map[Name][]Name)
	for _, r := range s.records {
		maps.Copy(s.openers, r.Openers)
		for _, x := range r.Sends {
			s.sends[x.From] = append(s.sends[x.From], x)
		}
		for _, x := range r.Waiting {
			s.waiting[x.From] = append(s.waiting[x.From], x)
		}
	}
}
