package atomic

import (
	"context"
	"sync"
	"weak"

	"golang.org/x/sync/singleflight"
)

// What runs under the flight looks again, and puts its value in where it finds none, or one that
// is of no use any more.

type parsed struct{ names []string }

type parsing struct {
	m  sync.Map
	sf singleflight.Group
}

func (p *parsing) GetOk(ctx context.Context, key string) (*parsed, error) {
	for {
		v, ok := p.m.Load(key)
		if !ok {
			parse := func() (any, error) {
				if v, ok := p.m.Load(key); ok {
					if s := v.(weak.Pointer[parsed]).Value(); s != nil {
						return s, nil
					}
					p.m.CompareAndDelete(key, v)
				}
				made := &parsed{names: []string{key}}
				p.m.Store(key, weak.Make(made))
				return made, nil
			}
			done := p.sf.DoChan(key, parse)
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case r := <-done:
				if r.Err != nil {
					return nil, r.Err
				}
				return r.Val.(*parsed), nil
			}
		}
		if s := v.(weak.Pointer[parsed]).Value(); s != nil {
			return s, nil
		}
		p.m.CompareAndDelete(key, v)
	}
}

// Without the second look, one that has been put in meanwhile is lost.
type reparsing struct {
	m  sync.Map
	sf singleflight.Group
}

func (p *reparsing) GetBad(ctx context.Context, key string) (*reparsed, error) {
	if v, ok := p.m.Load(key); ok {
		return v.(*reparsed), nil
	}
	done := p.sf.DoChan(key, func() (any, error) {
		made := &reparsed{names: []string{key}}
		p.m.Store(key, made) // want `sync-map: `
		return made, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.Val.(*reparsed), r.Err
	}
}

func (p *reparsing) Add(key, name string) {
	if v, ok := p.m.Load(key); ok {
		v.(*reparsed).names = append(v.(*reparsed).names, name)
	}
}

type reparsed struct{ names []string }
