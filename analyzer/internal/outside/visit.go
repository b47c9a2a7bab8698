package outside

import "strings"

// A visit is a function on the way up, and the input of it that is the object on which the callee
// works, or has that as a part, the receiver being the first; lost if none is. It is whole if the
// object itself came all the way.
type visit struct {
	fn    Name
	at    int
	whole bool
}

// lost is the input of a visit that works on another object than its caller's.
const lost = -1

// caller returns where the caller has the object of a visit to the callee.
func (r *Run) caller(at visit) visit {
	if r.Through {
		return visit{r.From, at.at, at.whole}
	}
	if j, ok := r.Inputs.Of(at.at); ok {
		return visit{r.From, j, at.whole}
	}
	if at.at == 0 && r.Own {
		return visit{r.From, 0, false}
	}
	return visit{r.From, lost, false}
}

// of reports whether a visit's object can be one of a type: it is not if it came whole from a method of
// another one.
func (at *visit) of(typ string) bool {
	own := receiverOf(at.fn)
	return !at.whole || at.at != 0 || typ == "" || own == "" || own == typ
}

// receiverOf returns the receiver in the name of a method, "" if there is none.
func receiverOf(fn Name) string {
	recv, _, ok := strings.Cut(string(fn), ").")
	if !ok || !strings.HasPrefix(recv, "(") {
		return ""
	}
	return strings.TrimPrefix(recv[1:], "*")
}
