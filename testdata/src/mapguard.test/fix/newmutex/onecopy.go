package newmutex

import (
	"os"
)

type sender interface{ send(string) bool }

type mail struct{ file *os.File }

func (m mail) send(text string) bool {
	_, err := m.file.WriteString(text)
	return err == nil
}

type post struct{ file *os.File }

func (p *post) send(text string) bool {
	_, err := p.file.WriteString(text)
	return err != nil
}

type senders struct {
	byName map[string]sender
}

func newSenders() *senders {
	s := &senders{byName: make(map[string]sender)}
	go s.all("start")
	return s
}

// A copy of the map is counted and walked.
func (s *senders) all(text string) {
	if len(s.byName) == 0 {
		return
	}
	if text == "" {
		for _, one := range s.byName {
			one.send("nothing")
		}
		return
	}
	for name, one := range s.byName {
		one.send(name + text)
	}
}

// What is stored has another type than the map's values, and each branch has a variable of its own for it.
func (s *senders) addBad(name string, mails bool) {
	switch {
	case mails:
		s.byName[name] = openMail(name) // want `unguarded-access: .*`
	default:
		s.byName[name] = openPost(name)
	}
}

func openMail(name string) mail {
	f, _ := os.Create(name)
	return mail{f}
}

func openPost(name string) *post {
	f, _ := os.Create(name)
	return &post{f}
}
