// Package ownership answers the second question of a witness: can another
// thread reach the object? It is a forward dataflow over the SSA of one
// function, after the ownership domain of RacerD (Blackshear, Gorogiannis,
// O'Hearn, Sergey: "RacerD: Compositional Static Race Detection", 2018).
//
// What is computed: for each access path at each point a [Value]. An
// allocation renews it, in a loop at each round. It ends where the object
// becomes known to others: stored in something that is not owned, sent, given
// to a goroutine, to a callee that keeps it, or to one that is unknown and
// that belongs to an object that others know. What is stored in an owned
// object is owned through it, and becomes known with it.
//
// Per object and location: paths of one object can have values of their own
// (a field that was set to something shared), and a goroutine that can reach
// some fields only publishes the object at these fields ([State.PublishAt]).
//
// A map that is read from its field and then replaced there is known to the
// reader alone: see [Custody].
//
// An object that is owned where a goroutine is started, and that the starter
// does not touch again, is handed over: that one goroutine owns it.
//
// Why it ends: the paths of one function are finitely many, each value's
// height is bounded by the number of parameters, and every transfer is
// monotone. Where a function has more than [maxKeys] paths, or more than
// [maxInputs] inputs, the state widens to [Shared] and says so.
package ownership
