package inner

// Which step comes before which is a matter of control flow, not of lines: a
// delete in the other branch takes nothing out, and one in the same branch does.

func (b *broker) deletedInTheOtherBranchBad(k string, id int, ch chan string, drop bool) {
	b.mu.Lock()
	t := b.topics[k]
	b.mu.Unlock()
	if t == nil {
		return
	}
	if drop {
		b.mu.Lock()
		delete(b.topics, k)
		b.mu.Unlock()
	} else {
		t.mu.Lock()
		t.subs[id] = ch // want `split-lock:.*, low`
		t.mu.Unlock()
	}
}

func (b *broker) deletedInTheSameBranchOk(k string, id int, ch chan string, last bool) {
	b.mu.Lock()
	t := b.topics[k]
	if last {
		delete(b.topics, k)
		b.mu.Unlock()
		t.mu.Lock()
		t.subs[id] = ch
		t.mu.Unlock()
		return
	}
	b.mu.Unlock()
}

// The coupling in one branch does not help the other.
func (b *broker) coupledInTheOtherBranchBad(k string, id int, ch chan string, hurry bool) {
	b.mu.Lock()
	t := b.topics[k]
	if t == nil {
		b.mu.Unlock()
		return
	}
	if hurry {
		t.mu.Lock()
		b.mu.Unlock()
		t.mu.Unlock()
		return
	}
	b.mu.Unlock()
	t.mu.Lock()
	t.subs[id] = ch // want `split-lock:.*, low`
	t.mu.Unlock()
}
