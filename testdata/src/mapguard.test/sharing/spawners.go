package sharing

import "golang.org/x/sync/errgroup"

type grouped struct{ m map[string]*conn }

func (g *grouped) errgroupBad(keys []string) error {
	var eg errgroup.Group
	for _, k := range keys {
		eg.Go(func() error {
			if g.m[k] == nil { // want `check-then-act: .*g\.m.*concurrent map writes`
				g.m[k] = &conn{}
			}
			return nil
		})
	}
	return eg.Wait()
}

// spawn is the project's own spawner.
func spawn(f func()) { go f() }

type ownSpawner struct{ m map[string]*conn }

func (o *ownSpawner) ownSpawnerBad(keys []string) {
	for _, k := range keys {
		spawn(func() {
			if o.m[k] == nil { // want `check-then-act: .*o\.m`
				o.m[k] = &conn{}
			}
		})
	}
}

type serving struct{ m map[string]*conn }

// Serve starts a goroutine for each connection.
func (s *serving) Serve(accept func() string) {
	for {
		go s.handle(accept())
	}
}

func (s *serving) handle(k string) {
	if s.m[k] == nil { // want `check-then-act: .*s\.m`
		s.m[k] = &conn{}
	}
}
