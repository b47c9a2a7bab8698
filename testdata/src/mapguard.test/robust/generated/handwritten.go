package generated

func (p *pool) handwrittenBad(k string) {
	if p.m[k] == nil { // want `check-then-act: .*p\.m`
		p.m[k] = new(int)
	}
}
