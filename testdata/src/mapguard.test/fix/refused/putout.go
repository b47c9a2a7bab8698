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
