package lockstates

// noneLocked needs the lock.
func (s *store) noneLocked() *item { return s.m["none"] }

func (s *store) deferredUnderLockOk(k string) {
	if k == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.report()
	s.m[k] = &item{}
}

func (s *store) report() { println(s.noneLocked()) }

// The literal runs before the unlocking that was deferred earlier.
func (s *store) deferredInLoopBranchOk(ks []string) {
	if len(ks) > 0 {
		s.mu.Lock()
		defer s.mu.Unlock()
		defer func() {
			if s.noneLocked() == nil {
				s.m["none"] = &item{}
			}
		}()
	}
	println(len(ks))
}

// The literal runs after the unlocking that was deferred later.
func (s *store) deferredOutsideBad(k string) {
	defer func() {
		if s.m[k] == nil { // want `check-then-act: .*s\.m`
			s.m[k] = &item{}
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m["x"] = &item{}
}

// A branch that was taken has its own order, whatever the blocks' numbers.
func (s *store) deferredInElseOk(k string) {
	if k == "" {
		println("empty")
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	if k != "" {
		defer func() { s.m[k] = &item{} }()
	}
}
