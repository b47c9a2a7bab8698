package threads

import "sync"

// A goroutine waits for those that it has started before it says that all is there.
type vouched struct {
	up    chan struct{}
	names map[string]int
	ids   map[int]string
}

func newVouchedOk(keys []string) *vouched {
	v := &vouched{up: make(chan struct{}), names: map[string]int{}, ids: map[int]string{}}
	go func() {
		if len(keys) == 0 {
			close(v.up)
			return
		}
		var wg sync.WaitGroup
		wg.Add(2)
		go func() {
			defer wg.Done()
			for i, k := range keys {
				v.names[k] = i
			}
		}()
		go func() {
			defer wg.Done()
			for i, k := range keys {
				v.ids[i] = k
			}
		}()
		wg.Wait()
		close(v.up)
	}()
	return v
}

func (v *vouched) IdOk(k string) int {
	<-v.up
	return v.names[k]
}

func (v *vouched) NameOk(id int) string {
	select {
	case <-v.up:
		return v.ids[id]
	default:
		return ""
	}
}

// It learns by a channel that the other one has ended.
type vouchedBy struct {
	up    chan struct{}
	names map[string]int
}

func newVouchedByOk(keys []string) *vouchedBy {
	v := &vouchedBy{up: make(chan struct{}), names: map[string]int{}}
	go func() {
		defer close(v.up)
		part := make(chan struct{})
		go func() {
			defer close(part)
			for i, k := range keys {
				v.names[k] = i
			}
		}()
		<-part
	}()
	return v
}

func (v *vouchedBy) IdOk(k string) int {
	<-v.up
	return v.names[k]
}

// The function itself waits for the outer one.
func vouchedHereOk(keys []string) int {
	m := map[string]int{}
	done := make(chan struct{}, 1)
	go func() {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, k := range keys {
				m[k]++
			}
		}()
		wg.Wait()
		done <- struct{}{}
	}()
	<-done
	return len(m)
}

// What is deferred last runs first.
func vouchedLastOk(keys []string) int {
	m := map[string]int{}
	done := make(chan struct{})
	go func() {
		var wg sync.WaitGroup
		defer close(done)
		defer wg.Wait()
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, k := range keys {
				m[k]++
			}
		}()
	}()
	<-done
	return len(m)
}

func vouchedFirstBad(keys []string) int {
	m := map[string]int{}
	done := make(chan struct{})
	go func() {
		var wg sync.WaitGroup
		defer wg.Wait()
		defer close(done)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, k := range keys {
				m[k]++ // want `goroutine-race: m is written in a goroutine`
			}
		}()
	}()
	<-done
	return len(m)
}

func vouchedSoonBad(keys []string) int {
	m := map[string]int{}
	done := make(chan struct{}, 1)
	go func() {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, k := range keys {
				m[k]++ // want `goroutine-race: m is written in a goroutine`
			}
		}()
		done <- struct{}{}
		wg.Wait()
	}()
	<-done
	return len(m)
}

// It says so before it starts the other one.
type unvouched struct {
	up    chan struct{}
	names map[string]int
}

func newUnvouchedBad(keys []string) *unvouched {
	v := &unvouched{up: make(chan struct{}), names: map[string]int{}}
	go func() {
		close(v.up)
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i, k := range keys {
				v.names[k] = i // want `unguarded-access: \w+\.names is written`
			}
		}()
		wg.Wait()
	}()
	return v
}

func (v *unvouched) Id(k string) int {
	<-v.up
	return v.names[k]
}

// It waits only if there is time.
type vouchedHasty struct {
	up    chan struct{}
	names map[string]int
}

func newVouchedHastyBad(keys []string, wait bool) *vouchedHasty {
	v := &vouchedHasty{up: make(chan struct{}), names: map[string]int{}}
	go func() {
		defer close(v.up)
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i, k := range keys {
				v.names[k] = i // want `unguarded-access: \w+\.names is written`
			}
		}()
		if wait {
			wg.Wait()
		}
	}()
	return v
}

func (v *vouchedHasty) Id(k string) int {
	<-v.up
	return v.names[k]
}

// Others may say so, too, and have waited for nothing.
type cutShort struct {
	up    chan struct{}
	once  sync.Once
	names map[string]int
}

func newCutShortBad(keys []string) *cutShort {
	v := &cutShort{up: make(chan struct{}), names: map[string]int{}}
	go func() {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i, k := range keys {
				v.names[k] = i // want `unguarded-access: \w+\.names is written`
			}
		}()
		wg.Wait()
		v.once.Do(func() { close(v.up) })
	}()
	return v
}

func (v *cutShort) Stop() { v.once.Do(func() { close(v.up) }) }

func (v *cutShort) Id(k string) int {
	<-v.up
	return v.names[k]
}

// One of those that it starts goes on.
type leftOver struct {
	up    chan struct{}
	names map[string]int
	ids   map[int]string
}

func newLeftOverBad(keys []string) *leftOver {
	v := &leftOver{up: make(chan struct{}), names: map[string]int{}, ids: map[int]string{}}
	go func() {
		defer close(v.up)
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i, k := range keys {
				v.names[k] = i
			}
		}()
		go func() {
			for i, k := range keys {
				v.ids[i] = k // want `unguarded-access: \w+\.ids is written`
			}
		}()
		wg.Wait()
	}()
	return v
}

func (v *leftOver) Id(k string) int {
	<-v.up
	return v.names[k]
}

func (v *leftOver) Name(id int) string {
	<-v.up
	return v.ids[id]
}
