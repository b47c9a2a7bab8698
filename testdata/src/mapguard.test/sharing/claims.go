package sharing

// A Claimed is safe for concurrent use by multiple goroutines.
type Claimed struct{ m map[string]*conn }

// PutBad adds a connection.
func (c *Claimed) PutBad(k string) {
	if c.m[k] == nil { // want `check-then-act: .*c\.m.*safe for concurrent use`
		c.m[k] = &conn{}
	}
}

// A Denied is not safe for concurrent use.
type Denied struct{ m map[string]*conn }

// PutOk adds a connection.
func (d *Denied) PutOk(k string) {
	if d.m[k] == nil {
		d.m[k] = &conn{}
	}
}

// A Partly says it at one function.
type Partly struct{ m map[string]*conn }

// EnsureBad is safe to be called by several goroutines.
func (p *Partly) EnsureBad(k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = &conn{}
	}
}

// CalledBad may be called concurrently from several goroutines.
func (p *Partly2) CalledBad(k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m.*high`
		p.m[k] = &conn{}
	}
}

// A Partly2 is like Partly.
type Partly2 struct{ m map[string]*conn }

var cached = map[string]*conn{}

// LookupBad changes a package-level map.
func LookupBad(k string) *conn {
	c := cached[k] // want `check-then-act: .*cached.*medium`
	if c == nil {
		c = &conn{}
		cached[k] = c
	}
	return c
}

var fixed = map[string]*conn{"a": {}}

// FixedOk only reads after initialisation.
func FixedOk(k string) *conn { return fixed[k] }

// A Memo returns what it looked up or has just inserted: a shared cache in
// disguise.
type Memo struct{ m map[string]*conn }

// GetBad reads like a query.
func (m *Memo) GetBad(k string) *conn {
	if c, ok := m.m[k]; ok { // want `check-then-act: .*m\.m.*medium`
		return c
	}
	c := &conn{}
	m.m[k] = c
	return c
}

// A Tally is one, too, but the package has one of its own in each call.
type Tally struct{ m map[string]*conn }

// GetOk reads like a query.
func (t *Tally) GetOk(k string) *conn {
	if c, ok := t.m[k]; ok {
		return c
	}
	c := &conn{}
	t.m[k] = c
	return c
}

// Count has a new one.
func Count(keys []string) (n int) {
	t := &Tally{m: make(map[string]*conn)}
	for _, k := range keys {
		if t.GetOk(k) != nil {
			n++
		}
	}
	return n
}

// A memo is not exported: low.
type memo struct{ m map[string]*conn }

func (m *memo) GetOk(k string) *conn {
	if c, ok := m.m[k]; ok {
		return c
	}
	c := &conn{}
	m.m[k] = c
	return c
}

// A Builder's method does not read like a query: low.
type Builder struct{ m map[string]*conn }

// AddOk adds.
func (b *Builder) AddOk(k string) *conn {
	if c, ok := b.m[k]; ok {
		return c
	}
	c := &conn{}
	b.m[k] = c
	return c
}

// A Wanted has a method that is to be safe, and is not yet.
type Wanted struct{ m map[string]*conn }

// MakeBad gives a connection.
//
// TODO: Make access to w.m concurrency-safe.
func (w *Wanted) MakeBad(k string) *conn {
	if c, ok := w.m[k]; ok { // want `check-then-act: .*w\.m is read here, then written`
		return c
	}
	w.m[k] = &conn{}
	return w.m[k]
}
