// Package registration pins that registration at start-up is quiet by default.
package registration

import "fmt"

type driver interface{ Open(string) }

var drivers = make(map[string]driver)

// RegisterOk panics on a duplicate: it is meant for start-up.
func RegisterOk(name string, d driver) {
	if _, dup := drivers[name]; dup {
		panic("registered twice: " + name)
	}
	drivers[name] = d
}

// OpenOk reads what was registered.
func OpenOk(name string) driver { return drivers[name] }

var codecs = make(map[string]driver)

// MustRegisterCodecOk formats its panic.
func MustRegisterCodecOk(name string, d driver) {
	if d == nil {
		panic("nil codec")
	}
	if codecs[name] != nil {
		panic(fmt.Sprintf("codec %q registered twice", name))
	}
	codecs[name] = d
}

// CodecOk reads.
func CodecOk(name string) driver { return codecs[name] }

var handlers = make(map[string]driver)

// RegisterHandlerOk returns an error on a duplicate.
func RegisterHandlerOk(name string, d driver) error {
	if _, dup := handlers[name]; dup {
		return fmt.Errorf("%s registered twice", name)
	}
	handlers[name] = d
	return nil
}

// HandlerOk reads.
func HandlerOk(name string) driver { return handlers[name] }

var engines = make(map[string]driver)

// EngineBad makes what is missing at any time: no registration.
func EngineBad(name string, make func() driver) driver {
	if e, ok := engines[name]; ok { // want `check-then-act: .*engines`
		return e
	}
	e := make()
	engines[name] = e
	return e
}
