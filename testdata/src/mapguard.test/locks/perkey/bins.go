package perkey

// A Bin has no lock of its own.
type Bin struct{ ready map[string]int }

func NewBin() *Bin { return &Bin{ready: make(map[string]int)} }

// Next takes one out.
func (b *Bin) Next() int {
	for id, n := range b.ready {
		delete(b.ready, id)
		return n
	}
	return 0
}

// Put puts one in.
func (b *Bin) Put(id string, n int) { b.ready[id] = n }
