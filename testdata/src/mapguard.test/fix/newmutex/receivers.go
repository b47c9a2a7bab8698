package newmutex

import "net/url"

// session is safe for concurrent use. Some of its methods get it by value, and read its fields alone.
type session struct {
	secret []byte
	home   *url.URL
	ports  [2]int
	names  map[string]string
}

func newSession(secret []byte) *session {
	return &session{secret: secret, names: make(map[string]string)}
}

func (s session) key() []byte { return s.secret }

func (session) kind() string { return "session" }

func (s session) address() url.URL {
	at := *s.home
	at.User = nil
	s.home.Fragment = ""
	return at
}

func (s session) port() int { return s.ports[0] }

// nameOf looks up the map itself.
func (s session) nameOf(id string) string { return s.names[id] }

func (s *session) setName(id, name string) {
	s.names[id] = name
}

// ServeBad uses one session in two goroutines.
func ServeBad(secret []byte) {
	s := newSession(secret)
	for _, id := range []string{"a", "b"} {
		go func() { // want `goroutine-race: .*`
			at := s.address()
			s.setName(id, string(s.key())+s.kind()+at.Host)
			println(s.nameOf(id), s.port())
		}()
	}
}
