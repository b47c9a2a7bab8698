package refused

import "mime/multipart"

// Queries are safe for concurrent use. What is made of them is read by another package, which takes no lock.
type Queries struct {
	values map[string][]string
}

// AddBad adds one.
func (q *Queries) AddBad(name, value string) {
	if _, ok := q.values[name]; ok { // want `check-then-act: .*`
		return
	}
	q.values[name] = []string{value}
}

// FormOf puts them into what the other package declares.
func (q *Queries) FormOf(send func(*multipart.Form)) {
	made := &multipart.Form{Value: q.values}
	send(made)
}

// Fillings are safe for concurrent use. Who gets them in a form may add to them, which would be lost in a copy.
type Fillings struct {
	values map[string][]string
}

// AddBad adds one.
func (f *Fillings) AddBad(name, value string) {
	if _, ok := f.values[name]; ok { // want `check-then-act: .*`
		return
	}
	f.values[name] = []string{value}
}

func (f *Fillings) fill() {
	fillForm(&multipart.Form{Value: f.values})
}

func fillForm(form *multipart.Form) {
	values := form.Value
	fillValues(values)
}

func fillValues(values map[string][]string) { values["more"] = nil }

// Listings are safe for concurrent use. They are put into a form of which the literal does not name the type.
type Listings struct {
	values map[string][]string
}

// AddBad adds one.
func (l *Listings) AddBad(name, value string) {
	if _, ok := l.values[name]; ok { // want `check-then-act: .*`
		return
	}
	l.values[name] = []string{value}
}

func (l *Listings) forms() []*multipart.Form { return []*multipart.Form{{Value: l.values}} }

// Settings are safe for concurrent use. They are assigned to a field of a form, or put into a list of anything.
type Settings struct {
	values map[string][]string
}

// AddBad adds one.
func (s *Settings) AddBad(name, value string) {
	if _, ok := s.values[name]; ok { // want `check-then-act: .*`
		return
	}
	s.values[name] = []string{value}
}

func (s *Settings) form(print func(...any)) *multipart.Form {
	var form multipart.Form
	form.Value = s.values
	list := []any{s.values}
	print(list...)
	return &form
}
