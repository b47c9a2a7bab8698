package paths

// current returns the one registry there is.
func current() *registry { return holder }

// pick returns one of two.
func pick(first bool, a, b *registry) *registry {
	if first {
		return a
	}
	return b
}

func callResultBad(k string) {
	r := current()
	if r.direct[k] == nil { // want `check-then-act: .*direct`
		r.direct[k] = &conn{}
	}
}

func callResultOk(k string) {
	r := current()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.direct[k] == nil {
		r.direct[k] = &conn{}
	}
}

func callTwiceOk(k string) {
	current().mu.Lock()
	defer current().mu.Unlock()
	if current().direct[k] == nil {
		current().direct[k] = &conn{}
	}
}

func chosenBad(a, b *registry, first bool, k string) {
	r := pick(first, a, b)
	if r.direct[k] == nil { // want `check-then-act: .*direct.*, low`
		r.direct[k] = &conn{}
	}
}

func chosenOk(a, b *registry, first bool, k string) {
	r := pick(first, a, b)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.direct[k] == nil {
		r.direct[k] = &conn{}
	}
}

// Both variables are the same registry, whichever it is.
func phiOk(a, b *registry, first bool, k string) {
	r := a
	if !first {
		r = b
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.direct[k] == nil {
		r.direct[k] = &conn{}
	}
}

func phiBad(a, b *registry, first bool, k string) {
	r := a
	if !first {
		r = b
	}
	if r.direct[k] == nil { // want `check-then-act: .*direct`
		r.direct[k] = &conn{}
	}
}

func freeVariableBad(r *registry) func(string) {
	return func(k string) {
		if r.direct[k] == nil { // want `check-then-act: .*r\.direct`
			r.direct[k] = &conn{}
		}
	}
}

func freeVariableOk(r *registry) func(string) {
	return func(k string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.direct[k] == nil {
			r.direct[k] = &conn{}
		}
	}
}

func variadicBad(k string, rs ...*registry) {
	for _, r := range rs {
		if r.direct[k] == nil { // want `check-then-act: .*direct`
			r.direct[k] = &conn{}
		}
	}
}

func fromChannelBad(ch <-chan *registry, k string) {
	r := <-ch
	if r.direct[k] == nil { // want `check-then-act: .*direct`
		r.direct[k] = &conn{}
	}
}

func fromChannelOk(ch <-chan *registry, k string) {
	r := <-ch
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.direct[k] == nil {
		r.direct[k] = &conn{}
	}
}

func assertedTypeBad(v any, k string) {
	r, ok := v.(*registry)
	if !ok {
		return
	}
	if r.direct[k] == nil { // want `check-then-act: .*direct`
		r.direct[k] = &conn{}
	}
}

func switchedTypeOk(v any, k string) {
	switch r := v.(type) {
	case *registry:
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.direct[k] == nil {
			r.direct[k] = &conn{}
		}
	case *withTable:
		r.mu.Lock()
		r.t.put(k)
		r.mu.Unlock()
	}
}

// The receiver is reassigned: two registries, and a lock of the first.
func (r *registry) reassignedBad(next *registry, k string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r = next
	if r.direct[k] == nil { // want `check-then-act: .*direct`
		r.direct[k] = &conn{}
	}
}

// The map is replaced, whatever it held.
func (r *registry) reassignedAliasOk(k string) {
	r.mu.Lock()
	m := r.direct
	r.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	old := m[k]
	m = make(map[string]*conn)
	if old == nil {
		m[k] = &conn{}
	}
	r.direct = m
}
