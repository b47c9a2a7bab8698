package oldgo

import "sync"

type pair[K comparable, V any] struct {
	k K
	v V
}

type label = string

// Types are written as the file names them.
type kinds[T any] struct {
	mu     sync.Mutex
	chans  map[[2]int]chan<- label        // guarded by mu
	empty  map[interface{}]struct{}       // guarded by mu
	pairs  map[string][]pair[string, int] // guarded by mu
	given  map[string]T                   // guarded by mu
	errors map[error]any                  // guarded by mu
}

func (k *kinds[T]) put(v T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.chans[[2]int{}] = nil
	k.empty[1] = struct{}{}
	k.pairs[""] = nil
	k.given[""] = v
	k.errors[nil] = 1
}

func (k *kinds[T]) chansBad(ch chan int) {
	for range k.chans { // want `unguarded-access: .*`
		ch <- 1
	}
}

func (k *kinds[T]) emptyBad(ch chan int) {
	for range k.empty { // want `unguarded-access: .*`
		ch <- 1
	}
}

func (k *kinds[T]) pairsBad(ch chan int) {
	for _, p := range k.pairs { // want `unguarded-access: .*`
		ch <- len(p)
	}
}

func (k *kinds[T]) givenBad(ch chan T) {
	for _, v := range k.given { // want `unguarded-access: .*`
		ch <- v
	}
}

func (k *kinds[T]) errorsBad(ch chan error) {
	for err := range k.errors { // want `unguarded-access: .*`
		ch <- err
	}
}
